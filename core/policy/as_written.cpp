// AsWritten: the plan that a TTNN graph carries. The real compiler's own, when the graph is its output.

#include "core/policy/kit/written_plan.h"
#include "core/policy/policy.h"

namespace tessera {

Plan decideAsWritten(const Problem& problem, const PolicyOptions& options, PolicyMemory& memory, DecisionLog& log) {
  if (!problem.options.asItStands) {
    log.warnings.push_back("The graph carries no layouts: everything stays in DRAM.");
    return floorPolicy().decide(problem, options, memory, log);
  }
  return writtenPlan(problem);
}

}  // namespace tessera
