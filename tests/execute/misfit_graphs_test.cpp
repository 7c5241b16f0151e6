// Graphs that are not whole, and the rare ends of those that are: what is drawn for them, how they are compared, what
// their ops say of sizes. Ops are put together without a check of their shapes.

#include <algorithm>

#include "tests/compare_graphs.h"
#include "tests/execute/loose_graph.h"
#include "tests/execute/related_sizes.h"

namespace tessera::test {
namespace {

// --- what is drawn, and what is compared ---

TEST(MisfitGraphs, PositiveNumbersAreAskedForThroughEightFunctions) {
  const auto least = [](int functions) {
    const std::string t = "tensor<64xf32>";
    std::string text;
    for (int i = 0; i <= functions; ++i) {
      const std::string name = i == 0 ? "func.func @main" : "func.func private @f" + std::to_string(i);
      text += name + "(%x: " + t + ") -> " + t + " {\n  %r = " +
              (i < functions ? "func.call @f" + std::to_string(i + 1) + "(%x) : (" + t + ") -> " + t
                             : "stablehlo.sqrt %x : " + t) +
              "\n  return %r : " + t + "\n}\n";
    }
    const std::vector<float> drawn = randomInputs(readProgram(text), 1).at(0).f;
    return *std::min_element(drawn.begin(), drawn.end());
  };
  EXPECT_GE(least(1), 0.25f);
  EXPECT_GE(least(7), 0.25f);
  EXPECT_LT(least(12), 0.0f);  // no deeper
}

TEST(MisfitGraphs, PlacesInWhatIsNoTensor) {
  const auto most = [](const LooseOp& row, size_t which) {
    LooseGraph g;
    g.main(row);
    const std::vector<int64_t> drawn = randomInputs(g.graph, 1).at(which).i;
    return *std::max_element(drawn.begin(), drawn.end());
  };
  EXPECT_GT(most({"ttnn.embedding", {"#64", "@"}, {"64x2"}, ""}, 0), 49);
  EXPECT_GT(most({"ttir.update_cache", {"@", "1x3x1x8", "#64"}, {"2x3x4x8"}, ""}, 2), 49);
  const LooseOp paged = {"ttir.paged_update_cache", {"5x1x4x8", "1x3x1x8", "#64", "@", "#32x2"}, {"5x1x4x8"}, ""};
  EXPECT_EQ(most(paged, 2), 7);  // rows of two pages
  EXPECT_EQ(most(paged, 4), 4);
  LooseGraph huge;
  huge.main({"ttir.abs", {"4294967296x4294967296"}, {"2"}, ""});
  EXPECT_EQ(randomInputs(huge.graph, 1).at(0).size(), 0u);
  EXPECT_EQ(huge.run().text, "argument %a has too many elements");
}

TEST(MisfitGraphs, AConstantThatSaysNoTypeIsNotDrawn) {
  const auto value = [](const std::string& text) {
    LooseGraph g;
    const FuncId func = g.function("main", {});
    const OpId constant = g.add(func, "stablehlo.constant", {}, {"8"}, "value={" + text + "}");
    g.giveBack(func, {g.value(g.add(func, "stablehlo.sqrt", {g.value(constant)}, {"8"}))});
    return findAttr(withNeededConstants(g.graph, 1).ops[constant], "value")->text;
  };
  EXPECT_EQ(value("dense_resource<w>"), "dense_resource<w>");
  EXPECT_EQ(value("dense_resource<w> : tensor<8xf32>").substr(0, 7), "dense<[");
}

ComparisonVerdict verdictOf(const std::string& before, const std::string& after, uint64_t seed = 1) {
  return compareGraphs(readProgram(before), readProgram(after), seed, 1e-3);
}

std::string constantsProgram(const std::string& body, const std::string& types) {
  return "func.func @main() -> (" + types + ") {\n" + body + " : " + types + "\n}\n";
}

// One unit of a real number is no rounding, even where the number was an integer before.
TEST(MisfitGraphs, OnlyIntegersMayBeTheNext) {
  const std::string whole = "tensor<3xi32>", real = "tensor<3xf32>";
  const std::string rounded =
      constantsProgram("  %c = stablehlo.constant dense<[0.25, 1.25, 2.25]> : " + real +
                           "\n  %r = stablehlo.convert %c : (" + real + ") -> " + whole + "\n  return %r",
                       whole);
  const auto after = [&](const std::string& numbers, const std::string& type) {
    return verdictOf(
        rounded,
        constantsProgram("  %c = stablehlo.constant dense<" + numbers + "> : " + type + "\n  return %c", type));
  };
  EXPECT_TRUE(after("[1, 1, 2]", whole).equal());
  EXPECT_TRUE(after("[0.0, 1.0, 2.0]", real).equal());
  EXPECT_EQ(after("[1.0, 1.0, 2.0]", real).comparison, Comparison::Different);
}

// Neighbours of these reals are a tenth apart, moved or not. Of 200 numbers two may be the next.
TEST(MisfitGraphs, DequantizedNumbersMayBeTheNext) {
  const std::string reals = "tensor<2x100xf32>", other = "tensor<100x2xf32>",
                    stored = "tensor<2x100x!quant.uniform<i8:f32, 1.000000e-01:3>>";
  const auto numbers = [](const std::string& first, const std::string& second, const std::string& third) {
    std::string rows;
    for (int row = 0; row < 100; ++row)
      rows += (row > 0 ? ", [" : "[") +
              (row == 0   ? first
               : row == 2 ? third
                          : "0.5") +
              ", " + (row == 1 ? second : "0.5") + "]";
    return "[" + rows + "]";
  };
  const std::string moved = "\"ttir.reshape\"(%d) <{shape = [100 : i32, 2 : i32]}> : (" + reals + ") -> " + other;
  const auto after = [&](const std::string& last, const std::string& list) {
    const std::string before = "  %c = stablehlo.constant dense<0.5> : " + reals +
                               "\n  %q = stablehlo.uniform_quantize %c : (" + reals + ") -> " + stored +
                               "\n  %d = stablehlo.uniform_dequantize %q : (" + stored + ") -> " + reals +
                               "\n  %m = " + moved + last + "\n  return %r";
    const std::string constant = "  %c = stablehlo.constant dense<" + list + "> : " + other + "\n  return %c";
    return verdictOf(constantsProgram(before, other), constantsProgram(constant, other)).comparison;
  };
  const std::string kept = "\n  %r = \"ttir.typecast\"(%m) : (" + other + ") -> " + other,
                    computed = "\n  %r = \"ttir.abs\"(%m) : (" + other + ") -> " + other;
  EXPECT_EQ(after(kept, numbers("0.5", "0.5", "0.5")), Comparison::Equal);
  EXPECT_EQ(after(kept, numbers("0.6", "0.4", "0.5")), Comparison::Equal);
  EXPECT_EQ(after(kept, numbers("0.6", "0.6", "0.6")), Comparison::Different);
  EXPECT_EQ(after(kept, numbers("0.7", "0.5", "0.5")), Comparison::Different);
  EXPECT_EQ(after(computed, numbers("0.5", "0.5", "0.5")), Comparison::Equal);
  EXPECT_EQ(after(computed, numbers("0.6", "0.5", "0.5")), Comparison::Different);
}

// Where the largest of nearly equal reals stands: one place of a hundred may be another, none where there are fewer.
TEST(MisfitGraphs, PlacesAmongRealsMayDiffer) {
  const auto after = [](int64_t rows, const std::string& element, int64_t others) {
    const std::string from = "tensor<" + std::to_string(rows) + "x8x" + element + ">",
                      to = "tensor<" + std::to_string(rows) + "xi32>";
    const std::string zero = element == "f32" ? "0.0" : "0";
    const std::string before = "  %c = stablehlo.constant dense<" + zero + "> : " + from +
                               "\n  %r = \"ttir.argmax\"(%c) <{dim_arg = [1 : i32], keep_dim = false}> : (" + from +
                               ") -> " + to + "\n  return %r";
    std::string list;
    for (int64_t row = 0; row < rows; ++row) list += (row > 0 ? ", " : "[") + std::string(row < others ? "7" : "0");
    const std::string constant = "  %c = stablehlo.constant dense<" + list + "]> : " + to + "\n  return %c";
    return verdictOf(constantsProgram(before, to), constantsProgram(constant, to)).comparison;
  };
  EXPECT_EQ(after(200, "f32", 2), Comparison::Equal);
  EXPECT_EQ(after(200, "f32", 3), Comparison::Different);
  EXPECT_EQ(after(99, "f32", 1), Comparison::Different);
  EXPECT_EQ(after(200, "i32", 1), Comparison::Different);
}

TEST(MisfitGraphs, PlacesOfAPoolMayDiffer) {
  const std::string from = "tensor<1x10x20x1xf32>", to = "tensor<1x10x20x1xi32>";
  const auto after = [&](int64_t others) {
    const std::string before =
        "  %c = stablehlo.constant dense<0.0> : " + from +
        "\n  %v, %r = \"ttir.max_pool2d_with_indices\"(%c) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = "
        "array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (" +
        from + ") -> (" + from + ", " + to + ")\n  return %r";
    std::string list;
    for (int64_t place = 0; place < 200; ++place)
      list += std::string(place % 20 > 0 ? ", ["
                          : place > 0    ? "], [["
                                         : "[[[") +
              std::to_string(place < others ? 199 : place) + "]";
    const std::string constant = "  %c = stablehlo.constant dense<[" + list + "]]]> : " + to + "\n  return %c";
    return verdictOf(constantsProgram(before, to), constantsProgram(constant, to)).comparison;
  };
  EXPECT_EQ(after(2), Comparison::Equal);
  EXPECT_EQ(after(3), Comparison::Different);
}

// What differs is told before what could not be compared, wherever it stands.
TEST(MisfitGraphs, ADifferenceCountsMoreThanNoNumber) {
  const std::string t = "tensor<2xf32>";
  const auto program = [&](const std::string& plain, const std::string& logged, const std::string& returned) {
    return constantsProgram("  %a = stablehlo.constant dense<" + plain + "> : " + t + "\n  %c = stablehlo.constant " +
                                "dense<" + logged + "> : " + t + "\n  %b = stablehlo.log %c : " + t + "\n  return " +
                                returned,
                            t + ", " + t);
  };
  for (const char* returned : {"%a, %b", "%b, %a"}) {
    const ComparisonVerdict verdict =
        verdictOf(program("[1.0, 2.0]", "-1.0", returned), program("[1.0, 3.0]", "1.0", returned));
    const int32_t place = returned[1] == 'a' ? 0 : 1;
    EXPECT_EQ(verdict.comparison, Comparison::Different) << returned;
    EXPECT_EQ(verdict.result, place) << returned;
    EXPECT_EQ(verdict.text.substr(0, 17), "result " + std::to_string(place) + " differs:") << returned;
  }
}

TEST(MisfitGraphs, InputsAreMadeSmallerFourTimes) {
  const std::string t = "tensor<64x64xf32>";
  const auto program = [&](const std::string& second) {
    return "func.func @main(%x: " + t + ") -> (" + t + ", " + t + ") {\n  %k = stablehlo.constant dense<1.0e5> : " + t +
           "\n  %m = stablehlo.multiply %x, %k : " + t + "\n  %e = stablehlo.exponential %m : " + t +
           "\n  %y = stablehlo." + second + " %x : " + t + "\n  return %e, %y : " + t + ", " + t + "\n}\n";
  };
  // Each time fewer numbers overflow, and some always do. The difference is twice the number.
  const ComparisonVerdict verdict = verdictOf(program("negate"), program("abs"));
  EXPECT_EQ(verdict.comparison, Comparison::Different);
  EXPECT_LE(verdict.maxAbs, 2.0 / 256);
  EXPECT_GT(verdict.maxAbs, 1.8 / 256);
}

// A loop that ends for the numbers drawn, and never for smaller ones.
TEST(MisfitGraphs, InputsStayWhereSmallerOnesCannotBeExecuted) {
  const std::string t = "tensor<f32>";
  const auto program = [&](const std::string& last) {
    return "func.func @main(%x: " + t + ") -> (" + t + ", " + t + ", " + t + ") {\n  %q = stablehlo.sqrt %x : " + t +
           "\n  %k = stablehlo.constant dense<1000.0> : " + t + "\n  %m = stablehlo.multiply %x, %k : " + t +
           "\n  %e = stablehlo.exponential %m : " + t + "\n  %l = stablehlo.while(%s = %x) : " + t +
           "\n   cond {\n    %f = stablehlo.constant dense<0.25> : " + t +
           "\n    %c = stablehlo.compare LT, %s, %f : (" + t + ", " + t + ") -> tensor<i1>\n" +
           "    stablehlo.return %c : tensor<i1>\n  } do {\n    stablehlo.return %s : " + t +
           "\n  }\n  %y = stablehlo." + last + " %q : " + t + "\n  return %e, %l, %y : " + t + ", " + t + ", " + t +
           "\n}\n";
  };
  uint64_t seed = 1;
  while (randomInputs(readProgram(program("abs")), seed).at(0).f.at(0) > 0.9f) ++seed;
  const ComparisonVerdict verdict = verdictOf(program("abs"), program("round_nearest_even"), seed);
  EXPECT_EQ(verdict.comparison, Comparison::Different) << verdict.text;  // both were executed
  EXPECT_EQ(verdict.result, 2);
}

TEST(MisfitGraphs, GraphsWithoutAFunctionAreCompared) {
  const Graph none;
  LooseGraph whole, begun, other;
  whole.main({"ttir.abs", {"2x3"}, {"2x3"}, ""});
  begun.graph.forward = begun.function("main", {});
  const auto text = [](const Graph& before, const Graph& after) { return compareGraphs(before, after, 1, 0).text; };
  EXPECT_EQ(text(none, whole.graph), "before: the graph has no function to execute");
  EXPECT_EQ(text(whole.graph, none), "after: the graph has no function to execute");
  EXPECT_EQ(text(begun.graph, whole.graph), "before: @main does not return");
  // An argument that is no tensor any more.
  LooseGraph takes, takesNone;
  takes.giveBack(takes.graph.forward = takes.function("main", {"2x3"}), {});
  takesNone.giveBack(takesNone.graph.forward = takesNone.function("main", {"@"}), {});
  const ComparisonVerdict verdict = compareGraphs(takes.graph, takesNone.graph, 1, 0);
  EXPECT_EQ(verdict.comparison, Comparison::Different);
  EXPECT_EQ(verdict.text, "argument 0 at the end is 2x3 before and scalar after");
}

// A device goes through a call as an argument and as a result.
TEST(MisfitGraphs, CallsPassOnWhatIsNoTensor) {
  const std::string t = "tensor<4xf32>", d = "!ttnn.device";
  const std::string main = "func.func @main(%x: " + t + ") -> " + t + " {\n  %d = \"ttnn.get_device\"() : () -> " + d +
                           "\n  %r:2 = func.call @f(%d, %x) : (" + d + ", " + t + ") -> (" + t + ", " + d +
                           ")\n  %y = \"ttnn.relu\"(%r#0) : (" + t + ") -> " + t + "\n  return %y : " + t +
                           "\n}\nfunc.func private @f(%d: " + d + ", %x: " + t + ") -> (" + t + ", " + d + ") {\n";
  const auto program = [&](const std::string& op) {
    return main + "  %y = \"ttnn." + op + "\"(%x) : (" + t + ") -> " + t + "\n  return %y, %d : " + t + ", " + d +
           "\n}\n";
  };
  EXPECT_TRUE(verdictOf(program("abs"), program("neg"), 3).comparison == Comparison::Different);
  EXPECT_TRUE(verdictOf(program("relu"), program("relu6")).equal());  // inputs are within one of zero
}

// --- what ops say of sizes ---

std::string problemWith(const LooseOp& row) {
  LooseGraph g;
  g.main(row);
  DimRelations relations(g.graph);
  return relations.solve() ? "" : relations.problem();
}

// "2x3 3x4 -> 2x4"
std::string smallSizes(const LooseOp& row) {
  LooseGraph g;
  const Op& op = g.graph.ops[g.main(row)];
  DimRelations relations(g.graph);
  if (!relations.solve()) return relations.problem();
  std::string text;
  for (ValueId value : op.operands) text += shapeText(relations.shapeOf(value)) + " ";
  text += "->";
  for (ValueId value : op.results) text += " " + shapeText(relations.shapeOf(value));
  return text;
}

TEST(MisfitGraphs, SizesOfOpsThatHaveNoRule) {
  const auto none = [](const LooseOp& row, const std::string& why = "no rule for its sizes") {
    EXPECT_EQ(problemWith(row), row.op + ": " + why) << row.attrs;
  };
  none({"ttir.abs", {"2x3"}, {}, ""});
  none({"ttir.quantize", {"2x3"}, {}, ""});
  none({"ttir.quantize", {"2x3"}, {"@"}, ""});
  none({"ttir.embedding_backward", {"#40", "50x60"}, {"50x60"}, ""});
  none({"ttir.concatenate_heads", {"4x5x6"}, {"4x5x6"}, ""});
  none({"ttir.concatenate_heads", {"2x4x5x6"}, {"2x5x24x1"}, ""});
  const std::string split = "ttir.split_query_key_value_and_split_heads", part = "2x2x5x4";
  EXPECT_EQ(problemWith({split, {"2x5x24"}, {part, part, part}, "num_heads=2"}), "");
  none({split, {"2x5x24x1"}, {part, part, part}, ""});
  none({split, {"2x5x24"}, {part, part}, ""});
  none({split, {"2x5x24"}, {part, part, "2x2x5"}, ""});
  for (const LooseOp& row : {LooseOp{"ttir.conv1d", {"1x8x4x1", "6x4x3"}, {"1x6x6"}, ""},
                             LooseOp{"ttir.conv1d", {"1x8x4", "6x4x3x1"}, {"1x6x6"}, ""},
                             LooseOp{"ttir.conv1d", {"1x8x4", "6x4x3"}, {"1x6x6x1"}, ""},
                             LooseOp{"ttir.conv3d", {"1x5x5x5", "6x4x3x3x3"}, {"1x3x3x3x6"}, ""},
                             LooseOp{"ttir.conv3d", {"1x5x5x5x4", "6x4x3x3"}, {"1x3x3x3x6"}, ""},
                             LooseOp{"ttir.conv3d", {"1x5x5x5x4", "6x4x3x3x3"}, {"1x3x3x6"}, ""}})
    none(row);
  const std::string decode = "ttir.scaled_dot_product_attention_decode";
  none({decode, {"2x4x8", "2x4x32x8", "2x4x32x8"}, {"1x2x4x8"}, ""});
  none({decode, {"1x2x4x8", "2x4x8", "2x4x32x8"}, {"1x2x4x8"}, ""});
  none({"ttir.global_avg_pool2d", {"4x5x6"}, {"4x1x1x6"}, ""}, "no image");
  none({"ttir.global_avg_pool2d", {"4x5x5x6"}, {"4x6"}, ""}, "no image");
  none({"ttir.conv1d", {"1x8x4", "6x4x3"}, {"1x6x6"}, "batch_dim=3"}, "a dim is outside of the tensor");
  none({"ttir.gather", {"40x50", "#3x1"}, {"3x50"}, "slice_sizes=[1]"}, "no slice sizes");
  none({"ttir.index", {"40x50"}, {"40"}, "dim=1"}, "only static slices can be shrunk");
  none({"ttir.slice_static", {"40x50"}, {"20x50"}, "begins=[0,0]; ends=[20]"}, "only static slices can be shrunk");
  none({"ttir.repeat", {"1x50"}, {"2x1x50"}, "repeat_dimensions=[2,1,1]"}, "repetition to another rank");
  const auto turned = [](const std::string& rows, const std::string& result) {
    return LooseOp{"ttir.conv_transpose2d", {"1x4x4x8", "8x6x3x3"}, {result}, "stride=[" + rows + ",1]"};
  };
  EXPECT_EQ(problemWith(turned("64", "1x195x6x6")), "");
  none(turned("65", "1x198x6x6"), "a large stride");
}

// What is said of dims that are not there is not followed; what else the op says holds.
TEST(MisfitGraphs, SizesOfOpsThatNameTooMuch) {
  const auto small = [](const LooseOp& row, const std::string& sizes) { EXPECT_EQ(smallSizes(row), sizes) << row.op; };
  small({"ttir.rotary_embedding", {"-"}, {"-"}, ""}, "scalar -> scalar");
  small({"ttir.quantize", {"40x50"}, {"#40x50"}, "axis=7"}, "2x3 -> 2x3");
  small({"ttir.quantize", {"40x50"}, {"#40x50"}, "axis=1"}, "2x50 -> 2x50");
  small({"ttir.matmul", {"-", "40x50"}, {"50"}, ""}, "scalar 2x3 -> 3");
  small({"ttir.matmul", {"40x50", "-"}, {"40"}, ""}, "2x3 scalar -> 2");
  small({"ttir.dot_general", {"40x50", "50x60"}, {"40x60"}, "contract_dims_lhs=[1,0]; contract_dims_rhs=[0]"},
        "2x3 3x2 -> 2x2");
  small({"ttir.group_norm", {"-"}, {"-"}, "num_groups=1"}, "scalar -> scalar");
  const std::string norm = "ttir.batch_norm_inference";
  small({norm, {"40x50", "50", "@", "50", "50"}, {"40x50"}, "dimension=1"}, "2x3 3 scalar 3 3 -> 2x3");
  small({norm, {"40x50", "50", "50", "50", "50"}, {"40x50"}, "dimension=9"}, "2x3 3 3 3 3 -> 2x3");
  small({"ttir.sort", {"40x50"}, {"40", "#40x50"}, ""}, "2x3 -> 2 2x3");
  small({"ttir.topk", {"40x50"}, {"40x5", "#40x5"}, "k=5; dim=9"}, "2x5 -> 2x5 2x5");
  small({"ttir.zeros", {}, {}, ""}, "->");
  small({"ttir.transpose", {"40x50"}, {"40x50"}, "dim0=5"}, "2x3 -> 2x3");
  small({"ttir.transpose", {"40x50"}, {"40x50"}, "dim1=5"}, "2x3 -> 2x3");
  small({"ttir.pad", {"40x50"}, {"42x50"}, "padding=[1,1]"}, "2x3 -> 4x2");
  small({"stablehlo.reduce", {"40x50"}, {"40", "40"}, "dimensions=[1]; body='stablehlo.add'"}, "2x3 -> 2 2");
  small({"stablehlo.dot_general",
         {"40x50", "40x60"},
         {"-"},
         "dot_dimension_numbers={#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0]>}"},
        "2x3 2x2 -> scalar");
  // Caches, their pages and tables of other ranks.
  const auto solved = [](const LooseOp& row) { EXPECT_EQ(problemWith(row), "") << row.op; };
  for (const char* cache : {"2x4x16", "2x4x64x16"}) solved({"ttir.fill_cache", {cache, "2x4x16"}, {cache}, ""});
  solved({"ttir.fill_cache", {"2x4x16", "2x4x64x16"}, {"2x4x16"}, ""});
  const std::string fill = "ttir.paged_fill_cache", pages = "40x4x32x16", rows = "1x4x64x16";
  solved({fill, {"4x32x16", rows, "#2x2"}, {"4x32x16"}, ""});
  solved({fill, {pages, "4x64x16", "#2x2"}, {pages}, ""});
  solved({fill, {pages, rows, "#2"}, {pages}, ""});
  solved({fill, {pages, rows, "#2x2", "#-"}, {pages}, ""});
  solved({"ttir.paged_update_cache", {pages, "1x2x4x16", "#-", "#2x2"}, {pages}, ""});
  const std::string whole = "2x4x32x8", attention = "ttir.scaled_dot_product_attention";
  for (const std::vector<std::string>& in :
       {std::vector<std::string>{"4x32x8", whole, whole}, {whole, "4x32x8", whole}, {whole, whole, "4x32x8"}})
    solved({attention, in, {whole}, ""});
  solved({attention + "_decode", {"1x2x4x8", whole}, {"1x2x4x8"}, ""});
}

TEST(MisfitGraphs, SizesOfFunctionsThatDoNotFit) {
  // Called with less than it takes, for more than it gives; and a function of which only the name is known.
  const auto sizes = [](const LooseOp& row) {
    LooseGraph g;
    const Op op = g.graph.ops[g.main(row)];
    const FuncId two = g.function("two", {"40x50", "60"});
    g.giveBack(two, {g.argument(two, 0)});
    g.function("nothing", {});
    DimRelations relations(g.graph);
    if (!relations.solve()) return relations.problem();
    std::string text;
    for (ValueId value : op.results) text += shapeText(relations.shapeOf(value)) + " ";
    return text + shapeText(relations.shapeOf(g.argument(two, 0)));
  };
  EXPECT_EQ(sizes({"func.call", {"40x50"}, {"40x50", "70"}, "", {{"callee", "two"}}}), "2x3 3 2x3");
  EXPECT_EQ(sizes({"func.call", {"40x50"}, {"40x50"}, "", {{"callee", "nothing"}}}),
            "func.call: calls a function without a body");
  // The body of a loop and of a choice.
  EXPECT_EQ(sizes({"stablehlo.while", {"40x50"}, {"40x50"}, "", {{"body", "nothing"}, {"body1", "two"}}}), "2x3 2x3");
  EXPECT_EQ(sizes({"stablehlo.while", {"40x50", "60"}, {"40x50", "60"}, "", {{"body1", "two"}}}), "2x3 4 2x3");
}

TEST(MisfitGraphs, SizesThatFollowOrStay) {
  EXPECT_EQ(smallSizes({"ttnn.embedding", {"#40x50", "60x70"}, {"2000x70"}, ""}), "2x3 4x2 -> 6x2");
  // Halves are of an even dim only.
  expectRelated({"\"ttir.rotary_embedding\"(%0, %1, %2) : TYPES", {"nhrw", "11rw", "11rw"}, {"nhrw"}, {{'w', 37}}});
  // A call of which nothing is known: one dim is up to 32 times another, or they have nothing to do with each other;
  // and it is a part of the largest, not of the first that is larger.
  const std::string foo = "call_target_name='tt.foo'";
  EXPECT_EQ(smallSizes({"stablehlo.custom_call", {"37", "1184"}, {"1184"}, foo}), "2 64 -> 64");
  EXPECT_EQ(smallSizes({"stablehlo.custom_call", {"37", "1221"}, {"1221"}, foo}), "37 3 -> 3");
  EXPECT_EQ(smallSizes({"stablehlo.custom_call", {"37", "74", "111"}, {"111"}, foo}), "2 74 6 -> 6");
  // Indices that are only moved or stored otherwise are made for the new table; those that are computed are not.
  const auto rows = [](const std::string& argument, const std::string& op) {
    const std::string table = "tensor<500x40xf32>", gradient = "tensor<64x48x40xf32>", places = "tensor<64x48xi32>";
    const Graph graph =
        readProgram("func.func @main(%i: " + argument + ", %t: " + table + ", %g: " + gradient + ") -> " + table +
                    " {\n  %j = " + op + " -> " + places + "\n  %r = \"ttir.embedding_backward\"(%j, %t, %g) : (" +
                    places + ", " + table + ", " + gradient + ") -> " + table + "\n  return %r : " + table + "\n}\n");
    DimRelations relations(graph);
    EXPECT_TRUE(relations.solve()) << relations.problem();
    return relations.shapeOf(graph.funcs[FuncId{0}].args.at(1)).at(0);
  };
  EXPECT_LT(rows("tensor<64x48xf32>", "\"ttir.typecast\"(%i) : (tensor<64x48xf32>)"), 16);
  EXPECT_LT(rows("tensor<48x64xi32>", "\"ttir.permute\"(%i) <{permutation = array<i64: 1, 0>}> : (tensor<48x64xi32>)"),
            16);
  EXPECT_EQ(rows("tensor<64x48xi32>", "\"ttir.abs\"(%i) : (tensor<64x48xi32>)"), 500);
  // An op of StableHLO that the optimizer does not look into.
  LooseGraph opaque;
  const OpId sum = opaque.main({"stablehlo.add", {"40x50", "40x50"}, {"40x50"}, ""});
  opaque.graph.ops.edit(sum).kind = OpKind::Opaque;
  DimRelations relations(opaque.graph);
  EXPECT_TRUE(relations.solve()) << relations.problem();
  EXPECT_EQ(relations.shapeOf(opaque.value(sum)), (Shape{2, 3}));
  // Windows over nothing.
  DimSolver solver;
  solver.add(0), solver.add(0);
  solver.window(0, 1, {});
  EXPECT_FALSE(solver.solve());
}

}  // namespace
}  // namespace tessera::test
