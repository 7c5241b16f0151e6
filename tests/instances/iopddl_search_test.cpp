// The steps of the search for a contest instance, each beside what is worked out by hand or by trying everything.

#include "core/instances/iopddl_search.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::test {
namespace {

IopddlProblem problemOf(const std::vector<std::vector<int64_t>>& usages, const std::vector<std::vector<Cost>>& costs,
                        int64_t limit) {
  IopddlProblem problem;
  for (size_t v = 0; v < usages.size(); ++v) {
    problem.nodes.push_back({.begin = 0, .end = 2, .usages = usages[v]});
    problem.costs.addVariable(costs[v]);
  }
  problem.usageLimit = limit;
  return problem;
}

struct Repaired {
  bool done;
  std::vector<int> values;
};
Repaired repaired(const IopddlProblem& problem, int64_t work = 1000) {
  IopddlSearch search(problem);
  WorkBudget budget(work);
  const bool done = search.repair(budget);
  return {done, search.values()};
}

// 25 are used of 20. The second node frees 2 for 1, the first 6 for 6 (only 5 are needed: 1.2 each), the third 5 for
// 100. Then 3 are too many: the first frees them for 2 each.
TEST(IopddlRepair, TakesTheCheapestPerByteThatIsNeeded) {
  const Repaired two = repaired(problemOf({{10, 4}, {10, 8}, {5, 0}}, {{0, 6}, {0, 1}, {0, 100}}, 20));
  EXPECT_TRUE(two.done);
  EXPECT_EQ(two.values, (std::vector<int>{1, 1, 0}));
  EXPECT_EQ(repaired(problemOf({{10, 4}, {10, 8}, {5, 0}}, {{0, 6}, {0, 1}, {0, 100}}, 25)).values,
            (std::vector<int>{0, 0, 0}))
      << "what just fits stays";
  // What more than the excess is freed is worth nothing: 4 for 4 is as cheap as 9 for 4, and comes first.
  EXPECT_EQ(repaired(problemOf({{10, 6}, {10, 1}}, {{0, 4}, {0, 4}}, 16)).values, (std::vector<int>{1, 0}));
  EXPECT_EQ(repaired(problemOf({{10, 1, 6}, {10, 6}}, {{0, 4, 4}, {0, 3}}, 16)).values, (std::vector<int>{0, 1}));
  EXPECT_EQ(repaired(problemOf({{10, 1, 6}}, {{0, 4, 4}}, 6)).values, std::vector<int>{1}) << "the first of equals";
}

// A node may go down more than once, a strategy at a time: 4 for 1, then 4 for 99.
TEST(IopddlRepair, TakesANodeDownInSteps) {
  const Repaired steps = repaired(problemOf({{10, 6, 2}}, {{0, 1, 100}}, 2));
  EXPECT_TRUE(steps.done);
  EXPECT_EQ(steps.values, std::vector<int>{2});
}

TEST(IopddlRepair, LeavesWhatIsForbiddenFirst) {
  // The second node's strategy is forbidden where it is: any other is free.
  EXPECT_EQ(repaired(problemOf({{10, 4}, {10, 4}}, {{0, 1}, {kForbidden, 50}}, 15)).values, (std::vector<int>{0, 1}));
  // A forbidden strategy is no way out.
  EXPECT_EQ(repaired(problemOf({{10, 4}, {10, 4}}, {{0, kForbidden}, {0, 50}}, 15)).values, (std::vector<int>{0, 1}));
  EXPECT_FALSE(repaired(problemOf({{10, 4}}, {{0, kForbidden}}, 5)).done);
}

TEST(IopddlRepair, SaysWhenItCannot) {
  EXPECT_FALSE(repaired(problemOf({{10, 8}, {10, 9}}, {{0, 1}, {0, 1}}, 16)).done) << "17 at least";
  EXPECT_TRUE(repaired(problemOf({{10, 8}, {10, 9}}, {{0, 1}, {0, 1}}, 17)).done);
  EXPECT_FALSE(repaired(problemOf({{10, 4}}, {{0, 1}}, 5), 0).done) << "no work is left";
  EXPECT_TRUE(repaired(problemOf({{10, 4}}, {{0, 1}}, 10), 0).done) << "none is needed";
}

// Only nodes that are live at the worst step help: the cheap one is live elsewhere.
TEST(IopddlRepair, LooksAtTheWorstStep) {
  IopddlProblem problem = problemOf({{5, 0}, {10, 2}, {5, 1}}, {{0, 0}, {0, 9}, {0, 30}}, 12);
  problem.nodes[0].begin = 0, problem.nodes[0].end = 2;
  problem.nodes[1].begin = 3, problem.nodes[1].end = 5;
  problem.nodes[2].begin = 4, problem.nodes[2].end = 6;
  const IopddlSearch search(problem);
  EXPECT_EQ(search.usage().perStep(), (std::vector<int64_t>{5, 15}));
  EXPECT_EQ(search.usage().worstStep(), 1u);
  EXPECT_EQ(repaired(problem).values, (std::vector<int>{0, 1, 0}));
}

TEST(IopddlSearch, WhatFitsIsWhatTheLimitLeavesAtTheNodesSteps) {
  IopddlProblem problem = problemOf({{4, 6, 7, 3}, {6}}, {{0, 0, 0, 0}, {0}}, 12);
  const IopddlSearch search(problem);
  EXPECT_TRUE(search.fits(0, 1)) << "12 of 12";
  EXPECT_FALSE(search.fits(0, 2));
  EXPECT_TRUE(search.fits(0, 3));
  EXPECT_FALSE(search.overloaded());
  problem.usageLimit = 8;
  const IopddlSearch over(problem);
  EXPECT_TRUE(over.overloaded());
  EXPECT_TRUE(over.fits(0, 3)) << "less is always taken";
  EXPECT_TRUE(over.fits(0, 0)) << "and as much";
  EXPECT_FALSE(over.fits(0, 1));
}

// The first node wants to follow the second, which moves in the first pass; it can do so in the second only.
TEST(IopddlSearch, ImprovesForSoManyRounds) {
  IopddlProblem problem = problemOf({{0, 0}, {0, 0}}, {{0, 0}, {5, 0}}, 1);
  problem.costs.addFactor({0, 1}, {0, 2, 3, 0});
  for (int rounds : {0, 1, 2, 3}) {
    IopddlSearch search(problem);
    WorkBudget budget(1000);
    search.improve(rounds, budget);
    EXPECT_EQ(search.values(), (std::vector<int>{rounds > 1, rounds > 0})) << rounds;
    EXPECT_EQ(search.mark(), static_cast<size_t>(std::min(rounds, 2)));
    EXPECT_EQ(search.cost(), std::vector<Cost>({5, 2, 0, 0})[static_cast<size_t>(rounds)]) << rounds;
  }
  IopddlSearch search(problem);
  WorkBudget none(0);
  search.improve(3, none);
  EXPECT_EQ(search.values(), (std::vector<int>{0, 0}));
}

// The second node was moved and keeps to it; the first, which wants to follow it, does. The third gains from a move of
// its own, but is joined to neither.
TEST(IopddlSearch, ImprovesAroundWhatMoved) {
  IopddlProblem problem = problemOf({{0, 0}, {0, 0}, {0, 0}}, {{0, 0}, {5, 0}, {5, 0}}, 1);
  problem.costs.addFactor({0, 1}, {0, 2, 3, 0});
  IopddlSearch search(problem);
  WorkBudget budget(1000);
  search.improveAround(search.mark(), budget);
  EXPECT_EQ(search.values(), (std::vector<int>{0, 0, 0})) << "nothing moved";
  const size_t before = search.mark();
  search.move(1, 1);
  search.improveAround(before, budget);
  EXPECT_EQ(search.values(), (std::vector<int>{1, 1, 0}));
  EXPECT_EQ(search.cost(), 5);
  search.undo(before);
  EXPECT_EQ(search.values(), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(search.cost(), 10);
}

// A path of five nodes and one that hangs at its start.
TEST(IopddlSearch, NeighbourhoodsGrowBreadthFirst) {
  const std::vector<std::vector<int64_t>> usages(6, {0});
  IopddlProblem problem = problemOf(usages, std::vector<std::vector<Cost>>(6, {0}), 1);
  for (const auto& [a, b] : std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {3, 2}, {3, 4}, {5, 0}})
    problem.costs.addFactor({a, b}, {0});
  const IopddlSearch search(problem);
  EXPECT_EQ(search.neighbourhood(0, 1), std::vector<int>{0});
  EXPECT_EQ(search.neighbourhood(0, 2), (std::vector<int>{0, 1}));
  EXPECT_EQ(search.neighbourhood(0, 4), (std::vector<int>{0, 1, 5, 2}));
  EXPECT_EQ(search.neighbourhood(2, 100), (std::vector<int>{2, 1, 3, 0, 4, 5}));
}

IopddlProblem drawn(uint64_t seed) {
  Prng random(seed);
  IopddlProblem problem;
  for (int v = 0; v < 6; ++v) {
    std::vector<Cost> costs;
    IopddlProblem::Node node{.begin = random.below(5), .end = random.below(7), .usages = {}};
    for (int64_t s = 1 + random.below(3); s > 0; --s) {
      costs.push_back(random.below(10) == 0 ? kForbidden : random.below(20));
      node.usages.push_back(random.below(9));
    }
    problem.nodes.push_back(node);
    problem.costs.addVariable(costs);
  }
  for (int e = 0; e < 7; ++e) {
    const int a = static_cast<int>(random.below(6)), b = (a + 1 + static_cast<int>(random.below(5))) % 6;
    std::vector<Cost> table(static_cast<size_t>(problem.costs.domain(a) * problem.costs.domain(b)));
    for (Cost& cost : table) cost = random.below(10) == 0 ? kForbidden : random.below(20);
    problem.costs.addFactor({a, b}, table);
  }
  problem.usageLimit = 1000;
  return problem;
}

// A part of the nodes, the others as they are: no other choice for the part is better, prices and all.
TEST(IopddlSearch, APartIsSolvedAsWellAsByTryingAll) {
  int solved = 0, refused = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    const IopddlProblem problem = drawn(seed);
    Prng random(seed + 7);
    IopddlSearch search(problem);
    for (int v = 0; v < 6; ++v) search.move(v, static_cast<int>(random.below(problem.costs.domain(v))));
    const std::vector<int> nodes = search.neighbourhood(static_cast<int>(seed % 6), 3);
    std::vector<std::vector<Cost>> price;
    for (const int node : nodes) {
      price.emplace_back();
      for (int x = 0; x < problem.costs.domain(node); ++x) price.back().push_back(random.below(9));
    }
    const auto worth = [&](const std::vector<int>& part) {  // kForbidden when it is not allowed around the part
      std::vector<int> values = search.values();
      for (size_t i = 0; i < nodes.size(); ++i) values[static_cast<size_t>(nodes[i])] = part[i];
      Cost sum = 0;
      const auto inPart = [&](int v) { return std::find(nodes.begin(), nodes.end(), v) != nodes.end(); };
      for (size_t i = 0; i < nodes.size(); ++i)
        sum = addCost(sum, addCost(problem.costs.unary(nodes[i])[static_cast<size_t>(part[i])],
                                   price[i][static_cast<size_t>(part[i])]));
      for (const Factor& factor : problem.costs.factors()) {
        if (!inPart(factor.scope[0]) && !inPart(factor.scope[1])) continue;
        const int columns = problem.costs.domain(factor.scope[1]);
        const int cell =
            values[static_cast<size_t>(factor.scope[0])] * columns + values[static_cast<size_t>(factor.scope[1])];
        sum = addCost(sum, factor.table[static_cast<size_t>(cell)]);
      }
      return sum;
    };
    Cost best = kForbidden;
    std::vector<int> part(nodes.size(), 0);
    for (size_t i = 0; i < nodes.size();) {
      best = std::min(best, worth(part));
      for (i = 0; i < nodes.size(); ++i) {
        if (++part[i] < problem.costs.domain(nodes[i])) break;
        part[i] = 0;
      }
    }
    std::vector<int> found;
    WorkBudget budget(100'000), none(0);
    EXPECT_FALSE(search.solvePart(nodes, price, found, none)) << "seed " << seed;
    const bool done = search.solvePart(nodes, price, found, budget);
    ASSERT_EQ(done, !isForbidden(best)) << "seed " << seed;
    ++(done ? solved : refused);
    if (done) {
      ASSERT_EQ(worth(found), best) << "seed " << seed;
    }
  }
  EXPECT_GT(solved, 50);
  EXPECT_GT(refused, 5);
}

// Prices so high that sums of them could not be told from what is forbidden are not solved.
TEST(IopddlSearch, PartsWhoseCostsDoNotFitAreRefused) {
  const IopddlProblem problem = problemOf({{0, 0}, {0, 0}}, {{1, 2}, {3, 4}}, 1);
  const IopddlSearch search(problem);
  const auto solved = [&](Cost price) {
    WorkBudget budget(1000);
    std::vector<int> out;
    return search.solvePart({0, 1}, {{price, 0}, {price, 0}}, out, budget);
  };
  EXPECT_TRUE(solved(kMaxTotalCost / 2 - 4));
  EXPECT_FALSE(solved(kMaxTotalCost / 2));
}

// Moves and what takes them back keep costs and usage as they are counted anew.
TEST(IopddlSearch, CountsAsItMovesWhatItCountsAnew) {
  int forbidden = 0, allowed = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const IopddlProblem problem = drawn(seed);
    Prng random(seed + 11);
    IopddlSearch search(problem);
    const auto expectCounted = [&] {
      EXPECT_EQ(search.cost(), problem.costs.evaluate(search.values())) << "seed " << seed;
      IopddlSearch anew(problem);
      anew.assign(search.values());
      EXPECT_EQ(search.usage().perStep(), anew.usage().perStep()) << "seed " << seed;
      EXPECT_EQ(anew.mark(), 0u);
      ++(isForbidden(search.cost()) ? forbidden : allowed);
    };
    const auto moveSome = [&] {
      for (int i = 0; i < 8; ++i) {
        const int node = static_cast<int>(random.below(6));
        search.move(node, static_cast<int>(random.below(problem.costs.domain(node))));
      }
      expectCounted();
    };
    moveSome();
    const size_t mark = search.mark();
    const std::vector<int> values = search.values();
    moveSome();
    search.undo(mark);
    EXPECT_EQ(search.values(), values);
    expectCounted();
    search.assign(std::vector<int>(6, 0));
    EXPECT_EQ(search.mark(), 0u) << "nothing is left to take back";
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(forbidden, 20);
  EXPECT_GT(allowed, 20);
}

// The step is the first of the greatest.
TEST(IopddlSearch, TheWorstStepIsTheFirstOfTheGreatest) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const IopddlProblem problem = drawn(seed);
    const IopddlSearch search(problem);
    const std::vector<int64_t> steps = search.usage().perStep();
    if (steps.empty()) continue;
    EXPECT_EQ(search.usage().worstStep(),
              static_cast<size_t>(std::max_element(steps.begin(), steps.end()) - steps.begin()))
        << "seed " << seed;
    EXPECT_EQ(search.usage().mostOverall(), *std::max_element(steps.begin(), steps.end()));
  }
}

}  // namespace
}  // namespace tessera::test
