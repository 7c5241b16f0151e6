// Ops that move data: concat, reshape, permute, slice, pad, repeat, gather, and layout conversion.
// Device reference 4.0, 4.8, 4.10; compiler reference 1.6.

#include <algorithm>

#include "core/ops/family_rules.h"

namespace tessera {

namespace {

constexpr int64_t kMoveCycles = 64;  // per tile: unpack and pack of 2 KiB at 64 B per cycle

bool isRead(const OpView& view, int operand) { return operandRole(view.info, operand, view.operandCount()) != "out"; }

// Integer indices may stay row-major; everything else here is read and written in tiles.
Refused interleavedMoves(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
    if (view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  if (view.hasResult() && view.output().sharded()) return {Refusal::OutputMustBeInterleaved};
  return {};
}

Refused reshapeLegality(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return {};
  if (view.input(0).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, 0};
  if (view.input(0).memory == TensorMemoryLayout::WidthSharded) return {Refusal::InputWidthSharded, 0};
  if (view.output().sharded()) return {Refusal::OutputMustBeInterleaved};
  return {};
}

// A reshape that keeps the pages as they are is free: same last dim, and second-last equal or both whole tiles (compiler reference 1.6).
bool isView(const OpView& view) {
  if (!view.info.has(kView) || !view.hasInput(0) || !view.hasResult()) return false;
  const Shape& in = view.inputShape(0);
  const Shape& out = view.resultShape();
  bool samePlace = view.input(0).buffer == view.output().buffer && view.input(0).memory == view.output().memory;
  if (!samePlace || in.empty() || out.empty() || in.back() != out.back()) return false;
  int64_t inRows = in.size() > 1 ? in[in.size() - 2] : 1;
  int64_t outRows = out.size() > 1 ? out[out.size() - 2] : 1;
  return inRows == outRows || (inRows % kTileSide == 0 && outRows % kTileSide == 0);
}

int64_t reshapeReadBytes(const OpView& view, int operand) {
  return isRead(view, operand) ? readWhole(view, operand) : 0;
}

int64_t moveReadBytes(const OpView& view, int operand) {
  return isRead(view, operand) ? readResultSized(view, operand) : 0;
}

int64_t moveCycles(const OpView& view) {
  if (!view.hasResult() || isView(view)) return 0;
  return tilesTimesCycles(view, tileCount(view.resultShape()), kMoveCycles);
}

// A mapping page, two tiles in and one out (device reference 4.0).
Bytes reshapeBuffers(const OpView& view) {
  if (!view.hasResult() || isView(view)) return Bytes(0);
  return Bytes(1024 + 2 * tileBytes(view.output().dtype));
}

Bytes moveBuffers(const OpView& view) {
  return Bytes(view.hasResult() ? 4 * tileBytes(view.output().dtype) : 0);
}

// --- concat --------------------------------------------------------------------------------------------------------

// Seed 000, 4.1.2: the last dim takes height-sharded inputs, the one before width-sharded ones, never block sharded;
// all inputs and the result over the same grid.
Refused concatLegality(const OpView& view) {
  if (Refused refused = requireTiles(view); refused.reason != Refusal::None) return refused;
  if (!view.hasResult()) return {};
  const TensorLayout& out = view.output();
  auto rank = static_cast<int64_t>(view.resultShape().size());
  const AttrValue* attr = findAttr(view.op, "dim");
  int64_t dim = attr ? attr->integer : 0;
  if (dim < 0) dim += rank;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i) || !isRead(view, i)) continue;
    const TensorLayout& in = view.input(i);
    if (in.sharded() != out.sharded()) return {in.sharded() ? Refusal::ConcatSharding : Refusal::InputMustBeInterleaved, i};
    if (!in.sharded()) continue;
    bool widthConcat = dim == rank - 1 && in.memory == TensorMemoryLayout::HeightSharded;
    bool heightConcat = dim == rank - 2 && in.memory == TensorMemoryLayout::WidthSharded;
    if (!widthConcat && !heightConcat) return {Refusal::ConcatSharding, i};
    if (in.memory != out.memory || in.grid != out.grid) return {Refusal::ShardingMismatch, i};
  }
  return {};
}

Bytes concatBuffers(const OpView& view) {
  return Bytes(view.hasResult() ? 2 * tileBytes(view.output().dtype) : 0);
}

// --- permute and layout conversion ---------------------------------------------------------------------------------

Refused permuteLegality(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return {};
  if (view.input(0).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, 0};
  if (view.input(0).memory == TensorMemoryLayout::WidthSharded) return {Refusal::InputWidthSharded, 0};
  if (view.output().sharded()) return {Refusal::OutputMustBeInterleaved};
  return {};
}

Refused anyLayout(const OpView&) { return {}; }

// Copies page by page through a staging buffer; tilize and untilize buffer a row of tiles in and out (compiler reference 4.6).
Bytes toLayoutBuffers(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return Bytes(0);
  if (view.input(0).page == view.output().page) return doubleBufferedTiles(view);
  int64_t row = std::min<int64_t>(tileCols(view.resultShape()), 64);
  return Bytes(2 * row * tileBytes(view.output().dtype));
}

}  // namespace

const FamilyRules kConcatRules = {concatLegality, concatBuffers, moveCycles, reshapeReadBytes};
const FamilyRules kReshapeRules = {reshapeLegality, reshapeBuffers, moveCycles, reshapeReadBytes};
const FamilyRules kPermuteRules = {permuteLegality, moveBuffers, moveCycles, reshapeReadBytes};
const FamilyRules kInterleavedMoveRules = {interleavedMoves, moveBuffers, moveCycles, moveReadBytes};
const FamilyRules kToLayoutRules = {anyLayout, toLayoutBuffers, moveCycles, readWhole};

}  // namespace tessera
