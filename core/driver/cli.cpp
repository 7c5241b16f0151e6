#include "core/driver/cli.h"

#include <cstdio>
#include <vector>

#include "core/driver/api.h"
#include "core/driver/pipeline.h"
#include "core/import/export_mlir.h"
#include "core/import/graph_json.h"

namespace tessera {

namespace {

constexpr const char* kUsage =
    "usage: tessera run FILE [--policy P] [--device D] [--OPTION VALUE ...] [--plan | --json | --mlir | --graph-json]\n"
    "       tessera lint FILE\n"
    "       tessera layout REQUEST\n"
    "       tessera catalog\n"
    "       tessera version\n"
    "\n"
    "FILE holds TTIR or TTNN as MLIR text, or a graph as JSON; - reads standard input.\n"
    "REQUEST is JSON that asks for one tensor's layout, see docs/layout-lab.md.\n"
    "Exit codes: 0 fine, 1 the input or the run has defects (see standard error), 2 usage.\n"
    "\n"
    "options of run:\n";

void put(std::FILE* to, const std::string& text) { std::fwrite(text.data(), 1, text.size(), to); }

int usage(const std::string& mistake) {
  if (!mistake.empty()) put(stderr, "tessera: " + mistake + "\n\n");
  std::string text = kUsage;
  for (const OptionInfo& info : allOptions()) {
    text += "  --" + std::string(info.id);
    text.append(info.id.size() < 22 ? 22 - info.id.size() : 1, ' ');
    text += std::string(info.help) + " Default " + optionValueJson(Options(), info.id) + ".\n";
  }
  put(mistake.empty() ? stdout : stderr, text);
  return mistake.empty() ? kExitFine : kExitUsage;
}

bool readFile(const std::string& path, std::string& text) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!file) return false;
  char buffer[1 << 16];
  size_t count = 0;
  // One byte past the limit is enough for the loader to refuse the input.
  while (text.size() <= kMaxSourceBytes && (count = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, count);
  bool fine = !std::ferror(file);
  if (file != stdin) std::fclose(file);
  return fine;
}

int load(const std::string& path, LoadedGraph& loaded) {
  std::string text;
  if (!readFile(path, text)) return usage("cannot read `" + path + "`");
  loaded = loadGraph(path == "-" ? "<stdin>" : path, std::move(text));
  return kExitFine;
}

void printDiagnostics(const Diagnostics& diagnostics, const SourceBuffer& source) {
  for (const Diagnostic& d : diagnostics.all()) put(stderr, renderDiagnostic(d, source));
  if (diagnostics.dropped() > 0) put(stderr, std::to_string(diagnostics.dropped()) + " more are not shown\n");
}

enum class Output { Plan, Json, Mlir, GraphJson };

struct RunArguments {
  std::string file;
  Output output = Output::Plan;
  Options options;
  Diagnostics diagnostics;
};

// Empty when all is well, else what is wrong.
std::string parseRunArguments(std::span<const std::string> arguments, RunArguments& out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--json") out.output = Output::Json;
    else if (argument == "--plan") out.output = Output::Plan;
    else if (argument == "--mlir") out.output = Output::Mlir;
    else if (argument == "--graph-json") out.output = Output::GraphJson;
    else if (argument.rfind("--", 0) == 0) {
      size_t equals = argument.find('=');
      std::string id = argument.substr(2, equals == std::string::npos ? std::string::npos : equals - 2);
      bool hasValue = equals != std::string::npos;
      if (!hasValue && i + 1 == arguments.size()) return "`" + argument + "` needs a value";
      std::string value = hasValue ? argument.substr(equals + 1) : arguments[++i];
      if (!setOption(out.options, id, value, out.diagnostics)) return out.diagnostics.all().back().message;
    } else if (!out.file.empty()) {
      return "more than one file";
    } else {
      out.file = argument;
    }
  }
  return out.file.empty() ? "no file given" : "";
}

int runCommand(std::span<const std::string> arguments) {
  RunArguments run;
  std::string mistake = parseRunArguments(arguments, run);
  if (!mistake.empty()) return usage(mistake);
  LoadedGraph loaded;
  if (int code = load(run.file, loaded); code != kExitFine) return code;
  auto finished = runPolicy(loaded, run.options, run.diagnostics);
  const Report& report = finished->report;
  printDiagnostics(finished->diagnostics, loaded.source);
  if (run.output == Output::Json) put(stdout, reportJson(report) + "\n");
  if (!report.run) return kExitDiagnostics;
  if (run.output == Output::Plan) put(stdout, planText(*report.run));
  if (run.output == Output::GraphJson) put(stdout, exportGraphJson(report.run->applied.graph) + "\n");
  if (run.output == Output::Mlir) put(stdout, exportMlir(report.run->applied.graph, &finished->device));
  for (const ReportDefect& d : report.run->defects) {
    put(stderr, "defect found by the " + std::string(d.checker) + " checker: " + d.rule + ": " + d.text + "\n");
  }
  return report.ok() ? kExitFine : kExitDiagnostics;
}

int lintCommand(const std::string& path) {
  LoadedGraph loaded;
  if (int code = load(path, loaded); code != kExitFine) return code;
  printDiagnostics(loaded.diagnostics, loaded.source);
  return loaded.diagnostics.hasErrors() ? kExitDiagnostics : kExitFine;
}

int layoutCommand(const std::string& path) {
  std::string text;
  if (!readFile(path, text)) return usage("cannot read `" + path + "`");
  const std::string answer = apiLayout(text);
  put(stdout, answer + "\n");
  // An answer always lists what is wrong; nothing is drawn then.
  return answer.find("\"problems\":[]") != std::string::npos ? kExitFine : kExitDiagnostics;
}

}  // namespace

int runCommandLine(std::span<const std::string> arguments) {
  if (arguments.empty()) return usage("no command given");
  const std::string& command = arguments[0];
  if (command == "run") return runCommand(arguments.subspan(1));
  if (command == "lint" && arguments.size() == 2) return lintCommand(arguments[1]);
  if (command == "layout" && arguments.size() == 2) return layoutCommand(arguments[1]);
  if (command == "catalog" || command == "version") {
    put(stdout, (command == "catalog" ? apiCatalog() : apiVersion()) + "\n");
    return kExitFine;
  }
  if (command == "help" || command == "--help" || command == "-h") return usage("");
  return usage("unknown command `" + command + "`");
}

}  // namespace tessera
