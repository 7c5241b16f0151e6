#pragma once
// SetComputeKernelConfig: the math fidelity that the compiler's options name becomes the ops' (compiler reference 1.3, 1.4).

#include "core/lowering/pass.h"

namespace tessera {

// What an op's `compute_config` says already stays.
PassResult setComputeConfig(const Graph& graph, const PassContext& context);

}  // namespace tessera
