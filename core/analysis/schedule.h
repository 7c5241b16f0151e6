#pragma once
// The order in which the forward function's ops run, and how long each value is needed.

#include <vector>

#include "core/ir/graph.h"

namespace tessera {

// `order` lists every op of the forward function once, producers before consumers, the return last. A step is a
// position in it.
struct Schedule {
  std::vector<OpId> order;
  IdVec<OpId, int32_t> position;  // -1 for ops of other functions

  int32_t steps() const { return static_cast<int32_t>(order.size()); }
};

// The order in which the ops stand in the program.
Schedule programOrderSchedule(const Graph& graph);
// From an order made elsewhere (a plan); the order must be complete and sound.
Schedule scheduleFromOrder(const Graph& graph, std::vector<OpId> order);

// Steps during which a value exists: from the step that makes it to the last one that reads it, both included. A value
// without a reader is dead after its own step. Arguments start at -1.
struct LiveRange {
  int32_t def = -1;
  int32_t lastUse = -1;
};
using Liveness = IdVec<ValueId, LiveRange>;
Liveness computeLiveness(const Graph& graph, const Schedule& schedule);

}  // namespace tessera
