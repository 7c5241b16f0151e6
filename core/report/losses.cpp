#include "core/report/losses.h"

#include <algorithm>
#include <map>

#include "core/policy/policy.h"

namespace tessera {

std::string_view lossCauseName(LossCause cause) {
  switch (cause) {
    case LossCause::Constraint: return "constraint";
    case LossCause::Memory: return "memory";
    case LossCause::Fork: return "fork";
    case LossCause::Operand0: return "operand0";
    case LossCause::ChainFailure: return "chainFailure";
    case LossCause::Choice: return "choice";
    case LossCause::Return: return "return";
  }
  return "";
}

namespace {

bool isReader(const Graph& graph, const Use& use) { return !opInfo(graph.ops[use.op].kind).has(kTerminator); }

// Puts the question to the op model that the policy did not ask: would this reader take the value in this layout, its
// other operands in DRAM where they are in L1? With the settings of the plan, or with any others; if with none, the
// answer to the first of them.
OpVerdict askReader(const RunOutcome& run, const Use& use, const TensorLayout& layout) {
  const Problem& problem = *run.problem;
  const Plan& plan = run.plan;
  const Op& op = problem.graph.ops[use.op];
  std::vector<std::optional<TensorLayout>> inputs(op.operands.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::optional<TensorLayout>& planned = plan.layout[op.operands[i]];
    if (planned) inputs[i] = planned->isL1() ? dramLayout(problem, op.operands[i]) : *planned;
  }
  inputs[static_cast<size_t>(use.operand)] = layout;
  auto ask = [&](const OpConfig& config) {
    return problem.model.validateOperation({problem.graph, use.op, inputs, config, Bytes(0)}, problem.budget.bytes());
  };
  OpVerdict first = ask(plan.config[use.op]);
  if (first.ok()) return first;
  for (const OpConfig& config : problem.configs[use.op]) {
    OpVerdict other = ask(config);
    if (other.ok()) return other;
  }
  return first;
}

// Of the op that makes a value: the first refusal of a place in L1; null when there is none.
const RejectedLayout* refusedPlace(const LegalOpLayouts& legal, bool forMemory) {
  for (const RejectedLayout& rejected : legal.rejected) {
    if (rejected.layout.isL1() && (rejected.verdict.status == OpStatus::OutOfMemory) == forMemory) return &rejected;
  }
  return nullptr;
}

class LossFinder {
 public:
  explicit LossFinder(const RunOutcome& run)
      : run_(run), problem_(*run.problem), graph_(run.problem->graph), plan_(run.plan) {
    if (!run.log.propagation || !run.log.propagation->decisions.spillManagement) return;
    for (const TraceSpillEvent& event : run.log.propagation->decisions.spillManagement->events) {
      if (event.action == "demote_to_dram" || event.action == "all_dram") demoted_.push_back(event.victimName);
    }
  }

  std::vector<Loss> find() {
    for (const Spill& spill : plan_.spills) {
      if (spill.cause != SpillCause::FunctionReturn && spill.to.isDram()) addMove(spill, causeOfSpill(spill));
    }
    for (const Reshard& reshard : plan_.reshards) {
      ValueId value = graph_.ops[reshard.consumer].operands[static_cast<size_t>(reshard.operand)];
      bool leaves = reshard.to.isDram() && plan_.layout[value] && plan_.layout[value]->isL1();
      if (leaves) add({value, LossCause::Constraint, true, reshard.consumer, plan_.layout[value]});
    }
    for (OpId op : plan_.order) findInResult(op);
    for (const Spill& spill : plan_.spills) {
      if (spill.cause == SpillCause::FunctionReturn && spill.to.isDram()) addMove(spill, LossCause::Return);
    }
    for (OpId op : plan_.order) findReturned(op);
    return std::move(losses_);
  }

 private:
  void add(Loss loss) {
    if (counted_.emplace(loss.value, loss.cause).second) losses_.push_back(std::move(loss));
  }
  void addMove(const Spill& spill, LossCause cause) {
    add({spill.value, cause, plan_.layout[spill.value]->isL1(), spill.before, plan_.layout[spill.value]});
  }

  LossCause causeOfSpill(const Spill& spill) const {
    if (spill.cause == SpillCause::Memory) return LossCause::Memory;
    if (spill.cause == SpillCause::Constraint) return LossCause::Constraint;
    return causeByReaders(spill.value, *plan_.layout[spill.value]);
  }

  LossCause causeByReaders(ValueId value, const TensorLayout& layout) const {
    int readers = 0, taken = 0, firstOperand = 0;
    for (const Use& use : problem_.uses[value]) {
      if (!isReader(graph_, use)) continue;
      ++readers;
      if (!askReader(run_, use, layout).ok()) continue;
      ++taken;
      firstOperand += use.operand == 0;
    }
    if (readers == 0) return LossCause::Return;  // the end of a chain that only the function returns
    if (taken == 0) return LossCause::Constraint;
    if (readers > 1) return LossCause::Fork;
    return firstOperand > 0 ? LossCause::ChainFailure : LossCause::Operand0;
  }

  // A result that never was in L1 although a layout there is legal by itself.
  void findInResult(OpId op) {
    if (!isDecided(op) || plan_.layout[graph_.ops[op].results[0]]->isL1()) return;
    const ValueId value = graph_.ops[op].results[0];
    const TensorLayout* possible = placeInL1(op);
    if (!possible) {
      bool tooLarge = false;
      for (const RejectedLayout& rejected : problem_.legal[op].rejected)
        tooLarge = tooLarge || rejected.verdict.status == OpStatus::OutOfMemory;
      add({value, tooLarge ? LossCause::Memory : LossCause::Constraint, false, op, {}});
    } else if (readByOps(value)) {
      add({value, causeOfDram(value, *possible), false, op, *possible});
    }
  }

  // A result in DRAM that only the return of the function reads.
  void findReturned(OpId op) {
    if (!isDecided(op) || plan_.layout[graph_.ops[op].results[0]]->isL1()) return;
    const ValueId value = graph_.ops[op].results[0];
    const TensorLayout* possible = placeInL1(op);
    if (possible && !problem_.uses[value].empty() && !readByOps(value))
      add({value, LossCause::Return, false, op, *possible});
  }

  // What const-eval left is loaded like an argument: it was computed by an earlier call and lies where that one put it.
  bool isDecided(OpId op) const {
    const Op& o = graph_.ops[op];
    return o.kind != OpKind::TtcoreLoadCached && !o.results.empty() && problem_.isTensor(o.results[0]) &&
           !problem_.pinned[o.results[0]];
  }
  const TensorLayout* placeInL1(OpId op) const {
    for (const TensorLayout& candidate : problem_.legal[op].layouts) {
      if (candidate.isL1()) return &candidate;
    }
    return nullptr;
  }
  bool readByOps(ValueId value) const {
    const std::vector<Use>& uses = problem_.uses[value];
    return std::any_of(uses.begin(), uses.end(), [&](const Use& use) { return isReader(graph_, use); });
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

  const RunOutcome& run_;
  const Problem& problem_;
  const Graph& graph_;
  const Plan& plan_;
  std::vector<std::string> demoted_;      // results that pass 2 sent to DRAM
  std::map<ValueId, LossCause> counted_;  // a value counts once
  std::vector<Loss> losses_;
};

// The value that a move before an op begins with; steps of one move follow each other.
ValueId movedValue(const RunOutcome& run, OpId op) {
  const Graph& graph = run.program->applied.graph;
  ValueId value = graph.ops[op].operands.empty() ? ValueId{} : graph.ops[op].operands[0];
  while (value.valid() && graph.values[value].producer.valid() &&
         run.program->applied.inserted[graph.values[value].producer].has_value()) {
    const Op& before = graph.ops[graph.values[value].producer];
    if (before.operands.empty()) break;
    value = before.operands[0];
  }
  return value;
}

// Row of the first move of the value right before a row; that row itself when there is none.
int32_t rowOfMove(const RunOutcome& run, ValueId value, int32_t row) {
  int32_t found = row;
  for (int32_t i = row - 1; i >= 0; --i) {
    const OpId op = run.program->sim.steps[static_cast<size_t>(i)].op;
    if (!run.program->applied.inserted[op]) break;
    if (movedValue(run, op) == value) found = i;
  }
  return found;
}

// What the readers say.
void askReaders(const RunOutcome& run, const Loss& loss, const IdVec<OpId, int32_t>& rows, LossFigures& out) {
  const Graph& graph = run.problem->graph;
  for (const Use& use : run.problem->uses[loss.value]) {
    if (!isReader(graph, use)) continue;
    ++out.readers;
    out.lastStep = std::max(out.lastStep, rows[use.op]);
    if (!loss.candidate) continue;
    const OpVerdict verdict = askReader(run, use, *loss.candidate);
    out.takers += verdict.ok();
    out.takersFirst += verdict.ok() && use.operand == 0;
    if (verdict.ok() || !out.refusedBy.empty()) continue;
    out.refusedBy = graph.ops[use.op].name;
    out.refusal = verdictText(verdict);
  }
}

}  // namespace

std::vector<Loss> findLosses(const RunOutcome& run) { return LossFinder(run).find(); }

IdVec<OpId, int32_t> rowsOf(const RunOutcome& run) {
  IdVec<OpId, int32_t> rows(run.program->applied.graph.ops.size(), -1);
  for (size_t i = 0; i < run.program->sim.steps.size(); ++i)
    rows[run.program->sim.steps[i].op] = static_cast<int32_t>(i);
  return rows;
}

LossFigures lossFigures(const RunOutcome& run, const Loss& loss, const IdVec<OpId, int32_t>& rows) {
  LossFigures out;
  askReaders(run, loss, rows, out);
  if (!loss.candidate) {
    const LegalOpLayouts& legal = run.problem->legal[loss.op];
    if (const RejectedLayout* refused = refusedPlace(legal, loss.cause == LossCause::Memory)) {
      out.refusedBy = run.problem->graph.ops[loss.op].name;
      out.refusal = verdictText(refused->verdict);
      out.bytes = l1BytesPerCore(refused->layout);
    }
  } else {
    out.bytes = l1BytesPerCore(*loss.candidate);
  }
  out.opStep = rows[loss.op];
  if (out.opStep < 0) return out;
  out.step = loss.wasInL1 ? rowOfMove(run, loss.value, out.opStep) : out.opStep;
  out.lastStep = std::max(out.lastStep, out.opStep);
  const Bytes budget = run.problem->budget.bytes();
  for (int32_t row = out.opStep; row <= out.lastStep; ++row) {
    const SimStep& step = run.program->sim.steps[static_cast<size_t>(row)];
    const Bytes free = budget - std::min(budget, step.tensorsL1 + step.circularBuffersL1);
    if (row == out.opStep) out.free = free;
    if (out.leastFreeStep >= 0 && free >= out.leastFree) continue;
    out.leastFree = free;
    out.leastFreeStep = row;
  }
  return out;
}

ResultPlaces countResults(const RunOutcome& run) {
  ResultPlaces out;
  for (OpId op : run.plan.order) {
    const Op& o = run.problem->graph.ops[op];
    if (o.results.empty() || !run.problem->isTensor(o.results[0]) || run.problem->pinned[o.results[0]]) continue;
    const TensorLayout& layout = *run.plan.layout[o.results[0]];
    out.inL1 += layout.isL1();
    out.sharded += layout.isL1() && layout.sharded();
    out.inDram += !layout.isL1();
  }
  return out;
}

int64_t meanCoresTenths(const SimResult& sim) {
  int64_t cores = 0, ops = 0;
  for (const SimStep& step : sim.steps) {
    if (step.time.cores > 0) cores += step.time.cores, ++ops;
  }
  return ops > 0 ? cores * 10 / ops : 0;
}

int64_t headroomPermille(Bytes used, Bytes whole) {
  return whole.count > 0 ? (whole.count - std::min(used.count, whole.count)) * 1000 / whole.count : 0;
}

}  // namespace tessera
