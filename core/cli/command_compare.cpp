// tessera compare: one graph under several policies, devices and settings; one table.

#include <algorithm>
#include <cstdio>

#include "core/cli/command.h"
#include "core/cli/report_page.h"
#include "core/evaluate/lost_ops.h"
#include "core/report/compare.h"

namespace tessera {

namespace {

// One option and the values it goes through.
struct Axis {
  std::string option;
  std::vector<std::string> values;
};

struct CompareArguments {
  std::string file;
  std::vector<Axis> axes;  // policies first, then devices, then what --set says
  std::string html;        // --html: file of the reports as one page
  bool json = false;
  bool ops = false;
  Options options;
  Diagnostics diagnostics;
};

constexpr size_t kMostRuns = 256;

void addAxis(CompareArguments& out, const std::string& option, const std::string& values) {
  out.axes.push_back({option, splitList(values)});
}

// Empty when all is well, else what is wrong.
std::string parseCompareArguments(std::span<const std::string> arguments, CompareArguments& out) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--json") out.json = true;
    else if (argument == "--ops") out.ops = true;
    else if (argument.rfind("--", 0) == 0) {
      std::string id, value;
      if (!splitOption(arguments, i, id, value)) return "`" + argument + "` needs a value";
      if (id == "html") out.html = value;
      else if (id == "policies") addAxis(out, "policy", value);
      else if (id == "devices") addAxis(out, "device", value);
      else if (id == "set") {
        size_t equals = value.find('=');
        if (equals == std::string::npos) return "--set needs option=value,value";
        addAxis(out, value.substr(0, equals), value.substr(equals + 1));
      } else if (!setOption(out.options, id, value, out.diagnostics)) {
        return out.diagnostics.all().back().message;
      }
    } else if (!out.file.empty()) {
      return "more than one file";
    } else {
      out.file = argument;
    }
  }
  if (out.file.empty()) return "no file given";
  if (out.axes.empty()) return "nothing to compare: give --policies, --devices or --set";
  size_t runs = 1;
  for (const Axis& axis : out.axes) {
    if (axis.values.empty()) return "no values for " + axis.option;
    runs *= std::min(axis.values.size(), kMostRuns + 1);
    if (runs > kMostRuns) return "more than " + std::to_string(kMostRuns) + " runs";
  }
  return "";
}

// The odometer's next position; false after the last one. The last axis turns fastest.
bool turn(const std::vector<Axis>& axes, std::vector<size_t>& at) {
  for (size_t i = axes.size(); i-- > 0;) {
    if (++at[i] < axes[i].values.size()) return true;
    at[i] = 0;
  }
  return false;
}

// The bounds that the policy Exact proved, and which runs of the same group take less.
std::string boundsText(std::span<const LabelledReport> reports, const std::vector<std::string>& groups) {
  std::string text;
  for (size_t i = 0; i < reports.size(); ++i) {
    const auto& run = reports[i].report->run;
    if (!run || !run->log.exact || run->log.exact->lowerBound <= 0) continue;
    const int64_t bound = run->log.exact->lowerBound;
    text += "bound of " + reports[i].label + "  " + std::to_string(bound) + " ns" +
            (run->log.exact->proven ? "  the proven optimum\n" : "\n");
    for (size_t j = 0; j < reports.size(); ++j) {
      const auto& other = reports[j].report->run;
      if (!other || groups[j] != groups[i] || other->program->sim.failures > 0 || other->program->sim.refused > 0)
        continue;
      const std::string outside = outsideText(other->program->sim.time.count, bound);
      if (!outside.empty()) text += reports[j].label + " " + outside + "\n";
    }
  }
  return text;
}

}  // namespace

int compareCommand(std::span<const std::string> arguments) {
  CompareArguments compare;
  std::string mistake = parseCompareArguments(arguments, compare);
  if (!mistake.empty()) return usage(mistake);
  Session session;
  if (int code = loadFile(compare.file, session); code != kExitFine) return code;
  const LoadedGraph& loaded = *session.loaded();
  printDiagnostics(loaded.diagnostics, loaded.source);
  if (loaded.diagnostics.hasErrors()) return kExitDiagnostics;
  std::vector<std::unique_ptr<FinishedRun>> runs;
  std::vector<LabelledReport> reports;
  std::vector<std::string> groups;  // by run: what it has in common with those that its bound speaks of
  std::vector<size_t> at(compare.axes.size(), 0);
  bool fine = true;
  do {
    Options options = compare.options;
    std::string label, group;
    for (size_t i = 0; i < at.size(); ++i) {
      const Axis& axis = compare.axes[i];
      Diagnostics diags;
      if (!setOption(options, axis.option, axis.values[at[i]], diags)) return usage(diags.all().back().message);
      if (axis.option != "policy") group += axis.values[at[i]] + " ";
      bool named = axis.option == "policy" || axis.option == "device";
      if (axis.values.size() > 1 || at.size() == 1)
        label += (label.empty() ? "" : " ") + (named ? "" : axis.option + "=") + axis.values[at[i]];
    }
    chooseDefaultPolicy(options, *session.choose(options.function));
    if (label.empty()) label = options.resolved().policy;
    groups.push_back(group);
    runs.push_back(runPolicy(session, options, compare.diagnostics));
    reports.push_back({label, &runs.back()->report});
    fine = fine && runs.back()->report.ok();
  } while (turn(compare.axes, at));
  RunComparison comparison = compareRuns(reports);
  if (!compare.json && !compare.options.calibration.empty())
    put(stdout, "times are calibrated: " + compare.options.calibration + "\n");
  put(stdout, compare.json ? comparisonJson(comparison) + "\n" : comparisonText(comparison, compare.ops));
  if (!compare.json) put(stdout, boundsText(reports, groups));
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i]->report.run) printDiagnostics(runs[i]->diagnostics, loaded.source);
    else if (comparison.runs[i].defects > 0)
      put(stderr,
          reports[i].label + ": the checkers found " + std::to_string(comparison.runs[i].defects) + " defects\n");
  }
  if (!compare.html.empty()) {
    std::vector<const Report*> shown;
    for (const auto& run : runs) shown.push_back(&run->report);
    mistake = writeReportPage(compare.html, compare.file, shown);
    if (!mistake.empty()) return usage(mistake);
  }
  return fine ? kExitFine : kExitDiagnostics;
}

}  // namespace tessera
