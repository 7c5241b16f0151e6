// Chains of cuts become one op where together they cut at 0 and 6, in any order, and stay where they do not.

#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

const std::string kT32 = "tensor<32x32xf32>";

std::string clamp(double low, double high) {
  return "ttir.clamp_scalar\"(@) <{max = " + std::to_string(high) + " : f32, min = " + std::to_string(low) + " : f32}>";
}

// Ops of one operand, one behind the other ("@": the value before), and what fusing leaves of them.
std::string fusedChain(const std::vector<std::string>& ops) {
  std::string body, value = "%x";
  for (size_t i = 0; i < ops.size(); ++i) {
    std::string op = ops[i];
    op.replace(op.find('@'), 1, value);
    value = "%v" + std::to_string(i);
    body += "  " + value + " = \"" + op + " : (" + kT32 + ") -> " + kT32 + "\n";
  }
  LoweringSetup setup;
  const Graph graph = graphOfText("func.func @main(%x: " + kT32 + ") -> " + kT32 + " {\n" + body + "  return " + value +
                                  " : " + kT32 + "\n}\n");
  const LoweringResult result = passOn("ttir-fusing", graph, setup);
  const ComparisonVerdict verdict = compareGraphs(graph, result.graph, 5, 1e-5);
  EXPECT_TRUE(verdict.equal()) << verdict.text;
  std::string names;
  for (OpId op : result.graph.funcs[result.graph.forward].ops) names += result.graph.ops[op].name.substr(5) + " ";
  return names.substr(0, names.find("return"));
}

TEST(FusingCuts, TheNarrowestLimitsOfTheChainCount) {
  const std::string relu = "ttir.relu\"(@)";
  EXPECT_EQ(fusedChain({relu, clamp(-1, 6)}), "relu6 ");
  EXPECT_EQ(fusedChain({clamp(0, 9), clamp(-1, 6)}), "relu6 ");
  EXPECT_EQ(fusedChain({clamp(-1, 6), clamp(0, 9)}), "relu6 ");
  EXPECT_EQ(fusedChain({relu, clamp(-1, 6), clamp(-2, 9)}), "relu6 ");
  EXPECT_EQ(fusedChain({clamp(-3, 6), clamp(0, 6)}), "relu6 ");
}

TEST(FusingCuts, LimitsMayBeWrittenAsIntegers) {
  EXPECT_EQ(fusedChain({"ttir.relu\"(@)", "ttir.clamp_scalar\"(@) <{max = 6 : i32, min = -1 : i32}>"}), "relu6 ");
}

TEST(FusingCuts, OtherLimitsStayAsTheyAre) {
  const std::string relu = "ttir.relu\"(@)";
  EXPECT_EQ(fusedChain({relu, clamp(-1, 5)}), "relu clamp_scalar ");
  EXPECT_EQ(fusedChain({relu, clamp(1, 6)}), "relu clamp_scalar ");
  EXPECT_EQ(fusedChain({clamp(-1, 6), clamp(-2, 9)}), "clamp_scalar clamp_scalar ");
  EXPECT_EQ(fusedChain({clamp(0, 6)}), "clamp_scalar ") << "one cut alone";
}

// What one of the cuts spreads is no cut of the whole: the op before it has other numbers of elements.
TEST(FusingCuts, ACutThatSpreadsIsNone) {
  for (const bool wide : {false, true}) {
    const std::string from = wide ? "tensor<1x32xf32>" : kT32;
    const Graph graph =
        graphOfText("func.func @main(%x: " + from + ") -> " + kT32 +
                    " {\n  %0 = \"ttir.full\"() <{fill_value = 0.0 : f32, shape = array<i32: 32, 32>}> : () -> " +
                    kT32 + "\n  %6 = \"ttir.full\"() <{fill_value = 6.0 : f32, shape = array<i32: 32, 32>}> : () -> " +
                    kT32 + "\n  %a = \"ttir.maximum\"(%x, %0) : (" + from + ", " + kT32 + ") -> " + kT32 +
                    "\n  %b = \"ttir.minimum\"(%a, %6) : (" + kT32 + ", " + kT32 + ") -> " + kT32 +
                    "\n  return %b : " + kT32 + "\n}\n");
    LoweringSetup setup;
    const LoweringResult result = passOn("ttir-fusing", graph, setup);
    const ComparisonVerdict verdict = compareGraphs(graph, result.graph, 5, 1e-5);
    EXPECT_TRUE(verdict.equal()) << verdict.text;
    const Graph& after = result.graph;
    const auto is = [&](OpId op) { return after.ops[op].kind == OpKind::TtirRelu6; };
    const auto& ops = after.funcs[after.forward].ops;
    EXPECT_EQ(std::count_if(ops.begin(), ops.end(), is), wide ? 0 : 1);
  }
}

// A norm gives what the multiplication gave, whatever the type of what it norms.
TEST(FusingNorms, HaveTheTypeOfTheirResult) {
  for (const std::string type : {"f32", "bf16"}) {
    const std::string x = "tensor<4x8xbf16>", row = "tensor<4x1xf32>", wide = "tensor<4x8xf32>",
                      out = "tensor<4x8x" + type + ">";
    const Graph graph = graphOfText(
        "func.func @main(%x: " + x + ") -> " + out + " {\n  %s = \"ttir.multiply\"(%x, %x) : (" + x + ", " + x +
        ") -> " + wide + "\n  %m = \"ttir.mean\"(%s) <{dim_arg = [1 : i32], keep_dim = true}> : (" + wide + ") -> " +
        row + "\n  %e = \"ttir.full\"() <{fill_value = 0.5 : f32, shape = array<i32: 4, 1>}> : () -> " + row +
        "\n  %a = \"ttir.add\"(%m, %e) : (" + row + ", " + row + ") -> " + row + "\n  %q = \"ttir.rsqrt\"(%a) : (" +
        row + ") -> " + row + "\n  %r = \"ttir.multiply\"(%x, %q) : (" + x + ", " + row + ") -> " + out +
        "\n  return %r : " + out + "\n}\n");
    LoweringSetup setup;
    const Graph after = passOn("ttir-fusing", graph, setup).graph;
    const auto& ops = after.funcs[after.forward].ops;
    const auto norm =
        std::find_if(ops.begin(), ops.end(), [&](OpId op) { return after.ops[op].kind == OpKind::TtirRmsNorm; });
    ASSERT_NE(norm, ops.end()) << type;
    EXPECT_EQ(after.values[after.ops[*norm].results[0]].type.tensor->dtype, type == "f32" ? DType::F32 : DType::BF16);
  }
}

}  // namespace
}  // namespace tessera::test
