// What is said of a defect of a plan: in words, at which op, about which operand. And where a plan leaves layouts fixed
// by hand.

#include "core/plan/check_plan.h"
#include "core/plan/refused_overrides.h"
#include "tests/no_diagnostics.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// Under Greedy %0 and %1 are sharded, %1 is converted for the product, both results move to DRAM at the end.
const char* const kTwoResults =
    "func.func @main(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> (tensor<256x256xbf16>, "
    "tensor<256x256xbf16>) {\n"
    "  %0 = \"ttir.add\"(%a, %a) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %1 = \"ttir.multiply\"(%b, %b) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %2 = \"ttir.matmul\"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<256x256xbf16>, "
    "tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %3 = \"ttir.relu\"(%2) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %4 = \"ttir.exp\"(%2) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  return %3, %4 : tensor<256x256xbf16>, tensor<256x256xbf16>\n}\n";

struct BrokenPlan {
  std::unique_ptr<PolicyRun> run = runOn(graphOf(kTwoResults), "Greedy");
  Plan plan = run->plan;

  ValueId value(std::string_view name) const { return valueNamed(run->graph, name); }
  OpId op(std::string_view name) const { return producerOf(run->graph, name); }
  const TensorLayout& dram(std::string_view name) const { return dramLayout(*run->problem, value(name)); }
  // All defects: "rule | op | operand | text" each in a line.
  std::string defects() const {
    std::string text;
    for (const PlanDefect& d : checkPlan(*run->problem, plan)) {
      const bool result = d.op.valid() && !run->graph.ops[d.op].results.empty();
      const std::string at = !d.op.valid() ? "-"
                             : result      ? "%" + run->graph.values[run->graph.ops[d.op].results[0]].name
                                           : run->graph.ops[d.op].name;
      text +=
          std::string(planRuleName(d.rule)) + " | " + at + " | " + std::to_string(d.operand) + " | " + d.text + "\n";
    }
    return text;
  }
};

TEST(PlanDefects, OfTheOrderNameTheCountsOrTheReader) {
  BrokenPlan shorter;
  EXPECT_EQ(shorter.defects(), "");
  shorter.plan.order.erase(shorter.plan.order.begin());
  EXPECT_EQ(shorter.defects(), "order-incomplete | - | -1 | the plan orders 5 ops, the function has 6\n");
  BrokenPlan early;
  std::swap(early.plan.order[1], early.plan.order[2]);
  EXPECT_EQ(early.defects(), "order-use-before-def | %2 | -1 | %2 ttir.matmul\n");
  BrokenPlan end;
  std::swap(end.plan.order[4], end.plan.order[5]);
  EXPECT_EQ(end.defects(), "order-use-before-def | func.return | -1 | func.return\n");
}

TEST(PlanDefects, OfLayoutsNameTheValue) {
  BrokenPlan missing;
  missing.plan.layout[missing.value("3")].reset();
  missing.plan.layout[missing.value("0")]->shardRows += 1;
  missing.plan.layout[missing.value("a")] = l1InterleavedLayout(*missing.run->problem, missing.value("a"));
  EXPECT_EQ(missing.defects(),
            "argument-moved | - | -1 | %a\n"
            "layout-does-not-fit | - | -1 | %0: shard differs from what its grid gives\n"
            "layout-missing | - | -1 | %3\n");
  BrokenPlan copies;
  ASSERT_EQ(copies.plan.reshards.size(), 1u);
  ASSERT_EQ(copies.plan.spills.size(), 2u);
  copies.plan.reshards[0].to.shardCols += 1;
  copies.plan.spills[1].to.shardRows += 1;
  EXPECT_EQ(copies.defects(),
            "layout-does-not-fit | - | -1 | %2 ttir.matmul operand 1: shard differs from what its grid gives\n"
            "layout-does-not-fit | - | -1 | %4 spilled: shard differs from what its grid gives\n");
}

TEST(PlanDefects, OfMovesNameTheOpAndTheOperand) {
  BrokenPlan moves;
  moves.plan.reshards.push_back({moves.op("2"), 7, moves.dram("0")});
  moves.plan.reshards.push_back({moves.op("3"), 0, *moves.plan.layout[moves.value("2")]});
  moves.plan.spills.insert(moves.plan.spills.begin(), {moves.value("a"), moves.op("0"), moves.dram("a")});
  EXPECT_EQ(moves.defects(),
            "spill-unused | %0 | -1 | %a before %0 ttir.add\n"
            "reshard-of-nothing | %2 | 7 | %2 ttir.matmul operand 7\n"
            "reshard-of-nothing | %3 | 0 | %3 ttir.relu operand 0\n");
}

TEST(PlanDefects, OfOpsNameWhatTheModelSays) {
  BrokenPlan refused;
  refused.plan.reshards.clear();
  const std::string text = refused.defects();
  EXPECT_EQ(text.find("op-refused | %2 | 1 | %2 ttir.matmul: "), 0u) << text;
  EXPECT_NE(text.find("(operand 1)"), std::string::npos) << text;
  BrokenPlan config;
  config.plan.config[config.op("1")].output = config.dram("1");
  EXPECT_NE(config.defects().find("config-differs | %1 | -1 | %1 ttir.multiply\n"), std::string::npos);
  // Where a result is pinned, its op may be asked for what it writes in fact.
  config.run->problem->pinned[config.value("1")] = *config.plan.layout[config.value("1")];
  EXPECT_EQ(config.defects().find("config-differs"), std::string::npos) << config.defects();
  BrokenPlan returned;
  returned.plan.spills.erase(returned.plan.spills.begin());
  EXPECT_EQ(returned.defects(), "return-not-in-dram | func.return | 0 | result 0\n");
  BrokenPlan both;
  both.plan.spills.clear();
  EXPECT_EQ(both.defects(),
            "return-not-in-dram | func.return | 0 | result 0\nreturn-not-in-dram | func.return | 1 | result 1\n");
  BrokenPlan last;
  last.plan.spills.pop_back();
  EXPECT_EQ(last.defects(), "return-not-in-dram | func.return | 1 | result 1\n");
}

// The budget that is wanted and the one there is are in the text; every op that exceeds it is named.
TEST(PlanDefects, OfTheBudgetNameEveryOp) {
  const BrokenPlan sound;
  const Problem tight = analysed(sound.run->graph, sound.run->device, {.l1UsageCapPermille = 1});
  std::vector<std::string> ops;
  for (const PlanDefect& d : checkPlan(tight, sound.plan)) {
    EXPECT_EQ(d.rule, PlanRule::OverBudget);
    EXPECT_NE(d.text.find(" of L1 per core, 1396 B are allowed"), std::string::npos) << d.text;
    ops.push_back(d.text.substr(0, d.text.find(':')));
  }
  EXPECT_EQ(ops, (std::vector<std::string>{"%0 ttir.add", "%1 ttir.multiply", "%2 ttir.matmul", "%3 ttir.relu",
                                           "%4 ttir.exp"}));
}

// An op that finds no room beside what lies in L1 exceeds the budget, wherever its result goes; one that would not find
// it with all of L1 does not.
TEST(PlanDefects, OfTheBudgetAreThoseThatAPlanCanMend) {
  const auto run = runOn(graphOf(kTwoResults), "DRAM");
  const ValueId product = valueNamed(run->graph, "2");
  Plan plan = run->plan;
  plan.layout[product] = l1InterleavedLayout(*run->problem, product);
  plan.config[producerOf(run->graph, "2")].output = *plan.layout[product];
  const Problem tight = analysed(run->graph, run->device, {.l1UsageCapPermille = 1});
  std::vector<std::string> ops;
  for (const PlanDefect& d : checkPlan(tight, plan)) {
    EXPECT_EQ(d.rule, PlanRule::OverBudget);
    ops.push_back(d.text.substr(0, d.text.find(':')));
  }
  EXPECT_EQ(ops, (std::vector<std::string>{"%2 ttir.matmul", "%3 ttir.relu", "%4 ttir.exp"}));
}

// A spill that comes after the last reader is none, one right before it is.
TEST(PlanDefects, AMoveRightBeforeTheLastReaderIsUsed) {
  BrokenPlan before;
  before.plan.spills.insert(before.plan.spills.begin(), {before.value("2"), before.op("4"), before.dram("2")});
  const std::string text = before.defects();
  EXPECT_EQ(text.find("spill-unused"), std::string::npos) << text;
  BrokenPlan after;
  after.plan.spills.insert(after.plan.spills.begin(), {after.value("2"), after.plan.order.back(), after.dram("2")});
  EXPECT_EQ(after.defects(), "spill-unused | func.return | -1 | %2 before func.return\n");
}

// --- layouts fixed by hand -------------------------------------------------------------------------------------------

TEST(RefusedOverrides, StandInTheOrderInWhichTheyWereAsked) {
  const auto run = runOn(graphOf(kTwoResults), "DRAM");
  Problem& problem = *run->problem;
  problem.options.layoutOverrides = parseLayoutOverrides("%3=l1,%1=dram,%0=l1:interleaved,%9=l1", noDiagnostics());
  ASSERT_EQ(problem.options.layoutOverrides.size(), 4u);
  std::vector<RefusedOverride> refused = refusedOverrides(problem, run->plan);
  ASSERT_EQ(refused.size(), 2u);
  EXPECT_EQ(refused[0].asked, &problem.options.layoutOverrides[0]);
  EXPECT_EQ(refused[0].op, producerOf(run->graph, "3"));
  EXPECT_EQ(refused[1].asked, &problem.options.layoutOverrides[2]);
  EXPECT_EQ(refused[1].op, producerOf(run->graph, "0"));
  // What the plan has is what was asked, or nothing is known of it.
  const ValueId third = valueNamed(run->graph, "3"), first = valueNamed(run->graph, "0");
  run->plan.layout[third] = l1InterleavedLayout(problem, third);
  refused = refusedOverrides(problem, run->plan);
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].op, producerOf(run->graph, "0"));
  run->plan.layout[first].reset();
  EXPECT_TRUE(refusedOverrides(problem, run->plan).empty());
}

}  // namespace
}  // namespace tessera::test
