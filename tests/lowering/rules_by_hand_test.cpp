// Single rules of passes on a few ops: what goes, what stays, and in which order.

#include "core/lowering/as_it_stands.h"
#include "core/lowering/const_eval_hoist.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/ttnn_attrs.h"
#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

const std::string kLayouts =
    "#dram = #ttnn.buffer_type<dram>\n#l1 = #ttnn.buffer_type<l1>\n"
    "#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>\n"
    "#f = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>\n"
    "#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, "
    "<height_sharded>>\n";

// Only where a tensor lies was decided: what changes its numbers stays.
TEST(Rules, MovesGoAndConversionsStay) {
  const Graph graph = withoutDecisions(
      graphOfText(kLayouts +
                  "func.func @main(%a: tensor<64x64xbf16, #d>) -> tensor<64x64xf32, #f> {\n"
                  "  %0 = \"ttnn.to_memory_config\"(%a) : (tensor<64x64xbf16, #d>) -> tensor<64x64xbf16, #s>\n"
                  "  %1 = \"ttnn.relu\"(%0) : (tensor<64x64xbf16, #s>) -> tensor<64x64xbf16, #s>\n"
                  "  %2 = \"ttnn.to_layout\"(%1) <{layout = #ttnn.layout<tile>}> : (tensor<64x64xbf16, #s>) -> "
                  "tensor<64x64xf32, #f>\n  return %2 : tensor<64x64xf32, #f>\n}\n"),
      *findDevice("n150"));
  auto ops = countOps(graph);
  EXPECT_EQ(ops["ttnn.to_memory_config"], 0);
  EXPECT_EQ(ops["ttnn.to_layout"], 1);
  for (const Value& value : graph.values) {
    if (!value.type.isTensor() || !value.type.tensor->layout) continue;
    EXPECT_TRUE(value.type.tensor->layout->isDram());
  }
}

// An op that is made for 128 experts, of 64: its body where the rules are asked, else the op that they refuse.
TEST(Rules, CompositesThatBreakThemAreOneOpWhereThatIsAskedFor) {
  const std::string x = "tensor<32x2880xbf16>", w = "tensor<2880x64xbf16>", b = "tensor<32x64xbf16>",
                    in = x + ", " + w + ", " + b, out = "tensor<32x4xui16>, tensor<32x4xbf16>";
  const std::string text =
      "func.func private @route(%a: " + x + ", %b: " + w + ", %c: " + b + ") -> (" + out +
      ") {\n  %0:2 = \"ttir.topk\"(%c) <{dim = -1 : i32, k = 4 : i32, largest = true, sorted = true}> : (" + b +
      ") -> (tensor<32x4xbf16>, tensor<32x4xui16>)\n  return %0#1, %0#0 : " + out + "\n}\nfunc.func @main(%x: " + x +
      ", %w: " + w + ", %b: " + b + ") -> (" + out +
      ") {\n  %0:2 = \"ttcore.composite\"(%x, %w, %b) <{composite_attributes = {k = 4 : i32, num_experts = 64 : i32}, "
      "composite_name = \"topk_router_gpt\", decomposition = @route}> : (" +
      in + ") -> (" + out + ")\n  return %0#0, %0#1 : " + out + "\n}\n";
  for (const std::string how : {"force-promote", "validate"}) {
    LoweringSetup setup;
    setup.context.byName = true;
    setup.context.settings.values.emplace_back("composite-resolution", how);
    auto ops = countOps(passOn("ttnn-resolve-composites", graphOfText(text), setup).graph);
    EXPECT_EQ(ops["ttnn.topk_router_gpt"], how == "validate" ? 0 : 1) << how;
    EXPECT_EQ(ops["ttir.topk"], how == "validate" ? 1 : 0) << how;
  }
}

// The reshape of a flattened convolution is read once, the convolution in front of it twice.
TEST(Rules, AnActivationStaysBehindAConvolutionThatIsReadElsewhere) {
  const std::string t = "tensor<1x1x64x32xbf16>", whole = "tensor<1x8x8x32xbf16>";
  for (const bool elsewhere : {false, true}) {
    const std::string text =
        "func.func @main(%x: " + t + ", %w: tensor<32x32x1x1xbf16>) -> (" + whole + ", " + t +
        ") {\n  %0 = \"ttnn.conv2d\"(%x, %w) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, "
        "in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 1, 1>, "
        "out_channels = 32 : i32, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (" +
        t + ", tensor<32x32x1x1xbf16>) -> " + t +
        "\n  %1 = \"ttnn.reshape\"(%0) <{shape = [1 : i32, 8 : i32, 8 : i32, 32 : i32]}> : (" + t + ") -> " + whole +
        "\n  %2 = \"ttnn.relu\"(%1) : (" + whole + ") -> " + whole + "\n  %3 = \"ttnn.exp\"(" +
        (elsewhere ? "%0" : "%x") + ") : (" + t + ") -> " + t + "\n  return %2, %3 : " + whole + ", " + t + "\n}\n";
    LoweringSetup setup;
    setup.context.byName = true;
    EXPECT_EQ(countOps(passOn("ttnn-fusing", graphOfText(text), setup).graph)["ttnn.relu"], elsewhere ? 1 : 0);
  }
}

TEST(Rules, OfAConvolutionsSettingsThoseOfItsShardsGo) {
  const Graph graph = withoutDecisions(
      graphOfText(
          "func.func @main(%x: tensor<1x1x64x32xbf16>, %w: tensor<32x32x1x1xbf16>) -> tensor<1x1x64x32xbf16> {\n  %0 = "
          "\"ttnn.conv2d\"(%x, %w) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, "
          "activation = <op_type = relu>, act_block_h_override = 32, shard_layout = height_sharded>, dilation = "
          "array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, "
          "kernel_size = array<i32: 1, 1>, out_channels = 32 : i32, padding = array<i32: 0, 0, 0, 0>, stride = "
          "array<i32: 1, 1>}> : (tensor<1x1x64x32xbf16>, tensor<32x32x1x1xbf16>) -> tensor<1x1x64x32xbf16>\n  return "
          "%0 : tensor<1x1x64x32xbf16>\n}\n"),
      *findDevice("n150"));
  const AttrValue* config = findAttr(graph.ops[graph.funcs[graph.forward].ops[0]], "conv2d_config");
  ASSERT_NE(config, nullptr);
  EXPECT_EQ(config->text, "#ttnn.conv2d_config<weights_dtype = bf16, activation = <op_type = relu>>");
}

// Parameters and moments are written where they are: results are operands 0, 2, 3 and 4; operand 1 is the gradient.
TEST(Rules, AnOptimizersResultsAreWhatItWrites) {
  const std::string t = "tensor<32x32xf32>";
  for (const bool largest : {false, true}) {
    const std::string more = largest ? ", " + t : "", types = t + ", " + t + ", " + t + more;
    LoweringSetup setup;
    setup.options.specificationRules = false;  // as the compiler does
    const LoweringResult done = passOn(
        "convert-ttir-to-ttnn",
        graphOfText("func.func @main(%p: " + t + ", %g: " + t + ", %m: " + t + ", %v: " + t +
                    (largest ? ", %n: " + t : "") + ") -> (" + types + ") {\n  %r:" + (largest ? "4" : "3") +
                    " = \"ttir.adamw\"(%p, %g, %m, %v" + (largest ? ", %n" : "") +
                    ") <{beta1 = 0.9 : f32, beta1_pow = 0.9 : f32, beta2 = 0.9 : f32, beta2_pow = 0.9 : f32, epsilon = "
                    "1.0e-8 : f32, lr = 0.1 : f32, weight_decay = 0.0 : f32}> : (" +
                    t + ", " + types + ") -> (" + types + ")\n  return %r#0, %r#1, %r#2" + (largest ? ", %r#3" : "") +
                    " : " + types + "\n}\n"),
        setup);
    const Function& main = done.graph.funcs[done.graph.forward];
    const Op& last = done.graph.ops[main.ops.back()];
    const std::vector<size_t> written = {0, 2, 3, 4};
    ASSERT_EQ(last.operands.size(), largest ? 4u : 3u);
    for (size_t i = 0; i < last.operands.size(); ++i) EXPECT_EQ(last.operands[i], main.args[written[i]]) << i;
  }
}

// 4096 channels in groups of one are what the library takes; of 4128, 1376 at a time: the largest divisor in whole
// tiles.
TEST(Rules, ManyGroupsAreConvolvedInParts) {
  const auto convolutions = [](int64_t channels) {
    const std::string c = std::to_string(channels), x = "tensor<1x1x64x" + c + "xbf16>",
                      w = "tensor<" + c + "x1x1x1xbf16>";
    LoweringSetup setup;
    const LoweringResult done = passOn(
        "ttnn-decomposition",
        graphOfText("func.func @main(%x: " + x + ", %w: " + w + ") -> " + x + " {\n  %0 = \"ttnn.conv2d\"(%x, %w) " +
                    "<{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = " + c +
                    " : i32, in_channels = " + c +
                    " : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 1, 1>, "
                    "out_channels = " +
                    c + " : i32, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (" + x + ", " + w +
                    ") -> " + x + "\n  return %0 : " + x + "\n}\n"),
        setup);
    std::string groups;
    for (const Op& op : done.graph.ops) {
      if (op.kind == OpKind::TtnnConv2d && op.func.valid())
        groups += (groups.empty() ? "" : " ") + std::to_string(findAttr(op, "groups")->integer);
    }
    return groups;
  };
  EXPECT_EQ(convolutions(64), "64");
  EXPECT_EQ(convolutions(4096), "4096");
  EXPECT_EQ(convolutions(4128), "1376 1376 1376");
}

// Who reads the result of an op that writes into a cache reads the cache.
TEST(Rules, ACachesResultIsTheCache) {
  const std::string c = "tensor<32x8x128x64xbf16>", x = "tensor<1x8x32x64xbf16>", i = "tensor<1xi32>";
  LoweringSetup setup;
  const LoweringResult done =
      passOn("convert-ttir-to-ttnn",
             graphOfText("func.func @main(%c: " + c + ", %x: " + x + ", %i: " + i + ") -> " + c +
                         " {\n  %r = \"ttir.update_cache\"(%c, %x, %i) <{batch_offset = 0 : i32}> : (" + c + ", " + x +
                         ", " + i + ") -> " + c + "\n  return %r : " + c + "\n}\n"),
             setup);
  const Function& main = done.graph.funcs[done.graph.forward];
  EXPECT_EQ(done.graph.ops[main.ops.back()].operands.at(0), main.args[0]);
  EXPECT_EQ(countOps(done.graph)["ttnn.update_cache"], 1);
}

// A constant's numbers follow its type, whatever attributes stand before them.
TEST(Rules, ConstantsAreRetypedBehindOtherAttributes) {
  LoweringSetup setup;
  const LoweringResult done =
      passOn("ttir-element-type-normalization",
             graphOfText("func.func @main() -> tensor<2xi64> {\n  %0 = \"ttir.constant\"() <{value = dense<[3, -4]> : "
                         "tensor<2xi64>}> {a.note = 1 : i32} : () -> tensor<2xi64>\n  return %0 : tensor<2xi64>\n}\n"),
             setup);
  const AttrValue* value = findAttr(done.graph.ops[done.graph.funcs[done.graph.forward].ops[0]], "value");
  ASSERT_NE(value, nullptr);
  EXPECT_NE(value->text.find("tensor<2xsi32>"), std::string::npos) << value->text;
  EXPECT_NE(value->text.find("[3, -4]"), std::string::npos) << value->text;
}

// The op that stays stands for both that were alike; ops that differ in an attribute are not.
TEST(Rules, OfEqualOpsTheFirstStandsForAll) {
  const std::string t = "tensor<4x6xf32>", u = "tensor<4x1xf32>";
  const auto sum = [&](const std::string& name, int dim, const std::string& to) {
    return "  %" + name + " = \"ttir.sum\"(%a) <{dim_arg = [" + std::to_string(dim) + " : i32], keep_dim = true}> : (" +
           t + ") -> " + to + "\n";
  };
  LoweringSetup setup;
  const LoweringResult result =
      passOn("cse",
             graphOfText("func.func @main(%a: " + t + ") -> (" + u + ", " + u + ", tensor<1x6xf32>) {\n" +
                         sum("0", 1, u) + sum("1", 1, u) + sum("2", 0, "tensor<1x6xf32>") +
                         "  return %0, %1, %2 : " + u + ", " + u + ", tensor<1x6xf32>\n}\n"),
             setup);
  const Graph& graph = result.graph;
  ASSERT_EQ(graph.funcs[graph.forward].ops.size(), 3u);
  EXPECT_EQ(graph.ops[graph.funcs[graph.forward].ops[0]].origins.size(), 2u);
  EXPECT_EQ(graph.ops[graph.funcs[graph.forward].ops[1]].origins.size(), 1u);
}

// A view moves up through an op to a weight, where it is computed once; not when all operands are weights.
TEST(Rules, ViewsMoveOntoWeights) {
  const std::string t = "tensor<2x3x4xf32>", u = "tensor<2x4x3xf32>";
  const std::string turn = "permutation = array<i64: 0, 2, 1>";
  LoweringSetup setup;
  const LoweringResult result = passOn("ttir-erase-inverse-ops",
                                       graphOfText("func.func @main(%a: " + t + ", %w: " + u +
                                                   " {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> " +
                                                   t + " {\n  %0 = \"ttir.permute\"" + "(%a) <{" + turn + "}> : (" + t +
                                                   ") -> " + u + "\n  %1 = \"ttir.add\"(%0, %w) : (" + u + ", " + u +
                                                   ") -> " + u + "\n  %2 = \"ttir.permute\"(%1) <{" + turn + "}> : (" +
                                                   u + ") -> " + t + "\n  return %2 : " + t + "\n}\n"),
                                       setup);
  int permutes = 0;
  for (const Op& op : result.graph.ops) {
    if (!op.func.valid() || op.kind != OpKind::TtirPermute) continue;
    ++permutes;
    EXPECT_EQ(result.graph.values[op.operands[0]].name, "w");
  }
  EXPECT_EQ(permutes, 1);
}

// An op that is made for each element by itself is the same on the other side of a view; a reverse, one of their
// family, names dims, and a sum that broadcasts has operands of another shape than the view's.
TEST(Rules, WhatIsTheSameAcrossAView) {
  const ViewMap turned = permuteMap({2, 3}, {1, 0});
  const auto across = [&](OpKind kind, const Shape& result) {
    Op op;
    op.kind = kind;
    op.attrs = {{"dimensions", intArrayAttr({1})}};
    return opAcross(op, {2, 3}, result, turned);
  };
  const std::optional<OpAcross> relu = across(OpKind::TtirRelu, {2, 3});
  ASSERT_TRUE(relu);
  EXPECT_EQ(relu->result.to, (Shape{3, 2}));
  EXPECT_FALSE(across(OpKind::TtirReverse, {2, 3}));
  EXPECT_TRUE(across(OpKind::TtirAdd, {2, 3}));
  EXPECT_FALSE(across(OpKind::TtirAdd, {4, 2, 3}));
}

// Numbers are widened to the width that is asked for, and never narrowed.
TEST(Rules, QuantizedNumbersKeepAllTheirBits) {
  const std::string t = "tensor<4x!quant.uniform<i16:f32, 0.5>>";
  for (int64_t bits : {8, 16, 32}) {
    LoweringSetup setup;
    setup.options.quantBits = bits;
    const LoweringResult result = passOn("ttir-quant-data-type-conversion",
                                         graphOfText("func.func @main(%a: " + t + ") -> " + t +
                                                     " {\n  %0 = \"ttir.reshape\"(%a) <{shape = [4 : i32]}> : (" + t +
                                                     ") -> " + t + "\n  return %0 : " + t + "\n}\n"),
                                         setup);
    EXPECT_EQ(result.logs[0].problems.empty(), bits >= 16) << bits;
    const ValueId arg = result.graph.funcs[result.graph.forward].args[0];
    EXPECT_EQ(result.graph.values[arg].type.tensor->element,
              bits == 32 ? "!quant.uniform<i32:f32, 5.000000e-01>" : "!quant.uniform<i16:f32, 5.000000e-01>");
  }
}

TEST(Rules, ListsOfNumbersAreWrittenAsMlirHasThem) {
  EXPECT_EQ(intListAttr({1, -2, 3}).text, "[1 : i32, -2 : i32, 3 : i32]");
  EXPECT_EQ(intListAttr({7}).text, "[7 : i32]");
}

// Numbers behind a key: all their digits, up to what 63 bits hold; none where there are no digits.
TEST(Rules, NumbersInTheTextOfAnAttribute) {
  EXPECT_EQ(numberInText("batch_size = 12, input_height = 3", "input_height"), 3);
  EXPECT_EQ(numberInText("batch_size = 123456789012, input_height = 3", "batch_size"), 123456789012);
  EXPECT_EQ(numberInText("width=4>", "width"), 4);
  EXPECT_FALSE(numberInText("width = -4", "width"));
  EXPECT_FALSE(numberInText("width", "width"));
  EXPECT_FALSE(numberInText("height = 4", "width"));
}

// A load stands where the last op of its function stood in the source.
TEST(Rules, LoadsAreWhereTheirLastOpWas) {
  const Graph graph = hoistConstEval(
      graphOfText("func.func @main(%x: tensor<4x8xf32>, %w: tensor<4x8xf32> {ttcore.argument_type = "
                  "#ttcore.argument_type<parameter>}) -> tensor<4x8xf32> {\n"
                  "  %0 = \"ttnn.exp\"(%w) : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(\"first\")\n"
                  "  %1 = \"ttnn.neg\"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(\"second\")\n"
                  "  %2 = \"ttnn.add\"(%x, %1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(\"third\")\n"
                  "  return %2 : tensor<4x8xf32>\n}\n"));
  std::string places;
  for (const Op& op : graph.ops) {
    if (op.func.valid() && !op.results.empty()) places += op.name + " " + op.loc + ", ";
  }
  EXPECT_EQ(places, "ttcore.load_cached second, ttnn.add third, ttnn.exp first, ttnn.neg second, ");
}

}  // namespace
}  // namespace tessera::test
