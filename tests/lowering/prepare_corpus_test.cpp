// Every preparation pass on every real graph: the same results before and after, on the graph made small; and what is left.

#include "core/ops/shape_rules.h"
#include "core/sim/interpreter.h"
#include "core/sim/shrink_graph.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/policy/random_graph.h"

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
  for (const PassInfo& pass : allPasses()) {
    if (pass.stage != stage) continue;
    SCOPED_TRACE(std::string(pass.name));
    LoweringResult result = runPass(pass, now, setup.context);
    expectSoundLogs(result);
    EXPECT_EQ(shapeMistakes(result.graph), "");
    ComparisonVerdict verdict = compareGraphs(now, result.graph, 7, tolerance);
    EXPECT_TRUE(verdict.equal()) << verdict.text << "\n" << (std::getenv("SHOW") ? exportMlir(now) + exportMlir(result.graph) : "");
    now = std::move(result.graph);
  }
  return now;
}

TEST(PrepareCorpus, EveryPassKeepsTheResults) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  LoweringSetup setup;
  for (const auto& path : corpusFiles()) {
    SCOPED_TRACE(path.filename().string());
    ShrunkGraph small = shrinkGraph(graphOfText(readFile(path)));
    ASSERT_TRUE(small.shrunk) << small.problem;
    Graph ready = runChecked(small.graph, PassStage::Prepare, setup, kTolerance);
    ComparisonVerdict verdict = compareGraphs(small.graph, ready, 8, kTolerance);
    EXPECT_TRUE(verdict.equal()) << verdict.text;
  }
}

TEST(PrepareCorpus, WhatIsLeft) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  LoweringSetup setup;
  for (const auto& path : corpusFiles()) {
    Graph now = graphOfText(readFile(path));
    std::map<std::string, int> before = countOps(now);
    std::string notes;
    for (const PassInfo& pass : allPasses()) {
      if (pass.stage != PassStage::Prepare) continue;
      LoweringResult result = runPass(pass, now, setup.context);
      std::map<std::string, int> texts;
      for (const PassLogNote& note : result.logs[0].notes) ++texts[note.text];
      for (const auto& [text, count] : texts) notes += "    " + std::to_string(count) + "x " + text + "\n";
      now = std::move(result.graph);
    }
    std::string line;
    std::map<std::string, int> after = countOps(now);
    for (const auto& [name, count] : after) line += " " + name.substr(name.find('.') + 1) + " " + std::to_string(count);
    std::printf("%s: reshapes %d -> %d, permutes %d -> %d\n   %s\n%s", path.filename().c_str(), before["ttir.reshape"], after["ttir.reshape"], before["ttir.permute"] + before["ttir.transpose"], after["ttir.permute"], line.c_str(), notes.c_str());
  }
}

}  // namespace
}  // namespace tessera::test
