#pragma once

#include "core/lowering/pass.h"

namespace tessera {

// What a product sends to the other chips is stored in block floats (the compiler's
// ttnn-ccl-activation-dtype-lowering): the product, its views and the collectives, up to where the model adds,
// multiplies or reads in full precision. After tt-mlir lib/Dialect/TTNN/Transforms/TTNNActivationDtypeLowering.cpp @
// 473641b7.
PassResult lowerCclActivations(const Graph& graph, const PassContext& context);

}  // namespace tessera
