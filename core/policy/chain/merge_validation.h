#pragma once
// Validation of what DFSharding2 keeps in L1 (ttnn-optimizer.md 4.1.5). Every scheduled op between the source and its
// last reader is asked, in a chain or not, with the layouts and the L1 it would see; the tried decision is already in
// `work`.

#include <optional>

#include "core/policy/chain/chain_work.h"

namespace tessera {

// The op that does not work, and why.
struct MergeFailure {
  OpId op;
  OpVerdict verdict;
};
using MergeCheck = std::optional<MergeFailure>;  // nothing: valid

// Steps start .. end, both included: resolved configs in chains, DRAM configs outside, residents' layouts for both,
// active reservations as additional L1.
MergeCheck validateScheduleRangeWithReservation(ChainWork& work, int32_t start, int32_t end);

// Ops between the source's end and the join, then the ops of chain B up to the join op.
MergeCheck validateChainBWithMergedInput(ChainWork& work, int32_t source, int32_t chainB, OpId joinOp);

// 3-way: every op of chain C with the predecessor's result in L1.
MergeCheck validateChainWithPredecessorInL1(ChainWork& work, int32_t chainC);

// 3-way: the join op with both inputs sharded; it was resolved with interleaved ones.
MergeCheck validateThreeWayMergeJoinOp(ChainWork& work, OpId joinOp);

// The result's conversion to L1 interleaved right after the op: both copies and the converting op's buffers at once.
MergeCheck validateInterleavedSpill(ChainWork& work, int32_t chain);

// Writes the failure down as the reason why `chain`'s result leaves L1.
void recordRejection(ChainWork& work, int32_t chain, const MergeFailure& failure);

}  // namespace tessera
