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

// What is cut off would leave nothing, or is more than there is, before the other edge is padded.
TEST(StablehloValues, PadsOfWhatIsCutOffWhole) {
  const auto padded = [](const std::string& low, const std::string& high, const std::string& result) {
    expectSame("%x: tensor<1x3xf32>", "tensor<" + result + "xf32>",
               "%v = stablehlo.constant dense<7.0> : tensor<f32>\n%r = stablehlo.pad %x, %v, low = [" + low +
                   "], high = [" + high + "], interior = [0, 0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<" + result +
                   "xf32>");
  };
  padded("2, -1", "-1, 2", "2x4");
  padded("-1, 0", "3, 1", "3x4");
  padded("-2, 5", "4, -4", "3x4");
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

// Rows of a table: of whole numbers as of floats; with the parts of an index in its first dim; one table per batch,
// where the batch is another dim of the table than of the indices.
TEST(StablehloValues, RowsOfTables) {
  const auto gather = [](const std::string& table, const std::string& indices, const std::string& dims,
                         const std::string& sizes, const std::string& result) {
    return "%r = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<" + dims +
           ">, indices_are_sorted = false, slice_sizes = array<i64: " + sizes + ">}> : (tensor<" + table +
           ">, tensor<" + indices + ">) -> tensor<" + result + ">";
  };
  const std::string rows = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1";
  for (const std::string type : {"i32", "f32"}) {
    expectSame("%x: tensor<5x3x" + type + ">, %i: tensor<4x1xi32>", "tensor<4x3x" + type + ">",
               gather("5x3x" + type, "4x1xi32", rows, "1, 3", "4x3x" + type));
    expectSame("%x: tensor<5x3x" + type + ">, %i: tensor<1x4xi32>", "tensor<3x4x" + type + ">",
               gather("5x3x" + type, "1x4xi32",
                      "offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0",
                      "1, 3", "3x4x" + type));
  }
  expectSame("%x: tensor<5x6x3xf32>, %i: tensor<2x4x7xi32>", "tensor<4x7x3xf32>",
             gather("5x6x3xf32", "2x4x7xi32",
                    "offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0",
                    "1, 1, 3", "4x7x3xf32"));
  expectSame("%x: tensor<5x2x3xf32>, %i: tensor<2x4x1xi32>", "tensor<2x4x3xf32>",
             gather("5x2x3xf32", "2x4x1xi32",
                    "offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], "
                    "start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2",
                    "1, 1, 3", "2x4x3xf32"));
  expectSame("%x: tensor<2x5x3xf32>, %i: tensor<4x2x1xi32>", "tensor<4x2x3xf32>",
             gather("2x5x3xf32", "4x2x1xi32",
                    "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], "
                    "start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2",
                    "1, 1, 3", "4x2x3xf32"));
}

std::string reduceWindow(const std::string& from, const std::string& to, const std::string& window,
                         const std::string& strides, const std::string& padding, const std::string& op,
                         const std::string& start, const std::string& dilations = "") {
  return "%z = stablehlo.constant dense<" + start + "> : tensor<f32>\n" +
         "%r = \"stablehlo.reduce_window\"(%x, %z) <{padding = dense<" + padding + "> : tensor<" +
         std::to_string(std::count(window.begin(), window.end(), ',') + 1) +
         "x2xi64>, window_dimensions = array<i64: " + window + ">, window_strides = array<i64: " + strides +
         (dilations.empty() ? "" : ">, window_dilations = array<i64: " + dilations) +
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

// Over three dims, each with a size, a stride, a padding and a dilation of its own.
TEST(StablehloValues, WindowsOverThreeDims) {
  const std::string least = "0xFF800000";
  expectSame("%x: tensor<1x6x7x8x2xf32>", "tensor<1x3x4x5x2xf32>",
             reduceWindow("1x6x7x8x2", "1x3x4x5x2", "1, 2, 3, 2, 1", "1, 2, 1, 1, 1",
                          "[[0, 0], [0, 0], [0, 1], [0, 0], [0, 0]]", "maximum", least, "1, 1, 2, 3, 1"));
  expectSame("%x: tensor<1x2x6x7x8xf32>", "tensor<1x2x3x4x5xf32>",
             reduceWindow("1x2x6x7x8", "1x2x3x4x5", "1, 1, 2, 3, 2", "1, 1, 2, 1, 1",
                          "[[0, 0], [0, 0], [0, 0], [0, 1], [0, 0]]", "maximum", least, "1, 1, 1, 2, 3"));
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

// As many groups of the batch as there may be, each a convolution of its own; one more is refused.
TEST(StablehloValues, ConvolutionsOfUpTo256GroupsOfTheBatch) {
  for (const int groups : {256, 257}) {
    const std::string x = "tensor<" + std::to_string(groups) + "x1x1x1xf32>";
    const std::string y = "tensor<1x" + std::to_string(groups) + "x1x1xf32>";
    LoweringSetup setup;
    const LoweringResult made = passOn(
        "convert-stablehlo-to-ttir",
        graphOfText(mainWith("%x: " + x, y,
                             "  %r = stablehlo.convolution(%x, %x) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, "
                             "1], window = {} {batch_group_count = " +
                                 std::to_string(groups) + " : i64, feature_group_count = 1 : i64} : (" + x + ", " + x +
                                 ") -> " + y)),
        setup);
    EXPECT_EQ(countOps(made.graph)["ttir.conv2d"], groups == 256 ? 256 : 0);
    ASSERT_EQ(made.logs.at(0).problems.size(), groups == 256 ? 0U : 1U);
    if (groups == 257) {
      EXPECT_EQ(made.logs[0].problems[0].text, "it becomes an opaque op in DRAM: it has too many groups of the batch");
    }
  }
}

// A reduction begins with a value of its own, which TTIR's do not have.
TEST(StablehloValues, ReductionsJoinTheirInitialValue) {
  for (const char* body : {"add", "multiply", "maximum", "minimum"}) {
    for (const char* type : {"f32", "si32", "ui8"}) {
      const std::string vector = "tensor<3x4x" + std::string(type) + ">", one = "tensor<" + std::string(type) + ">";
      const std::string result = "tensor<3x" + std::string(type) + ">";
      const std::string reduce = "%r = stablehlo.reduce(%x init: %v) applies stablehlo." + std::string(body);
      const std::string types = " : (" + vector + ", " + one + ") -> ";
      const std::string known = "%v = stablehlo.constant dense<2" + std::string(type[0] == 'f' ? ".0" : "") + "> : ";
      if (std::string(body) == "multiply" && type[0] != 'f') continue;  // large products wrap round as they may
      expectSame("%x: " + vector, result, known + one + "\n" + reduce + " across dimensions = [1]" + types + result);
      expectSame("%x: " + vector + ", %v: " + one, result, reduce + " across dimensions = [1]" + types + result);
      expectSame("%x: " + vector + ", %v: " + one, vector, reduce + " across dimensions = []" + types + vector);
      expectSame("%x: " + vector + ", %v: " + one, one, reduce + " across dimensions = [0, 1]" + types + one);
    }
  }
  for (const char* body : {"and", "or"}) {
    expectSame("%x: tensor<3x4xi1>, %v: tensor<i1>", "tensor<3xi1>",
               "%r = stablehlo.reduce(%x init: %v) applies stablehlo." + std::string(body) +
                   " across dimensions = [1] : (tensor<3x4xi1>, tensor<i1>) -> tensor<3xi1>");
  }
}

// A neutral value adds no op.
TEST(StablehloValues, ReductionsWithANeutralValueAreOneOp) {
  const std::pair<const char*, const char*> neutral[] = {{"add", "dense<0.0>"},
                                                         {"multiply", "dense<1.0>"},
                                                         {"maximum", "dense<0xFF800000>"},
                                                         {"minimum", "dense<0x7F800000>"}};
  for (const auto& [body, value] : neutral) {
    Graph converted;
    const std::string text = "%v = stablehlo.constant " + std::string(value) +
                             " : tensor<f32>\n%r = stablehlo.reduce(%x init: %v) applies "
                             "stablehlo." +
                             body + " across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>";
    EXPECT_EQ(wrongAfterConversion(mainWith("%x: tensor<3x4xf32>", "tensor<3xf32>", text), converted), "");
    int made = 0;
    for (OpId op : converted.funcs[converted.forward].ops) {
      const OpKind kind = converted.ops[op].kind;
      made += kind != OpKind::TtirConstant && kind != OpKind::TtirFull && kind != OpKind::FuncReturn;
    }
    EXPECT_EQ(made, 1) << body;
  }
}

// StableHLO's remainder has the sign of the dividend, TTIR's that of the divisor.
TEST(StablehloValues, RemaindersOfEitherSign) {
  for (const char* op : {"stablehlo.remainder", "chlo.broadcast_remainder"}) {
    for (const char* type : {"f32", "i32"}) {
      const std::string all = "tensor<4x5x" + std::string(type) + ">";
      const std::string form =
          std::string(op) == "stablehlo.remainder" ? " : " + all : " : (" + all + ", " + all + ") -> " + all;
      expectSame("%x: " + all + ", %y: " + all, all,
                 "%m = stablehlo.negate %y : " + all + "\n%r = " + op + " %x, %m" + form);
      expectSame("%x: " + all + ", %y: " + all, all,
                 "%m = stablehlo.negate %x : " + all + "\n%r = " + op + " %m, %y" + form);
    }
  }
  Graph converted;
  const std::string counts =
      "%n = stablehlo.iota dim = 0 : tensor<8xi32>\n%c = stablehlo.constant dense<3> : tensor<8xi32>\n"
      "%m = stablehlo.remainder %n, %c : tensor<8xi32>\n%r = stablehlo.add %m, %x : tensor<8xi32>";
  EXPECT_EQ(wrongAfterConversion(mainWith("%x: tensor<8xi32>", "tensor<8xi32>", counts), converted), "");
  for (OpId op : converted.funcs[converted.forward].ops) EXPECT_NE(converted.ops[op].kind, OpKind::TtirSign);
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
