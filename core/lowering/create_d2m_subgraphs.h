#pragma once
// ttnn-create-d2m-subgraphs (docs/rules/d2m-chains.md#fusing; tt-mlir Transforms/TTNNCreateD2MSubgraphs.cpp): groups of
// element-wise ops become one fused kernel.

#include "core/lowering/pass.h"

namespace tessera {

// A group is a largest set of at least two element-wise ops of one shape with one exit: an op joins when all readers of
// its result are in the group. It becomes a `ttnn.dispatch_d2m` in the place of its exit; the ops move to a private
// function `@d2m_kernel_<n>`.
PassResult createD2mSubgraphs(const Graph& graph, const PassContext& context);

}  // namespace tessera
