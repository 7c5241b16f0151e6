#pragma once
// Which element types occur in the graph (ttnn-optimizer.md 3.1.1): every tensor may be stored as any of them.

#include <vector>

#include "core/analysis/layout_overrides.h"
#include "core/ir/graph.h"

namespace tessera {

// Device types of all tensor values, each once, in the order of first appearance: arguments of a function, then its
// ops' results. A result whose op has an override with an element type counts as that type.
std::vector<DType> scalarDataTypes(const Graph& graph, const LayoutOverrides& overrides = {});

}  // namespace tessera
