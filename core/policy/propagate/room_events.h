#pragma once
// The sweep's events as the reasons of the plan's moves and places (Plan::room).

#include "core/plan/plan.h"
#include "core/policy/propagate/spill_sweep.h"

namespace tessera {

// Of the plan that carries the outcome out; its tensors are the values of the graph.
std::vector<RoomEvent> roomEvents(const Graph& graph, const SpillOutcome& outcome, const Plan& plan);

}  // namespace tessera
