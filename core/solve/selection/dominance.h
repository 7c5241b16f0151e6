#pragma once
// Dominance elimination: values that another value of the same variable can always replace without loss.

#include <vector>

#include "core/solve/selection/factor_graph.h"

namespace tessera {

struct ReducedModel {
  FactorGraph model;
  std::vector<std::vector<int>> kept;  // per variable: the values of the original model that are left, ascending
  int64_t removed = 0;
};

// At least one optimum of `model` survives. A variable without any allowed value keeps its first. Goldstein's
// criterion: value a is removed when some b satisfies, over all tables, sum of min over the others (cost with a - cost
// with b) >= 0. Stops when the budget ends, with what was removed until then.
ReducedModel removeDominated(const FactorGraph& model, WorkBudget& budget);

// Keeps only the listed values (at least one per variable).
ReducedModel restrictModel(const FactorGraph& model, std::vector<std::vector<int>> kept);

}  // namespace tessera
