// Reductions, softmax, sorting, normalizations. Device reference 1.4, 4.6, 4.7.

#include "core/ops/time_model.h"

#include <algorithm>

namespace tessera {

namespace {

bool isBatchNorm(const OpView& view) { return view.base.substr(0, 10) == "batch_norm"; }

int64_t perInputTile(const OpView& view, int64_t cycles) {
  return view.hasInput(0) ? tilesTimesCycles(view, tileCount(view.inputShape(0)), cycles) : 0;
}
// Device reference 1.4: 59-91 per tile.
double reductionCycles(const OpView& view) { return perInputTile(view, 75); }
// Approximate exp 813 and two passes over the row.
double softmaxCycles(const OpView& view) { return perInputTile(view, 900); }
double sortCycles(const OpView& view) { return perInputTile(view, 2000); }  // not measured

// An interleaved normalization gives one row of tiles to a core, however many cores there are (device reference 4.7).
double normCycles(const OpView& view) {
  if (!view.hasInput(0)) return 0;
  constexpr int64_t kPerTile = 400;       // four passes of 50-60 and the statistics
  constexpr int64_t kAffinePerTile = 110; // multiply 55, add 50 (device reference 1.4)
  int64_t tiles = tileCount(view.inputShape(0));
  if (isBatchNorm(view)) return tilesTimesCycles(view, tiles, kAffinePerTile);
  if (view.input(0).sharded()) return tilesTimesCycles(view, tiles, kPerTile);
  int64_t rows = tileRows(view.inputShape(0));
  int64_t cores = std::min(rows, view.device.grid.volume());
  return mulSaturated(mulSaturated(ceilDiv(rows, std::max<int64_t>(cores, 1)), tileCols(view.inputShape(0))), kPerTile);
}

}  // namespace

const FamilyTime kReductionTime = {reductionCycles, readWhole, kernelStart};
const FamilyTime kSoftmaxTime = {softmaxCycles, readWhole, kernelStart};
const FamilyTime kSortTime = {sortCycles, readWhole, kernelStart};
const FamilyTime kNormTime = {normCycles, readWhole, kernelStart};

}  // namespace tessera
