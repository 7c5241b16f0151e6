#include "core/policy/chain/chain_run.h"

#include <algorithm>

#include "core/policy/chain/chain_plan.h"
#include "core/policy/chain/l1_interleaved_fallback.h"
#include "core/policy/kit/op_choice.h"
#include "core/policy/kit/problem_in_order.h"

namespace tessera {

namespace {

// `<op>_in_<n>_layout`: the conversion in front of operand n (tt-mlir Utils/PassOverrides.cpp).
std::vector<OverrideReshardEdge> reshardOverrides(const Problem& problem) {
  std::vector<OverrideReshardEdge> edges;
  for (const auto& entry : problem.options.layoutOverrides) {
    size_t in = entry.op.rfind("_in_"), end = entry.op.rfind("_layout");
    if (in == std::string::npos || end == std::string::npos || end + 7 != entry.op.size() || end <= in + 4 ||
        end > in + 7)
      continue;
    int32_t operand = 0;
    bool digits = true;
    for (size_t i = in + 4; i < end; ++i) {
      digits &= entry.op[i] >= '0' && entry.op[i] <= '9';
      operand = operand * 10 + (entry.op[i] - '0');
    }
    if (!digits) continue;
    for (OpId op : problem.schedule.order) {
      if (overrideNames(std::string_view(entry.op).substr(0, in), problem.graph, op))
        edges.push_back({op, operand, &entry.settings});
    }
  }
  return edges;
}

}  // namespace

ChainRun::ChainRun(const Problem& given, const ChainOptions& options, const ChainBuildOptions& build, DecisionLog& log)
    : given_(given),
      options_(options),
      log_(log),
      overrideReshardEdges_(reshardOverrides(given)),
      configs_(given),
      built_(buildL1Chains(given, configs_, build, trace_)),
      reorders_(built_.order != given.schedule.order),
      problem_(problemInOrder(given, built_.order)),
      work_(std::make_unique<ChainWork>(problem_, configs_, std::move(built_.chains), trace_)),
      candidates_(given.graph.ops.size()) {}

std::optional<TensorLayout> ChainRun::resolveChain(int32_t index, OpId dispatch) {
  ShardSolverOptions options{options_.memReconfigEnabled, overrideReshardEdges_, dispatch};
  ShardSolver solver(problem_, configs_, work_->chain(index).ops(), options, index, &trace_.events);
  L1ChainConfig& chain = work_->changeChain(index);
  bool resolved = solver.resolve();
  if (resolved) {
    chain.resolved();
    work_->record(ChainEventKind::ChainResolved, index, chain.firstOp());
    resolved = pickOpShardConfigs(solver, index);
  }
  if (!resolved) {
    chain.fail(solver.failure().empty() ? "the chosen configs leave somebody without any" : solver.failure());
    work_->record(ChainEventKind::ChainFailed, index, chain.firstOp()).note = chain.failure();
    return {};
  }
  chain.complete(solver.finish());
  chain.spillLocation = SpillLocation::DRAM;
  return solver.resolvedFirstOpInputLayout();
}

namespace {

// Configurations that write the same layout are one candidate; of equals the rule that decides is told.
std::vector<Candidate> candidatesOf(const std::vector<OpConfig>& configs, const std::vector<int64_t>& usage,
                                    size_t best) {
  std::vector<Candidate> found;
  for (size_t c = 0; c < configs.size() && found.size() < DecisionLog::kMaxCandidates; ++c) {
    const TensorLayout& layout = configs[c].output;
    bool known = false;
    for (const Candidate& other : found) known = known || other.layout == layout;
    if (known || (c != best && layout == configs[best].output)) continue;
    int64_t most = usage[c];
    for (size_t other = c + 1; other < configs.size(); ++other)
      if (usage[other] > most && configs[other].output == layout) most = usage[other];
    Candidate candidate{layout, CandidateStatus::Worse, {}, 0, ""};
    if (c == best) candidate.status = CandidateStatus::Chosen;
    else if (most < 0) candidate.note = "goes with none of the configs its neighbours have left";
    else if (most == usage[best])
      candidate.note = "its chain uses as many cores; of equals block sharding comes last, else the first is taken";
    else
      candidate.note =
          "its chain uses " + std::to_string(most) + " cores in all, the chosen one's " + std::to_string(usage[best]);
    found.push_back(std::move(candidate));
  }
  return found;
}

}  // namespace

// From the first op on, the config with the highest accumulated core usage; of equals one that is not block sharded,
// then the first (tt-mlir Analysis/DFShardingPolicy.cpp of 2026-07). A preferred memory layout of the chain's result
// decides the last op before all others.
bool ChainRun::pickOpShardConfigs(ShardSolver& solver, int32_t index) {
  const L1ChainConfig& chain = work_->chain(index);
  size_t count = chain.specs().size();
  auto pick = [&](size_t i, std::optional<TensorMemoryLayout> wanted) {
    const std::vector<int64_t> usage = solver.produceMaxCoreUsage(i);
    const std::vector<OpConfig>& configs = solver.configs(i);
    size_t best = configs.size();
    for (size_t c = 0; c < configs.size(); ++c) {
      if (usage[c] < 0 || (wanted && configs[c].output.memory != *wanted)) continue;
      bool block = configs[c].output.memory == TensorMemoryLayout::BlockSharded;
      bool better =
          best == configs.size() || usage[c] > usage[best] ||
          (usage[c] == usage[best] && !block && configs[best].output.memory == TensorMemoryLayout::BlockSharded);
      if (better) best = c;
    }
    if (best == configs.size()) return false;
    OpId op = chain.specs()[i].op;
    candidates_[op] = candidatesOf(configs, usage, best);
    ChainEvent& event = work_->record(ChainEventKind::ConfigPicked, index, op);
    event.before = usage[best];
    event.after = coresUsed(configs[best].output);
    event.layout = configs[best].output;
    return solver.set(i, best);
  };
  if (chain.preferredOutputMemLayout)
    pick(count - 1, chain.preferredOutputMemLayout);  // a wish: without a config, nothing is set
  for (size_t i = 0; i < count; ++i) {
    if (!pick(i, std::nullopt)) return false;
  }
  return true;
}

// Chains hold sharded results of some kinds of ops only; the user may fix any.
void ChainRun::keepOverrides() {
  if (problem_.options.layoutOverrides.empty()) return;
  for (OpId op : problem_.schedule.order) {
    const Op& o = problem_.graph.ops[op];
    if (o.results.empty() || !problem_.isTensor(o.results[0]) || isPinned(problem_, op)) continue;
    const OutputLayoutOverride* fixed = findOverride(problem_.options.layoutOverrides, problem_.graph, op);
    if (fixed == nullptr || fixed->accepts(work_->configOf(op).output)) continue;
    for (const OpConfig& config : given_.configs[op]) {
      const ChainWork::Mark mark = work_->mark();
      if (!work_->tryConfig(op, config)) continue;
      work_->commit(mark);
      if (config.output.isL1())
        work_->record(ChainEventKind::Reserved, -1, op).before = l1BytesPerCore(config.output).count;
      break;
    }
  }
}

Plan ChainRun::finish() {
  keepOverrides();
  if (options_.l1InterleavedFallbackAnalysisEnabled) applyL1InterleavedFallback(*work_, options_.fallbackBounds);
  Plan plan = settleChainPlan(*work_, log_.warnings);
  for (OpId op : problem_.schedule.order) logDecision(op);
  for (int32_t i = 0; i < work_->chainCount(); ++i) {
    if (!work_->completed(i)) continue;
    ChainEvent& event = work_->record(ChainEventKind::SpillDecided, i, work_->chain(i).lastOp());
    event.note = spillLocationName(work_->chain(i).spillLocation);
  }
  work_->finishTrace();
  log_.chain = std::move(trace_);
  return plan;
}

std::string ChainRun::summaryOf(OpId op) const {
  int32_t index = work_->chainOf(op);
  std::string place = layoutText(work_->configOf(op).output);
  const OutputLayoutOverride* fixed = findOverride(problem_.options.layoutOverrides, problem_.graph, op);
  if (fixed != nullptr && !work_->completed(index) && fixed->accepts(work_->configOf(op).output))
    return place + ": fixed by hand.";
  if (index < 0) {
    if (work_->configOf(op).output.isL1()) return place + ": kept in L1 for its reader; the op is in no chain.";
    if (!isShardable(problem_.graph, op))
      return "DRAM: the op is not in the list of shardable ops and ends every chain.";
    return "DRAM: the op has no legal sharded config.";
  }
  const L1ChainConfig& chain = work_->chain(index);
  std::string text = "Chain " + std::to_string(index) + " (" + std::to_string(chain.specs().size()) +
                     (chain.specs().size() == 1 ? " op)" : " ops)");
  if (chain.state() != L1ChainState::Completed) return "DRAM: " + text + " failed as a whole " + chain.failure() + ".";
  text = place + ": most cores over the whole of " + text;
  if (chain.lastOp() == op) {
    text += "; the chain's result ";
    switch (chain.spillLocation) {
      case SpillLocation::None: text += "stays where it is"; break;
      case SpillLocation::L1Interleaved: text += "is moved to L1 interleaved"; break;
      case SpillLocation::DRAM: text += "is spilled to DRAM"; break;
    }
  }
  return text + ".";
}

void ChainRun::logDecision(OpId op) {
  const Op& o = problem_.graph.ops[op];
  if (o.results.empty() || !problem_.isTensor(o.results[0])) return;
  std::vector<Candidate> candidates;
  if (work_->completed(work_->chainOf(op))) candidates = candidates_[op];
  if (candidates.empty()) candidates.push_back({work_->configOf(op).output, CandidateStatus::Chosen, {}, 0, ""});
  log_.decisions.push_back({op, o.results[0], std::move(candidates), summaryOf(op)});
}

}  // namespace tessera
