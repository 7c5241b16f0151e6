// Runs side by side: the figures are those of the runs, and the causes are those of
// docs/rules/pass-generation.md#what-it-replaces.

#include "core/report/compare.h"

#include "core/driver/pipeline.h"
#include "core/report/run_row.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

struct Compared {
  Session session;
  std::vector<std::unique_ptr<FinishedRun>> runs;
  RunComparison comparison;
};

std::unique_ptr<Compared> compare(const std::string& name, std::initializer_list<const char*> policies,
                                  int64_t cap = -1) {
  auto out = std::make_unique<Compared>();
  out->session.load(name,
                    readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases" / (name + ".mlir")));
  std::vector<LabelledReport> reports;
  for (const char* policy : policies) {
    Options options;
    options.policy = policy;
    options.l1UsageCapPermille = cap;
    out->runs.push_back(runPolicy(out->session, options, Diagnostics()));
    reports.push_back({policy, &out->runs.back()->report});
  }
  out->comparison = compareRuns(reports);
  return out;
}

int64_t losses(const ComparedRun& run, LossCause cause) { return run.losses[static_cast<size_t>(cause)]; }

TEST(Compare, FiguresAreThoseOfTheRuns) {
  auto compared = compare("partial_success", {"DRAM", "DFSharding", "Greedy", "Beam"});
  ASSERT_EQ(compared->comparison.runs.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const ComparedRun& run = compared->comparison.runs[i];
    const RunOutcome& outcome = *compared->runs[i]->report.run;
    EXPECT_TRUE(run.ran);
    EXPECT_EQ(run.time, outcome.program->sim.time);
    EXPECT_EQ(run.dramBytes, outcome.program->sim.dramBytes);
    EXPECT_EQ(run.peakL1, outcome.program->sim.peakL1);
    int64_t moves = 0;
    for (int64_t count : run.moves.counts) moves += count;
    EXPECT_EQ(moves, static_cast<int64_t>(outcome.plan.spills.size() + outcome.plan.reshards.size()));
    EXPECT_EQ(run.inL1 + run.inDram, 5);
    const RunRow row = rowOf(outcome, findLosses(outcome));
    EXPECT_GT(row.peakDramPerBank, 0);
    EXPECT_EQ(row.peakDramPerBank, outcome.program->sim.peakDramPerBank);
    EXPECT_GE(run.sharded, 0);
    EXPECT_LE(run.sharded, run.inL1);
    EXPECT_EQ(run.defects, 0);
  }
  EXPECT_EQ(compared->comparison.runs[0].inL1, 0);
  EXPECT_EQ(losses(compared->comparison.runs[0], LossCause::Memory), 0);
  EXPECT_GT(losses(compared->comparison.runs[0], LossCause::Choice), 0);
}

// The chain policy loses values that their readers would have taken; the passes lose none of them.
TEST(Compare, ChainLossesDisappearWithThePasses) {
  for (const char* name : {"partial_success", "diamond", "operand_1_in_l1"}) {
    SCOPED_TRACE(name);
    auto compared = compare(name, {"DFSharding", "Greedy", "Beam"});
    auto avoidable = [&](size_t i) {
      const ComparedRun& run = compared->comparison.runs[i];
      return losses(run, LossCause::Fork) + losses(run, LossCause::Operand0) + losses(run, LossCause::ChainFailure);
    };
    EXPECT_GT(avoidable(0), 0);
    EXPECT_EQ(avoidable(1), 0);
    EXPECT_EQ(avoidable(2), 0);
  }
  auto fork = compare("diamond", {"DFSharding"});
  EXPECT_GT(losses(fork->comparison.runs[0], LossCause::Fork), 0);
}

TEST(Compare, FullL1IsNamedAsSuch) {
  auto compared = compare("late_spill", {"Greedy"});
  EXPECT_GT(losses(compared->comparison.runs[0], LossCause::Memory), 0);
}

TEST(Compare, ListsOpsThatDiffer) {
  auto same = compare("diamond", {"Greedy", "Greedy"});
  EXPECT_TRUE(same->comparison.differences.empty());
  auto different = compare("diamond", {"DRAM", "Greedy"});
  ASSERT_EQ(different->comparison.differences.size(), 4u);
  const ComparedOp& op = different->comparison.differences[0];
  EXPECT_EQ(op.name, "%top");
  EXPECT_EQ(op.layouts, (std::vector<std::string>{"DRAM", "L1 block 8x8"}));
  EXPECT_GT(op.times[0], 0);
}

TEST(Compare, TextHasOneLinePerRunAndJsonHasItAll) {
  auto compared = compare("diamond", {"DRAM", "Greedy"});
  std::string text = comparisonText(compared->comparison, false);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  const std::string withOps = comparisonText(compared->comparison, true);
  EXPECT_NE(withOps.find("4 ops differ"), std::string::npos);
  for (const ComparedOp& op : compared->comparison.differences)
    for (size_t i = 0; i < op.layouts.size(); ++i)
      EXPECT_NE(withOps.find(op.layouts[i] + " (" + std::to_string(op.times[i]) + ")"), std::string::npos) << op.name;
  std::string json = comparisonJson(compared->comparison);
  for (const char* part : {"\"label\":\"Greedy\"", "\"losses\":{\"constraint\":", "\"choice\":", "\"headroom\":",
                           "\"differences\":[{\"name\":\"%top\""}) {
    EXPECT_NE(json.find(part), std::string::npos) << part;
  }
}

// What fails is counted, and no run of it is told as sound.
TEST(Compare, FailuresAreThoseOfTheRun) {
  auto compared = compare("absurd_matmul", {"DRAM", "Greedy"});
  int64_t failures = 0;
  for (size_t i = 0; i < compared->runs.size(); ++i) {
    ASSERT_TRUE(compared->runs[i]->report.run);
    const RunOutcome& outcome = *compared->runs[i]->report.run;
    EXPECT_EQ(compared->comparison.runs[i].failures, outcome.program->sim.failures);
    EXPECT_EQ(compared->comparison.runs[i].refused, outcome.program->sim.refused);
    const RunRow row = rowOf(outcome, findLosses(outcome));
    EXPECT_EQ(row.failures, outcome.program->sim.failures);
    EXPECT_EQ(row.peakDramPerBank, outcome.program->sim.peakDramPerBank);
    EXPECT_EQ(row.time, outcome.program->sim.time.count);
    EXPECT_EQ(row.peakL1, outcome.program->sim.peakL1.count);
    failures += outcome.program->sim.failures;
  }
  EXPECT_GT(failures, 0);
}

TEST(Compare, ARunThatWasStoppedIsListedAsNotRun) {
  Session session;
  session.load("x", "func.func @main(");
  auto finished = runPolicy(session, Options(), Diagnostics());
  LabelledReport reports[] = {{"broken", &finished->report}};
  RunComparison comparison = compareRuns(reports);
  EXPECT_FALSE(comparison.runs[0].ran);
  EXPECT_NE(comparisonText(comparison, true).find("not run"), std::string::npos);
}

// A run that did not get through has no layouts: nothing differs from them.
TEST(Compare, NothingDiffersFromARunThatWasStopped) {
  auto compared = compare("partial_success", {"Greedy"});
  Session session;
  session.load("x", "func.func @main(");
  auto stopped = runPolicy(session, Options(), Diagnostics());
  LabelledReport reports[] = {{"good", &compared->runs[0]->report}, {"stopped", &stopped->report}};
  EXPECT_TRUE(compareRuns(reports).differences.empty());
}

// Against the first that ran; what did not run has no layouts to differ by.
TEST(Compare, OpsDifferFromTheFirstRunThatRan) {
  const auto compared = compare("diamond", {"DRAM", "Greedy"});
  const LabelledReport dram{"DRAM", &compared->runs[0]->report}, greedy{"Greedy", &compared->runs[1]->report},
      none{"none", nullptr};
  const auto differences = [](const std::vector<LabelledReport>& reports) {
    return compareRuns(reports).differences.size();
  };
  EXPECT_EQ(differences({dram, none, dram}), 0u);
  EXPECT_EQ(differences({none, dram, dram}), 0u);
  EXPECT_EQ(differences({none, none}), 0u);
  EXPECT_EQ(differences({none, dram, greedy}), 4u);
  EXPECT_EQ(differences({dram, none, greedy}), 4u);
  EXPECT_EQ(differences({dram, greedy, greedy}), 4u);
}

// An op with several results takes its time once; it stands under its first.
TEST(Compare, TimesOfOpsWithSeveralResults) {
  const auto compared = compare("multi_result", {"DRAM", "Greedy"});
  ASSERT_FALSE(compared->comparison.differences.empty());
  size_t several = 0;
  const Graph& graph = compared->runs[0]->report.run->problem->graph;
  for (const ComparedOp& op : compared->comparison.differences) {
    EXPECT_GT(op.times[0], 0) << op.name;
    for (const Op& one : graph.ops)
      several += one.results.size() > 1 && "%" + graph.values[one.results[0]].name == op.name;
  }
  EXPECT_EQ(several, 1u);
}

}  // namespace
}  // namespace tessera::test
