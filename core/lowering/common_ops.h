#pragma once

#include "core/lowering/pass.h"

namespace tessera {

// Ops that are alike and read the same become one (the compiler's `cse`). What writes, sends or draws random numbers
// stays.
PassResult mergeEqualOps(const Graph& graph, const PassContext& context);

// The same inside another pass: the graph given comes back where no two ops are alike. The repeated ops stay, read by
// nobody.
Graph withEqualOpsMerged(Graph graph);

}  // namespace tessera
