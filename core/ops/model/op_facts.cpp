#include "core/ops/model/op_facts.h"

#include <algorithm>

#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

std::string_view withoutMarks(std::string_view role) {
  while (!role.empty() && (role.back() == '?' || role.back() == '*')) role.remove_suffix(1);
  return role;
}

// By operandSegmentSizes: one segment per entry of the roles column.
void rolesBySegments(OpFacts& facts, const std::vector<int64_t>& segments) {
  std::string_view rest = facts.info->roles;
  int64_t at = 0;
  for (int64_t size : segments) {
    size_t end = std::min(rest.find(' '), rest.size());
    if (size < 0 || size > facts.inputs) return;
    if (size == 1 && at < facts.inputs)
      facts.roles.emplace_back(withoutMarks(rest.substr(0, end)), static_cast<int>(at));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    at += size;
  }
}

}  // namespace

OpFacts factsOf(const Graph& graph, OpId id) {
  const Op& op = graph.ops[id];
  OpFacts facts;
  facts.info = &opInfo(op.kind);
  facts.base = facts.info->name.substr(std::min(facts.info->name.find('.') + 1, facts.info->name.size()));
  facts.inputs = inputCount(graph, id);
  const AttrValue* segments = findAttr(op, "operandSegmentSizes");
  if (segments && segments->kind == AttrValueKind::IntArray) {
    rolesBySegments(facts, segments->ints);
  } else {
    constexpr int kMostRoles = 16;  // no table line names more; a variadic role takes the rest
    for (int i = 0; i < std::min(facts.inputs, kMostRoles); ++i)
      facts.roles.emplace_back(operandRole(*facts.info, i, facts.inputs), i);
  }
  if (const AttrValue* program = findAttr(op, "matmul_program_config")) {
    facts.program = parseMatmulProgram(program->text);
    const ValueType* result = op.results.empty() ? nullptr : &graph.values[op.results[0]].type;
    if (result && result->isTensor()) facts.programResult = result->tensor->layout;
  }
  if (const AttrValue* conv = findAttr(op, "conv2d_config")) facts.actBlockH = parseActBlockH(conv->text);
  if (const AttrValue* compute = findAttr(op, "compute_config")) facts.compute = parseComputeConfig(compute->text);
  if (facts.info->family == Family::Conv || facts.info->family == Family::Pool) facts.window = window2d(graph, id);
  for (ValueId operand : op.operands) {
    const ValueType& type = graph.values[operand].type;
    facts.operandDefects.push_back(type.isTensor() ? shapeDefect(type.tensor->shape) : Refusal::NotATensor);
  }
  for (ValueId result : op.results) {
    const ValueType& type = graph.values[result].type;
    facts.resultDefects.push_back(type.isTensor() ? shapeDefect(type.tensor->shape) : Refusal::None);
  }
  return facts;
}

}  // namespace tessera
