// StableHLO ops on a few numbers each, with results by hand: edges, dropped places, clamped starts, regions.

#include "tests/execute/numbers.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

// Operands are %0, %1 ...; the body ends with `%r = ...`, of several results `%r:2 = ...`.
Execution computed(const std::vector<std::string>& operands, const std::string& body,
                   const std::vector<Numbers>& results) {
  std::string arguments, text = body, types, returned;
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Numbers one = numbers(operands[i]);
    arguments += (i > 0 ? ", %a" : "%a") + std::to_string(i) + ": " + one.type;
    inputs.push_back(one.tensor);
    const std::string name = "%" + std::to_string(i);
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) text.insert(at + 1, "a");
    const std::string type = "T" + std::to_string(i);
    for (size_t at = text.find(type); at != std::string::npos; at = text.find(type)) text.replace(at, 2, one.type);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    types += (i > 0 ? ", " : "") + results[i].type;
    returned += (i > 0 ? ", %r#" : results.size() > 1 ? "%r#" : "%r") + (results.size() > 1 ? std::to_string(i) : "");
    const std::string type = "R" + std::to_string(i);
    for (size_t at = text.find(type); at != std::string::npos; at = text.find(type))
      text.replace(at, 2, results[i].type);
  }
  const Imported imported = importText("func.func @main(" + arguments + ") -> (" + types + ") {\n" + text +
                                       "\n  return " + returned + " : " + types + "\n}\n");
  EXPECT_TRUE(imported.graph) << imported.report();
  return imported.graph ? execute(*imported.graph, inputs) : Execution();
}

void expectComputed(const std::vector<std::string>& operands, const std::string& body,
                    const std::vector<std::string>& results) {
  SCOPED_TRACE(body);
  std::vector<Numbers> wanted;
  for (const std::string& text : results) wanted.push_back(numbers(text));
  expectResults(computed(operands, body, wanted), wanted);
}

TEST(StablehloByHand, PadsMayBeNegativeAndInside) {
  const auto pad = [](const std::string& low, const std::string& high, const std::string& interior) {
    return "%z = stablehlo.constant dense<9.0> : tensor<f32>\n%r = stablehlo.pad %0, %z, low = [" + low +
           "], high = [" + high + "], interior = [" + interior + "] : (T0, tensor<f32>) -> R0";
  };
  expectComputed({"f32 3: 1 2 3"}, pad("1", "2", "0"), {"f32 6: 9 1 2 3 9 9"});
  expectComputed({"f32 3: 1 2 3"}, pad("0", "0", "2"), {"f32 7: 1 9 9 2 9 9 3"});
  expectComputed({"f32 3: 1 2 3"}, pad("-1", "0", "0"), {"f32 2: 2 3"});
  expectComputed({"f32 3: 1 2 3"}, pad("0", "-1", "0"), {"f32 2: 1 2"});
  expectComputed({"f32 3: 1 2 3"}, pad("-1", "-1", "1"), {"f32 3: 9 2 9"});
  expectComputed({"f32 2x2: 1 2 3 4"}, pad("0, -1", "1, 1", "0, 0"), {"f32 3x2: 2 9 4 9 9 9"});
}

TEST(StablehloByHand, HalvesAreRoundedAwayOrToEven) {
  const std::string in = "f32 6: 0.5 1.5 2.5 -0.5 -2.5 2.4";
  expectComputed({in}, "%r = stablehlo.round_nearest_afz %0 : T0", {"f32 6: 1 2 3 -1 -3 2"});
  expectComputed({in}, "%r = stablehlo.round_nearest_even %0 : T0", {"f32 6: 0 2 2 0 -2 2"});
}

// A kernel of 1 and 10 over 1 2 3 4 5, as convolutions count: its steps, its gaps, gaps of the operand, both paddings.
TEST(StablehloByHand, ConvolutionsStepAndSpread) {
  const auto convolution = [](const std::string& window) {
    return "%r = stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {" + window +
           "} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (T0, T1) -> R0";
  };
  const std::vector<std::string> in = {"f32 1x5x1: 1 2 3 4 5", "f32 2x1x1: 1 10"};
  expectComputed(in, convolution("stride = [1], pad = [[0, 0]]"), {"f32 1x4x1: 21 32 43 54"});
  expectComputed(in, convolution("stride = [2], pad = [[0, 0]]"), {"f32 1x2x1: 21 43"});
  expectComputed(in, convolution("stride = [1], pad = [[0, 0]], rhs_dilate = [3]"), {"f32 1x2x1: 41 52"});
  expectComputed(in, convolution("stride = [2], pad = [[0, 0]], rhs_dilate = [2]"), {"f32 1x2x1: 31 53"});
  expectComputed(in, convolution("stride = [1], pad = [[0, 0]], lhs_dilate = [2]"), {"f32 1x8x1: 1 20 2 30 3 40 4 50"});
  expectComputed(in, convolution("stride = [1], pad = [[1, 0]]"), {"f32 1x5x1: 10 21 32 43 54"});
  expectComputed(in, convolution("stride = [3], pad = [[0, 2]]"), {"f32 1x2x1: 21 54"});
}

std::string gather(const std::string& dims, const std::string& sizes) {
  return "%r = \"stablehlo.gather\"(%0, %1) <{dimension_numbers = #stablehlo.gather<" + dims +
         ">, slice_sizes = array<i64: " + sizes + ">}> : (T0, T1) -> R0";
}

TEST(StablehloByHand, GathersFindTheirWindow) {
  const std::string table = "f32 3x2: 1 2 3 4 5 6";
  const std::string rows = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1";
  expectComputed({table, "i32 2x1: 2 0"}, gather(rows, "1, 2"), {"f32 2x2: 5 6 1 2"});
  // What begins beyond the table begins at its last row, or its first.
  expectComputed({table, "i32 2x1: 7 -4"}, gather(rows, "1, 2"), {"f32 2x2: 5 6 1 2"});
  // The indices themselves are the parts where no dim holds them.
  expectComputed(
      {table, "i32 2: 1 1"},
      gather("offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", "1, 2"),
      {"f32 2x2: 3 4 3 4"});
  // Parts in the first dim, named column before row; windows of two rows.
  expectComputed({table, "i32 2x2: 1 0 1 0"},
                 gather("offset_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0", "2, 1"),
                 {"f32 2x1x2: 4 1 6 3"});
}

// Each batch has a table of its own: a row of table b by index [b]. In the second case the batch is the second dim of
// the indices and the first of the table.
TEST(StablehloByHand, BatchesGatherFromTheirOwnTable) {
  const std::string tables = "f32 2x2x2: 1 2 3 4 5 6 7 8";
  expectComputed({tables, "i32 2x1: 1 0"},
                 gather("offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], "
                        "start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1",
                        "1, 1, 2"),
                 {"f32 2x2: 3 4 5 6"});
  expectComputed({tables, "i32 3x2x1: 0 1 1 0 0 0"},
                 gather("offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], "
                        "start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2",
                        "1, 1, 2"),
                 {"f32 3x2x2: 1 2 7 8 3 4 5 6 1 2 5 6"});
}

TEST(StablehloByHand, ScattersDropWhatLandsOutside) {
  const auto scatter = [](const std::string& combine) {
    return "%r = \"stablehlo.scatter\"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = "
           "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = "
           "[0], index_vector_dim = 1>, unique_indices = false}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n" +
           combine + "}) : (T0, T1, T2) -> R0";
  };
  const std::string add = "%s = stablehlo.add %p, %q : tensor<f32>\nstablehlo.return %s : tensor<f32>\n";
  const std::string table = "f32 2x2: 10 20 30 40";
  expectComputed({table, "i32 3x1: 1 0 1", "f32 3x2: 1 2 3 4 5 6"}, scatter(add), {"f32 2x2: 13 24 36 48"});
  expectComputed({table, "i32 3x1: 2 -1 0", "f32 3x2: 1 2 3 4 5 6"}, scatter(add), {"f32 2x2: 15 26 30 40"});
  expectComputed({table, "i32 2x1: 0 0", "f32 2x2: 1 2 3 4"}, scatter("stablehlo.return %q : tensor<f32>\n"),
                 {"f32 2x2: 3 4 30 40"});
}

// The greatest of a row, and at least what stands outside of the region; two captured values, used in order.
TEST(StablehloByHand, RegionsReadWhatStandsAroundThem) {
  const std::string region =
      "%z = stablehlo.constant dense<0.0> : tensor<f32>\n%r = \"stablehlo.reduce\"(%0, %z) <{dimensions = array<i64: "
      "1>}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n";
  const std::string end = "stablehlo.return %s : tensor<f32>\n}) : (T0, tensor<f32>) -> R0";
  expectComputed({"f32 2x3: 1 2 4 9 8 7", "f32 1: 5"},
                 "%k = stablehlo.reshape %1 : (T1) -> tensor<f32>\n" + region +
                     "%m = stablehlo.maximum %p, %q : tensor<f32>\n%s = stablehlo.maximum %m, %k : tensor<f32>\n" + end,
                 {"f32 2: 5 9"});
  expectComputed({"f32 2x3: 1 2 4 9 8 7", "f32 1: 5", "f32 1: 6"},
                 "%k = stablehlo.reshape %1 : (T1) -> tensor<f32>\n%l = stablehlo.reshape %2 : (T2) -> tensor<f32>\n" +
                     region +
                     "%m = stablehlo.maximum %p, %q : tensor<f32>\n%n = stablehlo.maximum %m, %k : tensor<f32>\n"
                     "%s = stablehlo.minimum %n, %l : tensor<f32>\n" +
                     end,
                 {"f32 2: 5 6"});
}

TEST(StablehloByHand, MapsRunTheirBodyOnEveryElement) {
  const std::string map = "%r = \"stablehlo.map\"(%0, %1) <{dimensions = array<i64: 0, 1>}> ({\n";
  const std::string pair = "^bb0(%x: tensor<f32>, %y: tensor<f32>):\n";
  const std::string ends = "}) : (T0, T1) -> R0";
  const std::vector<std::string> operands = {"f32 2x2: 1 2 3 4", "f32 2x2: 4 3 2 0"};
  expectComputed(operands,
                 map + pair +
                     "%m = stablehlo.multiply %x, %y : tensor<f32>\n%s = stablehlo.add %m, %x : tensor<f32>\n"
                     "stablehlo.return %s : tensor<f32>\n" +
                     ends,
                 {"f32 2x2: 5 8 9 4"});
  expectComputed(
      operands, map + pair + "%m = stablehlo.subtract %x, %y : tensor<f32>\nstablehlo.return %m : tensor<f32>\n" + ends,
      {"f32 2x2: -3 -1 1 4"});
  expectComputed(operands,
                 map + pair + "%m = stablehlo.maximum %x, %y : tensor<f32>\nstablehlo.return %m : tensor<f32>\n" + ends,
                 {"f32 2x2: 4 3 3 4"});
  expectComputed(operands,
                 map + pair +
                     "%c = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
                     "stablehlo.return %c : tensor<i1>\n" +
                     ends,
                 {"i1 2x2: 0 0 1 1"});
  expectComputed({"f32 2: 1 1.1"},
                 "%r = \"stablehlo.map\"(%0) <{dimensions = array<i64: 0>}> ({\n^bb0(%x: tensor<f32>):\n"
                 "%b = stablehlo.bitcast_convert %x : (tensor<f32>) -> tensor<i32>\n"
                 "stablehlo.return %b : tensor<i32>\n}) : (T0) -> R0",
                 {"i32 2: 1065353216 1066192077"});
  expectComputed({"f32 2: 1 2", "f32 2: 4 3", "f32 1: -10"},
                 "%c = stablehlo.reshape %2 : (T2) -> tensor<f32>\n%r = \"stablehlo.map\"(%0, %1) <{dimensions = "
                 "array<i64: 0>}> ({\n" +
                     pair + "%m = stablehlo.add %x, %c : tensor<f32>\nstablehlo.return %m : tensor<f32>\n" + ends,
                 {"f32 2: -9 -8"});
}

TEST(StablehloByHand, SortsCarryTheOtherOperandsAlong) {
  const auto sort = [](const std::string& direction, int dim, const std::string& first, const std::string& second) {
    return "%r:2 = \"stablehlo.sort\"(%0, %1) <{dimension = " + std::to_string(dim) +
           " : i64, is_stable = true}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>, %s: tensor<i32>, %t: "
           "tensor<i32>):\n%c = stablehlo.compare " +
           direction + ", " + first + ", " + second +
           ", FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\nstablehlo.return %c : tensor<i1>\n}) : (T0, T1) -> "
           "(R0, R1)";
  };
  const std::string keys = "f32 2x3: 3 1 2 5 5 4", places = "i32 2x3: 0 1 2 3 4 5";
  expectComputed({keys, places}, sort("LT", 1, "%p", "%q"), {"f32 2x3: 1 2 3 4 5 5", "i32 2x3: 1 2 0 5 3 4"});
  expectComputed({keys, places}, sort("GT", 1, "%p", "%q"), {"f32 2x3: 3 2 1 5 5 4", "i32 2x3: 0 2 1 3 4 5"});
  expectComputed({keys, places}, sort("GT", 0, "%p", "%q"), {"f32 2x3: 5 5 4 3 1 2", "i32 2x3: 3 4 5 0 1 2"});
  // b < a is descending.
  expectComputed({keys, places}, sort("LT", 1, "%q", "%p"), {"f32 2x3: 3 2 1 5 5 4", "i32 2x3: 0 2 1 3 4 5"});
}

TEST(StablehloByHand, StartsAreClampedSoThatTheWindowFits) {
  const std::string x = "f32 5: 1 2 3 4 5";
  const auto slice = [](int64_t start) {
    return "%i = stablehlo.constant dense<" + std::to_string(start) +
           "> : tensor<i32>\n%r = stablehlo.dynamic_slice %0, %i, sizes = [2] : (T0, tensor<i32>) -> R0";
  };
  expectComputed({x}, slice(1), {"f32 2: 2 3"});
  expectComputed({x}, slice(3), {"f32 2: 4 5"});
  expectComputed({x}, slice(4), {"f32 2: 4 5"});
  expectComputed({x}, slice(-3), {"f32 2: 1 2"});
  const auto update = [](int64_t start) {
    return "%i = stablehlo.constant dense<" + std::to_string(start) +
           "> : tensor<i32>\n%r = stablehlo.dynamic_update_slice %0, %1, %i : (T0, T1, tensor<i32>) -> R0";
  };
  expectComputed({x, "f32 2: 8 9"}, update(3), {"f32 5: 1 2 3 8 9"});
  expectComputed({x, "f32 2: 8 9"}, update(4), {"f32 5: 1 2 3 8 9"});
  expectComputed({x, "f32 2: 8 9"}, update(-1), {"f32 5: 8 9 3 4 5"});
}

// 2 - 1 over the root of 3 + 1, times 4, plus 5; the feature is the second dim of three.
// One op makes quantized numbers of reals and of other quantized ones: 5 is 1, 13 is 5 of the first kind.
TEST(StablehloByHand, QuantizedNumbersOfRealsAndOfOthers) {
  const std::string half = "!quant.uniform<i32:f32,0.5:3>", two = "!quant.uniform<i32:f32,2.0>";
  expectComputed({"f32 3: 1 -1 0.75"}, "%r = stablehlo.uniform_quantize %0 : (T0) -> R0", {half + " 3: 5 1 5"});
  expectComputed({half + " 3: 5 13 -5"}, "%r = stablehlo.uniform_quantize %0 : (T0) -> R0", {two + " 3: 0 2 -2"});
  expectComputed({half + " 3: 3 5 0"}, "%r = stablehlo.uniform_dequantize %0 : (T0) -> R0", {"f32 3: 0 1 -1.5"});
}

TEST(StablehloByHand, BatchNormsOfTheNamedDim) {
  const std::string c = "f32 2: ";
  expectComputed({"f32 1x2x2: 2 5 7 7", c + "4 1", c + "5 0", c + "1 7", c + "3 0"},
                 "%r = \"stablehlo.batch_norm_inference\"(%0, %1, %2, %3, %4) <{epsilon = 1.0 : f32, feature_index = 1 "
                 ": i64}> : (T0, T1, T2, T3, T4) -> R0",
                 {"f32 1x2x2: 7 13 0 0"});
}

}  // namespace
}  // namespace tessera::test
