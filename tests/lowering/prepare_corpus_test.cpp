// Every preparation pass on every real graph: the same results before and after, on the graph made small; and what is
// left.

#include "core/execute/interpreter.h"
#include "core/execute/shrink_graph.h"
#include "core/lowering/const_eval_hoist.h"
#include "core/ops/shapes/shape_rules.h"
#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

// Constants in dumps are rounded to bf16, and fused ops use the exact ones.
constexpr double kTolerance = 0.02;

std::string shapeMistakes(const Graph& graph) {
  Diagnostics diags;
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) checkShapes(graph, op, diags);
  }
  std::string text;
  for (const Diagnostic& d : diags.all()) text += d.message + "\n";
  return text;
}

// All passes of the stage, each compared with what it was given.
Graph runChecked(const Graph& graph, PassStage stage, const LoweringSetup& setup, double tolerance) {
  Graph now = graph;
  for (const PassInfo* pass : everyPass()) {
    if (pass->stage != stage) continue;
    SCOPED_TRACE(std::string(pass->name));
    LoweringResult result = runPass(*pass, now, setup.context);
    expectSoundLogs(result);
    EXPECT_EQ(shapeMistakes(result.graph), "");
    ComparisonVerdict verdict = compareGraphs(now, result.graph, 7, tolerance);
    EXPECT_TRUE(verdict.equal()) << verdict.text;
    now = std::move(result.graph);
  }
  return now;
}

TEST(PrepareCorpus, EveryPassKeepsTheResults) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  LoweringSetup setup;
  for (const auto& path : test::sliceOf(corpusFiles())) {
    SCOPED_TRACE(path.filename().string());
    ShrunkGraph small = shrinkGraph(graphOfText(readFile(path)));
    ASSERT_TRUE(small.shrunk) << small.problem;
    Graph ready = runChecked(small.graph, PassStage::Prepare, setup, kTolerance);
    ComparisonVerdict verdict = compareGraphs(small.graph, ready, 8, kTolerance);
    EXPECT_TRUE(verdict.equal()) << verdict.text;
  }
}

// Ops of each kind before and after preparation, as text: a change shows what it won and lost.
std::string tableOf(const std::vector<std::filesystem::path>& files) {
  LoweringSetup setup;
  std::string text =
      "# ops per graph: as imported, then after the preparation passes; notes of the fusing pass. UPDATE_GOLDEN=1 "
      "lowering_test rewrites this file.\n";
  auto counted = [](const Graph& graph) {
    std::string out;
    for (const auto& [name, count] : countOps(graph))
      out += " " + name.substr(name.find('.') + 1) + " " + std::to_string(count);
    return out + "\n";
  };
  for (const auto& path : files) {
    Graph now = graphOfText(readFile(path));
    text += "\n" + path.filename().string() + "\n  before:" + counted(now);
    std::map<std::string, int> notes;
    for (const PassInfo& pass : allPasses()) {
      if (pass.stage != PassStage::Prepare || (pass.enabled != nullptr && !pass.enabled(setup.options))) continue;
      LoweringResult result = runPass(pass, now, setup.context);
      for (const PassLogNote& note : result.logs[0].notes) ++notes[note.text];
      now = std::move(result.graph);
    }
    text += "  after: " + counted(now);
    for (const auto& [note, count] : notes) text += "    " + std::to_string(count) + "x " + note + "\n";
  }
  return text;
}

TEST(PrepareCorpus, WhatIsLeft) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  std::filesystem::path golden = std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/lowering/prepared_ops.txt";
  std::string text = tableOf(corpusFiles());
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << text;
  EXPECT_EQ(text, readFile(golden));
}

// No batch norm is left, and of the 429 reshapes and 56 permutes four run: those that move data. The weights' are
// computed once.
TEST(PrepareCorpus, ResNetHasNoBatchNormsAndFewViews) {
  LoweringSetup setup;
  for (const auto& path : test::sliceOf(corpusFiles())) {
    if (path.filename() != "resnet50_xla.mlir") continue;
    Graph graph = hoistConstEval(lower(graphOfText(readFile(path)), setup.context).graph);
    std::map<std::string, int> forward;
    for (OpId op : graph.funcs[graph.forward].ops) ++forward[graph.ops[op].name];
    EXPECT_EQ(forward["ttnn.conv2d"], 53);
    EXPECT_EQ(forward["ttnn.batch_norm_inference"], 0);
    EXPECT_EQ(forward["ttnn.reshape"], 3);  // the image flattened; around the mean over height and width
    EXPECT_EQ(forward["ttnn.permute"], 1);
    EXPECT_EQ(forward["ttnn.relu"], 16);  // behind the additions; the others are taken into convolutions
  }
}

}  // namespace
}  // namespace tessera::test
