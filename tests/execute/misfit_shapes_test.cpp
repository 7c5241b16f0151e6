// StableHLO's shapes are not checked when it is read: ops whose operands, results and attributes contradict each other
// are neither made smaller nor executed past what is there.

#include "core/execute/interpreter.h"
#include "core/execute/shrink_graph.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

struct Misfit {
  std::string op;                     // of %0, %1 ...
  std::vector<std::string> operands;  // "50x40xf32"
  std::string result;
};

std::string textOf(const Misfit& c) {
  std::string arguments, types;
  for (size_t i = 0; i < c.operands.size(); ++i) {
    const std::string comma = i > 0 ? ", " : "", type = "tensor<" + c.operands[i] + ">";
    arguments += comma + "%" + std::to_string(i) + ": " + type, types += comma + type;
  }
  const std::string result = "tensor<" + c.result + ">";
  return "func.func @main(" + arguments + ") -> " + result + " {\n  %r = " + c.op + " : (" + types + ") -> " + result +
         "\n  return %r : " + result + "\n}\n";
}

// Why the graph is not executed, small or as it is.
std::string refusalOf(const Misfit& c) {
  const Imported imported = importText(textOf(c));
  EXPECT_TRUE(imported.graph) << imported.report();
  if (!imported.graph) return "";
  const ShrunkGraph small = shrinkGraph(*imported.graph);
  const Graph graph = withNeededConstants(small.graph, 1);
  const Execution run = execute(graph, randomInputs(graph, 1));
  return run.status == ExecutionStatus::Done ? "" : run.text;
}

void expectRefused(const std::vector<Misfit>& misfits) {
  for (const Misfit& c : misfits) EXPECT_NE(refusalOf(c), "") << textOf(c);
}

TEST(MisfitShapes, OfMoves) {
  expectRefused({
      {"\"stablehlo.transpose\"(%0) <{permutation = array<i64: 1, 0>}>", {"50x40xf32"}, "50xf32"},
      {"\"stablehlo.transpose\"(%0) <{permutation = array<i64: 1, 9>}>", {"50x40xf32"}, "40x50xf32"},
      {"\"stablehlo.transpose\"(%0) <{permutation = array<i64>, dim0 = 7 : i64}>", {"50x40xf32"}, "40x50x1xf32"},
      {"\"stablehlo.concatenate\"(%0, %1) <{dimension = 0 : i64}>", {"50x40xf32", "50xf32"}, "100x40xf32"},
      {"\"stablehlo.concatenate\"(%0, %1) <{dimension = 5 : i64}>", {"50x40xf32", "50x40xf32"}, "100x40xf32"},
      {"\"stablehlo.slice\"(%0) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 9, 9>}>",
       {"50x40xf32"},
       "9xf32"},
      {"\"stablehlo.pad\"(%0, %1) <{edge_padding_low = array<i64: 1, 1>, edge_padding_high = array<i64: 1, 1>}>",
       {"50xf32", "f32"},
       "52x42xf32"},
      {"\"stablehlo.broadcast_in_dim\"(%0) <{broadcast_dimensions = array<i64: 3>}>", {"50xf32"}, "50x40xf32"},
      {"\"stablehlo.dynamic_slice\"(%0, %1) <{slice_sizes = array<i64: 9, 9>}>", {"50xf32", "i32"}, "9x9xf32"},
      {"\"stablehlo.dynamic_update_slice\"(%0, %1, %2)", {"50x40xf32", "9xf32", "i32"}, "50x40xf32"},
      {"\"stablehlo.dynamic_update_slice\"(%0)", {"50x40xf32"}, "50x40xf32"},
      {"\"stablehlo.gather\"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims "
       "= "
       "[7], start_indices_batching_dims = [8], start_index_map = [0], index_vector_dim = 1>, slice_sizes = "
       "array<i64: 1, 40>}>",
       {"50x40xf32", "9xi32"},
       "9x40xf32"},
      {"\"chlo.top_k\"(%0) <{k = 5 : i64}>", {"f32"}, "f32"},
      {"\"stablehlo.clamp\"(%0, %1, %2)", {"3xf32", "50x40xf32", "f32"}, "50x40xf32"},
      {"\"stablehlo.clamp\"(%0, %1, %2)", {"f32", "50x40xf32", "0xf32"}, "50x40xf32"},
  });
}

TEST(MisfitShapes, OfWindows) {
  const auto window = [](const std::string& settings) {
    return "\"stablehlo.reduce_window\"(%0, %1) <{" + settings +
           "}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n  %s = stablehlo.add %p, %q : tensor<f32>\n"
           "  stablehlo.return %s : tensor<f32>\n})";
  };
  const std::string sizes = "window_dimensions = array<i64: 1, 3>";
  expectRefused({
      {window(sizes + ", window_strides = array<i64: 1, 0>"), {"50x40xf32", "f32"}, "50x38xf32"},
      {window(sizes + ", base_dilations = array<i64: 1, 0>"), {"50x40xf32", "f32"}, "50x38xf32"},
      {window(sizes + ", window_dilations = array<i64: 1, -1>"), {"50x40xf32", "f32"}, "50x38xf32"},
      {window(sizes), {"50x40xf32", "0xf32"}, "50x38xf32"},
      {window(sizes), {"50x40xf32", "f32"}, "50xf32"},
  });
  const auto convolution = [](const std::string& numbers, const std::string& settings) {
    return Misfit{
        "\"stablehlo.convolution\"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = "
        "#stablehlo.conv<" +
            numbers + ">, feature_group_count = 1 : i64" + settings + "}>",
        {"2x8x8x3xf32", "3x3x3x4xf32"},
        "2x6x6x4xf32"};
  };
  const std::string numbers = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]";
  EXPECT_EQ(refusalOf(convolution(numbers, "")), "");
  expectRefused({convolution(numbers, ", window_strides = array<i64: 0, 1>"),
                 convolution(numbers, ", lhs_dilation = array<i64: 0, 1>"),
                 convolution("[b, 0, 0, f]x[0, 1, i, o]->[b, 0, 1, f]", ""),
                 convolution("[b, 0, 1, f]x[0, , i, o]->[b, 0, 1, f]", "")});
}

TEST(MisfitShapes, OfReductions) {
  const std::string reduce =
      "\"stablehlo.reduce\"(%0, %1) <{dimensions = array<i64: 1>}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
      "  %s = stablehlo.add %p, %q : tensor<f32>\n  stablehlo.return %s : tensor<f32>\n})";
  EXPECT_EQ(refusalOf({reduce, {"50x40xf32", "f32"}, "50xf32"}), "");
  expectRefused({{reduce, {"50x40xf32", "0xf32"}, "50xf32"}, {reduce, {"50x40xf32", "2xf32"}, "50xf32"}});
}

// Sizes of ops whose attributes name dims that their tensors do not have.
TEST(MisfitShapes, DimsOutsideOfTheirTensors) {
  const auto problemOf = [](const Misfit& c) {
    const Imported imported = importText(textOf(c));
    EXPECT_TRUE(imported.graph) << imported.report();
    return imported.graph ? shrinkGraph(*imported.graph).problem : "";
  };
  const std::string outside = "a dim is outside of the tensor";
  const auto volume = [](const std::string& height) {
    return Misfit{"\"ttir.conv3d\"(%0, %1) <{channel_dim = 1 : i64, depth_dim = 2 : i64, height_dim = " + height +
                      " : i64, width_dim = 4 : i64, stride = 1 : i32, padding = 0 : i32}>",
                  {"1x3x6x4x5xbf16", "4x3x3x3x3xbf16"},
                  "1x4x4x2x3xbf16"};
  };
  EXPECT_EQ(problemOf(volume("3")), "");
  EXPECT_EQ(problemOf(volume("5")), "ttir.conv3d: " + outside);
  const auto line = [](const std::string& length) {
    return Misfit{"\"ttir.conv1d\"(%0, %1) <{batch_dim = 0 : i64, length_dim = " + length +
                      " : i64, channel_dim = 2 : i64, stride = 1 : i32, padding = 0 : i32}>",
                  {"2x8x3xbf16", "4x3x3xbf16"},
                  "2x6x4xbf16"};
  };
  EXPECT_EQ(problemOf(line("1")), "");
  EXPECT_EQ(problemOf(line("3")), "ttir.conv1d: " + outside);
  const auto rows = [](const std::string& offset) {
    return Misfit{
        "\"ttir.gather\"(%0, %1) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 2 : si64, "
        "offset_dims = array<i64: " +
            offset + ">, slice_sizes = array<i64: 1, 8>, start_index_map = array<i64: 0>}>",
        {"10x8xf32", "3x4xui32"},
        "3x4x8xf32"};
  };
  EXPECT_EQ(problemOf(rows("2")), "");
  EXPECT_EQ(problemOf(rows("3")), "ttir.gather: " + outside);
}

// As it is: made smaller, the result would take the dims of its parts.
TEST(MisfitShapes, PartsWiderThanTheirConcatenation) {
  const Imported imported = importText(
      textOf({"\"stablehlo.concatenate\"(%0, %1) <{dimension = 0 : i64}>", {"4x6xf32", "4x6xf32"}, "8x4xf32"}));
  ASSERT_TRUE(imported.graph) << imported.report();
  const Execution run = execute(*imported.graph, randomInputs(*imported.graph, 1));
  EXPECT_NE(run.status, ExecutionStatus::Done);
  EXPECT_NE(run.text.find("a dim is not the result's"), std::string::npos) << run.text;
}

}  // namespace
}  // namespace tessera::test
