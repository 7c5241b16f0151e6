// Layouts and L1 together: only a plan that fits is an upper bound.

#include <map>

#include "core/plan/check_plan.h"
#include "core/plan/plan_json.h"
#include "core/policy/exact/layout_tables.h"
#include "core/policy/kit/plan_time.h"
#include "tests/policy/exact_model.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// The first round, without prices, takes the assignment of the layouts' optimum. Where nothing makes it fit there is no
// plan, and what is known of the best time stays as it was.
TEST(ExactJoint, APlanThatDoesNotFitIsNoUpperBound) {
  int without = 0, with = 0;
  for (const uint32_t seed : {3u, 5u, 15u}) {
    for (const int32_t cap : {10, 20, 40}) {
      SCOPED_TRACE(std::to_string(seed) + " cap " + std::to_string(cap));
      const auto run = runOn(graphOf(randomGraphText(seed)), "DRAM", {.l1UsageCapPermille = cap});
      const std::vector<Plan> none;
      ExactSearch search(*run->problem, none, run->memory.exact);
      const SelectionResult& chosen = search.layouts();
      if (!chosen.feasible || !search.tree()) continue;
      const LayoutAssignment wanted = readAssignment(search.costs(), chosen.values);
      bool fits = false;
      Cost least = kForbidden;
      for (const bool prefer : {true, false}) {
        const Realized one =
            realize(search.costs(), wanted, movesOf(search.costs(), wanted), {.preferOtherCandidates = prefer});
        fits = fits || one.fits;
        if (one.fits) least = std::min(least, planTime(*run->problem, one.plan, search.moves()));
      }
      const JointResult made =
          solveJoint(search.choices(), run->memory.exact, search.moves(), search.order(), 0, kForbidden,
                     {.capacity = run->problem->budget.bytes().count, .rounds = 1, .budget = WorkBudget(10'000'000)});
      EXPECT_EQ(made.rounds, 1);
      EXPECT_EQ(made.plan.has_value(), fits);
      EXPECT_EQ(made.upper, least) << "of two ways to make it fit the faster";
      EXPECT_EQ(made.steps.back().upper, made.upper);
      EXPECT_EQ(made.lower, chosen.lowerBound) << "without prices the bound is that of the layouts";
      if (made.plan) EXPECT_TRUE(checkPlan(*run->problem, *made.plan).empty());
      (fits ? with : without) += 1;
    }
  }
  EXPECT_GT(with, 0);
  EXPECT_GT(without, 0);
}

// Prices of some steps in a row, of all or of none.
L1Prices somePrices(const Model& model, SplitMix64& random) {
  const int64_t steps = model.run->problem->schedule.steps(), first = random.below(steps);
  const int64_t last = random.oneIn(4) ? first - 1 : random.oneIn(4) ? steps : first + random.below(3);
  std::vector<int64_t> price;
  for (int64_t t = 0; t < steps; ++t) price.push_back(t >= first && t <= last ? random.below(3000) : 0);
  return pricesOf(price);
}

void expectRepriced(const Model& model, uint64_t seed, int64_t& kept, int64_t& made) {
  RepricedGraph graph(model.run->memory.exact);
  SplitMix64 random(seed);
  FactorGraph before;
  for (int round = 0; round < 10; ++round) {
    const L1Prices prices = somePrices(model, random);
    const LayoutCosts costs(model.search->choices(), model.search->moves(), &prices);
    const FactorGraph& now = graph.at(costs);
    const FactorGraph fresh = layoutGraph(costs, model.run->memory.exact);
    ASSERT_EQ(now.variableCount(), fresh.variableCount());
    ASSERT_EQ(now.factorCount(), fresh.factorCount());
    for (int v = 0; v < fresh.variableCount(); ++v) EXPECT_EQ(now.unary(v), fresh.unary(v)) << "variable " << v;
    for (int f = 0; f < fresh.factorCount(); ++f) {
      const std::vector<Cost>&is = now.factor(f).table, &wanted = fresh.factor(f).table;
      EXPECT_EQ(is, wanted) << "round " << round << " table " << f;
      if (round > 0) (now.factor(f).table.same(before.factor(f).table) ? kept : made) += 1;
    }
    before = now;
  }
}

TEST(ExactJoint, TablesAtOtherPricesAreThoseOfAGraphMadeAnew) {
  int64_t kept = 0, made = 0;
  for (uint64_t seed = 1; seed <= (smallTests() ? 3 : 12); ++seed) {
    SCOPED_TRACE(seed);
    expectRepriced(randomModel(seed, {.maxLegalLayouts = 3}), seed, kept, made);
  }
  expectRepriced(Model(graphOf(manyRead(8)), {.maxLegalLayouts = 4}), 1, kept, made);
  EXPECT_GT(kept, made);
  EXPECT_GT(made, 0);
}

// The key says all that matters to the plan: at other prices or with other values the plan differs only where it does.
TEST(ExactJoint, AssignmentsWithOneKeyAreMadeToFitAlike) {
  int64_t again = 0, keys = 0;
  for (uint64_t seed = 1; seed <= (smallTests() ? 3 : 12); ++seed) {
    SCOPED_TRACE(seed);
    const Model model = randomModel(seed, {.l1UsageCapPermille = 150, .maxLegalLayouts = 3});
    const SelectionResult& best = model.search->layouts();
    if (!best.feasible) continue;
    SplitMix64 random(seed);
    std::map<Key, std::string> plans;
    for (int round = 0; round < 60; ++round) {
      const L1Prices prices = somePrices(model, random);
      const LayoutCosts costs(model.search->choices(), model.search->moves(), &prices);
      std::vector<int> values = best.values;
      const auto v = static_cast<size_t>(random.below(static_cast<int64_t>(values.size())));
      if (random.oneIn(2))
        values[v] = static_cast<int>(random.below(model.search->graph().domain(static_cast<int>(v))));
      const LayoutAssignment wanted = readAssignment(costs, values);
      const std::vector<LayoutMove> moves = movesOf(costs, wanted);
      const std::string plan = planJson(*model.run->problem, realize(costs, wanted, moves, {}).plan, "", "{}");
      const auto [known, isNew] = plans.emplace(keyOf(wanted, moves), plan);
      EXPECT_EQ(known->second, plan);
      (isNew ? keys : again) += 1;
    }
  }
  EXPECT_GT(again, 0);
  EXPECT_GT(keys, 0);
}

// Where the prices of a step rise and fall again, the same few assignments come back; a plan is made of each once.
TEST(ExactJoint, APlanIsMadeOfAnAssignmentOnce) {
  int64_t rounds = 0, realized = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const Model model = randomModel(seed, {.l1UsageCapPermille = 150, .maxLegalLayouts = 3});
    if (!model.search->layouts().feasible || !model.search->tree()) continue;
    const JointResult made = solveJoint(
        model.search->choices(), model.run->memory.exact, model.search->moves(), model.search->order(), 0, kForbidden,
        {.capacity = model.run->problem->budget.bytes().count, .budget = WorkBudget(10'000'000)});
    EXPECT_GE(made.realized, 1);
    rounds += made.rounds;
    realized += made.realized;
  }
  EXPECT_GT(rounds, 4 * realized);
}

}  // namespace
}  // namespace tessera::test
