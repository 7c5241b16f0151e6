// A policy's decisions are kept for the budgets that BudgetRange says: within it, nothing may come out differently.

#include <gtest/gtest.h>

#include "core/policy/policy.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

struct Decided {
  Plan plan;
  BudgetRange range;
  int64_t budget = 0;
};

Decided decide(const Graph& graph, const DeviceSpec& device, const PolicyInfo& policy, int32_t capPermille,
               const PolicyOptions& options) {
  const Problem problem = analysed(graph, device, {.l1UsageCapPermille = capPermille});
  Decided decided{.budget = problem.budget.bytes().count};
  PolicyMemory memory;
  DecisionLog log{.wanted = false};
  decided.plan = planBy(policy, problem, options, memory, log);
  decided.range = problem.budget.takeRange();
  decided.range.cut(problem.budgets);
  return decided;
}

bool samePlan(const Plan& a, const Plan& b) {
  if (a.order != b.order || a.reshards != b.reshards || a.spills != b.spills) return false;
  for (ValueId value : a.layout.ids()) {
    if (a.layout[value] != b.layout[value]) return false;
  }
  for (OpId op : a.config.ids()) {
    if (!(a.config[op] == b.config[op])) return false;
  }
  return true;
}

// Layouts that do not fit are not legal: a problem with others says that it does not hold for such a budget.
TEST(BudgetRange, WithinItAProblemIsTheSame) {
  const DeviceSpec& device = *findDevice("n150");
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
      "  %1 = \"ttir.exp\"(%0) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>\n"
      "  return %1 : tensor<2048x2048xbf16>\n}\n");
  const auto at = [&](int32_t cap) { return analysed(graph, device, {.l1UsageCapPermille = cap}); };
  int changes = 0;
  for (int32_t cap = 20; cap + 10 <= 1000; cap += 10) {
    const Problem problem = at(cap), next = at(cap + 10);
    EXPECT_TRUE(problem.budgets.holds(problem.budget.bytes().count));
    bool same = true;
    for (OpId op : graph.ops.ids()) same = same && problem.legal[op].layouts == next.legal[op].layouts;
    changes += !same;
    if (same) continue;
    EXPECT_FALSE(problem.budgets.holds(next.budget.bytes().count)) << cap;
    EXPECT_FALSE(next.budgets.holds(problem.budget.bytes().count)) << cap;
  }
  EXPECT_GT(changes, 0);
}

TEST(BudgetRange, WithinItEveryPolicyDecidesTheSame) {
  const DeviceSpec& device = *findDevice("n150");
  int64_t inside = 0, others = 0;
  std::vector<PolicyOptions> variants(3);
  variants[1].propagate.score = BeamScore::Time;
  variants[1].chain.l1InterleavedFallbackAnalysisEnabled = true;
  variants[2].propagate.strategy = SpillStrategy::Certified;
  for (uint64_t seed = 1; seed <= test::seeds(6); ++seed) {
    const Graph graph = graphOf(randomGraphText(seed));
    for (const PolicyInfo& policy : allPolicies()) {
      if (policy.id == "Exact") continue;
      const PolicyOptions& options = variants[seed % variants.size()];
      Decided before = decide(graph, device, policy, 20, options);
      for (int32_t cap = 40; cap <= 1000; cap += 30) {
        Decided now = decide(graph, device, policy, cap, options);
        SCOPED_TRACE(std::string(policy.id) + " seed " + std::to_string(seed) + " cap " + std::to_string(cap));
        EXPECT_TRUE(now.range.holds(now.budget));
        // Both ways: what is said at one cap holds at the next, if it is in the range.
        const bool covered = before.range.holds(now.budget), covers = now.range.holds(before.budget);
        if (covered || covers) {
          EXPECT_TRUE(samePlan(before.plan, now.plan));
        }
        inside += covered || covers;
        others += !samePlan(before.plan, now.plan);
        before = std::move(now);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(inside, enough(200));
  EXPECT_GT(others, enough(50)) << "caps that matter";
}

}  // namespace
}  // namespace tessera::test
