#include "core/ops/rules/family_rules.h"

#include <algorithm>

namespace tessera {

OpView makeView(const OpQuery& query, const DeviceSpec& device, const OpFacts& facts) {
  return {query, query.graph.ops[query.op], *facts.info, device, facts, facts.base, facts.inputs};
}

const Shape& OpView::inputShape(int i) const {
  return query.graph.values[op.operands[static_cast<size_t>(i)]].type.tensor->shape;
}

bool OpView::hasResult() const { return !op.results.empty() && query.graph.values[op.results[0]].type.isTensor(); }

const Shape& OpView::resultShape() const { return query.graph.values[op.results[0]].type.tensor->shape; }

const FamilyRules& familyRules(Family family) {
  switch (family) {
    case Family::EltwiseUnary:
    case Family::Typecast: return kUnaryRules;
    case Family::EltwiseBinary: return kBinaryRules;
    case Family::EltwiseTernary: return kTernaryRules;
    case Family::Quantize: return kQuantizeRules;
    case Family::Matmul: return kMatmulRules;
    case Family::Conv: return kConvRules;
    case Family::Pool: return kPoolRules;
    case Family::Upsample: return kUpsampleRules;
    case Family::Reduction: return kReductionRules;
    case Family::Softmax: return kSoftmaxRules;
    case Family::Sort: return kSortRules;
    case Family::Norm: return kNormRules;
    case Family::Concat: return kConcatRules;
    case Family::Reshape: return kReshapeRules;
    case Family::Permute: return kPermuteRules;
    case Family::Slice: return kSliceRules;
    case Family::Pad: return kPadRules;
    case Family::Repeat: return kRepeatRules;
    case Family::Embedding: return kEmbeddingRules;
    case Family::Gather: return kGatherRules;
    case Family::ToLayout: return kToLayoutRules;
    case Family::Attention: return kAttentionRules;
    case Family::RotaryEmbedding: return kRotaryRules;
    case Family::HeadReshape: return kHeadRules;
    case Family::KvCache: return kCacheRules;
    case Family::Creation: return kCreationRules;
    case Family::D2m: return kD2mRules;
    case Family::Collective:
    case Family::Stablehlo:
    case Family::PrepareWeights:
    case Family::Call:
    case Family::Opaque: return kDramOnlyRules;
    case Family::Device:
    case Family::Return: return kNoDeviceRules;
  }
  return kDramOnlyRules;
}

// --- attributes and operands -----------------------------------------------------------------------------------------

int64_t attrInteger(const OpView& view, std::string_view name, int64_t otherwise) {
  const AttrValue* value = findAttr(view.op, name);
  return value && value->kind == AttrValueKind::Integer ? value->integer : otherwise;
}

bool attrFlag(const OpView& view, std::string_view name) {
  const AttrValue* value = findAttr(view.op, name);
  return value && value->integer != 0;
}

const std::vector<int64_t>* attrInts(const OpView& view, std::string_view name) {
  const AttrValue* value = findAttr(view.op, name);
  return value && value->kind == AttrValueKind::IntArray ? &value->ints : nullptr;
}

ComputeConfig computeConfig(const OpView& view) { return filledFrom(view.query.compute, view.facts.compute); }

bool sumsInFp32(const OpView& view, bool otherwise) { return computeConfig(view).fp32DestAcc.value_or(otherwise); }

int operandOf(const OpView& view, std::string_view role) {
  for (const auto& [name, operand] : view.facts.roles) {
    if (name == role) return operand;
  }
  return -1;
}

// --- legality --------------------------------------------------------------------------------------------------------

Refused interleavedOnly(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
    if (view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  if (view.hasResult() && view.output().sharded()) return {Refusal::OutputMustBeInterleaved};
  return {};
}

Refused requireTile(const OpView& view, int operand) {
  const TensorLayout& in = view.input(operand);
  if (in.buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, operand};
  return in.page == PageLayout::Tile ? Refused{} : Refused{Refusal::InputMustBeTile, operand};
}

Refused requireTiles(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (Refused refused = requireTile(view, i)) return refused;
  }
  if (view.hasResult() && view.output().page != PageLayout::Tile) return {Refusal::OutputMustBeTile};
  return {};
}

Refused interleavedTiles(const OpView& view) {
  Refused refused = requireTiles(view);
  return refused ? refused : interleavedOnly(view);
}

Refused sameSharding(const OpView& view, Refusal kind) {
  if (!view.hasInput(0) || !view.hasResult()) return {};
  const TensorLayout& in = view.input(0);
  const TensorLayout& out = view.output();
  if (in.sharded() != out.sharded()) return {kind, 0};
  bool alike = in.memory == out.memory && in.grid == out.grid && in.buffer == out.buffer;
  return in.sharded() && !alike ? Refused{Refusal::ShardingMismatch, 0} : Refused{};
}

bool shardedInL1(const TensorLayout& layout) { return layout.sharded() && layout.isL1(); }

bool shardedLikeOutput(const OpView& view, int operand) {
  if (!view.hasInput(operand) || !view.hasResult()) return false;
  const TensorLayout& in = view.input(operand);
  const TensorLayout& out = view.output();
  return shardedInL1(in) && shardedInL1(out) && in.memory == out.memory && in.grid == out.grid;
}

// --- sizes -----------------------------------------------------------------------------------------------------------

int64_t dimFromEnd(const Shape& shape, size_t fromEnd) {
  return fromEnd < shape.size() ? std::max<int64_t>(shape[shape.size() - 1 - fromEnd], 1) : 1;
}

int64_t tileRows(const Shape& shape) {
  int64_t rows = ceilDiv(dimFromEnd(shape, 1), kTileSide);
  for (size_t i = 2; i < shape.size(); ++i) rows *= dimFromEnd(shape, i);
  return rows;
}

int64_t tileCols(const Shape& shape) { return ceilDiv(dimFromEnd(shape, 0), kTileSide); }

int64_t shardTiles(const TensorLayout& layout) {
  return layout.page == PageLayout::Tile
             ? mulSaturated(layout.shardRows, layout.shardCols)
             : ceilDiv(mulSaturated(layout.shardRows, layout.shardCols), kTileSide * kTileSide);
}

int64_t tileCount(const Shape& shape) { return tileRows(shape) * tileCols(shape); }

int64_t largestDivisorUpTo(int64_t value, int64_t limit) {
  for (int64_t d = std::min(value, limit); d > 1; --d) {
    if (value % d == 0) return d;
  }
  return 1;
}

int64_t activationBlockRows(const OpView& view, int64_t outRows) {
  const auto* attrs = std::get_if<Conv2dAttrs>(&view.query.config.attrs);
  const int64_t rows = attrs && attrs->actBlockHOverride ? *attrs->actBlockHOverride : view.facts.conv.actBlockH;
  const int64_t asked = rows / kTileSide;
  return asked > 0 ? largestDivisorUpTo(outRows, std::min<int64_t>(asked, 1 << 16)) : outRows;
}

int64_t computeCores(const OpView& view) {
  int64_t all = view.device.grid.volume();
  if (!view.hasResult()) return 1;
  if (view.output().sharded()) return coresUsed(view.output());
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && shardedInL1(view.input(i))) return coresUsed(view.input(i));
  }
  return std::clamp<int64_t>(tileCount(view.resultShape()), 1, all);
}

int64_t interleavedL1Bytes(const OpView& view, const Shape& shape, DType dtype) {
  return ceilDiv(tileCount(shape), view.device.grid.volume()) * tileBytes(dtype);
}

TensorLayout interleavedResult(const OpView& view, BufferType buffer) {
  const TensorLayout& asked = view.output();
  GridShape grid = buffer == BufferType::L1 ? view.device.grid : GridShape{1, 1};
  auto made = makeLayout(view.resultShape(), {asked.dtype, buffer, TensorMemoryLayout::Interleaved, asked.page, grid},
                         view.device);
  return made.ok() ? *made : asked;
}

// --- circular buffers ------------------------------------------------------------------------------------------------

std::string_view operandBufferName(int operand) {
  constexpr std::string_view kNames[] = {"in0", "in1", "in2",  "in3",  "in4",  "in5",  "in6",  "in7",
                                         "in8", "in9", "in10", "in11", "in12", "in13", "in14", "in15"};
  return static_cast<size_t>(operand) < std::size(kNames) ? kNames[operand] : "in";
}

void BufferList::add(std::string_view name, int64_t count, int64_t pageBytes, DType dtype, BackedBy backedBy,
                     int operand) {
  constexpr int64_t kBeyondAnyL1 = int64_t{1} << 40;
  if (count < 1 || pageBytes < 1) return;
  if (buffers_.empty()) buffers_.reserve(8);
  buffers_.push_back({name, count, std::min(mulSaturated(count, pageBytes), kBeyondAnyL1), dtype, backedBy, operand});
}

int64_t BufferList::ownBytes() const {
  int64_t sum = 0;
  for (const CircularBuffer& buffer : buffers_) sum = addSaturated(sum, tessera::ownBytes(buffer));
  return sum;
}

int64_t BufferList::regionBytes(int64_t alignment) const {
  int64_t sum = 0;
  for (const CircularBuffer& buffer : buffers_) sum = addSaturated(sum, alignUp(tessera::ownBytes(buffer), alignment));
  return sum;
}

void twoTilesEach(const OpView& view, BufferList& buffers) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i)) buffers.tiles(operandBufferName(i), 2, view.input(i).dtype);
  }
  if (view.hasResult()) buffers.tiles("out", 2, view.output().dtype);
}

}  // namespace tessera
