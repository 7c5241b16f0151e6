// What solvers prefer among answers that are equally good, and where their limits lie.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/solve/addresses/address_solver.h"
#include "core/solve/selection/dominance.h"
#include "core/solve/selection/elimination_order.h"
#include "tests/solve/random_model.h"

namespace tessera {
namespace {

using Kept = std::vector<std::vector<int>>;

Kept keptOf(const FactorGraph& model) {
  WorkBudget budget;
  return removeDominated(model, budget).kept;
}

TEST(DominancePreference, OfEqualValuesTheFirstStays) {
  FactorGraph alone;
  alone.addVariable({3, 3, 3});
  EXPECT_EQ(keptOf(alone), Kept{{0}});
  FactorGraph cheapestLater;
  cheapestLater.addVariable({4, 3, 3});
  EXPECT_EQ(keptOf(cheapestLater), Kept{{1}});
  FactorGraph forbidden;
  forbidden.addVariable({kForbidden, kForbidden});
  EXPECT_EQ(keptOf(forbidden), Kept{{0}});
}

// Value 1 costs 2 more and saves 2 at most: it can be replaced. Where it saves 3 it stays.
TEST(DominancePreference, AValueGoesWhereItCanNeverGain) {
  for (const Cost saved : {2, 3}) {
    FactorGraph model;
    model.addVariable({0, 2});
    model.addVariable({0, 0});
    model.addFactor({0, 1}, {saved, 0, 0, 9});
    const Kept kept = keptOf(model);
    EXPECT_EQ(kept[0], (saved == 2 ? std::vector<int>{0} : std::vector<int>{0, 1}));
  }
}

// Every other value costs more where a value is best: one cell tells them apart.
TEST(DominanceWork, OneCellTellsMostValuesApart) {
  FactorGraph model;
  constexpr int kValues = 6;
  model.addVariable(std::vector<Cost>(kValues, 0));
  model.addVariable(std::vector<Cost>(kValues, 0));
  std::vector<Cost> apart(kValues * kValues, 5);
  for (size_t x = 0; x < kValues; ++x) apart[x * kValues + x] = 0;
  model.addFactor({0, 1}, apart);
  WorkBudget budget;
  const int64_t before = budget.left();
  EXPECT_EQ(removeDominated(model, budget).removed, 0);
  // Per value 6 values are compared in its best cell; of two variables.
  EXPECT_EQ(before - budget.left(), 2 * kValues * kValues);
}

TEST(OrderPreference, TheLeastCellsUnlessRoundsAreNearly) {
  int taken = 0, left = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Prng random(seed);
    const FactorGraph model = testing_selection::randomModel(seed, {.variables = static_cast<int>(3 + random.below(10)),
                                                                    .domain = static_cast<int>(2 + random.below(4)),
                                                                    .factors = static_cast<int>(3 + random.below(14)),
                                                                    .arity = 3,
                                                                    .maxCost = 5,
                                                                    .forbiddenPercent = 0});
    const int64_t least = std::min(eliminationOrder(model, OrderKind::MinTable, kMaxCells).cells,
                                   eliminationOrder(model, OrderKind::MinFill, kMaxCells).cells);
    const int64_t rounds = eliminationOrder(model, OrderKind::Rounds, kMaxCells).cells;
    for (const int64_t factor : {1, 2, 3}) {
      const EliminationOrder chosen = chooseOrder(model, kMaxCells, factor);
      const bool wanted = rounds <= factor * least;
      ASSERT_EQ(chosen.cells, wanted ? rounds : least) << "seed " << seed << " factor " << factor;
      ASSERT_EQ(chosen.kind == OrderKind::Rounds, wanted) << "seed " << seed << " factor " << factor;
      ++(wanted ? taken : left);
    }
  }
  EXPECT_GT(taken, 50);
  EXPECT_GT(left, 20);
}

TEST(OrderPreference, OneCellTooManyIsTooMany) {
  FactorGraph model;
  model.addVariable({0, 0, 0});
  model.addVariable({0, 0});
  model.addFactor({0, 1}, {1, 2, 3, 4, 5, 6});
  const int64_t cells = eliminationOrder(model, OrderKind::MinTable, kMaxCells).cells;
  EXPECT_EQ(chooseOrder(model, cells).variables.size(), 2u);
  EXPECT_TRUE(chooseOrder(model, cells - 1).variables.empty());
}

TEST(AddressLimits, WhatJustFitsFits) {
  AddressProblem problem{.buffers = {{0, 2, 3}, {1, 3, 4}}, .capacity = 7};
  const AddressResult fits = assignAddresses(problem, {});
  EXPECT_TRUE(fits.fits);
  EXPECT_TRUE(fits.proven);
  EXPECT_EQ(fits.height, 7);
  EXPECT_EQ(fits.lowerBound, 7);
  problem.capacity = 6;
  const AddressResult tooLarge = assignAddresses(problem, {});
  EXPECT_FALSE(tooLarge.fits);
  EXPECT_TRUE(tooLarge.proven);
  EXPECT_EQ(tooLarge.height, 7);
}

// Lifetimes are half-open: what ends when another begins is gone by then.
TEST(AddressLimits, WhatOnlyTouchesMayShare) {
  const AddressProblem touching{.buffers = {{0, 2, 5}, {2, 4, 5}}};
  EXPECT_EQ(loadBound(touching), 5);
  EXPECT_EQ(heightOf(touching, {0, 0}), 5);
  EXPECT_EQ(assignAddresses(touching, {}).height, 5);
  const AddressProblem overlapping{.buffers = {{0, 3, 5}, {2, 4, 5}}};
  EXPECT_EQ(loadBound(overlapping), 10);
  EXPECT_EQ(heightOf(overlapping, {0, 4}), -1);
  EXPECT_EQ(heightOf(overlapping, {0, 5}), 10);  // touching in space is no overlap either
  EXPECT_EQ(heightOf(overlapping, {5, 0}), 10);
  EXPECT_EQ(heightOf(overlapping, {-1, 5}), -1);
}

AddressProblem crowded(uint64_t seed) {
  Prng random(seed);
  AddressProblem problem;
  for (int n = 0; n < 9; ++n) {
    const int64_t begin = random.below(7);
    problem.buffers.push_back({begin, begin + 1 + random.below(6), 1 + random.below(5)});
  }
  return problem;
}

int effortOf(std::string_view method) { return method == "search" ? 2 : method == "local search" ? 1 : 0; }

// Of parts that have no moment in common the hardest names the method, wherever it stands; bounds and heights are the
// greatest.
TEST(AddressLimits, TheHardestPartNamesTheMethod) {
  const AddressOptions options{.budget = {}, .localWork = 50};
  int hard = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const AddressProblem one = crowded(seed), two = crowded(seed + 1000);
    AddressProblem both = one;
    for (const AddressBuffer& buffer : two.buffers)
      both.buffers.push_back({buffer.begin + 50, buffer.end + 50, buffer.size});
    both.capacity = std::max(loadBound(one), loadBound(two));
    AddressProblem first = one, second = two;
    first.capacity = second.capacity = both.capacity;
    const AddressResult a = assignAddresses(first, options), b = assignAddresses(second, options),
                        whole = assignAddresses(both, options);
    ASSERT_EQ(effortOf(whole.method), std::max(effortOf(a.method), effortOf(b.method))) << "seed " << seed;
    ASSERT_EQ(whole.height, std::max(a.height, b.height)) << "seed " << seed;
    ASSERT_EQ(whole.fits, a.fits && b.fits) << "seed " << seed;
    hard += effortOf(a.method) != effortOf(b.method);
  }
  EXPECT_GT(hard, 5);
}

}  // namespace
}  // namespace tessera
