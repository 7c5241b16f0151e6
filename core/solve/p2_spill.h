#pragma once
// P2: which values to keep near and which to store and reload, when a step's capacity cannot hold all that are alive.
//
//   P2Problem problem{.steps = 6, .capacity = {...one per step...},
//                     .values = {{.size = 64, .def = 0, .uses = {2, 5}, .storeCost = 10, .reloadCosts = {7, 7}}}};
//   P2Result best = solveSpill(problem, {});
//   best.keep[v][i]   // is value v kept between event i and event i + 1 (events: its definition, then its uses)?
//
// A segment is the open interval between two consecutive events of a value. Kept, it occupies `size` on every step strictly inside;
// dropped, it costs the reload of the use at its end, and the value's store once, whatever the number of its dropped segments.
// What an op holds while it runs (its operands, result, buffers) is not counted here: the caller takes it off the step's capacity.
// Dropping everything is always possible, so there is always a solution (a capacity below 0 counts as 0).

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/solve/cost.h"

namespace tessera {

struct P2Value {
  int64_t size = 0;                // not negative
  int def = 0;                     // step
  std::vector<int> uses;           // steps, ascending, after def
  Cost storeCost = 0;              // costs are not negative
  std::vector<Cost> reloadCosts;   // one per use
};

struct P2Problem {
  int steps = 0;
  std::vector<int64_t> capacity;   // per step
  std::vector<P2Value> values;
};

// keep[value][segment], one segment per use.
using P2Keep = std::vector<std::vector<char>>;

struct P2Options {
  size_t stateLimit = 20'000;  // states of the sweep, also inside a step; their memory stays below about 100 MB
  WorkBudget budget{int64_t{400'000'000}};
  // Switches for tests: with the limits above out of reach, the optimum must not change.
  bool useContested = true;    // leave out segments that cross no overloaded step
  bool useMaximalSteps = true; // leave out steps whose segments all cross another, tighter one
  bool usePrecedence = true;   // do not drop j to keep a k that is larger, cheaper to drop and ends later
  bool useDominance = true;    // drop states that another one beats
  bool useBound = true;        // drop states that cannot beat the best known solution
};

struct P2Result {
  P2Keep keep;
  Cost cost = 0;
  Cost lowerBound = 0;
  bool proven = false;
  std::string_view method;     // what found the solution
  int64_t states = 0;
  size_t contested = 0;        // segments that had to be decided
  // Prices per step (scaled by 2^priceShift, per unit of cover) that certify a part of the bound; see certificate.h.
  int priceShift = 0;
  std::vector<std::pair<int, Cost>> prices;
};

P2Result solveSpill(const P2Problem& problem, P2Options options);

// The rules of thumb beside it. Each evicts at the first overloaded step until it fits.
enum class SpillRule { FarthestLastUse, FarthestNextUse, CostAware };
P2Keep spillByRule(const P2Problem& problem, SpillRule rule);

// Cost of a decision, kForbidden when a step overflows. Counts in the plainest way.
Cost evaluateSpill(const P2Problem& problem, const P2Keep& keep);

// CPLEX LP format.
std::string writeLp(const P2Problem& problem);

}  // namespace tessera
