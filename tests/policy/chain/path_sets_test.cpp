// PathSets by itself: ttnn-optimizer.md 3.3.2, 3.3.3, 3.3.7, 3.3.8.

#include "core/policy/chain/path_sets.h"

#include <gtest/gtest.h>

#include <set>

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

// "1-2: 2>1 3>2 by 4": the edge's ends, how many configs each has before and after, and the paths left.
std::string told(const std::vector<PathSets::Update>& updates) {
  std::string text;
  for (const PathSets::Update& u : updates)
    text += (text.empty() ? "" : ", ") + std::to_string(u.producer) + "-" + std::to_string(u.consumer) + ": " +
            std::to_string(u.producerBefore) + ">" + std::to_string(u.producerAfter) + " " +
            std::to_string(u.consumerBefore) + ">" + std::to_string(u.consumerAfter) + " by " + std::to_string(u.paths);
  return text;
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
  // c had one config already when its edge is looked at.
  EXPECT_EQ(told(updates), "1-2: 2>1 1>1 by 1, 0-1: 2>1 1>1 by 1");
  PathSets forward;
  forward.addNode({1, 2, 4}), forward.addNode({1, 2}), forward.addNode({1, 2});
  ASSERT_TRUE(forward.addEdge(a, b, {{0, 0}, {1, 0}, {1, 1}, {2, 1}}));
  ASSERT_TRUE(forward.addEdge(b, c, {{0, 0}, {0, 1}, {1, 1}}));
  updates.clear();
  ASSERT_TRUE(forward.set(b, 0, &updates));
  EXPECT_EQ(told(updates), "0-1: 3>2 1>1 by 2") << "c goes on with both";
  ASSERT_TRUE(forward.set(a, 1, &updates));
  EXPECT_EQ(told(updates), "0-1: 3>2 1>1 by 2") << "nobody else loses anything";
}

// A node that loses configs to one edge tells its other edges, those before it in the walk too.
TEST(Optimizer_3_3_7, ANodeThatLosesConfigsTellsItsOtherEdges) {
  const std::vector<ConfigPath> alike = {{0, 0}, {1, 1}};
  PathSets::Bitset second;
  second.set(1);
  PathSets chain;
  int a = chain.addNode({1, 2}), b = chain.addNode({1, 2}), c = chain.addNode({1, 2});
  ASSERT_TRUE(chain.addEdge(a, b, alike));
  ASSERT_TRUE(chain.addEdge(b, c, alike));
  chain.keepOnly(c, second);
  ASSERT_TRUE(chain.propagate(b));
  EXPECT_EQ(chain.valid(a), second);
  EXPECT_EQ(chain.valid(b), second);
  PathSets join;
  int left = join.addNode({1, 2}), right = join.addNode({1, 2}), reader = join.addNode({1, 2});
  ASSERT_TRUE(join.addEdge(left, reader, alike));
  ASSERT_TRUE(join.addEdge(right, reader, alike));
  join.keepOnly(right, second);
  ASSERT_TRUE(join.propagate(reader));
  EXPECT_EQ(join.valid(left), second);
  EXPECT_EQ(join.valid(reader), second);
}

// A config that is out cannot be set, and an edge takes no path from or to one.
TEST(Optimizer_3_3_7, ConfigsThatAreOutStayOut) {
  PathSets paths;
  int a = paths.addNode({8, 4}), b = paths.addNode({1, 2}), c = paths.addNode({1, 2});
  PathSets::Bitset first;
  first.set(0);
  paths.keepOnly(a, first);
  EXPECT_FALSE(paths.addEdge(a, b, {{1, 0}, {1, 1}})) << "all from a config that is out";
  EXPECT_EQ(paths.valid(b).count(), 2u);
  ASSERT_TRUE(paths.addEdge(a, b, {{0, 0}, {1, 1}}));
  EXPECT_EQ(paths.valid(b), first);
  EXPECT_FALSE(paths.addEdge(b, c, {{1, 0}}));
  ASSERT_TRUE(paths.addEdge(b, c, {{0, 1}, {1, 0}}));
  EXPECT_EQ(paths.maxCoreUsage(a), (std::vector<int64_t>{8 + 1 + 2, -1}));
  EXPECT_EQ(paths.maxCoreUsage(c), (std::vector<int64_t>{-1, 2}));
  EXPECT_FALSE(paths.set(b, 1));
  PathSets reader;
  a = reader.addNode({8, 4}), b = reader.addNode({1, 2});
  reader.keepOnly(b, first);
  EXPECT_FALSE(reader.addEdge(a, b, {{0, 1}, {1, 1}})) << "all to a config that is out";
  ASSERT_TRUE(reader.addEdge(a, b, {{0, 0}, {1, 1}}));
  EXPECT_EQ(reader.valid(a), first);
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

// --- forks and joins -------------------------------------------------------------------------------------------------

struct PathEdge {
  int producer, consumer;
  std::vector<ConfigPath> paths;
};

// What nodes are left with when nothing changes any more, and their core usage, from nodes, edges and bitsets alone.
struct CountedPaths {
  std::vector<std::vector<int64_t>> cores;
  std::vector<std::set<int32_t>> in;
  std::vector<PathEdge> edges;

  // False when somebody has none left.
  bool settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const PathEdge& edge : edges) {
        std::set<int32_t> from, to;
        for (const ConfigPath& path : edge.paths) {
          if (in[at(edge.producer)].count(path.producer) && in[at(edge.consumer)].count(path.consumer))
            from.insert(path.producer), to.insert(path.consumer);
        }
        if (from.empty()) return false;
        changed = changed || from != in[at(edge.producer)] || to != in[at(edge.consumer)];
        in[at(edge.producer)] = from, in[at(edge.consumer)] = to;
      }
    }
    return true;
  }
  std::vector<std::vector<int64_t>> usage() const {
    std::vector<std::vector<int64_t>> most(cores.size());
    for (size_t node = cores.size(); node-- > 0;) {
      most[node].assign(cores[node].size(), -1);
      for (int32_t config : in[node]) most[node][at(config)] = cores[node][at(config)] + below(node, config, most);
    }
    return most;
  }

 private:
  static size_t at(int index) { return static_cast<size_t>(index); }
  int64_t below(size_t node, int32_t config, const std::vector<std::vector<int64_t>>& most) const {
    int64_t best = 0;
    for (const PathEdge& edge : edges) {
      if (at(edge.producer) != node) continue;
      const auto shared = std::count_if(edges.begin(), edges.end(),
                                        [&](const PathEdge& other) { return other.consumer == edge.consumer; });
      for (const ConfigPath& path : edge.paths) {
        const bool open = path.producer == config && in[at(edge.consumer)].count(path.consumer) > 0;
        if (open) best = std::max(best, most[at(edge.consumer)][at(path.consumer)] / shared);
      }
    }
    return best;
  }
};

// Edges come one by one, configs are taken away, and any node is asked for in between.
TEST(PathSets, ForksAndJoinsAreThoseCountedAnew) {
  SplitMix64 random(23);
  int compared = 0, failed = 0;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    PathSets paths;
    CountedPaths counted;
    const int nodes = 3 + static_cast<int>(random.below(4));
    for (int i = 0; i < nodes; ++i) {
      std::vector<int64_t> cores(static_cast<size_t>(1 + random.below(5)));
      std::set<int32_t> all;
      for (size_t c = 0; c < cores.size(); ++c) cores[c] = 1 + random.below(64), all.insert(static_cast<int32_t>(c));
      counted.cores.push_back(cores);
      counted.in.push_back(all);
      ASSERT_EQ(paths.addNode(cores), i);
    }
    bool fine = true;
    const auto compare = [&] {
      const auto usage = counted.usage();
      for (int asked = 0; asked < 2; ++asked) {
        const auto node = static_cast<size_t>(random.below(nodes));
        ASSERT_EQ(paths.maxCoreUsage(static_cast<int>(node)), usage[node]);
        ++compared;
      }
    };
    for (int step = 0; step < 12 && fine; ++step) {
      const auto consumer = static_cast<int>(1 + random.below(nodes - 1)),
                 producer = static_cast<int>(random.below(consumer));
      if (random.oneIn(3)) {
        const auto config = static_cast<int32_t>(
            random.below(static_cast<int64_t>(counted.cores[static_cast<size_t>(consumer)].size())));
        auto& in = counted.in[static_cast<size_t>(consumer)];
        const bool known = in.count(config) > 0;
        if (known) in = {config};
        fine = known && counted.settle();
        ASSERT_EQ(paths.set(consumer, config), fine);
      } else {
        PathEdge edge{producer, consumer, {}};
        for (size_t p = 0; p < counted.cores[static_cast<size_t>(producer)].size(); ++p) {
          for (size_t c = 0; c < counted.cores[static_cast<size_t>(consumer)].size(); ++c)
            if (!random.oneIn(3)) edge.paths.push_back({static_cast<int32_t>(p), static_cast<int32_t>(c)});
        }
        counted.edges.push_back(edge);
        fine = counted.settle();
        ASSERT_EQ(
            paths.addEdge(producer, consumer, edge.paths) && paths.propagate(producer) && paths.propagate(consumer),
            fine);
      }
      failed += !fine;
      if (fine) compare();
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(failed, 50);
}

}  // namespace
}  // namespace tessera::test
