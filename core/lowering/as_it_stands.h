#pragma once
// Graphs that come with their layouts, as the compiler's output does: taken as they stand, or with everything taken out
// that its optimizer decided.

#include "core/device/device_spec.h"
#include "core/ir/graph.h"

namespace tessera {

// The forward function is TTNN, and a result in it has a layout.
bool carriesLayouts(const Graph& graph);

// The same graph, in which tensors of the forward function without a layout (of ops that nobody knows, of attributes
// that could not be followed) are interleaved in DRAM.
Graph withAllLayouts(const Graph& graph, const DeviceSpec& device);

// Layout ops that only move a tensor, deallocations and program settings go from the forward function; its results are
// interleaved in DRAM. What is prepared for the library (weights, constants) stays as it is.
Graph withoutDecisions(const Graph& graph, const DeviceSpec& device);

}  // namespace tessera
