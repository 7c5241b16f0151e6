#pragma once
// Spilling (core/solve/spilling/spill_solver.h) for given layouts: which tensors leave L1 between their readers when a
// step's budget cannot hold all that are alive.

#include "core/policy/exact/layout_assignment.h"
#include "core/solve/spilling/spill_solver.h"

namespace tessera {

struct SpillDemand {
  SpillProblem problem;         // capacities are what `budget` leaves besides the step's own bytes
  std::vector<int64_t> own;     // per step: what the op reads and allocates itself
  std::vector<int64_t> demand;  // per step: own, and all that waits in L1
};

// A value that waits in L1 for a reader may be stored in DRAM, once, and read back: at the cost of both moves, less the
// conversion that the reader needs anyway. What is returned has to be stored in any case.
SpillDemand spillDemand(const LayoutCosts& costs, const LayoutAssignment& assignment);
// The same problem at a budget of bytes per core. What a step needs for itself is there whatever the budget.
SpillProblem atBudget(const SpillDemand& demand, int64_t budget);

}  // namespace tessera
