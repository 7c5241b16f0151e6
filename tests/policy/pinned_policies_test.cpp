// What lies inside the policies, on random graphs and problems: plans made to fit, priced L1, sweeps by every rule,
// searches with few states. Choices as good as others are told from them here.

#include <map>

#include "core/policy/exact/exact_search.h"
#include "core/policy/exact/joint.h"
#include "core/policy/exact/realize.h"
#include "core/policy/kit/plan_time.h"
#include "core/policy/propagate/fastest_sweep.h"
#include "core/policy/propagate/forward_pass.h"
#include "core/policy/propagate/graph_spills.h"
#include "core/policy/propagate/spill_scenario.h"
#include "core/policy/propagate/spill_search.h"
#include "tests/pinned.h"
#include "tests/policy/exact_model.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_policies");
constexpr uint64_t kPinnedSeeds = 12;

std::string graphText(uint64_t seed) { return randomGraphText(seed, RandomGraphOptions{.images = seed % 4 == 0}); }

void addPlan(Fingerprint& print, const Plan& plan) {
  for (const OpId op : plan.order) print.add(int64_t{op.index});
  for (const ValueId value : plan.layout.ids()) print.add(plan.layout[value] ? layoutText(*plan.layout[value]) : "");
  for (const Reshard& reshard : plan.reshards) {
    print.add(int64_t{reshard.consumer.index}), print.add(int64_t{reshard.operand});
    print.add(layoutText(reshard.to));
  }
  for (const Spill& spill : plan.spills) {
    print.add(int64_t{spill.value.index}), print.add(int64_t{spill.before.index});
    print.add(layoutText(spill.to)), print.add(static_cast<int64_t>(spill.cause));
  }
}

constexpr int kCaps[] = {30, 80, 200};

// Of the part of L1 that plans may fill, in thousandths. Under sanitizers all graphs run with the first one only.
class PinnedPolicies : public testing::TestWithParam<int> {
 protected:
  static bool complete() { return !smallTests() || GetParam() == kCaps[0]; }
  static uint64_t graphs() { return complete() ? kPinnedSeeds : seeds(kPinnedSeeds); }
};

TEST_P(PinnedPolicies, PlansMadeToFit) {
  struct Line {
    Fingerprint print;
    int64_t times = 0, evicted = 0, deviations = 0;
  };
  std::map<std::string, Line> lines;
  for (uint64_t seed = 1; seed <= graphs(); ++seed) {
    const auto run = runOn(graphOf(graphText(seed)), "DRAM", {.l1UsageCapPermille = GetParam()});
    const std::vector<Plan> none;
    ExactSearch search(*run->problem, none, run->memory.exact);
    if (!search.layouts().feasible) continue;
    const LayoutAssignment wanted = readAssignment(search.costs(), search.layouts().values);
    const std::vector<LayoutMove> moves = movesOf(search.costs(), wanted);
    for (const VictimRule victim : {VictimRule::FarthestNextUse, VictimRule::CostPerByte}) {
      for (const bool prefer : {true, false}) {
        Line& line =
            lines[std::string(victim == VictimRule::CostPerByte ? " cost" : " next") + (prefer ? " other" : " leave")];
        const Realized made =
            realize(search.costs(), wanted, moves, {.victim = victim, .preferOtherCandidates = prefer});
        line.times += planTime(*run->problem, made.plan, search.moves());
        line.evicted += static_cast<int64_t>(made.evicted.size());
        line.deviations += static_cast<int64_t>(made.deviations.size());
        addPlan(line.print, made.plan);
        line.print.add(int64_t{made.fits});
        for (const ValueId value : made.evicted) line.print.add(int64_t{value.index});
        for (const int64_t bytes : l1Usage(search.costs(), wanted)) line.print.add(bytes);
      }
    }
  }
  if (!complete()) return;
  for (const auto& [way, line] : lines)
    pins.expect("realize " + std::to_string(GetParam()) + way,
                std::to_string(line.times) + " ns, " + std::to_string(line.evicted) + " evicted, " +
                    std::to_string(line.deviations) + " deviations, print " + digits(line.print));
}

// Graphs of which a faster plan is found between the best prices and the first ones.
TEST(PinnedPolicies, PricesInBetween) {
  for (const auto& [seed, cap] : {std::pair{82u, 20}, {163u, 80}, {194u, 80}, {235u, 300}}) {
    const Model model = randomModel(seed, {.l1UsageCapPermille = cap, .maxLegalLayouts = 6});
    ExactTrace trace;
    model.search->best({}, trace);
    pins.expect("between " + std::to_string(seed) + " " + std::to_string(cap),
                std::to_string(trace.time) + " ns of " + std::to_string(trace.lowerBound));
  }
}

TEST_P(PinnedPolicies, PricedL1) {
  Fingerprint print;
  int64_t lower = 0, upper = 0, priced = 0;
  for (uint64_t seed = 1; seed <= graphs(); ++seed) {
    const auto run = runOn(graphOf(graphText(seed)), "DRAM", {.l1UsageCapPermille = GetParam()});
    const std::vector<Plan> baselines = {run->plan};
    ExactSearch search(*run->problem, baselines, run->memory.exact);
    ExactTrace trace;
    const Plan plan = search.best({.rounds = 40}, trace);
    lower += trace.lowerBound, upper += trace.time, priced += !trace.stepPrices.empty();
    addPlan(print, plan);
    print.add(trace.source), print.add(trace.method);
    for (const int64_t price : trace.stepPrices) print.add(price);
    for (const ExactTrace::Bound& bound : trace.bounds)
      print.add(int64_t{bound.round}), print.add(bound.upper), print.add(bound.lower);
    for (const ExactTrace::OpRegrets& op : search.regrets(plan)) {
      print.add(int64_t{op.best}), print.add(int64_t{op.present}), print.add(op.candidateRegret);
      for (const auto& regret : op.layouts) print.add(regret.regret);
    }
    print.add(search.certificate(trace));
  }
  if (!complete()) return;
  pins.expect("exact " + std::to_string(GetParam()), "upper " + std::to_string(upper) + ", lower " +
                                                         std::to_string(lower) + ", priced " + std::to_string(priced) +
                                                         ", print " + digits(print));
}

// A graph as pass 2 finds it.
struct Spilling {
  Graph graph;
  Problem problem;
  PropagateOptions options{.beamWidth = 1, .score = BeamScore::First};
  PolicyMemory memory;
  MoveTime moves;
  Propagation pass1;
  std::unique_ptr<GraphSpills> spills;

  Spilling(uint64_t seed, int cap)
      : graph(graphOf(graphText(seed))),
        problem(analysed(graph, allDevices()[0], {.l1UsageCapPermille = cap})),
        moves(problem, memory.moves),
        pass1{moves.pool()} {
    const Beams beams = ForwardPass(problem, options, moves).run();
    traceBack(problem, options, beams, moves, pass1);
    spills = std::make_unique<GraphSpills>(problem, options, pass1, moves);
  }
};

void addOutcome(Fingerprint& print, const SpillOutcome& outcome) {
  for (const int32_t step : outcome.evictedAt) print.add(int64_t{step});
  for (const SpillAbsence& one : outcome.absences)
    print.add(int64_t{one.tensor}), print.add(int64_t{one.from}), print.add(int64_t{one.until});
  for (const ResultLocation location : outcome.location) print.add(static_cast<int64_t>(location));
  for (const SpillEvent& event : outcome.events) {
    for (const int64_t figure : {int64_t{event.step}, static_cast<int64_t>(event.action), int64_t{event.tensor},
                                 event.occupiedBefore, event.occupiedAfter, event.needed})
      print.add(figure);
  }
  for (const int32_t step : outcome.failed) print.add(int64_t{step});
  print.add(int64_t{outcome.rewinds}), print.add(outcome.finalOccupied);
}

TEST_P(PinnedPolicies, Sweeps) {
  struct Line {
    Fingerprint print;
    int64_t times = 0, events = 0;
  };
  std::map<std::string, Line> lines;
  for (uint64_t seed = 1; seed <= graphs(); ++seed) {
    Spilling graph(seed, GetParam());
    for (const auto& rule : kVictimRules) {
      for (const bool late : {true, false}) {
        Line& line = lines[std::string(rule.id) + (late ? " late" : " early")];
        SpillSettings settings = graph.spills->settings();
        settings.victim = rule.value, settings.late = late;
        settings.copyBack = seed % 2, settings.selfMayLeave = seed % 3;
        const SpillOutcome outcome = sweepSpills(*graph.spills, settings);
        addOutcome(line.print, outcome);
        addPlan(line.print, graph.spills->plan(outcome));
        line.times += graph.spills->timeOf(outcome), line.events += static_cast<int64_t>(outcome.events.size());
        for (const SpillEvent& event : outcome.events) {
          if (event.action == SpillAction::Evict) line.print.add(graph.spills->lateGain(event.tensor, event.step));
        }
      }
    }
  }
  if (!complete()) return;
  for (const auto& [way, line] : lines)
    pins.expect(
        "sweep " + std::to_string(GetParam()) + " " + way,
        std::to_string(line.times) + " ns, " + std::to_string(line.events) + " events, print " + digits(line.print));
}

TEST_P(PinnedPolicies, SpillingProblemsAndTheirSearches) {
  Fingerprint print;
  int64_t cost = 0, times = 0;
  for (uint64_t seed = 1; seed <= graphs(); ++seed) {
    Spilling graph(seed, GetParam());
    const SpillSearchProblem problem = graph.spills->searchProblem();
    for (const SpillSearchTensor& t : problem.tensors) {
      for (const int64_t figure : {int64_t{t.def}, int64_t{t.lastUse}, t.bytes, t.writeCost, t.startCost})
        print.add(figure);
    }
    for (const SpillSearchStep& step : problem.steps) {
      print.add(step.others);
      for (const int64_t read : step.readCosts) print.add(read);
    }
    SpillChoice choice;
    for (const size_t states : {size_t{1000}, size_t{2}}) {
      const SpillSearchResult result = searchSpills(problem, states);
      cost += result.cost;
      print.add(result.states), print.add(int64_t{result.pruned});
      for (const bool starts : result.startsInDram) print.add(int64_t{starts});
      for (const int32_t step : result.evictBefore) print.add(int64_t{step});
      choice.startsInDram = result.startsInDram, choice.evictBefore = result.evictBefore;
    }
    const SpillDecision decision = graph.spills->spillProblem();
    for (const int64_t capacity : decision.problem.capacity) print.add(capacity);
    for (const SpillValue& value : decision.problem.values) {
      print.add(value.storeCost);
      for (const Cost reload : value.reloadCosts) print.add(reload);
    }
    const SpillOutcome fastest = fastestSweep(*graph.spills, {choice, {}});
    addOutcome(print, fastest);
    times += graph.spills->timeOf(fastest);
  }
  if (!complete()) return;
  pins.expect("search " + std::to_string(GetParam()),
              "cost " + std::to_string(cost) + ", " + std::to_string(times) + " ns, print " + digits(print));
}

INSTANTIATE_TEST_SUITE_P(Caps, PinnedPolicies, testing::ValuesIn(kCaps));

TEST(PinnedScenarios, OutcomesAreAsTheyWere) {
  for (int group = 0; group < 4; ++group) {
    Fingerprint print;
    size_t evictions = 0, demoted = 0;
    for (uint64_t seed = 0; seed < 30; ++seed) {
      SplitMix64 random(seed * 4 + static_cast<uint64_t>(group));
      SpillScenario scenario{"", 1000, {}, {}};
      const auto ops = static_cast<int32_t>(4 + random.below(14));
      for (int32_t i = 0; i < ops; ++i) {
        ScenarioOp op;
        op.name = "o" + std::to_string(i);
        for (int32_t in = 0; in < i; ++in) {
          if (random.oneIn(3)) op.inputs.push_back(in);
        }
        op.readsArgument = op.inputs.empty();
        op.l1 = 50 + random.below(450);
        op.circularBuffers = random.oneIn(2) ? random.below(400) : 0;
        if (random.oneIn(4)) op.dramCircularBuffers = random.below(200);
        op.requiresL1Input = random.oneIn(9);
        op.isView = group == 1 && !op.inputs.empty() && random.oneIn(3);
        op.isSink = group == 2 && random.oneIn(5);
        op.fixed = random.oneIn(8);
        if (group == 3 && random.oneIn(7))
          op.forced = random.oneIn(2) ? OpStatus::NotImplemented : OpStatus::MetalBackendError;
        scenario.ops.push_back(op);
        if (random.oneIn(5) && !op.isSink) scenario.returned.push_back(i);
      }
      const ScenarioResult result = runScenario(scenario);
      addOutcome(print, result.outcome);
      print.add(result.diagnostic);
      for (const int32_t op : result.evictions) print.add(int64_t{op});
      for (const int32_t op : result.demoted) print.add(int64_t{op});
      evictions += result.evictions.size(), demoted += result.demoted.size();
    }
    pins.expect("scenarios " + std::to_string(group), std::to_string(evictions) + " evictions, " +
                                                          std::to_string(demoted) + " demoted, print " + digits(print));
  }
}

}  // namespace
}  // namespace tessera::test
