// The page's calls about problems and plans, files made from a run, and logs in pieces.

#include "core/driver/api.h"
#include "core/driver/options.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

const std::string kTtnn =
    "#l1 = #ttnn.buffer_type<l1>\n"
    "#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<4x4x!ttcore.tile<32x32, bf16>, #l1>, "
    "<block_sharded>>\n"
    "func.func @main(%a: tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #s> {\n"
    "  %0 = \"ttnn.relu\"(%a) : (tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #s>\n"
    "  return %0 : tensor<1024x1024xbf16, #s>\n}\n";

std::string policyOf(const std::string& text, const std::string& options) {
  Json report(apiRun(text, options));
  return std::string(report["policy"].get("id").asString().value_or(""));
}

TEST(ApiRun, TakesLayoutsAsWrittenUnlessAskedOtherwise) {
  EXPECT_EQ(policyOf(kTtnn, "{}"), "AsWritten");
  EXPECT_EQ(policyOf(kTtnn, R"({"policy":"Beam"})"), "Beam");
  EXPECT_EQ(policyOf(kTtnn, R"({"reoptimize":true})"), Options().policy);
  EXPECT_EQ(policyOf(kRelu, "{}"), Options().policy);
  EXPECT_TRUE(*Json(apiRun(kTtnn, "{}"))["input"].get("layouts").asBool());
  EXPECT_FALSE(*Json(apiRun(kRelu, "{}"))["input"].get("layouts").asBool());
  Json compared(apiCompare(kTtnn, R"({"runs":[{},{"reoptimize":true},{"policy":"DRAM"}]})"));
  EXPECT_EQ(compared["comparison"].get("runs").at(0).get("label").asString(), "AsWritten");
  EXPECT_EQ(compared["comparison"].get("runs").at(1).get("label").asString(), Options().policy);
}

TEST(ApiRun, CarriesOutAPlanThatAnExportMade) {
  Json file(apiExport(kRelu, R"({"policy":"Exact"})", "plan"));
  const std::string plan(*file["content"].asString());
  const std::string again = apiRun(kRelu, "{\"policy\":\"Exact\",\"plan\":" + plan + "}");
  EXPECT_EQ(kinds(Json(again).document.root()), "");
  Json before(apiRun(kRelu, R"({"policy":"Exact"})")), after(again);
  EXPECT_EQ(before["run"].get("totals").get("time").asInteger(), after["run"].get("totals").get("time").asInteger());
  EXPECT_EQ(after["policy"].get("id").asString(), "Exact");
}

TEST(ApiExport, APlanSaysUnderWhichPolicyAGraphWithLayoutsWasPlanned) {
  Json greedy(apiExport(kTtnn, R"({"policy":"Greedy"})", "plan")), written(apiExport(kTtnn, "{}", "plan"));
  Json first(std::string(*greedy["content"].asString())), second(std::string(*written["content"].asString()));
  EXPECT_EQ(first["options"].get("policy").asString(), "Greedy");
  EXPECT_FALSE(second["options"].get("policy").present());
  Json anew(apiExport(kTtnn, R"({"reoptimize":true})", "plan"));
  EXPECT_EQ(Json(std::string(*anew["content"].asString()))["options"].get("reoptimize").asBool(), true);
}

TEST(ApiRun, SaysWhatIsIllegalInAPlanAndRunsTheRest) {
  const std::string plan = R"({"schema":1,"policy":"mine","values":{"%0":0,"%nowhere":0},"layouts":[{"buffer":"l1"}]})";
  Json report(apiRun(kRelu, "{\"plan\":" + plan + "}"));
  EXPECT_NE(kinds(report.document.root()).find("Plan"), std::string::npos);
  EXPECT_EQ(report["policy"].get("title").asString(), "mine");
  EXPECT_TRUE(report["run"].isObject());
  EXPECT_FALSE(kinds(Json(apiRun(kRelu, R"({"plan":17})")).document.root()).empty());
  EXPECT_EQ(kinds(Json(apiRun(kRelu, R"({"plan":null})")).document.root()), "");
}

// A plan from outside is told as such beside others, one of a policy under that policy's name; what the options ask for
// decided neither.
TEST(ApiCompare, PlansAreToldByWhoMadeThem) {
  const auto planOf = [](const std::string& policy) {
    return R"({"policy":"DRAM","plan":{"schema":1,"policy":")" + policy + R"(","values":{},"layouts":[]}})";
  };
  Json compared(
      apiCompare(kRelu, R"({"runs":[)" + planOf("mine") + "," + planOf("Greedy") + R"(,{"policy":"Exact"}]})"));
  const JsonValue runs = compared["comparison"].get("runs");
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs.at(0).get("label").asString(), "Plan");
  EXPECT_EQ(runs.at(1).get("label").asString(), "Greedy");
  EXPECT_EQ(runs.at(2).get("label").asString(), "Exact");
}

TEST(ApiProblem, IsThereForWhatCanBeRead) {
  Json answer(tessera::apiProblem(sharedSession(), kRelu, "{}"));
  EXPECT_EQ(answer["problem"].get("ops").size(), 2u);
  Json nothing(tessera::apiProblem(sharedSession(), "func.func @x( {", "{}"));
  EXPECT_TRUE(nothing["problem"].kind() == JsonKind::Null);
  EXPECT_NE(kinds(nothing.document.root()), "");
}

TEST(ApiExport, MakesEveryFileOfARun) {
  for (const char* what : {"trace-events", "decision-trace", "plan", "model-explorer", "mlir"}) {
    Json file(apiExport(kRelu, R"({"policy":"Greedy"})", what));
    EXPECT_GT(file["content"].asString().value_or("").size(), 20u) << what;
    EXPECT_GT(file["file"].asString().value_or("").size(), 4u) << what;
  }
  EXPECT_NE(kinds(Json(apiExport(kRelu, "{}", "a cake")).document.root()).find("BadOption"), std::string::npos);
}

TEST(ApiLog, IsReadInPieces) {
  const std::string dump = "module {\n  func.func @main() {\n    return\n  }\n}\n";
  const std::string log = "noise\n// -----// IR Dump After A (a) //----- //\n" + dump +
                          "// -----// IR Dump After B (b) //----- //\n" + dump;
  Session session;
  for (char c : log) tessera::apiLogFeed(session, std::string(1, c));
  Json answer(tessera::apiLogEnd(session));
  EXPECT_EQ(answer["passes"].size(), 2u);
  EXPECT_EQ(answer["state"].asInteger(), 1);
  JsonValue last = answer["dumps"].at(1);
  const auto begin = static_cast<size_t>(*last.get("begin").asInteger());
  const std::string part = log.substr(begin, static_cast<size_t>(*last.get("end").asInteger()) - begin);
  EXPECT_EQ(Json(tessera::apiLogDump(part))["text"].asString(), dump);
  EXPECT_EQ(Json(tessera::apiLogEnd(session))["dumps"].size(), 0u) << "each log begins anew";
  tessera::apiLogFeed(session, log);
  EXPECT_EQ(Json(tessera::apiLogEnd(session))["dumps"].at(1).get("begin").asInteger(), static_cast<int64_t>(begin));
}

// A log as input: of its dumps the last that can be read, named with its pass and the line of its header.
TEST(ApiLog, TheStateThatIsTakenIsNamed) {
  const std::string a = "// -----// IR Dump After A (a) //----- //\n",
                    b = "// -----// IR Dump After B (b) //----- //\n";
  const auto said = [](const std::string& log) {
    Session session;
    session.load("log", log);
    const Diagnostics& all = session.choose("")->diagnostics;
    return all.all().empty() ? std::string() : all.all().back().message;
  };
  EXPECT_EQ(said("noise\n" + a + kRelu + b + kRelu), "a log with 2 dumps: the state after `B`, line 7, is taken");
  EXPECT_EQ(said("noise\n" + a + kRelu + b + kRelu.substr(0, 90)),
            "a log with 2 dumps: the state after `A`, line 2, is taken");
  EXPECT_EQ(said(a + kRelu.substr(0, 90)), "none of the 1 dumps in the log is complete and can be read");
}

}  // namespace
}  // namespace tessera::test
