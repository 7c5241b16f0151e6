// The interpreter against numbers worked out by hand, and against properties that any right answer has.

#include "core/execute/interpreter.h"

#include <cmath>

#include "tests/compare_graphs.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

Graph graphOf(const std::string& text) {
  Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  return imported.graph ? *imported.graph : Graph();
}

HostTensor reals(Shape shape, std::vector<float> values) {
  HostTensor t;
  t.shape = std::move(shape);
  t.f = std::move(values);
  return t;
}
HostTensor integers(Shape shape, std::vector<int64_t> values) {
  HostTensor t;
  t.shape = std::move(shape);
  t.real = false;
  t.i = std::move(values);
  return t;
}

// An op that no kernel executes.
constexpr std::string_view kWithoutKernel =
    R"mlir(func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %r = "ttir.rand"() <{dtype = f32, high = 1.0 : f32, low = 0.0 : f32, seed = 0 : ui32, size = [8 : i32]}>
      : () -> tensor<8xf32>
  return %r : tensor<8xf32>
}
)mlir";

// The only result of a function on those inputs.
HostTensor resultOf(const std::string& text, const std::vector<HostTensor>& inputs) {
  Execution run = execute(graphOf(text), inputs);
  EXPECT_EQ(run.status, ExecutionStatus::Done) << run.text;
  return run.results.empty() ? HostTensor() : run.results[0];
}

// One op on arguments %0 ..: "(tensor<..>) -> tensor<..>".
std::string oneOp(const std::string& op, const std::string& properties, const std::vector<std::string>& types,
                  const std::string& result) {
  std::string arguments, names, list;
  for (size_t i = 0; i < types.size(); ++i) {
    std::string name = "%arg" + std::to_string(i);
    arguments += (i > 0 ? ", " : "") + name + ": " + types[i];
    names += (i > 0 ? ", " : "") + name;
    list += (i > 0 ? ", " : "") + types[i];
  }
  return "func.func @main(" + arguments + ") -> " + result + " {\n  %r = \"" + op + "\"(" + names + ")" +
         (properties.empty() ? "" : " <{" + properties + "}>") + " : (" + list + ") -> " + result +
         "\n  return %r : " + result + "\n}\n";
}

void expectNear(const HostTensor& t, const std::vector<float>& expected, float tolerance = 1e-5f) {
  ASSERT_EQ(t.f.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(t.f[i], expected[i], tolerance) << "element " << i;
}

TEST(Interpreter, ElementwiseBroadcasts) {
  expectNear(resultOf(oneOp("ttir.add", "", {"tensor<2x3xf32>", "tensor<3xf32>"}, "tensor<2x3xf32>"),
                      {reals({2, 3}, {1, 2, 3, 4, 5, 6}), reals({3}, {10, 20, 30})}),
             {11, 22, 33, 14, 25, 36});
  expectNear(resultOf(oneOp("ttnn.subtract", "", {"tensor<2x1xf32>", "tensor<1x2xf32>"}, "tensor<2x2xf32>"),
                      {reals({2, 1}, {5, 7}), reals({1, 2}, {1, 2})}),
             {4, 3, 6, 5});
  HostTensor less = resultOf(oneOp("ttir.lt", "", {"tensor<3xi64>", "tensor<3xi64>"}, "tensor<3xi1>"),
                             {integers({3}, {1, 5, -2}), integers({3}, {2, 5, -3})});
  EXPECT_EQ(less.i, (std::vector<int64_t>{1, 0, 0}));
  HostTensor wrapped = resultOf(oneOp("ttir.add", "", {"tensor<1xsi32>", "tensor<1xsi32>"}, "tensor<1xsi32>"),
                                {integers({1}, {2147483647}), integers({1}, {1})});
  EXPECT_EQ(wrapped.i, std::vector<int64_t>{-2147483648});
}

TEST(Interpreter, RunningReductionsKeepTheShape) {
  auto running = [](const std::string& op) {
    return resultOf(oneOp(op, "dim = 0 : i64", {"tensor<4x1xf32>"}, "tensor<4x1xf32>"), {reals({4, 1}, {1, 2, 3, 4})});
  };
  expectNear(running("ttir.cumsum"), {1, 3, 6, 10});
  expectNear(running("ttir.cumprod"), {1, 2, 6, 24});
}

TEST(Interpreter, MatmulByHandAndByIdentity) {
  HostTensor a = reals({2, 3}, {1, 2, 3, 4, 5, 6}), b = reals({3, 2}, {7, 8, 9, 10, 11, 12});
  const std::string types = "transpose_a = false, transpose_b = false";
  expectNear(resultOf(oneOp("ttir.matmul", types, {"tensor<2x3xf32>", "tensor<3x2xf32>"}, "tensor<2x2xf32>"), {a, b}),
             {58, 64, 139, 154});
  expectNear(resultOf(oneOp("ttir.matmul", "transpose_a = false, transpose_b = true",
                            {"tensor<2x3xf32>", "tensor<2x3xf32>"}, "tensor<2x2xf32>"),
                      {a, a}),
             {14, 32, 32, 77});
  HostTensor one = reals({3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  expectNear(resultOf(oneOp("ttir.matmul", types, {"tensor<2x3xf32>", "tensor<3x3xf32>"}, "tensor<2x3xf32>"), {a, one}),
             a.f);
  expectNear(resultOf(oneOp("ttnn.linear", types + ", activation = \"relu\"",
                            {"tensor<2x3xf32>", "tensor<3x2xf32>", "tensor<2xf32>"}, "tensor<2x2xf32>"),
                      {a, b, reals({2}, {-60, 1})}),
             {0, 65, 79, 155});
}

TEST(Interpreter, SoftmaxSumsToOneAndLayerNormIsCentered) {
  Graph graph = graphOf(oneOp("ttir.softmax", "dimension = 1 : si32", {"tensor<4x5x6xf32>"}, "tensor<4x5x6xf32>"));
  Execution run = execute(graph, randomInputs(graph, 3));
  ASSERT_EQ(run.status, ExecutionStatus::Done) << run.text;
  for (size_t row = 0; row < 4; ++row) {
    for (size_t column = 0; column < 6; ++column) {
      float sum = 0;
      for (size_t k = 0; k < 5; ++k) sum += run.results[0].f[row * 30 + k * 6 + column];
      EXPECT_NEAR(sum, 1.0f, 1e-5f);
    }
  }
  HostTensor normed =
      resultOf(oneOp("ttir.layer_norm",
                     "epsilon = 0.0 : f32, normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 0>",
                     {"tensor<1x4xf32>"}, "tensor<1x4xf32>"),
               {reals({1, 4}, {1, 2, 3, 4})});
  expectNear(normed, {-1.3416407f, -0.4472136f, 0.4472136f, 1.3416407f});
  expectNear(
      resultOf(oneOp("ttir.rms_norm",
                     "epsilon = 0.0 : f32, normalized_shape = array<i64: 2>, operandSegmentSizes = array<i32: 1, 1, 0>",
                     {"tensor<1x2xf32>", "tensor<2xf32>"}, "tensor<1x2xf32>"),
               {reals({1, 2}, {3, 4}), reals({2}, {1, 2})}),
      {0.8485281f, 2.2627417f});
}

// As the op says: exp of what it is given, or of its distance to the largest.
TEST(Interpreter, SoftmaxOverflowsUnlessItIsStable) {
  const HostTensor x = reals({1, 2}, {100, 0});
  const auto of = [&](const char* attrs) {
    return resultOf(oneOp("ttir.softmax", attrs, {"tensor<1x2xf32>"}, "tensor<1x2xf32>"), {x});
  };
  EXPECT_TRUE(std::isnan(of("dimension = 1 : si32").f[0]));
  EXPECT_TRUE(std::isnan(of("dimension = 1 : si32, numericStable = false").f[0]));
  expectNear(of("dimension = 1 : si32, numericStable = true"), {1, 0});
}

TEST(Interpreter, MovesByHand) {
  HostTensor x = reals({2, 3}, {1, 2, 3, 4, 5, 6});
  expectNear(
      resultOf(oneOp("ttir.permute", "permutation = array<i64: 1, 0>", {"tensor<2x3xf32>"}, "tensor<3x2xf32>"), {x}),
      {1, 4, 2, 5, 3, 6});
  expectNear(resultOf(oneOp("ttir.slice_static",
                            "begins = [0 : i32, 1 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, 1 : i32]",
                            {"tensor<2x3xf32>"}, "tensor<2x2xf32>"),
                      {x}),
             {2, 3, 5, 6});
  expectNear(
      resultOf(oneOp("ttir.concat", "dim = -1 : si32", {"tensor<2x1xf32>", "tensor<2x2xf32>"}, "tensor<2x3xf32>"),
               {reals({2, 1}, {1, 4}), reals({2, 2}, {2, 3, 5, 6})}),
      x.f);
  expectNear(resultOf(oneOp("ttir.broadcast", "broadcast_dimensions = array<i64: 2, 1>", {"tensor<1x2xf32>"},
                            "tensor<2x2xf32>"),
                      {reals({1, 2}, {1, 2})}),
             {1, 2, 1, 2});
  expectNear(resultOf(oneOp("ttir.pad", "padding = array<i32: 0, 1, 1, 0>, value = 9.0 : f32", {"tensor<1x2xf32>"},
                            "tensor<2x3xf32>"),
                      {reals({1, 2}, {1, 2})}),
             {9, 1, 2, 9, 9, 9});
  expectNear(resultOf(oneOp("ttir.embedding", "", {"tensor<2xui32>", "tensor<3x2xf32>"}, "tensor<2x2xf32>"),
                      {integers({2}, {2, 0}), reals({3, 2}, {1, 2, 3, 4, 5, 6})}),
             {5, 6, 1, 2});
}

// The sum of a 2x2 window at every place of a 3x3 image; the same in both orders of dims and flattened.
TEST(Interpreter, ConvolutionByHandInEveryForm) {
  HostTensor image = reals({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), weight = reals({1, 1, 2, 2}, {1, 1, 1, 1});
  std::vector<float> sums = {12, 16, 24, 28};
  const std::string window =
      "stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32";
  expectNear(
      resultOf(oneOp("ttir.conv2d",
                     window + ", batch_dim = 0 : i64, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64",
                     {"tensor<1x1x3x3xf32>", "tensor<1x1x2x2xf32>"}, "tensor<1x1x2x2xf32>"),
               {image, weight}),
      sums);
  image.shape = {1, 3, 3, 1};
  expectNear(
      resultOf(oneOp("ttir.conv2d", window, {"tensor<1x3x3x1xf32>", "tensor<1x1x2x2xf32>"}, "tensor<1x2x2x1xf32>"),
               {image, weight}),
      sums);
  image.shape = {1, 1, 9, 1};
  expectNear(resultOf(oneOp("ttnn.conv2d",
                            window + ", batch_size = 1 : i32, input_height = 3 : i32, input_width = 3 : i32, "
                                     "in_channels = 1 : i32, out_channels = 1 : i32, kernel_size = array<i32: 2, 2>",
                            {"tensor<1x1x9x1xf32>", "tensor<1x1x2x2xf32>"}, "tensor<1x1x4x1xf32>"),
                      {image, weight}),
             sums);
}

// A convolution is a product of its windows, laid out as rows, with its filters as columns.
TEST(Interpreter, ConvolutionEqualsItsMatrixProduct) {
  Graph graph = graphOf(oneOp(
      "ttir.conv2d",
      "stride = array<i32: 2, 1>, padding = array<i32: 1, 1, 1, 1>, dilation = array<i32: 1, 1>, groups = 1 : i32",
      {"tensor<2x5x6x3xf32>", "tensor<4x3x3x3xf32>", "tensor<1x1x1x4xf32>"}, "tensor<2x3x6x4xf32>"));
  std::vector<HostTensor> inputs = randomInputs(graph, 11);
  Execution run = execute(graph, inputs);
  ASSERT_EQ(run.status, ExecutionStatus::Done) << run.text;
  auto pixel = [&](int b, int h, int w, int c) {
    return h < 0 || h >= 5 || w < 0 || w >= 6 ? 0.0f : inputs[0].f[static_cast<size_t>(((b * 5 + h) * 6 + w) * 3 + c)];
  };
  size_t at = 0;
  for (int b = 0; b < 2; ++b)
    for (int oh = 0; oh < 3; ++oh)
      for (int ow = 0; ow < 6; ++ow) {
        std::vector<float> row;  // channel, kernel row, kernel column, as the filters have it
        for (int c = 0; c < 3; ++c)
          for (int kh = 0; kh < 3; ++kh)
            for (int kw = 0; kw < 3; ++kw) row.push_back(pixel(b, oh * 2 - 1 + kh, ow - 1 + kw, c));
        for (size_t o = 0; o < 4; ++o) {
          float sum = inputs[2].f[o];
          for (size_t k = 0; k < row.size(); ++k) sum += row[k] * inputs[1].f[o * 27 + k];
          EXPECT_NEAR(run.results[0].f[at++], sum, 1e-4f);
        }
      }
}

TEST(Interpreter, PoolAndBatchNormByHand) {
  expectNear(resultOf(oneOp("ttir.max_pool2d",
                            "kernel = array<i32: 2, 2>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, "
                            "dilation = array<i32: 1, 1>, ceil_mode = false",
                            {"tensor<1x2x3x1xf32>"}, "tensor<1x1x2x1xf32>"),
                      {reals({1, 2, 3, 1}, {1, 5, 2, 7, 0, 3})}),
             {7, 5});
  expectNear(
      resultOf(oneOp("ttir.batch_norm_inference", "dimension = 1 : i32, epsilon = 0.0 : f32",
                     {"tensor<1x2xf32>", "tensor<2xf32>", "tensor<2xf32>", "tensor<2xf32>", "tensor<2xf32>"},
                     "tensor<1x2xf32>"),
               {reals({1, 2}, {5, 9}), reals({2}, {2, 3}), reals({2}, {1, 1}), reals({2}, {3, 3}), reals({2}, {4, 9})}),
      {3, 7});
}

TEST(Interpreter, RotaryEmbeddingAndAttentionByHand) {
  const std::string row = "tensor<1x1x1x4xf32>";
  HostTensor ones = reals({1, 1, 1, 4}, {1, 1, 1, 1});
  expectNear(resultOf(oneOp("ttir.rotary_embedding", "", {row, row, row}, row),
                      {reals({1, 1, 1, 4}, {1, 2, 3, 4}), ones, ones}),
             {-2, -2, 4, 6});
  // Equal scores: the mean of the values; a mask of minus infinity leaves the other.
  const std::string properties =
      "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.0 : f32";
  const std::vector<std::string> types = {"tensor<1x2x1x2xf32>", "tensor<1x1x2x2xf32>", "tensor<1x1x2x2xf32>",
                                          "tensor<1x1x1x2xf32>"};
  HostTensor q = reals({1, 2, 1, 2}, {0, 0, 0, 0}), k = reals({1, 1, 2, 2}, {1, 2, 3, 4}),
             v = reals({1, 1, 2, 2}, {10, 20, 30, 40});
  std::string text = oneOp("ttir.scaled_dot_product_attention", properties, types, "tensor<1x2x1x2xf32>");
  expectNear(resultOf(text, {q, k, v, reals({1, 1, 1, 2}, {0, 0})}), {20, 30, 20, 30});
  expectNear(resultOf(text, {q, k, v, reals({1, 1, 1, 2}, {-INFINITY, 0})}), {30, 40, 30, 40});
}

TEST(Interpreter, CachesAreWrittenInPlace) {
  Graph graph = graphOf(
      "func.func @main(%cache: tensor<2x1x3x1xf32>, %x: tensor<1x1x2x1xf32>, %i: tensor<1xi64>) -> tensor<2x1x3x1xf32> "
      "{\n"
      "  \"ttir.update_cache\"(%cache, %x, %i) <{batch_offset = 0 : i32}> : (tensor<2x1x3x1xf32>, tensor<1x1x2x1xf32>, "
      "tensor<1xi64>) -> ()\n"
      "  return %cache : tensor<2x1x3x1xf32>\n}\n");
  Execution run =
      execute(graph, {reals({2, 1, 3, 1}, {1, 2, 3, 4, 5, 6}), reals({1, 1, 2, 1}, {8, 9}), integers({1}, {1})});
  ASSERT_EQ(run.status, ExecutionStatus::Done) << run.text;
  expectNear(run.results[0], {1, 8, 3, 4, 9, 6});
  expectNear(run.arguments[0], {1, 8, 3, 4, 9, 6});
}

TEST(Interpreter, ConstantsInEverySpelling) {
  auto constant = [&](const std::string& value, const std::string& type) {
    return resultOf("func.func @main() -> " + type + " {\n  %r = \"ttir.constant\"() <{value = " + value + " : " +
                        type + "}> : () -> " + type + "\n  return %r : " + type + "\n}\n",
                    {});
  };
  expectNear(constant("dense<1.5>", "tensor<2xf32>"), {1.5f, 1.5f});
  expectNear(constant("dense<[1.0, -2.0]>", "tensor<2xbf16>"), {1, -2});
  expectNear(constant("dense<0x3FC0>", "tensor<1xbf16>"), {1.5f});
  EXPECT_EQ(constant("dense<0xFF80>", "tensor<1xbf16>").f[0], -INFINITY);
  EXPECT_EQ(constant("dense<0xFF800000>", "tensor<1xf32>").f[0], -INFINITY);
  EXPECT_EQ(constant("dense<\"0x01000000000000000200000000000000\">", "tensor<2xi64>").i, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(constant("dense<[[true], [false]]>", "tensor<2x1xi1>").i, (std::vector<int64_t>{1, 0}));
}

TEST(Interpreter, RefusesWhatItCannotDo) {
  auto refused = [&](const std::string& text, ExecutionStatus status, const std::string& part,
                     const ExecutionBudget& budget = {}) {
    Graph graph = graphOf(text);
    Execution run = execute(graph, randomInputs(graph, 1), budget);
    EXPECT_EQ(run.status, status);
    EXPECT_NE(run.text.find(part), std::string::npos) << run.text;
  };
  refused(std::string(kWithoutKernel), ExecutionStatus::NotExecutable, "no kernel for ttir.rand");
  refused(oneOp("mystery.op", "", {"tensor<4xf32>"}, "tensor<4xf32>"), ExecutionStatus::NotExecutable, "mystery.op");
  refused(oneOp("ttir.matmul", "", {"tensor<1024x1024xf32>", "tensor<1024x1024xf32>"}, "tensor<1024x1024xf32>"),
          ExecutionStatus::OverBudget, "multiplications", {int64_t{1} << 30, 1000});
  refused(oneOp("ttir.relu", "", {"tensor<1024xf32>"}, "tensor<1024xf32>"), ExecutionStatus::OverBudget, "bytes",
          {5000, 1 << 20});
  refused(oneOp("ttir.relu", "", {"tensor<3000000000x3000000000xf32>"}, "tensor<3000000000x3000000000xf32>"),
          ExecutionStatus::NotExecutable, "argument");
  refused(
      "func.func @main() -> tensor<1048576x1048576xf32> {\n  %r = \"ttir.zeros\"() <{shape = array<i32: 1048576, "
      "1048576>}> : () -> tensor<1048576x1048576xf32>\n  return %r : tensor<1048576x1048576xf32>\n}\n",
      ExecutionStatus::OverBudget, "");
  refused(
      "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %r = func.call @main(%a) : (tensor<4xf32>) -> "
      "tensor<4xf32>\n  return %r : tensor<4xf32>\n}\n",
      ExecutionStatus::NotExecutable, "");
}

TEST(Interpreter, ReadingWhatWasFreedIsAMistake) {
  Graph graph = graphOf(
      "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = \"ttnn.relu\"(%a) : (tensor<4xf32>) -> "
      "tensor<4xf32>\n"
      "  \"ttnn.deallocate\"(%0) <{force = false}> : (tensor<4xf32>) -> ()\n  %1 = \"ttnn.relu\"(%0) : (tensor<4xf32>) "
      "-> tensor<4xf32>\n  return %1 : tensor<4xf32>\n}\n");
  Execution run = execute(graph, randomInputs(graph, 1));
  EXPECT_EQ(run.status, ExecutionStatus::NotExecutable);
  EXPECT_NE(run.text.find("after it was deallocated"), std::string::npos) << run.text;
}

TEST(CompareGraphs, SaysWhatDiffersAndByHowMuch) {
  std::string one = oneOp("ttir.relu", "", {"tensor<8xf32>"}, "tensor<8xf32>"),
              other = oneOp("ttir.gelu", "", {"tensor<8xf32>"}, "tensor<8xf32>");
  EXPECT_TRUE(compareGraphs(graphOf(one), graphOf(one), 1, 0).equal());
  ComparisonVerdict verdict = compareGraphs(graphOf(one), graphOf(other), 1, 1e-3);
  EXPECT_EQ(verdict.comparison, Comparison::Different);
  EXPECT_EQ(verdict.result, 0);
  EXPECT_GT(verdict.maxAbs, 0.05);
  EXPECT_NE(verdict.text.find("result 0 differs"), std::string::npos) << verdict.text;
  EXPECT_EQ(compareGraphs(graphOf(one), graphOf(std::string(kWithoutKernel)), 1, 1e-3).comparison,
            Comparison::NotExecutable);
}

// Inputs with which numbers overflow would hide what a pass does.
TEST(CompareGraphs, TakesSmallerInputsWhereNumbersOverflow) {
  const auto text = [](const std::string& stable, const char* last) {
    return "func.func @main(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {\n"
           "  %0 = \"ttir.full\"() <{fill_value = 300.0 : f32, shape = array<i32: 8, 16>}> : () -> tensor<8x16xf32>\n"
           "  %1 = \"ttir.multiply\"(%a, %0) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>\n"
           "  %2 = \"ttir.softmax\"(%1) <{dimension = 1 : si32, numericStable = " +
           stable + "}> : (tensor<8x16xf32>) -> tensor<8x16xf32>\n  %3 = \"ttir." + last +
           "\"(%2) : (tensor<8x16xf32>) -> tensor<8x16xf32>\n  return %3 : tensor<8x16xf32>\n}\n";
  };
  const Graph unstable = graphOf(text("false", "relu"));
  const ComparisonVerdict verdict = compareGraphs(unstable, graphOf(text("true", "relu")), 1, 1e-4);
  EXPECT_TRUE(verdict.equal()) << verdict.text;
  EXPECT_EQ(compareGraphs(unstable, graphOf(text("true", "gelu")), 1, 1e-4).comparison, Comparison::Different);
}

}  // namespace
}  // namespace tessera::test
