#pragma once
// SetComputeKernelConfig: the math fidelity that the compiler's options name becomes the ops' (tt-mlir TTNNPipelines.h,
// Pipelines/TTNNPipelines.cpp).

#include "core/lowering/pass.h"

namespace tessera {

// What an op's `compute_config` says already stays.
PassResult setComputeConfig(const Graph& graph, const PassContext& context);

}  // namespace tessera
