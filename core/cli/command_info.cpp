// tessera lint, layout, catalog, version: one call of the api each.

#include <cstdio>

#include "core/cli/command.h"
#include "core/driver/api.h"

namespace tessera {

int lintCommand(std::span<const std::string> arguments) {
  if (arguments.size() != 1) return usage("lint takes one file");
  Session session;
  if (int code = loadFile(arguments[0], session); code != kExitFine) return code;
  const LoadedGraph& loaded = *session.loaded();
  printDiagnostics(loaded.diagnostics, loaded.source);
  return loaded.diagnostics.hasErrors() ? kExitDiagnostics : kExitFine;
}

int layoutCommand(std::span<const std::string> arguments) {
  if (arguments.size() != 1) return usage("layout takes one file");
  std::string text;
  if (!readFile(arguments[0], text)) return usage("cannot read `" + arguments[0] + "`");
  const std::string answer = apiLayout(text);
  put(stdout, answer + "\n");
  // An answer always lists what is wrong; nothing is drawn then.
  return answer.find("\"problems\":[]") != std::string::npos ? kExitFine : kExitDiagnostics;
}

int catalogCommand(std::span<const std::string> arguments) {
  if (!arguments.empty()) return usage("catalog takes no arguments");
  put(stdout, apiCatalog() + "\n");
  return kExitFine;
}

int versionCommand(std::span<const std::string> arguments) {
  if (!arguments.empty()) return usage("version takes no arguments");
  put(stdout, apiVersion() + "\n");
  return kExitFine;
}

}  // namespace tessera
