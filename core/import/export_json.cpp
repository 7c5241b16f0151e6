#include "core/import/export_mlir.h"
#include "core/import/graph_json.h"
#include "core/ir/bodies.h"
#include "core/ir/builder.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

constexpr int64_t kExactInDouble = int64_t{1} << 53;

bool isPlainInt(int64_t value) { return value >= -kExactInDouble && value <= kExactInDouble; }

bool arePlainInts(const std::vector<int64_t>& values) {
  for (int64_t value : values) {
    if (!isPlainInt(value)) return false;
  }
  return true;
}

class JsonExporter {
 public:
  explicit JsonExporter(const Graph& graph) : graph_(graph) {}

  std::string run() {
    w_.beginObject();
    w_.field("format", "tessera-graph");
    w_.field("version", kGraphJsonVersion);
    if (!graph_.name.empty()) w_.field("name", std::string_view(graph_.name));
    attrs(graph_.attrs);
    if (graph_.forward.valid()) w_.field("forward", std::string_view(graph_.funcs[graph_.forward].name));
    w_.key("functions");
    w_.beginArray();
    for (const Function& func : graph_.funcs) function(func);
    w_.endArray();
    w_.endObject();
    return w_.take();
  }

 private:
  // Plain JSON where it means exactly the attribute's text, else the text.
  void attrValue(const AttrValue& value) {
    if (value.kind == AttrValueKind::Bool) return w_.boolean(value.integer != 0);
    if (value.kind == AttrValueKind::Integer && isPlainInt(value.integer) && value.text == intAttr(value.integer).text)
      return w_.integer(value.integer);
    if (value.kind == AttrValueKind::String && value.text == stringAttr(value.string).text)
      return w_.value(std::string_view(value.string));
    if (value.kind == AttrValueKind::IntArray && arePlainInts(value.ints) &&
        value.text == intArrayAttr(value.ints).text) {
      w_.beginArray();
      for (int64_t item : value.ints) w_.integer(item);
      return w_.endArray();
    }
    w_.beginObject();
    w_.field("mlir", std::string_view(value.text));
    w_.endObject();
  }

  void attrs(const AttrList& list) {
    if (list.empty()) return;
    w_.key("attrs");
    w_.beginObject();
    for (const Attribute& attr : list) {
      w_.key(attr.name);
      attrValue(attr.value);
    }
    w_.endObject();
  }

  void type(const ValueType& value) {
    w_.beginObject();
    if (!value.isTensor()) {
      w_.field("mlir", std::string_view(value.opaque));
      return w_.endObject();
    }
    const TensorType& tensor = *value.tensor;
    w_.key("shape");
    w_.beginArray();
    for (int64_t dim : tensor.shape) w_.integer(dim);
    w_.endArray();
    w_.field("dtype", dtypeName(tensor.dtype));
    if (!tensor.element.empty()) w_.field("element", std::string_view(tensor.element));
    if (tensor.layout) w_.field("layout", std::string_view(mlirLayoutText(tensor)));
    if (!tensor.encoding.empty()) w_.field("encoding", std::string_view(tensor.encoding));
    w_.endObject();
  }

  void types(std::string_view name, const std::vector<ValueType>& list) {
    w_.key(name);
    w_.beginArray();
    for (const ValueType& item : list) type(item);
    w_.endArray();
  }

  void argument(const Value& arg) {
    static constexpr std::string_view kRoles[] = {"none", "input", "parameter", "constant", "kv_cache"};
    w_.beginObject();
    w_.field("name", std::string_view(arg.name));
    w_.key("type");
    type(arg.type);
    if (arg.role != ArgRole::None) w_.field("role", kRoles[static_cast<size_t>(arg.role)]);
    if (!arg.label.empty()) w_.field("label", std::string_view(arg.label));
    attrs(arg.attrs);
    w_.endObject();
  }

  void op(const Op& op) {
    w_.beginObject();
    w_.field("op", std::string_view(op.name));
    if (!op.results.empty()) {
      w_.key("results");
      w_.beginArray();
      for (ValueId id : op.results) {
        w_.beginObject();
        w_.field("name", std::string_view(graph_.values[id].name));
        w_.key("type");
        type(graph_.values[id].type);
        w_.endObject();
      }
      w_.endArray();
    }
    if (!op.operands.empty()) {
      w_.key("operands");
      w_.beginArray();
      for (ValueId id : op.operands) w_.value(std::string_view(graph_.values[id].name));
      w_.endArray();
    }
    attrs(op.attrs);
    if (!op.loc.empty()) w_.field("loc", std::string_view(op.loc));
    w_.endObject();
  }

  void function(const Function& func) {
    w_.beginObject();
    w_.field("name", std::string_view(func.name));
    if (func.isPrivate) w_.field("private", true);
    attrs(func.attrs);
    w_.key("args");
    w_.beginArray();
    for (ValueId id : func.args) argument(graph_.values[id]);
    w_.endArray();
    types("results", func.resultTypes);
    w_.key("ops");
    w_.beginArray();
    for (OpId id : func.ops) op(graph_.ops[id]);
    w_.endArray();
    w_.endObject();
  }

  const Graph& graph_;
  JsonWriter w_;
};

}  // namespace

std::string exportGraphJson(const Graph& graph) {
  return graph.bodies ? exportGraphJson(withBodiesInside(graph)) : JsonExporter(graph).run();
}

}  // namespace tessera
