#include "core/policy/chain/chain_passes.h"
#include "core/policy/chain/merge_validation.h"

namespace tessera {

namespace {

MergeCheck tryKeeping(ChainWork& work, int32_t index, SpillLocation location, const TensorLayout& layout) {
  ValueId value = work.chainResult(index);
  work.changeChain(index).spillLocation = location;
  work.keepInL1(value, layout);
  if (location == SpillLocation::L1Interleaved) {
    if (MergeCheck failed = validateInterleavedSpill(work, index)) return failed;
  }
  return validateScheduleRangeWithReservation(work, work.position(work.chain(index).lastOp()) + 1,
                                              work.problem().live[value].lastUse);
}

// Reductions do not take a sharded fork (tt-mlir Analysis/DFShardingPolicy.cpp of 2026-07).
std::optional<OpId> reductionReader(const ChainWork& work, ValueId value) {
  for (OpId reader : work.readers(value)) {
    if (opInfo(work.problem().graph.ops[reader].kind).family == Family::Reduction) return reader;
  }
  return {};
}

bool tryLocation(ChainWork& work, int32_t index, SpillLocation location) {
  ValueId value = work.chainResult(index);
  bool sharded = location == SpillLocation::None;
  TensorLayout layout = sharded ? work.chain(index).lastLayout() : l1InterleavedLayout(work.problem(), value);
  if (!layout.isL1()) return false;
  work.record(ChainEventKind::ReservationTried, index, work.chain(index).lastOp()).layout = layout;
  if (std::optional<OpId> reduction = sharded ? reductionReader(work, value) : std::nullopt) {
    work.record(ChainEventKind::Rejected, index, *reduction).note = "a reduction does not read a sharded fork";
    return false;
  }
  ChainWork::Mark mark = work.mark();
  if (MergeCheck failed = tryKeeping(work, index, location, layout)) {
    work.rollback(mark);
    recordRejection(work, index, *failed);
    return false;
  }
  work.commit(mark);
  work.record(ChainEventKind::Reserved, index, work.chain(index).lastOp()).before = l1BytesPerCore(layout).count;
  return true;
}

}  // namespace

void applyL1ReservationsForForkOps(ChainWork& work) {
  for (int32_t i = 0; i < work.chainCount(); ++i) {
    if (!work.completed(i) || work.chain(i).spillLocation != SpillLocation::DRAM) continue;
    ValueId value = work.chainResult(i);
    bool forked = work.problem().uses[value].size() > 1 && !work.readers(value).empty();
    if (!forked || tryLocation(work, i, SpillLocation::None)) continue;
    tryLocation(work, i, SpillLocation::L1Interleaved);
  }
}

}  // namespace tessera
