// Bucket elimination against enumeration, against itself after edits, and on hard shapes.

#include "core/solve/selection/elimination_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "core/solve/selection/dominance.h"
#include "tests/sizes.h"
#include "tests/solve/random_model.h"

namespace tessera {
namespace {

using testing_selection::bruteForce;
using testing_selection::randomModel;
using testing_selection::RandomSpec;

constexpr OrderKind kKinds[] = {OrderKind::MinFill, OrderKind::MinTable, OrderKind::Rounds};

RandomSpec tinySpec(uint64_t seed) {
  Prng random(seed * 77 + 1);
  return {.variables = static_cast<int>(1 + random.below(7)),
          .domain = static_cast<int>(1 + random.below(4)),
          .factors = static_cast<int>(random.below(9)),
          .arity = static_cast<int>(2 + random.below(3)),
          .maxCost = random.below(2) ? 3 : 1000,
          .forbiddenPercent = static_cast<int>(random.below(4) * 12)};
}

TEST(EliminationTree, EqualsBruteForce) {
  int infeasible = 0;
  for (uint64_t seed = 0; seed < 10'000; ++seed) {
    const FactorGraph model = randomModel(seed, tinySpec(seed));
    const Cost best = bruteForce(model);
    const OrderKind kind = kKinds[seed % 3];
    const EliminationSolution found = EliminationTree(model, eliminationOrder(model, kind, kMaxCells)).solve();
    ASSERT_EQ(found.cost, best) << "seed " << seed;
    ASSERT_EQ(found.feasible, !isForbidden(best)) << "seed " << seed;
    infeasible += !found.feasible;
    if (found.feasible) {
      ASSERT_EQ(model.evaluate(found.values), best) << "seed " << seed;
    }
  }
  EXPECT_GT(infeasible, 100);  // the generator must reach both kinds
  EXPECT_LT(infeasible, 9000);
}

// However many tables and messages forbid a value at once, their sum stays forbidden.
TEST(EliminationTree, ManyForbiddenPartsStayForbidden) {
  for (int leaves = 1; leaves <= 20; ++leaves) {
    for (const Cost other : {Cost{7}, kForbidden}) {
      FactorGraph model;
      const int centre = model.addVariable({kForbidden, other});
      for (int i = 0; i < leaves; ++i)
        model.addFactor({centre, model.addVariable({0, 0})}, {kForbidden, kForbidden, 1, 1});
      for (const OrderKind kind : kKinds) {
        EliminationTree tree(model, eliminationOrder(model, kind, kMaxCells));
        EXPECT_EQ(tree.solve().cost, isForbidden(other) ? kForbidden : other + leaves) << leaves;
        const std::vector<std::vector<Cost>> marginals = tree.minMarginals().costs;
        EXPECT_EQ(marginals[static_cast<size_t>(centre)][0], kForbidden) << leaves;
        EXPECT_EQ(tree.costWithUnary(centre, {kForbidden, kForbidden}), kForbidden) << leaves;
      }
    }
  }
}

TEST(EliminationTree, MinMarginalsEqualForcedBruteForce) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    const FactorGraph model = randomModel(seed, tinySpec(seed));
    EliminationTree tree(model, eliminationOrder(model, kKinds[seed % 3], kMaxCells));
    const std::vector<std::vector<Cost>> marginals = tree.minMarginals().costs;
    for (int v = 0; v < model.variableCount(); ++v)
      for (int x = 0; x < model.domain(v); ++x)
        ASSERT_EQ(marginals[static_cast<size_t>(v)][static_cast<size_t>(x)], bruteForce(model, v, x))
            << "seed " << seed << " " << v << "=" << x;
  }
}

// By the definition: of all variables left the one with the fewest pairs of neighbours to connect, then the smallest
// table, then the first.
std::vector<int> orderByFill(const FactorGraph& model) {
  const auto n = static_cast<size_t>(model.variableCount());
  std::vector<std::set<size_t>> near(n);
  const auto varies = [&](int v) { return model.domain(v) > 1; };
  for (const Factor& factor : model.factors())
    for (int a : factor.scope)
      for (int b : factor.scope)
        if (a != b && varies(a) && varies(b)) near[static_cast<size_t>(a)].insert(static_cast<size_t>(b));
  std::set<size_t> left;
  for (size_t v = 0; v < n; ++v) left.insert(v);
  std::vector<int> order;
  while (!left.empty()) {
    std::tuple<int64_t, int64_t, size_t> best{INT64_MAX, 0, 0};
    for (size_t v : left) {
      int64_t fill = 0, cells = model.domain(static_cast<int>(v));
      for (size_t a : near[v]) {
        cells *= model.domain(static_cast<int>(a));
        for (size_t b : near[v]) fill += a < b && !near[a].count(b);
      }
      best = std::min(best, {fill, cells, v});
    }
    const size_t v = std::get<2>(best);
    for (size_t a : near[v]) {
      near[a].erase(v);
      for (size_t b : near[v])
        if (a != b) near[a].insert(b);
    }
    left.erase(v);
    order.push_back(static_cast<int>(v));
  }
  return order;
}

TEST(EliminationOrder, FillIsWhatTheDefinitionSays) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const RandomSpec spec{
        .variables = 40, .domain = 3, .factors = 60, .arity = 3, .window = 4 + static_cast<int>(seed) % 9};
    const FactorGraph model = randomModel(seed, spec);
    ASSERT_EQ(eliminationOrder(model, OrderKind::MinFill, kMaxCells).variables, orderByFill(model)) << "seed " << seed;
  }
}

TEST(EliminationTree, DominanceKeepsTheOptimum) {
  int64_t removed = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const FactorGraph model = randomModel(seed, tinySpec(seed));
    WorkBudget budget;
    const ReducedModel reduced = removeDominated(model, budget);
    removed += reduced.removed;
    ASSERT_EQ(bruteForce(reduced.model), bruteForce(model)) << "seed " << seed;
  }
  EXPECT_GT(removed, 1000);
}

TEST(EliminationTree, EditsEqualFullSolves) {
  for (uint64_t seed = 0; seed < test::seeds(14); ++seed) {
    RandomSpec spec{
        .variables = 60, .domain = 4, .factors = 75, .arity = 3, .maxCost = 50, .forbiddenPercent = 3, .window = 6};
    FactorGraph model = randomModel(seed, spec);
    const EliminationOrder order = chooseOrder(model, kMaxCells);
    EliminationTree tree(model, order), follower(model, order);
    tree.solve();
    ASSERT_TRUE(follower.hasShapeOf(model));
    Prng random(seed);
    std::vector<int> forced(60, -1);
    for (int edit = 0; edit < 300; ++edit) {
      const int v = static_cast<int>(random.below(60));
      if (random.below(3) == 0) {
        forced[static_cast<size_t>(v)] = static_cast<int>(random.below(model.domain(v) + 1)) - 1;
        tree.force(v, forced[static_cast<size_t>(v)]);
        follower.force(v, forced[static_cast<size_t>(v)]);
      } else if (random.below(2) == 0 && model.factorCount() > 0) {
        const int f = static_cast<int>(random.below(model.factorCount()));
        std::vector<Cost> table = model.factor(f).table;
        for (Cost& cost : table) cost = testing_selection::randomCost(random, spec);
        model.setFactorTable(f, table);
        tree.setFactorTable(f, table);
      } else {
        std::vector<Cost> costs = model.unary(v);
        for (Cost& cost : costs) cost = testing_selection::randomCost(random, spec);
        model.setUnary(v, costs);
        tree.setUnary(v, costs);
      }
      EliminationTree fresh(model, order);
      for (int u = 0; u < 60; ++u) fresh.force(u, forced[static_cast<size_t>(u)]);
      const EliminationSolution slow = fresh.solve();
      const EliminationSolution fast = tree.solve();
      ASSERT_EQ(fast.cost, slow.cost) << "seed " << seed << " edit " << edit;
      ASSERT_EQ(fast.values, slow.values) << "seed " << seed << " edit " << edit;
      ASSERT_LE(fast.bucketsComputed, order.depth);
      if (edit % 4 > 0) continue;  // it takes over several edits at once
      follower.update(model);
      ASSERT_EQ(follower.solve().values, slow.values) << "seed " << seed << " edit " << edit;
    }
    model.addVariable({0});
    EXPECT_FALSE(follower.hasShapeOf(model));
  }
}

// The shape is that of the variables and of what each table is about.
TEST(EliminationTree, TablesOfOtherVariablesAreAnotherShape) {
  const auto model = [](const std::vector<int>& scope, int variables = 3) {
    FactorGraph made;
    for (int v = 0; v < variables; ++v) made.addVariable({0, 1});
    made.addFactor(scope, std::vector<Cost>{0, 1, 2, 3});
    return made;
  };
  const EliminationTree tree(model({0, 1}), chooseOrder(model({0, 1}), kMaxCells));
  EXPECT_TRUE(tree.hasShapeOf(model({0, 1})));
  EXPECT_FALSE(tree.hasShapeOf(model({1, 2})));
  EXPECT_FALSE(tree.hasShapeOf(model({1, 0})));
  EXPECT_FALSE(tree.hasShapeOf(model({0, 1}, 4)));
}

void expectMarginals(const std::vector<std::vector<Cost>>& known, const std::vector<std::vector<Cost>>& fresh) {
  ASSERT_EQ(known.size(), fresh.size());
  for (size_t v = 0; v < fresh.size(); ++v) ASSERT_EQ(known[v], fresh[v]) << "variable " << v;
}

// A model with another number of values for one variable. Tables that do not mention it stay the very same.
FactorGraph resized(const FactorGraph& model, int variable, int64_t domain, Prng& random, const RandomSpec& spec) {
  FactorGraph out;
  const auto costs = [&](size_t count) {
    std::vector<Cost> made(count);
    for (Cost& cost : made) cost = testing_selection::randomCost(random, spec);
    return made;
  };
  for (int v = 0; v < model.variableCount(); ++v)
    out.addVariable(v == variable ? costs(static_cast<size_t>(domain)) : model.unary(v));
  for (const Factor& factor : model.factors()) {
    size_t cells = 1;
    for (int v : factor.scope) cells *= static_cast<size_t>(out.domain(v));
    const bool changed = std::find(factor.scope.begin(), factor.scope.end(), variable) != factor.scope.end();
    out.addFactor(factor.scope, changed ? CostTable(costs(cells)) : factor.table);
  }
  return out;
}

// A tree that takes over what stays the same of the tree of a similar model answers as one that computes everything.
TEST(EliminationTree, TreesOfSimilarModelsEqualThoseFromScratch) {
  int64_t computed = 0, projected = 0, all = 0;
  for (uint64_t seed = 0; seed < test::seeds(30); ++seed) {
    const RandomSpec spec{.variables = 40,
                          .domain = 4,
                          .factors = 44,
                          .arity = 3,
                          .maxCost = 50,
                          .forbiddenPercent = seed % 3 == 0 ? 12 : 3,
                          .window = 5};
    FactorGraph model = randomModel(seed, spec);
    Prng random(seed);
    std::optional<EliminationTree> tree(std::in_place, model, chooseOrder(model, kMaxCells));
    for (int edit = 0; edit < 40; ++edit) {
      if (random.below(2)) tree->minMarginals();
      if (random.below(4) == 0) tree->force(static_cast<int>(random.below(40)), 0);
      for (int64_t more = random.below(2); more >= 0; --more)
        model = resized(model, static_cast<int>(random.below(40)), 1 + random.below(5), random, spec);
      const EliminationOrder order = chooseOrder(model, kMaxCells, random.below(8) ? 2 : 64);
      EliminationTree fresh(model, order), next(model, order, &*tree);
      tree.emplace(std::move(next));
      const EliminationSolution slow = fresh.solve(), fast = tree->solve();
      ASSERT_EQ(fast.cost, slow.cost) << "seed " << seed << " edit " << edit;
      ASSERT_EQ(fast.values, slow.values) << "seed " << seed << " edit " << edit;
      computed += fast.bucketsComputed;
      all += model.variableCount();
      if (edit % 3 == 0) continue;  // the next tree takes over from one without new marginals
      const MinMarginals marginals = tree->minMarginals();
      projected += marginals.bucketsProjected;
      ASSERT_EQ(marginals.costs, fresh.minMarginals().costs) << "seed " << seed << " edit " << edit;
    }
  }
  EXPECT_LT(computed, all / 2);
  EXPECT_LT(projected, all / 2);
}

std::vector<Cost> higherOf(std::vector<Cost> costs, const std::vector<Cost>& others) {
  for (size_t i = 0; i < costs.size(); ++i) costs[i] = std::max(costs[i], others[i]);
  return costs;
}

// What a tree answers after changes, tried costs among them, is what a tree built from the changed model answers.
TEST(EliminationTree, MarginalsAfterEditsEqualThoseFromScratch) {
  int64_t projected = 0, all = 0;
  for (uint64_t seed = 0; seed < test::seeds(30); ++seed) {
    RandomSpec spec{.variables = 40,
                    .domain = 4,
                    .factors = 44,
                    .arity = 3,
                    .maxCost = 50,
                    .forbiddenPercent = seed % 3 == 0 ? 12 : 3,
                    .window = 5};
    FactorGraph model = randomModel(seed, spec);
    const EliminationOrder order = chooseOrder(model, kMaxCells, seed % 2 ? 2 : 64);
    EliminationTree tree(model, order);
    Prng random(seed);
    for (int edit = 0; edit < 40; ++edit) {
      const int v = static_cast<int>(random.below(40));
      const int f = static_cast<int>(random.below(model.factorCount()));
      std::vector<Cost> costs = model.unary(v);
      for (Cost& cost : costs) cost = testing_selection::randomCost(random, spec);
      std::vector<Cost> table = model.factor(f).table;
      for (Cost& cost : table) cost = testing_selection::randomCost(random, spec);
      FactorGraph other = model;
      const std::vector<Cost> dearer = higherOf(model.unary(v), costs);
      other.setUnary(v, dearer);
      ASSERT_EQ(tree.costWithUnary(v, dearer), EliminationTree(other, order).solve().cost) << "seed " << seed;
      other = model;
      const std::vector<Cost> dearerTable = higherOf(model.factor(f).table, table);
      other.setFactorTable(f, dearerTable);
      ASSERT_EQ(tree.costWithTable(f, dearerTable), EliminationTree(other, order).solve().cost) << "seed " << seed;
      if (edit % 3 == 0) model.setUnary(v, costs);
      else if (edit % 3 == 1) model.setFactorTable(f, table);
      tree.update(model);
      EliminationTree fresh(model, order);
      SCOPED_TRACE("seed " + std::to_string(seed) + " edit " + std::to_string(edit));
      const MinMarginals known = tree.minMarginals(), anew = fresh.minMarginals();
      ASSERT_NO_FATAL_FAILURE(expectMarginals(known.costs, anew.costs));
      ASSERT_EQ(tree.solve().values, fresh.solve().values);
      if (edit % 3 == 2) EXPECT_EQ(known.bucketsProjected, 0);
      if (edit > 0) projected += known.bucketsProjected;
      if (edit > 0) all += model.variableCount();
      ASSERT_EQ(anew.bucketsProjected, model.variableCount());
    }
  }
  EXPECT_LT(projected * 2, all);
}

// In a long chain an edit is felt a few variables away only: what lies beyond gets dearer by one cost.
TEST(EliminationTree, AnEditProjectsItsNeighbourhood) {
  FactorGraph model;
  for (int v = 0; v < 1000; ++v) model.addVariable({0, v % 3, 5, v % 7});
  for (int v = 0; v + 1 < 1000; ++v) model.addFactor({v, v + 1}, {0, 9, 9, 9, 9, 0, 9, 9, 9, 9, 0, 9, 9, 9, 9, 0});
  const EliminationOrder order = chooseOrder(model, kMaxCells, 64);
  EliminationTree tree(model, order);
  EXPECT_EQ(tree.minMarginals().bucketsProjected, 1000);
  tree.setUnary(500, {40, 0, 5, 2});
  const int64_t projected = tree.minMarginals().bucketsProjected;
  EXPECT_GT(projected, 0);
  EXPECT_LT(projected, 60);
  model.setUnary(500, {40, 0, 5, 2});
  EliminationTree fresh(model, order);
  EXPECT_EQ(tree.minMarginals().costs, fresh.minMarginals().costs);
}

// A chain's elimination tree by rounds is flat: one edit touches few tables.
TEST(EliminationTree, RoundsKeepChainsFlat) {
  FactorGraph model;
  for (int v = 0; v < 1000; ++v) model.addVariable({0, v % 3, 5, v % 7});
  for (int v = 0; v + 1 < 1000; ++v) model.addFactor({v, v + 1}, {0, 9, 9, 9, 9, 0, 9, 9, 9, 9, 0, 9, 9, 9, 9, 0});
  EXPECT_EQ(chooseOrder(model, kMaxCells).kind, OrderKind::MinTable);  // for one solve: tables of 16 cells, not 64
  const EliminationOrder order = chooseOrder(model, kMaxCells, 64);
  EXPECT_EQ(order.kind, OrderKind::Rounds);
  EXPECT_EQ(order.width, 2);
  EXPECT_LT(order.depth, 30);
  EliminationTree tree(model, order);
  EXPECT_EQ(tree.solve().bucketsComputed, 1000);
  tree.setUnary(500, {1000, 1, 5, 2});
  EXPECT_LE(tree.solve().bucketsComputed, order.depth);
}

TEST(EliminationTree, HardShapes) {
  FactorGraph empty;
  EliminationTree nothing(empty, chooseOrder(empty, kMaxCells));
  EXPECT_TRUE(nothing.solve().feasible);
  EXPECT_EQ(nothing.solve().cost, 0);

  // Chains of single values, two parts, and a factor of constants alone.
  FactorGraph constants;
  for (int v = 0; v < 4; ++v) constants.addVariable({v});
  constants.addFactor({0, 1}, {10});
  constants.addFactor({1, 0}, {100});
  EXPECT_EQ(EliminationTree(constants, chooseOrder(constants, kMaxCells)).solve().cost, 116);

  // Everything forbidden.
  FactorGraph blocked;
  blocked.addVariable({0, 0});
  blocked.addVariable({0, 0});
  blocked.addFactor({0, 1}, {kForbidden, kForbidden, kForbidden, kForbidden});
  EXPECT_FALSE(EliminationTree(blocked, chooseOrder(blocked, kMaxCells)).solve().feasible);

  // The limit on cells is kept: a clique of 12 variables of 10 values has no small order.
  FactorGraph clique;
  for (int v = 0; v < 12; ++v) clique.addVariable(std::vector<Cost>(10, v));
  for (int a = 0; a < 12; ++a)
    for (int b = 0; b < a; ++b) clique.addFactor({a, b}, std::vector<Cost>(100, 1));
  EXPECT_TRUE(chooseOrder(clique, 1 << 24).variables.empty());
}

}  // namespace
}  // namespace tessera
