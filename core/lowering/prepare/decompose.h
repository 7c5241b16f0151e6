#pragma once
// The pattern families of the decomposition pass; decompose.cpp has their order.

#include "core/lowering/prepare/pattern.h"

namespace tessera {

// decompose_window.cpp
bool convolutionToConv2d(PatternRewriter& p, OpId root);
bool poolingToPool2d(PatternRewriter& p, OpId root);

// decompose_host.cpp
bool logicalReductionOnHost(PatternRewriter& p, OpId root);
bool splitHeadsOnHost(PatternRewriter& p, OpId root);
bool adamwInFourDims(PatternRewriter& p, OpId root);

// quantize.cpp
bool unrollQuantization(PatternRewriter& p, OpId root);

}  // namespace tessera
