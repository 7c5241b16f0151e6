#include "core/report/compare.h"

#include <algorithm>
#include <map>

#include "core/support/json_writer.h"

namespace tessera {

namespace {

ComparedRun compareOne(const LabelledReport& labelled) {
  ComparedRun out;
  out.label = labelled.label;
  if (!labelled.report || !labelled.report->run) return out;
  const RunOutcome& run = *labelled.report->run;
  out.ran = true;
  out.time = run.program->sim.time;
  out.dramBytes = run.program->sim.dramBytes;
  out.moves = planMoves(run.problem->graph, run.plan);
  out.peakL1 = run.program->sim.peakL1;
  out.budget = run.problem->budget.bytes();
  out.failures = run.program->sim.failures;
  out.refused = run.program->sim.refused;
  out.defects = static_cast<int64_t>(run.defects.size());
  out.coreMeanTenths = meanCoresTenths(run.program->sim);
  const ResultPlaces results = countResults(run);
  out.inL1 = results.inL1;
  out.sharded = results.sharded;
  out.inDram = results.inDram;
  for (const Loss& loss : findLosses(run)) {
    if (loss.cause != LossCause::Return) ++out.losses[static_cast<size_t>(loss.cause)];
  }
  return out;
}

// --- differences
// ---------------------------------------------------------------------------------------------------------

struct OpOutcome {
  std::string layout;
  int64_t time = 0;
};

std::map<std::string, OpOutcome> factsOf(const RunOutcome& run) {
  std::map<std::string, OpOutcome> facts;
  const Graph& graph = run.problem->graph;
  for (OpId op : run.plan.order) {
    for (ValueId result : graph.ops[op].results) {
      if (run.plan.layout[result]) facts[graph.values[result].name].layout = layoutText(*run.plan.layout[result]);
    }
  }
  for (const SimStep& step : run.program->sim.steps) {
    if (!graph.ops.contains(step.op) || graph.ops[step.op].results.empty()) continue;
    auto it = facts.find(graph.values[graph.ops[step.op].results[0]].name);
    if (it != facts.end()) it->second.time = step.time.total().count;
  }
  return facts;
}

void addDifferences(std::span<const LabelledReport> reports, RunComparison& out) {
  std::vector<std::map<std::string, OpOutcome>> facts;
  const RunOutcome* first = nullptr;
  size_t base = 0;  // which of the reports is the first that ran
  for (const LabelledReport& labelled : reports) {
    bool ran = labelled.report && labelled.report->run;
    facts.push_back(ran ? factsOf(*labelled.report->run) : std::map<std::string, OpOutcome>());
    if (ran && !first) first = &*labelled.report->run, base = facts.size() - 1;
  }
  if (!first) return;
  const Graph& graph = first->problem->graph;
  for (OpId op : first->plan.order) {
    const Op& o = graph.ops[op];
    if (o.results.empty()) continue;
    const std::string& name = graph.values[o.results[0]].name;
    ComparedOp compared{"%" + name, o.name, {}, {}};
    bool differs = false;
    for (size_t i = 0; i < facts.size(); ++i) {
      auto it = facts[i].find(name);
      compared.layouts.push_back(it == facts[i].end() ? "" : it->second.layout);
      compared.times.push_back(it == facts[i].end() ? 0 : it->second.time);
    }
    for (size_t i = 0; i < facts.size(); ++i)
      differs = differs || (out.runs[i].ran && compared.layouts[i] != compared.layouts[base]);
    if (differs) out.differences.push_back(std::move(compared));
  }
}

}  // namespace

RunComparison compareRuns(std::span<const LabelledReport> reports) {
  RunComparison out;
  for (const LabelledReport& labelled : reports) out.runs.push_back(compareOne(labelled));
  addDifferences(reports, out);
  return out;
}

// --- text and JSON
// -------------------------------------------------------------------------------------------------------

namespace {

std::string tenths(int64_t count) { return std::to_string(count / 10) + "." + std::to_string(count % 10); }

// Left-aligned first column, the others right-aligned.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string pad(widths[i] - row[i].size(), ' ');
      line += (i == 0 ? row[i] + pad : "  " + pad + row[i]);
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string comparisonText(const RunComparison& comparison, bool withOps) {
  std::vector<std::vector<std::string>> rows = {
      {"run", "time ns", "DRAM bytes", "constraint", "memory", "fork", "operand 0", "chain", "choice"}};
  for (MoveKind kind : kAllMoveKinds) rows[0].push_back(moveCountName(kind));
  for (const char* title : {"peak L1", "headroom %", "in L1", "in DRAM", "cores", "failures", "refused"})
    rows[0].push_back(title);
  for (const ComparedRun& run : comparison.runs) {
    if (!run.ran) {
      rows.push_back({run.label, "not run"});
      continue;
    }
    std::vector<std::string> row = {run.label, std::to_string(run.time.count), std::to_string(run.dramBytes)};
    for (int64_t losses : run.losses) row.push_back(std::to_string(losses));
    for (int64_t count : run.moves.counts) row.push_back(std::to_string(count));
    row.push_back(std::to_string(run.peakL1.count));
    row.push_back(tenths(run.headroom()));
    for (int64_t count : {run.inL1, run.inDram}) row.push_back(std::to_string(count));
    row.push_back(tenths(run.coreMeanTenths));
    row.push_back(std::to_string(run.failures));
    row.push_back(std::to_string(run.refused));
    rows.push_back(std::move(row));
  }
  std::string text = table(rows);
  if (!withOps) return text;
  text += "\n" + std::to_string(comparison.differences.size()) + " ops differ\n";
  rows.clear();
  for (const ComparedOp& op : comparison.differences) {
    std::vector<std::string> row = {op.name + "  " + op.op};
    for (size_t i = 0; i < op.layouts.size(); ++i)
      row.push_back(op.layouts[i] + " (" + std::to_string(op.times[i]) + ")");
    rows.push_back(std::move(row));
  }
  return text + table(rows);
}

void writeComparison(JsonWriter& w, const RunComparison& comparison) {
  w.beginObject();
  w.key("runs");
  w.beginArray();
  for (const ComparedRun& run : comparison.runs) {
    w.beginObject();
    w.field("label", std::string_view(run.label));
    w.field("ran", run.ran);
    w.field("time", run.time.count);
    w.field("dramBytes", run.dramBytes);
    w.key("losses");
    w.beginObject();
    for (size_t i = 0; i < kAvoidableCauses; ++i) w.field(lossCauseName(static_cast<LossCause>(i)), run.losses[i]);
    w.endObject();
    for (MoveKind kind : kAllMoveKinds) w.field(moveCountName(kind), run.moves.count(kind));
    w.field("peakL1", run.peakL1.count);
    w.field("budget", run.budget.count);
    w.key("headroom");
    w.fixed(run.headroom(), 3);
    w.field("inL1", run.inL1);
    w.field("sharded", run.sharded);
    w.field("inDram", run.inDram);
    w.key("cores");
    w.fixed(run.coreMeanTenths, 1);
    w.field("failures", run.failures);
    w.field("refused", run.refused);
    w.field("defects", run.defects);
    w.endObject();
  }
  w.endArray();
  w.key("differences");
  w.beginArray();
  for (const ComparedOp& op : comparison.differences) {
    w.beginObject();
    w.field("name", std::string_view(op.name));
    w.field("op", std::string_view(op.op));
    w.key("layouts");
    w.beginArray();
    for (const std::string& layout : op.layouts) w.value(std::string_view(layout));
    w.endArray();
    w.key("times");
    w.beginArray();
    for (int64_t time : op.times) w.integer(time);
    w.endArray();
    w.endObject();
  }
  w.endArray();
  w.endObject();
}

std::string comparisonJson(const RunComparison& comparison) {
  JsonWriter w;
  writeComparison(w, comparison);
  return w.take();
}

}  // namespace tessera
