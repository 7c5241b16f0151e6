#pragma once
// ConstEvalHoist: ops that depend on parameters and constants only are computed once, when the model is loaded. Each
// connected group of them moves into a private function, and the forward function reads the group's results through
// `ttcore.load_cached` (tt-mlir Pipelines/TTNNPipelines.cpp).

#include "core/ir/graph.h"

namespace tessera {

// A lone constant stays where it is: there is nothing to compute. Ids of the old graph do not hold in the new one.
Graph hoistConstEval(const Graph& graph);

}  // namespace tessera
