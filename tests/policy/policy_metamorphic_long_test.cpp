// Changes of the input whose effect on the answer is known.

#include "tests/analysed.h"
#include "tests/policy/expect_sound.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

const uint64_t kMetamorphicSeeds = test::seeds(60);

bool sameRun(const SimResult& a, const SimResult& b) {
  auto event = [](const SimEvent& e) { return std::tuple(e.step, e.kind, e.value, e.space, e.address, e.bytes); };
  bool same = a.time == b.time && a.dramBytes == b.dramBytes && a.peakL1 == b.peakL1 && a.peakStep == b.peakStep &&
              a.failures == b.failures;
  return same && std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(),
                            [&](const SimEvent& x, const SimEvent& y) { return event(x) == event(y); });
}

// Nor does running again.
TEST(Metamorphic, RenamedValuesChangeNothing) {
  for (const PolicyInfo& policy : allPolicies()) {
    for (uint64_t seed = 0; seed < kMetamorphicSeeds; ++seed) {
      SCOPED_TRACE(std::string(policy.id) + " seed " + std::to_string(seed));
      auto one = runOn(graphOf(randomGraphText(seed)), policy.id);
      auto other = runOn(graphOf(randomGraphText(seed, {.prefix = "a_quite_different_name_"})), policy.id);
      EXPECT_TRUE(samePlan(one->plan, other->plan));
      EXPECT_TRUE(sameRun(one->sim, other->sim));
      EXPECT_EQ(one->log.decisions.size(), other->log.decisions.size());
    }
  }
}

// The results of the forward function's ops, in order.
std::vector<ValueId> resultsInOrder(const Graph& graph) {
  std::vector<ValueId> results;
  for (OpId op : graph.funcs[graph.forward].ops)
    results.insert(results.end(), graph.ops[op].results.begin(), graph.ops[op].results.end());
  return results;
}

// In DRAM the copies have nothing to do with each other: time and traffic are twice what they were, L1 is what it was.
TEST(Metamorphic, TwoCopiesInDramTakeTwiceTheTime) {
  for (uint64_t seed = 0; seed < kMetamorphicSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto one = runOn(graphOf(randomGraphText(seed)), "DRAM");
    auto two = runOn(graphOf(randomGraphText(seed, {.copies = 2})), "DRAM");
    EXPECT_EQ(two->sim.time.count, 2 * one->sim.time.count);
    EXPECT_EQ(two->sim.dramBytes, 2 * one->sim.dramBytes);
    EXPECT_EQ(two->sim.peakL1, one->sim.peakL1);
    EXPECT_EQ(two->sim.peakStep, one->sim.peakStep);
    EXPECT_EQ(two->sim.steps.size(), 2 * one->sim.steps.size() - 1);  // one return
  }
}

// Greedy never looks ahead beyond how long values live, and that keeps its order: the first copy is decided as it was
// alone. Where the first copy leaves nothing in L1 the second one finds what the first one found.
TEST(Metamorphic, TwoCopiesAreDecidedAlikeByGreedy) {
  for (uint64_t seed = 0; seed < kMetamorphicSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto one = runOn(graphOf(randomGraphText(seed)), "Greedy");
    auto two = runOn(graphOf(randomGraphText(seed, {.copies = 2})), "Greedy");
    std::vector<ValueId> single = resultsInOrder(one->graph), twice = resultsInOrder(two->graph);
    ASSERT_EQ(twice.size(), 2 * single.size());
    size_t returnSpills = 0;
    for (const Spill& spill : one->plan.spills) returnSpills += spill.cause == SpillCause::FunctionReturn;
    bool alone = returnSpills == 0;
    for (size_t i = 0; i < single.size(); ++i) {
      EXPECT_EQ(*two->plan.layout[twice[i]], *one->plan.layout[single[i]]);
      if (alone) {
        EXPECT_EQ(*two->plan.layout[twice[single.size() + i]], *one->plan.layout[single[i]]);
      }
    }
    if (!alone) continue;
    EXPECT_EQ(two->plan.reshards.size(), 2 * one->plan.reshards.size());
    EXPECT_EQ(two->plan.spills.size(), 2 * one->plan.spills.size());
    EXPECT_EQ(two->sim.time.count, 2 * one->sim.time.count);
    EXPECT_EQ(two->sim.peakL1, one->sim.peakL1);
  }
  // The small graphs below leave nothing in L1 when the others do.
  std::string copy =
      "  %R0 = \"ttir.relu\"(%A) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
      "  %R1 = \"mylib.store\"(%R0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n";
  auto named = [&](const std::string& a, const std::string& r) {
    std::string text = copy;
    for (size_t at; (at = text.find("%A")) != std::string::npos;) text.replace(at, 2, a);
    for (size_t at; (at = text.find("%R")) != std::string::npos;) text.replace(at, 2, r);
    return text;
  };
  auto one = runOn(graphOf("func.func @main(%a: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n" + named("%a", "%x") +
                           "  return %x1 : tensor<512x512xbf16>\n}\n"),
                   "Greedy");
  auto two = runOn(graphOf("func.func @main(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> "
                           "(tensor<512x512xbf16>, tensor<512x512xbf16>) {\n" +
                           named("%a", "%x") + named("%b", "%y") +
                           "  return %x1, %y1 : tensor<512x512xbf16>, tensor<512x512xbf16>\n}\n"),
                   "Greedy");
  EXPECT_EQ(two->plan.reshards.size(), 2 * one->plan.reshards.size());
  EXPECT_EQ(two->sim.time.count, 2 * one->sim.time.count);
  EXPECT_EQ(two->sim.dramBytes, 2 * one->sim.dramBytes);
  EXPECT_EQ(two->sim.peakL1, one->sim.peakL1);
}

// A plan made for little room is sound with more of it.
TEST(Metamorphic, APlanForLittleL1IsSoundWithMore) {
  for (uint64_t seed = 0; seed < kMetamorphicSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto little = runOn(graphOf(randomGraphText(seed)), "Greedy", {.l1UsageCapPermille = 100});
    Problem roomy = analysed(little->graph, little->device, {});
    EXPECT_TRUE(checkPlan(roomy, little->plan).empty());
  }
}

}  // namespace
}  // namespace tessera::test
