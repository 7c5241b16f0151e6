#pragma once
// ConstEvalInputsToSystemMemory: what is only read when the model is loaded waits on the host until then (tt-mlir
// Pipelines/TTNNPipelines.cpp).

#include "core/lowering/pass.h"

namespace tessera {

// Parameters and constants that only const-eval functions read become host tensors, row-major; the functions move them
// to the device. Layouts that the source gave its arguments stay.
PassResult constEvalInputsToSystemMemory(const Graph& graph, const PassContext& context);

}  // namespace tessera
