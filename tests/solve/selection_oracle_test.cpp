// Layout selection against two solvers of other origin (Debian packages toulbar2 and coinor-cbc), on sizes beyond
// enumeration.

#include <gtest/gtest.h>

#include "core/solve/selection/selection_solver.h"
#include "tests/sizes.h"
#include "tests/solve/random_model.h"
#include "tests/solve/run_solver.h"

namespace tessera {
namespace {

using testing_selection::randomModel;
using testing_selection::RandomSpec;

RandomSpec mediumSpec(uint64_t seed) {
  Prng random(seed * 131 + 7);
  return {.variables = static_cast<int>(10 + random.below(50)),
          .domain = static_cast<int>(2 + random.below(5)),
          .factors = static_cast<int>(10 + random.below(60)),
          .arity = static_cast<int>(2 + random.below(2)),
          .maxCost = random.below(2) ? 5 : 100'000,
          .forbiddenPercent = static_cast<int>(random.below(3) * 4),
          .window = 5};
}

TEST(SelectionOracle, EqualsToulbar2) {
  if (!testing_solver::installed("toulbar2")) GTEST_SKIP() << "toulbar2 is not installed";
  int solved = 0;
  for (uint64_t seed = 0; seed < test::seeds(330); ++seed) {
    const FactorGraph model = randomModel(seed, mediumSpec(seed));
    SelectionOptions options;
    // Every third one has to do with small tables: bounds and branching.
    if (seed % 3 == 0) options.cellLimit = 400;
    const SelectionResult ours = solveSelection(model, options);
    ASSERT_TRUE(ours.proven) << "seed " << seed;
    Cost offset = 0;
    const std::string output =
        testing_solver::run("toulbar2", writeWcsp(model, "seed " + std::to_string(seed), offset), ".wcsp", "");
    if (output.find("No solution") != std::string::npos) {
      ASSERT_FALSE(ours.feasible) << "seed " << seed;
      continue;
    }
    double theirs = 0;
    ASSERT_TRUE(testing_solver::numberAfter(output, "Optimum: ", theirs)) << "seed " << seed << "\n" << output;
    ASSERT_EQ(ours.cost, static_cast<Cost>(theirs) + offset) << "seed " << seed;
    ++solved;
  }
  EXPECT_GE(solved, test::smallTests() ? 20 : 200);
}

TEST(SelectionOracle, EqualsCbc) {
  if (!testing_solver::installed("cbc")) GTEST_SKIP() << "cbc is not installed";
  for (uint64_t seed = 0; seed < 12; ++seed) {
    RandomSpec spec{
        .variables = 12, .domain = 3, .factors = 16, .arity = 3, .maxCost = 1000, .forbiddenPercent = 3, .window = 5};
    const FactorGraph model = randomModel(seed, spec);
    const SelectionResult ours = solveSelection(model, {});
    const std::string output = testing_solver::run("cbc", writeLp(model), ".lp", "ratioGap 0 solve");
    if (!ours.feasible) {
      ASSERT_NE(output.find("nfeasible"), std::string::npos) << "seed " << seed << "\n" << output;
      continue;
    }
    double theirs = 0;
    ASSERT_TRUE(testing_solver::numberAfter(output, "Objective value:", theirs)) << "seed " << seed << "\n" << output;
    ASSERT_EQ(ours.cost, static_cast<Cost>(theirs < 0 ? theirs - 0.5 : theirs + 0.5)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tessera
