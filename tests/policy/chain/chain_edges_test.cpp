// Edges of the chain generation: producers that the compiler's fallback leaves alone, values that very many read or
// that their reader writes, kernels that stand beside a chain and not before it, results whose place the text fixes.

#include <set>

#include "core/policy/chain/dfs_scheduler.h"
#include "core/policy/chain/dispatch_d2m.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

std::unique_ptr<PolicyRun> soundRunOf(const std::string& text, std::string_view policy,
                                      const ProblemOptions& problem = {}, const ChainOptions& chain = {}) {
  PolicyOptions options;
  options.chain = chain;
  auto run = runOn(graphOf(text), policy, problem, allDevices()[0], options);
  expectSound(*run);
  return run;
}

std::string summaryFor(const PolicyRun& run, std::string_view name) {
  for (const Decision& decision : run.log.decisions) {
    if (decision.value == valueNamed(run.graph, name)) return decision.summary;
  }
  return "?";
}

// --- the fallback ----------------------------------------------------------------------------------------------------

// With one reader that runs next, families of ops decide alone: the published fallback leaves windows, slices, casts,
// products and reshapes in DRAM. Without legal shards nothing is in a chain.
TEST(ChainEdges, FamiliesThatTheCompilersFallbackLeavesAlone) {
  struct Made {
    const char* kind;
    const char* from;
    const char* to;
    const char* attrs;
    bool upgraded;
  };
  const Made all[] = {
      {"ttnn.exp", "512x512", "512x512", "", true},
      {"ttnn.permute", "512x256", "256x512", "permutation = array<i64: 1, 0>", true},
      {"ttnn.to_dtype", "512x512", "512x512", "dtype = #ttcore.supportedDataTypes<bf16>", false},
      {"ttnn.reshape", "512x512", "1024x256", "shape = [1024 : i32, 256 : i32]", false},
      {"ttnn.slice_static", "512x512", "256x512",
       "begins = [0 : i32, 0 : i32], ends = [256 : i32, 512 : i32], step = [1 : i32, 1 : i32]", false},
      {"ttnn.max_pool2d", "1x1x64x32", "1x1x16x32",
       "batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 8 "
       ": si32, input_width = 8 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, stride = "
       "array<i32: 2, 2>",
       false}};
  for (const Made& made : all) {
    const std::string text = GraphText()
                                 .arg("%a", made.from)
                                 .op("%0", made.kind, {"%a"}, made.to, made.attrs)
                                 .op("%1", "ttnn.exp", {"%0"}, made.to)
                                 .text();
    const auto place = [&](FallbackBounds bounds) {
      const auto run = soundRunOf(text, "DFSharding", {.maxLegalLayouts = 0},
                                  {.l1InterleavedFallbackAnalysisEnabled = true, .fallbackBounds = bounds});
      return placeOf(*run, "0");
    };
    EXPECT_EQ(place(FallbackBounds::AnyReaders), "L1 interleaved") << made.kind;
    EXPECT_EQ(place(FallbackBounds::NextReader), made.upgraded ? "L1 interleaved" : "DRAM") << made.kind;
  }
  const std::string product =
      GraphText().arg("%a").arg("%w").matmul("%0", "%a", "%w").op("%1", "ttnn.exp", {"%0"}).text();
  for (const FallbackBounds bounds : {FallbackBounds::AnyReaders, FallbackBounds::NextReader}) {
    const auto run = soundRunOf(product, "DFSharding", {.maxLegalLayouts = 0},
                                {.l1InterleavedFallbackAnalysisEnabled = true, .fallbackBounds = bounds});
    EXPECT_EQ(placeOf(*run, "0"), bounds == FallbackBounds::AnyReaders ? "L1 interleaved" : "DRAM");
  }
}

// --- the order -------------------------------------------------------------------------------------------------------

// An op that writes its first operand and reads it as well waits for others, not for itself.
TEST(ChainEdges, AnOpThatReadsWhatItWritesWaitsForNobody) {
  const std::string type = "tensor<1x1x64x64xbf16>";
  const Graph graph =
      graphOf("func.func @main(%c: " + type + ") -> " + type + " {\n  %0 = \"ttnn.relu\"(%c) : (" + type + ") -> " +
              type + "\n  \"ttnn.adamw\"(%0, %0, %0, %c) : (" + type + ", " + type + ", " + type + ", " + type +
              ") -> ()\n  %1 = \"ttnn.exp\"(%0) : (" + type + ") -> " + type + "\n  return %1 : " + type + "\n}\n");
  const Problem problem = analysed(graph, allDevices()[0], {});
  DfsScheduler scheduler(problem);
  while (scheduler.hasUnscheduledOps()) {
    ASSERT_TRUE(scheduler.first().valid()) << "somebody waits for ever";
    scheduler.scheduleOp(scheduler.first());
  }
  EXPECT_EQ(scheduler.wholeOrder(), graph.funcs[graph.forward].ops);
}

// Of a value that very many read the first readers are looked at: here none of them waits for another op, so that what
// leads to a join goes first although it stands later.
TEST(ChainEdges, TheFirstReadersTellOfManyReaders) {
  for (const int readers : {10, 80}) {
    GraphText text;
    text.arg("%a").op("%wide", "ttnn.exp", {"%a"}).op("%join", "ttnn.exp", {"%a"}).op("%other", "ttnn.exp", {"%a"});
    std::vector<std::string> returned;
    for (int i = 0; i < readers; ++i) {
      returned.push_back("%r" + std::to_string(i));
      text.op(returned.back(), "ttnn.exp", {"%wide"});
    }
    text.op("%last", "ttnn.add", {"%wide", "%other"}).op("%both", "ttnn.add", {"%join", "%other"});
    returned.insert(returned.end(), {"%last", "%both"});
    const Graph graph = graphOf(text.returning(returned));
    const Problem problem = analysed(graph, allDevices()[0], {});
    const DfsScheduler scheduler(problem);
    EXPECT_EQ(scheduler.rank(producerOf(graph, "wide")), readers == 10 ? 1 : 2);
    EXPECT_EQ(nameOf(graph, scheduler.first()), readers == 10 ? "%wide" : "%join");
  }
}

// Of the readers of two results the one that stands first, whichever result it reads; none once all are scheduled.
TEST(ChainEdges, TheFirstReaderOfAnyResult) {
  const std::string numbers = "tensor<64x64xbf16>", places = "tensor<64x64xi32>";
  const Graph graph =
      graphOf("func.func @main(%x: " + numbers + ") -> (" + numbers + ", " + places +
              ") {\n  %n, %p = \"ttnn.sort\"(%x) <{dim = -1 : si8, descending = false, stable = false}> : (" + numbers +
              ") -> (" + numbers + ", " + places + ")\n  %0 = \"ttnn.abs\"(%p) : (" + places + ") -> " + places +
              "\n  %1 = \"ttnn.exp\"(%n) : (" + numbers + ") -> " + numbers + "\n  return %1, %0 : " + numbers + ", " +
              places + "\n}\n");
  const Problem problem = analysed(graph, allDevices()[0], {});
  DfsScheduler scheduler(problem);
  const OpId sort = producerOf(graph, "n");
  scheduler.scheduleOp(sort);
  EXPECT_EQ(nameOf(graph, scheduler.readyReader(sort)), "%0");
  scheduler.scheduleOp(producerOf(graph, "0"));
  EXPECT_EQ(nameOf(graph, scheduler.readyReader(sort)), "%1");
  scheduler.scheduleOp(producerOf(graph, "1"));
  EXPECT_FALSE(scheduler.readyReader(sort).valid());
}

// --- fused kernels ---------------------------------------------------------------------------------------------------

TEST(ChainEdges, ChainsAreSolvedBehindAllThatLeadToThem) {
  EXPECT_EQ(computeChainSolvingOrder(3, {}), (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(computeChainSolvingOrder(3, {{OpId{0}, 1, 0}, {OpId{1}, 2, 0}}), (std::vector<int32_t>{1, 2, 0}));
  EXPECT_EQ(computeChainSolvingOrder(3, {{OpId{0}, 2, 0}, {OpId{1}, 2, 1}}), (std::vector<int32_t>{2, 0, 1}));
  EXPECT_EQ(computeChainSolvingOrder(2, {{OpId{0}, 1, 1}, {OpId{1}, 1, 0}}), (std::vector<int32_t>{1, 0}))
      << "a kernel from a chain to itself";
}

// A solver that keeps no events finds the same input for the first op; a kernel that the op does not read has no say.
TEST(ChainEdges, ASolverWithoutEventsAsksForTheSameInput) {
  const Graph graph = graphOf(GraphText()
                                  .arg("%a")
                                  .arg("%b")
                                  .op("%d", "ttnn.dispatch_d2m", {"%a", "%b"})
                                  .op("%e", "ttnn.dispatch_d2m", {"%b", "%a"})
                                  .op("%0", "ttnn.relu", {"%d"})
                                  .op("%1", "ttnn.add", {"%0", "%e"})
                                  .text());
  const Problem problem = analysed(graph, allDevices()[0], {});
  ChainConfigs configs(problem);
  const auto inputFor = [&](const char* dispatch, std::vector<ChainEvent>* events) {
    ShardSolver solver(problem, configs, {producerOf(graph, "0"), producerOf(graph, "1")},
                       {true, {}, producerOf(graph, dispatch)}, 0, events);
    EXPECT_TRUE(solver.resolve()) << solver.failure();
    return solver.resolvedFirstOpInputLayout();
  };
  std::vector<ChainEvent> events;
  const std::optional<TensorLayout> told = inputFor("d", &events), untold = inputFor("d", nullptr);
  ASSERT_TRUE(told && untold);
  EXPECT_EQ(*told, *untold);
  EXPECT_FALSE(inputFor("e", nullptr).has_value()) << "the second op reads it, not the first";
}

// A kernel whose result the text wants in rows writes it so: no chain may ask it for shards.
TEST(ChainEdges, AKernelWithAFixedResultIsNotAsked) {
  const std::string tiles = "tensor<512x512xbf16>", rows = "tensor<512x512xbf16, #rows>";
  const auto summary = [&](const std::string& type) {
    const std::string text =
        "#dram = #ttnn.buffer_type<dram>\n#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x512xbf16, "
        "#dram>, <interleaved>>\nfunc.func @main(%a: " +
        tiles + ") -> " + tiles + " {\n  %d = \"ttnn.dispatch_d2m\"(%a) : (" + tiles + ") -> " + type +
        "\n  %0 = \"ttnn.relu\"(%d) : (" + type + ") -> " + tiles + "\n  return %0 : " + tiles + "\n}\n";
    const auto run = runOn(graphOf(text), "DFSharding2");
    const bool asked = findEvent(*run->log.chain, ChainEventKind::FirstOpInput) != nullptr;
    return placeOf(*run, "d") + (asked ? ", asked" : "");
  };
  EXPECT_NE(summary(tiles).find(", asked"), std::string::npos) << summary(tiles);
  EXPECT_EQ(summary(rows), "DRAM rm");
}

// A chain's result stays in shards for a kernel unless another reader refuses it so; that is known before the plan is
// written.
TEST(ChainEdges, AKernelsOperandStaysWhereAllReadersTakeIt) {
  for (const bool readAgain : {false, true}) {
    GraphText text;
    text.arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%d", "ttnn.dispatch_d2m", {"%0", "%a"});
    if (readAgain) text.op("%1", "ttnn.exp", {"%0"});
    const auto run =
        soundRunOf(text.returning(readAgain ? std::vector<std::string>{"%d", "%1"} : std::vector<std::string>{"%d"}),
                   "DFSharding2");
    const ChainTrace& trace = *run->log.chain;
    EXPECT_EQ(trace.chains[0].spill == SpillLocation::None, !readAgain);
    const ChainEvent* rejected = findEvent(trace, ChainEventKind::Rejected);
    EXPECT_EQ(rejected != nullptr, readAgain);
    if (rejected) EXPECT_EQ(nameOf(run->graph, rejected->op), "%1");
    EXPECT_EQ(findEvent(trace, ChainEventKind::TakenBack), nullptr);
  }
}

// Every op between a chain and the kernel that reads its result is asked beside that result, from the first one on:
// with %s, whose rows are wide, right behind the chain, or with an op between them.
TEST(ChainEdges, OpsBetweenAChainAndItsKernelCount) {
  for (const bool rightBehind : {true, false}) {
    int kept = 0, refused = 0;
    for (int32_t permille = 100; permille <= 1000; permille += 50) {
      GraphText text;
      text.arg("%a").arg("%x", "64x16384").op("%0", "ttnn.relu", {"%a"});
      if (!rightBehind) text.op("%y", "ttnn.add", {"%a", "%a"});
      text.op("%s", "ttnn.softmax", {"%x"}, "64x16384", "dimension = -1 : si32");
      text.op("%d", "ttnn.dispatch_d2m", {"%0", "%s"}, "512x512");
      const auto run = soundRunOf(rightBehind ? text.text() : text.returning({"%d", "%y"}), "DFSharding2",
                                  {.l1UsageCapPermille = permille});
      const ChainTrace& trace = *run->log.chain;
      EXPECT_EQ(findEvent(trace, ChainEventKind::TakenBack), nullptr) << permille;
      const ChainEvent* rejected = findEvent(trace, ChainEventKind::Rejected);
      refused += rejected && nameOf(run->graph, rejected->op) == "%s";
      kept += findEvent(trace, ChainEventKind::Reserved) != nullptr;
    }
    EXPECT_GT(kept, 0) << rightBehind;
    EXPECT_GT(refused, 0) << rightBehind;
  }
}

// A concat that a chain could go on with stands alone all the same, and the trace says so of the chain.
TEST(ChainEdges, AConcatBreaksTheChainBeforeIt) {
  const auto run = soundRunOf(GraphText()
                                  .arg("%a")
                                  .arg("%b")
                                  .op("%0", "ttnn.relu", {"%a"})
                                  .op("%1", "ttnn.concat", {"%0", "%b"}, "512x1024", "dim = 1 : si32")
                                  .text(),
                              "DFSharding2");
  EXPECT_EQ(chainsText(run->graph, *run->log.chain), "%0 | %1");
  const ChainEvent* broke = findEvent(*run->log.chain, ChainEventKind::ChainBroke, producerOf(run->graph, "0"));
  ASSERT_NE(broke, nullptr);
  EXPECT_EQ(broke->rule, ChainBreak::Concat);
}

// --- rows that the library writes ------------------------------------------------------------------------------------

// An upsampling writes rows, whatever is asked, and most readers take tiles alone: what the next op reads is converted
// under every policy.
TEST(ChainEdges, WhatTheLibraryWritesInRowsIsConvertedForItsReader) {
  const std::string text =
      GraphText()
          .arg("%a", "1x8x8x32")
          .op("%0", "ttnn.upsample", {"%a"}, "1x16x16x32", "mode = \"nearest\", scale_factor = 2 : si32")
          .op("%1", "ttnn.exp", {"%0"}, "1x16x16x32")
          .op("%2", "ttnn.add", {"%1", "%0"}, "1x16x16x32")
          .text();
  for (const char* policy : {"DRAM", "DFSharding", "DFSharding2", "BFInterleaved", "GreedyL1Interleaved"}) {
    SCOPED_TRACE(policy);
    const auto run = soundRunOf(text, policy);
    EXPECT_EQ(placeOf(*run, "0"), "DRAM rm");
    EXPECT_EQ(run->sim.refused, 0);
    for (const Reshard& reshard : run->plan.reshards) {
      if (nameOf(run->graph, reshard.consumer) != "%0") EXPECT_EQ(reshard.to.page, PageLayout::Tile);
    }
    for (const std::string& warning : run->log.warnings) EXPECT_EQ(warning.find("No decision"), std::string::npos);
  }
}

// --- concat ----------------------------------------------------------------------------------------------------------

// Rows that the text asks for are not made of shards, and the decision says why.
TEST(ChainEdges, AConcatWhoseResultIsGivenStaysInDram) {
  const std::string half = "tensor<512x512xbf16>";
  const auto text = [&](const std::string& whole) {
    return "#dram = #ttnn.buffer_type<dram>\n#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
           "memref<512x1024xbf16, #dram>, <interleaved>>\nfunc.func @main(%a: " +
           half + ", %b: " + half + ") -> tensor<512x1024xbf16> {\n  %0 = \"ttnn.relu\"(%a) : (" + half + ") -> " +
           half + "\n  %1 = \"ttnn.relu\"(%b) : (" + half + ") -> " + half +
           "\n  %2 = \"ttnn.concat\"(%0, %1) <{dim = 1 : si32}> : (" + half + ", " + half + ") -> " + whole +
           "\n  %3 = \"ttnn.exp\"(%2) : (" + whole +
           ") -> tensor<512x1024xbf16>\n  return %3 : "
           "tensor<512x1024xbf16>\n}\n";
  };
  ProblemOptions high;
  high.layoutOverrides =
      parseLayoutOverrides("%0=16x1:l1:height_sharded:tile:bf16,%1=16x1:l1:height_sharded:tile:bf16", noDiagnostics());
  const auto open = runOn(graphOf(text("tensor<512x1024xbf16>")), "DFSharding2", high);
  EXPECT_EQ(placeOf(*open, "2"), "L1 height 16x1");
  const auto given = runOn(graphOf(text("tensor<512x1024xbf16, #rows>")), "DFSharding2", high);
  EXPECT_FALSE(given->plan.layout[valueNamed(given->graph, "2")]->isL1());
  const ChainEvent* failed = findEvent(*given->log.chain, ChainEventKind::ChainFailed);
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->note, "because the concat cannot read its inputs from L1: its result has a given layout");
}

// --- what the log lists ----------------------------------------------------------------------------------------------

// Configs of a convolution that differ in their blocks and write the same layout are one candidate.
TEST(ChainEdges, SettingsThatWriteTheSameLayoutAreListedOnce) {
  const std::string rows = "tensor<1x1x4096x64xbf16>", weight = "tensor<64x64x1x1xbf16>";
  const auto run = soundRunOf(
      "func.func @main(%x: " + rows + ", %w: " + weight + ") -> " + rows + " {\n  %0 = \"ttnn.conv2d\"(%x, %w) <{" +
          "in_channels = 64 : i32, out_channels = 64 : i32, batch_size = 1 : i32, input_height = 64 : i32, "
          "input_width = 64 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, padding = array<i32: 0, "
          "0, 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (" +
          rows + ", " + weight + ") -> " + rows + "\n  %1 = \"ttnn.relu\"(%0) : (" + rows + ") -> " + rows +
          "\n  return %1 : " + rows + "\n}\n",
      "DFSharding");
  ASSERT_EQ(run->log.chain->chains[0].state, L1ChainState::Completed) << run->log.chain->chains[0].failure;
  for (const Decision& decision : run->log.decisions) {
    std::set<std::string> seen;
    for (const Candidate& candidate : decision.candidates) {
      EXPECT_TRUE(seen.insert(layoutText(candidate.layout)).second)
          << summaryFor(*run, run->graph.values[decision.value].name) << " " << layoutText(candidate.layout);
    }
  }
  EXPECT_GT(run->log.decisions[0].candidates.size(), 1u);
}

}  // namespace
}  // namespace tessera::test
