#include "core/import/conform_attributes.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>

#include "core/ir/builder.h"
#include "core/ir/types.h"
#include "core/ops/table/op_attrs.h"
#include "core/support/float_text.h"

namespace tessera {

namespace {

bool isIntegerType(std::string_view type) {
  return type == "i32" || type == "si32" || type == "ui32" || type == "i64" || type == "si64" || type == "si8";
}

AttrValue floatAttrOf(double number) {
  AttrValue value;
  value.kind = AttrValueKind::Float;
  value.number = roundedToType(number, "f32");
  value.text = mlirFloatText(number, "f32") + " : f32";
  return value;
}

// [1 : i32, 2 : i32]
AttrValue listAttr(const std::vector<int64_t>& values, std::string_view element) {
  AttrValue value;
  value.kind = AttrValueKind::IntArray;
  value.ints = values;
  value.text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    value.text += (i > 0 ? ", " : "") + std::to_string(values[i]) + " : " + std::string(element);
  value.text += "]";
  return value;
}

// #ttnn.shape<1x2>
AttrValue shapeAttr(const std::vector<int64_t>& dims) {
  AttrValue value;
  value.kind = AttrValueKind::IntArray;
  value.ints = dims;
  value.text = "#ttnn.shape<" + (dims.empty() ? std::string() : shapeText(dims)) + ">";
  return value;
}

// "a|b": the alternative that begins with `word`, or "".
std::string_view alternative(std::string_view type, bool array) {
  while (!type.empty()) {
    std::string_view one = type.substr(0, type.find('|'));
    if ((one.substr(0, 5) == "array") == array && (array || isIntegerType(one))) return one;
    type.remove_prefix(std::min(one.size() + 1, type.size()));
  }
  return {};
}

std::string_view elementOf(std::string_view type) {
  size_t open = type.find('<');
  return open == std::string_view::npos ? std::string_view() : type.substr(open + 1, type.size() - open - 2);
}

// The value in the type of the definition; left alone when it is something else.
void conform(AttrValue& value, std::string_view type) {
  bool negativeUnsigned = value.integer < 0 && type == "ui32";
  if (value.kind == AttrValueKind::Integer) {
    std::string_view integer = alternative(type, false);
    if (integer.empty() || negativeUnsigned) return;
    value = intAttr(value.integer, integer);
  } else if (value.kind == AttrValueKind::Float && type == "f32") {
    value = floatAttrOf(value.number);
  } else if (value.kind == AttrValueKind::IntArray && value.text.rfind('#', 0) != 0) {
    if (type == "shape") value = shapeAttr(value.ints);
    else if (type.substr(0, 5) == "list<") value = listAttr(value.ints, elementOf(type));
    else if (std::string_view array = alternative(type, true); !array.empty())
      value = intArrayAttr(value.ints, elementOf(array));
  }
}

// Names of this revision for ops that the table knows by older ones. Before layouts are taken apart, an op that changes
// more than the page layout is another one.
std::string_view nameNow(const Op& op, bool layoutsDecomposed) {
  if (op.name == "ttnn.upsample2d") return "ttnn.upsample";
  if (op.name == "ttnn.embedding_backward") return "ttnn.embedding_bw";
  bool more = findAttr(op, "memory_config") != nullptr || findAttr(op, "dtype") != nullptr;
  if (op.name == "ttnn.to_layout" && more && !layoutsDecomposed) return "ttnn.to_tensor_spec";
  return op.name;
}

// Where a tensor lies and what its elements are is said by the result's type alone since 2026-05 (tt-mlir pulls 7548,
// 8555, 8699): these ops have no such attributes any more, and text that gives them is not read.
bool saidByTheType(std::string_view op, std::string_view attr) {
  constexpr std::string_view kOps[] = {
      "ttnn.typecast", "ttnn.to_layout", "ttnn.to_tensor_spec", "ttnn.to_device", "ttnn.to_memory_config", "ttnn.empty",
      "ttnn.full",     "ttnn.zeros",     "ttnn.ones",           "ttnn.constant",  "ttnn.arange",           "ttnn.rand"};
  if (attr != "dtype" && attr != "layout" && attr != "memory_config") return false;
  return std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps);
}

std::optional<AttrValue> defaultOf(const OpAttr& attr) {
  std::string_view text = attr.defaultValue;
  if (text.empty()) return {};
  if (attr.type == "bool") return boolAttr(text == "true");
  if (attr.type == "f32") return floatAttrOf(std::strtod(std::string(text).c_str(), nullptr));
  if (attr.type == "str") return stringAttr(text.substr(1, text.size() - 2));
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return intAttr(number, attr.type);
}

}  // namespace

void conformAttributes(Graph& graph, bool layoutsDecomposed) {
  for (OpId id : graph.ops.ids()) {
    if (!graph.ops[id].func.valid()) continue;
    Op& op = graph.ops.edit(id);
    bool added = false;
    op.name = std::string(nameNow(op, layoutsDecomposed));
    std::erase_if(op.attrs.own(), [&](const Attribute& attr) { return saidByTheType(op.name, attr.name); });
    for (const OpAttr& attr : opAttributes(op.name)) {
      auto at = op.attrs.begin();
      while (at != op.attrs.end() && at->name != attr.name) ++at;
      if (at != op.attrs.end()) {
        conform(at->value, attr.type);
      } else if (std::optional<AttrValue> value = defaultOf(attr)) {
        op.attrs.push_back({std::string(attr.name), std::move(*value)});
        added = true;
      }
    }
    if (added) sortAttrs(op.attrs);
  }
}

}  // namespace tessera
