#include "core/policy/propagate/propagate.h"

#include "core/policy/kit/plan_time.h"
#include "core/policy/kit/written_plan.h"
#include "core/policy/policy.h"
#include "core/policy/policy_memory.h"
#include "core/policy/propagate/explain.h"
#include "core/policy/propagate/graph_spills.h"
#include "core/policy/propagate/room_events.h"
#include "core/policy/propagate/spill_strategy.h"
#include "core/policy/propagate/trace.h"

namespace tessera {

namespace {

// Sets of tensors in L1 that the spill search keeps per step: all of them for ten contested tensors at a time.
constexpr size_t kMaxSpillStates = 1024;

// Pass 1: `out.pool` is the one of `moves`.
Beams propagate(const Problem& problem, const PropagateOptions& options, MoveTime& moves, BeamMemory& memory,
                ForwardPass::RuleBookOf ruleBookOf, Propagation& out) {
  Beams beams = ForwardPass(problem, options, moves, ruleBookOf, &memory).run();
  traceBack(problem, options, beams, moves, out);
  return beams;
}

}  // namespace

Plan propagateAndSpill(const Problem& problem, const PropagateOptions& asked, PolicyMemory& memory, DecisionLog& log,
                       ForwardPass::RuleBookOf ruleBookOf) {
  PropagateOptions options = asked;
  options.keepCandidates = log.wanted;
  MoveTime moves(problem, memory.moves);
  Propagation pass1{moves.pool()};
  const Beams beams = propagate(problem, options, moves, memory.beams, ruleBookOf, pass1);

  GraphSpills spills(problem, options, pass1, moves);
  SpillChoice choice;
  SpillSearchResult search;
  if (options.spillSearch && options.strategy == SpillStrategy::Policy) {
    search = searchSpills(spills.searchProblem(), kMaxSpillStates);
    choice = {search.startsInDram, search.evictBefore};
  }
  SpillOutcome outcome = sweepByStrategy(spills, options, choice, log);
  Plan plan = spills.plan(outcome);
  if (!log.wanted) return plan;
  plan.room = roomEvents(problem.graph, outcome, plan);
  log.propagation = tracePasses(problem, options, beams, pass1, spills, outcome, plan);
  log.propagation->spillSearchUsed = options.spillSearch && options.strategy == SpillStrategy::Policy;
  log.propagation->spillSearchPruned = search.pruned;
  log.propagation->spillSearchCost = search.cost;
  if (search.pruned) log.warnings.push_back("The spill search left states out: its choice may not be the best.");
  explainDecisions(problem, options, beams, pass1, outcome, plan, log);
  return plan;
}

Plan propagateOnly(const Problem& problem, const PropagateOptions& options, PolicyMemory& memory, DecisionLog& log,
                   ForwardPass::RuleBookOf ruleBookOf) {
  MoveTime moves(problem, memory.moves);
  Propagation pass1{moves.pool()};
  const Beams beams = propagate(problem, options, moves, memory.beams, ruleBookOf, pass1);
  GraphSpills spills(problem, options, pass1, moves);
  const SpillOutcome outcome = spills.withoutPressure();
  Plan plan = spills.plan(outcome);
  if (log.wanted) log.propagation = tracePasses(problem, options, beams, pass1, spills, outcome, plan);
  return plan;
}

Plan spillOnly(const Problem& problem, const PropagateOptions& options, PolicyMemory& memory, DecisionLog& log) {
  Plan plan = respill(problem, writtenPlan(problem), options, memory.moves, log);
  std::erase_if(plan.spills, [](const Spill& spill) { return spill.cause == SpillCause::FunctionReturn; });
  return plan;
}

// A wide beam may keep many entries whose paths begin alike, and drop the one that a narrower beam carries to the end.
// Under the score `time` plans can be compared: the fastest plan of the widths 1, 2, 4 ... K is taken, so that a wider
// beam is never slower.
Plan decideBeam(const Problem& problem, const PolicyOptions& options, PolicyMemory& memory, DecisionLog& log) {
  const PropagateOptions& asked = options.propagate;
  Plan best = propagateAndSpill(problem, asked, memory, log);
  if (asked.score != BeamScore::Time || asked.beamWidth <= 1) return best;
  MoveTime moves(problem, memory.moves);
  const Cost wide = planTime(problem, best, moves);
  Cost least = wide;
  int32_t taken = asked.beamWidth;
  for (int32_t width = 1; width < asked.beamWidth; width *= 2) {
    PropagateOptions narrower = asked;
    narrower.beamWidth = width;
    DecisionLog itsLog{.wanted = log.wanted};
    Plan plan = propagateAndSpill(problem, narrower, memory, itsLog);
    const Cost time = planTime(problem, plan, moves);
    if (time >= least) continue;
    least = time, taken = width, best = std::move(plan), log = std::move(itsLog);
  }
  if (taken != asked.beamWidth) {
    log.warnings.push_back("A beam of width " + std::to_string(asked.beamWidth) +
                           " drops a faster path: this is the plan of width " + std::to_string(taken) + ", " +
                           std::to_string(wide - least) + " ns faster.");
  }
  return best;
}

// K = 1 and the first that works: the first step of docs/rules/pass-generation.md#layout-propagation.
Plan decideGreedy(const Problem& problem, const PolicyOptions& options, PolicyMemory& memory, DecisionLog& log) {
  PropagateOptions greedy = options.propagate;
  greedy.beamWidth = 1;
  greedy.score = BeamScore::First;
  return propagateAndSpill(problem, greedy, memory, log);
}

}  // namespace tessera
