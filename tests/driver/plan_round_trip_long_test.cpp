// Over the samples and the graphs of real models: every policy's plan, written and read again, gives the same report.

#include "core/driver/pipeline.h"
#include "core/plan/plan_json.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// What the policy says about its reasons is no part of a plan.
void forgetReasons(RunOutcome& run) {
  run.log = DecisionLog();
  run.plan.room.clear();
  for (auto& move : ownProgram(run).applied.inserted) {
    if (move) move->room = -1;
  }
}

class PlanRoundTrip : public ::testing::TestWithParam<std::string_view> {};

TEST_P(PlanRoundTrip, OfSamplesAndCorpus) {
  std::vector<std::filesystem::path> files = sliceOf(sampleFiles());
  for (const auto& path : corpusSlice()) files.push_back(path);
  for (size_t i = 0; i < files.size(); ++i) {
    if (!paired(policyNumber(GetParam()), i)) continue;
    const std::filesystem::path& path = files[i];
    Options options;
    options.policy = std::string(GetParam());
    Session session;
    session.load("x", readFile(path));
    auto decided = runPolicy(session, options, {});
    ASSERT_TRUE(decided->report.run) << path;
    const std::string written = planOut(*decided);
    Json document(written);
    Options again;
    Diagnostics diags;
    readOptions(again, document["options"], diags);
    chooseDefaultPolicy(again, *session.loaded());
    auto carriedOut = prepareRun(session, again, diags);
    runPlan(*carriedOut, document.document.root());
    forgetReasons(*decided->report.run);
    EXPECT_TRUE(reportJson(decided->report) == reportJson(carriedOut->report)) << path << " " << GetParam();
    EXPECT_TRUE(planOut(*carriedOut) == written) << path << " " << GetParam();
  }
}

std::vector<std::string_view> policyIds() {
  std::vector<std::string_view> ids;
  for (const PolicyInfo& policy : allPolicies()) ids.push_back(policy.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Policies, PlanRoundTrip, ::testing::ValuesIn(policyIds()),
                         [](const auto& policy) { return std::string(policy.param); });

}  // namespace
}  // namespace tessera::test
