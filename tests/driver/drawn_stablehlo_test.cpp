// StableHLO ops of every form, drawn by seed, through the whole pipeline: no pass changes what they compute, nor does
// the plan of any policy, carried out on simulated memory with all of L1 and with little.

#include "tests/lowering/drawn_stablehlo.h"
#include "core/driver/check_passes.h"
#include "core/driver/execute_run.h"
#include "core/policy/policy.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

class DrawnStablehlo : public ::testing::TestWithParam<DrawnForm> {};

TEST_P(DrawnStablehlo, IsTheSameBehindEveryPass) {
  PassCheckOptions options;
  options.run.preset = kCompilerPreset.id;
  for (uint64_t seed = 1; seed <= seeds(GetParam().count); ++seed) {
    const std::string text = drawnText(GetParam(), seed);
    SCOPED_TRACE(text);
    const PassChecks found = checkPasses(graphOfText(text), options);
    EXPECT_EQ(found.problem, "");
    EXPECT_GT(found.checks.size(), 20u);
    for (const PassCheck& check : found.checks)
      EXPECT_TRUE(check.verdict.equal()) << check.pass->name << ": " << check.verdict.text;
  }
}

TEST_P(DrawnStablehlo, IsTheSameOnSimulatedMemory) {
  std::vector<std::string_view> policies;
  for (const PolicyInfo& policy : allPolicies()) {
    if (!policy.has(kAsItStands)) policies.push_back(policy.id);
  }
  for (uint64_t seed = 1; seed <= seeds(GetParam().count); ++seed) {
    const std::string text = drawnText(GetParam(), seed);
    SCOPED_TRACE(text);
    Session small;
    ExecuteRequest request;
    request.whole = true;
    request.options.policy = policies[seed % policies.size()];
    Diagnostics diags;
    EXPECT_TRUE(
        setOption(request.options, "tensor-l1-usage-cap", seed / policies.size() % 2 == 0 ? "1" : "0.02", diags));
    const ExecutedRun done = executeSmall(graphOfText(text), small, request);
    ASSERT_TRUE(done.executed);
    for (const ReportDefect& d : done.run->report.run->defects) ADD_FAILURE() << d.checker << " " << d.rule << d.text;
    EXPECT_EQ(done.execution.status, PlanStatus::Equal) << request.options.policy << ": " << done.execution.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, DrawnStablehlo, ::testing::ValuesIn(kDrawnForms));

}  // namespace
}  // namespace tessera::test
