#pragma once
// Weights of matmuls and convolutions in another element type: 8-bit block floats need a bit more than half of bf16
// (docs/rules/lowering.md#bfp8-weights), 4-bit ones a bit more than a quarter.

#include "core/lowering/pass.h"

namespace tessera {

// The type is the option target-dtype or the pipeline's experimental-weight-dtype; an op's ttcore.weight_dtype comes
// first. Parameters and constants only, and what is computed from nothing else; activations and results keep their
// types. The typecast is const-eval's to compute; to 4 bits it is the host's. Weights that wait on the host for the
// library's preparation are told by the op's `weights_dtype`.
PassResult convertWeightDtypes(const Graph& graph, const PassContext& context);

}  // namespace tessera
