#pragma once
// The searches for what leaves L1 speak of sums of bytes and of costs that add up. Here their choice is carried out and
// timed as the device is charged for it, beside every rule of thumb and beside choices that differ in one tensor: what
// is taken is never slower than a rule.

#include "core/policy/propagate/graph_spills.h"

namespace tessera {

// The sweep with the fastest plan; `spills` is left as after that sweep. `choices`: of searches, by whatever model.
SpillOutcome fastestSweep(GraphSpills& spills, const std::vector<SpillChoice>& choices);

}  // namespace tessera
