// A plan as overrides of the compiler: what lies in L1, named by its location where that is a name of one op alone.

#include "core/report/override_text.h"

#include "core/driver/pipeline.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

// relu, exp and neg behind each other at these locations; under Greedy all results lie in L1 but the returned one.
std::string overridesAt(const std::string& first, const std::string& second, const std::string& policy = "Greedy") {
  const std::string type = "tensor<256x256xbf16>";
  std::string text = "func.func @main(%a: " + type + ") -> " + type + " {\n";
  const auto op = [&](const std::string& name, const char* result, const char* operand, const std::string& loc) {
    text += "  %" + std::string(result) + " = \"ttir." + name + "\"(%" + operand + ") : (" + type + ") -> " + type +
            (loc.empty() ? "" : " loc(\"" + loc + "\")") + "\n";
  };
  op("relu", "0", "a", first);
  op("exp", "1", "0", second);
  text += "  return %1 : " + type + "\n}\n";
  Session session;
  session.load("chain.mlir", text);
  Options options;
  options.policy = policy;
  const auto finished = runPolicy(session, options, Diagnostics());
  EXPECT_TRUE(finished->report.run);
  return overrideText(*finished->report.run);
}

TEST(OverrideText, NamesOpsByTheirLocation) {
  const std::string usual = overridesAt("conv.1", "act_2");
  EXPECT_EQ(usual.rfind("override-output-layout=conv.1=", 0), 0u) << usual;
  EXPECT_NE(usual.find(":l1:"), std::string::npos) << usual;
  EXPECT_NE(usual.find(":tile:bf16"), std::string::npos) << usual;
  EXPECT_EQ(usual.back(), '\n');
  EXPECT_EQ(std::count(usual.begin(), usual.end(), '\n'), 1) << "no operand is moved";
  EXPECT_EQ(overridesAt("conv.1", "act_2", "DRAM"), "") << "nothing lies in L1";
  // What cannot be read back as a name is left out, and what two ops share.
  for (const char* loc : {"a b", "a=b", "a,b", "a:b", ""})
    EXPECT_EQ(overridesAt(loc, "act_2").find(std::string("=") + loc + "="), std::string::npos) << loc;
  EXPECT_EQ(overridesAt("both", "both"), "");
}

// A name that two ops share would move the operands of both.
TEST(OverrideText, MovesOperandsOfNamedOpsOnly) {
  const auto moves = [](const std::string& second) {
    const std::string type = "tensor<256x256xbf16>", unary = " : (" + type + ") -> " + type;
    Session session;
    session.load("chain.mlir", "func.func @main(%a: " + type + ") -> " + type + " {\n  %0 = \"ttir.relu\"(%a)" + unary +
                                   " loc(\"first\")\n  %1 = \"ttir.exp\"(%0)" + unary + " loc(\"" + second +
                                   "\")\n  return %1 : " + type + "\n}\n");
    const auto finished = runPolicy(session, Options(), Diagnostics());
    RunOutcome run = std::move(*finished->report.run);
    const OpId op = run.plan.order.at(1);
    run.plan.reshards = {{op, 0, *run.plan.layout[run.problem->graph.ops[op].operands[0]]}};
    const std::string text = overrideText(run);
    const size_t at = text.find("insert-memreconfig");
    return at == std::string::npos ? std::string() : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(moves("second"), "insert-memreconfig=second=0");
  EXPECT_EQ(moves("first"), "");
}

}  // namespace
}  // namespace tessera::test
