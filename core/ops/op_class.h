#pragma once

#include "core/ir/graph.h"
#include "core/support/key_index.h"

namespace tessera {

// All that the op model looks at in a graph when it is asked about this op: nets repeat their blocks, and ops with equal keys get equal
// answers. What an operand is called, who makes it and who else reads it is not part of it.
Key opClassKey(const Graph& graph, OpId op);

}  // namespace tessera
