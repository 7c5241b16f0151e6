#include "core/policy/kit/plan_time.h"

#include "core/policy/kit/placement.h"

namespace tessera {

namespace {

// The plan's entries by op.
struct Entries {
  IdVec<OpId, std::vector<const Spill*>> spills;
  IdVec<OpId, std::vector<const Reshard*>> reshards;

  Entries(const Problem& problem, const Plan& plan)
      : spills(problem.graph.ops.size()), reshards(problem.graph.ops.size()) {
    for (const Spill& spill : plan.spills) spills[spill.before].push_back(&spill);
    for (const Reshard& reshard : plan.reshards) reshards[reshard.consumer].push_back(&reshard);
  }
};

}  // namespace

PlanTrack trackPlan(const Problem& problem, const Plan& plan, LayoutPool& pool) {
  const Entries entries(problem, plan);
  const size_t ops = problem.graph.ops.size();
  PlanTrack track{plan.config, IdVec<OpId, std::vector<LayoutId>>(ops), IdVec<OpId, std::vector<LayoutId>>(ops)};
  IdVec<ValueId, LayoutId> now(problem.graph.values.size(), kNoLayout);
  for (ValueId value : plan.layout.ids()) {
    if (plan.layout[value]) now[value] = pool.intern(*plan.layout[value]);
  }
  for (OpId op : plan.order) {
    for (const Spill* spill : entries.spills[op]) now[spill->value] = pool.intern(spill->to);
    for (ValueId operand : problem.graph.ops[op].operands) track.at[op].push_back(now[operand]);
    track.reads[op] = track.at[op];
    for (const Reshard* reshard : entries.reshards[op])
      track.reads[op][static_cast<size_t>(reshard->operand)] = pool.intern(reshard->to);
  }
  return track;
}

Cost planTime(const Problem& problem, const Plan& plan, MoveTime& moves) {
  const Entries entries(problem, plan);
  IdVec<ValueId, std::optional<TensorLayout>> now = plan.layout;
  Cost sum = 0;
  auto move = [&](ValueId value, const TensorLayout& to) {
    if (now[value]) sum = addCost(sum, moves.of(value, moves.pool().intern(*now[value]), moves.pool().intern(to)));
  };
  for (OpId op : plan.order) {
    const Op& o = problem.graph.ops[op];
    for (const Spill* spill : entries.spills[op]) {
      move(spill->value, spill->to);
      now[spill->value] = spill->to;
    }
    Layouts inputs;
    for (ValueId operand : o.operands) inputs.push_back(now.contains(operand) ? now[operand] : std::nullopt);
    for (const Reshard* reshard : entries.reshards[op]) {
      move(o.operands[static_cast<size_t>(reshard->operand)], reshard->to);
      inputs[static_cast<size_t>(reshard->operand)] = reshard->to;
    }
    if (opInfo(o.kind).has(kTerminator)) continue;
    OpConfig config = plan.config[op];
    for (ValueId result : o.results) {
      if (!problem.isTensor(result) || !plan.layout[result]) continue;
      config.output = *plan.layout[result];
      break;
    }
    const OpQuery query{problem.graph, op, inputs, config, Bytes(0)};
    const OpVerdict verdict = problem.model.validateOperation(query, problem.budget);
    const OpConfig written{verdict.ok() ? verdict.output : config.output, config.attrs};
    sum = addCost(sum, moves.ofOp({problem.graph, op, inputs, written, Bytes(0)}));
    if (written.output == config.output) continue;
    // The library writes elsewhere than the plan has it: what was written is moved there (validation_fallback.h).
    for (ValueId result : o.results) {
      if (!problem.isTensor(result) || !now[result] || !(*now[result] == config.output)) continue;
      const LayoutId from = moves.pool().intern(written.output), to = moves.pool().intern(config.output);
      sum = addCost(sum, moves.of(result, from, to));
    }
  }
  return sum;
}

bool planFits(const Problem& problem, const Plan& plan, const IdVec<OpId, bool>& mayBeRefused) {
  const Entries entries(problem, plan);
  Placement placement(problem);
  for (OpId op : plan.order) {
    for (const Spill* spill : entries.spills[op]) {
      if (spill->to.isL1() && !placement.l1().fit({{.allocate = l1BytesPerCore(spill->to)}}, Bytes(0)).ok())
        return false;
      placement.spill(spill->value, op, spill->to, spill->cause);
    }
    Layouts inputs = placement.operandLayouts(op);
    for (const Reshard* reshard : entries.reshards[op]) inputs[static_cast<size_t>(reshard->operand)] = reshard->to;
    const OpConfig& config = plan.config[op];
    Bytes buffers;
    if (!opInfo(problem.graph.ops[op].kind).has(kTerminator)) {
      const OpVerdict verdict = placement.validate(op, inputs, config);
      if (!mayBeRefused[op] && !verdict.ok() && !fillsL1Alone(verdict, config)) return false;
      buffers = problem.model.getOpConstraints({problem.graph, op, inputs, config, Bytes(0)}).cbRegionSize;
    }
    if (!placement.placeWhereItFits(op, config, inputs, buffers)) return false;
    placement.finish(op);
  }
  return true;
}

}  // namespace tessera
