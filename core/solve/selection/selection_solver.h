#pragma once
// Solves layout selection: picks a method; the result has an incumbent, a lower bound, and whether the two meet.
//
//   SelectionResult result = solveSelection(model, {.budget = WorkBudget(50'000'000)});
//   result.values, result.cost (an upper bound), result.lowerBound, result.proven
//
// Method: if the tables of an elimination order fit `cellLimit`, bucket elimination (elimination_tree.h), which always
// proves. Else dominance elimination and the same again; else bounds by reparametrisation, fixing by reduced costs, and
// branch and bound (dual_solver.h). To re-solve after changes or to get regrets, use EliminationTree itself.

#include <optional>
#include <string_view>
#include <vector>

#include "core/solve/selection/dominance.h"

namespace tessera {

class KeptSelection;

struct SelectionOptions {
  int64_t cellLimit = int64_t{1} << 24;  // of all tables together; a cell takes 10 bytes
  bool tooLarge = false;                 // no order of the model fits the limit: a caller has looked for one
  bool useTree = true;                   // switches for tests: the optimum must not change
  bool useDominance = true;
  bool useReducedCosts = true;
  WorkBudget budget;
  KeptSelection* kept = nullptr;  // of earlier calls, which had all other options alike
};

struct SelectionResult {
  bool feasible = false;  // `values` is a solution
  bool proven = false;    // cost == lowerBound, or there is no solution at all
  std::vector<int> values;
  Cost cost = kForbidden;
  Cost lowerBound = -kMaxTotalCost;
  std::string_view method;  // "elimination", "dominance", "bounds", "branch and bound"
  int width = 0;            // of the elimination order that was used; 0 without one
  int64_t cells = 0;

  // The optimum, once it is known to be one.
  std::optional<Cost> optimum() const { return feasible && proven ? std::optional(cost) : std::nullopt; }
};

SelectionResult solveSelection(const FactorGraph& model, SelectionOptions options);

// The last model that dominance elimination left, and what came of it: models that differ in dominated values alone are
// solved once.
class KeptSelection {
 public:
  // The kept result when `reduced` is the kept model and `budget` covers what solving it spent, which is spent then;
  // else null.
  const SelectionResult* find(const FactorGraph& reduced, int shift, WorkBudget& budget) const;
  void keep(FactorGraph reduced, int shift, int64_t spent, const SelectionResult& result);

  KnownDominance dominance;

 private:
  FactorGraph reduced_;
  int shift_ = -1;     // of its costs; -1: nothing is kept
  int64_t spent_ = 0;  // of the budget
  SelectionResult result_;
};

}  // namespace tessera
