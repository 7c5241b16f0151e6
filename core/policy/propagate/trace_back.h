#pragma once
// Pass 1, backward: from the leaves of the graph follows the pointers of the best entries; where the consumers of a
// value want different entries of it, the fork rule decides (docs/rules/pass-generation.md#fork-points).

#include <vector>

#include "core/policy/kit/move_time.h"
#include "core/policy/propagate/beam.h"

namespace tessera {

struct ForkResolution {
  OpId op;
  int32_t chosen = 0;  // entry of its beam
  std::vector<OpId> consumers;
  int64_t reshardTime = 0;  // of all consumers, with the chosen entry
};

// What pass 1 decides, by op.
struct Propagation {
  LayoutPool& pool;
  IdVec<OpId, int32_t> chosen = {};  // entry of the op's beam; -1 for ops without
  IdVec<OpId, OpConfig> config = {};
  IdVec<OpId, std::vector<LayoutId>> reads = {};  // by operand; kNoLayout for operands that are no tensors
  IdVec<ValueId, LayoutId> layout = {};    // as produced; kNoLayout for what is no tensor of the forward function
  std::vector<ForkResolution> forks = {};  // in schedule order
};

// `out.pool` is the one of `moves`.
void traceBack(const Problem& problem, const PropagateOptions& options, const Beams& beams, MoveTime& moves,
               Propagation& out);

}  // namespace tessera
