#pragma once
// The passes from TTIR to TTIR that come before layouts (docs/rules/lowering.md#stages; tt-mlir
// Pipelines/TTNNPipelines.cpp). Each walks the graph once, in program order, and removes what nobody reads any more.
// Names, locations and origins stay; what was fused carries the origins of everything it stands for, and a note says
// what it was.

#include "core/lowering/pass.h"

namespace tessera {

// Every tensor has an element type of the device.
PassResult ttirElementTypeNormalization(const Graph& graph, const PassContext& context);
// dot_general becomes matmul, gather of whole rows embedding, transpose/squeeze/unsqueeze permute and reshape.
PassResult ttirDecompose(const Graph& graph, const PassContext& context);
// Views that do nothing go, views of views become one, conversions there and back go.
// Constants are worked out, ops that do nothing go.
PassResult ttirCanonicalize(const Graph& graph, const PassContext& context);
PassResult ttnnCanonicalize(const Graph& graph, const PassContext& context);
PassResult canonicalize(const Graph& graph, const PassContext& context);
// Element-wise ops broadcast by themselves: no broadcast op in front of them.
PassResult ttirImplicitBroadcastFold(const Graph& graph, const PassContext& context);
// Patterns of several ops for which the library has one.
PassResult ttirFusing(const Graph& graph, const PassContext& context);
PassResult ttirFusingFirst(const Graph& graph, const PassContext& context);
PassResult ttirLateFusing(const Graph& graph, const PassContext& context);
// What fusing left over and the library has no op for: batch norms that follow no convolution, logical reductions.
PassResult ttirDecomposeRest(const Graph& graph, const PassContext& context);
// By name only: reductions keep the dims that a reshape drops behind them; views of constants become constants; a
// reshape in front of an op with a constant comes behind it, and the constant is reshaped.
PassResult ttirReductionForceKeepDim(const Graph& graph, const PassContext& context);
PassResult ttirFoldConstantReshapeBroadcast(const Graph& graph, const PassContext& context);
PassResult ttirMoveReshapeToConstant(const Graph& graph, const PassContext& context);
// By name only: attention, norms, softmax and repeats step by step.
PassResult ttirDecomposeComposites(const Graph& graph, const PassContext& context);
// Quantized types are stored in integers of `target-bit-width` bits.
PassResult convertQuantTypes(const Graph& graph, const PassContext& context);
// Convolutions and pools on (1, 1, N*H*W, C).
PassResult ttirFlattenSlidingWindow(const Graph& graph, const PassContext& context);
// Permutes and reshapes move behind the ops they do not matter to, until they meet their inverse.
PassResult ttirEraseInverseOps(const Graph& graph, const PassContext& context);

}  // namespace tessera
