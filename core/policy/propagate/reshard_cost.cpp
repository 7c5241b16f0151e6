#include "core/policy/propagate/reshard_cost.h"

namespace tessera {

ReshardCost::ReshardCost(const Problem& problem, LayoutPool& pool) : problem_(problem), pool_(pool) {
  known_.resize(problem.graph.values.size());
  Op op;
  op.kind = opKindFromName("ttnn.to_layout");
  op.name = "ttnn.to_layout";
  op.operands = {scratch_.values.push(Value())};
  op.results = {scratch_.values.push(Value())};
  op_ = scratch_.ops.push(std::move(op));
}

ReshardCost::Cost ReshardCost::of(ValueId value, LayoutId from, LayoutId to) {
  if (from == to) return {true, 0, 0};
  for (const Known& known : known_[value]) {
    if (known.from == from && known.to == to) return known.cost;
  }
  const Op& op = scratch_.ops[op_];
  for (ValueId end : {op.operands[0], op.results[0]}) scratch_.values[end].type = problem_.graph.values[value].type;
  const std::optional<TensorLayout> inputs[] = {pool_[from]};
  const OpConfig config{pool_[to], {}};
  const OpQuery query{scratch_, op_, inputs, config, Bytes(0)};
  Cost cost;
  const OpVerdict verdict = problem_.model.validateOperation(query);
  cost.legal = verdict.ok();
  if (cost.legal) cost.nanoseconds = problem_.model.getOpRuntime(query).total().count;
  cost.circularBuffers = verdict.constraints.cbRegionSize.count;
  known_[value].push_back({from, to, cost});
  return cost;
}

}  // namespace tessera
