// What numbers are drawn for arguments, and how the results of two graphs are compared.

#include <cmath>

#include "tests/compare_graphs.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

Graph graphOfBody(const std::string& arguments, const std::string& result, const std::string& body) {
  const Imported imported =
      importText("func.func @main(" + arguments + ") -> (" + result + ") {\n" + body + "\n}\n", {1 << 16});
  EXPECT_TRUE(imported.graph) << imported.report();
  return imported.graph ? *imported.graph : Graph();
}

struct Drawn {
  double least = HUGE_VAL, most = -HUGE_VAL;
};
Drawn drawnFor(const Graph& graph, size_t argument) {
  Drawn out;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const HostTensor tensor = randomInputs(graph, seed).at(argument);
    for (size_t i = 0; i < tensor.size(); ++i) {
      out.least = std::min(out.least, tensor.at(i));
      out.most = std::max(out.most, tensor.at(i));
    }
  }
  return out;
}

const std::string kReal = "tensor<8x8xf32>";
std::string unary(const std::string& to, const std::string& name, const std::string& from) {
  return "  " + to + " = \"ttir." + name + "\"(" + from + ") : (" + kReal + ") -> " + kReal + "\n";
}
std::string binary(const std::string& to, const std::string& name, const std::string& a, const std::string& b) {
  return "  " + to + " = \"ttir." + name + "\"(" + a + ", " + b + ") : (" + kReal + ", " + kReal + ") -> " + kReal +
         "\n";
}

TEST(Inputs, AreWithinOneOfZero) {
  const Graph graph = graphOfBody("%x: " + kReal, kReal, unary("%0", "exp", "%x") + "  return %0 : " + kReal);
  const Drawn drawn = drawnFor(graph, 0);
  EXPECT_GE(drawn.least, -1);
  EXPECT_LT(drawn.least, -0.8);
  EXPECT_LT(drawn.most, 1);
  EXPECT_GT(drawn.most, 0.8);
  EXPECT_EQ(randomInputs(graph, 5)[0].f, randomInputs(graph, 5)[0].f);
  EXPECT_NE(randomInputs(graph, 5)[0].f, randomInputs(graph, 6)[0].f);
}

// From 0.25 to 1.25 where a root, a logarithm or a power is taken of it, or of a sum, product or view of it.
TEST(Inputs, ArePositiveWhereTheyMustBe) {
  struct Case {
    std::string body;
    bool x, y;  // is it positive?
  };
  const Case cases[] = {
      {unary("%r", "sqrt", "%x") + binary("%s", "add", "%r", "%y"), true, false},
      {unary("%r", "rsqrt", "%x") + binary("%s", "add", "%y", "%r"), true, false},
      {unary("%r", "log", "%y") + binary("%s", "add", "%y", "%x"), false, true},
      {unary("%r", "log1p", "%y") + binary("%s", "add", "%y", "%x"), false, true},
      {binary("%s", "pow", "%x", "%y"), true, false},
      {unary("%r", "exp", "%x") + binary("%s", "subtract", "%r", "%y"), false, false},
      {binary("%r", "add", "%x", "%y") + unary("%s", "sqrt", "%r"), true, true},
      {binary("%r", "multiply", "%x", "%y") + unary("%s", "sqrt", "%r"), true, true},
      {binary("%r", "multiply", "%x", "%x") + binary("%t", "multiply", "%y", "%y") + unary("%s", "sqrt", "%r"), false,
       false},
      {binary("%r", "subtract", "%x", "%y") + unary("%s", "sqrt", "%r"), false, false},
      {unary("%r", "exp", "%x") + unary("%s", "sqrt", "%r"), false, false},
      {unary("%q", "typecast", "%x") + unary("%r", "typecast", "%q") + unary("%s", "sqrt", "%r"), true, false},
  };
  for (const Case& one : cases) {
    const Graph graph = graphOfBody("%x: " + kReal + ", %y: " + kReal, kReal, one.body + "  return %s : " + kReal);
    for (size_t i = 0; i < 2; ++i) {
      const Drawn drawn = drawnFor(graph, i);
      const bool positive = i == 0 ? one.x : one.y;
      if (positive) {
        EXPECT_GE(drawn.least, 0.25) << one.body;
        EXPECT_LT(drawn.most, 1.25) << one.body;
        EXPECT_GT(drawn.most, 1.0) << one.body;
      } else {
        EXPECT_LT(drawn.least, 0) << one.body;
      }
    }
  }
}

// The variance alone of what a batch norm takes.
TEST(Inputs, VariancesArePositive) {
  const std::string c = "tensor<8xf32>", x = "tensor<2x8x4x4xf32>";
  const Graph graph = graphOfBody(
      "%x: " + x + ", %s: " + c + ", %o: " + c + ", %m: " + c + ", %v: " + c, x,
      "  %0 = \"ttir.batch_norm_inference\"(%x, %s, %o, %m, %v) <{dimension = 1 : i32, epsilon = 1.0e-05 : f32}> : (" +
          x + ", " + c + ", " + c + ", " + c + ", " + c + ") -> " + x + "\n  return %0 : " + x);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(drawnFor(graph, i).least > 0, i == 4) << i;
}

// Of a gradient: operand, scale, mean, variance, gradient of the output.
TEST(Inputs, VariancesOfGradientsArePositive) {
  const std::string c = "tensor<8xf32>", x = "tensor<2x4x4x8xf32>";
  const Graph graph = graphOfBody(
      "%x: " + x + ", %s: " + c + ", %m: " + c + ", %v: " + c + ", %g: " + x, x,
      "  %0:3 = \"stablehlo.batch_norm_grad\"(%x, %s, %m, %v, %g) <{epsilon = 1.0e-05 : f32, feature_index = 3 : "
      "i64}> : (" +
          x + ", " + c + ", " + c + ", " + c + ", " + x + ") -> (" + x + ", " + c + ", " + c +
          ")\n  return %0#0 : " + x);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(drawnFor(graph, i).least > 0, i == 3) << i;
}

// What takes too long says nothing about the graphs.
TEST(Verdicts, OverTheBudgetIsNoDifference) {
  const Graph graph = graphOfBody("%x: " + kReal, kReal, unary("%0", "exp", "%x") + "  return %0 : " + kReal);
  ExecutionBudget little;
  little.work = 1;
  EXPECT_EQ(GraphSeries(graph, 1, little).next(graph, 0).comparison, Comparison::OverBudget);
  EXPECT_EQ(GraphSeries(graph, 1).next(graph, 0).comparison, Comparison::Equal);
  const Graph odd = graphOfBody("%x: " + kReal, kReal, unary("%0", "anything", "%x") + "  return %0 : " + kReal);
  EXPECT_EQ(GraphSeries(odd, 1).next(odd, 0).comparison, Comparison::NotExecutable);
}

TEST(Inputs, PlacesLieInTheirTable) {
  const std::string i = "tensor<4x16xsi32>", t = "tensor<10x8xf32>", y = "tensor<4x16x8xf32>";
  const std::string look =
      "  %y = \"ttir.embedding\"(%p, %t) : (" + i + ", " + t + ") -> " + y + "\n  return %y : " + y;
  const Graph plain = graphOfBody("%p: " + i + ", %t: " + t, y, look);
  EXPECT_EQ(drawnFor(plain, 0).least, 0);
  EXPECT_EQ(drawnFor(plain, 0).most, 9);
  const Graph sum =
      graphOfBody("%a: " + i + ", %t: " + t, y, "  %p = \"ttir.abs\"(%a) : (" + i + ") -> " + i + "\n" + look);
  EXPECT_EQ(drawnFor(sum, 0).most, 9);
  const Graph free =
      graphOfBody("%a: " + i, i, "  %p = \"ttir.abs\"(%a) : (" + i + ") -> " + i + "\n  return %p : " + i);
  EXPECT_EQ(drawnFor(free, 0).least, 0);
  EXPECT_GT(drawnFor(free, 0).most, 90);
  EXPECT_LT(drawnFor(free, 0).most, 100);
  const std::string flag = "tensor<64xi1>";
  const Graph truth = graphOfBody("%a: " + flag, flag, "  return %a : " + flag);
  EXPECT_EQ(drawnFor(truth, 0).least, 0);
  EXPECT_EQ(drawnFor(truth, 0).most, 1);
}

Graph constants(const std::vector<std::string>& values, const std::string& type) {
  std::string body, names, types;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string name = "%" + std::to_string(i);
    body += "  " + name + " = \"ttir.constant\"() <{value = dense<[" + values[i] + "]> : " + type + "}> : () -> " +
            type + "\n";
    names += (i > 0 ? ", " : "") + name;
    types += (i > 0 ? ", " : "") + type;
  }
  return graphOfBody("", types, body + "  return " + names + " : " + types);
}

TEST(Verdicts, TheWorstElementIsNamedTheFirstOfEquals) {
  const std::string t = "tensor<4xf32>";
  const Graph before = constants({"1.0, 2.0, 4.0, -8.0"}, t);
  struct Case {
    std::string after;
    double tolerance;
    std::string text;
    double abs, rel;
  };
  const Case cases[] = {
      {"1.0, 2.0, 4.0, -8.0", 0, "", 0, 0},
      {"1.0, 2.5, 4.0, -8.0", 0.0625, "", 0.5, 0.0625},
      {"1.0, 2.5, 4.0, -8.0", 0.0624,
       "result 0 differs: element 1 of 4 is 2 before and 2.5 after (relative error 0.0625)", 0.5, 0.0625},
      {"1.5, 2.5, 5.0, -7.0", 0.01, "result 0 differs: element 2 of 4 is 4 before and 5 after (relative error 0.125)",
       1, 0.125},
      {"1.5, 2.5, 4.0, -8.0", 0.05,
       "result 0 differs: element 0 of 4 is 1 before and 1.5 after (relative error 0.0625)", 0.5, 0.0625},
  };
  for (const Case& one : cases) {
    const ComparisonVerdict verdict = compareGraphs(before, constants({one.after}, t), 1, one.tolerance);
    EXPECT_EQ(verdict.equal(), one.text.empty()) << one.after;
    EXPECT_EQ(verdict.text, one.text);
    EXPECT_DOUBLE_EQ(verdict.maxAbs, one.abs) << one.after;
    EXPECT_DOUBLE_EQ(verdict.maxRel, one.rel) << one.after;
    EXPECT_EQ(verdict.result, one.text.empty() ? -1 : 0);
  }
}

// Tensors whose numbers are all below 1e-4 are compared as if one of them were 1e-4.
TEST(Verdicts, NumbersNextToNothingAreZeros) {
  const std::string t = "tensor<3xf32>";
  const Graph left = constants({"0.0, 1.42e-14, 0.0"}, t), other = constants({"0.0, 0.0, 2.0e-32"}, t);
  EXPECT_TRUE(compareGraphs(left, other, 1, 1e-3).equal());
  EXPECT_TRUE(compareGraphs(constants({"0.0, 2.98e-8, 0.0"}, t), other, 1, 1e-3).equal());
  EXPECT_TRUE(compareGraphs(constants({"0.0, 9.0e-8, 0.0"}, t), other, 1, 1e-3).equal());
  EXPECT_FALSE(compareGraphs(constants({"0.0, 1.1e-7, 0.0"}, t), other, 1, 1e-3).equal());
  EXPECT_FALSE(compareGraphs(constants({"0.0, 1.0e-3, 0.0"}, t), constants({"0.0, 1.1e-3, 0.0"}, t), 1, 1e-3).equal());
}

TEST(Verdicts, IntegersAreEqualOrNot) {
  const std::string t = "tensor<3xsi32>";
  const Graph before = constants({"1000, 2, 3", "7, 7, 7"}, t);
  EXPECT_TRUE(compareGraphs(before, constants({"1000, 2, 3", "7, 7, 7"}, t), 1, 0).equal());
  const ComparisonVerdict first = compareGraphs(before, constants({"1000, 3, 3", "7, 7, 9"}, t), 1, 0.9);
  EXPECT_EQ(first.text, "result 0 differs: element 1 of 3 is 2 before and 3 after (relative error 0.001)");
  EXPECT_EQ(first.result, 0);
  EXPECT_EQ(first.maxAbs, 2);  // over all results
  const ComparisonVerdict second = compareGraphs(before, constants({"1000, 2, 3", "7, 7, 9"}, t), 1, 0.9);
  EXPECT_EQ(second.result, 1);
  EXPECT_EQ(second.comparison, Comparison::Different);
}

// The compiler stores i8 as ui8 and i16 as ui16. Only a pass that does so is allowed the other number, and only the one
// of the same bits.
TEST(Verdicts, ResultsThatBecameUnsignedAreComparedByTheirBits) {
  const auto equal = [](const std::string& numbers, const std::string& type, const std::string& later,
                        const std::string& laterType) {
    return compareGraphs(constants({numbers}, "tensor<2x" + type + ">"),
                         constants({later}, "tensor<2x" + laterType + ">"), 1, 1e-3)
        .equal();
  };
  EXPECT_TRUE(equal("-58, 3", "i8", "198, 3", "ui8"));
  EXPECT_FALSE(equal("-58, 3", "i8", "199, 3", "ui8"));
  EXPECT_FALSE(equal("-58, 3", "i8", "198, 3", "si32"));
  EXPECT_TRUE(equal("-2, 3", "i16", "65534, 3", "ui16"));
  EXPECT_FALSE(equal("-2, 3", "i16", "254, 3", "ui8"));
  EXPECT_FALSE(equal("198, 3", "ui8", "-58, 3", "i8"));
}

// Of 150 integers made of real numbers one may be the next one, and of 7, of 450 four; never two further, nor of other
// integers, nor of real numbers made of integers.
TEST(Verdicts, IntegersMadeOfRealNumbersMayBeTheNext) {
  const auto graph = [](const std::string& count, int next, int step, const std::string& from,
                        const std::string& then) {
    std::string numbers;
    for (int i = 0; i < std::stoi(count); ++i)
      numbers += (i > 0 ? ", " : "") + std::to_string(i % 7 + (i < next ? step : 0)) + (from == "f32" ? ".25" : "");
    const std::string real = "tensor<" + count + "x" + from + ">", result = "tensor<" + count + "xsi32>";
    return graphOfBody("", then.empty() ? result : then,
                       "  %c = \"ttir.constant\"() <{value = dense<[" + numbers + "]> : " + real + "}> : () -> " +
                           real + "\n  %r = \"ttir.typecast\"(%c) : (" + real + ") -> " + result +
                           (then.empty() ? "\n  return %r : " + result
                                         : "\n  %s = \"ttir.typecast\"(%r) : (" + result + ") -> " + then +
                                               "\n  return %s : " + then));
  };
  const auto equal = [&](const std::string& count, int next, int step, const std::string& from,
                         const std::string& then = "") {
    return compareGraphs(graph(count, 0, 0, from, then), graph(count, next, step, from, then), 1, 1e-3).equal();
  };
  EXPECT_TRUE(equal("150", 1, 1, "f32") && equal("150", 1, -1, "f32"));
  EXPECT_FALSE(equal("150", 2, 1, "f32"));
  EXPECT_TRUE(equal("7", 1, 1, "f32")) << "of fewer than a hundred one as well";
  EXPECT_FALSE(equal("7", 2, 1, "f32"));
  EXPECT_TRUE(equal("450", 4, 1, "f32"));
  EXPECT_FALSE(equal("450", 5, 1, "f32"));
  EXPECT_FALSE(equal("150", 1, 2, "f32"));
  EXPECT_FALSE(equal("150", 1, 1, "si32"));
  EXPECT_FALSE(equal("150", 1, 1, "f32", "tensor<150xf32>"));
  EXPECT_TRUE(equal("150", 1, 1, "f32", "tensor<150xui32>"));
}

TEST(Verdicts, ShapesAndCountsOfResults) {
  const Graph three = constants({"1, 2, 3"}, "tensor<3xsi32>"), two = constants({"1, 2"}, "tensor<2xsi32>");
  EXPECT_EQ(compareGraphs(three, two, 1, 0).text, "result 0 is 3 before and 2 after");
  EXPECT_EQ(compareGraphs(two, constants({"1, 2", "1, 2"}, "tensor<2xsi32>"), 1, 0).text, "1 results before, 2 after");
}

// Where there was no number any is as good; a number may not be lost, and nothing compared is no verdict of equality.
TEST(Verdicts, WhereThereWasNoNumberNothingIsCompared) {
  const std::string t = "tensor<3xf32>", none = "0x7FC00000";
  struct Case {
    std::vector<std::string> before, after;
    Comparison comparison;
    std::string text;
  };
  const std::string nothing = none + ", " + none + ", " + none;
  const Case cases[] = {
      {{none + ", 2.0, 3.0"}, {"1.0, 2.0, 3.0"}, Comparison::Equal, ""},
      {{none + ", 2.0, 3.0"}, {none + ", 2.0, 3.0"}, Comparison::Equal, ""},
      {{none + ", 2.0, 3.0"},
       {"1.0, 2.0, 4.0"},
       Comparison::Different,
       "result 0 differs: element 2 of 3 is 3 before and 4 after (relative error 0.333)"},
      {{"1.0, 2.0, 3.0"},
       {"1.0, " + none + ", 3.0"},
       Comparison::Different,
       "result 0 differs: element 1 of 3 is 2 before and nan after (relative error inf)"},
      {{nothing}, {nothing}, Comparison::Equal, ""},
      {{nothing}, {none + ", 1.0, " + none}, Comparison::NotExecutable, "result 0 is no number anywhere before"},
      {{nothing, "1.0, 2.0, 4.0"},
       {"1.0, 1.0, 1.0", "1.0, 2.0, 3.0"},
       Comparison::Different,
       "result 1 differs: element 2 of 3 is 4 before and 3 after (relative error 0.25)"},
      {{nothing, nothing, "1.0, 2.0, 4.0"},
       {"1.0, 1.0, 1.0", "1.0, 1.0, 1.0", "1.0, 2.0, 4.0"},
       Comparison::NotExecutable,
       "result 0 is no number anywhere before"},
  };
  for (const Case& one : cases) {
    const ComparisonVerdict verdict = compareGraphs(constants(one.before, t), constants(one.after, t), 1, 0.01);
    EXPECT_EQ(verdict.comparison, one.comparison) << one.before[0] << " and " << one.after[0];
    EXPECT_EQ(verdict.text, one.text);
  }
}

// Errors of tensors of zeros are relative to one.
TEST(Verdicts, AgainstZerosErrorsAreAbsolute) {
  const std::string t = "tensor<2xf32>";
  const Graph zeros = constants({"0.0, 0.0"}, t);
  EXPECT_TRUE(compareGraphs(zeros, constants({"0.25, 0.0"}, t), 1, 0.25).equal());
  EXPECT_FALSE(compareGraphs(zeros, constants({"0.25, 0.0"}, t), 1, 0.2).equal());
}

// An argument beyond any budget is left empty, and said to be too large rather than of another shape.
TEST(Inputs, TooLargeIsSaidInThoseWords) {
  const std::string large = "tensor<20000x20000xf32>";
  const Graph graph = graphOfBody(
      "%x: " + large, large, "  %0 = \"ttir.relu\"(%x) : (" + large + ") -> " + large + "\n  return %0 : " + large);
  EXPECT_EQ(execute(graph, randomInputs(graph, 1)).text, "argument %x has too many elements");
  EXPECT_EQ(execute(graph, {makeTensor({2, 2}, true)}).text, "argument %x has another shape");
}

}  // namespace
}  // namespace tessera::test
