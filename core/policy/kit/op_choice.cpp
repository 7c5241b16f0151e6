#include "core/policy/kit/op_choice.h"

#include <algorithm>

namespace tessera {

bool isPinned(const Problem& problem, OpId op) {
  const Op& o = problem.graph.ops[op];
  return !o.results.empty() && problem.pinned[o.results[0]].has_value();
}

OpConfig defaultConfig(const Problem& problem, OpId op) {
  OpConfig config;
  for (ValueId result : problem.graph.ops[op].results) {
    if (!problem.isTensor(result)) continue;
    config.output = problem.pinned[result] ? *problem.pinned[result] : dramLayout(problem, result);
    break;
  }
  return config;
}

bool diesAt(const Problem& problem, ValueId value, OpId op) {
  return problem.graph.values[value].producer.valid() && problem.live[value].lastUse <= problem.schedule.position[op];
}

int32_t nextUse(const Problem& problem, ValueId value, int32_t step) {
  int32_t next = problem.schedule.steps();
  for (const Use& use : problem.uses[value]) {
    const int32_t at = problem.schedule.position[use.op];
    if (at >= step) next = std::min(next, at);
  }
  return next;
}

OpConfig keepSharedActivation(const Problem& problem, OpId op, OpConfig config) {
  auto* attrs = std::get_if<Conv2dAttrs>(&config.attrs);
  const auto& operands = problem.graph.ops[op].operands;
  if (!attrs || operands.empty() || !attrs->deallocateActivation.value_or(false)) return config;
  if (!diesAt(problem, operands[0], op)) attrs->deallocateActivation = false;
  return config;
}

}  // namespace tessera
