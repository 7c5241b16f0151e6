#pragma once
// One try of one op with one result layout: which operands have to be converted first, and what the op model says then.

#include <optional>
#include <vector>

#include "core/policy/placement.h"

namespace tessera {

struct Attempt {
  OpConfig config;
  std::vector<std::optional<TensorLayout>> inputs;  // as the op reads them
  OpVerdict verdict;
  int reshards = 0;   // operands that are converted
  Bytes reshardL1;    // L1 of the converted copies
};

// With the operands where they are; nothing is converted.
Attempt tryAsItIs(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config);
// Converts every operand the op model refuses into a layout it takes: over the result's grid where the two must match, L1
// interleaved where it must be interleaved, DRAM where it must be in DRAM or L1 has no room.
Attempt tryConfig(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config);
// A layout of the refused operand that cures the refusal, for an op whose result is `output`; none when converting the operand
// cannot help.
std::optional<TensorLayout> cureOperand(const Problem& problem, Refusal reason, const TensorLayout& output, ValueId operand, const TensorLayout& now);
// The function returns from DRAM: moves what is in L1 (seed 000, 3.5.2).
void returnFromDram(const Problem& problem, Placement& placement, OpId returnOp);

}  // namespace tessera
