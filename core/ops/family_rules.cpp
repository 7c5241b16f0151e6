#include "core/ops/family_rules.h"

#include <algorithm>

namespace tessera {

const Shape& OpView::inputShape(int i) const {
  return query.graph.values[op.operands[static_cast<size_t>(i)]].type.tensor->shape;
}

bool OpView::hasResult() const { return !op.results.empty() && query.graph.values[op.results[0]].type.isTensor(); }

const Shape& OpView::resultShape() const { return query.graph.values[op.results[0]].type.tensor->shape; }

const FamilyRules& familyRules(Family family) {
  switch (family) {
    case Family::EltwiseUnary:
    case Family::EltwiseBinary:
    case Family::EltwiseTernary:
    case Family::Quantize: return kEltwiseRules;
    case Family::Typecast: return kTypecastRules;
    case Family::Matmul: return kMatmulRules;
    case Family::Conv: return kConvRules;
    case Family::Pool: return kPoolRules;
    case Family::Reduction: return kReductionRules;
    case Family::Softmax: return kSoftmaxRules;
    case Family::Norm: return kNormRules;
    case Family::Concat: return kConcatRules;
    case Family::Reshape: return kReshapeRules;
    case Family::Permute: return kPermuteRules;
    case Family::Slice:
    case Family::Pad:
    case Family::Repeat:
    case Family::Embedding:
    case Family::Gather:
    case Family::HeadReshape:
    case Family::Upsample: return kInterleavedMoveRules;
    case Family::ToLayout: return kToLayoutRules;
    case Family::RotaryEmbedding: return kRotaryRules;
    case Family::Attention:
    case Family::Sort:
    case Family::Creation:
    case Family::KvCache:
    case Family::Collective:
    case Family::D2m:
    case Family::PrepareWeights:
    case Family::Call:
    case Family::Opaque: return kDramOnlyRules;
    case Family::Device:
    case Family::Return: return kNoDeviceRules;
  }
  return kDramOnlyRules;
}

int64_t tileRows(const Shape& shape) {
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < shape.size(); ++i) {
    int64_t dim = std::max<int64_t>(shape[i], 1);
    rows *= i + 2 == shape.size() ? ceilDiv(dim, kTileSide) : dim;
  }
  return rows;
}

int64_t tileCols(const Shape& shape) { return shape.empty() ? 1 : ceilDiv(std::max<int64_t>(shape.back(), 1), kTileSide); }

int64_t tileCount(const Shape& shape) { return tileRows(shape) * tileCols(shape); }

Refused requireTiles(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
    if (view.input(i).page != PageLayout::Tile) return {Refusal::InputMustBeTile, i};
  }
  if (view.hasResult() && view.output().page != PageLayout::Tile) return {Refusal::OutputMustBeTile};
  return {};
}

int64_t computeCores(const OpView& view) {
  int64_t all = view.device.grid.volume();
  if (!view.hasResult()) return 1;
  if (view.output().sharded()) return coresUsed(view.output());
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).sharded() && view.input(i).isL1()) return coresUsed(view.input(i));
  }
  return std::clamp<int64_t>(tileCount(view.resultShape()), 1, all);
}

int64_t tilesTimesCycles(const OpView& view, int64_t tiles, int64_t cyclesPerTile) {
  return ceilDiv(tiles, std::max<int64_t>(computeCores(view), 1)) * cyclesPerTile;
}

int64_t readWhole(const OpView& view, int operand) {
  return totalBytes(view.inputShape(operand), view.input(operand)).count;
}

int64_t readResultSized(const OpView& view, int operand) {
  int64_t whole = readWhole(view, operand);
  if (!view.hasResult()) return whole;
  return std::min(whole, totalBytes(view.resultShape(), view.output()).count);
}

Bytes doubleBufferedTiles(const OpView& view) {
  bool nativeOutput = view.hasResult() && view.output().sharded() && view.output().isL1();
  int64_t bytes = 0;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    const TensorLayout& layout = view.input(i);
    bool backed = nativeOutput && layout.sharded() && layout.isL1() && layout.grid == view.output().grid;
    if (!backed) bytes += 2 * tileBytes(layout.dtype);
  }
  if (view.hasResult() && !nativeOutput) bytes += 2 * tileBytes(view.output().dtype);
  return Bytes(bytes);
}

}  // namespace tessera
