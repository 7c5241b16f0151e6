// 200 random graphs under every policy, with roomy and with tight L1.

#include "tests/policy/expect_sound.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

const uint64_t kSeeds = test::seeds(200);

TEST(RandomGraph, SameSeedGivesSameTextAndDifferentSeedsDiffer) {
  EXPECT_EQ(randomGraphText(3), randomGraphText(3));
  EXPECT_NE(randomGraphText(3), randomGraphText(4));
}

TEST(RandomGraph, HasTheSizesAndFormsItPromises) {
  size_t least = 1000, most = 0, forks = 0, severalResults = 0;
  const uint64_t graphs = smallTests() ? 40 : 200;
  for (uint64_t seed = 0; seed < graphs; ++seed) {
    Graph graph = graphOf(randomGraphText(seed));
    ASSERT_TRUE(graph.forward.valid()) << "seed " << seed;
    size_t ops = graph.funcs[graph.forward].ops.size() - 1;
    least = std::min(least, ops);
    most = std::max(most, ops);
    for (const auto& uses : collectUses(graph)) forks += uses.size() > 1;
    severalResults += graph.funcs[graph.forward].resultTypes.size() > 1;
  }
  EXPECT_GE(least, 5u);
  EXPECT_LE(most, 120u);  // a matmul may bring a second op for its weights
  EXPECT_GT(forks, graphs);
  EXPECT_GT(severalResults, 10u);
}

class RandomPolicies : public ::testing::TestWithParam<std::string_view> {};

// One decision per op with a tensor result, in schedule order, with exactly one chosen candidate where something
// worked.
void expectOneDecisionPerOp(const PolicyRun& run) {
  const auto& order = run.plan.order;  // a policy may choose its own
  ASSERT_EQ(run.log.decisions.size(), order.size() - 1);
  for (size_t i = 0; i < run.log.decisions.size(); ++i) {
    const Decision& decision = run.log.decisions[i];
    EXPECT_EQ(decision.op, order[i]);
    EXPECT_FALSE(decision.summary.empty());
    EXPECT_LE(decision.candidates.size(), DecisionLog::kMaxCandidates);
    for (const Candidate& c : decision.candidates) {
      if (c.status == CandidateStatus::Chosen) {
        EXPECT_EQ(c.layout, *run.plan.layout[decision.value]);
      }
      if (c.status == CandidateStatus::Rejected) {
        EXPECT_FALSE(c.verdict.ok());
      }
      if (c.status == CandidateStatus::Worse) {
        EXPECT_TRUE(c.verdict.ok());
      }
    }
  }
}

TEST_P(RandomPolicies, PlansAreSoundAndLogged) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto run = runOn(graphOf(randomGraphText(seed)), GetParam());
    expectSound(*run);
    expectOneDecisionPerOp(*run);
    if (HasFailure()) return;
  }
}

// A tenth of L1 forces values out of it.
TEST_P(RandomPolicies, PlansAreSoundWithLittleL1) {
  size_t spills = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto run = runOn(graphOf(randomGraphText(seed)), GetParam(), {.l1UsageCapPermille = 60});
    expectSound(*run);
    for (const Spill& spill : run->plan.spills) spills += spill.cause != SpillCause::FunctionReturn;
    if (HasFailure()) return;
  }
  if (GetParam() == "Greedy") {
    EXPECT_GT(spills, 0u);
  }
}

TEST_P(RandomPolicies, PlansAreSoundOnEveryDevice) {
  for (const DeviceSpec& device : allDevices()) {
    for (uint64_t seed = 0; seed < test::seeds(20); ++seed) {
      SCOPED_TRACE(std::string(device.id) + " seed " + std::to_string(seed));
      expectSound(*runOn(graphOf(randomGraphText(seed)), GetParam(), {.maxLegalLayouts = 64}, device));
      if (HasFailure()) return;
    }
  }
}

std::vector<std::string_view> policyIds() {
  std::vector<std::string_view> ids;
  for (const PolicyInfo& info : allPolicies()) ids.push_back(info.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(All, RandomPolicies, ::testing::ValuesIn(policyIds()),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace tessera::test
