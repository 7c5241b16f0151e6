#pragma once
// The front of P1: picks a method, answers with a solution and a bound, and says whether the two meet.
//
//   P1Result result = solveP1(model, {.budget = WorkBudget(50'000'000)});
//   result.values, result.cost (an upper bound), result.lowerBound, result.proven
//
// Method: if the tables of an elimination order fit `cellLimit`, bucket elimination (p1_tree.h), which always proves. Else dominance
// elimination and the same again; else bounds by reparametrisation, fixing by reduced costs, and branch and bound (p1_dual.h).
// To re-solve after changes or to get regrets, use P1Tree itself.

#include <string_view>
#include <vector>

#include "core/solve/p1_model.h"

namespace tessera {

struct P1Options {
  int64_t cellLimit = int64_t{1} << 24;  // of all tables together; a cell takes 10 bytes
  bool useTree = true;                   // the switches turn single rules off, for tests: the optimum must not change
  bool useDominance = true;
  bool useReducedCosts = true;
  WorkBudget budget;
};

struct P1Result {
  bool feasible = false;  // `values` is a solution
  bool proven = false;    // cost == lowerBound, or there is no solution at all
  std::vector<int> values;
  Cost cost = kForbidden;
  Cost lowerBound = -kMaxTotalCost;
  std::string_view method;  // "elimination", "dominance", "bounds", "branch and bound"
  int width = 0;            // of the elimination order that was used; 0 without one
  int64_t cells = 0;
};

P1Result solveP1(const FactorGraph& model, P1Options options);

}  // namespace tessera
