#pragma once
// In which order to eliminate the variables of a factor graph. Depends on the topology and the domain sizes only, so it
// can be computed once and kept while costs change.

#include <span>
#include <vector>

#include "core/solve/selection/factor_graph.h"

namespace tessera {

enum class OrderKind {
  MinFill,   // least number of new pairs first
  MinTable,  // least table first
  Rounds,    // independent sets of low degree, round by round: the elimination tree gets logarithmic depth
};

struct EliminationOrder {
  OrderKind kind = OrderKind::MinFill;
  std::vector<int> variables;  // in the order of elimination
  int width = 0;               // most other variables in one table
  int depth = 0;               // buckets on the longest path to a root
  int64_t cells = 0;           // all tables together, with the eliminated variable; saturated at kMaxCells
};

inline constexpr int64_t kMaxCells = int64_t{1} << 40;

// Gives up (an empty list of variables) once more than `cellLimit` cells would be needed.
EliminationOrder eliminationOrder(const FactorGraph& model, OrderKind kind, int64_t cellLimit);

// A lower bound of the cells of the largest table, of any order; not followed further once it is above `enough`.
int64_t largestTableAtLeast(const FactorGraph& model, int64_t enough = kMaxCells);

// The one with the least cells. Rounds are taken when they need at most `roundsFactor` times as many, because a change
// then recomputes less: raise it (64, say) where many edits follow one solve. `variables` is empty when all exceed the
// limit.
EliminationOrder chooseOrder(const FactorGraph& model, int64_t cellLimit, int64_t roundsFactor = 2);

}  // namespace tessera
