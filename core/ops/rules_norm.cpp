// Normalizations. Device reference 4.7 (block rule of 2025-11), 4.12; compiler reference 4.6.

#include <algorithm>

#include "core/ops/family_rules.h"

namespace tessera {

namespace {

bool isBatchNorm(const OpView& view) { return view.base.substr(0, 10) == "batch_norm"; }
bool isTraining(const OpView& view) { return view.is("batch_norm_training"); }

// Statistics and weights have the input's rank and one number per channel; what is used without training has its statistics.
Refused batchNormOperands(const OpView& view) {
  if (!isTraining(view) && (operandOf(view, "mean") < 0 || operandOf(view, "variance") < 0)) return {Refusal::OperandMissing};
  if (view.info.name.substr(0, 5) != "ttnn.") return {};  // reshaped on the way to TTNN
  for (int i = 1; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.inputShape(i).size() != view.inputShape(0).size()) return {Refusal::ShapeMismatch, i};
  }
  return {};
}

// Width or block sharded in and out alike, or interleaved: the library rejects height sharding. Batch normalization with given
// statistics is one multiply and one add per element, folded into the convolution before it: it works where its operand lies.
Refused normLegality(const OpView& view) {
  if (Refused refused = requireTiles(view)) return refused;
  if (!view.hasInput(0) || !view.hasResult()) return {};
  for (int i = 1; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  const TensorLayout& in = view.input(0);
  const TensorLayout& out = view.output();
  if (isBatchNorm(view)) {
    if (Refused refused = batchNormOperands(view)) return refused;
    return in.sharded() && out.sharded() ? sameSharding(view, Refusal::ShardingMismatch) : Refused{};
  }
  if (in.memory == TensorMemoryLayout::HeightSharded) return {Refusal::InputHeightSharded, 0};
  if (out.memory == TensorMemoryLayout::HeightSharded) return {Refusal::OutputHeightSharded};
  return sameSharding(view, Refusal::ShardingMismatch);
}

// Input, result, mean, variance, scale, offset, epsilon, deviation and a temporary: nine buffers of two tiles, what a tensor backs
// left out. Training updates the statistics in a program of twelve buffers.
int64_t batchNormBuffers(const OpView& view) {
  int64_t backed = view.hasResult() && shardedLikeOutput(view, 0) ? 2 : 0;
  return 2 * ((isTraining(view) ? 12 : 9) - backed) * view.inputTile(0);
}

// A row of tiles is kept, with what is multiplied along it; rows that do not fit are streamed in parts.
int64_t normBuffers(const OpView& view) {
  if (!view.hasInput(0)) return 0;
  if (isBatchNorm(view)) return batchNormBuffers(view);
  bool weight = operandOf(view, "weight") > 0, bias = operandOf(view, "bias") > 0, residual = operandOf(view, "residual") > 0;
  bool sharded = view.input(0).sharded();
  int64_t row = sharded ? view.input(0).shardCols : tileCols(view.inputShape(0));
  int64_t longest = weight || bias ? 56 : 112;
  row = std::min(row, longest);
  int64_t block = largestDivisorUpTo(row, 8);
  int64_t tiles = 14;                             // partial sums, scaler, epsilon, reciprocal
  int64_t own = sharded ? 0 : row + 2 * block;    // input row and result block
  tiles += own + row;                             // and the squares
  if (weight) tiles += row;
  if (bias) tiles += row;
  if (weight || bias) tiles += 2 * block;
  if (residual) tiles += 2 * block + row;
  if (!view.is("rms_norm")) tiles += row + 2 + 2 * block;  // what is left of the input when its mean is gone
  return tiles * view.inputTile(0);
}

// Training squares the input before it averages.
int64_t normIntermediates(const OpView& view) {
  bool squares = isTraining(view) && view.hasInput(0) && view.input(0).isL1();
  return squares ? l1BytesPerCore(view.input(0)).count : 0;
}

}  // namespace

const FamilyRules kNormRules = {normLegality, normBuffers, normIntermediates};

}  // namespace tessera
