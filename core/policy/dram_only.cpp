// DRAM: everything interleaved in DRAM. The floor that every other policy must beat, and the run that explains the time
// axis.

#include "core/policy/kit/legalize.h"
#include "core/policy/kit/op_choice.h"
#include "core/policy/kit/placement.h"
#include "core/policy/policy.h"

namespace tessera {

namespace {

void logDecision(const Problem& problem, OpId op, const Attempt& attempt, DecisionLog& log) {
  const Op& o = problem.graph.ops[op];
  if (o.results.empty() || !problem.isTensor(o.results[0])) return;
  Candidate candidate{attempt.config.output, CandidateStatus::Chosen, attempt.verdict, attempt.reshards, ""};
  log.decisions.push_back({op, o.results[0], {candidate}, "This policy keeps every result in DRAM."});
}

// What the user fixed comes first; where the op writes elsewhere, its result is brought there behind it.
Attempt attemptOf(const Problem& problem, const Placement& placement, OpId op) {
  std::optional<Attempt> elsewhere;
  if (!isPinned(problem, op) && findOverride(problem.options.layoutOverrides, problem.graph, op)) {
    for (const OpConfig& config : problem.configs[op]) {
      Attempt attempt = tryConfig(problem, placement, op, config);
      if (!attempt.verdict.ok()) continue;
      if (attempt.config.output == config.output) return attempt;
      attempt.config.output = config.output;
      placement.checkAddresses(op, attempt.inputs, attempt.config, attempt.verdict);
      if (!elsewhere && attempt.verdict.ok()) elsewhere = attempt;
    }
  }
  return elsewhere ? *elsewhere : tryConfig(problem, placement, op, defaultConfig(problem, op));
}

// Where an op finds no room beside what the user keeps in L1, that leaves it, the value used last first.
Attempt attemptWithRoom(const Problem& problem, Placement& placement, OpId op) {
  Attempt attempt = attemptOf(problem, placement, op);
  while (attempt.verdict.status == OpStatus::OutOfMemory) {
    const std::vector<ValueId> live = placement.liveInL1();
    if (live.empty()) break;
    placement.spillForRoom(live.front(), op, attempt.verdict);
    attempt = attemptOf(problem, placement, op);
  }
  return attempt;
}

}  // namespace

Plan decideDramOnly(const Problem& problem, const PolicyOptions&, PolicyMemory&, DecisionLog& log) {
  Placement placement(problem);
  for (OpId op : problem.schedule.order) {
    if (opInfo(problem.graph.ops[op].kind).has(kTerminator)) {
      returnFromDram(problem, placement, op);
      continue;
    }
    Attempt attempt = attemptWithRoom(problem, placement, op);
    placement.place(op, attempt.config, attempt.inputs);
    logDecision(problem, op, attempt, log);
    placement.finish(op);
  }
  return placement.take();
}

}  // namespace tessera
