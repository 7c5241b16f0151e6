#include "core/policy/kit/written_plan.h"

namespace tessera {

Plan writtenPlan(const Problem& problem) {
  const Graph& graph = problem.graph;
  Plan plan;
  plan.order = problem.schedule.order;
  plan.layout.resize(graph.values.size());
  plan.config.resize(graph.ops.size());
  for (ValueId value : graph.values.ids()) {
    if (graph.values[value].func != graph.forward || !problem.isTensor(value)) continue;
    const std::optional<TensorLayout>& written = problem.tensor(value).layout;
    const std::optional<TensorLayout>& pinned = problem.pinned[value];
    plan.layout[value] = written ? *written : pinned ? *pinned : dramLayout(problem, value);
  }
  for (OpId op : plan.order) {
    for (ValueId result : graph.ops[op].results) {
      if (!problem.isTensor(result)) continue;
      plan.config[op].output = *plan.layout[result];
      break;
    }
  }
  return plan;
}

}  // namespace tessera
