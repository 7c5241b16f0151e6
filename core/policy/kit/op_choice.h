#pragma once
// What every policy must know before it chooses a configuration for an op.

#include "core/analysis/problem.h"

namespace tessera {

// True when the op's results have given layouts.
bool isPinned(const Problem& problem, OpId op);
// The configuration of an op about which nothing is decided: the pinned layout, or DRAM interleaved.
OpConfig defaultConfig(const Problem& problem, OpId op);
// The op reads the value last, and the value belongs to the program, not to the caller.
bool diesAt(const Problem& problem, ValueId value, OpId op);
// First step from `step` on that reads the value; the return of the function is a step too. The number of steps when
// nobody reads it any more.
int32_t nextUse(const Problem& problem, ValueId value, int32_t step);
// The same configuration, in which a convolution does not free an activation that outlives it.
OpConfig keepSharedActivation(const Problem& problem, OpId op, OpConfig config);

}  // namespace tessera
