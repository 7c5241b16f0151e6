// Matmul, convolution and pooling. Device reference 4.3, 4.5, 4.12; compiler reference 1.6, 2.3.

#include <algorithm>

#include "core/ops/family_rules.h"

namespace tessera {

namespace {

// Cycles of one 32x32x32 tile multiply-accumulate at HiFi2, the library's default for bf16 (device reference 1.4, 4.3).
constexpr int64_t kTileMacCycles = 32;

int64_t attrInteger(const Op& op, std::string_view name, int64_t otherwise) {
  const AttrValue* value = findAttr(op, name);
  return value && value->kind == AttrValueKind::Integer ? value->integer : otherwise;
}

bool attrBool(const Op& op, std::string_view name) {
  const AttrValue* value = findAttr(op, name);
  return value && value->integer != 0;
}

// Sizes in tiles of result[batch, M, N] = sum over K.
struct MatmulTiles {
  int64_t m = 1, n = 1, k = 1;  // m counts all batches
  bool batchedWeights = false;
};

MatmulTiles matmulTiles(const OpView& view) {
  MatmulTiles tiles;
  tiles.m = tileRows(view.resultShape());
  tiles.n = tileCols(view.resultShape());
  const Shape& a = view.inputShape(0);
  const Shape& b = view.inputShape(1);
  bool transposed = attrBool(view.op, "transpose_a");
  int64_t k = a.empty() ? 1 : (transposed && a.size() > 1 ? a[a.size() - 2] : a.back());
  tiles.k = ceilDiv(std::max<int64_t>(k, 1), kTileSide);
  for (size_t i = 0; i + 2 < b.size(); ++i) tiles.batchedWeights |= b[i] > 1;
  return tiles;
}

Refused matmulLegality(const OpView& view) {
  if (Refused refused = requireTiles(view); refused.reason != Refusal::None) return refused;
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return {};
  for (int i = 1; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  const TensorLayout& a = view.input(0);
  const TensorLayout& out = view.output();
  if (out.sharded() && matmulTiles(view).batchedWeights) return {Refusal::BatchedMatmulSharded};
  bool alike = a.memory == out.memory && a.grid == out.grid;
  if (a.sharded() && out.sharded() && !alike) return {Refusal::ShardingMismatch, 0};
  return {};
}

// Tiles a core buffers: operand blocks twice, the result once where it is not written in place.
Bytes matmulBuffers(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return Bytes(0);
  MatmulTiles tiles = matmulTiles(view);
  const TensorLayout& a = view.input(0);
  const TensorLayout& out = view.output();
  int64_t ta = tileBytes(a.dtype), tb = tileBytes(view.input(1).dtype), to = tileBytes(out.dtype);
  constexpr int64_t kScratch = 64;
  int64_t blockW = tiles.k % 2 == 0 ? 2 : 1;
  if (out.memory == TensorMemoryLayout::HeightSharded) {  // in1 is multicast whole
    int64_t in0 = a.sharded() ? 0 : 2 * out.shardRows * blockW * ta;
    return Bytes(in0 + tiles.k * out.shardCols * tb);
  }
  if (out.memory == TensorMemoryLayout::WidthSharded) {
    return Bytes(2 * out.shardRows * blockW * ta + 2 * out.shardCols * blockW * tb + (a.sharded() ? kScratch : 0));
  }
  if (out.memory == TensorMemoryLayout::BlockSharded) {
    return Bytes(2 * out.shardRows * blockW * ta + 2 * out.shardCols * blockW * tb + (a.sharded() ? kScratch : 0));
  }
  // Interleaved result: 2-D multicast over the whole grid; blocks shrink until the buffers fit half of L1.
  int64_t perM = ceilDiv(tiles.m, view.device.grid.rows), perN = ceilDiv(tiles.n, view.device.grid.cols);
  auto bytes = [&](int64_t m, int64_t n) { return 2 * m * blockW * ta + 2 * n * blockW * tb + m * n * to; };
  while ((perM > 1 || perN > 1) && bytes(perM, perN) > view.device.usableL1().count / 2) {
    int64_t& larger = perM >= perN ? perM : perN;
    larger = ceilDiv(larger, 2);
  }
  return Bytes(bytes(perM, perN));
}

int64_t macCycles(const OpView& view, int64_t m, int64_t n, int64_t k) {
  const TensorLayout& out = view.output();
  if (out.sharded()) return out.shardRows * out.shardCols * k * kTileMacCycles;
  return ceilDiv(m * n, std::max<int64_t>(computeCores(view), 1)) * k * kTileMacCycles;
}

int64_t matmulCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return 0;
  MatmulTiles tiles = matmulTiles(view);
  return macCycles(view, tiles.m, tiles.n, tiles.k);
}

// --- convolution ---------------------------------------------------------------------------------------------------

// Weight elements that one result element needs: channels per group times the kernel's area.
int64_t convDepth(const OpView& view) {
  const Shape& weight = view.inputShape(1);
  int64_t depth = 1;
  for (size_t i = 1; i < weight.size(); ++i) depth *= std::max<int64_t>(weight[i], 1);
  return depth;
}

// Weights and bias may still be on the host: the library prepares them once.
Refused convLegality(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return {};
  if (view.input(0).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, 0};
  if (view.input(0).page != PageLayout::Tile) return {Refusal::InputMustBeTile, 0};
  if (view.output().page != PageLayout::Tile) return {Refusal::OutputMustBeTile};
  for (int i = 1; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  bool bothSharded = view.input(0).sharded() && view.output().sharded();
  if (bothSharded && view.input(0).memory != view.output().memory) return {Refusal::ShardingMismatch, 0};
  return {};
}

// One activation block of at most four tile rows (act_block_h_override lowers it), twice with its tilized copy, and the weights' block.
Bytes convBuffers(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return Bytes(0);
  const TensorLayout& out = view.output();
  int64_t outTileRows = out.sharded() ? out.shardRows : ceilDiv(tileRows(view.resultShape()), view.device.grid.volume());
  int64_t outTileCols = out.sharded() ? out.shardCols : tileCols(view.resultShape());
  int64_t blockRows = std::clamp<int64_t>(outTileRows, 1, 4);
  if (const auto* attrs = std::get_if<Conv2dAttrs>(&view.query.config.attrs)) {
    int64_t wanted = attrs->actBlockHOverride.value_or(0);
    if (wanted > 0) blockRows = std::clamp<int64_t>(wanted / kTileSide, 1, blockRows);
  }
  int64_t depthTiles = ceilDiv(convDepth(view), kTileSide);
  int64_t shards = out.memory == TensorMemoryLayout::BlockSharded ? out.grid.cols : out.memory == TensorMemoryLayout::WidthSharded ? out.grid.volume() : 1;
  int64_t blockCols = std::max<int64_t>(1, std::min<int64_t>(ceilDiv(depthTiles, shards), 36));
  int64_t activation = 2 * blockRows * blockCols * tileBytes(view.input(0).dtype);
  int64_t weights = blockCols * std::min<int64_t>(outTileCols, 8) * tileBytes(view.input(1).dtype);
  int64_t result = out.sharded() ? 0 : 2 * outTileCols * tileBytes(out.dtype);
  return Bytes(activation + weights + result);
}

// Prepared weights are a matrix of depth x channels, in tiles.
int64_t convReadBytes(const OpView& view, int operand) {
  if (operand != 1) return readWhole(view, operand);
  return ceilDiv(convDepth(view), kTileSide) * ceilDiv(std::max<int64_t>(view.inputShape(1).empty() ? 1 : view.inputShape(1)[0], 1), kTileSide) * tileBytes(view.input(1).dtype);
}

int64_t convCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return 0;
  return macCycles(view, tileRows(view.resultShape()), tileCols(view.resultShape()), ceilDiv(convDepth(view), kTileSide));
}

// --- pooling -------------------------------------------------------------------------------------------------------

Refused poolLegality(const OpView& view) {
  if (Refused refused = requireTiles(view); refused.reason != Refusal::None) return refused;
  if (!view.hasInput(0) || !view.hasResult()) return {};
  bool alike = view.input(0).memory == view.output().memory;
  if (view.input(0).sharded() && view.output().sharded() && !alike) return {Refusal::ShardingMismatch, 0};
  return {};
}

int64_t kernelArea(const Op& op) {
  const AttrValue* kernel = findAttr(op, "kernel");
  if (!kernel) kernel = findAttr(op, "kernel_size");
  int64_t area = 1;
  if (kernel) for (int64_t side : kernel->ints) area *= std::clamp<int64_t>(side, 1, 1024);
  if (kernel && kernel->kind == AttrValueKind::Integer) area = std::clamp<int64_t>(kernel->integer, 1, 1024);
  return std::max<int64_t>(area, attrInteger(op, "kernel_height", 1) * attrInteger(op, "kernel_width", 1));
}

// Two readers, two buffers each, of one kernel window (device reference 4.12), in sticks of up to eight tiles.
Bytes poolBuffers(const OpView& view) {
  if (!view.hasResult()) return Bytes(0);
  int64_t cols = std::min<int64_t>(view.output().sharded() ? view.output().shardCols : tileCols(view.resultShape()), 8);
  int64_t rows = kernelArea(view.op) <= 16 ? kernelArea(view.op) : 32;
  int64_t page = alignUp(cols * kTileSide * rows, 1024) * 2;
  return Bytes(4 * page + 3 * tileBytes(view.output().dtype));
}

int64_t poolCycles(const OpView& view) {
  if (!view.hasResult()) return 0;
  constexpr int64_t kOpsPerCycle = 2048;  // device reference 4.12
  int64_t perTile = std::max<int64_t>(1, kTileSide * kTileSide * kernelArea(view.op) / kOpsPerCycle) * 16;
  return tilesTimesCycles(view, tileCount(view.resultShape()), perTile);
}

}  // namespace

const FamilyRules kMatmulRules = {matmulLegality, matmulBuffers, matmulCycles, readWhole};
const FamilyRules kConvRules = {convLegality, convBuffers, convCycles, convReadBytes};
const FamilyRules kPoolRules = {poolLegality, poolBuffers, poolCycles, readWhole};

}  // namespace tessera
