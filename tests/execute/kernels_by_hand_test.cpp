// Ops on a few numbers each, with results worked out by hand: sides, dims, places and signs that differ. Lowered to
// TTNN they give the same, they come back from graph JSON as they were, and results of other sizes are refused.

#include "tests/compare_graphs.h"
#include "tests/execute/numbers.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

struct Row {
  std::string op, properties;
  std::vector<std::string> operands, results;
};

std::string listOf(const std::vector<Numbers>& all) {
  std::string text;
  for (const Numbers& one : all) text += (text.empty() ? "" : ", ") + one.type;
  return text;
}

std::string programOf(const Row& row, const std::vector<Numbers>& in, const std::vector<Numbers>& out) {
  std::string heads, names, returned;
  for (size_t i = 0; i < in.size(); ++i) {
    const std::string name = "%a" + std::to_string(i);
    heads += (i > 0 ? ", " : "") + name + ": " + in[i].type;
    names += (i > 0 ? ", " : "") + name;
  }
  for (size_t i = 0; i < out.size(); ++i)
    returned += (i > 0 ? ", " : "") + std::string("%r") + (out.size() > 1 ? "#" + std::to_string(i) : "");
  const std::string to = out.size() == 1 ? out[0].type : "(" + listOf(out) + ")";
  return "func.func @main(" + heads + ") -> " + to + " {\n  %r" +
         (out.size() > 1 ? ":" + std::to_string(out.size()) : "") + " = \"" + row.op + "\"(" + names + ")" +
         (row.properties.empty() ? "" : " <{" + row.properties + "}>") + " : (" + listOf(in) + ") -> " + to +
         "\n  return " + returned + " : " + listOf(out) + "\n}\n";
}

// A dim that is one larger, of any result.
void expectOtherSizesRefused(const Row& row, const std::vector<Numbers>& in, const std::vector<Numbers>& out) {
  for (size_t r = 0; r < out.size(); ++r)
    for (size_t d = 0; d < out[r].tensor.shape.size(); ++d) {
      std::vector<Numbers> wrong = out;
      Shape shape = out[r].tensor.shape;
      ++shape[d];
      const std::string element = wrong[r].type.substr(wrong[r].type.rfind('x'));
      wrong[r].type = "tensor<";
      for (size_t i = 0; i < shape.size(); ++i) wrong[r].type += (i > 0 ? "x" : "") + std::to_string(shape[i]);
      wrong[r].type += element;
      EXPECT_FALSE(importText(programOf(row, in, wrong)).graph) << wrong[r].type;
    }
}

void expectLoweredResults(const Graph& graph, const std::vector<HostTensor>& inputs, const std::vector<Numbers>& out) {
  LoweringSetup setup;
  Graph now = graph;
  startOrigins(now);
  for (const PassInfo& pass : allPasses()) {
    if (pass.stage != PassStage::Prepare && pass.stage != PassStage::Lower) continue;
    now = pass.run(now, setup.context).graph;
  }
  const Execution run = execute(now, inputs);
  if (run.text.find("no kernel") != std::string::npos) return;
  SCOPED_TRACE(exportMlir(now));
  expectResults(run, out);
}

// `anySize`: of a result whose other dims mean nothing to the op.
void expectRow(const Row& row, bool anySize = false) {
  SCOPED_TRACE(row.op + " <{" + row.properties + "}>");
  std::vector<Numbers> in, out;
  std::vector<HostTensor> inputs;
  for (const std::string& text : row.operands) in.push_back(numbers(text));
  for (const std::string& text : row.results) out.push_back(numbers(text));
  for (const Numbers& one : in) inputs.push_back(one.tensor);
  const Imported imported = importText(programOf(row, in, out));
  ASSERT_TRUE(imported.graph) << imported.report();
  expectResults(execute(*imported.graph, inputs), out);
  const Imported again = importJson(exportGraphJson(*imported.graph));
  ASSERT_TRUE(again.graph) << again.report();
  EXPECT_TRUE(sameGraph(*again.graph, *imported.graph));
  if (!anySize) expectOtherSizesRefused(row, in, out);
  expectLoweredResults(*imported.graph, inputs, out);
}

TEST(KernelsByHand, Slices) {
  const std::string five = "f32 5: 1 2 3 4 5";
  expectRow({"ttir.slice_static", "begins = [-3 : i32], ends = [-1 : i32], step = [1 : i32]", {five}, {"f32 2: 3 4"}});
  expectRow({"ttir.slice_static", "begins = [1 : i32], ends = [5 : i32], step = [2 : i32]", {five}, {"f32 2: 2 4"}});
  expectRow({"ttir.slice_static", "begins = [0 : i32], ends = [5 : i32], step = [3 : i32]", {five}, {"f32 2: 1 4"}});
  expectRow({"ttir.slice_static",
             "begins = [1 : i32, 0 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, 2 : i32]",
             {"si32 2x3: 1 2 3 4 5 6"},
             {"si32 1x2: 4 6"}});
}

TEST(KernelsByHand, PlacesAlongADim) {
  const std::string seven = "f32 7: 0 1 2 3 4 5 6", rows = "si32 3x2: 1 2 3 4 5 6";
  const auto index = [](int64_t dim, int64_t begin, int64_t end, int64_t step) {
    return "dim = " + std::to_string(dim) + " : i32, begin = " + std::to_string(begin) +
           " : i32, end = " + std::to_string(end) + " : i32, step = " + std::to_string(step) + " : i32";
  };
  expectRow({"ttir.index", index(0, 1, 6, 2), {seven}, {"f32 3: 1 3 5"}});
  expectRow({"ttir.index", index(0, -3, -1, 1), {seven}, {"f32 2: 4 5"}});
  expectRow({"ttir.index", index(0, 1, 3, 1), {rows}, {"si32 2x2: 3 4 5 6"}});
  expectRow({"ttir.index", index(1, 1, 2, 1), {rows}, {"si32 3x1: 2 4 6"}});
  const auto select = [](int64_t dim, int64_t begin, int64_t length, int64_t stride) {
    return "dim = " + std::to_string(dim) + " : si32, begin = " + std::to_string(begin) +
           " : si32, length = " + std::to_string(length) + " : si32, stride = " + std::to_string(stride) + " : si32";
  };
  expectRow({"ttir.index_select", select(0, 0, 2, 3), {seven}, {"f32 5: 0 1 3 4 6"}});
  expectRow({"ttir.index_select", select(0, 2, 2, 4), {seven}, {"f32 3: 2 3 6"}});
  expectRow({"ttir.index_select", select(0, 3, 2, 0), {seven}, {"f32 2: 3 4"}});
  expectRow({"ttir.index_select", select(-1, 1, 1, 2), {rows}, {"si32 3x1: 2 4 6"}});
  expectRow({"ttir.index_select", select(-2, 1, 1, 1), {rows}, {"si32 2x2: 3 4 5 6"}});
  expectRow({"ttir.get_dimension_size", "dimension = 0 : i32", {rows}, {"si32 1: 3"}}, true);
  expectRow({"ttir.get_dimension_size", "dimension = 1 : i32", {rows}, {"si32 1: 2"}}, true);
}

TEST(KernelsByHand, RepeatsReversesAndJoins) {
  const std::string two = "f32 2x2: 1 2 3 4";
  expectRow({"ttir.repeat", "repeat_dimensions = array<i64: 2, 1>", {two}, {"f32 4x2: 1 2 3 4 1 2 3 4"}});
  expectRow({"ttir.repeat", "repeat_dimensions = array<i64: 1, 2>", {two}, {"f32 2x4: 1 2 1 2 3 4 3 4"}});
  expectRow({"ttir.repeat_interleave", "dim = 0 : si32, repeats = 2 : ui32", {two}, {"f32 4x2: 1 2 1 2 3 4 3 4"}});
  expectRow({"ttir.repeat_interleave", "dim = -1 : si32, repeats = 2 : ui32", {two}, {"f32 2x4: 1 1 2 2 3 3 4 4"}});
  expectRow({"ttir.reverse", "dimensions = array<i64: 1>", {"f32 2x3: 1 2 3 4 5 6"}, {"f32 2x3: 3 2 1 6 5 4"}});
  expectRow({"ttir.reverse", "dimensions = array<i64: 0>", {"f32 2x3: 1 2 3 4 5 6"}, {"f32 2x3: 4 5 6 1 2 3"}});
  expectRow({"ttir.concat", "dim = 0 : si32", {"f32 1x2: 1 2", two, "f32 1x2: 8 9"}, {"f32 4x2: 1 2 1 2 3 4 8 9"}});
  expectRow({"ttir.concat", "dim = 1 : si32", {two, "f32 2x1: 8 9"}, {"f32 2x3: 1 2 8 3 4 9"}});
  expectRow(
      {"ttir.transpose", "dim0 = 0 : si32, dim1 = 2 : si32", {"f32 2x1x3: 1 2 3 4 5 6"}, {"f32 3x1x2: 1 4 2 5 3 6"}});
  expectRow(
      {"ttir.permute", "permutation = array<i64: 1, 2, 0>", {"f32 2x3x1: 1 2 3 4 5 6"}, {"f32 3x1x2: 1 4 2 5 3 6"}});
  // low and high of one dim after the other
  expectRow({"ttir.pad", "padding = array<i32: 0, 0, 2, 1>, value = 7.0 : f32", {"f32 1x1: 5"}, {"f32 1x4: 7 7 5 7"}});
}

TEST(KernelsByHand, Reductions) {
  const std::string x = "f32 2x3: 4 -2 6 1 8 -3";
  expectRow({"ttir.sum", "dim_arg = [0 : i32], keep_dim = false", {x}, {"f32 3: 5 6 3"}});
  expectRow({"ttir.sum", "dim_arg = [-1 : i32], keep_dim = true", {x}, {"f32 2x1: 8 6"}});
  expectRow({"ttir.mean", "dim_arg = [1 : i32], keep_dim = true", {x}, {"f32 2x1: 2.6666667 2"}});
  expectRow({"ttir.mean", "dim_arg = [0 : i32, 1 : i32], keep_dim = true", {x}, {"f32 1x1: 2.3333333"}});
  expectRow({"ttir.max", "dim_arg = [0 : i32], keep_dim = true", {x}, {"f32 1x3: 4 8 6"}});
  expectRow({"ttir.max", "dim_arg = [0 : i32], keep_dim = true", {"f32 2x1: -5 -4"}, {"f32 1x1: -4"}});
  expectRow({"ttir.min", "dim_arg = [0 : i32], keep_dim = true", {x}, {"f32 1x3: 1 -2 -3"}});
  expectRow({"ttir.min", "dim_arg = [0 : i32], keep_dim = true", {"f32 2x1: 5 4"}, {"f32 1x1: 4"}});
  expectRow({"ttir.prod", "dim_arg = [1 : i32], keep_dim = true", {x}, {"f32 2x1: -48 -24"}});
  expectRow({"ttir.reduce_or", "dim_arg = [1 : i32], keep_dim = true", {"i1 2x2: 0 1 0 0"}, {"i1 2x1: 1 0"}});
  expectRow({"ttir.reduce_and", "dim_arg = [1 : i32], keep_dim = true", {"i1 2x2: 0 1 1 1"}, {"i1 2x1: 0 1"}});
  expectRow({"ttir.argmax", "dim_arg = [0 : i32], keep_dim = true", {x}, {"si32 1x3: 0 1 0"}});
  expectRow({"ttir.cumsum", "dim = 1 : i64", {x}, {"f32 2x3: 4 2 8 1 9 6"}});
  expectRow({"ttir.cumsum", "dim = 0 : i64", {x}, {"f32 2x3: 4 -2 6 5 6 3"}});
}

TEST(KernelsByHand, Normalizations) {
  // exp(0) : exp(ln 3) is 1 : 3.
  expectRow(
      {"ttir.softmax", "dimension = 0 : si32", {"f32 2x2: 0 1.0986123 1.0986123 0"}, {"f32 2x2: .25 .75 .75 .25"}});
  // The two numbers of each row are mean -+ deviation; weight, then bias.
  const char* const kBoth =
      "epsilon = 0.0 : f32, normalized_shape = array<i64: 2>, operandSegmentSizes = array<i32: 1, 1, 1>";
  expectRow({"ttir.layer_norm", kBoth, {"f32 2x2: 1 3 -4 0", "f32 2: 2 5", "f32 2: 10 20"}, {"f32 2x2: 8 25 8 25"}});
  const char* const kBias =
      "epsilon = 0.0 : f32, normalized_shape = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0, 1>";
  expectRow({"ttir.layer_norm", kBias, {"f32 1x2: 1 3", "f32 2: 10 20"}, {"f32 1x2: 9 21"}});
  // Groups of two channels over both rows: 1 3 5 7 is 4 -+ 3, 1; 2 2 2 2 is nothing. A number per channel after that.
  const char* const kGroups = "epsilon = 4.0 : f32, num_groups = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1>";
  expectRow({"ttir.group_norm",
             kGroups,
             {"f32 1x1x2x4: 1 3 2 2 5 7 2 2", "f32 4: 3 6 9 12", "f32 4: 1 2 3 4"},
             {"f32 1x1x2x4: -2 0 3 4 2 8 3 4"}});
  // Each image apart; without weight and bias.
  expectRow({"ttir.group_norm",
             "epsilon = 3.0 : f32, num_groups = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>",
             {"f32 2x1x1x2: 1 3 -10 -8"},
             {"f32 2x1x1x2: -.5 .5 -.5 .5"}});
  // A bias alone stands where a weight would.
  expectRow({"ttir.group_norm",
             "epsilon = 3.0 : f32, num_groups = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 1>",
             {"f32 2x1x1x2: 1 3 -10 -8", "f32 2: 10 20"},
             {"f32 2x1x1x2: 9.5 20.5 9.5 20.5"}});
  // Scale, offset, mean, variance: (x - mean) / 2 * scale + offset; the library's list begins with mean and variance.
  expectRow({"ttir.batch_norm_inference",
             "dimension = 1 : i32, epsilon = 3.0 : f32",
             {"f32 1x2: 6 8", "f32 2: 10 1", "f32 2: 1 2", "f32 2: 4 0", "f32 2: 1 1"},
             {"f32 1x2: 11 6"}});
  expectRow({"ttir.batch_norm_inference",
             "dimension = 0 : i32, epsilon = 3.0 : f32",
             {"f32 2x1: 6 8", "f32 2: 10 1", "f32 2: 1 2", "f32 2: 4 0", "f32 2: 1 1"},
             {"f32 2x1: 11 6"}});
}

TEST(KernelsByHand, QuantizedNumbers) {
  const std::string half = "!quant.uniform<i32:f32,0.5:3>", two = "!quant.uniform<i32:f32,2.0>",
                    rows = "!quant.uniform<i32:f32:0,{0.5:3,2.0:-1}>",
                    columns = "!quant.uniform<i32:f32:1,{1.0,4.0:7}>";
  // Halves go to the even number: 0.25 / 0.5 to 0, 0.75 / 0.5 to 2; the zero point comes after that.
  expectRow({"ttir.quantize", "", {"f32 1x5: 1 -1 0.25 0.75 -0.75"}, {half + " 1x5: 5 1 3 5 1"}});
  expectRow({"ttir.dequantize", "", {half + " 1x3: 3 5 0"}, {"f32 1x3: 0 1 -1.5"}});
  // 5 is 1, 13 is 5: a half and two and a half twos.
  expectRow({"ttir.requantize", "", {half + " 1x3: 5 13 -5"}, {two + " 1x3: 0 2 -2"}});
  expectRow({"ttir.quantize", "", {"f32 2x2: 1 2 4 -4"}, {rows + " 2x2: 5 7 1 -3"}});
  expectRow({"ttir.quantize", "", {"f32 2x2: 1 8 -3 -4"}, {columns + " 2x2: 1 9 -3 6"}});
  expectRow({"ttir.dequantize", "", {columns + " 2x2: 1 9 -3 6"}, {"f32 2x2: 1 8 -3 -4"}});
  // Operands count, not the numbers of the type.
  expectRow({"ttir.quantize_unrolled", "", {"f32 1x2: 8 -6", "f32 1: 4", "si32 1: 2"}, {half + " 1x2: 4 0"}});
  expectRow({"ttir.dequantize_unrolled",
             "axis = 1 : i32",
             {columns + " 2x2: 1 2 3 4", "f32 2: 10 1", "si32 2: 0 1"},
             {"f32 2x2: 10 1 30 3"}});
  expectRow({"ttir.requantize_unrolled",
             "",
             {half + " 1x2: 2 4", "f32 1: 3", "si32 1: 1", "f32 1: 0.5", "si32 1: 10"},
             {two + " 1x2: 16 28"}});
}

// Lowered, the numbers are stored in more bits, so that nothing is cut off.
TEST(KernelsByHand, QuantizedNumbersStayWithinWhatIsStored) {
  // Scale and zero point stand in the type, or are operands.
  const auto stored = [](const std::string& type, std::vector<std::string> scaling = {}) {
    const Numbers out = numbers(type + " 6: 0 0 0 0 0 0");
    std::vector<Numbers> operands = {numbers("f32 6: 200 126.4 -126.6 -200 inf nan")};
    for (const std::string& one : scaling) operands.push_back(numbers(one));
    const char* op = scaling.empty() ? "ttir.quantize" : "ttir.quantize_unrolled";
    const Imported imported = importText(programOf({op, "", {}, {}}, operands, {out}));
    if (!imported.graph) return imported.report();
    std::vector<HostTensor> inputs;
    for (const Numbers& operand : operands) inputs.push_back(operand.tensor);
    const Execution run = execute(*imported.graph, inputs);
    std::string text = run.text;
    for (const HostTensor& result : run.results)
      for (const int64_t number : result.i) text += std::to_string(number) + " ";
    return text;
  };
  EXPECT_EQ(stored("!quant.uniform<i8:f32,1.0>"), "127 126 -127 -128 127 0 ");
  EXPECT_EQ(stored("!quant.uniform<i8<-127:127>:f32,1.0>"), "127 126 -127 -127 127 0 ");
  EXPECT_EQ(stored("!quant.uniform<u8:f32,1.0:100>"), "255 226 0 0 255 0 ");
  EXPECT_EQ(stored("!quant.uniform<u32:f32,1.0>"), "200 126 0 0 4294967295 0 ");
  const std::vector<std::string> asOperands = {"f32 1: 1", "si32 1: 0"};
  EXPECT_EQ(stored("!quant.uniform<i8:f32,3.0>", asOperands), "127 126 -127 -128 127 0 ");
  EXPECT_EQ(stored("!quant.uniform<i8<-127:127>:f32,3.0>", asOperands), "127 126 -127 -127 127 0 ");
}

TEST(KernelsByHand, Products) {
  const std::string a = "f32 2x3: 1 2 3 4 5 6";
  expectRow({"ttir.matmul", "transpose_a = true, transpose_b = false", {a, "f32 2x1: 1 10"}, {"f32 3x1: 41 52 63"}});
  expectRow({"ttir.matmul", "transpose_a = false, transpose_b = true", {a, "f32 1x3: 1 10 100"}, {"f32 2x1: 321 654"}});
  // One matrix for every entry of the batch, on either side.
  expectRow({"ttir.matmul",
             "transpose_a = false, transpose_b = false",
             {"f32 2x1x2: 1 2 3 4", "f32 2x1: 1 10"},
             {"f32 2x1x1: 21 43"}});
  expectRow({"ttir.matmul",
             "transpose_a = false, transpose_b = false",
             {"f32 1x1x2: 1 2", "f32 2x2x1: 1 10 2 20"},
             {"f32 2x1x1: 21 42"}});
  expectRow({"ttir.linear",
             "transpose_a = false, transpose_b = false",
             {a, "f32 3x1: 1 1 1", "f32 2x1: 100 200"},
             {"f32 2x1: 106 215"}});
  expectRow({"ttir.dot_general",
             "batch_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 0>, "
             "contract_dims_rhs = array<i64: 1>",
             {a, "f32 3x2x1: 1 10 1 100 1 1000"},
             {"f32 3x1: 41 502 6003"}});
}

constexpr const char* kWindow =
    "batch_dim = 0 : i64, height_dim = 1 : i64, width_dim = 2 : i64, channel_dim = 3 : i64, ";

TEST(KernelsByHand, Convolutions) {
  const std::string head = kWindow;
  // Two groups: the first output channel sees the first input channel only.
  expectRow({"ttir.conv2d",
             head +
                 "stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = "
                 "2 : i32",
             {"f32 1x1x2x2: 1 2 3 4", "f32 2x1x1x1: 10 100"},
             {"f32 1x1x2x2: 10 200 30 400"}});
  // The kernel's second column stands two columns further.
  expectRow({"ttir.conv2d",
             head +
                 "stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 2>, groups = "
                 "1 : i32",
             {"f32 1x1x4x1: 1 2 3 4", "f32 1x1x1x2: 1 10"},
             {"f32 1x1x2x1: 31 42"}});
  expectRow({"ttir.conv2d",
             head +
                 "stride = array<i32: 1, 2>, padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = "
                 "1 : i32",
             {"f32 1x1x5x1: 1 2 3 4 5", "f32 1x1x1x2: 1 10", "f32 1x1x1x1: 500"},
             {"f32 1x1x2x1: 521 543"}});
}

TEST(KernelsByHand, ConvolutionsOverOneDim) {
  const std::string plain = "stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, groups = 1 : i32";
  const std::string row = "f32 1x4x1: 1 2 3 4", pair = "f32 1x1x2: 1 10";
  expectRow({"ttir.conv1d", plain, {row, pair}, {"f32 1x3x1: 21 32 43"}});
  expectRow({"ttir.conv1d", plain, {row, pair, "f32 1x1x1: 500"}, {"f32 1x3x1: 521 532 543"}});
  // One zero before, two behind; of every second window the taps stand two places apart.
  expectRow({"ttir.conv1d",
             "stride = array<i32: 2>, dilation = array<i32: 2>, padding = array<i32: 1, 2>, groups = 1 : i32",
             {row, pair},
             {"f32 1x3x1: 20 42 4"}});
  expectRow({"ttir.conv1d",
             "stride = 1 : i32, dilation = 1 : i32, padding = 1 : i32, groups = 1 : i32",
             {row, pair},
             {"f32 1x5x1: 10 21 32 43 4"}});
  // Two groups; then two images with the channel before the length.
  expectRow({"ttir.conv1d",
             "stride = 1 : i32, dilation = 1 : i32, padding = 0 : i32, groups = 2 : i32",
             {"f32 1x2x2: 1 2 3 4", "f32 2x1x1: 10 100"},
             {"f32 1x2x2: 10 200 30 400"}});
  expectRow({"ttir.conv1d",
             plain + ", batch_dim = 0 : i64, channel_dim = 1 : i64, length_dim = 2 : i64",
             {"f32 2x2x2: 1 2 3 4 5 6 7 8", "f32 1x2x1: 1 10"},
             {"f32 2x1x2: 31 42 75 86"}});
  expectRow({"ttnn.conv1d",
             "batch_size = 2 : i32, input_length = 2 : i32, in_channels = 1 : i32, out_channels = 2 : i32, kernel_size "
             "= 1 : i32, stride = 1 : i32, dilation = 1 : i32, padding = array<i32: 1, 0>, groups = 1 : i32",
             {"f32 2x2x1: 1 2 3 4", "f32 2x1x1: 1 10"},
             {"f32 1x1x6x2: 0 0 1 10 2 20 0 0 3 30 4 40"}});
}

TEST(KernelsByHand, PoolsAndUpsampling) {
  const std::string pool =
      "ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 1, 2>, padding = array<i32: 0, 1, 0, 0>, "
      "stride = array<i32: 1, 1>";
  const std::string x = "f32 1x1x3x1: 2 6 4";
  expectRow({"ttir.avg_pool2d", pool + ", count_include_pad = true", {x}, {"f32 1x1x3x1: 1 4 5"}});
  expectRow({"ttir.avg_pool2d", pool + ", count_include_pad = false", {x}, {"f32 1x1x3x1: 2 4 5"}});
  expectRow({"ttir.max_pool2d", pool, {x}, {"f32 1x1x3x1: 2 6 6"}});
  expectRow({"ttir.max_pool2d_with_indices", pool, {x}, {"f32 1x1x3x1: 2 6 6", "si32 1x1x3x1: 0 1 1"}});
  // Places count along the image's rows, whatever its height; of each channel its own, of each image from 0.
  const std::string square =
      "ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, "
      "stride = array<i32: 1, 1>";
  expectRow({"ttir.max_pool2d_with_indices",
             square,
             {"f32 1x3x2x1: 1 2 3 4 6 5"},
             {"f32 1x2x1x1: 4 6", "si32 1x2x1x1: 3 4"}});
  expectRow({"ttir.max_pool2d_with_indices",
             square,
             {"f32 1x2x4x1: 1 2 3 4 8 5 7 6"},
             {"f32 1x1x3x1: 8 7 7", "si32 1x1x3x1: 4 6 6"}});
  expectRow({"ttir.max_pool2d_with_indices",
             square,
             {"f32 2x2x3x1: 1 2 3 4 5 6 6 5 4 3 2 1"},
             {"f32 2x1x2x1: 5 6 6 5", "si32 2x1x2x1: 4 5 0 1"}});
  expectRow({"ttir.max_pool2d_with_indices",
             square,
             {"f32 1x2x2x2: 1 8 2 7 3 6 4 5"},
             {"f32 1x1x1x2: 4 8", "si32 1x1x1x2: 3 0"}});
  expectRow({"ttir.global_avg_pool2d", "", {"f32 1x2x1x2: 1 2 3 6"}, {"f32 1x1x1x2: 2 4"}});
  expectRow({"ttir.upsample2d",
             "mode = \"nearest\", scale_factor = array<i32: 1, 2>",
             {"f32 1x1x2x1: 1 2"},
             {"f32 1x1x4x1: 1 1 2 2"}});
  expectRow({"ttir.upsample2d",
             "mode = \"nearest\", scale_factor = array<i32: 2, 1>",
             {"f32 1x1x2x1: 1 2"},
             {"f32 1x2x2x1: 1 2 1 2"}});
}

TEST(KernelsByHand, Places) {
  const std::string x = "f32 3x2: 5 1 7 4 6 4";
  expectRow({"ttir.sort",
             "descending = true, dim = 0 : si32, stable = false",
             {x},
             {"f32 3x2: 7 4 6 4 5 1", "si32 3x2: 1 1 2 2 0 0"}});
  expectRow({"ttir.sort",
             "descending = false, dim = 1 : si32, stable = true",
             {x},
             {"f32 3x2: 1 5 4 7 4 6", "si32 3x2: 1 0 1 0 1 0"}});
  expectRow({"ttir.topk",
             "dim = 0 : i32, k = 1 : i32, largest = false, sorted = true",
             {x},
             {"f32 1x2: 5 1", "si32 1x2: 0 0"}});
  expectRow({"ttir.embedding_backward",
             "",
             {"ui32 1x3: 1 0 1", "f32 2x2: 9 9 9 9", "f32 1x1x3x2: 1 2 3 4 10 20"},
             {"f32 2x2: 3 4 11 22"}});
  // Three elements; the parts of their places, row and column, in the first dim of the indices.
  expectRow({"ttir.gather",
             "collapsed_slice_dims = array<i64: 0, 1>, index_vector_dim = 0 : si64, indices_are_sorted = false, "
             "offset_dims = array<i64>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 1>, "
             "start_index_map = array<i64: 0, 1>, start_indices_batching_dims = array<i64>",
             {"f32 3x2: 1 2 3 4 5 6", "si32 2x3: 2 0 1 1 0 1"},
             {"f32 3: 6 1 4"}},
            true);
  expectRow({"ttir.embedding", "", {"ui32 3: 2 0 7", "f32 3x1: 5 6 7"}, {"f32 3x1: 7 5 7"}});
  // Along the first dim unless another is named.
  expectRow({"ttir.arange", "end = 7 : si64, start = 3 : si64, step = 2 : si64", {}, {"si32 2x3: 3 3 3 5 5 5"}}, true);
  expectRow({"ttir.arange",
             "arange_dimension = 0 : i64, end = 7 : si64, start = 3 : si64, step = 2 : si64",
             {},
             {"si32 2x3: 3 3 3 5 5 5"}},
            true);
  expectRow({"ttir.arange",
             "arange_dimension = 1 : i64, end = 9 : si64, start = 3 : si64, step = 2 : si64",
             {},
             {"si32 2x3: 3 5 7 3 5 7"}},
            true);
}

TEST(KernelsByHand, Choices) {
  expectRow({"ttir.where", "", {"i1 2x1: 0 1", "f32 1x2: 1 2", "f32 2x2: 5 6 7 8"}, {"f32 2x2: 5 6 1 2"}});
  expectRow({"ttir.clamp_tensor", "", {"f32 3: 1 5 9", "f32 3: 2 2 2", "f32 3: 8 8 8"}, {"f32 3: 2 5 8"}});
  expectRow({"ttir.clamp_scalar", "min = 2.0 : f32, max = 8.0 : f32", {"f32 3: 1 5 9"}, {"f32 3: 2 5 8"}});
}

// With the sign of the divisor; nothing is left of what it goes into.
TEST(KernelsByHand, RemaindersOfRealNumbers) {
  expectRow({"ttir.remainder", "", {"f32 6: 7 -7 7 -7 6 -6", "f32 6: 2 2 -2 -2 -2 2"}, {"f32 6: 1 1 -1 -1 0 0"}});
}

TEST(KernelsByHand, WholeNumbers) {
  const auto of = [](const char* op, const char* a, const char* b, const char* result) {
    expectRow({std::string("ttir.") + op,
               "",
               {"si32 4: " + std::string(a), "si32 4: " + std::string(b)},
               {"si32 4: " + std::string(result)}});
  };
  of("div", "7 -7 7 -7", "2 2 -2 -2", "3 -3 -3 3");
  of("remainder", "7 -7 7 -7", "2 2 -2 3", "1 1 -1 2");
  of("maximum", "1 -1 5 5", "2 -2 4 5", "2 -1 5 5");
  of("minimum", "1 -1 5 5", "2 -2 4 5", "1 -2 4 5");
  of("subtract", "1 -1 5 5", "2 -2 4 5", "-1 1 1 0");
  of("bitwise_and", "12 -1 5 0", "10 6 4 5", "8 6 4 0");
  of("bitwise_or", "12 0 5 0", "10 6 4 5", "14 6 5 5");
  of("bitwise_xor", "12 -1 5 0", "10 6 4 5", "6 -7 1 5");
  of("logical_left_shift", "1 3 5 1", "4 1 0 3", "16 6 5 8");
  expectRow({"ttir.abs", "", {"si32 3: -2 0 3"}, {"si32 3: 2 0 3"}});
  expectRow({"ttir.sign", "", {"si32 3: -2 0 3"}, {"si32 3: -1 0 1"}});
  expectRow({"ttir.bitwise_not", "", {"si32 3: -2 0 3"}, {"si32 3: 1 -1 -4"}});
}

TEST(KernelsByHand, Comparisons) {
  for (const char* type : {"f32", "si32"}) {
    const std::string a = std::string(type) + " 3: 1 2 3", b = std::string(type) + " 3: 2 2 2";
    const std::pair<const char*, const char*> rows[] = {{"eq", "0 1 0"}, {"ne", "1 0 1"}, {"lt", "1 0 0"},
                                                        {"le", "1 1 0"}, {"gt", "0 0 1"}, {"ge", "0 1 1"}};
    for (const auto& [op, result] : rows)
      expectRow({std::string("ttir.") + op, "", {a, b}, {"i1 3: " + std::string(result)}});
    const std::string p = std::string(type) + " 4: 0 0 3 4", q = std::string(type) + " 4: 0 5 0 6";
    expectRow({"ttir.logical_and", "", {p, q}, {"i1 4: 0 0 0 1"}});
    expectRow({"ttir.logical_or", "", {p, q}, {"i1 4: 0 1 1 1"}});
    expectRow({"ttir.logical_xor", "", {p, q}, {"i1 4: 0 1 1 0"}});
  }
}

// What the names say, in double and from their definitions; 25 lies where the sums of exponentials are cut short.
TEST(KernelsByHand, FunctionsOfOneNumber) {
  using Function = double (*)(double);
  const auto logistic = [](double x) -> double { return 1 / (1 + std::exp(-x)); };
  static const Function sigmoid = logistic;
  const std::pair<const char*, Function> rows[] = {
      {"abs", [](double x) { return x < 0 ? -x : x; }},
      {"ceil", [](double x) { return std::ceil(x); }},
      {"floor", [](double x) { return std::floor(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"erf", [](double x) { return std::erf(x); }},
      {"erfc", [](double x) { return 1 - std::erf(x); }},
      {"expm1", [](double x) { return std::exp(x) - 1; }},
      {"gelu", [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); }},
      {"hardsigmoid", [](double x) { return x < -3  ? 0
                                            : x > 3 ? 1
                                                    : (x + 3) / 6; }},
      {"mish", [](double x) { return x * std::tanh(std::log(1 + std::exp(x))); }},
      {"neg", [](double x) { return -x; }},
      {"reciprocal", [](double x) { return 1 / x; }},
      {"relu", [](double x) { return x < 0 ? 0 : x; }},
      {"relu6", [](double x) { return x < 0   ? 0
                                      : x > 6 ? 6
                                              : x; }},
      {"sigmoid", sigmoid},
      {"sign", [](double x) -> double { return x < 0 ? -1 : x > 0; }},
      {"silu", [](double x) { return x * sigmoid(x); }},
      {"sin", [](double x) { return std::sin(x); }},
      {"cos", [](double x) { return std::cos(x); }},
      {"tan", [](double x) { return std::sin(x) / std::cos(x); }},
      {"tanh", [](double x) { return 2 * sigmoid(2 * x) - 1; }},
      {"atan", [](double x) { return std::atan2(x, 1.0); }},
      {"cbrt", [](double x) { return std::copysign(std::exp(std::log(std::fabs(x)) / 3), x); }},
  };
  for (const auto& [op, f] : rows) {
    std::string in = "f32 6: ", out = in;
    for (double x : {-2.5, -0.75, 0.5, 1.5, 4.25, 6.5}) {
      in += std::to_string(x) + " ";
      std::ostringstream text;
      text.precision(9);
      text << static_cast<float>(f(x));
      out += text.str() + " ";
    }
    if (std::string_view(op) == "exp" || std::string_view(op) == "expm1") continue;
    expectRow({std::string("ttir.") + op, "", {in}, {out}});
  }
  expectRow({"ttir.exp", "", {"f32 2: 0 1"}, {"f32 2: 1 2.7182818"}});
  expectRow({"ttir.expm1", "", {"f32 2: 0 1"}, {"f32 2: 0 1.7182818"}});
  expectRow({"ttir.sqrt", "", {"f32 2: 4 9"}, {"f32 2: 2 3"}});
  expectRow({"ttir.rsqrt", "", {"f32 2: 4 16"}, {"f32 2: 0.5 0.25"}});
  expectRow({"ttir.log", "", {"f32 2: 1 2.7182818"}, {"f32 2: 0 1"}});
  expectRow({"ttir.log1p", "", {"f32 2: 0 1.7182818"}, {"f32 2: 0 1"}});
  expectRow({"ttir.isfinite", "", {"f32 3: 1 inf nan"}, {"i1 3: 1 0 0"}});
  expectRow({"ttir.logical_not", "", {"f32 3: 1 0 -2"}, {"i1 3: 0 1 0"}});
  expectRow({"ttir.round", "", {"f32 4: 0.5 1.5 -2.5 2.6"}, {"f32 4: 0 2 -2 3"}});
  expectRow({"ttir.leaky_relu", "parameter = 0.5 : f32", {"f32 2: -3 3"}, {"f32 2: -1.5 3"}});
  expectRow({"ttir.elu", "alpha = 2.0 : f32", {"f32 2: -0.69314718 3"}, {"f32 2: -1 3"}});
  // exp(-ln 4 / 2) is a half; exp(-ln 2) too.
  expectRow({"ttir.celu", "alpha = 2.0 : f32", {"f32 2: -1.38629436 3"}, {"f32 2: -1 3"}});
  expectRow({"ttir.selu", "alpha = 4.0 : f32, scale = 3.0 : f32", {"f32 2: -0.69314718 3"}, {"f32 2: -6 9"}});
  expectRow({"ttir.selu", "", {"f32 2: -0.69314718 2"}, {"f32 2: -0.8790497 2.101402"}});
}

// Along the last dim where nothing else is said; places are those within the line.
TEST(KernelsByHand, SortingIsAlongTheLastDim) {
  const std::string in = "f32 2x3: 2 3 1 9 7 8";
  expectRow({"ttir.sort", "", {in}, {"f32 2x3: 1 2 3 7 8 9", "si32 2x3: 2 0 1 1 2 0"}});
  expectRow({"ttir.sort", "dim = 0 : si32", {in}, {"f32 2x3: 2 3 1 9 7 8", "si32 2x3: 0 0 0 1 1 1"}});
  expectRow({"ttir.sort", "descending = true", {in}, {"f32 2x3: 3 2 1 9 8 7", "si32 2x3: 1 0 2 0 2 1"}});
  expectRow({"ttir.topk", "k = 2 : i32", {in}, {"f32 2x2: 3 2 9 8", "si32 2x2: 1 0 0 2"}});
  expectRow({"ttir.topk", "k = 1 : i32, dim = 0 : i32, largest = false", {in}, {"f32 1x3: 2 3 1", "si32 1x3: 0 0 0"}});
}

TEST(KernelsByHand, Heads) {
  // Heads side by side in a row; keys turned.
  expectRow({"ttir.concatenate_heads", "", {"f32 1x2x2x1: 1 2 3 4"}, {"f32 1x2x2: 1 3 2 4"}});
  expectRow({"ttir.split_query_key_value_and_split_heads",
             "num_heads = 1 : ui32, transpose_key = true",
             {"f32 1x2x6: 1 2 3 4 5 6 7 8 9 10 11 12"},
             {"f32 1x1x2x2: 1 2 7 8", "f32 1x1x2x2: 3 9 4 10", "f32 1x1x2x2: 5 6 11 12"}},
            true);
  expectRow(
      {"ttir.split_query_key_value_and_split_heads",
       "num_heads = 2 : ui32, num_kv_heads = 1 : ui32, transpose_key = false, operandSegmentSizes = array<i32: 1, 1>",
       {"f32 1x2x2: 1 2 3 4", "f32 1x2x2: 5 6 7 8"},
       {"f32 1x2x2x1: 1 3 2 4", "f32 1x1x2x1: 5 7", "f32 1x1x2x1: 6 8"}},
      true);
}

// Equal scores weigh what may be seen alike: the last query sees all keys, the one before it one less.
TEST(KernelsByHand, AttentionLooksBackOnly) {
  const std::string keys = "f32 1x1x3x1: 1 2 3";
  expectRow({"ttir.scaled_dot_product_attention",
             "is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.0 : f32",
             {"f32 1x1x3x1: 0 0 0", keys, "f32 1x1x3x1: 6 12 36"},
             {"f32 1x1x3x1: 6 9 18"}});
  // Scores are divided by the root of the width: (ln 3 * 4) / 2 / 2 is ln 3.
  expectRow({"ttir.scaled_dot_product_attention",
             "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
             {"f32 1x1x1x4: 0.5493061 0.5493061 0.5493061 0.5493061", "f32 1x1x2x4: 0 0 0 0 1 1 1 1",
              "f32 1x1x2x4: 0 0 0 0 4 4 4 4"},
             {"f32 1x1x1x4: 3 3 3 3"}});
  // Two heads read the first keys, two the second.
  expectRow({"ttir.scaled_dot_product_attention",
             "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.0 : f32",
             {"f32 1x4x1x1: 0 0 0 0", "f32 1x2x1x1: 1 1", "f32 1x2x1x1: 5 7"},
             {"f32 1x4x1x1: 5 5 7 7"}});
}

// Equal scores: the mean of the values in the window, the query's own among them; without looking ahead the window lies
// in front of it, else half of it on either side.
TEST(KernelsByHand, AttentionSeesItsWindowOnly) {
  const std::string queries = "f32 1x1x4x1: 0 0 0 0", values = "f32 1x1x4x1: 6 12 36 4";
  const auto window = [&](const std::string& causal, int size, const std::string& expected) {
    expectRow({"ttir.scaled_dot_product_attention",
               "is_causal = " + causal + ", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.0 : f32, " +
                   "sliding_window_size = " + std::to_string(size) + " : ui32",
               {queries, "f32 1x1x4x1: 1 2 3 4", values},
               {"f32 1x1x4x1: " + expected}});
  };
  window("true", 1, "6 12 36 4");
  window("true", 2, "6 9 24 20");
  window("false", 1, "6 12 36 4");
  window("false", 2, "9 18 17.333333 20");
  window("false", 3, "9 18 17.333333 20");
}

TEST(KernelsByHand, CachesTakeRowsWhereTheyAreTold) {
  const auto run = [](const std::string& op, const std::string& cache, const std::vector<std::string>& others,
                      const std::string& expected) {
    const Numbers c = numbers(cache), after = numbers(expected);
    std::string heads = "%c: " + c.type, names = "%c", types = c.type;
    std::vector<HostTensor> inputs = {c.tensor};
    for (const std::string& other : others) {
      const Numbers one = numbers(other);
      const std::string name = "%x" + std::to_string(inputs.size());
      heads += ", " + name + ": " + one.type;
      names += ", " + name;
      types += ", " + one.type;
      inputs.push_back(one.tensor);
    }
    const Imported imported =
        importText("func.func @main(" + heads + ") -> " + c.type + " {\n  \"ttir." + op + "\"(" + names +
                   ") <{batch_offset = 1 : i32}> : (" + types + ") -> ()\n  return %c : " + c.type + "\n}\n");
    ASSERT_TRUE(imported.graph) << imported.report();
    const Execution done = execute(*imported.graph, inputs);
    ASSERT_EQ(done.status, ExecutionStatus::Done) << done.text;
    EXPECT_EQ(done.results[0].f, after.tensor.f) << op;
  };
  run("fill_cache", "f32 2x1x3x1: 1 2 3 4 5 6", {"f32 1x1x2x1: 8 9"}, "f32 2x1x3x1: 1 2 3 8 9 6");
  // Two users, each at a place of its own.
  run("update_cache", "f32 3x1x2x1: 1 2 3 4 5 6", {"f32 1x1x2x1: 8 9", "si32 2: 1 0"}, "f32 3x1x2x1: 1 2 3 8 9 6");
  run("update_cache", "f32 3x1x2x1: 1 2 3 4 5 6", {"f32 1x1x2x1: 8 9", "si32 1: 1"}, "f32 3x1x2x1: 1 2 3 8 5 9");
}

}  // namespace
}  // namespace tessera::test
