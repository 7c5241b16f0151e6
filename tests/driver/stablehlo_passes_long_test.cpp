// StableHLO, TTIR and TTNN compute the same: every graph at hand made small and executed before and after each pass.

#include <cstdio>

#include "core/driver/check_passes.h"
#include "core/execute/shrink_graph.h"
#include "core/support/units.h"
#include "tests/import/import_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// Whether a graph stays so large when it is made small that it is executed once per stage only.
bool staysLarge(const Graph& graph) {
  constexpr int64_t kElements = 20'000'000;
  int64_t elements = 0;
  const ShrunkGraph small = shrinkGraph(graph);
  for (const Value& value : small.graph.values)
    elements += value.type.isTensor() ? elementCount(value.type.tensor->shape).value_or(0) : 0;
  return elements > kElements;
}

// What is wrong, empty when all passes keep the results.
std::string problemOf(const Graph& graph) {
  PassCheckOptions options;
  options.stageEnds = staysLarge(graph);
  PassChecks found = checkPasses(graph, options);
  std::string text = found.problem;
  for (const PassCheck& one : found.checks) {
    if (!one.verdict.equal()) text += std::string(one.pass->name) + ": " + one.verdict.text + "\n";
  }
  return text;
}

TEST(StablehloPasses, KeepTheResultsOfRealGraphs) {
  std::vector<std::filesystem::path> files = sliceUpTo(100'000, stablehloFiles());
  if (files.empty()) GTEST_SKIP() << "skipped: no graphs at " << sharedFolder();
  int compared = 0, agree = 0;
  std::string rest;
  for (const auto& path : files) {
    std::string text = readFile(path);
    if (text.find("tensor<?x") != std::string::npos) continue;  // refused: sizes that are known at run time only
    Imported made = importText(text);
    ASSERT_TRUE(made.graph) << path << made.report();
    ++compared;
    std::string problem = problemOf(*made.graph);
    if (problem.empty()) ++agree;
    else rest += path.filename().string() + ": " + problem;
  }
  std::printf("[   INFO   ] %d of %d graphs agree\n%s", agree, compared, rest.c_str());
  EXPECT_GE(agree * 100, compared * 95) << rest;
}

// Loops and choices are executed as they stand and as what replaces them.
TEST(StablehloPasses, KeepTheResultsOfLoopsAndChoices) {
  const char* text =
      R"(func.func public @main(%x: tensor<8x6xf32>, %n: tensor<i32>) -> (tensor<6xf32>, tensor<8x6xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %start = stablehlo.constant dense<0.000000e+00> : tensor<6xf32>
    %0:2 = stablehlo.while(%i = %zero, %sum = %start) : tensor<i32>, tensor<6xf32>
     cond {
      %last = stablehlo.constant dense<100> : tensor<i32>
      %1 = stablehlo.compare  LT, %i, %last,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %row = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
      %flat = stablehlo.reshape %row : (tensor<1x6xf32>) -> tensor<6xf32>
      %more = func.call @grow(%sum, %flat) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %more : tensor<i32>, tensor<6xf32>
    }
    %2 = "stablehlo.case"(%n) ({
      %3 = stablehlo.negate %x : tensor<8x6xf32>
      stablehlo.return %3 : tensor<8x6xf32>
    }, {
      %3 = stablehlo.multiply %x, %x : tensor<8x6xf32>
      stablehlo.return %3 : tensor<8x6xf32>
    }) : (tensor<i32>) -> tensor<8x6xf32>
    return %0#1, %2 : tensor<6xf32>, tensor<8x6xf32>
  }
  func.func private @grow(%a: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.add %a, %b : tensor<6xf32>
    %1 = stablehlo.tanh %0 : tensor<6xf32>
    return %1 : tensor<6xf32>
  })";
  Imported made = importText(text);
  ASSERT_TRUE(made.graph) << made.report();
  EXPECT_EQ(problemOf(*made.graph), "");
}

// The gradient of a pool whose windows overlap: several of them may have chosen one element.
TEST(StablehloPasses, KeepTheResultsOfOverlappingWindows) {
  const char* text =
      R"(func.func public @main(%x: tensor<2x8x8x2xf32>, %g: tensor<2x4x4x2xf32>) -> tensor<2x8x8x2xf32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.select_and_scatter"(%x, %g, %z) <{padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.compare  GE, %a, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x8x8x2xf32>, tensor<2x4x4x2xf32>, tensor<f32>) -> tensor<2x8x8x2xf32>
    return %0 : tensor<2x8x8x2xf32>
  })";
  Imported made = importText(text);
  ASSERT_TRUE(made.graph) << made.report();
  EXPECT_EQ(problemOf(*made.graph), "");
}

// Gradients: kernels as large as the image, groups of the batch, dilated inputs.
TEST(StablehloPasses, KeepTheResultsOfGradients) {
  const char* text =
      R"(func.func public @main(%x: tensor<8x32x32x6xf32>, %g: tensor<8x32x32x6xf32>, %k: tensor<3x3x1x6xf32>, %h: tensor<8x16x16x6xf32>, %w: tensor<3x3x6x6xf32>) -> (tensor<3x3x1x6xf32>, tensor<8x32x32x6xf32>, tensor<8x32x32x6xf32>) {
    %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 6 : i64, feature_group_count = 1 : i64} : (tensor<8x32x32x6xf32>, tensor<8x32x32x6xf32>) -> tensor<3x3x1x6xf32>
    %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<8x32x32x6xf32>, tensor<3x3x1x6xf32>) -> tensor<8x32x32x6xf32>
    %2 = stablehlo.reverse %w, dims = [0, 1] : tensor<3x3x6x6xf32>
    %3 = stablehlo.convolution(%h, %2) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[1, 2], [1, 2]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x16x16x6xf32>, tensor<3x3x6x6xf32>) -> tensor<8x32x32x6xf32>
    return %0, %1, %3 : tensor<3x3x1x6xf32>, tensor<8x32x32x6xf32>, tensor<8x32x32x6xf32>
  })";
  Imported made = importText(text);
  ASSERT_TRUE(made.graph) << made.report();
  EXPECT_EQ(problemOf(*made.graph), "");
}

}  // namespace
}  // namespace tessera::test
