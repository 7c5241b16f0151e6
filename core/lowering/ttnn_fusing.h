#pragma once
// ttnn-fusing: an activation behind a convolution or a product becomes part of it, as the library's kernels compute it
// on the way out (tt-mlir TTNN/Transforms/TTNNFusing.cpp @19c86fca).

#include "core/lowering/pass.h"

namespace tessera {

PassResult fuseTtnn(const Graph& graph, const PassContext& context);

}  // namespace tessera
