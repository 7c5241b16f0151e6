// What each option changes of what the policies, the analysis and the lowering are asked, and that it changes nothing
// else.

#include "core/driver/options.h"

#include <functional>

#include "tests/driver/driver_testing.h"
#include "tests/import_text.h"

namespace tessera::test {
namespace {

// All that a run is asked.
struct OptionAsked {
  PolicyOptions policy;
  LoweringOptions lowering;
  ProblemOptions problem;
};

Graph reluGraph() {
  SourceBuffer source("relu.mlir", kRelu);
  Diagnostics diags;
  return *importMlirText(source, diags);
}

OptionAsked askedBy(const Options& given, Diagnostics& diags) {
  const Options options = given.resolved();
  const Graph graph = reluGraph();
  return {options.policyOptions(), options.loweringOptions(),
          options.problemOptions(graph, graph, *findDevice("n150"), diags)};
}

struct Row {
  std::string_view option, value;
  std::function<void(OptionAsked&)> change;  // of what is asked by default
};

const Row kRows[] = {
    {"tensor-l1-usage-cap", "0.25", [](OptionAsked& a) { a.problem.l1UsageCapPermille = 250; }},
    {"max-legal-layouts", "5", [](OptionAsked& a) { a.problem.maxLegalLayouts = 5; }},
    {"row-major-enabled", "true", [](OptionAsked& a) { a.problem.rowMajorEnabled = true; }},
    {"enable-const-eval", "false", [](OptionAsked& a) { a.lowering.constEval = false; }},
    {"enable-fusing-pass", "false", [](OptionAsked& a) { a.lowering.fusing = false; }},
    {"experimental-bfp8-weights", "true", [](OptionAsked& a) { a.lowering.bfp8Weights = true; }},
    {"enable-create-d2m-subgraphs", "true", [](OptionAsked& a) { a.lowering.d2mSubgraphs = true; }},
    {"reoptimize", "true", [](OptionAsked& a) { a.lowering.reoptimize = true; }},
    {"compute-cfg-fp32-dest-acc-en", "true", [](OptionAsked& a) { a.lowering.compute.fp32DestAcc = true; }},
    {"compute-cfg-math-fidelity", "hifi2", [](OptionAsked& a) { a.lowering.compute.fidelity = MathFidelity::HiFi2; }},
    {"l1-interleaved-fallback-analysis-enabled", "true",
     [](OptionAsked& a) { a.policy.chain.l1InterleavedFallbackAnalysisEnabled = true; }},
    {"memreconfig-enabled", "false", [](OptionAsked& a) { a.policy.chain.memReconfigEnabled = false; }},
    {"trace", "true", [](OptionAsked& a) { a.policy.propagate.keepEvaluations = true; }},
    {"beam-width", "3", [](OptionAsked& a) { a.policy.propagate.beamWidth = 3; }},
    {"layout-score", "time", [](OptionAsked& a) { a.policy.propagate.score = BeamScore::Time; }},
    {"layout-score", "upstream", [](OptionAsked& a) { a.policy.propagate.score = BeamScore::Upstream; }},
    {"layout-score", "cores", [](OptionAsked&) {}},
    {"fork-rule", "most-consumers", [](OptionAsked& a) { a.policy.propagate.fork = ForkRule::MostConsumers; }},
    {"spill-victim", "cost-per-byte", [](OptionAsked& a) { a.policy.propagate.victim = VictimRule::CostPerByte; }},
    {"spill-point", "early", [](OptionAsked& a) { a.policy.propagate.lateSpill = false; }},
    {"spill-search", "true", [](OptionAsked& a) { a.policy.propagate.spillSearch = true; }},
    {"spill-strategy", "certified", [](OptionAsked& a) { a.policy.propagate.strategy = SpillStrategy::Certified; }},
    {"exact-rounds", "7", [](OptionAsked& a) { a.policy.exact.rounds = 7; }},
    {"op-rules", "rule-books", [](OptionAsked& a) { a.policy.propagate.ruleBooks = true; }},
    {"device", "p150", [](OptionAsked&) {}},
    {"function", "", [](OptionAsked&) {}},
    {"calibration", "Matmul=1.25", [](OptionAsked&) {}},
    // The second column of the presets.
    {"preset", "upstream",
     [](OptionAsked& a) {
       a.policy.chain.fallbackBounds = FallbackBounds::NextReader;
       a.policy.propagate.score = BeamScore::Upstream;
       a.policy.propagate.fork = ForkRule::MostConsumers;
       a.policy.propagate.victim = VictimRule::FarthestLastUse;
       a.policy.propagate.lateSpill = false;
       a.policy.propagate.ruleBooks = true;
       a.lowering.specificationRules = false;
       a.problem.l1UsageCapPermille = 950;
       a.problem.maxLegalLayouts = 64;
       a.problem.askOpModel = false;
     }},
};

void expectAsked(const OptionAsked& found, const OptionAsked& wanted) {
  EXPECT_TRUE(found.policy.chain == wanted.policy.chain);
  EXPECT_TRUE(found.policy.propagate == wanted.policy.propagate);
  EXPECT_EQ(found.policy.exact.rounds, wanted.policy.exact.rounds);
  EXPECT_EQ(found.policy.exact.certificate, wanted.policy.exact.certificate);
  EXPECT_EQ(found.policy.exact.maxSteps, wanted.policy.exact.maxSteps);
  EXPECT_EQ(found.policy.keepsSchedule, wanted.policy.keepsSchedule);
  EXPECT_TRUE(found.lowering == wanted.lowering);
  EXPECT_TRUE(found.problem == wanted.problem);
}

TEST(OptionFields, EachOptionChangesItsFieldAndNoOther) {
  Diagnostics none;
  const OptionAsked usual = askedBy(Options(), none);
  // What stands in core/driver/options.h and core/policy.
  EXPECT_EQ(usual.problem.l1UsageCapPermille, 1000);
  EXPECT_EQ(usual.policy.propagate.beamWidth, 8);
  EXPECT_EQ(usual.policy.exact.rounds, 60);
  for (const Row& row : kRows) {
    SCOPED_TRACE(std::string(row.option) + " " + std::string(row.value));
    Options options;
    Diagnostics diags;
    ASSERT_TRUE(setOption(options, row.option, row.value, diags));
    OptionAsked wanted = usual;
    row.change(wanted);
    expectAsked(askedBy(options, diags), wanted);
    EXPECT_TRUE(diags.all().empty());
  }
}

// Those that have no row in the table of options.
TEST(OptionFields, WhatOnlyTheCommandLineAsks) {
  const std::pair<std::function<void(Options&)>, std::function<void(OptionAsked&)>> kChanges[] = {
      {[](Options& o) { o.maxInputCandidatesPerOperand = 4; },
       [](OptionAsked& a) { a.policy.propagate.mostPerOperand = 4; }},
      {[](Options& o) { o.maxInputCandidatesPerOperand = 0; },
       [](OptionAsked& a) { a.policy.propagate.mostPerOperand = 0; }},
      {[](Options& o) { o.mockAllocatorState = false; },
       [](OptionAsked& a) { a.policy.propagate.cushionPermille = 100; }},
      {[](Options& o) { o.keepEvaluations = true; }, [](OptionAsked& a) { a.policy.propagate.keepEvaluations = true; }},
      {[](Options& o) { o.certificate = true; },
       [](OptionAsked& a) { a.policy.exact.certificate = a.policy.propagate.keepSpillProof = true; }},
      {[](Options& o) { o.lowering.permuteMatmul = false; }, [](OptionAsked& a) { a.lowering.permuteMatmul = false; }},
      {[](Options& o) { o.policy = "Exact", o.spillStrategy = "certified"; }, [](OptionAsked&) {}},
  };
  Diagnostics none;
  const OptionAsked usual = askedBy(Options(), none);
  for (const auto& [set, change] : kChanges) {
    Options options;
    set(options);
    OptionAsked wanted = usual;
    change(wanted);
    expectAsked(askedBy(options, none), wanted);
  }
  EXPECT_TRUE(none.all().empty());
}

TEST(OptionFields, OverridesReachTheProblem) {
  Options options;
  options.overrideOutputLayout = "%0=l1:interleaved";
  Diagnostics diags;
  const OptionAsked asked = askedBy(options, diags);
  ASSERT_EQ(asked.problem.layoutOverrides.size(), 1u);
  EXPECT_EQ(asked.problem.layoutOverrides[0].op, "%0");
  EXPECT_TRUE(diags.all().empty());
}

// --- numbers, factors and who has the say ----------------------------------------------------------------------------

TEST(OptionFields, NumbersAreTakenUpToTheirLimits) {
  const auto valueOf = [](std::string_view id, std::string_view text) {
    Options options;
    Diagnostics diags;
    const bool taken = setOption(options, id, text, diags);
    EXPECT_EQ(taken, diags.all().empty());
    return taken ? optionValueJson(options, id) : std::string("refused");
  };
  const char* const kCases[][3] = {
      {"tensor-l1-usage-cap", "0", "0.000"},
      {"tensor-l1-usage-cap", "1", "1.000"},
      {"tensor-l1-usage-cap", "1.001", "refused"},
      {"tensor-l1-usage-cap", "0.1234", "0.123"},
      {"tensor-l1-usage-cap", "0.9996", "1.000"},
      {"tensor-l1-usage-cap", "-0.001", "refused"},
      {"tensor-l1-usage-cap", "", "refused"},
      {"tensor-l1-usage-cap", "1e13", "refused"},
      {"max-legal-layouts", "1", "1"},
      {"max-legal-layouts", "0", "refused"},
      {"max-legal-layouts", "512", "512"},
      {"max-legal-layouts", "513", "refused"},
      {"max-legal-layouts", "2.5", "refused"},
      {"max-legal-layouts", "7 ", "refused"},
      {"max-grid-rows", "1", "1"},
      {"max-grid-rows", "16", "16"},
      {"max-grid-cols", "17", "refused"},
      {"beam-width", "64", "64"},
      {"beam-width", "65", "refused"},
      {"exact-rounds", "0", "0"},
      {"exact-rounds", "1000", "1000"},
      {"exact-rounds", "1001", "refused"},
      {"l1-small-size", "131072", "131072"},
      {"l1-small-size", "131073", "refused"},
  };
  for (const auto& [id, text, value] : kCases) EXPECT_EQ(valueOf(id, text), value) << id << " " << text;
}

TEST(OptionFields, CalibrationTakesFactorsFromAThousandthToAThousand) {
  const auto factorsOf = [](const std::string& text) {
    TimeFactors factors{};
    std::string found = parseCalibration(text, factors) ? "" : "mistake ";
    for (size_t family = 0; family < factors.size(); ++family) {
      if (factors[family] != 0)
        found += std::string(familyName(static_cast<Family>(family))) + " " + std::to_string(factors[family]) + " ";
    }
    return found;
  };
  EXPECT_EQ(factorsOf(""), "");
  EXPECT_EQ(factorsOf("Matmul=1.25"), "Matmul 1250 ");
  EXPECT_EQ(factorsOf("Matmul=0.001"), "Matmul 1 ");
  EXPECT_EQ(factorsOf("Matmul=1000"), "Matmul 1000000 ");
  EXPECT_EQ(factorsOf("Matmul=1.0006"), "Matmul 1001 ");
  EXPECT_EQ(factorsOf("Matmul=1.5,"), "Matmul 1500 ");
  EXPECT_EQ(factorsOf("Matmul=2,Conv=0.5"), factorsOf("Conv=0.5,Matmul=2"));
  EXPECT_NE(factorsOf("Matmul=2,Conv=0.5").find("Conv 500 "), std::string::npos);
  for (const char* wrong : {"Matmul", "Matmul=", "=1", "Matmul=0.0009", "Matmul=1001", "Matmul=x", "Matmul=1x",
                            "Nothing=1", "Matmul=1;Conv=1", ",Matmul=1", "Matmul=nan", "Matmul=-1"})
    EXPECT_EQ(factorsOf(wrong).find("mistake"), 0u) << wrong;
}

// Policy, analysis and its switch: what runs.
TEST(OptionFields, WhoDecides) {
  struct Case {
    std::vector<std::pair<const char*, const char*>> given;
    std::string_view runs;
  };
  const Case kCases[] = {
      {{}, "Greedy"},
      {{{"policy", "Beam"}}, "Beam"},
      {{{"policy", "Beam"}, {"memory-layout-analysis-enabled", "true"}}, "DFSharding"},
      {{{"memory-layout-analysis-enabled", "true"}, {"preset", "upstream"}}, "Beam"},
      {{{"memory-layout-analysis-policy", "BFInterleaved"}}, "BFInterleaved"},
      {{{"memory-layout-analysis-enabled", "false"}}, "DRAM"},
      {{{"memory-layout-analysis-enabled", "false"}, {"memory-layout-analysis-policy", "DFSharding"}}, "DFSharding"},
  };
  for (const Case& one : kCases) {
    Options options;
    Diagnostics diags;
    for (const auto& [id, value] : one.given) EXPECT_TRUE(setOption(options, id, value, diags)) << id;
    EXPECT_EQ(options.resolved().policy, one.runs) << (one.given.empty() ? "" : one.given[0].first);
  }
  Options named;  // a policy by its name stands against the switch
  named.policy = "Beam", named.policyGiven = true, named.analysisSwitchedOff = true;
  EXPECT_EQ(named.resolved().policy, "Beam");
}

}  // namespace
}  // namespace tessera::test
