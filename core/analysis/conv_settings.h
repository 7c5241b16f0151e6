#pragma once
// `--override-conv2d-config` in the graph: the settings stand in the op's `conv2d_config`, where every policy, the op
// model, the preparation of weights and the applied graph read them.

#include "core/analysis/layout_overrides.h"

namespace tessera {

// Settings that mean nothing beside the others are reported (BadOverride with op, key and rule) and left out.
Graph withConvSettings(const Graph& graph, const Conv2dOverrides& overrides, Diagnostics& diags);

}  // namespace tessera
