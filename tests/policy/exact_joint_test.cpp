// Layouts and L1 together: only a plan that fits is an upper bound.

#include "core/plan/check_plan.h"
#include "core/policy/exact/exact_search.h"
#include "core/policy/kit/plan_time.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// The first round, without prices, takes the assignment of the layouts' optimum. Where nothing makes it fit there is no
// plan, and what is known of the best time stays as it was.
TEST(ExactJoint, APlanThatDoesNotFitIsNoUpperBound) {
  int without = 0, with = 0;
  for (const uint32_t seed : {3u, 5u, 15u}) {
    for (const int32_t cap : {10, 20, 40}) {
      SCOPED_TRACE(std::to_string(seed) + " cap " + std::to_string(cap));
      const auto run = runOn(graphOf(randomGraphText(seed)), "DRAM", {.l1UsageCapPermille = cap});
      const std::vector<Plan> none;
      ExactSearch search(*run->problem, none, run->memory.exact);
      const SelectionResult& chosen = search.layouts();
      if (!chosen.feasible || !search.tree()) continue;
      const LayoutAssignment wanted = readAssignment(search.costs(), chosen.values);
      bool fits = false;
      Cost least = kForbidden;
      for (const bool prefer : {true, false}) {
        const Realized one = realize(search.costs(), wanted, {.preferOtherCandidates = prefer});
        fits = fits || one.fits;
        if (one.fits) least = std::min(least, planTime(*run->problem, one.plan, search.moves()));
      }
      const JointResult made =
          solveJoint(search.choices(), run->memory.exact, search.moves(), search.order(), 0, kForbidden,
                     {.capacity = run->problem->budget.bytes().count, .rounds = 1, .budget = WorkBudget(10'000'000)});
      EXPECT_EQ(made.rounds, 1);
      EXPECT_EQ(made.plan.has_value(), fits);
      EXPECT_EQ(made.upper, least) << "of two ways to make it fit the faster";
      EXPECT_EQ(made.steps.back().upper, made.upper);
      EXPECT_EQ(made.lower, chosen.lowerBound) << "without prices the bound is that of the layouts";
      if (made.plan) EXPECT_TRUE(checkPlan(*run->problem, *made.plan).empty());
      (fits ? with : without) += 1;
    }
  }
  EXPECT_GT(with, 0);
  EXPECT_GT(without, 0);
}

}  // namespace
}  // namespace tessera::test
