// Scheduling and chain building: ttnn-optimizer.md 3.2.

#include "core/policy/chain/dfs_scheduler.h"
#include "tests/analysed.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

struct Built {
  Graph graph;
  std::unique_ptr<Problem> problem;
  ChainTrace trace;
  BuiltChains chains;
};

std::unique_ptr<Built> build(const std::string& text, bool isolateConcats = false) {
  auto built = std::make_unique<Built>();
  built->graph = graphOf(text);
  built->problem = std::make_unique<Problem>(analysed(built->graph, allDevices()[0], {}));
  ChainConfigs configs(*built->problem);
  built->chains = buildL1Chains(*built->problem, configs, {.isolateConcats = isolateConcats}, built->trace);
  return built;
}

std::string chainsOf(const Built& built) {
  std::string text;
  for (const L1ChainConfig& chain : built.chains.chains)
    text += (text.empty() ? "" : " | ") + namesOf(built.graph, chain.ops());
  return text;
}

ChainBreak breakAt(const Built& built, const char* value) {
  const ChainEvent* event = findEvent(built.trace, ChainEventKind::ChainBroke, producerOf(built.graph, value));
  return event ? event->rule : ChainBreak::None;
}

TEST(Optimizer_3_2_2, FollowsTheFirstOperandDepthFirst) {
  auto built = build(GraphText()
                         .arg("%a")
                         .op("%0", "ttnn.relu", {"%a"})
                         .op("%1", "ttnn.gelu", {"%0"})
                         .op("%2", "ttnn.silu", {"%1"})
                         .text());
  EXPECT_EQ(chainsOf(*built), "%0 %1 %2");
  EXPECT_EQ(built->chains.chains[0].state(), L1ChainState::Built);
}

// Two branches written side by side are run one after the other.
TEST(Optimizer_3_2_2, RunsOneBranchToItsEndBeforeTheNext) {
  auto built = build(GraphText()
                         .arg("%a")
                         .arg("%b")
                         .op("%0", "ttnn.relu", {"%a"})
                         .op("%1", "ttnn.relu", {"%b"})
                         .op("%2", "ttnn.gelu", {"%0"})
                         .op("%3", "ttnn.gelu", {"%1"})
                         .op("%4", "ttnn.add", {"%2", "%3"})
                         .text());
  EXPECT_EQ(namesOf(built->graph, built->chains.scheduled), "%0 %2 %1 %3 %4");
  EXPECT_EQ(chainsOf(*built), "%0 %2 | %1 %3 | %4");
}

TEST(Optimizer_3_2_3, AForkBreaksTheChain) {
  auto built = build(GraphText()
                         .arg("%a")
                         .op("%0", "ttnn.relu", {"%a"})
                         .op("%1", "ttnn.gelu", {"%0"})
                         .op("%2", "ttnn.add", {"%1", "%0"})
                         .text());
  EXPECT_EQ(breakAt(*built, "0"), ChainBreak::SeveralUses);
  EXPECT_EQ(chainsOf(*built), "%0 | %1 %2");
}

TEST(Optimizer_3_2_3, ReadingAnotherOperandBreaksTheChain) {
  auto built =
      build(GraphText().arg("%a").arg("%b").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.add", {"%b", "%0"}).text());
  EXPECT_EQ(breakAt(*built, "0"), ChainBreak::NotFirstOperand);
  EXPECT_EQ(chainsOf(*built), "%0 | %1");
}

TEST(Optimizer_3_2_3, AnOpThatIsNotShardableBreaksTheChain) {
  auto built = build(GraphText()
                         .arg("%a")
                         .op("%0", "ttnn.relu", {"%a"})
                         .op("%1", "ttnn.exp", {"%0"})
                         .op("%2", "ttnn.relu", {"%1"})
                         .text());
  EXPECT_EQ(breakAt(*built, "0"), ChainBreak::NotShardable);
  EXPECT_EQ(chainsOf(*built), "%0 | %2");
  ASSERT_NE(findEvent(built->trace, ChainEventKind::OpLeftOut, producerOf(built->graph, "1")), nullptr);
}

// 2^28 elements have no sharded layout that fits a core.
TEST(Optimizer_3_2_3, AnOpWithoutLegalConfigsJoinsNoChain) {
  auto built = build(GraphText("65536x65536").arg("%a").op("%0", "ttnn.relu", {"%a"}).text());
  EXPECT_EQ(chainsOf(*built), "");
  const ChainEvent* left = findEvent(built->trace, ChainEventKind::OpLeftOut, producerOf(built->graph, "0"));
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->rule, ChainBreak::NoLegalConfigs);
}

// The list as published: what is in it starts a chain, its neighbours in the op table do not.
TEST(Optimizer_3_2_3, ShardableOpsAreThePublishedList) {
  const std::vector<std::string> expected = {
      "conv2d", "conv_transpose2d", "add",      "multiply",         "relu", "relu6", "typecast", "silu", "matmul",
      "linear", "minimum",          "rms_norm", "rotary_embedding", "gelu"};
  std::vector<std::string> listed;
  for (const OpInfo& info : allOps()) {
    if (info.has(kShardable) && info.name.substr(0, 5) == "ttnn.") listed.emplace_back(info.name.substr(5));
  }
  auto sorted = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  EXPECT_EQ(sorted(listed), sorted(expected));
}

TEST(Optimizer_3_2_4, StatesFollowEachOther) {
  L1ChainConfig chain;
  EXPECT_EQ(chain.state(), L1ChainState::InBuild);
  chain.addOp(OpId{3});
  chain.build();
  EXPECT_EQ(chain.state(), L1ChainState::Built);
  L1ChainConfig failed = chain;
  failed.fail("no edge works");
  EXPECT_EQ(failed.state(), L1ChainState::Failed);
  EXPECT_EQ(failed.failure(), "no edge works");
  chain.resolved();
  EXPECT_EQ(chain.state(), L1ChainState::Resolved);
  chain.complete({{OpConfig{}}, {}});
  EXPECT_EQ(chain.state(), L1ChainState::Completed);
}

TEST(Optimizer_3_2_4_Death, NoStateIsSkipped) {
  L1ChainConfig empty;
  EXPECT_DEATH(empty.build(), "holds ops");
  L1ChainConfig chain;
  chain.addOp(OpId{0});
  EXPECT_DEATH(chain.resolved(), "only a built chain");
  chain.build();
  EXPECT_DEATH(chain.addOp(OpId{1}), "in build");
  EXPECT_DEATH(chain.complete({}), "only a resolved chain");
}

TEST(Optimizer_4_1_6, AConcatIsAChainOfItsOwn) {
  std::string text = GraphText()
                         .arg("%a")
                         .arg("%b")
                         .op("%0", "ttnn.relu", {"%a"})
                         .op("%1", "ttnn.relu", {"%b"})
                         .op("%2", "ttnn.concat", {"%0", "%1"}, "512x1024", "dim = -1 : si32")
                         .op("%3", "ttnn.gelu", {"%2"}, "512x1024")
                         .text();
  auto built = build(text, true);
  EXPECT_EQ(chainsOf(*built), "%0 | %1 | %2 | %3");
  EXPECT_TRUE(built->chains.chains[2].isConcatChain);
  EXPECT_EQ(chainsOf(*build(text)), "%0 | %1 | %3");  // DFSharding: not shardable
}

// A cache that is written in place: readers keep their side of the write.
TEST(DfsScheduler, ReadersStayOnTheirSideOfAWrite) {
  Graph graph = graphOf(
      "func.func @main(%cache: tensor<1x8x64x32xbf16>, %x: tensor<1x8x64x32xbf16>) -> (tensor<1x8x64x32xbf16>, "
      "tensor<1x8x64x32xbf16>) {\n"
      "  %0 = \"ttnn.exp\"(%cache) : (tensor<1x8x64x32xbf16>) -> tensor<1x8x64x32xbf16>\n"
      "  \"ttnn.fill_cache\"(%cache, %x) <{batch_offset = 0 : i32}> : (tensor<1x8x64x32xbf16>, tensor<1x8x64x32xbf16>) "
      "-> ()\n"
      "  %1 = \"ttnn.exp\"(%cache) : (tensor<1x8x64x32xbf16>) -> tensor<1x8x64x32xbf16>\n"
      "  %2 = \"ttnn.add\"(%1, %0) : (tensor<1x8x64x32xbf16>, tensor<1x8x64x32xbf16>) -> tensor<1x8x64x32xbf16>\n"
      "  return %2, %1 : tensor<1x8x64x32xbf16>, tensor<1x8x64x32xbf16>\n}\n");
  Problem problem = analysed(graph, allDevices()[0], {});
  DfsScheduler scheduler(problem);
  while (scheduler.hasUnscheduledOps())
    scheduler.scheduleOp(scheduler.schedulableOps().back());  // the least wanted one, to provoke
  std::vector<OpId> order = scheduler.wholeOrder();
  Schedule schedule = scheduleFromOrder(graph, order);
  OpId write = order[0];
  for (OpId op : order) {
    if (graph.ops[op].name == "ttnn.fill_cache") write = op;
  }
  EXPECT_LT(schedule.position[producerOf(graph, "0")], schedule.position[write]);
  EXPECT_GT(schedule.position[producerOf(graph, "1")], schedule.position[write]);
  EXPECT_EQ(order.size(), graph.funcs[graph.forward].ops.size());
}

// Configs come with most cores first; of equals the order is that of the legal layouts.
TEST(ChainConfigs, MostCoresComeFirst) {
  int ordered = 0;
  for (const char* shape : {"512x512", "2048x256", "96x96"}) {
    GraphText text(shape);
    const Graph graph = graphOf(text.arg("%a").op("%0", "ttnn.exp", {"%a"}).op("%1", "ttnn.add", {"%0", "%a"}).text());
    const Problem problem = analysed(graph, allDevices()[0], {.maxLegalLayouts = 64});
    ChainConfigs configs(problem);
    for (const char* name : {"0", "1"}) {
      const std::vector<OpConfig>& all = configs.of(producerOf(graph, name));
      for (size_t i = 1; i < all.size(); ++i) {
        EXPECT_GE(coresUsed(all[i - 1].output), coresUsed(all[i].output));
        ordered += coresUsed(all[i - 1].output) > coresUsed(all[i].output);
      }
    }
  }
  EXPECT_GT(ordered, 3);
}

// The new rows that a write reads are not changed by it: others may read them whenever they like.
TEST(DfsScheduler, OnlyTheFirstOperandIsWritten) {
  const std::string type = "tensor<1x8x64x32xbf16>", two = "(" + type + ", " + type + ")";
  Graph graph =
      graphOf("func.func @main(%cache: " + type + ", %x: " + type + ") -> (" + type + ", " + type + ", " + type +
              ") {\n  %0 = \"ttnn.fill_cache\"(%cache, %x) <{batch_offset = 0 : i32}> : " + two + " -> " + type +
              "\n  %1 = \"ttnn.exp\"(%x) : (" + type + ") -> " + type + "\n  %2 = \"ttnn.exp\"(%cache) : (" + type +
              ") -> " + type + "\n  return %0, %1, %2 : " + type + ", " + type + ", " + type + "\n}\n");
  Problem problem = analysed(graph, allDevices()[0], {});
  const DfsScheduler scheduler(problem);
  std::vector<std::string> ready;
  for (OpId op : scheduler.schedulableOps()) ready.push_back(nameOf(graph, op));
  EXPECT_EQ(ready, (std::vector<std::string>{"%0", "%1"}));
}

// The shorter branch of a fork runs first, so that the longer one arrives at the join last (tt-mlir
// lib/Scheduler/Scheduler.cpp of 2026-07).
TEST(DfsScheduler, OpsWhoseReaderStillWaitsComeFirst) {
  Graph graph = graphOf(GraphText()
                            .arg("%a")
                            .op("%long", "ttnn.relu", {"%a"})
                            .op("%long2", "ttnn.gelu", {"%long"})
                            .op("%short", "ttnn.silu", {"%a"})
                            .op("%join", "ttnn.add", {"%long2", "%short"})
                            .text());
  Problem problem = analysed(graph, allDevices()[0], {});
  DfsScheduler scheduler(problem);
  EXPECT_EQ(nameOf(graph, scheduler.first()), "%short");
  EXPECT_EQ(scheduler.schedulableOps().size(), 2u);
}

// An op that computes nothing but passes a result on has its place behind that result.
TEST(DfsScheduling, WhatPassesAResultOnWaitsForIt) {
  const Graph graph = graphOf(GraphText()
                                  .arg("%a")
                                  .arg("%b")
                                  .op("%0", "ttnn.relu", {"%a"})
                                  .op("%1", "ttcore.optimization_barrier", {"%0"})
                                  .op("%2", "ttnn.neg", {"%1"})
                                  .op("%3", "ttnn.relu", {"%b"})
                                  .op("%4", "ttnn.add", {"%2", "%3"})
                                  .text());
  const Problem problem = analysed(graph, allDevices()[0], {});
  DfsScheduler scheduler(problem);
  while (scheduler.hasUnscheduledOps()) scheduler.scheduleOp(scheduler.first());
  const std::vector<OpId> order = scheduler.wholeOrder();
  EXPECT_EQ(namesOf(graph, {order.begin(), order.end() - 1}), "%3 %0 %1 %2 %4");
}

// Conversions come first; a reader that waits for one op twice waits for nobody else.
TEST(DfsScheduler, RanksTellWhoseReaderWaitsForOthers) {
  const Graph graph = graphOf(GraphText()
                                  .arg("%a")
                                  .arg("%b")
                                  .op("%0", "ttnn.relu", {"%a"})
                                  .op("%1", "ttnn.add", {"%0", "%0"})
                                  .op("%2", "ttnn.relu", {"%b"})
                                  .op("%3", "ttnn.add", {"%1", "%2"})
                                  .op("%4", "ttnn.to_layout", {"%b"})
                                  .op("%5", "ttnn.add", {"%3", "%4"})
                                  .text());
  const Problem problem = analysed(graph, allDevices()[0], {});
  DfsScheduler scheduler(problem);
  EXPECT_EQ(scheduler.rank(producerOf(graph, "0")), 2);
  EXPECT_EQ(scheduler.rank(producerOf(graph, "2")), 1);
  EXPECT_EQ(scheduler.rank(producerOf(graph, "4")), 0);
  EXPECT_EQ(namesOf(graph, scheduler.schedulableOps()), "%4 %2 %0");
  EXPECT_EQ(namesOf(graph, scheduler.ready()), "%0 %2 %4");
  EXPECT_EQ(nameOf(graph, scheduler.first()), "%4");
  scheduler.scheduleOp(producerOf(graph, "0"));
  EXPECT_EQ(namesOf(graph, scheduler.ready()), "%1 %2 %4") << "in the order of the program";
  EXPECT_EQ(scheduler.useCount(producerOf(graph, "0")), 2u);
}

TEST(DfsScheduler, OfReadersTheFirstInTheProgramGoesOn) {
  const Graph graph = graphOf(GraphText()
                                  .arg("%a")
                                  .op("%0", "ttnn.relu", {"%a"})
                                  .op("%1", "ttnn.gelu", {"%a"})
                                  .op("%2", "ttnn.add", {"%0", "%1"})
                                  .op("%3", "ttnn.silu", {"%0"})
                                  .op("%4", "ttnn.relu", {"%0"})
                                  .returning({"%2", "%3", "%4"}));
  const Problem problem = analysed(graph, allDevices()[0], {});
  DfsScheduler scheduler(problem);
  EXPECT_FALSE(scheduler.readyReader(producerOf(graph, "0")).valid());
  scheduler.scheduleOp(producerOf(graph, "0"));
  EXPECT_EQ(nameOf(graph, scheduler.readyReader(producerOf(graph, "0"))), "%3") << "%2 waits for %1";
  scheduler.scheduleOp(producerOf(graph, "1"));
  EXPECT_EQ(nameOf(graph, scheduler.readyReader(producerOf(graph, "0"))), "%2");
}

// What frees a tensor waits for its readers, and what reads it afterwards for that.
TEST(DfsScheduler, FreeingWaitsForReaders) {
  const std::string t = "tensor<64x64xbf16>", one = " : (" + t + ") -> " + t + "\n";
  const Graph graph = graphOf("func.func @main(%x: " + t + ") -> " + t + " {\n  %a = \"ttnn.relu\"(%x)" + one +
                              "  %b = \"ttnn.exp\"(%a)" + one + "  \"ttnn.deallocate\"(%a) <{force = false}> : (" + t +
                              ") -> ()\n  %c = \"ttnn.exp\"(%b)" + one + "  return %c : " + t + "\n}\n");
  const Problem problem = analysed(graph, allDevices()[0], {});
  DfsScheduler scheduler(problem);
  const OpId freeing = graph.funcs[graph.forward].ops[2];
  scheduler.scheduleOp(producerOf(graph, "a"));
  EXPECT_FALSE(scheduler.canSchedule(freeing));
  scheduler.scheduleOp(producerOf(graph, "b"));
  EXPECT_TRUE(scheduler.canSchedule(freeing));
}

// Helpers stand right before the first op that needs them, those that nobody needs before the return.
TEST(DfsScheduler, HelpersStandBeforeTheirReaders) {
  const std::string t = "tensor<64x64xbf16>";
  const Graph graph =
      graphOf("func.func @main(%x: " + t + ") -> " + t + " {\n  %u = \"ttnn.get_device\"() : () -> !ttnn.device\n" +
              "  %d = \"ttnn.get_device\"() : () -> !ttnn.device\n" +
              "  %e = \"ttnn.empty\"(%d) <{shape = #ttnn.shape<64x64>}> : (!ttnn.device) -> " + t + "\n" +
              "  %0 = \"ttnn.relu\"(%x) : (" + t + ") -> " + t + "\n  %1 = \"ttnn.add\"(%0, %e) : (" + t + ", " + t +
              ") -> " + t + "\n  return %1 : " + t + "\n}\n");
  const Problem problem = analysed(graph, allDevices()[0], {});
  DfsScheduler scheduler(problem);
  while (scheduler.hasUnscheduledOps()) scheduler.scheduleOp(scheduler.first());
  EXPECT_EQ(namesOf(graph, scheduler.scheduled()), "%0 %1");
  EXPECT_EQ(namesOf(graph, scheduler.wholeOrder()), "%0 %d %e %1 %u -");
}

// A concat that has a chain of its own is not told as left out; one that has none is.
TEST(Optimizer_4_1_6, AConcatIsLeftOutOnlyWithoutAChain) {
  const std::string text = GraphText()
                               .arg("%a")
                               .arg("%b")
                               .op("%0", "ttnn.relu", {"%a"})
                               .op("%1", "ttnn.relu", {"%b"})
                               .op("%2", "ttnn.concat", {"%0", "%1"}, "512x1024", "dim = -1 : si32")
                               .text();
  for (const bool isolate : {true, false}) {
    const Graph graph = graphOf(text);
    const Problem problem = analysed(graph, allDevices()[0], {});
    ChainConfigs configs(problem);
    ChainTrace trace;
    buildL1Chains(problem, configs, {.isolateConcats = isolate}, trace);
    const ChainEvent* left = findEvent(trace, ChainEventKind::OpLeftOut);
    ASSERT_EQ(left == nullptr, isolate);
    if (left == nullptr) continue;
    EXPECT_EQ(nameOf(graph, left->op), "%2");
    EXPECT_EQ(left->rule, ChainBreak::NotShardable);
    EXPECT_EQ(left->chain, -1);
  }
}

}  // namespace
}  // namespace tessera::test
