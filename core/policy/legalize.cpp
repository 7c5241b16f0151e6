#include "core/policy/legalize.h"

#include <algorithm>

#include "core/ops/op_memory.h"

namespace tessera {

namespace {

// A sum of bytes does not see holes: the copies and the result must also find addresses.
void checkAddresses(const Placement& placement, OpId op, Attempt& attempt) {
  Placement::Fit fit = placement.fit(placement.movesOf(op, attempt.inputs, attempt.config), attempt.verdict.constraints.cbRegionSize);
  if (fit.reason == Refusal::None) return;
  attempt.verdict.status = OpStatus::OutOfMemory;
  attempt.verdict.reason = fit.reason;
  attempt.verdict.needed = fit.needed;
  attempt.verdict.available = fit.available;
}

void validate(const Problem& problem, const Placement& placement, OpId op, Attempt& attempt) {
  Bytes taken = placement.liveL1() + attempt.reshardL1;
  OpQuery query{problem.graph, op, attempt.inputs, attempt.config, taken};
  // A view's result is its operand's buffer, which is counted already.
  if (opMemory(query, problem.model).aliasOf >= 0) query.additionalL1 -= l1BytesPerCore(attempt.config.output);
  attempt.verdict = problem.model.validateOperation(query);
  // An op that puts its result elsewhere is planned with what it does.
  bool elsewhere = attempt.verdict.ok() && !(attempt.verdict.output == attempt.config.output) && !isPinned(problem, op);
  if (elsewhere) attempt.config.output = attempt.verdict.output;
  if (attempt.verdict.ok()) checkAddresses(placement, op, attempt);
}

}  // namespace

std::optional<TensorLayout> cureOperand(const Problem& problem, Refusal reason, const TensorLayout& out, ValueId operand, const TensorLayout& now) {
  switch (reason) {
    case Refusal::ShardingMismatch:
    case Refusal::MemoryLayoutMismatch:
    case Refusal::LayoutChangeBefore2026: {
      if (!out.sharded()) return l1InterleavedLayout(problem, operand);
      auto made = makeLayout(problem.tensor(operand).shape, {now.dtype, BufferType::L1, out.memory, now.page, out.grid}, problem.device);
      if (made.ok()) return *made;
      return {};
    }
    case Refusal::InputMustBeInterleaved:
    case Refusal::BroadcastOperandSharded:
    case Refusal::ConcatSharding:
    case Refusal::InputHeightSharded:
    case Refusal::InputWidthSharded: return l1InterleavedLayout(problem, operand);
    case Refusal::InputMustBeDramInterleaved:
    case Refusal::InputMustBeTile:
    case Refusal::InputOnHost: return dramLayout(problem, operand);
    default: return {};
  }
}

namespace {

Attempt legalize(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config, bool onlyDram) {
  Attempt attempt = tryAsItIs(problem, placement, op, config);
  const auto& operands = problem.graph.ops[op].operands;
  // Each round converts one operand that was not converted before, so there are at most as many rounds as operands.
  std::vector<bool> converted(operands.size(), false);
  while (attempt.verdict.operand >= 0 && !attempt.verdict.ok()) {
    auto i = static_cast<size_t>(attempt.verdict.operand);
    if (converted[i]) break;
    converted[i] = true;
    std::optional<TensorLayout> to = cureOperand(problem, attempt.verdict.reason, attempt.config.output, operands[i], *attempt.inputs[i]);
    if (!to) break;
    if (onlyDram && !to->sharded()) to = dramLayout(problem, operands[i]);
    if (*to == *attempt.inputs[i]) break;
    attempt.inputs[i] = *to;
    ++attempt.reshards;
    attempt.reshardL1 += l1BytesPerCore(*to);
    validate(problem, placement, op, attempt);
  }
  return attempt;
}

}  // namespace

Attempt tryAsItIs(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config) {
  Attempt attempt;
  attempt.config = config;
  attempt.inputs = placement.operandLayouts(op);
  validate(problem, placement, op, attempt);
  return attempt;
}

Attempt tryConfig(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config) {
  Attempt attempt = legalize(problem, placement, op, config, false);
  bool copiesTakeL1 = attempt.verdict.status == OpStatus::OutOfMemory && attempt.reshardL1.count > 0;
  if (attempt.verdict.ok() || !copiesTakeL1) return attempt;
  Attempt throughDram = legalize(problem, placement, op, config, true);
  return throughDram.verdict.ok() ? throughDram : attempt;
}

void returnFromDram(const Problem& problem, Placement& placement, OpId returnOp) {
  const Op& op = problem.graph.ops[returnOp];
  std::vector<ValueId> moved;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    ValueId value = op.operands[i];
    if (!problem.isTensor(value) || std::find(moved.begin(), moved.end(), value) != moved.end()) continue;
    std::optional<TensorLayout> now = placement.operandLayouts(returnOp)[i];
    if (!now || !now->isL1()) continue;
    placement.spill(value, returnOp, dramLayout(problem, value), SpillCause::FunctionReturn);
    moved.push_back(value);
  }
  placement.place(returnOp, {}, placement.operandLayouts(returnOp));
  placement.finish(returnOp);
}

}  // namespace tessera
