// The optimum made to fit: which values leave L1 where it does not, replayed from the plan.

#include "core/policy/exact/realize.h"

#include "core/policy/exact/exact_search.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

int32_t firstUseFrom(const Problem& problem, ValueId value, int32_t step) {
  int32_t next = problem.schedule.steps();
  for (const Use& use : problem.uses[value]) {
    const int32_t at = problem.schedule.position[use.op];
    if (at >= step) next = std::min(next, at);
  }
  return next;
}

struct Leaving {
  int decided = 0;  // pairs of one that left and one that stayed
  int ties = 0;     // of them with next uses alike
};

// At every step what left for room was read later than what stayed; of equals the first left.
void expectFarthestLeft(const Problem& problem, const Plan& plan, Leaving& seen) {
  IdVec<ValueId, std::optional<TensorLayout>> now(problem.graph.values.size());
  size_t next = 0;
  for (OpId op : plan.order) {
    const int32_t step = problem.schedule.position[op];
    std::vector<ValueId> moved, left;
    IdVec<ValueId, std::optional<TensorLayout>> before = now;
    for (; next < plan.spills.size() && plan.spills[next].before == op; ++next) {
      const Spill& spill = plan.spills[next];
      (spill.cause == SpillCause::Memory ? left : moved).push_back(spill.value);
      now[spill.value] = spill.to;
    }
    for (ValueId value : problem.graph.values.ids()) {
      const bool stays = now[value] && now[value]->isL1() && problem.live[value].lastUse >= step &&
                         problem.graph.values[value].producer.valid() &&
                         std::find(moved.begin(), moved.end(), value) == moved.end();
      if (!stays) continue;
      for (ValueId victim : left) {
        const int32_t a = firstUseFrom(problem, victim, step), b = firstUseFrom(problem, value, step);
        EXPECT_TRUE(a > b || (a == b && victim < value))
            << "%" << problem.graph.values[victim].name << " left, %" << problem.graph.values[value].name << " stayed";
        ++seen.decided;
        seen.ties += a == b;
      }
    }
    for (ValueId result : problem.graph.ops[op].results)
      if (problem.isTensor(result)) now[result] = plan.layout[result];
  }
}

TEST(ExactRealize, TheFarthestNextUseLeavesAndOfEqualsTheFirst) {
  Leaving seen;
  for (uint32_t seed = 1; seed <= (smallTests() ? 4 : 14); ++seed) {
    for (const int32_t cap : {60, 120, 250}) {
      SCOPED_TRACE(std::to_string(seed) + " cap " + std::to_string(cap));
      const auto run = runOn(graphOf(randomGraphText(seed)), "DRAM", {.l1UsageCapPermille = cap});
      const std::vector<Plan> none;
      ExactSearch search(*run->problem, none, run->memory.exact);
      if (!search.layouts().feasible) continue;
      const LayoutAssignment wanted = readAssignment(search.costs(), search.layouts().values);
      const Realized made = realize(search.costs(), wanted, movesOf(search.costs(), wanted),
                                    {.victim = VictimRule::FarthestNextUse, .preferOtherCandidates = false});
      expectFarthestLeft(*run->problem, made.plan, seen);
      size_t memory = 0;
      for (const Spill& spill : made.plan.spills) memory += spill.cause == SpillCause::Memory;
      EXPECT_EQ(memory, made.evicted.size());
      for (size_t i = 1; i < made.plan.spills.size(); ++i) {
        const Spill &a = made.plan.spills[i - 1], &b = made.plan.spills[i];
        const int32_t sa = run->problem->schedule.position[a.before], sb = run->problem->schedule.position[b.before];
        EXPECT_TRUE(sa < sb || (sa == sb && a.value < b.value)) << "moves are listed by step, then by value, once each";
      }
    }
  }
  EXPECT_GT(seen.decided, enough(10));
}

}  // namespace
}  // namespace tessera::test
