// The passes by the compiler's rules: each keeps what every real graph computes.

#include <gtest/gtest.h>

#include "core/driver/check_passes.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

TEST(CheckPasses, CompilersRulesKeepTheResultsOfRealGraphs) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  PassCheckOptions options;
  options.specificationRules = false;
  for (const auto& path : sliceOf(corpusFiles())) {
    SCOPED_TRACE(path.filename().string());
    PassChecks found = checkPasses(graphOfText(readFile(path)), *findDevice("n150"), options);
    EXPECT_EQ(found.problem, "");
    EXPECT_GT(found.checks.size(), 20u);
    for (const PassCheck& check : found.checks)
      EXPECT_TRUE(check.verdict.equal()) << check.pass->name << ": " << check.verdict.text;
  }
}

}  // namespace
}  // namespace tessera::test
