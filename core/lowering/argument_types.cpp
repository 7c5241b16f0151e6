#include "core/lowering/argument_types.h"

#include <algorithm>

#include "core/ir/builder.h"
#include "core/lowering/rewriter.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

std::optional<ArgRole> roleNamed(std::string_view name) {
  if (name == "input") return ArgRole::Input;
  if (name == "parameter") return ArgRole::Parameter;
  if (name == "constant") return ArgRole::Constant;
  if (name == "default") return ArgRole::None;
  return {};
}

std::vector<std::string_view> splitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

OpId lastOp(const Graph& graph) {
  for (const Function& func : graph.funcs) {
    if (!func.ops.empty()) return func.ops.back();
  }
  return {};
}

// Empty when all is well, else what is wrong with one function's list.
std::string populate(Graph& graph, std::string_view entry) {
  size_t equals = entry.find('=');
  if (equals == std::string_view::npos) return "`" + std::string(entry) + "` names no roles";
  std::string_view name = entry.substr(0, equals);
  std::vector<std::string_view> roles = splitAt(entry.substr(equals + 1), ',');
  for (Function& func : graph.funcs) {
    if (func.name != name) continue;
    if (roles.size() != func.args.size()) return "@" + func.name + " has another number of arguments";
    for (size_t i = 0; i < roles.size(); ++i) {
      std::optional<ArgRole> role = roleNamed(roles[i]);
      if (!role) return "no argument is a `" + std::string(roles[i]) + "`";
      Value& value = graph.values.edit(func.args[i]);
      value.role = *role;
      std::erase_if(value.attrs.own(), [](const Attribute& attr) { return attr.name == "ttcore.argument_type"; });
      value.attrs = argumentAttrs(value.role, value.label, std::move(value.attrs));
    }
    return "";
  }
  return "there is no function @" + std::string(name);
}

}  // namespace

PassResult populateArgumentTypes(const Graph& graph, const PassContext& context) {
  PassResult result{graph};
  const std::string* lists = context.settings.find("argument-types");
  if (lists == nullptr || lists->empty()) return result;
  for (std::string_view entry : splitAt(*lists, ';')) {
    std::string mistake = populate(result.graph, entry);
    OpId place = lastOp(result.graph);
    if (!mistake.empty() && place.valid()) result.problems.push_back({place, std::move(mistake)});
  }
  return result;
}

namespace {

// The weight's type stays the same behind these.
bool carriesWeight(const Op& op) {
  Family family = opInfo(op.kind).family;
  return family == Family::Reshape || family == Family::Permute || family == Family::Typecast ||
         family == Family::Repeat || op.kind == OpKind::TtirMeshPartition || op.kind == OpKind::TtirMeshShard ||
         op.kind == OpKind::TtirAllGather;
}

}  // namespace

PassResult propagateWeightDtype(const Graph& graph, const PassContext&) {
  PassResult result{graph};
  IdVec<ValueId, const AttrValue*> wanted(graph.values.size(), nullptr);
  for (ValueId id : graph.values.ids()) {
    for (const Attribute& attr : graph.values[id].attrs) {
      if (attr.name == "ttcore.weight_dtype") wanted[id] = &attr.value;
    }
  }
  for (const Function& func : graph.funcs) {
    for (OpId id : func.ops) {
      const Op& op = graph.ops[id];
      if (op.operands.empty()) continue;
      if (carriesWeight(op) && op.results.size() == 1) wanted[op.results[0]] = wanted[op.operands[0]];
      Family family = opInfo(op.kind).family;
      bool weighted = (family == Family::Matmul || family == Family::Conv) && op.operands.size() > 1;
      if (!weighted || wanted[op.operands[1]] == nullptr || findAttr(op, "ttcore.weight_dtype") != nullptr) continue;
      AttrList& attrs = result.graph.ops.edit(id).attrs;
      attrs.push_back({"ttcore.weight_dtype", *wanted[op.operands[1]]});
      sortAttrs(attrs);
    }
  }
  return result;
}

}  // namespace tessera
