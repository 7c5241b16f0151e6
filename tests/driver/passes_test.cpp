// passes() of the page, the pipeline's options, and real graphs from text to run.

#include <algorithm>

#include "core/cli/pipeline_options.h"
#include "core/driver/pass_trace.h"
#include "core/report/perf_metrics_json.h"
#include "tests/driver/driver_testing.h"
#include "tests/golden_texts.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

JsonValue passNamed(const Json& answer, std::string_view name) {
  JsonValue passes = answer["passes"];
  for (size_t i = 0; i < passes.size(); ++i) {
    if (passes.at(i).get("name").asString() == name) return passes.at(i);
  }
  return JsonValue();
}

TEST(Passes, ListsEachPassWithItsCountsAndWhereOpsWent) {
  Json answer(apiPasses(kRelu, R"({"policy": "Greedy"})"));
  JsonValue convert = passNamed(answer, "convert-ttir-to-ttnn");
  EXPECT_EQ(convert.get("changed").asInteger(), 1);
  EXPECT_EQ(convert.get("stage").asString(), "lower");
  EXPECT_FALSE(convert.get("ir").present());
  EXPECT_EQ(passNamed(answer, "ttnn-optimizer").get("added").asInteger(), 1);  // back to DRAM for the return
  JsonValue relu = answer["provenance"].at(0);
  EXPECT_EQ(relu.get("name").asString(), "ttir.relu");
  EXPECT_EQ(relu.get("became").at(0).get("name").asString(), "ttnn.relu");
}

TEST(Passes, GivesTheTextAfterEachWhenAsked) {
  Json answer(apiPasses(kRelu, R"({"policy": "DRAM", "ir": true})"));
  JsonValue passes = answer["passes"];
  ASSERT_GT(passes.size(), 8u);
  for (size_t i = 0; i < passes.size(); ++i) {
    auto ir = passes.at(i).get("ir").asString();
    ASSERT_TRUE(ir.has_value());
    EXPECT_TRUE(graphOf(std::string(*ir)).forward.valid()) << *passes.at(i).get("name").asString();
  }
}

// The optimizer's passes stand in the list where a policy decides; without it there are the others alone.
TEST(Passes, OfTheOptimizerWhereThereIsOne) {
  for (const bool optimizer : {true, false}) {
    Session session;
    session.load("f", kRelu);
    Options options;
    options.lowering.optimizer = optimizer;
    const auto done = runPolicy(session, options, Diagnostics());
    ASSERT_TRUE(done->report.run);
    const PassTrace trace = tracePasses(*done, PassDetail::Graphs);
    EXPECT_EQ(trace.graphs.size(), trace.logs.size());
    const auto of = [&](PassStage stage) {
      return std::count_if(trace.logs.begin(), trace.logs.end(),
                           [&](const PassLog& log) { return log.pass->stage == stage; });
    };
    EXPECT_EQ(of(PassStage::Optimize) > 0, optimizer);
    EXPECT_GT(of(PassStage::Lower), 0);
  }
}

std::string notesOf(const PassLog& log) {
  std::string out = std::string(log.pass->name) + "\n";
  for (const PassLogNote& note : log.notes) out += note.text + "\n";
  for (const PassLogNote& problem : log.problems) out += problem.text + "\n";
  return out;
}

// The passes of the trace run on their own: they end in the run's program, and say of it what the run's passes said.
TEST(Passes, OfTheTraceAreThoseOfTheRun) {
  int said = 0;
  std::vector<GoldenText> texts = goldenTexts({"answers", "cases", "lowering"});
  for (uint64_t seed = 1; seed <= seeds(20); ++seed)
    texts.push_back({"drawn " + std::to_string(seed), randomGraphText(seed, {.images = seed % 4 == 0})});
  for (const GoldenText& golden : texts) {
    for (const char* policy : {"Beam", "DFSharding2", "AsWritten"}) {
      SCOPED_TRACE(golden.name + " " + policy);
      Session session;
      session.load("f", golden.text);
      Options options;
      options.policy = policy;
      options.l1UsageCapPermille = golden.name.size() % 2 == 0 ? 1000 : 60;
      const auto done = runPolicy(session, options, Diagnostics());
      if (!done->report.run) continue;
      const PassTrace trace = tracePasses(*done, PassDetail::Counts);
      EXPECT_EQ(exportMlir(trace.final), exportMlir(finalGraph(*done)));
      std::string traced;
      for (const PassLog& log : trace.logs) traced += notesOf(log);
      for (const PassLog& log : done->report.run->program->logs) {
        EXPECT_NE(traced.find(notesOf(log)), std::string::npos) << notesOf(log) << "is not in\n" << traced;
        said += !log.notes.empty();
      }
    }
  }
  EXPECT_GT(said, enough(20));
}

TEST(Passes, SaysWhyThereAreNone) {
  Json answer(apiPasses("func.func @main( oops", "{}"));
  EXPECT_EQ(answer["passes"].size(), 0u);
  EXPECT_GT(answer["lint"].get("diagnostics").size(), 0u);
}

// Whoever asks for an analysis wants the optimizer that it belongs to.
TEST(PipelineOptions, AnAnalysisIsPartOfTheOptimizer) {
  Options options = pipelineDefaults();
  Diagnostics diags;
  EXPECT_TRUE(parsePipelineOptions("memory-layout-analysis-policy=BFInterleaved", options, diags));
  EXPECT_TRUE(options.loweringOptions().optimizer);
  EXPECT_EQ(options.resolved().policy, "BFInterleaved");
}

TEST(PipelineOptions, LevelsAndNamesOfTheCompiler) {
  Options options = pipelineDefaults();
  EXPECT_EQ(options.policy, "DRAM");
  EXPECT_FALSE(options.loweringOptions().optimizer);
  Diagnostics diags;
  EXPECT_TRUE(parsePipelineOptions(
      " optimizer-pass-enabled=true  max-fallback-attempts=5 experimental-weight-dtype=bfp_bf8", options, diags));
  EXPECT_EQ(options.policy, "Beam") << "the compiler's optimizer, since `opt` starts from its preset";
  EXPECT_TRUE(options.loweringOptions().optimizer);
  EXPECT_TRUE(options.loweringOptions().bfp8Weights);
  EXPECT_EQ(options.loweringOptions().maxFallbackAttempts, 5);
  EXPECT_TRUE(parsePipelineOptions("optimization-level=1", options, diags));
  EXPECT_EQ(options.policy, "DRAM");
  EXPECT_TRUE(options.loweringOptions().optimizer);
  EXPECT_TRUE(
      parsePipelineOptions("mock-system-desc-arch=blackhole memory-layout-analysis-policy=DFSharding", options, diags));
  EXPECT_EQ(options.device, "p150");
  EXPECT_EQ(options.resolved().policy, "DFSharding");
  for (const char* wrong :
       {"optimization-level=3", "no-such-option=1", "optimizer-pass-enabled=perhaps", "max-fallback-attempts=-1"}) {
    EXPECT_FALSE(parsePipelineOptions(wrong, options, diags)) << wrong;
  }
}

TEST(PipelineOptions, AnyWhiteSpaceSeparates) {
  Options options = pipelineDefaults();
  Diagnostics diags;
  EXPECT_TRUE(parsePipelineOptions(
      "\n\toptimization-level=2\tmax-fallback-attempts=5\nexperimental-weight-dtype=bfp_bf8", options, diags));
  EXPECT_TRUE(options.loweringOptions().optimizer);
  EXPECT_EQ(options.loweringOptions().maxFallbackAttempts, 5);
  EXPECT_TRUE(options.loweringOptions().bfp8Weights);
}

// The compiler's own figures for this graph: roofline 0.000511 ms, estimate 0.000731 ms, 17,408 bytes of weights (it
// cuts where we do not: 1,024 tile products at 32 cycles on 64 cores are 512 ns).
TEST(PerfMetrics, RooflineIsThatOfTheCompiler) {
  Session session;
  session.load(
      "m",
      "func.func @main(%a: tensor<2048x128xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, "
      "%b: tensor<128x128xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2048x128xbf16> {\n"
      "  %0 = \"ttir.matmul\"(%a, %b) : (tensor<2048x128xbf16>, tensor<128x128xbf16>) -> tensor<2048x128xbf16>\n"
      "  return %0 : tensor<2048x128xbf16>\n}\n");
  Options options;
  options.policy = "DRAM";
  auto finished = runPolicy(session, options, {});
  Json metrics(perfMetricsJson(finished->report.run->program->applied.graph, finished->device, true));
  JsonValue targets = metrics["perf_targets"];
  EXPECT_EQ(targets.get("params_count").asInteger(), 16'384);
  EXPECT_EQ(targets.get("params_memory_bytes").asInteger(), 17'408);
  EXPECT_EQ(targets.get("compute_bound_ops").asInteger(), 1);
  EXPECT_NEAR(*targets.get("roofline_ms").asNumber(), 0.000511, 2e-6);
  EXPECT_NEAR(*targets.get("top_perf_estimate_ms").asNumber(), 0.000731, 2e-6);
  EXPECT_GT(metrics["operations"].size(), 0u);
}

TEST(RealGraphs, RunFromTextToTheDeviceWithoutADefect) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  for (const auto& path : corpusSlice()) {
    Session session;
    session.load(path.filename().string(), readFile(path));
    for (const char* policy : {"DRAM", "Greedy"}) {
      SCOPED_TRACE(path.filename().string() + " " + policy);
      Options options;
      options.policy = policy;
      auto finished = runPolicy(session, options, {});
      ASSERT_TRUE(finished->report.run.has_value());
      for (const ReportDefect& defect : finished->report.run->defects)
        ADD_FAILURE() << defect.checker << " " << defect.rule << " " << defect.text;
      EXPECT_EQ(finished->report.run->program->sim.failures, 0);
      EXPECT_TRUE(finished->diagnostics.all().empty());
    }
  }
}

}  // namespace
}  // namespace tessera::test
