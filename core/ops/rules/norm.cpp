// Normalizations. Sources: tt-metal normalization/layernorm (block rule of 2025-11), normalization/batch_norm; tt-mlir
// TestOpModelLib.cpp of 2025-11.

#include <algorithm>

#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

bool isBatchNorm(const OpView& view) { return view.base.substr(0, 10) == "batch_norm"; }
bool isTraining(const OpView& view) { return view.is("batch_norm_training"); }

// Statistics and weights have the input's rank and one number per channel; what is used without training has its
// statistics.
Refused batchNormOperands(const OpView& view) {
  if (!isTraining(view) && (operandOf(view, "mean") < 0 || operandOf(view, "variance") < 0))
    return {Refusal::OperandMissing};
  if (view.info.name.substr(0, 5) != "ttnn.") return {};  // the conversion to TTNN reshapes it
  for (int i = 1; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.inputShape(i).size() != view.inputShape(0).size()) return {Refusal::ShapeMismatch, i};
  }
  return {};
}

// Width or block sharded in and out alike, or interleaved: the library rejects height sharding. Batch normalization
// with given statistics is one multiply and one add per element, folded into the convolution before it: it works where
// its operand lies.
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

// Input, result, mean, variance, scale, offset, epsilon, deviation and a temporary: nine buffers of two tiles, what a
// tensor backs left out. Training updates the statistics in a program of twelve buffers.
void batchNormBuffers(const OpView& view, BufferList& buffers) {
  DType dtype = view.input(0).dtype;
  bool inPlace = view.hasResult() && shardedLikeOutput(view, 0);
  if (inPlace) buffers.inOperand("in0", shardTiles(view.input(0)), view, 0);
  else buffers.tiles("in0", 2, dtype);
  for (std::string_view name : {"mean", "variance", "weight", "bias", "epsilon", "deviation", "intermed0"})
    buffers.tiles(name, 2, dtype);
  if (isTraining(view)) {
    for (std::string_view name : {"momentum", "running mean", "running variance"}) buffers.tiles(name, 2, dtype);
  }
  if (inPlace) buffers.inResult("out", shardTiles(view.output()), view);
  else buffers.tiles("out", 2, dtype);
}

// A row of tiles is kept, with what is multiplied along it; rows that do not fit are streamed in parts.
void normBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0)) return;
  if (isBatchNorm(view)) return batchNormBuffers(view, buffers);
  bool weight = operandOf(view, "weight") > 0, bias = operandOf(view, "bias") > 0,
       residual = operandOf(view, "residual") > 0;
  bool sharded = view.input(0).sharded();
  int64_t row = sharded ? view.input(0).shardCols : tileCols(view.inputShape(0));
  int64_t longest = weight || bias ? 56 : 112;
  row = std::min(row, longest);
  int64_t block = largestDivisorUpTo(row, sumsInFp32(view) ? 4 : 8);
  // The library of 2026-04 has blocks of one size and rounds rows up to them (tt-metal normalization/layernorm).
  if (view.device.library >= LibraryRelease::R2026_04 && !sharded) {
    block = sumsInFp32(view) ? 4 : 8;
    row = alignUp(row, block);
  }
  DType dtype = view.input(0).dtype;
  auto add = [&](std::string_view name, int64_t tiles) { buffers.tiles(name, tiles, dtype); };
  if (sharded) buffers.inOperand("in0", shardTiles(view.input(0)), view, 0);
  else add("in0", row);
  if (residual) add("in1", 2 * block);
  add("scaler", 2);
  add("epsilon", 2);
  if (weight) add("weight", row);
  if (bias) add("bias", row);
  if (!view.is("rms_norm")) {
    add("x - mean", row);
    add("mean", 2);
    add("intermed6", 2 * block);
  }
  if (residual) add("in0 + in1", row);
  add("(x - mean)^2", row);
  add("variance", 2);
  add("1 / deviation", 8);
  if (weight || bias) add("intermed5", 2 * block);
  if (sharded && view.hasResult()) buffers.inResult("out", shardTiles(view.output()), view);
  else add("out", 2 * block);
}

// Training squares the input before it averages.
int64_t normIntermediates(const OpView& view) {
  bool squares = isTraining(view) && view.hasInput(0) && view.input(0).isL1();
  return squares ? l1BytesPerCore(view.input(0)).count : 0;
}

OpRule normRule(const OpView& view) {
  if (isBatchNorm(view)) return {"Batch normalization", "tt-metal normalization/batch_norm"};
  return {view.is("rms_norm") ? "RMS normalization" : "Layer normalization", "tt-metal normalization/layernorm"};
}

}  // namespace

const FamilyRules kNormRules = {{"Normalization", "tt-metal normalization/layernorm"},
                                normLegality,
                                normBuffers,
                                normIntermediates,
                                nullptr,
                                normRule};

}  // namespace tessera
