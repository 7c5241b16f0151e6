#pragma once

#include "core/lowering/pass.h"

namespace tessera {

// TTNN ops in terms of simpler ones, where the library's kernel does not take them: attention, group norms and joined
// heads without the optimizer, which asks the op model, norms over several chips, convolutions of very many groups
// (tt-mlir lib/Dialect/TTNN/Transforms/Decomposition @ 19c86fca).
PassResult decomposeTtnn(const Graph& graph, const PassContext& context);

}  // namespace tessera
