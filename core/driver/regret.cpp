#include "core/driver/regret.h"

#include "core/policy/exact/exact_search.h"
#include "core/report/exact_json.h"

namespace tessera {

std::string regretJson(const FinishedRun& finished) {
  const RunOutcome& run = *finished.report.run;
  std::vector<NamedPlan> plans = rivalPlans(*run.problem, finished.policyOptions);
  if (run.plan.order == run.problem->schedule.order) plans.push_back({run.plan.policy, run.plan});
  ExactSearch search(*run.problem, plans, finished.policyOptions.exact.memory);
  const P1Result& layouts = search.layouts();
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.field("policy", run.policy->id);
  w.field("time", run.sim.time.count);
  w.key("optimum");
  if (layouts.proven && layouts.feasible) w.integer(layouts.cost);
  else w.null();
  w.field("lowerBound", layouts.feasible ? layouts.lowerBound : 0);
  w.key("exact");
  if (run.log.exact) {
    writeExact(w, *run.log.exact);
  } else {
    ExactTrace trace;
    search.best(finished.policyOptions.exact, trace);
    writeExact(w, trace);
  }
  w.key("regrets");
  writeRegrets(w, run.problem->graph, search.regrets(run.plan));
  w.endObject();
  return w.take();
}

std::string exportModel(const FinishedRun& finished, std::string_view kind, std::string& note) {
  const Problem& problem = *finished.problem;
  const std::vector<NamedPlan> plans = rivalPlans(problem, finished.policyOptions);
  ExactSearch search(problem, plans, finished.policyOptions.exact.memory);
  const FactorGraph& model = search.model().graph();
  note = std::to_string(model.variableCount()) + " variables, " + std::to_string(model.factorCount()) + " tables";
  if (kind == "lp") return writeLp(model);
  if (kind == "joint-lp") {
    const int64_t capacity = problem.model.l1Budget().count;
    note += ", at most " + std::to_string(capacity) + " bytes of L1 at every step";
    return search.model().writeLp(capacity);
  }
  if (kind != "wcsp") return "";
  Cost offset = 0;
  std::string text = writeWcsp(model, "layouts", offset);
  note += "; the optimum of the text plus " + std::to_string(offset) + " is nanoseconds";
  return text;
}

}  // namespace tessera
