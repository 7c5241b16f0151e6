// The tables of a run: every figure is that of the run, under its own name.

#include "core/study/run_lines.h"

#include "core/driver/pipeline.h"
#include "core/profile/csv.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

CsvTable tableOf(const std::vector<std::string_view>& names, const std::string& lines) {
  std::string text;
  for (std::string_view name : names) text += (text.empty() ? "" : ",") + std::string(name);
  CsvTable table;
  EXPECT_TRUE(parseCsv(text + "\n" + lines, table));
  return table;
}

TEST(RunLines, HaveTheFiguresOfTheRun) {
  Session session;
  session.load("late_spill",
               readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases/late_spill.mlir"));
  Options options;
  options.policy = "Greedy";
  const auto finished = runPolicy(session, options, Diagnostics());
  ASSERT_TRUE(finished->report.run);
  const RunOutcome& run = *finished->report.run;
  const CsvTable ops = tableOf(opColumns(), opLines(run));
  ASSERT_EQ(ops.rows.size(), run.program->sim.steps.size());
  int64_t both = 0;
  for (size_t i = 0; i < run.program->sim.steps.size(); ++i) {
    const SimStep& step = run.program->sim.steps[i];
    EXPECT_EQ(ops.count(i, "step"), static_cast<int64_t>(i));
    EXPECT_EQ(ops.count(i, "cores"), step.time.cores);
    EXPECT_EQ(ops.count(i, "time"), step.time.total().count);
    EXPECT_EQ(ops.count(i, "fixed"), step.time.fixed.count);
    EXPECT_EQ(ops.count(i, "compute"), step.time.compute.count);
    EXPECT_EQ(ops.count(i, "dram"), step.time.dram.count);
    EXPECT_EQ(ops.count(i, "noc"), step.time.noc.count);
    EXPECT_EQ(ops.count(i, "dramBytes"), step.time.dramBytes);
    EXPECT_EQ(ops.count(i, "tensorsL1"), step.tensorsL1.count);
    EXPECT_EQ(ops.count(i, "circularL1"), step.circularBuffersL1.count);
    EXPECT_EQ(ops.count(i, "freeL1"),
              run.problem->budget.bytes().count - step.tensorsL1.count - step.circularBuffersL1.count);
    both += step.tensorsL1.count > 0 && step.circularBuffersL1.count > 0;
  }
  EXPECT_GT(both, 0);
}

TEST(RunLines, FieldsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(csvField("plain"), "plain");
  EXPECT_EQ(csvField("a,b"), "\"a,b\"");
  EXPECT_EQ(csvField("say \"a\""), "\"say \"\"a\"\"\"");
  EXPECT_EQ(csvField("a\nb\tc"), "a b c");
}

}  // namespace
}  // namespace tessera::test
