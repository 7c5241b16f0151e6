// Reductions, softmax and normalizations. Device reference 4.0, 4.6, 4.7.

#include <algorithm>

#include "core/ops/family_rules.h"

namespace tessera {

namespace {

Refused interleavedOnly(const OpView& view) {
  if (Refused refused = requireTiles(view); refused.reason != Refusal::None) return refused;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  if (view.hasResult() && view.output().sharded()) return {Refusal::OutputMustBeInterleaved};
  return {};
}

// Inference with given statistics is one multiply and one add per element: it works wherever its operand lies. The compiler folds
// it into the convolution before it.
bool isAffineNorm(const OpView& view) {
  return view.info.kind == OpKind::TtirBatchNormInference || view.info.kind == OpKind::TtnnBatchNormInference;
}

Refused affineNormLegality(const OpView& view) {
  const TensorLayout& in = view.input(0);
  const TensorLayout& out = view.output();
  bool alike = in.memory == out.memory && in.grid == out.grid;
  if (in.sharded() && out.sharded() && !alike) return {Refusal::ShardingMismatch, 0};
  return {};
}

// Width or block sharded in and out alike, or interleaved (height sharding is rejected by the library).
Refused normLegality(const OpView& view) {
  if (Refused refused = requireTiles(view); refused.reason != Refusal::None) return refused;
  if (!view.hasInput(0) || !view.hasResult()) return {};
  for (int i = 1; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  if (isAffineNorm(view)) return affineNormLegality(view);
  const TensorLayout& in = view.input(0);
  const TensorLayout& out = view.output();
  if (in.memory == TensorMemoryLayout::HeightSharded) return {Refusal::InputHeightSharded, 0};
  if (out.memory == TensorMemoryLayout::HeightSharded) return {Refusal::OutputHeightSharded};
  bool alike = in.memory == out.memory && (!in.sharded() || in.grid == out.grid);
  if ((in.sharded() || out.sharded()) && !alike) return {Refusal::ShardingMismatch, 0};
  return {};
}

int64_t inputTiles(const OpView& view) { return view.hasInput(0) ? tileCount(view.inputShape(0)) : 0; }

int64_t largestDivisorUpTo(int64_t value, int64_t limit) {
  for (int64_t d = std::min(value, limit); d > 1; --d) {
    if (value % d == 0) return d;
  }
  return 1;
}

// Two tiles in, a scaler, two tiles out and an accumulator: 6 tiles (compiler reference 4.6).
Bytes reductionBuffers(const OpView& view) {
  return Bytes(view.hasInput(0) ? 6 * tileBytes(view.input(0).dtype) : 0);
}

// Device reference 4.6, last dim: 2*block in and out, a row of tiles between, three scaler tiles.
Bytes softmaxBuffers(const OpView& view) {
  if (!view.hasInput(0)) return Bytes(0);
  int64_t row = tileCols(view.inputShape(0));
  int64_t block = largestDivisorUpTo(row, 8);
  constexpr int64_t kLongestRow = 128;  // longer rows are streamed with buffers of fixed length
  return Bytes((4 * block + std::min(row, kLongestRow) + 3) * tileBytes(view.input(0).dtype));
}

// Compiler reference 4.6: (14 + 4 Wt) tiles without weight, (14 + 8 Wt) with weight and bias; rows beyond 56 tiles are streamed.
Bytes normBuffers(const OpView& view) {
  if (!view.hasInput(0)) return Bytes(0);
  if (isAffineNorm(view)) return doubleBufferedTiles(view);
  int64_t row = tileCols(view.inputShape(0));
  if (view.input(0).sharded()) row = view.input(0).shardCols;
  int64_t factor = view.operandCount() > 1 ? 8 : 4;
  return Bytes((14 + factor * std::min<int64_t>(row, 56)) * tileBytes(view.input(0).dtype));
}

constexpr int64_t kReduceCycles = 75;    // per tile, device reference 1.4: 59-91
constexpr int64_t kSoftmaxCycles = 900;  // per tile: approximate exp 813 and two passes over the row
constexpr int64_t kNormCycles = 400;     // per tile: four passes of 50-60 and the statistics

int64_t reductionCycles(const OpView& view) { return tilesTimesCycles(view, inputTiles(view), kReduceCycles); }
int64_t softmaxCycles(const OpView& view) { return tilesTimesCycles(view, inputTiles(view), kSoftmaxCycles); }

// An interleaved normalization gives one row of tiles to a core, however many cores there are (device reference 4.7).
int64_t normCycles(const OpView& view) {
  if (!view.hasInput(0)) return 0;
  if (isAffineNorm(view)) return tilesTimesCycles(view, inputTiles(view), 110);  // multiply 55, add 50 (device reference 1.4)
  if (view.input(0).sharded()) return tilesTimesCycles(view, inputTiles(view), kNormCycles);
  int64_t rows = tileRows(view.inputShape(0));
  int64_t cores = std::min(rows, view.device.grid.volume());
  return ceilDiv(rows, std::max<int64_t>(cores, 1)) * tileCols(view.inputShape(0)) * kNormCycles;
}

}  // namespace

const FamilyRules kReductionRules = {interleavedOnly, reductionBuffers, reductionCycles, readWhole};
const FamilyRules kSoftmaxRules = {interleavedOnly, softmaxBuffers, softmaxCycles, readWhole};
const FamilyRules kNormRules = {normLegality, normBuffers, normCycles, readWhole};

}  // namespace tessera
