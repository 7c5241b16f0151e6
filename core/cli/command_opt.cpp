// tessera opt: the compiler's own command line. The whole pipeline with its options, single passes by name, or neither:
// then the input is read, verified and printed. MLIR out. An op that a pass cannot handle is an error, as it is for the
// compiler, but what came out is printed all the same.

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <unordered_set>

#include "core/cli/command.h"
#include "core/cli/opt_arguments.h"
#include "core/driver/optimizer_pass.h"
#include "core/driver/pass_trace.h"
#include "core/import/conform_attributes.h"
#include "core/import/export_mlir.h"
#include "core/ir/functions.h"
#include "core/report/decision_trace_json.h"
#include "core/report/perf_metrics_json.h"
#include "core/text/syntax.h"

namespace tessera {

namespace {

// What one part of the input gave.
struct PartResult {
  bool sound = true;
  std::string out;
  std::string err;
  std::vector<EmittedDiagnostic> emitted;
};

// One part: read, run, printed.
class PartRunner {
 public:
  PartRunner(const OptArguments& opt, const std::string& name, const std::string& text) : opt_(opt) {
    session_.load(name, text);
  }

  PartResult run() {
    if (!loaded().graph) refuse(loaded().diagnostics);
    else runFunctions();
    return std::move(result_);
  }

 private:
  const LoadedGraph& loaded() const { return *session_.loaded(); }

  void refuse(const Diagnostics& diagnostics, bool unsound = true) {
    for (const Diagnostic& d : diagnostics.all()) {
      result_.err += renderDiagnostic(d, loaded().source);
      result_.emitted.push_back({d.severity, loaded().source.lineColumn(d.span.begin).line, d.message});
    }
    if (diagnostics.dropped() > 0) result_.err += "not shown: " + std::to_string(diagnostics.dropped()) + " more\n";
    if (unsound) result_.sound = false;
  }

  // False when it was said already: passes treat what does not belong to the function in turn once more.
  bool say(const std::string& line) {
    const bool fresh = said_.insert(line).second;
    if (fresh) result_.err += line + "\n";
    return fresh;
  }

  void addNotes(const PassLog& log) {
    std::string pass(log.pass->name);
    for (const PassLogNote& note : log.notes) say(pass + ": " + note.op + " " + note.name + ": " + note.text);
    for (const PassLogNote& note : log.problems) {
      const bool fresh = say(pass + ": error: " + note.op + " " + note.name +
                             (note.loc.empty() ? "" : " (" + note.loc + ")") + ": " + note.text);
      if (!fresh) continue;
      uint32_t line = note.span == Span{} ? 0 : loaded().source.lineColumn(note.span.begin).line;
      result_.emitted.push_back({Severity::Error, line, "'" + note.name + "' " + note.text});
    }
    for (const std::string& defect : log.defects) say(pass + ": defect: " + defect);
    result_.sound = result_.sound && log.problems.empty();
  }

  // As the compiler prints a module: its own value names, attributes by the ops' definitions.
  std::string printed(const Graph& given, const DeviceSpec& device) const {
    Graph graph = compactGraph(given);
    bool decomposed = opt_.pipeline;
    for (const PassCall& call : opt_.passes) decomposed = decomposed || call.pass->name == "ttnn-decompose-layouts";
    if (opt_.pipeline || !opt_.passes.empty()) conformAttributes(graph, decomposed);
    if ((opt_.wrapModule || opt_.pipeline) && graph.enclosing.empty())
      graph.enclosing = {{"builtin.module", graph.name, {}, ""}, {"ttcore.device_module", "", {}, ""}};
    if (opt_.unwrapModule) graph.enclosing.clear();
    return exportMlir(graph, &device,
                      {.locations = opt_.printLocations,
                       .localScope = opt_.localScope,
                       .renumber = true,
                       .elideLarger = opt_.elideLarger});
  }

  void addGraph(const char* when, const PassInfo& pass, const Graph& graph, const DeviceSpec& device) {
    result_.err += "// -----// IR Dump " + std::string(when) + " " + std::string(pass.title) + " (" +
                   std::string(pass.name) + ") //----- //\n" + printed(graph, device) + "\n";
  }

  void addGraphBefore(const PassInfo& pass, const Graph& graph, const DeviceSpec& device) {
    if (opt_.printsBefore(pass.name)) addGraph("Before", pass, graph, device);
  }

  void addGraphAfter(const PassInfo& pass, const Graph& graph, const DeviceSpec& device) {
    if (opt_.printsAfter(pass.name)) addGraph("After", pass, graph, device);
  }

  // Every forward function in its turn, unless one was asked for; all of them are one module again in the end.
  void runFunctions() {
    std::vector<std::string> names = {opt_.options.function};
    const bool all = names[0].empty() && loaded().forward.size() > 1 && (opt_.pipeline || !opt_.passes.empty());
    if (all) {
      names.clear();
      for (const ForwardFunction& function : loaded().forward) names.push_back(function.name);
    }
    const Graph& chosen = *session_.choose(names[0])->graph;
    if (!opt_.pipeline && !names[0].empty() && chosen.funcs[chosen.forward].name != names[0]) {
      say("error: the file has no forward function `@" + names[0] + "`");
      result_.sound = false;
      return;
    }
    std::vector<Graph> made;
    DeviceSpec device;
    for (const std::string& name : names) {
      std::optional<Graph> graph = opt_.pipeline ? runPipeline(name, device) : runPasses(name, device);
      if (!graph) return;
      made.push_back(std::move(*graph));
    }
    if (!opt_.perfMetrics || !opt_.perfMetricsFile.empty()) result_.out += printed(joinFunctions(made), device);
  }

  // The figures of the first function that is run; a file of them holds one record.
  void addPerfMetrics(const Graph& graph, const DeviceSpec& device) {
    if (opt_.perfMetrics && !metricsWritten_) {
      bool any = false;
      for (OpId op : graph.funcs[graph.forward].ops) any = any || graph.ops[op].name.rfind("ttnn.", 0) == 0;
      if (!any && !opt_.pipeline)
        say("warning: ttnn-collect-perf-metrics counts TTNN ops, and the graph has none: run the pipeline before it");
      writePerfMetrics(graph, device);
    }
    metricsWritten_ = true;
  }

  // Single passes on the graph as it was given.
  std::optional<Graph> runPasses(const std::string& function, DeviceSpec& device) {
    Options options = opt_.options.resolved();
    options.function = function;
    device = deviceFor(*findDevice(options.device), options);
    const OpModel model(device);
    L1Budget budget(options.l1Budget(device));
    LoweringOptions lowering = options.loweringOptions();
    PassContext context{device, model, budget, lowering};
    Graph graph = *session_.choose(function)->graph;
    startOrigins(graph);
    for (const PassCall& call : opt_.passes) {
      addGraphBefore(*call.pass, graph, device);
      context.settings = call.settings;
      context.byName = true;
      if (call.pass->stage == PassStage::Optimize) {
        OptimizedGraph optimized =
            optimizeAlone(session_.memory, call.pass->part, options, *loaded().graph, graph, context);
        result_.err += optimized.note.empty() ? "" : std::string(call.pass->name) + ": " + optimized.note + "\n";
        if (!optimized.diagnostics.all().empty()) refuse(optimized.diagnostics, optimized.diagnostics.hasErrors());
        addTrace(optimized.trace ? &*optimized.trace : nullptr);
        graph = std::move(optimized.graph);
      } else {
        LoweringResult result = runPass(*call.pass, graph, context);
        for (const PassLog& log : result.logs) {
          addNotes(log);
          result_.sound = result_.sound && log.defects.empty();
        }
        graph = std::move(result.graph);
      }
      addGraphAfter(*call.pass, graph, device);
    }
    addPerfMetrics(graph, device);
    return graph;
  }

  std::optional<Graph> runPipeline(const std::string& function, DeviceSpec& device) {
    Diagnostics optionDiagnostics = opt_.diagnostics;
    Options options = opt_.options;
    options.function = function;
    auto finished = runPolicy(session_, options, optionDiagnostics);
    if (!finished->report.run) {
      refuse(finished->diagnostics);
      return {};
    }
    device = finished->device;
    const bool keep = opt_.printsOnTheWay();
    PassTrace trace = tracePasses(*finished, keep ? PassDetail::Graphs : PassDetail::Notes);
    for (size_t i = 0; i < trace.logs.size(); ++i) {
      const Graph& before = i > 0 && keep ? trace.graphs[i - 1] : *session_.choose(function)->graph;
      if (keep) addGraphBefore(*trace.logs[i].pass, before, finished->device);
      addNotes(trace.logs[i]);
      if (keep) addGraphAfter(*trace.logs[i].pass, trace.graphs[i], finished->device);
    }
    const auto& decided = finished->report.run->log.propagation;
    addTrace(decided ? &*decided : nullptr);
    addPerfMetrics(finished->report.run->program->applied.graph, finished->device);
    for (const ReportDefect& d : finished->report.run->defects) {
      result_.err += "defect found by the " + std::string(d.checker) + " checker: " + d.rule + ": " + d.text + "\n";
    }
    result_.sound = result_.sound && finished->report.ok();
    return std::move(trace.final);
  }

  // What the optimizer was asked, and its decisions in `<folder>/<function>_decision_trace.json`.
  void addTrace(const PropagationTrace* trace) {
    const Options& options = opt_.options;
    if (!options.decisionTrace && !options.compileTimeStats) return;
    if (trace == nullptr) {
      say("warning: the optimizer's first pass did not run: there is no decision trace, and no statistics");
      return;
    }
    if (options.compileTimeStats) {
      say("compile-time stats of @" + trace->decisions.functionName + ": " + std::to_string(trace->decisions.totalOps) +
          " ops, " + std::to_string(trace->evaluations) + " queries of the op model, " +
          std::to_string(trace->combinationsCut) + " ops with combinations left out, " +
          std::to_string(trace->evictions) + " evictions, " + std::to_string(trace->demotions) + " demotions, " +
          std::to_string(trace->rewinds) + " rewinds");
    }
    if (options.decisionTrace) writeTrace(*trace);
  }

  void writeTrace(const PropagationTrace& trace) {
    constexpr size_t kLongestName = 128;
    std::string name = trace.decisions.functionName.substr(0, kLongestName);
    for (char& c : name) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';  // names come from files
    }
    std::error_code failed;
    std::filesystem::create_directories(opt_.options.decisionTraceDir, failed);
    const std::string path = opt_.options.decisionTraceDir + "/" + name + "_decision_trace.json";
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) {
      result_.err += "error: cannot write `" + path + "`\n";
      result_.sound = false;
      return;
    }
    put(file, decisionTraceJson(trace.decisions) + "\n");
    std::fclose(file);
  }

  void writePerfMetrics(const Graph& graph, const DeviceSpec& device) {
    std::string metrics = perfMetricsJson(graph, device, opt_.verbosePerfMetrics) + "\n";
    if (opt_.perfMetricsFile.empty()) {
      result_.out += metrics;
      return;
    }
    std::FILE* file = std::fopen(opt_.perfMetricsFile.c_str(), "wb");
    if (file == nullptr) {
      result_.err += "error: cannot write `" + opt_.perfMetricsFile + "`\n";
      result_.sound = false;
      return;
    }
    put(file, metrics);
    std::fclose(file);
  }

  const OptArguments& opt_;
  Session session_;
  PartResult result_;
  std::unordered_set<std::string> said_;
  bool metricsWritten_ = false;
};

struct Part {
  std::string text;
  uint32_t firstLine = 1;
};

// The parts between lines that start with the marker; one that says nothing is an empty module.
std::vector<Part> splitParts(std::string_view text, const std::string& marker) {
  constexpr size_t kMaxParts = 10'000;  // what is behind them stays one part
  std::vector<Part> parts(1);
  uint32_t number = 1;
  while (!text.empty()) {
    size_t end = text.find('\n');
    end = end == std::string_view::npos ? text.size() : end + 1;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    ++number;
    if (line.rfind(marker, 0) == 0 && parts.size() < kMaxParts) parts.push_back({"", number});
    else parts.back().text.append(line);
  }
  return parts;
}

bool holdsOnlyComments(std::string_view text) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    size_t at = line.find_first_not_of(" \t\r");
    if (at != std::string_view::npos && line.substr(at, 2) != "//") return false;
  }
  return true;
}

// The compiler reads several modules side by side as one; here each is a graph of its own, with the aliases of all.
std::vector<std::string> splitModules(const std::string& text) {
  constexpr size_t kMaxModules = 64;
  size_t starts = text.rfind("module", 0) == 0 ? 1 : 0;
  for (size_t at = text.find("\nmodule"); at != std::string::npos; at = text.find("\nmodule", at + 1)) ++starts;
  if (starts < 2 || starts > kMaxModules) return {text};
  SourceBuffer source("", text);
  Diagnostics diagnostics;
  text::SyntaxTree tree = text::parseText(source, diagnostics);
  std::vector<Span> modules;
  for (text::OpNodeId id : tree.topLevel) {
    if (tree.ops[id].form == text::OpForm::Module) modules.push_back(tree.ops[id].span);
  }
  if (diagnostics.hasErrors() || modules.size() < 2) return {text};
  std::vector<std::string> out(modules.size(), text);
  for (size_t i = 0; i < modules.size(); ++i) {
    for (size_t k = 0; k < modules.size(); ++k) {
      if (i == k) continue;
      for (uint32_t at = modules[k].begin; at < modules[k].end; ++at) {
        if (out[i][at] != '\n') out[i][at] = ' ';
      }
    }
  }
  return out;
}

void append(PartResult& to, PartResult from) {
  to.sound = to.sound && from.sound;
  to.out += from.out;
  to.err += from.err;
  to.emitted.insert(to.emitted.end(), from.emitted.begin(), from.emitted.end());
}

// Empty when the diagnostics are those that the comments of the part announce.
PartResult runPart(const OptArguments& opt, const std::string& name, const Part& part) {
  if (opt.splitInput && holdsOnlyComments(part.text)) return {true, "module {\n}\n", "", {}};
  // Line breaks in front keep the places those of the whole file.
  PartResult result;
  for (const std::string& module : splitModules(std::string(part.firstLine - 1, '\n') + part.text))
    append(result, PartRunner(opt, name, module).run());
  if (opt.verifyDiagnostics == VerifyDiagnostics::Off) return result;
  PartResult verdict;
  for (const std::string& mistake :
       checkExpectedDiagnostics(part.text, part.firstLine, result.emitted, opt.verifyDiagnostics)) {
    verdict.err += name + ":" + mistake + "\n";
    verdict.sound = false;
  }
  return verdict;
}

}  // namespace

int optCommand(std::span<const std::string> arguments) {
  OptArguments opt;
  std::string mistake = parseOptArguments(arguments, opt);
  if (!mistake.empty()) return usage(mistake);
  for (const PassCall& call : opt.passes) {
    const bool runnable = call.pass->run != nullptr || call.pass->stage == PassStage::Optimize;
    if (!runnable) return usage("`" + std::string(call.pass->name) + "` needs the whole pipeline");
  }
  std::string text;
  if (!readFile(opt.file, text)) return usage("cannot read `" + opt.file + "`");
  for (const std::string& warning : opt.warnings) put(stderr, "tessera: " + warning + "\n");
  std::string name = opt.file == "-" ? "<stdin>" : opt.file;
  std::vector<Part> parts =
      opt.splitInput ? splitParts(text, opt.splitMarker) : std::vector<Part>{{std::move(text), 1}};
  bool sound = true;
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    PartResult result = runPart(opt, name, parts[i]);
    if (i > 0 && opt.verifyDiagnostics == VerifyDiagnostics::Off) out += opt.splitMarker + "\n";
    out += result.out;
    put(stderr, result.err);
    sound = sound && result.sound;
  }
  put(stdout, out);
  return sound ? kExitFine : kExitDiagnostics;
}

}  // namespace tessera
