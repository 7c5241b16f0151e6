// Element-wise ops and typecast. Sources: tt-metal eltwise/unary, eltwise/binary_ng, eltwise/ternary; tt-mlir
// Analysis/OpRules (default rule book), TestOpModelLib.cpp of 2025-11.

#include <algorithm>

#include "core/ops/rules/eltwise_programs.h"

namespace tessera {

namespace {

// Dims from the end are equal to the result's or 1.
Refused broadcasts(const OpView& view) {
  if (!view.hasResult()) return {};
  const Shape& out = view.resultShape();
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    const Shape& in = view.inputShape(i);
    for (size_t d = 0; d < in.size(); ++d) {
      if (dimFromEnd(in, d) != 1 && dimFromEnd(in, d) != dimFromEnd(out, d)) return {Refusal::ShapeMismatch, i};
    }
  }
  return {};
}

bool isBroadcast(const OpView& view, int operand) { return view.inputShape(operand) != view.resultShape(); }

// One row of the operand is used for all rows of the result's tiles. (One element, or one column, is not such a row.)
bool isRowBroadcast(const OpView& view, int operand) {
  const Shape& in = view.inputShape(operand);
  const Shape& out = view.resultShape();
  return dimFromEnd(in, 1) == 1 && dimFromEnd(out, 1) > 1 && dimFromEnd(in, 0) == dimFromEnd(out, 0) &&
         dimFromEnd(out, 0) > 1;
}

// Operands and result in rows: the kernels take pages of either kind, as long as all are alike and nothing is spread
// over rows or columns (docs/rules/lowering.md#rows).
bool allInRows(const OpView& view) {
  if (!view.hasResult() || view.output().page != PageLayout::RowMajor) return false;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    const TensorLayout& in = view.input(i);
    if (in.page != PageLayout::RowMajor || isBroadcast(view, i) || in.buffer == BufferType::SystemMemory) return false;
  }
  return view.output().buffer != BufferType::SystemMemory;
}

// The first operand in tiles where a result in rows is asked for.
Refused rowsFromTiles(const OpView& view) {
  if (!view.hasResult() || view.output().page != PageLayout::RowMajor || view.is("typecast")) return {};
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && isBroadcast(view, i)) return {};
  }
  for (int i = 0; i < view.operandCount(); ++i) {
    const bool tiles = view.hasInput(i) && view.input(i).page == PageLayout::Tile;
    if (tiles && view.output().buffer != BufferType::SystemMemory) return {Refusal::MemoryLayoutMismatch, i};
  }
  return {};
}

// Rows of shards lie as the result's do.
Refused rowsLegality(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    const TensorLayout& in = view.input(i);
    const bool sharded = in.sharded() || view.output().sharded();
    if (sharded && !shardedLikeOutput(view, i)) return {Refusal::ShardingMismatch, i};
  }
  return {};
}

// Two rows of each operand and of the result.
void rowBuffers(const OpView& view, BufferList& buffers) {
  const Shape& shape = view.resultShape();
  const int64_t elements = shape.empty() ? 1 : std::clamp<int64_t>(shape.back(), 1, int64_t{1} << 24);
  auto rowOf = [&](const TensorLayout& layout) {
    const int64_t row = layout.sharded() ? std::clamp<int64_t>(layout.shardCols, 1, elements) : elements;
    return alignUp(row * elementBytes(layout.dtype, PageLayout::RowMajor), 32);
  };
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && !view.input(i).sharded())
      buffers.pages(operandBufferName(i), 2, rowOf(view.input(i)), view.input(i).dtype);
  }
  if (!view.output().sharded()) buffers.pages("out", 2, rowOf(view.output()), view.output().dtype);
}

// --- one operand -----------------------------------------------------------------------------------------------------

// The result of a typecast is stored as its operand is. Of other ops it was up to the library of 2025-11: neither
// interleaved to sharded nor back; that of 2026-04 can (tt-metal eltwise/unary).
Refused unaryLegality(const OpView& view) {
  if (allInRows(view) && !view.is("typecast")) return rowsLegality(view);
  if (Refused refused = rowsFromTiles(view)) return refused;
  // typecast takes rows as well, interleaved ones (tt-mlir Transforms/OptimizerPasses/RowMajorLayoutPropagation.cpp,
  // row-major propagation).
  bool rows = view.is("typecast") && view.hasInput(0) && view.hasResult() &&
              view.input(0).page == PageLayout::RowMajor && view.output().page == PageLayout::RowMajor;
  if (rows) return interleavedOnly(view);
  if (Refused refused = requireTiles(view)) return refused;
  if (view.is("typecast")) return sameSharding(view, Refusal::MemoryLayoutMismatch);
  return view.device.library >= LibraryRelease::R2026_04 ? Refused{}
                                                         : sameSharding(view, Refusal::LayoutChangeBefore2026);
}

// Two tiles in, two out; sharded tensors are their own buffers. A copy that converts nothing has one buffer for both
// ends.
void unaryBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0) || !view.hasResult()) return;
  if (allInRows(view) && !view.is("typecast")) return rowBuffers(view, buffers);
  const std::optional<DType> worksIn = eltwisePrograms(view).worksIn;
  DType in = worksIn.value_or(view.input(0).dtype), out = worksIn.value_or(view.output().dtype);
  bool inPlace = shardedLikeOutput(view, 0), plainCopy = view.is("assign") && in == out;
  if (inPlace) buffers.inOperand("in0", shardTiles(view.input(0)), view, 0);
  else buffers.tiles(plainCopy ? "in0 and out" : "in0", 2, in);
  if (view.is("cbrt")) buffers.tiles("intermed0", 2, in);
  if (inPlace) buffers.inResult("out", shardTiles(view.output()), view);
  else if (!plainCopy) buffers.tiles("out", 2, out);
}

// --- two operands ----------------------------------------------------------------------------------------------------

// Operands may have any layout: a shard that is not on the core of the result is read over the network (tt-metal
// eltwise/binary_ng).
Refused binaryLegality(const OpView& view) {
  if (allInRows(view)) return rowsLegality(view);
  if (Refused refused = rowsFromTiles(view)) return refused;
  Refused refused = requireTiles(view);
  return refused ? refused : broadcasts(view);
}

// Every operand is stored exactly as the result and has its shape; or the second is spread over the columns of a
// height-sharded first one. Then what is sharded is its own buffer.
bool worksInPlace(const OpView& view) {
  if (!shardedLikeOutput(view, 0) || isBroadcast(view, 0)) return false;
  for (int i = 1; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    bool same = shardedLikeOutput(view, i) && !isBroadcast(view, i);
    bool column = !view.input(i).sharded() && dimFromEnd(view.inputShape(i), 0) == 1 && isBroadcast(view, i) &&
                  view.input(0).memory == TensorMemoryLayout::HeightSharded;
    if (!same && !column) return false;
  }
  return true;
}

void binaryBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasResult()) return;
  if (allInRows(view)) return rowBuffers(view, buffers);
  const EltwisePrograms programs = eltwisePrograms(view);
  const DType result = programs.worksIn.value_or(view.output().dtype);
  if (programs.composed) {  // the choice between two tensors takes most
    for (std::string_view name : {"condition", "in0", "in1", "out"}) buffers.tiles(name, 2, result);
    return;
  }
  bool inPlace = worksInPlace(view);
  bool activations =
      view.is("logical_and") || view.is("logical_or") || view.is("logical_xor");  // each operand becomes 0 or 1 first
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    DType dtype = programs.worksIn.value_or(view.input(i).dtype);
    if (inPlace && view.input(i).sharded()) buffers.inOperand(operandBufferName(i), shardTiles(view.input(i)), view, i);
    else buffers.tiles(operandBufferName(i), 2, dtype);
    if (activations) buffers.tiles(i == 0 ? "activated in0" : "activated in1", 1, dtype);
    if (isRowBroadcast(view, i)) buffers.tiles(i == 0 ? "row of in0" : "row of in1", 2, dtype);  // spread over a tile
  }
  if (inPlace) buffers.inResult("out", shardTiles(view.output()), view);
  else buffers.tiles("out", 2, result);
}

// --- three operands --------------------------------------------------------------------------------------------------

// A sharded operand lies as the result does and has its shape.
Refused ternaryLegality(const OpView& view) {
  if (Refused refused = binaryLegality(view)) return refused;
  if (!view.hasResult()) return {};
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i) || !view.input(i).sharded()) continue;
    if (isBroadcast(view, i)) return {Refusal::BroadcastOperandSharded, i};
    if (view.output().sharded() && !shardedLikeOutput(view, i)) return {Refusal::ShardingMismatch, i};
  }
  return {};
}

}  // namespace

const FamilyRules kUnaryRules = {
    {"Element-wise, one operand", "tt-metal eltwise/unary"}, unaryLegality, unaryBuffers, eltwiseIntermediates};
const FamilyRules kBinaryRules = {
    {"Element-wise, two operands", "tt-metal eltwise/binary_ng"}, binaryLegality, binaryBuffers, eltwiseIntermediates};
const FamilyRules kTernaryRules = {
    {"Element-wise, three operands", "tt-metal eltwise/ternary"}, ternaryLegality, twoTilesEach};

}  // namespace tessera
