#include "core/driver/optimizer_pass.h"

#include "core/lowering/as_it_stands.h"
#include "core/plan/check_plan.h"
#include "core/transform/apply_plan.h"

namespace tessera {

OptimizedGraph optimizeAlone(Session& session, const Options& options, const Graph& given, const PassContext& context) {
  OptimizedGraph out{given, {}, ""};
  if (!carriesLayouts(given)) {
    out.graph = lower(given, context).graph;
    out.note = "the graph has no layouts: the passes before the optimizer ran first";
  } else {
    out.graph = withAllLayouts(given, context.device);
  }
  ProblemOptions problemOptions =
      options.problemOptions(*session.loaded()->graph, out.graph, context.device, out.diagnostics);
  if (out.diagnostics.hasErrors()) return out;
  const Problem problem = analyse(out.graph, context.model, problemOptions, context.budget, out.diagnostics);
  if (out.diagnostics.hasErrors()) return out;
  DecisionLog log;
  const Plan plan = decidePlan(*findPolicy(options.policy), problem, options.policyOptions(), session.memory, log);
  for (const PlanDefect& d : checkPlan(problem, plan))
    out.diagnostics.report(DiagKind::PlanIllegal, {}, {planRuleName(d.rule), "the plan", d.text});
  if (!out.diagnostics.hasErrors()) out.graph = applyPlan(out.graph, plan).graph;
  return out;
}

}  // namespace tessera
