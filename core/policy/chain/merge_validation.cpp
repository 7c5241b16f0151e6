#include "core/policy/chain/merge_validation.h"

#include "core/policy/kit/op_choice.h"

namespace tessera {

namespace {

MergeCheck checkOp(ChainWork& work, OpId op) {
  OpVerdict verdict = work.check(op);
  if (verdict.ok()) return {};
  return MergeFailure{op, verdict};
}

}  // namespace

MergeCheck validateScheduleRangeWithReservation(ChainWork& work, int32_t start, int32_t end) {
  const std::vector<OpId>& order = work.problem().schedule.order;
  for (int32_t step = start; step <= end; ++step) {
    if (MergeCheck failed = checkOp(work, order[static_cast<size_t>(step)])) return failed;
  }
  return {};
}

MergeCheck validateChainBWithMergedInput(ChainWork& work, int32_t source, int32_t chainB, OpId joinOp) {
  int32_t end = work.position(work.chain(source).lastOp()), join = work.position(joinOp);
  if (MergeCheck failed = validateScheduleRangeWithReservation(work, end + 1, join - 1)) return failed;
  for (const OpL1MemSpec& spec : work.chain(chainB).specs()) {
    if (work.position(spec.op) > join) break;
    if (MergeCheck failed = checkOp(work, spec.op)) return failed;
  }
  return {};
}

MergeCheck validateChainWithPredecessorInL1(ChainWork& work, int32_t chainC) {
  for (const OpL1MemSpec& spec : work.chain(chainC).specs()) {
    if (MergeCheck failed = checkOp(work, spec.op)) return failed;
  }
  return {};
}

MergeCheck validateThreeWayMergeJoinOp(ChainWork& work, OpId joinOp) { return checkOp(work, joinOp); }

MergeCheck validateInterleavedSpill(ChainWork& work, int32_t chain) {
  OpId op = work.chain(chain).lastOp();
  TensorLayout sharded = work.chain(chain).lastLayout();
  OpVerdict verdict;
  // The reservation of the interleaved copy begins at the next step; the conversion stands right before it.
  verdict.needed = work.configs().argumentL1() + work.activeReservations(work.position(op) + 1) +
                   l1BytesPerCore(sharded) + interleavingBuffers(sharded.dtype);
  admit(verdict, work.problem().budget);
  if (verdict.ok()) return {};
  return MergeFailure{op, verdict};
}

void recordRejection(ChainWork& work, int32_t chain, const MergeFailure& failure) {
  work.record(ChainEventKind::Rejected, chain, failure.op).verdict = failure.verdict;
}

}  // namespace tessera
