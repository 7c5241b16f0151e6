// The parts of the spilling solver one by one: loads and rules worked out by hand, prices and sweeps of random cores
// counted again and against enumeration.

#include "core/solve/spilling/spill_core.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/solve/spilling/state_sweep.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

using Steps = std::vector<int64_t>;

// Made at step 1, read twice at step 4 and once at 7.
SpillProblem oneValue(std::vector<int64_t> capacity) {
  SpillProblem problem{.steps = static_cast<int>(capacity.size()), .capacity = std::move(capacity), .values = {}};
  problem.values.push_back({.size = 4, .def = 1, .uses = {4, 4, 7}, .storeCost = 10, .reloadCosts = {1, 2, 5}});
  return problem;
}

TEST(SpillProblem, SegmentsLieStrictlyBetweenTheirEvents) {
  const SpillProblem problem = oneValue(Steps(8, 4));
  const int expected[][2] = {{2, 4}, {5, 4}, {5, 7}};
  for (size_t i = 0; i < 3; ++i) {
    const SegmentSteps steps = segmentSteps(problem.values[0], i);
    EXPECT_EQ(steps.from, expected[i][0]);
    EXPECT_EQ(steps.to, expected[i][1]);
  }
  EXPECT_EQ(loads(problem, keepAll(problem)), (Steps{0, 0, 4, 4, 0, 4, 4, 0}));
  EXPECT_EQ(loads(problem, {{1, 1, 0}}), (Steps{0, 0, 4, 4, 0, 0, 0, 0}));
  EXPECT_EQ(loads(problem, {{0, 1, 1}}), (Steps{0, 0, 0, 0, 0, 4, 4, 0}));
}

TEST(SpillProblem, ADecisionCostsItsReloadsAndOneStore) {
  const SpillProblem problem = oneValue(Steps(8, 4));
  EXPECT_EQ(evaluateSpill(problem, {{1, 1, 1}}), 0);
  EXPECT_EQ(evaluateSpill(problem, {{0, 1, 1}}), 11);
  EXPECT_EQ(evaluateSpill(problem, {{0, 1, 0}}), 16);
  EXPECT_EQ(evaluateSpill(problem, {{0, 0, 0}}), 18);
  SpillProblem tight = oneValue({4, 4, 4, 4, 4, 4, 3, 4});
  EXPECT_EQ(evaluateSpill(tight, {{1, 1, 1}}), kForbidden);
  EXPECT_EQ(evaluateSpill(tight, {{1, 1, 0}}), 15);
  tight.capacity = {-1, -1, 4, 4, -1, -5, -5, 0};  // below 0 is as 0
  EXPECT_EQ(evaluateSpill(tight, {{1, 1, 0}}), 15);
  EXPECT_EQ(capacities(tight), (Steps{0, 0, 4, 4, 0, 0, 0, 0}));
}

TEST(SpillProblem, ASegmentFitsAloneToTheUnit) {
  const SpillProblem problem = oneValue(Steps(8, 4));
  const auto fits = [&](size_t index, const Steps& capacity) { return fitsAlone(problem.values[0], index, capacity); };
  EXPECT_TRUE(fits(0, {0, 0, 4, 4, 0, 0, 0, 0}));
  EXPECT_FALSE(fits(0, {9, 9, 3, 4, 9, 9, 9, 9}));
  EXPECT_FALSE(fits(0, {9, 9, 4, 3, 9, 9, 9, 9}));
  EXPECT_TRUE(fits(1, Steps(8, 0))) << "no step lies between";
  EXPECT_FALSE(fits(2, {9, 9, 9, 9, 9, 9, 3, 9}));
}

// Over step 5, which holds two of three: by last use the first value goes, for good; by next use the second; by cost
// the third, whose reload is cheapest for its bytes and its time.
TEST(SpillProblem, EveryRuleNamesItsVictim) {
  SpillProblem problem{.steps = 11, .capacity = Steps(11, 9), .values = {}};
  problem.capacity[5] = 4;
  problem.values = {{.size = 2, .def = 0, .uses = {6, 10}, .storeCost = 3, .reloadCosts = {1, 1}},
                    {.size = 2, .def = 1, .uses = {9}, .storeCost = 0, .reloadCosts = {9}},
                    {.size = 2, .def = 2, .uses = {7}, .storeCost = 0, .reloadCosts = {1}}};
  using Segments = KeptSegments;
  EXPECT_EQ(spillByRule(problem, SpillRule::FarthestLastUse), (Segments{{0, 0}, {1}, {1}}));
  EXPECT_EQ(spillByRule(problem, SpillRule::FarthestNextUse), (Segments{{1, 1}, {0}, {1}}));
  EXPECT_EQ(spillByRule(problem, SpillRule::CostAware), (Segments{{1, 1}, {1}, {0}}));
  problem.values[2].reloadCosts = {3};  // 2 * 2 / 4 = 1 beats 2 * 1 / 5 and 2 * 4 / 10
  EXPECT_EQ(spillByRule(problem, SpillRule::CostAware), (Segments{{1, 1}, {1}, {0}}));
  problem.values[1].reloadCosts = {3};  // 2 * 4 / 4 = 2
  EXPECT_EQ(spillByRule(problem, SpillRule::CostAware), (Segments{{1, 1}, {0}, {1}}));
  problem.capacity[5] = 2;  // two have to go
  EXPECT_EQ(spillByRule(problem, SpillRule::CostAware), (Segments{{1, 1}, {0}, {0}}));
  EXPECT_EQ(spillByRule(problem, SpillRule::FarthestNextUse), (Segments{{1, 1}, {0}, {0}}));
  EXPECT_EQ(spillByRule(problem, SpillRule::FarthestLastUse), (Segments{{0, 0}, {0}, {1}}));
  problem.capacity[5] = 6;
  for (const SpillRule rule : {SpillRule::FarthestLastUse, SpillRule::FarthestNextUse, SpillRule::CostAware})
    EXPECT_EQ(spillByRule(problem, rule), keepAll(problem));
}

// What was stored once is stored: its second drop costs the reload alone. And of equals the first goes.
TEST(SpillProblem, AStoredValueIsCheaperToDropAgain) {
  SpillProblem problem{.steps = 9, .capacity = Steps(9, 9), .values = {}};
  problem.capacity[2] = 2;
  problem.capacity[6] = 2;
  problem.values = {{.size = 2, .def = 0, .uses = {4, 8}, .storeCost = 2, .reloadCosts = {1, 1}},
                    {.size = 2, .def = 0, .uses = {4, 8}, .storeCost = 2, .reloadCosts = {1, 1}}};
  EXPECT_EQ(spillByRule(problem, SpillRule::CostAware), (KeptSegments{{0, 0}, {1, 1}}));
  EXPECT_EQ(evaluateSpill(problem, {{0, 0}, {1, 1}}), 4);
  EXPECT_EQ(evaluateSpill(problem, {{0, 1}, {1, 0}}), 6);
  const SpillResult best = solveSpill(problem, {});
  EXPECT_EQ(best.cost, 4);
  EXPECT_TRUE(best.proven);
  EXPECT_EQ(best.contested, 4u);
}

// --- cores -----------------------------------------------------------------------------------------------------------

SpillCore randomCore(uint64_t seed) {
  Prng random(seed);
  SpillCore core;
  const auto constraints = static_cast<size_t>(1 + random.below(5));
  const int64_t stores = random.below(3);
  for (int64_t s = 0; s < stores; ++s) core.stores.push_back(1 + random.below(6));
  for (int64_t j = 1 + random.below(9); j > 0; --j) {
    SpillCore::Segment segment{.size = 1 + random.below(6), .reload = random.below(8)};
    segment.first = static_cast<size_t>(random.below(static_cast<int64_t>(constraints)));
    segment.last =
        segment.first + 1 + static_cast<size_t>(random.below(static_cast<int64_t>(constraints - segment.first)));
    if (stores > 0 && random.below(2) == 0) segment.store = static_cast<int>(random.below(stores));
    core.segments.push_back(segment);
  }
  std::stable_sort(core.segments.begin(), core.segments.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.size > b.size;
  });
  for (size_t c = 0; c < constraints; ++c) {
    core.capacity.push_back(random.below(12));
    core.steps.push_back(static_cast<int>(c));
  }
  return core;
}

// Of the kept segments in `mask`; kForbidden where a constraint is exceeded.
Cost costOf(const SpillCore& core, uint32_t mask) {
  std::vector<int64_t> load(core.capacity.size(), 0);
  std::vector<char> stored(core.stores.size(), 0);
  Cost cost = 0;
  for (size_t j = 0; j < core.segments.size(); ++j) {
    const SpillCore::Segment& segment = core.segments[j];
    if ((mask >> j) & 1u) {
      for (size_t c = segment.first; c < segment.last; ++c) load[c] += segment.size;
      continue;
    }
    cost += segment.reload;
    if (segment.store < 0 || stored[at(segment.store)]) continue;
    stored[at(segment.store)] = 1;
    cost += core.stores[at(segment.store)];
  }
  for (size_t c = 0; c < load.size(); ++c)
    if (load[c] > core.capacity[c]) return kForbidden;
  return cost;
}

Cost leastCost(const SpillCore& core, const std::vector<signed char>& forced) {
  Cost least = kForbidden;
  for (uint32_t mask = 0; mask < (1u << core.segments.size()); ++mask) {
    bool allowed = true;
    for (size_t j = 0; j < forced.size(); ++j)
      allowed = allowed && (forced[j] < 0 || ((mask >> j) & 1u) == static_cast<uint32_t>(forced[j]));
    if (allowed) least = std::min(least, costOf(core, mask));
  }
  return least;
}

TEST(CoverPrices, AddUpToTheirBoundBelowTheOptimum) {
  double part = 0, whole = 0;
  for (uint64_t seed = 0; seed < test::seeds(200); ++seed) {
    SCOPED_TRACE(seed);
    const SpillCore core = randomCore(seed);
    const CoverPrices prices = priceCore(core);
    const Cost unit = Cost{1} << prices.shift;
    std::vector<int64_t> load(core.capacity.size(), 0);
    for (const SpillCore::Segment& segment : core.segments)
      for (size_t c = segment.first; c < segment.last; ++c) load[c] += segment.size;
    Cost bound = 0;
    ASSERT_EQ(prices.excess.size(), load.size());
    for (size_t c = 0; c < load.size(); ++c) {
      EXPECT_EQ(prices.excess[c], std::max<int64_t>(0, load[c] - core.capacity[c]));
      EXPECT_GE(prices.price[c], 0);
      bound += prices.price[c] * prices.excess[c];
    }
    for (size_t j = 0; j < core.segments.size(); ++j) {
      const SpillCore::Segment& segment = core.segments[j];
      Cost cover = 0;
      for (size_t c = segment.first; c < segment.last; ++c)
        cover += prices.price[c] * std::min(segment.size, prices.excess[c]);
      EXPECT_EQ(prices.cover[j], cover);
      bound += std::min<Cost>(0, segment.reload * unit - cover);
    }
    EXPECT_EQ(prices.bound, bound);
    const Cost least = leastCost(core, std::vector<signed char>(core.segments.size(), -1));
    EXPECT_LE(prices.bound, least * unit);
    part += static_cast<double>(prices.bound) / static_cast<double>(unit), whole += static_cast<double>(least);
  }
  EXPECT_GT(part, 0.6 * whole) << "stores are not in the bound";
}

// Two of three have to go: the two cheapest, and the price that shows it lies between the second and the third.
TEST(CoverPrices, ReachTheOptimumOfOneConstraint) {
  SpillCore core;
  for (const Cost reload : {10, 20, 30}) core.segments.push_back({.size = 1, .reload = reload, .first = 0, .last = 1});
  core.capacity = {1};
  core.steps = {0};
  const CoverPrices prices = priceCore(core);
  const double unit = static_cast<double>(Cost{1} << prices.shift);
  EXPECT_EQ(prices.excess, (Steps{2}));
  EXPECT_NEAR(static_cast<double>(prices.bound) / unit, 30, 0.5);
  EXPECT_GE(static_cast<double>(prices.price[0]) / unit, 19.5);
  EXPECT_LE(static_cast<double>(prices.price[0]) / unit, 30.5);
  core.capacity = {3};
  EXPECT_EQ(priceCore(core).bound, 0);
  EXPECT_EQ(priceCore(core).excess, (Steps{0}));
}

TEST(StateSweep, FindsTheLeastUnderWhatIsForced) {
  int forcedOut = 0, limited = 0;
  for (uint64_t seed = 0; seed < test::seeds(300); ++seed) {
    SCOPED_TRACE(seed);
    const SpillCore core = randomCore(seed);
    const CoverPrices prices = priceCore(core);
    Prng random(seed + 7);
    std::vector<signed char> forced;
    for (size_t j = 0; j < core.segments.size(); ++j)
      forced.push_back(random.below(3) == 0 ? static_cast<signed char>(random.below(2)) : static_cast<signed char>(-1));
    const Cost least = leastCost(core, forced), upper = kMaxTotalCost;
    SpillOptions options;
    const SweepResult found = sweepCore(core, prices, forced, upper, 100'000, options);
    EXPECT_EQ(found.feasible, !isForbidden(least));
    EXPECT_EQ(found.lost, kForbidden);
    forcedOut += isForbidden(least);
    if (isForbidden(least)) continue;
    EXPECT_EQ(found.cost, least);
    uint32_t mask = 0;
    for (size_t j = 0; j < forced.size(); ++j) {
      mask |= static_cast<uint32_t>(found.keep[j]) << j;
      if (forced[j] >= 0) {
        EXPECT_EQ(found.keep[j], forced[j]);
      }
    }
    EXPECT_EQ(costOf(core, mask), least);
    // Only what is better than the upper bound is found.
    EXPECT_FALSE(sweepCore(core, prices, forced, least, 100'000, options).feasible);
    EXPECT_EQ(sweepCore(core, prices, forced, least + 1, 100'000, options).cost, least);
    // With room for one state, what it found and what it lost enclose the optimum.
    const SweepResult narrow = sweepCore(core, prices, forced, upper, 1, options);
    EXPECT_LE(std::min(narrow.lost, narrow.cost), least);
    if (narrow.feasible) {
      EXPECT_GE(narrow.cost, least);
    }
    limited += narrow.lost < kForbidden;
  }
  EXPECT_GT(forcedOut, test::enough(20));
  EXPECT_GT(limited, test::enough(50));
}

}  // namespace
}  // namespace tessera
