#pragma once
// Layout selection as a factor graph (core/solve/selection/factor_graph.h): the choices with their costs.

#include <optional>

#include "core/policy/exact/layout_costs.h"

namespace tessera {

// Variables and factors are numbered as in the choices. `memory` keeps tables of equal questions without prices.
FactorGraph layoutGraph(const LayoutCosts& costs, ExactMemory& memory);

// The graph of the same choices at one set of prices after the other. What has no price, now and the last time, is not
// made again.
class RepricedGraph {
 public:
  explicit RepricedGraph(ExactMemory& memory) : memory_(memory) {}
  // As layoutGraph() has it; valid until the next call.
  const FactorGraph& at(const LayoutCosts& costs);

 private:
  ExactMemory& memory_;
  std::optional<FactorGraph> graph_;
  std::vector<char> variablePriced_, tablePriced_;  // the last time, as numbered in the choices
};

// The op's costs when it may run as one candidate only: of factor `table`, or of its variable alone (-1). Empty when
// the candidate is not among the choices. `usual`: the graph at these costs.
struct ForcedCosts {
  int table = -1;
  std::vector<Cost> costs;
};
ForcedCosts forceCandidate(const LayoutCosts& costs, const FactorGraph& usual, OpId op, const TensorLayout& output,
                           const std::vector<LayoutId>& reads);

}  // namespace tessera
