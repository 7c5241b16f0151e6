#include "core/driver/pipeline.h"

#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

TEST(LoadGraph, KeepsNameAndText) {
  LoadedGraph loaded = loadGraph("model.mlir", kRelu);
  EXPECT_EQ(loaded.source.name(), "model.mlir");
  EXPECT_EQ(loaded.source.text(), kRelu);
  EXPECT_TRUE(loaded.graph.has_value());
  EXPECT_FALSE(loaded.isJson);
}

TEST(LoadGraph, ThereIsAGraphOrAnError) {
  for (const auto& path : mlirFilesIn(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases")) {
    LoadedGraph loaded = loadGraph(path.filename().string(), readFile(path));
    EXPECT_NE(loaded.graph.has_value(), loaded.diagnostics.hasErrors()) << path;
  }
}

TEST(RunPolicy, DiagnosticsOfOptionsComeFirst) {
  Options options;
  Diagnostics optionDiags;
  setOption(options, "no-such-option", "1", optionDiags);
  LoadedGraph loaded = loadGraph("x", "func.func @main( oops");
  auto finished = runPolicy(loaded, options, optionDiags);
  ASSERT_GE(finished->diagnostics.all().size(), 2u);
  EXPECT_EQ(finished->diagnostics.all()[0].kind, DiagKind::UnknownOption);
  EXPECT_FALSE(finished->report.run.has_value());
  EXPECT_FALSE(finished->report.ok());
}

TEST(RunPolicy, AnErrorInTheOptionsStopsTheRun) {
  Options options;
  Diagnostics optionDiags;
  setOption(options, "policy", "nobody", optionDiags);
  LoadedGraph loaded = loadGraph("x", kRelu);
  auto finished = runPolicy(loaded, options, optionDiags);
  EXPECT_FALSE(finished->report.run.has_value());
  EXPECT_NE(finished->report.graph, nullptr) << "what was read is still described";
}

TEST(RunPolicy, EveryDeviceWithEveryReleaseAndPolicy) {
  LoadedGraph loaded = loadGraph("x", kRelu);
  for (const DeviceSpec& device : allDevices()) {
    for (const L1Release& release : l1Releases()) {
      for (const PolicyInfo& policy : allPolicies()) {
        Options options;
        options.device = device.id;
        options.policy = policy.id;
        options.l1Release = release.date;
        auto finished = runPolicy(loaded, options, Diagnostics());
        EXPECT_TRUE(finished->report.ok()) << device.id << " " << release.date << " " << policy.id;
        bool mock = device.id.substr(0, 5) == "mock-";
        if (device.arch != release.arch && !mock) continue;
        EXPECT_EQ(finished->device.l1UnreservedBase, mock ? device.l1UnreservedBase : release.base) << device.id;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test
