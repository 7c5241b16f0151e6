#pragma once
// Which numbers of a graph were chosen by rounding: a real close to the border between two integers, or between two
// quantized numbers, becomes the one or the other, and of two reals that are nearly equal the one or the other is the
// greater, as the ops before round.

#include "core/ir/graph.h"

namespace tessera {

// How far apart the two are; 0 where nothing was chosen.
//  1         integers, truth values not among them, that a conversion or quantization made of reals
//  infinity  places: indices that a sort, reduction or pooling of reals gives
//  a scale   reals that such quantized numbers stand for, the largest where there are several; 0 where their type has
//            none
// Integers computed from such integers, and reals that are moved or converted, keep the largest of what they are made
// of.
IdVec<ValueId, double> roundingSteps(const Graph& graph);

}  // namespace tessera
