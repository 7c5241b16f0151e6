#include "core/policy/propagate/reshard_cost.h"

#include "core/ops/conversions.h"

namespace tessera {

ReshardCost::ReshardCost(const Problem& problem, LayoutPool& pool) : problem_(problem), pool_(pool) { known_.resize(problem.graph.values.size()); }

ReshardCost::Cost ReshardCost::of(ValueId value, LayoutId from, LayoutId to) {
  if (from == to) return {true, 0, 0};
  for (const Known& known : known_[value]) {
    if (known.from == from && known.to == to) return known.cost;
  }
  const Conversion made = problem_.model.conversion(problem_.graph.values[value].type, pool_[from], pool_[to]);
  const Cost cost{made.legal, made.legal ? made.time.count : 0, made.circularBuffers.count};
  known_[value].push_back({from, to, cost});
  return cost;
}

}  // namespace tessera
