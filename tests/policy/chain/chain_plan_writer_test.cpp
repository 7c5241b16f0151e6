// The walk that writes a plan goes back to any earlier step and on, as if it had never been further.

#include "core/plan/plan_json.h"
#include "core/policy/chain/chain_plan.h"
#include "core/policy/chain/chain_run.h"
#include "core/policy/kit/candidate_layouts.h"
#include "tests/policy/chain/chain_testing.h"
#include "tests/policy/expect_sound.h"

namespace tessera::test {
namespace {

// A hundred ops whose every other result stays in L1 up to a reader four ops later.
Graph longGraph() {
  GraphText text("2048x256");
  text.arg("%a");
  std::vector<std::string> values = {"%a"};
  for (int i = 0; i < 100; ++i) {
    const std::string name = "%" + std::to_string(i), last = values.back();
    if (i % 3 == 2) text.op(name, "ttnn.add", {last, values[values.size() - 3]});
    else text.op(name, "ttnn.relu", {last});
    values.push_back(name);
  }
  return graphOf(text.text());
}

bool samePlan(const Plan& a, const Plan& b) {
  bool same = a.order == b.order && a.spills == b.spills && a.reshards == b.reshards;
  for (ValueId value : a.layout.ids()) same = same && a.layout[value] == b.layout[value];
  for (OpId op : a.config.ids()) same = same && a.config[op] == b.config[op];
  return same;
}

void keep(const Problem& problem, ChainWork& work, OpId op) {
  OpConfig config = work.configOf(op);
  config.output = l1InterleavedLayout(problem, work.resultOf(op));
  work.setConfig(op, config);
  work.keepInL1(work.resultOf(op), config.output);
}

TEST(ChainPlanWriter, GoingBackLeavesNoTrace) {
  const Graph graph = longGraph();
  const Problem problem = analysed(graph, allDevices()[0], {});
  ChainConfigs configs(problem);
  ChainTrace trace;
  ChainWork work(problem, configs, {}, trace);
  const std::vector<OpId>& order = problem.schedule.order;
  for (size_t i = 0; i + 1 < order.size(); i += 2) keep(problem, work, order[i]);
  const ChainPlan whole = writeChainPlan(work);
  ASSERT_FALSE(whole.failedAt.valid());
  size_t inL1 = 0;
  for (ValueId value : whole.plan.layout.ids()) inL1 += whole.plan.layout[value] && whole.plan.layout[value]->isL1();
  EXPECT_GE(inL1, 40u);
  ChainPlanWriter writer(work);
  for (const size_t reached : {10u, 40u, 64u, 65u, 100u}) {
    while (writer.position() < reached) ASSERT_TRUE(writer.write().ok());
    for (const size_t back : {reached, reached - 1, reached * 2 / 3, reached / 3}) {
      writer.backTo(back);
      EXPECT_EQ(writer.position(), back);
    }
  }
  while (!writer.done()) ASSERT_TRUE(writer.write().ok());
  EXPECT_TRUE(samePlan(writer.take(), whole.plan));
}

// Every other op ends a chain whose result moves to DRAM before the next one: wherever the walk goes back to, such a
// move may stand out.
TEST(ChainPlanWriter, GoingBackKeepsTheMovesThatStandOut) {
  for (const char* first : {"ttnn.relu", "ttnn.exp"}) {
    GraphText text("2048x256");
    text.arg("%a");
    for (int i = 0; i < 140; ++i) {
      const bool even = i % 2 == 0;
      text.op("%" + std::to_string(i), even == (std::string(first) == "ttnn.relu") ? "ttnn.relu" : "ttnn.exp",
              {i == 0 ? "%a" : "%" + std::to_string(i - 1)});
    }
    const Graph graph = graphOf(text.text());
    const Problem problem = analysed(graph, allDevices()[0], {});
    DecisionLog log;
    const ChainOptions options;
    ChainRun run(problem, options, {}, log);
    for (int32_t chain = 0; chain < run.work().chainCount(); ++chain) run.resolveChain(chain, {});
    const ChainPlan whole = writeChainPlan(run.work());
    ASSERT_FALSE(whole.failedAt.valid());
    EXPECT_GE(whole.plan.spills.size(), 69u);
    ChainPlanWriter writer(run.work());
    for (const size_t reached : {80u, 81u, 140u}) {
      while (writer.position() < reached) ASSERT_TRUE(writer.write().ok());
      for (const size_t back : {reached - 1, size_t{66}, size_t{65}, size_t{64}, size_t{63}, size_t{1}}) {
        writer.backTo(back);
        ChainPlanWriter on = writer;
        while (!on.done()) ASSERT_TRUE(on.write().ok());
        EXPECT_TRUE(samePlan(on.take(), whole.plan)) << first << " " << reached << " back to " << back;
      }
    }
  }
}

// A decision that is changed after the walk went back is in the plan as if it had been made before.
TEST(ChainPlanWriter, WritesWhatWasDecidedAnew) {
  const Graph graph = longGraph();
  const Problem problem = analysed(graph, allDevices()[0], {});
  ChainConfigs configs(problem);
  ChainTrace trace;
  ChainWork work(problem, configs, {}, trace);
  const std::vector<OpId>& order = problem.schedule.order;
  const ChainWork::Mark none = work.mark();
  keep(problem, work, order[50]);
  ChainPlanWriter writer(work);
  while (writer.position() < 80) ASSERT_TRUE(writer.write().ok());
  work.rollback(none);
  keep(problem, work, order[52]);
  writer.backTo(50);
  while (!writer.done()) ASSERT_TRUE(writer.write().ok());
  const Plan plan = writer.take();
  EXPECT_TRUE(samePlan(plan, writeChainPlan(work).plan));
  EXPECT_FALSE(plan.layout[work.resultOf(order[50])]->isL1());
  EXPECT_TRUE(plan.layout[work.resultOf(order[52])]->isL1());
}

// A chain whose last result nobody reads moves nothing out of L1.
TEST(ChainPlanWriter, WhatNobodyReadsIsNotMoved) {
  for (const char* policy : {"DFSharding", "DFSharding2"}) {
    const auto run = runOn(graphOf(GraphText()
                                       .arg("%a")
                                       .op("%0", "ttnn.relu", {"%a"})
                                       .op("%unread", "ttnn.exp", {"%0"})
                                       .op("%1", "ttnn.relu", {"%a"})
                                       .op("%2", "ttnn.exp", {"%1"})
                                       .op("%3", "ttnn.add", {"%2", "%2"})
                                       .text()),
                           policy);
    expectSound(*run);
    EXPECT_TRUE(run->plan.layout[valueNamed(run->graph, "0")]->isL1()) << policy;
    for (const Spill& spill : run->plan.spills) EXPECT_NE(spill.value, valueNamed(run->graph, "unread")) << policy;
  }
}

// A policy that would run the ops in another order says so at once when only the given order is of use.
TEST(KeepsSchedule, AnotherOrderGivesAnEmptyPlan) {
  GraphText text("512x512");
  text.arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.exp", {"%a"}).op("%2", "ttnn.relu", {"%0"});
  text.op("%3", "ttnn.exp", {"%1"}).op("%4", "ttnn.add", {"%2", "%3"});
  const Graph graph = graphOf(text.text());
  const Problem problem = analysed(graph, allDevices()[0], {});
  size_t empty = 0, kept = 0;
  for (const PolicyInfo& policy : allPolicies()) {
    if (!policy.has(kBaseline)) continue;
    PolicyMemory memory;
    memory.prepare(problem.device);
    DecisionLog log, ignored;
    PolicyOptions options;
    const Plan usual = planBy(policy, problem, options, memory, log);
    options.keepsSchedule = true;
    const Plan plan = planBy(policy, problem, options, memory, ignored);
    const bool same = usual.order == problem.schedule.order;
    (same ? kept : empty) += 1;
    if (same) EXPECT_TRUE(samePlan(plan, usual)) << policy.id;
    else EXPECT_TRUE(plan.order.empty()) << policy.id;
  }
  EXPECT_GE(empty, 1u);
  EXPECT_GE(kept, 3u);
}

}  // namespace
}  // namespace tessera::test
