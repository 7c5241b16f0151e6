#include "core/driver/api.h"

#include <set>

#include "core/device/device_spec.h"
#include "core/driver/pipeline.h"
#include "core/import/graph_json.h"
#include "core/support/json_writer.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

TEST(ApiVersion, NamesVersionAndSchema) {
  Json version(apiVersion());
  EXPECT_EQ(version["tessera"].asString(), TESSERA_VERSION);
  EXPECT_EQ(version["schema"].asInteger(), kReportSchema);
}

TEST(ApiCatalog, ListsEverythingAPageNeeds) {
  Json catalog(apiCatalog());
  EXPECT_EQ(catalog["devices"].size(), allDevices().size());
  EXPECT_EQ(catalog["policies"].size(), allPolicies().size());
  EXPECT_EQ(catalog["ops"].size(), allOps().size() - 1);
  EXPECT_EQ(catalog["families"].size(), allFamilyTitles().size());
  EXPECT_EQ(catalog["diagnostics"].size(), allDiagKinds().size());
  JsonValue options = catalog["options"];
  ASSERT_EQ(options.size(), allOptions().size());
  for (size_t i = 0; i < options.size(); ++i) {
    for (const char* field :
         {"id", "title", "help", "type", "default", "min", "max", "step", "choices", "policies", "workload", "draft"}) {
      EXPECT_TRUE(options.at(i).get(field).present()) << i << " " << field;
    }
    bool isChoice = options.at(i).get("type").asString() == "choice";
    EXPECT_EQ(options.at(i).get("choices").size() > 0, isChoice);
  }
}

TEST(ApiCatalog, SaysWhichPoliciesReadAnOption) {
  Json catalog(apiCatalog());
  auto idsOf = [](JsonValue list) {
    std::vector<std::string> ids;
    for (size_t i = 0; i < list.size(); ++i) ids.emplace_back(*list.at(i).asString());
    return ids;
  };
  auto option = [&](std::string_view id) {
    for (size_t i = 0; i < catalog["options"].size(); ++i) {
      if (catalog["options"].at(i).get("id").asString() == id) return catalog["options"].at(i);
    }
    return JsonValue();
  };
  EXPECT_EQ(idsOf(option("beam-width").get("policies")), std::vector<std::string>{"Beam"});
  EXPECT_EQ(idsOf(option("memreconfig-enabled").get("policies")),
            (std::vector<std::string>{"DFSharding", "DFSharding2"}));
  EXPECT_EQ(option("device").get("policies").size(), allPolicies().size());
  EXPECT_EQ(option("exact-rounds").get("draft").asInteger(), 0);
  EXPECT_EQ(option("beam-width").get("help").asString()->substr(0, 6), "Beam: ");
  EXPECT_EQ(option("spill-strategy").get("help").asString()->substr(0, 45),
            "Every policy but Exact, DRAM and AsWritten: W");
  for (size_t i = 0; i < catalog["policies"].size(); ++i) {
    JsonValue policy = catalog["policies"].at(i);
    EXPECT_GT(policy.get("traits").size(), 0u) << *policy.get("id").asString();
  }
}

// What the catalog offers is what run() takes.
TEST(ApiCatalog, DefaultsAreAcceptedByRun) {
  Json catalog(apiCatalog());
  for (size_t i = 0; i < catalog["options"].size(); ++i) {
    JsonValue option = catalog["options"].at(i);
    JsonWriter w;
    w.beginObject();
    w.key(*option.get("id").asString());
    w.raw(optionValueJson(Options(), *option.get("id").asString()));
    w.endObject();
    EXPECT_EQ(apiRun(kRelu, w.take()), apiRun(kRelu, ""));
  }
}

TEST(ApiLint, SaysNothingAboutAFineText) {
  Json lint(apiLint(kRelu));
  EXPECT_EQ(lint["diagnostics"].size(), 0u);
  EXPECT_EQ(lint["droppedDiagnostics"].asInteger(), 0);
}

const std::string kJunk[] = {
    "",
    " \n\t",
    "junk",
    "\x00\x01\xFF",
    "{",
    "[",
    "}",
    "{}",
    "[]",
    "null",
    "func.func",
    "func.func @main(",
    "module {",
    "\"",
    "%0 = ",
    "{\"version\": 1}",
    "{\"version\": 99, \"functions\": []}",
    "// only a comment\n",
    "\xEF\xBB\xBF",
    "#map = affine_map<(d0) -> (d0)>",
};

TEST(Api, JunkHasDiagnosticsAndNoRun) {
  for (const std::string& text : kJunk) {
    SCOPED_TRACE(text);
    Json lint(apiLint(text)), run(apiRun(text, ""));
    EXPECT_GT(lint["diagnostics"].size(), 0u);
    EXPECT_EQ(run["ok"].asBool(), false);
    EXPECT_EQ(run["run"].kind(), JsonKind::Null);
    EXPECT_GT(run["diagnostics"].size(), 0u);
  }
}

TEST(Api, HugeDepthIsRefusedNotFollowed) {
  for (const char* open : {"{", "[", "(", "<", "module {", "tensor<", "\"x\"() ({", "affine_map<("}) {
    std::string text;
    while (text.size() < 1'000'000) text += open;
    SCOPED_TRACE(open);
    Json lint(apiLint(text)), run(apiRun(text, ""));
    EXPECT_GT(lint["diagnostics"].size(), 0u);
    EXPECT_EQ(run["run"].kind(), JsonKind::Null);
  }
  std::string options;
  for (int i = 0; i < 500'000; ++i) options += "[";
  Json run(apiRun(kRelu, options));
  EXPECT_EQ(run["run"].kind(), JsonKind::Null);
  EXPECT_EQ(kinds(run.document.root()), "NestingTooDeep");
}

TEST(ApiRun, TakesGraphJson) {
  Graph graph = graphOf(kRelu);
  std::string json = exportGraphJson(graph);
  Json fromJson(apiRun(json, "")), fromText(apiRun(kRelu, ""));
  EXPECT_EQ(fromJson["ok"].asBool(), true) << kinds(fromJson.document.root());
  EXPECT_EQ(fromJson["input"].get("format").asString(), "json");
  EXPECT_EQ(fromText["input"].get("format").asString(), "mlir");
  EXPECT_EQ(fromJson["run"].get("plan").asString(), fromText["run"].get("plan").asString());
}

TEST(ApiRun, BlankOptionsAreTheDefaults) {
  std::string expected = apiRun(kRelu, "{}");
  for (const char* options : {"", " ", "\n\t", "{ }", "{\"device\": null}"})
    EXPECT_EQ(apiRun(kRelu, options), expected) << options;
}

// What a preset sets is told as if it had been given; what is given beside it stays.
TEST(ApiRun, OptionsAreToldAsThePresetSetsThem) {
  const auto options = [](const std::string& given) {
    const Json run(apiRun(kRelu, given));
    return std::pair(run["options"].get("max-legal-layouts").asInteger().value_or(-1),
                     std::string(run["options"].get("l1-release").asString().value_or("")));
  };
  EXPECT_EQ(options("{}"), std::pair(int64_t{8}, std::string("2025-12")));
  EXPECT_EQ(options(R"({"preset":"upstream"})").first, 64);
  EXPECT_EQ(options(R"({"preset":"upstream"})").second, "2026-04");
  EXPECT_EQ(options(R"({"preset":"upstream","max-legal-layouts":9})").first, 9);
}

TEST(ApiRun, BadOptionsAreDiagnosticsWithoutAPlaceInTheSource) {
  const std::pair<const char*, const char*> kBad[] = {
      {"{", "JsonSyntax"},
      {"\n\n{\"device\" 3}", "JsonSyntax"},
      {"[]", "BadOption"},
      {R"({"policy": "x"})", "UnknownPolicy"},
      {R"({"device": "x"})", "UnknownDevice"},
      {R"({"x": 1})", "UnknownOption"},
  };
  for (const auto& [options, kind] : kBad) {
    SCOPED_TRACE(options);
    Json run(apiRun(kRelu, options));
    EXPECT_EQ(run["ok"].asBool(), false);
    EXPECT_EQ(run["run"].kind(), JsonKind::Null);
    EXPECT_EQ(kinds(run.document.root()), kind);
    JsonValue first = run["diagnostics"].at(0);
    EXPECT_EQ(first.get("line").asInteger(), 1);
    EXPECT_EQ(first.get("column").asInteger(), 1);
  }
}

TEST(ApiRun, WarningsDoNotStopARun) {
  Json run(apiRun(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %0 = \"odd.op\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n  return %0 : tensor<64x64xbf16>\n}\n",
      ""));
  EXPECT_EQ(run["ok"].asBool(), true);
  EXPECT_EQ(kinds(run.document.root()), "UnknownOp");
  EXPECT_EQ(run["input"].get("opaqueOps").asInteger(), 1);
}

// The last text stays loaded; that must never show.
TEST(Api, AnswersDoNotDependOnWhatWasAskedBefore) {
  std::string other = randomGraphText(1);
  std::string lint = apiLint(kRelu), run = apiRun(kRelu, ""), otherRun = apiRun(other, "");
  EXPECT_EQ(apiRun(kRelu, ""), run);
  apiLint("junk");
  EXPECT_EQ(apiLint(kRelu), lint);
  apiRun(kRelu, R"({"device": "p150", "policy": "DRAM"})");
  EXPECT_EQ(apiRun(kRelu, ""), run);
  EXPECT_EQ(apiRun(other, ""), otherRun);
}

// The bytes of each run in a comparison are those of the run alone.
TEST(ApiCompare, RunsAreTheSameBytesAsAlone) {
  const std::string kOptions[] = {"{}", R"({"policy":"DRAM"})", R"({"device":"p150","preset":"upstream"})",
                                  R"({"policy":"nobody"})"};
  for (uint64_t seed = 0; seed < 5; ++seed) {
    std::string text = randomGraphText(seed), list, expected;
    for (const std::string& options : kOptions) {
      list += (list.empty() ? "" : ",") + options;
      expected += (expected.empty() ? "" : ",") + apiRun(text, options);
    }
    std::string compared = apiCompare(text, "{\"runs\":[" + list + "]}"),
                start = "{\"schema\":2,\"runs\":[" + expected + "],\"comparison\":{\"runs\":[";
    EXPECT_EQ(compared.substr(0, start.size()), start);
    Json whole(compared);
    ASSERT_EQ(whole["comparison"].get("runs").size(), std::size(kOptions));
    EXPECT_EQ(whole["comparison"].get("runs").at(0).get("ran").asBool(), true);
    EXPECT_EQ(whole["comparison"].get("runs").at(3).get("ran").asBool(), false);
  }
}

TEST(ApiCompare, NoRunsAreAnEmptyList) {
  EXPECT_EQ(apiCompare(kRelu, R"({"runs": []})"),
            R"({"schema":2,"runs":[],"comparison":{"runs":[],"differences":[]}})");
}

TEST(ApiCompare, BadListsAreOneAnswerWithADiagnostic) {
  for (const char* runs : {"", "{}", "{\"runs\": 3}", "[", "{\"runs\": {}}", "null"}) {
    SCOPED_TRACE(runs);
    Json compare(apiCompare(kRelu, runs));
    ASSERT_EQ(compare["runs"].size(), 1u);
    EXPECT_EQ(compare["runs"].at(0).get("ok").asBool(), false);
    EXPECT_GT(compare["runs"].at(0).get("diagnostics").size(), 0u);
  }
  Json mixed(apiCompare(kRelu, R"({"runs": [3, {}, null]})"));
  ASSERT_EQ(mixed["runs"].size(), 3u);
  EXPECT_EQ(mixed["runs"].at(0).get("ok").asBool(), false);
  EXPECT_EQ(mixed["runs"].at(1).get("ok").asBool(), true);
}

TEST(ApiCompare, JunkTextIsReportedInEveryRun) {
  for (const std::string& text : kJunk) {
    Json compare(apiCompare(text, R"({"runs": [{}, {"policy": "DRAM"}]})"));
    ASSERT_EQ(compare["runs"].size(), 2u);
    for (size_t i = 0; i < 2; ++i) EXPECT_EQ(compare["runs"].at(i).get("run").kind(), JsonKind::Null);
  }
}

// A trace that the engine writes is one that it reads, and shows as it shows the run itself.
TEST(ApiDecisionTrace, ShowsAFileAsTheRun) {
  std::string fork =
      readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases/fork_height_and_block.mlir");
  const std::string options = R"({"policy":"Beam","trace":true})";
  Json run(apiRun(fork, options));
  JsonValue own = run["run"].get("propagationTrace");
  ASSERT_TRUE(own.isObject());
  Json file(apiExport(fork, options, "decision-trace"));
  EXPECT_EQ(file["file"].asString(), "decision_trace.json");
  Json answer(apiDecisionTrace(std::string(*file["content"].asString())));
  EXPECT_EQ(answer["diagnostics"].size(), 0u);
  JsonValue read = answer["trace"];
  for (const char* list : {"ops", "edges", "forks", "reasons"})
    EXPECT_EQ(read.get(list).size(), own.get(list).size()) << list;
  for (size_t i = 0; i < own.get("ops").size(); ++i) {
    EXPECT_EQ(read.get("ops").at(i).get("beam").size(), own.get("ops").at(i).get("beam").size());
    EXPECT_EQ(read.get("ops").at(i).get("row").asInteger(), -1);
  }
  EXPECT_FALSE(Json(apiRun(fork, R"({"policy":"Beam"})"))["run"].get("propagationTrace").present());
  EXPECT_FALSE(Json(apiRun(fork, R"({"policy":"DFSharding","trace":true})"))["run"].get("propagationTrace").present());
}

TEST(ApiDecisionTrace, SaysWhatIsWrong) {
  Json broken(apiDecisionTrace("{\"version\":3,\n  \"forwardPass\":[1]}"));
  EXPECT_EQ(kinds(broken.document.root()), "TraceSchema");
  EXPECT_EQ(broken["diagnostics"].at(0).get("line").asInteger(), 2);
  EXPECT_EQ(broken["trace"].kind(), JsonKind::Null);
  EXPECT_EQ(kinds(Json(apiDecisionTrace("")).document.root()), "JsonSyntax");
  EXPECT_EQ(kinds(Json(apiDecisionTrace(kRelu)).document.root()).substr(0, 10), "JsonSyntax");
  EXPECT_NE(kinds(Json(apiDecisionTrace(std::string(200'000, '['))).document.root()), "");
  std::string huge(kMaxSourceBytes + 1, ' ');
  EXPECT_EQ(kinds(Json(apiDecisionTrace(huge)).document.root()), "SourceTooLarge");
}

TEST(ApiExport, MakesFiles) {
  Json events(apiExport(kRelu, "", "trace-events"));
  EXPECT_EQ(events["file"].asString(), "trace_events.json");
  EXPECT_GT(Json(std::string(*events["content"].asString()))["traceEvents"].size(), 3u);
  for (const auto& [options, what] : {std::pair<const char*, const char*>{R"({"policy":"DRAM"})", "decision-trace"},
                                      {"", "nonsense"},
                                      {"{", "trace-events"}}) {
    Json none(apiExport(kRelu, options, what));
    EXPECT_EQ(none["file"].kind(), JsonKind::Null) << options << what;
    EXPECT_EQ(none["content"].kind(), JsonKind::Null);
  }
  EXPECT_EQ(kinds(Json(apiExport(kRelu, "", "nonsense")).document.root()), "BadOption");
  EXPECT_EQ(Json(apiExport("nonsense", "", "trace-events"))["file"].kind(), JsonKind::Null);
}

}  // namespace
}  // namespace tessera::test
