#pragma once
// Ops as the definitions of this revision have them, for text that goes back into the compiler.

#include "core/ir/graph.h"

namespace tessera {

// Ops get their present names, integers and arrays the element type of their definition, and attributes with a default
// that nobody wrote are added, as the compiler prints them; attributes that only repeat the result's type go.
// `layoutsDecomposed`: each layout op changes one thing, so none is the op of several changes.
void conformAttributes(Graph& graph, bool layoutsDecomposed);

}  // namespace tessera
