#include "core/analysis/schedule.h"

#include <algorithm>

namespace tessera {

Schedule scheduleFromOrder(const Graph& graph, std::vector<OpId> order) {
  Schedule schedule;
  schedule.order = std::move(order);
  schedule.position.resize(graph.ops.size(), -1);
  for (int32_t step = 0; step < schedule.steps(); ++step) {
    OpId op = schedule.order[static_cast<size_t>(step)];
    TESSERA_CHECK(schedule.position[op] == -1, "an op is scheduled twice");
    schedule.position[op] = step;
  }
  return schedule;
}

Schedule programOrderSchedule(const Graph& graph) { return scheduleFromOrder(graph, graph.funcs[graph.forward].ops); }

Liveness computeLiveness(const Graph& graph, const Schedule& schedule) {
  Liveness live(graph.values.size());
  for (int32_t step = 0; step < schedule.steps(); ++step) {
    const Op& op = graph.ops[schedule.order[static_cast<size_t>(step)]];
    for (ValueId result : op.results) live[result] = {step, step};
    for (ValueId operand : op.operands) live[operand].lastUse = std::max(live[operand].lastUse, step);
  }
  return live;
}

}  // namespace tessera
