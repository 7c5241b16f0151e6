#include "core/cli/cli.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "core/driver/api.h"
#include "core/driver/options.h"
#include "core/driver/pipeline.h"
#include "core/import/graph_json.h"
#include "core/ir/builder.h"
#include "tests/cli/cli_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

TEST(CommandLine, UsageIsExitCodeTwo) {
  TemporaryFile file(kRelu);
  const std::vector<std::string> kWrong[] = {
      {},
      {"fly"},
      {"run"},
      {"lint"},
      {"lint", "a", "b"},
      {"run", file.path(), file.path()},
      {"run", file.path(), "--policy"},
      {"run", file.path(), "--policy", "nobody"},
      {"run", file.path(), "--no-such-option", "1"},
      {"run", file.path(), "--device=x"},
      {"run", "/no/such/file"},
      {"lint", "/no/such/file"},
      {"run", file.path(), "--max-legal-layouts", "0"},
  };
  for (const auto& arguments : kWrong) {
    Outcome outcome = runTessera(arguments);
    EXPECT_EQ(outcome.code, kExitUsage) << ::testing::PrintToString(arguments);
    EXPECT_NE(outcome.err.find("usage: tessera"), std::string::npos);
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(CommandLine, HelpListsEveryOption) {
  for (const char* word : {"help", "--help", "-h"}) {
    Outcome outcome = runTessera({word});
    EXPECT_EQ(outcome.code, kExitFine);
    EXPECT_EQ(outcome.err, "");
    for (const OptionInfo& info : allOptions())
      EXPECT_NE(outcome.out.find("--" + std::string(info.id)), std::string::npos);
  }
}

TEST(CommandLine, RunPrintsThePlan) {
  TemporaryFile file(kRelu);
  Outcome outcome = runTessera({"run", file.path()});
  EXPECT_EQ(outcome.code, kExitFine);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.rfind("%0  ttnn.relu  L1 ", 0), 0u) << outcome.out;
}

TEST(CommandLine, APlanThatIsWrittenIsCarriedOutAgain) {
  TemporaryFile file(kRelu);
  Outcome written = runTessera({"run", file.path(), "--device=p150", "--policy=Beam", "--plan-out"});
  ASSERT_EQ(written.code, kExitFine) << written.err;
  TemporaryFile plan(written.out);
  Outcome again = runTessera({"run", file.path(), "--plan", plan.path(), "--plan-out"});
  EXPECT_EQ(again.code, kExitFine) << again.err;
  EXPECT_EQ(again.out, written.out) << "with the plan's options";
  Outcome smaller = runTessera({"run", file.path(), "--plan", plan.path(), "--max-grid-rows=1", "--plan-out"});
  EXPECT_EQ(smaller.code, kExitDiagnostics) << "the command line's options go before the plan's";
  EXPECT_NE(smaller.err.find("layout-does-not-fit: `%0`: grid"), std::string::npos) << smaller.err;
}

// What is printed is what the option takes: with it, the floor policy's results lie where the plan had them.
TEST(CommandLine, OverridesBringThePlanBack) {
  TemporaryFile file(
      "func.func @main(%a: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<256x256xbf16>) -> tensor<256x256xbf16> loc(\"first\")\n"
      "  %1 = \"ttir.gelu\"(%0) : (tensor<256x256xbf16>) -> tensor<256x256xbf16> loc(\"second\")\n"
      "  return %1 : tensor<256x256xbf16>\n}\n");
  Outcome overrides = runTessera({"run", file.path(), "--overrides"});
  const std::string option = overrides.out.substr(0, overrides.out.find('\n'));
  EXPECT_EQ(option.rfind("override-output-layout=first=", 0), 0u) << overrides.out;
  Outcome again = runTessera({"run", file.path(), "--" + option, "--overrides"});
  EXPECT_EQ(again.out, overrides.out) << again.err;
}

TEST(CommandLine, ModelExplorerGetsAWholeGraph) {
  const std::string sample = std::string(TESSERA_SOURCE_DIR) + "/web/public/samples/residual-block.mlir";
  Json answer(runTessera({"run", sample, "--model-explorer"}).out);
  JsonValue graph = answer["graphs"].at(0), nodes = graph.get("nodes");
  std::set<std::string> ids;
  for (size_t i = 0; i < nodes.size(); ++i)
    EXPECT_TRUE(ids.insert(std::string(*nodes.at(i).get("id").asString())).second);
  EXPECT_GT(ids.size(), 10u);
  for (size_t i = 0; i < nodes.size(); ++i) {
    JsonValue edges = nodes.at(i).get("incomingEdges");
    for (size_t j = 0; j < edges.size(); ++j)
      EXPECT_EQ(ids.count(std::string(*edges.at(j).get("sourceNodeId").asString())), 1u);
  }
  EXPECT_EQ(graph.get("overlays").size(), 3u);
  Json time(runTessera({"run", sample, "--node-data", "time"}).out);
  EXPECT_GT(time[*graph.get("id").asString()].get("results").size(), 10u);
  EXPECT_EQ(runTessera({"run", sample, "--node-data", "colour"}).code, kExitUsage);
}

TEST(CommandLine, ALogIsAListOfPassesAndRunsAsItsLastState) {
  TemporaryFile source(kRelu);
  const std::string mlir = runTessera({"run", source.path(), "--mlir"}).out;
  ASSERT_NE(mlir.find("ttnn.relu"), std::string::npos);
  const std::string marker = "// -----// IR Dump After ";
  TemporaryFile log("2026-01-01 10:00:00 some line\n" + marker + "TTNNLayout (ttnn-layout) //----- //\n" + mlir +
                    marker + "TTNNDeallocate (ttnn-deallocate) //----- //\n" + mlir + marker +
                    "Cut (cut) //----- //\nmodule {\n");
  Outcome list = runTessera({"log", log.path()});
  EXPECT_EQ(list.code, kExitFine);
  EXPECT_NE(list.out.find("unchanged  ttnn-deallocate"), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("(cut off)"), std::string::npos) << list.out;
  EXPECT_EQ(runTessera({"log", log.path(), "--dump", "1"}).out, mlir);
  EXPECT_EQ(runTessera({"log", log.path(), "--dump", "3"}).code, kExitUsage);
  Outcome run = runTessera({"run", log.path()});
  EXPECT_NE(run.err.find("the state after `TTNNDeallocate`"), std::string::npos) << run.err;
  EXPECT_EQ(run.code, kExitFine);
}

// Some loggers write the module at every stage and name no passes.
TEST(CommandLine, ALogMayHoldStagesAlone) {
  TemporaryFile stages(
      "2026-02-21 22:37:07.913 (2.0s) [1] module_builder.cc:1118 1| MLIR Module ttir:\nmodule {\n}\n"
      "2026-02-21 22:37:08.913 (3.0s) [1] module_builder.cc:1118 1| MLIR Module ttnn:\nmodule {\n}\n");
  const Outcome list = runTessera({"log", stages.path()});
  EXPECT_EQ(list.code, kExitFine);
  EXPECT_EQ(list.out, "stage ttir: dump 0, line 1\nstage ttnn: dump 1, line 4\n");
  EXPECT_EQ(runTessera({"log", stages.path(), "--json"}).code, kExitFine);
  EXPECT_EQ(runTessera({"log", stages.path(), "--dump", "1"}).code, kExitFine);
  TemporaryFile empty("2026-02-21 22:37:07.913 (2.0s) [1] nothing of the compiler\n");
  const Outcome nothing = runTessera({"log", empty.path()});
  EXPECT_EQ(nothing.code, kExitDiagnostics);
  EXPECT_EQ(nothing.out, "");
}

TEST(CommandLine, WhatIsNoPlanIsRefused) {
  TemporaryFile file(kRelu), broken("{\"schema\": 1, \"values\": {"), other("{\"schema\": 7}");
  EXPECT_EQ(runTessera({"run", file.path(), "--plan", "/no/such/plan"}).code, kExitUsage);
  Outcome syntax = runTessera({"run", file.path(), "--plan", broken.path()});
  EXPECT_EQ(syntax.code, kExitDiagnostics);
  EXPECT_NE(syntax.err.find(broken.path() + ":1:"), std::string::npos) << syntax.err;
  Outcome version = runTessera({"run", file.path(), "--plan", other.path()});
  EXPECT_EQ(version.code, kExitDiagnostics);
  EXPECT_NE(version.err.find("version 7 is not known"), std::string::npos) << version.err;
}

TEST(CommandLine, RunPrintsTheReportOfTheApi) {
  TemporaryFile file(kRelu);
  Outcome outcome = runTessera({"run", file.path(), "--json", "--policy", "DRAM", "--device=p150"});
  EXPECT_EQ(outcome.code, kExitFine);
  Session session;
  EXPECT_EQ(outcome.out, apiRun(session, kRelu, R"({"policy": "DRAM", "device": "p150"})") + "\n");
}

TEST(CommandLine, RunPrintsMlirThatReadsBack) {
  TemporaryFile file(kRelu);
  Outcome outcome = runTessera({"run", file.path(), "--mlir"});
  EXPECT_EQ(outcome.code, kExitFine);
  EXPECT_NE(outcome.out.find("ttnn.to_memory_config"), std::string::npos);
  Graph again = graphOf(outcome.out);
  EXPECT_TRUE(again.forward.valid());
}

TEST(CommandLine, RunPrintsGraphJsonThatReadsBack) {
  TemporaryFile file(kRelu);
  Outcome outcome = runTessera({"run", file.path(), "--graph-json"});
  EXPECT_EQ(outcome.code, kExitFine);
  Session session;
  const LoadedGraph& again = session.load("again", outcome.out);
  EXPECT_TRUE(again.isJson);
  ASSERT_TRUE(again.graph.has_value());
  Outcome mlir = runTessera({"run", file.path(), "--mlir"});
  EXPECT_TRUE(sameGraph(*again.graph, graphOf(mlir.out)));
}

TEST(CommandLine, RunPrintsATrace) {
  TemporaryFile file(kRelu);
  Outcome outcome = runTessera({"run", file.path(), "--trace-events"});
  EXPECT_EQ(outcome.code, kExitFine);
  EXPECT_GT(Json(outcome.out)["traceEvents"].size(), 5u);
}

TEST(CommandLine, DefectsOfTheInputAreExitCodeOne) {
  TemporaryFile file("func.func @main( oops");
  for (const char* command : {"run", "lint"}) {
    Outcome outcome = runTessera({command, file.path()});
    EXPECT_EQ(outcome.code, kExitDiagnostics);
    EXPECT_NE(outcome.err.find(file.path() + ":1:"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("error: "), std::string::npos);
    EXPECT_EQ(outcome.out, "");
  }
  Outcome json = runTessera({"run", file.path(), "--json"});
  EXPECT_EQ(json.code, kExitDiagnostics);
  EXPECT_EQ(Json(json.out)["run"].kind(), JsonKind::Null);
}

// A hundred errors are shown, the others are counted.
TEST(CommandLine, MistakesThatAreNotShownAreCounted) {
  for (const int mistakes : {100, 101, 102}) {
    std::string text = "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n";
    for (int i = 0; i < mistakes; ++i) text += "  \"ttir.relu\"(%u) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n";
    TemporaryFile file(text + "  return %a : tensor<64x64xbf16>\n}\n");
    const Outcome outcome = runTessera({"lint", file.path()});
    const std::string last = outcome.err.substr(outcome.err.rfind('\n', outcome.err.size() - 2) + 1);
    EXPECT_EQ(last, mistakes == 100   ? "  note: nothing in this function is called `%u`\n"
                    : mistakes == 101 ? "not shown: 1 more\n"
                                      : "not shown: 2 more\n");
  }
}

TEST(CommandLine, WarningsAreExitCodeZero) {
  TemporaryFile file(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %0 = \"odd.op\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n  return %0 : tensor<64x64xbf16>\n}\n");
  for (const char* command : {"run", "lint"}) {
    Outcome outcome = runTessera({command, file.path()});
    EXPECT_EQ(outcome.code, kExitFine);
    EXPECT_NE(outcome.err.find("warning: "), std::string::npos);
  }
  EXPECT_NE(runTessera({"losses", file.path()}).err.find("warning: "), std::string::npos);
}

TEST(CommandLine, LintIsSilentAboutAFineFile) {
  TemporaryFile file(kRelu);
  Outcome outcome = runTessera({"lint", file.path()});
  EXPECT_EQ(outcome.code, kExitFine);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

// Standard input becomes the file for the length of a test.
TEST(CommandLine, DashReadsStandardInput) {
  for (const std::string& text : {kRelu, exportGraphJson(graphOf(kRelu))}) {
    TemporaryFile file(text);
    int saved = ::dup(0);
    ASSERT_NE(std::freopen(file.path().c_str(), "rb", stdin), nullptr);
    Outcome outcome = runTessera({"run", "-", "--json"});
    ::dup2(saved, 0);
    ::close(saved);
    std::clearerr(stdin);
    EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
    Session session;
    EXPECT_EQ(outcome.out, apiRun(session, text, "") + "\n");
  }
}

TEST(CommandLine, MistakesInAPlanFromStandardInputStandThere) {
  const TemporaryFile graph(kRelu), plan("{\"schema\": 1,");
  const int saved = ::dup(0);
  ASSERT_NE(std::freopen(plan.path().c_str(), "rb", stdin), nullptr);
  const Outcome outcome = runTessera({"run", graph.path(), "--plan", "-"});
  ::dup2(saved, 0);
  ::close(saved);
  std::clearerr(stdin);
  EXPECT_EQ(outcome.code, kExitDiagnostics);
  EXPECT_EQ(outcome.err.rfind("<stdin>:1:", 0), 0u) << outcome.err;
}

// A question on every line, the last one with or without its end; what is no question has an empty answer.
TEST(CommandLine, QuestionsOfManyLinesAreAnsweredInOrder) {
  Session session;
  const std::string question = R"(["lint","func.func @main() {\n  return\n}\n",""])",
                    answer = apiLint(session, "func.func @main() {\n  return\n}\n") + "\n";
  for (const std::string& end : {"", "\n"}) {
    const TemporaryFile file(question + "\n\n[\"nothing\",\"\",\"\"]\n{}\n" + question + end);
    const int saved = ::dup(0);
    ASSERT_NE(std::freopen(file.path().c_str(), "rb", stdin), nullptr);
    const Outcome outcome = runTessera({"call", "--lines"});
    ::dup2(saved, 0);
    ::close(saved);
    std::clearerr(stdin);
    EXPECT_EQ(outcome.code, kExitFine);
    EXPECT_EQ(outcome.out, answer + "\n\n\n" + answer);
  }
}

TEST(CommandLine, CatalogAndVersionAreThoseOfTheApi) {
  EXPECT_EQ(runTessera({"catalog"}).out, apiCatalog() + "\n");
  EXPECT_EQ(runTessera({"version"}).out, apiVersion() + "\n");
  EXPECT_EQ(runTessera({"version"}).code, kExitFine);
}

TEST(CommandLine, CheckPassComparesEveryPass) {
  TemporaryFile file(
      "func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %0 = \"ttir.matmul\"(%a, %b) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16>, "
      "tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  %1 = \"ttir.relu\"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  return %1 : tensor<64x64xbf16>\n}\n");
  Outcome all = runTessera({"check-pass", file.path()});
  EXPECT_EQ(all.code, kExitFine) << all.out << all.err;
  EXPECT_NE(all.out.find("ttir-fusing"), std::string::npos) << all.out;
  EXPECT_NE(all.out.find("ttnn-deallocate"), std::string::npos) << all.out;
  Outcome one = runTessera({"check-pass", file.path(), "--pass", "ttir-fusing", "--seed=3"});
  EXPECT_EQ(one.code, kExitFine);
  EXPECT_EQ(std::count(one.out.begin(), one.out.end(), '\n'), 1) << one.out;
  EXPECT_EQ(runTessera({"check-pass", file.path(), "--pass", "nothing"}).code, kExitUsage);
  EXPECT_EQ(runTessera({"check-pass", file.path(), "--seed", "x"}).code, kExitUsage);
  EXPECT_EQ(runTessera({"check-pass", file.path(), "--preset", "nothing"}).code, kExitUsage);
  Outcome compiler = runTessera({"check-pass", file.path(), "--preset", "upstream"});
  EXPECT_EQ(compiler.code, kExitFine) << compiler.out;
  EXPECT_NE(compiler.out.find("ttnn-decomposition "), std::string::npos) << "a pass of the compiler's rules only";
  // What has no kernel is named, and is no success.
  TemporaryFile random(
      "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = \"ttir.rand\"() <{dtype = f32, high = 1.0 : f32, "
      "low = 0.0 : f32, seed = 0 : ui32, size = [8 : i32]}> : () -> tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n");
  Outcome unknown = runTessera({"check-pass", random.path()});
  EXPECT_EQ(unknown.code, kExitDiagnostics);
  EXPECT_NE(unknown.out.find("no kernel for ttir.rand"), std::string::npos) << unknown.out;
}

TEST(CommandLine, ExecuteCarriesAPlanOut) {
  TemporaryFile file(
      "func.func @main(%a: tensor<128x96xbf16>) -> tensor<128x96xbf16> {\n"
      "  %0 = \"ttir.exp\"(%a) : (tensor<128x96xbf16>) -> tensor<128x96xbf16>\n"
      "  %1 = \"ttir.relu\"(%0) : (tensor<128x96xbf16>) -> tensor<128x96xbf16>\n"
      "  return %1 : tensor<128x96xbf16>\n}\n");
  for (const char* size : {"--whole", "--side=0"}) {
    Outcome done = runTessera({"execute", file.path(), "--policy", "DFSharding", size});
    EXPECT_EQ(done.code, kExitFine) << done.err;
    EXPECT_EQ(done.out.rfind("DFSharding  equal: ", 0), 0u) << done.out;
  }
  EXPECT_EQ(runTessera({"execute", file.path(), "--side", "-1"}).code, kExitUsage);
  EXPECT_EQ(runTessera({"execute", file.path(), "--seed", "x"}).code, kExitUsage);
  EXPECT_EQ(runTessera({"execute", file.path(), "--policy", "nothing"}).code, kExitUsage);
  Outcome checked = runTessera({"run", file.path(), "--check"});
  EXPECT_EQ(checked.code, kExitFine) << checked.err;
  EXPECT_NE(checked.out.find("--  execution, made smaller, of about 40 rows and columns: equal: "), std::string::npos)
      << checked.out;
  // No kernel for an op says nothing about the plan.
  TemporaryFile unknown(
      "func.func @main(%x: tensor<64x96xbf16>) -> tensor<64x96xbf16> {\n"
      "  %0 = \"ttir.unheard_of\"(%x) : (tensor<64x96xbf16>) -> tensor<64x96xbf16>\n"
      "  return %0 : tensor<64x96xbf16>\n}\n");
  checked = runTessera({"run", unknown.path(), "--check"});
  EXPECT_EQ(checked.code, kExitFine) << checked.err;
  EXPECT_NE(checked.out.find("not executed"), std::string::npos) << checked.out;
}

const std::string kSmallGraph =
    "func.func public @f(%x: tensor<512x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
    "  %0 = \"ttir.matmul\"(%x, %w) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  %1 = \"ttir.relu\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  %2 = \"ttir.neg\"(%1) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  return %2 : tensor<512x512xbf16>\n}\n";

// The proofs of spilling and of addresses are printed as Exact's is; the page's checker reads all of them.
TEST(CommandLine, CertificatesOfSpillingAndAddresses) {
  std::string text = "func.func @main(%a: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {\n";
  const std::string type = "tensor<2048x2048xbf16>";
  for (int i = 0; i < 6; ++i)
    text += "  %" + std::to_string(i) + " = \"ttir.relu\"(%" + (i == 0 ? "a" : std::to_string(i - 1)) + ") : (" + type +
            ") -> " + type + "\n";
  for (int i = 6; i < 11; ++i)
    text += "  %" + std::to_string(i) + " = \"ttir.add\"(%" + std::to_string(i - 1) + ", %" + std::to_string(10 - i) +
            ") : (" + type + ", " + type + ") -> " + type + "\n";
  TemporaryFile file(text + "  return %10 : " + type + "\n}\n");
  const Outcome spill = runTessera({"run", file.path(), "--policy=Greedy", "--spill-strategy=certified",
                                    "--tensor-l1-usage-cap=0.3", "--certificate"});
  ASSERT_EQ(spill.code, kExitFine) << spill.err;
  const Json p2(spill.out);
  EXPECT_EQ(p2["problem"].asString(), "p2");
  EXPECT_GT(p2["values"].size(), 4u);
  EXPECT_GT(p2["cost"].asInteger().value_or(0), 0);
  EXPECT_LE(p2["lowerBound"].asInteger().value_or(INT64_MAX), p2["cost"].asInteger().value_or(0));
  EXPECT_EQ(runTessera({"run", file.path(), "--policy=Greedy", "--certificate"}).code, kExitUsage);

  TemporaryFile instance("id,lower,upper,size\n1,0,4,8\n2,2,6,5\n3,5,9,7\n4,0,9,2\n");
  const Outcome addresses = runTessera({"solve", "minimalloc", instance.path(), "--certificate"});
  ASSERT_EQ(addresses.code, kExitFine) << addresses.err;
  const Json p3(addresses.out);
  EXPECT_EQ(p3["problem"].asString(), "p3");
  EXPECT_EQ(p3["offsets"].size(), 4u);
  EXPECT_EQ(p3["cost"].asInteger(), p3["lowerBound"].asInteger());
  EXPECT_NE(runTessera({"solve", "minimalloc", instance.path(), "--verbose"}).out.find(" nodes\n"), std::string::npos);
  EXPECT_EQ(runTessera({"solve", "minimalloc", instance.path()}).out.find(" nodes\n"), std::string::npos);
  EXPECT_EQ(runTessera({"solve", "iopddl", instance.path(), "--certificate"}).code, kExitUsage);
}

TEST(CommandLine, OneDashAndOutputFile) {
  TemporaryFile file(kSmallGraph), output("untouched");
  const std::string expected = runTessera({"run", file.path(), "--policy", "Beam"}).out;
  Outcome outcome = runTessera({"run", file.path(), "-policy=Beam", "-o", output.path()});
  EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(readFile(output.path()), expected);
  EXPECT_EQ(runTessera({"run", file.path(), "-nothing=1", "-o", output.path()}).code, kExitUsage);
  EXPECT_EQ(readFile(output.path()), expected);  // a wrong call leaves the file alone
  const std::string equals = output.path() + "=b";
  EXPECT_EQ(runTessera({"run", file.path(), "-o=" + equals, "--policy", "Beam"}).code, kExitFine);
  EXPECT_EQ(readFile(equals), expected) << "a name may hold a sign of its own";
  std::remove(equals.c_str());
  EXPECT_EQ(runTessera({"run", file.path(), "-o"}).code, kExitUsage);
  const std::string catalog = runTessera({"catalog"}).out;  // a command that needs no arguments of its own
  const Outcome silent = runTessera({"catalog", "-o", output.path()});
  EXPECT_EQ(silent.code, kExitFine);
  EXPECT_EQ(silent.out, "");
  EXPECT_EQ(readFile(output.path()), catalog);
  EXPECT_EQ(runTessera({"run", file.path(), "-o", "/nowhere/x"}).code, kExitUsage);
}

TEST(CommandLine, DescriptionsOfASystemNameTheDevice) {
  TemporaryFile file(kSmallGraph);
  TemporaryFile json(
      R"({"system_desc": {"cpu_descs": [{"target_triple": "aarch64-linux-gnu"}], "chip_descs": [{"arch": "Blackhole", )"
      R"("grid_size": {"y": 10, "x": 13}, "l1_size": 1572864}]}})");
  TemporaryFile mlir(
      "#system_desc = #ttcore.system_desc<[{role = host, target_triple = \"aarch64-linux-gnu\"}], [{arch = "
      "<wormhole_b0>, grid = 4x8, coord_translation_offsets = 18x18, l1_size = 1499136}], [0], [], []>\n");
  TemporaryFile binary(std::string("TTSY\0\1", 6));
  auto device = [&](const std::string& path) {
    Outcome outcome = runTessera({"run", file.path(), "--json", "--system-desc-path=" + path});
    EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
    const size_t at = outcome.out.find("\"device\":\"") + 10;
    return std::pair(outcome.out.substr(at, outcome.out.find('"', at) - at), outcome.err);
  };
  EXPECT_EQ(device(json.path()).first, "p150");
  EXPECT_EQ(device(mlir.path()).first, "n150");
  EXPECT_EQ(device(binary.path()).first, "n150");
  EXPECT_NE(device(binary.path()).second.find("binary"), std::string::npos);
  EXPECT_NE(device("/nowhere/x.ttsys").second.find("cannot read"), std::string::npos);
}

TEST(CommandLine, MemoryLayoutAnalysisMeansTheSameEverywhere) {
  TemporaryFile file(kSmallGraph);
  const std::string on = "memory-layout-analysis-enabled=true", off = "memory-layout-analysis-enabled=false";
  auto layouts = [](const std::string& text) {
    std::string found;
    for (const char* word : {"height_sharded", "width_sharded", "block_sharded", "#l1"})
      found += text.find(word) != std::string::npos ? "1" : "0";
    return found;
  };
  for (const std::string preset : {"seed", "upstream"}) {
    for (const std::string& analysis : {on, off}) {
      Outcome run = runTessera({"run", file.path(), "--mlir", "--preset", preset, "--" + analysis});
      Outcome opt =
          runTessera({"opt", file.path(),
                      "--ttir-to-ttnn-backend-pipeline=optimization-level=2 preset=" + preset + " " + analysis});
      EXPECT_EQ(run.code, kExitFine) << run.err;
      EXPECT_EQ(layouts(run.out), layouts(opt.out)) << preset << " " << analysis;
      EXPECT_EQ(run.out.find("#l1") != std::string::npos, analysis == on) << preset << " " << analysis;
    }
  }
  // A policy by its name and no analysis contradict each other.
  EXPECT_EQ(runTessera({"run", file.path(), "--policy", "Greedy", "--" + off}).code, kExitDiagnostics);
}

}  // namespace
}  // namespace tessera::test
