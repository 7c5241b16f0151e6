// Reductions, softmax, sorting, normalizations. Sources: tt-budabackend perf_lib/op_model/params, tt-metal
// normalization/softmax, normalization/layernorm.

#include "core/ops/times/time_model.h"

#include <algorithm>
#include <cmath>

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

// The processor that moves data compares element by element, row after row. Several cores share a row, which all of
// them are done with before the next one, and give what they found to one of them (tt-metal reduction/argmax/device;
// measured there: 24 cycles an element of one core, pull request 43255; [1024, 64 to 65,536] on 2 to 64 cores 0.8-2.9
// us a row and 29 ns an element of a core, pull request 53627).
double extremumCycles(const OpView& view) {
  constexpr double kElement = 28, kRow = 430, kShared = 30;
  constexpr int64_t kFewest = 16;  // elements of a core
  const Shape& shape = view.inputShape(0);
  const int64_t rank = static_cast<int64_t>(shape.size()), named = attrInteger(view, "dim", rank);
  const int64_t dim = named < 0 ? named + rank : named;
  const int64_t all = mulSaturated(rowCount(shape), dimFromEnd(shape, 0));
  const int64_t row = dim >= 0 && dim < rank ? std::max<int64_t>(shape[static_cast<size_t>(dim)], 1) : all;
  const AttrValue* asked =
      findAttr(view.op, "use_multicore");  // true where nothing is said (tt-mlir pull request 7705)
  const bool several = !asked || asked->integer != 0;
  const int64_t cores = several ? std::clamp<int64_t>(row / kFewest, 1, view.device.grid.volume()) : 1;
  return shareOf(all, row) *
         (kRow + (cores > 1 ? kShared * static_cast<double>(cores) : 0) + kElement * shareOf(row, cores));
}

// A tile is asked for, waited for and added (75 cycles: tt-budabackend perf_lib/op_model/params, 59-91), one after the
// other. Measured for the mean over rows on 1 to 32 Wormhole cores: 510-640 cycles of bf16, 473-505 of bfp8, 592-789 of
// f32 (tt-metal pull request 54349).
double reductionCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return 0;
  if (view.info.has(kScan)) return runningCycles(view);
  if (view.is("argmax") || view.is("argmin")) return extremumCycles(view);
  constexpr double kAdd = 75;
  const double each = kAdd + readAndWait(view, view.input(0).buffer, static_cast<double>(view.inputTile(0)));
  const std::vector<int64_t>* dims = attrInts(view, "dim_arg");
  Shape left = view.inputShape(0);
  const Shape& result = view.resultShape();
  const auto rank = static_cast<int64_t>(left.size());
  const auto isReduced = [&](int64_t dim) {
    if (result.size() == left.size()) return result[static_cast<size_t>(dim)] < left[static_cast<size_t>(dim)];
    return !dims || std::find(dims->begin(), dims->end(), dim) != dims->end() ||
           std::find(dims->begin(), dims->end(), dim - rank) != dims->end();
  };
  double tiles = 0;                                // of the busiest core
  for (int64_t dim = rank - 1; dim >= 0; --dim) {  // one dim after the other, the last first
    if (!isReduced(dim)) continue;
    const int64_t before = tileCount(left);
    left[static_cast<size_t>(dim)] = 1;
    tiles += shareOf(before, std::min(tileCount(left), view.device.grid.volume()));
  }
  return each * (tiles > 0 ? tiles : shareOf(tileCount(left), computeCores(view)));
}

// Approximate exp 813 and two passes over the row. Maximum, sum and reciprocal follow one after the other before the
// first result leaves (profiled, one row of one tile a core: 10,500 cycles on Blackhole, 20,200 on Wormhole).
double softmaxCycles(const OpView& view) {
  constexpr double kBlackholeFirst = 8000, kWormholeFirst = 14000;
  double first = view.device.arch == Arch::Blackhole ? kBlackholeFirst : kWormholeFirst;
  return first + static_cast<double>(perInputTile(view, 900));
}

// Pairs of tiles are compared and exchanged in the stages of a bitonic network; before, the processor writes the tiles
// of indices, 1,024 stores each. A row of up to 64 tiles is one core's, a longer one that of all (tt-metal
// data_movement/sort; measured on Wormhole: 43 us of 2 tiles, 13.4 ms of 128 on one core, pull request 21106; 0.18 to
// 28 ms of 128 to 8,192 on 64 cores, 25384).
double sortCycles(const OpView& view) {
  constexpr double kTile = 17'000, kPair = 6'200;
  constexpr int64_t kLongestRow = 64;
  const int64_t row = tileCols(view.inputShape(0)), cores = view.device.grid.volume();
  const bool alone = row <= kLongestRow;
  double stages = 0, step = 0;
  for (int64_t width = 1; width < row; width *= 2) stages += ++step;
  const double tiles = alone ? static_cast<double>(row) : shareOf(row, cores);
  return shareOf(tileRows(view.inputShape(0)), alone ? cores : 1) *
         (tiles * kTile + stages * std::ceil(tiles / 2) * kPair);
}

// The largest of a row are kept while its tiles are gone through, by one core, or, where the row's length is a power of
// two that the kernel takes, by parts of cores whose finds one more core goes through (tt-metal reduction/topk;
// measured of rows of 64,128, 16,384 and 32,768: 10.2, 0.14 and 0.19 ms, issue 53108).
double topkCycles(const OpView& view) {
  constexpr double kTile = 6'900, kSharedTile = 8'400, kFound = 1'950;
  constexpr int64_t kShortest = 8192, kLongest = 65'536, kMostParts = 64;
  const Shape& shape = view.inputShape(0);
  const int64_t length = dimFromEnd(shape, 0), row = tileCols(shape), bands = tileRows(shape);
  const bool shared = length >= kShortest && length < kLongest && (length & (length - 1)) == 0;
  int64_t parts = kMostParts;
  while (parts > 1 && parts >= view.device.grid.volume()) parts /= 2;
  if (!shared || parts == 1) return shareOf(bands, view.device.grid.volume()) * static_cast<double>(row) * kTile;
  return static_cast<double>(bands) * (shareOf(row, parts) * kSharedTile + static_cast<double>(parts) * kFound);
}

double rankingCycles(const OpView& view) {
  if (!view.hasInput(0)) return 0;
  return view.is("topk") ? topkCycles(view) : sortCycles(view);
}

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
  return {std::clamp<int64_t>(tileRows(view.inputShape(0)), 1, grid.cols / across * grid.rows), across};
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
const FamilyTime kSortTime = {rankingCycles, readWhole, kernelStart};
const FamilyTime kNormTime = {normCycles, readWhole, kernelStart};

}  // namespace tessera
