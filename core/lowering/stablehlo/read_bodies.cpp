// What is read of the functions that regions became.

#include "core/ir/constant_value.h"
#include "core/ir/functions.h"
#include "core/lowering/stablehlo/convert.h"

namespace tessera::shlo {

namespace {

// Null when the attribute names no function of the graph.
const Function* bodyFunction(const Graph& graph, const Op& op, std::string_view attr) {
  const AttrValue* body = findAttr(op, attr);
  if (body == nullptr || body->kind != AttrValueKind::String || body->text.rfind('@', 0) != 0) return nullptr;
  const FuncId func = functionNamed(graph, body->string);
  return func.valid() ? &graph.funcs[func] : nullptr;
}

// The first op of a function that computes something; invalid when there is none.
OpId firstOf(const Graph& graph, const Function& func) {
  for (OpId id : func.ops) {
    const OpKind kind = graph.ops[id].kind;
    if (kind != OpKind::ShloConstant && kind != OpKind::FuncReturn) return id;
  }
  return {};
}

bool isTruth(const Graph& graph, ValueId value, bool which) {
  const OpId made = graph.values[value].producer;
  if (!made.valid() || graph.ops[made].kind != OpKind::ShloConstant) return false;
  const AttrValue* constant = findAttr(graph.ops[made], "value");
  const ValueType& type = graph.values[value].type;
  if (constant == nullptr || !type.isTensor() || type.tensor->dtype != DType::I1) return false;
  const std::optional<ConstantValue> read = readConstant(constant->text, DType::I1, 1);
  return read && !read->elided && read->integers.size() == 1 && (read->integers[0] != 0) == which;
}

// What a truth value is that chooses between true and false, as front ends write it: itself.
ValueId behindChoices(const Graph& graph, ValueId value) {
  while (graph.values[value].producer.valid()) {
    const Op& op = graph.ops[graph.values[value].producer];
    const bool chooses = op.kind == OpKind::ShloSelect && op.operands.size() == 3 &&
                         isTruth(graph, op.operands[1], true) && isTruth(graph, op.operands[2], false);
    if (!chooses) break;
    value = op.operands[0];
  }
  return value;
}

}  // namespace

std::string bodyOf(const Graph& graph, const Op& op, std::string_view attr) {
  const AttrValue* body = findAttr(op, attr);
  if (body == nullptr || body->kind != AttrValueKind::String) return "";
  if (body->text.rfind('@', 0) != 0) return body->string;
  const Function* func = bodyFunction(graph, op, attr);
  const OpId first = func == nullptr ? OpId{} : firstOf(graph, *func);
  if (!first.valid()) return "";
  const Op& it = graph.ops[first];
  std::string direction = it.kind == OpKind::ShloCompare ? word(it, "comparison_direction") : std::string();
  return direction.empty() ? it.name : it.name + " " + direction;
}

bool bodyIsOneOp(const Graph& graph, const Op& op, std::string_view attr) {
  const Function* func = bodyFunction(graph, op, attr);
  const OpId first = func == nullptr ? OpId{} : firstOf(graph, *func);
  if (!first.valid()) return true;  // named by its op, or no body that is known
  const std::vector<ValueId>&given = graph.ops[func->ops.back()].operands, &read = graph.ops[first].operands;
  const bool ends = given.size() == 1 && graph.values[behindChoices(graph, given[0])].producer == first;
  const bool ofBoth = read.size() == 2 && read[0] != read[1] && !graph.values[read[0]].producer.valid() &&
                      !graph.values[read[1]].producer.valid();
  return ends && ofBoth;
}

}  // namespace tessera::shlo
