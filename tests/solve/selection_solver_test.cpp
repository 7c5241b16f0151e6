// Branch and bound, its switches and its bounds, against enumeration.

#include "core/solve/selection/selection_solver.h"

#include <gtest/gtest.h>

#include "core/solve/selection/dominance.h"
#include "core/solve/selection/dual_solver.h"
#include "tests/solve/random_model.h"

namespace tessera {
namespace {

using testing_selection::bruteForce;
using testing_selection::randomModel;
using testing_selection::RandomSpec;

RandomSpec smallSpec(uint64_t seed) {
  Prng random(seed * 31 + 5);
  return {.variables = static_cast<int>(2 + random.below(6)),
          .domain = static_cast<int>(1 + random.below(4)),
          .factors = static_cast<int>(random.below(14)),
          .arity = static_cast<int>(2 + random.below(3)),
          .maxCost = random.below(2) ? 3 : 1000,
          .forbiddenPercent = static_cast<int>(random.below(4) * 10)};
}

TEST(SelectionSolver, EverySwitchGivesTheSameOptimum) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    const FactorGraph model = randomModel(seed, smallSpec(seed));
    const Cost best = bruteForce(model);
    for (int switches = 0; switches < 8; ++switches) {
      SelectionOptions options{
          .useTree = (switches & 1) != 0, .useDominance = (switches & 2) != 0, .useReducedCosts = (switches & 4) != 0};
      options.cellLimit = seed % 2 ? 12 : 60;  // so that the tree finishes only parts
      const SelectionResult result = solveSelection(model, options);
      ASSERT_TRUE(result.proven) << "seed " << seed << " switches " << switches;
      ASSERT_EQ(result.cost, best) << "seed " << seed << " switches " << switches;
      ASSERT_EQ(result.feasible, !isForbidden(best));
      if (result.feasible) {
        ASSERT_EQ(model.evaluate(result.values), best) << "seed " << seed << " switches " << switches;
      }
    }
  }
}

// Costs so small that an incumbent is often one unit above the optimum, and that bounds are often met exactly.
TEST(SelectionSolver, ReducedCostsKeepASolutionOneUnitBetter) {
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    const RandomSpec spec{.variables = 5,
                          .domain = 3,
                          .factors = 6,
                          .arity = 3,
                          .maxCost = 1,
                          .forbiddenPercent = static_cast<int>(seed % 3 * 10)};
    const FactorGraph model = randomModel(seed, spec);
    const SelectionResult result = solveSelection(model, {.useTree = false, .useDominance = false});
    ASSERT_EQ(result.cost, bruteForce(model)) << "seed " << seed;
  }
}

TEST(SelectionSolver, AStoppedSolveKeepsLowerBoundBelowAndUpperBoundAbove) {
  int open = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    RandomSpec spec{.variables = 9, .domain = 3, .factors = 30, .arity = 2, .maxCost = 40, .forbiddenPercent = 5};
    const FactorGraph model = randomModel(seed, spec);
    const Cost best = bruteForce(model);
    SelectionOptions options{.cellLimit = 20};
    options.budget = WorkBudget(static_cast<int64_t>(seed * 40));
    const SelectionResult result = solveSelection(model, options);
    ASSERT_LE(result.lowerBound, best) << "seed " << seed;
    ASSERT_GE(result.cost, best) << "seed " << seed;
    if (result.optimum()) {
      ASSERT_EQ(*result.optimum(), best) << "seed " << seed;
    }
    if (result.feasible) {
      ASSERT_EQ(model.evaluate(result.values), result.cost) << "seed " << seed;
    }
    open += !result.proven;
  }
  EXPECT_GT(open, 20);
}

// Neither a solution that may not be the best one, nor a proof that there is none, is an optimum.
TEST(SelectionSolver, AnOptimumIsASolutionThatIsProven) {
  EXPECT_EQ((SelectionResult{.feasible = true, .proven = true, .cost = 7}.optimum()), std::optional<Cost>(7));
  EXPECT_EQ((SelectionResult{.feasible = true, .proven = false, .cost = 7}.optimum()), std::nullopt);
  EXPECT_EQ((SelectionResult{.feasible = false, .proven = true}.optimum()), std::nullopt);
}

// A binary tree of variables: the sweeps alone are exact there.
FactorGraph binaryTree(uint64_t seed) {
  Prng random(seed);
  FactorGraph model;
  const auto costs = [&](size_t count) {
    std::vector<Cost> list(count);
    for (Cost& cost : list) cost = random.below(1000);
    return list;
  };
  for (int v = 0; v < 8; ++v) model.addVariable(costs(3));
  for (int v = 1; v < 8; ++v) model.addFactor({(v - 1) / 2, v}, costs(9));
  return model;
}

// Shares of whole costs are rounded; in fractions of a cost what is lost by that is less than one, and nothing is left
// to branch on where the bounds are exact.
TEST(SelectionSolver, BoundsOfATreeMeetItsOptimumWithoutBranching) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const FactorGraph model = binaryTree(seed);
    const SelectionResult result =
        solveSelection(model, {.useTree = false, .useDominance = false, .useReducedCosts = false});
    ASSERT_TRUE(result.proven);
    ASSERT_EQ(result.cost, bruteForce(model)) << "seed " << seed;
    ASSERT_EQ(result.method, "bounds") << "seed " << seed;
  }
}

// There is no room for fractions.
TEST(SelectionSolver, TheDearestModelsAreSolvedInWholeCosts) {
  FactorGraph model;
  const Cost most = kMaxTotalCost / 5;
  for (int v = 0; v < 3; ++v) model.addVariable({v == 1 ? most : 0, v == 1 ? 0 : 1});
  for (int v = 0; v < 3; ++v) model.addFactor({v, (v + 1) % 3}, {most, 0, 0, most});
  ASSERT_TRUE(model.costsFit());
  for (const bool dominance : {true, false}) {
    const SelectionResult result = solveSelection(model, {.useTree = false, .useDominance = dominance});
    EXPECT_TRUE(result.proven);
    EXPECT_EQ(result.cost, bruteForce(model));
    EXPECT_EQ(result.cost, model.evaluate(result.values));
  }
}

// Comparing all values of large domains, which cost the same nearly everywhere, takes more than the budget; bounds must
// have their share of it.
TEST(SelectionSolver, WhatDominanceCannotFinishHasABound) {
  constexpr int kVariables = 6, kDomain = 60;
  Prng random(3);
  const auto costs = [&](size_t count) {
    std::vector<Cost> out(count);
    for (Cost& cost : out) cost = random.below(20) == 0 ? 100 + random.below(1000) : 100;
    return out;
  };
  FactorGraph model;
  for (int v = 0; v < kVariables; ++v) model.addVariable(costs(kDomain));
  for (int v = 0; v < kVariables; ++v) model.addFactor({v, (v + 1) % kVariables}, costs(kDomain * kDomain));
  constexpr int64_t kBudget = 200'000;
  WorkBudget alone(kBudget);
  removeDominated(model, alone);
  ASSERT_TRUE(alone.exhausted());
  const SelectionResult result = solveSelection(model, {.cellLimit = 1000, .budget = WorkBudget(kBudget)});
  EXPECT_GE(result.lowerBound, 2 * kVariables * 100);  // every cost is at least 100
  EXPECT_TRUE(result.feasible);
  EXPECT_LE(result.lowerBound, result.cost);
}

// Of a triangle's corners, which have two values each, two are alike, and that costs 1; bounds do not see it before one
// of them is decided. In the second half of a search every node that is open has a triangle decided: one that is
// stopped there knows more than it did at the beginning.
TEST(SelectionSolver, TheLowerBoundRisesWhileTheSearchGoesOn) {
  constexpr int kTriangles = 4;
  FactorGraph model;
  for (int v = 0; v < 3 * kTriangles; ++v) model.addVariable({0, 0});
  for (int v = 0; v < 3 * kTriangles; v += 3) {
    for (int side = 0; side < 3; ++side) model.addFactor({v + side, v + (side + 1) % 3}, {1, 0, 0, 1});
  }
  std::vector<Cost> bounds = {0};  // each once
  bool proven = false;
  for (int64_t budget = 200; !proven && budget < 100'000; budget += 200) {
    const SelectionResult result =
        solveSelection(model, {.useTree = false, .useDominance = false, .budget = WorkBudget(budget)});
    ASSERT_GE(result.lowerBound, bounds.back()) << "budget " << budget;
    if (result.lowerBound > bounds.back()) bounds.push_back(result.lowerBound);
    proven = result.proven;
  }
  EXPECT_TRUE(proven);
  EXPECT_EQ(bounds.back(), kTriangles);
  EXPECT_GT(bounds.size(), 2u) << "between nothing and the proof there is a bound";
}

// The bound of the sweeps is checked as the certificate does it: from the messages alone.
TEST(DualSolver, BoundFollowsFromTheMessages) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const FactorGraph model = randomModel(seed, smallSpec(seed));
    const Cost best = bruteForce(model);
    DualSolver dual(model);
    for (int i = 0; i < 6; ++i) {
      const Cost bound = dual.sweep();
      ASSERT_LE(bound, best) << "seed " << seed;
    }
  }
}

TEST(DualSolver, IsTightOnTrees) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const FactorGraph model = binaryTree(seed);
    DualSolver dual(model);
    Cost bound = 0;
    for (int i = 0; i < 40; ++i) bound = dual.sweep();
    const Cost best = bruteForce(model);
    ASSERT_LE(bound, best);
    EXPECT_GE(bound, best - 8) << "seed " << seed;  // shares are rounded to integers
  }
}

}  // namespace
}  // namespace tessera
