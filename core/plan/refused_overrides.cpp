#include "core/plan/refused_overrides.h"

namespace tessera {

std::vector<RefusedOverride> refusedOverrides(const Problem& problem, const Plan& plan) {
  std::vector<RefusedOverride> refused;
  for (const NamedOverride<OutputLayoutOverride>& named : problem.options.layoutOverrides) {
    for (OpId op : problem.schedule.order) {
      const Op& o = problem.graph.ops[op];
      if (o.results.empty() || !problem.isTensor(o.results[0]) || !overrideNames(named.op, problem.graph, op)) continue;
      const std::optional<TensorLayout>& got = plan.layout[o.results[0]];
      if (got && !named.settings.accepts(*got)) refused.push_back({&named, op});
    }
  }
  return refused;
}

}  // namespace tessera
