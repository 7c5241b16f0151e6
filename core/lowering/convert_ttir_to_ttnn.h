#pragma once
// ConvertTTIRToTTNN: one TTNN op for one TTIR op (docs/rules/lowering.md#conversion): without output operands, with the
// device where the library wants it, with the library's attributes. The table in the .cpp has a line for every op that
// is more than another name.

#include "core/lowering/pass.h"

namespace tessera {

// Tensors should have their layouts (ttnn-layout); what creation and layout ops say about them is taken from the
// result's type. An op without a TTNN counterpart stays, and is a problem.
PassResult convertTtirToTtnn(const Graph& graph, const PassContext& context);

}  // namespace tessera
