// The files of examples/study, as far as this machine can check them.

#include "core/cli/child_process.h"
#include "core/report/run_row.h"
#include "core/study/run_lines.h"
#include "core/support/json_value.h"
#include "tests/driver/driver_testing.h"
#include "tests/sizes.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

const std::string kExamples = std::string(TESSERA_SOURCE_DIR) + "/examples/study/";

bool has(const std::string& command) { return runChild("command -v " + command, "", {}).problem.empty(); }

TEST(StudyExamples, ScriptsAndDescriptionsAreWellFormed) {
  for (const char* script : {"parallel.sh", "slurm.sh"})
    EXPECT_EQ(runChild("bash -n " + kExamples + script, "", {}).problem, "") << script;
  if (!runChild("python3 -c 'import yaml'", "", {}).problem.empty()) GTEST_SKIP() << "no yaml for Python";
  for (const char* file : {"kubernetes.yaml", "github-actions.yaml"}) {
    const ChildAnswer answer =
        runChild("python3 -c 'import sys, yaml; yaml.safe_load(sys.stdin)'", readFile(kExamples + file), {});
    EXPECT_EQ(answer.problem, "") << file << "\n" << answer.err;
  }
}

TEST_F(StudyTest, PartsUnderGnuParallelAreTheWhole) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "tessera";
  if (!has("parallel") || !fs::exists(program)) GTEST_SKIP() << "no parallel, or the program is not built";
  if (smallTests()) GTEST_SKIP() << "sanitizers reserve more than the limit of a child";
  copyCase("diamond");
  copyCase("late_spill");
  const std::string call = "TESSERA=" + program.string() + " " + kExamples + "parallel.sh 2 " + at("out") + " " +
                           at("graphs") + " -- --policies Greedy,DRAM";
  const ChildAnswer answer = runChild(call, "", {});
  ASSERT_EQ(answer.problem, "") << answer.err;
  const std::string whole = program.string() + " study " + at("graphs") + " --policies Greedy,DRAM -o " + at("whole");
  ASSERT_EQ(runChild(whole, "", {}).problem, "");
  EXPECT_EQ(read("out/runs.csv"), read("whole/runs.csv"));
  EXPECT_EQ(read("out/study.json"), read("whole/study.json"));
}

// The schema lists what a row has, in the words of the table.
TEST(StudySchema, RowsAreThoseOfTheTable) {
  const Json schema(readFile(std::string(TESSERA_SOURCE_DIR) + "/docs/schema/study.schema.json"));
  const JsonValue fields = schema["$defs"].get("StudyRow").get("properties");
  ASSERT_EQ(fields.size(), runColumns().size());
  for (size_t i = 0; i < fields.size(); ++i) {
    const RunColumn& column = runColumns()[i];
    EXPECT_EQ(fields.keyAt(i), column.id);
    EXPECT_EQ(fields.at(i).get("description").asString().value_or(""), column.help);
    EXPECT_EQ(fields.at(i).get("unit").asString().value_or(""), column.unit);
  }
}

}  // namespace
}  // namespace tessera::test
