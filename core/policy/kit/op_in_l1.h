#pragma once
// What one op does to L1, and whether it may run with what else lies there.

#include "core/policy/kit/l1_contents.h"
#include "core/policy/kit/op_choice.h"

namespace tessera {

// Where an op's operands or results are, in their order; none for what is no tensor.
using Layouts = std::vector<std::optional<TensorLayout>>;

// L1 bytes per core of the copies of operands that the op reads in another layout than they have now.
Bytes copiesL1(const Layouts& now, const Layouts& inputs);

// May the op run with its operands read as `inputs`, while everything in L1 takes `live` bytes per core? Copies of
// operands come on top; the result of a view is its operand's buffer, which is counted already.
OpVerdict validateInL1(const Problem& problem, OpId op, const Layouts& now, const Layouts& inputs,
                       const OpConfig& config, Bytes live);

// The op exceeds the budget by itself, with its result in DRAM and nothing else in L1. It runs all the same, since no
// plan can help it (checkPlan agrees).
bool fillsL1Alone(OpStatus status, Bytes needed, Bytes peak, Bytes output, const OpConfig& config);
bool fillsL1Alone(const OpVerdict& verdict, const OpConfig& config);

// What the op does to L1, in the order of the runtime: copies of converted operands, its intermediates, the operand it
// frees early, its results, which are in the layouts `results`.
std::vector<L1Move> movesOf(const Problem& problem, OpId op, const Layouts& now, const Layouts& inputs,
                            const OpConfig& config, const Layouts& results);

// Circular buffers of the copy that brings the value from L1 back to DRAM. An argument stays where the caller put it.
Bytes evictionBuffers(const Problem& problem, ValueId value, const TensorLayout& layout);

}  // namespace tessera
