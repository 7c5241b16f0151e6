#pragma once
// The ways to run an op that a problem offers to policies outside of the program: each of its configs, with operands
// where they start, in L1 interleaved, or over the cores of the result; what the op model refuses is repaired or left
// out.

#include <vector>

#include "core/analysis/problem.h"

namespace tessera {

struct OfferedCandidate {
  OpConfig config;
  std::vector<std::optional<TensorLayout>> reads;  // by operand; none for what is no tensor
  Nanoseconds time;
  OpConstraints constraints;
  bool aliases = false;  // the result lies in the first operand's buffer
};

// The legal ones, each once. Empty when the op model takes none, as with ops that nobody knows.
std::vector<OfferedCandidate> offeredCandidates(const Problem& problem, OpId op);

// Where the operands are before anything is decided.
std::vector<std::optional<TensorLayout>> startingReads(const Problem& problem, OpId op);

}  // namespace tessera
