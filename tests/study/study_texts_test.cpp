// The texts of a study in this process: names of graphs, kept runs, what is wrong with a study.json, parts that do not
// belong together, and the page of results.

#include "core/batch/merge.h"
#include "core/driver/session.h"
#include "core/study/desk.h"
#include "core/study/run_lines.h"
#include "core/study/study_html.h"
#include "core/study/study_rows.h"
#include "tests/driver/driver_testing.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

class StudyTexts : public StudyTest {};

// The names that graphs of these paths get, by name.
std::string namesOf(const std::vector<std::string>& paths) {
  std::vector<StudyGraph> graphs;
  for (const std::string& path : paths) graphs.push_back({"", path, path, 0, 0});
  nameGraphs(graphs);
  std::string text;
  for (const StudyGraph& graph : graphs) text += (text.empty() ? "" : " | ") + graph.name;
  return text;
}

TEST_F(StudyTexts, NamesAreTheShortestEnds) {
  EXPECT_EQ(namesOf({"a/one.mlir"}), "one");
  EXPECT_EQ(namesOf({"a/one.mlir", "a/one.json"}), "one.json | one.mlir") << "the ending tells them apart";
  EXPECT_EQ(namesOf({"b/one.mlir", "a/one.mlir", "c/two.mlir"}), "a/one.mlir | b/one.mlir | two");
  EXPECT_EQ(namesOf({"x/a/one.mlir", "y/a/one.mlir"}), "x/a/one.mlir | y/a/one.mlir");
  EXPECT_EQ(namesOf({"one.v2.mlir"}), "one.v2") << "the last ending alone";
  EXPECT_EQ(namesOf({"a/.mlir", "plain"}), ".mlir | plain") << "a point in front begins a name";
  EXPECT_EQ(namesOf({".", "one"}), ". | one");
  EXPECT_EQ(namesOf({"one.mlir", "./one.mlir"}), "one.mlir | one.mlir") << "one file twice: nothing tells them apart";
  EXPECT_EQ(namesOf({"a/../one.mlir", "b/one.mlir"}), "b/one.mlir | one.mlir");
  EXPECT_EQ(namesOf({"../one.mlir", "../../one.mlir"}), "../../one.mlir | ../one.mlir") << "above stays above";
  EXPECT_EQ(namesOf({"/../one.mlir", "/one.mlir"}), "../one.mlir | /one.mlir");
  EXPECT_EQ(namesOf({"/one.mlir", "one.mlir"}), "/one.mlir | one.mlir");
}

TEST_F(StudyTexts, LinesOfOpsAreCounted) {
  const auto count = [](const std::string& text) { return describeGraph("x", text).ops; };
  EXPECT_EQ(count(""), 1);
  EXPECT_EQ(count("%0 = a\n  %1 = b\n\t%2 = c\n \t %3 = d"), 5) << "blanks of either kind may stand in front";
  EXPECT_EQ(count("x %0 = a\n\n%1\n"), 2);
  EXPECT_EQ(count("{\"op\": \"a\", \"op\":\"b\", \"ops\": 1}"), 3);
  EXPECT_EQ(contentHash("ab").size(), 32u);
  EXPECT_NE(contentHash("ab"), contentHash("ba"));
  EXPECT_NE(contentHash("ab").substr(0, 16), contentHash("ab").substr(16)) << "two hashes, not one twice";
  EXPECT_NE(contentHash("a").substr(16), contentHash(std::string("a\0", 2)).substr(16));
}

TEST_F(StudyTexts, KeptRunsAreReadBack) {
  KeptRun run;
  run.row = RunRow{};
  run.row->time = 9;
  run.bound = KeptBound{7, 5, true};
  run.losses = "a,b\n";
  run.ops = "c,d\n";
  run.runTime = 11, run.policyTime = 12, run.memory = 13;
  const std::string text = keptText("key", run);
  const std::optional<KeptRun> again = readKeptText("name", text, "key");
  ASSERT_TRUE(again && again->row && again->bound && again->ops);
  EXPECT_EQ(again->row->time, 9);
  EXPECT_EQ(again->bound->time, 7);
  EXPECT_EQ(again->bound->lowerBound, 5);
  EXPECT_TRUE(again->bound->proven);
  EXPECT_EQ(again->losses, "a,b\n");
  EXPECT_EQ(*again->ops, "c,d\n");
  EXPECT_EQ(again->runTime, 11);
  EXPECT_EQ(again->policyTime, 12);
  EXPECT_EQ(again->memory, 13);
  EXPECT_FALSE(readKeptText("name", text, "other key"));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    return readKeptText("name", other, "key");
  };
  EXPECT_FALSE(changed("\"schema\":1", "\"schema\":2"));
  EXPECT_FALSE(changed("\"status\":\"ran\"", "\"status\":\"run\""));
  EXPECT_FALSE(changed("\"time\":", "\"tim\":")) << "what ran has a row";
  EXPECT_TRUE(changed("\"status\":\"ran\"", "\"status\":\"crashed\""));
  EXPECT_FALSE(changed("[7,5,true]", "[7,5]")->bound) << "half a bound is none";
  EXPECT_FALSE(changed("[7,5,true]", "null")->bound);
  EXPECT_FALSE(changed("\"c,d\\n\"", "null")->ops) << "none were asked for";
  for (const auto& [status, name, final] :
       {std::tuple{RunStatus::Ran, "ran", true}, std::tuple{RunStatus::Refused, "refused", true},
        std::tuple{RunStatus::TimeLimit, "time limit", false},
        std::tuple{RunStatus::MemoryLimit, "memory limit", false}, std::tuple{RunStatus::Crashed, "crashed", false}}) {
    KeptRun other;
    other.status = status;
    other.reason = "why";
    EXPECT_EQ(runStatusName(status), name);
    EXPECT_EQ(findRunStatus(name), status);
    EXPECT_EQ(other.final(), final) << name;
    if (status != RunStatus::Ran) EXPECT_EQ(readKeptText("n", keptText("k", other), "k")->reason, "why");
  }
}

// What a changed study.json is refused for. "" when it is not.
TEST_F(StudyTexts, MistakesOfAStudyAreTold) {
  StudyArguments arguments;
  arguments.policies = {"Greedy", "DRAM"};
  arguments.optimum = false;
  arguments.outside = {{"mine", "h"}};
  const Study study = makeStudy(arguments, {{"g", "", "1", 10, 2}}, {"1", "b"}, {});
  std::vector<StudyRow> rows(3);
  for (size_t i = 0; i < rows.size(); ++i) rows[i].run = &study.runs[i], rows[i].kept.status = RunStatus::Refused;
  const std::string text = studyJson(study, rows);
  const auto mistakeOf = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const size_t at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) other.replace(at, from.size(), to);
    return readStudy("s", other).mistake;
  };
  const std::string noText = "`s`: lacks a text where one has to be", noList = "`s`: lacks a list where one has to be",
                    noNumber = "`s`: lacks a number where one has to be";
  EXPECT_EQ(mistakeOf("\"g\"", "\"g\""), "");
  EXPECT_EQ(readStudy("s", "").mistake.substr(0, 7), "`s`: is");
  EXPECT_EQ(readStudy("s", "[").mistake.substr(0, 15), "`s`: is no JSON");
  EXPECT_EQ(readStudy("s", "{}").mistake, "`s`: is no study of version 1");
  EXPECT_EQ(mistakeOf("\"runs\":[", "\"rows\":["), "`s`: is no study of version 1");
  EXPECT_EQ(mistakeOf("\"arguments\":{", "\"argument\":{"), "`s`: has no arguments");
  EXPECT_EQ(mistakeOf("\"graphs\":[", "\"graph\":["), "`s`: has no list of graphs");
  EXPECT_EQ(mistakeOf("\"bytes\":10", "\"bytes\":-1"), noNumber);
  EXPECT_EQ(mistakeOf("\"lines\":2", "\"lines\":\"2\""), noNumber);
  EXPECT_EQ(mistakeOf("\"hash\":\"1\"", "\"hash\":1"), noText);
  EXPECT_EQ(mistakeOf("\"build\":\"b\"", "\"build\":7"), noText);
  EXPECT_EQ(mistakeOf("[\"Greedy\",\"DRAM\"]", "[\"Greedy\",3]"), noText);
  EXPECT_EQ(mistakeOf("[\"Greedy\",\"DRAM\"]", "\"Greedy\""), noList);
  EXPECT_EQ(mistakeOf("\"axes\":[]", "\"axes\":{\"a\":1}"), noList);
  EXPECT_EQ(mistakeOf("\"axes\":[]", "\"axes\":[{\"option\":\"beam-width\",\"values\":[]}]"),
            "`s`: has an option without values");
  EXPECT_EQ(mistakeOf("\"timeLimit\":120000", "\"timeLimit\":0"), noNumber);
  EXPECT_EQ(mistakeOf("[\"Greedy\",\"DRAM\"]", "[\"Greedy\",\"NoSuch\"]"), "`s`: unknown policy `NoSuch`");
  const std::string another =
      " is not that of its arguments: another version of the program made it, or it was changed";
  EXPECT_EQ(mistakeOf(study.runs[1].key, "0"), "`s`: run 1" + another);
  EXPECT_EQ(mistakeOf("\"alone\":false", "\"alone\":true"), "`s`: run 0" + another) << "it is part of the keys";
  EXPECT_EQ(mistakeOf("\"optimum\":false", "\"optimum\":true"), "") << "the run for the bound has no row";
  const size_t last = text.rfind(",\n{");
  EXPECT_EQ(readStudy("s", text.substr(0, last) + "\n]}\n").mistake, "`s`: run 2" + another) << "one run is missing";
  EXPECT_EQ(readStudy("s", text.substr(0, text.size() - 4) + ",\n{}\n]}\n").mistake,
            "`s`: has more runs than its arguments give");
  // Of a part, its runs alone.
  const Study second = makeStudy(arguments, {{"g", "", "1", 10, 2}}, {"1", "b"}, {2, 2});
  EXPECT_EQ(readStudy("s", studyJson(second, {})).mistake, "");
  EXPECT_EQ(readStudy("s", studyJson(second, rows)).mistake, "`s`: has more runs than its arguments give");
}

// Whether the policy was named may change what is run, and so do the values of options.
TEST_F(StudyTexts, KeysTellNamedPoliciesFromTheDefault) {
  StudyArguments arguments;
  arguments.outside = {{"mine", "h"}};
  arguments.policies = {std::string(Options().policy)};
  arguments.optimum = false;
  const Study study = makeStudy(arguments, {{"g", "", "1", 10, 2}}, {"1", "b"}, {});
  ASSERT_EQ(study.runs.size(), 2u);
  EXPECT_NE(study.runs[0].key, study.runs[1].key);
  EXPECT_EQ(study.runs[0].key.size(), 32u);
  arguments.options = {{"memory-layout-analysis-enabled", {"false"}}};
  const Study off = makeStudy(arguments, {{"g", "", "1", 10, 2}}, {"1", "b"}, {});
  EXPECT_EQ(off.runs[0].key, study.runs[0].key) << "a policy that is named decides";
  EXPECT_NE(off.runs[1].key, study.runs[1].key);
  EXPECT_EQ(study.label(study.runs[0]), "g n150 " + std::string(Options().policy));
}

TEST_F(StudyTexts, PartsOfOtherProgramsArgumentsOrGraphsAreRefused) {
  StudyArguments arguments;
  arguments.policies = {"DRAM"};
  arguments.optimum = false;
  const auto part = [&](const std::string& name, const StudyArguments& given, const std::vector<StudyGraph>& graphs,
                        const StudyProgram& program, StudyShard shard) {
    write(name + "/study.json", studyJson(makeStudy(given, graphs, program, shard), {}));
    return at(name);
  };
  // The part without any run of its own, so that none is missed.
  const std::vector<StudyGraph> graphs = {{"g", "", "1", 10, 2}};
  const std::string first = part("first", arguments, graphs, {"1", "b"}, {2, 3});
  const auto problem = [&](const std::string& name, const StudyArguments& given, const std::vector<StudyGraph>& of,
                           const StudyProgram& program, StudyShard shard = {3, 3}) {
    const std::string other = part(name, given, of, program, shard);
    std::string told = mergeStudies(std::vector<std::string>{first, other}, at("out")).problem;
    const std::string both = "`" + first + "` and `" + other + "` ";
    return told.rfind(both, 0) == 0 ? told.substr(both.size()) : told;
  };
  EXPECT_EQ(problem("same", arguments, graphs, {"1", "b"}), "part 1/3 is missing");
  EXPECT_EQ(problem("twice", arguments, graphs, {"1", "b"}, {2, 3}), "are both part 2/3");
  EXPECT_EQ(problem("version", arguments, graphs, {"2", "b"}), "were made by different programs");
  EXPECT_EQ(problem("build", arguments, graphs, {"1", "c"}), "were made by different programs");
  EXPECT_EQ(problem("more", arguments, graphs, {"1", "b"}, {3, 4}), "are of different numbers of parts");
  EXPECT_EQ(problem("text", arguments, {{"g", "", "2", 10, 2}}, {"1", "b"}), "have different graphs: `g` and `g`");
  EXPECT_EQ(problem("name", arguments, {{"h", "", "1", 10, 2}}, {"1", "b"}), "have different graphs: `g` and `h`");
  EXPECT_EQ(problem("count", arguments, {}, {"1", "b"}), "have different graphs");
  StudyArguments other = arguments;
  other.milliseconds += 1;
  EXPECT_EQ(problem("limit", other, graphs, {"1", "b"}), "have different arguments");
  EXPECT_EQ(mergeStudies(std::vector<std::string>{at("none")}, at("out")).problem,
            "cannot read `" + at("none/study.json") + "`: is it the folder of a finished part?");
}

// The first mistake with its place, and one without any as it is.
TEST_F(StudyTexts, RefusedRunsSayWhere) {
  const auto reasonOf = [](const std::string& text, const std::string& request) {
    Session session;
    const Json kept(apiStudyRun(session, "g.mlir", text, request));
    EXPECT_EQ(kept["status"].asString(), "refused");
    EXPECT_EQ(kept["row"].kind(), JsonKind::Null);
    return std::string(kept["reason"].asString().value_or(""));
  };
  EXPECT_EQ(
      reasonOf("func.func @main() {\n  %0 = \"ttir.relu\"(%no) : (tensor<1xbf16>) -> tensor<1xbf16>\n  return\n}\n",
               "{}")
          .substr(0, 19),
      "line 2, column 20: ");
  const std::string unknown = reasonOf(kRelu, R"({"options":{"no-such-option":"1"}})");
  EXPECT_NE(unknown.find("no-such-option"), std::string::npos);
  EXPECT_EQ(unknown.find("line"), std::string::npos) << unknown;
  const std::string nowhere = reasonOf(kRelu, R"({"options":{"function":"nope"}})");
  EXPECT_NE(nowhere.find("nope"), std::string::npos) << nowhere;
  EXPECT_EQ(nowhere.find("line 1"), std::string::npos) << nowhere;
  const std::string key = R"({"key":"k","options":{"policy":"DRAM"}})";
  Session session;
  const Json kept(apiStudyRun(session, "g.mlir", kRelu, key));
  EXPECT_EQ(kept["key"].asString(), "k");
  EXPECT_EQ(kept["status"].asString(), "ran");
  EXPECT_EQ(kept["reason"].asString(), "");
  EXPECT_EQ(kept["bound"].kind(), JsonKind::Null) << "DRAM proves none";
  EXPECT_EQ(kept["ops"].kind(), JsonKind::Null) << "not asked for";
}

TEST_F(StudyTexts, TablesHaveWhatTellsRunsApart) {
  StudyArguments arguments;
  arguments.policies = {"DRAM"};
  arguments.axes = {{"beam-width", {"2", "4"}}};
  arguments.optimum = false;
  const Study study = makeStudy(arguments, {{"a,b", "", "1", 10, 2}}, {"1", "b"}, {});
  ASSERT_EQ(study.runs.size(), 2u);
  EXPECT_EQ(withRun(study, study.runs[1], "x,y\nz\n"), "\"a,b\",n150,4,DRAM,x,y\n\"a,b\",n150,4,DRAM,z\n");
  EXPECT_EQ(withRun(study, study.runs[0], ""), "");
  EXPECT_EQ(lossHeader(study).substr(0, 44), "graph,device,beam-width,policy,value,madeBy,");
  EXPECT_EQ(opHeader(study).substr(0, 41), "graph,device,beam-width,policy,step,kind,");
  StudyRow row;
  row.run = &study.runs[0];
  row.kept.status = RunStatus::TimeLimit;
  row.kept.reason = "too long";
  row.kept.runTime = 1234, row.kept.policyTime = 56, row.kept.memory = 789;
  EXPECT_EQ(
      timingsCsv(study, {row}),
      "graph,device,beam-width,policy,status,runMs,policyMs,peakKb\n\"a,b\",n150,2,DRAM,time limit,1.234,0.056,789\n");
  EXPECT_EQ(lines(runsCsv(study, {row})).at(1).substr(0, 39), "\"a,b\",n150,2,DRAM,time limit,too long,,");
  EXPECT_EQ(study.label(study.runs[0]), "a,b n150 beam-width=2 DRAM");
}

// A page of two groups: a cell per policy, what did not run by its status, and in a table of its own.
TEST_F(StudyTexts, ThePageHasACellPerRun) {
  StudyArguments arguments;
  arguments.policies = {"Greedy", "DRAM"};
  arguments.optimum = false;
  const Study study = makeStudy(arguments, {{"g<1>", "", "1", 10, 2}, {"h", "", "2", 10, 2}}, {"1", "b"}, {});
  std::vector<StudyRow> rows(4);
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].run = &study.runs[i];
    rows[i].kept.policyTime = static_cast<int64_t>(i) + 100;
    if (i == 2) continue;
    RunRow figures;
    figures.time = 1000 * (static_cast<int64_t>(i) + 1);
    figures.headroom = 123 + static_cast<int64_t>(i);
    figures.spills = 1, figures.reloads = 2, figures.reshards = 3, figures.returns = 4;
    figures.inL1 = 5, figures.inDram = 6;
    rows[i].kept.row = figures;
  }
  rows[0].bound = rows[1].bound = KeptBound{900, 800, true};
  rows[2].kept.status = RunStatus::Crashed;
  rows[2].kept.reason = "signal \"9\"";
  const std::string page = studyHtml(study, rows, R"({"a":"</script>"})", "");
  const auto has = [&](const std::string& part) { return page.find(part) != std::string::npos; };
  EXPECT_TRUE(has("<tr><th scope=\"row\">g&lt;1&gt;, n150</th><td>1000 (1.250)</td><td>2000 (2.500)</td></tr>"))
      << page;
  EXPECT_TRUE(has("<tr><th scope=\"row\">h, n150</th><td>crashed</td><td>4000</td></tr>"));
  EXPECT_TRUE(has("<td>12.3 %</td><td>12.4 %</td>"));
  EXPECT_TRUE(has("<td>crashed</td><td>12.6 %</td>"));
  EXPECT_TRUE(has("<td>1, 2, 3, 4</td>"));
  EXPECT_TRUE(has("<td>5, 6</td>"));
  EXPECT_TRUE(has("<th scope=\"row\">h n150 Greedy</th><td>crashed</td><td>signal &quot;9&quot;</td></tr>"));
  EXPECT_TRUE(has("<th scope=\"row\">Greedy</th><td>2</td><td>1</td><td>1.250</td><td>1.250</td><td>0</td>"));
  EXPECT_TRUE(has("id=\"study-costs\">[100,101,102,103]<"));
  EXPECT_TRUE(has("{\"a\":\"\\u003c/script>\"}"));
  rows[2] = rows[0];
  rows[2].run = &study.runs[2];
  EXPECT_EQ(studyHtml(study, rows, "{}", "").find("Runs that did not run"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
