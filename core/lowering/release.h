#pragma once
// Which compiler's rules a graph is lowered by. Dumps in circulation come from several; the compiler's preset follows
// @19c86fca (2026-08), and the rules that it had before where the graph shows that it is older.

#include "core/ir/graph.h"
#include "core/lowering/pass.h"

namespace tessera {

// The options with what the graph itself says filled in: the release, when it is Auto, and the mesh that the module
// names (`ttcore.meshes`), when no mesh was asked for. Unchanged under the specification's rules.
LoweringOptions optionsFor(const Graph& graph, LoweringOptions options);

}  // namespace tessera
