#pragma once
// What GreedyL1Interleaved and BFInterleaved share: an order and a list of results that are to be L1 interleaved become
// a plan. The two policies count bytes only; where an op refuses, or L1 has no place, the result stays in DRAM and a
// warning says so.

#include <vector>

#include "core/analysis/problem.h"
#include "core/plan/decision_log.h"
#include "core/plan/plan.h"

namespace tessera {

struct InterleavedChoice {
  std::vector<OpId> order;       // wished for: of the ops that take part; dependencies come first
  IdVec<OpId, bool> inL1;        // the op's result is to be L1 interleaved
  IdVec<OpId, std::string> why;  // of the decision, for people; may be empty
};

// The op may be given an L1-interleaved result: it has one, nobody fixed it, and the op model accepts it.
bool hasL1InterleavedLayout(const Problem& problem, OpId op);
// What the result takes of each core's L1.
Bytes l1InterleavedBytes(const Problem& problem, OpId op);

// Empty when the order is another one than the given and `keepsSchedule` is true (policy_options.h).
Plan planInterleaved(const Problem& given, const InterleavedChoice& choice, bool keepsSchedule, DecisionLog& log);

}  // namespace tessera
