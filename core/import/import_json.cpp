#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/import/finish_graph.h"
#include "core/import/function_importer.h"
#include "core/import/graph_json.h"
#include "core/import/import_mlir.h"
#include "core/import/mlir_snippet.h"
#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"
#include "core/support/json_value.h"
#include "core/text/chars.h"
#include "core/text/raw_text.h"
#include "core/text/syntax.h"

namespace tessera {

namespace {

// Where we are in the document; a chain on the stack, made into text only for a diagnostic.
struct Path {
  const Path* parent = nullptr;
  std::string_view key;
  int64_t index = -1;  // of an array element

  std::string text() const {
    std::vector<const Path*> chain;
    for (const Path* at = this; at != nullptr; at = at->parent) chain.push_back(at);
    std::string out;
    for (size_t i = chain.size(); i > 0; --i) {
      const Path& part = *chain[i - 1];
      if (part.index >= 0) out += "[" + std::to_string(part.index) + "]";
      else if (!part.key.empty()) out += (out.empty() ? "" : ".") + std::string(part.key);
    }
    return out.empty() ? "the document" : out;
  }
};

bool isValueName(std::string_view name) { return !name.empty() && text::idEnd(name, 0) == name.size(); }

class JsonImporter {
 public:
  explicit JsonImporter(Diagnostics& diags) : diags_(diags) {}

  Graph run(JsonValue root) {
    Path top;
    if (!expectObject(root, top, {"format", "version", "name", "attrs", "forward", "functions"})) return {};
    if (!checkVersion(root, top)) return {};
    if (auto name = optionalString(root, "name", top)) graph_.name = std::string(*name);
    graph_.attrs = attrs(root, top);
    Path path{&top, "functions"};
    JsonValue functions = root.get("functions");
    if (!functions.isArray()) mistake(functions, root, path, "an array of functions");
    for (size_t i = 0; i < functions.size(); ++i) {
      Path at{&path, {}, static_cast<int64_t>(i)};
      readFunction(functions.at(i), at);
    }
    readForward(root, top);
    unknown_.report(DiagKind::UnknownOp, diags_);
    if (!diags_.hasErrors()) finishGraph(graph_, root.span(), diags_);
    return std::move(graph_);
  }

 private:
  // `value` is absent or wrong; an absent one has the place of its `parent`.
  void mistake(JsonValue value, JsonValue parent, const Path& path, std::string_view expected) {
    std::string seen = value.present() ? jsonKindName(value.kind()) : "missing";
    diags_.report(DiagKind::JsonSchema, value.present() ? value.span() : parent.span(), {path.text(), seen, expected});
  }
  void wrong(JsonValue value, const Path& path, std::string_view seen, std::string_view expected) {
    diags_.report(DiagKind::JsonSchema, value.span(), {path.text(), seen, expected});
  }

  bool expectObject(JsonValue value, const Path& path, std::initializer_list<std::string_view> members) {
    if (!value.isObject()) {
      mistake(value, value, path, "an object");
      return false;
    }
    for (size_t i = 0; i < value.size(); ++i) {
      std::string_view key = value.keyAt(i);
      if (std::find(members.begin(), members.end(), key) != members.end()) continue;
      std::string known;
      for (std::string_view member : members) known += (known.empty() ? "`" : ", `") + std::string(member) + "`";
      wrong(value.at(i), Path{&path, key}, "unknown here", "one of " + known);
    }
    return true;
  }

  std::optional<std::string_view> optionalString(JsonValue object, std::string_view name, const Path& path) {
    JsonValue value = object.get(name);
    if (value.present() && !value.isString()) mistake(value, object, Path{&path, name}, "a string");
    return value.asString();
  }
  std::optional<std::string_view> neededString(JsonValue object, std::string_view name, const Path& path) {
    if (!object.get(name).present()) mistake({}, object, Path{&path, name}, "a string");
    return optionalString(object, name, path);
  }

  bool checkVersion(JsonValue root, const Path& top) {
    auto format = optionalString(root, "format", top);
    if (format && *format != "tessera-graph")
      wrong(root.get("format"), Path{&top, "format"}, "\"" + std::string(*format) + "\"", "\"tessera-graph\"");
    JsonValue version = root.get("version");
    std::optional<int64_t> number = version.asInteger();
    if (!number) {
      mistake(version, root, Path{&top, "version"}, "an integer");
      return false;
    }
    if (*number == kGraphJsonVersion) return true;
    diags_.report(DiagKind::JsonVersion, version.span(), {std::to_string(*number), std::to_string(kGraphJsonVersion)});
    return false;
  }

  void readForward(JsonValue root, const Path& top) {
    auto name = optionalString(root, "forward", top);
    if (!name) return;
    for (FuncId id : graph_.funcs.ids()) {
      if (graph_.funcs[id].name == *name && !graph_.funcs[id].ops.empty()) graph_.forward = id;
    }
    if (!graph_.forward.valid())
      wrong(root.get("forward"), Path{&top, "forward"}, "\"" + std::string(*name) + "\"",
            "the name of a function with ops");
  }

  AttrList attrs(JsonValue object, const Path& path) {
    AttrList out;
    JsonValue list = object.get("attrs");
    Path at{&path, "attrs"};
    if (list.present() && !list.isObject()) mistake(list, object, at, "an object");
    if (!list.isObject()) return out;
    for (size_t i = 0; i < list.size(); ++i) {
      Path entry{&at, list.keyAt(i)};
      if (list.keyAt(i).empty()) wrong(list.at(i), at, "an attribute without a name", "a name");
      if (auto value = attrValue(list.at(i), entry)) out.push_back({std::string(list.keyAt(i)), std::move(*value)});
    }
    sortAttrs(out);
    for (size_t i = 1; i < out.size(); ++i) {
      if (out[i].name == out[i - 1].name)
        wrong(list, at, "an object with `" + out[i].name + "` twice", "different names");
    }
    return out;
  }

  std::optional<AttrValue> attrValue(JsonValue value, const Path& path) {
    switch (value.kind()) {
      case JsonKind::Bool: return boolAttr(*value.asBool());
      case JsonKind::Integer: return intAttr(*value.asInteger());
      case JsonKind::String: return stringAttr(*value.asString());
      case JsonKind::Array: {
        std::vector<int64_t> ints;
        if (!integers(value, path, ints)) return {};
        return intArrayAttr(std::move(ints));
      }
      case JsonKind::Object: return mlirAttr(value, path);
      default:
        mistake(value, value, path, "a boolean, an integer, a string, an array of integers or {\"mlir\": \"...\"}");
        return {};
    }
  }

  std::optional<AttrValue> mlirAttr(JsonValue value, const Path& path) {
    if (!expectObject(value, path, {"mlir"})) return {};
    auto text = neededString(value, "mlir", path);
    if (!text) return {};
    auto known = attrCache_.find(std::string(*text));
    if (known != attrCache_.end()) return known->second;
    std::string why;
    std::optional<AttrValue> attr = parseMlirAttr(*text, why);
    if (!attr) wrong(value.get("mlir"), Path{&path, "mlir"}, "no MLIR attribute (" + why + ")", "one attribute");
    else attrCache_.emplace(std::string(*text), *attr);
    return attr;
  }

  bool integers(JsonValue list, const Path& path, std::vector<int64_t>& out) {
    for (size_t i = 0; i < list.size(); ++i) {
      std::optional<int64_t> number = list.at(i).asInteger();
      if (!number) {
        mistake(list.at(i), list, Path{&path, {}, static_cast<int64_t>(i)}, "an integer");
        return false;
      }
      out.push_back(*number);
    }
    return true;
  }

  // An absent or wrong type gives nothing, after a report.
  std::optional<ValueType> type(JsonValue value, JsonValue parent, const Path& path) {
    if (!value.isObject()) {
      mistake(value, parent, path, "an object that describes a type");
      return {};
    }
    if (value.get("mlir").present()) return mlirType(value, path);
    expectObject(value, path, {"shape", "dtype", "element", "layout", "encoding"});
    ValueType out;
    TensorType& tensor = out.tensor.emplace();
    JsonValue shape = value.get("shape");
    Path shapePath{&path, "shape"};
    if (!shape.isArray()) return mistake(shape, value, shapePath, "an array of dims"), std::nullopt;
    if (!integers(shape, shapePath, tensor.shape)) return {};
    if (tensor.shape.size() > text::kMaxRank)
      return wrong(shape, shapePath, "too long", "at most " + std::to_string(text::kMaxRank) + " dims"), std::nullopt;
    bool negative = std::any_of(tensor.shape.begin(), tensor.shape.end(), [](int64_t dim) { return dim < 0; });
    if (negative || !elementCount(tensor.shape)) {
      return wrong(shape, shapePath, negative ? "negative" : "too large", "dims from 0 whose product fits 63 bits"),
             std::nullopt;
    }
    auto name = neededString(value, "dtype", path);
    if (!name) return {};
    std::optional<DType> dtype = parseDType(*name);
    if (!dtype)
      return wrong(value.get("dtype"), Path{&path, "dtype"}, "\"" + std::string(*name) + "\"",
                   "an element type like \"bf16\""),
             std::nullopt;
    tensor.dtype = *dtype;
    return decorated(value, path, std::move(out));
  }

  // Element text, layout and encoding are MLIR text; the whole type is read as MLIR.
  std::optional<ValueType> decorated(JsonValue value, const Path& path, ValueType plain) {
    auto element = optionalString(value, "element", path), layout = optionalString(value, "layout", path),
         encoding = optionalString(value, "encoding", path);
    if (!element && !layout && !encoding) return plain;
    std::string spelled = "tensor<";
    for (int64_t dim : plain.tensor->shape) spelled += std::to_string(dim) + "x";
    spelled += element ? std::string(*element) : std::string(dtypeName(plain.tensor->dtype));
    if (layout) spelled += ", " + std::string(*layout);
    else if (encoding) spelled += ", " + std::string(*encoding);
    spelled += text::closingAngle(spelled);
    auto known = typeCache_.find(spelled);
    if (known != typeCache_.end()) return known->second;
    std::string why;
    std::optional<ValueType> type = parseMlirType(spelled, why);
    // An encoding that is a layout of another kind may count as one of ours.
    bool same = type && type->isTensor() && type->tensor->shape == plain.tensor->shape &&
                (type->tensor->layout.has_value() || !layout) &&
                (!type->tensor->layout || layout || !type->tensor->encoding.empty());
    if (!same) {
      std::string seen = "no tensor type" + (why.empty() ? "" : " (" + why + ")");
      return wrong(value, path, seen, "MLIR text in `element`, `layout` and `encoding`"), std::nullopt;
    }
    type->tensor->dtype = plain.tensor->dtype;
    typeCache_.emplace(spelled, *type);
    return type;
  }

  std::optional<ValueType> mlirType(JsonValue value, const Path& path) {
    expectObject(value, path, {"mlir"});
    auto text = optionalString(value, "mlir", path);
    if (!text) return {};
    std::string why;
    std::optional<ValueType> type = parseMlirType(*text, why);
    if (!type) wrong(value.get("mlir"), Path{&path, "mlir"}, "no MLIR type (" + why + ")", "one type");
    return type;
  }

  void readFunction(JsonValue value, const Path& path) {
    if (!expectObject(value, path, {"name", "private", "attrs", "args", "results", "ops"})) return;
    Function func;
    if (auto name = neededString(value, "name", path)) func.name = std::string(*name);
    if (func.name.empty()) return wrong(value, Path{&path, "name"}, "missing or empty", "a name");
    if (!functionNames_.insert(func.name).second)
      diags_.report(DiagKind::DuplicateFunction, value.get("name").span(), {func.name});
    JsonValue isPrivate = value.get("private");
    if (isPrivate.present() && !isPrivate.asBool()) mistake(isPrivate, value, Path{&path, "private"}, "a boolean");
    func.isPrivate = isPrivate.asBool().value_or(false);
    func.attrs = attrs(value, path);
    values_.clear();
    func_ = graph_.funcs.push(std::move(func));
    readArguments(value, path);
    bool declares = readResults(value, path);
    readOps(value, path);
    if (value.get("ops").size() > 0) checkReturn(value, declares);
    else graph_.funcs[func_].isPrivate = true;  // a declaration
  }

  template <class Each>
  void eachElement(JsonValue object, std::string_view name, const Path& path, Each each) {
    JsonValue list = object.get(name);
    Path at{&path, name};
    if (list.present() && !list.isArray()) mistake(list, object, at, "an array");
    for (size_t i = 0; i < list.size() && list.isArray(); ++i) {
      Path item{&at, {}, static_cast<int64_t>(i)};
      each(list.at(i), item, i);
    }
  }

  void define(std::string name, JsonValue place, ValueId id) {
    if (!values_.emplace(std::move(name), id).second)
      diags_.report(DiagKind::DuplicateValue, place.span(), {"%" + graph_.values[id].name});
  }

  void readArguments(JsonValue object, const Path& path) {
    eachElement(object, "args", path, [&](JsonValue item, const Path& at, size_t index) {
      if (!expectObject(item, at, {"name", "type", "role", "label", "attrs"})) return;
      Value value;
      auto name = neededString(item, "name", at);
      if (name && !isValueName(*name))
        wrong(item.get("name"), Path{&at, "name"}, "\"" + std::string(*name) + "\"",
              "letters, digits, `_`, `$`, `.` or `-`");
      value.name = std::string(name.value_or("?"));
      if (auto valueType = type(item.get("type"), item, Path{&at, "type"})) value.type = std::move(*valueType);
      value.role = role(item, at);
      if (auto label = optionalString(item, "label", at)) value.label = std::string(*label);
      value.attrs = argumentAttrs(value.role, value.label, attrs(item, at));
      value.index = static_cast<int32_t>(index);
      value.func = func_;
      std::string key = value.name;
      ValueId id = graph_.values.push(std::move(value));
      graph_.funcs[func_].args.push_back(id);
      define(std::move(key), item, id);
    });
  }

  ArgRole role(JsonValue item, const Path& path) {
    auto word = optionalString(item, "role", path);
    if (!word || *word == "none") return ArgRole::None;
    if (*word == "input") return ArgRole::Input;
    if (*word == "parameter") return ArgRole::Parameter;
    if (*word == "constant") return ArgRole::Constant;
    if (*word == "kv_cache") return ArgRole::KvCache;
    wrong(item.get("role"), Path{&path, "role"}, "\"" + std::string(*word) + "\"",
          "none, input, parameter, constant or kv_cache");
    return ArgRole::None;
  }

  bool readResults(JsonValue object, const Path& path) {
    eachElement(object, "results", path, [&](JsonValue item, const Path& at, size_t) {
      if (auto result = type(item, object, at)) graph_.funcs[func_].resultTypes.push_back(std::move(*result));
    });
    return object.get("results").present();
  }

  void readOps(JsonValue object, const Path& path) {
    eachElement(object, "ops", path, [&](JsonValue item, const Path& at, size_t) {
      if (graph_.ops.size() < kMaxGraphOps) return readOp(item, at);
      if (!tooManyReported_) diags_.report(DiagKind::TooManyOps, item.span(), {std::to_string(kMaxGraphOps)});
      tooManyReported_ = true;
    });
  }

  void readOp(JsonValue item, const Path& path) {
    if (!expectObject(item, path, {"op", "results", "operands", "attrs", "loc"})) return;
    Op op;
    auto name = neededString(item, "op", path);
    if (!name) return;
    // As between quotes in MLIR: any text may be the name of an op that nobody knows.
    if (name->empty()) return wrong(item.get("op"), Path{&path, "op"}, "\"\"", "a name like \"ttir.add\"");
    op.name = std::string(*name);
    op.kind = opKindFromName(op.name);
    if (op.kind == OpKind::Opaque) unknown_.add(op.name, item.span());
    op.func = func_;
    op.span = item.get("op").span();
    op.attrs = attrs(item, path);
    if (auto loc = optionalString(item, "loc", path)) op.loc = std::string(*loc);
    eachElement(item, "operands", path, [&](JsonValue operand, const Path& at, size_t) {
      auto used = operand.asString();
      if (!used) return mistake(operand, item, at, "the name of a value");
      auto value = values_.find(std::string(*used));
      if (value == values_.end()) diags_.report(DiagKind::UndefinedValue, operand.span(), {"%" + std::string(*used)});
      else op.operands.push_back(value->second);
    });
    OpId id = graph_.ops.push(std::move(op));
    graph_.funcs[func_].ops.push_back(id);
    readOpResults(item, path, id);
  }

  void readOpResults(JsonValue item, const Path& path, OpId id) {
    std::string base;
    eachElement(item, "results", path, [&](JsonValue result, const Path& at, size_t index) {
      if (!expectObject(result, at, {"name", "type"})) return;
      auto name = index == 0 ? neededString(result, "name", at) : optionalString(result, "name", at);
      if (index == 0) {
        base = std::string(name.value_or("?"));
        if (name && !isValueName(base))
          wrong(result.get("name"), Path{&at, "name"}, "\"" + base + "\"", "letters, digits, `_`, `$`, `.` or `-`");
      } else if (name && *name != resultName(base, index)) {
        wrong(result.get("name"), Path{&at, "name"}, "\"" + std::string(*name) + "\"",
              "\"" + resultName(base, index) + "\"");
      }
      Value value;
      value.name = resultName(base, index);
      if (auto valueType = type(result.get("type"), result, Path{&at, "type"})) value.type = std::move(*valueType);
      value.producer = id;
      value.index = static_cast<int32_t>(index);
      value.func = func_;
      std::string key = value.name;
      ValueId valueId = graph_.values.push(std::move(value));
      graph_.ops.edit(id).results.push_back(valueId);
      define(std::move(key), result, valueId);
    });
  }

  void checkReturn(JsonValue place, bool declares) {
    Function& func = graph_.funcs[func_];
    for (OpId id : func.ops) {
      bool isReturn = graph_.ops[id].kind == OpKind::FuncReturn;
      if (isReturn == (id == func.ops.back())) continue;
      diags_.report(DiagKind::MissingReturn, place.get("name").span(), {func.name});
      return;
    }
    if (func.ops.empty() || diags_.hasErrors()) return;
    const Op& last = graph_.ops[func.ops.back()];
    std::vector<ValueType> returned;
    for (ValueId id : last.operands) returned.push_back(graph_.values[id].type);
    if (!declares) func.resultTypes = std::move(returned);
    else if (returned != func.resultTypes) {
      auto list = [](const std::vector<ValueType>& types) {
        std::string out;
        for (const ValueType& item : types) out += (out.empty() ? "" : ", ") + shortTypeText(item);
        return out.empty() ? std::string("nothing") : out;
      };
      diags_.report(DiagKind::ReturnMismatch, last.span, {list(returned), func.name, list(func.resultTypes)});
    }
  }

  Diagnostics& diags_;
  Graph graph_;
  FuncId func_;
  std::unordered_map<std::string, ValueId> values_;  // of the function being read
  std::unordered_set<std::string> functionNames_;
  std::unordered_map<std::string, AttrValue> attrCache_;
  std::unordered_map<std::string, ValueType> typeCache_;
  NameCounter unknown_;
  bool tooManyReported_ = false;
};

}  // namespace

bool looksLikeJson(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  size_t at = text.find_first_not_of(" \t\r\n");
  // `{-#` opens the metadata that may stand in an MLIR file.
  return at != std::string_view::npos && text[at] == '{' && text.substr(at, 3) != "{-#";
}

std::optional<Graph> importGraphJson(const SourceBuffer& source, Diagnostics& diags) {
  JsonDocument document = JsonDocument::parse(source, diags);
  if (!document.root().present()) {
    if (!diags.hasErrors()) diags.report(DiagKind::JsonSyntax, {}, {"the text is empty"});
    return {};
  }
  Graph graph = JsonImporter(diags).run(document.root());
  if (diags.hasErrors()) return {};
  return graph;
}

}  // namespace tessera
