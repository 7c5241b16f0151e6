// Reports of runs and traces that lack something: values without a layout, ops that are no rows, steps and traces that
// are not there. What is missing is said as such, and nothing else of the report changes.

#include <algorithm>

#include "core/ir/builder.h"
#include "core/report/beam_trace_json.h"
#include "core/report/chain_trace_json.h"
#include "core/report/chains.h"
#include "core/report/compare.h"
#include "core/report/losses.h"
#include "core/report/model_explorer_json.h"
#include "core/report/override_text.h"
#include "core/report/perf_metrics_json.h"
#include "core/report/plan_text.h"
#include "core/report/run_row.h"
#include "core/report/step_json.h"
#include "core/report/trace_event_json.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

// --- traces of a beam -----------------------------------------------------------------------------------------------

// Op `index` with a beam of these layouts, the first with the best score.
TraceOp beamOp(int64_t index, const std::vector<std::string>& beam) {
  TraceOp op;
  op.opIndex = index;
  for (size_t i = 0; i < beam.size(); ++i) {
    const auto cores = static_cast<int64_t>(8 - i);
    op.beam.push_back({static_cast<int64_t>(i), beam[i], {true, false, 0, true, cores, 0}});
  }
  return op;
}

void addEvaluation(TraceOp& op, size_t entry, const std::vector<std::string>& inputs) {
  TraceEvaluation one;
  one.inputs = inputs;
  one.valid = true;
  one.score = op.beam[entry].score;
  one.output = op.beam[entry].outputLayout;
  op.evaluations.push_back(one);
}

// Op 30 reads op 10 as operand `first` and op 20 as operand `second`; candidates are those of these operands, its best
// entry was tried with these inputs. The links of that entry: "operand:producer.slot".
std::string linksWith(int64_t first, int64_t second, const std::vector<int64_t>& candidates,
                      const std::vector<std::string>& inputs) {
  DecisionTrace trace;
  TraceOp reader = beamOp(30, {"e"});
  for (int64_t operand : candidates) reader.inputCandidateSets.push_back({operand, true, false, {"x"}});
  addEvaluation(reader, 0, inputs);
  trace.forwardPass = {beamOp(10, {"a", "b", "c"}), beamOp(20, {"a", "d"}), reader};
  trace.edges = {{10, 30, first, 0, false, ""}, {20, 30, second, 0, false, ""}};
  const std::vector<TracedBeam> beams = inferBeams(trace);
  std::string text;
  for (const TracedLink& link : beams.at(2).entries.at(0).links)
    text += (text.empty() ? "" : " ") + std::to_string(link.operand) + ":" + std::to_string(link.producerOpIndex) +
            "." + (link.reshard.empty() ? std::to_string(link.slot) : link.reshard);
  return text;
}

// An operand without candidates has no place among the inputs.
TEST(BeamTraceLinks, InputsStandByTheOperandsThatHaveCandidates) {
  EXPECT_EQ(linksWith(0, 2, {0, 2}, {"c", "d"}), "0:10.2 2:20.1");
  EXPECT_EQ(linksWith(0, 2, {2, 0}, {"d", "c"}), "0:10.2 2:20.1") << "in the order of the sets";
  EXPECT_EQ(linksWith(0, 2, {0, 2, 0, 2}, {"c", "d"}), "0:10.2 2:20.1") << "several sets of one operand";
  EXPECT_EQ(linksWith(1, 2, {1, 1, 2}, {"r", "d"}), "1:10.r 2:20.1");
  EXPECT_EQ(linksWith(0, 1, {0, 2}, {"c", "d"}), "0:10.2 1:20.0") << "operand 1 has none";
}

// Where there are as many inputs as operands, they stand by operand; what they do not reach is not known.
TEST(BeamTraceLinks, OtherwiseInputsStandByOperand) {
  EXPECT_EQ(linksWith(0, 2, {0, 2}, {"c", "x", "d"}), "0:10.2 2:20.1");
  EXPECT_EQ(linksWith(0, 2, {}, {"c", "x", "d"}), "0:10.2 2:20.1");
  EXPECT_EQ(linksWith(0, 1, {0, 1, 2, 3}, {"c"}), "0:10.2 1:20.0") << "fewer inputs than operands";
  EXPECT_EQ(linksWith(0, 5, {0, 2}, {"c", "x", "d"}), "0:10.2 5:20.0");
  EXPECT_EQ(linksWith(-1, 0, {0, 2}, {"d", "x", "y"}), "-1:10.0 0:20.1") << "no operand";
}

// Entries of one layout and different scores are each found by their score, wherever they were tried.
TEST(BeamTraceLinks, EntriesOfOneLayoutAreToldApartByTheirScore) {
  DecisionTrace trace;
  TraceOp reader = beamOp(30, {"e", "e"});
  addEvaluation(reader, 1, {"b"});
  addEvaluation(reader, 0, {"c"});
  trace.forwardPass = {beamOp(10, {"a", "b", "c"}), reader};
  trace.edges = {{10, 30, 0, 0, false, ""}};
  const std::vector<TracedBeam> beams = inferBeams(trace);
  ASSERT_EQ(beams.at(1).entries.size(), 2u);
  ASSERT_EQ(beams[1].entries[0].links.size(), 1u);
  ASSERT_EQ(beams[1].entries[1].links.size(), 1u);
  EXPECT_EQ(beams[1].entries[0].links[0].slot, 2);
  EXPECT_EQ(beams[1].entries[1].links[0].slot, 1);
}

TEST(BeamTraceLinks, AnOpWithoutABeamChoosesNothing) {
  DecisionTrace trace;
  trace.forwardPass = {beamOp(10, {"a", "b"}), beamOp(20, {})};
  trace.edges = {{10, 20, 0, 0, false, ""}};
  TraceFork fork;
  fork.opIndex = 20, fork.chosenCandidateIndex = 0;
  trace.forkResolutions = {fork};
  const std::vector<TracedBeam> beams = inferBeams(trace);
  ASSERT_EQ(beams.size(), 2u);
  EXPECT_EQ(beams[0].chosen, 0);
  EXPECT_EQ(beams[1].chosen, -1);
}

// --- chains ---------------------------------------------------------------------------------------------------------

TEST(ChainTraceText, OpsThatAreNoRowsAndVerdictsThatRefuseNothing) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %x = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  %y = \"ttir.exp\"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  return %y : tensor<64x64xbf16>\n}\n");
  const OpId x = producerOf(graph, "x"), y = producerOf(graph, "y");
  const IdVec<OpId, int32_t> rowOf(1, 7);  // of the first op alone
  ASSERT_TRUE(rowOf.contains(x));
  ASSERT_FALSE(rowOf.contains(y));
  ChainTrace trace;
  trace.schedule = {x, y};
  ChainEvent fine, refused;
  fine.kind = refused.kind = ChainEventKind::ChainStarted;
  fine.op = y;
  fine.verdict = OpVerdict{};
  refused.op = x;
  refused.verdict = OpVerdict{.status = OpStatus::NotImplemented};
  trace.events = {fine, refused};
  JsonWriter w;
  writeChainTrace(w, trace, graph, rowOf);
  const Json json(w.take());
  EXPECT_EQ(json["schedule"].at(0).asInteger(), 7);
  EXPECT_EQ(json["schedule"].at(1).asInteger(), -1);
  EXPECT_EQ(json["events"].at(0).get("op").get("row").asInteger(), -1);
  EXPECT_EQ(json["events"].at(0).get("op").get("name").asString(), "%y");
  EXPECT_FALSE(json["events"].at(0).get("why").present());
  EXPECT_EQ(json["events"].at(1).get("op").get("row").asInteger(), 7);
  EXPECT_TRUE(json["events"].at(1).get("why").present());
}

// The first chain and the first operand have the number 0, and a layout is told wherever it lies.
TEST(ChainTraceText, FirstOnesAndLayoutsInDram) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %x = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  return %x : tensor<64x64xbf16>\n}\n");
  const IdVec<OpId, int32_t> rowOf(graph.ops.size(), 0);
  const auto layoutIn = [](BufferType buffer) {
    return *makeLayout({64, 64}, {DType::BF16, buffer, TensorMemoryLayout::Interleaved, PageLayout::Tile, {1, 1}},
                       n150());
  };
  ChainTrace trace;
  ChainEvent first, none;
  first.kind = none.kind = ChainEventKind::ChainStarted;
  first.op = none.op = producerOf(graph, "x");
  first.chain = first.other = first.operand = 0;
  first.layout = layoutIn(BufferType::DRAM);
  none.layout = layoutIn(BufferType::L1);
  trace.events = {first, none};
  trace.dispatches = {{first.op, layoutIn(BufferType::DRAM), std::nullopt, Bytes(5)}};
  JsonWriter w;
  writeChainTrace(w, trace, graph, rowOf);
  const Json json(w.take());
  const JsonValue event = json["events"].at(0), other = json["events"].at(1);
  for (const char* key : {"chain", "other", "operand"}) {
    EXPECT_EQ(event.get(key).asInteger(), 0) << key;
    EXPECT_FALSE(other.get(key).present()) << key;
  }
  EXPECT_FALSE(event.get("before").present());
  EXPECT_EQ(event.get("layout").asString(), layoutText(*first.layout));
  EXPECT_NE(event.get("layout").asString(), other.get("layout").asString());
  EXPECT_EQ(json["dispatches"].at(0).get("input").asString(), layoutText(*first.layout));
  EXPECT_EQ(json["dispatches"].at(0).get("output").kind(), JsonKind::Null);
}

// What has no layout, or is no tensor, lies nowhere: no chain begins with it or goes on through it.
TEST(ChainLinks, WhatHasNoLayoutIsInNoChain) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("main");
  graph.forward = func;
  std::vector<SimStep> steps;
  const auto op = [&](const std::vector<ValueId>& reads, ValueType type) {
    const OpId made =
        builder.append(func, {.kind = OpKind::Opaque, .name = "x.op", .operands = reads, .resultTypes = {type}});
    steps.emplace_back().op = made;
    return graph.ops[made].results[0];
  };
  ValueType placed = tensor({64, 64}), token;
  placed.tensor->layout = *makeLayout({64, 64}, {.buffer = BufferType::L1, .grid = n150().grid}, n150());
  token.opaque = "!x.token";
  const ValueId bare = op({}, tensor({64, 64})), opaque = op({bare}, token), there = op({opaque, bare}, placed);
  op({bare, opaque, there}, tensor({64, 64}));
  const L1Chains found = findChains(graph, steps);
  ASSERT_EQ(found.chains.size(), 1u);
  EXPECT_EQ(found.chains[0].steps, (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(found.chainOfStep, (std::vector<int32_t>{-1, -1, 0, 0}));
}

// --- tables ---------------------------------------------------------------------------------------------------------

// No line of a table ends in blanks, whatever its last cell is.
TEST(CompareText, LinesDoNotEndInBlanks) {
  RunComparison comparison;
  comparison.runs = {{.label = "a long label"}, {.label = ""}};
  comparison.differences = {{"%long_name", "ttnn.something", {"DRAM"}, {1}}, {"%a", "x", {}, {}}, {"", "", {}, {}}};
  const std::string text = comparisonText(comparison, true);
  EXPECT_EQ(text.find(" \n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n%a  x\n\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\na long label  not run\n"), std::string::npos) << text;
}

TEST(RunRowText, NumbersBeyondADoubleAreTexts) {
  RunRow row;
  row.time = (int64_t{1} << 60) + 1;
  JsonWriter w;
  writeRunRow(w, row);
  std::string text = w.take();
  EXPECT_NE(text.find("\"1152921504606846977\""), std::string::npos) << text;
  const Json large(text);
  const std::optional<RunRow> again = readRunRow(large.document.root());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->time, row.time);
  for (const char* other : {"\"\"", "\"abc\"", "\"12 ns\"", "\"+1\"", "\"9223372036854775808\"", "null", "true"}) {
    std::string changed = text;
    const Json none(changed.replace(changed.find("\"1152921504606846977\""), 21, other));
    EXPECT_FALSE(readRunRow(none.document.root()).has_value()) << other;
  }
}

TEST(StepText, EveryVerdictHasItsName) {
  const std::pair<RunVerdict, std::string_view> kNames[] = {{RunVerdict::Fine, "fine"},
                                                            {RunVerdict::UseAfterFree, "use_after_free"},
                                                            {RunVerdict::OutOfMemory, "out_of_memory"},
                                                            {RunVerdict::Clash, "clash"}};
  for (const auto& [verdict, name] : kNames) EXPECT_EQ(runVerdictName(verdict), name);
}

// --- runs that lack a part ------------------------------------------------------------------------------------------

const std::string kThree =
    "func.func @main(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<256x256xbf16>) -> tensor<256x256xbf16> loc(\"one\")\n"
    "  %1 = \"ttir.exp\"(%0) : (tensor<256x256xbf16>) -> tensor<256x256xbf16> loc(\"two\")\n"
    "  %2 = \"ttir.add\"(%1, %b) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16> "
    "loc(\"three\")\n"
    "  return %2 : tensor<256x256xbf16>\n}\n";

// A run of the three ops that a test may change.
struct ChangedRun {
  Session session;
  std::unique_ptr<FinishedRun> finished;

  explicit ChangedRun(const char* policy, const std::string& text = kThree) {
    session.load("three", text);
    Options options;
    options.policy = policy;
    finished = runPolicy(session, options, Diagnostics());
    EXPECT_TRUE(finished->report.run);
  }
  RunOutcome& run() { return *finished->report.run; }
  Report& report() { return finished->report; }
  // The first step of the program whose op has this name.
  size_t stepOf(std::string_view name) {
    const CarriedOut& program = *run().program;
    for (size_t i = 0; i < program.sim.steps.size(); ++i)
      if (program.applied.graph.ops[program.sim.steps[i].op].name == name) return i;
    ADD_FAILURE() << name;
    return 0;
  }
  // Its result has no layout any more.
  void forgetLayout(std::string_view name) {
    const size_t step = stepOf(name);
    CarriedOut& program = ownProgram(run());
    const Op& op = program.applied.graph.ops[program.sim.steps[step].op];
    program.applied.graph.values.edit(op.results.at(0)).type.tensor->layout.reset();
  }
};

TEST(Reports, OfNothingAreNotFine) {
  ChangedRun changed("Greedy");
  EXPECT_TRUE(changed.report().ok());
  Report lacking = changed.report();
  lacking.diagnostics = nullptr;
  EXPECT_FALSE(lacking.ok());
  lacking = changed.report();
  lacking.run.reset();
  EXPECT_FALSE(lacking.ok());
  EXPECT_FALSE(Report().ok());
  const Json whole(reportJson(changed.report()));
  EXPECT_EQ(whole["device"].get("id").asString(), "n150");
  Report nowhere = changed.report();
  nowhere.run.reset();
  nowhere.device = nullptr;
  const Json json(reportJson(nowhere));
  EXPECT_TRUE(json["device"].present());
  EXPECT_FALSE(json["device"].isObject());
  EXPECT_FALSE(json["ok"].asBool().value_or(true));
}

TEST(Reports, ValuesWithoutALayoutAndResultsElsewhere) {
  ChangedRun changed("Greedy");
  const Json before(reportJson(changed.report()));
  const size_t relu = changed.stepOf("ttnn.relu"), exp = changed.stepOf("ttnn.exp");
  changed.forgetLayout("ttnn.relu");
  const TensorLayout there = *makeLayout({256, 256}, {}, n150());
  ownProgram(changed.run()).sim.steps[exp].produced = there;
  const Json after(reportJson(changed.report()));
  const auto valueOf = [](const Json& json, size_t row) {
    return json["run"].get("values").at(
        static_cast<size_t>(json["run"].get("rows").at(row).get("results").at(0).asInteger().value_or(0)));
  };
  EXPECT_GE(valueOf(before, relu).get("layout").asInteger().value_or(-1), 0);
  EXPECT_EQ(valueOf(after, relu).get("layout").asInteger(), -1);
  EXPECT_EQ(valueOf(after, relu).get("shape").asString(), valueOf(before, relu).get("shape").asString());
  EXPECT_EQ(before["run"].get("rows").at(exp).get("produced").asInteger(), -1);
  const int64_t produced = after["run"].get("rows").at(exp).get("produced").asInteger().value_or(-1);
  ASSERT_GE(produced, 0);
  EXPECT_EQ(after["run"].get("layouts").at(static_cast<size_t>(produced)).get("text").asString(), layoutText(there));
  EXPECT_EQ(after["run"].get("totals").get("l1Results").asInteger().value_or(-9),
            before["run"].get("totals").get("l1Results").asInteger().value_or(-1) - 1);
}

// Steps of a policy's schedule that are none have no row.
TEST(Reports, StepsOutsideOfTheScheduleHaveNoRow) {
  ChangedRun changed("DFSharding");
  ASSERT_TRUE(changed.run().log.chain);
  const OpId op = changed.run().plan.order.at(0);
  changed.run().log.chain->reservations = {{op, -1, 999, Bytes(5)}, {op, 0, 1, Bytes(6)}};
  const std::string text = reportJson(changed.report());
  EXPECT_NE(text.find("\"from\":-1,\"to\":-1,\"bytes\":5}"), std::string::npos);
  EXPECT_EQ(text.find("\"from\":-1,\"to\":-1,\"bytes\":6}"), std::string::npos);
  EXPECT_NE(text.find("\"bytes\":6}"), std::string::npos);
}

TEST(TraceEvents, OfNoStepsAndOfNoLayout) {
  ChangedRun changed("Greedy");
  const auto layouts = [&] {
    const std::string text = traceEventJson(changed.report());
    size_t count = 0;
    for (size_t at = 0; (at = text.find("\"layout\":", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const size_t before = layouts();
  changed.forgetLayout("ttnn.exp");
  EXPECT_EQ(layouts(), before - 1);
  EXPECT_NE(traceEventJson(changed.report()).find("L1 free per core"), std::string::npos);
  ownProgram(changed.run()).sim.steps.clear();
  const std::string none = traceEventJson(changed.report());
  EXPECT_EQ(none.find("L1 free per core"), std::string::npos);
  EXPECT_NE(none.find("thread_name"), std::string::npos);
}

TEST(ModelExplorer, AValueWithoutALayoutHasNoPlace) {
  ChangedRun changed("Greedy");
  const std::string name =
      changed.run().program->applied.graph.funcs[changed.run().program->applied.graph.forward].name;
  const size_t step = changed.stepOf("ttnn.exp");
  const auto placed = [&] {
    const Json places(nodeDataJson(changed.report(), NodeData::Place));
    return places[name].get("results").get(std::to_string(step)).present();
  };
  const auto layouts = [&] {
    const std::string text = modelExplorerJson(changed.report());
    size_t count = 0;
    for (size_t at = 0; (at = text.find("\"key\":\"layout\"", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_TRUE(placed());
  const size_t before = layouts();
  changed.forgetLayout("ttnn.exp");
  EXPECT_FALSE(placed());
  EXPECT_EQ(layouts(), before - 1);
}

TEST(OverrideText, AResultWithoutALayoutIsNotFixed) {
  ChangedRun changed("Greedy");
  const std::string before = overrideText(changed.run());
  ASSERT_NE(before.find("one="), std::string::npos) << before;
  for (OpId op : changed.run().plan.order) {
    const Op& o = changed.run().problem->graph.ops[op];
    if (o.loc == "one") changed.run().plan.layout[o.results.at(0)].reset();
  }
  const std::string after = overrideText(changed.run());
  EXPECT_EQ(after.find("one="), std::string::npos) << after;
  EXPECT_NE(after.find("two="), std::string::npos) << after;
}

TEST(PlanText, OnlyWhatIsProvenIsSaidToBe) {
  ChangedRun changed("Greedy");
  EXPECT_EQ(spillingText(changed.run()), "");
  SpillTrace& trace = changed.run().log.spilling.emplace();
  trace.strategy = "certified", trace.cost = 5, trace.carriedOut = 6, trace.lowerBound = 4;
  EXPECT_NE(spillingText(changed.run()).find("carried out 6 ns  bound 4 ns  farthest"), std::string::npos);
  trace.proven = true;
  EXPECT_NE(spillingText(changed.run()).find("carried out 6 ns  bound 4 ns (proven)  farthest"), std::string::npos);
}

// Of a program without steps nothing is counted by step: no op, no headroom, no room beside what left L1.
TEST(RunRows, OfNoStepsCountNone) {
  ChangedRun changed("DRAM");
  const std::vector<Loss> losses = findLosses(changed.run());
  const RunRow before = rowOf(changed.run(), losses);
  EXPECT_EQ(before.ops, 3);
  EXPECT_GT(before.meanHeadroom, 0);
  EXPECT_GT(before.roomLeft, 0);
  ownProgram(changed.run()).sim.steps.clear();
  const RunRow after = rowOf(changed.run(), losses);
  EXPECT_EQ(after.ops, 0);
  EXPECT_EQ(after.meanHeadroom, 0);
  EXPECT_EQ(after.roomLeft, 0);
  EXPECT_EQ(after.inDram, before.inDram);
  const Loss& loss = losses.at(0);
  const LossFigures figures = lossFigures(changed.run(), loss, rowsOf(changed.run()));
  EXPECT_EQ(figures.opStep, -1);
  EXPECT_EQ(figures.step, -1);
  EXPECT_EQ(figures.leastFreeStep, -1);
  EXPECT_GT(figures.readers, 0) << "the readers do not depend on the steps";
}

// --- why values left L1 ---------------------------------------------------------------------------------------------

TEST(LossCauses, AMoveHasTheCauseThatItWasMadeFor) {
  ChangedRun changed("Greedy");
  RunOutcome& run = changed.run();
  const Graph& graph = run.problem->graph;
  const OpId last = run.plan.order.at(2);
  const ValueId value = graph.ops[run.plan.order.at(0)].results.at(0);
  ASSERT_TRUE(run.plan.layout[value]->isL1());
  const TensorLayout dram = *makeLayout({256, 256}, {}, n150()), l1 = *run.plan.layout[value];
  const auto causes = [&](SpillCause cause, const TensorLayout& to) {
    run.plan.spills = {{value, last, to, cause}};
    std::string text;
    for (const Loss& loss : findLosses(run))
      if (loss.value == value) text += std::string(lossCauseName(loss.cause)) + (loss.wasInL1 ? " from L1" : "") + ";";
    return text;
  };
  EXPECT_EQ(causes(SpillCause::Constraint, dram), "constraint from L1;");
  EXPECT_EQ(causes(SpillCause::Memory, dram), "memory from L1;");
  EXPECT_EQ(causes(SpillCause::FunctionReturn, dram), "return from L1;");
  for (SpillCause cause : {SpillCause::Constraint, SpillCause::Memory, SpillCause::FunctionReturn, SpillCause::Shared})
    EXPECT_EQ(causes(cause, l1), "") << "it stays in L1";
}

// A result in DRAM that its reader would take from L1 lies there by choice, unless the trace says that L1 was full.
TEST(LossCauses, WhatTheTraceSaysWasSentToDram) {
  ChangedRun changed("DRAM");
  RunOutcome& run = changed.run();
  const ValueId value = run.problem->graph.ops[run.plan.order.at(0)].results.at(0);
  const auto cause = [&] {
    for (const Loss& loss : findLosses(run))
      if (loss.value == value) return std::string(lossCauseName(loss.cause));
    return std::string();
  };
  run.log.propagation.reset();
  EXPECT_EQ(cause(), "choice");
  DecisionTrace& decisions = run.log.propagation.emplace().decisions;
  decisions.spillManagement.reset();
  EXPECT_EQ(cause(), "choice") << "a trace without its second pass";
  TraceSpillEvent event;
  event.victimName = "%" + run.problem->graph.values[value].name;
  for (const auto& [action, expected] :
       {std::pair{"demote_to_dram", "memory"}, {"all_dram", "memory"}, {"evict", "choice"}, {"", "choice"}}) {
    event.action = action;
    decisions.spillManagement.emplace().events = {event};
    EXPECT_EQ(cause(), expected) << action;
  }
  event.action = "demote_to_dram", event.victimName += "0";
  decisions.spillManagement->events = {event};
  EXPECT_EQ(cause(), "choice") << "of another value";
}

// A copy in DRAM of what was nowhere else is no loss.
TEST(LossCauses, ACopyForAReaderCountsWhereTheValueWasInL1) {
  ChangedRun changed("Greedy");
  RunOutcome& run = changed.run();
  const Graph& graph = run.problem->graph;
  const OpId first = run.plan.order.at(0), second = run.plan.order.at(1);
  const TensorLayout dram = *makeLayout({256, 256}, {}, n150());
  const ValueId argument = graph.ops[first].operands.at(0), value = graph.ops[second].operands.at(0);
  run.plan.spills.clear();
  run.plan.reshards = {{first, 0, dram}, {second, 0, dram}};
  const auto lost = [&](ValueId which) {
    const std::vector<Loss> losses = findLosses(run);
    return std::count_if(losses.begin(), losses.end(), [&](const Loss& loss) { return loss.value == which; });
  };
  EXPECT_EQ(lost(value), 1);
  EXPECT_EQ(lost(argument), 0) << "it lies in DRAM";
  run.plan.layout[argument].reset();
  EXPECT_EQ(lost(argument), 0) << "nobody placed it";
  run.plan.reshards[1].to = *run.plan.layout[value];
  EXPECT_EQ(lost(value), 0) << "a copy in L1";
}

// Of the refusals the first of the loss's kind counts: for want of memory, or for another reason.
TEST(LossCauses, TheRefusalIsOfTheCausesKind) {
  ChangedRun changed("DRAM");
  RunOutcome& run = changed.run();
  const OpId op = run.plan.order.at(0);
  const ValueId value = run.problem->graph.ops[op].results.at(0);
  const TensorLayout dram = *makeLayout({256, 256}, {}, n150()),
                     small = *makeLayout({256, 256}, {.buffer = BufferType::L1, .grid = {8, 8}}, n150()),
                     large = *makeLayout({256, 256}, {.buffer = BufferType::L1, .grid = {2, 2}}, n150());
  const OpVerdict full{.status = OpStatus::OutOfMemory}, never{.status = OpStatus::NotImplemented};
  std::vector<RejectedLayout>& rejected = changed.finished->problem->legal[op].rejected;
  const auto bytes = [&](LossCause cause) {
    return lossFigures(run, {value, cause, false, op, {}}, rowsOf(run)).bytes.count;
  };
  rejected = {{dram, never}, {large, full}, {small, never}};
  EXPECT_EQ(bytes(LossCause::Memory), l1BytesPerCore(large).count);
  EXPECT_EQ(bytes(LossCause::Constraint), l1BytesPerCore(small).count);
  rejected = {{small, never}, {large, full}};
  EXPECT_EQ(bytes(LossCause::Memory), l1BytesPerCore(large).count);
  rejected = {{dram, never}, {large, full}};
  const LossFigures none = lossFigures(run, {value, LossCause::Constraint, false, op, {}}, rowsOf(run));
  EXPECT_EQ(none.refusedBy, "") << "no place in L1 was refused but for want of memory";
  EXPECT_EQ(none.bytes.count, 0);
  EXPECT_EQ(none.readers, 1);
}

// --- figures of the compiler ----------------------------------------------------------------------------------------

struct MetricGraph {
  Graph graph;
  GraphBuilder builder{graph};
  FuncId func = builder.addFunction("main");
  int arguments = 0;

  MetricGraph() { graph.forward = func; }
  static ValueType placed(const Shape& shape, const LayoutRequest& request = {}) {
    ValueType type = tensor(shape, DType::BF16);
    type.tensor->layout = *makeLayout(shape, request, n150());
    return type;
  }
  ValueId argument(const Shape& shape, ArgRole role = ArgRole::Input) {
    return builder.addArgument(func, "a" + std::to_string(arguments++), placed(shape), role);
  }
  ValueId append(OpKind kind, const std::vector<ValueId>& operands, const ValueType& result, AttrList attrs = {},
                 const std::string& loc = "") {
    OpSpec spec = makeOp(kind, operands, {result});
    spec.attrs = std::move(attrs);
    spec.loc = loc;
    return graph.ops[builder.append(func, std::move(spec))].results[0];
  }
  std::string text() const { return perfMetricsJson(graph, n150(), true); }
  int64_t flops() const { return Json(text())["flops"].get("total_flops").asInteger().value_or(-1); }
};

// Quotes, backslashes and brackets in a name do not end it.
TEST(PerfMetricsText, NamesAreWrittenAsTheyAre) {
  for (const std::string name : {"a\"b", "a\\", "a\\\"", "{a:[b,c]}", "\\\\\"]", "line\nend"}) {
    MetricGraph metrics;
    metrics.append(OpKind::TtnnRelu, {metrics.argument({64, 64})}, MetricGraph::placed({64, 64}), {}, name);
    const Json json(metrics.text());
    EXPECT_EQ(json["operations"].at(0).get("location").asString(), name);
    EXPECT_EQ(json["operations"].size(), 1u);
  }
}

// Additions of an exchange: one element less than there are chips along the axis.
TEST(PerfMetricsText, TheMeshIsThatOfTheDeviceAttribute) {
  const auto flops = [](const std::string& name, const std::string& value, int64_t axis) {
    MetricGraph metrics;
    metrics.graph.attrs.push_back({name, stringAttr(value)});
    metrics.append(OpKind::TtnnAllReduce, {metrics.argument({64, 64})}, MetricGraph::placed({64, 64}),
                   {{"cluster_axis", intAttr(axis)}, {"reduce_type", rawAttr("#ttcore.reduce_type<sum>")}});
    return metrics.flops();
  };
  const int64_t elements = 64 * 64;
  EXPECT_EQ(flops("ttcore.device", "<meshShape = 2x4, chipIds = [0]>", 1), elements * 3 / 4);
  EXPECT_EQ(flops("ttcore.device", "meshShape = 2x4", 1), elements * 3 / 4) << "the text ends with it";
  EXPECT_EQ(flops("ttcore.device", "meshShape = 2x4", 0), elements / 2);
  EXPECT_EQ(flops("ttcore.device", "<meshShape = 2x, 8>", 1), 0) << "one axis";
  EXPECT_EQ(flops("ttcore.device", "<meshShape = >", 0), 0);
  EXPECT_EQ(flops("ttcore.device", "<meshShape = x8>", 0), elements * 7 / 8) << "what is no number is no axis";
  EXPECT_EQ(flops("ttcore.device", "<mesh = 2x4>", 1), 0);
  EXPECT_EQ(flops("ttcore.device", "workerGrids2x4", 1), 0);
  EXPECT_EQ(flops("ttcore.device", "<meshShape = 1000000x4>", 1), elements * 3 / 4);
  EXPECT_EQ(flops("ttcore.device", "<meshShape = 99999999999999999999x4>", 1), 0) << "no mesh has so many";
  EXPECT_EQ(flops("ttcore.devices", "<meshShape = 2x4>", 1), 0);
}

TEST(PerfMetricsText, AttentionOfFewDimsAndWithoutAMask) {
  const auto flops = [](const Shape& keys, AttrList attrs) {
    MetricGraph metrics;
    const ValueId query = metrics.argument({1, 8, 64, 32}), key = metrics.argument(keys);
    metrics.append(OpKind::TtnnScaledDotProductAttention, {query, key, key}, MetricGraph::placed({1, 8, 64, 32}),
                   std::move(attrs));
    return metrics.flops();
  };
  const int64_t whole = int64_t{4} * 8 * 64 * 32 * 96;
  EXPECT_EQ(flops({1, 8, 96, 32}, {{"is_causal", boolAttr(false)}}), whole);
  EXPECT_EQ(flops({1, 8, 96, 32}, {{"is_causal", boolAttr(true)}}), whole / 2);
  EXPECT_EQ(flops({32}, {}), int64_t{4} * 8 * 64 * 32) << "one key";
}

// A number has no inner size to multiply along.
TEST(PerfMetricsText, ProductsOfASingleNumberAreNotCounted) {
  MetricGraph metrics;
  metrics.append(OpKind::TtnnMatmul, {metrics.argument({}), metrics.argument({32, 32})}, MetricGraph::placed({32}));
  EXPECT_EQ(metrics.flops(), 0);
}

// What a move leads to in DRAM was spilled; where it leads nowhere that is known, it stayed.
TEST(PerfMetricsText, AMoveWithoutALayoutIsNoSpill) {
  const auto spilled = [](const ValueType& to) {
    MetricGraph metrics;
    const ValueId there = metrics.append(OpKind::TtnnRelu, {metrics.argument({64, 64})},
                                         MetricGraph::placed({64, 64}, {.buffer = BufferType::L1, .grid = {8, 8}}));
    metrics.append(OpKind::TtnnToMemoryConfig, {there}, to);
    return Json(metrics.text())["summary"].get("dram_spilled_ops").asInteger();
  };
  EXPECT_EQ(spilled(MetricGraph::placed({64, 64})), 1);
  EXPECT_EQ(spilled(tensor({64, 64}, DType::BF16)), 0);
  ValueType token;
  token.opaque = "!x.token";
  EXPECT_EQ(spilled(token), 0);
}

}  // namespace
}  // namespace tessera::test
