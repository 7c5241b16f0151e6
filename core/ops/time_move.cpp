// Ops that move elements. Device reference 4.10, 6.2.

#include "core/ops/time_model.h"

#include <algorithm>

namespace tessera {

namespace {

int64_t readUnlessView(const OpView& view, int operand) { return isViewOf(view) ? 0 : readWhole(view, operand); }
double cyclesUnlessView(const OpView& view) { return isViewOf(view) ? 0 : moveCycles(view); }

// A copy within a core's own L1 needs no compute kernel: bytes per clock, and cycles of start. Wormhole from the device reference
// (4.10), Blackhole from the sharded moves of the profiler rows (52-55 over 32 KiB to 280 KiB a core).
bool copiesInPlace(const OpView& view) {
  return view.hasResult() && view.hasInput(0) && view.info.has(kToLayout) && shardedLikeOutput(view, 0) && view.input(0).page == view.output().page &&
         view.input(0).dtype == view.output().dtype;
}

double layoutCycles(const OpView& view) {
  if (!view.hasResult() || !view.hasInput(0)) return moveCycles(view);
  if (copiesInPlace(view)) {
    double copyPerClock = view.device.arch == Arch::Blackhole ? 54 : 28;
    return static_cast<double>(totalBytes(view.resultShape(), view.output()).count) / static_cast<double>(std::max<int64_t>(computeCores(view), 1)) / copyPerClock;
  }
  // Between tiles and rows (profiler rows of sharded tensors, which nothing else bounds): 180-200 cycles a tile into rows, about
  // twice as many where a row is one tile wide (device reference 6.2: 390), 75-95 out of rows.
  constexpr int64_t kIntoRows = 190, kIntoNarrowRows = 390, kOutOfRows = 90;
  bool from = view.input(0).page == PageLayout::Tile, to = view.output().page == PageLayout::Tile;
  if (from == to) return moveCycles(view);
  int64_t cycles = to ? kOutOfRows : tileCols(view.resultShape()) > 1 ? kIntoRows : kIntoNarrowRows;
  return static_cast<double>(tilesTimesCycles(view, tileCount(view.resultShape()), cycles));
}

double layoutStart(const OpView& view) {
  constexpr double kCopyStart = 260;
  return copiesInPlace(view) ? kCopyStart : kernelStart(view);
}

}  // namespace

const FamilyTime kLayoutTime = {layoutCycles, readWhole, layoutStart};
const FamilyTime kMoveTime = {moveCycles, readWhole, kernelStart};
const FamilyTime kViewTime = {cyclesUnlessView, readUnlessView, kernelStart};
const FamilyTime kPickTime = {moveCycles, readResultSized, kernelStart};

}  // namespace tessera
