#include "core/ops/model/interner.h"

#include <algorithm>
#include <cstring>

#include "core/ops/shapes/shape_rules.h"

namespace tessera {

namespace {

void addAttribute(Key& key, const Attribute& attribute) {
  const AttrValue& value = attribute.value;
  addText(key, attribute.name);
  addText(key, value.text);
  addText(key, value.string);
  key.push_back(static_cast<uint32_t>(value.kind));
  addWords(key, static_cast<uint64_t>(value.integer));
  uint64_t bits = 0;  // no std::bit_cast in emcc 3.1.6
  std::memcpy(&bits, &value.number, sizeof bits);
  addWords(key, bits);
  addWords(key, static_cast<uint64_t>(value.bytes));
  key.push_back(static_cast<uint32_t>(value.ints.size()));
  for (int64_t number : value.ints) addWords(key, static_cast<uint64_t>(number));
}

void addType(Key& key, const ValueType& type) {
  key.push_back(type.isTensor());
  if (!type.isTensor()) return;
  const TensorType& tensor = *type.tensor;
  key.push_back(static_cast<uint32_t>(tensor.dtype));
  key.push_back(static_cast<uint32_t>(tensor.shape.size()));
  for (int64_t dim : tensor.shape) addWords(key, static_cast<uint64_t>(dim));
}

// A program config was written for this layout (OpFacts::programResult).
void addLayout(Key& key, const ValueType& type) {
  const bool known = type.isTensor() && type.tensor->layout;
  key.push_back(known);
  if (!known) return;
  const TensorLayout& layout = *type.tensor->layout;
  for (auto part : {static_cast<uint32_t>(layout.buffer), static_cast<uint32_t>(layout.memory),
                    static_cast<uint32_t>(layout.page), static_cast<uint32_t>(layout.dtype)})
    key.push_back(part);
  for (int64_t part : {int64_t{layout.grid.rows}, int64_t{layout.grid.cols}, layout.shardRows, layout.shardCols})
    addWords(key, static_cast<uint64_t>(part));
}

}  // namespace

Key opClassKey(const Graph& graph, OpId id) {
  const Op& op = graph.ops[id];
  Key key{static_cast<uint32_t>(op.kind), static_cast<uint32_t>(inputCount(graph, id)),
          static_cast<uint32_t>(op.attrs.size())};
  addText(key, op.name);
  for (const Attribute& attribute : op.attrs) addAttribute(key, attribute);
  for (const auto* values : {&op.operands, &op.results}) {
    key.push_back(static_cast<uint32_t>(values->size()));
    for (ValueId value : *values) {
      // Of an operand that stands twice, where it stands first.
      key.push_back(static_cast<uint32_t>(std::find(values->begin(), values->end(), value) - values->begin()));
      addType(key, graph.values[value].type);
    }
  }
  for (ValueId result : op.results) addLayout(key, graph.values[result].type);
  return key;
}

uint32_t Interner::typeOf(const TensorType& type) {
  Key key{static_cast<uint32_t>(type.dtype)};
  for (int64_t dim : type.shape) addWords(key, static_cast<uint64_t>(dim));
  return static_cast<uint32_t>(types.numberOf(key));
}

}  // namespace tessera
