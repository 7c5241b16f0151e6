// Spilling: against enumeration, with every switch, against another solver, and on hard shapes.

#include "core/solve/spilling/spill_solver.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/solve/lp_text.h"
#include "tests/sizes.h"
#include "tests/solve/run_solver.h"

namespace tessera {
namespace {

SpillProblem randomProblem(uint64_t seed, int values, int steps, int mostUses, int64_t maxSize) {
  Prng random(seed);
  SpillProblem problem{.steps = steps, .capacity = {}, .values = {}};
  const int64_t maxCost = random.below(2) ? 3 : 50;
  for (int v = 0; v < values; ++v) {
    SpillValue value{.size = random.below(maxSize + 1),
                     .def = static_cast<int>(random.below(steps)),
                     .uses = {},
                     .storeCost = random.below(3) * random.below(maxCost),
                     .reloadCosts = {}};
    for (int64_t uses = random.below(mostUses + 1); uses > 0; --uses)
      value.uses.push_back(static_cast<int>(value.def + random.below(steps - value.def)));
    std::sort(value.uses.begin(), value.uses.end());
    for (size_t i = 0; i < value.uses.size(); ++i) value.reloadCosts.push_back(random.below(maxCost));
    problem.values.push_back(value);
  }
  const int64_t base = random.below(maxSize * values / 5 + 1);
  for (int s = 0; s < steps; ++s) problem.capacity.push_back(base + random.below(maxSize + 1) - 1);
  return problem;
}

Cost bruteForce(const SpillProblem& problem) {
  std::vector<std::pair<size_t, size_t>> all;
  KeptSegments keep;
  for (size_t v = 0; v < problem.values.size(); ++v) {
    keep.emplace_back(problem.values[v].uses.size(), 1);
    for (size_t i = 0; i < keep[v].size(); ++i) all.emplace_back(v, i);
  }
  Cost best = kForbidden;
  for (uint64_t mask = 0; mask < (uint64_t{1} << all.size()); ++mask) {
    for (size_t b = 0; b < all.size(); ++b) keep[all[b].first][all[b].second] = (mask >> b) & 1;
    best = std::min(best, evaluateSpill(problem, keep));
  }
  return best;
}

TEST(SpillSolver, EqualsBruteForceWithEverySwitch) {
  int spilled = 0;
  for (uint64_t seed = 0; seed < test::seeds(1500); ++seed) {
    const SpillProblem problem = randomProblem(seed, 5, 7, 2, 6);
    const Cost best = bruteForce(problem);
    spilled += best > 0;
    for (int switches = 0; switches < 32; ++switches) {
      SpillOptions options;
      options.useContested = switches & 1;
      options.useMaximalSteps = switches & 2;
      options.usePrecedence = switches & 4;
      options.useDominance = switches & 8;
      options.useBound = switches & 16;
      const SpillResult result = solveSpill(problem, options);
      ASSERT_EQ(result.cost, best) << "seed " << seed << " switches " << switches;
      ASSERT_TRUE(result.proven) << "seed " << seed << " switches " << switches;
      ASSERT_EQ(evaluateSpill(problem, result.keep), best) << "seed " << seed;
    }
  }
  EXPECT_GT(spilled, test::enough(400));
}

// Too many segments for trying everything: the switches against each other, where slots of the masks are used again.
TEST(SpillSolver, SwitchesAgreeOnLongSchedules) {
  for (uint64_t seed = 0; seed < test::seeds(60); ++seed) {
    const SpillProblem problem = randomProblem(seed, 24, 30, 3, 20);
    Cost first = -1;
    for (int switches = 0; switches < 32; ++switches) {
      SpillOptions options;
      options.useContested = switches & 1;
      options.useMaximalSteps = switches & 2;
      options.usePrecedence = switches & 4;
      options.useDominance = switches & 8;
      options.useBound = switches & 16;
      const SpillResult result = solveSpill(problem, options);
      ASSERT_TRUE(result.proven) << "seed " << seed << " switches " << switches;
      if (first < 0) first = result.cost;
      ASSERT_EQ(result.cost, first) << "seed " << seed << " switches " << switches;
    }
  }
}

// With a low state limit the sweep prunes states for room; its bounds stay valid, and branching closes the gap.
TEST(SpillSolver, FewStatesKeepTheBoundsValid) {
  int open = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    const SpillProblem problem = randomProblem(seed, 14, 10, 3, 9);
    const Cost best = solveSpill(problem, {}).cost;
    SpillOptions options{.stateLimit = 1 + seed % 3};
    options.useBound = seed % 2;
    const SpillResult branched = solveSpill(problem, options);
    ASSERT_EQ(branched.cost, best) << "seed " << seed;
    ASSERT_TRUE(branched.proven) << "seed " << seed;
    options.budget = WorkBudget(static_cast<int64_t>(seed % 60));
    const SpillResult stopped = solveSpill(problem, options);
    ASSERT_LE(stopped.lowerBound, best) << "seed " << seed;
    ASSERT_GE(stopped.cost, best) << "seed " << seed;
    open += !stopped.proven;
  }
  EXPECT_GT(open, 20);
}

// Of dropped segments and stored values; a step must be rid of what it cannot hold.
std::string programOf(const SpillProblem& problem) {
  LpText lp;
  std::vector<LpText::Sum> dropped(static_cast<size_t>(problem.steps));
  for (size_t v = 0; v < problem.values.size(); ++v) {
    const SpillValue& value = problem.values[v];
    const std::string store = "w" + std::to_string(v);
    lp.objective.add(value.storeCost, store);
    lp.binary(store);
    for (size_t i = 0; i < value.uses.size(); ++i) {
      const std::string drop = "z" + std::to_string(v) + "_" + std::to_string(i);
      lp.objective.add(value.reloadCosts[i], drop);
      lp.binary(drop);
      LpText::Sum stored;
      stored.add(1, store);
      stored.add(-1, drop);
      lp.row(stored, ">=", 0);
      const SegmentSteps in = segmentSteps(value, i);
      for (int s = in.from; s < in.to; ++s) dropped[static_cast<size_t>(s)].add(value.size, drop);
    }
  }
  const std::vector<int64_t> load = loads(problem, keepAll(problem)), capacity = capacities(problem);
  for (size_t s = 0; s < load.size(); ++s) {
    if (load[s] > capacity[s]) lp.row(dropped[s], ">=", load[s] - capacity[s]);
  }
  return lp.take();
}

TEST(SpillSolver, EqualsCbc) {
  if (!testing_solver::installed("cbc")) GTEST_SKIP() << "cbc is not installed";
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const SpillProblem problem = randomProblem(seed, 30, 30, 3, 20);
    const SpillResult ours = solveSpill(problem, {});
    ASSERT_TRUE(ours.proven) << "seed " << seed;
    const std::string output = testing_solver::run("cbc", programOf(problem), ".lp", "ratioGap 0 solve");
    double theirs = 0;
    ASSERT_TRUE(testing_solver::numberAfter(output, "Objective value:", theirs)) << "seed " << seed << "\n" << output;
    ASSERT_EQ(ours.cost, static_cast<Cost>(theirs + 0.5)) << "seed " << seed;
  }
}

// Ties everywhere, everything live at once, a step without capacity: memory stays bounded.
TEST(SpillSolver, HardShapes) {
  SpillProblem ties{.steps = 40, .capacity = std::vector<int64_t>(40, 500), .values = {}};
  for (int v = 0; v < 1000; ++v)
    ties.values.push_back({.size = 1, .def = 0, .uses = {20 + v % 20}, .storeCost = 1, .reloadCosts = {1}});
  ties.capacity[10] = 0;
  SpillOptions options;
  options.budget = WorkBudget(30'000'000);
  const SpillResult result = solveSpill(ties, options);
  EXPECT_EQ(result.cost, 2000);  // nothing fits through step 10
  EXPECT_TRUE(result.proven);

  SpillProblem crowd{.steps = 30, .capacity = std::vector<int64_t>(30, 3000), .values = {}};
  Prng random(1);
  for (int v = 0; v < 1000; ++v)
    crowd.values.push_back({.size = 1 + random.below(20),
                            .def = 0,
                            .uses = {static_cast<int>(5 + random.below(25))},
                            .storeCost = 0,
                            .reloadCosts = {1 + random.below(9)}});
  options.budget = WorkBudget(3'000'000);
  const SpillResult crowded = solveSpill(crowd, options);
  EXPECT_LE(crowded.lowerBound, crowded.cost);
  EXPECT_GE(static_cast<double>(crowded.lowerBound), 0.9 * static_cast<double>(crowded.cost));
  EXPECT_EQ(solveSpill({}, {}).cost, 0);
}

TEST(SpillSolver, TheOptimumIsNeverWorseThanARule) {
  for (uint64_t seed = 0; seed < test::seeds(60); ++seed) {
    const SpillProblem problem = randomProblem(seed, 40, 60, 4, 30);
    const SpillResult best = solveSpill(problem, {});
    for (const SpillRule rule : {SpillRule::FarthestLastUse, SpillRule::FarthestNextUse, SpillRule::CostAware}) {
      const Cost cost = evaluateSpill(problem, spillByRule(problem, rule));
      EXPECT_FALSE(isForbidden(cost));
      EXPECT_LE(best.cost, cost);
    }
  }
}

}  // namespace
}  // namespace tessera
