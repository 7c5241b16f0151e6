// The decision trace: what a run writes is read back as it was; what is not a trace is told so.

#include "core/import/decision_trace.h"

#include "core/policy/propagate/propagate.h"
#include "core/report/beam_trace_json.h"
#include "core/report/decision_trace_json.h"
#include "core/support/json_value.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

PropagationTrace propagationOf(const std::string& name, int32_t cap = 1000) {
  PolicyOptions options;
  options.propagate.keepEvaluations = true;
  std::string text = readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases" / (name + ".mlir"));
  auto run = runOn(graphOf(text), "Beam", {.l1UsageCapPermille = cap}, allDevices()[0], options);
  EXPECT_TRUE(run->log.propagation.has_value());
  return run->log.propagation.value_or(PropagationTrace());
}

DecisionTrace traceOf(const std::string& name, int32_t cap = 1000) { return propagationOf(name, cap).decisions; }

std::optional<DecisionTrace> read(const std::string& text, Diagnostics& diags) {
  SourceBuffer source("trace.json", text);
  return readDecisionTrace(source, diags);
}

TEST(DecisionTrace, WhatIsWrittenIsReadBack) {
  for (const char* name : {"fork_height_and_block", "diamond", "three_do_not_fit", "late_spill", "residual_conv_fork",
                           "concat_width", "kv_cache_update"}) {
    SCOPED_TRACE(name);
    DecisionTrace trace = traceOf(name, 500);
    EXPECT_FALSE(trace.forwardPass.empty());
    std::string json = decisionTraceJson(trace);
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
  for (const TraceEvaluation& evaluation : trace.forwardPass[1].evaluations)
    refused = refused || (!evaluation.valid && !evaluation.failureReason.empty());
  EXPECT_TRUE(refused);
  ASSERT_TRUE(trace.spillManagement.has_value());
  EXPECT_EQ(trace.spillManagement->totalSpills, 0);
  EXPECT_FALSE(traceOf("late_spill").spillManagement->events.empty());
}

// Each number of a record is its own, under its own name.
TEST(DecisionTrace, EveryNumberOfARecordIsReadFromItsOwnField) {
  DecisionTrace trace = traceOf("late_spill");
  trace.spillManagement = {11, 12, 13, 14, 15, {}};
  trace.spillManagement->events.push_back({1, "a", "b", 2, 3, 4, "c", "d"});
  trace.finalChoices.push_back({5, "e", "f"});
  trace.forkResolutions.push_back({"g", "h", 6, 7, 8, {9, 10}});
  const std::string json = decisionTraceJson(trace);
  for (const char* field : {"\"occupiedL1Before\":2", "\"occupiedL1After\":3", "\"opL1Usage\":4", "\"budget\":11",
                            "\"scheduleSize\":12", "\"totalSpills\":13", "\"finalOccupied\":14"})
    EXPECT_NE(json.find(field), std::string::npos) << field;
  Diagnostics diags;
  const auto again = read(json, diags);
  ASSERT_TRUE(again.has_value());
  EXPECT_TRUE(*again == trace);
}

// As the compiler writes it: null layouts, layouts in objects, fields that are not known.
TEST(DecisionTrace, TakesTheCompilersSpellings) {
  Diagnostics diags;
  auto trace = read(R"({"version":3,"functionName":"main","beamWidth":8,"totalOps":1,"extra":[1],
    "forwardPass":[{"opIndex":0,"opName":"ttnn.add","opLocation":"a","inputCandidateSets":[{"operandIndex":0,"fromProducerBeam":true,"fromReshard":false,
    "candidates":["dram/interleaved/1x1",{"layout":"l1/width_sharded/1x64"}]}],"outputHints":{"primaryCount":1,"fallbackCount":10},"crossProductSize":2,
    "evaluations":[{"hint":null,"inputs":["dram/interleaved/1x1"],"valid":false,"failureReason":"OOM"}],
    "beam":[{"rank":0,"outputLayout":"l1/width_sharded/1x64","score":{"isL1":true,"coreCount":64,"inputDramBytes":"9007199254740993"}}],"usedDramFallback":false}],"spillManagement":null})",
                    diags);
  ASSERT_TRUE(trace.has_value());
  EXPECT_TRUE(diags.all().empty());
  ASSERT_EQ(trace->forwardPass.size(), 1u);
  const TraceOp& op = trace->forwardPass[0];
  EXPECT_EQ(op.inputCandidateSets[0].candidates,
            (std::vector<std::string>{"dram/interleaved/1x1", "l1/width_sharded/1x64"}));
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
      {"{\"version\":3,\"forwardPass\":[],\"backwardPass\":{\"forkResolutions\":[{\"consumerOpIndices\":[\"x\"]}]}}",
       DiagKind::TraceSchema},
      {"{\"version\":3,\"forwardPass\":[],\"spillManagement\":[]}", DiagKind::TraceSchema},
  };
  for (const auto& [text, kind] : cases) {
    SCOPED_TRACE(text);
    Diagnostics diags;
    EXPECT_FALSE(read(text, diags).has_value());
    ASSERT_FALSE(diags.all().empty());
    EXPECT_EQ(diags.all()[0].kind, kind);
  }
}

// What a trace alone says about the beams' pointers, against what the run knows. Entries that tie cannot be told apart
// by a file, so layouts are compared, not numbers.
TEST(BeamTrace, PointersAreFoundInAFile) {
  size_t links = 0, agree = 0, chosen = 0, sameChoice = 0;
  for (const char* name : {"fork_height_and_block", "diamond", "residual_conv_fork", "concat_width", "beam_32_cores"}) {
    SCOPED_TRACE(name);
    PropagationTrace trace = propagationOf(name);
    const auto& ops = trace.decisions.forwardPass;
    std::vector<TracedBeam> inferred = inferBeams(trace.decisions);
    ASSERT_EQ(inferred.size(), ops.size());
    ASSERT_EQ(trace.beams.size(), ops.size());
    for (size_t i = 0; i < ops.size(); ++i) {
      ASSERT_EQ(inferred[i].entries.size(), ops[i].beam.size());
      ASSERT_EQ(trace.beams[i].entries.size(), ops[i].beam.size());
      ASSERT_LT(inferred[i].chosen, static_cast<int32_t>(ops[i].beam.size()));
      ++chosen;
      sameChoice += ops[i].beam[static_cast<size_t>(inferred[i].chosen)].outputLayout ==
                    ops[i].beam[static_cast<size_t>(trace.beams[i].chosen)].outputLayout;
      for (size_t e = 0; e < ops[i].beam.size(); ++e) {
        for (const TracedLink& known : trace.beams[i].entries[e].links) {
          ++links;
          for (const TracedLink& found : inferred[i].entries[e].links)
            agree += found.operand == known.operand && found.producerOpIndex == known.producerOpIndex &&
                     (found.slot == known.slot || !known.reshard.empty());
        }
      }
    }
  }
  EXPECT_GT(links, 20u);
  EXPECT_GE(agree * 10, links * 9);
  EXPECT_GE(sameChoice * 10, chosen * 9);
}

TEST(BeamTrace, CountsEveryEvaluationOnce) {
  DecisionTrace trace = traceOf("fork_height_and_block");
  TraceOp& op = trace.forwardPass[0];
  for (int i = 0; i < 300; ++i) op.evaluations.push_back({"hint" + std::to_string(i), {}, false, "no", {}, ""});
  JsonWriter w;
  writeBeamTrace(w, trace, inferBeams(trace), [](int64_t index) { return index + 10; });
  SourceBuffer source("beam.json", w.take());
  Diagnostics diags;
  JsonDocument document = JsonDocument::parse(source, diags);
  ASSERT_FALSE(diags.hasErrors());
  JsonValue ops = document.root().get("ops");
  ASSERT_EQ(ops.size(), trace.forwardPass.size());
  EXPECT_EQ(ops.at(0).get("row").asInteger(), trace.forwardPass[0].opIndex + 10);
  EXPECT_GT(ops.at(0).get("candidatesLeftOut").asInteger(), 100);
  for (size_t i = 0; i < ops.size(); ++i) {
    int64_t count = *ops.at(i).get("candidatesLeftOut").asInteger();
    JsonValue groups = ops.at(i).get("candidates");
    for (size_t g = 0; g < groups.size(); ++g) count += *groups.at(g).get("count").asInteger();
    EXPECT_EQ(count, static_cast<int64_t>(trace.forwardPass[i].evaluations.size()));
    EXPECT_EQ(count, ops.at(i).get("tries").asInteger());
  }
}

// A file may say anything: indices that no op has, twice the same, edges backwards, forks of what is not there.
TEST(BeamTrace, TakesAnyFile) {
  DecisionTrace trace = traceOf("diamond");
  trace.forwardPass.push_back(trace.forwardPass[0]);
  trace.forwardPass.push_back({});
  trace.forwardPass.back().opIndex = INT64_MIN;
  trace.forwardPass.back().beam.resize(3);
  trace.edges.push_back({5, 2, -7, 0, true, "x"});
  trace.edges.push_back({INT64_MAX, INT64_MIN, 0, 0, false, ""});
  trace.edges.push_back({0, INT64_MIN, INT64_MAX, 0, false, ""});
  trace.forkResolutions.push_back({"", "", 0, INT64_MAX, -1, {-1, INT64_MAX}});
  trace.forkResolutions.push_back({"", "", 12345, 0, 0, {}});
  trace.finalChoices.push_back({-4, "", "z"});
  trace.spillManagement->events.push_back({-9, "", "unknown", -1, INT64_MIN, 0, "", ""});
  JsonWriter w;
  writeBeamTrace(w, trace, inferBeams(trace), [](int64_t) { return -1; });
  SourceBuffer source("beam.json", w.take());
  Diagnostics diags;
  EXPECT_EQ(JsonDocument::parse(source, diags).root().get("ops").size(), trace.forwardPass.size());
  EXPECT_FALSE(diags.hasErrors());
}

}  // namespace
}  // namespace tessera::test
