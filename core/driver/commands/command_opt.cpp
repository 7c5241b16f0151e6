// tessera opt: the compiler's own command line. The whole pipeline with its options, or single passes by name; MLIR out. An op that a
// pass cannot handle is an error, as it is for the compiler, but what came out is printed all the same.

#include <cstdio>

#include "core/driver/commands/command.h"
#include "core/driver/pass_trace.h"
#include "core/driver/pipeline_options.h"
#include "core/import/export_mlir.h"
#include "core/report/perf_metrics_json.h"

namespace tessera {

namespace {

struct OptArguments {
  std::string file;
  bool pipeline = false;
  std::vector<const PassInfo*> passes;  // alone, in this order
  bool printAfterAll = false;
  bool perfMetrics = false;
  bool verbosePerfMetrics = false;
  std::string perfMetricsFile;
  Options options = pipelineDefaults();
  Diagnostics diagnostics;
};

// Empty when all is well, else what is wrong.
std::string parseArgument(const std::string& argument, OptArguments& out) {
  size_t equals = argument.find('=');
  std::string name = argument.substr(2, equals == std::string::npos ? std::string::npos : equals - 2);
  std::string value = equals == std::string::npos ? std::string() : argument.substr(equals + 1);
  bool isPipeline = name == "ttir-to-ttnn-backend-pipeline" || name == "ttir-to-ttnn-runtime-pipeline" || name == "ttir-to-ttnn-common-pipeline";
  if (isPipeline) {
    out.pipeline = true;
    return parsePipelineOptions(value, out.options, out.diagnostics) ? "" : out.diagnostics.all().back().message;
  }
  if (name == "print-ir-after-all" || name == "mlir-print-ir-after-all") return out.printAfterAll = true, "";
  if (name == "ttnn-collect-perf-metrics") return out.perfMetrics = true, "";
  if (name == "ttnn-perf-metrics-verbose-output-enabled") return out.verbosePerfMetrics = value != "false", "";
  if (name == "ttnn-perf-metrics-output-file") return out.perfMetricsFile = value, value.empty() ? "`" + argument + "` needs a file" : "";
  if (const PassInfo* pass = findPass(name)) return out.passes.push_back(pass), "";
  // `--system-desc-path=` and the like may stand beside the pipeline as well as in it.
  return parsePipelineOptions(name + "=" + value, out.options, out.diagnostics) ? "" : out.diagnostics.all().back().message;
}

std::string parseArguments(std::span<const std::string> arguments, OptArguments& out) {
  for (const std::string& argument : arguments) {
    if (argument.rfind("--", 0) == 0) {
      std::string mistake = parseArgument(argument, out);
      if (!mistake.empty()) return mistake;
    } else if (!out.file.empty()) {
      return "more than one file";
    } else {
      out.file = argument;
    }
  }
  if (out.file.empty()) return "no file given";
  if (out.pipeline && !out.passes.empty()) return "give the pipeline or single passes, not both";
  return "";
}

void printNotes(const PassLog& log) {
  for (const PassLogNote& note : log.notes) put(stderr, std::string(log.pass->name) + ": " + note.op + " " + note.name + ": " + note.text + "\n");
  for (const PassLogNote& note : log.problems) {
    put(stderr, std::string(log.pass->name) + ": error: " + note.op + " " + note.name + (note.loc.empty() ? "" : " (" + note.loc + ")") + ": " + note.text + "\n");
  }
  for (const std::string& defect : log.defects) put(stderr, std::string(log.pass->name) + ": defect: " + defect + "\n");
}

void printAfter(const PassInfo& pass, const Graph& graph, const DeviceSpec& device) {
  put(stderr, "// -----// IR Dump After " + std::string(pass.title) + " (" + std::string(pass.name) + ") //----- //\n" + exportMlir(graph, &device) + "\n");
}

// Single passes on the graph as it was given.
int runPasses(const OptArguments& opt, const LoadedGraph& loaded) {
  Options options = opt.options.resolved();
  const DeviceSpec* device = findDevice(options.device);
  OpModel model(*device, options.l1Budget(*device));
  LoweringOptions lowering = options.loweringOptions();
  PassContext context{*device, model, lowering};
  Graph graph = *loaded.graph;
  startOrigins(graph);
  bool sound = true;
  for (const PassInfo* pass : opt.passes) {
    if (pass->run == nullptr) return usage("`" + std::string(pass->name) + "` needs the whole pipeline");
    LoweringResult result = runPass(*pass, graph, context);
    for (const PassLog& log : result.logs) {
      printNotes(log);
      sound = sound && log.defects.empty() && log.problems.empty();
    }
    graph = std::move(result.graph);
    if (opt.printAfterAll) printAfter(*pass, graph, *device);
  }
  put(stdout, exportMlir(compactGraph(graph), device));
  return sound ? kExitFine : kExitDiagnostics;
}

int runPipeline(const OptArguments& opt, const LoadedGraph& loaded) {
  auto finished = runPolicy(loaded, opt.options, opt.diagnostics);
  if (!finished->report.run) {
    printDiagnostics(finished->diagnostics, loaded.source);
    return kExitDiagnostics;
  }
  PassTrace trace = tracePasses(loaded, *finished, opt.printAfterAll ? KeepGraphs::Yes : KeepGraphs::No);
  bool handled = true;
  for (size_t i = 0; i < trace.logs.size(); ++i) {
    printNotes(trace.logs[i]);
    handled = handled && trace.logs[i].problems.empty();
    if (opt.printAfterAll) printAfter(*trace.logs[i].pass, trace.graphs[i], finished->device);
  }
  if (opt.perfMetrics) {
    std::string metrics = perfMetricsJson(finished->report, opt.verbosePerfMetrics) + "\n";
    std::FILE* file = opt.perfMetricsFile.empty() ? nullptr : std::fopen(opt.perfMetricsFile.c_str(), "wb");
    if (!opt.perfMetricsFile.empty() && !file) return usage("cannot write `" + opt.perfMetricsFile + "`");
    put(file ? file : stdout, metrics);
    if (file) std::fclose(file);
  }
  if (!opt.perfMetrics || !opt.perfMetricsFile.empty()) put(stdout, exportMlir(compactGraph(trace.final), &finished->device));
  for (const ReportDefect& d : finished->report.run->defects) {
    put(stderr, "defect found by the " + std::string(d.checker) + " checker: " + d.rule + ": " + d.text + "\n");
  }
  return finished->report.ok() && handled ? kExitFine : kExitDiagnostics;
}

}  // namespace

int optCommand(std::span<const std::string> arguments) {
  OptArguments opt;
  std::string mistake = parseArguments(arguments, opt);
  if (!mistake.empty()) return usage(mistake);
  LoadedGraph loaded;
  if (int code = loadFile(opt.file, loaded); code != kExitFine) return code;
  if (!loaded.graph) {
    printDiagnostics(loaded.diagnostics, loaded.source);
    return kExitDiagnostics;
  }
  bool single = !opt.pipeline && !opt.passes.empty();
  return single ? runPasses(opt, loaded) : runPipeline(opt, loaded);
}

}  // namespace tessera
