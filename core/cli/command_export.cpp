// tessera export: the layout problem of a graph, for solvers of other people.

#include "core/cli/command.h"
#include "core/driver/regret.h"
#include "core/policy/policy.h"

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
  options.policy = floorPolicy().id;
  Session session;
  if (int code = loadFile(file, session); code != kExitFine) return code;
  const LoadedGraph& loaded = *session.loaded();
  auto finished = runPolicy(session, options, diagnostics);
  printDiagnostics(finished->diagnostics, loaded.source);
  if (!finished->report.run) return kExitDiagnostics;
  std::string note;
  put(stdout, exportModel(session, *finished, kind, note));
  put(stderr, note + "\n");
  return kExitFine;
}

}  // namespace tessera
