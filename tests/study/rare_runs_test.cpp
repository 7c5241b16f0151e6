// Runs of a study as they are rarely: by a plan from outside, with lines of ops, without a row or half of a bound; what
// tells arguments apart; files that look like graphs.

#include "core/driver/pipeline.h"
#include "core/study/measure.h"
#include "core/study/run_lines.h"
#include "core/study/study_rows.h"
#include "tests/driver/driver_testing.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

std::string twoOps() {
  const std::string t = "tensor<512x512xbf16>", same = " : (" + t + ") -> " + t + "\n";
  return "func.func @main(%a: " + t + ") -> " + t + " {\n  %0 = \"ttir.relu\"(%a)" + same + "  %1 = \"ttir.exp\"(%0)" +
         same + "  return %1 : " + t + "\n}\n";
}

std::unique_ptr<FinishedRun> runOf(Session& session, const std::string& text, const char* policy) {
  session.load("f", text);
  Options options;
  options.policy = policy;
  return runPolicy(session, options, Diagnostics());
}

// A plan takes the place of the policy's decisions, which then take no time; the clock is read at both ends and once
// between.
TEST(MeasureAPlan, IsCarriedOutInPlaceOfThePolicys) {
  Session session;
  const auto decided = runOf(session, twoOps(), "DRAM");
  ASSERT_TRUE(decided->report.run);
  const RunRow dram = rowOf(*decided->report.run, findLosses(*decided->report.run));
  const Json plan(planOut(*decided));
  static size_t asked;
  MeasureRequest request;
  request.options.policy = "Greedy";
  request.clock = [] { return static_cast<int64_t>(10 * asked++); };
  asked = 0;
  const KeptRun own = measureRun(session, request);
  ASSERT_TRUE(own.row) << own.reason;
  EXPECT_EQ(asked, 4u);
  EXPECT_EQ(own.policyTime, 10);
  EXPECT_NE(own.row->time, dram.time) << "else the two plans cannot be told apart";
  request.plan = plan.document.root();
  asked = 0;
  const KeptRun outside = measureRun(session, request);
  ASSERT_TRUE(outside.row) << outside.reason;
  EXPECT_EQ(outside.status, RunStatus::Ran);
  EXPECT_EQ(outside.row->time, dram.time);
  EXPECT_EQ(outside.policyTime, 0);
  EXPECT_EQ(outside.runTime, 20);
}

TEST(MeasureAPlan, LinesOfOpsAreKeptWhenAskedFor) {
  Session session;
  const auto decided = runOf(session, twoOps(), "Greedy");
  ASSERT_TRUE(decided->report.run);
  MeasureRequest request;
  request.options.policy = "Greedy";
  request.clock = [] { return int64_t{0}; };
  EXPECT_FALSE(measureRun(session, request).ops);
  request.withOps = true;
  const KeptRun kept = measureRun(session, request);
  ASSERT_TRUE(kept.ops);
  EXPECT_EQ(*kept.ops, opLines(*decided->report.run));
}

TEST(RareLines, AnOpWhoseResultIsNoTensorHasNoLayout) {
  const std::string layout =
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, "
      "#ttnn.buffer_type<dram>>, <interleaved>>";
  const std::string t = "tensor<64x64xbf16, " + layout + ">";
  Session session;
  session.load("f", "func.func @main(%a: " + t + ") -> " + t +
                        " {\n  %d = \"ttnn.get_device\"() : () -> !ttnn.device\n  %0 = \"ttnn.relu\"(%a) : (" + t +
                        ") -> " + t + "\n  return %0 : " + t + "\n}\n");
  Options options;
  chooseDefaultPolicy(options, *session.loaded());
  const auto finished = runPolicy(session, options, Diagnostics());
  ASSERT_TRUE(finished->report.run);
  std::vector<std::string> rows;
  std::stringstream in(opLines(*finished->report.run));
  for (std::string line; std::getline(in, line);) rows.push_back(line);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].substr(0, rows[0].find(",0,")), "0,op,%d,ttnn.get_device,Device,") << "an empty layout";
  EXPECT_NE(rows[1].find("ttnn.relu,EltwiseUnary,DRAM,"), std::string::npos) << rows[1];
}

TEST(RareLines, ALossOfAnArgumentNamesNoOpThatMadeIt) {
  Session session;
  const auto decided = runOf(session, twoOps(), "DRAM");
  ASSERT_TRUE(decided->report.run);
  const RunOutcome& run = *decided->report.run;
  const Graph& graph = run.problem->graph;
  const ValueId argument = graph.funcs[graph.forward].args[0];
  const OpId reader = run.plan.order.front();
  const std::string lines =
      lossLines(run, {{argument, LossCause::Memory, true, reader, std::nullopt},
                      {graph.ops[reader].results[0], LossCause::Memory, true, run.plan.order.at(1), std::nullopt}});
  EXPECT_EQ(lines.substr(0, lines.find(",memory")), "%a,argument");
  const std::string second = lines.substr(lines.find('\n') + 1);
  EXPECT_EQ(second.substr(0, second.find(",memory")), "%0,ttnn.relu");
}

Study oneRun(std::vector<OutsidePolicy> outside = {}) {
  StudyArguments arguments;
  arguments.policies = {"Greedy", "DRAM"};
  arguments.outside = std::move(outside);
  arguments.optimum = false;
  return makeStudy(arguments, {{"g", "", "1", 10, 2}}, {"1", "b"}, {});
}

// A group may have a bound for a run that has no figures.
TEST(RareRows, WithoutFiguresThereIsNoRatio) {
  const Study study = oneRun();
  StudyRow row;
  row.run = &study.runs.at(0);
  row.bound = KeptBound{1200, 1000, false};
  row.kept.status = RunStatus::Crashed;
  EXPECT_FALSE(row.ratio());
  row.kept.row.emplace().time = 1500;
  EXPECT_EQ(row.ratio(), 1'500'000);
}

TEST(RareRows, ABoundNeedsAllThreeParts) {
  KeptRun run;
  run.status = RunStatus::Refused;
  run.bound = KeptBound{7, 5, true};
  const auto changed = [&](const std::string& to) {
    std::string text = keptText("key", run);
    text.replace(text.find("[7,5,true]"), 10, to);
    const std::optional<KeptRun> kept = readKeptText("name", text, "key");
    EXPECT_TRUE(kept) << to;
    return kept && kept->bound;
  };
  EXPECT_TRUE(changed("[8,6,false]"));
  EXPECT_FALSE(changed("[null,5,true]"));
  EXPECT_FALSE(changed("[\"7\",5,true]"));
  EXPECT_FALSE(changed("[7,null,true]"));
  EXPECT_FALSE(changed("[7,5,1]"));
  EXPECT_FALSE(changed("{\"a\":7,\"b\":5,\"c\":true}"));
}

TEST(RareRows, PoliciesFromOutsideComeBehindTheOthers) {
  const Study study = oneRun({{"mine", "h"}, {"yours", "k"}});
  ASSERT_EQ(study.mistake, "");
  EXPECT_EQ(study.policies(), (std::vector<std::string>{"Greedy", "DRAM", "mine", "yours"}));
}

// Any part of the arguments makes them others.
TEST(RareRows, ArgumentsAreComparedPartByPart) {
  StudyArguments first;
  first.policies = {"DRAM"};
  first.outside = {{"mine", "h"}};
  first.axes = {{"beam-width", {"1", "2"}}};
  first.options = {{"max-legal-layouts", {"4"}}};
  EXPECT_TRUE(first == StudyArguments(first));
  const auto differs = [&](const std::function<void(StudyArguments&)>& change) {
    StudyArguments other = first;
    change(other);
    return !(first == other) && !(other == first);
  };
  EXPECT_TRUE(differs([](StudyArguments& a) { a.policies.emplace_back("Greedy"); }));
  EXPECT_TRUE(differs([](StudyArguments& a) { a.outside[0].name = "yours"; }));
  EXPECT_TRUE(differs([](StudyArguments& a) { a.outside[0].hash = "k"; }));
  EXPECT_TRUE(differs([](StudyArguments& a) { a.devices = {"p150"}; }));
  EXPECT_TRUE(differs([](StudyArguments& a) { a.axes[0].option = "max-legal-layouts"; }));
  EXPECT_TRUE(differs([](StudyArguments& a) { a.axes[0].values[1] = "3"; }));
  EXPECT_TRUE(differs([](StudyArguments& a) { a.options[0].values[0] = "5"; }));
  EXPECT_TRUE(differs([](StudyArguments& a) { a.optimum = false; }));
  EXPECT_TRUE(differs([](StudyArguments& a) { a.alone = true; }));
  EXPECT_TRUE(differs([](StudyArguments& a) { ++a.milliseconds; }));
  EXPECT_TRUE(differs([](StudyArguments& a) { ++a.memoryBytes; }));
}

// What may stand in front of a graph's JSON for those that read it may stand there for those that look for it.
TEST(RareFiles, AGraphMayBeginWithBlanks) {
  const std::string graph = R"({"version": 1, "ops": []})";
  for (const char* front : {"", "\n", " \t\r\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\n"})
    EXPECT_TRUE(looksLikeGraphJson(front + graph)) << front;
  for (const char* front : {"[", "x", "// "}) EXPECT_FALSE(looksLikeGraphJson(front + graph)) << front;
  EXPECT_FALSE(looksLikeGraphJson("\"version\""));
  EXPECT_FALSE(looksLikeGraphJson(" \n"));
  EXPECT_FALSE(looksLikeGraphJson(""));
}

TEST(RareFiles, AFileWithoutANameKeepsNone) {
  std::vector<StudyGraph> graphs = {describeGraph("", "a"), describeGraph("b.mlir", "b")};
  nameGraphs(graphs);
  EXPECT_EQ(graphs[0].name, "");
  EXPECT_EQ(graphs[1].name, "b");
}

}  // namespace
}  // namespace tessera::test
