#include "core/cli/cli.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/driver/api.h"
#include "core/driver/options.h"
#include "core/driver/pipeline.h"
#include "core/import/graph_json.h"
#include "core/ir/builder.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

Outcome runTessera(const std::vector<std::string>& arguments) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = runCommandLine(arguments);
  std::fflush(stdout);
  outcome.out = ::testing::internal::GetCapturedStdout();
  outcome.err = ::testing::internal::GetCapturedStderr();
  return outcome;
}

// A file that goes away with the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(::testing::TempDir() + "tessera_cli_" + std::to_string(::getpid()) + "_" + std::to_string(counter_++)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  static inline int counter_ = 0;
  std::string path_;
};

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

TEST(CommandLine, WarningsAreExitCodeZero) {
  TemporaryFile file(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %0 = \"odd.op\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n  return %0 : tensor<64x64xbf16>\n}\n");
  for (const char* command : {"run", "lint"}) {
    Outcome outcome = runTessera({command, file.path()});
    EXPECT_EQ(outcome.code, kExitFine);
    EXPECT_NE(outcome.err.find("warning: "), std::string::npos);
  }
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
  // What has no kernel is named, and is no success.
  TemporaryFile sort(
      "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  %0, %1 = \"ttir.sort\"(%a) <{dim = 0 : si32}> : "
      "(tensor<8xf32>) -> (tensor<8xf32>, tensor<8xsi32>)\n  return %0 : tensor<8xf32>\n}\n");
  Outcome unknown = runTessera({"check-pass", sort.path()});
  EXPECT_EQ(unknown.code, kExitDiagnostics);
  EXPECT_NE(unknown.out.find("no kernel for ttir.sort"), std::string::npos) << unknown.out;
}

}  // namespace
}  // namespace tessera::test
