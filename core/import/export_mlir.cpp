#include "core/import/export_mlir.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <unordered_map>

#include "core/import/alias_table.h"
#include "core/import/mlir_snippet.h"
#include "core/import/value_names.h"
#include "core/ir/bodies.h"
#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"
#include "core/text/raw_text.h"

namespace tessera {

namespace {

const DeviceSpec& deviceOrDefault(const DeviceSpec* device) {
  return device != nullptr ? *device : allDevices().front();
}

// `signless`: StableHLO has no signed integers beside those without a sign, and both are one type here.
std::string tensorHead(const TensorType& tensor, bool signless) {
  std::string out = "tensor<";
  for (int64_t dim : tensor.shape) out += std::to_string(dim) + "x";
  if (!tensor.element.empty()) return out + tensor.element;
  // MLIR has no scalar type for a number whose exponent is its block's: the tile is the element.
  if (isBlockFloat(tensor.dtype)) return out + "!ttcore.tile<32x32, " + std::string(dtypeName(tensor.dtype)) + ">";
  bool holds = !tensor.spelled.empty() && parseDType(tensor.spelled) == tensor.dtype;
  if (signless && !holds && tensor.dtype == DType::I32) return out + "i32";
  return out + (holds ? tensor.spelled : std::string(dtypeName(tensor.dtype)));
}

std::string attrName(std::string_view name) { return text::isBareId(name) ? std::string(name) : quotedMlir(name); }
std::string symbolName(std::string_view name) {
  return text::isPlainSymbol(name) ? std::string(name) : quotedMlir(name);
}

// Dialects whose ops keep their inherent attributes as properties, <{...}>; the names of all others have a dot.
bool hasProperties(std::string_view op) {
  for (std::string_view dialect : {"ttir.", "ttnn.", "ttcore.", "ttmetal.", "d2m.", "stablehlo."}) {
    if (op.substr(0, dialect.size()) == dialect) return true;
  }
  return false;
}

// Nothing of it has left StableHLO.
bool isStableHlo(const Graph& graph) {
  bool found = false;
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) {
      const std::string_view name = graph.ops[op].name;
      if (name.rfind("ttir.", 0) == 0 || name.rfind("ttnn.", 0) == 0) return false;
      found = found || name.rfind("stablehlo.", 0) == 0;
    }
  }
  return found;
}

// `ttcore.device` is read as an attribute of its module: "@default_device = <...>".
bool describesDevice(const Attribute& attr) { return attr.name == "ttcore.device" || attr.name == "tt.device"; }

// How many numbers `tensor<2x3xf32>` has.
int64_t denseCount(const std::string& type) {
  int64_t count = 1;
  for (size_t at = type.find('<') + 1; at < type.size() && type[at] >= '0' && type[at] <= '9';) {
    size_t end = type.find('x', at);
    if (end == std::string::npos || !mulChecked(count, std::strtoll(type.c_str() + at, nullptr, 10), count))
      return std::numeric_limits<int64_t>::max();
    at = end + 1;
  }
  return count;
}

class Exporter {
 public:
  Exporter(const Graph& graph, const DeviceSpec& device, const MlirPrintOptions& options)
      : graph_(graph),
        device_(device),
        options_(options),
        signless_(isStableHlo(graph)),
        aliases_(!options.localScope) {}

  std::string run() {
    std::string head, tail;
    for (const EnclosingModule& module : graph_.enclosing) {
      head += moduleHead(module.op, module.name, module.attrs);
      tail = indent() + "}\n" + tail;
      ++depth_;
      if (!module.after.empty()) tail = indented(module.after) + tail;
    }
    head += moduleHead("builtin.module", graph_.name, graph_.attrs);
    tail = indent() + "}\n" + tail;
    ++depth_;
    for (const Attribute& attr : graph_.attrs) {
      if (describesDevice(attr)) head += indent() + attr.name + " " + attr.value.string + "\n";
    }
    std::string body = functions();
    return aliases_.definitions() + head + body + tail;
  }

 private:
  std::string indent() const { return std::string(2 * depth_, ' '); }

  std::string indented(const std::string& lines) const {
    std::string out;
    for (size_t at = 0; at < lines.size();) {
      size_t end = std::min(lines.find('\n', at), lines.size());
      out += indent() + lines.substr(at, end - at) + "\n";
      at = end + 1;
    }
    return out;
  }

  std::string moduleHead(const std::string& op, const std::string& name, const AttrList& list) {
    std::string out = indent() + (op == "builtin.module" && depth_ == 0 ? std::string("module") : op);
    if (!name.empty()) out += " @" + symbolName(name);
    AttrList own;
    for (const Attribute& attr : list) {
      if (!describesDevice(attr)) own.push_back(attr);
    }
    if (!own.empty()) out += " attributes " + attrs(own);
    return out + " {\n";
  }

  // What is hoisted out of a function stands before it.
  std::string functions() {
    std::unordered_map<std::string_view, FuncId> hoisted;
    for (FuncId id : graph_.funcs.ids()) {
      if (graph_.funcs[id].isPrivate && !graph_.funcs[id].ops.empty()) hoisted.emplace(graph_.funcs[id].name, id);
    }
    IdVec<FuncId, char> printed(graph_.funcs.size(), 0);
    std::string out;
    for (FuncId id : graph_.funcs.ids()) {
      for (OpId op : graph_.funcs[id].ops) {
        const AttrValue* callee =
            graph_.ops[op].name == "ttcore.load_cached" ? findAttr(graph_.ops[op], "callee") : nullptr;
        auto at = callee != nullptr ? hoisted.find(callee->string) : hoisted.end();
        if (at == hoisted.end() || at->second == id || printed[at->second]) continue;
        printed[at->second] = 1;
        out += function(graph_.funcs[at->second]);
      }
      if (!printed[id]) out += function(graph_.funcs[id]);
      printed[id] = 1;
    }
    return out;
  }

  std::string type(const ValueType& value) {
    if (!value.isTensor()) return aliases_.attribute(value.opaque);
    const TensorType& tensor = *value.tensor;
    std::string out = tensorHead(tensor, signless_);
    if (tensor.layout) out += ", " + aliases_.layout(mlirLayoutText(tensor, &device_));
    else if (!tensor.encoding.empty()) out += ", " + encoding(tensor.encoding);
    out += text::closingAngle(out);
    return out;
  }

  std::string encoding(const std::string& text) {
    return text.rfind("#ttnn.ttnn_layout<", 0) == 0 ? aliases_.layout(text) : aliases_.attribute(text);
  }

  // "t", "(t, t)", "()".
  std::string outputs(const std::vector<ValueType>& list) {
    std::string out = types(list);
    return list.size() == 1 ? out : "(" + out + ")";
  }

  std::string types(const std::vector<ValueType>& list) {
    std::string out;
    for (size_t i = 0; i < list.size(); ++i) out += (i > 0 ? ", " : "") + type(list[i]);
    return out;
  }

  std::vector<ValueType> typesOf(const std::vector<ValueId>& values) const {
    std::vector<ValueType> out;
    for (ValueId id : values) out.push_back(graph_.values[id].type);
    return out;
  }

  std::string attrs(const AttrList& list) {
    std::string out = "{";
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out += ", ";
      out += attrName(list[i].name);
      if (list[i].value.kind != AttrValueKind::Unit) out += " = " + aliases_.attribute(shown(list[i].value.text));
    }
    return out + "}";
  }

  // The numbers of a constant have its result's type in the same spelling: to MLIR si32 and i32 are two types.
  Attribute spelledAsResult(const Attribute& attr, const Op& op) const {
    const bool constant = op.kind == OpKind::ShloConstant || op.kind == OpKind::TtirConstant;
    if (!constant || attr.name != "value" || op.results.size() != 1) return attr;
    const ValueType& type = graph_.values[op.results[0]].type;
    const std::string& text = attr.value.text;
    const size_t tensor = text.rfind("> : tensor<"), element = text.find_last_of("x<");
    if (!type.isTensor() || !type.tensor->element.empty() || tensor == std::string::npos) return attr;
    if (parseDType(text.substr(element + 1, text.size() - element - 2)) != type.tensor->dtype) return attr;
    return {attr.name, rawAttr(text.substr(0, tensor + 4) + tensorHead(*type.tensor, signless_) + ">")};
  }

  // dense<[...]> : tensor<2x3xf32>, without its numbers when there are too many.
  std::string shown(const std::string& text) const {
    if (options_.elideLarger < 0 || text.rfind("dense<", 0) != 0) return text;
    const size_t type = text.rfind("> : ");
    const bool list = text[6] == '[' || text[6] == '"';
    if (!list || type == std::string::npos || denseCount(text.substr(type + 4)) <= options_.elideLarger) return text;
    return "dense_resource<__elided__" + text.substr(type);
  }

  std::string arguments(const Function& func, const ValueNames& names) {
    std::string out;
    for (size_t i = 0; i < func.args.size(); ++i) {
      const Value& arg = graph_.values[func.args[i]];
      out += i > 0 ? ", " : "";
      if (!func.ops.empty() || !options_.renumber) out += names.use(func.args[i]) + ": ";
      out += type(arg.type);
      AttrList list = argumentAttrs(arg.role, arg.label, arg.attrs);
      if (!list.empty()) out += " " + attrs(list);
    }
    return out;
  }

  std::string results(const Function& func, const std::vector<std::string>& resultAttrs) {
    if (func.resultTypes.empty()) return "";
    std::string out;
    bool plain = func.resultTypes.size() == 1;
    for (size_t i = 0; i < func.resultTypes.size(); ++i) {
      out += (i > 0 ? ", " : "") + type(func.resultTypes[i]);
      if (i >= resultAttrs.size() || resultAttrs[i] == "{}") continue;
      out += " " + aliases_.attribute(resultAttrs[i]);
      plain = false;
    }
    return " -> " + (plain ? out : "(" + out + ")");
  }

  static std::vector<std::string> takeResultAttrs(AttrList& list, size_t results) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].name != "res_attrs") continue;
      std::vector<std::string> found = splitMlirArray(list[i].value.text);
      if (found.size() != results) continue;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      return found;
    }
    return {};
  }

  std::string function(const Function& func) {
    if (!func.declaration.empty()) return indented(func.declaration);
    AttrList list = func.attrs;
    std::vector<std::string> resultAttrs = takeResultAttrs(list, func.resultTypes.size());
    ValueNames names(graph_, func, options_.renumber);
    // One statement each: layouts are named when they are first written, and the operands of one + are evaluated in any
    // order.
    std::string out = indent() + "func.func ";
    out += func.isPrivate ? "private " : func.saysPublic ? "public " : "";
    out += "@" + symbolName(func.name) + "(" + arguments(func, names) + ")";
    out += results(func, resultAttrs);
    if (!list.empty()) out += " attributes " + attrs(list);
    if (func.ops.empty()) return out + "\n";
    out += " {\n";
    ++depth_;
    for (OpId id : func.ops) out += op(graph_.ops[id], names);
    --depth_;
    return out + indent() + "}\n";
  }

  static std::string operands(const Op& op, const ValueNames& names) {
    std::string out;
    for (size_t i = 0; i < op.operands.size(); ++i) out += (i > 0 ? ", " : "") + names.use(op.operands[i]);
    return out;
  }

  std::string op(const Op& op, const ValueNames& names) {
    std::string out = indent() + names.definition(op);
    if (op.kind == OpKind::FuncReturn) out += returned(op, names);
    else if (op.kind == OpKind::FuncCall || op.kind == OpKind::TtcoreLoadCached) out += called(op, names);
    else out += generic(op, names);
    if (options_.locations && !op.loc.empty()) out += " loc(" + quotedMlir(op.loc) + ")";
    return out + "\n";
  }

  std::string returned(const Op& op, const ValueNames& names) {
    std::string out = "return";
    if (!op.attrs.empty()) out += " " + attrs(op.attrs);
    if (op.operands.empty()) return out;
    out += " " + operands(op, names) + " : ";
    return out + types(typesOf(op.operands));
  }

  std::string called(const Op& op, const ValueNames& names) {
    const AttrValue* callee = findAttr(op, "callee");
    if (callee == nullptr) return generic(op, names);
    bool call = op.kind == OpKind::FuncCall;
    std::string symbol = "@" + symbolName(callee->string);
    std::string out = call ? "call " + symbol + "(" + operands(op, names) + ")"
                           : "ttcore.load_cached(" + symbol + ", [" + operands(op, names) + "])";
    AttrList rest;
    for (const Attribute& attr : op.attrs) {
      if (attr.name != "callee") rest.push_back(attr);
    }
    if (!rest.empty()) out += " " + attrs(rest);
    out += " : (" + types(typesOf(op.operands)) + ") -> ";
    return out + outputs(typesOf(op.results));
  }

  std::string generic(const Op& op, const ValueNames& names) {
    std::string out = quotedMlir(op.name) + "(" + operands(op, names) + ")";
    AttrList inherent, discardable;
    bool properties = hasProperties(op.name);
    for (const Attribute& attr : op.attrs)
      (properties && attr.name.find('.') == std::string::npos ? inherent : discardable)
          .push_back(spelledAsResult(attr, op));
    if (!inherent.empty()) out += " <" + attrs(inherent) + ">";
    if (!discardable.empty()) out += " " + attrs(discardable);
    out += " : (" + types(typesOf(op.operands)) + ") -> ";
    return out + outputs(typesOf(op.results));
  }

  const Graph& graph_;
  const DeviceSpec& device_;
  const MlirPrintOptions& options_;
  bool signless_;
  AliasTable aliases_;
  size_t depth_ = 0;
};

}  // namespace

std::string mlirLayoutText(const TensorType& tensor, const DeviceSpec* device) {
  if (!tensor.layout) return "";
  bool asWritten = tensor.written && tensor.written->layout == *tensor.layout;
  if (asWritten && !tensor.encoding.empty()) return tensor.encoding;
  if (asWritten) return printTtnnLayoutAttr(tensor.shape, *tensor.written, deviceOrDefault(device));
  return printTtnnLayout(tensor.shape, *tensor.layout, deviceOrDefault(device));
}

std::string exportMlir(const Graph& graph, const DeviceSpec* device, const MlirPrintOptions& options) {
  if (graph.bodies) return exportMlir(withBodiesInside(graph), device, options);
  return Exporter(graph, deviceOrDefault(device), options).run();
}

}  // namespace tessera
