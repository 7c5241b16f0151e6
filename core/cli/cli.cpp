#include "core/cli/cli.h"

#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/command.h"
#include "core/cli/opt_arguments.h"

namespace tessera {

namespace {

constexpr Command kCommands[] = {
    {"run",
     "FILE [--policy P | --plan PLAN | --policy-command COMMAND [--policy-time-limit SECONDS]] [--device D] [--OPTION "
     "VALUE ...] [--plan-out | --json | --regrets | "
     "--certificate | "
     "--decision-trace | --mlir | --graph-json | --trace-events | --overrides | --model-explorer | --node-data "
     "time|place|spills | --profile FILE.csv | --visualizer FOLDER | --html FILE] [--check]",
     runCommand},
    {"problem", "FILE [--OPTION VALUE ...] [--json]", problemCommand},
    {"opt",
     "FILE [--ttir-to-ttnn-backend-pipeline[=\"NAME=VALUE ...\"] | --PASS ...] [--print-ir-after-all] "
     "[--ttnn-collect-perf-metrics]",
     optCommand},
    {"lint", "FILE", lintCommand},
    {"compare",
     "FILE --policies A,B [--devices D,E] [--set OPTION=V,W ...] [--OPTION VALUE ...] [--ops] [--json] "
     "[--html FILE]",
     compareCommand},
    {"study",
     "PATH ... [--policies A,B] [--devices D,E] [--set OPTION=V,W ...] [--OPTION VALUE ...] [-o DIR] [-j N] [--ops] "
     "[--alone] [--no-optimum] [--time-limit SECONDS] [--memory-limit MB] [--shard K/N] [--against STUDY.json "
     "[--threshold PERCENT] [--fail]] | study merge DIR ... -o DIR",
     studyCommand, true},
    {"embed",
     "FILE -o DIR [--at ADDRESS] | FILE --fragment [--at SCRIPT] [--title TITLE] [--compare A,B] [--bundle DIR] "
     "[--OPTION VALUE ...]",
     embedCommand, true},
    {"export", "wcsp | lp | joint-lp FILE [--OPTION VALUE ...]", exportCommand},
    {"trace", "FILE [--json]", traceCommand},
    {"log", "FILE [--json | --dump N]", logCommand},
    {"losses", "FILE [--OPTION VALUE ...] [--json]", lossesCommand},
    {"profile", "FILE.csv [--json]", profileCommand},
    {"check-pass", "FILE [--pass NAME] [--device D] [--OPTION VALUE ...] [--seed N] [--tolerance T] [--whole]",
     checkPassCommand},
    {"execute", "FILE [--policy P] [--device D] [--OPTION VALUE ...] [--seed N] [--side N | --whole]", executeCommand},
    {"eval", "KIND FILE [--families] [--verbose] [--json]", evalCommand},
    {"layout", "REQUEST", layoutCommand},
    {"solve", "iopddl | minimalloc FILE [--seconds S] [--verbose] [--certificate]", solveCommand},
    {"call", "lint | run | compare | passes FILE [JSON] | --lines", callCommand},
    {"catalog", "", catalogCommand},
    {"version", "", versionCommand},
};

constexpr const char* kNotes =
    "\n"
    "FILE holds TTIR or TTNN as MLIR text, or a graph as JSON; - reads standard input.\n"
    "call answers as the page's engine does, see core/driver/api.h; --lines: [name, text, JSON] per line of input.\n"
    "REQUEST is JSON that asks for one tensor's layout, see docs/layout-lab.md.\n"
    "One dash does as well as two; -o FILE writes what a command prints into a file.\n"
    "PATH is a file, a folder or a pattern, see docs/study.md.\n"
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

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// As the compiler's programs read a command line: one dash does as well as two, `-o FILE` says where the output goes.
struct Arguments {
  std::vector<std::string> words;
  std::optional<std::string> output;
  std::string mistake;
};

Arguments readArguments(std::span<const std::string> given) {
  Arguments out;
  for (size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    if (word == "-o" || word == "--o") {
      if (i + 1 == given.size()) return out.mistake = "`-o` needs a file", out;
      out.output = given[++i];
    } else if (word.rfind("-o=", 0) == 0 || word.rfind("--o=", 0) == 0) {
      out.output = word.substr(word.find('=') + 1);
    } else {
      const bool oneDash = word.size() > 2 && word[0] == '-' && isLetter(word[1]);
      out.words.push_back(oneDash ? "-" + word : word);
    }
  }
  if (out.output && out.output->empty()) out.mistake = "`-o` needs a file";
  return out;
}

// What a command prints goes to the file, once the command is through: a wrong call leaves the file alone.
int runInto(const std::string& path, const Command& command, std::span<const std::string> arguments) {
  std::FILE* kept = std::tmpfile();
  if (kept == nullptr) return usage("no room for a temporary file");
  std::fflush(stdout);
  const int before = dup(fileno(stdout));
  dup2(fileno(kept), fileno(stdout));
  const int code = command.run(arguments);
  std::fflush(stdout);
  dup2(before, fileno(stdout));
  close(before);
  std::FILE* file = code == kExitUsage ? nullptr : std::fopen(path.c_str(), "wb");
  bool written = code == kExitUsage || file != nullptr;
  if (file != nullptr) {
    std::rewind(kept);
    char buffer[1 << 16];
    size_t count = 0;
    while ((count = std::fread(buffer, 1, sizeof buffer, kept)) > 0) std::fwrite(buffer, 1, count, file);
    written = std::fclose(file) == 0;
  }
  std::fclose(kept);
  return written ? code : usage("cannot write `" + path + "`");
}

}  // namespace

int runCommandLine(std::span<const std::string> given) {
  const Arguments read = readArguments(given);
  if (!read.mistake.empty()) return usage(read.mistake);
  const std::span<const std::string> arguments(read.words);
  if (arguments.empty()) return usage("no command given");
  const std::string& name = arguments[0];
  for (const std::string& argument : arguments) {
    if (argument != "--help" && argument != "-h") continue;
    if (name != "opt") return usage("");
    put(stdout, optHelp());
    return kExitFine;
  }
  for (const Command& command : kCommands) {
    if (command.name != name) continue;
    if (read.output && command.fillsFolder) {
      std::vector<std::string> words(arguments.begin() + 1, arguments.end());
      words.insert(words.end(), {"--out", *read.output});
      return command.run(words);
    }
    const bool toFile = read.output && *read.output != "-";
    return toFile ? runInto(*read.output, command, arguments.subspan(1)) : command.run(arguments.subspan(1));
  }
  if (name == "help") return usage("");
  return usage("unknown command `" + name + "`");
}

}  // namespace tessera
