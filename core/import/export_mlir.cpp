#include "core/import/export_mlir.h"

#include <algorithm>
#include <unordered_map>

#include "core/import/mlir_snippet.h"
#include "core/ir/builder.h"
#include "core/ops/op_table.h"
#include "core/text/raw_text.h"

namespace tessera {

namespace {

const DeviceSpec& deviceOrDefault(const DeviceSpec* device) { return device != nullptr ? *device : allDevices().front(); }

std::string tensorHead(const TensorType& tensor) {
  std::string out = "tensor<";
  for (int64_t dim : tensor.shape) out += std::to_string(dim) + "x";
  return out + (tensor.element.empty() ? std::string(dtypeName(tensor.dtype)) : tensor.element);
}

std::string attrName(std::string_view name) { return text::isBareId(name) ? std::string(name) : quotedMlir(name); }
std::string symbolName(std::string_view name) { return text::isPlainSymbol(name) ? std::string(name) : quotedMlir(name); }

class Exporter {
 public:
  Exporter(const Graph& graph, const DeviceSpec& device) : graph_(graph), device_(device) {}

  std::string run() {
    std::string body;
    for (const Function& func : graph_.funcs) body += function(func);
    std::string head = "module";
    if (!graph_.name.empty()) head += " @" + symbolName(graph_.name);
    if (!graph_.attrs.empty()) head += " attributes " + attrs(graph_.attrs);
    return aliases_ + head + " {\n" + body + "}\n";
  }

 private:
  // Layouts are named #layout, #layout1 ... in order of first use.
  std::string type(const ValueType& value) {
    if (!value.isTensor()) return value.opaque;
    const TensorType& tensor = *value.tensor;
    std::string out = tensorHead(tensor);
    if (tensor.layout) out += ", " + layoutAlias(mlirLayoutText(tensor, &device_));
    else if (!tensor.encoding.empty()) out += ", " + tensor.encoding;
    return out + ">";
  }

  std::string layoutAlias(const std::string& text) {
    auto [at, isNew] = layouts_.emplace(text, "");
    if (isNew) {
      size_t number = layouts_.size() - 1;
      at->second = "#layout" + (number == 0 ? std::string() : std::to_string(number));
      aliases_ += at->second + " = " + text + "\n";
    }
    return at->second;
  }

  std::string types(const std::vector<ValueType>& list) {
    std::string out;
    for (size_t i = 0; i < list.size(); ++i) out += (i > 0 ? ", " : "") + type(list[i]);
    return out;
  }

  static std::string attrs(const std::vector<Attribute>& list) {
    std::string out = "{";
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out += ", ";
      out += attrName(list[i].name);
      if (list[i].value.kind != AttrValueKind::Unit) out += " = " + list[i].value.text;
    }
    return out + "}";
  }

  std::string arguments(const Function& func) {
    std::string out;
    for (size_t i = 0; i < func.args.size(); ++i) {
      const Value& arg = graph_.values[func.args[i]];
      out += (i > 0 ? ", " : "") + std::string("%") + arg.name + ": " + type(arg.type);
      std::vector<Attribute> list = argumentAttrs(arg.role, arg.label, arg.attrs);
      if (!list.empty()) out += " " + attrs(list);
    }
    return out;
  }

  std::string results(const Function& func, const std::vector<std::string>& resultAttrs) {
    if (func.resultTypes.empty()) return "";
    std::string out = " -> (";
    for (size_t i = 0; i < func.resultTypes.size(); ++i) {
      out += (i > 0 ? ", " : "") + type(func.resultTypes[i]);
      if (i < resultAttrs.size() && resultAttrs[i] != "{}") out += " " + resultAttrs[i];
    }
    return out + ")";
  }

  std::string function(const Function& func) {
    std::vector<Attribute> list = func.attrs;
    std::vector<std::string> resultAttrs;
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].name != "res_attrs") continue;
      resultAttrs = splitMlirArray(list[i].value.text);
      if (resultAttrs.size() != func.resultTypes.size()) {
        resultAttrs.clear();
        continue;
      }
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
    // One statement each: layouts are named when they are first written, and the operands of one + are evaluated in any order.
    std::string out = std::string("  func.func ") + (func.isPrivate ? "private " : "") + "@" + symbolName(func.name);
    out += "(" + arguments(func) + ")";
    out += results(func, resultAttrs);
    if (!list.empty()) out += " attributes " + attrs(list);
    if (func.ops.empty()) return out + "\n";
    out += " {\n";
    for (OpId id : func.ops) out += op(graph_.ops[id]);
    return out + "  }\n";
  }

  std::string use(ValueId id) const {
    const Value& value = graph_.values[id];
    if (value.index == 0 || !value.producer.valid()) return "%" + value.name;
    const Value& first = graph_.values[graph_.ops[value.producer].results.front()];
    return "%" + first.name + "#" + std::to_string(value.index);
  }

  std::string op(const Op& op) {
    std::string out = "    ";
    if (!op.results.empty()) {
      out += "%" + graph_.values[op.results.front()].name;
      if (op.results.size() > 1) out += ":" + std::to_string(op.results.size());
      out += " = ";
    }
    out += quotedMlir(op.name) + "(";
    for (size_t i = 0; i < op.operands.size(); ++i) out += (i > 0 ? ", " : "") + use(op.operands[i]);
    out += ")";
    if (!op.attrs.empty()) out += " " + attrs(op.attrs);
    out += " : (";
    for (size_t i = 0; i < op.operands.size(); ++i) out += (i > 0 ? ", " : "") + type(graph_.values[op.operands[i]].type);
    out += ") -> ";
    bool alone = op.results.size() == 1;
    if (!alone) out += "(";
    for (size_t i = 0; i < op.results.size(); ++i) out += (i > 0 ? ", " : "") + type(graph_.values[op.results[i]].type);
    if (!alone) out += ")";
    if (!op.loc.empty()) out += " loc(" + quotedMlir(op.loc) + ")";
    return out + "\n";
  }

  const Graph& graph_;
  const DeviceSpec& device_;
  std::unordered_map<std::string, std::string> layouts_;
  std::string aliases_;
};

}  // namespace

std::string mlirLayoutText(const TensorType& tensor, const DeviceSpec* device) {
  if (!tensor.layout) return "";
  if (tensor.written && tensor.written->layout == *tensor.layout) return printTtnnLayoutAttr(tensor.shape, *tensor.written, deviceOrDefault(device));
  return printTtnnLayout(tensor.shape, *tensor.layout, deviceOrDefault(device));
}

std::string mlirTypeText(const ValueType& type, const DeviceSpec* device) {
  if (!type.isTensor()) return type.opaque;
  std::string out = tensorHead(*type.tensor);
  if (type.tensor->layout) out += ", " + mlirLayoutText(*type.tensor, device);
  else if (!type.tensor->encoding.empty()) out += ", " + type.tensor->encoding;
  return out + ">";
}

std::string exportMlir(const Graph& graph, const DeviceSpec* device) { return Exporter(graph, deviceOrDefault(device)).run(); }

}  // namespace tessera
