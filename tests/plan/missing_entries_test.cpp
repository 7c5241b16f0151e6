// Plans without an entry for every op, and the words of the chain generation that stand in its answers.

#include "core/plan/chain_trace.h"
#include "core/plan/plan_json.h"
#include "core/support/json_value.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// A plan that says nothing about configs is written without any.
TEST(MissingEntries, APlanWithoutConfigs) {
  const std::string type = "tensor<64x64xbf16>";
  const auto run = runOn(graphOf("func.func @main(%a: " + type + ") -> " + type + " {\n  %0 = \"ttnn.relu\"(%a) : (" +
                                 type + ") -> " + type + "\n  return %0 : " + type + "\n}\n"),
                         "DRAM");
  Plan plan = run->plan;
  plan.config = {};
  const std::string text = planJson(*run->problem, plan, "test", "{}");
  EXPECT_NE(text.find("\"configs\":[]"), std::string::npos) << text;
  EXPECT_EQ(text, planJson(*run->problem, run->plan, "test", "{}")) << "nothing of them stands in the plan anyway";
}

TEST(MissingEntries, WordsOfTheChainGeneration) {
  const std::pair<L1ChainState, std::string_view> states[] = {{L1ChainState::InBuild, "InBuild"},
                                                              {L1ChainState::Built, "Built"},
                                                              {L1ChainState::Resolved, "Resolved"},
                                                              {L1ChainState::Completed, "Completed"},
                                                              {L1ChainState::Failed, "Failed"}};
  for (const auto& [state, name] : states) EXPECT_EQ(l1ChainStateName(state), name);
  EXPECT_EQ(chainBreakText(ChainBreak::None), "");
  EXPECT_EQ(chainBreakText(ChainBreak::Concat), "a concat stands in a chain of its own");
}

}  // namespace
}  // namespace tessera::test
