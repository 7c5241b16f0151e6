// Settings, weights and graphs that passes are seldom given: what they say is taken as far as it says something.

#include "core/lowering/as_it_stands.h"
#include "core/lowering/fallback_outputs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

const std::string kRarePlaces = R"(
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
!n = tensor<128x128xbf16>
!d = tensor<128x128xbf16, #d>
!s = tensor<128x128xbf16, #s>
)";

// The settings of a convolution over volumes at a place of that name, in front of its grid.
std::string volumeBlocks(const std::string& place, const std::string& overrides, const std::string& weight) {
  LoweringSetup setup;
  setup.options.overrideConv3dConfig = overrides;
  const std::string x = "tensor<1x3x4x4x96xbf16>", w = "tensor<" + weight + "xbf16>", y = "tensor<1x1x2x2x96xbf16>";
  const Graph graph =
      graphOfText("func.func @main(%x: " + x + ", %w: " + w + ") -> " + y + R"( {
    %0 = "ttnn.conv3d"(%x, %w) <{groups = 1 : i32, in_channels = 96 : i32, kernel_size = array<i32: 3, 3, 3>,
      out_channels = 96 : i32, padding = array<i32: 0, 0, 0>, padding_mode = "zeros",
      stride = array<i32: 1, 1, 1>}> : ()" +
                  x + ", " + w + ") -> " + y + " loc(\"" + place + "\")\n    return %0 : " + y + "\n}\n");
  const Graph out = passOn("ttnn-prepare-conv3d-weights", graph, setup).graph;
  const AttrValue* config = findAttr(out.ops[out.funcs[out.forward].ops[0]], "conv3d_config");
  return config == nullptr ? "none" : config->text.substr(0, config->text.find(", compute_with_storage_grid_size"));
}

// A setting is `place=field#value`: what lacks a sign of these says nothing, even of a place or field of its own name.
TEST(RareSettings, OverridesOfVolumesNeedBothSigns) {
  const std::string weight = "96x96x3x3x3", measured = volumeBlocks("window", "", weight);
  EXPECT_EQ(volumeBlocks("window", "window=c_in_block#16", weight),
            "#ttnn.conv3d_config<t_out_block = 1, w_out_block = 8, h_out_block = 8, c_out_block = 96, c_in_block = 16");
  EXPECT_EQ(volumeBlocks("window", "window=c_in_block", weight), measured);
  EXPECT_EQ(volumeBlocks("c_in_block#16", "c_in_block#16", weight), measured);
}

// A weight that was made a matrix does not say what its kernel was.
TEST(RareSettings, PreparedWeightsOfVolumesHaveSmallBlocks) {
  EXPECT_EQ(volumeBlocks("window", "", "2592x96"),
            "#ttnn.conv3d_config<t_out_block = 1, w_out_block = 1, h_out_block = 1, c_out_block = 32, c_in_block = 32");
}

TEST(RareSettings, NumbersAreDigitsAndOneAtLeast) {
  const PassInfo& pass = *findPass("ttnn-operation-validation-and-fallback");
  const auto fits = [&](std::string_view text) {
    PassSettings settings;
    return parsePassSettings(pass, text, settings).empty();
  };
  EXPECT_TRUE(fits("max-fallback-attempts=12"));
  EXPECT_FALSE(fits("max-fallback-attempts="));
  EXPECT_FALSE(fits("max-fallback-attempts"));
  EXPECT_FALSE(fits("max-fallback-attempts=-1"));
}

// What is planned elsewhere has no function that could run.
TEST(RareSettings, APassThatIsNoFunctionLeavesTheGraph) {
  LoweringSetup setup;
  const Graph graph = graphOfText(kRarePlaces + R"(
func.func @main(%x: !d) -> !d {
  %0 = "ttnn.exp"(%x) : (!d) -> !d
  return %0 : !d
}
)");
  int seen = 0;
  for (std::span<const PassInfo> table : {allPasses(), namedPasses()}) {
    for (const PassInfo& pass : table) {
      if (pass.run != nullptr) continue;
      ++seen;
      const LoweringResult result = runPass(pass, graph, setup.context);
      EXPECT_TRUE(sameGraph(result.graph, graph)) << pass.name;
      EXPECT_TRUE(result.logs.empty()) << pass.name;
    }
  }
  EXPECT_GT(seen, 0);
}

size_t frees(const Graph& graph) {
  size_t count = 0;
  for (OpId op : graph.funcs[graph.forward].ops) count += graph.ops[op].kind == OpKind::TtnnDeallocate ? 1 : 0;
  return count;
}

// Decisions are taken out of a program that has some: one without layouts was decided by nobody.
TEST(RareSettings, AProgramWithoutLayoutsKeepsWhatItFrees) {
  const auto program = [](const std::string& type) {
    return graphOfText(kRarePlaces + "func.func @main(%x: " + type + ") -> " + type +
                       " {\n  %0 = \"ttnn.exp\"(%x) : (" + type + ") -> " + type + "\n  %1 = \"ttnn.neg\"(%0) : (" +
                       type + ") -> " + type + "\n  \"ttnn.deallocate\"(%0) <{force = false}> : (" + type +
                       ") -> ()\n  return %1 : " + type + "\n}\n");
  };
  LoweringSetup setup;
  setup.options.reoptimize = true;
  EXPECT_EQ(frees(startLowering(program("!n"), setup.context).graph), 1u);
  EXPECT_EQ(frees(startLowering(program("!d"), setup.context).graph), 0u);
}

// A move from DRAM to DRAM goes; what is copied into a tensor that others read is copied all the same.
TEST(RareSettings, CopiesIntoOtherTensorsAreNoMoves) {
  const Graph graph = graphOfText(kRarePlaces + R"(
func.func @main(%x: !d, %y: !d) -> (!d, !s) {
  %0 = "ttnn.copy"(%x, %y) : (!d, !d) -> !d
  %1 = "ttnn.to_memory_config"(%x) : (!d) -> !s
  %2 = "ttnn.neg"(%y) : (!d) -> !d
  return %2, %1 : !d, !s
}
)");
  auto left = countOps(withoutDecisions(graph, *findDevice("n150")));
  EXPECT_EQ(left["ttnn.copy"], 1);
  EXPECT_EQ(left["ttnn.to_memory_config"], 0);
}

// Nothing is added to a program that is run as it stands, neither before nor behind the plan.
TEST(RareSettings, AsItStandsNothingIsFreed) {
  const Graph graph = graphOfText(kRarePlaces + R"(
func.func @main(%x: !d) -> !s {
  %0 = "ttnn.exp"(%x) : (!d) -> !d
  %1 = "ttnn.neg"(%0) : (!d) -> !s
  return %1 : !s
}
)");
  LoweringSetup setup;
  EXPECT_GT(frees(release(finalize(graph, setup.context).graph, setup.context).graph), 0u);
  setup.options.asItStands = true;
  for (const auto& stage : {finalize, release}) {
    const LoweringResult result = stage(graph, setup.context, PassDetail::Counts);
    EXPECT_TRUE(sameGraph(result.graph, graph));
    EXPECT_TRUE(result.logs.empty());
  }
}

// No layout can be made for a tensor without elements; as it stands it is a page in DRAM.
TEST(RareSettings, ATensorOfNoElementsLiesInDram) {
  const Graph graph = graphOfText(
      "func.func @main(%x: tensor<0x32xbf16>) -> tensor<0x32xbf16> {\n"
      "  %0 = \"ttnn.exp\"(%x) : (tensor<0x32xbf16>) -> tensor<0x32xbf16>\n"
      "  return %0 : tensor<0x32xbf16>\n}\n");
  const Graph out = withAllLayouts(graph, *findDevice("n150"));
  for (const Value& value : out.values) {
    ASSERT_TRUE(value.type.tensor->layout) << value.name;
    EXPECT_TRUE(value.type.tensor->layout->isDram()) << value.name;
    EXPECT_EQ(value.type.tensor->layout->shardRows, 1) << value.name;
    EXPECT_EQ(value.type.tensor->layout->dtype, DType::BF16) << value.name;
  }
}

// Settings of a convolution that are written in no form that is known stay as they are, and so do none.
TEST(RareSettings, SettingsOfConvolutionsInOtherFormsStay) {
  const char* const kForms[] = {"#ttnn.conv2d_config<>", "#ttnn.conv2d_config", "\"a<shard_layout = height_sharded\"",
                                "#ttnn.conv2d_config<weights_dtype = bf16>"};
  for (const std::string form : kForms) {
    const Graph graph = graphOfText(kRarePlaces + "func.func @main(%x: !d) -> !s {\n  %0 = \"ttnn.exp\"(%x) <{" +
                                    "conv2d_config = " + form + "}> : (!d) -> !s\n  return %0 : !s\n}\n");
    const Graph out = withoutDecisions(graph, *findDevice("n150"));
    const AttrValue* config = findAttr(out.ops[out.funcs[out.forward].ops[0]], "conv2d_config");
    ASSERT_NE(config, nullptr) << form;
    EXPECT_EQ(config->text, form);
  }
}

// Rows that go from DRAM to L1 change nothing but their place: that is no change of type.
TEST(RareSettings, ARouterWritesItsPlacesInL1) {
  const Graph graph = graphOfText(R"(
#dram = #ttnn.buffer_type<dram>
#i = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x8xui16, #dram>, <interleaved>>
#v = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x8xbf16, #dram>, <interleaved>>
!i = tensor<32x8xui16, #i>
!v = tensor<32x8xbf16, #v>
func.func @main(%x: tensor<32x128xbf16>, %w: tensor<128x128xbf16>, %b: tensor<32x128xbf16>) -> (!i, !v) {
  %0:2 = "ttnn.topk_router_gpt"(%x, %w, %b) <{k = 8 : i32, num_experts = 128 : i32}>
    : (tensor<32x128xbf16>, tensor<128x128xbf16>, tensor<32x128xbf16>) -> (!i, !v)
  return %0#0, %0#1 : !i, !v
}
)");
  LoweringSetup setup;
  setup.options.specificationRules = false;
  const Graph out = passOn("ttnn-layout-workarounds", graph, setup).graph;
  const Op& router = out.ops[out.funcs[out.forward].ops[0]];
  for (ValueId result : router.results) EXPECT_TRUE(out.values[result].type.tensor->layout->isL1());
  EXPECT_EQ(countOps(out)["ttnn.to_layout"], 2);
  EXPECT_EQ(countOps(out)["ttnn.typecast"], 0);
}

// In bytes per core: what has no layout yet takes nothing of L1 that is known.
TEST(RareSettings, WhatHasNoLayoutTakesNoL1) {
  const Graph graph = graphOfText(kRarePlaces + R"(
func.func @main(%x: !d) -> !n {
  %0 = "ttnn.exp"(%x) : (!d) -> !n
  %1 = "ttnn.exp"(%x) : (!d) -> !s
  %2 = "ttnn.neg"(%x) : (!d) -> !n
  %3 = "ttnn.add"(%0, %1) : (!n, !s) -> !n
  return %3 : !n
}
)");
  const TakenL1 taken(graph);
  EXPECT_EQ(taken.before(graph.funcs[graph.forward].ops[2], graph).count, 4 * 2048);
}

// Ops of a graph that was made of another one: what is counted among none of its ops came from nowhere in it.
TEST(RareSettings, OpsComeFromTheOpsThatWereImported) {
  Graph graph = graphOfText(kRarePlaces + R"(
func.func @main(%x: !d) -> !d {
  %0 = "ttnn.exp"(%x) : (!d) -> !d
  %1 = "ttnn.neg"(%0) : (!d) -> !d
  return %1 : !d
}
)");
  const std::vector<OpId> ops = graph.funcs[graph.forward].ops;
  graph.ops.edit(ops[1]).origins = {OpId(), ops[0], ops[2]};
  const auto made = descendants(graph, 2);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[0], (std::vector<OpId>{ops[0], ops[1]}));
  EXPECT_TRUE(made[1].empty());
}

// A second result without a layout is left without one, wherever the first is written instead.
TEST(RareSettings, AResultWithoutALayoutGetsNoneFromAFallback) {
  const Graph graph = graphOfText(R"(
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#in = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#one = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
!i = tensor<512x512xsi32>
func.func @main(%x: tensor<512x512xbf16, #in>) -> (tensor<512x512xbf16, #one>, !i) {
  %0:2 = "ttnn.sort"(%x) <{descending = false, dim = 1 : si8, stable = false}>
    : (tensor<512x512xbf16, #in>) -> (tensor<512x512xbf16, #one>, !i)
  return %0#0, %0#1 : tensor<512x512xbf16, #one>, !i
}
)");
  for (const bool specification : {true, false}) {
    LoweringSetup setup;
    setup.options.specificationRules = specification;
    const Graph out = passOn("ttnn-operation-validation-and-fallback", graph, setup).graph;
    const Op& sort = out.ops[out.funcs[out.forward].ops[0]];
    EXPECT_EQ(layoutText(*out.values[sort.results[0]].type.tensor->layout), specification ? "L1 interleaved" : "DRAM");
    EXPECT_FALSE(out.values[sort.results[1]].type.tensor->layout) << specification;
  }
}

}  // namespace
}  // namespace tessera::test
