// tessera trace: reads the compiler's decision trace and says what is in it, or prints it back.

#include <cstdio>

#include "core/cli/command.h"
#include "core/import/decision_trace.h"
#include "core/report/decision_trace_json.h"

namespace tessera {

namespace {

std::string summary(const DecisionTrace& trace) {
  int64_t evaluations = 0, refused = 0, fallbacks = 0, reshards = 0, l1 = 0;
  for (const TraceOp& op : trace.forwardPass) {
    evaluations += static_cast<int64_t>(op.evaluations.size());
    for (const TraceEvaluation& evaluation : op.evaluations) refused += !evaluation.valid;
    fallbacks += op.usedDramFallback;
  }
  for (const TraceEdge& edge : trace.edges) reshards += edge.hasReshard;
  for (const TraceChoice& choice : trace.finalChoices) l1 += choice.chosenLayout.rfind("l1/", 0) == 0;
  auto line = [](const char* what, int64_t count) { return std::string(what) + std::to_string(count) + "\n"; };
  std::string text = "function " + trace.functionName + "\n";
  text += line("beam width ", trace.beamWidth) + line("ops ", trace.totalOps) + line("evaluations ", evaluations) +
          line("refused ", refused);
  text += line("DRAM fallbacks ", fallbacks) + line("reshards ", reshards) +
          line("forks ", static_cast<int64_t>(trace.forkResolutions.size()));
  text += line("results in L1 ", l1);
  if (trace.spillManagement) text += line("spills ", trace.spillManagement->totalSpills);
  for (const TraceChoice& choice : trace.finalChoices)
    text += std::to_string(choice.opIndex) + "  " + choice.opName + "  " + choice.chosenLayout + "\n";
  return text;
}

}  // namespace

int traceCommand(std::span<const std::string> arguments) {
  std::string file;
  bool json = false;
  for (const std::string& argument : arguments) {
    if (argument == "--json") json = true;
    else if (argument.rfind("--", 0) == 0) return usage("unknown argument `" + argument + "`");
    else if (file.empty()) file = argument;
    else return usage("more than one file");
  }
  std::string text;
  if (file.empty()) return usage("no file given");
  if (!readFile(file, text)) return usage("cannot read `" + file + "`");
  Diagnostics diags;
  SourceBuffer source(file, std::move(text));
  std::optional<DecisionTrace> trace = readDecisionTrace(source, diags);
  printDiagnostics(diags, source);
  if (!trace) return kExitDiagnostics;
  put(stdout, json ? decisionTraceJson(*trace) + "\n" : summary(*trace));
  return kExitFine;
}

}  // namespace tessera
