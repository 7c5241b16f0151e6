// Kernels where a number more or less is easily got wrong: ties, ceil mode, the order of padding, bounds.

#include <cmath>

#include "core/execute/interpreter.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

HostTensor counting(Shape shape) {
  HostTensor t;
  int64_t count = 1;
  for (int64_t dim : shape) count *= dim;
  for (int64_t i = 0; i < count; ++i) t.f.push_back(static_cast<float>(i + 1));
  t.shape = std::move(shape);
  return t;
}
HostTensor row(std::vector<float> values) {
  HostTensor t;
  t.shape = {1, static_cast<int64_t>(values.size())};
  t.f = std::move(values);
  return t;
}

HostTensor resultOf(const std::string& op, const std::string& properties, const std::vector<std::string>& types,
                    const std::string& result, const std::vector<HostTensor>& inputs) {
  std::string names, heads, list;
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string name = "%a" + std::to_string(i);
    names += (i ? ", " : "") + name;
    heads += (i ? ", " : "") + name + ": " + types[i];
    list += (i ? ", " : "") + types[i];
  }
  Imported imported =
      importText("func.func @main(" + heads + ") -> " + result + " {\n  %r = \"" + op + "\"(" + names + ") <{" +
                 properties + "}> : (" + list + ") -> " + result + "\n  return %r : " + result + "\n}\n");
  if (!imported.graph) return ADD_FAILURE() << imported.report(), HostTensor();
  Execution run = execute(*imported.graph, inputs);
  if (run.results.empty()) return ADD_FAILURE() << run.text, HostTensor();
  return run.results[0];
}

TEST(KernelTies, ArgmaxTakesTheFirstOfEqualsAndCountsFromZero) {
  auto index = [](const std::string& op, std::vector<float> values) {
    const std::string type = "tensor<1x" + std::to_string(values.size()) + "xf32>";
    return resultOf(op, "dim_arg = [1 : i32], keep_dim = true", {type}, "tensor<1x1xsi32>", {row(std::move(values))}).i;
  };
  using Indices = std::vector<int64_t>;
  EXPECT_EQ(index("ttir.argmax", {9, 1, 9}), Indices{0});
  EXPECT_EQ(index("ttir.argmax", {1, 9, 9}), Indices{1});
  EXPECT_EQ(index("ttir.argmax", {1, 5, 9}), Indices{2});
  EXPECT_EQ(index("ttir.argmax", {-4, -3, -5}), Indices{1});
  EXPECT_EQ(index("ttir.argmin", {2, 1, 1}), Indices{1});
  EXPECT_EQ(index("ttir.argmin", {2, 2, 2}), Indices{0});
}

// What is no number is the greatest and the least of its line, wherever it stands.
TEST(KernelTies, NoNumberGoesThroughReductions) {
  for (const char* op : {"ttir.max", "ttir.min"}) {
    for (const std::vector<float>& values : {std::vector<float>{NAN, 1, 2}, {1, NAN, 2}, {1, 2, NAN}}) {
      const HostTensor found =
          resultOf(op, "dim_arg = [1 : i32], keep_dim = true", {"tensor<1x3xf32>"}, "tensor<1x1xf32>", {row(values)});
      ASSERT_EQ(found.f.size(), 1u);
      EXPECT_TRUE(std::isnan(found.f[0])) << op;
    }
    const HostTensor numbers = resultOf(op, "dim_arg = [1 : i32], keep_dim = true", {"tensor<1x3xf32>"},
                                        "tensor<1x1xf32>", {row({-7, -9, -8})});
    EXPECT_EQ(numbers.f, std::vector<float>{std::string(op) == "ttir.max" ? -7.0f : -9.0f});
  }
}

// Lines of large numbers, of either sign: their differences alone count.
TEST(KernelTies, SoftmaxDoesNotOverflow) {
  const std::string type = "tensor<1x2xf32>";
  for (const float offset : {0.0f, 1000.0f, -1000.0f}) {
    const HostTensor found = resultOf("ttir.softmax", "dimension = 1 : si32, numericStable = true", {type}, type,
                                      {row({offset, offset + 1})});
    ASSERT_EQ(found.f.size(), 2u);
    EXPECT_NEAR(found.f[0], 0.26894142, 1e-6) << offset;
    EXPECT_NEAR(found.f[1], 0.73105858, 1e-6) << offset;
  }
  const HostTensor plain =
      resultOf("ttir.softmax", "dimension = 1 : si32, numericStable = false", {type}, type, {row({0, 1000})});
  EXPECT_TRUE(std::isnan(plain.f[1])) << "without it they overflow, as step by step";
}

// The place of the largest of a window counts rows of the plane, the first of equals.
TEST(KernelTies, PooledPlacesAreThoseOfTheFirstLargest) {
  const auto places = [](std::vector<float> values) {
    HostTensor image;
    image.shape = {1, 3, 3, 1};
    image.f = std::move(values);
    Imported imported = importText(
        "func.func @main(%a: tensor<1x3x3x1xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x2x1xsi32>) {\n"
        "  %r:2 = \"ttir.max_pool2d_with_indices\"(%a) <{kernel = array<i32: 2, 2>, stride = array<i32: 1, 1>, padding "
        "= array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, ceil_mode = false}> : (tensor<1x3x3x1xf32>) -> "
        "(tensor<1x2x2x1xf32>, tensor<1x2x2x1xsi32>)\n"
        "  return %r#0, %r#1 : tensor<1x2x2x1xf32>, tensor<1x2x2x1xsi32>\n}\n");
    if (!imported.graph) return ADD_FAILURE() << imported.report(), std::vector<int64_t>();
    Execution run = execute(*imported.graph, {image});
    if (run.results.size() != 2) return ADD_FAILURE() << run.text, std::vector<int64_t>();
    return run.results[1].i;
  };
  using Places = std::vector<int64_t>;
  EXPECT_EQ(places({5, 5, 5, 5, 5, 5, 5, 5, 5}), (Places{0, 1, 3, 4}));
  EXPECT_EQ(places({1, 2, 3, 4, 5, 6, 7, 8, 9}), (Places{4, 5, 7, 8}));
  EXPECT_EQ(places({0, 9, 0, 9, 0, 9, 0, 9, 0}), (Places{1, 1, 3, 5}));
  EXPECT_EQ(places({-3, -1, -2, -1, -5, -1, -9, -9, -9}), (Places{1, 1, 3, 5}));
}

HostTensor tensorOf(Shape shape, std::vector<float> values) {
  HostTensor t;
  t.shape = std::move(shape);
  t.f = std::move(values);
  return t;
}

// A query that sees no key has the weight of its sink alone, which is dropped; a sink of ln 2 weighs as much as two
// keys of score 0.
TEST(KernelTies, ASinkTakesItsWeight) {
  const std::string one = "tensor<1x1x1x1xf32>", keys = "tensor<1x1x2x1xf32>", mask = "tensor<1x1x1x2xf32>";
  const auto weighed = [&](float sink, float first, float second) {
    const HostTensor found =
        resultOf("ttir.scaled_dot_product_attention",
                 "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, scale = 1.0 : f32",
                 {one, keys, keys, mask, one}, one,
                 {tensorOf({1, 1, 1, 1}, {0}), tensorOf({1, 1, 2, 1}, {1, 2}), tensorOf({1, 1, 2, 1}, {3, 5}),
                  tensorOf({1, 1, 1, 2}, {first, second}), tensorOf({1, 1, 1, 1}, {sink})});
    return found.f.empty() ? NAN : found.f[0];
  };
  EXPECT_NEAR(weighed(std::log(2.0f), 0, 0), 2, 1e-6);
  EXPECT_NEAR(weighed(std::log(3.0f), -INFINITY, 0), 1.25, 1e-6);
  EXPECT_EQ(weighed(0, -INFINITY, -INFINITY), 0);
  EXPECT_EQ(weighed(1000, 0, 0), 0);
  EXPECT_NEAR(weighed(-1000, 0, 0), 4, 1e-6);
}

// The library's kernel scales the sink, too: of 2 ln 2 at a scale of one half it weighs as much as two keys of score 0.
TEST(KernelTies, TheLibraryScalesTheSink) {
  const std::string one = "tensor<1x1x1x1xf32>", keys = "tensor<1x1x2x1xf32>";
  const auto weighed = [&](const std::string& op) {
    const HostTensor found =
        resultOf(op, "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, scale = 0.5 : f32",
                 {one, keys, keys, one}, one,
                 {tensorOf({1, 1, 1, 1}, {0}), tensorOf({1, 1, 2, 1}, {1, 2}), tensorOf({1, 1, 2, 1}, {3, 5}),
                  tensorOf({1, 1, 1, 1}, {2 * std::log(2.0f)})});
    return found.f.empty() ? NAN : found.f[0];
  };
  EXPECT_NEAR(weighed("ttnn.scaled_dot_product_attention"), 2, 1e-6);
  EXPECT_NEAR(weighed("ttir.scaled_dot_product_attention"), 8.0 / 6, 1e-6);
}

// Without a mask and without a word a query sees no later key; with a mask it sees what the mask lets.
TEST(KernelTies, AttentionLooksBackUnlessItIsToldOrMasked) {
  const std::string two = "tensor<1x1x2x1xf32>", mask = "tensor<1x1x2x2xf32>";
  const HostTensor queries = tensorOf({1, 1, 2, 1}, {0, 0}), values = tensorOf({1, 1, 2, 1}, {2, 6});
  const std::string plain = "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.0 : f32";
  const std::string masked = "operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.0 : f32";
  const std::string op = "ttir.scaled_dot_product_attention";
  using Row = std::vector<float>;
  EXPECT_EQ(resultOf(op, plain, {two, two, two}, two, {queries, queries, values}).f, (Row{2, 4}));
  EXPECT_EQ(resultOf(op, "is_causal = false, " + plain, {two, two, two}, two, {queries, queries, values}).f,
            (Row{4, 4}));
  const HostTensor open = tensorOf({1, 1, 2, 2}, {0, 0, 0, 0});
  EXPECT_EQ(resultOf(op, masked, {two, two, two, mask}, two, {queries, queries, values, open}).f, (Row{4, 4}));
  const HostTensor ahead = tensorOf({1, 1, 2, 2}, {-INFINITY, 0, 0, -INFINITY});
  EXPECT_EQ(resultOf(op, masked, {two, two, two, mask}, two, {queries, queries, values, ahead}).f, (Row{6, 2}));
}

// The one query of a decoding attention stands before the heads, in the mask as in the query: a row of it per head.
TEST(KernelTies, EveryHeadOfOneQueryHasItsRowOfTheMask) {
  const std::string query = "tensor<1x1x3x1xf32>", keys = "tensor<1x3x2x1xf32>";
  const HostTensor queries = tensorOf({1, 1, 3, 1}, {0, 0, 0}), values = tensorOf({1, 3, 2, 1}, {2, 6, 3, 5, 8, 12});
  const auto attended = [&](const Shape& shape, std::vector<float> mask) {
    const std::string type = shape[2] == 1 ? "tensor<1x1x1x2xf32>" : "tensor<1x1x3x2xf32>";
    return resultOf("ttir.scaled_dot_product_attention_decode",
                    "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, scale = 1.0 : f32",
                    {query, keys, keys, type}, query, {queries, values, values, tensorOf(shape, std::move(mask))})
        .f;
  };
  using Row = std::vector<float>;
  // Both keys, the first alone, the second alone.
  EXPECT_EQ(attended({1, 1, 3, 2}, {0, 0, 0, -INFINITY, -INFINITY, 0}), (Row{4, 3, 12}));
  EXPECT_EQ(attended({1, 1, 1, 2}, {-INFINITY, 0}), (Row{6, 5, 12}));
}

// Where the error function reaches its limits its inverse is infinite, beyond them there is none.
TEST(KernelTies, TheInverseOfErfEndsAtOne) {
  const std::string type = "tensor<1x4xf32>";
  const std::vector<float> values = resultOf("chlo.erf_inv", "", {type}, type, {row({1, -1, 0, 2})}).f;
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0], HUGE_VALF);
  EXPECT_EQ(values[1], -HUGE_VALF);
  EXPECT_EQ(values[2], 0);
  EXPECT_TRUE(std::isnan(values[3]));
}

// The greatest first, of equals the first; all of them may be asked for, and none but them.
TEST(KernelTies, TopKIsSortedUpToAllThereAre) {
  auto topk = [](int k, const std::vector<float>& values) {
    const std::string result = "tensor<1x" + std::to_string(k) + "x", x = "tensor<1x3xf32>";
    Imported imported = importText("func.func @main(%x: " + x + ") -> (" + result + "f32>, " + result +
                                   "si32>) {\n  %v, %i = \"ttir.topk\"(%x) <{k = " + std::to_string(k) +
                                   " : i32}> : (" + x + ") -> (" + result + "f32>, " + result +
                                   "si32>)\n  return %v, %i : " + result + "f32>, " + result + "si32>\n}\n");
    std::vector<float> all;
    if (!imported.graph) return ADD_FAILURE() << imported.report(), all;
    const Execution run = execute(*imported.graph, {row(values)});
    if (run.results.size() != 2) return ADD_FAILURE() << run.text, all;
    all = run.results[0].f;
    for (int64_t index : run.results[1].i) all.push_back(static_cast<float>(index));
    return all;
  };
  EXPECT_EQ(topk(1, {5, 9, 1}), (std::vector<float>{9, 1}));
  EXPECT_EQ(topk(2, {7, 1, 7}), (std::vector<float>{7, 7, 0, 2}));
  EXPECT_EQ(topk(3, {5, 9, 1}), (std::vector<float>{9, 5, 1, 1, 0, 2}));
}

std::string pool(const std::string& padding, bool ceil, int stride = 2, int kernel = 2) {
  const std::string k = std::to_string(kernel), s = std::to_string(stride);
  return "ceil_mode = " + std::string(ceil ? "true" : "false") +
         ", dilation = array<i32: 1, 1>, kernel = array<i32: " + k + ", " + k + ">, padding = array<i32: " + padding +
         ">, stride = array<i32: " + s + ", " + s + ">";
}

TEST(KernelWindows, CeilModeAddsAWindowOnlyIfItBeginsInside) {
  const HostTensor image = counting({1, 5, 5, 1});
  const std::string type = "tensor<1x5x5x1xf32>";
  EXPECT_EQ(resultOf("ttir.max_pool2d", pool("0, 0, 0, 0", false), {type}, "tensor<1x2x2x1xf32>", {image}).f,
            (std::vector<float>{7, 9, 17, 19}));
  EXPECT_EQ(resultOf("ttir.max_pool2d", pool("0, 0, 0, 0", true), {type}, "tensor<1x3x3x1xf32>", {image}).f,
            (std::vector<float>{7, 9, 10, 17, 19, 20, 22, 24, 25}));
  // 2 wide, padded by 1 on both sides, steps of 3: a second window would begin at 3 = 2 + 1, in the padding behind.
  const HostTensor small = counting({1, 2, 2, 1});
  EXPECT_EQ(
      resultOf("ttir.max_pool2d", pool("1, 1, 1, 1", true, 3), {"tensor<1x2x2x1xf32>"}, "tensor<1x1x1x1xf32>", {small})
          .f,
      std::vector<float>{1});
}

// TTIR says top, left, bottom, right; TTNN top, bottom, left, right.
TEST(KernelWindows, EverySideHasItsOwnPadding) {
  const HostTensor image = counting({1, 2, 2, 1});
  const std::string type = "tensor<1x2x2x1xf32>";
  auto padded = [&](const std::string& sides, const std::string& result) {
    return resultOf("ttir.max_pool2d", pool(sides, false, 1), {type}, result, {image}).f;
  };
  EXPECT_EQ(padded("1, 0, 0, 0", "tensor<1x2x1x1xf32>"), (std::vector<float>{2, 4}));
  EXPECT_EQ(padded("0, 1, 0, 0", "tensor<1x1x2x1xf32>"), (std::vector<float>{3, 4}));
  EXPECT_EQ(padded("0, 0, 1, 0", "tensor<1x2x1x1xf32>"), (std::vector<float>{4, 4}));
  EXPECT_EQ(padded("0, 0, 0, 1", "tensor<1x1x2x1xf32>"), (std::vector<float>{4, 4}));
}

TEST(KernelWindows, ConvolutionsPadEverySideOfTheirOwn) {
  const std::string head =
      "batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, "
      "height_dim = 1 : i64, padding = array<i32: ";
  auto rows = [&](const std::string& sides, const std::string& result) {
    return resultOf("ttir.conv2d", head + sides + ">, stride = array<i32: 1, 1>, width_dim = 2 : i64",
                    {"tensor<1x2x2x1xf32>", "tensor<1x1x2x2xf32>"}, result,
                    {counting({1, 2, 2, 1}), counting({1, 1, 2, 2})})
        .f;
  };
  EXPECT_EQ(rows("0, 0, 0, 0", "tensor<1x1x1x1xf32>"), std::vector<float>{30});
  EXPECT_EQ(rows("1, 0, 0, 0", "tensor<1x2x1x1xf32>"), (std::vector<float>{11, 30}));
  EXPECT_EQ(rows("0, 1, 0, 0", "tensor<1x1x2x1xf32>"), (std::vector<float>{14, 30}));
  EXPECT_EQ(rows("0, 0, 1, 0", "tensor<1x2x1x1xf32>"), (std::vector<float>{30, 11}));
  EXPECT_EQ(rows("0, 0, 0, 1", "tensor<1x1x2x1xf32>"), (std::vector<float>{30, 14}));
}

}  // namespace
}  // namespace tessera::test
