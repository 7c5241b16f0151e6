// Ops that move elements: concat, reshape, permute, slice, pad, repeat, embedding, gather. Sources: tt-metal
// data_movement, data_movement/concat; tt-mlir Analysis/OpRules, TestOpModelLib.cpp of 2025-11.

#include <algorithm>

#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

bool tileAligned(const Shape& shape) {
  return dimFromEnd(shape, 0) % kTileSide == 0 && dimFromEnd(shape, 1) % kTileSide == 0;
}

bool inTilesOf(const TensorLayout& layout) { return layout.page == PageLayout::Tile; }

// Tiles become rows, are moved, and become tiles again: a row of tiles in and out.
void throughRows(const OpView& view, BufferList& buffers) {
  constexpr int64_t kLongestRow = 128;  // longer rows are taken apart in pieces
  int64_t row = std::min(tileCols(view.inputShape(0)), kLongestRow);
  buffers.tiles("row in", row, view.input(0).dtype);
  buffers.tiles("row out", row, view.input(0).dtype);
}

// --- reshape, permute ------------------------------------------------------------------------------------------------

Refused reshapeLegality(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return {};
  if (view.input(0).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, 0};
  if (view.input(0).memory == TensorMemoryLayout::WidthSharded) return {Refusal::InputWidthSharded, 0};
  return view.output().sharded() ? Refused{Refusal::OutputMustBeInterleaved} : Refused{};
}

// A page of the mapping and two tiles (tt-metal data_movement).
void reshapeBuffers(const OpView& view, BufferList& buffers) {
  constexpr int64_t kMappingPage = 1024;
  if (!view.hasResult() || isViewOf(view)) return;
  buffers.pages("mapping", 1, kMappingPage, DType::U32);
  buffers.tiles("in0", 1, view.output().dtype);
  buffers.tiles("out", 1, view.output().dtype);
}

void twoTilesInAndOut(const OpView& view, BufferList& buffers) {
  if (!view.hasResult() || isViewOf(view)) return;
  buffers.tiles("in0", 2, view.output().dtype);
  buffers.tiles("out", 2, view.output().dtype);
}

// --- concat ----------------------------------------------------------------------------------------------------------

// Rows throughout, interleaved on the device: what the compiler writes where the dim is no multiple of a tile.
bool concatOfRows(const OpView& view) {
  const auto rows = [](const TensorLayout& layout) {
    return layout.page == PageLayout::RowMajor && !layout.sharded() && layout.buffer != BufferType::SystemMemory;
  };
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i) || !rows(view.input(i))) return false;
  }
  return view.hasResult() && rows(view.output());
}

// ttnn-optimizer.md 4.1.2: the last dim takes height-sharded inputs, the one before width-sharded ones, never block
// sharded; all inputs and the result over the same grid.
Refused concatLegality(const OpView& view) {
  if (concatOfRows(view)) return {};
  if (!view.hasResult() || view.output().page != PageLayout::Tile) return requireTiles(view);
  const TensorLayout& out = view.output();
  auto rank = static_cast<int64_t>(view.resultShape().size());
  int64_t dim = attrInteger(view, "dim", 0);
  if (dim < 0) dim += rank;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (Refused refused = requireTile(view, i)) return refused;
    const TensorLayout& in = view.input(i);
    if (in.sharded() != out.sharded())
      return {in.sharded() ? Refusal::ConcatSharding : Refusal::InputMustBeInterleaved, i};
    if (!in.sharded()) continue;
    bool widthConcat = dim == rank - 1 && in.memory == TensorMemoryLayout::HeightSharded;
    bool heightConcat = dim == rank - 2 && in.memory == TensorMemoryLayout::WidthSharded;
    if (!widthConcat && !heightConcat) return {Refusal::ConcatSharding, i};
    if (in.memory != out.memory || in.grid != out.grid) return {Refusal::ShardingMismatch, i};
  }
  return {};
}

// Tiles in transit, as many for the operand as for the result.
void twoPages(const OpView& view, BufferList& buffers) {
  if (view.hasResult()) buffers.tiles("in and out", 2, view.output().dtype);
}

// Interleaved; rows also from shards of whole rows into such of the result.
Refused rowsByHeight(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult() || !view.input(0).sharded()) return interleavedOnly(view);
  const TensorLayout &in = view.input(0), &out = view.output();
  if (in.page == PageLayout::Tile || in.memory != TensorMemoryLayout::HeightSharded)
    return {Refusal::InputMustBeInterleaved, 0};
  bool alike = shardedInL1(out) && out.memory == in.memory && out.page == in.page;
  return alike ? Refused{} : Refused{Refusal::ShardingMismatch, 0};
}

// --- slice, pad, repeat ----------------------------------------------------------------------------------------------

// Whole tiles are copied; anything else goes through rows.
void sliceBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0) || !view.hasResult()) return;
  bool tiled = view.input(0).page == PageLayout::Tile;
  if (tiled && !tileAligned(view.resultShape())) throughRows(view, buffers);
  else twoPages(view, buffers);
}

void padBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasResult() || isViewOf(view)) return;
  buffers.tiles("in and out", 2, view.output().dtype);
  buffers.tiles("padding", 1, view.output().dtype);
}

// The library takes any layout for the result, and puts it where the operand is (repeat_interleave: into DRAM) whatever
// is asked.
Refused repeatLegality(const OpView& view) {
  if (!view.hasInput(0)) return {};
  if (view.input(0).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, 0};
  bool same = !view.input(0).sharded() || !view.hasResult() || view.input(0).memory == view.output().memory;
  return same ? Refused{} : Refused{Refusal::ShardingMismatch, 0};
}

void repeatBuffers(const OpView& view, BufferList& buffers) {
  if (view.hasInput(0) && view.hasResult() && !isViewOf(view)) throughRows(view, buffers);
}

// Elements are moved as they are: the result has the operand's type.
TensorLayout movedLayout(const OpView& view) {
  TensorLayout produced = view.output();
  if (view.hasInput(0)) produced.dtype = view.input(0).dtype;
  return produced;
}

TensorLayout repeatProduces(const OpView& view) {
  if (!view.hasResult() || !view.hasInput(0) || view.input(0).sharded()) return view.output();
  bool inL1 = view.input(0).isL1() && !view.is("repeat_interleave");
  return interleavedResult(view, inL1 ? BufferType::L1 : BufferType::DRAM);
}

// --- embedding, gather -----------------------------------------------------------------------------------------------

// The kernel picks rows of bf16 by unsigned numbers, which may be stored as bf16.
Refused embeddingTypes(const OpView& view) {
  if (!view.is("embedding") || !view.hasInput(0) || !view.hasInput(1)) return {};
  const DType indices = view.input(0).dtype;
  if (indices != DType::U32 && indices != DType::BF16) return {Refusal::InputType, 0};
  return view.input(1).dtype == DType::BF16 ? Refused{} : Refused{Refusal::InputType, 1};
}

// Indices and table are interleaved; what is made into tiles may go to any shards, rows to those of whole rows.
Refused embeddingLegality(const OpView& view) {
  if (Refused types = embeddingTypes(view)) return types;
  if (!view.hasResult() || !shardedInL1(view.output())) return interleavedOnly(view);
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
    if (view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  bool whole = view.output().page == PageLayout::Tile || view.output().memory == TensorMemoryLayout::HeightSharded;
  return whole && view.is("embedding") ? Refused{} : Refused{Refusal::OutputMustBeInterleaved};
}

// Chunks of up to 64 tiles of the table's rows, twice.
void embeddingBuffers(const OpView& view, BufferList& buffers) {
  constexpr int64_t kChunk = 64;
  if (view.hasInput(1)) buffers.tiles("rows", 2 * std::min(tileCols(view.inputShape(1)), kChunk), view.input(1).dtype);
}

// Rows are gathered first; tiles are made from them.
int64_t embeddingIntermediates(const OpView& view) {
  return view.hasResult() && view.output().page == PageLayout::Tile ? l1BytesPerCore(view.output()).count : 0;
}

// --- scatter ---------------------------------------------------------------------------------------------------------

// The library writes along rows: operands are taken apart into rows, another dim than the last is put last, and the
// result is made what the input was. What is made for it lives until the op is done (tt-metal
// data_movement/scatter/scatter.cpp).
bool isScatter(const OpView& view) {
  return (view.is("scatter") || view.is("scatter_in_dim")) && view.operandCount() >= 3 && view.hasInput(0) &&
         view.hasInput(1) && view.hasInput(2) && view.hasResult();
}

int64_t scatterDim(const OpView& view) {
  const auto rank = static_cast<int64_t>(view.inputShape(0).size());
  const int64_t dim = attrInteger(view, "dim", rank - 1);
  return dim < 0 ? dim + rank : dim;
}

// Elements of the dim that is written along.
int64_t lineOf(const OpView& view, const Shape& shape) {
  const int64_t dim = scatterDim(view);
  return dim >= 0 && dim < static_cast<int64_t>(shape.size()) ? std::max<int64_t>(shape[static_cast<size_t>(dim)], 1)
                                                              : dimFromEnd(shape, 0);
}

// Bytes per core of the tensor as lines over all cores.
int64_t linesInL1(const OpView& view, const Shape& shape, DType dtype) {
  int64_t elements = 1;
  for (int64_t extent : shape) elements = mulSaturated(elements, std::max<int64_t>(extent, 1));
  const int64_t line = lineOf(view, shape);
  return mulSaturated(ceilDiv(elements / line, view.device.grid.volume()),
                      mulSaturated(line, std::max<int64_t>(scalarBytes(dtype), 1)));
}

int64_t scatterIntermediates(const OpView& view) {
  if (!isScatter(view)) return 0;
  const bool last = scatterDim(view) + 1 == static_cast<int64_t>(view.inputShape(0).size());
  int64_t bytes = 0;
  for (int i = 0; i < 3; ++i) {
    const bool made = view.input(i).isL1() && (inTilesOf(view.input(i)) || !last);
    if (made) bytes = addSaturated(bytes, linesInL1(view, view.inputShape(i), view.input(i).dtype));
  }
  const bool made = view.output().isL1() && (inTilesOf(view.input(0)) || !last);
  return made ? addSaturated(bytes, linesInL1(view, view.resultShape(), view.output().dtype)) : bytes;
}

// A piece of a line of each tensor; or the rows of tiles that are taken apart before.
void gatherBuffers(const OpView& view, BufferList& buffers) {
  if (!isScatter(view)) return twoTilesInAndOut(view, buffers);
  constexpr int64_t kPad = 32, kTensors = 4, kElement = 4;
  const int64_t longest = view.device.usableL1().count / kTensors / kElement * 4 / 5;  // a fifth is left to others
  const auto page = [&](const Shape& shape, DType dtype) {
    return alignUp(std::min(lineOf(view, shape), longest) * std::max<int64_t>(scalarBytes(dtype), 1), kPad);
  };
  BufferList lines;
  for (int i = 0; i < 3; ++i)
    lines.pages(operandBufferName(i), 1, page(view.inputShape(i), view.input(i).dtype), view.input(i).dtype);
  lines.pages("out", 1, page(view.resultShape(), view.output().dtype), view.output().dtype);
  BufferList apart;
  if (inTilesOf(view.input(0))) throughRows(view, apart);
  buffers = apart.ownBytes() > lines.ownBytes() ? std::move(apart) : std::move(lines);
}

}  // namespace

bool isViewOf(const OpView& view) {
  if (!view.info.has(kView) || !view.hasInput(0) || !view.hasResult()) return false;
  const TensorLayout& layout = view.input(0);
  const TensorLayout& result = view.output();
  const Shape& in = view.inputShape(0);
  const Shape& out = view.resultShape();
  if (layout.buffer != result.buffer || layout.memory != result.memory || layout.page != result.page ||
      layout.dtype != result.dtype)
    return false;
  if (layout.sharded() && layout.grid != result.grid) return false;
  if (view.info.family != Family::Reshape) {  // permute, pad, repeat: no element moves
    const std::vector<int64_t>* order = attrInts(view, "permutation");
    for (size_t i = 0; order && i < order->size(); ++i) {
      if ((*order)[i] != static_cast<int64_t>(i)) return false;
    }
    return in == out && (order || view.info.family != Family::Permute);
  }
  int64_t inRows = dimFromEnd(in, 1), outRows = dimFromEnd(out, 1);
  bool sameRows =
      layout.page != PageLayout::Tile || inRows == outRows || (inRows % kTileSide == 0 && outRows % kTileSide == 0);
  return dimFromEnd(in, 0) == dimFromEnd(out, 0) && sameRows;
}

const FamilyRules kConcatRules = {.rule = {"Concatenation", "tt-metal data_movement/concat; ttnn-optimizer.md 4.1.2"},
                                  .legality = concatLegality,
                                  .circularBuffers = twoPages,
                                  .produced = movedLayout,
                                  .operandsAlike = true};
const FamilyRules kReshapeRules = {
    {"Reshape", "tt-metal data_movement"}, reshapeLegality, reshapeBuffers, nullptr, movedLayout};
const FamilyRules kPermuteRules = {
    {"Permutation", "tt-metal data_movement"}, reshapeLegality, twoTilesInAndOut, nullptr, movedLayout};
const FamilyRules kSliceRules = {{"Slice", "tt-metal data_movement"}, rowsByHeight, sliceBuffers, nullptr, movedLayout};
const FamilyRules kPadRules = {{"Padding", "tt-metal data_movement"}, rowsByHeight, padBuffers};
const FamilyRules kRepeatRules = {
    {"Repetition", "tt-metal data_movement"}, repeatLegality, repeatBuffers, nullptr, repeatProduces};
const FamilyRules kEmbeddingRules = {
    {"Embedding", "tt-metal data_movement"}, embeddingLegality, embeddingBuffers, embeddingIntermediates};
const FamilyRules kGatherRules = {
    {"Gather and scatter", "tt-metal data_movement"}, interleavedOnly, gatherBuffers, scatterIntermediates};

}  // namespace tessera
