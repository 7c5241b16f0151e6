// Which passes are compared, and after which of them: all of the pipeline, the last of each stage, or one.

#include "core/driver/check_passes.h"

#include <set>

#include "core/report/report.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

const char* const kReluAndProduct =
    "func.func @main(%a: tensor<64x32xbf16>, %w: tensor<32x96xbf16>) -> tensor<64x96xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>\n"
    "  %1 = \"ttir.matmul\"(%0, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x32xbf16>, "
    "tensor<32x96xbf16>) -> tensor<64x96xbf16>\n"
    "  return %1 : tensor<64x96xbf16>\n}\n";

PassChecks checksOf(const PassCheckOptions& options) { return checkPasses(graphOf(kReluAndProduct), options); }

std::vector<const PassInfo*> comparedIn(const PassChecks& found) {
  std::vector<const PassInfo*> passes;
  for (const PassCheck& check : found.checks) {
    EXPECT_TRUE(check.verdict.equal()) << check.pass->name << ": " << check.verdict.text;
    passes.push_back(check.pass);
  }
  return passes;
}

// With one option of the run, as text.
PassChecks checksUnder(const char* option, const char* value) {
  PassCheckOptions options;
  Diagnostics diags;
  EXPECT_TRUE(setOption(options.run, option, value, diags)) << option << " " << value;
  return checksOf(options);
}

std::vector<std::string_view> namesUnder(const char* option, const char* value) {
  std::vector<std::string_view> names;
  for (const PassInfo* pass : comparedIn(checksUnder(option, value))) names.push_back(pass->name);
  return names;
}

bool in(const std::vector<std::string_view>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

TEST(CheckPassesQuick, AllOfThePipelineInItsOrder) {
  const PassChecks found = checksOf({});
  EXPECT_EQ(found.problem, "");
  const std::vector<const PassInfo*> passes = comparedIn(found);
  ASSERT_GT(passes.size(), 10u);
  for (size_t i = 1; i < passes.size(); ++i) EXPECT_LT(passes[i - 1], passes[i]) << "in the order of the table";
  for (const PassInfo* pass : passes) EXPECT_NE(pass->stage, PassStage::Stablehlo) << "the graph is TTIR";
  std::set<PassStage> stages;
  for (const PassInfo* pass : passes) stages.insert(pass->stage);
  // At the ends of stages: the last pass of each.
  const std::vector<const PassInfo*> ends = comparedIn(checksOf({.stageEnds = true}));
  ASSERT_EQ(ends.size(), stages.size());
  for (const PassInfo* end : ends) {
    for (const PassInfo* pass : passes) {
      if (pass->stage == end->stage) {
        EXPECT_LE(pass, end);
      }
    }
  }
}

TEST(CheckPassesQuick, OnePassIsComparedAloneWhetherThePipelineRunsItOrNot) {
  for (const PassInfo& pass : allPasses()) {
    if (pass.stage == PassStage::Stablehlo) continue;
    const std::vector<const PassInfo*> passes = comparedIn(checksOf({.pass = &pass}));
    EXPECT_EQ(passes, std::vector<const PassInfo*>{&pass}) << pass.name;
  }
  for (const PassInfo& pass : namedPasses()) {
    if (pass.stage == PassStage::Stablehlo) continue;
    const std::vector<const PassInfo*> passes = comparedIn(checksOf({.pass = &pass}));
    EXPECT_EQ(passes, std::vector<const PassInfo*>{&pass}) << pass.name;
  }
}

// Nothing executes a general pooling, which the passes of its stage make a pooling of images.
TEST(CheckPassesQuick, APassOfNoPipelineRunsBehindThoseOfItsStage) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<1x6x8x2xbf16>) -> tensor<1x3x8x2xbf16> {\n"
      "  %0 = \"ttir.pooling\"(%a) <{base_dilations = array<i64: 1, 1, 1, 1>, operandSegmentSizes = array<i32: 1, 0>, "
      "padding = array<i64: 0, 0, 0, 1, 1, 0, 0, 0>, pooling_method = #ttir<pooling_method Max>, window_dilations = "
      "array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 1, 1>}> : "
      "(tensor<1x6x8x2xbf16>) -> tensor<1x3x8x2xbf16>\n  return %0 : tensor<1x3x8x2xbf16>\n}\n");
  const auto comparison = [&](std::string_view name) {
    const PassInfo* pass = findPass(name);
    if (pass == nullptr) return Comparison::Different;
    const PassChecks found = checkPasses(graph, {.pass = pass, .whole = true});
    return found.checks.size() == 1 ? found.checks[0].verdict.comparison : Comparison::Different;
  };
  const PassInfo& first = *std::find_if(allPasses().begin(), allPasses().end(),
                                        [](const PassInfo& pass) { return pass.stage == PassStage::Prepare; });
  EXPECT_EQ(comparison(first.name), Comparison::NotExecutable);
  EXPECT_EQ(comparison("ttir-reduction-force-keep-dim"), Comparison::Equal);
}

// The pipeline of each preset: the specification fuses before it decomposes, the compiler fuses again later, and only
// it prepares weights of 3-D convolutions.
TEST(CheckPassesQuick, ThePresetSaysWhichPassesRun) {
  const std::vector<std::string_view> specified = namesUnder("preset", "seed");
  const std::vector<std::string_view> compilers = namesUnder("preset", "upstream");
  for (const char* name : {"ttir-fusing", "ttnn-layout", "convert-ttir-to-ttnn", "ttnn-decompose-layouts"})
    EXPECT_TRUE(in(specified, name) && in(compilers, name)) << name;
  EXPECT_TRUE(in(specified, "ttir-fusing-first") && !in(compilers, "ttir-fusing-first"));
  for (const char* name : {"ttir-element-type-normalization", "ttir-late-fusing", "ttir-quant-data-type-conversion",
                           "ttnn-fusing", "ttnn-canonicalize", "ttnn-prepare-conv3d-weights"})
    EXPECT_TRUE(!in(specified, name) && in(compilers, name)) << name;
}

// What a run is asked is asked of its passes: which of them run, and what the optimizer fixes.
TEST(CheckPassesQuick, OptionsOfTheRunReachThePasses) {
  const std::vector<std::string_view> usual = namesUnder("policy", "Greedy");
  const std::vector<std::string_view> unfused = namesUnder("enable-fusing-pass", "false");
  EXPECT_TRUE(in(usual, "ttir-fusing") && !in(unfused, "ttir-fusing"));
  const std::vector<std::string_view> unhoisted = namesUnder("enable-const-eval", "false");
  EXPECT_TRUE(in(usual, "const-eval-hoist-transform") && !in(unhoisted, "const-eval-hoist-transform"));
  comparedIn(checksUnder("override-output-layout", "%1=l1:height_sharded"));
  const PassChecks refused = checksUnder("override-output-layout", "%7=dram");
  bool told = false;
  for (const PassCheck& check : refused.checks) {
    const bool optimizer = check.pass->stage == PassStage::Optimize;
    EXPECT_EQ(check.verdict.equal(), !optimizer) << check.pass->name << ": " << check.verdict.text;
    told = told || (optimizer && check.verdict.text.find("`%7`") != std::string::npos);
  }
  EXPECT_TRUE(told);
}

// A graph that carries layouts and is taken as it is written goes through no pass; under another policy it does.
TEST(CheckPassesQuick, NoPassRunsOnAGraphTakenAsWritten) {
  const Graph graph = graphOf(
      "#dram = #ttnn.buffer_type<dram>\n"
      "#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, "
      "<interleaved>>\n"
      "func.func @main(%a: tensor<32x32xbf16, #l>) -> tensor<32x32xbf16, #l> {\n"
      "  %0 = \"ttnn.relu\"(%a) : (tensor<32x32xbf16, #l>) -> tensor<32x32xbf16, #l>\n"
      "  return %0 : tensor<32x32xbf16, #l>\n}\n");
  PassCheckOptions options;
  Diagnostics diags;
  EXPECT_GT(comparedIn(checkPasses(graph, options)).size(), 3u);
  EXPECT_TRUE(setOption(options.run, "policy", "AsWritten", diags));
  EXPECT_TRUE(checkPasses(graph, options).checks.empty());
}

// A program of a run frees its tensors, which goes before the first pass where it is planned anew, as in a run of it;
// else they stay where they are, and nothing is read later than before.
TEST(CheckPassesQuick, AProgramThatFreesItsTensors) {
  const std::string source =
      "func.func @main(%a: tensor<7x1xsi32> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<7xsi32> "
      "{\n"
      "  %0 = \"ttir.max\"(%a) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<7x1xsi32>) -> tensor<7xsi32>\n"
      "  return %0 : tensor<7xsi32>\n}\n";
  const std::string program(
      *Json(apiExport(source, R"({"policy":"GreedyL1Interleaved"})", "mlir"))["content"].asString());
  ASSERT_NE(program.find("ttnn.deallocate\"(%a)"), std::string::npos);
  for (const char* anew : {"true", "false"}) {
    PassCheckOptions options;
    Diagnostics diags;
    EXPECT_TRUE(setOption(options.run, "policy", "Greedy", diags));
    EXPECT_TRUE(setOption(options.run, "reoptimize", anew, diags));
    EXPECT_GT(comparedIn(checkPasses(graphOf(program), options)).size(), 5u) << anew;
  }
}

// A graph that cannot be made smaller is executed as it is, and it is said why; asked for whole, nothing is said.
TEST(CheckPassesQuick, WhatCannotShrinkIsExecutedWhole) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<4x8xbf16>) -> tensor<4x8xbf16> {\n"
      "  %0 = \"ttir.anything\"(%a) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>\n"
      "  return %0 : tensor<4x8xbf16>\n}\n");
  const PassChecks found = checkPasses(graph, {});
  EXPECT_NE(found.problem.find("anything"), std::string::npos) << found.problem;
  ASSERT_FALSE(found.checks.empty());
  EXPECT_EQ(found.checks[0].verdict.comparison, Comparison::NotExecutable);
  EXPECT_EQ(checkPasses(graph, {.whole = true}).problem, "");
}

// A loop of 4000 turns becomes one of them, which adds %x to itself once: the pass says so, and is not blamed.
TEST(CheckPassesQuick, WhatAPassWarnsOfIsNoDifference) {
  const PassChecks found = checkPasses(graphOf(R"(
func.func private @test(%i: tensor<i32>, %a: tensor<4xf32>, %n: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func private @turn(%i: tensor<i32>, %a: tensor<4xf32>, %s: tensor<i32>) -> (tensor<i32>, tensor<4xf32>) {
  %0 = stablehlo.add %i, %s : tensor<i32>
  %1 = stablehlo.add %a, %a : tensor<4xf32>
  return %0, %1 : tensor<i32>, tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %from = stablehlo.constant dense<0> : tensor<i32>
  %to = stablehlo.constant dense<100000> : tensor<i32>
  %step = stablehlo.constant dense<25> : tensor<i32>
  %r:2 = "stablehlo.while"(%from, %x, %to, %step) {body = @test, body1 = @turn, captures = array<i64: 1, 1>} : (tensor<i32>, tensor<4xf32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<4xf32>)
  return %r#1 : tensor<4xf32>
}
)"),
                                       {});
  ASSERT_FALSE(found.checks.empty());
  EXPECT_EQ(found.checks[0].pass->name, "inline");
  EXPECT_EQ(found.checks[0].verdict.comparison, Comparison::NotExecutable);
  EXPECT_EQ(found.checks[0].verdict.text,
            "the pass says so: one turn of the loop's body stands for 4000 turns; the compiler takes no loops");
}

TEST(CheckPassesQuick, ErrorsHaveTwoDigits) {
  ComparisonVerdict verdict;
  verdict.maxRel = 0.00314;
  EXPECT_EQ(errorText(verdict), "3.1e-03");
  verdict.maxRel = 0;
  EXPECT_EQ(errorText(verdict), "0.0e+00");
}

std::vector<std::string> passesInAnswer(const Json& answer) {
  std::vector<std::string> names;
  for (size_t i = 0; i < answer["checks"].size(); ++i) {
    EXPECT_EQ(answer["checks"].at(i).get("verdict").asString(), "same");
    names.emplace_back(answer["checks"].at(i).get("pass").asString().value_or("?"));
  }
  return names;
}

TEST(CheckPassesAnswer, IsOfTheRunThatIsAsked) {
  const std::vector<std::string> usual = passesInAnswer(Json(apiCheckPasses(kReluAndProduct, "{}")));
  const std::vector<std::string> compilers =
      passesInAnswer(Json(apiCheckPasses(kReluAndProduct, R"({"preset": "upstream", "policy": "Beam"})")));
  EXPECT_NE(usual, compilers);
  EXPECT_EQ(std::count(compilers.begin(), compilers.end(), "ttnn-canonicalize"), 1);
  const Json mistaken(apiCheckPasses(kReluAndProduct, R"({"preset": "nobody's"})"));
  EXPECT_EQ(mistaken["checks"].size(), 0u);
  EXPECT_NE(mistaken["problem"].asString()->find("preset"), std::string::npos);
}

// --- the page's answer -----------------------------------------------------------------------------------------------

std::string wordOf(JsonValue value) { return std::string(value.asString().value_or("?")); }

TEST(PassTrace, EveryPassHasItsStageAndItsCounts) {
  const Json answer(apiPasses(kReluAndProduct, R"({"policy": "Greedy", "ir": true})"));
  EXPECT_EQ(answer["schema"].asInteger(), kReportSchema);
  const JsonValue passes = answer["passes"];
  ASSERT_GT(passes.size(), 10u);
  std::vector<std::string> stages;
  size_t optimizers = 0, changed = 0;
  std::string before = wordOf(answer["ir"]);
  EXPECT_EQ(before.find("ttnn."), std::string::npos);
  for (size_t i = 0; i < passes.size(); ++i) {
    const JsonValue pass = passes.at(i);
    SCOPED_TRACE(wordOf(pass.get("name")));
    if (stages.empty() || stages.back() != wordOf(pass.get("stage"))) stages.push_back(wordOf(pass.get("stage")));
    optimizers += wordOf(pass.get("stage")) == "optimize";
    EXPECT_NE(wordOf(pass.get("title")), "?");
    EXPECT_NE(wordOf(pass.get("description")), "?");
    const int64_t counts[] = {*pass.get("changed").asInteger(), *pass.get("added").asInteger(),
                              *pass.get("removed").asInteger()};
    const bool touched = counts[0] + counts[1] + counts[2] > 0;
    changed += touched;
    const std::string now = wordOf(pass.get("ir"));
    if (touched) {
      EXPECT_NE(now, before) << "what is counted is in the text";
    }
    before = now;
  }
  EXPECT_EQ(stages, (std::vector<std::string>{"prepare", "lower", "analyse", "optimize", "finalize", "release"}));
  EXPECT_EQ(optimizers, 1u);
  EXPECT_GT(changed, 3u);
  EXPECT_NE(before.find("ttnn.deallocate"), std::string::npos) << "the last text is that of the release";
}

TEST(PassTrace, ProvenanceNamesWhatStandsForEachOp) {
  const Json answer(apiPasses(kReluAndProduct, R"({"policy": "Greedy"})"));
  EXPECT_FALSE(answer["ir"].present());
  const JsonValue all = answer["provenance"];
  ASSERT_EQ(all.size(), 3u);
  const char* const names[][2] = {{"%0", "ttir.relu"}, {"%1", "ttir.matmul"}, {"func.return", "func.return"}};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(wordOf(all.at(i).get("op")), names[i][0]);
    EXPECT_EQ(wordOf(all.at(i).get("name")), names[i][1]);
    const JsonValue became = all.at(i).get("became");
    for (size_t k = 0; k < became.size(); ++k) EXPECT_NE(wordOf(became.at(k).get("name")), "ttnn.deallocate");
  }
  EXPECT_EQ(wordOf(all.at(1).get("became").at(0).get("name")), "ttnn.matmul");
  EXPECT_EQ(wordOf(all.at(1).get("became").at(0).get("op")), "%1");
}

// Under another device and another policy the optimizer's step differs; the passes before it do not.
TEST(PassTrace, WithoutTheOptimizerThereIsNoSuchStep) {
  const Json with(apiPasses(kReluAndProduct, R"({"policy": "Greedy", "ir": true})"));
  const Json dram(apiPasses(kReluAndProduct, R"({"policy": "DRAM", "ir": true})"));
  ASSERT_EQ(with["passes"].size(), dram["passes"].size());
  bool reached = false, differs = false;
  for (size_t i = 0; i < with["passes"].size(); ++i) {
    const JsonValue a = with["passes"].at(i), b = dram["passes"].at(i);
    EXPECT_EQ(wordOf(a.get("name")), wordOf(b.get("name")));
    reached = reached || wordOf(a.get("stage")) == "optimize";
    if (!reached) {
      EXPECT_EQ(wordOf(a.get("ir")), wordOf(b.get("ir")));
    }
    differs = differs || wordOf(a.get("ir")) != wordOf(b.get("ir"));
  }
  EXPECT_TRUE(reached && differs);
}

// What no kernel knows is said to be not compared, with the reason, and not to be the same.
TEST(CheckPasses, TheAnswerTellsWhatWasNotCompared) {
  Session session;
  Json answer(apiCheckPasses(session,
                             "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                             "  %0 = \"my.op\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
                             "  %1 = \"ttir.relu\"(%0) : (tensor<4xf32>) -> tensor<4xf32>\n"
                             "  return %1 : tensor<4xf32>\n}\n",
                             "{}"));
  const JsonValue checks = answer["checks"];
  ASSERT_GT(checks.size(), 0u);
  for (size_t i = 0; i < checks.size(); ++i) {
    EXPECT_EQ(checks.at(i).get("verdict").asString(), "not_compared");
    EXPECT_NE(std::string(checks.at(i).get("text").asString().value_or("")).find("my.op"), std::string::npos);
  }
}

}  // namespace
}  // namespace tessera::test
