// Every rule is broken on its own, by a policy's plan with one thing changed; the checker names that rule and no other.

#include "core/plan/check_plan.h"

#include <set>

#include "tests/no_diagnostics.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// Under Greedy: %0 and %1 sharded, %1 converted for the matmul that reads it as operand 1, the result moved to DRAM at
// the end.
const char* const kText =
    "func.func @main(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
    "  %0 = \"ttir.add\"(%a, %a) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %1 = \"ttir.multiply\"(%b, %b) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %2 = \"ttir.matmul\"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<256x256xbf16>, "
    "tensor<256x256xbf16>) -> "
    "tensor<256x256xbf16>\n"
    "  %3 = \"ttir.relu\"(%2) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  return %3 : tensor<256x256xbf16>\n}\n";

struct SoundPlan {
  std::unique_ptr<PolicyRun> run = runOn(graphOf(kText), "Greedy");
  Plan plan = run->plan;

  ValueId value(std::string_view name) const { return valueNamed(run->graph, name); }
  std::set<std::string_view> rules() const {
    std::set<std::string_view> names;
    for (const PlanDefect& d : checkPlan(*run->problem, plan)) names.insert(planRuleName(d.rule));
    return names;
  }
  void expectOnly(PlanRule rule) const { EXPECT_EQ(rules(), std::set<std::string_view>{planRuleName(rule)}); }
};

TEST(CheckPlan, PlansOfPoliciesHaveNoDefects) {
  SoundPlan sound;
  EXPECT_TRUE(sound.rules().empty());
  // What the cases below rely on.
  ASSERT_EQ(sound.plan.reshards.size(), 1u);
  ASSERT_EQ(sound.plan.spills.size(), 1u);
  ASSERT_TRUE(sound.plan.layout[sound.value("1")]->sharded());
}

TEST(CheckPlan, OrderIncomplete) {
  SoundPlan shorter;
  shorter.plan.order.erase(shorter.plan.order.begin());
  shorter.expectOnly(PlanRule::OrderIncomplete);
  SoundPlan twice;
  twice.plan.order[0] = twice.plan.order[1];
  twice.expectOnly(PlanRule::OrderIncomplete);
  SoundPlan empty;
  empty.plan.order.clear();
  empty.expectOnly(PlanRule::OrderIncomplete);
}

TEST(CheckPlan, OrderUseBeforeDef) {
  SoundPlan sound;
  std::swap(sound.plan.order[2], sound.plan.order[3]);
  sound.expectOnly(PlanRule::OrderUseBeforeDef);
}

TEST(CheckPlan, AnotherSoundOrderIsNoDefect) {
  SoundPlan sound;
  std::swap(sound.plan.order[0], sound.plan.order[1]);
  EXPECT_TRUE(sound.rules().empty());
}

TEST(CheckPlan, LayoutMissing) {
  SoundPlan sound;
  sound.plan.layout[sound.value("3")].reset();
  sound.expectOnly(PlanRule::LayoutMissing);
  SoundPlan none;
  none.plan.layout = {};
  none.expectOnly(PlanRule::LayoutMissing);
}

TEST(CheckPlan, LayoutDoesNotFit) {
  SoundPlan shard;
  shard.plan.layout[shard.value("3")]->shardRows += 1;
  shard.expectOnly(PlanRule::LayoutDoesNotFit);
  SoundPlan grid;
  grid.plan.layout[grid.value("3")]->grid = {100, 100};
  grid.expectOnly(PlanRule::LayoutDoesNotFit);
}

TEST(CheckPlan, LayoutOfACopyDoesNotFit) {
  SoundPlan reshard;
  reshard.plan.reshards[0].to.shardCols += 1;
  reshard.expectOnly(PlanRule::LayoutDoesNotFit);
  SoundPlan spill;
  spill.plan.spills[0].to.shardRows += 1;
  spill.expectOnly(PlanRule::LayoutDoesNotFit);
}

TEST(CheckPlan, ArgumentMoved) {
  SoundPlan sound;
  sound.plan.layout[sound.value("a")] = l1InterleavedLayout(*sound.run->problem, sound.value("a"));
  sound.expectOnly(PlanRule::ArgumentMoved);
}

TEST(CheckPlan, ReshardOfNothing) {
  SoundPlan same;  // %0 goes where it is
  same.plan.reshards.insert(same.plan.reshards.begin(),
                            {producerOf(same.run->graph, "2"), 0, *same.plan.layout[same.value("0")]});
  same.expectOnly(PlanRule::ReshardOfNothing);
  SoundPlan beyond;  // there is no operand 7
  beyond.plan.reshards.push_back(
      {producerOf(beyond.run->graph, "2"), 7, dramLayout(*beyond.run->problem, beyond.value("0"))});
  beyond.expectOnly(PlanRule::ReshardOfNothing);
  SoundPlan negative;
  negative.plan.reshards.push_back(
      {producerOf(negative.run->graph, "2"), -1, dramLayout(*negative.run->problem, negative.value("0"))});
  negative.expectOnly(PlanRule::ReshardOfNothing);
}

// What is no tensor has no layout, wherever it stands: it cannot be moved, and is returned as it is.
TEST(CheckPlan, WhatIsNoTensorHasNoPlace) {
  const auto run = runOn(graphOf("func.func @main(%a: tensor<64x64xbf16>, %i: i32) -> (i32, tensor<64x64xbf16>) {\n"
                                 "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
                                 "  %1 = \"mylib.two\"(%i, %0) : (i32, tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
                                 "  return %i, %1 : i32, tensor<64x64xbf16>\n}\n"),
                         "Greedy");
  Plan plan = run->plan;
  EXPECT_TRUE(checkPlan(*run->problem, plan).empty());
  plan.reshards.insert(plan.reshards.begin(),
                       {producerOf(run->graph, "1"), 0, dramLayout(*run->problem, valueNamed(run->graph, "0"))});
  const std::vector<PlanDefect> defects = checkPlan(*run->problem, plan);
  ASSERT_EQ(defects.size(), 1u);
  EXPECT_EQ(defects[0].rule, PlanRule::ReshardOfNothing);
  EXPECT_EQ(defects[0].operand, 0);
}

TEST(CheckPlan, SpillUnused) {
  SoundPlan already;  // an argument is in DRAM
  already.plan.spills.insert(already.plan.spills.begin(), {already.value("a"), already.plan.order[0],
                                                           dramLayout(*already.run->problem, already.value("a"))});
  already.expectOnly(PlanRule::SpillUnused);
  SoundPlan late;  // nobody reads %0 any more
  late.plan.spills.insert(late.plan.spills.begin(), {late.value("0"), producerOf(late.run->graph, "3"),
                                                     dramLayout(*late.run->problem, late.value("0"))});
  late.expectOnly(PlanRule::SpillUnused);
  SoundPlan argument;  // nobody reads %b any more, though it is the caller's and stays
  argument.plan.spills.insert(argument.plan.spills.begin(),
                              {argument.value("b"), producerOf(argument.run->graph, "3"),
                               l1InterleavedLayout(*argument.run->problem, argument.value("b"))});
  argument.expectOnly(PlanRule::SpillUnused);
  SoundPlan early;  // %2 does not exist yet
  early.plan.spills.insert(early.plan.spills.begin(),
                           {early.value("2"), early.plan.order[0], dramLayout(*early.run->problem, early.value("2"))});
  early.expectOnly(PlanRule::SpillUnused);
}

TEST(CheckPlan, ConfigDiffers) {
  SoundPlan sound;
  OpId first = sound.plan.order[0];
  sound.plan.config[first].output = dramLayout(*sound.run->problem, sound.run->graph.ops[first].results[0]);
  sound.expectOnly(PlanRule::ConfigDiffers);
}

TEST(CheckPlan, OpRefused) {
  SoundPlan sound;
  sound.plan.reshards.clear();  // the matmul reads a sharded operand 1
  sound.expectOnly(PlanRule::OpRefused);
}

TEST(CheckPlan, ReturnNotInDram) {
  SoundPlan sound;
  sound.plan.spills.clear();
  sound.expectOnly(PlanRule::ReturnNotInDram);
}

TEST(CheckPlan, OverBudget) {
  SoundPlan sound;
  Problem tight = analysed(sound.run->graph, sound.run->device, {.l1UsageCapPermille = 10});
  std::set<std::string_view> rules;
  for (const PlanDefect& d : checkPlan(tight, sound.plan)) rules.insert(planRuleName(d.rule));
  EXPECT_EQ(rules, std::set<std::string_view>{"over-budget"});
}

// The softmax alone needs more than the 279,289 bytes that are allowed. No plan can help it, so that what else lies in
// L1 meanwhile is no mistake; its result in L1 is one, with or without that.
TEST(CheckPlan, AnOpThatFitsNowhereIsOverNoBudget) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<32x32xbf16>, %b: tensor<32x8192xbf16>) -> (tensor<32x8192xbf16>, tensor<32x32xbf16>) "
      "{\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>\n"
      "  %1 = \"ttir.softmax\"(%b) <{dimension = -1 : si32}> : (tensor<32x8192xbf16>) -> tensor<32x8192xbf16>\n"
      "  %2 = \"ttir.exp\"(%0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>\n"
      "  return %1, %2 : tensor<32x8192xbf16>, tensor<32x32xbf16>\n}\n");
  const auto inDram = runOn(graph, "DRAM");
  const Problem tight = analysed(inDram->graph, inDram->device, {.l1UsageCapPermille = 200});
  const auto withInL1 = [&](std::initializer_list<std::string_view> names) {
    Plan plan = inDram->plan;
    plan.order = inDram->graph.funcs[inDram->graph.forward].ops;
    for (const std::string_view name : names) {
      const ValueId value = valueNamed(inDram->graph, name);
      const OpId op = inDram->graph.values[value].producer;
      plan.layout[value] = l1InterleavedLayout(tight, value);
      plan.config[op].output = *plan.layout[value];
    }
    size_t over = 0;
    for (const PlanDefect& d : checkPlan(tight, plan)) over += d.rule == PlanRule::OverBudget;
    return over;
  };
  EXPECT_EQ(withInL1({}), 0u);
  EXPECT_EQ(withInL1({"0"}), 0u);
  EXPECT_EQ(withInL1({"1"}), 1u);
  EXPECT_EQ(withInL1({"0", "1"}), 1u);
}

// It neither reads nor writes L1, and has room for its circular buffers only without what the plan keeps there.
TEST(CheckPlan, AnOpInDramThatFitsAloneIsOverBudgetBesideOthers) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<2048x2048xbf16>, %b: tensor<32x8192xbf16>) -> (tensor<32x8192xbf16>, "
      "tensor<2048x2048xbf16>) {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
      "  %1 = \"ttir.softmax\"(%b) <{dimension = -1 : si32}> : (tensor<32x8192xbf16>) -> tensor<32x8192xbf16>\n"
      "  %2 = \"ttir.exp\"(%0) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
      "  return %1, %2 : tensor<32x8192xbf16>, tensor<2048x2048xbf16>\n}\n");
  const auto inDram = runOn(graph, "DRAM");
  Plan plan = inDram->plan;
  plan.order = inDram->graph.funcs[inDram->graph.forward].ops;
  const ValueId kept = valueNamed(inDram->graph, "0");
  const OpId softmax = producerOf(inDram->graph, "1");
  plan.layout[kept] = plan.config[producerOf(inDram->graph, "0")].output = l1InterleavedLayout(*inDram->problem, kept);
  const std::vector<std::optional<TensorLayout>> inputs = {plan.layout[inDram->graph.ops[softmax].operands[0]]};
  int onlyAlone = 0, beside = 0;
  for (int32_t cap = 100; cap < 700; cap += 10) {
    const Problem tight = analysed(inDram->graph, inDram->device, {.l1UsageCapPermille = cap});
    const auto fits = [&](Bytes held) {
      return tight.model
          .validateOperation({inDram->graph, softmax, inputs, plan.config[softmax], held}, tight.budget.bytes())
          .ok();
    };
    bool told = false;
    for (const PlanDefect& d : checkPlan(tight, plan)) told |= d.rule == PlanRule::OverBudget && d.op == softmax;
    const bool alone = fits(Bytes(0)), both = fits(l1BytesPerCore(*plan.layout[kept]));
    EXPECT_EQ(told, alone && !both) << cap;
    onlyAlone += alone && !both;
    beside += both;
  }
  EXPECT_GT(onlyAlone, 0);
  EXPECT_GT(beside, 0);
}

// A value that lives across an op counts for that op.
TEST(CheckPlan, OverBudgetCountsValuesThatOnlyLiveThrough) {
  const std::string t = "tensor<2048x2048xbf16>";  // 131,072 bytes on each of 64 cores
  auto run =
      runOn(graphOf("func.func @main(%a: " + t + ") -> " + t + " {\n  %0 = \"ttir.relu\"(%a) : (" + t + ") -> " + t +
                    "\n  %1 = \"ttir.relu\"(%a) : (" + t + ") -> " + t + "\n  %2 = \"ttir.add\"(%0, %1) : (" + t +
                    ", " + t + ") -> " + t + "\n  return %2 : " + t + "\n}\n"),
            "Greedy");
  ASSERT_TRUE(run->plan.layout[valueNamed(run->graph, "0")]->isL1());
  ASSERT_TRUE(run->plan.layout[valueNamed(run->graph, "1")]->isL1());
  // 200,000 bytes hold one of them and the buffers, not two.
  Problem tight = analysed(run->graph, run->device, {.l1UsageCapPermille = 144});
  auto defects = checkPlan(tight, run->plan);
  ASSERT_FALSE(defects.empty());
  EXPECT_EQ(defects[0].rule, PlanRule::OverBudget);
  EXPECT_NE(defects[0].text.find("%1 "), std::string::npos) << defects[0].text;
}

// %0 is reshaped to `shape`, so that both have 131,072 bytes on each of 64 cores; %2 is of that size, too.
std::string reshapedText(const std::string& shape) {
  const std::string t = "tensor<2048x2048xbf16>", r = "tensor<" + shape + "xbf16>";
  return "func.func @main(%a: " + t + ", %b: " + t + ") -> (" + t + ", " + r + ") {\n  %0 = \"ttir.relu\"(%a) : (" + t +
         ") -> " + t + "\n  %1 = \"ttir.reshape\"(%0) : (" + t + ") -> " + r + "\n  %2 = \"ttir.relu\"(%b) : (" + t +
         ") -> " + t + "\n  %3 = \"ttir.add\"(%0, %2) : (" + t + ", " + t + ") -> " + t +
         "\n  %4 = \"ttir.relu\"(%1) : (" + r + ") -> " + r + "\n  return %3, %4 : " + t + ", " + r + "\n}\n";
}

// The ops at which the plan of policy DRAM exceeds a budget of 201,088 bytes when these values are put in L1, and %0
// leaves it before %2 is made if `spills`.
std::vector<std::string> overBudgetWith(const std::string& text, const std::vector<std::string>& inL1, bool spills) {
  auto run = runOn(graphOf(text), "DRAM", {.l1UsageCapPermille = 144});
  Plan plan = run->plan;
  for (const std::string& name : inL1) {
    const ValueId value = valueNamed(run->graph, name);
    plan.layout[value] = plan.config[producerOf(run->graph, name)].output = l1InterleavedLayout(*run->problem, value);
  }
  const ValueId first = valueNamed(run->graph, "0");
  if (spills) plan.spills.push_back({first, producerOf(run->graph, "2"), dramLayout(*run->problem, first)});
  std::vector<std::string> ops;
  for (const PlanDefect& d : checkPlan(*run->problem, plan)) {
    EXPECT_EQ(d.rule, PlanRule::OverBudget) << d.text;
    ops.push_back(d.text.substr(0, d.text.find(' ')));
  }
  return ops;
}

// An op, what is alive beside it and the copies made for it have to fit together, to the byte.
TEST(CheckPlan, OverBudgetCountsCopiesOfOperands) {
  SoundPlan sound;
  const Graph& graph = sound.run->graph;
  const Reshard& reshard = sound.plan.reshards[0];
  const OpId op = reshard.consumer;
  std::vector<std::optional<TensorLayout>> inputs;
  Bytes alive;
  for (ValueId operand : graph.ops[op].operands) {
    inputs.push_back(sound.plan.layout[operand]);
    alive += l1BytesPerCore(*inputs.back());
  }
  inputs[static_cast<size_t>(reshard.operand)] = reshard.to;
  const Bytes copy = l1BytesPerCore(reshard.to);
  ASSERT_GT(copy.count, 0);
  int over = 0, onlyWithCopy = 0;
  for (int32_t cap = 4; cap < 100; ++cap) {
    const Problem problem = analysed(graph, sound.run->device, {.l1UsageCapPermille = cap});
    auto fits = [&](Bytes beside) {
      return problem.model.validateOperation({graph, op, inputs, sound.plan.config[op], beside}, problem.budget.bytes())
          .ok();
    };
    bool told = false;
    for (const PlanDefect& d : checkPlan(problem, sound.plan)) told |= d.rule == PlanRule::OverBudget && d.op == op;
    EXPECT_EQ(told, !fits(alive + copy)) << cap;
    over += told;
    onlyWithCopy += told && fits(alive);
  }
  EXPECT_GT(over, 0);
  EXPECT_LT(over, 96);
  EXPECT_GT(onlyWithCopy, 0);
}

// The plan takes %1 for a view of %0, and counts L1 once for both.
TEST(CheckPlan, OverBudgetWhenACopyIsTakenForAView) {
  EXPECT_TRUE(overBudgetWith(reshapedText("4x512x2048"), {"0", "1"}, false).empty()) << "is a view";
  EXPECT_TRUE(overBudgetWith(reshapedText("4096x1024"), {"0"}, false).empty());
  const auto ops = overBudgetWith(reshapedText("4096x1024"), {"0", "1"}, false);
  ASSERT_FALSE(ops.empty());
  EXPECT_EQ(ops[0], "%1");
}

// The plan takes %1 for a copy of %0 in a buffer of its own: it lets %0 leave L1 and takes its bytes for %2, but the
// view %1 keeps them. With %1 in DRAM the same plan is sound.
TEST(CheckPlan, OverBudgetWhenAViewHoldsWhatWasSpilled) {
  EXPECT_TRUE(overBudgetWith(reshapedText("4x512x2048"), {"0", "2"}, true).empty());
  const auto ops = overBudgetWith(reshapedText("4x512x2048"), {"0", "1", "2"}, true);
  ASSERT_FALSE(ops.empty());
  EXPECT_EQ(ops[0], "%2");
}

// No plan helps an op whose own buffers exceed L1; the run reports it.
TEST(CheckPlan, AnOpThatNeverFitsIsNoDefectOfThePlan) {
  auto run = runOn(
      graphOf("func.func @main(%a: tensor<64x4096xbf16>) -> tensor<64x4096xbf16> {\n"
              "  %0 = \"ttir.softmax\"(%a) <{dimension = -1 : si32}> : (tensor<64x4096xbf16>) -> tensor<64x4096xbf16>\n"
              "  return %0 : tensor<64x4096xbf16>\n}\n"),
      "DRAM", {.l1UsageCapPermille = 10});
  EXPECT_TRUE(checkPlan(*run->problem, run->plan).empty());
}

TEST(CheckPlan, RuleNamesAreDistinct) {
  std::set<std::string_view> names;
  for (int rule = 0; rule <= static_cast<int>(PlanRule::OverBudget); ++rule)
    names.insert(planRuleName(static_cast<PlanRule>(rule)));
  EXPECT_EQ(names.size(), static_cast<size_t>(PlanRule::OverBudget) + 1);
  EXPECT_EQ(names.count(""), 0u);
}

}  // namespace
}  // namespace tessera::test
