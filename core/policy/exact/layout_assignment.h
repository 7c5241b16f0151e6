#pragma once
// Layout selection, the reading of an assignment: which candidate every op runs as, where values are and when they
// move.

#include "core/policy/exact/layout_costs.h"
#include "core/support/key_index.h"

namespace tessera {

struct AssignedOp {
  CandidateRef chosen;       // among the op's choices
  OpCandidate candidate;     // the same, written out
  std::vector<LayoutId> at;  // by operand: where it is when the op runs; kNoLayout for what is no tensor
  int64_t l1 = 0;            // bytes per core while the op runs, of what it reads and allocates itself
  bool priced = false;       // L1 had a price where that matters to the choice of the candidate
};

struct LayoutAssignment {
  std::vector<int> values;  // of all variables
  IdVec<OpId, AssignedOp> ops;
};

// Of candidates with equal costs the first is taken. `earlier`: what was read of the same choices at other prices; ops
// without a price, then and now, are taken from there where their values are the same.
LayoutAssignment readAssignment(const LayoutCosts& costs, std::vector<int> values,
                                const LayoutAssignment* earlier = nullptr);

// Every candidate of an op with its cost from where the operands are (by operand; kNoLayout for what is no tensor):
// op time and conversions, without prices. For a planner that has to deviate.
std::vector<CandidateRef> candidatesFrom(const OpChoices& op, MoveTime& moves, const std::vector<LayoutId>& now);

// A move besides the conversions for one reader: the value goes to `to` right before the op `before`.
struct LayoutMove {
  OpId before;
  ValueId value;
  LayoutId to = kNoLayout;
  bool returns = false;
};
// In the order of `before`. What frees L1 goes as early as it can, what takes L1 as late.
std::vector<LayoutMove> movesOf(const LayoutCosts& costs, const LayoutAssignment& assignment);

// Equal for assignments of the same choices that realize() makes the same plan of. Where a value is before each reader
// is said by its producer's candidate and the moves.
Key keyOf(const LayoutAssignment& assignment, const std::vector<LayoutMove>& moves);

// Bytes of L1 per core that the assignment takes at each step, counted as the costs count them.
std::vector<int64_t> l1Usage(const LayoutCosts& costs, const LayoutAssignment& assignment);

}  // namespace tessera
