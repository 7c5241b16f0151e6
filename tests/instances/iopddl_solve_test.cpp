// What the solver of contest instances proves: bounds that hold and are whole costs, whatever the size of the numbers.

#include <gtest/gtest.h>

#include "core/instances/iopddl.h"

namespace tessera::test {
namespace {

struct Choice {
  int64_t usage;
  Cost cost;
};

// All nodes live at the same time.
IopddlProblem problemOf(const std::vector<std::vector<Choice>>& nodes, int64_t limit) {
  IopddlProblem problem;
  for (const std::vector<Choice>& choices : nodes) {
    IopddlProblem::Node node{.begin = 0, .end = 2, .usages = {}};
    std::vector<Cost> costs;
    for (const Choice& choice : choices) {
      node.usages.push_back(choice.usage);
      costs.push_back(choice.cost);
    }
    problem.nodes.push_back(node);
    problem.costs.addVariable(costs);
  }
  problem.usageLimit = limit;
  return problem;
}

IopddlResult solved(const IopddlProblem& problem, int64_t work = 20'000) {
  return solveIopddl(problem, {.budget = WorkBudget(work)});
}

// That there is no solution is proven where costs forbid everything, and where the limit does: prices of memory raise
// the bound beyond all that any assignment costs.
TEST(IopddlSolve, WithoutASolutionThatIsProven) {
  IopddlProblem pair = problemOf({{{1, 5}, {2, 4}}, {{1, 3}, {3, 1}}}, 10);
  pair.costs.addFactor({0, 1}, std::vector<Cost>(4, kForbidden));
  for (const IopddlProblem& problem :
       {problemOf({{{1, 5}}, {{1, kForbidden}, {2, kForbidden}}}, 10), pair,
        problemOf({{{6, 1}, {7, 0}}, {{5, 0}}}, 10), problemOf({{{1, 5}, {2, -4}}, {{1, 3}}}, 0),
        problemOf({{{6, -9}, {7, -8}}, {{5, -1}}}, 10)}) {
    const IopddlResult result = solved(problem);
    EXPECT_TRUE(result.proven);
    EXPECT_FALSE(result.feasible);
    EXPECT_TRUE(isForbidden(result.lowerBound));
    EXPECT_TRUE(isForbidden(result.cost));
  }
  const IopddlResult one = solved(problemOf({{{6, 9}, {7, 1}}, {{4, 0}}}, 10));  // fits, and is the dearest of all
  EXPECT_TRUE(one.proven && one.feasible);
  EXPECT_EQ(one.cost, 9);
}

TEST(IopddlSolve, WithoutWorkNothingIsSaid) {
  const IopddlResult result = solved(problemOf({{{1, 5}}, {{1, kForbidden}}}, 10), 0);
  EXPECT_FALSE(result.feasible);
  EXPECT_FALSE(result.proven);
  EXPECT_EQ(result.lowerBound, -kMaxTotalCost);
}

// Both nodes would take two of three: one of them has to pay 3 for nothing. At 1.5 for each unit the relaxation is at
// its best, twice 3 less three times 1.5. Costs are whole, so no solution costs less than 2.
TEST(IopddlSolve, TheBoundIsTheRelaxationRoundedUp) {
  for (const int64_t unit : {int64_t{1}, int64_t{1000}, int64_t{1} << 30}) {
    const std::vector<Choice> node = {{2 * unit, 0}, {0, 3}};
    const IopddlResult result = solved(problemOf({node, node}, 3 * unit));
    EXPECT_EQ(result.cost, 3) << unit;
    EXPECT_EQ(result.lowerBound, 2) << unit;
    EXPECT_FALSE(result.proven) << unit;
  }
  // The same from -20 on: -18.5 is rounded to -18.
  const std::vector<Choice> below = {{2, -10}, {0, -7}};
  const IopddlResult result = solved(problemOf({below, below}, 3));
  EXPECT_EQ(result.cost, -17);
  EXPECT_EQ(result.lowerBound, -18);
}

// A cost that leaves no bits for fractions: the prices of a thousand small nodes are rounded in favour of the bound, or
// it would be a thousand too high. What it may be at most is the relaxation of the two nodes above.
TEST(IopddlSolve, ManyRoundedPricesKeepTheBoundABound) {
  std::vector<std::vector<Choice>> nodes(1000, {{1, 0}});
  nodes.push_back({{1000, 0}, {0, 3}});
  nodes.push_back({{1000, 0}, {0, 3}});
  nodes.push_back({{0, 0}, {0, kMaxTotalCost / 8}});
  const IopddlResult result = solved(problemOf(nodes, 2500), 150'000);
  EXPECT_EQ(result.cost, 3);
  EXPECT_LE(result.lowerBound, 2);
  EXPECT_FALSE(result.proven);
}

// The largest costs are compared as they are: of nodes, of pairs, and below zero.
TEST(IopddlSolve, LargeCostsAreExact) {
  const Cost large = kMaxTotalCost / 16;
  const IopddlResult nodes = solved(problemOf({{{3, large}, {1, large + 1}}, {{3, -large}, {1, -large + 2}}}, 4));
  EXPECT_EQ(nodes.cost, 1) << "the first node gives way: it costs one and not two";
  EXPECT_LE(nodes.lowerBound, 1);
  const Cost middle = Cost{1} << 43;
  for (const Cost best : {5 - middle, Cost{5}}) {
    IopddlProblem pair = problemOf({{{0, 0}, {0, 5}}, {{0, 0}, {0, 7}}}, 1);
    pair.costs.addFactor({0, 1}, {middle, 2 * middle, 2 * middle, best});
    const IopddlResult pairs = solved(pair);
    EXPECT_TRUE(pairs.proven);
    EXPECT_EQ(pairs.cost, best + 12);
    EXPECT_EQ(pairs.values, (std::vector<int>{1, 1}));
  }
}

// Whoever watches sees costs fall and the bound rise, and never one beyond the other at the end.
TEST(IopddlSolve, ProgressOnlyGetsBetter) {
  const IopddlProblem problem = problemOf({{{2, 0}, {0, 3}}, {{3, 1}, {1, 2}}, {{2, 0}, {1, 4}}, {{4, 0}, {0, 9}}}, 7);
  Cost cost = kForbidden, bound = -kMaxTotalCost;
  int told = 0;
  IopddlOptions options{.budget = WorkBudget(100'000)};
  options.progress = [&](Cost newCost, Cost newBound) {
    EXPECT_LE(newCost, cost);
    EXPECT_GE(newBound, bound);
    EXPECT_TRUE(newCost < cost || newBound > bound) << "one of them got better";
    cost = newCost, bound = newBound, ++told;
  };
  const IopddlResult result = solveIopddl(problem, options);
  EXPECT_GE(told, 2);
  EXPECT_EQ(result.cost, cost);
  EXPECT_EQ(result.lowerBound, bound);
  EXPECT_LE(bound, cost);
}

}  // namespace
}  // namespace tessera::test
