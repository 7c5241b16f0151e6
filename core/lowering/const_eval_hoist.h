#pragma once
// ConstEvalHoist: ops that depend on parameters and constants only are computed once, when the model is loaded. Each
// connected group of them moves into a private function, and the function it was in reads the group's results through
// `ttcore.load_cached` (tt-mlir Pipelines/TTNNPipelines.cpp).

#include "core/ir/graph.h"

namespace tessera {

// Of every public function; constants in the program move like arguments' derivatives. Ids of the old graph do not hold
// in the new one.
Graph hoistConstEval(const Graph& graph);

}  // namespace tessera
