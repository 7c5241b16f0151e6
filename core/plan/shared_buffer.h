#pragma once
// Which result lies in its first operand's buffer, as the checkers of plans and runs read it from the bytes in memory.
// Shares no code with the op model's alias rule (core/ops/rules), which planner and simulator follow.

#include "core/ir/graph.h"

namespace tessera {

// True when the op leaves result 0 in the buffer of operand 0, given the layouts in which the op reads the operand and
// writes the result: it overwrites the operand, or its result has the same bytes in the same places.
bool sharesFirstBuffer(const Graph& graph, OpId op, const TensorLayout& operand, const TensorLayout& result);

}  // namespace tessera
