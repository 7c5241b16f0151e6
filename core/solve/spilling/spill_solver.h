#pragma once
// Solves a spilling problem: heuristics for the incumbent, reduction to what can overflow, a sweep over states of the
// steps (state_sweep.h), and branch and bound where the sweep had to prune for room.

#include <string_view>
#include <utility>
#include <vector>

#include "core/solve/spilling/spill_problem.h"

namespace tessera {

struct SpillOptions {
  size_t stateLimit = 20'000;  // states of the sweep; their memory stays below about 100 MB
  WorkBudget budget{int64_t{400'000'000}};
  // Switches for tests: with the limits above out of reach, the optimum must not change.
  bool useContested = true;     // leave out segments that cross no overloaded step
  bool useMaximalSteps = true;  // leave out steps whose segments all cross another step of no more capacity
  bool usePrecedence = true;    // do not drop a segment to keep one that is larger, longer and no dearer to drop
  bool useDominance = true;     // prune states that another one dominates
  bool useBound = true;         // prune states whose bound reaches the incumbent
};

struct SpillResult {
  KeptSegments keep;
  Cost cost = 0;
  Cost lowerBound = 0;
  bool proven = false;
  std::string_view method;  // that found the solution
  int64_t states = 0;
  size_t contested = 0;  // segments that had to be decided
  // Prices per step (scaled by 2^priceShift, per unit of cover) that certify a part of the bound; see certificate.h.
  int priceShift = 0;
  std::vector<std::pair<int, Cost>> prices;
};

SpillResult solveSpill(const SpillProblem& problem, SpillOptions options);

}  // namespace tessera
