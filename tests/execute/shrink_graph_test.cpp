// Graphs made smaller for execution: still sound, and small.

#include "core/execute/shrink_graph.h"
#include "core/execute/interpreter.h"
#include "core/ir/verify.h"
#include "core/ops/shapes/shape_rules.h"
#include "tests/import/import_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

int64_t elementsOf(const Graph& graph) {
  int64_t total = 0;
  for (const Value& value : graph.values) {
    if (value.type.isTensor() && value.func.valid()) total += elementCount(value.type.tensor->shape).value_or(0);
  }
  return total;
}

std::string shapeMistakes(const Graph& graph) {
  Diagnostics diags;
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) checkShapes(graph, op, diags);
  }
  std::string text;
  for (const Diagnostic& d : diags.all()) text += d.message + "\n";
  return text;
}

TEST(ShrinkGraph, RealGraphsShrinkAndExecute) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  for (const auto& path : test::sliceOf(corpusFiles())) {
    SCOPED_TRACE(path.filename().string());
    Imported imported = importText(readFile(path));
    ASSERT_TRUE(imported.graph);
    ShrunkGraph small = shrinkGraph(*imported.graph);
    EXPECT_TRUE(small.shrunk) << small.problem;
    EXPECT_EQ(shapeMistakes(small.graph), "");
    EXPECT_EQ(verifyGraph(small.graph).size(), 0u);
    Execution run = execute(small.graph, randomInputs(small.graph, 1));
    EXPECT_EQ(run.status, ExecutionStatus::Done) << run.text;
    size_t notNumbers = 0, numbers = 0;
    for (const HostTensor& t : run.results) {
      for (float x : t.f) ++(x == x ? numbers : notNumbers);
    }
    EXPECT_EQ(notNumbers, 0u);
    std::printf("%-40s %12lld -> %9lld elements\n", path.filename().c_str(),
                static_cast<long long>(elementsOf(*imported.graph)), static_cast<long long>(elementsOf(small.graph)));
  }
}

Shape shapeOf(const Graph& graph, std::string_view name) {
  for (const Value& value : graph.values) {
    if (value.name == name) return value.type.tensor->shape;
  }
  return {};
}

ShrunkGraph shrunk(const char* text) {
  Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  ShrunkGraph small = shrinkGraph(*imported.graph);
  EXPECT_TRUE(small.shrunk) << small.problem;
  EXPECT_EQ(verifyGraph(small.graph).size(), 0u);
  EXPECT_EQ(execute(small.graph, randomInputs(small.graph, 1)).status, ExecutionStatus::Done);
  return small;
}

// 494 of 497 elements, as behind a causal convolution: three are cut off, however many there are.
TEST(ShrinkGraph, KeepsWhatASliceCutsOff) {
  ShrunkGraph small = shrunk(R"(func.func @main(%x: tensor<1x497xf32>) -> (tensor<1x494xf32>, tensor<1x494xf32>) {
    %first = stablehlo.slice %x [0:1, 0:494] : (tensor<1x497xf32>) -> tensor<1x494xf32>
    %last = stablehlo.slice %x [0:1, 3:497] : (tensor<1x497xf32>) -> tensor<1x494xf32>
    return %first, %last : tensor<1x494xf32>, tensor<1x494xf32>
  })");
  const int64_t whole = shapeOf(small.graph, "x")[1];
  EXPECT_LT(whole, 64);
  EXPECT_EQ(shapeOf(small.graph, "first")[1], whole - 3);
  EXPECT_EQ(shapeOf(small.graph, "last")[1], whole - 3);
}

// The 8 first of 256 stay 8; there need not be 256.
TEST(ShrinkGraph, KeepsTheNumberOfTheFirst) {
  ShrunkGraph small = shrunk(R"(func.func @main(%x: tensor<64x256xf32>) -> tensor<64x8xf32> {
    %y = stablehlo.slice %x [0:64, 0:8] : (tensor<64x256xf32>) -> tensor<64x8xf32>
    return %y : tensor<64x8xf32>
  })");
  EXPECT_EQ(shapeOf(small.graph, "y")[1], 8);
  EXPECT_LT(shapeOf(small.graph, "x")[1], 64);
}

// Places that the graph works out itself are within the dim they name, whatever became of the rest.
TEST(ShrinkGraph, KeepsDimsThatTheGraphCounts) {
  ShrunkGraph small = shrunk(
      R"(func.func @main(%x: tensor<200x300xf32>, %t: tensor<100x64xf32>, %g: tensor<1x32x64xf32>)
      -> (tensor<32x300xf32>, tensor<100x64xf32>) {
    %i = "ttir.full"() <{fill_value = 150 : i32, shape = array<i32: 32, 300>}> : () -> tensor<32x300xsi32>
    %y = "ttir.gather"(%x, %i) <{dim = 0 : i32}> : (tensor<200x300xf32>, tensor<32x300xsi32>) -> tensor<32x300xf32>
    %j = "ttir.full"() <{fill_value = 99 : i32, shape = array<i32: 1, 32>}> : () -> tensor<1x32xsi32>
    %z = "ttir.embedding_backward"(%j, %t, %g) : (tensor<1x32xsi32>, tensor<100x64xf32>, tensor<1x32x64xf32>)
      -> tensor<100x64xf32>
    return %y, %z : tensor<32x300xf32>, tensor<100x64xf32>
  })");
  EXPECT_EQ(shapeOf(small.graph, "x")[0], 200);
  EXPECT_LT(shapeOf(small.graph, "x")[1], 64);
  EXPECT_LT(shapeOf(small.graph, "i")[0], 32);
  EXPECT_EQ(shapeOf(small.graph, "t")[0], 100);
}

// A sum divided by how many were summed stays a mean: of ones it is one, whatever the sizes became.
// Scales stay as many as a type or an operand has; the other dim shrinks.
TEST(ShrinkGraph, DimsWithScalesStay) {
  std::string scales;
  for (int i = 0; i < 50; ++i) scales += (i > 0 ? ",0." : "0.") + std::to_string(i + 1);
  const auto shapes = [](const std::string& in, const std::string& op, const std::string& out) {
    const Imported imported =
        importText("func.func @main(%a: " + in + ", %s: tensor<50xf32>, %z: tensor<50xsi32>) -> " + out +
                   " {\n  %r = " + op + " -> " + out + "\n  return %r : " + out + "\n}\n");
    if (!imported.graph) return imported.report();
    const ShrunkGraph small = shrinkGraph(*imported.graph);
    const Graph& graph = small.graph;
    const Op& made = graph.ops[graph.funcs[graph.forward].ops[0]];
    return small.shrunk ? shapeText(graph.values[made.operands[0]].type.tensor->shape) + " " +
                              shapeText(graph.values[made.results[0]].type.tensor->shape) + shapeMistakes(graph)
                        : small.problem;
  };
  const std::string reals = "tensor<60x50xf32>", rows = "tensor<50x60xf32>",
                    columns = "tensor<60x50x!quant.uniform<i32:f32:1, {" + scales + "}>>",
                    all = "tensor<60x50x!quant.uniform<i32:f32, 0.5>>";
  const std::string kept = shapes(reals, "\"ttir.quantize\"(%a) : (" + reals + ")", columns);
  EXPECT_EQ(kept.substr(kept.find('x')), "x50 " + kept.substr(0, kept.find('x')) + "x50") << kept;
  EXPECT_LT(std::stoi(kept), 60);
  EXPECT_EQ(shapes(columns, "\"ttir.dequantize\"(%a) : (" + columns + ")", reals), kept);
  EXPECT_EQ(shapes(reals, "stablehlo.uniform_quantize %a : (" + reals + ")", columns), kept);
  const std::string unrolled = "\"ttir.quantize_unrolled\"(%a, %s, %z) ";
  EXPECT_EQ(shapes(reals, unrolled + "<{axis = 1 : i32}> : (" + reals + ", tensor<50xf32>, tensor<50xsi32>)", columns),
            kept);
  const std::string free = shapes(reals, "\"ttir.quantize\"(%a) : (" + reals + ")", all);
  EXPECT_EQ(free.find("50"), std::string::npos) << free;
}

// Published test data ends with what it expects of the whole graph's numbers.
TEST(ShrinkGraph, ExpectationsOfTheWholeGraphGo) {
  const Imported imported = importText(R"(
    func.func @main(%a: tensor<40x50xf32>, %b: tensor<40x50xf32>) -> tensor<40x50xf32> {
      %0 = stablehlo.negate %a : tensor<40x50xf32>
      stablehlo.custom_call @check.expect_close(%0, %b) {has_side_effect = true}
        : (tensor<40x50xf32>, tensor<40x50xf32>) -> ()
      return %0 : tensor<40x50xf32>
    })");
  ASSERT_TRUE(imported.graph) << imported.report();
  const ShrunkGraph small = shrinkGraph(*imported.graph);
  ASSERT_TRUE(small.shrunk) << small.problem;
  EXPECT_EQ(small.graph.funcs[small.graph.forward].ops.size(), 2u);
  EXPECT_EQ(verifyGraph(small.graph).size(), 0u);
  EXPECT_EQ(execute(small.graph, randomInputs(small.graph, 1)).status, ExecutionStatus::Done);
}

TEST(ShrinkGraph, MeansStayMeans) {
  const auto mean = [](const std::string& scale, const std::string& number) {
    ShrunkGraph small = shrunk((R"(func.func @main(%x: tensor<64x640x96xf32>) -> tensor<96xf32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<)" +
                                number + R"(> : tensor<96xf32>
    %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<64x640x96xf32>, tensor<f32>) -> tensor<96xf32>
    %y = stablehlo.)" + scale + R"( %s, %n : tensor<96xf32>
    return %y : tensor<96xf32>
  })")
                                   .c_str());
    EXPECT_LT(shapeOf(small.graph, "x")[1], 64);
    HostTensor ones = randomInputs(small.graph, 1)[0];
    for (size_t i = 0; i < ones.size(); ++i) ones.set(i, 1.0);
    return execute(small.graph, {ones}).results.at(0).at(0);
  };
  EXPECT_NEAR(mean("divide", "40960.0"), 1.0, 1e-5);
  EXPECT_NEAR(mean("multiply", "2.44140625e-05"), 1.0, 1e-5);
  // Another number is none of the sizes: it stays.
  EXPECT_GT(std::fabs(mean("divide", "20000.0") - 1.0), 0.01);
}

// Experts and tokens shrink; the devices, which an attribute counts, do not.
TEST(ShrinkGraph, MixturesOfExpertsShrink) {
  ShrunkGraph small = shrunk(R"(
  func.func @main(%x: tensor<1x1x512x2048xbf16>, %i: tensor<1x1x512x8xi64>, %m: tensor<1x1x256x8xui16>,
                  %w: tensor<1x256x2048x1024xbf16>, %s: tensor<8x16x1x256xbf16>) -> tensor<8x16x1x256x32x1024xbf16> {
    %0 = stablehlo.custom_call @tt.all_to_all_dispatch(%x, %i, %m) {mhlo.frontend_attributes = {cluster_axis = "1",
      num_devices = "8"}} : (tensor<1x1x512x2048xbf16>, tensor<1x1x512x8xi64>, tensor<1x1x256x8xui16>)
      -> tuple<tensor<1x8x512x2048xbf16>, tensor<1x8x512x8xi64>>
    %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<1x8x512x2048xbf16>, tensor<1x8x512x8xi64>>)
      -> tensor<1x8x512x2048xbf16>
    %2 = stablehlo.reshape %1 : (tensor<1x8x512x2048xbf16>) -> tensor<8x16x32x2048xbf16>
    %y = stablehlo.custom_call @tt.sparse_matmul(%2, %w, %s) {mhlo.frontend_attributes = {is_input_a_sparse = "False",
      is_input_b_sparse = "True", nnz = "0"}} : (tensor<8x16x32x2048xbf16>, tensor<1x256x2048x1024xbf16>,
      tensor<8x16x1x256xbf16>) -> tensor<8x16x1x256x32x1024xbf16>
    return %y : tensor<8x16x1x256x32x1024xbf16>
  })");
  const Shape x = shapeOf(small.graph, "x"), tokens = shapeOf(small.graph, "2");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[0] * tokens[1] * tokens[2], 8 * x[2]);
  EXPECT_EQ(shapeOf(small.graph, "w")[1], shapeOf(small.graph, "y")[3]);
  EXPECT_LT(shapeOf(small.graph, "w")[1], 64);
  EXPECT_LT(elementsOf(small.graph), 1'000'000);
}

// Counts that attributes name (heads, what is chosen of a dim) stay; all else becomes small.
TEST(ShrinkGraph, SortsHeadsAndUpsamplingShrink) {
  Imported imported = importText(R"(
func.func @main(%a: tensor<64x640xbf16>, %x: tensor<2x128x768xbf16>, %i: tensor<1x28x28x64xbf16>) -> (tensor<64x640xbf16>, tensor<64x640xsi32>, tensor<64x5xbf16>, tensor<64x5xsi32>, tensor<2x128x256xbf16>, tensor<2x4x64x128xbf16>, tensor<1x56x56x64xbf16>) {
  %0, %1 = "ttir.sort"(%a) <{dim = 1 : si32, descending = true, stable = false}> : (tensor<64x640xbf16>) -> (tensor<64x640xbf16>, tensor<64x640xsi32>)
  %2, %3 = "ttir.topk"(%a) <{dim = 1 : i32, k = 5 : i32, largest = true, sorted = true}> : (tensor<64x640xbf16>) -> (tensor<64x5xbf16>, tensor<64x5xsi32>)
  %q, %k, %v = "ttir.split_query_key_value_and_split_heads"(%x) <{num_heads = 4 : ui32, transpose_key = true}> : (tensor<2x128x768xbf16>) -> (tensor<2x4x128x64xbf16>, tensor<2x4x64x128xbf16>, tensor<2x4x128x64xbf16>)
  %c = "ttir.concatenate_heads"(%q) : (tensor<2x4x128x64xbf16>) -> tensor<2x128x256xbf16>
  %u = "ttir.upsample2d"(%i) <{mode = "nearest", scale_factor = 2 : si32}> : (tensor<1x28x28x64xbf16>) -> tensor<1x56x56x64xbf16>
  return %0, %1, %2, %3, %c, %k, %u : tensor<64x640xbf16>, tensor<64x640xsi32>, tensor<64x5xbf16>, tensor<64x5xsi32>, tensor<2x128x256xbf16>, tensor<2x4x64x128xbf16>, tensor<1x56x56x64xbf16>
}
)");
  ASSERT_TRUE(imported.graph) << imported.report();
  const ShrunkGraph small = shrinkGraph(*imported.graph);
  ASSERT_TRUE(small.shrunk) << small.problem;
  EXPECT_EQ(shapeMistakes(small.graph), "");
  EXPECT_LT(elementsOf(small.graph), elementsOf(*imported.graph) / 100);
  const Execution run = execute(small.graph, randomInputs(small.graph, 1));
  EXPECT_EQ(run.status, ExecutionStatus::Done) << run.text;
}

}  // namespace
}  // namespace tessera::test
