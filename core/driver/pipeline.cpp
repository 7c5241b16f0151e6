#include "core/driver/pipeline.h"

#include <algorithm>

#include "core/analysis/conv_settings.h"
#include "core/lowering/as_it_stands.h"
#include "core/lowering/release.h"
#include "core/plan/check_plan.h"
#include "core/plan/plan_json.h"
#include "core/plan/refused_overrides.h"
#include "core/report/problem_json.h"

namespace tessera {

namespace {

// A chip as of a release of the device library. The mock descriptions stand at no release and stay as they are.
DeviceSpec atRelease(const DeviceSpec& device, const std::string& release) {
  bool mock = device.id.substr(0, 5) == "mock-";
  return mock ? device : withL1Release(device, release).value_or(device);
}

// What a pass could not handle is the user's to know.
void reportProblems(const std::vector<PassLog>& logs, Diagnostics& diags) {
  for (const PassLog& log : logs) {
    for (const PassLogNote& note : log.problems) {
      const DiagKind kind = note.computesOther ? DiagKind::PassComputesOther : DiagKind::PassProblem;
      diags.report(kind, note.span, {log.pass->name, note.name, note.text});
    }
  }
}

void checkFunction(const std::string& asked, const LoadedGraph& loaded, Diagnostics& diags) {
  if (asked.empty() || loaded.graph->funcs[loaded.graph->forward].name == asked) return;
  constexpr size_t kMostNamed = 8;
  std::string known;
  for (size_t i = 0; i < std::min(loaded.forward.size(), kMostNamed); ++i)
    known += (i > 0 ? ", `@" : "`@") + loaded.forward[i].name + "`";
  if (loaded.forward.size() > kMostNamed) known += " ...";
  diags.report(DiagKind::UnknownFunction, {}, {asked, known});
}

}  // namespace

DeviceSpec deviceFor(const DeviceSpec& chip, const Options& options) {
  DeviceSpec device = atRelease(chip, options.l1Release);
  device.library = parseEnum(kLibraryReleases, options.libraryRelease).value_or(device.library);
  if (options.l1SmallSize > 0) device.l1Small = Bytes(options.l1SmallSize);
  device.grid = {std::min(device.grid.rows, static_cast<int32_t>(options.maxGridRows)),
                 std::min(device.grid.cols, static_cast<int32_t>(options.maxGridCols))};
  parseCalibration(options.calibration, device.timeFactors);
  return device;
}

std::unique_ptr<FinishedRun> prepareRun(Session& session, const Options& given, const Diagnostics& optionDiags) {
  auto finished = std::make_unique<FinishedRun>();
  finished->loaded = session.choose(given.function);
  const LoadedGraph& loaded = *finished->loaded;
  Options options = given.resolved();
  finished->diagnostics.addAll(optionDiags);
  checkOptions(given, finished->diagnostics);
  finished->diagnostics.addAll(loaded.diagnostics);
  if (loaded.graph) checkFunction(given.function, loaded, finished->diagnostics);
  Report& report = finished->report;
  report.source = &loaded.source;
  report.isJson = loaded.isJson;
  report.diagnostics = &finished->diagnostics;
  report.options = optionValues(options);
  report.withTraces = options.trace;
  const DeviceSpec* device = findDevice(options.device);
  const PolicyInfo* policy = findPolicy(options.policy);
  if (!device || !policy) return finished;
  finished->device = deviceFor(*device, options);
  report.device = &finished->device;
  if (!loaded.graph) return finished;
  report.graph = &*loaded.graph;
  report.forward = loaded.forward;
  if (finished->diagnostics.hasErrors()) return finished;

  finished->policy = policy;
  addGraphDefects(loaded.defects, "imported", finished->defects);

  // Lower: from TTIR to TTNN with a layout for every tensor; what is the same in every run leaves the forward function.
  finished->budget = L1Budget(options.l1Budget(finished->device));
  LoweringOptions loweringOptions = optionsFor(*loaded.graph, options.loweringOptions());
  loweringOptions.asItStands = policy->has(kAsItStands) && carriesLayouts(*loaded.graph);
  finished->lowered = session.lower(loweringOptions, finished->device, finished->budget.bytes());
  reportProblems(finished->lowered->result.logs, finished->diagnostics);
  finished->diagnostics.addAll(finished->lowered->refused);
  addPassDefects(finished->lowered->result.logs, finished->defects);

  // Analyse: schedule, liveness, legal layouts.
  ProblemOptions problemOptions =
      options.problemOptions(*loaded.graph, finished->lowered->result.graph, finished->device, finished->diagnostics);
  problemOptions.asItStands = loweringOptions.asItStands;
  if (problemOptions.asItStands && !options.overrideOutputLayout.empty())
    finished->diagnostics.report(
        DiagKind::OptionIgnored, {},
        {"override-output-layout", options.overrideOutputLayout, "the plan is taken as it is written"});
  if (!problemOptions.conv2dOverrides.empty()) {
    Graph fixed =
        withConvSettings(finished->lowered->result.graph, problemOptions.conv2dOverrides, finished->diagnostics);
    finished->lowered = session.withGraph(*finished->lowered, std::move(fixed));
  }
  std::optional<Graph> ordered =
      options.inOpOrder(*loaded.graph, finished->lowered->result.graph, finished->diagnostics);
  if (ordered) finished->lowered = session.withGraph(*finished->lowered, *std::move(ordered));
  const Graph& lowered = finished->lowered->result.graph;
  if (finished->diagnostics.hasErrors()) return finished;
  finished->policyOptions = options.policyOptions();
  auto problem = std::make_unique<Problem>(analyse(lowered, session.modelOf(*finished->lowered, finished->device),
                                                   problemOptions, finished->budget, finished->diagnostics));
  if (!finished->diagnostics.hasErrors()) finished->problem = std::move(problem);
  return finished;
}

namespace {

// What a program that is taken as written never gives back.
void reportFreeing(const Graph& graph, const SimResult& sim, Diagnostics& diags) {
  if (sim.freeing == Freeing::AfterLastUse) {
    diags.report(DiagKind::NoDeallocation, {}, {graph.funcs[graph.forward].name});
    return;
  }
  for (ValueId value : neverFreed(graph, sim)) {
    const Value& one = graph.values[value];
    diags.report(DiagKind::NeverDeallocated, graph.ops[one.producer].span,
                 {one.name, layoutText(*one.type.tensor->layout)});
  }
}

// `kept`: may know it; null: nothing is kept.
std::shared_ptr<const CarriedOut> programOf(FinishedRun& finished, const Plan& plan, KeptProgram* kept) {
  if (kept) {
    auto known = kept->find(finished.lowered, finished.budget.bytes(), plan);
    if (known) return known;
  }
  finished.budget.takeRange();
  auto made = carriedOut(*finished.lowered, *finished.problem, plan);
  if (kept) kept->keep(finished.lowered, finished.budget.takeRange(), plan, made);
  return made;
}

// What follows from a plan, whoever made it.
void carryOut(FinishedRun& finished, RunOutcome run, KeptProgram* kept) {
  const Problem& problem = *finished.problem;
  run.problem = &problem;
  run.program = programOf(finished, run.plan, kept);
  const CarriedOut& program = *run.program;
  reportProblems(program.logs, finished.diagnostics);
  if (problem.options.asItStands) reportFreeing(program.applied.graph, program.sim, finished.diagnostics);
  run.defects.insert(run.defects.begin(), finished.defects.begin(), finished.defects.end());
  run.defects.insert(run.defects.end(), program.defects.begin(), program.defects.end());
  finished.report.run = std::move(run);
}

// Mistakes of a plan from outside are its author's to know, not ours.
void reportDefects(const std::vector<PlanDefect>& defects, const Graph& graph, Diagnostics& diags) {
  for (const PlanDefect& d : defects) {
    std::string where = "the plan", text = d.text;
    if (d.op.valid()) {
      const Op& op = graph.ops[d.op];
      const std::string name = op.results.empty() ? op.name : "%" + graph.values[op.results[0]].name + " " + op.name;
      where = "`" + name + "`";
      if (text.rfind(name + ": ", 0) == 0) text.erase(0, name.size() + 2);
    }
    if (d.operand >= 0) where += " operand " + std::to_string(d.operand);
    diags.report(DiagKind::PlanIllegal, d.op.valid() ? graph.ops[d.op].span : Span{},
                 {planRuleName(d.rule), where, text});
  }
}

}  // namespace

void runPlan(FinishedRun& prepared, JsonValue plan) {
  TESSERA_CHECK(prepared.problem != nullptr, "a plan for a run without problem");
  const Problem& problem = *prepared.problem;
  RunOutcome run;
  run.plan = readPlan(plan, problem, prepared.diagnostics);
  if (!problem.options.asItStands) reportDefects(checkPlan(problem, run.plan), problem.graph, prepared.diagnostics);
  run.policy = findPolicy(run.plan.policy);
  if (!run.policy) {
    prepared.author = run.plan.policy.empty() ? "Plan" : run.plan.policy;
    prepared.outside = PolicyInfo{"Plan", prepared.author, "A plan from outside.", 0, nullptr};
    run.policy = &*prepared.outside;
  }
  carryOut(prepared, std::move(run), nullptr);
}

namespace {

// An object of the options that are not the defaults, as they are for this graph.
std::string ownOptions(const FinishedRun& finished) {
  Options defaults;
  for (const OptionValue& value : finished.report.options) {
    if (value.id == "reoptimize") defaults.reoptimize = value.json == "true";
  }
  chooseDefaultPolicy(defaults, *finished.loaded);
  JsonWriter w;
  w.beginObject();
  for (const OptionValue& value : finished.report.options) {
    const std::string usual = optionValueJson(value.id == "policy" ? defaults : Options(), value.id);
    if (value.json == usual) continue;
    w.key(value.id);
    w.raw(value.json);
  }
  w.endObject();
  return w.take();
}

}  // namespace

std::string problemOut(const FinishedRun& prepared) { return problemJson(*prepared.problem, ownOptions(prepared)); }

std::string planOut(const FinishedRun& finished) {
  const RunOutcome& run = *finished.report.run;
  const std::string_view author = finished.outside ? std::string_view(finished.author) : run.policy->id;
  return planJson(*finished.problem, run.plan, author, ownOptions(finished));
}

Graph finalGraph(const FinishedRun& finished) {
  const RunOutcome& run = *finished.report.run;
  return release(run.program->applied.graph,
                 {finished.device, run.problem->model, run.problem->budget, finished.lowered->options},
                 PassDetail::Notes)
      .graph;
}

void chooseDefaultPolicy(Options& options, const LoadedGraph& loaded) {
  if (options.policyGiven || options.reoptimize) return;
  if (!loaded.graph || !carriesLayouts(*loaded.graph)) return;
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.has(kAsItStands)) options.policy = policy.id;
  }
}

namespace {

// Which part of an override the layout does not meet, as it was given.
std::string unmetKey(const OutputLayoutOverride& fixed, const TensorLayout& got) {
  if (fixed.buffer && *fixed.buffer != got.buffer) return std::string(bufferTypeName(*fixed.buffer));
  if (fixed.memory && *fixed.memory != got.memory) return std::string(tensorMemoryLayoutName(*fixed.memory));
  if (fixed.page && *fixed.page != got.page) return std::string(pageLayoutName(*fixed.page));
  if (fixed.dtype && deviceDType(*fixed.dtype) != got.dtype) return std::string(dtypeName(*fixed.dtype));
  if (fixed.grid) return std::to_string(fixed.grid->rows) + "x" + std::to_string(fixed.grid->cols);
  return "";
}

// Why the op does not write the result that was asked for, with its operands where the plan has them.
std::string refusalOf(const Problem& problem, OpId op, const Plan& plan) {
  if (problem.pinned[problem.graph.ops[op].results[0]].has_value()) return "the program fixes where this result lies";
  std::vector<std::optional<TensorLayout>> inputs;
  for (ValueId operand : problem.graph.ops[op].operands)
    inputs.push_back(problem.isTensor(operand) ? plan.layout[operand] : std::nullopt);
  for (const TensorLayout& layout : problem.legal[op].layouts) {
    const OpVerdict verdict =
        problem.model.validateOperation({problem.graph, op, inputs, {layout, {}}, Bytes(0)}, problem.budget);
    if (!verdict.ok()) return verdictText(verdict);
  }
  return "the policy finds no room or no reader for it";
}

// An override is carried out, or it is said why it is not.
void reportRefusedOverrides(const Problem& problem, const Plan& plan, Diagnostics& diags) {
  for (const RefusedOverride& refused : refusedOverrides(problem, plan)) {
    const Op& o = problem.graph.ops[refused.op];
    const TensorLayout& got = *plan.layout[o.results[0]];
    diags.report(DiagKind::OverrideLeavesNothing, o.span,
                 {refused.asked->op, "`" + unmetKey(refused.asked->settings, got) + "` is not met, `" + o.name +
                                         "` writes " + layoutText(got) + ": " + refusalOf(problem, refused.op, plan)});
  }
}

}  // namespace

RunOutcome decideRun(Session& session, FinishedRun& prepared) {
  TESSERA_CHECK(prepared.problem != nullptr, "a decision without problem");
  // A policy sees the problem only.
  RunOutcome run;
  run.policy = prepared.policy;
  run.plan = decidePlan(*run.policy, *prepared.problem, prepared.policyOptions, session.memory, run.log);
  return run;
}

void finishRun(Session& session, FinishedRun& prepared, RunOutcome run) {
  const Problem& problem = *prepared.problem;
  // What is written is judged by the simulator alone: it need not be what a policy would be allowed.
  const bool decided = !problem.options.asItStands;
  if (decided) reportRefusedOverrides(problem, run.plan, prepared.diagnostics);
  for (const PlanDefect& d : decided ? checkPlan(problem, run.plan) : std::vector<PlanDefect>())
    run.defects.push_back({"plan", std::string(planRuleName(d.rule)), d.text});
  carryOut(prepared, std::move(run), &session.program);
}

std::unique_ptr<FinishedRun> runPolicy(Session& session, const Options& options, const Diagnostics& optionDiags) {
  auto finished = prepareRun(session, options, optionDiags);
  if (finished->problem) finishRun(session, *finished, decideRun(session, *finished));
  return finished;
}

}  // namespace tessera
