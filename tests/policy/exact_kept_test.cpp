// What policy Exact keeps from one run to the next, and what it takes where nothing fits.

#include "core/policy/exact/exact_search.h"
#include "core/policy/kit/plan_time.h"
#include "tests/policy/expect_sound.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

TEST(KeptAnswers, TheOldestOfEightMakesRoom) {
  AnswersByBudget<ConfigAnswer> kept;
  for (int64_t i = 0; i < 11; ++i) {
    ConfigAnswer answer;
    answer.range = {i, i + 1};
    EXPECT_EQ(kept.add(answer).range.from, i);
  }
  for (int64_t i = 0; i < 12; ++i) {
    const ConfigAnswer* answer = kept.at(i);
    ASSERT_EQ(answer != nullptr, i >= 3 && i < 11) << i;
    if (answer != nullptr) EXPECT_EQ(answer->range.from, i);
  }
}

TEST(KeptPlans, HoldForTheirPolicyTheirBudgetAndTheirProblem) {
  const auto run = runOn(graphOf(randomGraphText(1)), "DRAM", {.l1UsageCapPermille = 500});
  const int64_t budget = run->problem->budget.bytes().count;
  const PolicyOptions options;
  KeptPlans kept;
  EXPECT_EQ(kept.find("A", *run->problem, options), nullptr);
  const auto keep = [&](const char* policy, int64_t from, int64_t below) {
    Plan plan;
    plan.policy = policy;
    kept.keep({from, below}, plan);
  };
  keep("A", 0, budget);
  EXPECT_EQ(kept.find("A", *run->problem, options), nullptr) << "for smaller budgets";
  keep("A", budget + 1, INT64_MAX);
  EXPECT_EQ(kept.find("A", *run->problem, options), nullptr) << "for larger ones";
  keep("A", budget, budget + 1);
  ASSERT_NE(kept.find("A", *run->problem, options), nullptr);
  EXPECT_EQ(kept.find("A", *run->problem, options)->policy, "A");
  EXPECT_EQ(kept.find("B", *run->problem, options), nullptr);
  EXPECT_EQ(kept.size(), 3u);
  // Another cap is the same problem, any other option another one.
  run->problem->options.l1UsageCapPermille = 400;
  EXPECT_NE(kept.find("A", *run->problem, options), nullptr);
  PolicyOptions wider;
  wider.propagate.beamWidth = 9;
  EXPECT_EQ(kept.find("A", *run->problem, wider), nullptr);
  EXPECT_EQ(kept.size(), 0u);
  PolicyOptions chains;
  chains.chain.memReconfigEnabled = false;
  for (int other = 0; other < 3; ++other) {
    EXPECT_EQ(kept.find("A", *run->problem, options), nullptr);
    keep("A", 0, INT64_MAX);
    EXPECT_NE(kept.find("A", *run->problem, options), nullptr);
    if (other == 0) {
      EXPECT_EQ(kept.find("A", *run->problem, chains), nullptr);
    }
    if (other == 1) run->problem->options.maxLegalLayouts = 3;
  }
}

TEST(KeptPlans, TheOldestOfFortyEightMakesRoom) {
  const auto run = runOn(graphOf(randomGraphText(1)), "DRAM");
  KeptPlans kept;
  EXPECT_EQ(kept.find("0", *run->problem, {}), nullptr);
  for (int i = 0; i < 50; ++i) {
    Plan plan;
    plan.policy = std::to_string(i);
    kept.keep({}, plan);
  }
  EXPECT_EQ(kept.size(), 48u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(kept.find(std::to_string(i), *run->problem, {}) != nullptr, i >= 2) << i;
}

// The memory gives the same plan and the same figures as a new one.
void expectNoAnswerChanges(const Graph& graph, int32_t cap, PolicyMemory& kept) {
  const Problem problem = analysed(graph, allDevices()[0], {.l1UsageCapPermille = cap, .maxLegalLayouts = 3});
  const auto fresh = runOn(graph, "DRAM", {.l1UsageCapPermille = cap, .maxLegalLayouts = 3});
  const std::vector<Plan> baselines = {fresh->plan};
  ExactTrace known, anew;
  const Plan first = ExactSearch(problem, baselines, kept.exact).best({.rounds = 4}, known);
  const Plan second = ExactSearch(*fresh->problem, baselines, fresh->memory.exact).best({.rounds = 4}, anew);
  EXPECT_TRUE(samePlan(first, second));
  EXPECT_EQ(known.time, anew.time);
  EXPECT_EQ(known.lowerBound, anew.lowerBound);
  EXPECT_EQ(known.layoutOptimum, anew.layoutOptimum);
  EXPECT_EQ(known.source, anew.source);
  EXPECT_EQ(known.candidates, anew.candidates);
  EXPECT_EQ(known.stepPrices, anew.stepPrices);
  EXPECT_EQ(known.cells, anew.cells);
}

// It has seen the graph, at this budget and others.
TEST(KeptAnswers, ChangeNoAnswer) {
  for (uint64_t seed = 2; seed <= (smallTests() ? 2 : 4); ++seed) {
    const Graph graph = graphOf(randomGraphText(seed));
    PolicyMemory kept;
    kept.prepare(allDevices()[0]);
    for (const int32_t cap : {1000, 100, 60, 1000, 60}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " cap " + std::to_string(cap));
      expectNoAnswerChanges(graph, cap, kept);
    }
  }
}

// It has seen a concatenation of the same operands, one of which another op makes: it has other layouts to come from.
TEST(KeptAnswers, TellWhereAnOperandComesFrom) {
  constexpr size_t kOperands = 8;
  const std::string t = "tensor<256x64xbf16>", all = "tensor<256x" + std::to_string(64 * kOperands) + "xbf16>";
  PolicyMemory kept;
  kept.prepare(allDevices()[0]);
  for (size_t other = 0; other <= kOperands; ++other) {
    std::string body, names, types;
    for (size_t i = 0; i < kOperands; ++i) {
      const std::string name = "%" + std::to_string(i);
      body += "  " + name +
              (i + 1 == other ? " = \"ttir.reshape\"(%y) <{shape = [256 : i32, 64 : i32]}> : (tensor<64x256xbf16>)"
                              : " = \"ttir.relu\"(%x) : (" + t + ")") +
              " -> " + t + "\n";
      names += (i > 0 ? ", " : "") + name;
      types += (i > 0 ? ", " : "") + t;
    }
    const Graph graph = graphOf("func.func @main(%x: " + t + ", %y: tensor<64x256xbf16>) -> " + all + " {\n" + body +
                                "  %all = \"ttir.concat\"(" + names + ") <{dim = 1 : si32}> : (" + types + ") -> " +
                                all + "\n  return %all : " + all + "\n}\n");
    SCOPED_TRACE("reshape at " + std::to_string(other));
    expectNoAnswerChanges(graph, 1000, kept);
  }
}

// Whatever is forced to say what it costs is let go again: asked twice the answers are the same.
TEST(ExactSearch, RegretsLeaveNothingForced) {
  const std::string t = "tensor<512x512xbf16>", of = " : (" + t + ") -> " + t + "\n";
  const std::string chain = "func.func @main(%a: " + t + ") -> " + t + " {\n  %0 = \"ttir.relu\"(%a)" + of +
                            "  %1 = \"ttir.exp\"(%0)" + of + "  %2 = \"ttir.gelu\"(%1)" + of + "  return %2 : " + t +
                            "\n}\n";  // its first table is that of the second op
  for (uint64_t seed = 0; seed <= (smallTests() ? 2 : 4); ++seed) {
    SCOPED_TRACE(seed);
    const auto run = runOn(graphOf(seed == 0 ? chain : randomGraphText(seed)), "DRAM", {.maxLegalLayouts = 3});
    const std::vector<Plan> baselines = {run->plan};
    ExactSearch search(*run->problem, baselines, run->memory.exact);
    const Cost best = search.layouts().cost;
    const auto first = search.regrets(run->plan);
    EXPECT_EQ(search.tree()->solve().cost, best);
    const auto second = search.regrets(run->plan);
    ASSERT_EQ(first.size(), second.size());
    int64_t greatest = 0;
    for (size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(first[i].op, second[i].op);
      EXPECT_EQ(first[i].candidateRegret, second[i].candidateRegret);
      greatest = std::max(greatest, first[i].candidateRegret);
      ASSERT_EQ(first[i].layouts.size(), second[i].layouts.size());
      for (size_t k = 0; k < first[i].layouts.size(); ++k)
        EXPECT_EQ(first[i].layouts[k].regret, second[i].layouts[k].regret);
    }
    EXPECT_LE(greatest, planTime(*run->problem, run->plan, search.moves()) - best) << "the plan itself forces as much";
  }
}

// Nothing fits beside the op: what is left is the plan that leaves L1 empty, and it says so.
TEST(ExactSearch, WhatFitsNowhereIsTheFloorsPlan) {
  const auto run = runOn(
      graphOf("func.func @main(%a: tensor<64x4096xbf16>) -> tensor<64x4096xbf16> {\n"
              "  %0 = \"ttir.softmax\"(%a) <{dimension = -1 : si32}> : (tensor<64x4096xbf16>) -> tensor<64x4096xbf16>\n"
              "  return %0 : tensor<64x4096xbf16>\n}\n"),
      "DRAM", {.l1UsageCapPermille = 10});
  const std::vector<Plan> baselines = {run->plan};
  ExactSearch search(*run->problem, baselines, run->memory.exact);
  ExactTrace trace;
  const Plan plan = search.best({}, trace);
  EXPECT_TRUE(samePlan(plan, run->plan));
  EXPECT_EQ(trace.variables, 1);
  EXPECT_EQ(trace.tables, 0);
  ASSERT_EQ(trace.baselines.size(), 1u);
  EXPECT_EQ(trace.baselines[0].policy, "DRAM");
  EXPECT_EQ(trace.baselines[0].time, run->sim.time.count);
  EXPECT_EQ(trace.time, run->sim.time.count);
  EXPECT_LE(trace.lowerBound, trace.time);
}

}  // namespace
}  // namespace tessera::test
