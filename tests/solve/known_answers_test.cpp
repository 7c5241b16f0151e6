// What solvers keep from one model to the next changes no answer and no part of the budget that is left.

#include <gtest/gtest.h>

#include "core/solve/cost.h"
#include "core/solve/selection/selection_solver.h"

namespace tessera::test {
namespace {

constexpr size_t kDomain = 4;

std::vector<Cost> drawnCosts(Prng& random, size_t count, uint64_t most, bool forbids) {
  std::vector<Cost> costs;
  for (size_t i = 0; i < count; ++i)
    costs.push_back(forbids && random.below(8) == 0 ? kForbidden : static_cast<Cost>(random.below(most)));
  return costs;
}

// Models of few different tables and costs, as of a net of equal blocks; each differs in a few places from the last.
class Nets {
 public:
  explicit Nets(uint64_t seed, int variables = 14) : random_(seed) {
    for (size_t i = 0; i < 3; ++i) unaries_.push_back(drawnCosts(random_, kDomain, 6, true));
    for (size_t i = 0; i < 4; ++i) tables_.push_back(drawnCosts(random_, kDomain * kDomain, 9, true));
    for (int v = 0; v < variables; ++v) unaryOf_.push_back(random_.below(unaries_.size()));
    for (int v = 0; v < variables; ++v) {
      for (int n = v + 1; n < std::min(variables, v + 3); ++n)
        factors_.push_back(
            {random_.below(2) == 0 ? std::vector<int>{v, n} : std::vector<int>{n, v}, random_.below(tables_.size())});
    }
  }

  FactorGraph next() {
    unaryOf_[random_.below(unaryOf_.size())] = random_.below(unaries_.size());
    if (random_.below(2) == 0) factors_[random_.below(factors_.size())].second = random_.below(tables_.size());
    if (random_.below(2) == 0) std::swap(factors_[0].first[0], factors_[0].first[1]);
    FactorGraph model;
    for (size_t unary : unaryOf_) model.addVariable(unaries_[unary]);
    for (const auto& [scope, table] : factors_) model.addFactor(scope, tables_[table]);
    return model;
  }

 private:
  Prng random_;
  std::vector<std::vector<Cost>> unaries_;
  std::vector<CostTable> tables_;
  std::vector<size_t> unaryOf_;
  std::vector<std::pair<std::vector<int>, size_t>> factors_;
};

TEST(KnownDominance, ChangesNeitherAnswerNorBudget) {
  int64_t removed = 0, ended = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    Nets nets(seed);
    KnownDominance known;
    Prng random(seed);
    for (int round = 0; round < 8; ++round) {
      const FactorGraph model = nets.next();
      // A budget may end anywhere, and the next may reach further.
      const WorkBudget budget(random.below(3) == 0 ? static_cast<int64_t>(random.below(4000)) : 1'000'000);
      WorkBudget cold = budget, warm = budget;
      const ReducedModel alone = removeDominated(model, cold), again = removeDominated(model, warm, 0, &known);
      EXPECT_EQ(again.kept, alone.kept) << seed << " " << round;
      EXPECT_EQ(warm.left(), cold.left()) << seed << " " << round;
      EXPECT_EQ(warm.exhausted(), cold.exhausted()) << seed << " " << round;
      removed += alone.removed;
      ended += cold.exhausted();
    }
  }
  EXPECT_GT(removed, 1000);
  EXPECT_GT(ended, 20);
}

TEST(KnownDominance, AsksOnceAboutEqualVariables) {
  const CostTable apart({0, 5, 5, 0});
  KnownDominance known;
  size_t before = 0;
  for (const int pairs : {1, 40}) {
    FactorGraph model;
    for (int p = 0; p < pairs; ++p) {
      const int a = model.addVariable({1, 0}), b = model.addVariable({0, 1});
      model.addFactor({a, b}, apart);
    }
    WorkBudget budget(1'000'000);
    removeDominated(model, budget, 0, &known);
    if (before > 0) EXPECT_EQ(known.size(), before);
    before = known.size();
  }
  EXPECT_EQ(before, 2u);
}

// The listed values of each variable, at least one.
std::vector<std::vector<int>> drawnValues(Prng& random, const FactorGraph& model) {
  std::vector<std::vector<int>> kept;
  for (int v = 0; v < model.variableCount(); ++v) {
    kept.emplace_back();
    for (int x = 0; x < model.domain(v); ++x)
      if (random.below(3) > 0 || (x + 1 == model.domain(v) && kept.back().empty())) kept.back().push_back(x);
  }
  return kept;
}

// What is known of tables of fewer values is what they are, cell by cell.
TEST(RestrictedTables, ChangeNoModel) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Nets nets(seed);
    RestrictedTables known;
    Prng random(seed);
    for (int round = 0; round < 8; ++round) {
      const FactorGraph model = nets.next();
      const std::vector<std::vector<int>> kept = drawnValues(random, model);
      const int shift = static_cast<int>(random.below(3));
      const ReducedModel reduced = restrictModel(model, kept, shift, &known);
      ASSERT_EQ(reduced.kept, kept);
      for (int v = 0; v < model.variableCount(); ++v) {
        for (size_t x = 0; x < kept[at(v)].size(); ++x) {
          const Cost cost = model.unary(v)[at(kept[at(v)][x])];
          ASSERT_EQ(reduced.model.unary(v)[x], isForbidden(cost) ? kForbidden : cost << shift);
        }
      }
      for (int f = 0; f < model.factorCount(); ++f) {
        const Factor &whole = model.factor(f), &part = reduced.model.factor(f);
        const std::vector<int>&rows = kept[at(whole.scope[0])], &columns = kept[at(whole.scope[1])];
        ASSERT_EQ(part.scope, whole.scope);
        ASSERT_EQ(part.table.size(), rows.size() * columns.size());
        for (size_t r = 0; r < rows.size(); ++r) {
          for (size_t c = 0; c < columns.size(); ++c) {
            const Cost cost = whole.table[at(rows[r]) * kDomain + at(columns[c])];
            ASSERT_EQ(part.table[r * columns.size() + c], isForbidden(cost) ? kForbidden : cost << shift);
          }
        }
      }
    }
  }
}

// One table of 2 x 6 and 3 x 4, of the same values and of others, and times 1 and 2.
TEST(RestrictedTables, AreMadeOnceForEqualQuestions) {
  const CostTable table({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  FactorGraph model;
  for (const int domain : {2, 6, 3, 4}) model.addVariable(std::vector<Cost>(at(domain), 0));
  model.addFactor({0, 1}, table);
  model.addFactor({2, 3}, table);
  RestrictedTables known;
  const auto tablesOf = [&](const std::vector<std::vector<int>>& kept, int shift) {
    const ReducedModel reduced = restrictModel(model, kept, shift, &known);
    return std::pair(reduced.model.factor(0).table, reduced.model.factor(1).table);
  };
  const auto [wide, tall] = tablesOf({{0, 1}, {1, 3}, {0, 1}, {1, 3}}, 0);
  EXPECT_EQ(std::vector<Cost>(wide), (std::vector<Cost>{1, 3, 7, 9}));
  EXPECT_EQ(std::vector<Cost>(tall), (std::vector<Cost>{1, 3, 5, 7}));
  const auto [again, twice] = tablesOf({{0, 1}, {1, 3}, {0, 2}, {1, 3}}, 0);
  EXPECT_TRUE(again.same(wide));
  EXPECT_EQ(std::vector<Cost>(twice), (std::vector<Cost>{1, 3, 9, 11}));
  const auto [scaled, other] = tablesOf({{0, 1}, {1, 3}, {0}, {1, 3}}, 1);
  EXPECT_EQ(std::vector<Cost>(scaled), (std::vector<Cost>{2, 6, 14, 18}));
  EXPECT_EQ(std::vector<Cost>(other), (std::vector<Cost>{2, 6}));
}

SelectionResult solved(const FactorGraph& model, int64_t budget, KeptSelection* kept) {
  return solveSelection(model, {.cellLimit = 60, .tooLarge = true, .budget = WorkBudget(budget), .kept = kept});
}

void expectSame(const SelectionResult& one, const SelectionResult& other) {
  EXPECT_EQ(one.values, other.values);
  EXPECT_EQ(one.cost, other.cost);
  EXPECT_EQ(one.lowerBound, other.lowerBound);
  EXPECT_EQ(one.proven, other.proven);
  EXPECT_EQ(one.feasible, other.feasible);
  EXPECT_EQ(one.method, other.method);
  EXPECT_EQ(one.width, other.width);
  EXPECT_EQ(one.cells, other.cells);
}

TEST(KeptSelection, ChangesNoAnswer) {
  int open = 0, infeasible = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Nets nets(seed, 10);
    KeptSelection kept;
    Prng random(seed);
    for (int round = 0; round < 4; ++round) {
      const FactorGraph model = nets.next();
      // Asked twice, once with much less or more to spend.
      for (int twice = 0; twice < 2; ++twice) {
        const int64_t budget = random.below(2) == 0 ? static_cast<int64_t>(random.below(20'000)) : 5'000'000;
        const SelectionResult alone = solved(model, budget, nullptr);
        expectSame(solved(model, budget, &kept), alone);
        open += !alone.proven;
        infeasible += alone.proven && !alone.feasible;
      }
    }
  }
  EXPECT_GT(open, 10);
  EXPECT_LT(infeasible, 60);
}

// A value that another one always replaces makes no other model of what is left.
TEST(KeptSelection, IsFoundWhereDominatedValuesDiffer) {
  auto reducedOf = [](Cost dear) {
    FactorGraph model;
    model.addVariable({0, 1, dear});
    model.addVariable({1, 0});
    model.addFactor({0, 1}, {0, 2, 2, 0, 2, 2});
    WorkBudget budget(1'000'000);
    return removeDominated(model, budget);
  };
  const ReducedModel one = reducedOf(7), other = reducedOf(8);
  ASSERT_EQ(one.kept, (std::vector<std::vector<int>>{{0, 1}, {0, 1}}));
  KeptSelection kept;
  SelectionResult result;
  result.cost = 1;
  kept.keep(one.model, 3, 500, result);
  WorkBudget enough(500), little(499);
  EXPECT_EQ(kept.find(other.model, 4, enough), nullptr);
  EXPECT_EQ(kept.find(other.model, 3, little), nullptr);
  EXPECT_EQ(little.left(), 499);
  const SelectionResult* found = kept.find(other.model, 3, enough);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->cost, 1);
  EXPECT_EQ(enough.left(), 0);
  EXPECT_FALSE(enough.exhausted());
  FactorGraph changed = one.model;
  changed.setUnary(1, {1, 1});
  WorkBudget more(1000);
  EXPECT_EQ(kept.find(changed, 3, more), nullptr);
  changed = one.model;
  changed.setFactorTable(0, std::vector<Cost>{0, 2, 2, 1});
  EXPECT_EQ(kept.find(changed, 3, more), nullptr);
  changed = one.model;
  changed.addVariable({0});
  EXPECT_EQ(kept.find(changed, 3, more), nullptr);
}

}  // namespace
}  // namespace tessera::test
