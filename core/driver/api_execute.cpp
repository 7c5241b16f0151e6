// The page's call about the execution of a plan.

#include "core/driver/api.h"
#include "core/driver/execute_run.h"
#include "core/driver/run_request.h"

namespace tessera {

namespace {

std::string_view verdictName(PlanStatus status) {
  switch (status) {
    case PlanStatus::Equal: return "equal";
    case PlanStatus::Different: return "different";
    case PlanStatus::Failed: return "failed";
    case PlanStatus::NotExecutable: return "not_executed";
    case PlanStatus::OverBudget: return "too_large";
  }
  return "";
}

}  // namespace

std::string apiExecutePlan(Session& session, const std::string& text, const std::string& optionsJson) {
  RunRequest request(session, text, optionsJson, {kPlanKey});
  Session small;
  ExecutedRun done;
  const bool readable = request.loaded.graph && !request.diags.hasErrors() && !request.loaded.diagnostics.hasErrors();
  if (readable && request.document.root().get(kPlanKey).isObject()) {
    done.run = request.run();
    done.executed = done.run->report.run.has_value();
    if (done.executed) done.execution = executeRun(*done.run, 1);
    done.note = "the plan that was given, on the graph as it is";
  } else if (readable) {
    ExecuteRequest asked;
    asked.options = request.options;
    done = executeSmall(*session.choose(request.options.function)->graph, small, asked);
  }
  if (!done.executed) done.execution = {PlanStatus::NotExecutable, "there is no run"};
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.field("policy", done.executed ? done.run->report.run->policy->id : std::string_view());
  w.field("verdict", verdictName(done.execution.status));
  w.field("text", planExecutionText(done.execution));
  w.field("note", done.note);
  w.endObject();
  return w.take();
}

}  // namespace tessera
