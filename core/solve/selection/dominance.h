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
ReducedModel removeDominated(const FactorGraph& model, WorkBudget& budget, int shift = 0);

// Keeps only the listed values (at least one per variable). Costs become 2^shift times what they are.
ReducedModel restrictModel(const FactorGraph& model, std::vector<std::vector<int>> kept, int shift = 0);

// Of every variable, for restrictModel().
std::vector<std::vector<int>> allValues(const FactorGraph& model);

}  // namespace tessera
