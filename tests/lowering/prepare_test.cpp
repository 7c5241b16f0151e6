// Each preparation pass on a few ops: what it makes of them, what it leaves alone, and why.

#include "core/lowering/prepare/prepare.h"
#include "core/execute/interpreter.h"
#include "core/execute/shrink_graph.h"
#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// Ops of the forward function in order, by name without dialect: "matmul add return".
std::string opsOf(const Graph& graph) {
  std::string text;
  for (OpId op : graph.funcs[graph.forward].ops) {
    const std::string& name = graph.ops[op].name;
    text += (text.empty() ? "" : " ") + name.substr(name.find('.') + 1);
  }
  return text;
}

struct Prepared {
  Graph graph;
  std::string ops;
  std::string notes;  // one per line
};

// The pass on a text; the results must be the same.
Prepared prepare(std::string_view pass, const std::string& text, double tolerance = 1e-4) {
  LoweringSetup setup;
  Graph graph = graphOfText(text);
  LoweringResult result = passOn(pass, graph, setup);
  ComparisonVerdict verdict = compareGraphs(graph, result.graph, 5, tolerance);
  EXPECT_TRUE(verdict.equal()) << verdict.text << "\n" << exportMlir(result.graph);
  std::string notes;
  for (const PassLogNote& note : result.logs[0].notes) notes += note.op + ": " + note.text + "\n";
  std::string ops = opsOf(result.graph);
  return {std::move(result.graph), std::move(ops), std::move(notes)};
}

// "  %r = "ttir.op"(%a, %b) <{...}> : (types) -> type"
std::string line(const std::string& result, const std::string& op, const std::string& operands,
                 const std::string& properties, const std::string& types) {
  return "  %" + result + " = \"ttir." + op + "\"(" + operands + ")" +
         (properties.empty() ? "" : " <{" + properties + "}>") + " : " + types + "\n";
}
std::string func(const std::string& arguments, const std::string& result, const std::string& body,
                 const std::string& returned) {
  return "func.func @main(" + arguments + ") -> " + result + " {\n" + body + "  return %" + returned + " : " + result +
         "\n}\n";
}
std::string splat(const std::string& name, const std::string& value, const std::string& type) {
  return "  %" + name + " = \"ttir.constant\"() <{value = dense<" + value + "> : " + type + "}> : () -> " + type + "\n";
}
const char* const kParameter = " {ttcore.argument_type = #ttcore.argument_type<parameter>}";

TEST(Decomposition, DotGeneralBecomesMatmul) {
  Prepared plain = prepare("ttir-to-ttir-decomposition",
                           func("%a: tensor<4x6xf32>, %b: tensor<6x5xf32>", "tensor<4x5xf32>",
                                line("r", "dot_general", "%a, %b",
                                     "batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = "
                                     "array<i64: 1>, contract_dims_rhs = array<i64: 0>",
                                     "(tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>"),
                                "r"));
  EXPECT_EQ(plain.ops, "matmul return");
  // Contracted and batch dims anywhere, two free dims on each side.
  Prepared general = prepare("ttir-to-ttir-decomposition",
                             func("%a: tensor<6x2x3x4xf32>, %b: tensor<5x4x6x7xf32>", "tensor<4x2x3x5x7xf32>",
                                  line("r", "dot_general", "%a, %b",
                                       "batch_dims_lhs = array<i64: 3>, batch_dims_rhs = array<i64: 1>, "
                                       "contract_dims_lhs = array<i64: 0>, contract_dims_rhs = array<i64: 2>",
                                       "(tensor<6x2x3x4xf32>, tensor<5x4x6x7xf32>) -> tensor<4x2x3x5x7xf32>"),
                                  "r"));
  EXPECT_EQ(general.ops, "permute permute reshape reshape matmul reshape return");
}

TEST(Canonicalize, ViewsMergeAndVanish) {
  std::string body =
      line("0", "reshape", "%a", "shape = [6 : i32, 4 : i32]", "(tensor<4x6xf32>) -> tensor<6x4xf32>") +
      line("1", "reshape", "%0", "shape = [4 : i32, 6 : i32]", "(tensor<6x4xf32>) -> tensor<4x6xf32>") +
      line("2", "permute", "%1", "permutation = array<i64: 1, 0>", "(tensor<4x6xf32>) -> tensor<6x4xf32>") +
      line("3", "permute", "%2", "permutation = array<i64: 1, 0>", "(tensor<6x4xf32>) -> tensor<4x6xf32>") +
      line("4", "relu", "%3", "", "(tensor<4x6xf32>) -> tensor<4x6xf32>");
  EXPECT_EQ(prepare("canonicalize", func("%a: tensor<4x6xf32>", "tensor<4x6xf32>", body, "4")).ops, "relu return");
}

// NHWC to NCHW, height and width joined, channels last again: nothing moved after all.
TEST(Canonicalize, PermutesAcrossAReshapeCancel) {
  std::string body =
      line("0", "permute", "%a", "permutation = array<i64: 0, 3, 1, 2>",
           "(tensor<2x3x5x4xf32>) -> tensor<2x4x3x5xf32>") +
      line("1", "reshape", "%0", "shape = [2 : i32, 4 : i32, 15 : i32]",
           "(tensor<2x4x3x5xf32>) -> tensor<2x4x15xf32>") +
      line("2", "permute", "%1", "permutation = array<i64: 0, 2, 1>", "(tensor<2x4x15xf32>) -> tensor<2x15x4xf32>");
  EXPECT_EQ(prepare("canonicalize", func("%a: tensor<2x3x5x4xf32>", "tensor<2x15x4xf32>", body, "2")).ops,
            "reshape return");
}

// A cache is read, then written: the view of it before the write must not be read again after it.
TEST(Canonicalize, ReadsOfACacheStayBeforeTheWrite) {
  std::string text =
      "func.func @main(%c: tensor<2x1x3x4xf32>, %x: tensor<1x1x2x4xf32>, %i: tensor<1xi64>) -> tensor<6x4xf32> {\n"
      "  %0 = \"ttir.reshape\"(%c) <{shape = [2 : i32, 12 : i32]}> : (tensor<2x1x3x4xf32>) -> tensor<2x12xf32>\n"
      "  \"ttir.update_cache\"(%c, %x, %i) <{batch_offset = 0 : i32}> : (tensor<2x1x3x4xf32>, tensor<1x1x2x4xf32>, "
      "tensor<1xi64>) -> ()\n"
      "  %1 = \"ttir.reshape\"(%0) <{shape = [6 : i32, 4 : i32]}> : (tensor<2x12xf32>) -> tensor<6x4xf32>\n"
      "  return %1 : tensor<6x4xf32>\n}\n";
  EXPECT_EQ(prepare("canonicalize", text).ops, "reshape update_cache reshape return");
}

TEST(BroadcastFold, OnlyWhereTheResultStaysTheSame) {
  std::string types = "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>";
  std::string broadcast =
      line("0", "broadcast", "%b", "broadcast_dimensions = array<i64: 2, 1>", "(tensor<1x3xf32>) -> tensor<2x3xf32>");
  EXPECT_EQ(prepare("ttir-implicit-broadcast-fold", func("%a: tensor<2x3xf32>, %b: tensor<1x3xf32>", "tensor<2x3xf32>",
                                                         broadcast + line("1", "add", "%a, %0", "", types), "1"))
                .ops,
            "add return");
  EXPECT_EQ(prepare("ttir-implicit-broadcast-fold", func("%b: tensor<1x3xf32>", "tensor<2x3xf32>",
                                                         broadcast + line("1", "multiply", "%0, %0", "", types), "1"))
                .ops,
            "broadcast multiply return");
}

std::string softmaxBody(const std::string& dimOfSum) {
  return line("0", "max", "%a", "dim_arg = [1 : i32], keep_dim = true", "(tensor<5x5xf32>) -> tensor<5x1xf32>") +
         line("1", "subtract", "%a, %0", "", "(tensor<5x5xf32>, tensor<5x1xf32>) -> tensor<5x5xf32>") +
         line("2", "exp", "%1", "", "(tensor<5x5xf32>) -> tensor<5x5xf32>") +
         line("3", "sum", "%2", "dim_arg = [" + dimOfSum + " : i32], keep_dim = true",
              dimOfSum == "1" ? "(tensor<5x5xf32>) -> tensor<5x1xf32>" : "(tensor<5x5xf32>) -> tensor<1x5xf32>") +
         line("4", "div", "%2, %3", "",
              std::string("(tensor<5x5xf32>, ") + (dimOfSum == "1" ? "tensor<5x1xf32>" : "tensor<1x5xf32>") +
                  ") -> tensor<5x5xf32>");
}

// The embedding stands for itself and for both views around it.
TEST(Canonicalize, AnEmbeddingTakesInTheViewsAroundIt) {
  const Prepared made = prepare(
      "canonicalize",
      func("%i: tensor<6xi32>, %t: tensor<10x8xf32>", "tensor<6x8xf32>",
           line("0", "reshape", "%i", "shape = [1 : i32, 6 : i32]", "(tensor<6xi32>) -> tensor<1x6xi32>") +
               line("1", "embedding", "%0, %t", "", "(tensor<1x6xi32>, tensor<10x8xf32>) -> tensor<1x6x8xf32>") +
               line("2", "reshape", "%1", "shape = [6 : i32, 8 : i32]", "(tensor<1x6x8xf32>) -> tensor<6x8xf32>"),
           "2"));
  EXPECT_EQ(made.ops, "embedding return");
  EXPECT_EQ(made.graph.ops[made.graph.funcs[made.graph.forward].ops[0]].origins.size(), 3u);
}

TEST(Fusing, SoftmaxAndItsNearMiss) {
  Prepared fused = prepare("ttir-fusing", func("%a: tensor<5x5xf32>", "tensor<5x5xf32>", softmaxBody("1"), "4"));
  EXPECT_EQ(fused.ops, "softmax return");
  EXPECT_EQ(fused.notes, "%4: softmax from exp(x - max) / sum (5 ops)\n");
  // The fused op stands for all five.
  EXPECT_EQ(fused.graph.ops[fused.graph.funcs[fused.graph.forward].ops[0]].origins.size(), 5u);
  Prepared other = prepare("ttir-fusing", func("%a: tensor<5x5xf32>", "tensor<5x5xf32>", softmaxBody("0"), "4"));
  // What is subtracted is not the largest x of the same dim: a softmax of the difference.
  EXPECT_EQ(other.ops, "max subtract softmax return");
  EXPECT_EQ(other.notes, "%4: softmax from exp(x) / sum (3 ops)\n");
  // The exp is read elsewhere, too.
  std::string body =
      softmaxBody("1") + line("5", "add", "%4, %2", "", "(tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>");
  Prepared apart = prepare("ttir-fusing", func("%a: tensor<5x5xf32>", "tensor<5x5xf32>", body, "5"));
  EXPECT_EQ(apart.ops, "max subtract exp sum div add return");
}

TEST(Fusing, SiluGeluAndRelu) {
  std::string type = "(tensor<4x8xf32>) -> tensor<4x8xf32>",
              pair = "(tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>";
  std::string silu = line("0", "sigmoid", "%a", "", type) + line("1", "multiply", "%a, %0", "", pair);
  EXPECT_EQ(prepare("ttir-fusing", func("%a: tensor<4x8xf32>", "tensor<4x8xf32>", silu, "1")).ops, "silu return");
  std::string gelu = splat("h", "5.000000e-01", "tensor<4x8xf32>") + splat("s", "0.707106769", "tensor<4x8xf32>") +
                     splat("one", "1.000000e+00", "tensor<4x8xf32>") + line("0", "multiply", "%a, %h", "", pair) +
                     line("1", "multiply", "%a, %s", "", pair) + line("2", "erf", "%1", "", type) +
                     line("3", "add", "%2, %one", "", pair) + line("4", "multiply", "%0, %3", "", pair);
  EXPECT_EQ(prepare("ttir-fusing", func("%a: tensor<4x8xf32>", "tensor<4x8xf32>", gelu, "4")).ops, "gelu return");
  std::string relu = splat("z", "0.000000e+00", "tensor<4x8xf32>") + line("0", "maximum", "%z, %a", "", pair);
  EXPECT_EQ(prepare("ttir-fusing", func("%a: tensor<4x8xf32>", "tensor<4x8xf32>", relu, "0")).ops, "relu return");
  std::string notZero = splat("z", "1.000000e+00", "tensor<4x8xf32>") + line("0", "maximum", "%z, %a", "", pair);
  EXPECT_EQ(prepare("ttir-fusing", func("%a: tensor<4x8xf32>", "tensor<4x8xf32>", notZero, "0")).ops,
            "constant maximum return");
}

TEST(Fusing, LinearWithActivationThroughAView) {
  std::string body =
      line("0", "matmul", "%a, %b", "transpose_a = false, transpose_b = false",
           "(tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>") +
      line("1", "reshape", "%0", "shape = [2 : i32, 2 : i32, 8 : i32]", "(tensor<4x8xf32>) -> tensor<2x2x8xf32>") +
      line("2", "add", "%1, %c", "", "(tensor<2x2x8xf32>, tensor<1x1x8xf32>) -> tensor<2x2x8xf32>") +
      line("3", "relu", "%2", "", "(tensor<2x2x8xf32>) -> tensor<2x2x8xf32>");
  std::string arguments = "%a: tensor<4x6xf32>, %b: tensor<6x8xf32>, %c: tensor<1x1x8xf32>";
  Prepared fused = prepare("ttir-fusing", func(arguments, "tensor<2x2x8xf32>", body, "3"));
  EXPECT_EQ(fused.ops, "reshape linear reshape return");
  // The product without the bias is returned, too: it must be computed anyway.
  std::string both = "func.func @main(" + arguments + ") -> (tensor<2x2x8xf32>, tensor<2x2x8xf32>) {\n" + body +
                     "  return %3, %1 : tensor<2x2x8xf32>, tensor<2x2x8xf32>\n}\n";
  Prepared left = prepare("ttir-fusing", both);
  EXPECT_EQ(left.ops, "matmul reshape add relu return");
  EXPECT_NE(left.notes.find("also read elsewhere"), std::string::npos) << left.notes;
}

std::string convAndNorm(bool secondReader) {
  std::string p = kParameter;
  std::string image = "tensor<2x3x6x6xf32>", result = "tensor<2x4x6x6xf32>";
  std::string body =
      line("0", "conv2d", "%x, %w",
           "batch_dim = 0 : i64, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64, stride = array<i32: "
           "1, 1>, padding = array<i32: 1, 1, 1, 1>, dilation = array<i32: 1, 1>, groups = 1 : i32",
           "(" + image + ", tensor<4x3x3x3xf32>) -> " + result) +
      line("1", "batch_norm_inference", "%0, %s, %o, %m, %v", "dimension = 1 : i32, epsilon = 9.99999974E-6 : f32",
           "(" + result + ", tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> " + result) +
      line("2", secondReader ? "add" : "relu", secondReader ? "%1, %0" : "%1", "",
           secondReader ? "(" + result + ", " + result + ") -> " + result : "(" + result + ") -> " + result);
  return func("%x: " + image + ", %w: tensor<4x3x3x3xf32>" + p + ", %s: tensor<4xf32>" + p + ", %o: tensor<4xf32>" + p +
                  ", %m: tensor<4xf32>" + p + ", %v: tensor<4xf32>" + p,
              result, body, "2");
}

TEST(Fusing, BatchNormFoldsIntoTheConvolution) {
  Prepared fused = prepare("ttir-fusing", convAndNorm(false));
  EXPECT_EQ(fused.ops, "full add rsqrt multiply reshape multiply multiply subtract reshape conv2d return");
  EXPECT_NE(fused.notes.find("batch norm folded into the convolution's weights and bias"), std::string::npos)
      << fused.notes;
  EXPECT_NE(fused.notes.find("relu taken into the convolution"), std::string::npos) << fused.notes;
  Prepared left = prepare("ttir-fusing", convAndNorm(true));
  EXPECT_EQ(left.ops, "conv2d batch_norm_inference add return");
  EXPECT_NE(left.notes.find("also read elsewhere"), std::string::npos) << left.notes;
}

TEST(DecomposeRest, WhatTheLibraryLacks) {
  EXPECT_EQ(prepare("ttir-decompose-rest", convAndNorm(true)).ops,
            "conv2d reshape reshape reshape reshape full add rsqrt multiply multiply subtract multiply add add return");
  std::string any =
      line("0", "reduce_or", "%a", "dim_arg = [1 : i32], keep_dim = false", "(tensor<4x5xi1>) -> tensor<4xi1>");
  EXPECT_EQ(prepare("ttir-decompose-rest", func("%a: tensor<4x5xi1>", "tensor<4xi1>", any, "0")).ops,
            "typecast max typecast return");
}

TEST(FlattenSlidingWindow, BothOrdersOfDims) {
  Prepared nchw = prepare("ttir-flatten-sliding-window", convAndNorm(true));
  EXPECT_EQ(nchw.ops, "permute reshape conv2d reshape permute batch_norm_inference add return");
  // The convolution keeps its name; what its readers see is a view.
  for (OpId id : nchw.graph.funcs[nchw.graph.forward].ops) {
    const Op& op = nchw.graph.ops[id];
    if (op.kind != OpKind::TtirConv2d) continue;
    EXPECT_EQ(nchw.graph.values[op.results[0]].name, "0");
    EXPECT_EQ(nchw.graph.values[op.results[0]].type.tensor->shape, (Shape{1, 1, 72, 4}));
  }
}

// Two convolutions with an addition between: only the outermost views stay.
TEST(EraseInverseOps, ViewsMeetTheirInverse) {
  std::string t = "tensor<2x3x4xf32>", u = "tensor<2x4x3xf32>";
  std::string body = line("0", "permute", "%a", "permutation = array<i64: 0, 2, 1>", "(" + t + ") -> " + u) +
                     line("1", "permute", "%b", "permutation = array<i64: 0, 2, 1>", "(" + t + ") -> " + u) +
                     line("2", "relu", "%0", "", "(" + u + ") -> " + u) +
                     line("3", "add", "%2, %1", "", "(" + u + ", " + u + ") -> " + u) +
                     line("4", "permute", "%3", "permutation = array<i64: 0, 2, 1>", "(" + u + ") -> " + t);
  EXPECT_EQ(prepare("ttir-erase-inverse-ops", func("%a: " + t + ", %b: " + t, t, body, "4")).ops, "relu add return");
  // Nothing to meet: the view stays where it is.
  std::string alone = line("0", "permute", "%a", "permutation = array<i64: 0, 2, 1>", "(" + t + ") -> " + u) +
                      line("1", "relu", "%0", "", "(" + u + ") -> " + u);
  EXPECT_EQ(prepare("ttir-erase-inverse-ops", func("%a: " + t, u, alone, "1")).ops, "permute relu return");
  // A sum over other dims.
  std::string sum = line("0", "permute", "%a", "permutation = array<i64: 0, 2, 1>", "(" + t + ") -> " + u) +
                    line("1", "sum", "%0", "dim_arg = [1 : i32], keep_dim = false", "(" + u + ") -> tensor<2x3xf32>");
  EXPECT_EQ(prepare("ttir-erase-inverse-ops", func("%a: " + t, "tensor<2x3xf32>", sum, "1")).ops, "sum return");
}

class RandomGraphs : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Rules, RandomGraphs, ::testing::Bool(),
                         [](const auto& rules) { return rules.param ? "specification" : "compiler"; });

// Random graphs, made small: the same after every pass, by both sets of rules.
TEST_P(RandomGraphs, KeepTheirResults) {
  LoweringSetup setup;
  setup.options.specificationRules = GetParam();
  for (uint64_t seed = 0; seed < test::seeds(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ShrunkGraph small = shrinkGraph(graphOfText(randomGraphText(seed)));
    ASSERT_TRUE(small.shrunk) << small.problem;
    Graph now = std::move(small.graph);
    for (const PassInfo* pass : everyPass()) {
      SCOPED_TRACE(std::string(pass->name));
      Graph next = pass->run(now, setup.context).after(now);
      // A softmax that need not be stable overflows step by step, as the compiler's does; the real graphs' do not.
      if (pass->name == "ttir-decompose-composites") continue;
      ComparisonVerdict verdict = compareGraphs(now, next, seed, 1e-3);
      ASSERT_TRUE(verdict.equal()) << verdict.text;
      now = std::move(next);
    }
  }
}

}  // namespace
}  // namespace tessera::test
