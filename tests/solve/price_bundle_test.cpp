// Prices of limited resources: the best bound, held against all corners of the least of the cuts.

#include "core/solve/price_bundle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tests/policy/random_graph.h"

namespace tessera::test {
namespace {

// A way to use the resources: what it costs, and its demand less the capacity.
struct Way {
  double cost = 0;
  std::vector<int64_t> excess;
};

double costAt(const Way& way, const std::vector<double>& prices) {
  double cost = way.cost;
  for (size_t r = 0; r < prices.size(); ++r) cost += static_cast<double>(way.excess[r]) * prices[r];
  return cost;
}

size_t cheapestAt(const std::vector<Way>& ways, const std::vector<double>& prices) {
  size_t least = 0;
  for (size_t k = 1; k < ways.size(); ++k)
    if (costAt(ways[k], prices) < costAt(ways[least], prices)) least = k;
  return least;
}

double boundAt(const std::vector<Way>& ways, const std::vector<double>& prices) {
  return costAt(ways[cheapestAt(ways, prices)], prices);
}

// Where the ways cost the same, by Gaussian elimination; nothing where that is no single point.
std::optional<std::vector<double>> levelPrices(const std::vector<std::vector<double>>& rows) {
  std::vector<std::vector<double>> a = rows;
  const size_t n = a.size();
  for (size_t c = 0; c < n; ++c) {
    size_t pivot = c;
    for (size_t r = c + 1; r < n; ++r)
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    if (std::abs(a[pivot][c]) < 1e-9) return {};
    std::swap(a[c], a[pivot]);
    for (size_t r = 0; r < n; ++r) {
      const double times = r == c ? 0 : a[r][c] / a[c][c];
      for (size_t k = c; k <= n; ++k) a[r][k] -= times * a[c][k];
    }
  }
  std::vector<double> x;
  for (size_t c = 0; c < n; ++c) x.push_back(a[c][n] / a[c][c]);
  return x;
}

// The largest bound over all prices >= 0 of one or two resources: it is at a corner, where a way costs as much as
// another for each resource that has a price.
double largestBound(const std::vector<Way>& ways) {
  const size_t resources = ways[0].excess.size();
  double best = boundAt(ways, std::vector<double>(resources, 0));
  const auto row = [&](size_t a, size_t b, const std::vector<size_t>& priced) {
    std::vector<double> out;
    for (size_t r : priced) out.push_back(static_cast<double>(ways[a].excess[r] - ways[b].excess[r]));
    out.push_back(ways[b].cost - ways[a].cost);
    return out;
  };
  const auto offer = [&](const std::vector<std::vector<double>>& rows, const std::vector<size_t>& priced) {
    const auto level = levelPrices(rows);
    if (!level) return;
    std::vector<double> prices(resources, 0);
    for (size_t i = 0; i < priced.size(); ++i) prices[priced[i]] = (*level)[i];
    if (std::any_of(prices.begin(), prices.end(), [](double price) { return price < 0; })) return;
    best = std::max(best, boundAt(ways, prices));
  };
  for (size_t a = 0; a < ways.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      for (size_t r = 0; r < resources; ++r) offer({row(a, b, {r})}, {r});
      for (size_t c = 0; resources == 2 && c < b; ++c) offer({row(a, b, {0, 1}), row(a, c, {0, 1})}, {0, 1});
    }
  }
  return best;
}

struct Climbed {
  double bound = 0;
  int rounds = 0;
  bool ended = false;  // the bundle promised no more
};

Climbed climb(const std::vector<Way>& ways, double enough, int mostRounds) {
  PriceBundle bundle(ways[0].excess.size());
  Climbed out;
  std::vector<int64_t> prices(ways[0].excess.size(), 0);
  for (; !prices.empty() && out.rounds < mostRounds; ++out.rounds) {
    for (int64_t price : prices) EXPECT_GE(price, 0);
    const std::vector<double> at(prices.begin(), prices.end());
    const Way& way = ways[cheapestAt(ways, at)];
    const double bound = costAt(way, at);
    out.bound = out.rounds == 0 ? bound : std::max(out.bound, bound);
    bundle.add(prices, bound, way.excess);
    EXPECT_EQ(boundAt(ways, std::vector<double>(bundle.best().begin(), bundle.best().end())), out.bound);
    const std::vector<double> best(bundle.best().begin(), bundle.best().end());
    EXPECT_EQ(bundle.excessAtBest(), ways[cheapestAt(ways, best)].excess);
    prices = bundle.next(enough, 1);
  }
  out.ended = prices.empty();
  return out;
}

// The cheaper a way, the more it takes; the last one takes little of everything.
std::vector<Way> randomWays(SplitMix64& random, size_t resources) {
  std::vector<Way> ways;
  const int64_t count = 2 + random.below(12);
  for (int64_t k = 0; k < count; ++k) {
    Way way;
    int64_t taken = 0;
    for (size_t r = 0; r < resources; ++r) {
      way.excess.push_back(random.below(400) - 150);
      taken += way.excess.back();
    }
    way.cost = static_cast<double>(50'000'000 - 60'000 * taken + random.below(20'000'000));
    ways.push_back(std::move(way));
  }
  ways.push_back({static_cast<double>(100'000'000 + random.below(50'000'000)), std::vector<int64_t>(resources, -160)});
  return ways;
}

TEST(PriceBundle, ReachesTheLargestBoundOfOneOrTwoResources) {
  int priced = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    const std::vector<Way> ways = randomWays(random, 1 + seed % 2);
    const double largest = largestBound(ways);
    const Climbed climbed = climb(ways, 2e8, 60);
    EXPECT_TRUE(climbed.ended) << "after " << climbed.rounds << " rounds";
    EXPECT_LE(climbed.bound, largest + 1e-6 * largest);
    // Prices are whole numbers: half of one is worth at most 125 of each resource.
    EXPECT_GE(climbed.bound, largest - 125.0 * static_cast<double>(ways[0].excess.size()) - 1);
    priced += largest > boundAt(ways, std::vector<double>(ways[0].excess.size(), 0));
  }
  EXPECT_GT(priced, 150);
}

// Two ways: the third bound is where they cost the same, and the fourth prices would promise nothing.
TEST(PriceBundle, TwoWaysAreLevelAfterThreeBounds) {
  const std::vector<Way> ways = {{1000, {40}}, {9000, {-60}}};
  const Climbed climbed = climb(ways, 1e6, 20);
  EXPECT_EQ(climbed.rounds, 3);
  EXPECT_TRUE(climbed.ended);
  EXPECT_EQ(climbed.bound, 1000 + 40 * 80);
}

TEST(PriceBundle, WhatIsNotShortGetsNoPrice) {
  PriceBundle enough(2);
  enough.add({0, 0}, 500, {-1, 0});
  EXPECT_TRUE(enough.next(1000, 1).empty());
  PriceBundle one(3);
  one.add({0, 0, 0}, 500, {-1, 10, 0});
  EXPECT_EQ(one.next(1000, 1), (std::vector<int64_t>{0, 50, 0})) << "as far as the one cut promises what is enough";
}

// Planes that touch a smooth concave function, steeper for one resource than for another: more cuts than are kept.
TEST(PriceBundle, KeepsClimbingWhenCutsAreDropped) {
  constexpr size_t kResources = 24;
  const auto steep = [](size_t r) { return std::pow(3.0, static_cast<double>(r % 5)); };
  const auto top = [](size_t r) { return r % 4 == 3 ? 0.0 : 1000.0 * static_cast<double>(r + 1); };
  PriceBundle bundle(kResources);
  std::vector<int64_t> prices(kResources, 0);
  double best = -1e300, first = 0;
  int rounds = 0;
  for (; rounds < 400 && !prices.empty(); ++rounds) {
    double bound = 1e10;
    std::vector<int64_t> excess;
    for (size_t r = 0; r < kResources; ++r) {
      const double off = static_cast<double>(prices[r]) - top(r);
      bound -= steep(r) * off * off;
      excess.push_back(static_cast<int64_t>(-2 * steep(r) * off));
    }
    if (rounds == 0) first = bound;
    best = std::max(best, bound);
    bundle.add(prices, bound, excess);
    prices = bundle.next(2e10, 1);
  }
  EXPECT_GT(rounds, 60);
  EXPECT_GT(best, 1e10 - 1e-6 * (1e10 - first));
}

}  // namespace
}  // namespace tessera::test
