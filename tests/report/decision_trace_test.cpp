// The decision trace: what a run writes is read back as it was; what is not a trace is told so.

#include "core/import/decision_trace.h"

#include "core/policy/propagate/propagate.h"
#include "core/report/decision_trace_json.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

DecisionTrace traceOf(const std::string& name, int32_t cap = 1000) {
  PolicyOptions options;
  options.propagate.keepEvaluations = true;
  std::string text = readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases" / (name + ".mlir"));
  auto run = runOn(graphOf(text), "Beam", {.l1UsageCapPermille = cap}, allDevices()[0], options);
  EXPECT_TRUE(run->log.propagation.has_value());
  return run->log.propagation ? run->log.propagation->decisions : DecisionTrace();
}

std::optional<DecisionTrace> read(const std::string& text, Diagnostics& diags) {
  SourceBuffer source("trace.json", text);
  return readDecisionTrace(source, diags);
}

TEST(DecisionTrace, WhatIsWrittenIsReadBack) {
  for (const char* name : {"fork_height_and_block", "diamond", "three_do_not_fit", "late_spill", "residual_conv_fork", "concat_width", "kv_cache_update"}) {
    SCOPED_TRACE(name);
    DecisionTrace trace = traceOf(name, 500);
    EXPECT_FALSE(trace.forwardPass.empty());
    std::string json = decisionTraceJson(trace);
    EXPECT_TRUE(looksLikeDecisionTrace(json));
    Diagnostics diags;
    auto again = read(json, diags);
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(*again == trace);
    EXPECT_EQ(decisionTraceJson(*again), json);
  }
}

TEST(DecisionTrace, SaysWhatTheRunDid) {
  DecisionTrace trace = traceOf("fork_height_and_block");
  ASSERT_EQ(trace.finalChoices.size(), 4u);
  EXPECT_EQ(trace.finalChoices[1].opName, "ttir.softmax");
  EXPECT_EQ(trace.finalChoices[1].chosenLayout, "l1/height_sharded/64x1");
  ASSERT_EQ(trace.forkResolutions.size(), 1u);
  EXPECT_EQ(trace.forkResolutions[0].consumerOpIndices, (std::vector<int64_t>{1, 2}));
  int reshards = 0;
  for (const TraceEdge& edge : trace.edges) reshards += edge.hasReshard;
  EXPECT_EQ(reshards, 1);
  bool refused = false;
  for (const TraceEvaluation& evaluation : trace.forwardPass[1].evaluations) refused = refused || (!evaluation.valid && !evaluation.failureReason.empty());
  EXPECT_TRUE(refused);
  ASSERT_TRUE(trace.spillManagement.has_value());
  EXPECT_EQ(trace.spillManagement->totalSpills, 0);
  EXPECT_FALSE(traceOf("late_spill").spillManagement->events.empty());
}

// As the compiler writes it: null layouts, layouts in objects, fields that are not known.
TEST(DecisionTrace, TakesTheCompilersSpellings) {
  Diagnostics diags;
  auto trace = read(R"({"version":3,"functionName":"main","beamWidth":8,"totalOps":1,"extra":[1],
    "forwardPass":[{"opIndex":0,"opName":"ttnn.add","opLocation":"a","inputCandidateSets":[{"operandIndex":0,"fromProducerBeam":true,"fromReshard":false,
    "candidates":["dram/interleaved/1x1",{"layout":"l1/width_sharded/1x64"}]}],"outputHints":{"primaryCount":1,"fallbackCount":10},"crossProductSize":2,
    "evaluations":[{"hint":null,"inputs":["dram/interleaved/1x1"],"valid":false,"failureReason":"OOM"}],
    "beam":[{"rank":0,"outputLayout":"l1/width_sharded/1x64","score":{"isL1":true,"coreCount":64,"inputDramBytes":"9007199254740993"}}],"usedDramFallback":false}]})", diags);
  ASSERT_TRUE(trace.has_value());
  EXPECT_TRUE(diags.all().empty());
  ASSERT_EQ(trace->forwardPass.size(), 1u);
  const TraceOp& op = trace->forwardPass[0];
  EXPECT_EQ(op.inputCandidateSets[0].candidates, (std::vector<std::string>{"dram/interleaved/1x1", "l1/width_sharded/1x64"}));
  EXPECT_EQ(op.evaluations[0].hint, "null");
  EXPECT_EQ(op.beam[0].score.coreCount, 64);
  EXPECT_EQ(op.beam[0].score.inputDramBytes, 9007199254740993);
  EXPECT_FALSE(op.isInplace.has_value());
  EXPECT_FALSE(trace->spillManagement.has_value());
}

TEST(DecisionTrace, HostileTextsAreDiagnosed) {
  const std::pair<const char*, DiagKind> cases[] = {
      {"", DiagKind::JsonSyntax},
      {"{", DiagKind::JsonSyntax},
      {"[]", DiagKind::TraceSchema},
      {"{}", DiagKind::TraceSchema},
      {"{\"version\":2,\"forwardPass\":[]}", DiagKind::TraceVersion},
      {"{\"version\":\"three\",\"forwardPass\":[]}", DiagKind::TraceSchema},
      {"{\"version\":3}", DiagKind::TraceSchema},
      {"{\"version\":3,\"forwardPass\":{}}", DiagKind::TraceSchema},
      {"{\"version\":3,\"forwardPass\":[1]}", DiagKind::TraceSchema},
      {"{\"version\":3,\"forwardPass\":[{\"opIndex\":1.5}]}", DiagKind::TraceSchema},
      {"{\"version\":3,\"forwardPass\":[{\"opIndex\":\"99999999999999999999\"}]}", DiagKind::TraceSchema},
      {"{\"version\":3,\"forwardPass\":[{\"opName\":[]}]}", DiagKind::TraceSchema},
      {"{\"version\":3,\"forwardPass\":[{\"beam\":[{\"score\":7}]}]}", DiagKind::TraceSchema},
      {"{\"version\":3,\"forwardPass\":[],\"backwardPass\":{\"forkResolutions\":[{\"consumerOpIndices\":[\"x\"]}]}}", DiagKind::TraceSchema},
      {"{\"version\":3,\"forwardPass\":[],\"spillManagement\":[]}", DiagKind::TraceSchema},
  };
  for (const auto& [text, kind] : cases) {
    SCOPED_TRACE(text);
    Diagnostics diags;
    EXPECT_FALSE(read(text, diags).has_value());
    ASSERT_FALSE(diags.all().empty());
    EXPECT_EQ(diags.all()[0].kind, kind);
  }
  EXPECT_FALSE(looksLikeDecisionTrace("func.func @main()"));
  EXPECT_FALSE(looksLikeDecisionTrace("{\"tessera\":1}"));
}

}  // namespace
}  // namespace tessera::test
