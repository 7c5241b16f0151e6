#pragma once

#include "core/lowering/pass.h"

namespace tessera {

// Ops that are alike and read the same become one (the compiler's `cse`). What writes, sends or draws random numbers
// stays.
PassResult mergeEqualOps(const Graph& graph, const PassContext& context);

}  // namespace tessera
