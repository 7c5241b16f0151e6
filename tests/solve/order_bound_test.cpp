// The bound below which no elimination order keeps its largest table.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/solve/selection/elimination_order.h"
#include "tests/solve/random_model.h"

namespace tessera {
namespace {

// Least over all orders of the cells of the largest table, by trying them all; neighbours are bits of a word.
int64_t leastLargestTable(const FactorGraph& model) {
  const int n = model.variableCount();
  std::vector<uint32_t> tied(static_cast<size_t>(n), 0);
  for (const Factor& factor : model.factors())
    for (int a : factor.scope)
      for (int b : factor.scope)
        if (a != b) tied[static_cast<size_t>(a)] |= 1u << b;
  std::vector<int> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  int64_t least = kMaxCells;
  do {
    std::vector<uint32_t> now = tied;
    uint32_t gone = 0;
    int64_t largest = 0;
    for (int v : order) {
      const uint32_t near = now[static_cast<size_t>(v)] & ~gone;
      int64_t cells = model.domain(v);
      for (int k = 0; k < n; ++k)
        if ((near >> k & 1u) != 0) cells *= model.domain(k), now[static_cast<size_t>(k)] |= near & ~(1u << k);
      largest = std::max(largest, cells);
      gone |= 1u << v;
    }
    least = std::min(least, largest);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(OrderBound, NoOrderIsBelowAndMostModelsReachIt) {
  int met = 0, models = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Prng random(seed);
    const FactorGraph model = testing_selection::randomModel(seed, {.variables = static_cast<int>(3 + random.below(4)),
                                                                    .domain = static_cast<int>(2 + random.below(4)),
                                                                    .factors = static_cast<int>(2 + random.below(9)),
                                                                    .arity = 3,
                                                                    .maxCost = 5,
                                                                    .forbiddenPercent = 0});
    const int64_t bound = largestTableAtLeast(model), least = leastLargestTable(model);
    ASSERT_LE(bound, least) << "seed " << seed;
    ASSERT_LE(bound, eliminationOrder(model, OrderKind::MinTable, kMaxCells).cells) << "seed " << seed;
    ++models;
    met += 2 * bound > least;  // it is a power of two
  }
  EXPECT_GT(met, models * 8 / 10);
}

// Merging a variable into one with more values would make tables larger than an order needs.
TEST(OrderBound, NumbersOfValuesThatDifferWidely) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Prng random(seed);
    const auto n = static_cast<int>(4 + random.below(4));
    FactorGraph model;
    for (int v = 0; v < n; ++v) model.addVariable(std::vector<Cost>(random.below(2) ? 2 : 90, 0));
    for (int a = 0; a < n; ++a)
      for (int b = a + 1; b < n; ++b)
        if (random.below(2))
          model.addFactor({a, b}, std::vector<Cost>(static_cast<size_t>(model.domain(a) * model.domain(b)), 1));
    ASSERT_LE(largestTableAtLeast(model), leastLargestTable(model)) << "seed " << seed;
  }
}

// n x n variables, each in a table with its neighbours: the treewidth is n.
FactorGraph grid(int n, int domain) {
  FactorGraph model;
  for (int v = 0; v < n * n; ++v) model.addVariable(std::vector<Cost>(static_cast<size_t>(domain), 0));
  const std::vector<Cost> pair(static_cast<size_t>(domain) * static_cast<size_t>(domain), 1);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      if (x + 1 < n) model.addFactor({y * n + x, y * n + x + 1}, pair);
      if (y + 1 < n) model.addFactor({y * n + x, y * n + x + n}, pair);
    }
  return model;
}

// Every variable has at most four neighbours; only contracting shows more than 4^5 cells.
TEST(OrderBound, GridsNeedMoreThanTheirDegreesSay) {
  const int64_t bound = largestTableAtLeast(grid(16, 4));
  EXPECT_GT(bound, int64_t{1} << 10);
  EXPECT_LE(bound, eliminationOrder(grid(16, 4), OrderKind::MinFill, kMaxCells).cells);
}

TEST(OrderBound, StopsOnceItIsEnough) {
  const FactorGraph model = grid(16, 4);
  const int64_t enough = largestTableAtLeast(model, 100);
  EXPECT_GT(enough, 100);
  EXPECT_LT(enough, largestTableAtLeast(model));
}

TEST(OrderBound, WhatJustFitsIsNotGivenUp) {
  FactorGraph model;
  model.addVariable(std::vector<Cost>(8, 0));
  EXPECT_EQ(largestTableAtLeast(model), 8);
  EXPECT_EQ(chooseOrder(model, 8).variables.size(), 1u);
  EXPECT_TRUE(chooseOrder(model, 7).variables.empty());
}

TEST(OrderBound, ConstantsAndLoneVariablesNeedNoTable) {
  FactorGraph model;
  EXPECT_EQ(largestTableAtLeast(model), 0);
  for (int v = 0; v < 20; ++v) model.addVariable({0});
  model.addVariable({0, 0});
  std::vector<int> all(21);
  std::iota(all.begin(), all.end(), 0);
  model.addFactor(all, {1, 2});
  EXPECT_EQ(largestTableAtLeast(model), 2);
}

}  // namespace
}  // namespace tessera
