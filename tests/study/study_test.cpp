// A study from the command line: what it writes, what it keeps, what it does again.

#include "core/study/study.h"

#include <algorithm>
#include <set>

#include "core/batch/find_graphs.h"
#include "core/driver/pipeline.h"
#include "core/policy/policy.h"
#include "core/report/compare.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

TEST_F(StudyTest, HasARowPerRunWithTheFiguresOfTheRun) {
  copyCase("diamond");
  copyCase("late_spill");
  Outcome outcome = study({at("graphs"), "--policies", "Greedy,DFSharding", "--devices", "n150,p150", "-o", at("out")});
  ASSERT_EQ(outcome.code, kExitFine) << outcome.err;
  const std::vector<std::string> rows = lines(read("out/runs.csv"));
  ASSERT_EQ(rows.size(), 1u + 2 * 2 * 2);
  const std::vector<std::string> names = fields(rows[0]);
  auto value = [&](size_t row, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return fields(rows[row])[static_cast<size_t>(found - names.begin())];
  };
  Session session;
  session.load("diamond", read("graphs/diamond.mlir"));
  Options options;
  options.policy = "DFSharding";
  const auto finished = runPolicy(session, options, Diagnostics());
  const RunOutcome& run = *finished->report.run;
  EXPECT_EQ(value(2, "graph"), "diamond");
  EXPECT_EQ(value(2, "policy"), "DFSharding");
  EXPECT_EQ(value(2, "time"), std::to_string(run.program->sim.time.count));
  EXPECT_EQ(value(2, "peakL1"), std::to_string(run.program->sim.peakL1.count));
  EXPECT_EQ(value(2, "spills"), std::to_string(planMoves(run.problem->graph, run.plan).count(MoveKind::Spill)));
  EXPECT_GT(std::stoll(value(2, "lostFork")), 0);
  // The bound is there although Exact is not among the policies.
  EXPECT_EQ(value(1, "proven"), "1");
  EXPECT_GE(std::stod(value(1, "ratio")), 1.0);
  EXPECT_GE(std::stod(value(2, "ratio")), std::stod(value(1, "ratio")));
}

TEST_F(StudyTest, LossesAreThoseOfCompareWithFiguresThatMakeThem) {
  copyCase("diamond");
  copyCase("operand_1_in_l1");
  copyCase("late_spill");
  ASSERT_EQ(study({at("graphs"), "-o", at("out"), "--policies", "Greedy,DFSharding"}).code, kExitFine);
  const std::vector<std::string> rows = lines(read("out/spills.csv"));
  ASSERT_GT(rows.size(), 3u);
  const std::vector<std::string> names = fields(rows[0]);
  auto column = [&](const std::string& name) {
    return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  std::set<std::string> causes;
  for (size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string> row = fields(rows[i]);
    const std::string cause = row[column("cause")];
    const int64_t readers = std::stoll(row[column("readers")]), takers = std::stoll(row[column("takers")]),
                  first = std::stoll(row[column("takersFirst")]);
    causes.insert(cause);
    EXPECT_LE(first, takers);
    EXPECT_LE(takers, readers);
    if (cause == "fork") {
      EXPECT_TRUE(readers > 1 && takers > 0) << rows[i];
    }
    if (cause == "operand0") {
      EXPECT_TRUE(readers == 1 && takers == 1 && first == 0) << rows[i];
    }
    if (cause == "chainFailure") {
      EXPECT_TRUE(readers == 1 && first == 1) << rows[i];
    }
    if (cause == "return") {
      EXPECT_EQ(readers, 0) << rows[i];
    }
    if (cause == "constraint" && !row[column("place")].empty() && row[column("op")] != "func.return") {
      EXPECT_FALSE(row.size() <= column("refusedBy") || row[column("refusedBy")].empty()) << rows[i];
    }
  }
  for (const char* cause : {"fork", "memory", "return"}) EXPECT_TRUE(causes.count(cause)) << cause;
}

TEST_F(StudyTest, RepeatsNothingAndDoesWhatIsNew) {
  copyCase("diamond");
  const std::vector<std::string> call = {at("graphs"), "--policies", "Greedy,DRAM", "-o", at("out")};
  ASSERT_EQ(study(call).code, kExitFine);
  ASSERT_EQ(keptCount("out"), 3u);  // and one for the bound
  const std::string before = read("out/runs.csv");
  Outcome again = study(call);
  EXPECT_NE(again.err.find("3 of 3 runs are kept"), std::string::npos) << again.err;
  EXPECT_EQ(read("out/runs.csv"), before);
  copyCase("early_spill");
  Outcome more = study(call);
  EXPECT_NE(more.err.find("3 of 6 runs are kept"), std::string::npos) << more.err;
  // Another text under the same name, and another option value, are other runs.
  write("graphs/diamond.mlir", read("graphs/diamond.mlir") + "\n// changed\n");
  EXPECT_NE(study(call).err.find("3 of 6 runs are kept"), std::string::npos);
  std::vector<std::string> capped = call;
  capped.insert(capped.end(), {"--tensor-l1-usage-cap", "0.5"});
  EXPECT_EQ(study(capped).err.find("are kept"), std::string::npos);
}

TEST_F(StudyTest, AKeptRunThatWasDamagedIsDoneAgain) {
  copyCase("diamond");
  const std::vector<std::string> call = {at("graphs"), "--policies", "Greedy", "--no-optimum", "-o", at("out")};
  ASSERT_EQ(study(call).code, kExitFine);
  const std::string before = read("out/study.json");
  for (const auto& entry : fs::directory_iterator(folder_ / "out/kept")) fs::resize_file(entry.path(), 100);
  write("out/kept/0123.json.99999999.new", "half a file of a writer that is gone");
  Outcome again = study(call);
  EXPECT_EQ(again.code, kExitFine);
  EXPECT_EQ(again.err.find("are kept"), std::string::npos);
  EXPECT_EQ(read("out/study.json"), before);
  EXPECT_FALSE(fs::exists(folder_ / "out/kept/0123.json.99999999.new"));
}

// Half a file is removed when the process that its name tells is gone. What a process that runs is writing stays, and
// what is named otherwise is none of ours; both folders are looked through.
TEST_F(StudyTest, OnlyFilesOfWritersThatAreGoneAreRemoved) {
  copyCase("diamond");
  const std::string alive = std::to_string(::getpid());
  const std::vector<std::string> gone = {"out/a.json.99999999.new", "out/kept/b.json.99999999.new"};
  const std::vector<std::string> stay = {"out/a.json." + alive + ".new",
                                         "out/kept/b.json." + alive + ".new",
                                         "out/mine.new",
                                         "out/kept/notes.99999999x.new",
                                         "out/c.99999999.old",
                                         "out/zero.0.new"};
  for (const std::string& name : gone) write(name, "x");
  for (const std::string& name : stay) write(name, "x");
  ASSERT_EQ(study({at("graphs"), "--policies", "DRAM", "--no-optimum", "-o", at("out")}).code, kExitFine);
  for (const std::string& name : gone) EXPECT_FALSE(fs::exists(folder_ / name)) << name;
  for (const std::string& name : stay) EXPECT_TRUE(fs::exists(folder_ / name)) << name;
}

TEST_F(StudyTest, OpsAreWrittenOnRequest) {
  copyCase("diamond");
  std::vector<std::string> call = {at("graphs"), "--policies", "Greedy", "--no-optimum", "-o", at("out")};
  ASSERT_EQ(study(call).code, kExitFine);
  EXPECT_FALSE(fs::exists(folder_ / "out/ops.csv"));
  call.emplace_back("--ops");
  ASSERT_EQ(study(call).code, kExitFine);
  const std::string ops = read("out/ops.csv");
  EXPECT_EQ(ops.find("graph,device,policy,step,kind,"), 0u) << ops.substr(0, 200);
  EXPECT_NE(ops.find("diamond,n150,Greedy,0,op,%"), std::string::npos);
}

TEST_F(StudyTest, AGraphThatFailsIsARow) {
  copyCase("diamond");
  write("graphs/broken.mlir", "func.func @main(%a: tensor<2x2xbf16>\n");
  write("graphs/empty.mlir", "");
  write("graphs/deep.json", "{\"version\": 1, \"format\": \"tessera-graph\", " + std::string(100'000, '['));
  write("graphs/notes.json", "{\"schema\": 7}");
  Outcome outcome = study({at("graphs"), "--policies", "Greedy", "-o", at("out")});
  ASSERT_EQ(outcome.code, kExitFine) << outcome.err;
  const std::vector<std::string> rows = lines(read("out/runs.csv"));
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[1].rfind("broken,n150,Greedy,refused,\"line 2, column ", 0), 0u) << rows[1];
  EXPECT_EQ(rows[2].rfind("deep,n150,Greedy,refused,", 0), 0u) << rows[2];
  EXPECT_EQ(rows[3].rfind("diamond,n150,Greedy,ran,,", 0), 0u) << rows[3];
  EXPECT_EQ(rows[4].rfind("empty,n150,Greedy,refused,", 0), 0u) << rows[4];
  EXPECT_NE(outcome.err.find("notes.json` holds no graph"), std::string::npos);
}

TEST_F(StudyTest, MistakesOfTheCallAreSaid) {
  copyCase("diamond");
  fs::create_directories(folder_ / "nothing");
  write("file", "x");
  struct Wrong {
    std::vector<std::string> arguments;
    std::string message;
  };
  const Wrong kWrong[] = {
      {{}, "no graph given"},
      {{at("nothing")}, "no graph in the folder `" + at("nothing") + "`: looked for *.mlir and *.json"},
      {{at("gone")}, "cannot read `" + at("gone") + "`"},
      {{at("gone/*.mlir")}, "nothing matches"},
      {{at("graphs"), "--policies", "Nobody"}, "unknown policy `Nobody`"},
      {{at("graphs"), "--policies", "Greedy,Greedy"}, "named twice"},
      {{at("graphs"), "--devices", "n151"}, "device"},
      {{at("graphs"), "--set", "no-such-option=1"}, "no-such-option"},
      {{at("graphs"), "--set", "tensor-l1-usage-cap=2"}, "tensor-l1-usage-cap"},
      {{at("graphs"), "--set", "policy=Greedy"}, "give --policies"},
      {{at("graphs"), "--shard", "3/2"}, "--shard is K/N"},
      {{at("graphs"), "--time-limit", "soon"}, "is no number"},
      {{at("graphs"), "-o", at("file")}, "cannot make the folder"},
      {{at("graphs"), "-o", "/proc/tessera"}, "cannot make the folder"},
      {{at("graphs"), "--fail"}, "--fail needs --against"},
  };
  for (const Wrong& wrong : kWrong) {
    Outcome outcome = study(wrong.arguments);
    EXPECT_EQ(outcome.code, kExitUsage) << wrong.message;
    EXPECT_NE(outcome.err.find(wrong.message), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(StudyTest, NamesAreTheShortestThatTellGraphsApart) {
  write("a/net.mlir", kRelu);
  write("b/net.mlir", kRelu + "\n");
  write("b/other.mlir", kRelu);
  const FoundGraphs found = findGraphs(std::vector<std::string>{at("b/*.mlir"), at("a"), at("b/../b/net.mlir")});
  ASSERT_EQ(found.mistake, "");
  std::vector<std::string> names;
  for (const StudyGraph& graph : found.graphs) names.push_back(graph.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a/net.mlir", "b/net.mlir", "other"}));
}

TEST_F(StudyTest, ACommaInAValueIsWrittenWithABackslash) {
  copyCase("diamond");
  Outcome outcome = study({at("graphs"), "--policies", "DRAM", "--no-optimum", "-o", at("out"), "--set",
                           "calibration=Matmul=2,EltwiseBinary=3\\,EltwiseUnary=2"});
  ASSERT_EQ(outcome.code, kExitFine) << outcome.err;
  const std::vector<std::string> rows = lines(read("out/runs.csv"));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[2].rfind("diamond,n150,\"EltwiseBinary=3,EltwiseUnary=2\",DRAM,ran,", 0), 0u) << rows[2];
}

TEST_F(StudyTest, WithoutPoliciesAllThatDecideTakePart) {
  const Study made = makeStudy({}, {{"x", "", "00", 1, 1}}, {"1", "2"}, {});
  std::vector<std::string> wanted;
  for (const PolicyInfo& policy : allPolicies()) {
    if (!policy.has(kAsItStands)) wanted.emplace_back(policy.id);
  }
  EXPECT_EQ(made.arguments.policies, wanted);
}

TEST_F(StudyTest, ThePageHasTheTablesAndTheDataAndNothingFromElsewhere) {
  write("graphs/a_b.mlir", kRelu);
  fs::rename(folder_ / "graphs/a_b.mlir", folder_ / "graphs/<script>{{STUDY_DATA}}.mlir");
  write("template.html", "<p>{{STUDY_TABLES}}</p><script type=\"application/json\">{{STUDY_DATA}}</script>");
  const std::vector<std::string> call = {at("graphs"), "--policies", "Greedy", "-o", at("out")};
  ::setenv("TESSERA_STUDY_TEMPLATE", "/none", 1);
  ASSERT_EQ(study(call).code, kExitFine);
  const std::string plain = read("out/study.html");
  ::setenv("TESSERA_STUDY_TEMPLATE", at("template.html").c_str(), 1);
  ASSERT_EQ(study(call).code, kExitFine);
  const std::string filled = read("out/study.html");
  ::unsetenv("TESSERA_STUDY_TEMPLATE");
  EXPECT_NE(plain.find("<table><caption>Simulated time"), std::string::npos);
  EXPECT_EQ(plain.find("http"), plain.find("http-equiv"));
  EXPECT_EQ(plain.find("<script>{"), std::string::npos);
  EXPECT_NE(plain.find("\\u003cscript>{{STUDY_DATA}}"), std::string::npos);
  EXPECT_EQ(filled.rfind("<p><div", 0), 0u);
  EXPECT_NE(filled.find("application/json\">{\"schema\":1"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
