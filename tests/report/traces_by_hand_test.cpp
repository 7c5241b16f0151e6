// Traces put together by hand, as JSON: what a bound proves, what forcing a layout costs, the passes of a log, ops that
// stand twice in a trace, and a run as a graph of another viewer.

#include "core/driver/pipeline.h"
#include "core/report/beam_trace_json.h"
#include "core/report/exact_json.h"
#include "core/report/model_explorer_json.h"
#include "core/report/pass_log_json.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

std::string exactText(const ExactTrace& trace) {
  JsonWriter w;
  writeExact(w, trace);
  return w.take();
}

TEST(TracesByHand, GapsAreRoundedUp) {
  const auto gap = [](int64_t time, int64_t bound) {
    ExactTrace trace;
    trace.time = time, trace.lowerBound = bound;
    return Json(exactText(trace))["gapPpm"].asInteger();
  };
  EXPECT_EQ(gap(1000, 1000), 0);
  EXPECT_EQ(gap(1001, 1000), 1000);
  EXPECT_EQ(gap(3'000'001, 3'000'000), 1) << "a third of a millionth";
  EXPECT_EQ(gap(4, 3), 333'334);
  EXPECT_EQ(gap(999, 1000), 0) << "outside of what the bound speaks of";
  EXPECT_EQ(gap(5, 0), 0);
  EXPECT_EQ(gap(-1, 1000), -1) << "no plan";
  ExactTrace trace;
  trace.layoutOptimum = 3, trace.source = "prices", trace.method = "bounds";
  trace.variables = 4, trace.tables = 5, trace.candidates = 6, trace.width = 7, trace.cells = 8;
  trace.baselines = {{"Greedy", 9, true}, {"DRAM", 10, false}};
  trace.bounds = {{1, 12, 11}, {2, 14, 13}};
  EXPECT_EQ(exactText(trace),
            R"({"time":0,"lowerBound":0,"gapPpm":0,"proven":false,"layoutOptimum":3,"source":"prices",)"
            R"("method":"bounds","size":{"variables":4,"tables":5,"candidates":6,"width":7,"cells":8},)"
            R"("baselines":[{"policy":"Greedy","time":9,"fits":true},{"policy":"DRAM","time":10,"fits":false}],)"
            R"("bounds":[[1,12,11],[2,14,13]]})");
}

TEST(TracesByHand, RegretsOfLayouts) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %x = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  %y = \"ttir.exp\"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  return %y : tensor<64x64xbf16>\n}\n");
  const DeviceSpec& device = *findDevice("n150");
  const ValueId value = valueNamed(graph, "x");
  const TensorLayout dram = layoutFor(graph, value, BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, device),
                     block = layoutFor(graph, value, BufferType::L1, TensorMemoryLayout::BlockSharded, {2, 2}, device);
  ExactTrace::OpRegrets one, other;
  one.op = producerOf(graph, "x"), other.op = producerOf(graph, "y");
  one.layouts = {{dram, 70}, {block, 0}};
  one.best = 1, one.present = 0, one.candidateRegret = 5;
  other.layouts = {{block, 0}, {dram, -1}};
  other.best = 0, other.present = -1, other.candidateRegret = -1;
  JsonWriter w;
  writeRegrets(w, graph, {one, other});
  EXPECT_EQ(w.take(), R"({"ops":[{"name":"%x","op":"ttir.relu","best":1,"present":0,"regret":70,"candidateRegret":5,)"
                      R"("choices":[[0,70],[1,0]]},{"name":"%y","op":"ttir.exp","best":0,"present":-1,"regret":-1,)"
                      R"("candidateRegret":-1,"choices":[[1,0],[0,-1]]}],"layouts":["DRAM","L1 block 2x2"]})");
}

// An op that stands twice in a file is where it stands first; what a fork says counts before its readers.
TEST(TracesByHand, OpsThatStandTwice) {
  DecisionTrace trace;
  for (int64_t index : {10, 20, 10}) {
    TraceOp op;
    op.opIndex = index;
    op.beam = {{0, "a", {}}, {1, "b", {}}};
    if (index == 20) {
      op.inputCandidateSets = {{0, true, false, {"a", "b"}}};
      op.evaluations = {{"h", {"b"}, true, "", {}, "a"}};
    }
    trace.forwardPass.push_back(op);
  }
  trace.edges = {{10, 20, 0, 0, false, ""}};
  std::vector<TracedBeam> beams = inferBeams(trace);
  ASSERT_EQ(beams.size(), 3u);
  EXPECT_EQ(beams[0].chosen, 1) << "20 reads the second entry of the first of them";
  EXPECT_EQ(beams[2].chosen, 0);
  TraceFork fork;
  fork.opIndex = 10, fork.chosenCandidateIndex = 0;
  trace.forkResolutions = {fork};
  beams = inferBeams(trace);
  EXPECT_EQ(beams[0].chosen, 0) << "the fork said so";
  trace.forkResolutions[0].chosenCandidateIndex = 2;
  EXPECT_EQ(inferBeams(trace)[0].chosen, 1) << "there is no third entry";
}

// The last dump of the best kind is what the log ends in.
TEST(TracesByHand, StatesOfALog) {
  PassLogText log;
  const auto state = [&] { return Json(passLogJson(log))["state"].asInteger(); };
  EXPECT_EQ(state(), -1);
  IrDump dump;
  dump.moment = DumpMoment::After;
  dump.complete = true;
  log.dumps = {dump, dump, dump};
  EXPECT_EQ(state(), 2);
  log.dumps[2].complete = false;
  EXPECT_EQ(state(), dumpRank(log.dumps[2]) < dumpRank(dump) ? 1 : 2);
}

TEST(TracesByHand, ARunAsAGraphOfAnotherViewer) {
  Session session;
  session.load("late_spill",
               readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases/late_spill.mlir"));
  Options options;
  options.policy = "Greedy";
  const auto finished = runPolicy(session, options, Diagnostics());
  ASSERT_TRUE(finished->report.run);
  const RunOutcome& run = *finished->report.run;
  const Graph& graph = run.program->applied.graph;
  const std::string& name = graph.funcs[graph.forward].name;
  const Json moves(nodeDataJson(finished->report, NodeData::Spills)),
      places(nodeDataJson(finished->report, NodeData::Place)), times(nodeDataJson(finished->report, NodeData::Time)),
      whole(modelExplorerJson(finished->report));
  const JsonValue nodes = whole["graphs"].at(0).get("nodes");
  const size_t arguments = graph.funcs[graph.forward].args.size();
  ASSERT_EQ(nodes.size(), arguments + run.program->sim.steps.size());
  size_t moved = 0, inL1 = 0;
  for (size_t i = 0; i < run.program->sim.steps.size(); ++i) {
    const std::string step = std::to_string(i);
    const Op& op = graph.ops[run.program->sim.steps[i].op];
    const auto of = [&](const Json& json) { return json[name].get("results").get(step); };
    EXPECT_EQ(of(times).get("value").asInteger(), run.program->sim.steps[i].time.total().count);
    EXPECT_EQ(of(moves).present(), run.program->applied.inserted[run.program->sim.steps[i].op].has_value());
    if (of(moves).present()) {
      ++moved;
      EXPECT_EQ(of(moves).get("bgColor").asString(), "#e8a15c") << "moves are orange";
    }
    const std::string_view place = of(places).get("value").asString().value_or("");
    if (place.substr(0, 2) == "L1") ++inL1;
    if (place == "DRAM") EXPECT_EQ(of(places).get("bgColor").asString(), "#8bb4e8");
    if (place == "L1 sharded") EXPECT_EQ(of(places).get("bgColor").asString(), "#2f9e68");
    const JsonValue edges = nodes.at(arguments + i).get("incomingEdges");
    ASSERT_EQ(edges.size(), op.operands.size());
    for (size_t k = 0; k < op.operands.size(); ++k) {
      const Value& source = graph.values[op.operands[k]];
      EXPECT_EQ(edges.at(k).get("targetNodeInputId").asString(), std::to_string(k));
      EXPECT_EQ(edges.at(k).get("sourceNodeOutputId").asString(),
                source.producer.valid() ? std::to_string(source.index) : "0");
      if (!source.producer.valid()) {
        EXPECT_EQ(edges.at(k).get("sourceNodeId").asString(), "arg" + std::to_string(source.index));
      }
    }
  }
  EXPECT_GT(moved, 0u);
  EXPECT_GT(inL1, 0u);
}

}  // namespace
}  // namespace tessera::test
