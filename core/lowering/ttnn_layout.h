#pragma once
// TTNNLayout: every tensor gets a layout (docs/rules/lowering.md#layouts; tt-mlir Transforms/TTNNLayout.cpp).
//
// DRAM interleaved in tiles by default. Arguments that are `input` come row-major; weights and biases of convolutions
// stay on the host, row-major. Where an op finds an operand in another layout than the default, a `ttir.to_layout`
// changes it.

#include "core/lowering/pass.h"

namespace tessera {

// Layouts that the graph has already are kept. A tensor that cannot be stored keeps none, and is a problem.
PassResult ttnnLayout(const Graph& graph, const PassContext& context);

}  // namespace tessera
