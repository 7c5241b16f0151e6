// What passes must leave where it is: the conditions under which they do nothing.

#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

std::map<std::string, int> opsAfter(std::string_view pass, const std::string& text) {
  LoweringSetup setup;
  return countOps(passOn(pass, graphOfText(text), setup).graph);
}

// By the compiler's rules, the pass asked for alone.
std::map<std::string, int> opsAfterAlone(std::string_view pass, const std::string& text) {
  LoweringSetup setup;
  setup.options.specificationRules = false;
  setup.context.byName = true;
  return countOps(passOn(pass, graphOfText(text), setup).graph);
}

// What is written in place belongs to every run, though it reads nothing but parameters.
TEST(WhatStays, AnInPlaceOpIsNotHoisted) {
  const std::string cache = "tensor<1x8x64x32xbf16>",
                    parameter = " {ttcore.argument_type = #ttcore.argument_type<parameter>}";
  auto text = [&](const std::string& op) {
    return "func.func @main(%x: " + cache + ", %c: " + cache + parameter + ", %w: " + cache + parameter + ") -> " +
           cache + " {\n  %0 = " + op + " : (" + cache + ", " + cache + ") -> " + cache +
           "\n  %1 = \"ttnn.add\"(%x, %0) : (" + cache + ", " + cache + ") -> " + cache + "\n  return %1 : " + cache +
           "\n}\n";
  };
  const char* const kPass = "const-eval-hoist-transform";
  EXPECT_EQ(opsAfter(kPass, text("\"ttnn.multiply\"(%c, %w)"))["ttcore.load_cached"], 1);
  EXPECT_EQ(opsAfter(kPass, text("\"ttnn.fill_cache\"(%c, %w) <{batch_offset = 0 : i32}>"))["ttcore.load_cached"], 0);
  EXPECT_EQ(opsAfter(kPass, text("\"ttnn.multiply\"(%c, %x)"))["ttcore.load_cached"], 0);
}

// A reduction that does not say whether it keeps dims and did: nothing passes it.
TEST(WhatStays, ViewsAroundAReductionOfAnotherShape) {
  const std::string ends = " {dim_arg = [2 : i32, 3 : i32]} : (tensor<2x8x3x3xf32>) -> tensor<2x8x1x1xf32>\n";
  const std::string text =
      "func.func @main(%x: tensor<2x3x3x8xf32>) -> tensor<2x1x1x8xf32> {\n  %0 = \"ttir.permute\"(%x) <{permutation = "
      "array<i64: 0, 3, 1, 2>}> : (tensor<2x3x3x8xf32>) -> tensor<2x8x3x3xf32>\n  %1 = \"ttir.sum\"(%0)" +
      ends +
      "  %2 = \"ttir.permute\"(%1) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x8x1x1xf32>) -> "
      "tensor<2x1x1x8xf32>\n  return %2 : tensor<2x1x1x8xf32>\n}\n";
  EXPECT_EQ(opsAfter("ttir-erase-inverse-ops", text)["ttir.permute"], 1);
}

// Weights that are no row of one number per channel are not padded with the channels.
TEST(WhatStays, AGroupNormWithOtherWeights) {
  const auto padsOf = [](const std::string& weight) {
    return opsAfterAlone(
        "ttnn-decomposition-workarounds",
        "func.func @main(%x: tensor<1x1x64x16xbf16>, %w: " + weight + ") -> tensor<1x1x64x16xbf16> {\n" +
            "  %0 = \"ttnn.group_norm\"(%x, %w) <{epsilon = 1.0e-5 : f32, num_groups = 2 : i64, "
            "operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (tensor<1x1x64x16xbf16>, " +
            weight + ") -> tensor<1x1x64x16xbf16>\n  return %0 : tensor<1x1x64x16xbf16>\n}\n")["ttnn.pad"];
  };
  EXPECT_EQ(padsOf("tensor<16xbf16>"), 2);
  EXPECT_EQ(padsOf("tensor<1x1x1x16xbf16>"), 0);
}

// What is copied into a tensor that is there already is copied, whether or not somebody reads the copy's own result.
TEST(WhatStays, CopiesThatNobodyReads) {
  const std::string t = "tensor<64x64xbf16>";
  EXPECT_EQ(opsAfterAlone("remove-dead-values", "func.func @main(%x: " + t + ", %y: " + t + ") -> " + t +
                                                    " {\n  %0 = \"ttnn.copy\"(%x, %y) : (" + t + ", " + t + ") -> " +
                                                    t + "\n  %1 = \"ttnn.neg\"(%y) : (" + t + ") -> " + t +
                                                    "\n  return %1 : " + t + "\n}\n")["ttnn.copy"],
            1);
}

// Attention whose sink is no number for each query is not taken apart.
TEST(WhatStays, AttentionWithOtherSinks) {
  const auto left = [](const std::string& sink) {
    const std::string q = "tensor<1x8x1x64xbf16>", kv = "tensor<1x8x32x64xbf16>";
    return opsAfterAlone("ttnn-decomposition",
                         "func.func @main(%q: " + q + ", %k: " + kv + ", %s: " + sink + ") -> " + q + " {\n" +
                             "  %0 = \"ttnn.scaled_dot_product_attention\"(%q, %k, %k, %s) <{is_causal = false, "
                             "operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (" +
                             q + ", " + kv + ", " + kv + ", " + sink + ") -> " + q + "\n  return %0 : " + q +
                             "\n}\n")["ttnn.scaled_dot_product_attention"];
  };
  EXPECT_EQ(left("tensor<1x8x1x1xbf16>"), 0);
  EXPECT_EQ(left("tensor<8x32xbf16>"), 1);
  EXPECT_EQ(left("tensor<1x3x1x1xbf16>"), 1);
}

// TTIR's sink is not scaled, the library's is: a scale of 0 leaves nothing of it, whatever it was before.
TEST(WhatStays, AttentionWhoseSinkIsScaledByZero) {
  const auto left = [](const std::string& scale, bool sink) {
    const std::string q = "tensor<1x8x32x64xbf16>", s = "tensor<1x8x1x1xbf16>";
    return opsAfterAlone("convert-ttir-to-ttnn", "func.func @main(%q: " + q + ", %s: " + s + ") -> " + q + " {\n" +
                                                     "  %0 = \"ttir.scaled_dot_product_attention\"(%q, %q, %q" +
                                                     (sink ? ", %s" : "") + ") <{is_causal = false, scale = " + scale +
                                                     " : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, " +
                                                     (sink ? "1" : "0") + ">}> : (" + q + ", " + q + ", " + q +
                                                     (sink ? ", " + s : "") + ") -> " + q + "\n  return %0 : " + q +
                                                     "\n}\n")["ttir.scaled_dot_product_attention"];
  };
  EXPECT_EQ(left("0.0", true), 1);
  EXPECT_EQ(left("0.0", false), 0);
  EXPECT_EQ(left("0.5", true), 0);
}

// Low and high of height, then of width, become top, left, bottom, right.
TEST(WhatStays, PaddingsOfAPoolingWithNumberedDims) {
  const std::string to = "tensor<1x2x5x9xf32>";
  LoweringSetup setup;
  const LoweringResult result =
      passOn("ttir-to-ttir-decomposition",
             graphOfText(
                 "func.func @main(%x: tensor<1x2x6x6xf32>) -> " + to + " {\n  %e = ttir.empty() : " + to +
                 "\n  %0 = \"ttir.pooling\"(%x, %e) <{base_dilations = array<i64: 1, 1, 1, 1>, operandSegmentSizes = "
                 "array<i32: 1, 1>, padding = array<i64: 0, 0, 0, 0, 1, 2, 3, 4>, pooling_method = "
                 "#ttir<pooling_method Max>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: "
                 "1, 1, 5, 5>, window_strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x2x6x6xf32>, " +
                 to + ") -> " + to + "\n  return %0 : " + to + "\n}\n"),
             setup);
  int pools = 0;
  for (const Op& op : result.graph.ops) {
    if (op.name != "ttir.max_pool2d" || !op.func.valid()) continue;
    ++pools;
    const AttrValue* padding = findAttr(op, "padding");
    ASSERT_NE(padding, nullptr);
    EXPECT_EQ(padding->ints, (std::vector<int64_t>{1, 3, 2, 4}));
  }
  EXPECT_EQ(pools, 1);
}

// The products that a training step's vocabulary makes long are summed in 32 bits; options cannot take that away.
TEST(WhatStays, OptionsOfAProductsSumsUnlessItIsLong) {
  struct Case {
    const char* left;
    const char* right;
    bool transposed;
    const char* dtype;
    bool forced;
  };
  static constexpr Case kCases[] = {
      {"1x50000", "50000x128", false, "bf16", false}, {"1x50001", "50001x128", false, "bf16", true},
      {"50001x2", "50001x128", true, "bf16", true},   {"50001x2", "2x128", false, "bf16", false},
      {"2x50001", "2x128", true, "bf16", false},      {"1x50001", "50001x128", false, "f32", false},
  };
  for (const Case& c : kCases) {
    const bool turned = c.transposed;
    const std::string left = std::string("tensor<") + c.left + "x" + c.dtype + ">",
                      right = std::string("tensor<") + c.right + "x" + c.dtype + ">";
    const std::string rows = turned ? std::string(c.left).substr(std::string(c.left).find('x') + 1)
                                    : std::string(c.left).substr(0, std::string(c.left).find('x'));
    const std::string result = "tensor<" + rows + "x128x" + c.dtype + ">";
    LoweringSetup setup;
    setup.options.compute.fp32DestAcc = false;
    const Graph graph =
        passOn("ttnn-set-compute-kernel-config",
               graphOfText("func.func @main(%x: " + left + ", %w: " + right + ") -> " + result +
                           " {\n  %0 = \"ttnn.matmul\"(%x, %w) <{transpose_a = " + (turned ? "true" : "false") +
                           ", transpose_b = false}> : (" + left + ", " + right + ") -> " + result +
                           "\n  return %0 : " + result + "\n}\n"),
               setup)
            .graph;
    std::string config;
    for (const Op& op : graph.ops) {
      if (const AttrValue* attr = findAttr(op, "compute_config"); attr != nullptr && op.func.valid())
        config = attr->text;
    }
    EXPECT_EQ(config, c.forced ? "#ttnn.device_compute_kernel_config<fp32_dest_acc_en = true, packer_l1_acc = true>"
                               : "#ttnn.device_compute_kernel_config<fp32_dest_acc_en = false>")
        << left << " " << right << " " << turned;
  }
}

}  // namespace
}  // namespace tessera::test
