// ShardSolver on graphs: ttnn-optimizer.md 3.3.4 - 3.3.6, and the five shortcomings of 3.3.9.

#include "tests/analysed.h"
#include "tests/policy/chain/chain_testing.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// A unary op of the library of 2025-11 takes a sharded operand only: the chain's input gets a reshard.
TEST(Optimizer_3_3_5, AnInputThatNoConfigTakesIsResharded) {
  auto run = runOn(graphOf(GraphText().arg("%a").op("%0", "ttnn.relu", {"%a"}).text()), "DFSharding");
  OpId op = producerOf(run->graph, "0");
  const ChainEvent* first = findEvent(*run->log.chain, ChainEventKind::FirstOp, op);
  ASSERT_NE(first, nullptr);
  EXPECT_GT(first->before, 0);
  EXPECT_EQ(first->after, 0);
  ASSERT_NE(findEvent(*run->log.chain, ChainEventKind::ReshardInserted, op), nullptr);
  ASSERT_EQ(run->plan.reshards.size(), 1u);
  EXPECT_EQ(run->plan.reshards[0].to, *run->plan.layout[valueNamed(run->graph, "0")]);
  expectSound(*run);
}

TEST(Optimizer_3_3_5, AnInputThatSomeConfigTakesIsReadFromDram) {
  auto run = runOn(graphOf(GraphText().arg("%a").arg("%w").matmul("%0", "%a", "%w").text()), "DFSharding");
  const ChainEvent* first = findEvent(*run->log.chain, ChainEventKind::FirstOp);
  ASSERT_NE(first, nullptr);
  EXPECT_GT(first->after, 0);
  EXPECT_TRUE(run->plan.reshards.empty());
  EXPECT_TRUE(run->plan.layout[valueNamed(run->graph, "0")]->sharded());
}

// A matmul that halves the width cannot write over the grid it reads when that has more columns than its result has
// tiles.
std::string narrowing() {
  return GraphText()
      .arg("%a", "64x256")
      .arg("%w0", "256x256")
      .arg("%w1", "256x64")
      .matmul("%0", "%a", "%w0", "64x256")
      .matmul("%1", "%0", "%w1", "64x64")
      .text();
}

TEST(Optimizer_3_3_4, ConfigsWithoutAPartnerGoOnBothSidesOfAnEdge) {
  auto run = runOn(graphOf(narrowing()), "DFSharding");
  expectSound(*run);
  EXPECT_EQ(run->log.chain->chains[0].state, L1ChainState::Completed);
  const TensorLayout& wide = *run->plan.layout[valueNamed(run->graph, "0")];
  const TensorLayout& narrow = *run->plan.layout[valueNamed(run->graph, "1")];
  EXPECT_EQ(wide.grid, narrow.grid);  // 2x2: %0 gave up its 16 cores for a path to %1
  EXPECT_EQ(wide.grid, (GridShape{2, 2}));
  const ChainEvent* paths = findEvent(*run->log.chain, ChainEventKind::Paths, producerOf(run->graph, "1"));
  ASSERT_NE(paths, nullptr);
  EXPECT_GT(paths->paths, 0);
  EXPECT_LT(paths->before, 8);
}

// Reshards inside a chain need --memreconfig-enabled; without it the edge fails.
TEST(Optimizer_3_3_6, AReshardInsideAChainJoinsConfigsThatDoNotGoTogether) {
  // Overrides leave one config each, over different grids.
  ProblemOptions options;
  options.layoutOverrides = parseLayoutOverrides(
      "first=8x8:l1:block_sharded:tile:bf16,second=64x1:l1:height_sharded:tile:bf16", noDiagnostics());
  const std::string text =
      "func.func @main(%a: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {\n"
      "  %0 = \"ttnn.relu\"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc(\"first\")\n"
      "  %1 = \"ttnn.gelu\"(%0) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc(\"second\")\n"
      "  return %1 : tensor<2048x2048xbf16>\n}\n";
  auto run = runOn(graphOf(text), "DFSharding", options);
  expectSound(*run);
  EXPECT_EQ(placeOf(*run, "0"), "L1 block 8x8");
  EXPECT_EQ(placeOf(*run, "1"), "L1 height 64x1");
  ASSERT_EQ(run->plan.reshards.size(), 2u);  // into the chain, and between the two ops
  EXPECT_EQ(layoutText(run->plan.reshards[1].to), "L1 height 64x1");

  PolicyOptions without;
  without.chain.memReconfigEnabled = false;
  auto failed = runOn(graphOf(text), "DFSharding", options, allDevices()[0], without);
  EXPECT_EQ(failed->log.chain->chains[0].state, L1ChainState::Failed);
  EXPECT_NE(failed->log.chain->chains[0].failure.find("switched off"), std::string::npos);
}

TEST(Optimizer_3_3_6, AnOverrideAsksForAReshardOnAnEdge) {
  ProblemOptions options;
  options.layoutOverrides =
      parseLayoutOverrides("second_in_0_layout=16x1:l1:height_sharded:tile:bf16", noDiagnostics());
  const std::string text =
      "func.func @main(%a: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {\n"
      "  %0 = \"ttnn.relu\"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc(\"first\")\n"
      "  %1 = \"ttnn.add\"(%0, %a) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> "
      "tensor<2048x2048xbf16> loc(\"second\")\n"
      "  return %1 : tensor<2048x2048xbf16>\n}\n";
  auto run = runOn(graphOf(text), "DFSharding", options);
  expectSound(*run);
  ASSERT_EQ(run->plan.reshards.size(), 2u);
  EXPECT_EQ(layoutText(run->plan.reshards[1].to), "L1 height 16x1");
  // Chains follow operand 0 alone.
  options.layoutOverrides =
      parseLayoutOverrides("second_in_1_layout=16x1:l1:height_sharded:tile:bf16", noDiagnostics());
  EXPECT_EQ(runOn(graphOf(text), "DFSharding", options)->plan.reshards.size(), 1u);
}

// Names that are hardly those of an edge: without a number, with a letter or a fourth digit in it, with words behind.
TEST(Optimizer_3_3_6, OnlyTheNameOfAnEdgeAsksForAReshard) {
  const std::string type = "tensor<2048x2048xbf16>";
  const auto reshards = [&](const std::string& name, const std::string& second = "second") {
    const Graph graph =
        graphOf("func.func @main(%a: " + type + ") -> " + type + " {\n  %0 = \"ttnn.relu\"(%a) : (" + type + ") -> " +
                type + " loc(\"first\")\n  %1 = \"ttnn.add\"(%0, %a) : (" + type + ", " + type + ") -> " + type +
                " loc(\"" + second + "\")\n  return %1 : " + type + "\n}\n");
    ProblemOptions options;
    options.layoutOverrides = parseLayoutOverrides(name + "=16x1:l1:height_sharded:tile:bf16", noDiagnostics());
    return runOn(graph, "DFSharding", options)->plan.reshards.size();
  };
  for (const char* name : {"second_in_0_layout", "second_in_000_layout"}) EXPECT_EQ(reshards(name), 2u) << name;
  EXPECT_EQ(reshards("fc_in_proj_in_0_layout", "fc_in_proj"), 2u) << "the op's own name may hold such a word";
  for (const char* name :
       {"second_in__layout", "second_in_0x_layout", "second_in_/_layout", "second_in_:_layout", "second_in_0000_layout",
        "second_in_0_layout_", "second_in_0_layouts", "second_in_0", "second_0_layout", "other_in_0_layout"})
    EXPECT_EQ(reshards(name), 1u) << name;
}

// A reshard to where the producer writes anyway is none.
TEST(Optimizer_3_3_6, AReshardToWhereTheTensorLiesIsLeftOut) {
  const Graph graph =
      graphOf(GraphText("2048x2048").arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.add", {"%0", "%a"}).text());
  const std::vector<OpId> ops = {producerOf(graph, "0"), producerOf(graph, "1")};
  for (const char* first : {"8x8:l1:block_sharded:tile:bf16", "64x1:l1:height_sharded:tile:bf16"}) {
    ProblemOptions options;
    options.layoutOverrides = parseLayoutOverrides(
        "%0=" + std::string(first) + ",%1_in_0_layout=64x1:l1:height_sharded:tile:bf16", noDiagnostics());
    const Problem problem = analysed(graph, allDevices()[0], options);
    ChainConfigs configs(problem);
    ShardSolver solver(problem, configs, ops, {true, {{ops[1], 0, &options.layoutOverrides[1].settings}}, {}});
    ASSERT_TRUE(solver.resolve()) << solver.failure();
    for (size_t op : {0u, 1u}) {
      const std::vector<int64_t> usage = solver.produceMaxCoreUsage(op);
      ASSERT_TRUE(solver.set(op, static_cast<size_t>(std::max_element(usage.begin(), usage.end()) - usage.begin())));
    }
    size_t inside = 0;
    for (const MemReconfigEntry& entry : solver.finish().memReconfig) inside += entry.edge.consumer == ops[1];
    EXPECT_EQ(inside, *first == '8' ? 1u : 0u);
  }
}

TEST(Optimizer_3_3_2, MoreConfigsThanABitsetHoldsAreRefusedClearly) {
  // 64 block, 64 height and 64 width layouts, each with three block heights.
  const std::string conv =
      "func.func @main(%x: tensor<1x1x131072x32xbf16>, %w: tensor<131072x32x1x1xbf16>) -> "
      "tensor<1x1x131072x131072xbf16> {\n"
      "  %0 = \"ttnn.conv2d\"(%x, %w) <{in_channels = 32 : i32, out_channels = 131072 : i32, batch_size = 1 : i32, "
      "input_height = 512 : i32, "
      "input_width = 256 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0, "
      "0, 0>, dilation = array<i32: 1, 1>, "
      "groups = 1 : i32}> : (tensor<1x1x131072x32xbf16>, tensor<131072x32x1x1xbf16>) -> "
      "tensor<1x1x131072x131072xbf16>\n"
      "  return %0 : tensor<1x1x131072x131072xbf16>\n}\n";
  Graph graph = graphOf(conv);
  ProblemOptions options{.maxLegalLayouts = 512, .askOpModel = false};
  Problem problem = analysed(graph, allDevices()[0], options);
  ChainConfigs configs(problem);
  OpId op = producerOf(graph, "0");
  ASSERT_GT(configs.of(op).size(), PathSets::kMaxConfigs);
  ShardSolver solver(problem, configs, {op}, {});
  EXPECT_FALSE(solver.resolve());
  EXPECT_NE(solver.failure().find("512"), std::string::npos) << solver.failure();
  EXPECT_NE(solver.failure().find("max-legal-layouts"), std::string::npos);
}

// --- 3.3.9 -----------------------------------------------------------------------------------------------------------

// 1. Both inputs come from chains, and the second one runs right before the join: nothing follows operand 1, both go
// through DRAM.
TEST(Optimizer_3_3_9, OnlyTheFirstOperandIsFollowed) {
  auto run = runOn(graphOf(GraphText()
                               .arg("%a")
                               .arg("%b")
                               .op("%0", "ttnn.relu", {"%a"})
                               .op("%1", "ttnn.gelu", {"%b"})
                               .op("%2", "ttnn.add", {"%0", "%1"})
                               .text()),
                   "DFSharding");
  expectSound(*run);
  EXPECT_EQ(chainsText(run->graph, *run->log.chain), "%0 | %1 | %2");
  ASSERT_EQ(run->plan.spills.size(), 3u);
  for (const Spill& spill : run->plan.spills) EXPECT_TRUE(spill.to.isDram());
}

// 2. The last edge of four has no solution: nothing of the chain stays in L1.
TEST(Optimizer_3_3_9, OneEdgeWithoutASolutionBreaksTheWholeChain) {
  ProblemOptions options;
  // 1x1 over 8 MiB does not fit beside anything; its own result does not fit a core.
  options.layoutOverrides = parseLayoutOverrides("last=1x1:l1:block_sharded:tile:bf16", noDiagnostics());
  GraphText text("2048x2048");
  text.arg("%a")
      .op("%0", "ttnn.relu", {"%a"})
      .op("%1", "ttnn.gelu", {"%0"})
      .op("%2", "ttnn.silu", {"%1"})
      .op("%3", "ttnn.relu", {"%2"});
  std::string named = text.text();
  named.replace(named.find("\n  return"), 0, " loc(\"last\")");
  auto run = runOn(graphOf(named), "DFSharding", options);
  ASSERT_EQ(run->log.chain->chains.size(), 1u);
  EXPECT_EQ(run->log.chain->chains[0].state, L1ChainState::Failed);
  EXPECT_NE(run->log.chain->chains[0].failure.find("%3 ttnn.relu"), std::string::npos)
      << run->log.chain->chains[0].failure;
  for (const char* value : {"0", "1", "2"}) EXPECT_EQ(placeOf(*run, value), "DRAM");
  EXPECT_TRUE(run->plan.reshards.empty());
}

// 3. The narrowing chain needs several visits until nothing changes: its updates are in the trace, with sizes.
TEST(Optimizer_3_3_9, PropagationIsIterative) {
  GraphText text("64x256");
  text.arg("%a")
      .arg("%w", "256x64")
      .op("%0", "ttnn.relu", {"%a"})
      .op("%1", "ttnn.gelu", {"%0"})
      .op("%2", "ttnn.silu", {"%1"})
      .matmul("%3", "%2", "%w", "64x64");
  auto run = runOn(graphOf(text.text()), "DFSharding");
  expectSound(*run);
  size_t updates = countEvents(*run->log.chain, ChainEventKind::Propagated);
  EXPECT_GE(updates, 2u);
  for (const ChainEvent& e : run->log.chain->events) {
    if (e.kind != ChainEventKind::Propagated) continue;
    EXPECT_TRUE(e.producerAfter < e.before || e.consumerAfter < e.after);
    EXPECT_GT(e.paths, 0);
  }
}

// 4. Chains are solved one at a time: the first takes all cores although the second then has to reshard.
TEST(Optimizer_3_3_9, ChainsAreOptimizedLocally) {
  GraphText text("2048x2048");
  text.arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.exp", {"%0"}).op("%2", "ttnn.relu", {"%1"});
  auto run = runOn(graphOf(text.text()), "DFSharding");
  EXPECT_EQ(run->log.chain->chains.size(), 2u);
  EXPECT_EQ(run->plan.spills.size(), 2u);  // each chain of one op moves in and out of L1 for itself
  EXPECT_EQ(run->plan.reshards.size(), 2u);
  auto floor = runOn(graphOf(text.text()), "DRAM");
  EXPECT_GT(run->sim.time, floor->sim.time);
}

// 5. A reshard is only thought of where no pair of configs works, never to win cores: both matmuls stay on 2x2.
TEST(Optimizer_3_3_9, ReshardsAreReactive) {
  auto run = runOn(graphOf(narrowing()), "DFSharding");
  EXPECT_TRUE(run->plan.reshards.empty());
  EXPECT_EQ(coresUsed(*run->plan.layout[valueNamed(run->graph, "0")]), 4);
  auto alone =
      runOn(graphOf(GraphText().arg("%a", "64x256").arg("%w", "256x256").matmul("%0", "%a", "%w", "64x256").text()),
            "DFSharding");
  EXPECT_EQ(coresUsed(*alone->plan.layout[valueNamed(alone->graph, "0")]), 16);
}

// --- properties ------------------------------------------------------------------------------------------------------

// Chains of random graphs, tables asked from the op model once more, every selection tried.
TEST(ShardSolver, EqualsBruteForceOnTheChainsOfRandomGraphs) {
  int compared = 0;
  for (uint64_t seed = 0; seed < (test::smallTests() ? 20 : 120); ++seed) {
    Graph graph = graphOf(randomGraphText(seed));
    Problem problem = analysed(graph, allDevices()[0], {.maxLegalLayouts = 4});
    ChainConfigs configs(problem);
    ChainTrace trace;
    for (const L1ChainConfig& chain : buildL1Chains(problem, configs, {}, trace).chains) {
      std::vector<OpId> ops = chain.ops();
      if (ops.size() < 2 || ops.size() > 6) continue;
      ShardSolver solver(problem, configs, ops, {.memReconfigEnabled = false});
      bool resolved = solver.resolve();
      auto works = [&](size_t i, const TensorLayout& input, const OpConfig& config) {
        auto inputs = configs.startingLayouts(ops[i]);
        inputs[0] = input;
        return problem.model.validateOperation({graph, ops[i], inputs, config, l1BytesPerCore(input)}, problem.budget)
            .ok();
      };
      // Of the first op every config counts that takes the input as it is or, when none does, through some reshard.
      const auto& first = configs.of(ops[0]);
      std::vector<bool> direct(first.size()), resharded(first.size());
      bool anyDirect = false;
      for (size_t c = 0; c < first.size(); ++c) {
        direct[c] = works(0, *configs.startingLayouts(ops[0])[0], first[c]);
        anyDirect |= direct[c];
        for (const TensorLayout& layout : configs.sharded(graph.ops[ops[0]].operands[0]))
          resharded[c] = resharded[c] || works(0, layout, first[c]);
      }
      std::vector<size_t> at(ops.size(), 0);
      int64_t best = -1;
      while (true) {
        bool valid = anyDirect ? direct[at[0]] : resharded[at[0]];
        int64_t cores = 0;
        for (size_t i = 0; i < ops.size(); ++i) {
          cores += configs.of(ops[i])[at[i]].output.grid.volume();
          if (valid && i > 0) valid = works(i, configs.of(ops[i - 1])[at[i - 1]].output, configs.of(ops[i])[at[i]]);
        }
        if (valid) best = std::max(best, cores);
        size_t wheel = 0;
        while (wheel < at.size() && ++at[wheel] == configs.of(ops[wheel]).size()) at[wheel++] = 0;
        if (wheel == at.size()) break;
      }
      ASSERT_EQ(resolved, best >= 0) << "seed " << seed;
      if (!resolved) continue;
      std::vector<int64_t> usage = solver.produceMaxCoreUsage(0);
      EXPECT_EQ(*std::max_element(usage.begin(), usage.end()), best) << "seed " << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, 10);
}

// checkPlan (expectSound) has the last word on every plan; here: what a completed chain promised is what the plan has.
TEST(ShardSolver, CompletedChainsStandInThePlan) {
  for (std::string_view policy : {"DFSharding", "DFSharding2"}) {
    int completed = 0;
    for (uint64_t seed = 0; seed < test::seeds(100); ++seed) {
      auto run = runOn(graphOf(randomGraphText(seed)), policy);
      expectSound(*run);
      for (const ChainSummary& chain : run->log.chain->chains) {
        if (chain.state != L1ChainState::Completed) continue;
        ++completed;
        for (OpId op : chain.ops)
          EXPECT_TRUE(run->plan.config[op].output.isL1() && run->plan.config[op].output.sharded()) << "seed " << seed;
      }
    }
    EXPECT_GT(completed, 100) << policy;
  }
}

}  // namespace
}  // namespace tessera::test
