#pragma once
// WeightBFP8Conversion: weights of matmuls and convolutions in 8-bit block floats, a bit more than half of bf16 (seed 003, optimization pass 5).

#include "core/lowering/pass.h"

namespace tessera {

// Parameters and constants only, and what is computed from nothing else; activations and results keep their types. The typecast is
// const-eval's to compute. Weights that wait on the host for the library's preparation are told by the op's `weights_dtype`.
PassResult convertWeightsToBfp8(const Graph& graph, const PassContext& context);

}  // namespace tessera
