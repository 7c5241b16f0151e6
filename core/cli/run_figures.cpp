#include "core/cli/run_figures.h"

#include <algorithm>

#include "core/driver/execute_run.h"
#include "core/driver/run_request.h"
#include "core/policy/kit/plan_time.h"

namespace tessera {

namespace {

constexpr uint64_t kInputSeed = 1;  // of executions

std::string orderText(const Plan& plan) {
  uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (OpId op : plan.order) hash = (hash ^ static_cast<uint64_t>(op.index)) * 1099511628211ULL;
  return std::to_string(hash);
}

void writeExactFigures(JsonWriter& w, const ExactTrace& trace) {
  w.beginObject();
  w.field("time", trace.time);
  w.field("bound", trace.lowerBound);
  w.field("proven", trace.proven);
  w.field("cutOps", trace.cutOps);
  w.key("plans");
  w.beginArray();
  for (const ExactTrace::Baseline& plan : trace.baselines) {
    w.beginArray();
    w.value(std::string_view(plan.policy));
    w.integer(plan.time);
    w.boolean(plan.fits);
    w.endArray();
  }
  w.endArray();
  w.endObject();
}

std::string executionOf(const Graph& graph, const Options& options) {
  Session small;
  ExecuteRequest request;
  request.options = options;
  request.seed = kInputSeed;
  const ExecutedRun done = executeSmall(graph, small, request);
  if (!done.executed) return "no run of the small graph";
  for (const ReportDefect& defect : done.run->report.run->defects)
    return "DEFECT of the small graph: " + defect.rule + ": " + defect.text;
  return planExecutionText(done.execution);
}

std::string firstMistake(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) {
    if (d.severity == Severity::Error) return d.message;
  }
  return "";
}

// The members of an open object.
void writeFigures(JsonWriter& w, const FinishedRun& done, PolicyMemory& memory) {
  const RunOutcome& run = *done.report.run;
  w.field("problem", std::string_view(firstMistake(done.diagnostics)));
  MoveTime moves(*run.problem, memory.moves);
  const Cost planned = planTime(*run.problem, run.plan, moves);
  w.field("policy", std::string_view(run.policy->id));
  w.field("time", run.program->sim.time.count);
  w.field("planTime", isForbidden(planned) ? int64_t{-1} : planned);
  w.field("dramBytes", run.program->sim.dramBytes);
  w.field("peakL1", run.program->sim.peakL1.count);
  w.field("failures", static_cast<int64_t>(run.program->sim.failures));
  w.field("refused", static_cast<int64_t>(run.program->sim.refused));
  w.field("order", std::string_view(orderText(run.plan)));
  w.key("defects");
  w.beginArray();
  for (const ReportDefect& defect : run.defects)
    w.value(std::string_view(std::string(defect.checker) + ": " + defect.rule + ": " + defect.text));
  w.endArray();
  w.key("exact");
  if (run.log.exact) writeExactFigures(w, *run.log.exact);
  else w.null();
}

}  // namespace

std::string runFigures(Session& session, const std::string& text, const std::string& requestJson) {
  const SourceBuffer source("runs", requestJson);
  Diagnostics diags;
  const JsonDocument document = parseRequest(source, diags);
  const JsonValue runs = document.root().get("runs");
  const bool execute = document.root().get("execute").asBool().value_or(false);
  session.load(kApiSourceName, text);
  std::string problem = firstMistake(diags);
  JsonWriter w;
  w.beginObject();
  w.key("runs");
  w.beginArray();
  for (size_t i = 0; i < runs.size() && problem.empty(); ++i) {
    Diagnostics wrong;
    Options options;
    readOptions(options, runs.at(i), wrong);
    const std::unique_ptr<FinishedRun> done = runAsked(session, runs.at(i), Diagnostics());
    if (!done->report.run) problem = firstMistake(done->diagnostics);
    if (!done->report.run) break;
    w.beginObject();
    writeFigures(w, *done, session.memory);
    w.key("execution");
    if (execute) w.value(std::string_view(executionOf(*done->loaded->graph, options)));
    else w.null();
    w.endObject();
  }
  w.endArray();
  w.field("problem", std::string_view(problem));
  w.endObject();
  return w.take();
}

}  // namespace tessera
