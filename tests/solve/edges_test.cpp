// Solvers at their edges: problems of nothing, parts that do not count, models that differ in one thing, names and
// costs that other formats do not have.

#include <gtest/gtest.h>

#include "core/solve/addresses/address_search.h"
#include "core/solve/certificate.h"
#include "core/solve/selection/selection_solver.h"
#include "core/support/json_value.h"

namespace tessera {
namespace {

// Buffers that never live, or of no bytes, take no part in the search and lie at 0.
TEST(AddressSearchAlone, BuffersThatTakeNothingAreLeftOut) {
  const AddressProblem problem{.buffers = {{1, 3, 0}, {0, 4, 2}, {2, 2, 50}, {0, 2, 2}, {3, 1, 50}, {2, 4, 2}},
                               .capacity = 4};
  AddressOptions options;
  AddressSearch search(problem, 4, options);
  ASSERT_EQ(search.run(), SearchOutcome::Found);
  const std::vector<int64_t> offsets = search.offsets();
  EXPECT_EQ(heightOf(problem, offsets), 4);
  for (size_t none : {0, 2, 4}) EXPECT_EQ(offsets[none], 0) << none;
  const AddressProblem nothing{.buffers = {{2, 2, 50}, {0, 4, 0}, {3, 1, 50}}, .capacity = 1};
  AddressSearch empty(nothing, 1, options);
  EXPECT_EQ(empty.run(), SearchOutcome::Found);
  EXPECT_EQ(empty.nodes(), 0);
  EXPECT_EQ(empty.offsets(), (std::vector<int64_t>{0, 0, 0}));
}

TEST(AddressSearchAlone, WhatCannotFitIsSaidBeforeTheBudgetIs) {
  const auto answer = [](std::vector<AddressBuffer> buffers, int64_t capacity, int64_t steps) {
    const AddressProblem problem{.buffers = std::move(buffers), .capacity = capacity};
    AddressOptions options;
    options.budget = WorkBudget(steps);
    return AddressSearch(problem, capacity, options).run();
  };
  EXPECT_EQ(answer({{0, 4, 2}, {0, 2, 2}}, 3, 1000), SearchOutcome::Impossible) << "less than their load";
  EXPECT_EQ(answer({{0, 4, 2}}, 1, 1000), SearchOutcome::Impossible);
  EXPECT_EQ(answer({{0, 2, 1}, {5, 6, 1}}, 4, 1000), SearchOutcome::Found);
  EXPECT_EQ(answer({{0, 2, 1}, {5, 6, 1}, {7, 8, 1}}, 4, 0), SearchOutcome::OutOfBudget) << "none of three parts";
  EXPECT_EQ(answer({{0, 2, 9}, {5, 6, 1}}, 4, 0), SearchOutcome::Impossible);
  EXPECT_EQ(answer({{0, 2, 1}, {5, 6, 9}}, 4, 0), SearchOutcome::Impossible);
}

TEST(AddressHeights, OffsetsAreOneForEachBuffer) {
  const AddressProblem problem{.buffers = {{0, 2, 5}, {1, 3, 7}}, .capacity = 0};
  EXPECT_EQ(heightOf(problem, {0, 5}), 12);
  EXPECT_EQ(heightOf(problem, {7, 0}), 12);
  for (const std::vector<int64_t>& wrong :
       std::vector<std::vector<int64_t>>{{}, {0}, {0, 5, 12}, {0, 4}, {-1, 5}, {0, -1}})
    EXPECT_EQ(heightOf(problem, wrong), -1) << wrong.size();
  EXPECT_EQ(heightOf({}, {}), 0);
}

// Four addresses at most are live at any time, and five are needed; a capacity of three is below both.
TEST(AddressHeights, ACapacityBelowTheLoadIsProvenNotToFit) {
  const AddressProblem problem{
      .buffers = {{4, 6, 2}, {5, 6, 2}, {1, 5, 1}, {2, 3, 1}, {0, 1, 2}, {1, 3, 1}, {2, 5, 1}, {0, 2, 2}},
      .capacity = 3};
  const AddressResult result = assignAddresses(problem, {});
  EXPECT_FALSE(result.fits);
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(result.lowerBound, 4);
  EXPECT_EQ(result.height, 5);
  EXPECT_EQ(result.nodes, 0) << "there is nothing to search for";
}

TEST(AddressHeights, TheCertificateOfNothing) {
  const AddressProblem problem;
  const std::string text = addressCertificate(problem, assignAddresses(problem, {}));
  const SourceBuffer source("certificate", text);
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(source, diags);
  EXPECT_TRUE(diags.all().empty()) << text;
  EXPECT_EQ(document.root().get("buffers").size(), 0u);
  EXPECT_EQ(document.root().get("offsets").size(), 0u);
  EXPECT_EQ(document.root().get("time").asInteger(), 0);
}

TEST(ModelNames, KeepLettersAndDigits) {
  FactorGraph model;
  model.addVariable({3, 1});
  const auto name = [&](const std::string& given) {
    Cost offset = 0;
    const std::string text = writeWcsp(model, given, offset);
    EXPECT_EQ(offset, 1);
    return text.substr(0, text.find(' '));
  };
  EXPECT_EQ(name("azAZ09"), "azAZ09");
  EXPECT_EQ(name("a b\tc\nd"), "a_b_c_d");
  EXPECT_EQ(name("`{@[/:~"), "_______") << "beside the letters and digits";
  EXPECT_EQ(name("\xC3\xB6"), "__");
  EXPECT_EQ(name(""), "model");
}

TEST(CostTables, CostsBeyondTheLimitDoNotFit) {
  EXPECT_EQ(CostTable({0, -kMaxTotalCost}).reach(), kMaxTotalCost);
  EXPECT_EQ(CostTable({0, -kMaxTotalCost - 1}).reach(), kMaxTotalCost + 1);
  EXPECT_EQ(CostTable({INT64_MIN, 5}).reach(), kMaxTotalCost + 1);
  EXPECT_EQ(CostTable({kForbidden, 5}).reach(), 5);
  for (const Cost least : {-kMaxTotalCost, -kMaxTotalCost - 1, INT64_MIN}) {
    FactorGraph model;
    const int a = model.addVariable({0, 0}), b = model.addVariable({0, 0});
    model.addFactor({a, b}, {0, 0, 0, least});
    EXPECT_EQ(model.costsFit(), least == -kMaxTotalCost) << least;
  }
}

TEST(EmptyModels, CostNothing) {
  for (const bool tree : {true, false}) {
    for (const bool dominance : {true, false}) {
      const SelectionResult result = solveSelection(FactorGraph(), {.useTree = tree, .useDominance = dominance});
      EXPECT_TRUE(result.feasible);
      EXPECT_TRUE(result.proven);
      EXPECT_EQ(result.cost, 0);
      EXPECT_EQ(result.lowerBound, 0);
      EXPECT_TRUE(result.values.empty());
    }
  }
}

// Without any work to spend, what has no choice is still a solution; that nothing is better is not known then.
TEST(EmptyModels, AModelWithoutAChoiceNeedsNoWork) {
  FactorGraph model;
  const int a = model.addVariable({3}), b = model.addVariable({kForbidden, 4}), c = model.addVariable({7, kForbidden});
  model.addFactor({a, b}, {50, 5});
  model.addFactor({b, c}, {90, 90, 6, 90});
  for (const bool dominance : {true, false}) {
    SelectionOptions options{.useTree = false, .useDominance = dominance};
    const SelectionResult solved = solveSelection(model, options);
    EXPECT_EQ(solved.optimum(), 3 + 4 + 7 + 5 + 6);
    options.budget = WorkBudget(0);
    const SelectionResult result = solveSelection(model, options);
    EXPECT_TRUE(result.feasible);
    EXPECT_EQ(result.values, (std::vector<int>{0, 1, 0}));
    EXPECT_EQ(result.cost, 3 + 4 + 7 + 5 + 6);
    EXPECT_LE(result.lowerBound, result.cost);
    EXPECT_EQ(result.proven, result.lowerBound == result.cost);
  }
}

// What was kept is of the very same model, scaled alike, and of a budget that covers it.
TEST(KeptModels, AreFoundWhenNothingDiffers) {
  const auto modelOf = [](std::vector<Cost> own, const std::vector<std::vector<int>>& scopes, int variables = 3) {
    FactorGraph model;
    for (int v = 0; v < variables; ++v) model.addVariable(v == 0 ? own : std::vector<Cost>{0, 0});
    for (const std::vector<int>& scope : scopes) model.addFactor(scope, {0, 1, 2, 3});
    return model;
  };
  SelectionResult result;
  result.feasible = true;
  result.cost = 7;
  KeptSelection kept;
  WorkBudget budget(100);
  EXPECT_EQ(kept.find(FactorGraph(), 0, budget), nullptr) << "nothing is kept";
  kept.keep(modelOf({1, 2}, {{0, 1}}), 3, 40, result);
  const auto found = [&](const FactorGraph& model, int shift, int64_t steps = 100) {
    WorkBudget own(steps);
    const SelectionResult* known = kept.find(model, shift, own);
    EXPECT_EQ(own.left(), known ? steps - 40 : steps);
    return known != nullptr && known->cost == 7;
  };
  EXPECT_TRUE(found(modelOf({1, 2}, {{0, 1}}), 3));
  EXPECT_TRUE(found(modelOf({1, 2}, {{0, 1}}), 3, 40));
  EXPECT_FALSE(found(modelOf({1, 2}, {{0, 1}}), 3, 39));
  EXPECT_FALSE(found(modelOf({1, 2}, {{0, 1}}), 2)) << "another scale";
  EXPECT_FALSE(found(modelOf({1, 3}, {{0, 1}}), 3)) << "another cost";
  EXPECT_FALSE(found(modelOf({1, 2}, {}), 3)) << "a table less";
  EXPECT_FALSE(found(modelOf({1, 2}, {{0, 1}, {1, 2}}), 3)) << "a table more";
  EXPECT_FALSE(found(modelOf({1, 2}, {{1, 0}}), 3)) << "the other way round";
  EXPECT_FALSE(found(modelOf({1, 2}, {{0, 2}}), 3)) << "of another variable";
  EXPECT_FALSE(found(modelOf({1, 2}, {{0, 1}}, 2), 3)) << "a variable less";
  EXPECT_FALSE(found(modelOf({1, 2}, {{0, 1}}, 4), 3)) << "a variable more";
}

}  // namespace
}  // namespace tessera
