#pragma once
// Which integers of a graph were real numbers before: a conversion of a number close to the border between two integers
// gives the one or the other, as the ops before it round.

#include "core/ir/graph.h"

namespace tessera {

// Integers, truth values not among them, that a conversion or quantization made of real numbers, and what is computed
// from those.
IdVec<ValueId, bool> roundedIntegers(const Graph& graph);

}  // namespace tessera
