// tessera solve: public instance sets of the abstract problems, for measuring the solvers.

#include <chrono>
#include <cstdlib>

#include "core/cli/command.h"
#include "core/cli/gzip.h"
#include "core/instances/iopddl.h"
#include "core/instances/minimalloc.h"
#include "core/solve/certificate.h"

namespace tessera {

namespace {

struct SolveArguments {
  std::string kind, file;
  double seconds = 0;  // 0: chosen by the size of the instance
  bool verbose = false;
  bool certificate = false;  // of minimalloc: the proof instead of the figures
};

bool readArguments(std::span<const std::string> arguments, SolveArguments& out, std::string& mistake) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].rfind("--", 0) != 0) {
      (out.kind.empty() ? out.kind : out.file) = arguments[i];
      continue;
    }
    if (arguments[i] == "--verbose") {
      out.verbose = true;
      continue;
    }
    if (arguments[i] == "--certificate") {
      out.certificate = true;
      continue;
    }
    std::string name, value;
    if (!splitOption(arguments, i, name, value)) return mistake = "`" + arguments[i] + "` needs a value", false;
    char* end = nullptr;
    out.seconds = name == "seconds" ? std::strtod(value.c_str(), &end) : -1;
    if (name != "seconds") return mistake = "unknown option `--" + name + "`", false;
    if (end == value.c_str() || *end != '\0' || !(out.seconds > 0 && out.seconds < 1e6))
      return mistake = "`--seconds` takes a positive number", false;
  }
  if (out.file.empty()) return mistake = "solve needs a kind of instance and a file", false;
  return true;
}

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string costText(Cost cost) { return isForbidden(cost) ? "none" : std::to_string(cost); }

void printResult(Cost cost, Cost bound, bool proven, const Clock& clock) {
  char time[32];
  std::snprintf(time, sizeof time, "%.2f", clock.seconds());
  put(stdout, "cost " + costText(cost) + " bound " + costText(bound) + " proven " + (proven ? "yes" : "no") +
                  " seconds " + time + "\n");
}

bool readInstance(const std::string& path, SourceBuffer& source, std::string& mistake) {
  std::string text;
  if (!readFile(path, text)) return mistake = "cannot read `" + path + "`", false;
  if (isGzip(text)) {
    std::string plain, why;
    if (!gunzip(text, kMaxSourceBytes, plain, why)) return mistake = "`" + path + "`: " + why, false;
    text = std::move(plain);
  }
  if (text.size() > kMaxSourceBytes)
    return mistake = "`" + path + "` is larger than " + std::to_string(kMaxSourceBytes) + " bytes", false;
  source = SourceBuffer(path, std::move(text));
  return true;
}

int solveIopddlFile(const SolveArguments& arguments, const SourceBuffer& source, const Clock& clock) {
  Diagnostics diagnostics;
  const std::optional<IopddlProblem> problem = readIopddl(source, diagnostics);
  printDiagnostics(diagnostics, source);
  if (!problem) return kExitDiagnostics;
  const double nodes = static_cast<double>(problem->nodes.size());
  const double seconds = arguments.seconds > 0 ? arguments.seconds : std::min(100.0, 6.0 + nodes / 350.0);
  IopddlOptions options{.budget = WorkBudget(INT64_MAX / 2, [&] { return clock.seconds() >= seconds; })};
  if (arguments.verbose) options.progress = [&](Cost cost, Cost bound) { printResult(cost, bound, false, clock); };
  const IopddlResult result = solveIopddl(*problem, options);
  if (result.feasible && evaluateIopddl(*problem, result.values) != result.cost) {
    put(stderr, "tessera: the solution does not cost what the solver says\n");
    return kExitDiagnostics;
  }
  printResult(result.cost, result.lowerBound, result.proven, clock);
  return kExitFine;
}

int solveMinimallocFile(const SolveArguments& arguments, const SourceBuffer& source, const Clock& clock) {
  constexpr int64_t kCapacity = 1'048'576;  // of the public instances
  Diagnostics diagnostics;
  const std::optional<AddressProblem> problem = readMinimalloc(source, kCapacity, diagnostics);
  printDiagnostics(diagnostics, source);
  if (!problem) return kExitDiagnostics;
  const double seconds = arguments.seconds > 0 ? arguments.seconds : 55.0;
  AddressOptions options{.budget = WorkBudget(INT64_MAX / 2, [&] { return clock.seconds() >= seconds; })};
  const AddressResult result = assignAddresses(*problem, options);
  if (arguments.certificate) return put(stdout, addressCertificate(*problem, result) + "\n"), kExitFine;
  if (arguments.verbose) put(stdout, std::string(result.method) + ", " + std::to_string(result.nodes) + " nodes\n");
  put(stdout, std::string(result.fits ? "fits" : "does not fit") + " " + std::to_string(problem->capacity) + "\n");
  printResult(result.height, result.lowerBound, result.proven, clock);
  return kExitFine;
}

}  // namespace

int solveCommand(std::span<const std::string> list) {
  const Clock clock;
  SolveArguments arguments;
  std::string mistake;
  SourceBuffer source;
  if (!readArguments(list, arguments, mistake)) return usage(mistake);
  if (arguments.kind != "iopddl" && arguments.kind != "minimalloc")
    return usage("unknown kind of instance `" + arguments.kind + "`");
  if (arguments.certificate && arguments.kind != "minimalloc") return usage("--certificate is for minimalloc");
  if (!readInstance(arguments.file, source, mistake)) return usage(mistake);
  if (arguments.kind == "minimalloc") return solveMinimallocFile(arguments, source, clock);
  return solveIopddlFile(arguments, source, clock);
}

}  // namespace tessera
