#include "core/policy/propagate/propagate.h"

#include "core/policy/policy.h"
#include "core/policy/propagate/explain.h"
#include "core/policy/propagate/graph_spills.h"
#include "core/policy/propagate/trace.h"

namespace tessera {

Plan propagateAndSpill(const Problem& problem, const PropagateOptions& options, std::string_view policyName, DecisionLog& log,
                       ForwardPass::RuleBookOf ruleBookOf) {
  Propagation pass1;
  ReshardCost reshards(problem, pass1.pool);
  Beams beams = ForwardPass(problem, options, pass1.pool, reshards, ruleBookOf).run();
  traceBack(problem, options, beams, reshards, pass1);

  GraphSpills spills(problem, options, pass1, reshards);
  SpillOutcome outcome = sweepSpills(spills, spills.settings());
  Plan plan = spills.plan(outcome, policyName);
  log.propagation = tracePasses(problem, options, beams, pass1, spills, outcome, plan);
  explainDecisions(problem, options, beams, pass1, outcome, plan, log);
  return plan;
}

namespace {

class Beam : public Policy {
 public:
  Plan decide(const Problem& problem, const PolicyOptions& options, DecisionLog& log) const override {
    return propagateAndSpill(problem, options.propagate, "Beam", log);
  }
};

// K = 1 and the first that works: the seed's phase 1.
class Greedy : public Policy {
 public:
  Plan decide(const Problem& problem, const PolicyOptions& options, DecisionLog& log) const override {
    PropagateOptions greedy = options.propagate;
    greedy.beamWidth = 1;
    greedy.score = BeamScore::First;
    return propagateAndSpill(problem, greedy, "Greedy", log);
  }
};

}  // namespace

std::unique_ptr<Policy> makeGreedy() { return std::make_unique<Greedy>(); }
std::unique_ptr<Policy> makeBeam() { return std::make_unique<Beam>(); }

}  // namespace tessera
