#pragma once
// The last step of every importer: what can only be checked when all functions are there.

#include <cstdint>
#include <unordered_set>

#include "core/ir/graph.h"
#include "core/support/diagnostics.h"

namespace tessera {

// Picks the forward function (unless `graph.forward` is set), checks calls, checks the shapes of every op. `place` is
// where mistakes of the graph as a whole are reported. Ops in `damaged` (indices) had a mistake already: their shapes
// would only repeat it.
void finishGraph(Graph& graph, Span place, Diagnostics& diags, const std::unordered_set<int32_t>& damaged = {});

}  // namespace tessera
