#include "core/policy/exact/plan_time.h"

#include "core/ops/op_memory.h"
#include "core/policy/placement.h"

namespace tessera {

namespace {

using Layouts = std::vector<std::optional<TensorLayout>>;

// The plan's entries by op.
struct Entries {
  IdVec<OpId, std::vector<const Spill*>> spills;
  IdVec<OpId, std::vector<const Reshard*>> reshards;

  Entries(const Problem& problem, const Plan& plan) : spills(problem.graph.ops.size()), reshards(problem.graph.ops.size()) {
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
    for (const Reshard* reshard : entries.reshards[op]) track.reads[op][static_cast<size_t>(reshard->operand)] = pool.intern(reshard->to);
  }
  return track;
}

Cost planTime(const Problem& problem, const Plan& plan, LayoutPool& pool, MoveTime& moves) {
  const Entries entries(problem, plan);
  IdVec<ValueId, std::optional<TensorLayout>> now = plan.layout;
  Cost sum = 0;
  auto move = [&](ValueId value, const TensorLayout& to) {
    if (now[value]) sum = addCost(sum, moves.of(value, pool.intern(*now[value]), pool.intern(to)));
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
    const OpVerdict verdict = problem.model.validateOperation(query);
    sum = addCost(sum, moves.ofOp(query));
    if (!verdict.ok()) continue;
    for (ValueId result : o.results) {
      if (problem.isTensor(result) && now[result] && *now[result] == config.output) now[result] = verdict.output;
    }
  }
  return sum;
}

bool fillsL1Alone(const OpVerdict& verdict, const OpQuery& query, const OpConfig& config) {
  return verdict.status == OpStatus::OutOfMemory && query.additionalL1.count <= 0 && !config.output.isL1() && verdict.constraints.outputL1BufferSize.count == 0;
}

namespace {

// As checkPlan counts it: what is alive, and copies.
bool withinBudget(const Problem& problem, const Placement& placement, OpId op, const Layouts& inputs, const OpConfig& config) {
  Bytes taken = placement.liveL1();
  const Layouts now = placement.operandLayouts(op);
  for (size_t i = 0; i < now.size(); ++i) {
    if (now[i] && inputs[i] && !(*now[i] == *inputs[i])) taken += l1BytesPerCore(*inputs[i]);
  }
  OpQuery query{problem.graph, op, inputs, config, taken};
  if (opMemory(query, problem.model).aliasOf >= 0) query.additionalL1 -= l1BytesPerCore(config.output);
  const OpVerdict verdict = problem.model.validateOperation(query);
  return verdict.ok() || fillsL1Alone(verdict, query, config);
}

}  // namespace

bool planFits(const Problem& problem, const Plan& plan, const IdVec<OpId, bool>& mayBeRefused) {
  const Entries entries(problem, plan);
  Placement placement(problem, plan.policy);
  for (OpId op : plan.order) {
    const Op& o = problem.graph.ops[op];
    for (const Spill* spill : entries.spills[op]) {
      if (spill->to.isL1() && placement.fit({Placement::L1Move(l1BytesPerCore(spill->to))}, Bytes(0)).reason != Refusal::None) return false;
      placement.spill(spill->value, op, spill->to, spill->cause);
    }
    Layouts inputs = placement.operandLayouts(op);
    for (const Reshard* reshard : entries.reshards[op]) inputs[static_cast<size_t>(reshard->operand)] = reshard->to;
    const OpConfig& config = plan.config[op];
    Bytes buffers;
    const bool runs = !opInfo(o.kind).has(kTerminator);
    if (runs && !mayBeRefused[op] && !withinBudget(problem, placement, op, inputs, config)) return false;
    if (runs) buffers = problem.model.getOpConstraints({problem.graph, op, inputs, config, Bytes(0)}).cbRegionSize;
    if (placement.fit(placement.movesOf(op, inputs, config), buffers).reason != Refusal::None) return false;
    placement.place(op, config, inputs);
    placement.finish(op);
  }
  return true;
}

}  // namespace tessera
