// Dynamic programming over live sets against every assignment there is.

#include "core/policy/propagate/spill_search.h"

#include "core/policy/policy_memory.h"
#include "core/policy/propagate/forward_pass.h"
#include "core/policy/propagate/graph_spills.h"
#include "tests/policy/expect_sound.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

struct Random {
  uint64_t state;
  uint64_t next(uint64_t bound) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % bound;
  }
};

SpillSearchProblem randomProblem(uint64_t seed, int32_t steps) {
  Random random{seed * 0x9E3779B97F4A7C15u + 7};
  SpillSearchProblem problem;
  problem.budget = 100;
  for (int32_t step = 0; step < steps; ++step) {
    problem.steps.push_back({static_cast<int64_t>(random.next(20)), {}, {}, {step}});
    SpillSearchTensor tensor;
    tensor.def = tensor.lastUse = step;
    tensor.bytes = 10 + static_cast<int64_t>(random.next(50));
    tensor.writeCost = 1 + static_cast<int64_t>(random.next(9));
    tensor.startCost = static_cast<int64_t>(random.next(10));
    for (int32_t t = 0; t < step; ++t) {
      if (random.next(3) != 0) continue;
      problem.steps.back().reads.push_back(t);
      problem.steps.back().readCosts.push_back(1 + static_cast<int64_t>(random.next(9)));
      problem.tensors[static_cast<size_t>(t)].lastUse = step;
    }
    problem.tensors.push_back(tensor);
  }
  return problem;
}

// -1: in L1 for life; -2: starts in DRAM; else the step before which it leaves.
bool fits(const SpillSearchProblem& p, const std::vector<int32_t>& choice) {
  for (int32_t step = 0; step < static_cast<int32_t>(p.steps.size()); ++step) {
    int64_t bytes = p.steps[static_cast<size_t>(step)].others;
    for (size_t t = 0; t < choice.size(); ++t) {
      bool alive = p.tensors[t].def <= step && step <= p.tensors[t].lastUse;
      if (alive && choice[t] != -2 && (choice[t] == -1 || step < choice[t])) bytes += p.tensors[t].bytes;
    }
    if (bytes > p.budget) return false;
  }
  return true;
}

int64_t costOf(const SpillSearchProblem& p, const std::vector<int32_t>& choice) {
  int64_t cost = 0;
  for (size_t t = 0; t < choice.size(); ++t) {
    if (choice[t] == -1) continue;
    cost += choice[t] >= 0 ? p.tensors[t].writeCost : p.tensors[t].startCost;
    for (size_t step = 0; step < p.steps.size(); ++step) {
      const auto& reads = p.steps[step].reads;
      const auto reader = std::find(reads.begin(), reads.end(), static_cast<SpillTensor>(t));
      if (reader != reads.end() && static_cast<int32_t>(step) >= choice[t])
        cost += p.steps[step].readCosts[static_cast<size_t>(reader - reads.begin())];
    }
  }
  return cost;
}

int64_t leastCost(const SpillSearchProblem& p) {
  std::vector<std::vector<int32_t>> options;
  for (const SpillSearchTensor& tensor : p.tensors) {
    options.push_back({-1, -2});
    for (int32_t step = tensor.def + 1; step <= tensor.lastUse; ++step) options.back().push_back(step);
  }
  std::vector<size_t> at(options.size(), 0);
  int64_t best = INT64_MAX;
  while (true) {
    std::vector<int32_t> choice;
    for (size_t t = 0; t < at.size(); ++t) choice.push_back(options[t][at[t]]);
    if (fits(p, choice)) best = std::min(best, costOf(p, choice));
    size_t wheel = at.size();
    while (wheel > 0 && ++at[wheel - 1] == options[wheel - 1].size()) at[--wheel] = 0;
    if (wheel == 0) return best;
  }
}

TEST(SpillSearch, FindsTheLeastCost) {
  int spilled = 0;
  for (uint64_t seed = 0; seed < test::seeds(150); ++seed) {
    SpillSearchProblem problem = randomProblem(seed, 6);
    SpillSearchResult result = searchSpills(problem, 1 << 16);
    EXPECT_FALSE(result.pruned);
    std::vector<int32_t> choice;
    for (size_t t = 0; t < problem.tensors.size(); ++t)
      choice.push_back(result.startsInDram[t] ? -2 : result.evictBefore[t]);
    EXPECT_TRUE(fits(problem, choice)) << "seed " << seed;
    EXPECT_EQ(costOf(problem, choice), result.cost) << "seed " << seed;
    EXPECT_EQ(result.cost, leastCost(problem)) << "seed " << seed;
    spilled += result.cost > 0;
  }
  EXPECT_GT(spilled, enough(50));
}

// What leaves before a step is away for a reader at that step. %0 takes 60 of 100; leaving costs 5, its readers 100 and
// 7. The second one wants 90 beside it: leaving before it costs 5 + 7, never being there 1 + 100 + 7.
TEST(SpillSearch, AReaderAtTheStepItselfFindsItAway) {
  SpillSearchProblem problem{100, {{0, {}, {}, {0}}, {0, {0}, {100}, {}}, {90, {0}, {7}, {}}}, {{0, 2, 60, 5, 1}}};
  const SpillSearchResult result = searchSpills(problem, 16);
  EXPECT_EQ(result.cost, 12);
  EXPECT_EQ(result.evictBefore, std::vector<int32_t>{2});
  EXPECT_FALSE(result.startsInDram[0]);
}

// The same where a result wants the room: %1 of 60 is made by the only reader of %0. %0 leaves before it for 5 + 7;
// away from the start it costs 20 + 7, and %1 in DRAM 50.
TEST(SpillSearch, AReaderThatMakesTheResultFindsItAway) {
  SpillSearchProblem problem{
      100, {{0, {}, {}, {0}}, {0, {0}, {7}, {1}}, {0, {1}, {3}, {}}}, {{0, 1, 60, 5, 20}, {1, 2, 60, 5, 47}}};
  const SpillSearchResult result = searchSpills(problem, 16);
  EXPECT_EQ(result.cost, 12);
  EXPECT_EQ(result.evictBefore, (std::vector<int32_t>{1, -1}));
  EXPECT_EQ(result.startsInDram, (std::vector<bool>{false, false}));
}

TEST(SpillSearch, SaysWhenItLeftStatesOut) {
  SpillSearchProblem problem = randomProblem(5, 40);
  SpillSearchResult narrow = searchSpills(problem, 4), wide = searchSpills(problem, 1 << 14);
  EXPECT_TRUE(narrow.pruned);
  EXPECT_GE(narrow.cost, wide.cost);
}

TEST(SpillSearch, DecidesNothingWhereEverythingFits) {
  SpillSearchProblem problem = randomProblem(3, 200);
  problem.budget = 1'000'000;
  SpillSearchResult result = searchSpills(problem, 1024);
  EXPECT_EQ(result.cost, 0);
  EXPECT_FALSE(result.pruned);
  EXPECT_LE(result.states, 1000);  // one state per step
}

TEST(SpillSearch, PlansThatUseItAreSound) {
  for (uint64_t seed = 0; seed < test::seeds(60); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PolicyOptions options;
    options.propagate = {.score = BeamScore::Time, .lateSpill = seed % 2 == 0, .spillSearch = true};
    auto run = runOn(graphOf(randomGraphText(seed)), "Beam", {.l1UsageCapPermille = 80}, allDevices()[0], options);
    expectSound(*run);
    ASSERT_TRUE(run->log.propagation.has_value());
    EXPECT_TRUE(run->log.propagation->spillSearchUsed);
    if (HasFailure()) return;
  }
}

// Simulated time of a policy's plan; the last entry of an option list decides.
int64_t simulatedTime(const std::string& text, int32_t cap, const PropagateOptions& propagate) {
  PolicyOptions options;
  options.propagate = propagate;
  auto run = runOn(graphOf(text), "Beam", {.l1UsageCapPermille = cap}, allDevices()[0], options);
  EXPECT_EQ(run->sim.failures, 0);
  return run->sim.time.count;
}

TEST(SpillSearch, IsNeverSlowerThanARuleOfThumb) {
  int faster = 0;
  for (uint64_t seed = 0; seed < test::seeds(8); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string text = randomGraphText(seed);
    for (int32_t cap : {100, 300}) {
      const int64_t searched = simulatedTime(text, cap, {.score = BeamScore::Time, .spillSearch = true});
      const int64_t certified =
          simulatedTime(text, cap, {.score = BeamScore::Time, .strategy = SpillStrategy::Certified});
      int64_t least = INT64_MAX;
      for (VictimRule victim : {VictimRule::LongestLifetime, VictimRule::FarthestLastUse, VictimRule::FarthestNextUse,
                                VictimRule::CostPerByte}) {
        for (bool late : {true, false})
          least = std::min(least,
                           simulatedTime(text, cap, {.score = BeamScore::Time, .victim = victim, .lateSpill = late}));
      }
      EXPECT_LE(searched, least) << "cap " << cap;
      EXPECT_LE(certified, least) << "cap " << cap;
      faster += searched < least;
    }
  }
  EXPECT_GT(faster, 0);
}

// The layouts of Greedy, with every set of its results in DRAM from the start: the least time on the simulator.
struct Oracle {
  int64_t least = INT64_MAX;
  int64_t sets = 0;  // 0: too many to try
};
Oracle everySet(const std::string& text, int32_t cap) {
  const Graph graph = graphOf(text);
  const Problem problem = analysed(graph, allDevices()[0], {.l1UsageCapPermille = cap});
  const PropagateOptions options{.beamWidth = 1, .score = BeamScore::First, .spillSearch = true};
  PolicyMemory memory;
  MoveTime moves(problem, memory.moves);
  Propagation pass1{moves.pool()};
  Beams beams = ForwardPass(problem, options, moves).run();
  traceBack(problem, options, beams, moves, pass1);
  GraphSpills spills(problem, options, pass1, moves);
  std::vector<SpillTensor> open;
  for (SpillTensor t = 0; t < static_cast<SpillTensor>(spills.tensors().size()); ++t) {
    if (spills.plannedBytes(t) > 0 && spills.mayStartInDram(t)) open.push_back(t);
  }
  Oracle oracle;
  if (open.size() > 8) return oracle;
  for (uint32_t set = 0; set < 1u << open.size(); ++set) {
    SpillChoice choice;
    choice.startsInDram.assign(spills.tensors().size(), false);
    for (size_t i = 0; i < open.size(); ++i) choice.startsInDram[static_cast<size_t>(open[i])] = set >> i & 1;
    const SpillOutcome outcome = sweepSpills(spills, spills.settings(), choice);
    const Plan plan = spills.plan(outcome);
    const SimResult sim = simulate(applyPlan(graph, plan).graph, problem.model, problem.budget.bytes());
    ++oracle.sets;
    if (sim.failures == 0) oracle.least = std::min(oracle.least, sim.time.count);
  }
  return oracle;
}

TEST(SpillSearch, TheSimulatorFindsNothingFaster) {
  int compared = 0;
  for (uint64_t seed = 0; seed < test::seeds(60); ++seed) {
    const std::string text = randomGraphText(seed);
    for (int32_t cap : {50, 100}) {
      const Oracle oracle = everySet(text, cap);
      if (oracle.sets < 2) continue;
      PolicyOptions options;
      options.propagate.spillSearch = true;
      auto run = runOn(graphOf(text), "Greedy", {.l1UsageCapPermille = cap}, allDevices()[0], options);
      EXPECT_LE(run->sim.time.count, oracle.least) << "seed " << seed << " cap " << cap;
      ++compared;
    }
  }
  EXPECT_GT(compared, enough(10));
}

}  // namespace
}  // namespace tessera::test
