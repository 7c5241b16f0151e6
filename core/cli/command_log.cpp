// tessera log: what a log of the compiler's passes holds; one of its dumps alone.

#include <cstdio>

#include "core/cli/command.h"
#include "core/report/pass_log_json.h"

namespace tessera {

namespace {

std::string summary(const PassLogText& log) {
  std::string text;
  for (const PassRun& run : log.runs) {
    const int32_t shown = run.after >= 0 ? run.after : run.before;
    std::string line = std::to_string(shown);
    line.append(line.size() < 5 ? 5 - line.size() : 1, ' ');
    line += run.failed ? "failed     " : run.changed ? "changed    " : "unchanged  ";
    line += run.argument.empty() ? run.pass : run.argument;
    if (!run.symbol.empty()) line += "  @" + run.symbol;
    line += "  line " + std::to_string(run.line);
    if (!log.dumps[static_cast<size_t>(shown)].complete) line += "  (cut off)";
    text += line + "\n";
  }
  for (size_t i = 0; i < log.dumps.size(); ++i) {
    const IrDump& dump = log.dumps[i];
    if (dump.moment == DumpMoment::Stage)
      text += "stage " + dump.pass + ": dump " + std::to_string(i) + ", line " + std::to_string(dump.line) + "\n";
  }
  return text;
}

}  // namespace

int logCommand(std::span<const std::string> arguments) {
  std::string file;
  bool json = false;
  int64_t wanted = -1;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--json") {
      json = true;
    } else if (argument.rfind("--", 0) == 0) {
      std::string name, value;
      if (!splitOption(arguments, i, name, value)) return usage("`" + argument + "` needs a value");
      if (name != "dump" || value.empty() || value.size() > 9 ||
          value.find_first_not_of("0123456789") != std::string::npos)
        return usage("unknown argument `" + argument + "`");
      wanted = std::stol(value);
    } else if (!file.empty()) {
      return usage("more than one file");
    } else {
      file = argument;
    }
  }
  if (file.empty()) return usage("no file given");
  std::string text;
  if (!readFile(file, text)) return usage("cannot read `" + file + "`");
  const PassLogText log = readPassLog(text);
  if (wanted >= static_cast<int64_t>(log.dumps.size()))
    return usage("the log has " + std::to_string(log.dumps.size()) + " dumps");
  if (wanted >= 0) put(stdout, dumpText(text, log.dumps[static_cast<size_t>(wanted)]));
  else put(stdout, json ? passLogJson(log) + "\n" : summary(log));
  return log.dumps.empty() ? kExitDiagnostics : kExitFine;
}

}  // namespace tessera
