// A study at the desk of the page, in this process: what is asked of each run, what is kept, and the files made of it.

#include "core/study/desk.h"

#include <array>

#include "core/driver/session.h"
#include "core/study/measure.h"
#include "core/study/study_rows.h"
#include "tests/driver/driver_testing.h"
#include "tests/pinned.h"
#include "tests/policy/random_graph.h"
#include "tests/study/study_testing.h"

namespace tessera::test {
namespace {

PinnedFile& pins = PinnedFile::named("pinned_study");

struct Source {
  std::string path, text;
};

std::string graphsJson(const std::vector<Source>& sources) {
  std::string list;
  for (const Source& source : sources) {
    std::string one = apiStudyGraph(source.path, source.text);
    list += (list.empty() ? "" : ",") + ("{\"path\":" + jsonText(source.path) + "," + one.substr(1));
  }
  return "[" + list + "]";
}

// Begins a study and does its runs, as the page does; the answer of begin().
std::string run(StudyDesk& desk, const std::vector<Source>& sources, const std::string& arguments) {
  std::string begun =
      desk.begin("{\"arguments\":" + arguments + ",\"graphs\":" + graphsJson(sources) + ",\"build\":\"b\"}");
  const Json answer{std::string(begun)};
  for (size_t i = 0; i < answer["runs"].size(); ++i) {
    const JsonValue one = answer["runs"].at(i);
    Session session;
    const auto source = std::find_if(sources.begin(), sources.end(),
                                     [&](const Source& s) { return s.path == one.get("path").asString(); });
    std::string options;
    for (size_t k = 0; k < one.get("options").size(); ++k) {
      const JsonValue value = one.get("options").at(k);
      std::string text = value.isString()    ? jsonText(*value.asString())
                         : value.asBool()    ? (*value.asBool() ? "true" : "false")
                         : value.asInteger() ? std::to_string(*value.asInteger())
                                             : std::to_string(*value.asNumber());
      options += (options.empty() ? "" : ",") + jsonText(one.get("options").keyAt(k)) + ":" + text;
    }
    const std::string key(one.get("key").asString().value_or(""));
    const std::string kept = apiStudyRun(session, source->path, source->text,
                                         "{\"key\":" + jsonText(key) + ",\"options\":{" + options + "}}");
    EXPECT_EQ(desk.keep(key, kept), "{\"kept\":true}") << kept;
  }
  return begun;
}

std::string fileOf(const StudyDesk& desk, const std::string& name) {
  const Json answer(desk.file(name, ""));
  return std::string(answer["text"].asString().value_or("null"));
}

std::vector<Source> drawnSources() {
  return {{"a/one.mlir", randomGraphText(2)}, {"b/one.mlir", randomGraphText(5)}, {"b/two.mlir", "func.func @f("}};
}

class Desk : public StudyTest {};

TEST_F(Desk, SaysWhatIsWrongWithARequest) {
  for (const char* request : {"{", R"({"arguments": {"policies": 5}})", R"({"arguments": {"axes": [{"option": "x"}]}})",
                              R"({"arguments": {"timeLimit": 0}})"}) {
    StudyDesk desk;
    const Json answer{desk.begin(request)};
    EXPECT_NE(answer["mistake"].asString().value_or(""), "") << request;
  }
}

TEST_F(Desk, TablesOfAStudyAreAsTheyWere) {
  StudyDesk desk;
  const std::string begun = run(desk, drawnSources(),
                                R"({"policies":["Greedy","DFSharding2","DRAM"],"devices":["n150","p150"],)"
                                R"("axes":[{"option":"tensor-l1-usage-cap","values":["0.1","1"]}],)"
                                R"("options":[{"option":"exact-rounds","values":["2"]}]})");
  const Json answer{std::string(begun)};
  EXPECT_EQ(answer["mistake"].asString(), "");
  const std::vector<std::string> runs = lines(fileOf(desk, "runs.csv"));
  ASSERT_EQ(runs.size(), 1u + 3 * 2 * 2 * 3);
  for (size_t i = 1; i < runs.size(); ++i) {
    const std::vector<std::string> row = fields(runs[i]);
    Fingerprint print;
    print.add(runs[i]);
    pins.expect(
        "run " + row[0] + " " + row[1] + " " + row[2] + " " + row[3],
        row[4] + (row.size() > 8 ? " " + row[6] + " " + row[7] + " " + row[8] : "") + ", print " + digits(print));
  }
  pins.expect("spills.csv", std::to_string(lines(fileOf(desk, "spills.csv")).size()) + " lines, print " +
                                digits(fileOf(desk, "spills.csv")));
  // Without what tells the program and the time of deciding.
  std::string page = fileOf(desk, "study.html");
  page = page.substr(0, page.find("<script type=\"application/json\""));
  pins.expect("study.html", std::to_string(lines(page).size()) + " lines, print " + digits(page));
  EXPECT_EQ(fileOf(desk, "other"), "null");
}

// Runs of one group behind each other, devices within graphs, the last axis fastest; then the run for the bound.
TEST_F(Desk, RunsStandInTheOrderOfTheTables) {
  StudyDesk desk;
  const Json answer(desk.begin(
      R"({"arguments":{"policies":["DRAM","Greedy"],"outside":[{"name":"mine","hash":"1"}],"devices":["p150","n150"],)"
      R"("axes":[{"option":"beam-width","values":["2",)"
      R"("4"]},{"option":"row-major-enabled","values":["false","true"]}]},)"
      R"("graphs":[{"path":"x/g.mlir","hash":"1","bytes":3,)"
      R"("lines":10},{"path":"y/g.mlir","hash":"2","bytes":3,"lines":7}],)"
      R"("build":"b"})"));
  EXPECT_EQ(answer["mistake"].asString(), "");
  ASSERT_EQ(answer["graphs"].size(), 2u);
  EXPECT_EQ(answer["graphs"].at(0).asString(), "x/g.mlir");
  EXPECT_EQ(answer["graphs"].at(1).asString(), "y/g.mlir");
  ASSERT_EQ(answer["runs"].size(), 2u * 2 * 2 * 2 * 4);
  size_t at = 0;
  int64_t group = 0;
  for (const char* graph : {"x/g.mlir", "y/g.mlir"}) {
    for (const char* device : {"p150", "n150"}) {
      for (const char* width : {"2", "4"}) {
        for (const char* rows : {"false", "true"}) {
          for (const char* policy : {"DRAM", "Greedy", "mine", "Exact"}) {
            const JsonValue one = answer["runs"].at(at++);
            EXPECT_EQ(one.get("graph").asString(), graph);
            EXPECT_EQ(one.get("device").asString(), device);
            EXPECT_EQ(one.get("values").at(0).asString(), width);
            EXPECT_EQ(one.get("values").at(1).asString(), rows);
            EXPECT_EQ(one.get("policy").asString(), policy);
            EXPECT_EQ(one.get("listed").asBool(), std::string_view(policy) != "Exact");
            EXPECT_EQ(one.get("group").asInteger(), group);
            // 1 for DRAM, 2 for Greedy, 4 for one from outside, 24 for Exact, by line of the graph, over four runs.
            EXPECT_EQ(one.get("work").asInteger(), (graph[0] == 'x' ? 10 : 7) * (1 + 2 + 4 + 24) / 4);
            const JsonValue options = one.get("options");
            EXPECT_EQ(options.get("device").asString(), device) << "the default is said, too";
            EXPECT_EQ(options.get("policy").asString(), std::string_view(policy) == "mine" ? "Greedy" : policy);
            EXPECT_EQ(options.get("beam-width").asInteger(), width[0] - '0');
            EXPECT_EQ(options.get("row-major-enabled").present(), rows[0] == 't') << "only what differs is said";
            EXPECT_FALSE(options.get("max-legal-layouts").present());
          }
          ++group;
        }
      }
    }
  }
}

TEST_F(Desk, WhatIsNotFinishedIsMissingAndWhatFailedSaysWhy) {
  StudyDesk desk;
  const std::string arguments = R"({"policies":["Greedy","DRAM"],"optimum":false})";
  const Json begun(desk.begin("{\"arguments\":" + arguments +
                              R"(,"graphs":[{"path":"g.mlir","hash":"1","bytes":3,"lines":1}],"build":"b"})"));
  ASSERT_EQ(begun["runs"].size(), 2u);
  const auto key = [&](size_t i) { return std::string(begun["runs"].at(i).get("key").asString().value_or("")); };
  EXPECT_EQ(Json(desk.study())["missing"].asInteger(), 2);
  EXPECT_EQ(desk.keep(key(0), "{}"), "{\"kept\":false}");
  EXPECT_EQ(desk.keep(key(0), keptText(key(1), {})), "{\"kept\":false}") << "a run of another key";
  EXPECT_EQ(Json(desk.study())["missing"].asInteger(), 2);
  desk.fail(key(0), "time limit", "too long");
  desk.fail(key(1), "no such status", "gone");
  const Json study(desk.study());
  EXPECT_EQ(study["missing"].asInteger(), 0);
  const JsonValue runs = study["study"].get("runs");
  EXPECT_EQ(runs.at(0).get("status").asString(), "time limit");
  EXPECT_EQ(runs.at(0).get("reason").asString(), "too long");
  EXPECT_EQ(runs.at(1).get("status").asString(), "crashed");
  EXPECT_EQ(study["costs"].size(), 2u);
  desk.fail(key(0), "crashed", "gone as well");  // tried once more
  const Json again(desk.study());
  EXPECT_EQ(again["study"].get("runs").at(0).get("status").asString(), "crashed");
  EXPECT_EQ(again["study"].get("runs").at(0).get("reason").asString(), "gone as well");
}

// What a run costs is its policy's time, without reading and simulating.
TEST_F(Desk, CostsAreThoseOfThePolicy) {
  StudyDesk desk;
  const Json begun(desk.begin(R"({"arguments":{"policies":["DRAM"],"optimum":false},)"
                              R"("graphs":[{"path":"g.mlir","hash":"1","bytes":3,"lines":1}],"build":"b"})"));
  const std::string key(begun["runs"].at(0).get("key").asString().value_or(""));
  KeptRun run;
  run.row = RunRow{};
  run.runTime = 1100, run.policyTime = 70, run.memory = 5000;
  EXPECT_EQ(desk.keep(key, keptText(key, run)), "{\"kept\":true}");
  const Json study(desk.study());
  ASSERT_EQ(study["costs"].size(), 1u);
  EXPECT_EQ(study["costs"].at(0).asInteger(), 70);
}

TEST_F(Desk, JsonIsAGraphOnlyIfItSaysSo) {
  const auto isGraph = [](const std::string& path, const std::string& text) {
    return Json(apiStudyGraph(path, text))["graph"].asBool().value_or(false);
  };
  EXPECT_TRUE(isGraph("a.mlir", "anything"));
  EXPECT_TRUE(isGraph("a.json", R"({"version": 1, "ops": []})"));
  EXPECT_TRUE(isGraph("a.json", R"({"format": "tessera-graph"})"));
  EXPECT_FALSE(isGraph("a.json", R"({"schema": 1, "version": 1})"));
  EXPECT_FALSE(isGraph("a.json", R"([1])"));
  EXPECT_TRUE(isGraph(".json", "[1]")) << "a name, not an ending";
  const Json one(apiStudyGraph("a.mlir", "  %1 = x\n\t%2 = y\nreturn\n"));
  EXPECT_EQ(one["lines"].asInteger(), 3);
  EXPECT_EQ(one["bytes"].asInteger(), 24);
}

// --- keys, shares and limits of studies --------------------------------------------------------------------------

StudyGraph graph(const std::string& hash, int64_t lines = 10) { return {"g" + hash, "", hash, 5, lines}; }

// A run is known by its content: everything that may change its answer changes its key, nothing else does.
TEST_F(Desk, KeysDifferByWhatMayChangeTheAnswer) {
  StudyArguments arguments;
  arguments.policies = {"Greedy"};
  arguments.optimum = false;
  const auto keyOf = [](const StudyArguments& given, const StudyGraph& of, const StudyProgram& program) {
    return makeStudy(given, {of}, program, {}).runs.at(0).key;
  };
  const StudyProgram program{"1", "b"};
  const std::string usual = keyOf(arguments, graph("1"), program);
  std::vector<std::string> keys = {usual};
  const auto differs = [&](const char* what, const std::string& key) {
    EXPECT_EQ(std::count(keys.begin(), keys.end(), key), 0) << what;
    keys.push_back(key);
  };
  differs("graph", keyOf(arguments, graph("2"), program));
  differs("version", keyOf(arguments, graph("1"), {"2", "b"}));
  differs("build", keyOf(arguments, graph("1"), {"1", "c"}));
  auto other = arguments;
  other.devices = {"p150"};
  differs("device", keyOf(other, graph("1"), program));
  other = arguments, other.policies = {"DRAM"};
  differs("policy", keyOf(other, graph("1"), program));
  other = arguments, other.alone = true;
  differs("processes of their own", keyOf(other, graph("1"), program));
  other = arguments, other.options = {{"tensor-l1-usage-cap", {"0.5"}}};
  differs("option", keyOf(other, graph("1"), program));
  for (const char* name : {"mine", "yours"}) {
    for (const char* hash : {"1", "2"}) {
      other = arguments, other.outside = {{name, hash}};
      differs("policy from outside", makeStudy(other, {graph("1")}, program, {}).runs.at(1).key);
    }
  }
  // An option as an axis, a limit, another name, a shard: the same run.
  other = arguments, other.axes = {{"tensor-l1-usage-cap", {"1"}}};
  EXPECT_EQ(keyOf(other, graph("1"), program), usual);
  other = arguments, other.milliseconds = 5, other.optimum = true;
  EXPECT_EQ(keyOf(other, graph("1"), program), usual);
  EXPECT_EQ(keyOf(arguments, {"another", "name", "1", 7, 70}, program), usual);
  EXPECT_EQ(makeStudy(arguments, {graph("1")}, program, {2, 2}).runs.at(0).key, usual);
}

// The longest group goes to the part that has least to do.
TEST_F(Desk, PartsShareTheWork) {
  StudyArguments arguments;
  arguments.policies = {"Greedy"};
  arguments.optimum = false;
  const Study study = makeStudy(
      arguments, {graph("1", 30), graph("2", 50), graph("3", 20), graph("4", 40), graph("5", 60)}, {}, {1, 2});
  std::vector<int32_t> parts;
  for (const StudyGroup& group : study.groups) parts.push_back(group.part);
  // 60 | 50, then 40 to the second, 30 to the first, 20 to the second or first: both have 90, the first is asked first.
  EXPECT_EQ(parts, (std::vector<int32_t>{1, 2, 1, 2, 1}));
  for (const StudyRun& run : study.runs) EXPECT_EQ(study.mine(run), parts[run.group] == 1);
  const StudyResults results = collectStudy(study, [](const std::string&) { return std::nullopt; }, {});
  EXPECT_EQ(results.missing, (std::vector<size_t>{0, 2, 4})) << "of this part alone";
}

TEST_F(Desk, TheFirstMistakeIsTold) {
  const auto mistakeOf = [](StudyArguments arguments, size_t graphs = 1) {
    return makeStudy(std::move(arguments), std::vector<StudyGraph>(graphs, graph("1")), {}, {}).mistake;
  };
  StudyArguments arguments;
  arguments.policies = {"Greedy", "NoSuch", "NorThis"};
  EXPECT_EQ(mistakeOf(arguments), "unknown policy `NoSuch`");
  arguments.policies = {"Greedy"};
  arguments.outside = {{"Beam", "1"}};
  EXPECT_EQ(mistakeOf(arguments), "there is a policy `Beam` already");
  arguments.outside = {};
  arguments.options = {{"policy", {"DRAM"}}, {"no-such-option", {"1"}}};
  EXPECT_EQ(mistakeOf(arguments), "`policy` is no option here: give --policies and --devices");
  arguments.options = {};
  arguments.axes = {{"beam-width", {}}};
  EXPECT_EQ(mistakeOf(arguments), "no values for beam-width");
  arguments.axes = {};
  arguments.devices = {"first", "second"};
  EXPECT_NE(mistakeOf(arguments).find("first"), std::string::npos) << mistakeOf(arguments);
  arguments.devices = {};
  arguments.axes = {{"device", {"n150"}}};
  EXPECT_EQ(mistakeOf(arguments), "`device` is no option here: give --policies and --devices");
}

// The policy with a bound runs once, whether it is asked for or not.
TEST_F(Desk, TheBoundIsRunOnce) {
  const auto policies = [](std::vector<std::string> asked, bool optimum) {
    StudyArguments arguments;
    arguments.policies = std::move(asked);
    arguments.optimum = optimum;
    std::string text;
    for (const StudyRun& run : makeStudy(arguments, {graph("1")}, {}, {}).runs)
      text += run.policy + (run.listed ? " " : "- ");
    return text;
  };
  EXPECT_EQ(policies({"DRAM"}, true), "DRAM Exact- ");
  EXPECT_EQ(policies({"DRAM"}, false), "DRAM ");
  EXPECT_EQ(policies({"Exact", "DRAM"}, true), "Exact DRAM ");
}

// A study is read if it is of this version and names graphs by name, text and size.
TEST_F(Desk, FilesOfOtherVersionsAreRefused) {
  StudyArguments arguments;
  arguments.policies = {"DRAM"};
  arguments.optimum = false;
  const Study study = makeStudy(arguments, {{"g", "", "1", 123, 45}}, {"1", "b"}, {});
  StudyRow row;
  row.run = study.runs.data();
  const std::string text = studyJson(study, {row});
  const Study again = readStudy("s", text);
  EXPECT_EQ(again.mistake, "");
  ASSERT_EQ(again.graphs.size(), 1u);
  EXPECT_EQ(again.graphs[0].bytes, 123);
  EXPECT_EQ(again.graphs[0].ops, 45);
  EXPECT_EQ(again.arguments.policies, arguments.policies);
  std::string other = text;
  other.replace(other.find("\"schema\":1"), 10, "\"schema\":2");
  EXPECT_EQ(readStudy("s", other).mistake, "`s`: is no study of version 1");
}

// Lists of one entry are lists.
TEST_F(Desk, WhatIsGivenOnceIsReadBack) {
  const auto again = [](const std::string& text) {
    SourceBuffer source("arguments", text);
    Diagnostics diagnostics;
    const JsonDocument document = JsonDocument::parse(source, diagnostics);
    std::string mistake;
    const StudyArguments read = readStudyArguments(document.root(), mistake);
    EXPECT_EQ(mistake, "") << text;
    return read;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(again(R"({"devices":["p150"]})").devices, Texts{"p150"});
  EXPECT_EQ(again(R"({"policies":["Beam"]})").policies, Texts{"Beam"});
  EXPECT_EQ(again(R"({"devices":["p150","n150"]})").devices, (Texts{"p150", "n150"}));
  const StudyArguments one =
      again(R"({"axes":[{"option":"beam-width","values":["3"]}],"timeLimit":1,"memoryLimit":1})");
  ASSERT_EQ(one.axes.size(), 1u);
  EXPECT_EQ(one.axes[0].values, Texts{"3"});
  EXPECT_EQ(one.milliseconds, 1);
  EXPECT_EQ(one.memoryBytes, 1);
}

TEST_F(Desk, MoreRunsThanAMillionAreRefused) {
  const auto mistakeOf = [](size_t graphs, size_t values, size_t outside) {
    StudyArguments arguments;
    arguments.policies = {"Greedy"};
    for (size_t i = 0; i < outside; ++i) arguments.outside.push_back({"mine" + std::to_string(i), "1"});
    if (values > 0) arguments.axes = {{"beam-width", std::vector<std::string>(values, "2")}};
    return makeStudy(arguments, std::vector<StudyGraph>(graphs, graph("1")), {}, {}).mistake;
  };
  const std::string tooMany = "more than 1000000 runs";
  EXPECT_EQ(mistakeOf(1001, 1000, 0), tooMany);
  EXPECT_EQ(mistakeOf(501, 1000, 1), tooMany) << "policies from outside count";
  EXPECT_EQ(mistakeOf(1'000'001, 0, 0), tooMany) << "without an axis, too";
  EXPECT_EQ(mistakeOf(10, 2, 0), "");
}

// Each line of losses is of the run that lost.
TEST_F(Desk, LossesStandWithTheirRuns) {
  copyCase("diamond");
  StudyDesk desk;
  run(desk, {{"diamond.mlir", read("graphs/diamond.mlir")}},
      R"({"policies":["DRAM","DFSharding"],"devices":["n150"],"axes":[],"options":[],"optimum":false})");
  const std::vector<std::string> all = lines(fileOf(desk, "spills.csv"));
  std::map<std::string, int> count;
  for (size_t i = 1; i < all.size(); ++i) ++count[fields(all[i]).at(2)];
  EXPECT_GT(count["DRAM"], 0);
  EXPECT_GT(count["DFSharding"], 0);
  EXPECT_EQ(count.size(), 2u);
}

// The reason of a refusal is the first mistake, with its place, not a note or warning before it.
TEST(Measure, AReasonIsAMistake) {
  Session session;
  session.load("f", R"(func.func @main(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<4xf32> {
  %0 = "x.unknown"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
})");
  MeasureRequest request;
  request.clock = [] { return int64_t{0}; };
  const KeptRun kept = measureRun(session, request);
  EXPECT_EQ(kept.status, RunStatus::Refused);
  EXPECT_EQ(kept.reason.substr(0, 7), "line 3,") << kept.reason;
}

// Of a clock that goes on by 10 while the graph is read and lowered, by 100 while the policy decides, and by 1000 while
// its plan is judged.
TEST(Measure, ThePolicysTimeIsThatOfItsDecisions) {
  static size_t asked;
  asked = 0;
  Session session;
  session.load("f", kRelu);
  MeasureRequest request;
  request.clock = [] {
    constexpr std::array<int64_t, 4> kTimes = {0, 10, 110, 1110};
    return kTimes.at(asked++);
  };
  const KeptRun kept = measureRun(session, request);
  EXPECT_EQ(kept.status, RunStatus::Ran) << kept.reason;
  EXPECT_EQ(kept.policyTime, 100);
  EXPECT_EQ(kept.runTime, 1110);
}

}  // namespace
}  // namespace tessera::test
