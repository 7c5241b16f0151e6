// tessera export: the layout problem of a graph, for solvers of other people.

#include "core/driver/commands/command.h"
#include "core/driver/regret.h"

namespace tessera {

int exportCommand(std::span<const std::string> arguments) {
  std::string kind, file;
  Options options;
  Diagnostics diagnostics;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].rfind("--", 0) != 0) {
      if (!file.empty()) return usage("more than one file");
      (kind.empty() ? kind : file) = arguments[i];
      continue;
    }
    std::string id, value;
    if (!splitOption(arguments, i, id, value)) return usage("`" + arguments[i] + "` needs a value");
    if (!setOption(options, id, value, diagnostics)) return usage(diagnostics.all().back().message);
  }
  if (file.empty()) return usage("export needs a format and a file");
  if (kind != "wcsp" && kind != "lp" && kind != "joint-lp") return usage("unknown format `" + kind + "`");
  options.policy = "DRAM";
  LoadedGraph loaded;
  if (int code = loadFile(file, loaded); code != kExitFine) return code;
  auto finished = runPolicy(loaded, options, diagnostics);
  printDiagnostics(finished->diagnostics, loaded.source);
  if (!finished->report.run) return kExitDiagnostics;
  std::string note;
  put(stdout, exportModel(*finished, kind, note));
  put(stderr, note + "\n");
  return kExitFine;
}

}  // namespace tessera
