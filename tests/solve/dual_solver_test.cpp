// Bounds by messages: what decoding and repairing choose, what pruning and undoing leave, and which values a bound may
// fix. Optima are counted out by enumeration.

#include "core/solve/selection/dual_solver.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/solve/random_model.h"

namespace tessera::test {
namespace {

using Values = std::vector<int>;
using testing_selection::bruteForce;

// A path: variable v and v + 1 share a table.
FactorGraph pathModel(uint64_t seed, int forbiddenPercent) {
  Prng random(seed + 900);
  const testing_selection::RandomSpec spec{.maxCost = 30, .forbiddenPercent = forbiddenPercent};
  FactorGraph model;
  for (int v = 0; v < 6; ++v) {
    std::vector<Cost> costs(static_cast<size_t>(2 + random.below(3)));
    for (Cost& cost : costs) cost = randomCost(random, spec);
    model.addVariable(std::move(costs));
  }
  for (int v = 0; v + 1 < 6; ++v) {
    const bool turned = random.below(2) == 1;  // the scope in either order
    std::vector<Cost> table(static_cast<size_t>(model.domain(v) * model.domain(v + 1)));
    for (Cost& cost : table) cost = randomCost(random, spec);
    model.addFactor(turned ? Values{v + 1, v} : Values{v, v + 1}, std::move(table));
  }
  return model;
}

FactorGraph anyModel(uint64_t seed, int forbiddenPercent = 10) {
  return testing_selection::randomModel(
      seed, {.variables = 5, .domain = 3, .factors = 6, .arity = 3, .forbiddenPercent = forbiddenPercent});
}

FactorGraph pairModel(std::vector<Cost> a, std::vector<Cost> b, std::vector<Cost> table) {
  FactorGraph model;
  model.addVariable(std::move(a));
  model.addVariable(std::move(b));
  model.addFactor({0, 1}, std::move(table));
  return model;
}

struct Decoded {
  Values values;
  Cost cost = 0;
};
Decoded decoded(const DualSolver& solver) {
  Decoded out;
  out.cost = solver.decode(out.values);
  return out;
}

TEST(DualSolverDecoding, GoesFromVariableToVariable) {
  // Without messages the first looks at its own costs alone, the second at what the first took.
  const FactorGraph model = pairModel({0, 1}, {0, 0, 2}, {9, 5, 4, 0, 0, 0});
  const DualSolver solver(model);
  const Decoded found = decoded(solver);
  EXPECT_EQ(found.values, (Values{0, 1}));
  EXPECT_EQ(found.cost, 5);
  // With messages the first knows that 1 is better for both.
  DualSolver swept(model);
  EXPECT_EQ(swept.sweep(), 1);
  EXPECT_EQ(decoded(swept).values, (Values{1, 0}));
  EXPECT_EQ(decoded(swept).cost, 1);
}

TEST(DualSolverDecoding, OfEqualValuesTheFirstIsTaken) {
  const FactorGraph model = pairModel({3, 2, 2}, {1, 1}, {0, 0, 0, 0, 0, 0});
  EXPECT_EQ(decoded(DualSolver(model)).values, (Values{1, 0}));
}

// 0 = 2 and 1 = 2, however dear: what the first takes decides for all, before the second looks at its own costs.
TEST(DualSolverDecoding, WhatAHardTableForbidsIsKnownAhead) {
  const std::vector<Cost> equal = {0, kForbidden, kForbidden, 0};
  for (const bool turned : {false, true}) {
    FactorGraph model;
    model.addVariable({5, 0});
    model.addVariable({0, 3});
    model.addVariable({0, 0});
    model.addFactor(turned ? Values{2, 0} : Values{0, 2}, equal);
    model.addFactor(turned ? Values{2, 1} : Values{1, 2}, equal);
    const Decoded found = decoded(DualSolver(model));
    EXPECT_EQ(found.values, (Values{1, 1, 1})) << turned;
    EXPECT_EQ(found.cost, 3);
  }
  // Values of three and two: y = x mod 2; the table's rows and columns are of different lengths.
  for (const bool turned : {false, true}) {
    FactorGraph model;
    model.addVariable({5, 0, 5});
    model.addVariable({0, 3});
    const Cost no = kForbidden;
    model.addFactor(turned ? Values{1, 0} : Values{0, 1},
                    turned ? std::vector<Cost>{0, no, 0, no, 0, no} : std::vector<Cost>{0, no, no, 0, 0, no});
    EXPECT_EQ(decoded(DualSolver(model)).values, (Values{1, 1})) << turned;
  }
}

TEST(DualSolverDecoding, ADeadEndIsNoSolutionAndMayBeRepaired) {
  // The first takes 0, for which the second has no value.
  const FactorGraph model = pairModel({0, 1}, {0, 0}, {kForbidden, kForbidden, 4, 6});
  const DualSolver solver(model);
  Decoded found = decoded(solver);
  EXPECT_TRUE(isForbidden(found.cost));
  solver.improve(found.values, found.cost);
  EXPECT_EQ(found.cost, 5);
  EXPECT_EQ(found.values, (Values{1, 0}));
  // What cannot be repaired one by one stays forbidden.
  const FactorGraph stuck = pairModel({kForbidden, kForbidden}, {0, 0}, {0, 0, 0, 0});
  const DualSolver none(stuck);
  Values values = {0, 0};
  Cost cost = 0;
  none.improve(values, cost);
  EXPECT_EQ(cost, kForbidden);
}

// A value that costs as much as another one stays.
TEST(DualSolverDecoding, RepairsChangeNothingWithoutAGain) {
  const FactorGraph model = pairModel({1, 1}, {2, 2, 3}, {0, 0, 0, 0, 0, 0});
  Values values = {1, 1};
  Cost cost = 3;
  DualSolver(model).improve(values, cost);
  EXPECT_EQ(values, (Values{1, 1}));
  EXPECT_EQ(cost, 3);
}

TEST(DualSolverDecoding, CostsAreThoseOfTheModelAndRepairsNeverRaiseThem) {
  int solutions = 0, repaired = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    const FactorGraph model = anyModel(seed, static_cast<int>(seed % 3) * 12);
    DualSolver solver(model);
    for (uint64_t sweeps = 0; sweeps < seed % 4; ++sweeps) solver.sweep();
    Decoded found = decoded(solver);
    if (!isForbidden(found.cost)) EXPECT_EQ(found.cost, model.evaluate(found.values)) << seed;
    const Decoded before = found;
    solver.improve(found.values, found.cost);
    EXPECT_LE(found.cost, before.cost) << seed;
    if (isForbidden(found.cost)) continue;
    ++solutions;
    repaired += isForbidden(before.cost);
    EXPECT_EQ(found.cost, model.evaluate(found.values)) << seed;
    // No single change is better.
    for (int v = 0; v < model.variableCount(); ++v) {
      Values other = found.values;
      for (int x = 0; x < model.domain(v); ++x) {
        other[static_cast<size_t>(v)] = x;
        EXPECT_GE(model.evaluate(other), found.cost) << seed;
      }
    }
  }
  EXPECT_GT(solutions, 80);
  EXPECT_GT(repaired, 2);
}

TEST(DualSolverBound, StaysBelowTheOptimum) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const FactorGraph model = anyModel(seed);
    DualSolver solver(model);
    const Cost optimum = bruteForce(model);
    EXPECT_LT(solver.bound(), optimum);
    for (int sweep = 0; sweep < 4; ++sweep) {
      const Cost bound = solver.sweep();
      EXPECT_EQ(bound, solver.bound());
      EXPECT_LE(bound, optimum) << seed;
    }
  }
}

// Costs are moved, none is lost: a variable holds its own costs and its messages.
TEST(DualSolverBound, ReducedCostsAreOwnCostsAndMessages) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const FactorGraph model = anyModel(seed);
    DualSolver solver(model);
    solver.sweep(), solver.sweep();
    for (int v = 0; v < model.variableCount(); ++v) {
      for (int x = 0; x < model.domain(v); ++x) {
        const auto at = static_cast<size_t>(x);
        Cost sum = model.unary(v)[at];
        for (int f = 0; f < model.factorCount(); ++f) {
          for (size_t i = 0; i < model.factor(f).scope.size(); ++i)
            sum += model.factor(f).scope[i] == v ? solver.message(f, i)[at] : 0;
        }
        if (solver.alive(v, x)) EXPECT_EQ(solver.reduced(v)[at], sum) << seed;
        else EXPECT_TRUE(isForbidden(solver.reduced(v)[at])) << seed;
      }
    }
  }
}

TEST(DualSolverBound, WorkIsDomainsAndTables) {
  EXPECT_EQ(DualSolver(pairModel({0, 0}, {0, 0, 0}, {0, 0, 0, 0, 0, 0})).workPerSweep(), 2 + 3 + 6 * 2);
  FactorGraph three;
  for (int v = 0; v < 3; ++v) three.addVariable({0, 0});
  three.addFactor({0, 1, 2}, std::vector<Cost>(8, 0));
  EXPECT_EQ(DualSolver(three).workPerSweep(), 6 + 8 * 2 * 2);
}

TEST(DualSolverPruning, WhatIsForbiddenFromTheStartIsGone) {
  const FactorGraph model = pairModel({0, kForbidden}, {kForbidden, 2}, {0, 7, 0, 0});
  DualSolver solver(model);
  EXPECT_TRUE(solver.alive(0, 0));
  EXPECT_FALSE(solver.alive(0, 1));
  EXPECT_EQ(solver.aliveCount(0), 1);
  EXPECT_EQ(solver.aliveCount(1), 1);
  EXPECT_TRUE(solver.pruned().empty());
  EXPECT_EQ(solver.sweep(), 9);
  solver.undo(0);
  EXPECT_FALSE(solver.alive(0, 1)) << "nothing that undo may bring back";
  EXPECT_EQ(solver.unary(1, 1), 2);
}

// On a path the bound is the optimum of what is left, whatever was pruned, brought back or made dearer.
TEST(DualSolverPruning, OnAPathTheBoundIsTheOptimumOfTheRest) {
  const auto swept = [](DualSolver& solver) {
    for (int i = 0; i < 3; ++i) solver.sweep();
    return solver.bound();
  };
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Prng random(seed);
    const FactorGraph model = pathModel(seed, static_cast<int>(seed % 3) * 8);
    const Cost optimum = bruteForce(model);
    DualSolver solver(model);
    EXPECT_EQ(swept(solver), optimum) << seed;
    if (isForbidden(optimum)) continue;
    FactorGraph rest = model;
    const size_t mark = solver.mark();
    for (int v = 0; v < 6; v += 2) {
      const int gone = static_cast<int>(random.below(model.domain(v)));
      if (!solver.alive(v, gone)) continue;
      std::vector<Cost> costs = rest.unary(v);
      costs[static_cast<size_t>(gone)] = kForbidden;
      rest.setUnary(v, costs);
      const int count = solver.aliveCount(v);
      solver.prune(v, gone);
      EXPECT_EQ(solver.aliveCount(v), count - 1);
      EXPECT_EQ(solver.pruned().back(), std::pair(v, gone));
    }
    EXPECT_EQ(swept(solver), bruteForce(rest)) << seed;
    solver.undo(mark);
    EXPECT_EQ(solver.mark(), mark);
    if (!isForbidden(solver.bound())) EXPECT_EQ(swept(solver), optimum) << seed;
    // Other costs, one of them forbidden: the messages stay of use.
    std::vector<Cost> dearer = model.unary(3);
    for (Cost& cost : dearer) cost = addCost(cost, 1 + random.below(20));
    dearer[0] = kForbidden;
    FactorGraph changed = model;
    changed.setUnary(3, dearer);
    solver.setUnary(3, dearer);
    EXPECT_FALSE(solver.alive(3, 0));
    EXPECT_EQ(solver.unary(3, 1), dearer[1]);
    if (!isForbidden(solver.bound())) EXPECT_EQ(swept(solver), bruteForce(changed)) << seed;
  }
}

TEST(DualSolverPruning, WithoutAValueLeftThereIsNoSolution) {
  const FactorGraph model = pairModel({0, 0}, {1, 2}, {0, 0, 0, 0});
  DualSolver solver(model);
  const size_t mark = solver.mark();
  solver.prune(1, 0);
  solver.prune(1, 1);
  EXPECT_EQ(solver.aliveCount(1), 0);
  EXPECT_EQ(solver.sweep(), kForbidden);
  EXPECT_EQ(solver.fixByBound(0), 0) << "nothing follows from it";
  Values values;
  EXPECT_EQ(solver.decode(values), kForbidden);
  solver.undo(mark);
  EXPECT_EQ(solver.aliveCount(1), 2);
}

// No value of a solution below the limit may go; on a path no other value of the first variable stays.
TEST(DualSolverPruning, ABoundFixesWhatCannotBeBetter) {
  int64_t fixed = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const bool path = seed % 2 == 0;
    const FactorGraph model = path ? pathModel(seed, 5) : anyModel(seed);
    const Cost optimum = bruteForce(model);
    if (isForbidden(optimum)) continue;
    DualSolver solver(model);
    for (int i = 0; i < 3; ++i) solver.sweep();
    const size_t before = solver.mark();
    const Cost upper = optimum + static_cast<Cost>(seed % 5);
    const int64_t count = solver.fixByBound(upper);
    EXPECT_EQ(count, static_cast<int64_t>(solver.mark() - before)) << seed;
    fixed += count;
    for (int v = 0; v < model.variableCount(); ++v) {
      for (int x = 0; x < model.domain(v); ++x) {
        const Cost forced = bruteForce(model, v, x);
        if (forced < upper) EXPECT_TRUE(solver.alive(v, x)) << seed << ": " << v << " " << x;
        else if (path && v == 0) EXPECT_FALSE(solver.alive(v, x)) << seed << ": " << x;
      }
    }
  }
  EXPECT_GT(fixed, 150);
}

// The finite costs of a model, the largest of each table, add up to the limit at most.
TEST(FactorGraphLimits, CostsFitUpToTheLimit) {
  const auto fits = [](Cost own, Cost other, Cost table) {
    FactorGraph model;
    model.addVariable({0, own});
    model.addVariable({kForbidden, other});
    model.addFactor({0, 1}, {0, kForbidden, table, 1});
    return model.costsFit();
  };
  EXPECT_TRUE(fits(kMaxTotalCost - 5, 2, 3));
  EXPECT_TRUE(fits(5 - kMaxTotalCost, -2, -3)) << "in absolute value";
  EXPECT_FALSE(fits(kMaxTotalCost - 5, 2, 4));
  EXPECT_FALSE(fits(kMaxTotalCost - 5, 6, 0));
  EXPECT_FALSE(fits(2, 3, kMaxTotalCost));
  FactorGraph alone;
  alone.addVariable({kMaxTotalCost});
  EXPECT_TRUE(alone.costsFit());
  EXPECT_EQ(alone.evaluate(std::vector<int>{0}), kMaxTotalCost);
  alone.addVariable({1, 0});
  EXPECT_FALSE(alone.costsFit());
}

}  // namespace
}  // namespace tessera::test
