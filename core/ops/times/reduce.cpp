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

// How cores share a group norm: those of one column have other channels, those of one row other rows. Shards say so
// themselves; an interleaved tensor is cut into as many columns as whole tiles and whole groups allow (tt-metal
// normalization/groupnorm, multicast program).
struct GroupCut {
  int64_t down = 1, across = 1;
};
GroupCut groupCut(const OpView& view, int64_t channels, int64_t groups) {
  const TensorLayout& in = view.input(0);
  if (shardedInL1(in)) {
    return {in.memory != TensorMemoryLayout::WidthSharded ? std::max<int64_t>(in.grid.rows, 1) : 1,
            in.memory != TensorMemoryLayout::HeightSharded ? std::max<int64_t>(in.grid.cols, 1) : 1};
  }
  const GridShape grid = view.device.grid;
  int64_t across = std::max<int64_t>(std::min<int64_t>(grid.cols, groups), 1);
  while (across > 1 && (groups % across != 0 || channels % (across * kTileSide) != 0)) --across;
  return {std::max<int64_t>(grid.cols / across * grid.rows, 1), across};
}

// Groups are normalized one after the other: each visits its tiles of the core's shard, and its statistics go round the
// cores that share it (profiled, 20 cores, 4 to 16 groups). What is interleaved is read again for mean, variance and
// result, and what groups before it left in the same tile too; every tile is waited for (tt-metal
// normalization/groupnorm, reader_mcast_sender_unary_gn.cpp).
double groupNormCycles(const OpView& view) {
  constexpr double kVisit = 800, kGroup = 4000, kPerCore = 640, kPasses = 3;
  constexpr int64_t kUsualGroups = 32;
  const Shape& shape = view.inputShape(0);
  const int64_t groups = std::clamp<int64_t>(attrInteger(view, "num_groups", kUsualGroups), 1, 1 << 16);
  const int64_t channels = std::max<int64_t>(dimFromEnd(shape, 0), 1);
  const GroupCut cut = groupCut(view, channels, groups);
  const int64_t here = ceilDiv(groups, cut.across);
  const double rows = shareOf(tileRows(shape), cut.down);
  const auto width = static_cast<double>(ceilDiv(ceilDiv(channels, groups), kTileSide));
  double visit = kVisit;
  if (!shardedInL1(view.input(0))) {
    const bool sharesTiles = channels / groups % kTileSide != 0;
    const double read = readAndWait(view, view.input(0).buffer, static_cast<double>(view.inputTile(0)));
    visit = std::max(visit, (kPasses + (sharesTiles ? 1 : 0)) * read);
  }
  return static_cast<double>(here) * (kGroup + kPerCore * static_cast<double>(cut.down) + rows * width * visit);
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
