#include "core/report/compare.h"

#include <algorithm>
#include <map>

#include "core/policy/policy.h"
#include "core/support/json_writer.h"

namespace tessera {

std::string_view lossCauseName(LossCause cause) {
  switch (cause) {
    case LossCause::Constraint: return "constraint";
    case LossCause::Memory: return "memory";
    case LossCause::Fork: return "fork";
    case LossCause::Operand0: return "operand0";
    case LossCause::ChainFailure: return "chainFailure";
    case LossCause::Choice: return "choice";
  }
  return "";
}

namespace {

// --- why values are not in L1
// --------------------------------------------------------------------------------------------

class LossCounter {
 public:
  explicit LossCounter(const RunOutcome& run) : problem_(*run.problem), graph_(run.problem->graph), plan_(run.plan) {
    if (!run.log.propagation || !run.log.propagation->decisions.spillManagement) return;
    for (const TraceSpillEvent& event : run.log.propagation->decisions.spillManagement->events) {
      if (event.action == "demote_to_dram" || event.action == "all_dram") demoted_.push_back(event.victimName);
    }
  }

  void count(ComparedRun& out) {
    for (const Spill& spill : plan_.spills) {
      if (spill.cause != SpillCause::FunctionReturn && spill.to.isDram()) add(spill.value, causeOfSpill(spill), out);
    }
    for (const Reshard& reshard : plan_.reshards) {
      ValueId value = graph_.ops[reshard.consumer].operands[static_cast<size_t>(reshard.operand)];
      bool leaves = reshard.to.isDram() && plan_.layout[value] && plan_.layout[value]->isL1();
      if (leaves) add(value, LossCause::Constraint, out);
    }
    for (OpId op : plan_.order) countResult(op, out);
  }

 private:
  void add(ValueId value, LossCause cause, ComparedRun& out) {
    if (!counted_.emplace(value, cause).second) return;
    ++out.losses[static_cast<size_t>(cause)];
  }

  LossCause causeOfSpill(const Spill& spill) const {
    if (spill.cause == SpillCause::Memory) return LossCause::Memory;
    if (spill.cause == SpillCause::Constraint) return LossCause::Constraint;
    return causeByReaders(spill.value, *plan_.layout[spill.value]);
  }

  // Puts the question to the op model that the policy did not ask: would the readers take the value where it was?
  LossCause causeByReaders(ValueId value, const TensorLayout& layout) const {
    int readers = 0, taken = 0, firstOperand = 0;
    for (const Use& use : problem_.uses[value]) {
      if (opInfo(graph_.ops[use.op].kind).has(kTerminator)) continue;
      ++readers;
      if (!takes(use, layout)) continue;
      ++taken;
      firstOperand += use.operand == 0;
    }
    if (taken == 0) return LossCause::Constraint;
    if (readers > 1) return LossCause::Fork;
    return firstOperand > 0 ? LossCause::ChainFailure : LossCause::Operand0;
  }

  bool takes(const Use& use, const TensorLayout& layout) const {
    const Op& op = graph_.ops[use.op];
    std::vector<std::optional<TensorLayout>> inputs(op.operands.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (plan_.layout[op.operands[i]])
        inputs[i] =
            plan_.layout[op.operands[i]]->isL1() ? dramLayout(problem_, op.operands[i]) : *plan_.layout[op.operands[i]];
    }
    inputs[static_cast<size_t>(use.operand)] = layout;
    auto legal = [&](const OpConfig& config) {
      return problem_.model.validateOperation({graph_, use.op, inputs, config, Bytes(0)}, problem_.budget.bytes()).ok();
    };
    if (legal(plan_.config[use.op])) return true;
    for (const OpConfig& config : problem_.configs[use.op]) {
      if (legal(config)) return true;
    }
    return false;
  }

  // A result that never was in L1 although a layout there is legal by itself.
  void countResult(OpId op, ComparedRun& out) {
    const Op& o = graph_.ops[op];
    if (o.results.empty() || !problem_.isTensor(o.results[0]) || problem_.pinned[o.results[0]]) return;
    const TensorLayout& layout = *plan_.layout[o.results[0]];
    if (layout.isL1()) {
      ++out.inL1;
      out.sharded += layout.sharded();
      return;
    }
    ++out.inDram;
    const TensorLayout* possible = nullptr;
    bool tooLarge = false;
    for (const TensorLayout& candidate : problem_.legal[op].layouts) {
      if (candidate.isL1() && !possible) possible = &candidate;
    }
    for (const RejectedLayout& rejected : problem_.legal[op].rejected)
      tooLarge = tooLarge || rejected.verdict.status == OpStatus::OutOfMemory;
    if (!possible) add(o.results[0], tooLarge ? LossCause::Memory : LossCause::Constraint, out);
    else if (readByOps(o.results[0])) add(o.results[0], causeOfDram(o.results[0], *possible), out);
  }

  bool readByOps(ValueId value) const {
    for (const Use& use : problem_.uses[value]) {
      if (!opInfo(graph_.ops[use.op].kind).has(kTerminator)) return true;
    }
    return false;
  }

  // Policies without chains leave a result in DRAM when no reader takes it from L1, when L1 was full, or by choice.
  LossCause causeOfDram(ValueId value, const TensorLayout& possible) const {
    LossCause cause = causeByReaders(value, possible);
    bool byChains = policyHas(plan_.policy, kChainTrace);
    if (byChains || cause == LossCause::Constraint) return cause;
    std::string name = "%" + graph_.values[value].name;
    bool demoted = std::find(demoted_.begin(), demoted_.end(), name) != demoted_.end();
    return demoted ? LossCause::Memory : LossCause::Choice;
  }

  const Problem& problem_;
  const Graph& graph_;
  const Plan& plan_;
  std::vector<std::string> demoted_;      // results that pass 2 sent to DRAM
  std::map<ValueId, LossCause> counted_;  // a value counts once
};

ComparedRun compareOne(const LabelledReport& labelled) {
  ComparedRun out;
  out.label = labelled.label;
  if (!labelled.report || !labelled.report->run) return out;
  const RunOutcome& run = *labelled.report->run;
  out.ran = true;
  out.time = run.sim.time;
  out.dramBytes = run.sim.dramBytes;
  out.moves = planMoves(run.problem->graph, run.plan);
  out.peakL1 = run.sim.peakL1;
  out.budget = run.problem->budget.bytes();
  out.failures = run.sim.failures;
  out.refused = run.sim.refused;
  out.defects = static_cast<int64_t>(run.defects.size());
  int64_t cores = 0, ops = 0;
  for (const SimStep& step : run.sim.steps) {
    if (step.time.cores > 0) cores += step.time.cores, ++ops;
  }
  out.coreMeanTenths = ops > 0 ? cores * 10 / ops : 0;
  LossCounter(run).count(out);
  return out;
}

// --- differences
// ---------------------------------------------------------------------------------------------------------

struct OpFacts {
  std::string layout;
  int64_t time = 0;
};

std::map<std::string, OpFacts> factsOf(const RunOutcome& run) {
  std::map<std::string, OpFacts> facts;
  const Graph& graph = run.problem->graph;
  for (OpId op : run.plan.order) {
    for (ValueId result : graph.ops[op].results) {
      if (run.plan.layout[result]) facts[graph.values[result].name].layout = layoutText(*run.plan.layout[result]);
    }
  }
  for (const SimStep& step : run.sim.steps) {
    if (!graph.ops.contains(step.op) || graph.ops[step.op].results.empty()) continue;
    auto it = facts.find(graph.values[graph.ops[step.op].results[0]].name);
    if (it != facts.end()) it->second.time = step.time.total().count;
  }
  return facts;
}

void addDifferences(std::span<const LabelledReport> reports, RunComparison& out) {
  std::vector<std::map<std::string, OpFacts>> facts;
  const RunOutcome* first = nullptr;
  for (const LabelledReport& labelled : reports) {
    bool ran = labelled.report && labelled.report->run;
    facts.push_back(ran ? factsOf(*labelled.report->run) : std::map<std::string, OpFacts>());
    if (ran && !first) first = &*labelled.report->run;
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
      differs = differs || (out.runs[i].ran && compared.layouts[i] != compared.layouts[0]);
    }
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
    row.push_back(tenths(run.headroomPermille()));
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
    for (size_t i = 0; i < kLossCauses; ++i) w.field(lossCauseName(static_cast<LossCause>(i)), run.losses[i]);
    w.endObject();
    for (MoveKind kind : kAllMoveKinds) w.field(moveCountName(kind), run.moves.count(kind));
    w.field("peakL1", run.peakL1.count);
    w.field("budget", run.budget.count);
    w.key("headroom");
    w.fixed(run.headroomPermille(), 3);
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
