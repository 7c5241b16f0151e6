// tessera losses: the plan that a graph carries beside the proven optimum, and the ops that lose most.

#include <cstdio>

#include "core/cli/command.h"
#include "core/evaluate/lost_ops.h"
#include "core/lowering/as_it_stands.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

struct LossesArguments {
  std::string file;
  bool json = false;
  Options options;
  Diagnostics diagnostics;
};

// Empty when all is well, else what is wrong.
std::string parseLossesArguments(std::span<const std::string> arguments, LossesArguments& out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--json") out.json = true;
    else if (argument.rfind("--", 0) == 0) {
      std::string id, value;
      if (!splitOption(arguments, i, id, value)) return "`" + argument + "` needs a value";
      if (!setOption(out.options, id, value, out.diagnostics)) return out.diagnostics.all().back().message;
    } else if (!out.file.empty()) {
      return "more than one file";
    } else {
      out.file = argument;
    }
  }
  return out.file.empty() ? "no file given" : "";
}

std::unique_ptr<FinishedRun> runWith(Session& session, const LossesArguments& given, std::string_view policy,
                                     bool reoptimize) {
  Options options = given.options;
  options.policy = policy;
  options.policyGiven = true;
  options.reoptimize = reoptimize;
  return runPolicy(session, options, given.diagnostics);
}

// The first policy of this kind.
std::string_view policyWith(PolicyTraits trait) {
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.has(trait)) return policy.id;
  }
  return "";
}

std::string timesText(int64_t time, int64_t bound) {
  if (bound <= 0) return "";
  const int64_t thousandths = time * 1000 / bound;
  const std::string digits = std::to_string(1000 + thousandths % 1000);
  return "  " + std::to_string(thousandths / 1000) + "." + digits.substr(1) + " of the bound";
}

std::string lossesText(const FinishedRun& written, const FinishedRun& optimum, const std::vector<LostOp>& lost) {
  const RunOutcome& before = *written.report.run;
  const RunOutcome& after = *optimum.report.run;
  const auto& exact = after.log.exact;
  const int64_t bound = exact ? exact->lowerBound : 0;
  const auto line = [&](const char* title, const RunOutcome& run) {
    return std::string(title) + "  " + std::to_string(run.program->sim.time.count) + " ns" +
           timesText(run.program->sim.time.count, bound) + "  peak L1 " +
           std::to_string(run.program->sim.peakL1.count) + " B  refused " + std::to_string(run.program->sim.refused) +
           "  failures " + std::to_string(run.program->sim.failures) + "\n";
  };
  std::string text = line("as written", before) + line("re-optimized", after);
  text += "bound  " + std::to_string(bound) + " ns" + (exact && exact->proven ? "  the proven optimum\n" : "\n");
  const std::string outside = outsideText(before.program->sim.time.count, bound);
  if (!outside.empty()) text += "the plan as written " + outside + "\n";
  for (const LostOp& op : lost) {
    text += op.name + "  " + op.op + (op.label.empty() ? "" : "  " + op.label) + "  loses " +
            std::to_string(op.written - op.optimum) + " ns: " + std::to_string(op.written) + " ns " + op.writtenLayout +
            ", optimum " + std::to_string(op.optimum) + " ns " + op.optimumLayout;
    for (const std::string& override : op.overrides) text += "  " + override;
    text += "\n";
  }
  return text + "--  " + std::to_string(lost.size()) + (lost.size() == 1 ? " op loses" : " ops lose") +
         " time, with the moves before them\n";
}

std::string lossesJson(const FinishedRun& written, const FinishedRun& optimum, const std::vector<LostOp>& lost) {
  const auto& exact = optimum.report.run->log.exact;
  JsonWriter w;
  w.beginObject();
  w.field("schema", 1);
  w.field("written", written.report.run->program->sim.time.count);
  w.field("optimum", optimum.report.run->program->sim.time.count);
  w.field("lowerBound", exact ? exact->lowerBound : 0);
  w.field("proven", exact && exact->proven);
  w.key("ops");
  w.beginArray();
  for (const LostOp& op : lost) {
    w.beginObject();
    const std::pair<const char*, const std::string*> texts[] = {
        {"name", &op.name}, {"label", &op.label}, {"op", &op.op}};
    for (auto [key, text] : texts) w.field(key, std::string_view(*text));
    w.field("written", op.written);
    w.field("optimum", op.optimum);
    w.field("writtenLayout", std::string_view(op.writtenLayout));
    w.field("optimumLayout", std::string_view(op.optimumLayout));
    w.key("overrides");
    w.beginArray();
    for (const std::string& override : op.overrides) w.value(std::string_view(override));
    w.endArray();
    w.endObject();
  }
  w.endArray();
  w.endObject();
  return w.take();
}

}  // namespace

int lossesCommand(std::span<const std::string> arguments) {
  LossesArguments given;
  const std::string mistake = parseLossesArguments(arguments, given);
  if (!mistake.empty()) return usage(mistake);
  Session session;
  if (int code = loadFile(given.file, session); code != kExitFine) return code;
  const LoadedGraph& loaded = *session.choose(given.options.function);
  printDiagnostics(loaded.diagnostics, loaded.source);
  if (loaded.diagnostics.hasErrors() || !loaded.graph) return kExitDiagnostics;
  if (!carriesLayouts(*loaded.graph)) {
    put(stderr, "tessera: the graph carries no layouts: there is no plan in it to be judged\n");
    return kExitDiagnostics;
  }
  const auto written = runWith(session, given, policyWith(kAsItStands), false);
  const auto optimum = runWith(session, given, policyWith(kLowerBound), true);
  for (const FinishedRun* run : {written.get(), optimum.get()}) {
    if (run->report.run) continue;
    printDiagnostics(run->diagnostics, loaded.source);
    return kExitDiagnostics;
  }
  const std::vector<LostOp> lost = lostOps(*written->report.run, *optimum->report.run);
  put(stdout, given.json ? lossesJson(*written, *optimum, lost) + "\n" : lossesText(*written, *optimum, lost));
  return kExitFine;
}

}  // namespace tessera
