#pragma once
// SetComputeKernelConfig: the math fidelity that the compiler's options name becomes the ops' (tt-mlir TTNNPipelines.h,
// Pipelines/TTNNPipelines.cpp), and long products of bf16 are summed in 32 bits whatever the options say (tt-mlir
// Transforms/TTNNSetComputeKernelConfig.cpp@04d8c927, issue 8666).

#include "core/lowering/pass.h"

namespace tessera {

// What an op's `compute_config` says already stays, but for those products.
PassResult setComputeConfig(const Graph& graph, const PassContext& context);

}  // namespace tessera
