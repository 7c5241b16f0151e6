// Every figure of a run under its own name: a run whose figures were all replaced by different numbers, in the report,
// the row of studies, the trace for viewers and the tables of ops.

#include <cmath>

#include "core/driver/pipeline.h"
#include "core/report/run_row.h"
#include "core/report/trace_event_json.h"
#include "core/study/run_lines.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

// A run of two ops and the return, whose second step has figures of its own.
struct MadeUp {
  Session session;
  std::unique_ptr<FinishedRun> finished;
  CarriedOut* program = nullptr;  // of the run

  MadeUp() {
    session.load("made.mlir",
                 "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
                 "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"first\")\n"
                 "  %1 = \"ttir.exp\"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"second\")\n"
                 "  return %1 : tensor<64x64xbf16>\n}\n");
    Options options;
    options.policy = "DRAM";
    finished = runPolicy(session, options, Diagnostics());
    EXPECT_TRUE(finished->report.run);
    program = &ownProgram(run());
    SimStep& s = step(1);
    s.time = {Nanoseconds(11), Nanoseconds(120), Nanoseconds(1300), Nanoseconds(140), 150, 160, 17};
    s.bound = Bound::Dram;
    s.constraints = {Bytes(210), Bytes(211), Bytes(220), Bytes(230), Bytes(240)};
    s.tensorsL1 = Bytes(310);
    s.circularBuffersL1 = Bytes(320);
    s.circularBuffers = {{"cb0", 410, 420}, {"cb1", 411, 421}};
    s.backedBuffers = {{"lent", 2, 430, DType::BF16, BackedBy::Operand, 1}};
    s.rule = {"the rule", "its source"};
    s.l1 = {510, 520, 390};
    s.dram = {540, 550, 560};
    s.refusal = "not so";
  }
  RunOutcome& run() const { return *finished->report.run; }
  SimStep& step(size_t i) const { return program->sim.steps.at(i); }
  std::unique_ptr<Json> report() const { return std::make_unique<Json>(reportJson(finished->report)); }
};

void expectNumbers(JsonValue object, const std::vector<std::pair<const char*, int64_t>>& fields) {
  for (const auto& [name, number] : fields) EXPECT_EQ(object.get(name).asInteger(), number) << name;
}

TEST(AnswerFields, OfARow) {
  const MadeUp made;
  const auto report = made.report();
  const JsonValue row = (*report)["run"].get("rows").at(1);
  EXPECT_EQ(row.get("op").asString(), "ttnn.exp");
  EXPECT_EQ(row.get("label").asString(), "second");
  EXPECT_EQ(row.get("kind").asString(), "op");
  EXPECT_EQ(row.get("family").asString(), "EltwiseUnary");
  EXPECT_EQ(row.get("place").get("line").asInteger(), 3);
  EXPECT_EQ(row.get("place").get("column").asInteger(), 3);
  expectNumbers(row, {{"cores", 17}, {"dramBytes", 150}, {"nocBytes", 160}, {"produced", -1}, {"freedOperand", -1}});
  expectNumbers(row.get("time"), {{"total", 1311}, {"fixed", 11}, {"compute", 120}, {"dram", 1300}, {"noc", 140}});
  EXPECT_EQ(row.get("bound").asString(), "dram");
  expectNumbers(row.get("constraints"), {{"circularBuffers", 210}, {"tensors", 220}, {"peak", 230}, {"output", 240}});
  expectNumbers(row.get("l1"),
                {{"tensors", 310}, {"circularBuffers", 320}, {"peak", 630}, {"free", 520}, {"largestHole", 390}});
  expectNumbers(row.get("dram"), {{"used", 540}, {"free", 550}, {"largestHole", 560}});
  ASSERT_EQ(row.get("circularBuffers").size(), 2u);
  EXPECT_EQ(row.get("circularBuffers").at(0).get("name").asString(), "cb0");
  expectNumbers(row.get("circularBuffers").at(1), {{"address", 411}, {"bytes", 421}});
  ASSERT_EQ(row.get("backedBuffers").size(), 1u);
  EXPECT_EQ(row.get("backedBuffers").at(0).get("name").asString(), "lent");
  expectNumbers(row.get("backedBuffers").at(0), {{"bytes", 430}, {"operand", 1}});
  EXPECT_EQ(row.get("rule").get("name").asString(), "the rule");
  EXPECT_EQ(row.get("rule").get("source").asString(), "its source");
  EXPECT_EQ(row.get("refusal").asString(), "not so");
  EXPECT_EQ(row.get("verdict").kind(), JsonKind::Null);
  EXPECT_EQ((*report)["run"].get("rows").at(2).get("kind").asString(), "terminator");
}

TEST(AnswerFields, OfVerdictsDefectsAndEvents) {
  for (const auto& [verdict, name] :
       {std::pair{RunVerdict::UseAfterFree, "use_after_free"}, std::pair{RunVerdict::OutOfMemory, "out_of_memory"},
        std::pair{RunVerdict::Clash, "clash"}}) {
    const MadeUp made;
    made.step(1).verdict = verdict;
    made.step(1).verdictText = "it went wrong";
    const auto report = made.report();
    const JsonValue told = (*report)["run"].get("rows").at(1).get("verdict");
    EXPECT_EQ(told.get("kind").asString(), name);
    EXPECT_EQ(told.get("text").asString(), "it went wrong");
  }
  const MadeUp made;
  const Graph& graph = made.program->applied.graph;
  const ValueId value = graph.ops[made.step(1).op].results[0];
  EXPECT_TRUE(made.finished->report.ok());
  made.run().defects = {{"plan", "one rule", "one text"}, {"run", "another rule", "another text"}};
  made.program->sim.events = {
      {1, EventKind::Alloc, value, DeviceMemory::L1, 1000, 2000, 0},
      {1, EventKind::Alias, value, DeviceMemory::L1, 1001, 2001, 0},
      {1, EventKind::Run, {}, DeviceMemory::L1, 0, 0, -1},
      {2, EventKind::Free, {}, DeviceMemory::L1Small, 1002, 2002, 0},
      {2, EventKind::Alloc, value, DeviceMemory::Dram, 1003, 2003, 0},
      {2, EventKind::OutOfMemory, value, DeviceMemory::Dram, 1004, 2004, -1},
      {3, EventKind::Clash, {}, DeviceMemory::L1, 1005, 2005, -1},
  };
  EXPECT_FALSE(made.finished->report.ok()) << "a defect is never fine";
  const auto report = made.report();
  EXPECT_EQ((*report)["ok"].asBool(), false);
  const JsonValue defects = (*report)["run"].get("defects"), events = (*report)["run"].get("events");
  ASSERT_EQ(defects.size(), 2u);
  EXPECT_EQ(defects.at(0).get("checker").asString(), "plan");
  EXPECT_EQ(defects.at(0).get("rule").asString(), "one rule");
  EXPECT_EQ(defects.at(0).get("text").asString(), "one text");
  EXPECT_EQ(defects.at(1).get("checker").asString(), "run");
  EXPECT_EQ(defects.at(1).get("rule").asString(), "another rule");
  ASSERT_EQ(events.size(), 5u) << "neither runs nor what lies in DRAM, but what found no room there";
  const char* const kinds[] = {"alloc", "alias", "free", "out_of_memory", "clash"};
  const char* const spaces[] = {"l1", "l1", "l1_small", "dram", "l1"};
  const int64_t steps[] = {1, 1, 2, 2, 3}, addresses[] = {1000, 1001, 1002, 1004, 1005};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(events.at(i).get("kind").asString(), kinds[i]);
    EXPECT_EQ(events.at(i).get("space").asString(), spaces[i]);
    expectNumbers(events.at(i), {{"step", steps[i]}, {"address", addresses[i]}, {"bytes", addresses[i] + 1000}});
    const int64_t told = events.at(i).get("value").asInteger().value_or(-2);
    EXPECT_EQ(told >= 0 ? (*report)["run"].get("values").at(static_cast<size_t>(told)).get("name").asString() : "",
              i == 2 || i == 4 ? "" : "%" + graph.values[value].name);
  }
}

TEST(AnswerFields, OfTotalsAddressesAndBuffers) {
  const MadeUp made;
  SimResult& sim = made.program->sim;
  sim.time = Nanoseconds(71);
  sim.dramBytes = 72;
  sim.peakL1 = Bytes(73);
  sim.peakStep = 2;
  sim.peakDramPerBank = 75;
  sim.failures = 76;
  sim.refused = 77;
  made.program->placement = {810, 820, 830, "search", {840, -1}};
  sim.buffers = {
      {{}, "halo", DeviceMemory::L1Small, 91, 92, 1, 2, -1},
      {made.program->applied.graph.ops[made.step(1).op].results[0], "", DeviceMemory::Dram, 93, 94, 0, 2, 0}};
  made.run().log.warnings = {"first warning", "second warning"};
  const auto report = made.report();
  const JsonValue run = (*report)["run"];
  expectNumbers(run.get("totals"), {{"time", 71},
                                    {"ops", 2},
                                    {"dramBytes", 72},
                                    {"spills", 0},
                                    {"returns", 0},
                                    {"l1Results", 0},
                                    {"peakL1", 73},
                                    {"peakStep", 2},
                                    {"peakDramPerBank", 75},
                                    {"chains", 0},
                                    {"failures", 76},
                                    {"refused", 77}});
  expectNumbers(run.get("placement"), {{"firstFit", 810}, {"planned", 820}, {"bound", 830}, {"fragmentation", -10}});
  EXPECT_EQ(run.get("placement").get("proven").asBool(), false);
  EXPECT_EQ(run.get("placement").get("method").asString(), "search");
  EXPECT_EQ(run.get("placement").get("addresses").at(0).asInteger(), 840);
  EXPECT_EQ(run.get("placement").get("addresses").at(1).asInteger(), -1);
  ASSERT_EQ(run.get("buffers").size(), 2u);
  EXPECT_EQ(run.get("buffers").at(0).get("name").asString(), "halo");
  EXPECT_EQ(run.get("buffers").at(0).get("space").asString(), "l1_small");
  expectNumbers(run.get("buffers").at(0),
                {{"value", -1}, {"address", 91}, {"bytes", 92}, {"from", 1}, {"to", 2}, {"aliasOf", -1}});
  EXPECT_EQ(run.get("buffers").at(1).get("space").asString(), "dram");
  expectNumbers(run.get("buffers").at(1), {{"address", 93}, {"bytes", 94}, {"from", 0}, {"to", 2}, {"aliasOf", 0}});
  const JsonValue intermediates = run.get("rows").at(1).get("intermediates");
  ASSERT_EQ(intermediates.size(), 1u) << "of the step in which it is made";
  EXPECT_EQ(intermediates.at(0).get("name").asString(), "halo");
  EXPECT_EQ(intermediates.at(0).get("space").asString(), "l1_small");
  EXPECT_EQ(intermediates.at(0).get("bytes").asInteger(), 92);
  EXPECT_EQ(run.get("rows").at(0).get("intermediates").size(), 0u);
  ASSERT_EQ(run.get("warnings").size(), 2u);
  EXPECT_EQ(run.get("warnings").at(1).asString(), "second warning");
}

// Tensors in L1 that overlap in time: ends count as theirs, views and what is no tensor's do not.
TEST(AnswerFields, OfTheRowOfAStudy) {
  const MadeUp made;
  SimResult& sim = made.program->sim;
  const Graph& graph = made.program->applied.graph;
  const ValueId first = graph.ops[made.step(0).op].results[0], second = graph.ops[made.step(1).op].results[0];
  const auto most = [&](std::vector<SimBuffer> buffers) {
    sim.buffers = std::move(buffers);
    return rowOf(made.run(), {}).mostInL1;
  };
  const auto in = [](ValueId value, int32_t from, int32_t to, DeviceMemory space = DeviceMemory::L1,
                     int32_t owner = -1) { return SimBuffer{value, "", space, 0, 64, from, to, owner}; };
  EXPECT_EQ(most({}), 0);
  EXPECT_EQ(most({in(first, 0, 1), in(second, 1, 2)}), 2) << "both are there in step 1";
  EXPECT_EQ(most({in(first, 0, 0), in(second, 1, 2)}), 1);
  EXPECT_EQ(most({in(first, -1, 2), in(second, 1, 1, DeviceMemory::L1, 0)}), 1) << "a view";
  EXPECT_EQ(most({in(first, -1, 2), in(second, 1, 1, DeviceMemory::Dram)}), 1);
  EXPECT_EQ(most({in(first, -1, 2), in({}, 1, 1)}), 1) << "an intermediate";
  EXPECT_EQ(most({in(first, 2, 2), in(second, 2, 9)}), 2) << "to the end";
  sim.time = Nanoseconds(71);
  sim.dramBytes = 72;
  sim.peakL1 = Bytes(73);
  sim.peakDramPerBank = 75;
  sim.failures = 76;
  sim.refused = 77;
  made.program->placement.firstFit = 78;
  made.program->placement.planned = 79;
  made.run().defects = {{"plan", "a", "b"}, {"run", "c", "d"}};
  const RunRow row = rowOf(made.run(), {});
  EXPECT_EQ(row.ops, 2);
  EXPECT_EQ(row.time, 71);
  EXPECT_EQ(row.dramBytes, 72);
  EXPECT_EQ(row.peakL1, 73);
  EXPECT_EQ(row.peakDramPerBank, 75);
  EXPECT_EQ(row.failures, 76);
  EXPECT_EQ(row.refused, 77);
  EXPECT_EQ(row.firstFit, 78);
  EXPECT_EQ(row.planned, 79);
  EXPECT_EQ(row.defects, 2);
  EXPECT_EQ(row.fragmentation, 250) << "390 of 520 in one hole";
  EXPECT_EQ(row.inDram, 2);
  EXPECT_EQ(row.budget, made.run().problem->budget.bytes().count);
}

// Causes are counted under their names; room is told of what no return cost, and of what has a place alone.
TEST(AnswerFields, OfLossesInTheRowOfAStudy) {
  const MadeUp made;
  const Graph& graph = made.run().problem->graph;
  const OpId op = made.run().plan.order.at(0);
  const ValueId value = graph.ops[op].results[0];
  TensorLayout place = *made.run().plan.layout[value];
  const auto rowWith = [&](LossCause cause, bool wasInL1, std::optional<TensorLayout> candidate) {
    return rowOf(made.run(), {{value, cause, wasInL1, op, std::move(candidate)}});
  };
  constexpr std::pair<LossCause, int64_t RunRow::*> kCounts[] = {{LossCause::Constraint, &RunRow::constraint},
                                                                 {LossCause::Memory, &RunRow::memory},
                                                                 {LossCause::Fork, &RunRow::fork},
                                                                 {LossCause::Operand0, &RunRow::operand0},
                                                                 {LossCause::ChainFailure, &RunRow::chainFailure},
                                                                 {LossCause::Choice, &RunRow::choice},
                                                                 {LossCause::Return, &RunRow::returned}};
  for (const auto& [cause, count] : kCounts) {
    const RunRow row = rowWith(cause, false, place);
    int64_t all = 0;
    for (const auto& other : kCounts) all += row.*other.second;
    EXPECT_EQ(row.*count, 1) << lossCauseName(cause);
    EXPECT_EQ(all, 1) << lossCauseName(cause);
    EXPECT_EQ(row.roomLeft, cause == LossCause::Return ? 0 : 1) << lossCauseName(cause);
    EXPECT_EQ(row.leftL1, 0);
  }
  EXPECT_EQ(rowWith(LossCause::Memory, true, place).leftL1, 1);
  EXPECT_EQ(rowWith(LossCause::Memory, false, std::nullopt).roomLeft, 0);
}

// There is room for a value that takes exactly what the fullest step leaves free, and none for one byte more.
TEST(AnswerFields, RoomThatIsJustEnoughIsEnough) {
  const MadeUp made;
  const Problem& problem = *made.run().problem;
  const OpId op = made.run().plan.order.at(0);
  const ValueId value = problem.graph.ops[op].results[0];
  TensorLayout place = *made.run().plan.layout[value];
  place.buffer = BufferType::L1;
  const Bytes bytes = l1BytesPerCore(place);
  ASSERT_GT(bytes.count, 0);
  const auto roomWith = [&](Bytes used) {
    for (size_t i : {0u, 1u}) {
      made.step(i).tensorsL1 = used;
      made.step(i).circularBuffersL1 = Bytes(0);
    }
    return rowOf(made.run(), {{value, LossCause::Memory, false, op, place}}).roomLeft;
  };
  EXPECT_EQ(roomWith(problem.budget.bytes() - bytes), 1);
  EXPECT_EQ(roomWith(problem.budget.bytes() - bytes + Bytes(1)), 0);
}

// A step's slices begin behind its start, and its layout is the one that was written.
TEST(AnswerFields, OfATrace) {
  const MadeUp made;
  SimStep& first = made.step(0);
  first.time = {Nanoseconds(2000), Nanoseconds(500), Nanoseconds(0), Nanoseconds(400), 5, 6, 7};
  const TensorLayout& asked =
      *made.program->applied.graph.values[made.program->applied.graph.ops[made.step(1).op].results[0]]
           .type.tensor->layout;
  TensorLayout other = asked;
  other.buffer = BufferType::L1;
  made.step(1).produced = other;
  made.step(1).verdict = RunVerdict::Clash;
  made.step(1).verdictText = "it hits";
  const Json trace(traceEventJson(made.finished->report));
  std::string told;
  for (size_t i = 0; i < trace["traceEvents"].size(); ++i) {
    const JsonValue e = trace["traceEvents"].at(i), args = e.get("args");
    const std::string_view phase = e.get("ph").asString().value_or("");
    if (phase == "M" || (phase == "C" && e.get("ts").asNumber() != 2.5)) continue;
    const std::string name(e.get("name").asString().value_or(""));
    told += std::string(phase) + " " + std::to_string(e.get("tid").asInteger().value_or(-1)) + " " +
            name.substr(0, name.find(" %")) + " " +
            std::to_string(std::lround(e.get("ts").asNumber().value_or(-1) * 1000));
    if (phase == "X") told += "+" + std::to_string(std::lround(e.get("dur").asNumber().value_or(-1) * 1000));
    if (phase == "C") told += ": " + std::to_string(args.get("bytes").asInteger().value_or(-1));
    if (phase == "i") told += ": " + std::string(args.get("text").asString().value_or(""));
    if (args.get("location").asString() == "second") {
      EXPECT_EQ(args.get("layout").asString(), layoutText(other));
      EXPECT_EQ(args.get("shape").asString(), "64x64");
      EXPECT_EQ(args.get("bound").asString(), "dram");
      expectNumbers(args, {{"step", 1},
                           {"cores", 17},
                           {"fixed_ns", 11},
                           {"dram_bytes", 150},
                           {"noc_bytes", 160},
                           {"circular_buffers", 320},
                           {"l1_tensors", 310}});
    }
    told += "\n";
  }
  EXPECT_EQ(told,
            "X 1 ttnn.relu 0+2500\nX 2 ttnn.relu 2000+500\nX 4 ttnn.relu 2000+400\n"
            "X 1 ttnn.exp 2500+1311\nC 0 L1 tensors per core 2500: 310\nC 0 Circular buffers per core 2500: 320\n"
            "C 0 L1 free per core 2500: 520\nC 0 L1 largest hole 2500: 390\nC 0 DRAM per bank 2500: 540\n"
            "i 1 clash 2500: it hits\n"
            "X 2 ttnn.exp 2511+120\nX 3 ttnn.exp 2511+1300\nX 4 ttnn.exp 2511+140\n"
            "X 1 func.return 3811+0\n");
}

// What failed is told before what was refused, and control characters never leave.
TEST(AnswerFields, OfTheTableOfOps) {
  const MadeUp made;
  made.step(0).refusal =
      "refused\x7f"
      "and\x01so";
  made.step(1).verdictText = "failed, too";
  const std::string text = opLines(made.run());
  const size_t second = text.find('\n') + 1;
  EXPECT_NE(text.find(",refused and so\n"), std::string::npos) << text;
  EXPECT_EQ(text.compare(second, 7, "1,op,%1"), 0) << text;
  EXPECT_NE(text.find(",17,1311,11,120,1300,140,dram,150,310,320,"), std::string::npos) << text;
  EXPECT_NE(text.find(",0.250,\"failed, too\"\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace tessera::test
