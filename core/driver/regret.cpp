#include "core/driver/regret.h"

#include "core/policy/exact/exact_search.h"
#include "core/policy/exact/layout_lp.h"
#include "core/report/exact_json.h"

namespace tessera {

std::string regretJson(Session& session, const FinishedRun& finished) {
  session.memory.prepare(finished.device);
  const RunOutcome& run = *finished.report.run;
  std::vector<Plan> plans = baselinePlans(*run.problem, finished.policyOptions, session.memory);
  if (run.plan.order == run.problem->schedule.order) plans.push_back(run.plan);
  ExactSearch search(*run.problem, plans, session.memory.exact);
  const SelectionResult& layouts = search.layouts();
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.field("policy", run.policy->id);
  w.field("time", run.program->sim.time.count);
  w.key("optimum");
  if (const std::optional<Cost> optimum = layouts.optimum()) w.integer(*optimum);
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

std::string exportModel(Session& session, const FinishedRun& finished, std::string_view kind, std::string& note) {
  session.memory.prepare(finished.device);
  const Problem& problem = *finished.problem;
  const std::vector<Plan> plans = baselinePlans(problem, finished.policyOptions, session.memory);
  ExactSearch search(problem, plans, session.memory.exact);
  const FactorGraph& model = search.graph();
  note = std::to_string(model.variableCount()) + " variables, " + std::to_string(model.factorCount()) + " tables";
  if (kind == "lp") return writeLp(model);
  if (kind == "joint-lp") {
    const int64_t capacity = problem.budget.bytes().count;
    note += ", at most " + std::to_string(capacity) + " bytes of L1 at every step";
    return writeJointLp(search.choices(), search.moves(), capacity);
  }
  if (kind != "wcsp") return "";
  Cost offset = 0;
  std::string text = writeWcsp(model, "layouts", offset);
  note += "; the optimum of the text plus " + std::to_string(offset) + " is nanoseconds";
  return text;
}

}  // namespace tessera
