#include "core/cli/run_figures.h"

#include <algorithm>
#include <tuple>

#include "core/driver/execute_run.h"
#include "core/driver/run_request.h"
#include "core/import/export_mlir.h"
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

// The program of a run as text, read again and run as it is written on the same device.
std::string writtenText(const FinishedRun& done, Options options) {
  if (!done.lowered->refused.all().empty()) return "refused: " + done.lowered->refused.all().front().message;
  Session again;
  again.load(kApiSourceName, exportMlir(finalGraph(done), &done.device));
  options.policyGiven = options.memoryLayoutAnalysisEnabled = options.reoptimize = false;
  options.spillStrategy = Options().spillStrategy;
  for (std::string* text :
       {&options.overrideOutputLayout, &options.overrideConv2dConfig, &options.opOrder, &options.function})
    text->clear();
  chooseDefaultPolicy(options, *again.choose(options.function));
  const std::unique_ptr<FinishedRun> read = runPolicy(again, options, {});
  if (!read->report.run) return "DIFFERENT: not read: " + read->diagnostics.firstError();
  for (const ReportDefect& defect : read->report.run->defects) return "DEFECT: " + defect.rule + ": " + defect.text;
  const SimResult &a = done.report.run->program->sim, &b = read->report.run->program->sim;
  const std::tuple<const char*, int64_t, int64_t> figures[] = {{"ns", a.time.count, b.time.count},
                                                               {"bytes of DRAM", a.dramBytes, b.dramBytes},
                                                               {"bytes of L1", a.peakL1.count, b.peakL1.count},
                                                               {"failures", a.failures, b.failures}};
  for (const auto& [what, was, is] : figures) {
    if (was != is) return "DIFFERENT: " + std::to_string(is) + " " + what + ", before " + std::to_string(was);
  }
  return "same";
}

// The members of an open object.
void writeFigures(JsonWriter& w, const FinishedRun& done, PolicyMemory& memory) {
  const RunOutcome& run = *done.report.run;
  w.field("problem", std::string_view(done.diagnostics.firstError()));
  MoveTime moves(*run.problem, memory.moves);
  const Cost planned = planTime(*run.problem, run.plan, moves);
  w.field("policy", std::string_view(run.policy->id));
  w.field("time", run.program->sim.time.count);
  w.field("planTime", isForbidden(planned) ? int64_t{-1} : planned);
  w.field("dramBytes", run.program->sim.dramBytes);
  w.field("peakL1", run.program->sim.peakL1.count);
  w.field("allowedL1", run.problem->budget.bytes().count);
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
  const bool write = document.root().get("written").asBool().value_or(false);
  session.load(kApiSourceName, text);
  std::string problem = diags.firstError();
  JsonWriter w;
  w.beginObject();
  w.key("runs");
  w.beginArray();
  for (size_t i = 0; i < runs.size() && problem.empty(); ++i) {
    Diagnostics wrong;
    Options options;
    readOptions(options, runs.at(i), wrong);
    const std::unique_ptr<FinishedRun> done = runAsked(session, runs.at(i), Diagnostics());
    if (!done->report.run) problem = done->diagnostics.firstError();
    if (!done->report.run) break;
    w.beginObject();
    writeFigures(w, *done, session.memory);
    w.key("execution");
    if (execute) w.value(std::string_view(executionOf(*done->loaded->graph, options)));
    else w.null();
    w.key("written");
    if (write) w.value(std::string_view(writtenText(*done, options)));
    else w.null();
    w.endObject();
  }
  w.endArray();
  w.field("problem", std::string_view(problem));
  w.endObject();
  return w.take();
}

}  // namespace tessera
