// Plans as JSON: what is written is read again, and what somebody else wrote is never trusted.

#include "core/plan/plan_json.h"

#include <random>

#include "core/driver/pipeline.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

const std::string kTwoOps =
    "func.func @main(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
    "  %0 = \"ttir.add\"(%a, %b) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %1 = \"ttir.relu\"(%0) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  return %1 : tensor<256x256xbf16>\n}\n";

// A graph together with a plan from outside.
struct PlanRun {
  Session session;
  std::unique_ptr<FinishedRun> finished;

  PlanRun(const std::string& text, const std::string& plan, const Options& options = {}) {
    session.load("x", text);
    Json document(plan);
    finished = prepareRun(session, options, {});
    if (finished->problem) runPlan(*finished, document.document.root());
  }
  const Plan& plan() const { return finished->report.run->plan; }
  // One message per line.
  std::string messages() const {
    std::string text;
    for (const Diagnostic& d : finished->diagnostics.all()) {
      if (d.severity == Severity::Error) text += d.message + "\n";
    }
    return text;
  }
  const TensorLayout& layoutOf(std::string_view name) const {
    const Graph& graph = finished->problem->graph;
    for (ValueId value : graph.values.ids()) {
      if (graph.values[value].name == name && plan().layout[value]) return *plan().layout[value];
    }
    ADD_FAILURE() << "no tensor " << name;
    return *plan().layout[graph.funcs[graph.forward].args[0]];
  }
};

// The report without what the policy says about its reasons, which is no part of a plan.
std::string reportWithoutReasons(FinishedRun& finished) {
  finished.report.run->log = DecisionLog();
  return reportJson(finished.report);
}

void expectRoundTrip(const std::string& text, std::string_view policy) {
  Options options;
  options.policy = std::string(policy);
  Session session;
  session.load("x", text);
  auto decided = runPolicy(session, options, {});
  if (!decided->report.run) return;
  const std::string written = planOut(*decided);
  Session another;
  another.load("x", text);
  Json document(written);
  Options again;
  Diagnostics diags;
  readOptions(again, document["options"], diags);
  auto carriedOut = prepareRun(another, again, diags);
  ASSERT_TRUE(carriedOut->problem) << policy;
  runPlan(*carriedOut, document.document.root());
  const Plan &a = decided->report.run->plan, &b = carriedOut->report.run->plan;
  EXPECT_EQ(a.order, b.order) << policy;
  EXPECT_EQ(a.reshards, b.reshards) << policy;
  EXPECT_EQ(a.spills, b.spills) << policy;
  EXPECT_EQ(a.layout, b.layout) << policy;
  EXPECT_EQ(planOut(*carriedOut), written) << policy;
  EXPECT_EQ(reportWithoutReasons(*decided), reportWithoutReasons(*carriedOut)) << policy;
}

TEST(PlanJson, EveryPolicysPlanGivesTheSameReportAgain) {
  const auto sample = std::filesystem::path(TESSERA_SOURCE_DIR) / "web/public/samples/residual-block.mlir";
  for (const PolicyInfo& policy : allPolicies()) expectRoundTrip(kTwoOps, policy.id);
  for (const PolicyInfo& policy : allPolicies()) expectRoundTrip(readFile(sample), policy.id);
}

TEST(PlanJson, WhatIsNotSaidIsInDram) {
  PlanRun run(kTwoOps, R"({"schema": 1})");
  EXPECT_EQ(run.messages(), "");
  EXPECT_TRUE(run.layoutOf("0").isDram());
  EXPECT_EQ(run.finished->report.run->policy->title, "Plan");
  EXPECT_TRUE(run.finished->report.ok());
}

TEST(PlanJson, APersonMayNameOneLayout) {
  PlanRun run(kTwoOps, R"({"schema": 1, "policy": "by hand", "layouts": [{"buffer": "l1"}], "values": {"%0": 0}})");
  EXPECT_EQ(run.messages(), "");
  EXPECT_EQ(layoutText(run.layoutOf("0")), "L1 interleaved");
  EXPECT_EQ(run.finished->report.run->policy->title, "by hand");
}

TEST(PlanJson, MovesAreCarriedOut) {
  PlanRun run(kTwoOps, R"({"schema": 1, "layouts": [{"buffer": "l1"}, {"buffer": "dram"}], "values": {"%0": 0, "%1": 0},
    "reshards": [{"op": "%1", "operand": 0, "to": 1}], "spills": [{"value": "%1", "before": 2, "to": 1}]})");
  EXPECT_EQ(run.messages(), "");
  ASSERT_EQ(run.plan().spills.size(), 1u);
  EXPECT_EQ(run.plan().spills[0].cause, SpillCause::FunctionReturn);
  ASSERT_EQ(run.plan().reshards.size(), 1u);
}

// Every mistake by itself: the diagnostic names it, and there is a report all the same.
struct Mistake {
  const char* plan;
  const char* message;
};
constexpr Mistake kMistakes[] = {
    {R"([1])", "plan: `the document` is an array, expected an object"},
    {R"({"schema": 2})", "plan: version 2 is not known, this build reads version 1"},
    {R"({})", "plan: version missing is not known"},
    {R"({"schema": 1, "colour": 3})", "plan: `colour` is not known, expected a field of the schema"},
    {R"({"schema": 1, "graph": "0123456789abcdef"})",
     "the plan was made for another graph (0123456789abcdef, this one is "},
    {R"({"schema": 1, "values": [1]})", "plan: `values` is an array, expected an object"},
    {R"({"schema": 1, "values": {"%9": 0}})", "plan: `values.%9` is \"%9\", expected the name of a tensor"},
    {R"({"schema": 1, "values": {"%0": 4}})", "plan: `values.%0` is 4, expected an index in layouts"},
    {R"({"schema": 1, "values": {"%0": -1}})", "expected an index in layouts"},
    {R"({"schema": 1, "values": {"%0": 1e30}})", "expected an index in layouts"},
    {R"({"schema": 1, "layouts": [{"buffer": "moon"}], "values": {"%0": 0}})", "plan: `layouts[0].buffer` is \"moon\""},
    {R"({"schema": 1, "layouts": [{"buffer": "l1_small"}], "values": {"%0": 0}})",
     "`layouts[0].buffer` is \"l1_small\""},
    {R"({"schema": 1, "layouts": [{"buffer": "l1", "grid": [8]}]})",
     "`layouts[0].grid` is an array, expected two sizes"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1", "grid": [8, 99999999999]}]})", "expected two sizes up to 4096"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1", "grid": [8, 8, 8]}]})", "expected two sizes up to 4096"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1", "grid": [8, 4097]}]})", "expected two sizes up to 4096"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1", "memory": "diagonal"}]})", "`layouts[0].memory` is \"diagonal\""},
    {R"({"schema": 1, "layouts": [{"buffer": "l1", "dtype": 3}]})", "`layouts[0].dtype` is 3"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1", "memory": "block_sharded", "grid": [32, 32]}], "values": {"%0": 0}})",
     "plan: layout-does-not-fit: `%0`: grid 32x32"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1", "memory": "block_sharded", "grid": [8, 8], "shard": [9, 9]}],
         "values": {"%0": 0}})",
     "plan: layout-does-not-fit: `%0`: the shard differs from what its grid gives"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1"}], "values": {"%a": 0}})",
     "plan: argument-moved: `%a`: is given as DRAM"},
    {R"({"schema": 1, "order": [1, 0, 2]})", "plan: order-use-before-def: `%1 ttnn.relu`: reads %0 before it is made"},
    {R"({"schema": 1, "order": [0, 2]})", "plan: order-incomplete: order: it lists 2 of 3 ops"},
    {R"({"schema": 1, "order": [2, 1, 0]})", "plan: order-incomplete"},
    {R"({"schema": 1, "order": [0, 0, 1, 2]})",
     "plan: `order[1]` is 0, expected the number of an op that is not yet listed"},
    {R"({"schema": 1, "reshards": [{"op": "%a", "operand": 0, "to": 0}]})",
     "plan: `reshards[0].op` is \"%a\", expected an op"},
    {R"({"schema": 1, "reshards": [{"op": 0, "operand": 7, "to": 0}]})",
     "`reshards[0].operand` is 7, expected the number of a tensor operand of `%0 ttnn.add`"},
    {R"({"schema": 1, "layouts": [{"buffer": "dram"}], "reshards": [{"op": 0, "operand": 1, "to": 0}]})",
     "plan: reshard-of-nothing: `%0 ttnn.add` operand 1: it is there already"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1"}],
         "reshards": [{"op": 0, "operand": 1, "to": 0}, {"op": 0, "operand": 1, "to": 0}]})",
     "plan: reshard-of-nothing: `%0 ttnn.add` operand 1: it is converted twice"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1"}], "spills": [{"value": "%1", "before": "%0", "to": 0}]})",
     "plan: spill-unused: `%1` before `%0 ttnn.add`: it is not made yet"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1"}], "spills": [{"value": "%0", "before": 2, "to": 0}]})",
     "plan: spill-unused: `%0` before `func.return`: nothing reads it any more"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1"}], "spills": [{"value": "%0", "before": 1, "to": 0, "cause": "fun"}]})",
     "plan: `spills[0].cause` is \"fun\""},
    {R"({"schema": 1, "layouts": [{"buffer": "l1"}], "values": {"%1": 0}})",
     "plan: return-not-in-dram: `func.return` operand 0: result 0"},
    {R"({"schema": 1, "layouts": [{"buffer": "l1", "memory": "block_sharded", "grid": [4, 4]},
         {"buffer": "l1", "memory": "height_sharded", "grid": [8, 1]}, {"buffer": "dram"}],
         "values": {"%0": 0, "%1": 1}, "spills": [{"value": "%1", "before": 2, "to": 2}]})",
     "plan: op-refused: `%1 ttnn.relu`"},
    {R"({"schema": 1, "configs": [{"op": 0, "conv2d": {"act_block_h_override": -3}}]})",
     "`configs[0].conv2d.act_block_h_override` is an integer, expected a number of rows"},
    {R"({"schema": 1, "configs": [{"op": 0, "matmul": {"program": "magic"}}]})", "`configs[0].matmul.program`"},
    {R"({"schema": 1, "configs": [{"op": 0, "matmul": {}, "conv2d": {}}]})", "given beside conv2d"},
    {R"({"schema": 1, "configs": [7]})", "plan: `configs[0]` is 7, expected an object"},
};

TEST(PlanJson, EveryMistakeIsNamedAndTheReportStillComes) {
  for (const Mistake& mistake : kMistakes) {
    PlanRun run(kTwoOps, mistake.plan);
    EXPECT_NE(run.messages().find(mistake.message), std::string::npos) << mistake.plan << "\n" << run.messages();
    ASSERT_TRUE(run.finished->report.run) << mistake.plan;
    EXPECT_EQ(run.finished->report.run->defects.size(), 0u) << mistake.plan;
    EXPECT_FALSE(run.finished->report.ok());
    Json report(reportJson(run.finished->report));
    EXPECT_GE(report["run"].get("rows").size(), 3u) << mistake.plan;
  }
}

// An op of two results is named by the first of them.
TEST(PlanJson, AnOpOfTwoResultsIsNamedByItsFirst) {
  const PlanRun run(
      "func.func @main(%a: tensor<32x64xbf16>) -> (tensor<32x8xbf16>, tensor<32x8xi32>) {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>\n"
      "  %1, %2 = \"ttir.topk\"(%0) <{dim = -1 : i32, k = 8 : i32, largest = true, sorted = true}> : "
      "(tensor<32x64xbf16>) -> (tensor<32x8xbf16>, tensor<32x8xi32>)\n"
      "  return %1, %2 : tensor<32x8xbf16>, tensor<32x8xi32>\n}\n",
      R"({"schema": 1, "reshards": [{"op": 1, "operand": 7, "layout": 0}], "layouts": [{"buffer": "l1"}]})");
  EXPECT_NE(run.messages().find("the number of a tensor operand of `%1 ttnn.topk`"), std::string::npos)
      << run.messages();
}

TEST(PlanJson, MoreThanL1HoldsIsOverBudget) {
  Options options;
  options.l1UsageCapPermille = 10;
  PlanRun run(kTwoOps,
              R"({"schema": 1, "layouts": [{"buffer": "l1", "memory": "block_sharded", "grid": [1, 1]},
                 {"buffer": "dram"}], "values": {"%0": 0}})",
              options);
  EXPECT_NE(run.messages().find("plan: over-budget: `%0 ttnn.add`: needs "), std::string::npos) << run.messages();
  EXPECT_TRUE(run.finished->report.run);
}

// A plan of another graph: everything in it that means nothing here is named, and no more than so many.
TEST(PlanJson, AnotherGraphsPlanIsSaidToBeOne) {
  Session session;
  session.load("x", readFile(sampleFiles().back()));
  const std::string plan = planOut(*runPolicy(session, Options(), {}));
  PlanRun run(kTwoOps, plan);
  EXPECT_EQ(run.messages().rfind("the plan was made for another graph (", 0), 0u) << run.messages();
  EXPECT_TRUE(run.finished->report.run);
  EXPECT_LE(run.finished->diagnostics.all().size(), Diagnostics::kMaxErrors + Diagnostics::kMaxWarnings);
}

// Anything that reads as JSON is carried out as far as it goes; what it breaks is its own rules, never ours.
void expectReport(Session& session, const std::string& plan) {
  SourceBuffer source("plan", plan);
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(source, diags);
  if (diags.hasErrors()) return;
  auto finished = prepareRun(session, Options(), {});
  runPlan(*finished, document.root());
  ASSERT_TRUE(finished->report.run) << plan;
  EXPECT_TRUE(finished->report.run->defects.empty()) << finished->report.run->defects[0].text << "\n" << plan;
  EXPECT_FALSE(reportJson(finished->report).empty());
}

TEST(PlanJson, BrokenPlansAreCarriedOutAsFarAsTheyGo) {
  Session session;
  session.load("x", kTwoOps);
  const std::string good = planOut(*runPolicy(session, {.policy = "Beam"}, {}));
  std::mt19937 random(7);
  constexpr std::string_view kBytes = "0123456789-%{}[]\",:eatrlu ";
  for (int round = 0; round < 400; ++round) {
    std::string plan = good;
    for (int i = 0; i < 3; ++i) plan[random() % plan.size()] = kBytes[random() % kBytes.size()];
    expectReport(session, plan);
  }
}

// Plans of the right form that say anything.
TEST(PlanJson, RandomPlansAreCarriedOutAsFarAsTheyGo) {
  Session session;
  session.load("x", readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "web/public/samples/residual-block.mlir"));
  auto prepared = prepareRun(session, Options(), {});
  const Graph& graph = prepared->problem->graph;
  const auto ops = static_cast<uint32_t>(graph.funcs[graph.forward].ops.size());
  std::vector<std::string> names;
  for (const Value& value : graph.values) {
    if (value.func == graph.forward) names.push_back("\"%" + value.name + "\"");
  }
  std::mt19937 random(11);
  const auto below = [&](uint32_t n) { return std::to_string(random() % n); };
  const auto name = [&] { return names[random() % names.size()]; };
  const std::string layouts =
      R"({"buffer":"dram"},{"buffer":"l1"},{"buffer":"l1","memory":"block_sharded","grid":[8,8]},)"
      R"({"buffer":"l1","memory":"height_sharded","grid":[49,1]},{"buffer":"l1","memory":"width_sharded","grid":[1,2]},)"
      R"({"buffer":"dram","page":"row_major"},{"buffer":"l1","page":"row_major"},{"buffer":"system_memory","page":"row_major"})";
  for (uint64_t round = 0; round < seeds(150); ++round) {
    std::string values, reshards, spills;
    for (uint32_t i = 0; i < ops; ++i) values += (i ? "," : "") + name() + ":" + below(8);
    for (int i = 0; i < 6; ++i) {
      reshards += std::string(i ? "," : "") + "{\"op\":" + below(ops) + ",\"operand\":" + below(4) +
                  ",\"to\":" + below(8) + "}";
      spills += std::string(i ? "," : "") + "{\"value\":" + name() + ",\"before\":" + below(ops) +
                ",\"to\":" + below(8) + "}";
    }
    expectReport(session, "{\"schema\":1,\"layouts\":[" + layouts + "],\"values\":{" + values + "},\"reshards\":[" +
                              reshards + "],\"spills\":[" + spills + "]}");
  }
}

TEST(PlanJson, MovesWithoutEndAreNotRead) {
  std::string moves;
  for (int i = 0; i < 2000; ++i) moves += std::string(i ? "," : "") + R"({"value":"%0","before":"%1","to":0})";
  PlanRun run(kTwoOps, R"({"schema": 1, "layouts": [{"buffer": "dram"}], "spills": [)" + moves + "]}");
  EXPECT_NE(run.messages().find("plan: `spills` is 2000 moves, expected at most 64"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
