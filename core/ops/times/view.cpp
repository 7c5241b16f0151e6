// Ops that put elements elsewhere: reshapes, permutations, slices, what is picked or repeated. Sources: tt-metal
// data_movement, data_movement/common/common.cpp. What counts is into how many pieces a kernel has to take the tensor;
// cycles per piece are from profiled kernels on 20 Blackhole cores.

#include "core/ops/times/time_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera {

namespace {

constexpr double kFaceSide = 16;  // a row of a tile lies in two faces, one piece each

int64_t readUnlessView(const OpView& view, int operand) { return isViewOf(view) ? 0 : readWhole(view, operand); }
bool plain(const OpView& view) { return view.hasResult() && view.hasInput(0); }
bool inTiles(const OpView& view) { return view.input(0).page == PageLayout::Tile; }

// Rows of a tile that hold elements, over all tiles; pieces in which the faces hold one such row.
double rowsInTile(const Shape& shape) {
  double rows = static_cast<double>(dimFromEnd(shape, 1));
  return rows / static_cast<double>(ceilDiv(dimFromEnd(shape, 1), kTileSide));
}
double piecesOfRow(const Shape& shape) { return dimFromEnd(shape, 0) > static_cast<int64_t>(kFaceSide) ? 2 : 1; }

double resultTiles(const OpView& view) { return shareOf(tileCount(view.resultShape()), computeCores(view)); }
double tileRead(const OpView& view) {
  return readAndWait(view, view.input(0).buffer, static_cast<double>(view.inputTile(0)));
}

// Whole tiles, one by one.
double tilesOneByOne(const OpView& view) { return resultTiles(view) * tileRead(view); }

// A tile of the result is put together by a list of pieces: an operand's tile is fetched when the list comes to it,
// each piece copied by the processor. With as long rows as before, a tile's rows come from two tiles; otherwise from
// one each.
double reshapeTiles(const OpView& view) {
  constexpr double kPiece = 85, kList = 1000;  // cycles; the list: read, and the finished tile written
  const Shape &in = view.inputShape(0), &out = view.resultShape();
  double rows = rowsInTile(out);
  double visits = dimFromEnd(in, 0) == dimFromEnd(out, 0) ? 2.0 : rows;
  return resultTiles(view) * (kList + visits * tileRead(view) + rows * piecesOfRow(out) * kPiece);
}

// What lies together on both sides of a reshape is copied by the processor: short pieces byte by byte, longer ones by
// words, half of them where they are no whole words; by the network where both sides are aligned.
double copyPerByte(const OpView& view, int64_t from, int64_t to) {
  constexpr double kByte = 10, kWord = 2.6;
  constexpr int64_t kShortest = 16, kWordBytes = 4;  // bytes
  const int64_t piece = std::min(from, to);
  if (from % view.device.l1Alignment == 0 && to % view.device.l1Alignment == 0) return 0;
  if (piece < kShortest) return kByte;
  return piece % kWordBytes == 0 ? kWord : (kByte + kWord) / 2;
}

// Rows: a core has as many pages of the input as end together with one of the result, and where the pages of one side
// divide those of the other its two processors share them. A page is read and waited for, and a page of the result is
// written and waited for (tt-metal data_movement/reshape_view, rm_reshape_interleaved.cpp and its program factory).
double reshapeRows(const OpView& view) {
  const Shape &in = view.inputShape(0), &out = view.resultShape();
  const double inBytes = rowBytes(in, view.output().dtype), outBytes = rowBytes(out, view.output().dtype);
  const int64_t from = dimFromEnd(in, 0), to = dimFromEnd(out, 0), rows = rowCount(in);
  const int64_t least = ceilDiv(rows, std::max<int64_t>(view.device.grid.volume(), 1));
  const int64_t pages = std::min(alignUp(least, to / std::gcd(from, to)), rows);
  const int64_t results = std::max<int64_t>(static_cast<int64_t>(static_cast<double>(pages) * inBytes / outBytes), 1);
  const int64_t shared = from >= to ? pages : results;
  const bool both = shared > 1 && (from % to == 0 || to % from == 0);
  const double part = both ? static_cast<double>(ceilDiv(shared, 2)) / static_cast<double>(shared) : 1;
  const double copied = inBytes * copyPerByte(view, static_cast<int64_t>(inBytes), static_cast<int64_t>(outBytes));
  return part * (static_cast<double>(pages) * (readAndWait(view, view.input(0).buffer, inBytes) + copied) +
                 static_cast<double>(results) * writeAndWait(view, outBytes));
}

double reshapeCycles(const OpView& view) {
  if (isViewOf(view)) return 0;
  if (!plain(view) || view.input(0).sharded()) return moveCycles(view);
  return inTiles(view) ? reshapeTiles(view) : reshapeRows(view);
}

enum class Moved { Tiles, Rows, Columns, LastTwo };

// What a permutation takes apart: whole tiles stay together while the last two dims are last, rows while the last one
// is.
Moved movedBy(const OpView& view) {
  auto rank = static_cast<int64_t>(view.inputShape(0).size());
  auto at = [&](int64_t dim) { return dim < 0 ? dim + rank : dim; };
  if (const std::vector<int64_t>* order = attrInts(view, "permutation");
      order && static_cast<int64_t>(order->size()) == rank && rank >= 2) {
    bool lastStays = at((*order)[static_cast<size_t>(rank - 1)]) == rank - 1,
         rowStays = at((*order)[static_cast<size_t>(rank - 2)]) == rank - 2;
    if (lastStays) return rowStays ? Moved::Tiles : Moved::Rows;
    bool swapped = at((*order)[static_cast<size_t>(rank - 1)]) == rank - 2 &&
                   at((*order)[static_cast<size_t>(rank - 2)]) == rank - 1;
    return swapped ? Moved::LastTwo : Moved::Columns;
  }
  if (!findAttr(view.op, "dim0")) return Moved::LastTwo;
  int64_t a = at(attrInteger(view, "dim0", rank - 2)), b = at(attrInteger(view, "dim1", rank - 1));
  if (std::max(a, b) < rank - 2) return Moved::Tiles;
  if (std::max(a, b) == rank - 2) return Moved::Rows;
  return std::min(a, b) == rank - 2 ? Moved::LastTwo : Moved::Columns;
}

// Rows of tiles that go apart: lines of a face, each asked for by itself. A transposition asks for all of them before
// it waits, the general permutation waits for each and fills what padding the result has.
double rowsApart(const OpView& view) {
  constexpr double kLine = 80, kLineAlone = 350, kFill = 1600;
  const Shape& out = view.resultShape();
  double there =
      static_cast<double>(rowCount(view.inputShape(0))) / static_cast<double>(std::max<int64_t>(tileRows(out), 1));
  double lines = std::min(rowsInTile(out), there) * piecesOfRow(out);
  return resultTiles(view) * (view.is("transpose") ? lines * kLine + tileRead(view) : lines * kLineAlone + kFill);
}

double permuteTiles(const OpView& view) {
  constexpr double kColumnsApart = 3100;  // a tile is taken apart, transposed and put together
  switch (movedBy(view)) {
    case Moved::Tiles:
    case Moved::LastTwo: return tilesOneByOne(view);
    case Moved::Rows: return rowsApart(view);
    case Moved::Columns: return resultTiles(view) * (tileRead(view) + kColumnsApart);
  }
  return tilesOneByOne(view);
}

// The shorter rows of both sides, several in flight.
double permuteRows(const OpView& view) {
  constexpr double kShortRow = 68;
  const Shape &in = view.inputShape(0), &out = view.resultShape();
  const Shape& shorter = dimFromEnd(in, 0) < dimFromEnd(out, 0) ? in : out;
  double bytes = rowBytes(shorter, view.output().dtype);
  return shareOf(rowCount(shorter), view.device.grid.volume()) * std::max(kShortRow, writeUnderWay(view, bytes));
}

double permuteCycles(const OpView& view) {
  if (isViewOf(view)) return 0;
  if (!plain(view) || view.input(0).sharded()) return moveCycles(view);
  return inTiles(view) ? permuteTiles(view) : permuteRows(view);
}

// Out of shards, into interleaved memory: the place of each piece in the larger tensor is worked out by the processor,
// as for a row of a slice; a tile is written, and waited for, before the next one.
double writtenSlice(const OpView& view) {
  constexpr double kPlace = 128, kBytesPerClock = 10;  // profiled on 20 Blackhole cores: 130 of 18 bytes, 181 of 512
  const auto rows = static_cast<double>(std::max<int64_t>(view.input(0).shardRows, 1)),
             columns = static_cast<double>(std::max<int64_t>(view.input(0).shardCols, 1));
  if (inTiles(view)) return rows * columns * writeAndWait(view, static_cast<double>(view.outputTile()));
  const double bytes =
      columns * static_cast<double>(tileBytes(view.input(0).dtype)) / static_cast<double>(kTileSide * kTileSide);
  return rows * (kPlace + bytes / kBytesPerClock);
}

// Tiles are read one by one. Rows (150 cycles of 6 to 512 bytes) and tiles into shards go several at a time; rows out
// of tiles are written where they lie, one after the other.
double sliceCycles(const OpView& view) {
  constexpr double kRow = 145, kRowInPlace = 32;
  if (!plain(view)) return moveCycles(view);
  if (shardedInL1(view.input(0)) && !view.output().sharded()) return writtenSlice(view);
  const Shape& shape = view.resultShape();
  bool rowsOut = view.output().page != PageLayout::Tile;
  double rows = shareOf(rowCount(shape), view.output().sharded() ? computeCores(view) : view.device.grid.volume());
  if (rowsOut && view.output().sharded()) rows = static_cast<double>(view.output().shardRows);
  if (!inTiles(view)) return rows * std::max(kRow, readUnderWay(view, rowBytes(shape, view.output().dtype)));
  if (shardedInL1(view.output())) return std::max(moveCycles(view), rowsOut ? rows * kRowInPlace : 0);
  return tilesOneByOne(view);
}

// Rows of a concatenation: those of all operands that make one of the result are asked for, and waited for together
// (tt-metal data_movement/concat, stick layout). Tiles come from one operand each; shards are copied where they lie.
double concatCycles(const OpView& view) {
  const bool rows = plain(view) && !inTiles(view) && !view.input(0).sharded() && !view.output().sharded();
  if (!rows) return moveCycles(view);
  const Shape& out = view.resultShape();
  const auto rank = static_cast<int64_t>(out.size());
  const int64_t dim = attrInteger(view, "dim", 0);
  const bool alongRows = dim == -1 || dim == rank - 1;
  double others = 0;
  for (int i = 1; alongRows && i < view.operandCount(); ++i)
    if (view.hasInput(i)) others += writeUnderWay(view, rowBytes(view.inputShape(i), view.output().dtype));
  const double first =
      readAndWait(view, view.input(0).buffer, rowBytes(alongRows ? view.inputShape(0) : out, view.output().dtype));
  return shareOf(rowCount(out), view.device.grid.volume()) * (first + others);
}

// Bands of 32 rows, a core each. The band's indices are read first; its rows are asked for together, all 32 however few
// indices there are, and made into tiles, which are written one after the other (tt-metal embedding/device,
// embeddings_tilize.cpp; rows longer than 64 tiles go in pieces).
double embeddingBands(const OpView& view) {
  constexpr double kTilize = 66, kLongestPiece = 64;  // cycles of a tile, as for other conversions; tiles
  const Shape& out = view.resultShape();
  const auto tiles = static_cast<double>(tileCols(out));
  const double pieces = std::ceil(tiles / kLongestPiece), bytes = rowBytes(out, view.input(1).dtype);
  const double indices = readAndWait(view, view.input(0).buffer, 0),
               latency = readAndWait(view, view.input(1).buffer, 0);
  const double fetched =
      indices + pieces * (latency + static_cast<double>(kTileSide) * readUnderWay(view, bytes / pieces));
  const double written = tiles * readUnderWay(view, static_cast<double>(view.outputTile()));
  const double bands = shareOf(ceilDiv(rowCount(out), kTileSide), view.device.grid.volume());
  return fetched + (bands - 1) * std::max({fetched, tiles * kTilize, written}) + (tiles * kTilize + written) / pieces;
}

// Rows of the table are fetched one by one, behind a page of indices; the last one is still to be written.
double embeddingCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return moveCycles(view);
  if (view.output().page == PageLayout::Tile) return embeddingBands(view);
  const double bytes = rowBytes(view.resultShape(), view.input(1).dtype);
  const double rows = shareOf(rowCount(view.resultShape()), view.device.grid.volume());
  return readAndWait(view, view.input(0).buffer, 0) + rows * readAndWait(view, view.input(1).buffer, bytes) +
         (view.output().sharded() ? 0 : writeAndWait(view, bytes));
}

// What is picked is looked up by the processor: 26 cycles for an index. Short rows, of up to 60 tiles, are there as a
// whole; of longer ones every tile comes by, and all indices are gone through again for each (tt-metal
// data_movement/gather; measured: 9.5 s for rows of 4,748 tiles on 64 cores, pull request 53112). A scatter copies its
// input element by element before it writes (data_movement/scatter, reader_scatter.cpp), a row after the other.
double pickCycles(const OpView& view) {
  constexpr double kIndex = 26, kCopied = 12;  // a load and a store, 5 cycles (tt-isa-documentation NoC/Overlay)
  constexpr int64_t kShortRow = 60;
  if (!plain(view) || !view.hasInput(1)) return moveCycles(view);
  const Shape &in = view.inputShape(0), &indices = view.inputShape(1);
  const int64_t cores = view.device.grid.volume();
  const auto elements = [](const Shape& shape) { return static_cast<double>(dimFromEnd(shape, 0)); };
  if (view.is("scatter") || view.is("scatter_in_dim"))
    return shareOf(rowCount(in), cores) * (elements(in) * kCopied + elements(indices) * kIndex);
  const double tile = static_cast<double>(kTileSide * kTileSide) * kIndex;
  const int64_t width = tileCols(in);
  if (std::max(width, tileCols(indices)) > kShortRow)
    return static_cast<double>(tileRows(indices)) * shareOf(tileCols(indices), cores) * static_cast<double>(width) *
           tile;
  return shareOf(tileRows(indices), cores) * static_cast<double>(tileCols(indices)) * tile;
}

// Padding and repetition go page by page: a tile, or a row. Rows are waited for one by one where they are padded; a row
// that is repeated is read once and written each time. Tiles are made rows and tiles again where a repetition cuts them
// (tt-metal data_movement/pad, data_movement/repeat).
double pageCycles(const OpView& view) {
  if (isViewOf(view)) return 0;
  if (!plain(view) || inTiles(view) || view.input(0).sharded()) return moveCycles(view);
  const Shape &in = view.inputShape(0), &out = view.resultShape();
  const double bytes = rowBytes(in, view.output().dtype), written = rowBytes(out, view.output().dtype);
  const int64_t cores = view.device.grid.volume();
  if (view.info.family == Family::Repeat)
    return shareOf(rowCount(in), cores) * readAndWait(view, view.input(0).buffer, bytes) +
           shareOf(rowCount(out), cores) * writeUnderWay(view, written);
  return shareOf(rowCount(out), cores) * readAndWait(view, view.input(0).buffer, written);
}

// Nearest neighbours: a core has rows of the input, and writes each of them many times.
double upsampleCycles(const OpView& view) {
  if (!plain(view)) return 0;
  int64_t in = rowCount(view.inputShape(0)), out = rowCount(view.resultShape());
  int64_t cores = shardedInL1(view.output()) ? computeCores(view) : std::min(in, view.device.grid.volume());
  double copies = static_cast<double>(std::max<int64_t>(out, 1)) / static_cast<double>(std::max<int64_t>(in, 1));
  return shareOf(in, cores) * copies * readUnderWay(view, rowBytes(view.resultShape(), view.output().dtype));
}

}  // namespace

const FamilyTime kReshapeTime = {reshapeCycles, readUnlessView, kernelStart};
const FamilyTime kPermuteTime = {permuteCycles, readUnlessView, kernelStart};
const FamilyTime kViewTime = {pageCycles, readUnlessView, kernelStart};
const FamilyTime kConcatTime = {concatCycles, readWhole, kernelStart};
const FamilyTime kSliceTime = {sliceCycles, readResultSized, kernelStart};
const FamilyTime kPickTime = {pickCycles, readResultSized, kernelStart};
const FamilyTime kEmbeddingTime = {embeddingCycles, readResultSized, kernelStart};
const FamilyTime kUpsampleTime = {upsampleCycles, readResultSized, kernelStart};

}  // namespace tessera
