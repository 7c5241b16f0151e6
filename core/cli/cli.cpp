#include "core/cli/cli.h"

#include <cstdio>

#include "core/cli/command.h"

namespace tessera {

namespace {

constexpr Command kCommands[] = {
    {"run",
     "FILE [--policy P | --plan PLAN | --policy-command COMMAND [--policy-time-limit SECONDS]] [--device D] [--OPTION "
     "VALUE ...] [--plan-out | --json | --regrets | "
     "--certificate | "
     "--decision-trace | --mlir | --graph-json | --trace-events | --overrides | --model-explorer | --node-data "
     "time|place|spills]",
     runCommand},
    {"problem", "FILE [--OPTION VALUE ...] [--json]", problemCommand},
    {"opt",
     "FILE [--ttir-to-ttnn-backend-pipeline[=\"NAME=VALUE ...\"] | --PASS ...] [--print-ir-after-all] "
     "[--ttnn-collect-perf-metrics]",
     optCommand},
    {"lint", "FILE", lintCommand},
    {"compare", "FILE --policies A,B [--devices D,E] [--set OPTION=V,W ...] [--OPTION VALUE ...] [--ops] [--json]",
     compareCommand},
    {"export", "wcsp | lp | joint-lp FILE [--OPTION VALUE ...]", exportCommand},
    {"trace", "FILE [--json]", traceCommand},
    {"log", "FILE [--json | --dump N]", logCommand},
    {"check-pass", "FILE [--pass NAME] [--device D] [--preset P] [--seed N] [--tolerance T] [--whole]",
     checkPassCommand},
    {"eval", "KIND FILE [--verbose] [--json]", evalCommand},
    {"layout", "REQUEST", layoutCommand},
    {"solve", "iopddl | minimalloc FILE [--seconds S] [--verbose]", solveCommand},
    {"call", "lint | run | compare | passes FILE [JSON]", callCommand},
    {"catalog", "", catalogCommand},
    {"version", "", versionCommand},
};

constexpr const char* kNotes =
    "\n"
    "FILE holds TTIR or TTNN as MLIR text, or a graph as JSON; - reads standard input.\n"
    "call answers as the page's engine does, see core/driver/api.h.\n"
    "REQUEST is JSON that asks for one tensor's layout, see docs/layout-lab.md.\n"
    "Exit codes: 0 fine, 1 the input or the run has defects (see standard error), 2 usage.\n"
    "\n"
    "options of run:\n";

}  // namespace

int usage(const std::string& mistake) {
  if (!mistake.empty()) put(stderr, "tessera: " + mistake + "\n\n");
  std::string text;
  for (const Command& command : kCommands) {
    text += std::string(text.empty() ? "usage: " : "       ") + "tessera " + std::string(command.name);
    text += (command.usage.empty() ? "" : " ") + std::string(command.usage) + "\n";
  }
  text += kNotes;
  for (const OptionInfo& info : allOptions()) {
    text += "  --" + std::string(info.id);
    text.append(info.id.size() < 22 ? 22 - info.id.size() : 1, ' ');
    text += optionHelp(info) + " Default " + optionValueJson(Options(), info.id) + ".\n";
  }
  put(mistake.empty() ? stdout : stderr, text);
  return mistake.empty() ? kExitFine : kExitUsage;
}

int runCommandLine(std::span<const std::string> arguments) {
  if (arguments.empty()) return usage("no command given");
  const std::string& name = arguments[0];
  for (const std::string& argument : arguments) {
    if (argument == "--help" || argument == "-h") return usage("");
  }
  for (const Command& command : kCommands) {
    if (command.name == name) return command.run(arguments.subspan(1));
  }
  if (name == "help") return usage("");
  return usage("unknown command `" + name + "`");
}

}  // namespace tessera
