#include "core/policy/propagate/spill_strategy.h"

#include <algorithm>

#include "core/policy/kit/problem_in_order.h"
#include "core/policy/propagate/fastest_sweep.h"
#include "core/policy/propagate/room_events.h"

namespace tessera {

namespace {

// Of the certified search: about 30 ms where it is hard, and its memory.
constexpr int64_t kEffort = 20'000'000;
constexpr size_t kStates = 2'000;

// Where a value is kept between none of its readers it need not be made in L1; else it leaves after one reader and is
// back for another.
SpillChoice choiceOf(const GraphSpills& spills, const SpillDecision& decision, const KeptSegments& keep,
                     bool mayReturn) {
  SpillChoice choice;
  choice.startsInDram.assign(spills.tensors().size(), false);
  for (size_t v = 0; v < keep.size(); ++v) {
    const SpillValue& value = decision.problem.values[v];
    const SpillTensor tensor = decision.tensors[v];
    const bool never = std::find(keep[v].begin(), keep[v].end(), 1) == keep[v].end();
    if (never && spills.mayStartInDram(tensor)) {
      choice.startsInDram[static_cast<size_t>(tensor)] = true;
      continue;
    }
    bool inside = true;
    for (size_t i = 0; i < keep[v].size(); ++i) {
      if (inside && !keep[v][i]) choice.absences.push_back({tensor, (i == 0 ? value.def : value.uses[i - 1]) + 1, -1});
      if (!inside && keep[v][i]) choice.absences.back().until = value.uses[i - 1];
      inside = keep[v][i] || (!inside && !mayReturn);
      if (!mayReturn && !keep[v][i]) break;
    }
  }
  return choice;
}

// What was dropped in the end, at the model's prices.
int64_t costOf(const SpillDecision& decision, const SpillOutcome& outcome) {
  int64_t cost = 0;
  for (size_t v = 0; v < decision.tensors.size(); ++v) {
    const SpillValue& value = decision.problem.values[v];
    const SpillTensor tensor = decision.tensors[v];
    const bool never = outcome.location[static_cast<size_t>(value.def)] >= ResultLocation::Dram;
    const int32_t evicted = outcome.evictedAt[static_cast<size_t>(tensor)];
    bool stored = false;
    for (size_t i = 0; i < value.uses.size(); ++i) {
      const int32_t use = value.uses[i];
      bool away = never || (evicted >= 0 && use >= evicted);
      for (const SpillAbsence& absence : outcome.absences)
        away = away || (absence.tensor == tensor && absence.from <= use && use <= absence.until);
      if (away) cost = addSaturated(cost, value.reloadCosts[i]);
      stored = stored || away;
    }
    if (stored) cost = addSaturated(cost, value.storeCost);
  }
  return cost;
}

}  // namespace

SpillOutcome sweepByStrategy(GraphSpills& spills, const PropagateOptions& options, const SpillChoice& choice,
                             DecisionLog& log) {
  if (options.strategy == SpillStrategy::Policy)
    return options.spillSearch ? fastestSweep(spills, {choice}) : sweepSpills(spills, spills.settings(), choice);
  const SpillDecision decision = spills.spillProblem();
  SpillTrace trace{.strategy = enumId(kSpillStrategies, options.strategy)};
  KeptSegments keep;
  std::vector<SpillChoice> rules;
  const auto rule = [&](SpillStrategy strategy, SpillRule by, int64_t& cost) {
    KeptSegments its = spillByRule(decision.problem, by);
    cost = evaluateSpill(decision.problem, its);
    rules.push_back(choiceOf(spills, decision, its, options.lateSpill));
    if (strategy == options.strategy) keep = std::move(its), trace.cost = cost;
  };
  rule(SpillStrategy::FarthestLastUse, SpillRule::FarthestLastUse, trace.farthestLastUse);
  rule(SpillStrategy::FarthestNextUse, SpillRule::FarthestNextUse, trace.farthestNextUse);
  rule(SpillStrategy::CostAware, SpillRule::CostAware, trace.costAware);
  SpillResult best = solveSpill(decision.problem, {.stateLimit = kStates, .budget = WorkBudget(kEffort)});
  trace.certified = best.cost;
  trace.lowerBound = best.lowerBound;
  trace.proven = best.proven;
  trace.values = static_cast<int64_t>(decision.tensors.size());
  trace.contested = static_cast<int64_t>(best.contested);
  if (options.keepSpillProof) log.spillProof = {decision.problem, best};
  if (options.strategy == SpillStrategy::Certified) keep = std::move(best.keep), trace.cost = best.cost;
  const SpillChoice chosen = choiceOf(spills, decision, keep, options.lateSpill);
  rules.insert(rules.begin(), chosen);
  SpillOutcome outcome = options.strategy == SpillStrategy::Certified ? fastestSweep(spills, rules)
                                                                      : sweepSpills(spills, spills.settings(), chosen);
  trace.carriedOut = costOf(decision, outcome);
  log.spilling = trace;
  return outcome;
}

Plan respill(const Problem& given, const Plan& plan, const PropagateOptions& options, MoveMemory& memory,
             DecisionLog& log) {
  const Problem problem = problemInOrder(given, plan.order);
  MoveTime moves(problem, memory);
  Propagation pass1{moves.pool()};
  const Graph& graph = problem.graph;
  pass1.config = plan.config;
  pass1.config.resize(graph.ops.size());
  pass1.reads.resize(graph.ops.size());
  pass1.layout.resize(graph.values.size(), kNoLayout);
  for (ValueId value : graph.values.ids()) {
    if (plan.layout.contains(value) && plan.layout[value]) pass1.layout[value] = pass1.pool.intern(*plan.layout[value]);
  }
  for (OpId op : plan.order) {
    for (ValueId operand : graph.ops[op].operands)
      pass1.reads[op].push_back(problem.isTensor(operand) ? pass1.layout[operand] : kNoLayout);
  }
  // A reader that the plan gives a copy keeps it; one that found the value after it had left reads it where it stays.
  for (const Reshard& reshard : plan.reshards)
    pass1.reads[reshard.consumer][static_cast<size_t>(reshard.operand)] = pass1.pool.intern(reshard.to);
  GraphSpills spills(problem, options, pass1, moves);
  const SpillOutcome outcome = sweepByStrategy(spills, options, {}, log);
  Plan out = spills.plan(outcome);
  if (log.wanted) out.room = roomEvents(graph, outcome, out);
  return out;
}

}  // namespace tessera
