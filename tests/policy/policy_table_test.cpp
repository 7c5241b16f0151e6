#include <set>

#include "tests/policy/expect_sound.h"

namespace tessera::test {
namespace {

TEST(PolicyTable, IdsAreUniqueAndFound) {
  std::set<std::string_view> ids;
  for (const PolicyInfo& info : allPolicies()) {
    EXPECT_TRUE(ids.insert(info.id).second) << info.id;
    EXPECT_EQ(findPolicy(info.id), &info);
    EXPECT_FALSE(info.title.empty());
    EXPECT_FALSE(info.description.empty());
    EXPECT_NE(info.decide, nullptr);
  }
  EXPECT_EQ(findPolicy("no such policy"), nullptr);
  EXPECT_EQ(findPolicy(""), nullptr);
}

TEST(PolicyTable, NoIdIsFoundByItsBeginning) {
  std::set<std::string_view> ids;
  for (const PolicyInfo& info : allPolicies()) ids.insert(info.id);
  for (std::string_view id : ids) {
    for (size_t length = 1; length < id.size(); ++length) {
      const std::string_view part = id.substr(0, length);
      EXPECT_EQ(findPolicy(part) != nullptr, ids.count(part) > 0) << part;
    }
    EXPECT_EQ(findPolicy(std::string(id) + " "), nullptr);
  }
}

TEST(PolicyTable, PlansCarryTheNameOfTheirPolicy) {
  for (const PolicyInfo& info : allPolicies()) {
    auto run = runOn(graphOf("func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
                             "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
                             "  return %0 : tensor<64x64xbf16>\n}\n"),
                     info.id);
    EXPECT_EQ(run->plan.policy, info.id);
  }
}

// An op that nobody knows may read a device before a tensor.
TEST(PolicyTable, OperandsThatAreNoTensorsStandAnywhere) {
  const std::string t = "tensor<256x1024xbf16>";
  const std::string text =
      "func.func @main(%a: " + t + ") -> " + t +
      " {\n  %0 = \"ttnn.get_device\"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device" +
      "\n  %1 = \"ttnn.abs\"(%a) : (" + t + ") -> " + t + "\n  %2 = \"test.unknown\"(%0, %1) : (!ttnn.device, " + t +
      ") -> " + t + "\n  %3 = \"ttnn.abs\"(%2) : (" + t + ") -> " + t + "\n  return %3 : " + t + "\n}\n";
  for (const PolicyInfo& info : allPolicies()) {
    if (info.has(kAsItStands)) continue;
    SCOPED_TRACE(info.id);
    const auto run = runOn(graphOf(text), info.id);
    const OpId unknown = producerOf(run->graph, "2");
    EXPECT_FALSE(run->plan.config[unknown].output.isL1());
    EXPECT_EQ(run->sim.failures, 0);
    expectSound(*run);
  }
}

// What is proven is proven of the plan with its own spills.
TEST(PolicyTable, SpillStrategiesLeaveExactAlone) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  %1 = \"ttir.exp\"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  return %1 : tensor<64x64xbf16>\n}\n");
  const Problem problem = analysed(graph, allDevices()[0], {});
  PolicyOptions options;
  options.propagate.strategy = SpillStrategy::FarthestNextUse;
  for (const auto& [policy, spills] : {std::pair("Exact", false), std::pair("DFSharding", true)}) {
    PolicyMemory memory;
    DecisionLog log;
    decidePlan(*findPolicy(policy), problem, options, memory, log);
    EXPECT_EQ(log.spilling.has_value(), spills) << policy;
  }
}

TEST(PolicyTable, OneFloorAndOneThatProvesABound) {
  int floors = 0, bounds = 0;
  for (const PolicyInfo& info : allPolicies()) {
    floors += info.has(kFloor);
    bounds += info.has(kLowerBound);
    EXPECT_EQ(info.has(kBaseline) + info.has(kLowerBound) + info.has(kAsItStands), 1) << info.id;
    EXPECT_TRUE(policyHas(info.id, info.traits)) << info.id;
  }
  EXPECT_EQ(floors, 1);
  EXPECT_EQ(bounds, 1);
  EXPECT_TRUE(floorPolicy().has(kFloor));
  EXPECT_FALSE(policyHas("no such policy", 0));
}

TEST(DramOnly, PutsEverythingInDramAndMovesNothing) {
  for (const auto& path : sampleFiles()) {
    SCOPED_TRACE(path.filename().string());
    auto run = runOn(graphOf(readFile(path)), "DRAM");
    EXPECT_TRUE(run->plan.reshards.empty());
    EXPECT_TRUE(run->plan.spills.empty());
    for (ValueId value : run->plan.layout.ids()) {
      if (run->plan.layout[value] && !run->problem->pinned[value]) {
        EXPECT_EQ(*run->plan.layout[value], dramLayout(*run->problem, value));
      }
    }
  }
}

// The sharded layout with most cores that the value's producer may write.
TensorLayout firstSharded(const Problem& problem, ValueId value) {
  for (const TensorLayout& layout : problem.legal[problem.graph.values[value].producer].layouts) {
    if (layout.sharded()) return layout;
  }
  return {};
}

const char* const kChain =
    "func.func @main(%a: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
    "  %0 = \"ttir.add\"(%a, %a) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  %1 = \"ttir.exp\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  return %1 : tensor<512x512xbf16>\n}\n";

TEST(Greedy, TakesTheFirstLegalLayoutAndStaysOnTheSameCores) {
  auto run = runOn(graphOf(kChain), "Greedy");
  ValueId first = valueNamed(run->graph, "0"), second = valueNamed(run->graph, "1");
  EXPECT_EQ(*run->plan.layout[first], firstSharded(*run->problem, first));
  EXPECT_EQ(*run->plan.layout[second], *run->plan.layout[first]);
  EXPECT_TRUE(run->plan.reshards.empty());
  ASSERT_EQ(run->plan.spills.size(), 1u);
  EXPECT_EQ(run->plan.spills[0].value, second);
  EXPECT_EQ(run->plan.spills[0].cause, SpillCause::FunctionReturn);
  EXPECT_EQ(run->plan.spills[0].to, dramLayout(*run->problem, second));
}

TEST(Greedy, ConvertsASecondOperandThatMustBeInterleaved) {
  auto run = runOn(
      graphOf("func.func @main(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
              "  %0 = \"ttir.add\"(%b, %b) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
              "  %1 = \"ttir.matmul\"(%a, %0) <{transpose_a = false, transpose_b = false}> : (tensor<256x256xbf16>, "
              "tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
              "  return %1 : tensor<256x256xbf16>\n}\n"),
      "Greedy");
  ASSERT_EQ(run->plan.reshards.size(), 1u);
  EXPECT_EQ(run->plan.reshards[0].consumer, producerOf(run->graph, "1"));
  EXPECT_EQ(run->plan.reshards[0].operand, 1);
  EXPECT_FALSE(run->plan.reshards[0].to.sharded());
}

// Two values of 131,072 bytes per core and the 333,824 bytes of buffers of a softmax over 128 tiles do not fit 558,579:
// one value has to go, and it is the one used last.
TEST(Greedy, EvictsTheValueUsedLast) {
  auto run = runOn(
      graphOf(
          "func.func @main(%a: tensor<2048x2048xbf16>, %x: tensor<64x4096xbf16>) -> (tensor<2048x2048xbf16>, "
          "tensor<64x4096xbf16>) {\n"
          "  %late = \"ttir.relu\"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
          "  %soon = \"ttir.exp\"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
          "  %soft = \"ttir.softmax\"(%x) <{dimension = -1 : si32}> : (tensor<64x4096xbf16>) -> tensor<64x4096xbf16>\n"
          "  %new = \"ttir.exp\"(%soon) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
          "  %sum = \"ttir.add\"(%new, %late) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> "
          "tensor<2048x2048xbf16>\n"
          "  return %sum, %soft : tensor<2048x2048xbf16>, tensor<64x4096xbf16>\n}\n"),
      "Greedy", {.l1UsageCapPermille = 400});
  expectSound(*run);
  ASSERT_TRUE(run->plan.layout[valueNamed(run->graph, "late")]->isL1());
  ASSERT_TRUE(run->plan.layout[valueNamed(run->graph, "soon")]->isL1());
  std::vector<ValueId> evicted;
  for (const Spill& spill : run->plan.spills) {
    if (spill.before == producerOf(run->graph, "soft")) evicted.push_back(spill.value);
  }
  EXPECT_EQ(evicted, std::vector<ValueId>{valueNamed(run->graph, "late")});
}

// An op that runs on DRAM only still needs room for its buffers: the value that fills L1 has to leave.
TEST(Greedy, EvictsWhenNotEvenDramResultsLeaveRoom) {
  auto run = runOn(
      graphOf(
          "func.func @main(%a: tensor<2048x2048xbf16>, %x: tensor<64x4096xbf16>) -> (tensor<2048x2048xbf16>, "
          "tensor<64x4096xbf16>) {\n"
          "  %big = \"ttir.relu\"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
          "  %soft = \"ttir.softmax\"(%x) <{dimension = -1 : si32}> : (tensor<64x4096xbf16>) -> tensor<64x4096xbf16>\n"
          "  %last = \"ttir.exp\"(%big) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
          "  return %last, %soft : tensor<2048x2048xbf16>, tensor<64x4096xbf16>\n}\n"),
      "Greedy", {.l1UsageCapPermille = 250});
  expectSound(*run);
  ASSERT_FALSE(run->plan.spills.empty());
  const Spill& spill = run->plan.spills[0];
  EXPECT_EQ(spill.value, valueNamed(run->graph, "big"));
  EXPECT_EQ(spill.before, producerOf(run->graph, "soft"));
  EXPECT_EQ(spill.cause, SpillCause::Memory);
}

}  // namespace
}  // namespace tessera::test
