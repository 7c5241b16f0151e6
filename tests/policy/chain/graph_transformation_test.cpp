// Graph transformation: ttnn-optimizer.md 3.5.

#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

// 3.5.2: a convolution over 64x64 pixels and 128 channels, and a ReLU; the library's form with flat pixels.
const char* const kConvRelu =
    "func.func @main(%input: tensor<1x1x4096x128xbf16>, %weight: tensor<128x128x1x1xbf16>) -> "
    "tensor<1x1x4096x128xbf16> {\n"
    "  %0 = \"ttnn.conv2d\"(%input, %weight) <{in_channels = 128 : i32, out_channels = 128 : i32, batch_size = 1 : "
    "i32, input_height = 64 : i32, "
    "input_width = 64 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, "
    "0>, dilation = array<i32: 1, 1>, "
    "groups = 1 : i32}> : (tensor<1x1x4096x128xbf16>, tensor<128x128x1x1xbf16>) -> tensor<1x1x4096x128xbf16> "
    "loc(\"conv\")\n"
    "  %1 = \"ttnn.relu\"(%0) : (tensor<1x1x4096x128xbf16>) -> tensor<1x1x4096x128xbf16>\n"
    "  return %1 : tensor<1x1x4096x128xbf16>\n}\n";

std::string attrText(const Graph& graph, OpId op, const char* name) {
  const AttrValue* attr = findAttr(graph.ops[op], name);
  return attr ? attr->text : "";
}

TEST(Optimizer_3_5_2, TheExampleComesOutAsWritten) {
  ProblemOptions options;
  options.conv2dOverrides = parseConv2dOverrides("conv=act_block_h_override#32", noDiagnostics());
  for (std::string_view policy : {"DFSharding", "DFSharding2"}) {
    auto run = runOn(graphOf(kConvRelu), policy, options);
    expectSound(*run);
    const Graph& after = run->applied.graph;
    const std::vector<OpId>& ops = after.funcs[after.forward].ops;
    ASSERT_EQ(ops.size(), 4u);  // conv2d, relu, to_layout, return
    // conv2d with its config, sharded over 8x8 cores; relu on the same cores.
    EXPECT_NE(attrText(after, ops[0], "conv2d_config").find("act_block_h_override = 32"), std::string::npos);
    for (size_t i : {0u, 1u}) {
      const TensorLayout& layout = *after.values[after.ops[ops[i]].results[0]].type.tensor->layout;
      EXPECT_TRUE(layout.isL1() && layout.sharded());
      auto ranges = canonicalCoreRanges(layout, run->device);
      ASSERT_EQ(ranges.size(), 1u);
      EXPECT_EQ(ranges[0].end, (CoreCoord{7, 7}));
    }
    EXPECT_EQ(after.values[after.ops[ops[0]].results[0]].type.tensor->layout,
              after.values[after.ops[ops[1]].results[0]].type.tensor->layout);
    // The inserted spill for the return, and the function's type.
    EXPECT_EQ(after.ops[ops[2]].name, "ttnn.to_layout");
    EXPECT_EQ(attrText(after, ops[2], "memory_config"), "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>");
    EXPECT_EQ(after.ops[ops[3]].operands[0], after.ops[ops[2]].results[0]);
    const TensorLayout& returned = *after.funcs[after.forward].resultTypes[0].tensor->layout;
    EXPECT_TRUE(returned.isDram() && !returned.sharded());
  }
}

// A branch that reshards anyway reads the tensor from L1; only the other one needs the copy in DRAM.
TEST(Optimizer_3_5_1, ABranchWithAReshardReadsFromL1) {
  ProblemOptions options;
  options.layoutOverrides = parseLayoutOverrides(
      "second=64x1:l1:height_sharded:tile:bf16,first=8x8:l1:block_sharded:tile:bf16", noDiagnostics());
  auto run = runOn(
      graphOf("func.func @main(%a: tensor<2048x2048xbf16>) -> (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) {\n"
              "  %0 = \"ttnn.relu\"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc(\"first\")\n"
              "  %1 = \"ttnn.gelu\"(%0) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc(\"second\")\n"
              "  %2 = \"ttnn.exp\"(%0) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
              "  return %1, %2 : tensor<2048x2048xbf16>, tensor<2048x2048xbf16>\n}\n"),
      "DFSharding", options);
  expectSound(*run);
  ValueId fork = valueNamed(run->graph, "0");
  OpId gelu = producerOf(run->graph, "1");
  const Spill* spill = nullptr;
  for (const Spill& s : run->plan.spills) {
    if (s.value == fork) spill = &s;
  }
  ASSERT_NE(spill, nullptr);
  EXPECT_EQ(nameOf(run->graph, spill->before), "%2");  // after the branch that reshards
  const Graph& after = run->applied.graph;
  OpId reshard = after.values[after.ops[gelu].operands[0]].producer;
  ASSERT_TRUE(run->applied.inserted[reshard]);
  EXPECT_EQ(run->applied.inserted[reshard]->kind, MoveKind::Reshard);
  EXPECT_EQ(after.ops[reshard].operands[0], fork);
}

TEST(Optimizer_3_5_1, AToLayoutThatIsThereMakesTheReshardItself) {
  auto run =
      runOn(graphOf("#dram = #ttnn.buffer_type<dram>\n"
                    "#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, "
                    "#dram>, <interleaved>>\n"
                    "func.func @main(%a: tensor<2048x2048xbf16, #tiles>) -> tensor<2048x2048xbf16, #tiles> {\n"
                    "  %0 = \"ttnn.to_layout\"(%a) <{memory_config = #ttnn.memory_config<#dram, <interleaved>>}> : "
                    "(tensor<2048x2048xbf16, #tiles>) -> tensor<2048x2048xbf16, #tiles>\n"
                    "  %1 = \"ttnn.relu\"(%0) : (tensor<2048x2048xbf16, #tiles>) -> tensor<2048x2048xbf16, #tiles>\n"
                    "  return %1 : tensor<2048x2048xbf16, #tiles>\n}\n"),
            "DFSharding");
  ASSERT_EQ(run->plan.reshards.size(), 1u);
  const Graph& after = run->applied.graph;
  EXPECT_TRUE(verifyGraph(after).empty());
  size_t inserted = 0;
  for (const std::optional<InsertedMove>& move : run->applied.inserted) inserted += move && !move->cause;
  EXPECT_EQ(inserted, 0u);
  OpId relu = producerOf(run->graph, "1");
  EXPECT_EQ(nameOf(after, after.values[after.ops[relu].operands[0]].producer), "%0");
  EXPECT_EQ(*after.values[after.ops[relu].operands[0]].type.tensor->layout, run->plan.reshards[0].to);
  EXPECT_NE(attrText(after, producerOf(run->graph, "0"), "memory_config")
                .find(tensorMemoryLayoutName(run->plan.reshards[0].to.memory)),
            std::string::npos);
  for (const RunDefect& d : checkRun(after, run->sim, run->device))
    ADD_FAILURE() << runRuleName(d.rule) << ": " << d.text;
}

TEST(Optimizer_3_5_1, TheFallbackMovesDramResultsToL1Interleaved) {
  const std::string text = GraphText()
                               .arg("%a")
                               .op("%0", "ttnn.exp", {"%a"})
                               .op("%1", "ttnn.neg", {"%0"})
                               .op("%2", "ttnn.abs", {"%1"})
                               .text();
  PolicyOptions with;
  with.chain.l1InterleavedFallbackAnalysisEnabled = true;
  auto plain = runOn(graphOf(text), "DFSharding");
  auto upgraded = runOn(graphOf(text), "DFSharding", {}, allDevices()[0], with);
  expectSound(*upgraded);
  EXPECT_EQ(placeOf(*plain, "0"), "DRAM");
  EXPECT_EQ(placeOf(*upgraded, "0"), "L1 interleaved");
  EXPECT_EQ(placeOf(*upgraded, "1"), "L1 interleaved");
  EXPECT_EQ(placeOf(*upgraded, "2"), "DRAM");  // returned
  EXPECT_LT(upgraded->sim.time, plain->sim.time);
}

// The op, all readers and the L1 of every step decide, not how many readers there are or when they run.
TEST(Optimizer_3_5_1, TheFallbackTakesForksAndLateReaders) {
  const std::string text = GraphText()
                               .arg("%a")
                               .op("%0", "ttnn.exp", {"%a"})
                               .op("%1", "ttnn.neg", {"%0"})
                               .op("%2", "ttnn.abs", {"%1"})
                               .op("%3", "ttnn.subtract", {"%2", "%0"})
                               .text();
  PolicyOptions with, compiler;
  with.chain.l1InterleavedFallbackAnalysisEnabled = true;
  compiler.chain = with.chain;
  compiler.chain.fallbackBounds = FallbackBounds::NextReader;
  auto all = runOn(graphOf(text), "DFSharding", {}, allDevices()[0], with);
  auto next = runOn(graphOf(text), "DFSharding", {}, allDevices()[0], compiler);
  expectSound(*all);
  expectSound(*next);
  EXPECT_EQ(placeOf(*all, "0"), "L1 interleaved");
  EXPECT_EQ(placeOf(*next, "0"), "DRAM") << "two readers";
  EXPECT_EQ(placeOf(*all, "1"), "L1 interleaved");
  EXPECT_EQ(placeOf(*next, "1"), "L1 interleaved");
  EXPECT_LT(all->sim.time, next->sim.time);
}

// What an op reads and the function returns as well would have to leave L1 again.
TEST(Optimizer_3_5_1, TheFallbackLeavesWhatIsReturned) {
  GraphText text;
  text.arg("%a").op("%0", "ttnn.exp", {"%a"}).op("%1", "ttnn.neg", {"%0"}).op("%2", "ttnn.abs", {"%1"});
  PolicyOptions with;
  with.chain.l1InterleavedFallbackAnalysisEnabled = true;
  auto run = runOn(graphOf(text.returning({"%2", "%0"})), "DFSharding", {}, allDevices()[0], with);
  expectSound(*run);
  EXPECT_EQ(placeOf(*run, "0"), "DRAM");
  EXPECT_EQ(placeOf(*run, "1"), "L1 interleaved");
}

// Values that hold L1 to the end are counted, each once.
TEST(Optimizer_2_3, BFInterleavedSaysHowManyReturnedValuesStay) {
  GraphText text;
  text.arg("%a").op("%0", "ttnn.exp", {"%a"}).op("%1", "ttnn.neg", {"%0"});
  auto warningsOf = [&](const std::vector<std::string>& returned) {
    std::string all;
    const auto run = runOn(graphOf(text.returning(returned)), "BFInterleaved");
    for (const std::string& warning : run->log.warnings) all += warning + "\n";
    return all;
  };
  EXPECT_NE(warningsOf({"%1"}).find("Returns: 1 returned values"), std::string::npos) << warningsOf({"%1"});
  EXPECT_NE(warningsOf({"%1", "%0"}).find("Returns: 2 returned values"), std::string::npos) << warningsOf({"%1", "%0"});
}

// What stays up to a late reader takes its place from every op in between.
TEST(Optimizer_3_5_1, TheFallbackLeavesRoomForOpsInBetween) {
  GraphText text("2048x2048");
  text.arg("%a").op("%0", "ttnn.exp", {"%a"}).op("%1", "ttnn.neg", {"%0"}).op("%2", "ttnn.abs", {"%1"});
  text.op("%3", "ttnn.subtract", {"%2", "%0"});
  PolicyOptions with;
  with.chain.l1InterleavedFallbackAnalysisEnabled = true;
  auto run = runOn(graphOf(text.text()), "DFSharding", {.l1UsageCapPermille = 200}, allDevices()[0], with);
  expectSound(*run);
  int kept = 0;
  for (const char* name : {"0", "1", "2"}) kept += placeOf(*run, name) == "L1 interleaved";
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, 3) << "three of 131,072 bytes do not fit 279,289";
}

TEST(Optimizer_3_5_1, TheScheduleOfThePolicyIsApplied) {
  auto run = runOn(graphOf(GraphText()
                               .arg("%a")
                               .arg("%b")
                               .op("%0", "ttnn.relu", {"%a"})
                               .op("%1", "ttnn.relu", {"%b"})
                               .op("%2", "ttnn.gelu", {"%0"})
                               .op("%3", "ttnn.gelu", {"%1"})
                               .op("%4", "ttnn.add", {"%2", "%3"})
                               .text()),
                   "DFSharding");
  std::vector<OpId> original;
  for (OpId op : run->applied.graph.funcs[run->applied.graph.forward].ops) {
    if (!run->applied.inserted[op]) original.push_back(op);
  }
  EXPECT_EQ(namesOf(run->graph, original), "%0 %2 %1 %3 %4 -");
}

// Words about the result follow the layout: an op made for L1 tiles in bf16, decided otherwise.
TEST(Optimizer_3_5_1, LayoutAndTypeAttributesFollowTheDecision) {
  ProblemOptions options;
  options.layoutOverrides = parseLayoutOverrides("ones=1x1:dram:interleaved:tile:f32", noDiagnostics());
  auto run =
      runOn(graphOf("func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
                    "  %d = \"ttnn.get_device\"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device\n"
                    "  %0 = \"ttnn.ones\"(%d) <{dtype = #ttcore.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, "
                    "memory_config = "
                    "#ttnn.memory_config<#ttnn.buffer_type<l1>, <interleaved>>, shape = #ttnn.shape<64x64>}> : "
                    "(!ttnn.device) -> tensor<64x64xbf16> loc(\"ones\")\n"
                    "  %1 = \"ttnn.add\"(%a, %0) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
                    "  return %1 : tensor<64x64xbf16>\n}\n"),
            "DRAM", options);
  OpId ones = producerOf(run->graph, "0");
  TensorLayout layout = *run->plan.layout[valueNamed(run->graph, "0")];
  EXPECT_EQ(attrText(run->applied.graph, ones, "memory_config"),
            "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>");
  EXPECT_EQ(attrText(run->applied.graph, ones, "dtype"),
            "#ttcore.supportedDataTypes<" + std::string(dtypeName(layout.dtype)) + ">");
}

// --- the deprecated policies -----------------------------------------------------------------------------------------

bool warned(const PolicyRun& run, const std::string& word) {
  return std::any_of(run.log.warnings.begin(), run.log.warnings.end(),
                     [&](const std::string& text) { return text.find(word) == 0; });
}

TEST(Optimizer_2_3, GreedyL1InterleavedKeepsSingleUseResultsInL1) {
  auto run = runOn(graphOf(GraphText()
                               .arg("%a")
                               .op("%0", "ttnn.exp", {"%a"})
                               .op("%1", "ttnn.neg", {"%0"})
                               .op("%2", "ttnn.add", {"%1", "%0"})
                               .text()),
                   "GreedyL1Interleaved");
  expectSound(*run);
  EXPECT_EQ(placeOf(*run, "0"), "DRAM");  // read twice
  EXPECT_EQ(placeOf(*run, "1"), "L1 interleaved");
  EXPECT_EQ(placeOf(*run, "2"), "L1 interleaved");
  EXPECT_TRUE(warned(*run, "Single use"));
}

// 64 KiB per core each, and L1 for one and a half: the later op pushes its operand back.
TEST(Optimizer_2_3, GreedyL1InterleavedPushesOperandsBack) {
  GraphText text("1024x1024");
  text.arg("%a", "1024x512")
      .op("%0", "ttnn.exp", {"%a"}, "1024x512")
      .op("%1", "ttnn.concat", {"%0", "%a"}, "1024x1024", "dim = 1 : si32");
  // budget 43,000 bytes: %0 takes 16,384, %1 32,768.
  auto run = runOn(graphOf(text.text()), "GreedyL1Interleaved", {.l1UsageCapPermille = 31});
  expectSound(*run);
  EXPECT_TRUE(warned(*run, "Pushed back"));
  EXPECT_EQ(placeOf(*run, "0"), "DRAM");
}

TEST(Optimizer_2_3, GreedyL1InterleavedSchedulesFromTheFirstResult) {
  auto run = runOn(graphOf(GraphText()
                               .arg("%a")
                               .arg("%b")
                               .op("%0", "ttnn.exp", {"%b"})
                               .op("%1", "ttnn.exp", {"%a"})
                               .returning({"%1", "%0"})),
                   "GreedyL1Interleaved");
  expectSound(*run);
  EXPECT_EQ(namesOf(run->graph, run->plan.order), "%1 %0 -");
  EXPECT_TRUE(warned(*run, "First result"));
}

// A hostile number of operands stays cheap.
TEST(Optimizer_2_3, GreedyL1InterleavedBoundsItsSubsets) {
  GraphText text("32x32");
  text.arg("%a");
  std::vector<std::string> operands;
  for (int i = 0; i < 40; ++i) {
    operands.push_back("%" + std::to_string(i));
    text.op(operands.back(), "ttnn.exp", {"%a"});
  }
  text.op("%all", "ttnn.concat", operands, "32x1280", "dim = 1 : si32");
  auto run = runOn(graphOf(text.text()), "GreedyL1Interleaved");
  expectSound(*run);
  EXPECT_TRUE(warned(*run, "31 operands"));
}

// %1 frees more than it takes; counted without a sign it looks worst and comes last.
TEST(Optimizer_2_3, BFInterleavedRunsOpsThatFreeL1Last) {
  GraphText text;
  text.arg("%a")
      .arg("%b")
      .op("%0", "ttnn.exp", {"%a"})
      .op("%1", "ttnn.sum", {"%0"}, "512x1", "dim_arg = [1 : i32], keep_dim = true")
      .op("%2", "ttnn.exp", {"%b"});
  auto run = runOn(graphOf(text.returning({"%1", "%2"})), "BFInterleaved");
  expectSound(*run);
  EXPECT_EQ(namesOf(run->graph, run->plan.order), "%0 %2 %1 -");
  EXPECT_TRUE(warned(*run, "Wrap"));
  EXPECT_TRUE(warned(*run, "Returns"));
}

// A result with another reader left is not freed: of its two readers the smaller one changes least. One that frees more
// than it takes waits for nobody when it is alone.
TEST(Optimizer_2_3, BFInterleavedFreesWithTheLastReader) {
  const std::string sum = "dim_arg = [1 : i32], keep_dim = true";
  GraphText text;
  text.arg("%a").op("%0", "ttnn.exp", {"%a"}).op("%1", "ttnn.neg", {"%0"}).op("%2", "ttnn.sum", {"%0"}, "512x1", sum);
  const auto run = runOn(graphOf(text.returning({"%1", "%2"})), "BFInterleaved");
  EXPECT_EQ(namesOf(run->graph, run->plan.order), "%0 %2 %1 -");
  EXPECT_FALSE(warned(*run, "Wrap"));
  GraphText alone;
  alone.arg("%a").op("%0", "ttnn.exp", {"%a"}).op("%1", "ttnn.sum", {"%0"}, "512x1", sum);
  EXPECT_FALSE(warned(*runOn(graphOf(alone.text()), "BFInterleaved"), "Wrap"));
}

}  // namespace
}  // namespace tessera::test
