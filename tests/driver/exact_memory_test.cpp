// Policy Exact keeps what it finds out with the loaded graph. Whatever was run before, an answer has the same bytes as a first one.

#include "core/driver/pipeline.h"
#include "core/driver/regret.h"
#include "core/policy/exact/exact_memory.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

struct Asked {
  std::string_view device = "n150";
  std::string_view policy = "Exact";
  int64_t capPermille = 1000;
  int64_t gridRows = kMostGridSide;
  std::string layoutOverride = {};
};

std::string answer(const LoadedGraph& loaded, const Asked& asked) {
  Options options;
  options.device = asked.device;
  options.policy = asked.policy;
  options.l1UsageCapPermille = asked.capPermille;
  options.maxGridRows = asked.gridRows;
  options.overrideOutputLayout = asked.layoutOverride;
  const auto finished = runPolicy(loaded, options, Diagnostics());
  return reportJson(finished->report) + (finished->report.run ? regretJson(*finished) : "");
}

void expectSameWarmAndCold(const std::filesystem::path& path, const std::vector<Asked>& runs) {
  SCOPED_TRACE(path.filename().string());
  const std::string text = readFile(path);
  const LoadedGraph warm = loadGraph("input", text);
  for (const Asked& asked : runs) {
    const LoadedGraph cold = loadGraph("input", text);
    EXPECT_TRUE(answer(warm, asked) == answer(cold, asked)) << asked.device << " " << asked.policy << " " << asked.capPermille << " " << asked.gridRows;
  }
}

TEST(ExactMemory, ChangesNoAnswer) {
  const std::vector<Asked> few = {{}, {.capPermille = 990}, {.policy = "Greedy", .capPermille = 400}, {.capPermille = 400}, {.device = "p150"}, {.capPermille = 400}};
  for (const auto& path : sampleFiles()) expectSameWarmAndCold(path, few);
}

// Caps close together, whose runs share most of what is kept, and back again.
TEST(ExactMemory, ChangesNoAnswerWhileASliderMoves) {
  std::vector<Asked> runs = {{.gridRows = 4}};
  for (int64_t cap : {1000, 990, 700, 690, 410, 400, 300, 410, 980}) runs.push_back({.capPermille = cap});
  for (const auto& path : sampleFiles()) {
    if (path.filename().string().find("transformer") != std::string::npos) expectSameWarmAndCold(path, runs);
  }
}

TEST(ExactMemory, ChangesNoAnswerAboutAnOverriddenOp) {
  const std::string text =
      "func.func @main(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
      "  %0 = \"ttir.matmul\"(%a, %b) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> loc(\"product\")\n"
      "  %1 = \"ttir.relu\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16> loc(\"positive\")\n"
      "  %2 = \"ttir.add\"(%1, %0) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> loc(\"sum\")\n"
      "  return %2 : tensor<512x512xbf16>\n}\n";
  const LoadedGraph warm = loadGraph("input", text);
  for (const char* fixed : {"", "positive=dram", "", "product=dram", "positive=dram"}) {
    const LoadedGraph cold = loadGraph("input", text);
    EXPECT_EQ(answer(warm, {.layoutOverride = fixed}), answer(cold, {.layoutOverride = fixed})) << fixed;
  }
}

// Equal ops are asked about once, and a moved cap asks nothing again that does not depend on it.
TEST(ExactMemory, RemembersQuestions) {
  const auto files = sampleFiles();
  const auto resnet = std::find_if(files.begin(), files.end(), [](const auto& path) { return path.filename().string().find("resnet") != std::string::npos; });
  ASSERT_NE(resnet, files.end());
  const LoadedGraph loaded = loadGraph("input", readFile(*resnet));
  answer(loaded, {});
  const ExactMemory& memory = *loaded.exact;
  const size_t ways = memory.ways.size(), moves = memory.moves.size(), plans = memory.plans.size();
  EXPECT_EQ(plans, allPolicies().size() - 1);
  size_t ops = 0;
  for (OpId op : loaded.lowered->result.graph.ops.ids()) ops += loaded.lowered->result.graph.ops[op].func == loaded.lowered->result.graph.forward;
  EXPECT_LT(memory.classes.size(), ops);
  const auto lowered = loaded.lowered;
  answer(loaded, {.capPermille = 995});
  EXPECT_EQ(loaded.lowered, lowered) << "no pass would decide otherwise";
  EXPECT_LT(memory.ways.size(), ways + ways / 4);
  EXPECT_LT(memory.moves.size(), moves + moves / 4);
  EXPECT_LT(memory.plans.size(), 2 * plans) << "some policies decide the same";
}

TEST(ExactMemory, ForgetsForAnotherDeviceAndWhenFull) {
  ExactMemory memory;
  memory.prepare(allDevices()[0]);
  memory.wayKeys.numberOf({1, 2, 3});
  memory.prepare(allDevices()[0]);
  EXPECT_EQ(memory.wayKeys.size(), 1u);
  DeviceSpec other = allDevices()[0];
  other.grid.rows -= 1;
  memory.prepare(other);
  EXPECT_EQ(memory.wayKeys.size(), 0u);
  memory.wayKeys.numberOf({1, 2, 3});
  memory.cells = int64_t{1} << 40;
  memory.prepare(other);
  EXPECT_EQ(memory.wayKeys.size(), 0u);
  EXPECT_EQ(memory.cells, 0);
}

}  // namespace
}  // namespace tessera::test
