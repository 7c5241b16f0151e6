#pragma once
// From an assignment of layouts to a plan whose tensors all find addresses in L1. Where the assignment leaves too
// little room, the op runs as another candidate or a value leaves L1; every deviation is noted.

#include "core/policy/exact/layout_assignment.h"
#include "core/policy/kit/victim_rule.h"

namespace tessera {

struct RealizeOptions {
  VictimRule victim = VictimRule::CostPerByte;
  bool preferOtherCandidates = true;  // try other candidates of the op before any value leaves L1
};

struct Realized {
  Plan plan;
  bool fits = true;              // everything found addresses in L1
  std::vector<OpId> deviations;  // ops that do not run as the assignment has it
  std::vector<ValueId> evicted;
};

// `costs`: those that the assignment was read with. `moves`: movesOf() them and the assignment. Of the prices it
// matters only whether there are any.
Realized realize(const LayoutCosts& costs, const LayoutAssignment& assignment, const std::vector<LayoutMove>& moves,
                 const RealizeOptions& options);

}  // namespace tessera
