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

}  // namespace
}  // namespace tessera::test
