// AsWritten: the plan that a TTNN graph carries. The real compiler's own, when the graph is its output.

#include "core/policy/kit/op_choice.h"
#include "core/policy/policy.h"

namespace tessera {

Plan decideAsWritten(const Problem& problem, const PolicyOptions& options, PolicyMemory& memory, DecisionLog& log) {
  if (!problem.options.asItStands) {
    log.warnings.push_back("The graph carries no layouts: everything stays in DRAM.");
    return floorPolicy().decide(problem, options, memory, log);
  }
  Plan plan;
  plan.order = problem.schedule.order;
  plan.layout.resize(problem.graph.values.size());
  plan.config.resize(problem.graph.ops.size());
  for (ValueId value : problem.graph.values.ids()) {
    if (problem.graph.values[value].func == problem.graph.forward) plan.layout[value] = problem.pinned[value];
  }
  for (OpId op : plan.order) plan.config[op] = defaultConfig(problem, op);
  return plan;
}

}  // namespace tessera
