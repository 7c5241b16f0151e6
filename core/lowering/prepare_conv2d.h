#pragma once
// PrepareConv2dWeightsAndBias: weights and biases of convolutions are brought into the library's form once, not in
// every run (docs/rules/lowering.md#prepared-convolution-weights; tt-mlir TTNNPrepareConv2dWeightsAndBias.cpp).

#include "core/lowering/pass.h"

namespace tessera {

// For every conv2d and conv_transpose2d whose weight is still in rows on the host: `ttnn.prepare_conv2d_weights` makes
// the matrix of depth x channels in tiles that the device reads, `ttnn.prepare_conv2d_bias` the row of biases. With
// const-eval they stand in functions that run when the model is loaded, else before the convolution. Ids stay valid. A
// weight on the device that is no prepared matrix is a problem.
PassResult prepareConv2dWeightsAndBias(const Graph& graph, const PassContext& context);

}  // namespace tessera
