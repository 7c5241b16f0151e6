#pragma once
// OperationValidationAndFallback: asks the op model once more for every op as it is now, and changes what it refuses
// (docs/rules/lowering.md#validation-and-fallback; order of the search: tt-mlir
// Transforms/OptimizerPasses/OperationValidationAndFallback.cpp).
//
// Under the specification's rules other layouts of the result come first (fallback_outputs.h), with the operands as
// they are; each attempt is asked with all that lies in L1 then, and is told. The compiler goes to DRAM at once. Then
// the search goes from the nearest combination of operand layouts to the farthest: each operand as it is, or in DRAM
// interleaved in rows or tiles of bf16, f32, u32, si32; the result goes to DRAM interleaved. What is found is told with
// its level. A convolution that runs out of L1 tries smaller activation blocks first.

#include <optional>
#include <vector>

#include "core/lowering/pass.h"

namespace tessera {

// How far a layout is from another, in the compiler's measure: element type 1 (same kind, or less precise) or 2 (more
// precise, another kind), pages 2, memory 3, host 3 more.
int64_t layoutDistance(const TensorLayout& from, const TensorLayout& to);

// Ids stay valid. An op that no combination helps is a problem and stays as it is. Needs layouts on all tensors; ops
// without are skipped.
PassResult validateAndFallBack(const Graph& graph, const PassContext& context);

}  // namespace tessera
