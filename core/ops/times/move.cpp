// Ops that change where or how a tensor lies, and copies. Sources: tt-metal data_movement,
// data_movement/common/common.cpp.

#include "core/ops/times/time_model.h"

#include <algorithm>

namespace tessera {

namespace {

// A copy within a core's own L1 needs no compute kernel: bytes per clock, and cycles of start. Wormhole from tt-metal
// data_movement, Blackhole from the sharded moves of the profiler rows (52-55 over 32 KiB to 280 KiB a core).
bool copiesInPlace(const OpView& view) {
  return view.hasResult() && view.hasInput(0) && view.info.has(kToLayout) && shardedLikeOutput(view, 0) &&
         view.input(0).page == view.output().page && view.input(0).dtype == view.output().dtype;
}

double copyCycles(const OpView& view) {
  double copyPerClock = view.device.arch == Arch::Blackhole ? 54 : 28;
  return static_cast<double>(totalBytes(view.resultShape(), view.output()).count) /
         static_cast<double>(std::max<int64_t>(computeCores(view), 1)) / copyPerClock;
}

// Rows of a row-major tensor from place to place: read one by one, unless they are at hand and only written.
double rowsCycles(const OpView& view) {
  const TensorLayout &from = view.input(0), &to = view.output();
  const TensorLayout& cut = shardedInL1(from) ? from : to;
  double columns = cut.sharded() ? static_cast<double>(std::max<int64_t>(cut.shardCols, 1))
                                 : static_cast<double>(dimFromEnd(view.resultShape(), 0));
  double bytes = columns * static_cast<double>(tileBytes(to.dtype)) / static_cast<double>(kTileSide * kTileSide);
  double rows = cut.sharded() ? static_cast<double>(std::max<int64_t>(cut.shardRows, 1))
                              : shareOf(rowCount(view.resultShape()), view.device.grid.volume());
  return rows * (shardedInL1(from) ? writeUnderWay(view, bytes) : readAndWait(view, from.buffer, bytes));
}

bool wholeTiles(const Shape& shape) {
  return dimFromEnd(shape, 0) % kTileSide == 0 && dimFromEnd(shape, 1) % kTileSide == 0;
}

// Between tiles and rows where they lie, cycles a tile (profiled shards, which nothing else bounds): 62-67 out of rows;
// into rows 130 where a shard is 8 tiles wide, 260-270 where it is 2, 300-450 where it is 1.
double convertCycles(const OpView& view, bool intoTiles) {
  constexpr double kOutOfRows = 66, kIntoRows = 100, kPerBand = 340;
  const TensorLayout& from = view.input(0);
  auto tiles = shareOf(tileCount(view.resultShape()), computeCores(view));
  if (intoTiles) return tiles * kOutOfRows;
  double width = static_cast<double>(std::max<int64_t>(from.page == PageLayout::Tile ? from.shardCols : 1, 1));
  double cycles = tiles * (kIntoRows + kPerBand / width);
  // Rows into other memory: each is a write of its own, by a kernel that does nothing beside.
  if (!shardedInL1(view.output()))
    cycles = std::max(cycles, tiles / width * static_cast<double>(kTileSide) * 2 * writeUnderWay(view, 0));
  return cycles;
}

// Between tiles and rows through buffers: a core has whole rows of tiles, or single ones of them where there are fewer
// rows of tiles than cores and more than 32 tiles in one (tt-metal data_movement/tilize, choice of program). The slower
// of reading and writing counts: the tiles' side, one by one, or the rows of a band, which go together; with padding to
// fill in or to leave out rows go one by one.
double throughBuffersCycles(const OpView& view, bool intoTiles) {
  constexpr int64_t kLongestBand = 32;
  const Shape& shape = view.resultShape();
  const TensorLayout &from = view.input(0), &to = view.output();
  const int64_t cores = to.sharded() ? computeCores(view) : view.device.grid.volume(), bands = tileRows(shape);
  const bool spread = bands < cores && tileCols(shape) > kLongestBand;
  const double bandsHere = shareOf(bands, cores);
  const double tiles = spread ? shareOf(tileCount(shape), cores) : bandsHere * static_cast<double>(tileCols(shape));
  const double tile = static_cast<double>(intoTiles ? view.outputTile() : view.inputTile(0));
  double bytes = rowBytes(shape, to.dtype);
  if (spread) bytes = std::min(bytes, static_cast<double>(kTileSide) * 4);
  const double tileSide = tiles * (intoTiles ? writeAndWait(view, tile) : readAndWait(view, from.buffer, tile));
  if (wholeTiles(shape)) {
    const double one = intoTiles ? readUnderWay(view, bytes) : writeUnderWay(view, bytes);
    const double band = readAndWait(view, from.buffer, 0) + static_cast<double>(kTileSide) * one;
    return std::max(bandsHere * band, tileSide);
  }
  const double rows = std::min(bandsHere * static_cast<double>(kTileSide), static_cast<double>(rowCount(shape)));
  return std::max(rows * (intoTiles ? readAndWait(view, from.buffer, bytes) : writeAndWait(view, bytes)), tileSide);
}

// Tiles of a shard are asked for row by row of tiles (profiled on 20 Blackhole cores: 150-190 cycles a tile of 2 KiB,
// 95 of 1 KiB).
double gatherCycles(const OpView& view) {
  constexpr double kTile = 30, kBlackholePerClock = 16, kWormholePerClock = 24;
  double perClock = view.device.arch == Arch::Blackhole ? kBlackholePerClock : kWormholePerClock;
  return shareOf(tileCount(view.resultShape()), computeCores(view)) *
         (kTile + static_cast<double>(view.inputTile(0)) / perClock);
}

double layoutCycles(const OpView& view) {
  if (!view.hasResult() || !view.hasInput(0)) return moveCycles(view);
  if (copiesInPlace(view)) return copyCycles(view);
  const TensorLayout &from = view.input(0), &to = view.output();
  bool tiles = from.page == PageLayout::Tile, intoTiles = to.page == PageLayout::Tile;
  if (tiles != intoTiles)
    return shardedInL1(from) ? convertCycles(view, intoTiles) : throughBuffersCycles(view, intoTiles);
  if (!tiles) return shardedInL1(from) && shardedInL1(to) ? moveCycles(view) : rowsCycles(view);
  if (!from.sharded() && to.sharded()) return gatherCycles(view);
  if (from.sharded() || to.sharded()) return moveCycles(view);
  return shareOf(tileCount(view.resultShape()), computeCores(view)) *
         readAndWait(view, from.buffer, static_cast<double>(view.outputTile()));
}

// Conversions through buffers fill and drain them: the first band of rows is in before a tile is made, the last one
// waits for all.
double layoutStart(const OpView& view) {
  constexpr double kCopyStart = 260, kBlackholeShard = 600, kWormholeShard = 1300,
                   kConvertStart = 2900;  // Wormhole's shards: not measured
  if (copiesInPlace(view)) return kCopyStart;
  if (!view.hasResult() || !view.hasInput(0)) return kernelStart(view);
  if (view.input(0).page != view.output().page && !shardedInL1(view.input(0))) return kConvertStart;
  return shardedInL1(view.input(0)) || shardedInL1(view.output())
             ? (view.device.arch == Arch::Blackhole ? kBlackholeShard : kWormholeShard)
             : kernelStart(view);
}

}  // namespace

const FamilyTime kLayoutTime = {layoutCycles, readWhole, layoutStart};
const FamilyTime kMoveTime = {moveCycles, readWhole, kernelStart};

}  // namespace tessera
