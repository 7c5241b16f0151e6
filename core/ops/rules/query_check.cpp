// What no rule of a family has to expect: queries that do not fit their op, shapes and layouts that are no tensor's.

#include <algorithm>

#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

// No device holds as many elements; products of a few tile counts stay within 63 bits below it.
constexpr int64_t kMostElements = int64_t{1} << 42;

// Shards cover the tensor; sizes are those of something.
bool possibleLayout(const CheckedValue& value, const TensorLayout& layout, const DeviceSpec& device) {
  if (layout.grid.rows < 1 || layout.grid.cols < 1 || layout.shardRows < 0 || layout.shardCols < 0) return false;
  if (layout.shardRows > kMostElements || layout.shardCols > kMostElements) return false;
  if (!layout.sharded()) return true;
  if (layout.isL1() && layout.grid.volume() > device.grid.volume()) return false;
  const PhysicalShape& physical = value.in(layout.page);
  if (layout.shardRows < 1 || layout.shardCols < 1) return false;
  return physical.rows <= mulSaturated(layout.shardRows, layout.grid.rows) &&
         physical.cols <= mulSaturated(layout.shardCols, layout.grid.cols);
}

// Tiles or rows; products of two such sizes and a tile's bytes stay within 63 bits.
constexpr int64_t kMostBlock = int64_t{1} << 24;

bool possibleProgram(const MatmulAttrs& m) {
  for (int64_t size : {m.perCoreM, m.perCoreN, m.in0BlockW, m.outSubblockH, m.outSubblockW, m.outBlockH, m.outBlockW}) {
    if (size < 0 || size > kMostBlock) return false;
  }
  return true;
}

bool possibleConfig(const OpConfig& config) {
  auto possible = [](int64_t size) { return size >= 0 && size <= kMostBlock; };
  if (const auto* conv = std::get_if<Conv2dAttrs>(&config.attrs)) return possible(conv->actBlockHOverride.value_or(0));
  const auto* m = std::get_if<MatmulAttrs>(&config.attrs);
  return !m || possibleProgram(*m);
}

}  // namespace

// Padded to tiles, as most ops see it.
Refusal shapeDefect(const Shape& shape) {
  for (int64_t dim : shape) {
    if (dim < 1) return Refusal::EmptyTensor;
  }
  int64_t elements = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] > kMostElements) return Refusal::TensorTooLarge;
    int64_t dim = i + 2 >= shape.size() ? alignUp(shape[i], kTileSide) : shape[i];
    if (!mulChecked(elements, dim, elements) || elements > kMostElements) return Refusal::TensorTooLarge;
  }
  return Refusal::None;
}

Refusal foreignQuery(const OpQuery& query) {
  if (!query.graph.ops.contains(query.op)) return Refusal::NoSuchOp;
  return query.inputs.size() == query.graph.ops[query.op].operands.size() ? Refusal::None : Refusal::LayoutCount;
}

Refused malformed(const OpView& view) {
  for (size_t i = 0; i < view.op.operands.size(); ++i) {
    auto operand = static_cast<int>(i);
    if (!view.query.inputs[i]) continue;
    const CheckedValue& value = view.facts.operands[i];
    if (value.defect != Refusal::None) return {value.defect, operand};
    if (!possibleLayout(value, *view.query.inputs[i], view.device)) return {Refusal::ForeignLayout, operand};
  }
  for (const CheckedValue& result : view.facts.results) {
    if (result.defect != Refusal::None) return {result.defect};
  }
  if (!possibleConfig(view.query.config) || (view.facts.program && !possibleProgram(*view.facts.program)))
    return {Refusal::ImpossibleConfig};
  // Results of one op may differ in shape, and share the layout of the first.
  if (view.hasResult() && !possibleLayout(view.facts.results[0], view.output(), view.device))
    return {Refusal::ForeignLayout};
  return {};
}

}  // namespace tessera
