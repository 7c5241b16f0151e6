#pragma once
// Dominance elimination for P1: values that another value of the same variable can always replace without loss.

#include <vector>

#include "core/solve/p1_model.h"

namespace tessera {

struct P1Reduced {
  FactorGraph model;
  std::vector<std::vector<int>> kept;  // per variable: the values of the original model that are left, ascending
  int64_t removed = 0;
};

// At least one optimum of `model` survives; which other solutions do is not promised. A variable without any allowed value keeps
// its first. Goldstein's criterion: value a goes when some b satisfies, over all tables, sum of min over the others (cost with a -
// cost with b) >= 0. Stops when the budget ends, with what was removed until then.
P1Reduced removeDominated(const FactorGraph& model, WorkBudget& budget);

// Keeps only the listed values (at least one per variable).
P1Reduced restrictModel(const FactorGraph& model, std::vector<std::vector<int>> kept);

}  // namespace tessera
