// StableHLO ops with sides, dims and places that differ, before and after their conversion: the same numbers.

#include "tests/lowering/converted_stablehlo.h"

namespace tessera::test {
namespace {

void expectSame(const std::string& arguments, const std::string& result, const std::string& body) {
  Graph converted;
  EXPECT_EQ(wrongAfterConversion(mainWith(arguments, result, body), converted), "") << body;
}

TEST(StablehloValues, Products) {
  expectSame("%a: tensor<3x4xf32>, %b: tensor<4x5xf32>", "tensor<3x5xf32>",
             "%r = stablehlo.dot %a, %b : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>");
  expectSame("%a: tensor<3x4xf32>, %b: tensor<4xf32>", "tensor<3xf32>",
             "%r = stablehlo.dot %a, %b : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>");
  expectSame("%a: tensor<2x3x4xf32>, %b: tensor<5x4x2xf32>", "tensor<2x3x5xf32>",
             "%r = stablehlo.dot_general %a, %b, batching_dims = [0] x [2], contracting_dims = [2] x [1] : "
             "(tensor<2x3x4xf32>, tensor<5x4x2xf32>) -> tensor<2x3x5xf32>");
}

TEST(StablehloValues, SlicesAtPlacesThatAreKnownLate) {
  expectSame("%x: tensor<8x9xf32>, %i: tensor<i32>, %j: tensor<i32>", "tensor<2x3xf32>",
             "%r = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 3] : (tensor<8x9xf32>, tensor<i32>, tensor<i32>) "
             "-> tensor<2x3xf32>");
  expectSame("%x: tensor<8x9xf32>", "tensor<3x2xf32>",
             "%r = stablehlo.slice %x [1:7:2, 2:8:3] : (tensor<8x9xf32>) -> tensor<3x2xf32>");
}

TEST(StablehloValues, ViewsPadsAndJoins) {
  expectSame("%x: tensor<2x3x4xf32>", "tensor<4x2x3xf32>",
             "%r = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>");
  expectSame(
      "%x: tensor<2x3xf32>", "tensor<6x5xf32>",
      "%v = stablehlo.constant dense<7.0> : tensor<f32>\n%r = stablehlo.pad %x, %v, low = [3, 0], high = [1, 2], "
      "interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<6x5xf32>");
  expectSame("%x: tensor<2x3xf32>, %y: tensor<2x5xf32>", "tensor<2x8xf32>",
             "%r = stablehlo.concatenate %x, %y, dim = 1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>");
  expectSame("%x: tensor<2x3xf32>", "tensor<2x3xf32>", "%r = stablehlo.reverse %x, dims = [1] : tensor<2x3xf32>");
  expectSame("%x: tensor<3xf32>", "tensor<3x4xf32>",
             "%r = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>");
}

// One window, at a place that a list of indices names: a vector, a row, a column of them.
TEST(StablehloValues, GathersOfOneWindow) {
  auto gather = [](const std::string& indices, const std::string& offsets, int vectorDim, const std::string& result) {
    return "%r = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [" + offsets +
           "], start_index_map = [0, 1], index_vector_dim = " + std::to_string(vectorDim) +
           ">, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<8x9xf32>, tensor<" + indices +
           "xi32>) -> tensor<" + result + "xf32>";
  };
  expectSame("%x: tensor<8x9xf32>, %i: tensor<2xi32>", "tensor<2x3xf32>", gather("2", "0, 1", 0, "2x3"));
}

std::string reduceWindow(const std::string& from, const std::string& to, const std::string& window,
                         const std::string& strides, const std::string& padding, const std::string& op,
                         const std::string& start) {
  return "%z = stablehlo.constant dense<" + start + "> : tensor<f32>\n" +
         "%r = \"stablehlo.reduce_window\"(%x, %z) <{padding = dense<" + padding + "> : tensor<" +
         std::to_string(std::count(window.begin(), window.end(), ',') + 1) +
         "x2xi64>, window_dimensions = array<i64: " + window + ">, window_strides = array<i64: " + strides +
         ">}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n" + "  %s = stablehlo." + op +
         " %p, %q : tensor<f32>\n  stablehlo.return %s : tensor<f32>\n}) : (tensor<" + from +
         "xf32>, tensor<f32>) -> tensor<" + to + "xf32>";
}

// Four sides with paddings of their own, in both orders of dims.
TEST(StablehloValues, WindowsPadEverySideOfTheirOwn) {
  const std::string least = "0xFF800000";
  expectSame("%x: tensor<1x2x6x7xf32>", "tensor<1x2x3x4xf32>",
             reduceWindow("1x2x6x7", "1x2x3x4", "1, 1, 2, 3", "1, 1, 2, 2", "[[0, 0], [0, 0], [0, 0], [1, 1]]",
                          "maximum", least));
  expectSame("%x: tensor<1x6x7x2xf32>", "tensor<1x3x4x2xf32>",
             reduceWindow("1x6x7x2", "1x3x4x2", "1, 3, 3, 1", "1, 2, 2, 1", "[[0, 0], [1, 0], [0, 2], [0, 0]]",
                          "maximum", least));
  expectSame("%x: tensor<1x6x7x2xf32>", "tensor<1x3x4x2xf32>",
             reduceWindow("1x6x7x2", "1x3x4x2", "1, 3, 3, 1", "1, 2, 2, 1", "[[0, 0], [0, 1], [1, 1], [0, 0]]",
                          "maximum", least));
}

// A running sum keeps the shape; a window that does not is none.
TEST(StablehloValues, RunningSumsKeepTheShape) {
  Graph converted;
  EXPECT_EQ(wrongAfterConversion(mainWith("%x: tensor<2x5xf32>", "tensor<2x5xf32>",
                                          reduceWindow("2x5", "2x5", "1, 5", "1, 1", "[[0, 0], [4, 0]]", "add", "0.0")),
                                 converted),
            "");
  EXPECT_EQ(countOps(converted)["ttir.cumsum"], 1);
  EXPECT_EQ(wrongAfterConversion(mainWith("%x: tensor<2x5xf32>", "tensor<2x6xf32>",
                                          reduceWindow("2x5", "2x6", "1, 5", "1, 1", "[[0, 0], [4, 1]]", "add", "0.0")),
                                 converted),
            "");
  EXPECT_EQ(countOps(converted)["ttir.cumsum"], 0);
}

// Chips exchange along any dim, the first one too.
TEST(StablehloValues, CollectivesAlongTheFirstDim) {
  const std::string groups =
      "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = "
      "#stablehlo.channel_handle<handle = 1, type = 1>";
  for (int dim : {0, 1}) {
    const std::string to = dim == 0 ? "tensor<8x6xf32>" : "tensor<4x12xf32>";
    LoweringSetup setup;
    const LoweringResult made =
        passOn("convert-stablehlo-to-ttir",
               graphOfText(mainWith("%x: tensor<4x6xf32>", to,
                                    "%r = \"stablehlo.all_gather\"(%x) <{all_gather_dim = " + std::to_string(dim) +
                                        " : i64, " + groups + "}> : (tensor<4x6xf32>) -> " + to)),
               setup);
    for (const PassLogNote& note : made.logs[0].problems) ADD_FAILURE() << note.text;
    EXPECT_EQ(countOps(made.graph)["ttir.all_gather"], 1);
  }
}

// The number of a branch is compared with constants of the index' type, as it is spelled.
TEST(StablehloValues, BranchesAreChosenByConstantsOfTheIndexsType) {
  for (const std::string type : {"tensor<i32>", "tensor<ui8>", "tensor<i64>"}) {
    const std::string x = "tensor<4xf32>";
    const Graph graph =
        graphOfText(mainWith("%a: " + x + ", %i: " + type, x,
                             "  %r = \"stablehlo.case\"(%i) ({\n  stablehlo.return %a : " + x +
                                 "\n  }, {\n  %n = stablehlo.negate %a : " + x + "\n  stablehlo.return %n : " + x +
                                 "\n  }, {\n  %e = stablehlo.exponential %a : " + x + "\n  stablehlo.return %e : " + x +
                                 "\n  }) : (" + type + ") -> " + x));
    LoweringSetup setup;
    const Graph flat = passOn("inline", graph, setup).graph;
    int constants = 0;
    for (const Op& op : flat.ops) {
      if (op.kind != OpKind::ShloConstant || !op.func.valid()) continue;
      ++constants;
      const std::string text = findAttr(op, "value")->text;
      EXPECT_EQ(text.substr(text.find(" : ") + 3), type);
    }
    EXPECT_EQ(constants, 2) << type;
    for (uint64_t seed = 1; seed <= 4; ++seed) EXPECT_TRUE(compareGraphs(graph, flat, seed, 0).equal()) << type;
  }
}

}  // namespace
}  // namespace tessera::test
