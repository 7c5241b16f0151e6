#pragma once

#include "core/ir/graph.h"

namespace tessera {

// The graph with these functions only, ops and values renumbered in program order. The forward function must be kept;
// calls to functions that are not become calls to functions elsewhere.
// `moved`, when given, becomes the new id of every old op (invalid for those that go).
Graph keepFunctions(Graph graph, const IdVec<FuncId, char>& keeps, IdVec<OpId, OpId>* moved = nullptr);

}  // namespace tessera
