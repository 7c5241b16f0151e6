// Forms that the compiler finds or makes and that are easily missed: which ops are left, in which order, and, where
// nothing but the form changes, the same numbers.

#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

std::string namesOf(const Graph& graph) {
  std::string names;
  for (OpId op : graph.funcs[graph.forward].ops) {
    const std::string& name = graph.ops[op].name;
    names += (names.empty() ? "" : " ") + name.substr(name.find('.') + 1);
  }
  return names;
}

Graph afterPass(std::string_view pass, const std::string& text, bool sameNumbers = true) {
  LoweringSetup setup;
  setup.options.specificationRules = false;
  const Graph graph = graphOfText(text);
  LoweringResult result = passOn(pass, graph, setup);
  if (sameNumbers) {
    const ComparisonVerdict verdict = compareGraphs(graph, result.graph, 3, 1e-3);
    EXPECT_TRUE(verdict.equal()) << verdict.text << "\n" << exportMlir(result.graph);
  }
  return std::move(result.graph);
}

const Op* findOpNamed(const Graph& graph, std::string_view name) {
  for (OpId op : graph.funcs[graph.forward].ops) {
    if (graph.ops[op].name == name) return &graph.ops[op];
  }
  return nullptr;
}

// --- constants -------------------------------------------------------------------------------------------------------

// Each constant goes in front of all that is there, unless it stands behind one that was there before.
TEST(CompilerForms, ConstantsStandInFront) {
  const auto line = [](const std::string& name, int number) {
    return "  %" + name + " = \"ttir.constant\"() <{value = dense<" + std::to_string(number) +
           ".0> : tensor<4xf32>}> : () -> tensor<4xf32>\n";
  };
  const std::string type = " : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n",
                    head = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n",
                    tail = "  return %s : tensor<4xf32>\n}\n",
                    last = "  %r = \"ttir.multiply\"(%q, %b)" + type + "  %s = \"ttir.maximum\"(%r, %c)" + type + tail;
  const auto order = [](const Graph& graph) {
    std::string names;
    for (OpId op : graph.funcs[graph.forward].ops) {
      if (graph.ops[op].kind == OpKind::TtirConstant) names += graph.values[graph.ops[op].results[0]].name;
    }
    return names;
  };
  const std::string sum = "  %q = \"ttir.add\"(%x, %a)" + type;
  EXPECT_EQ(order(afterPass("canonicalize", head + line("a", 1) + line("b", 2) + sum + line("c", 3) + last)), "cab");
  EXPECT_EQ(order(afterPass("canonicalize", head + "  %e = ttir.empty() : tensor<4xf32>\n" + line("a", 1) +
                                                line("b", 2) + line("c", 3) + sum + last)),
            "cba");
  EXPECT_EQ(order(afterPass("canonicalize", head + line("a", 1) + line("b", 2) + line("c", 3) + sum + last)), "abc");
}

// One number that is only reshaped is a fill; behind a broadcast it is a constant.
TEST(CompilerForms, ReshapedNumbersAreFills) {
  const std::string head =
      "func.func @main() -> tensor<6x5xf32> {\n  %a = \"ttir.constant\"() <{value = dense<7.0> : "
      "tensor<";
  const std::string reshaped = head +
                               "6x1x5xf32>}> : () -> tensor<6x1x5xf32>\n  %r = \"ttir.reshape\"(%a) <{shape = [6 : "
                               "i32, 5 : i32]}> : (tensor<6x1x5xf32>) -> tensor<6x5xf32>\n  return %r : "
                               "tensor<6x5xf32>\n}\n",
                    spread = head +
                             "6x1xf32>}> : () -> tensor<6x1xf32>\n  %r = \"ttir.broadcast\"(%a) "
                             "<{broadcast_dimensions = array<i64: 1, 5>}> : (tensor<6x1xf32>) -> tensor<6x5xf32>\n  "
                             "return %r : tensor<6x5xf32>\n}\n";
  EXPECT_EQ(namesOf(afterPass("ttir-fold-constant-reshape-broadcast", reshaped)), "full return");
  EXPECT_EQ(namesOf(afterPass("ttir-fold-constant-reshape-broadcast", spread)), "constant return");
}

// A permute that is also read elsewhere is not merged into the one behind it.
TEST(CompilerForms, APermuteThatOthersReadStays) {
  const std::string text =
      "func.func @main(%x: tensor<2x3x5xf32>) -> (tensor<3x5x2xf32>, tensor<5x3x2xf32>) {\n"
      "  %p = \"ttnn.permute\"(%x) <{permutation = array<i64: 1, 2, 0>}> : (tensor<2x3x5xf32>) -> tensor<3x5x2xf32>\n"
      "  %q = \"ttnn.permute\"(%p) <{permutation = array<i64: 1, 0, 2>}> : (tensor<3x5x2xf32>) -> tensor<5x3x2xf32>\n"
      "  return %p, %q : tensor<3x5x2xf32>, tensor<5x3x2xf32>\n}\n";
  const Graph graph = afterPass("canonicalize", text, false);
  ASSERT_EQ(namesOf(graph), "permute permute return");
  const Function& func = graph.funcs[graph.forward];
  EXPECT_EQ(graph.ops[func.ops[1]].operands[0], graph.ops[func.ops[0]].results[0]);
}

// --- convolutions ----------------------------------------------------------------------------------------------------

// A bias need not be known when the model is loaded; factors of the weights must.
TEST(CompilerForms, ABiasMayBeAnInput) {
  const auto text = [](const std::string& op) {
    return "func.func @main(%x: tensor<1x4x4x8xf32>, %w: tensor<16x8x1x1xf32> {ttcore.argument_type = "
           "#ttcore.argument_type<parameter>}, %b: tensor<1x1x1x16xf32> {ttcore.argument_type = "
           "#ttcore.argument_type<input>}) -> tensor<1x4x4x16xf32> {\n  %c = \"ttir.conv2d\"(%x, %w) <{stride = "
           "array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : "
           "(tensor<1x4x4x8xf32>, tensor<16x8x1x1xf32>) -> tensor<1x4x4x16xf32>\n  %r = \"ttir." +
           op +
           "\"(%c, %b) : (tensor<1x4x4x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x4x4x16xf32>\n  return %r : "
           "tensor<1x4x4x16xf32>\n}\n";
  };
  EXPECT_EQ(namesOf(afterPass("ttir-fusing", text("add"))), "conv2d return");
  EXPECT_EQ(namesOf(afterPass("ttir-fusing", text("multiply"))), "conv2d multiply return");
}

// --- rotary embeddings -----------------------------------------------------------------------------------------------

// concat(l * c - u * s, u * c + l * s) of the halves l and u of x; `swapped` puts the sum first.
std::string splitRotary(int rows, int rowsOfNumbers, bool swapped) {
  const std::string r = std::to_string(rows), whole = "tensor<2x3x" + r + "x8xf32>",
                    half = "tensor<2x3x" + r + "x4xf32>",
                    numbers = "tensor<1x1x" + std::to_string(rowsOfNumbers) + "x4xf32>";
  const auto slice = [&](const std::string& name, const std::string& from, const std::string& to) {
    return "  %" + name + " = \"ttir.slice_static\"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, " + from +
           " : i32], ends = [2 : i32, 3 : i32, " + r + " : i32, " + to +
           " : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (" + whole + ") -> " + half + "\n";
  };
  const auto binary = [&](const std::string& name, const std::string& op, const std::string& a, const std::string& b) {
    const std::string right = b == "c" || b == "s" ? numbers : half;
    return "  %" + name + " = \"ttir." + op + "\"(%" + a + ", %" + b + ") : (" + half + ", " + right + ") -> " + half +
           "\n";
  };
  return "func.func @main(%x: " + whole + ", %c: " + numbers + ", %s: " + numbers + ") -> " + whole + " {\n" +
         slice("l", "0", "4") + slice("u", "4", "8") + binary("lc", "multiply", "l", "c") +
         binary("us", "multiply", "u", "s") + binary("d", "subtract", "lc", "us") + binary("uc", "multiply", "u", "c") +
         binary("ls", "multiply", "l", "s") + binary("a", "add", "ls", "uc") + "  %r = \"ttir.concat\"(%" +
         (swapped ? "a, %d" : "d, %a") + ") <{dim = 3 : si32}> : (" + half + ", " + half + ") -> " + whole +
         "\n  return %r : " + whole + "\n}\n";
}

TEST(CompilerForms, BothHalvesOfARotaryEmbedding) {
  EXPECT_EQ(namesOf(afterPass("ttir-fusing", splitRotary(1, 1, false))), "concat concat rotary_embedding return");
  EXPECT_EQ(namesOf(afterPass("ttir-fusing", splitRotary(6, 6, false))), "concat concat rotary_embedding return");
}

// The kernel reads a row of numbers for every row of x; the halves in the other order are no rotation.
TEST(CompilerForms, WhatIsNoRotaryEmbedding) {
  EXPECT_EQ(namesOf(afterPass("ttir-fusing", splitRotary(6, 1, false))).find("rotary"), std::string::npos);
  EXPECT_EQ(namesOf(afterPass("ttir-fusing", splitRotary(1, 1, true))).find("rotary"), std::string::npos);
}

// --- attention -------------------------------------------------------------------------------------------------------

struct AttentionText {
  std::string mask;    // added to the scores: its shape
  std::string guard;   // "or", "and": rows without a key become 0
  bool sink = false;   // a column beside the scores
  bool ranked = true;  // four dims, else three
};

std::string attention(const AttentionText& t) {
  const std::string b = t.ranked ? "1x2x" : "2x", q = "tensor<" + b + "6x8xf32>", kt = "tensor<" + b + "8x6xf32>",
                    s = "tensor<" + b + "6x6xf32>", wide = "tensor<" + b + "6x7xf32>", column = "tensor<1x2x6x1xf32>",
                    zero = t.ranked ? "[0 : i32, 0 : i32, 0 : i32, 0 : i32]" : "";
  std::string arguments = "%q: " + q + ", %k: " + kt + ", %v: " + q, body, scores = "p";
  const auto add = [&](const std::string& line) { body += "  " + line + "\n"; };
  add("%p = \"ttir.matmul\"(%q, %k) <{transpose_a = false, transpose_b = false}> : (" + q + ", " + kt + ") -> " + s);
  if (!t.mask.empty()) {
    arguments += ", %m: tensor<" + t.mask + "xf32>";
    add("%pm = \"ttir.add\"(%p, %m) : (" + s + ", tensor<" + t.mask + "xf32>) -> " + s);
    scores = "pm";
  }
  std::string weights = "w";
  if (t.sink) {
    arguments += ", %sink: tensor<1x2x1x1xf32>";
    add("%sb = \"ttir.broadcast\"(%sink) <{broadcast_dimensions = array<i64: 1, 1, 6, 1>}> : (tensor<1x2x1x1xf32>) "
        "-> " +
        column);
    add("%pw = \"ttir.concat\"(%" + scores + ", %sb) <{dim = 3 : si32}> : (" + s + ", " + column + ") -> " + wide);
    add("%ww = \"ttir.softmax\"(%pw) <{dimension = 3 : si32}> : (" + wide + ") -> " + wide);
    add("%w = \"ttir.slice_static\"(%ww) <{begins = " + zero +
        ", ends = [1 : i32, 2 : i32, 6 : i32, 6 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (" + wide +
        ") -> " + s);
  } else {
    add("%w = \"ttir.softmax\"(%" + scores + ") <{dimension = " + (t.ranked ? "3" : "2") + " : si32}> : (" + s +
        ") -> " + s);
  }
  if (!t.guard.empty()) {
    add("%none = \"ttir.full\"() <{shape = array<i32: 1, 2, 6, 6>, fill_value = 0xFF800000 : f32}> : () -> " + s);
    add("%zero = \"ttir.zeros\"() <{shape = array<i32: 1, 2, 6, 6>}> : () -> " + s);
    add("%eq = \"ttir.eq\"(%" + scores + ", %none) : (" + s + ", " + s + ") -> " + s);
    std::string all = "all";
    if (t.guard == "and") {
      add("%all = \"ttir.reduce_and\"(%eq) <{dim_arg = [3 : i32], keep_dim = true}> : (" + s + ") -> " + column);
    } else {
      add("%some = \"ttir.logical_not\"(%eq) : (" + s + ") -> " + s);
      add("%any = \"ttir.reduce_or\"(%some) <{dim_arg = [3 : i32], keep_dim = true}> : (" + s + ") -> " + column);
      add("%all = \"ttir.logical_not\"(%any) : (" + column + ") -> " + column);
    }
    add("%safe = \"ttir.where\"(%all, %zero, %w) : (" + column + ", " + s + ", " + s + ") -> " + s);
    weights = "safe";
  }
  add("%r = \"ttir.matmul\"(%" + weights + ", %v) <{transpose_a = false, transpose_b = false}> : (" + s + ", " + q +
      ") -> " + q);
  return "func.func @main(" + arguments + ") -> " + q + " {\n" + body + "  return %r : " + q + "\n}\n";
}

std::vector<int64_t> segmentsAfterFusing(const AttentionText& t) {
  const Graph graph = afterPass("ttir-fusing", attention(t));
  const Op* made = findOpNamed(graph, "ttir.scaled_dot_product_attention");
  const AttrValue* segments = made != nullptr ? findAttr(*made, "operandSegmentSizes") : nullptr;
  return segments != nullptr ? segments->ints : std::vector<int64_t>{};
}

// A mask that is added to the product itself looks like a bias.
TEST(CompilerForms, AMaskBesideTheProductIsNoBias) {
  EXPECT_EQ(segmentsAfterFusing({"1x1x6x6", "", false, true}), (std::vector<int64_t>{1, 1, 1, 1, 0}));
  EXPECT_EQ(segmentsAfterFusing({"", "", false, true}), (std::vector<int64_t>{1, 1, 1, 0, 0}));
}

TEST(CompilerForms, TheGuardForRowsWithoutAKeyIsTheKernels) {
  for (const char* guard : {"or", "and"})
    EXPECT_EQ(segmentsAfterFusing({"1x1x6x6", guard, false, true}), (std::vector<int64_t>{1, 1, 1, 1, 0})) << guard;
}

TEST(CompilerForms, AColumnBesideTheScoresIsASink) {
  EXPECT_EQ(segmentsAfterFusing({"1x1x6x6", "", true, true}), (std::vector<int64_t>{1, 1, 1, 1, 1}));
  EXPECT_EQ(segmentsAfterFusing({"", "", true, true}), (std::vector<int64_t>{1, 1, 1, 0, 1}));
}

TEST(CompilerForms, AttentionOfThreeDimsStaysSpelledOut) {
  EXPECT_TRUE(segmentsAfterFusing({"", "", false, false}).empty());
}

// --- to TTNN ---------------------------------------------------------------------------------------------------------

// The tensor that is written into stands between the operands; what is read behind it keeps its role.
TEST(CompilerForms, AnOutputAmongTheOperandsIsLeftOut) {
  const std::string q = "tensor<1x2x4x32xf32>", cache = "tensor<8x4x32x32xf32>", pages = "tensor<2x4xi32>",
                    at = "tensor<2xi32>";
  const Graph graph = afterPass(
      "convert-ttir-to-ttnn",
      "func.func @main(%q: " + q + ", %k: " + cache + ", %v: " + cache + ", %p: " + pages + ", %at: " + at + ") -> " +
          q + " {\n  %out = ttir.empty() : " + q +
          "\n  %r = \"ttir.paged_scaled_dot_product_attention_decode\"(%q, %k, %v, %p, %out, %at) <{is_causal = true, "
          "operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 0>}> : (" +
          q + ", " + cache + ", " + cache + ", " + pages + ", " + q + ", " + at + ") -> " + q + "\n  return %r : " + q +
          "\n}\n",
      false);
  const Op* made = findOpNamed(graph, "ttnn.paged_scaled_dot_product_attention_decode");
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->operands.size(), 5u);
  EXPECT_EQ(findAttr(*made, "operandSegmentSizes")->ints, (std::vector<int64_t>{1, 1, 1, 1, 0, 1, 0}));
}

// What the kernels read: rows of bf16 in front of an upsampling, bf16 around the gradient of a table.
TEST(CompilerForms, KernelsThatReadBf16) {
  LoweringSetup setup;
  setup.options.specificationRules = false;
  const auto lowered = [&](const std::string& text) { return lower(graphOfText(text), setup.context).graph; };
  const Graph up = lowered(
      "func.func @main(%x: tensor<1x8x8x32xf32>) -> tensor<1x16x16x32xf32> {\n  %r = \"ttir.upsample2d\"(%x) "
      "<{scale_factor = 2 : si32}> : (tensor<1x8x8x32xf32>) -> tensor<1x16x16x32xf32>\n  return %r : "
      "tensor<1x16x16x32xf32>\n}\n");
  const Op* wide = findOpNamed(up, "ttnn.upsample2d");
  ASSERT_NE(wide, nullptr) << exportMlir(up);
  for (ValueId value : {wide->operands[0], wide->results[0]}) {
    EXPECT_EQ(up.values[value].type.tensor->layout->page, PageLayout::RowMajor);
    EXPECT_EQ(up.values[value].type.tensor->layout->dtype, DType::BF16);
  }
  const Graph back = lowered(
      "func.func @main(%i: tensor<1x32xui32>, %t: tensor<64x96xf32>, %g: tensor<1x32x96xf32>) -> tensor<64x96xf32> {\n "
      " "
      "%r = \"ttir.embedding_backward\"(%i, %t, %g) : (tensor<1x32xui32>, tensor<64x96xf32>, tensor<1x32x96xf32>) -> "
      "tensor<64x96xf32>\n  return %r : tensor<64x96xf32>\n}\n");
  const Op* gradient = findOpNamed(back, "ttnn.embedding_backward");
  ASSERT_NE(gradient, nullptr) << exportMlir(back);
  for (ValueId value : {gradient->operands[1], gradient->operands[2], gradient->results[0]})
    EXPECT_EQ(back.values[value].type.tensor->layout->dtype, DType::BF16);
}

// --- rows ------------------------------------------------------------------------------------------------------------

// A conversion of types reads rows and writes rows; what the chips send each other is in tiles.
TEST(CompilerForms, RowsPassAConversionButNoExchange) {
  const auto layout = [](const std::string& name, const std::string& memref) {
    return "#" + name + " = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<" + memref +
           ", #ttnn.buffer_type<dram>>, <interleaved>>\n";
  };
  const std::string layouts = layout("rows", "32x64xsi32") + layout("si", "1x2x!ttcore.tile<32x32, si32>") +
                              layout("ui", "1x2x!ttcore.tile<32x32, u32>") +
                              layout("wide", "1x4x!ttcore.tile<32x32, u32>") + layout("urows", "32x64xui32");
  const std::string head = layouts +
                           "func.func @main(%x: tensor<32x64xsi32, #rows> {ttcore.argument_type = "
                           "#ttcore.argument_type<input>}) -> ",
                    cast =
                        "  %t = \"ttnn.to_tensor_spec\"(%x) : (tensor<32x64xsi32, #rows>) -> tensor<32x64xsi32, "
                        "#si>\n  %c = \"ttnn.typecast\"(%t) : (tensor<32x64xsi32, #si>) -> tensor<32x64xui32, "
                        "#ui>\n";
  EXPECT_EQ(namesOf(afterPass("ttnn-rm-layout-propagation",
                              head + "tensor<32x128xui32, #wide> {\n" + cast +
                                  "  %r = \"ttnn.all_gather\"(%c) <{all_gather_dim = 1 : si32, cluster_axis = 1 : "
                                  "ui32}> : (tensor<32x64xui32, #ui>) -> tensor<32x128xui32, #wide>\n  return %r : "
                                  "tensor<32x128xui32, #wide>\n}\n",
                              false)),
            "typecast to_tensor_spec all_gather return");
  // Who asks for rows has them.
  EXPECT_EQ(namesOf(afterPass("ttnn-rm-layout-propagation",
                              head + "tensor<32x64xui32, #urows> {\n" + cast +
                                  "  %r = \"ttnn.to_tensor_spec\"(%c) : (tensor<32x64xui32, #ui>) -> "
                                  "tensor<32x64xui32, #urows>\n  return %r : tensor<32x64xui32, #urows>\n}\n",
                              false)),
            "typecast return");
}

}  // namespace
}  // namespace tessera::test
