#pragma once
// Which tensors stay in L1, by dynamic programming over live sets (docs/rules/pass-generation.md#optimal-spilling).
//
// A state is the set of live tensors that are in L1. When a tensor is made it is put into L1 or DRAM; any tensor in L1
// may leave before a step; the set and what the step needs must fit the budget at every step. Leaving costs a write
// (none when the tensor goes back to where the caller wants it anyway), being made in DRAM what its producer takes
// longer, and either what each reader to come takes longer. Sizes are summed; holes and circular buffers are the
// sweep's business, which runs afterwards with this choice.

#include <cstdint>
#include <vector>

#include "core/policy/propagate/spill_sweep.h"

namespace tessera {

struct SpillSearchStep {
  int64_t others = 0;  // bytes that the step needs besides its operands and results in L1: circular buffers, copies
  std::vector<SpillTensor> reads;
  std::vector<int64_t> readCosts;  // by read: what the step takes longer when it finds that one alone in DRAM
  std::vector<SpillTensor> makes;
};

struct SpillSearchTensor {
  int32_t def = -1;
  int32_t lastUse = -1;
  int64_t bytes = 0;      // in L1; 0: never there
  int64_t writeCost = 0;  // of leaving L1 after it was made there
  int64_t startCost = 0;  // of being made in DRAM; less than 0 where that is quicker
  bool mayStartInDram = true;
  bool evictable = true;
};

struct SpillSearchProblem {
  int64_t budget = 0;
  std::vector<SpillSearchStep> steps;
  std::vector<SpillSearchTensor> tensors;
};

struct SpillSearchResult {
  std::vector<bool> startsInDram;    // by tensor
  std::vector<int32_t> evictBefore;  // by tensor: the step before which it leaves; -1: stays
  int64_t cost = 0;
  bool pruned = false;  // states were left out: the choice is good, not proven best
  int64_t states = 0;   // tried at
};

// Keeps at most `maxStates` states per step, the cheapest ones, and at most 64 live tensors in the choice at a time;
// what is left out is flagged.
SpillSearchResult searchSpills(const SpillSearchProblem& problem, size_t maxStates);

}  // namespace tessera
