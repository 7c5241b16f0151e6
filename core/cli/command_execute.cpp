// tessera execute: a plan carried out on the device's memory, byte for byte.

#include <cstdio>
#include <cstdlib>

#include "core/cli/command.h"
#include "core/driver/execute_run.h"

namespace tessera {

namespace {

struct ExecuteArguments {
  std::string file;
  ExecuteRequest request;
  Diagnostics diagnostics;
};

// Empty when all is well, else what is wrong.
std::string parseExecuteArguments(std::span<const std::string> arguments, ExecuteArguments& out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--whole") {
      out.request.whole = true;
      continue;
    }
    if (argument.rfind("--", 0) != 0) {
      if (!out.file.empty()) return "more than one file";
      out.file = argument;
      continue;
    }
    std::string id, value;
    if (!splitOption(arguments, i, id, value)) return "`" + argument + "` needs a value";
    char* end = nullptr;
    if (id == "seed") out.request.seed = std::strtoull(value.c_str(), &end, 10);
    else if (id == "side") out.request.side = std::strtoll(value.c_str(), &end, 10);
    else if (!setOption(out.request.options, id, value, out.diagnostics)) return out.diagnostics.all().back().message;
    if (end != nullptr && (value.empty() || *end != 0 || out.request.side < 0 || out.request.side > 1024))
      return "`--" + id + "` takes a number" + (id == "side" ? " from 0 to 1024" : "");
  }
  return out.file.empty() ? "no file given" : "";
}

}  // namespace

int executeCommand(std::span<const std::string> arguments) {
  ExecuteArguments given;
  const std::string mistake = parseExecuteArguments(arguments, given);
  if (!mistake.empty()) return usage(mistake);
  Session session, small;
  if (int code = loadFile(given.file, session); code != kExitFine) return code;
  const LoadedGraph& loaded = *session.choose(given.request.options.function);
  printDiagnostics(loaded.diagnostics, loaded.source);
  if (!loaded.graph || loaded.diagnostics.hasErrors()) return kExitDiagnostics;
  const ExecutedRun done = executeSmall(*loaded.graph, small, given.request);
  if (!done.note.empty()) put(stderr, done.note + "\n");
  if (!done.executed) return printDiagnostics(done.run->diagnostics, small.loaded()->source), kExitDiagnostics;
  bool fine = done.execution.status == PlanStatus::Equal;
  for (const ReportDefect& d : done.run->report.run->defects) {
    put(stderr, "defect found by the " + std::string(d.checker) + " checker: " + d.rule + ": " + d.text + "\n");
    fine = false;
  }
  put(stdout, std::string(done.run->report.run->policy->id) + "  " + planExecutionText(done.execution) + "\n");
  return fine ? kExitFine : kExitDiagnostics;
}

}  // namespace tessera
