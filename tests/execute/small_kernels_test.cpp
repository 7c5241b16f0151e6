// Kernels called by themselves on numbers: the order of their operands in either dialect, rounding, numbers in texts.

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ir/builder.h"
#include "tests/execute/kernel_outcome.h"

namespace tessera::test {
namespace {

// The first result of an op that the table knows.
std::vector<double> computedBy(const std::string& op, const std::vector<std::string>& operands, const Shape& shape,
                               const std::string& attrs) {
  const Outcome done = outcomeOf(op, attrs, operands, {shape});
  EXPECT_EQ(done.error, "") << op;
  std::vector<double> result;
  for (size_t i = 0; i < done.results[0].size(); ++i) result.push_back(done.results[0].at(i));
  return result;
}

// (x - 5) / 2 * 10 + 3 for the first feature, (x - 6) / 1 * 100 + 7 for the second; variances of 4 and 1. TTIR lists
// scale, offset, mean, variance, TTNN mean, variance, scale, offset.
TEST(SmallKernels, BatchNormsOfEitherDialect) {
  const std::string x = "f32 1x2: 9 8", mean = "f32 2: 5 6", variance = "f32 2: 4 1", scale = "f32 2: 10 100",
                    offset = "f32 2: 3 7";
  const auto near = [](const std::vector<double>& is) {
    ASSERT_EQ(is.size(), 2u);
    EXPECT_NEAR(is[0], 23, 1e-3);
    EXPECT_NEAR(is[1], 207, 1e-2);
  };
  near(computedBy("ttir.batch_norm_inference", {x, scale, offset, mean, variance}, {1, 2}, "dimension=1"));
  near(computedBy("ttnn.batch_norm_inference", {x, mean, variance, scale, offset}, {1, 2}, ""));
}

// A vector is one row on the left, one column on the right.
TEST(SmallKernels, ProductsWithAVector) {
  const std::string rows = "f32 2x3: 1 2 3 4 5 6";
  EXPECT_EQ(computedBy("ttir.matmul", {rows, "f32 3: 1 10 100"}, {2}, ""), (std::vector<double>{321, 654}));
  EXPECT_EQ(computedBy("ttnn.matmul", {"f32 2: 1 10", rows}, {3}, ""), (std::vector<double>{41, 52, 63}));
  EXPECT_EQ(computedBy("ttir.matmul", {"f32 2: 1 10", "f32 2: 3 4"}, {}, ""), (std::vector<double>{43}));
}

// Features of means 2 and 12, variances 1 and 4: -1 and 1 times the scale, plus the offset. Of what ran before
// three quarters stay.
TEST(SmallKernels, BatchNormsThatTrain) {
  const std::string x = "f32 2x2: 1 10 3 14", mean = "f32 2: 0 4", variance = "f32 2: 3 6", scale = "f32 2: 10 5",
                    offset = "f32 2: 1 2", attrs = "epsilon=0.0; momentum=0.25";
  const auto numbers = [](const HostTensor& is) {
    std::vector<double> all;
    for (size_t i = 0; i < is.size(); ++i) all.push_back(is.at(i));
    return all;
  };
  const std::vector<double> normal = {-9, -3, 11, 7};
  const std::vector<Shape> all = {{2, 2}, {2}, {2}};
  Outcome done = outcomeOf("ttir.batch_norm_training", attrs, {x, scale, offset, mean, variance}, all);
  ASSERT_EQ(done.error, "");
  EXPECT_EQ(numbers(done.results[0]), normal);
  EXPECT_EQ(numbers(done.results[1]), (std::vector<double>{0.5, 6}));
  EXPECT_EQ(numbers(done.results[2]), (std::vector<double>{2.5, 5.5}));
  done = outcomeOf("ttnn.batch_norm_training", attrs, {x, mean, variance, scale, offset}, all);
  ASSERT_EQ(done.error, "");
  EXPECT_EQ(numbers(done.results[0]), normal);
  EXPECT_EQ(numbers(done.results[1]), (std::vector<double>{0.5, 6}));
  EXPECT_EQ(numbers(done.results[2]), (std::vector<double>{2.5, 5.5}));
  // Along another dim: rows of means 5.5 and 8.5, deviations of 4.5 and 5.5. A tenth is the batch's where none says.
  done = outcomeOf("ttir.batch_norm_training", "dimension=0; epsilon=0.0", {x, scale, offset, mean, variance}, all);
  EXPECT_EQ(numbers(done.results[0]), (std::vector<double>{-9, 11, -3, 7}));
  EXPECT_NEAR(done.results[1].at(1), 3.6 + 0.85, 1e-6);
  // Without results for what runs, as the library's op has them: the same numbers.
  done = outcomeOf("ttnn.batch_norm_training", attrs, {x, mean, variance, scale, offset}, {{2, 2}});
  EXPECT_EQ(numbers(done.results[0]), normal);
  EXPECT_EQ(outcomeOf("ttir.batch_norm_training", attrs, {x, scale, offset}, all).error,
            "statistics or weights are missing");
  EXPECT_EQ(outcomeOf("ttir.batch_norm_training", attrs, {x, scale, offset, mean, "f32 1: 1"}, all).error,
            "not one number per feature");
  EXPECT_EQ(outcomeOf("ttir.batch_norm_training", attrs, {x, scale, offset, mean, variance}, {{2, 2}, {2}, {1}}).error,
            "not one number per feature");
}

// The gradient, 10 here, times the slope of the function at each number: differences of the function in double.
TEST(SmallKernels, WhatComesBackThroughActivations) {
  const auto expect = [](const std::string& op, const std::string& attrs, const std::array<double, 3>& slopes) {
    const std::vector<double> is = computedBy(op, {"f32 3: 10 10 10", "f32 3: 1 -0.5 2"}, {3}, attrs);
    ASSERT_EQ(is.size(), 3u);
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(is[i], 10 * slopes[i], 1e-4) << op << " " << attrs;
  };
  expect("ttir.gelu_bw", "approximate='none'", {1.083315, 0.132505, 1.085232});
  expect("ttnn.gelu_bw", "", {1.083315, 0.132505, 1.085232});
  expect("ttir.gelu_bw", "approximate='tanh'", {1.082964, 0.13263, 1.086099});
  expect("ttir.silu_bw", "", {0.927671, 0.260039, 1.090784});
  // One gradient for both, or one number.
  EXPECT_NEAR(computedBy("ttir.silu_bw", {"f32 1: 10", "f32 2: 1 2"}, {2}, "").at(1), 10.90784, 1e-4);
  EXPECT_NEAR(computedBy("ttir.silu_bw", {"f32 2: 10 20", "f32 1: 2"}, {2}, "").at(1), 21.81568, 1e-4);
}

// Volumes of one row and column: what lies outside is zero, or what stands at the edge.
TEST(SmallKernels, ConvolutionsOfVolumesInEitherDialect) {
  const std::string x = "f32 1x3x1x1x1: 1 2 4", weight = "f32 1x1x3x1x1: 1 10 100";
  using Numbers3 = std::vector<double>;
  for (const std::string op : {"ttir.conv3d", "ttnn.conv3d"}) {
    EXPECT_EQ(computedBy(op, {x, weight}, {1, 1, 1, 1, 1}, "stride=1; padding=0; groups=1"), (Numbers3{421})) << op;
    const std::string padded = "stride=1; padding=[1,0,0]; groups=1";
    EXPECT_EQ(computedBy(op, {x, weight}, {1, 3, 1, 1, 1}, padded), (Numbers3{210, 421, 42})) << op;
    EXPECT_EQ(computedBy(op, {x, weight}, {1, 3, 1, 1, 1}, padded + "; padding_mode='replicate'"),
              (Numbers3{211, 421, 442}))
        << op;
    EXPECT_EQ(computedBy(op, {x, weight, "f32 1: 5"}, {1, 1, 1, 1, 1}, "stride=1; padding=0; groups=1"),
              (Numbers3{426}))
        << op;
  }
  expectErrors(
      {{"ttnn.conv3d",
        {"1x3x1x1x1", "1x1x3x1x1"},
        {"1x1x1x1x1"},
        "padding_mode='circular'",
        "padding by circular is not executed"},
       {"ttnn.conv3d", {"1x3x1x1x1", "3x1"}, {"1x1x1x1x1"}, "", "prepared weights of volumes are not executed"}});
}

// Results worked out by hand, or with another library's functions; halves go to the even number.
TEST(SmallKernels, FunctionsOfOneNumber) {
  const std::vector<std::array<std::string, 3>> rows = {
      {"abs", "-2.5 3 -0", "2.5 3 0"},
      {"acos", "-0.5 0.5", "2.0943951 1.0471976"},
      {"acosh", "1 2", "0 1.3169579"},
      {"asin", "-0.5 1", "-0.52359878 1.5707963"},
      {"asinh", "-1 2", "-0.88137359 1.4436355"},
      {"atan", "-1 2", "-0.78539816 1.1071487"},
      {"atanh", "-0.5 0.25", "-0.54930614 0.25541281"},
      {"cbrt", "-8 2", "-2 1.259921"},
      {"ceil", "-1.5 1.25", "-1 2"},
      {"cos", "2 -0.5", "-0.41614684 0.87758256"},
      {"cosh", "-1 2", "1.5430806 3.7621957"},
      {"erf", "-0.5 1", "-0.52049988 0.84270079"},
      {"erfc", "-0.5 1", "1.5204999 0.15729921"},
      {"exp", "-1 1", "0.36787944 2.7182818"},
      {"exp2", "-1 3.5", "0.5 11.313708"},
      {"expm1", "-1 1", "-0.63212056 1.7182818"},
      {"floor", "-1.5 1.75", "-2 1"},
      {"frac", "-1.75 2.25", "-0.75 0.25"},
      {"hardsigmoid", "-4 -1.5 1.5 4", "0 0.25 0.75 1"},
      {"hardswish", "-4 -1.5 1.5 4", "0 -0.375 1.125 4"},
      {"hardtanh", "-2 -0.5 0.5 2", "-1 -0.5 0.5 1"},
      {"log", "0.5 10", "-0.69314718 2.3025851"},
      {"log10", "0.01 2", "-2 0.30103"},
      {"log1p", "-0.5 1", "-0.69314718 0.69314718"},
      {"log2", "0.125 10", "-3 3.3219281"},
      {"mish", "-1 2", "-0.30340146 1.943959"},
      {"neg", "-1.5 2", "1.5 -2"},
      {"reciprocal", "-4 0.5", "-0.25 2"},
      {"relu", "-1.5 2.5", "0 2.5"},
      {"relu6", "-1.5 2.5 7", "0 2.5 6"},
      {"round", "-1.5 0.5 1.25 2.5 3.5", "-2 0 1 2 4"},
      {"rsqrt", "4 0.25", "0.5 2"},
      {"sigmoid", "-1 2", "0.26894142 0.88079708"},
      {"sign", "-3 0 0.5", "-1 0 1"},
      {"silu", "-1 2", "-0.26894142 1.7615942"},
      {"sin", "-1 2", "-0.84147098 0.90929743"},
      {"sinh", "-1 2", "-1.1752012 3.6268604"},
      {"softplus", "-1 1 30", "0.31326169 1.3132617 30"},
      {"softsign", "-3 1", "-0.75 0.5"},
      {"sqrt", "2.25 2", "1.5 1.4142136"},
      {"square", "-1.5 3", "2.25 9"},
      {"tan", "-1 0.5", "-1.5574077 0.54630249"},
      {"tanh", "-1 0.5", "-0.76159416 0.46211716"},
      {"trunc", "-1.75 1.75", "-1 1"},
      {"isfinite", "-1 inf -inf nan", "1 0 0 0"},
      {"isinf", "-1 inf -inf nan", "0 1 1 0"},
      {"isnan", "-1 inf nan", "0 0 1"},
      {"logical_not", "-1 0 0.25", "0 1 0"},
  };
  for (const auto& [name, in, out] : rows) {
    const std::vector<float> wanted = numbers("f32 1: " + out).tensor.f;
    const std::string count = std::to_string(wanted.size());
    for (const std::string dialect : {"ttir.", "ttnn."}) {
      SCOPED_TRACE(dialect + name);
      const std::vector<double> is =
          computedBy(dialect + name, {"f32 " + count + ": " + in}, {static_cast<int64_t>(wanted.size())}, "");
      ASSERT_EQ(is.size(), wanted.size());
      for (size_t i = 0; i < is.size(); ++i) EXPECT_NEAR(is[i], wanted[i], 1e-6 * std::max(1.0f, std::fabs(wanted[i])));
    }
  }
}

// Prepared weights travel in the shape they had; conversions and moves pass them on, in either dialect.
TEST(SmallKernels, WhatChangesNoValueKeepsTheShapeThatValuesTravelIn) {
  for (const char* op :
       {"ttnn.to_layout", "ttnn.typecast", "ttnn.to_memory_config", "ttir.typecast", "ttnn.to_device"}) {
    SCOPED_TRACE(op);
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("main");
    const ValueId weight = builder.addArgument(func, "w", tensor({1, 1, 4, 3}, DType::F32));
    const auto results = [&](const Shape& shape) {
      HostTensor travels = numbers("f32 3x1x2x2: 1 2 3 4 5 6 7 8 9 10 11 12").tensor;
      const OpId id = builder.append(func, makeOp(opKindFromName(op), {weight}, {tensor(shape, DType::BF16)}));
      KernelCall call{graph, graph.ops[id], {&travels}, std::vector<HostTensor>(1), {}};
      findKernel(op)(call);
      return std::pair(call.error, call.out[0].shape);
    };
    EXPECT_EQ(results({1, 1, 4, 3}), std::pair(std::string(), Shape{3, 1, 2, 2}));
    EXPECT_NE(results({1, 1, 3, 4}).first, "");
  }
}

TEST(SmallKernels, NumbersInTexts) {
  EXPECT_EQ(numberAfter("batch_size = 3, input_height = 17", "batch_size"), 3);
  EXPECT_EQ(numberAfter("batch_size = 3, input_height = 17", "input_height"), 17);
  EXPECT_EQ(numberAfter("batch_size=3", "batch_size"), 3);
  EXPECT_EQ(numberAfter("batch_size 3x", "batch_size"), 3);
  EXPECT_EQ(numberAfter("batch_size = -3", "batch_size"), -1);
  EXPECT_EQ(numberAfter("batch_size = ", "batch_size"), -1);
  EXPECT_EQ(numberAfter("batch_size", "batch_size"), -1);
  EXPECT_EQ(numberAfter("batch", "batch_size"), -1);
  EXPECT_EQ(numberAfter("n = 123456789012", "n"), 123456789012);
  EXPECT_EQ(numberAfter("n = 1234567890123", "n"), 123456789012) << "twelve digits are read";
  EXPECT_EQ(numberAfter("n = 0", "n"), 0);
}

TEST(SmallKernels, ConversionsWrapAndCut) {
  const auto into = [](const std::string& text, DType dtype) { return convertTo(numbers(text).tensor, dtype).i; };
  using Integers = std::vector<int64_t>;
  EXPECT_EQ(into("f32 6: 1.9 -1.9 300 -1 0.2 nan", DType::U8), (Integers{1, 255, 44, 255, 0, 0}));
  EXPECT_EQ(into("f32 3: 128 -129 127", DType::I8), (Integers{-128, 127, 127}));
  EXPECT_EQ(into("f32 3: 32768 65536 -1", DType::I16), (Integers{-32768, 0, -1}));
  EXPECT_EQ(into("f32 3: 65535 65536 -1", DType::U16), (Integers{65535, 0, 65535}));
  EXPECT_EQ(into("si32 2: 2147483648 -1", DType::I32), (Integers{-2147483648, -1}));
  EXPECT_EQ(into("si32 2: 4294967296 -1", DType::U32), (Integers{0, 4294967295}));
  EXPECT_EQ(into("f32 4: 0 0.25 -3 nan", DType::I1), (Integers{0, 1, 1, 1}));
  EXPECT_EQ(into("f32 3: inf -inf nan", DType::I64), (Integers{INT64_MAX, INT64_MIN, 0}));
  const HostTensor real = convertTo(numbers("si32 2: -7 9").tensor, DType::BF16);
  EXPECT_TRUE(real.real);
  EXPECT_EQ(real.f, (std::vector<float>{-7, 9}));
}

TEST(SmallKernels, ShapesThatAreSpread) {
  EXPECT_EQ(broadcastOf({2, 1, 4}, {3, 1}), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcastOf({}, {3, 2}), (Shape{3, 2}));
  EXPECT_EQ(broadcastOf({3, 2}, {3}), std::nullopt);
  EXPECT_EQ(broadcastStrides({3, 1}, {2, 3, 4}), (std::vector<size_t>{0, 1, 0}));
  EXPECT_EQ(broadcastStrides({2, 3, 4}, {2, 3, 4}), (std::vector<size_t>{12, 4, 1}));
  EXPECT_EQ(stridesOf({2, 3, 4}), (std::vector<size_t>{12, 4, 1}));
  EXPECT_TRUE(stridesOf({}).empty());
}

using Reals = std::vector<double>;

// A slice of two starts where it ends within the operand.
TEST(SmallKernels, AGatherIsHeldBackByItsSlice) {
  const std::string x = "f32 4x3: 0 1 2 10 11 12 20 21 22 30 31 32";
  const std::string attrs =
      "collapsed_slice_dims=[]; offset_dims=[1,2]; index_vector_dim=1; slice_sizes=[2,2]; "
      "start_index_map=[0,1]";
  const auto at = [&](const std::string& start) {
    return computedBy("ttir.gather", {x, "si32 1x2: " + start}, {1, 2, 2}, attrs);
  };
  EXPECT_EQ(at("1 0"), (Reals{10, 11, 20, 21}));
  EXPECT_EQ(at("2 1"), (Reals{21, 22, 31, 32}));
  EXPECT_EQ(at("3 2"), at("2 1"));
  EXPECT_EQ(at("9 0"), at("2 0"));
  EXPECT_EQ(at("-1 -5"), at("0 0"));
}

TEST(SmallKernels, WhatIsScatteredOutsideIsLost) {
  const std::string x = "f32 2x3: 0 1 2 10 11 12", source = "f32 2x3: 100 200 300 400 500 600";
  const auto with = [&](const std::string& places, const std::string& attrs) {
    return computedBy("ttir.scatter", {x, "si32 2x3: " + places, source}, {2, 3}, attrs);
  };
  EXPECT_EQ(with("1 2 -1 -1 5 1", "dim=0"), (Reals{0, 1, 2, 100, 11, 600}));
  EXPECT_EQ(with("1 3 -1 2 2 0", "dim=1"), (Reals{0, 100, 2, 600, 11, 500})) << "the last of those at one place";
  EXPECT_EQ(with("1 1 1 1 1 1", "dim=0; scatter_reduce_type='sum'"), (Reals{0, 1, 2, 510, 711, 912}));
  EXPECT_EQ(with("0 0 0 0 0 0", "dim=0; scatter_reduce_type='min'"), (Reals{0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(with("1 1 1 0 0 0", "dim=0; scatter_reduce_type='max'"), (Reals{400, 500, 600, 100, 200, 300}));
}

}  // namespace
}  // namespace tessera::test
