#pragma once
// RowMajorLayoutPropagation: integer inputs (indices, masks) come in rows; where the ops that read them take rows, they
// are not put into tiles (docs/rules/lowering.md#row-major-propagation; tt-mlir
// Transforms/OptimizerPasses/RowMajorLayoutPropagation.cpp).

#include "core/lowering/pass.h"

namespace tessera {

// Takes away `to_layout` from rows to tiles on integer `input` arguments, lets rows flow on as long as the op model
// accepts them and the result is an integer too, and puts what is left into tiles where an op needs them, and at the
// return. A forward function with deallocations is left as it is.
PassResult propagateRowMajor(const Graph& graph, const PassContext& context);

}  // namespace tessera
