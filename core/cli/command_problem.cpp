// tessera problem: what a policy has to decide, for policies outside of the program.

#include "core/cli/command.h"

namespace tessera {

int problemCommand(std::span<const std::string> arguments) {
  std::string file;
  Options options;
  Diagnostics diagnostics;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--json") continue;  // there is no other form
    if (argument.rfind("--", 0) == 0) {
      std::string id, value;
      if (!splitOption(arguments, i, id, value)) return usage("`" + argument + "` needs a value");
      if (!setOption(options, id, value, diagnostics)) return usage(diagnostics.all().back().message);
    } else if (!file.empty()) {
      return usage("more than one file");
    } else {
      file = argument;
    }
  }
  if (file.empty()) return usage("no file given");
  Session session;
  if (int code = loadFile(file, session); code != kExitFine) return code;
  auto prepared = prepareRun(session, options, diagnostics);
  printDiagnostics(prepared->diagnostics, session.loaded()->source);
  if (!prepared->problem) return kExitDiagnostics;
  put(stdout, problemOut(*prepared) + "\n");
  return kExitFine;
}

}  // namespace tessera
