// Decisions taken out of graphs that carry layouts, layouts that a fallback tries, and what lies in L1 meanwhile.

#include "core/lowering/as_it_stands.h"

#include "core/lowering/fallback_outputs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

const std::string kPlaces = R"(
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#r = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x128xbf16, #dram>, <interleaved>>
#f = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<2x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
!d = tensor<128x128xbf16, #d>
!r = tensor<128x128xbf16, #r>
!f = tensor<128x128xf32, #f>
!s = tensor<128x128xbf16, #s>
!b = tensor<128x128xbf16, #b>
)";

Graph graphWith(const std::string& body) { return graphOfText(kPlaces + body); }

// Names of the forward function's ops, each with where its first result lies.
std::string opsAndPlaces(const Graph& graph) {
  std::string all;
  for (OpId id : graph.funcs[graph.forward].ops) {
    const Op& op = graph.ops[id];
    all += (all.empty() ? "" : ", ") + op.name.substr(op.name.find('.') + 1);
    if (op.results.empty() || !graph.values[op.results[0]].type.isTensor()) continue;
    const auto& layout = graph.values[op.results[0]].type.tensor->layout;
    all += " " + (layout ? layoutText(*layout) : std::string("nowhere"));
  }
  return all;
}

// What was left of StableHLO when a TTNN program was made does not send it through the passes before again.
TEST(Lower, AProgramWithAnOpThatWasLeftOverStaysOne) {
  const Graph graph = graphWith(R"(
func.func @main(%x: !s) -> !s {
  %0 = "ttnn.relu"(%x) : (!s) -> !s
  %1 = "stablehlo.exponential"(%0) : (!s) -> !s
  return %1 : !s
}
)");
  LoweringSetup setup;
  const LoweringResult result = lower(graph, setup.context);
  for (const PassLog& log : result.logs) EXPECT_EQ(log.pass->stage, PassStage::Analyse) << log.pass->name;
  EXPECT_FALSE(result.logs.empty());
  EXPECT_EQ(opsAndPlaces(result.graph).substr(0, 4), "relu");
}

TEST(WithoutDecisions, MovesGoAndChangesOfPagesAndTypesStay) {
  const Graph graph = graphWith(R"(
func.func private @weights(%w: !d) -> !s {
  %0 = "ttnn.to_memory_config"(%w) : (!d) -> !s
  return %0 : !s
}
func.func @main(%x: !d, %w: !d) -> (!s, !d) {
  %0 = "ttcore.load_cached"(%w) <{callee = @weights}> : (!d) -> !s
  %1 = "ttnn.to_memory_config"(%x) : (!d) -> !s
  %2 = "ttnn.exp"(%1) <{memory_config = #ttnn.memory_config<#l1, <height_sharded>>}> : (!s) -> !b
  %3 = "ttnn.to_layout"(%2) : (!b) -> !r
  %4 = "ttnn.to_layout"(%x) : (!d) -> !f
  "ttnn.deallocate"(%4) <{force = false}> : (!f) -> ()
  %5 = "ttnn.add"(%0, %2) : (!s, !b) -> !s
  %6 = "ttnn.to_layout"(%3) : (!r) -> !d
  return %5, %6 : !s, !d
}
)");
  const Graph out = withoutDecisions(graph, *findDevice("n150"));
  EXPECT_EQ(opsAndPlaces(out),
            "load_cached L1 height 4x1, exp DRAM, to_layout DRAM rm, to_layout DRAM, add DRAM, to_layout DRAM, return");
  for (const Op& op : out.ops) {
    if (op.name == "ttnn.exp") EXPECT_EQ(findAttr(op, "memory_config"), nullptr);
  }
  EXPECT_EQ(countOps(out)["ttnn.to_memory_config"], 1) << "of the function that runs once";
}

// A program was lowered before: StableHLO in it is what nobody could lower, and its functions stay what they are.
TEST(WithoutDecisions, AProgramIsNotLoweredAgainForWhatIsLeftInIt) {
  const std::string left = R"("stablehlo.popcnt"(%0) : (!d) -> !d)";
  const Graph graph = graphWith(R"(
func.func private @main_const_eval_0(%w: !d) -> !d {
  %0 = "ttnn.exp"(%w) : (!d) -> !d
  return %0 : !d
}
func.func @main(%w: !d) -> !d {
  %0 = "ttcore.load_cached"(%w) <{callee = @main_const_eval_0}> : (!d) -> !d
  %1 = )" + left + R"(
  %2 = "ttnn.relu"(%1) : (!d) -> !d
  return %2 : !d
}
)");
  LoweringSetup setup;
  setup.options.reoptimize = true;
  EXPECT_EQ(startLowering(graph, setup.context).first, PassStage::Analyse);
  const LoweringResult lowered = lower(graph, setup.context);
  for (const PassLog& log : lowered.logs) EXPECT_GE(log.pass->stage, PassStage::Analyse) << log.pass->name;
  const Function& made = *lowered.graph.funcs.begin();
  EXPECT_EQ(made.name, "main_const_eval_0");
  EXPECT_EQ(made.ops.size(), 2u);
}

// What lies on the host was placed there by nobody's plan: moves from it and to it stay, and so do results there.
TEST(WithoutDecisions, TheHostIsNoPlaceOfTheDevice) {
  const Graph out = withoutDecisions(graphWith(R"(
#system = #ttnn.buffer_type<system_memory>
#h = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, bf16>, #system>>
!h = tensor<128x128xbf16, #h>
func.func @main(%x: !h) -> (!h, !d) {
  %0 = "ttnn.to_layout"(%x) : (!h) -> !d
  %1 = "ttnn.exp"(%0) : (!d) -> !s
  %2 = "ttnn.to_layout"(%1) : (!s) -> !h
  %3 = "ttnn.to_memory_config"(%1) : (!s) -> !d
  return %2, %3 : !h, !d
}
)"),
                                     *findDevice("n150"));
  EXPECT_EQ(opsAndPlaces(out), "to_layout DRAM, exp DRAM, to_layout host, return");
}

// A type that the source wrote in a way that nobody reads is one of tiles in DRAM from then on.
TEST(WithAllLayouts, WhatWasWrittenOfATypeGoes) {
  Graph graph = graphWith(
      "func.func @main(%x: tensor<128x128xbf16>) -> tensor<128x128xbf16> {\n"
      "  %0 = \"ttnn.exp\"(%x) : (tensor<128x128xbf16>) -> tensor<128x128xbf16>\n"
      "  return %0 : tensor<128x128xbf16>\n}\n");
  for (ValueId value : graph.values.ids()) graph.values.edit(value).type.tensor->encoding = "#unknown";
  const Graph out = withAllLayouts(graph, *findDevice("n150"));
  for (const Value& value : out.values) {
    EXPECT_EQ(value.type.tensor->encoding, "") << value.name;
    ASSERT_TRUE(value.type.tensor->layout) << value.name;
    EXPECT_EQ(layoutText(*value.type.tensor->layout), "DRAM") << value.name;
  }
}

// What a layout decides goes from a convolution's settings; commas within a setting part nothing.
TEST(WithoutDecisions, SettingsOfConvolutionsKeepWhatIsNotDecided) {
  struct Case {
    const char *given, *kept;
  };
  static constexpr Case kCases[] = {
      {"weights_dtype = bf16, shard_layout = height_sharded", "weights_dtype = bf16"},
      {"shard_layout = height_sharded, activation = <op_type = relu>", "activation = <op_type = relu>"},
      {"core_grid = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (1,3)>]>, act_block_w_div = 2",
       "act_block_w_div = 2"},
      {"act_block_h_override = 64, deallocate_activation = true, reshard_if_not_optimal = true", ""},
      {"override_sharding_config = true, enable_act_double_buffer = true, core_grid = #ttnn.core_range_set<[]>",
       "enable_act_double_buffer = true"},
      {"activation = <op_type = leaky_relu, params = [0.5, 1]>, output_layout = tile",
       "activation = <op_type = leaky_relu, params = [0.5, 1]>, output_layout = tile"},
  };
  for (const Case& one : kCases) {
    const Graph graph =
        graphWith("func.func @main(%x: !d) -> !s {\n  %0 = \"ttnn.exp\"(%x) <{conv2d_config = #ttnn.conv2d_config<" +
                  std::string(one.given) + ">}> : (!d) -> !s\n  return %0 : !s\n}\n");
    const Graph out = withoutDecisions(graph, *findDevice("n150"));
    const Op& op = out.ops[out.funcs[out.forward].ops[0]];
    ASSERT_NE(findAttr(op, "conv2d_config"), nullptr);
    EXPECT_EQ(findAttr(op, "conv2d_config")->text, "#ttnn.conv2d_config<" + std::string(one.kept) + ">");
  }
}

std::string outputsOf(const Shape& shape, const TensorLayout& wanted, size_t most) {
  std::string all;
  const std::vector<FallbackOutput> outputs = fallbackOutputs(shape, wanted, *findDevice("n150"));
  for (size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_FALSE(outputs[i].layout == wanted) << layoutText(wanted);
    for (size_t j = 0; j < i; ++j) EXPECT_FALSE(outputs[i].layout == outputs[j].layout);
    if (i < most)
      all += (all.empty() ? "" : ", ") + layoutText(outputs[i].layout) + " " + fallbackLevelName(outputs[i].level);
  }
  return all;
}

// Other pages first, then other shards, then memories from L1 to DRAM; never what was wanted, and nothing twice.
TEST(FallbackOutputs, NearestFirst) {
  const DeviceSpec device = *findDevice("n150");
  const Shape shape = {64, 64};
  const auto layout = [&](LayoutRequest request) { return *makeLayout(shape, request, device); };
  EXPECT_EQ(outputsOf(shape, layout({.dtype = DType::BF16}), 9), "DRAM rm layout");
  EXPECT_EQ(outputsOf(shape, layout({.dtype = DType::BF16, .page = PageLayout::RowMajor}), 9), "DRAM layout");
  EXPECT_EQ(outputsOf(shape, layout({.dtype = DType::BFP8}), 9), "") << "block floats have no rows";
  EXPECT_EQ(outputsOf(shape, layout({.dtype = DType::BF16, .buffer = BufferType::L1, .grid = device.grid}), 9),
            "L1 interleaved rm layout, DRAM memory, DRAM rm memory");
  EXPECT_EQ(outputsOf(shape,
                      layout({.dtype = DType::BF16,
                              .buffer = BufferType::L1,
                              .memory = TensorMemoryLayout::HeightSharded,
                              .grid = {2, 1}}),
                      99),
            "L1 height 2x1 rm layout, L1 block 2x2 sharding, L1 block 1x2 sharding, L1 block 2x1 sharding, L1 width "
            "1x2 sharding, L1 block 1x1 sharding, L1 height 1x1 sharding, L1 width 1x1 sharding, L1 interleaved "
            "memory, L1 interleaved rm memory, DRAM memory, DRAM rm memory");
  // Of shards in rows the others are in rows, too.
  EXPECT_EQ(outputsOf(shape,
                      layout({.dtype = DType::BF16,
                              .buffer = BufferType::L1,
                              .memory = TensorMemoryLayout::HeightSharded,
                              .page = PageLayout::RowMajor,
                              .grid = {2, 1}}),
                      5),
            "L1 height 2x1 layout, L1 block 8x8 rm sharding, L1 height 64x1 rm sharding, L1 width 1x64 rm sharding, L1 "
            "block 7x8 rm sharding");
}

// In bytes per core: 4 tiles of 2048 bytes in each of the shards.
TEST(TakenL1, CountsWhatIsThereWhenAnOpStarts) {
  const Graph graph = graphWith(R"(
func.func @main(%x: !d, %y: !s) -> !d {
  %0 = "ttnn.exp"(%x) : (!d) -> !s
  %1 = "ttnn.exp"(%0) : (!s) -> !b
  %2 = "ttnn.add"(%1, %y) : (!b, !s) -> !d
  %3 = "ttnn.abs"(%2) : (!d) -> !b
  return %2 : !d
}
)");
  const TakenL1 taken(graph);
  const std::vector<OpId>& ops = graph.funcs[graph.forward].ops;
  constexpr int64_t kShard = 4 * 2048;
  const int64_t before[] = {kShard, 2 * kShard, 2 * kShard, 0, 0}, after[] = {kShard, kShard, 0, 0, 0};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(taken.before(ops[i], graph).count, before[i]) << i;
    EXPECT_EQ(taken.after(ops[i], graph).count, after[i]) << i;
  }
}

// It is there until its last reader, whichever others there are.
TEST(TakenL1, CountsAValueBetweenItsReaders) {
  const Graph graph = graphWith(R"(
func.func @main(%x: !d) -> (!d, !d) {
  %0 = "ttnn.exp"(%x) : (!d) -> !s
  %1 = "ttnn.abs"(%0) : (!s) -> !d
  %2 = "ttnn.exp"(%x) : (!d) -> !d
  %3 = "ttnn.abs"(%0) : (!s) -> !d
  return %1, %3 : !d, !d
}
)");
  const TakenL1 taken(graph);
  const std::vector<OpId>& ops = graph.funcs[graph.forward].ops;
  constexpr int64_t kShard = 4 * 2048;
  const int64_t before[] = {0, kShard, kShard, kShard, 0}, after[] = {0, kShard, kShard, 0, 0};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(taken.before(ops[i], graph).count, before[i]) << i;
    EXPECT_EQ(taken.after(ops[i], graph).count, after[i]) << i;
  }
}

}  // namespace
}  // namespace tessera::test
