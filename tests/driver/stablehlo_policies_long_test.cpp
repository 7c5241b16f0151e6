// Every policy on every StableHLO graph at hand, with all checkers and held against what it did there before.

#include <cstdio>

#include "core/driver/pipeline.h"
#include "tests/driver/model_pins.h"
#include "tests/import/import_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

TEST(StablehloPolicies, EveryPolicyIsSoundOnRealGraphs) {
  const std::vector<std::filesystem::path> files = stablehloFiles();
  if (files.empty()) GTEST_SKIP() << "skipped: no graphs at " << sharedFolder();
  int graphs = 0, complete = 0;
  for (const auto& path : sliceUpTo(60'000, files)) {
    SCOPED_TRACE(path.filename().string());
    Session session;
    const LoadedGraph& loaded = session.load(path.filename().string(), readFile(path));
    if (!loaded.graph) continue;  // sizes that are known at run time only
    ++graphs;
    bool opaque = false;
    for (const PolicyInfo& info : allPolicies()) {
      SCOPED_TRACE(std::string(info.id));
      Options options;
      options.policy = info.id;
      auto run = runPolicy(session, options, Diagnostics());
      ASSERT_TRUE(run->report.run.has_value());
      for (const ReportDefect& d : run->report.run->defects)
        ADD_FAILURE() << d.checker << ": " << d.rule << ": " << d.text;
      expectPinnedModel(modelPins, path.stem().string(), options.policy, *run);
      for (const Op& op : run->report.run->program->applied.graph.ops)
        opaque = opaque || op.name.rfind("stablehlo.", 0) == 0 || op.name.rfind("chlo.", 0) == 0;
    }
    complete += opaque ? 0 : 1;
  }
  std::printf("[   INFO   ] %d graphs, %d without an opaque op\n", graphs, complete);
  if (!smallTests()) {  // of all, not of three
    EXPECT_GE(complete * 10, graphs * 9);
  }
}

}  // namespace
}  // namespace tessera::test
