#pragma once
// Functions that the regions of ops became. Those of ops that stay in a dialect which passes do not touch stand beside
// the graph (Graph::bodies) and are carried along as they are.

#include "core/ir/graph.h"

namespace tessera {

// Copies the function with its ops and values behind those of `to`. Returns its id there.
FuncId appendFunction(const Graph& from, FuncId id, Graph& to);

// The graph with these functions only, ops and values renumbered in program order. Calls to functions that are not
// among them become calls to functions elsewhere; a forward function that is not leaves none.
// `moved`, when given, becomes the new id of every old op (invalid for those that go).
Graph keepFunctions(Graph graph, const IdVec<FuncId, char>& keeps, IdVec<OpId, OpId>* moved = nullptr);

// The graph with its bodies as functions behind the others, for who reads them as such; all other ids stay.
Graph withBodiesInside(Graph graph);

// The graph with these functions as its bodies, ops and values renumbered. The forward function must not be one of
// them.
Graph withBodiesBeside(Graph graph, const IdVec<FuncId, char>& bodies);

}  // namespace tessera
