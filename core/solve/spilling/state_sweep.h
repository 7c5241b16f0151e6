#pragma once
// Dynamic programming over the constraints of a spilling core: a state says which live segments are kept and which
// values are stored.

#include "core/solve/spilling/spill_core.h"
#include "core/solve/spilling/spill_solver.h"

namespace tessera {

struct SweepResult {
  bool feasible = false;  // false when forced decisions or the incumbent excluded every state
  Cost cost = kForbidden;
  std::vector<char> keep;  // per segment
  Cost lost = kForbidden;  // least bound of a state pruned for lack of room; kForbidden: none was
  int64_t states = 0;
};

// `forced` per segment: 0 drop, 1 keep, -1 free. Finds something better than `upper` if the states suffice.
SweepResult sweepCore(const SpillCore& core, const CoverPrices& prices, const std::vector<signed char>& forced,
                      Cost upper, size_t stateLimit, SpillOptions& options);

}  // namespace tessera
