// Reductions, softmax, sorting, normalizations. Sources: tt-budabackend perf_lib/op_model/params, tt-metal
// normalization/softmax, normalization/layernorm.

#include "core/ops/times/time_model.h"

#include <algorithm>

namespace tessera {

namespace {

bool isBatchNorm(const OpView& view) { return view.base.substr(0, 10) == "batch_norm"; }

int64_t perInputTile(const OpView& view, int64_t cycles) {
  return view.hasInput(0) ? tilesTimesCycles(view, tileCount(view.inputShape(0)), cycles) : 0;
}
// A running sum goes along its dim one tile after the other; only what lies beside it is shared out (profiled: 400-610
// cycles a tile from L1, 800-1,270 of 4 KiB from DRAM).
double runningCycles(const OpView& view) {
  const Shape& shape = view.inputShape(0);
  auto rank = static_cast<int64_t>(shape.size());
  int64_t dim = attrInteger(view, "dim", rank - 1);
  if (dim < 0) dim += rank;
  if (dim < 0 || dim >= rank) return 0;
  int64_t length = std::max<int64_t>(shape[static_cast<size_t>(dim)], 1);
  if (dim + 2 >= rank) length = ceilDiv(length, kTileSide);
  int64_t lines = ceilDiv(tileCount(shape), length);
  double each = readAndWait(view, view.input(0).buffer, static_cast<double>(view.inputTile(0)));
  return shareOf(lines, view.device.grid.volume()) * static_cast<double>(length) * each;
}

// tt-budabackend perf_lib/op_model/params: 59-91 per tile.
double reductionCycles(const OpView& view) {
  if (view.info.has(kScan) && view.hasInput(0)) return runningCycles(view);
  return static_cast<double>(perInputTile(view, 75));
}

// Approximate exp 813 and two passes over the row. Maximum, sum and reciprocal follow one after the other before the
// first result leaves (profiled, one row of one tile a core: 10,500 cycles on Blackhole, 20,200 on Wormhole).
double softmaxCycles(const OpView& view) {
  constexpr double kBlackholeFirst = 8000, kWormholeFirst = 14000;
  double first = view.device.arch == Arch::Blackhole ? kBlackholeFirst : kWormholeFirst;
  return first + static_cast<double>(perInputTile(view, 900));
}

double sortCycles(const OpView& view) { return static_cast<double>(perInputTile(view, 2000)); }  // not measured

// Groups are normalized one after the other: each visits its tiles of the core's shard, and its statistics go round the
// cores that share it (profiled, 20 cores, 4 to 16 groups).
double groupNormCycles(const OpView& view) {
  constexpr double kVisit = 800, kGroup = 4000, kPerCore = 640;
  constexpr int64_t kUsualGroups = 32;
  const TensorLayout& in = view.input(0);
  const Shape& shape = view.inputShape(0);
  int64_t groups = std::clamp<int64_t>(attrInteger(view, "num_groups", kUsualGroups), 1, 1 << 16);
  int64_t channels = std::max<int64_t>(dimFromEnd(shape, 0), 1);
  bool sharded = shardedInL1(in);
  int64_t down = sharded && in.memory != TensorMemoryLayout::WidthSharded ? in.grid.rows : 1;
  int64_t across = sharded && in.memory != TensorMemoryLayout::HeightSharded ? in.grid.cols : 1;
  int64_t here = ceilDiv(groups, std::max<int64_t>(across, 1));
  auto rows = shareOf(tileRows(shape), std::max<int64_t>(down, 1));
  auto width = static_cast<double>(ceilDiv(ceilDiv(channels, groups), kTileSide));
  return static_cast<double>(here) * (kGroup + kPerCore * static_cast<double>(down) + rows * width * kVisit);
}

// An interleaved normalization gives one row of tiles to a core, however many cores there are (tt-metal
// normalization/layernorm).
double normCycles(const OpView& view) {
  if (!view.hasInput(0)) return 0;
  if (view.base.substr(0, 10) == "group_norm") return groupNormCycles(view);
  constexpr int64_t kPerTile = 400;           // four passes of 50-60 and the statistics
  constexpr int64_t kInterleavedTile = 1250;  // read tile by tile (tt-perf-report: 1,240-1,340 Wormhole)
  constexpr int64_t kAffinePerTile = 110;     // multiply 55, add 50 (tt-budabackend perf_lib/op_model/params)
  int64_t tiles = tileCount(view.inputShape(0));
  if (isBatchNorm(view)) return static_cast<double>(tilesTimesCycles(view, tiles, kAffinePerTile));
  if (view.input(0).sharded()) return static_cast<double>(tilesTimesCycles(view, tiles, kPerTile));
  int64_t rows = tileRows(view.inputShape(0));
  int64_t cores = std::min(rows, view.device.grid.volume());
  return static_cast<double>(mulSaturated(
      mulSaturated(ceilDiv(rows, std::max<int64_t>(cores, 1)), tileCols(view.inputShape(0))), kInterleavedTile));
}

}  // namespace

const FamilyTime kReductionTime = {reductionCycles, readWhole, kernelStart};
const FamilyTime kSoftmaxTime = {softmaxCycles, readWhole, kernelStart};
const FamilyTime kSortTime = {sortCycles, readWhole, kernelStart};
const FamilyTime kNormTime = {normCycles, readWhole, kernelStart};

}  // namespace tessera
