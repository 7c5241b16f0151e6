#pragma once
// Arguments of `tessera opt`, as the compiler's ttmlir-opt takes them: the pipeline or passes by name, in their order,
// and the options of MLIR's own driver that say how to read and print. One dash does as well as two.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cli/expected_diagnostics.h"
#include "core/driver/options.h"
#include "core/lowering/pass.h"
#include "core/support/diagnostics.h"

namespace tessera {

// A pass to run alone, with its own options.
struct PassCall {
  const PassInfo* pass = nullptr;
  PassSettings settings;
};

struct OptArguments {
  std::string file = "-";  // `-`: standard input
  bool pipeline = false;
  std::vector<PassCall> passes;
  Options options;

  bool splitInput = false;
  std::string splitMarker = "// -----";
  VerifyDiagnostics verifyDiagnostics = VerifyDiagnostics::Off;

  bool printLocations = false;
  bool localScope = false;   // no aliases
  int64_t elideLarger = -1;  // constants of more numbers are printed without them; -1: none
  bool printBeforeAll = false, printAfterAll = false;
  std::vector<std::string> printBefore, printAfter;  // names of passes
  bool printsBefore(std::string_view pass) const;
  bool printsAfter(std::string_view pass) const;
  bool printsOnTheWay() const;  // before or after any

  bool wrapModule = false;  // in ttcore.device_module
  bool unwrapModule = false;

  bool perfMetrics = false;
  bool verbosePerfMetrics = false;
  std::string perfMetricsFile;

  Diagnostics diagnostics;            // of the options
  std::vector<std::string> warnings;  // what became of arguments
};

// The pipelines and every pass with its options, as `tessera opt --help` prints them.
std::string optHelp();

// MLIR's own, by name.
std::vector<std::string_view> driverOptions();

// Empty when all is well, else what is wrong.
std::string parseOptArguments(std::span<const std::string> arguments, OptArguments& out);

}  // namespace tessera
