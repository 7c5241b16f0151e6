// tessera run: one policy on one graph.

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/cli/child_process.h"
#include "core/cli/command.h"
#include "core/cli/plan_file.h"
#include "core/cli/report_page.h"
#include "core/cli/system_desc.h"
#include "core/cli/visualizer_report.h"
#include "core/driver/execute_run.h"
#include "core/driver/profiled_steps.h"
#include "core/driver/regret.h"
#include "core/import/export_mlir.h"
#include "core/import/graph_json.h"
#include "core/report/decision_trace_json.h"
#include "core/report/model_explorer_json.h"
#include "core/report/override_text.h"
#include "core/report/plan_text.h"
#include "core/report/trace_event_json.h"
#include "core/solve/certificate.h"

namespace tessera {

namespace {

enum class Output {
  Certificate,
  Regrets,
  DecisionTrace,
  Text,
  PlanOut,
  Json,
  Mlir,
  GraphJson,
  TraceEvents,
  Overrides,
  ModelExplorer,
  NodeDataAlone
};

struct OutputName {
  std::string_view argument;
  Output output;
};
constexpr OutputName kOutputs[] = {
    {"--json", Output::Json},
    {"--plan-out", Output::PlanOut},
    {"--decision-trace", Output::DecisionTrace},
    {"--certificate", Output::Certificate},
    {"--regrets", Output::Regrets},
    {"--mlir", Output::Mlir},
    {"--graph-json", Output::GraphJson},
    {"--trace-events", Output::TraceEvents},
    {"--overrides", Output::Overrides},
    {"--model-explorer", Output::ModelExplorer},
    {"--node-data", Output::NodeDataAlone},
};

// Null when the argument names none, or one that a value follows.
const OutputName* findOutput(std::string_view argument) {
  for (const OutputName& one : kOutputs) {
    if (one.argument == argument && one.output != Output::NodeDataAlone) return &one;
  }
  return nullptr;
}

struct RunArguments {
  std::string file;
  std::string planFile;       // --plan: carried out in place of a policy's plan
  std::string profileFile;    // --profile: measured times, put beside the run
  std::string visualizer;     // --visualizer: folder of a report for ttnn-visualizer
  std::string html;           // --html: file of the report as one page
  std::string policyCommand;  // --policy-command: a program that makes the plan
  ChildLimits limits;
  bool check = false;  // --check: the plan is executed, too
  Output output = Output::Text;
  NodeData nodeData = NodeData::Time;
  Options options;
  Diagnostics diagnostics;
  std::vector<std::string> notes;  // about the arguments
};

// Empty, or that another output was chosen before: one is printed.
std::string choose(Output output, RunArguments& out) {
  const auto nameOf = [](Output wanted) {
    const auto one = std::find_if(std::begin(kOutputs), std::end(kOutputs),
                                  [&](const OutputName& name) { return name.output == wanted; });
    return std::string(one->argument);
  };
  if (out.output != Output::Text && out.output != output)
    return nameOf(out.output) + " and " + nameOf(output) + " cannot be printed together";
  out.output = output;
  return {};
}

// Of seconds; 0 when it is no such time.
int64_t millisecondsOf(const std::string& seconds) {
  char* end = nullptr;
  const double value = std::strtod(seconds.c_str(), &end);
  const bool good = end && *end == '\0' && value >= 0.001 && value <= 86'400;
  return good ? static_cast<int64_t>(value * 1000) : 0;
}

// The plan that the command makes of the problem. Null after saying on standard error what went wrong.
std::unique_ptr<PlanFile> askCommand(const RunArguments& run, const FinishedRun& prepared) {
  const ChildAnswer answer = runChild(run.policyCommand, problemOut(prepared), run.limits);
  put(stderr, answer.err);
  if (!answer.problem.empty()) {
    put(stderr, "tessera: the policy command " + answer.problem + ": " + run.policyCommand + "\n");
    return nullptr;
  }
  auto plan = std::make_unique<PlanFile>("<the policy command's answer>", answer.out);
  if (!plan->diagnostics.hasErrors()) return plan;
  printDiagnostics(plan->diagnostics, plan->source);
  put(stderr, "tessera: the policy command gave no plan: " + run.policyCommand + "\n");
  return nullptr;
}

// The run beside a profile of the device.
int putProfile(const RunArguments& run, const RunOutcome& outcome) {
  std::string text;
  if (!readFile(run.profileFile, text)) return usage("cannot read `" + run.profileFile + "`");
  const Profile profile = readProfile(text);
  if (!profile.problem.empty()) {
    put(stderr, "tessera: `" + run.profileFile + "` is no profile: " + profile.problem + "\n");
    return kExitDiagnostics;
  }
  const std::vector<ProfiledStep> steps = profiledSteps(outcome);
  TimeFactors inUse{};
  parseCalibration(run.options.calibration, inUse);
  const ProfileComparison found = matchProfile(profile, steps, inUse);
  const bool json = run.output == Output::Json;
  put(stdout, json ? profileJson(profile, &found, steps) + "\n" : comparisonText(profile, found, steps));
  return found.problem.empty() ? kExitFine : kExitDiagnostics;
}

// Empty when all is well, else what is wrong.
std::string parseRunArguments(std::span<const std::string> arguments, RunArguments& out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (const OutputName* named = findOutput(argument); named != nullptr) {
      if (std::string mistake = choose(named->output, out); !mistake.empty()) return mistake;
    } else if (argument == "--check") out.check = true;
    else if (argument.rfind("--", 0) == 0) {
      std::string id, value;
      if (!splitOption(arguments, i, id, value)) return "`" + argument + "` needs a value";
      if (id == "plan") out.planFile = value;
      else if (id == "profile") out.profileFile = value;
      else if (id == "visualizer") out.visualizer = value;
      else if (id == "html") out.html = value;
      else if (id == "node-data") {
        const auto which = parseEnum(kNodeData, value);
        if (!which) return "--node-data is time, place or spills";
        if (std::string mistake = choose(Output::NodeDataAlone, out); !mistake.empty()) return mistake;
        out.nodeData = *which;
      } else if (id == "policy-command") out.policyCommand = value;
      else if (id == kSystemDescOption) out.notes.push_back(takeSystemDesc(value, out.options));
      else if (id == "policy-time-limit") out.limits.milliseconds = millisecondsOf(value);
      else if (!setOption(out.options, id, value, out.diagnostics)) return out.diagnostics.all().back().message;
    } else if (!out.file.empty()) {
      return "more than one file";
    } else {
      out.file = argument;
    }
  }
  if (out.limits.milliseconds < 1) return "--policy-time-limit takes seconds, from 0.001 to 86400";
  if (!out.policyCommand.empty() && !out.planFile.empty()) return "--plan and --policy-command exclude each other";
  return out.file.empty() ? "no file given" : "";
}

// The options written in a plan come first: those on the command line go before them.
RunArguments withOptionsOf(const PlanFile& plan, std::span<const std::string> arguments) {
  RunArguments out;
  readOptions(out.options, plan.document.root().get("options"), out.diagnostics);
  parseRunArguments(arguments, out);
  return out;
}

// Runs the policy, or what the plan of a file or of a command says; null when the command gave no plan.
std::unique_ptr<FinishedRun> carryOut(RunArguments& run, Session& session, std::unique_ptr<PlanFile> plan) {
  if (!plan && run.policyCommand.empty()) return runPolicy(session, run.options, run.diagnostics);
  std::unique_ptr<FinishedRun> finished = prepareRun(session, run.options, run.diagnostics);
  if (!finished->problem) return finished;
  if (!plan) plan = askCommand(run, *finished);
  if (!plan) return nullptr;
  runPlan(*finished, plan->document.root());
  return finished;
}

// What only some policies have; the mistake when this one has it not.
std::string printTrace(const RunArguments& run, const RunOutcome& report) {
  if (run.output == Output::DecisionTrace) {
    const auto& trace = report.log.propagation;
    if (!trace) return "--decision-trace needs a policy of the pass generation (Greedy, Beam)";
    put(stdout, decisionTraceJson(trace->decisions) + "\n");
  }
  if (run.output == Output::Certificate) {
    const auto& exact = report.log.exact;
    const auto& spilling = report.log.spillProof;
    if (exact) put(stdout, exact->certificate + "\n");
    else if (spilling) put(stdout, spillCertificate(spilling->problem, spilling->result) + "\n");
    else return "--certificate needs the policy Exact, or a --spill-strategy";
  }
  return "";
}

// Which of several forward functions was run; "" where there is no choice.
std::string functionsText(const FinishedRun& finished) {
  const std::span<const ForwardFunction> all = finished.report.forward;
  if (all.size() < 2) return "";
  const Graph& graph = *finished.report.graph;
  std::string text = "function @" + graph.funcs[graph.forward].name + ", one of";
  for (const ForwardFunction& function : all)
    text += " @" + function.name + " (" + std::to_string(function.ops) + " ops)";
  return text + "\n";
}

void printRun(const RunArguments& run, Session& session, FinishedRun& finished) {
  const Report& report = finished.report;
  if (run.output == Output::Regrets) put(stdout, regretJson(session, finished) + "\n");
  if (run.output == Output::PlanOut) put(stdout, planOut(finished) + "\n");
  if (run.output == Output::Text)
    put(stdout,
        functionsText(finished) + planText(*report.run) + spillingText(*report.run) + placementText(*report.run));
  if (run.output == Output::GraphJson) put(stdout, exportGraphJson(finalGraph(finished)) + "\n");
  if (run.output == Output::TraceEvents) put(stdout, traceEventJson(report) + "\n");
  if (run.output == Output::Overrides) put(stdout, overrideText(*report.run));
  if (run.output == Output::ModelExplorer) put(stdout, modelExplorerJson(report) + "\n");
  if (run.output == Output::NodeDataAlone) put(stdout, nodeDataJson(report, run.nodeData) + "\n");
  if (run.output == Output::Mlir) put(stdout, exportMlir(finalGraph(finished), &finished.device));
  for (const ReportDefect& d : report.run->defects) {
    put(stderr, "defect found by the " + std::string(d.checker) + " checker: " + d.rule + ": " + d.text + "\n");
  }
}

// Executes the plan of the graph made small under the same options; a plan from outside as it is. False when it
// computes something else than the graph.
bool checkByExecution(const RunArguments& run, const Session& session, const FinishedRun& finished) {
  constexpr uint64_t kSeed = 1;
  Session small;
  ExecutedRun done;
  const bool given = !run.planFile.empty() || !run.policyCommand.empty();
  if (given) {
    done.execution = executeRun(finished, kSeed);
  } else {
    ExecuteRequest request;
    request.options = run.options;
    request.seed = kSeed;
    done = executeSmall(*session.loaded()->graph, small, request);
    if (!done.executed) done.execution = {PlanStatus::NotExecutable, "the small graph has no run"};
  }
  const std::string note = done.note.empty() ? "" : ", " + done.note;
  put(run.output == Output::Text ? stdout : stderr,
      "--  execution" + note + ": " + planExecutionText(done.execution) + "\n");
  return done.execution.status != PlanStatus::Different;
}

}  // namespace

int runCommand(std::span<const std::string> arguments) {
  RunArguments run;
  std::string mistake = parseRunArguments(arguments, run);
  if (!mistake.empty()) return usage(mistake);
  std::unique_ptr<PlanFile> plan;
  if (!run.planFile.empty()) {
    plan = readPlanFile(run.planFile);
    if (!plan) return usage("cannot read `" + run.planFile + "`");
    if (plan->diagnostics.hasErrors()) return printDiagnostics(plan->diagnostics, plan->source), kExitDiagnostics;
    run = withOptionsOf(*plan, arguments);
  }
  for (const std::string& note : run.notes) put(stderr, "tessera: " + note + "\n");
  run.options.keepEvaluations = run.output == Output::DecisionTrace;
  run.options.certificate = run.output == Output::Certificate;
  Session session;
  if (int code = loadFile(run.file, session); code != kExitFine) return code;
  chooseDefaultPolicy(run.options, *session.choose(run.options.function));
  std::unique_ptr<FinishedRun> finished = carryOut(run, session, std::move(plan));
  if (!finished) return kExitDiagnostics;
  printDiagnostics(finished->diagnostics, session.loaded()->source);
  if (run.output == Output::Json && run.profileFile.empty()) put(stdout, reportJson(finished->report) + "\n");
  if (!finished->report.run) return kExitDiagnostics;
  if (!run.profileFile.empty()) return putProfile(run, *finished->report.run);
  if (!run.visualizer.empty()) {
    mistake = writeVisualizerReport(run.visualizer, finished->report);
    if (!mistake.empty()) return usage(mistake);
  }
  if (!run.html.empty()) {
    const Report* const shown[] = {&finished->report};
    mistake = writeReportPage(run.html, run.file, shown);
    if (!mistake.empty()) return usage(mistake);
  }
  mistake = printTrace(run, *finished->report.run);
  if (!mistake.empty()) return usage(mistake);
  printRun(run, session, *finished);
  const bool sound = !run.check || checkByExecution(run, session, *finished);
  return sound && finished->report.ok() ? kExitFine : kExitDiagnostics;
}

}  // namespace tessera
