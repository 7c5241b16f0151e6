#pragma once
// Element-wise ops that are no single kernel on the element type they are given: the library converts the operands
// first, or composes the op of others.

#include "core/ops/rules/family_rules.h"

namespace tessera {

struct EltwisePrograms {
  int64_t kernels = 1;           // one after the other, conversions included
  std::optional<DType> worksIn;  // operands are converted to it and the result back; none: their own type
  int64_t kept = 0;              // tensors like the result, in the type worked in, that live at once beside it
  bool composed = false;         // of other ops
};
// Sources: tt-metal eltwise/binary/common/binary_composite_op (remainder, atan2), eltwise/binary/binary.cpp (block
// floats), eltwise/binary_ng (bitwise ops are the vector unit's, on integers).
EltwisePrograms eltwisePrograms(const OpView& view);

// Bytes per core of L1 that converted operands and kept tensors take.
int64_t eltwiseIntermediates(const OpView& view);

}  // namespace tessera
