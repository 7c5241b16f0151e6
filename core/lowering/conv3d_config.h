#pragma once
// ttnn-prepare-conv3d-weights, its settings: every convolution of volumes says how its work is cut into blocks, as the
// library assumes where nothing is said (tt-mlir TTNN/Transforms/TTNNPrepareConv3dWeights.cpp, Analysis/OpRules
// @19c86fca).

#include "core/lowering/pass.h"

namespace tessera {

// What `override-conv3d-config` fixes comes first, then with the optimizer what was measured for the shape, then the
// library's defaults. Ids stay valid.
PassResult configureConv3d(const Graph& graph, const PassContext& context);

}  // namespace tessera
