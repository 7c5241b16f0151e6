// tessera check-pass: does a pass change what the graph computes?

#include <cstdio>
#include <cstdlib>

#include "core/cli/command.h"
#include "core/driver/check_passes.h"

namespace tessera {

namespace {

struct CheckArguments {
  std::string file;
  PassCheckOptions options;
  Diagnostics diagnostics;
};

// Empty when all is well, else what is wrong.
std::string parseArguments(std::span<const std::string> arguments, CheckArguments& out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--whole") {
      out.options.whole = true;
      continue;
    }
    if (argument.rfind("--", 0) != 0) {
      if (!out.file.empty()) return "more than one file";
      out.file = argument;
      continue;
    }
    std::string name, value;
    if (!splitOption(arguments, i, name, value)) return "`" + argument + "` needs a value";
    char* end = nullptr;
    if (name == "pass") {
      out.options.pass = findPass(value);
      if (out.options.pass == nullptr) return "unknown pass `" + value + "`";
    } else if (name == "seed") out.options.seed = std::strtoull(value.c_str(), &end, 10);
    else if (name == "tolerance") out.options.tolerance = std::strtod(value.c_str(), &end);
    else if (!setOption(out.options.run, name, value, out.diagnostics)) return out.diagnostics.all().back().message;
    if (end != nullptr && (value.empty() || *end != 0)) return "`--" + name + "` takes a number";
  }
  if (out.file.empty()) return "no file given";
  return {};
}

std::string lineOf(const PassCheck& check) {
  std::string line(check.pass->name);
  line.append(line.size() < 42 ? 42 - line.size() : 1, ' ');
  if (check.verdict.equal()) return line + "same  (largest relative error " + errorText(check.verdict) + ")\n";
  return line + (check.verdict.comparison == Comparison::Different ? "DIFFERENT  " : "not compared  ") +
         check.verdict.text + "\n";
}

}  // namespace

int checkPassCommand(std::span<const std::string> arguments) {
  CheckArguments check;
  std::string mistake = parseArguments(arguments, check);
  if (!mistake.empty()) return usage(mistake);
  Session session;
  if (int code = loadFile(check.file, session); code != kExitFine) return code;
  const LoadedGraph& loaded = *session.choose(check.options.run.function);
  printDiagnostics(loaded.diagnostics, loaded.source);
  if (!loaded.graph) return kExitDiagnostics;
  PassChecks found = checkPasses(*loaded.graph, check.options);
  if (!found.problem.empty()) put(stderr, "executed whole, because it cannot be made smaller: " + found.problem + "\n");
  if (found.checks.empty()) put(stderr, "no pass runs: the graph is taken as it is written\n");
  bool fine = true;
  for (const PassCheck& one : found.checks) {
    put(stdout, lineOf(one));
    fine = fine && one.verdict.equal();
  }
  return fine ? kExitFine : kExitDiagnostics;
}

}  // namespace tessera
