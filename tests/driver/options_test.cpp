#include "core/driver/options.h"

#include <set>

#include "core/device/device_spec.h"
#include "core/driver/pipeline.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

// A value that is not the default, as text and as JSON.
struct Sample {
  const char* id;
  const char* text;
  const char* json;
};
const Sample kSamples[] = {
    {"device", "p150", "\"p150\""},
    {"policy", "DRAM", "\"DRAM\""},
    {"function", "main", "\"main\""},
    {"preset", "upstream", "\"upstream\""},
    {"tensor-l1-usage-cap", "0.5", "0.500"},
    {"max-legal-layouts", "3", "3"},
    {"l1-release", "2025-06", "\"2025-06\""},
    {"library-release", "2026-04", "\"2026-04\""},
    {"l1-small-size", "65536", "65536"},
    {"max-grid-rows", "4", "4"},
    {"max-grid-cols", "2", "2"},
    {"row-major-enabled", "true", "true"},
    {"enable-const-eval", "false", "false"},
    {"enable-fusing-pass", "false", "false"},
    {"experimental-bfp8-weights", "true", "true"},
    {"enable-create-d2m-subgraphs", "true", "true"},
    {"reoptimize", "true", "true"},
    {"compute-cfg-math-fidelity", "hifi2", "\"hifi2\""},
    {"compute-cfg-fp32-dest-acc-en", "true", "true"},
    {"memory-layout-analysis-policy", "BFInterleaved", "\"BFInterleaved\""},
    {"memory-layout-analysis-enabled", "true", "true"},
    {"l1-interleaved-fallback-analysis-enabled", "true", "true"},
    {"memreconfig-enabled", "false", "false"},
    {"trace", "true", "true"},
    {"beam-width", "4", "4"},
    {"layout-score", "time", "\"time\""},
    {"fork-rule", "most-consumers", "\"most-consumers\""},
    {"spill-victim", "cost-per-byte", "\"cost-per-byte\""},
    {"spill-point", "early", "\"early\""},
    {"spill-search", "true", "true"},
    {"spill-strategy", "certified", "\"certified\""},
    {"exact-rounds", "0", "0"},
    {"op-rules", "rule-books", "\"rule-books\""},
    {"override-output-layout", "a=dram", "\"a=dram\""},
    {"override-conv2d-config", "c=act_block_h_override#64", "\"c=act_block_h_override#64\""},
    {"op-order", "a=b", "\"a=b\""},
    {"calibration", "Matmul=1.25", "\"Matmul=1.25\""},
};

TEST(Options, EveryOneIsSetByText) {
  for (const Sample& sample : kSamples) {
    Options options;
    Diagnostics diags;
    EXPECT_NE(optionValueJson(options, sample.id), sample.json) << sample.id;
    EXPECT_TRUE(setOption(options, sample.id, sample.text, diags)) << sample.id;
    EXPECT_EQ(optionValueJson(options, sample.id), sample.json);
    EXPECT_TRUE(diags.all().empty());
  }
}

TEST(Options, EveryOneIsSetByJson) {
  for (const Sample& sample : kSamples) {
    Options options;
    Diagnostics diags;
    Json json("{\"" + std::string(sample.id) + "\": " + sample.json + "}");
    readOptions(options, json.document.root(), diags);
    EXPECT_EQ(optionValueJson(options, sample.id), sample.json);
    EXPECT_TRUE(diags.all().empty()) << diags.all()[0].message;
  }
}

TEST(Options, EveryOneHasASample) {
  EXPECT_EQ(allOptions().size(), std::size(kSamples));
  for (const OptionInfo& info : allOptions()) {
    bool known = false;
    for (const Sample& sample : kSamples) known |= info.id == sample.id;
    EXPECT_TRUE(known) << info.id << " needs a line in kSamples";
    EXPECT_FALSE(info.title.empty());
    EXPECT_FALSE(info.help.empty());
  }
}

TEST(Options, ChoicesAreAcceptedAndTheDefaultIsOneOfThem) {
  for (const OptionInfo& info : allOptions()) {
    std::vector<OptionChoice> choices = optionChoices(info);
    EXPECT_EQ(choices.empty(), info.type != OptionType::Choice) << info.id;
    bool isDefault = choices.empty();
    std::set<std::string_view> ids;
    for (const OptionChoice& choice : choices) EXPECT_TRUE(ids.insert(choice.id).second) << info.id << " " << choice.id;
    for (const OptionChoice& choice : choices) {
      Options options;
      Diagnostics diags;
      EXPECT_TRUE(setOption(options, info.id, choice.id, diags)) << info.id << " " << choice.id;
      isDefault |= optionValueJson(Options(), info.id) == "\"" + std::string(choice.id) + "\"";
    }
    EXPECT_TRUE(isDefault) << info.id;
  }
}

TEST(Options, BadTextIsADiagnosticAndChangesNothing) {
  const std::pair<const char*, const char*> kBad[] = {
      {"device", "n151"},
      {"device", ""},
      {"policy", "greedy"},
      {"preset", "Seed"},
      {"l1-release", "2024-01"},
      {"tensor-l1-usage-cap", "-0.1"},
      {"tensor-l1-usage-cap", "1.001"},
      {"tensor-l1-usage-cap", "-0.5"},
      {"tensor-l1-usage-cap", "half"},
      {"tensor-l1-usage-cap", "nan"},
      {"tensor-l1-usage-cap", "inf"},
      {"tensor-l1-usage-cap", ""},
      {"tensor-l1-usage-cap", "0.5x"},
      {"tensor-l1-usage-cap", "1e300"},
      {"max-legal-layouts", "0"},
      {"max-legal-layouts", "513"},
      {"max-legal-layouts", "2.5"},
      {"max-legal-layouts", "-1"},
      {"max-legal-layouts", "99999999999999999999"},
      {"max-legal-layouts", "eight"},
      {"row-major-enabled", "yes"},
      {"row-major-enabled", "1"},
      {"row-major-enabled", ""},
  };
  for (const auto& [id, text] : kBad) {
    SCOPED_TRACE(std::string(id) + " = " + text);
    Options options;
    Diagnostics diags;
    EXPECT_FALSE(setOption(options, id, text, diags));
    ASSERT_EQ(diags.errorCount(), 1u);
    for (const OptionInfo& info : allOptions())
      EXPECT_EQ(optionValueJson(options, info.id), optionValueJson(Options(), info.id));
  }
}

TEST(Options, BadJsonIsADiagnosticAndChangesNothing) {
  const char* const kBad[] = {
      R"({"device": 7})",
      R"({"device": "x"})",
      R"({"policy": true})",
      R"({"policy": ["DRAM"]})",
      R"({"tensor-l1-usage-cap": "0.5"})",
      R"({"tensor-l1-usage-cap": 2})",
      R"({"tensor-l1-usage-cap": 1e200})",
      R"({"tensor-l1-usage-cap": -1})",
      R"({"max-legal-layouts": 2.5})",
      R"({"max-legal-layouts": 9223372036854775807})",
      R"({"max-legal-layouts": -1})",
      R"({"row-major-enabled": 1})",
      R"({"row-major-enabled": "true"})",
      R"({"no-such-option": 1})",
      R"([])",
      R"("x")",
      R"(3)",
  };
  for (const char* text : kBad) {
    SCOPED_TRACE(text);
    Options options;
    Diagnostics diags;
    Json json(text);
    readOptions(options, json.document.root(), diags);
    EXPECT_EQ(diags.errorCount(), 1u);
    for (const OptionInfo& info : allOptions())
      EXPECT_EQ(optionValueJson(options, info.id), optionValueJson(Options(), info.id));
  }
}

TEST(Options, MistakesSayWhatIsExpected) {
  Options options;
  Diagnostics diags;
  setOption(options, "tensor-l1-usage-cap", "7", diags);
  setOption(options, "max-legal-layouts", "many", diags);
  setOption(options, "row-major-enabled", "maybe", diags);
  setOption(options, "preset", "x", diags);
  setOption(options, "policy", "x", diags);
  setOption(options, "nothing", "x", diags);
  ASSERT_EQ(diags.all().size(), 6u);
  EXPECT_EQ(diags.all()[0].message, "option `tensor-l1-usage-cap` is 7, expected a number from 0.000 to 1.000");
  EXPECT_EQ(diags.all()[1].message, "option `max-legal-layouts` is many, expected an integer from 1 to 512");
  EXPECT_EQ(diags.all()[2].message, "option `row-major-enabled` is maybe, expected true or false");
  EXPECT_EQ(diags.all()[3].message, "option `preset` is x, expected one of seed, upstream");
  EXPECT_EQ(diags.all()[4].kind, DiagKind::UnknownPolicy);
  EXPECT_NE(diags.all()[4].message.find("DRAM"), std::string::npos);
  EXPECT_EQ(diags.all()[5].kind, DiagKind::UnknownOption);
}

// ttnn-optimizer.md appendix B: the eight names, with the defaults of the preset `seed`.
TEST(Optimizer_AppendixB, AllEightOptionsWithTheirDefaults) {
  Options options;
  EXPECT_EQ(optionValueJson(options, "memory-layout-analysis-enabled"), "false");
  EXPECT_EQ(optionValueJson(options, "memory-layout-analysis-policy"), "\"DFSharding\"");
  EXPECT_EQ(optionValueJson(options, "l1-interleaved-fallback-analysis-enabled"), "false");
  EXPECT_EQ(optionValueJson(options, "max-legal-layouts"), "8");
  EXPECT_EQ(optionValueJson(options, "tensor-l1-usage-cap"), "1.000");
  EXPECT_EQ(optionValueJson(options, "row-major-enabled"), "false");
  EXPECT_EQ(optionValueJson(options, "override-output-layout"), "\"\"");
  EXPECT_EQ(optionValueJson(options, "override-conv2d-config"), "\"\"");
}

Options given(std::initializer_list<std::pair<const char*, const char*>> list, Diagnostics& diags) {
  Options options;
  for (const auto& [id, value] : list) setOption(options, id, value, diags);
  checkOptions(options, diags);
  return options;
}

TEST(Optimizer_AppendixB, ThePolicysNameSelectsIt) {
  Diagnostics diags;
  EXPECT_EQ(given({{"memory-layout-analysis-policy", "GreedyL1Interleaved"}}, diags).resolved().policy,
            "GreedyL1Interleaved");
  EXPECT_EQ(given({{"memory-layout-analysis-enabled", "true"}}, diags).resolved().policy, "DFSharding");
  EXPECT_EQ(given({{"memory-layout-analysis-enabled", "false"}, {"policy", "DRAM"}}, diags).resolved().policy, "DRAM");
  EXPECT_TRUE(diags.all().empty());
}

TEST(Optimizer_AppendixB, MistakesAndContradictionsNameTheOption) {
  Diagnostics unknown;
  given({{"memory-layout-analysis-policy", "Greedy"}}, unknown);
  ASSERT_EQ(unknown.all().size(), 1u);
  EXPECT_EQ(
      unknown.all()[0].message.find("option `memory-layout-analysis-policy` is Greedy, expected one of DFSharding"), 0u)
      << unknown.all()[0].message;

  Diagnostics contradiction;
  given({{"memory-layout-analysis-policy", "DFSharding"}, {"memory-layout-analysis-enabled", "false"}}, contradiction);
  ASSERT_EQ(contradiction.all().size(), 1u);
  EXPECT_EQ(contradiction.all()[0].kind, DiagKind::ContradictoryOptions);
  EXPECT_EQ(contradiction.all()[0].message,
            "option `memory-layout-analysis-enabled` is false, but option `memory-layout-analysis-policy` asks for "
            "DFSharding");

  Diagnostics ignored;
  given({{"policy", "DRAM"}, {"memory-layout-analysis-enabled", "true"}}, ignored);
  ASSERT_EQ(ignored.all().size(), 1u);
  EXPECT_EQ(ignored.all()[0].message,
            "option `policy` is DRAM, which has no effect: `memory-layout-analysis-enabled` selects DFSharding");

  Diagnostics noFallback;
  given({{"policy", "DRAM"}, {"l1-interleaved-fallback-analysis-enabled", "true"}, {"memreconfig-enabled", "false"}},
        noFallback);
  EXPECT_EQ(noFallback.all().size(), 2u);
  EXPECT_EQ(noFallback.errorCount(), 0u);
}

// Every option that not all policies read is told from its default where the policy does not read it.
TEST(Optimizer_AppendixB, OptionsThatThePolicyDoesNotReadAreTold) {
  for (const PolicyInfo& policy : allPolicies()) {
    for (const OptionInfo& info : allOptions()) {
      if (info.appliesTo == 0 || info.appliesTo == kLowerBound || policy.has(kLowerBound)) continue;
      for (bool usual : {true, false}) {
        Options options;
        Diagnostics diags;
        ASSERT_TRUE(setOption(options, "policy", policy.id, diags));
        const std::string standard = optionValueJson(Options(), info.id);
        std::string value = standard;
        if (info.type == OptionType::Choice) value = standard.substr(1, standard.size() - 2);
        if (!usual && info.type == OptionType::Boolean) value = standard == "true" ? "false" : "true";
        if (!usual && info.type == OptionType::Integer) value = std::to_string(info.min + 1);
        if (!usual && info.type == OptionType::Choice) {
          for (const OptionChoice& choice : optionChoices(info)) value = value == choice.id ? value : choice.id;
        }
        ASSERT_TRUE(setOption(options, info.id, value, diags)) << info.id << " " << value;
        checkOptions(options, diags);
        const bool told = !usual && !policy.has(info.appliesTo);
        EXPECT_EQ(diags.all().size(), told ? 1u : 0u) << policy.id << " " << info.id << " " << value;
        if (told && !diags.all().empty()) {
          EXPECT_EQ(diags.all()[0].kind, DiagKind::OptionIgnored);
          EXPECT_NE(diags.all()[0].message.find("option `" + std::string(info.id) + "` is " + value),
                    std::string::npos);
        }
      }
    }
  }
}

TEST(Optimizer_AppendixB, MistakesInOverridesNameTheOption) {
  Options options;
  options.overrideOutputLayout = "nothere=l1,nothere=dram";
  options.overrideConv2dConfig = "nothere=act_block_h_override#7";
  Diagnostics diags;
  options.problemOptions(Graph{}, Graph{}, allDevices().front(), diags);
  ASSERT_EQ(diags.errorCount(), 3u);
  EXPECT_EQ(diags.all()[0].message, "option `override-output-layout`: override of `nothere`: the op is given twice");
  EXPECT_EQ(diags.all()[1].message,
            "option `override-output-layout`: an override names the op `nothere`, which is not in the graph");
  EXPECT_EQ(diags.all()[2].message.find("option `override-conv2d-config`: override of `nothere`"), 0u)
      << diags.all()[2].message;
}

TEST(ChainTraceJson, IsWrittenOnlyWhenAskedFor) {
  Session session;
  session.load(
      "a.mlir",
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %0 = \"ttnn.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n  return %0 : tensor<64x64xbf16>\n}\n");
  for (bool asked : {false, true}) {
    Diagnostics diags;
    Options options = given({{"policy", "DFSharding"}, {"trace", asked ? "true" : "false"}}, diags);
    auto finished = runPolicy(session, options, diags);
    std::string json = reportJson(finished->report);
    Json report(json);
    JsonValue trace = report["run"].get("chainTrace");
    EXPECT_EQ(trace.present(), asked);
    EXPECT_EQ(*report["run"].get("chainSummary").get("chains").at(0).get("state").asString(), "Completed");
    if (!asked) continue;
    EXPECT_EQ(*trace.get("chains").at(0).get("state").asString(), "Completed");
    EXPECT_EQ(*trace.get("chains").at(0).get("spill").asString(), "DRAM");
    EXPECT_GT(trace.get("events").size(), 5u);
    EXPECT_EQ(*trace.get("events").at(0).get("kind").asString(), "Scheduled");
  }
}

TEST(Options, NullAndAbsentValuesAreSkipped) {
  Options options;
  Diagnostics diags;
  Json json(R"({"device": null, "policy": null, "max-legal-layouts": null})");
  readOptions(options, json.document.root(), diags);
  readOptions(options, JsonValue(), diags);
  EXPECT_TRUE(diags.all().empty());
  EXPECT_EQ(options.device, Options().device);
}

TEST(Presets, HaveTheNumbersOfTheirSources) {
  Options seed;
  Options resolved = seed.resolved();
  EXPECT_EQ(resolved.l1UsageCapPermille, 1000);
  EXPECT_EQ(resolved.maxLegalLayouts, 8);
  EXPECT_EQ(resolved.l1Release, "2025-12");
  Options upstream;
  upstream.preset = "upstream";
  resolved = upstream.resolved();
  EXPECT_EQ(resolved.l1UsageCapPermille, 950);
  EXPECT_EQ(resolved.maxLegalLayouts, 64);
  EXPECT_EQ(resolved.l1Release, "2026-04");
}

TEST(Presets, AnOptionThatIsGivenWinsWhateverTheOrder) {
  for (const char* text :
       {R"({"preset": "upstream", "max-legal-layouts": 5})", R"({"max-legal-layouts": 5, "preset": "upstream"})"}) {
    Options options;
    Diagnostics diags;
    Json json(text);
    readOptions(options, json.document.root(), diags);
    EXPECT_EQ(options.resolved().maxLegalLayouts, 5);
    EXPECT_EQ(options.resolved().l1UsageCapPermille, 950);
  }
}

TEST(Presets, ReachTheAnalysis) {
  Options options;
  options.preset = "upstream";
  options.rowMajorEnabled = true;
  Session session;
  session.load("relu.mlir", kRelu);
  auto finished = runPolicy(session, options, Diagnostics());
  ASSERT_NE(finished->problem, nullptr);
  EXPECT_EQ(finished->problem->options.l1UsageCapPermille, 950);
  EXPECT_EQ(finished->problem->options.maxLegalLayouts, 64);
  EXPECT_TRUE(finished->problem->options.rowMajorEnabled);
}

// Usable L1 of the two presets on Wormhole: 1,396,448 and 1,395,424 bytes; the upstream plan may fill 95 % of it.
TEST(Presets, UsableL1IsThatOfTheirRelease) {
  Json seed(apiRun(kRelu, "")), upstream(apiRun(kRelu, R"({"preset": "upstream"})"));
  EXPECT_EQ(seed["device"].get("usableL1").asInteger(), 1'396'448);
  EXPECT_EQ(seed["run"].get("l1Budget").asInteger(), 1'396'448);
  EXPECT_EQ(upstream["device"].get("usableL1").asInteger(), 1'395'424);
  EXPECT_EQ(upstream["run"].get("l1Budget").asInteger(), 1'395'424 * 95 / 100);
}

TEST(Options, EffectiveValuesAreInTheReport) {
  Json report(apiRun(kRelu, R"({"preset": "upstream", "tensor-l1-usage-cap": 0.25})"));
  EXPECT_EQ(report["options"].get("preset").asString(), "upstream");
  EXPECT_EQ(report["options"].get("tensor-l1-usage-cap").asNumber(), 0.25);
  EXPECT_EQ(report["options"].get("max-legal-layouts").asInteger(), 64);
  EXPECT_EQ(report["options"].get("row-major-enabled").asBool(), false);
}

}  // namespace
}  // namespace tessera::test
