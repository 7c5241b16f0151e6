// Corners of commands: errors of passes, figures of several functions, bounds beside runs that fail.

#include <filesystem>

#include "tests/cli/cli_testing.h"

namespace tessera::test {
namespace {

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

size_t timesOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string productText(const std::string& name, int64_t side, const std::string& after = "") {
  const std::string type = "tensor<" + std::to_string(side) + "x" + std::to_string(side) + "xbf16>";
  return "func.func @" + name + "(%x: " + type + ", %w: " + type + ") -> " + type +
         " {\n  %0 = \"ttir.matmul\"(%x, %w) : (" + type + ", " + type + ") -> " + type + "\n  return %0 : " + type +
         "\n}\n" + after;
}

const std::string kQuantizedOp =
    "func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i16:f32, 0.5>> {\n"
    "  // expected-error @+1 {{do not fit 8}}\n"
    "  %0 = \"ttir.quantize\"(%x) : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i16:f32, 0.5>>\n"
    "  return %0 : tensor<2x4x!quant.uniform<i16:f32, 0.5>>\n}\n";

// The command fails and says why; what came out is printed all the same, and later passes run.
TEST(OptErrors, APassThatRefusesIsAnError) {
  const TemporaryFile file(kQuantizedOp);
  const std::string pass = "--ttir-quant-data-type-conversion=target-bit-width=";
  const Outcome refused = runTessera({"opt", file.path(), pass + "8"});
  EXPECT_EQ(refused.code, kExitDiagnostics);
  EXPECT_TRUE(mentions(refused.err, "ttir-quant-data-type-conversion: error: %0 ttir.quantize: "));
  EXPECT_TRUE(mentions(refused.err, "numbers of 16 bits do not fit 8")) << refused.err;
  EXPECT_TRUE(mentions(refused.out, "!quant.uniform<i16:f32")) << refused.out;
  const Outcome later = runTessera({"opt", file.path(), pass + "8", pass + "32"});
  EXPECT_EQ(later.code, kExitDiagnostics);
  EXPECT_TRUE(mentions(later.out, "!quant.uniform<i32:f32"));
  const Outcome fine = runTessera({"opt", file.path(), pass + "32"});
  EXPECT_EQ(fine.code, kExitFine) << fine.err;
  EXPECT_EQ(fine.err, "");
}

// It stands at its op, so a comment may expect it there; without the error the expectation fails.
TEST(OptErrors, AnErrorOfAPassMayBeExpected) {
  const TemporaryFile file(kQuantizedOp);
  const std::string pass = "--ttir-quant-data-type-conversion=target-bit-width=";
  const Outcome met = runTessera({"opt", file.path(), pass + "8", "--verify-diagnostics"});
  EXPECT_EQ(met.code, kExitFine) << met.err;
  const Outcome missed = runTessera({"opt", file.path(), pass + "16", "--verify-diagnostics"});
  EXPECT_EQ(missed.code, kExitDiagnostics);
  EXPECT_TRUE(mentions(missed.err, ":3: error: expected error")) << missed.err;
}

// A module is asked once per function: the same error is told once.
TEST(OptErrors, AnErrorIsToldOnce) {
  const TemporaryFile file(kQuantizedOp.substr(0, kQuantizedOp.find("  //")) +
                           kQuantizedOp.substr(kQuantizedOp.find("  %0")) + productText("other", 64));
  const Outcome refused = runTessera({"opt", file.path(), "--ttir-quant-data-type-conversion=target-bit-width=7"});
  EXPECT_EQ(refused.code, kExitDiagnostics);
  EXPECT_EQ(timesOf(refused.err, "not 7"), 2u) << refused.err;
}

// 2 * 256^3 of the first function, not 2 * 512^3 of the second, and one record.
TEST(PerfMetrics, AreThoseOfTheFirstFunction) {
  const TemporaryFile file(productText("small", 256, productText("large", 512)));
  const std::string figures = ::testing::TempDir() + "tessera_metrics_" + std::to_string(::getpid());
  const Outcome both =
      runTessera({"opt", file.path(), "--ttir-to-ttnn-backend-pipeline", "--ttnn-collect-perf-metrics"});
  EXPECT_EQ(both.code, kExitFine) << both.err;
  EXPECT_EQ(timesOf(both.out, "\"total_flops\""), 1u);
  EXPECT_TRUE(mentions(both.out, "\"total_flops\": 33554432")) << both.out;
  EXPECT_FALSE(mentions(both.out, "func.func")) << "the figures stand alone unless they have a file";
  const Outcome named = runTessera({"opt", file.path(), "--ttir-to-ttnn-backend-pipeline",
                                    "--ttnn-collect-perf-metrics", "--ttnn-perf-metrics-output-file=" + figures});
  EXPECT_EQ(named.code, kExitFine) << named.err;
  EXPECT_EQ(timesOf(named.out, "func.func"), 2u);
  const std::string kept = readFile(figures);
  EXPECT_EQ(timesOf(kept, "\"total_flops\""), 1u);
  EXPECT_TRUE(mentions(kept, "\"total_flops\": 33554432"));
  std::filesystem::remove(figures);
}

// A result that is made in DRAM because L1 is too full is an event of the spill management, and no spill.
TEST(TraceSummary, CountsTheSpillsOfTheRun) {
  const std::string graph = std::string(TESSERA_SOURCE_DIR) + "/tests/golden/cases/late_spill.mlir";
  const Outcome run = runTessera({"run", graph, "--policy", "Greedy"});
  const TemporaryFile trace(runTessera({"run", graph, "--policy", "Greedy", "--decision-trace"}).out);
  const Json json(readFile(trace.path()));
  EXPECT_GT(json["spillManagement"].get("events").size(), 1u);
  EXPECT_TRUE(mentions(run.out, "  spills 1  ")) << run.out;
  const Outcome said = runTessera({"trace", trace.path()});
  EXPECT_EQ(said.code, kExitFine) << said.err;
  EXPECT_TRUE(mentions(said.out, "\nspills 1\n")) << said.out;
}

// 5632x4096 in bf16 are 720,896 bytes on each core: two of them do not lie in L1 at once, so the plan as it is written
// fails. What it takes less than the bound is no faster plan.
TEST(CompareBounds, ARunThatFailsIsNotToldToBeFaster) {
  const std::string d = "tensor<5632x4096xbf16, #d>", s = "tensor<5632x4096xbf16, #s>";
  const TemporaryFile file(
      "#dram = #ttnn.buffer_type<dram>\n#l1 = #ttnn.buffer_type<l1>\n"
      "#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<176x128x!ttcore.tile<32x32, bf16>, #dram>, "
      "<interleaved>>\n"
      "#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<22x16x!ttcore.tile<32x32, bf16>, #l1>, "
      "<block_sharded>>\n"
      "func.func @main(%a: " +
      d + ") -> " + d + " {\n  %0 = \"ttnn.to_memory_config\"(%a) : (" + d + ") -> " + s +
      "\n  %1 = \"ttnn.relu\"(%0) : (" + s + ") -> " + s + "\n  %2 = \"ttnn.add\"(%1, %0) : (" + s + ", " + s +
      ") -> " + s + "\n  %3 = \"ttnn.to_memory_config\"(%2) : (" + s + ") -> " + d + "\n  return %3 : " + d + "\n}\n");
  const std::vector<std::string> call = {"compare",         file.path(),    "--policies",
                                         "AsWritten,Exact", "--reoptimize", "true"};
  const Outcome said = runTessera(call);
  const auto figures = [&](const std::string& label) {
    std::stringstream line(said.out.substr(said.out.find("\n" + label) + 1));
    std::vector<std::string> words;
    for (std::string word; words.size() < 20 && line >> word;) words.push_back(word);
    return words;
  };
  const std::vector<std::string> written = figures("AsWritten"), exact = figures("Exact");
  ASSERT_EQ(written.size(), 20u) << said.out;
  EXPECT_LT(std::stoll(written[1]), std::stoll(exact[1])) << "time";
  EXPECT_EQ(written[18], "2") << "failures, without the time of the ops that fail";
  EXPECT_EQ(exact[18], "0");
  EXPECT_TRUE(mentions(said.out, "bound of Exact")) << said.out;
  EXPECT_FALSE(mentions(said.out, "takes less")) << said.out;
}

// Weights are prepared in the type that the op asks for, also where a config that says nothing of it stands beside it.
TEST(PreparedWeights, HaveTheTypeOfTheOpBesideAConfigWithoutOne) {
  const std::string x = "tensor<1x8x8x16xbf16>", w = "tensor<32x16x3x3xbf16>", y = "tensor<1x8x8x32xbf16>";
  const TemporaryFile file("func.func @main(%x: " + x + ", %w: " + w +
                           " {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> " + y +
                           " {\n  %conv = \"ttir.conv2d\"(%x, %w) <{dilation = array<i32: 1, 1>, groups = 1 : i32, "
                           "padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (" +
                           x + ", " + w + ") -> " + y + "\n  return %conv : " + y + "\n}\n");
  const Outcome run = runTessera({"run", file.path(), "--mlir", "--experimental-bfp8-weights", "true",
                                  "--override-conv2d-config", "%conv=act_block_h_override#64"});
  ASSERT_EQ(run.code, kExitFine) << run.err;
  const size_t at = run.out.find("\"ttnn.prepare_conv2d_weights\"");
  ASSERT_NE(at, std::string::npos) << run.out;
  const std::string line = run.out.substr(at, run.out.find('\n', at) - at);
  EXPECT_TRUE(mentions(line, "act_block_h_override = 64")) << line;
  EXPECT_TRUE(mentions(line, "-> tensor<1x1x144x32x!ttcore.tile<32x32, bfp_bf8>")) << line;
}

// As in the page and in `run`; the label of a run of one value per option is the policy that decides it.
TEST(Compare, AGraphWithLayoutsIsTakenAsWrittenWhereNoPolicyIsNamed) {
  const TemporaryFile file(
      "#l1 = #ttnn.buffer_type<l1>\n"
      "#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<4x4x!ttcore.tile<32x32, bf16>, #l1>, "
      "<block_sharded>>\n"
      "func.func @main(%a: tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #s> {\n"
      "  %0 = \"ttnn.relu\"(%a) : (tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #s>\n"
      "  return %0 : tensor<1024x1024xbf16, #s>\n}\n");
  using Words = std::vector<std::string>;
  const auto compared = [&](const Words& more) {
    Words call = {"compare", file.path(), "--devices", "n150", "--json"};
    call.insert(call.end(), more.begin(), more.end());
    const Outcome out = runTessera(call);
    EXPECT_EQ(out.code, kExitFine) << out.err;
    const SourceBuffer json("compared", out.out);
    Diagnostics diags;
    const JsonDocument document = JsonDocument::parse(json, diags);
    const JsonValue run = document.root().get("runs").at(0);
    return std::pair(std::string(run.get("label").asString().value_or("")), run.get("time").asInteger().value_or(-1));
  };
  const std::string analysis = "--memory-layout-analysis-enabled=true";
  const std::pair<Words, std::string> cases[] = {
      {{}, "AsWritten"},
      {{"--reoptimize=true"}, Options().resolved().policy},
      {{analysis, "--memory-layout-analysis-policy", "DFSharding2"}, "DFSharding2"}};
  for (auto [more, policy] : cases) {
    const auto named = compared({"--policies", policy});
    EXPECT_EQ(named.first, policy);
    more.insert(more.end(), {"--set", "beam-width=4"});
    EXPECT_EQ(compared(more), named);
  }
}

// 256 runs are compared, one more is too many.
TEST(CompareRuns, AreAtMostTwoHundredAndFiftySix) {
  const TemporaryFile file(kRelu);
  const auto list = [](int count) {
    std::string text;
    for (int i = 1; i <= count; ++i) text += (text.empty() ? "" : ",") + std::to_string(i);
    return text;
  };
  const auto compare = [&](int widths, int layouts) {
    return runTessera({"compare", file.path(), "--policies", "DRAM", "--set", "beam-width=" + list(widths), "--set",
                       "max-legal-layouts=" + list(layouts)});
  };
  EXPECT_EQ(compare(16, 16).code, kExitFine);
  const Outcome more = compare(1, 257);
  EXPECT_EQ(more.code, kExitUsage);
  EXPECT_TRUE(mentions(more.err, "more than 256 runs")) << more.err;
}

// Without rounds of the search, the bound of this sample stays below every plan.
TEST(CompareBounds, ABoundThatNoPlanReachesIsNotCalledTheOptimum) {
  const std::string graph = std::string(TESSERA_SOURCE_DIR) + "/web/public/samples/l1-pressure.mlir";
  const Outcome said = runTessera({"compare", graph, "--policies", "Exact", "--exact-rounds", "0"});
  const size_t at = said.out.find("\nbound of Exact  ");
  ASSERT_NE(at, std::string::npos) << said.out;
  const std::string line = said.out.substr(at + 1, said.out.find('\n', at + 1) - at - 1);
  EXPECT_EQ(line.find("optimum"), std::string::npos) << line;
  EXPECT_GT(std::stoll(line.substr(16)), 0) << line;
}

}  // namespace
}  // namespace tessera::test
