// PathSets by itself: ttnn-optimizer.md 3.3.2, 3.3.3, 3.3.7, 3.3.8.

#include "core/policy/chain/path_sets.h"

#include <gtest/gtest.h>

#include "tests/policy/random_graph.h"

namespace tessera::test {
namespace {

// The fork and join of ttnn-optimizer.md 3.3.8: grids 4x2, 8x8, 4x4 twice, 2x2 accumulate 90, 82, 18, 18, 4.
TEST(Optimizer_3_3_8, AccumulatedCoreUsageOfTheForkAndJoin) {
  PathSets paths;
  int op0 = paths.addNode({8}), op1 = paths.addNode({64}), op2 = paths.addNode({16}), op3 = paths.addNode({16}),
      op4 = paths.addNode({4});
  for (auto [producer, consumer] : {std::pair(op0, op1), {op1, op2}, {op1, op3}, {op2, op4}, {op3, op4}})
    ASSERT_TRUE(paths.addEdge(producer, consumer, {{0, 0}}));
  EXPECT_EQ(paths.maxCoreUsage(op2)[0], 18);  // before its producers are asked for
  EXPECT_EQ(paths.maxCoreUsage(op4)[0], 4);
  EXPECT_EQ(paths.maxCoreUsage(op3)[0], 18);
  EXPECT_EQ(paths.maxCoreUsage(op1)[0], 82);
  EXPECT_EQ(paths.maxCoreUsage(op0)[0], 90);
}

// A choice at the end goes back to the start: constraints spread both ways.
TEST(Optimizer_3_3_7, ConstraintsSpreadBothWays) {
  PathSets paths;
  int a = paths.addNode({1, 2}), b = paths.addNode({1, 2}), c = paths.addNode({1, 2});
  ASSERT_TRUE(paths.addEdge(a, b, {{0, 0}, {1, 1}}));
  ASSERT_TRUE(paths.addEdge(b, c, {{0, 0}, {1, 1}}));
  std::vector<PathSets::Update> updates;
  ASSERT_TRUE(paths.set(c, 0, &updates));
  EXPECT_EQ(paths.valid(a).to_ulong(), 1u);
  EXPECT_EQ(paths.valid(b).to_ulong(), 1u);
  ASSERT_GE(updates.size(), 2u);
  EXPECT_EQ(updates[0].producer, b);
  EXPECT_EQ(updates[0].producerBefore, 2u);
  EXPECT_EQ(updates[0].producerAfter, 1u);
}

TEST(Optimizer_3_3_7, AnEdgeWithoutPathsFails) {
  PathSets paths;
  int a = paths.addNode({1, 2}), b = paths.addNode({1, 2});
  ASSERT_TRUE(paths.addEdge(a, b, {{0, 0}, {1, 1}}));
  PathSets::Bitset zero;
  zero.set(0);
  paths.keepOnly(a, zero);
  PathSets::Bitset one;
  one.set(1);
  paths.keepOnly(b, one);
  EXPECT_FALSE(paths.propagate(a));
  EXPECT_FALSE(paths.addEdge(a, b, {}));
}

TEST(Optimizer_3_3_2, FiveHundredTwelveConfigsFitTheBitset) {
  PathSets paths;
  int a = paths.addNode(std::vector<int64_t>(PathSets::kMaxConfigs, 1)), b = paths.addNode({1});
  std::vector<ConfigPath> all;
  for (int32_t i = 0; i < 512; ++i) all.push_back({i, 0});
  ASSERT_TRUE(paths.addEdge(a, b, all));
  EXPECT_EQ(paths.valid(a).count(), 512u);
  ASSERT_TRUE(paths.set(a, 511));
  EXPECT_EQ(paths.valid(a).count(), 1u);
}

// --- against brute force ---------------------------------------------------------------------------------------------

struct RandomChain {
  std::vector<std::vector<int64_t>> cores;
  std::vector<std::vector<std::vector<bool>>> goes;  // [edge][producer][consumer]
};

RandomChain randomChain(SplitMix64& random) {
  RandomChain chain;
  int64_t ops = 1 + random.below(6);
  for (int64_t i = 0; i < ops; ++i) {
    std::vector<int64_t> cores(static_cast<size_t>(1 + random.below(8)));
    for (int64_t& c : cores) c = 1 + random.below(64);
    chain.cores.push_back(cores);
  }
  int64_t density = 1 + random.below(4);
  for (size_t e = 0; e + 1 < chain.cores.size(); ++e) {
    std::vector<std::vector<bool>> table(chain.cores[e].size(), std::vector<bool>(chain.cores[e + 1].size()));
    for (auto& row : table) {
      for (size_t j = 0; j < row.size(); ++j) row[j] = random.oneIn(density);
    }
    chain.goes.push_back(table);
  }
  return chain;
}

// The best of every selection for the ops from `op` on, after config `before`; -1 when none works.
int64_t bruteForceBest(const RandomChain& chain, size_t op = 0, size_t before = 0) {
  if (op == chain.cores.size()) return 0;
  int64_t best = -1;
  for (size_t c = 0; c < chain.cores[op].size(); ++c) {
    if (op > 0 && !chain.goes[op - 1][before][c]) continue;
    const int64_t rest = bruteForceBest(chain, op + 1, c);
    if (rest >= 0) best = std::max(best, chain.cores[op][c] + rest);
  }
  return best;
}

// The way the policy uses it: paths edge by edge, propagation, then the best config of each op from the first one on.
int64_t solverBest(const RandomChain& chain, std::vector<size_t>& chosen) {
  PathSets paths;
  for (const auto& cores : chain.cores) paths.addNode(cores);
  for (size_t e = 0; e < chain.goes.size(); ++e) {
    std::vector<ConfigPath> table;
    for (size_t p = 0; p < chain.goes[e].size(); ++p) {
      for (size_t c = 0; c < chain.goes[e][p].size(); ++c) {
        if (chain.goes[e][p][c]) table.push_back({static_cast<int32_t>(p), static_cast<int32_t>(c)});
      }
    }
    if (!paths.addEdge(static_cast<int>(e), static_cast<int>(e) + 1, table)) return -1;
  }
  for (size_t i = 0; i < chain.cores.size(); ++i) {
    if (!paths.propagate(static_cast<int>(i))) return -1;
  }
  int64_t sum = 0;
  for (size_t i = 0; i < chain.cores.size(); ++i) {
    std::vector<int64_t> usage = paths.maxCoreUsage(static_cast<int>(i));
    size_t best = 0;
    for (size_t c = 1; c < usage.size(); ++c) {
      if (usage[c] > usage[best]) best = c;
    }
    if (!paths.set(static_cast<int>(i), static_cast<int>(best))) return -2;
    chosen.push_back(best);
    sum += chain.cores[i][best];
  }
  return sum;
}

TEST(PathSets, ChainsOfSixOpsWithEightConfigsEqualBruteForce) {
  SplitMix64 random(7);
  int solvable = 0;
  for (int round = 0; round < 3000; ++round) {
    RandomChain chain = randomChain(random);
    std::vector<size_t> chosen;
    int64_t best = bruteForceBest(chain), found = solverBest(chain, chosen);
    ASSERT_EQ(found, best) << "round " << round;
    solvable += best >= 0;
    for (size_t e = 0; best >= 0 && e < chain.goes.size(); ++e) ASSERT_TRUE(chain.goes[e][chosen[e]][chosen[e + 1]]);
  }
  EXPECT_GT(solvable, 1000);
  EXPECT_LT(solvable, 3000);
}

// Core usage of a chain from its end on, of configs that are in.
std::vector<std::vector<int64_t>> countedAnew(const RandomChain& chain, const PathSets& paths) {
  std::vector<std::vector<int64_t>> usage(chain.cores.size());
  for (size_t i = chain.cores.size(); i-- > 0;) {
    usage[i].assign(chain.cores[i].size(), -1);
    for (size_t c = 0; c < usage[i].size(); ++c) {
      if (!paths.valid(static_cast<int>(i)).test(c)) continue;
      int64_t most = 0;
      for (size_t next = 0; i + 1 < usage.size() && next < usage[i + 1].size(); ++next) {
        if (chain.goes[i][c][next]) most = std::max(most, usage[i + 1][next]);
      }
      usage[i][c] = chain.cores[i][c] + most;
    }
  }
  return usage;
}

// Whatever is set and asked for in between, in any order.
TEST(PathSets, CoreUsageIsThatCountedAnew) {
  SplitMix64 random(11);
  int compared = 0;
  for (int round = 0; round < 500; ++round) {
    const RandomChain chain = randomChain(random);
    PathSets paths;
    for (const auto& cores : chain.cores) paths.addNode(cores);
    bool fine = true;
    for (size_t e = 0; e < chain.goes.size() && fine; ++e) {
      std::vector<ConfigPath> table;
      for (size_t p = 0; p < chain.goes[e].size(); ++p) {
        for (size_t c = 0; c < chain.goes[e][p].size(); ++c) {
          if (chain.goes[e][p][c]) table.push_back({static_cast<int32_t>(p), static_cast<int32_t>(c)});
        }
      }
      fine = paths.addEdge(static_cast<int>(e), static_cast<int>(e) + 1, table) && paths.propagate(0);
    }
    for (int step = 0; step < 6 && fine; ++step) {
      const auto counted = countedAnew(chain, paths);
      for (int asked = 0; asked < 2; ++asked) {
        const size_t node = random.next() % chain.cores.size();
        ASSERT_EQ(paths.maxCoreUsage(static_cast<int>(node)), counted[node]) << "round " << round;
        ++compared;
      }
      const size_t node = random.next() % chain.cores.size();
      const size_t config = random.next() % chain.cores[node].size();
      if (paths.valid(static_cast<int>(node)).test(config))
        fine = paths.set(static_cast<int>(node), static_cast<int>(config));
    }
  }
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace tessera::test
