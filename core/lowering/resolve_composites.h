#pragma once

#include "core/lowering/pass.h"

namespace tessera {

// `ttcore.composite` names an op and a function that says what it computes. A name that the library has an op for
// becomes that op; all others become the function's body. Functions that nobody names any more go (tt-mlir
// lib/Dialect/TTNN/Transforms/TTNNResolveComposites.cpp).
PassResult resolveComposites(const Graph& graph, const PassContext& context);

}  // namespace tessera
