#pragma once
// Spilling (P2, core/solve/p2_spill.h) for given layouts: which tensors leave L1 between their readers when a step's budget cannot
// hold all that are alive.

#include "core/policy/exact/layout_model.h"
#include "core/solve/p2_spill.h"

namespace tessera {

struct SpillDemand {
  P2Problem problem;               // capacities are what `budget` leaves besides the step's own bytes
  std::vector<int64_t> own;        // per step: what the op reads and allocates itself
  std::vector<int64_t> demand;     // per step: own, and all that waits in L1
};

// A value that waits in L1 for a reader may be stored in DRAM, once, and read back: at the cost of both moves, less the conversion
// that the reader needs anyway. What is returned has to be stored in any case.
SpillDemand spillDemand(const LayoutModel& model, const std::vector<int>& values);
// The same problem at a budget of bytes per core. What a step needs for itself is there whatever the budget.
P2Problem atBudget(const SpillDemand& demand, int64_t budget);

}  // namespace tessera
