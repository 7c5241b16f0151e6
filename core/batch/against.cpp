#include "core/batch/against.h"

#include <algorithm>
#include <map>

#include "core/batch/kept_runs.h"
#include "core/report/run_row.h"
#include "core/study/study.h"

namespace tessera {

namespace {

struct PastRun {
  std::string policy, where, status;
  std::optional<RunRow> row;
  bool sound() const { return row && row->failures == 0 && row->defects == 0; }
};

struct PastStudy {
  std::string problem;
  std::map<std::string, std::string> hashes;                    // of graphs, by name
  std::map<std::pair<std::string, std::string>, PastRun> runs;  // by policy, then graph, device and options
};

std::string textAt(JsonValue value) { return std::string(value.asString().value_or("")); }

// Only what is compared is looked at, so that studies of other versions of the program can be read.
PastStudy readPast(const std::string& name, std::string text) {
  PastStudy out;
  const SourceBuffer source(name, std::move(text));
  Diagnostics diagnostics;
  const JsonDocument document = JsonDocument::parse(source, diagnostics);
  const JsonValue root = document.root(), runs = root.get("runs"), axes = root.get("arguments").get("axes");
  if (root.get("schema").asInteger() != kStudySchema || !runs.isArray()) {
    out.problem = "`" + name + "` is no study of version " + std::to_string(kStudySchema);
    return out;
  }
  const JsonValue graphs = root.get("graphs");
  for (size_t i = 0; i < graphs.size(); ++i)
    out.hashes[textAt(graphs.at(i).get("name"))] = textAt(graphs.at(i).get("hash"));
  for (size_t i = 0; i < runs.size(); ++i) {
    const JsonValue run = runs.at(i);
    PastRun one{textAt(run.get("policy")), textAt(run.get("graph")) + " " + textAt(run.get("device")),
                textAt(run.get("status")), readRunRow(run.get("row"))};
    std::vector<std::string> settings;
    for (size_t a = 0; a < axes.size(); ++a)
      settings.push_back(textAt(axes.at(a).get("option")) + "=" + textAt(run.get("values").at(a)));
    std::sort(settings.begin(), settings.end());
    for (const std::string& setting : settings) one.where += " " + setting;
    out.runs[{one.policy, one.where}] = one;
  }
  return out;
}

std::string percentOf(int64_t before, int64_t after) {
  if (before <= 0) return "";
  const int64_t permille = mulSaturated(after - before, 1000) / before;
  if (permille == 0) return after < before ? " (<0.1 % less)" : " (<0.1 % more)";
  return (permille > 0 ? " (+" : " (") + decimalText(permille, 1) + " %)";
}

class StudyComparer {
 public:
  StudyComparer(const PastStudy& before, const PastStudy& after, int64_t thresholdPpm)
      : before_(before), after_(after), threshold_(thresholdPpm) {}

  StudyDifference compare() {
    size_t same = 0, gone = 0, added = 0;
    for (const auto& [key, run] : after_.runs) {
      const auto old = before_.runs.find(key);
      if (old == before_.runs.end()) ++added;
      else if (!compareRun(old->second, run)) ++same;
    }
    for (const auto& [key, run] : before_.runs) gone += after_.runs.count(key) == 0;
    for (const auto& [name, hash] : after_.hashes) {
      const auto old = before_.hashes.find(name);
      if (old != before_.hashes.end() && old->second != hash) out_.text += "graph " + name + " is another text now\n";
    }
    out_.text += std::to_string(out_.worse) + " worse, " + std::to_string(out_.better) + " better, " +
                 std::to_string(same) + " as before, " + std::to_string(added) + " new, " + std::to_string(gone) +
                 " gone\n";
    return std::move(out_);
  }

 private:
  // False when nothing changed beyond the threshold.
  bool compareRun(const PastRun& old, const PastRun& now) {
    if (old.sound() != now.sound()) return say(now.sound(), now, stateOf(old) + " before, " + stateOf(now) + " now");
    if (!old.row || !now.row) return false;
    const int64_t before = old.row->time, after = now.row->time;
    const int64_t change = after > before ? after - before : before - after;
    if (change == 0 || mulSaturated(change, 1'000'000) <= mulSaturated(std::max<int64_t>(before, 1), threshold_))
      return false;
    return say(after < before, now,
               std::to_string(before) + " ns before, " + std::to_string(after) + " ns now" + percentOf(before, after));
  }
  static std::string stateOf(const PastRun& run) {
    if (!run.row) return run.status;
    if (run.sound()) return "sound";
    return std::to_string(run.row->failures) + " failures, " + std::to_string(run.row->defects) + " defects";
  }
  bool say(bool better, const PastRun& run, const std::string& what) {
    ++(better ? out_.better : out_.worse);
    out_.text += std::string(better ? "better  " : "worse   ") + run.policy + "  " + run.where + ": " + what + "\n";
    return true;
  }

  const PastStudy& before_;
  const PastStudy& after_;
  const int64_t threshold_;
  StudyDifference out_;
};

}  // namespace

StudyDifference compareStudies(const std::string& oldName, std::string oldText, const std::string& newName,
                               std::string newText, int64_t thresholdPpm) {
  const PastStudy before = readPast(oldName, std::move(oldText)), after = readPast(newName, std::move(newText));
  if (!before.problem.empty() || !after.problem.empty())
    return {before.problem.empty() ? after.problem : before.problem, "", 0, 0};
  return StudyComparer(before, after, thresholdPpm).compare();
}

}  // namespace tessera
