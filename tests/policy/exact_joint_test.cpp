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

JointResult priced(ExactSearch& search, PolicyRun& run, int32_t rounds = 60, Cost upper = kForbidden) {
  const SelectionResult& chosen = search.layouts();
  return solveJoint(
      search.choices(), run.memory.exact, search.moves(), search.order(), readAssignment(search.costs(), chosen.values),
      chosen.cost, upper,
      {.capacity = run.problem->budget.bytes().count, .rounds = rounds, .budget = WorkBudget(10'000'000)});
}

// Graphs of which an assignment cannot be made to fit and would be the fastest if it were.
TEST(ExactJoint, OnlyAPlanThatFitsIsAnUpperBound) {
  for (const auto& [seed, cap] : {std::pair{3u, 80}, {5u, 20}, {15u, 160}, {36u, 20}}) {
    SCOPED_TRACE(std::to_string(seed) + " cap " + std::to_string(cap));
    const auto run = runOn(graphOf(randomGraphText(seed)), "DRAM", {.l1UsageCapPermille = cap});
    const std::vector<Plan> none;
    ExactSearch search(*run->problem, none, run->memory.exact);
    ASSERT_TRUE(search.layouts().feasible && search.tree());
    const JointResult made = priced(search, *run);
    ASSERT_TRUE(made.plan.has_value());
    EXPECT_TRUE(checkPlan(*run->problem, *made.plan).empty());
    EXPECT_EQ(made.upper, planTime(*run->problem, *made.plan, search.moves()));
    EXPECT_EQ(made.steps.back().upper, made.upper);
    EXPECT_GE(made.lower, search.layouts().cost) << "without prices the bound is that of the layouts";
    EXPECT_LE(made.lower, made.upper);
    const JointResult known = priced(search, *run, 60, made.upper);
    EXPECT_FALSE(known.plan.has_value()) << "no better one is there";
    EXPECT_EQ(known.upper, made.upper);
  }
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

// What an assignment costs at other prices, counted from its bytes of L1, is no less than the optimum there: so its
// bytes say how the bound changes with the prices.
TEST(ExactJoint, AnAssignmentIsNowhereBelowTheBound) {
  int priced = 0;
  for (uint64_t seed = 1; seed <= (smallTests() ? 3 : 12); ++seed) {
    SCOPED_TRACE(seed);
    const Model model = randomModel(seed, {.l1UsageCapPermille = 150, .maxLegalLayouts = 3});
    if (!model.search->layouts().feasible || !model.search->tree()) continue;
    SplitMix64 random(seed);
    struct Line {
      Cost bound = 0;
      L1Prices prices;
      std::vector<int64_t> usage;
    };
    std::vector<Line> lines;
    for (int round = 0; round < 8; ++round) {
      const L1Prices prices = somePrices(model, random);
      const LayoutCosts costs(model.search->choices(), model.search->moves(), &prices);
      EliminationTree tree(layoutGraph(costs, model.run->memory.exact), model.search->order());
      const EliminationSolution best = tree.solve();
      lines.push_back({best.cost, prices, l1Usage(costs, readAssignment(costs, best.values))});
    }
    const auto price = [](const L1Prices& prices, size_t t) { return prices.upTo[t + 1] - prices.upTo[t]; };
    for (const Line& from : lines) {
      for (const Line& at : lines) {
        Cost there = from.bound;
        for (size_t t = 0; t < from.usage.size(); ++t)
          there += (price(at.prices, t) - price(from.prices, t)) * from.usage[t];
        EXPECT_GE(there, at.bound);
        priced += there > at.bound;
      }
    }
  }
  EXPECT_GT(priced, 20);
}

// Of a net of which one step at most is short, against prices of that step in small steps.
TEST(ExactJoint, NoPriceOfTheOneShortStepGivesABetterBound) {
  int raised = 0;
  for (uint64_t seed = 1; seed <= (smallTests() ? 40 : 60); ++seed) {
    SCOPED_TRACE(seed);
    const Model model = randomModel(seed, {.l1UsageCapPermille = 300, .maxLegalLayouts = 3});
    const SelectionResult& chosen = model.search->layouts();
    if (!chosen.feasible || !model.search->tree()) continue;
    const JointResult made = priced(*model.search, *model.run);
    const int64_t capacity = model.run->problem->budget.bytes().count;
    const auto steps = static_cast<size_t>(model.run->problem->schedule.steps());
    const auto boundAt = [&](const std::vector<int64_t>& price, std::vector<int64_t>& usage) {
      const L1Prices prices = pricesOf(price);
      const LayoutCosts costs(model.search->choices(), model.search->moves(), &prices);
      EliminationTree tree(layoutGraph(costs, model.run->memory.exact), model.search->order());
      const EliminationSolution best = tree.solve();
      usage = l1Usage(costs, readAssignment(costs, best.values));
      return ceilShift(best.cost - prices.upTo.back() * capacity, prices.shift);
    };
    std::vector<int64_t> price(steps, 0), usage;
    boundAt(price, usage);
    size_t scarce = steps;
    for (size_t t = 0; t < steps; ++t)
      if (usage[t] > capacity) scarce = scarce == steps ? t : steps + 1;
    if (scarce >= steps) continue;
    bool alone = true;
    Cost best = chosen.cost;
    for (int64_t each = 1; each < (int64_t{1} << 24); each += 1 + each / 6) {
      price[scarce] = each;
      best = std::max(best, boundAt(price, usage));
      for (size_t t = 0; t < steps; ++t) alone = alone && (t == scarce || usage[t] <= capacity);
    }
    if (!alone) continue;
    EXPECT_GE(made.lower, std::min(best, made.upper));
    raised += made.lower > chosen.cost;
  }
  EXPECT_GE(raised, smallTests() ? 1 : 3);
}

// Where the prices of a step rise and fall again, the same few assignments come back; a plan is made of each once.
TEST(ExactJoint, APlanIsMadeOfAnAssignmentOnce) {
  int64_t rounds = 0, realized = 0, unchanged = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const Model model = randomModel(seed, {.l1UsageCapPermille = 150, .maxLegalLayouts = 3});
    if (!model.search->layouts().feasible || !model.search->tree()) continue;
    const JointResult made = priced(*model.search, *model.run);
    EXPECT_LE(made.realized, made.rounds);
    rounds += made.rounds;
    realized += made.realized;
    // Prices worth 2 ns change nothing, and of the optimum without prices plans were made before.
    const JointResult same = priced(*model.search, *model.run, 1, model.search->layouts().cost + 2);
    EXPECT_EQ(same.realized, 0);
    unchanged += same.rounds;
  }
  EXPECT_GT(unchanged, 0);
  EXPECT_GT(rounds, realized);
  EXPECT_GT(realized, 0);
}

}  // namespace
}  // namespace tessera::test
