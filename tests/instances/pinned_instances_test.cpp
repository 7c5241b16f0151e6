// The contest's solver on random instances, whole: values, bounds, what it told on its way.

#include <gtest/gtest.h>

#include "core/instances/iopddl.h"
#include "core/instances/iopddl_search.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_instances");

IopddlProblem instanceOf(uint64_t seed) {
  Prng random(seed + 900);
  IopddlProblem problem;
  const int nodes = static_cast<int>(8 + random.below(20));
  for (int v = 0; v < nodes; ++v) {
    const int64_t begin = random.below(12);
    IopddlProblem::Node node{.begin = begin, .end = begin + 1 + random.below(6), .usages = {}};
    std::vector<Cost> costs;
    for (int64_t s = 1 + random.below(4); s > 0; --s) {
      node.usages.push_back(random.below(10));
      costs.push_back(random.below(15) == 0 ? kForbidden : random.below(20));
    }
    problem.nodes.push_back(node);
    problem.costs.addVariable(costs);
  }
  for (int64_t e = nodes + random.below(nodes); e > 0; --e) {
    const int a = static_cast<int>(random.below(nodes));
    const int b = (a + 1 + static_cast<int>(random.below(nodes - 1))) % nodes;
    std::vector<Cost> table(static_cast<size_t>(problem.costs.domain(a) * problem.costs.domain(b)));
    for (Cost& cost : table) cost = random.below(30) == 0 ? kForbidden : random.below(20);
    problem.costs.addFactor({a, b}, table);
  }
  problem.usageLimit = 12 + random.below(20);
  return problem;
}

TEST(PinnedInstances, SolverAnswersAreAsTheyWere) {
  for (uint64_t group = 0; group < 4; ++group) {
    Fingerprint print;
    Cost costs = 0, bounds = 0;
    for (uint64_t seed = group * 12; seed < group * 12 + 12; ++seed) {
      const IopddlProblem problem = instanceOf(seed);
      IopddlOptions options{.budget = WorkBudget(60'000), .seed = seed};
      options.progress = [&](Cost cost, Cost bound) { print.add(cost), print.add(bound); };
      const IopddlResult result = solveIopddl(problem, options);
      for (const int value : result.values) print.add(int64_t{value});
      print.add(result.cost), print.add(result.lowerBound), print.add(result.rounds);
      costs += result.feasible ? result.cost : 0, bounds += isForbidden(result.lowerBound) ? 0 : result.lowerBound;
    }
    pins.expect("instances " + std::to_string(group),
                "cost " + std::to_string(costs) + ", bound " + std::to_string(bounds) + ", print " + digits(print));
  }
}

// Every step of the search from a drawn assignment.
TEST(PinnedInstances, SearchStepsAreAsTheyWere) {
  Fingerprint print;
  Cost sum = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const IopddlProblem problem = instanceOf(seed);
    Prng random(seed);
    std::vector<int> values;
    for (size_t v = 0; v < problem.nodes.size(); ++v)
      values.push_back(static_cast<int>(random.below(problem.costs.domain(static_cast<int>(v)))));
    IopddlSearch search(problem);
    search.assign(values);
    WorkBudget budget(100'000);
    print.add(int64_t{search.repair(budget)});
    const auto tell = [&] {
      for (const int value : search.values()) print.add(int64_t{value});
      print.add(search.cost());
      EXPECT_EQ(search.overloaded() ? kForbidden : search.cost(), evaluateIopddl(problem, search.values()));
    };
    tell();
    search.improve(3, budget);
    tell();
    const size_t mark = search.mark();
    const auto near = search.neighbourhood(static_cast<int>(seed % problem.nodes.size()), 6);
    for (const int node : near) print.add(int64_t{node});
    std::vector<std::vector<Cost>> price;
    for (const int node : near) {
      price.emplace_back();
      for (int x = 0; x < problem.costs.domain(node); ++x) price.back().push_back(random.below(6));
    }
    std::vector<int> part;
    if (search.solvePart(near, price, part, budget)) {
      for (size_t i = 0; i < near.size(); ++i) search.move(near[i], part[i]);
    }
    search.improveAround(mark, budget);
    tell();
    sum += isForbidden(search.cost()) ? 0 : search.cost();
    search.undo(mark);
    tell();
    print.add(budget.left());
  }
  pins.expect("search", "cost " + std::to_string(sum) + ", print " + digits(print));
}

}  // namespace
}  // namespace tessera::test
