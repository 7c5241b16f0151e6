// The passes by the compiler's rules: each keeps what every real graph computes.

#include <gtest/gtest.h>

#include "core/driver/check_passes.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

TEST(CheckPasses, CompilersRulesKeepTheResultsOfRealGraphs) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  PassCheckOptions options;
  options.run.preset = kCompilerPreset.id;
  for (const auto& path : sliceOf(corpusFiles())) {
    SCOPED_TRACE(path.filename().string());
    PassChecks found = checkPasses(graphOfText(readFile(path)), options);
    EXPECT_EQ(found.problem, "");
    EXPECT_GT(found.checks.size(), 20u);
    for (const PassCheck& check : found.checks)
      EXPECT_TRUE(check.verdict.equal()) << check.pass->name << ": " << check.verdict.text;
  }
}

// The whole pipeline on random graphs, the optimizer in it, by the compiler's rules.
TEST(CheckPasses, CompilersRulesKeepTheResultsOfRandomGraphs) {
  PassCheckOptions options;
  options.run.preset = kCompilerPreset.id;
  options.tolerance = 1e-3;
  for (uint64_t seed = 0; seed < seeds(40); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PassChecks found = checkPasses(graphOfText(randomGraphText(seed, {.images = seed % 4 == 0})), options);
    EXPECT_EQ(found.problem, "");
    for (const PassCheck& check : found.checks)
      ASSERT_TRUE(check.verdict.equal()) << check.pass->name << ": " << check.verdict.text;
  }
}

// Passes that run when they are named only, each at its place in the pipeline.
TEST(CheckPasses, NamedPassesKeepTheResults) {
  std::vector<Graph> graphs;
  for (const auto& path : sliceOf(corpusFiles())) graphs.push_back(graphOfText(readFile(path)));
  for (uint64_t seed = 0; seed < seeds(12); ++seed) graphs.push_back(graphOfText(randomGraphText(seed)));
  for (const PassInfo& pass : namedPasses()) {
    PassCheckOptions options;
    options.run.preset = kCompilerPreset.id;
    options.pass = &pass;
    for (const Graph& graph : graphs) {
      PassChecks found = checkPasses(graph, options);
      ASSERT_EQ(found.checks.size(), 1u) << pass.name;
      EXPECT_TRUE(found.checks[0].verdict.equal()) << pass.name << ": " << found.checks[0].verdict.text;
    }
  }
}

}  // namespace
}  // namespace tessera::test
