// What the chain generation says about each op: where its result goes and why, which layouts lost by how many cores.
// 512x512 is 16 x 16 tiles: shards of 2 x 2 tiles lie on all 64 cores, any others on fewer.

#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

std::string saidOf(const PolicyRun& run, std::string_view name) {
  for (const Decision& decision : run.log.decisions)
    if (decision.value == valueNamed(run.graph, name)) return decision.summary;
  return "?";
}

// "L1 block 6x8: its chain uses ..." in the order of the log; the chosen one with a star.
std::vector<std::string> candidatesFor(const PolicyRun& run, std::string_view name) {
  std::vector<std::string> lines;
  for (const Decision& decision : run.log.decisions) {
    if (!(decision.value == valueNamed(run.graph, name))) continue;
    for (const Candidate& candidate : decision.candidates)
      lines.push_back((candidate.status == CandidateStatus::Chosen ? "* " : "") + layoutText(candidate.layout) +
                      (candidate.note.empty() ? "" : ": " + candidate.note));
  }
  return lines;
}

std::unique_ptr<PolicyRun> chainsOn(const GraphText& text, std::string_view policy, const ProblemOptions& problem = {},
                                    const ChainOptions& chain = {}) {
  PolicyOptions options;
  options.chain = chain;
  auto run = runOn(graphOf(text.text()), policy, problem, allDevices()[0], options);
  expectSound(*run);
  return run;
}

const char* const kNotShardable = "DRAM: the op is not in the list of shardable ops and ends every chain.";

GraphText reluAndProduct() {
  return GraphText()
      .arg("%a")
      .arg("%w")
      .op("%0", "ttnn.relu", {"%a"})
      .matmul("%1", "%0", "%w")
      .op("%2", "ttnn.exp", {"%1"});
}

TEST(ChainDecisions, AChainIsDecidedAsAWhole) {
  const auto run = chainsOn(reluAndProduct(), "DFSharding");
  EXPECT_EQ(saidOf(*run, "0"), "L1 block 8x8: most cores over the whole of Chain 0 (2 ops).");
  EXPECT_EQ(saidOf(*run, "1"),
            "L1 block 8x8: most cores over the whole of Chain 0 (2 ops); the chain's result is spilled to DRAM.");
  EXPECT_EQ(saidOf(*run, "2"), kNotShardable);
  EXPECT_EQ(candidatesFor(*run, "2"), (std::vector<std::string>{"* DRAM"}));
  // The first op's other layouts leave the product another one on as many cores; once it is set, none of them does.
  const std::vector<std::string> first = candidatesFor(*run, "0"), second = candidatesFor(*run, "1");
  ASSERT_EQ(first.size(), 8u);
  EXPECT_EQ(first[0], "* L1 block 8x8");
  EXPECT_EQ(first[1], "L1 block 6x8: its chain uses 96 cores in all, the chosen one's 128");
  EXPECT_EQ(first[3], "L1 block 6x6: its chain uses 72 cores in all, the chosen one's 128");
  ASSERT_EQ(second.size(), 8u);
  EXPECT_EQ(second[0], "* L1 block 8x8");
  for (size_t i = 1; i < second.size(); ++i)
    EXPECT_NE(second[i].find(": goes with none of the configs its neighbours have left"), std::string::npos);
  const ChainEvent* picked = findEvent(*run->log.chain, ChainEventKind::ConfigPicked, producerOf(run->graph, "0"));
  ASSERT_NE(picked, nullptr);
  EXPECT_EQ(picked->chain, 0);
  EXPECT_EQ(picked->before, 128) << "cores of both ops";
  EXPECT_EQ(picked->after, 64) << "of its own";
  EXPECT_EQ(layoutText(*picked->layout), "L1 block 8x8");
}

TEST(ChainDecisions, AChainOfOneOpCountsItsOwnCores) {
  const auto run = chainsOn(GraphText().arg("%a").op("%0", "ttnn.relu", {"%a"}), "DFSharding");
  EXPECT_EQ(saidOf(*run, "0"),
            "L1 block 8x8: most cores over the whole of Chain 0 (1 op); the chain's result is spilled to DRAM.");
  const std::vector<std::string> lines = candidatesFor(*run, "0");
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[1], "L1 block 6x8: its chain uses 48 cores in all, the chosen one's 64");
  EXPECT_EQ(lines[4], "L1 block 4x8: its chain uses 32 cores in all, the chosen one's 64");
  const ChainEvent* decided = findEvent(*run->log.chain, ChainEventKind::SpillDecided);
  ASSERT_NE(decided, nullptr);
  EXPECT_EQ(decided->note, "DRAM");
}

// 1024x32 is 32 x 1 tiles: heights of one tile use 32 cores, and so do the blocks of the same cut, which come last.
TEST(ChainDecisions, OfAsManyCoresTheOneThatIsNoBlock) {
  const auto run = chainsOn(GraphText("2048x32").arg("%a").op("%0", "ttnn.relu", {"%a"}), "DFSharding");
  const std::vector<std::string> lines = candidatesFor(*run, "0");
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(placeOf(*run, "0"), "L1 height 64x1");
  int64_t chosen = 0;
  for (const std::string& line : lines) {
    chosen += line == "* L1 height 64x1";
    EXPECT_EQ(line.find("* L1 block"), std::string::npos);
  }
  EXPECT_EQ(chosen, 1);
}

// 2048x256 is 64 x 8 tiles: heights of a tile and blocks of 8 x 1 lie on all 64 cores. The height is told as it is.
TEST(ChainDecisions, ABlockOnAsManyCoresIsToldSo) {
  const auto run = chainsOn(GraphText("2048x256").arg("%a").op("%0", "ttnn.relu", {"%a"}), "DFSharding");
  const std::vector<std::string> lines = candidatesFor(*run, "0");
  const auto told = [&](const std::string& line) { return std::count(lines.begin(), lines.end(), line); };
  EXPECT_EQ(told("* L1 height 64x1"), 1) << testing::PrintToString(lines);
  EXPECT_EQ(told("L1 block 8x8: its chain uses as many cores; of equals block sharding comes last, else the first is "
                 "taken"),
            1)
      << testing::PrintToString(lines);
  const ChainEvent* picked = findEvent(*run->log.chain, ChainEventKind::ConfigPicked, producerOf(run->graph, "0"));
  ASSERT_NE(picked, nullptr);
  EXPECT_EQ(layoutText(*picked->layout), "L1 height 64x1");
  EXPECT_EQ(picked->before, 64);
  EXPECT_EQ(picked->after, 64);
}

TEST(ChainDecisions, AForksResultIsMovedAndStaysInL1) {
  const auto run = chainsOn(GraphText()
                                .arg("%a")
                                .op("%0", "ttnn.relu", {"%a"})
                                .op("%1", "ttnn.exp", {"%0"})
                                .op("%2", "ttnn.neg", {"%0"})
                                .op("%3", "ttnn.add", {"%1", "%2"}),
                            "DFSharding2");
  EXPECT_EQ(
      saidOf(*run, "0"),
      "L1 block 8x8: most cores over the whole of Chain 0 (1 op); the chain's result is moved to L1 interleaved.");
  EXPECT_EQ(saidOf(*run, "1"), kNotShardable);
  EXPECT_EQ(saidOf(*run, "3"),
            "L1 block 8x8: most cores over the whole of Chain 1 (1 op); the chain's result is spilled to DRAM.");
  const ChainEvent* reserved = findEvent(*run->log.chain, ChainEventKind::Reserved);
  ASSERT_NE(reserved, nullptr);
  EXPECT_EQ(reserved->before, 8192) << "256 tiles of 2 KB over 64 cores";
  EXPECT_EQ(reserved->op, producerOf(run->graph, "0"));
  size_t tried = 0;
  for (const ChainEvent& event : run->log.chain->events) tried += event.kind == ChainEventKind::ReservationTried;
  EXPECT_EQ(tried, 2u) << "first in shards, which %1 does not read";
  std::vector<std::string> spills;
  for (const ChainEvent& event : run->log.chain->events)
    if (event.kind == ChainEventKind::SpillDecided) spills.push_back(event.note);
  EXPECT_EQ(spills, (std::vector<std::string>{"L1Interleaved", "DRAM"}));
}

TEST(ChainDecisions, AChainThatFailsSaysWhy) {
  const auto run = chainsOn(GraphText()
                                .arg("%a")
                                .arg("%b")
                                .op("%0", "ttnn.relu", {"%a"})
                                .op("%1", "ttnn.exp", {"%b"})
                                .op("%2", "ttnn.concat", {"%0", "%1"}, "512x1024", "dim = 1 : si32")
                                .op("%3", "ttnn.relu", {"%2"}, "512x1024"),
                            "DFSharding2");
  EXPECT_EQ(saidOf(*run, "2"),
            "DRAM: Chain 1 (1 op) failed as a whole because the concat cannot read its inputs from L1: %0 is L1 block "
            "8x8, the concat takes height_sharded.");
  EXPECT_EQ(candidatesFor(*run, "2"), (std::vector<std::string>{"* DRAM"}));
}

// --- results in no chain ---------------------------------------------------------------------------------------------

TEST(ChainDecisions, TheFallbackKeepsAResultForItsReader) {
  const GraphText text = GraphText()
                             .arg("%a")
                             .op("%0", "ttnn.sum", {"%a"}, "512x1", "dim_arg = [1 : i32], keep_dim = true")
                             .op("%1", "ttnn.exp", {"%0"}, "512x1");
  const auto run = chainsOn(text, "DFSharding", {}, {.l1InterleavedFallbackAnalysisEnabled = true});
  EXPECT_EQ(saidOf(*run, "0"), "L1 interleaved: kept in L1 for its reader; the op is in no chain.");
  EXPECT_EQ(saidOf(*run, "1"), kNotShardable) << "what is returned would have to leave again";
  const ChainEvent* reserved = findEvent(*run->log.chain, ChainEventKind::Reserved);
  ASSERT_NE(reserved, nullptr);
  EXPECT_EQ(reserved->before, 2048) << "a tile";
  EXPECT_EQ(saidOf(*chainsOn(text, "DFSharding"), "0"), kNotShardable) << "unless it is asked for";
}

// Readers: any of them, or only one that runs next and is no matmul.
TEST(ChainDecisions, TheCompilersFallbackLooksAtTheNextReaderOnly) {
  const auto inL1 = [](const GraphText& text, FallbackBounds bounds) {
    const auto run =
        chainsOn(text, "DFSharding", {}, {.l1InterleavedFallbackAnalysisEnabled = true, .fallbackBounds = bounds});
    return run->plan.layout[valueNamed(run->graph, "0")]->isL1();
  };
  const std::string row = "512x1", sum = "dim_arg = [1 : i32], keep_dim = true";
  const auto base = [&] { return GraphText().arg("%a").op("%0", "ttnn.sum", {"%a"}, row, sum); };
  const GraphText next = base().op("%1", "ttnn.exp", {"%0"}, row);
  const GraphText twice = base().op("%1", "ttnn.exp", {"%0"}, row).op("%2", "ttnn.add", {"%1", "%0"}, row);
  const GraphText later =
      base().op("%1", "ttnn.exp", {"%a"}).op("%2", "ttnn.add", {"%1", "%0"}).op("%3", "ttnn.exp", {"%2"});
  EXPECT_TRUE(inL1(next, FallbackBounds::NextReader));
  EXPECT_FALSE(inL1(twice, FallbackBounds::NextReader));
  EXPECT_FALSE(inL1(later, FallbackBounds::NextReader)) << "%1 runs in between";
  const GraphText product = GraphText().arg("%a").op("%0", "ttnn.exp", {"%a"}).matmul("%1", "%a", "%0");
  EXPECT_FALSE(inL1(product, FallbackBounds::NextReader)) << "a matmul reads it";
  for (const GraphText& text : {next, twice, later, product}) EXPECT_TRUE(inL1(text, FallbackBounds::AnyReaders));
}

TEST(ChainDecisions, WhatIsFixedByHandIsToldSo) {
  ProblemOptions options;
  options.layoutOverrides = parseLayoutOverrides("%0=l1:interleaved,%1=dram", noDiagnostics());
  const auto run = chainsOn(
      GraphText().arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.exp", {"%0"}).op("%2", "ttnn.neg", {"%1"}),
      "DFSharding", options);
  EXPECT_EQ(saidOf(*run, "0"), "L1 interleaved: fixed by hand.");
  EXPECT_EQ(saidOf(*run, "1"), "DRAM: fixed by hand.");
  EXPECT_EQ(saidOf(*run, "2"), kNotShardable);
  ASSERT_EQ(countEvents(*run->log.chain, ChainEventKind::Reserved), 1u);
  EXPECT_EQ(findEvent(*run->log.chain, ChainEventKind::Reserved)->before, 8192);
  // What is fixed in DRAM takes nothing of L1.
  options.layoutOverrides = parseLayoutOverrides("%1=f32:dram", noDiagnostics());
  const auto inDram = chainsOn(GraphText()
                                   .arg("%a")
                                   .op("%0", "ttnn.sum", {"%a"}, "512x1", "dim_arg = [1 : i32], keep_dim = true")
                                   .op("%1", "ttnn.exp", {"%0"}, "512x1"),
                               "DFSharding", options);
  EXPECT_EQ(saidOf(*inDram, "1"), "DRAM: fixed by hand.");
  EXPECT_EQ(inDram->plan.layout[valueNamed(inDram->graph, "1")]->dtype, DType::F32);
  EXPECT_EQ(countEvents(*inDram->log.chain, ChainEventKind::Reserved), 0u);
  // A chain's own layout may be the one that was asked for.
  options.layoutOverrides = parseLayoutOverrides("%0=8x8:l1:block_sharded:tile:bf16", noDiagnostics());
  const auto chain = chainsOn(reluAndProduct(), "DFSharding", options);
  EXPECT_EQ(saidOf(*chain, "0"), "L1 block 8x8: most cores over the whole of Chain 0 (2 ops).");
  EXPECT_EQ(candidatesFor(*chain, "0"), (std::vector<std::string>{"* L1 block 8x8"}));
}

// A convolution has a config for each height of its blocks: some layouts it writes only with low ones, beside what it
// reads. A layout stands for the best of those that write it.
TEST(ChainDecisions, ALayoutCountsWhatItsBestConfigUses) {
  const std::string image = "tensor<1x1x16384x128xbf16>";
  const std::string text =
      "func.func @main(%x: " + image + ", %w: tensor<128x128x3x3xbf16>) -> " + image +
      " {\n  %0 = \"ttnn.relu\"(%x) : (" + image + ") -> " + image +
      "\n  %1 = \"ttnn.conv2d\"(%0, %w) <{in_channels = 128 : i32, out_channels = 128 : i32, batch_size = 1 : i32, "
      "input_height = 128 : i32, input_width = 128 : i32, kernel_size = array<i32: 3, 3>, stride = array<i32: 1, 1>, "
      "padding = array<i32: 1, 1, 1, 1>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (" +
      image + ", tensor<128x128x3x3xbf16>) -> " + image + "\n  return %1 : " + image + "\n}\n";
  int mixed = 0, compared = 0;
  for (int32_t cap = 300; cap <= 1000; cap += 10) {
    const auto run = runOn(graphOf(text), "DFSharding", {.l1UsageCapPermille = cap});
    const std::vector<OpId> ops = {producerOf(run->graph, "0"), producerOf(run->graph, "1")};
    ChainConfigs configs(*run->problem);
    ShardSolver solver(*run->problem, configs, ops, {}, 0, nullptr);
    if (!solver.resolve()) continue;
    for (size_t c = 0; c < configs.of(ops[0]).size(); ++c) {
      if (configs.of(ops[0])[c].output == *run->plan.layout[valueNamed(run->graph, "0")]) solver.set(0, c);
    }
    const std::vector<OpConfig>& all = configs.of(ops[1]);
    const std::vector<int64_t> usage = solver.produceMaxCoreUsage(1);
    for (const Decision& decision : run->log.decisions) {
      if (decision.op != ops[1]) continue;
      for (const Candidate& candidate : decision.candidates) {
        if (candidate.status == CandidateStatus::Chosen) continue;
        int64_t first = -2, most = -1;
        for (size_t c = 0; c < all.size(); ++c) {
          if (!(all[c].output == candidate.layout)) continue;
          if (first == -2) first = usage[c];
          most = std::max(most, usage[c]);
        }
        const bool none = candidate.note == "goes with none of the configs its neighbours have left";
        EXPECT_EQ(none, most < 0) << cap << " " << layoutText(candidate.layout);
        mixed += first != most;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 20);
  EXPECT_GT(mixed, 0);
}

}  // namespace
}  // namespace tessera::test
