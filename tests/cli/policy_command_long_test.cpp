// The example policies over samples and graphs of real models, each on every second: both checkers are silent on
// their plans.

#include "core/cli/child_process.h"
#include "core/driver/pipeline.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// Of the files every second, from the first or from the second on.
void expectLegal(const std::string& interpreter, const std::string& file, size_t first) {
  if (!runChild(interpreter + " --version", "", {}).problem.empty()) GTEST_SKIP() << "no " << interpreter;
  const std::string command = interpreter + " " + TESSERA_SOURCE_DIR + "/examples/policies/" + file;
  std::vector<std::filesystem::path> files = sliceOf(sampleFiles());
  for (const auto& path : corpusSlice()) files.push_back(path);
  for (size_t i = first; i < files.size(); i += 2) {
    const std::filesystem::path& path = files[i];
    Session session;
    session.load("x", readFile(path));
    auto prepared = prepareRun(session, Options(), {});
    ASSERT_TRUE(prepared->problem) << path;
    const ChildAnswer answer = runChild(command, problemOut(*prepared), {});
    ASSERT_EQ(answer.problem, "") << path << "\n" << answer.err;
    Json plan(answer.out);
    runPlan(*prepared, plan.document.root());
    for (const Diagnostic& d : prepared->diagnostics.all()) EXPECT_NE(d.severity, Severity::Error) << path << d.message;
    const RunOutcome& run = *prepared->report.run;
    for (const ReportDefect& defect : run.defects) ADD_FAILURE() << path << " " << defect.rule << ": " << defect.text;
    EXPECT_EQ(run.program->sim.failures, 0) << path;
    EXPECT_GT(run.program->sim.time.count, 0) << path;
  }
}

TEST(ExamplePolicies, FirstFitInPython) { expectLegal("python3", "first_fit.py", 0); }
TEST(ExamplePolicies, FastestInJavaScript) { expectLegal("node", "fastest.js", 1); }

}  // namespace
}  // namespace tessera::test
