#include "core/policy/kit/legalize.h"

#include "core/policy/kit/operand_repair.h"

namespace tessera {

namespace {

void validate(const Problem& problem, const Placement& placement, OpId op, Attempt& attempt) {
  attempt.verdict = placement.validate(op, attempt.inputs, attempt.config);
  // An op that puts its result elsewhere is planned with what it does.
  if (attempt.verdict.ok() && !isPinned(problem, op)) attempt.config.output = attempt.verdict.output;
  placement.checkAddresses(op, attempt.inputs, attempt.config, attempt.verdict);
}

Attempt legalize(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config,
                 bool interleavedInDram) {
  Attempt attempt = tryAsItIs(problem, placement, op, config);
  OperandRepair repair(problem, op, interleavedInDram);
  while (auto conversion = repair.next(attempt.verdict, attempt.config.output, attempt.inputs)) {
    for (; conversion; conversion = repair.again(attempt.inputs)) {
      attempt.inputs[conversion->operand] = conversion->to;
      ++attempt.reshards;
    }
    validate(problem, placement, op, attempt);
  }
  return attempt;
}

}  // namespace

Attempt tryAsItIs(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config) {
  Attempt attempt{config, placement.operandLayouts(op), {}, 0};
  validate(problem, placement, op, attempt);
  return attempt;
}

Attempt tryConfig(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config) {
  Attempt attempt = legalize(problem, placement, op, config, false);
  const bool copiesTakeL1 = attempt.verdict.status == OpStatus::OutOfMemory &&
                            copiesL1(placement.operandLayouts(op), attempt.inputs).count > 0;
  if (!copiesTakeL1) return attempt;
  Attempt throughDram = legalize(problem, placement, op, config, true);
  return throughDram.verdict.ok() ? throughDram : attempt;
}

void returnFromDram(const Problem& problem, Placement& placement, OpId returnOp) {
  for (ValueId value : problem.graph.ops[returnOp].operands) {
    const auto& now = placement.layoutOf(value);
    if (now && now->isL1()) placement.spill(value, returnOp, dramLayout(problem, value), SpillCause::FunctionReturn);
  }
  placement.place(returnOp, {}, placement.operandLayouts(returnOp));
  placement.finish(returnOp);
}

}  // namespace tessera
