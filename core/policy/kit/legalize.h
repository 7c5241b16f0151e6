#pragma once
// One try of one op with one configuration: which operands have to be converted first, and what the op model says then.

#include "core/policy/kit/placement.h"

namespace tessera {

struct Attempt {
  OpConfig config;
  Layouts inputs;  // as the op reads them
  OpVerdict verdict;
  int reshards = 0;  // operands that are converted
};

// With the operands where they are; nothing is converted.
Attempt tryAsItIs(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config);
// Converts operands that the op model refuses (operand_repair.h), through DRAM where copies find no room in L1.
Attempt tryConfig(const Problem& problem, const Placement& placement, OpId op, const OpConfig& config);
// The function returns from DRAM: moves what is in L1 (ttnn-optimizer.md 3.5.2).
void returnFromDram(const Problem& problem, Placement& placement, OpId returnOp);

}  // namespace tessera
