// What no rule of a family has to expect: queries that do not fit their op, shapes and layouts that are no tensor's.

#include <algorithm>

#include "core/ops/family_rules.h"

namespace tessera {

namespace {

// No device holds as many elements; products of a few tile counts stay within 63 bits below it.
constexpr int64_t kMostElements = int64_t{1} << 42;

// Padded to tiles, as most ops see it.
bool possibleShape(const Shape& shape) {
  int64_t elements = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 1 || shape[i] > kMostElements) return false;
    int64_t dim = i + 2 >= shape.size() ? alignUp(shape[i], kTileSide) : shape[i];
    if (!mulChecked(elements, dim, elements) || elements > kMostElements) return false;
  }
  return true;
}

// Shards cover the tensor; sizes are those of something.
bool possibleLayout(const Shape& shape, const TensorLayout& layout, const DeviceSpec& device) {
  if (layout.grid.rows < 1 || layout.grid.cols < 1 || layout.shardRows < 0 || layout.shardCols < 0) return false;
  if (layout.shardRows > kMostElements || layout.shardCols > kMostElements) return false;
  if (!layout.sharded()) return true;
  if (layout.isL1() && layout.grid.volume() > device.grid.volume()) return false;
  auto physical = physicalShape(shape, layout.page);
  if (!physical.ok() || layout.shardRows < 1 || layout.shardCols < 1) return false;
  return physical->rows <= mulSaturated(layout.shardRows, layout.grid.rows) && physical->cols <= mulSaturated(layout.shardCols, layout.grid.cols);
}

}  // namespace

Refused malformed(const OpQuery& query, const DeviceSpec& device) {
  if (!query.graph.ops.contains(query.op)) return {Refusal::MalformedQuery};
  const Op& op = query.graph.ops[query.op];
  if (query.inputs.size() != op.operands.size()) return {Refusal::MalformedQuery};
  for (size_t i = 0; i < op.operands.size(); ++i) {
    auto operand = static_cast<int>(i);
    if (!query.inputs[i]) continue;
    const ValueType& type = query.graph.values[op.operands[i]].type;
    if (!type.isTensor()) return {Refusal::MalformedQuery, operand};
    if (!possibleShape(type.tensor->shape)) return {Refusal::ImpossibleShape, operand};
    if (!possibleLayout(type.tensor->shape, *query.inputs[i], device)) return {Refusal::ForeignLayout, operand};
  }
  for (ValueId result : op.results) {
    const ValueType& type = query.graph.values[result].type;
    if (!type.isTensor()) continue;
    if (!possibleShape(type.tensor->shape)) return {Refusal::ImpossibleShape};
    // Results of one op may differ in shape, and share the layout of the first.
    if (result == op.results[0] && !possibleLayout(type.tensor->shape, query.config.output, device)) return {Refusal::ForeignLayout};
  }
  return {};
}

}  // namespace tessera
