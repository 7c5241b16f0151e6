// Patterns in all their forms: which ops are left, and the same numbers.

#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

struct Pattern {
  std::string_view pass;
  std::string arguments, result, body, left;  // left: ops without dialect
};

void expectPattern(const Pattern& one) {
  const std::string text = "func.func @main(" + one.arguments + ") -> " + one.result + " {\n" + one.body +
                           "\n  return %r : " + one.result + "\n}\n";
  SCOPED_TRACE(text);
  LoweringSetup setup;
  setup.options.specificationRules = false;  // the compiler's patterns, which are more
  const Graph graph = graphOfText(text);
  const LoweringResult result = passOn(one.pass, graph, setup);
  const ComparisonVerdict verdict = compareGraphs(graph, result.graph, 5, 1e-4);
  EXPECT_TRUE(verdict.equal()) << verdict.text << "\n" << exportMlir(result.graph);
  std::string left;
  for (OpId op : result.graph.funcs[result.graph.forward].ops) {
    const std::string& name = result.graph.ops[op].name;
    left += (left.empty() ? "" : " ") + name.substr(name.find('.') + 1);
  }
  EXPECT_EQ(left, one.left) << exportMlir(result.graph);
}

// Places are counted from the end where they are negative, and end with the dim.
TEST(Patterns, AnIndexIsASlice) {
  struct Index {
    const char *begin, *end;
    std::vector<int64_t> begins, ends;
  };
  for (const Index& one : {Index{"-3", "5", {0, 2}, {2, 5}}, Index{"1", "-1", {0, 1}, {2, 4}}}) {
    LoweringSetup setup;
    const LoweringResult result =
        passOn("ttir-to-ttir-decomposition",
               graphOfText("func.func @main(%a: tensor<2x5xf32>) -> tensor<2x3xf32> {\n  %r = \"ttir.index\"(%a) "
                           "<{begin = " +
                           std::string(one.begin) + " : i32, dim = 1 : i32, end = " + one.end +
                           " : i32, step = 1 : i32}> : (tensor<2x5xf32>) -> tensor<2x3xf32>\n  return %r : "
                           "tensor<2x3xf32>\n}\n"),
               setup);
    const Op& made = result.graph.ops[result.graph.funcs[result.graph.forward].ops[0]];
    ASSERT_EQ(made.name, "ttir.slice_static");
    EXPECT_EQ(findAttr(made, "begins")->ints, one.begins);
    EXPECT_EQ(findAttr(made, "ends")->ints, one.ends);
  }
}

// A new dim before a dim repeats the whole of it, one behind it each of its entries.
TEST(Patterns, BroadcastsThatJoinADimRepeatItOrItsEntries) {
  for (const auto& [apart, wide, factors, left] :
       {std::array<const char*, 4>{"2x1x3", "2x4x3", "1, 4, 1", "repeat_interleave return"},
        std::array<const char*, 4>{"1x2x3", "4x2x3", "4, 1, 1", "repeat return"}}) {
    const std::string from = "tensor<2x3xf32>", a = "tensor<" + std::string(apart) + "xf32>",
                      b = "tensor<" + std::string(wide) + "xf32>", to = "tensor<8x3xf32>";
    std::string dims = apart;
    std::replace(dims.begin(), dims.end(), 'x', ',');
    std::string shape;
    for (char c : dims) shape += c == ',' ? std::string(" : i32, ") : std::string(1, c);
    expectPattern({"ttir-fusing", "%a: " + from, to,
                   "  %0 = \"ttir.reshape\"(%a) <{shape = [" + shape + " : i32]}> : (" + from + ") -> " + a +
                       "\n  %1 = \"ttir.broadcast\"(%0) <{broadcast_dimensions = array<i64: " + factors + ">}> : (" +
                       a + ") -> " + b + "\n  %r = \"ttir.reshape\"(%1) <{shape = [8 : i32, 3 : i32]}> : (" + b +
                       ") -> " + to,
                   left});
  }
}

// Batches that were merged for a product and split behind it; not when they are others than the result's.
TEST(Patterns, MergedBatchesOfAProductComeApartAgain) {
  const auto body = [](const std::string& second) {
    return "  %0 = \"ttir.reshape\"(%a) <{shape = [6 : i32, 4 : i32, 5 : i32]}> : (tensor<2x3x4x5xf32>) -> "
           "tensor<6x4x5xf32>\n"
           "  %1 = \"ttir.reshape\"(%b) <{shape = [6 : i32, 5 : i32, 7 : i32]}> : (" +
           second +
           ") -> tensor<6x5x7xf32>\n"
           "  %2 = \"ttir.matmul\"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<6x4x5xf32>, "
           "tensor<6x5x7xf32>) -> tensor<6x4x7xf32>\n"
           "  %r = \"ttir.reshape\"(%2) <{shape = [2 : i32, 3 : i32, 4 : i32, 7 : i32]}> : (tensor<6x4x7xf32>) -> "
           "tensor<2x3x4x7xf32>";
  };
  for (const auto& [second, left] : {std::pair("tensor<2x3x5x7xf32>", "matmul return"),
                                     std::pair("tensor<3x2x5x7xf32>", "reshape reshape matmul reshape return")})
    expectPattern({"canonicalize", "%a: tensor<2x3x4x5xf32>, %b: " + std::string(second), "tensor<2x3x4x7xf32>",
                   body(second), left});
}

// Rows or columns of a product, whichever way its operands lie.
TEST(Patterns, PartsOfAProductAreProductsOfParts) {
  for (int form = 0; form < 8; ++form) {
    const bool turnedA = form & 1, turnedB = form & 2, rows = form & 4;
    const std::string a = turnedA ? "tensor<5x6xf32>" : "tensor<6x5xf32>",
                      b = turnedB ? "tensor<7x5xf32>" : "tensor<5x7xf32>",
                      to = rows ? "tensor<3x7xf32>" : "tensor<6x4xf32>";
    const auto word = [](bool yes) { return std::string(yes ? "true" : "false"); };
    expectPattern({"ttir-fusing", "%a: " + a + ", %b: " + b, to,
                   "  %0 = \"ttir.matmul\"(%a, %b) <{transpose_a = " + word(turnedA) +
                       ", transpose_b = " + word(turnedB) + "}> : (" + a + ", " + b +
                       ") -> tensor<6x7xf32>\n  %r = \"ttir.slice_static\"(%0) <{begins = " +
                       (rows ? "[2 : i32, 0 : i32], ends = [5 : i32, 7 : i32]"
                             : "[0 : i32, 1 : i32], ends = [6 : i32, 5 : i32]") +
                       ", step = [1 : i32, 1 : i32]}> : (tensor<6x7xf32>) -> " + to,
                   "slice_static matmul return"});
  }
}

// Counts of filled places that go up by different numbers stay apart, and so do those of different types.
TEST(Patterns, OnlyPositionsThatGoUpAlikeAreOne) {
  const auto readersOfSecond = [](const std::string& step, const std::string& type) {
    const std::string cache = "tensor<1x8x16x128xbf16>", row = "tensor<1x8x1x128xbf16>", one = "tensor<1xi32>";
    const std::string second = "tensor<1x" + type + ">";
    const std::string update = "  \"ttir.update_cache\"(%cache, %row, ";
    LoweringSetup setup;
    const LoweringResult result = passOn(
        "ttir-consolidate-static-cache-updates",
        graphOfText("func.func @main(%first: " + one + ", %second: " + second + ", %cache: " + cache +
                    ", %row: " + row + ") -> (" + one + ", " + second +
                    ") {\n  %n = \"ttir.full\"() <{fill_value = 1 : i32, shape = " + "array<i32: 1>}> : () -> " + one +
                    "\n  %m = \"ttir.full\"() <{fill_value = " + step + " : i32, shape = array<i32: 1>}> : () -> " +
                    second + "\n  %0 = \"ttir.add\"(%first, %n) : (" + one + ", " + one + ") -> " + one +
                    "\n  %1 = \"ttir.add\"(%second, %m) : (" + second + ", " + second + ") -> " + second + "\n" +
                    update + "%first) <{batch_offset = 0 : i32}> : (" + cache + ", " + row + ", " + one + ") -> ()\n" +
                    update + "%second) <{batch_offset = 0 : i32}> : (" + cache + ", " + row + ", " + second +
                    ") -> ()\n  return %0, %1 : " + one + ", " + second + "\n}\n"),
        setup);
    int readers = 0;
    const Graph& graph = result.graph;
    for (OpId op : graph.funcs[graph.forward].ops)
      for (ValueId operand : graph.ops[op].operands) readers += graph.values[operand].name == "second";
    return readers;
  };
  EXPECT_EQ(readersOfSecond("1", "i32"), 4);
  EXPECT_EQ(readersOfSecond("2", "i32"), 2);
  EXPECT_EQ(readersOfSecond("1", "i64"), 2);
}

}  // namespace
}  // namespace tessera::test
