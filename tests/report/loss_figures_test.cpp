// The figures of losses, counted again from the run by other means, and small ones by hand.

#include "core/driver/pipeline.h"
#include "core/report/losses.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

int32_t rowOfOp(const RunOutcome& run, OpId op) {
  for (size_t i = 0; i < run.program->sim.steps.size(); ++i)
    if (run.program->sim.steps[i].op == op) return static_cast<int32_t>(i);
  return -1;
}

int64_t freeAtRow(const RunOutcome& run, int32_t row) {
  const SimStep& step = run.program->sim.steps[static_cast<size_t>(row)];
  return std::max<int64_t>(run.problem->budget.bytes().count - step.tensorsL1.count - step.circularBuffersL1.count, 0);
}

void expectFigures(const RunOutcome& run, const Loss& loss) {
  const LossFigures figures = lossFigures(run, loss, rowsOf(run));
  const Graph& graph = run.problem->graph;
  int32_t readers = 0, opStep = rowOfOp(run, loss.op), lastStep = opStep;
  for (OpId reader : graph.funcs[graph.forward].ops) {
    if (opInfo(graph.ops[reader].kind).has(kTerminator)) continue;
    const auto& operands = graph.ops[reader].operands;
    const auto times = static_cast<int32_t>(std::count(operands.begin(), operands.end(), loss.value));
    readers += times;
    if (times > 0) lastStep = std::max(lastStep, rowOfOp(run, reader));
  }
  EXPECT_EQ(figures.readers, readers);
  EXPECT_EQ(figures.opStep, opStep);
  EXPECT_EQ(figures.lastStep, lastStep);
  EXPECT_LE(figures.takers, readers);
  EXPECT_LE(figures.takersFirst, figures.takers);
  EXPECT_EQ(figures.refusal.empty(), figures.refusedBy.empty());
  EXPECT_EQ(loss.candidate && figures.takers < figures.readers, loss.candidate && !figures.refusedBy.empty());
  if (opStep < 0) return;
  int32_t tightest = opStep;
  for (int32_t row = opStep; row <= lastStep; ++row)
    if (freeAtRow(run, row) < freeAtRow(run, tightest)) tightest = row;
  EXPECT_EQ(figures.free.count, freeAtRow(run, opStep));
  EXPECT_EQ(figures.leastFree.count, freeAtRow(run, tightest));
  EXPECT_EQ(figures.leastFreeStep, tightest) << "the first of equals";
  if (loss.candidate) {
    EXPECT_EQ(figures.bytes, l1BytesPerCore(*loss.candidate));
  }
  // The first of the moves of this value right before the op; without one the op itself.
  int32_t move = opStep;
  while (move > 0 && run.program->applied.inserted[run.program->sim.steps[static_cast<size_t>(move) - 1].op]) --move;
  const auto begins = [&](int32_t row) {
    ValueId value = run.program->applied.graph.ops[run.program->sim.steps[static_cast<size_t>(row)].op].operands[0];
    while (run.program->applied.graph.values[value].producer.valid() &&
           run.program->applied.inserted[run.program->applied.graph.values[value].producer])
      value = run.program->applied.graph.ops[run.program->applied.graph.values[value].producer].operands[0];
    return value == loss.value;
  };
  while (move < opStep && !begins(move)) ++move;
  EXPECT_EQ(figures.step, loss.wasInL1 ? move : opStep);
}

TEST(LossFigures, AreThoseOfTheRun) {
  size_t seen = 0;
  for (const char* name : {"diamond", "partial_success", "late_spill", "operand_1_in_l1", "concat_width"}) {
    Session session;
    session.load(name, readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases" /
                                (std::string(name) + ".mlir")));
    for (const char* policy : {"DFSharding", "DFSharding2", "BFInterleaved", "Greedy", "DRAM"}) {
      SCOPED_TRACE(std::string(name) + " " + policy);
      Options options;
      options.policy = policy;
      const auto finished = runPolicy(session, options, Diagnostics());
      ASSERT_TRUE(finished->report.run);
      for (const Loss& loss : findLosses(*finished->report.run)) expectFigures(*finished->report.run, loss), ++seen;
    }
  }
  EXPECT_GT(seen, 20u);
}

TEST(LossFigures, ResultsAreInOneMemoryEach) {
  Session session;
  session.load("diamond", readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases/diamond.mlir"));
  for (const char* policy : {"DRAM", "DFSharding", "Greedy", "GreedyL1Interleaved"}) {
    SCOPED_TRACE(policy);
    Options options;
    options.policy = policy;
    const auto finished = runPolicy(session, options, Diagnostics());
    const RunOutcome& run = *finished->report.run;
    int64_t inL1 = 0, sharded = 0, inDram = 0;
    for (OpId op : run.plan.order) {
      const Op& o = run.problem->graph.ops[op];
      if (o.results.empty() || run.problem->pinned[o.results[0]]) continue;
      const std::string text = layoutText(*run.plan.layout[o.results[0]]);
      inL1 += text.rfind("L1", 0) == 0;
      sharded += text.find("block") != std::string::npos || text.find("height") != std::string::npos ||
                 text.find("width") != std::string::npos;
      inDram += text.rfind("DRAM", 0) == 0;
    }
    const ResultPlaces places = countResults(run);
    EXPECT_EQ(places.inL1, inL1);
    EXPECT_EQ(places.sharded, sharded);
    EXPECT_EQ(places.inDram, inDram);
  }
}

// A proven plan has no gap.
TEST(ExactJson, WhatIsProvenHasNoGap) {
  Session session;
  session.load("diamond", readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases/diamond.mlir"));
  Options options;
  options.policy = "Exact";
  const auto finished = runPolicy(session, options, Diagnostics());
  ASSERT_TRUE(finished->report.run && finished->report.run->log.exact && finished->report.run->log.exact->proven);
  EXPECT_NE(reportJson(finished->report).find("\"gapPpm\":0"), std::string::npos);
}

TEST(LossFigures, MeansAndParts) {
  SimResult sim;
  EXPECT_EQ(meanCoresTenths(sim), 0);
  sim.steps.resize(3);
  sim.steps[0].time.cores = 64;
  sim.steps[2].time.cores = 7;  // the second computes nothing and does not count
  EXPECT_EQ(meanCoresTenths(sim), 355);
  EXPECT_EQ(headroomPermille(Bytes(0), Bytes(0)), 0);
  EXPECT_EQ(headroomPermille(Bytes(0), Bytes(2000)), 1000);
  EXPECT_EQ(headroomPermille(Bytes(1999), Bytes(2000)), 0);
  EXPECT_EQ(headroomPermille(Bytes(1500), Bytes(2000)), 250);
  EXPECT_EQ(headroomPermille(Bytes(2500), Bytes(2000)), 0);
}

}  // namespace
}  // namespace tessera::test
