// tessera check-pass: does a pass change what the graph computes? Runs the pipeline on the graph made small and executes it before
// and after each pass on the same random inputs.

#include <cstdio>
#include <cstdlib>

#include "core/driver/commands/command.h"
#include "core/lowering/lower.h"
#include "core/sim/interpreter.h"
#include "core/sim/shrink_graph.h"

namespace tessera {

namespace {

struct CheckArguments {
  std::string file;
  std::string pass;          // empty: all
  std::string device = "n150";
  uint64_t seed = 1;
  double tolerance = 0.02;   // constants in dumps are rounded to bf16, fused ops have the exact ones
  bool whole = false;
};

// Empty when all is well, else what is wrong.
std::string parseArguments(std::span<const std::string> arguments, CheckArguments& out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--whole") {
      out.whole = true;
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
    if (name == "pass") out.pass = value;
    else if (name == "device") out.device = value;
    else if (name == "seed") out.seed = std::strtoull(value.c_str(), &end, 10);
    else if (name == "tolerance") out.tolerance = std::strtod(value.c_str(), &end);
    else return "unknown option `--" + name + "`";
    if (end != nullptr && (value.empty() || *end != 0)) return "`--" + name + "` takes a number";
  }
  if (out.file.empty()) return "no file given";
  if (!out.pass.empty() && (findPass(out.pass) == nullptr || findPass(out.pass)->run == nullptr)) return "unknown pass `" + out.pass + "`";
  return {};
}

std::string lineOf(const PassInfo& pass, const ComparisonVerdict& verdict) {
  std::string line(pass.name);
  line.append(line.size() < 42 ? 42 - line.size() : 1, ' ');
  if (!verdict.equal()) return line + (verdict.comparison == Comparison::Different ? "DIFFERENT  " : "not compared  ") + verdict.text + "\n";
  char error[64];
  std::snprintf(error, sizeof error, "same  (largest relative error %.1e)\n", verdict.maxRel);
  return line + error;
}

}  // namespace

int checkPassCommand(std::span<const std::string> arguments) {
  CheckArguments check;
  std::string mistake = parseArguments(arguments, check);
  if (!mistake.empty()) return usage(mistake);
  const DeviceSpec* device = findDevice(check.device);
  if (device == nullptr) return usage("unknown device `" + check.device + "`");
  LoadedGraph loaded;
  if (int code = loadFile(check.file, loaded); code != kExitFine) return code;
  printDiagnostics(loaded.diagnostics, loaded.source);
  if (!loaded.graph) return kExitDiagnostics;
  Graph now = *loaded.graph;
  if (!check.whole) {
    ShrunkGraph small = shrinkGraph(now);
    if (!small.shrunk) put(stderr, "executed whole, because it cannot be made smaller: " + small.problem + "\n");
    now = std::move(small.graph);
  }
  startOrigins(now);
  OpModel model(*device, device->usableL1());
  LoweringOptions options;
  PassContext context{*device, model, options};
  bool ttir = hasTtirOps(now), fine = true;
  for (const PassInfo& pass : allPasses()) {
    bool wanted = pass.run != nullptr && (ttir || pass.stage > PassStage::Lower) && (pass.enabled == nullptr || pass.enabled(options) || pass.name == check.pass);
    if (!wanted) continue;
    Graph next = pass.run(now, context).graph;
    if (check.pass.empty() || check.pass == pass.name) {
      ComparisonVerdict verdict = compareGraphs(now, next, check.seed, check.tolerance);
      put(stdout, lineOf(pass, verdict));
      fine = fine && verdict.equal();
    }
    now = std::move(next);
  }
  return fine ? kExitFine : kExitDiagnostics;
}

}  // namespace tessera
