// Every answer is as docs/schema says: all that it must have is there, nothing else, words and kinds are those of the
// schema. web/test/answers asks the same of many more graphs.

#include "tests/answer_schema.h"

#include "core/driver/api.h"
#include "tests/cli/cli_testing.h"

namespace tessera::test {
namespace {

std::string goldenCase(const std::string& name) {
  return readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases" / (name + ".mlir"));
}

const std::string kNamed =
    "func.func @main(%a: tensor<256x256xbf16> {ttir.name = \"pixels\"}, %b: tensor<256x256xbf16>) -> "
    "tensor<256x256xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<256x256xbf16>) -> tensor<256x256xbf16> loc(\"first\")\n"
    "  %1 = \"ttir.matmul\"(%0, %b) <{transpose_a = false, transpose_b = false}> : (tensor<256x256xbf16>, "
    "tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %2 = \"mylib.odd\"(%1) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  return %2 : tensor<256x256xbf16>\n}\n";

class Answers {
 public:
  void expect(const std::string& schema, const std::string& answer, const std::string& what) {
    EXPECT_EQ(schemas_.problemOf(schema, answer), "") << schema << " of " << what;
  }
  AnswerSchemas schemas_;
};

const char* const kRunOptions[] = {
    R"({"policy":"Greedy","trace":true,"spill-strategy":"certified"})",
    R"({"policy":"DFSharding2","trace":true,"tensor-l1-usage-cap":0.2})",
    R"({"policy":"Beam","preset":"upstream","l1-small-size":32768,"trace":true})",
    R"({"policy":"Exact"})",
    R"({"policy":"nobody"})",
};

class RunsOfCase : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Cases, RunsOfCase,
                         ::testing::Values("late_spill", "three_do_not_fit", "residual_conv_fork", "multi_result",
                                           "fail_syntax"));

TEST_P(RunsOfCase, AreAsTheSchemaSays) {
  Answers answers;
  Session session;
  const std::string text = goldenCase(GetParam());
  ASSERT_NE(text, "");
  for (const char* options : kRunOptions) answers.expect("report", apiRun(session, text, options), options);
  answers.expect("common#Lint", apiLint(session, text), GetParam());
}

TEST(AnswerSchema, NamesOfArgumentsReachModelExplorer) {
  const TemporaryFile file(kNamed);
  const std::string graph = runTessera({"run", file.path(), "--model-explorer"}).out;
  EXPECT_NE(graph.find(R"({"key":"label","value":"pixels"})"), std::string::npos) << graph;
}

// All that a report may have is there once, but for defects and what happens to a plan that fails.
TEST(AnswerSchema, EveryFieldOfAReportIsSeen) {
  Answers answers;
  Session spilled, named;
  for (const char* options : kRunOptions)
    answers.expect("report", apiRun(spilled, goldenCase("late_spill"), options), options);
  answers.expect("report", apiRun(named, kNamed, ""), "a named argument");
  for (const std::string& property : answers.schemas_.unseen("report"))
    EXPECT_TRUE(property.rfind("report.Defect.", 0) == 0 || property.rfind("report.SimEvent.", 0) == 0) << property;
}

TEST(AnswerSchema, OfComparisonsAndPlans) {
  Answers answers;
  Session session;
  const std::string text = goldenCase("diamond"), runs = R"({"runs":[{"policy":"DRAM"},{"policy":"Greedy"}]})";
  answers.expect("compare", apiCompare(session, text, runs), "compare");
  answers.expect("compare", apiCompare(session, text, "{"), "a request that is cut");
  answers.expect("passes", apiPasses(session, text, R"({"ir":true})"), "passes");
  answers.expect("regret", apiRegret(session, text, ""), "regret");
  answers.expect("passes#PassChecks", apiCheckPasses(session, text, ""), "checked passes");
  answers.expect("passes#PlanExecution", apiExecutePlan(session, text, ""), "an executed plan");
  answers.expect("passes#PlanExecution", apiExecutePlan(session, text, R"({"policy":"nobody"})"), "no policy");
  answers.expect("problem_answer", apiProblem(session, text, ""), "the problem");
  answers.expect("problem_answer", apiProblem(session, text, R"({"device":"none"})"), "no device");
  for (const char* what : {"trace-events", "nothing"})
    answers.expect("export", apiExport(session, text, "", what), what);
  const TemporaryFile file(text), conv(goldenCase("conv_stack"));
  answers.expect("problem", runTessera({"problem", file.path()}).out, "the problem of a diamond");
  answers.expect("problem", runTessera({"problem", conv.path()}).out, "the problem of convolutions");
  answers.expect("plan", runTessera({"run", file.path(), "--policy", "DFSharding", "--plan-out"}).out, "a plan");
  answers.expect("plan", runTessera({"run", conv.path(), "--policy", "Greedy", "--plan-out"}).out, "its settings");
  answers.expect("catalog", apiCatalog(), "the catalog");
  const TemporaryFile trace(runTessera({"run", file.path(), "--policy", "Beam", "--decision-trace"}).out);
  answers.expect("decision_trace", apiDecisionTrace(readFile(trace.path())), "a trace");
  answers.expect("decision_trace", apiDecisionTrace(text), "no trace");
}

TEST(AnswerSchema, OfProfilesLogsAndLayouts) {
  Answers answers;
  const std::string columns =
      "OP CODE,DEVICE ID,ATTRIBUTES,CORE COUNT,DEVICE KERNEL DURATION [ns],OUTPUT_0_Y,OUTPUT_0_X,OUTPUT_0_MEMORY\n";
  const TemporaryFile profile(columns +
                              "Matmul,0,,64,900000,256,256,DEV_0_DRAM_INTERLEAVED\n"
                              "UnaryDeviceOperation,0,UnaryOpType::RELU,64,10,256,256,DEV_0_DRAM_INTERLEAVED\n"
                              "TopKDeviceOperation,0,,64,10,256,256,DEV_0_DRAM_INTERLEAVED\n");
  const TemporaryFile graph(kNamed);
  answers.expect("profile", runTessera({"profile", profile.path(), "--json"}).out, "a profile");
  answers.expect("profile",
                 runTessera({"run", graph.path(), "--policy", "DRAM", "--profile", profile.path(), "--json"}).out,
                 "a profile beside a run");
  const std::string module = "module {\n  func.func @main() {\n    return\n  }\n}\n", dump = "// -----// IR Dump ";
  const TemporaryFile log("a line\n" + dump + "Before CSE (cse) //----- //\n" + module + dump +
                          "After CSE Failed (cse) //----- //\n" + module + dump +
                          "After Inliner (inline) //----- //\n" + module),
      stages("2026-02-21 22:37:07.913 (2.0s) [1] module_builder.cc:1118 1| MLIR Module ttir:\n" + module);
  answers.expect("pass_log", runTessera({"log", log.path(), "--json"}).out, "a log");
  answers.expect("pass_log", runTessera({"log", stages.path(), "--json"}).out, "a log of stages");
  answers.expect("pass_log#DumpText", apiLogDump(module), "a dump");
  for (
      const char* request :
      {R"({"shape":[53,63],"dtype":"bf16","tiled":true,"grid":[3,2],"detail":true,"find":{"position":5,"offset":2040}})",
       R"({"view":"ttnn","shape":[64,64],"grid":[2,1],"memory":"height_sharded","tiled":true,"detail":true})",
       R"({"view":"ttnn","shape":[64,64],"grid":[99,1],"memory":"height_sharded","tiled":true})",
       R"({"shape":[2,8,32],"dtype":"f32","tiled":true,"grid":[1,2],"strides":[32,1,1]})", R"({"shape":"none"})"})
    answers.expect("layout", apiLayout(request), request);
}

// The reader of schemas itself.
TEST(AnswerSchema, MistakesAreFound) {
  AnswerSchemas schemas;
  const std::string right =
      R"({"buffer":"dram","memory":"interleaved","page":"tile","dtype":"bf16","grid":[1,1],"shard":[1,1],"text":"x",)"
      R"("bytesPerCore":0,"totalBytes":2048})";
  EXPECT_EQ(schemas.problemOf("report#Layout", right), "");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = right;
    return schemas.problemOf("report#Layout", text.replace(text.find(from), from.size(), to));
  };
  EXPECT_EQ(changed(R"("text":"x",)", ""), ".text is missing");
  EXPECT_EQ(changed(R"("text":"x",)", R"("text":"x","more":1,)"), ".more is not in the schema");
  EXPECT_EQ(changed("\"tile\"", "\"tail\""), ".page is another word or number");
  EXPECT_EQ(changed("\"dram\"", "\"drum\""), ".buffer is another word or number");
  EXPECT_EQ(changed("2048", "\"2048\""), ".totalBytes is a string");
  EXPECT_EQ(changed("\"grid\":[1,1]", "\"grid\":[1]"), ".grid is too short");
  EXPECT_EQ(changed("\"grid\":[1,1]", "\"grid\":[1,1,1]"), ".grid[2] is not in the schema");
  EXPECT_EQ(schemas.problemOf("report#Layout", "{"), "no JSON: {");
  EXPECT_TRUE(schemas.unseen("report").count("report.Run.totals"));
  EXPECT_FALSE(schemas.unseen("report").count("report.Layout.page"));
}

}  // namespace
}  // namespace tessera::test
