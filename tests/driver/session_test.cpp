// A session keeps what it finds out. Whatever was run before, an answer has the same bytes as a first one.

#include <set>

#include "core/driver/pipeline.h"
#include "core/driver/regret.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

struct Asked {
  std::string_view device = "n150";
  std::string_view policy = "Exact";
  int64_t capPermille = 1000;
  int64_t gridRows = kMostGridSide;
  std::string layoutOverride = {};
};

std::string answer(Session& session, const Asked& asked) {
  Options options;
  options.device = asked.device;
  options.policy = asked.policy;
  options.l1UsageCapPermille = asked.capPermille;
  options.maxGridRows = asked.gridRows;
  options.overrideOutputLayout = asked.layoutOverride;
  const auto finished = runPolicy(session, options, Diagnostics());
  return reportJson(finished->report) + (finished->report.run ? regretJson(session, *finished) : "");
}

std::string coldAnswer(const std::string& text, const Asked& asked) {
  Session session;
  session.load("input", text);
  return answer(session, asked);
}

void expectSameWarmAndCold(Session& warm, const std::filesystem::path& path, const std::vector<Asked>& runs) {
  SCOPED_TRACE(path.filename().string());
  const std::string text = readFile(path);
  warm.load("input", text);
  for (const Asked& asked : runs) {
    EXPECT_TRUE(answer(warm, asked) == coldAnswer(text, asked))
        << asked.device << " " << asked.policy << " " << asked.capPermille << " " << asked.gridRows;
  }
}

TEST(ExactMemory, ChangesNoAnswer) {
  const std::vector<Asked> few = {{},
                                  {.capPermille = 990},
                                  {.policy = "Greedy", .capPermille = 400},
                                  {.capPermille = 400},
                                  {.device = "p150"},
                                  {.capPermille = 400}};
  const std::vector<Asked> fewer = {few[0], few[3]};
  Session warm;  // of all graphs: what is known of one is there for the next
  for (const auto& path : sliceUpTo(10'000, sampleFiles())) {
    const bool large = std::filesystem::file_size(path) > 20'000;  // as dear as all others together
    expectSameWarmAndCold(warm, path, large || smallTests() ? fewer : few);
  }
}

// Caps close together, whose runs share most of what is kept, and back again.
TEST(ExactMemory, ChangesNoAnswerWhileASliderMoves) {
  std::vector<Asked> runs = {{.gridRows = 4}};
  const std::vector<int64_t> caps = smallTests() ? std::vector<int64_t>{1000, 400, 990}
                                                 : std::vector<int64_t>{1000, 990, 700, 690, 410, 400, 300, 410, 980};
  for (int64_t cap : caps) runs.push_back({.capPermille = cap});
  for (const auto& path : sampleFiles()) {
    Session warm;
    if (path.filename().string().find("transformer") != std::string::npos) expectSameWarmAndCold(warm, path, runs);
  }
}

// Under the smallest caps the buffers of conversions between rows and tiles have no room: what moves cost then is not
// what they cost under others.
TEST(ExactMemory, ChangesNoAnswerWhereMovesHaveNoRoom) {
  const std::vector<Asked> runs = {
      {.capPermille = 10}, {.capPermille = 40}, {.capPermille = 1000}, {.capPermille = 10}};
  for (uint64_t seed = 0; seed < seeds(12); ++seed) {
    const std::string text = randomGraphText(seed, {.images = seed % 2 == 0});
    Session warm;
    warm.load("input", text);
    for (const Asked& asked : runs)
      EXPECT_TRUE(answer(warm, asked) == coldAnswer(text, asked)) << seed << " " << asked.capPermille;
  }
}

// The plan stays or goes back and forth while the cap moves, also one that does not fit, whose notes name the cap.
TEST(KeptProgram, ChangesNoAnswer) {
  std::vector<Asked> runs;
  for (std::string_view policy : {"DRAM", "Greedy", "DRAM"}) {
    for (int64_t cap : {990, 400, 390, 12, 11}) runs.push_back({.policy = policy, .capPermille = cap});
  }
  runs.push_back({.device = "p150", .policy = "DRAM"});
  runs.push_back({.policy = "DRAM"});
  runs.push_back({.policy = "DRAM", .gridRows = 4});
  Session warm;
  for (const auto& path : sliceOf(sampleFiles())) {
    if (std::filesystem::file_size(path) < 5'000) expectSameWarmAndCold(warm, path, runs);
  }
}

// How far a cap can move before the program is made anew.
TEST(KeptProgram, HoldsWhileTheBudgetChangesNothing) {
  const std::string text =
      "func.func @main(%a: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
      "  return %0 : tensor<512x512xbf16>\n}\n";
  Session session;
  session.load("input", text);
  auto holds = [&](const FinishedRun& run, int64_t bytes) {
    return session.program.find(run.lowered, Bytes(bytes), run.report.run->plan) != nullptr;
  };
  Options options;
  options.policy = "DRAM";
  const auto first = runPolicy(session, options, Diagnostics());
  ASSERT_TRUE(first->report.run && first->report.run->defects.empty());
  int64_t peak = 0;
  for (const SimStep& step : first->report.run->program->sim.steps)
    peak = std::max(peak, step.constraints.peakL1MemorySize.count);
  EXPECT_GT(peak, 0);
  EXPECT_TRUE(holds(*first, INT64_MAX - 1));
  EXPECT_TRUE(holds(*first, peak));
  EXPECT_FALSE(holds(*first, peak - 1));
  // What does not fit says so with the budget.
  options.l1UsageCapPermille = 1;
  const auto tight = runPolicy(session, options, Diagnostics());
  ASSERT_LT(tight->budget.bytes().count, peak);
  EXPECT_TRUE(holds(*tight, tight->budget.bytes().count));
  EXPECT_FALSE(holds(*tight, tight->budget.bytes().count - 1));
  EXPECT_FALSE(holds(*tight, tight->budget.bytes().count + 1));
  // Another graph with the same plan is another question, and nothing is kept of the first.
  options.l1UsageCapPermille = 1000;
  const auto again = runPolicy(session, options, Diagnostics());
  EXPECT_TRUE(holds(*again, peak));
  session.load("other", text);
  const auto other = prepareRun(session, options, Diagnostics());
  EXPECT_EQ(session.program.find(other->lowered, Bytes(peak), again->report.run->plan), nullptr);
  EXPECT_FALSE(holds(*again, peak));
}

// Every part of a plan that the program is made of is asked for.
TEST(KeptProgram, AnotherPlanIsAnotherProgram) {
  Session session;
  for (const auto& path : sampleFiles()) {
    if (path.filename() == "l1-pressure.mlir") session.load("input", readFile(path));
  }
  Options options;
  options.policy = "Greedy";
  options.l1UsageCapPermille = 300;
  const auto run = runPolicy(session, options, Diagnostics());
  const Plan& plan = run->report.run->plan;
  ASSERT_FALSE(plan.spills.empty());
  ASSERT_FALSE(plan.room.empty());
  ASSERT_GT(plan.order.size(), 2u);
  auto holds = [&](const Plan& asked) {
    return session.program.find(run->lowered, run->budget.bytes(), asked) != nullptr;
  };
  EXPECT_TRUE(holds(plan));
  Plan other = plan;
  other.policy = "mine";
  other.room[0].occupied += Bytes(1);
  EXPECT_TRUE(holds(other));
  other.room[0].at = plan.order[0];
  EXPECT_FALSE(holds(other));
  other = plan;
  other.spills.pop_back();
  EXPECT_FALSE(holds(other));
  other = plan;
  std::swap(other.order[0], other.order[1]);
  EXPECT_FALSE(holds(other));
  other = plan;
  other.reshards.push_back({plan.order[0], 0, plan.spills[0].to});
  EXPECT_FALSE(holds(other));
  other = plan;
  other.layout[plan.spills[0].value] = std::nullopt;
  EXPECT_FALSE(holds(other));
  other = plan;
  other.config[plan.order[0]].output.buffer =
      plan.config[plan.order[0]].output.isL1() ? BufferType::DRAM : BufferType::L1;
  EXPECT_FALSE(holds(other));
}

TEST(ExactMemory, ChangesNoAnswerAboutAnOverriddenOp) {
  const std::string text =
      "func.func @main(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
      "  %0 = \"ttir.matmul\"(%a, %b) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> "
      "loc(\"product\")\n"
      "  %1 = \"ttir.relu\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16> loc(\"positive\")\n"
      "  %2 = \"ttir.add\"(%1, %0) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> "
      "loc(\"sum\")\n"
      "  return %2 : tensor<512x512xbf16>\n}\n";
  Session warm;
  warm.load("input", text);
  for (const char* fixed : {"", "positive=dram", "", "product=dram", "positive=dram"})
    EXPECT_EQ(answer(warm, {.layoutOverride = fixed}), coldAnswer(text, {.layoutOverride = fixed})) << fixed;
}

// A report may be asked about after the session has gone on to other devices and graphs.
TEST(Session, ARunStaysWhatItWas) {
  const auto files = sampleFiles();
  ASSERT_GT(files.size(), 1u);
  const std::string text = readFile(files[0]);
  Session session;
  session.load("input", text);
  Options options;
  options.policy = "Greedy";
  const auto finished = runPolicy(session, options, Diagnostics());
  ASSERT_TRUE(finished->report.run.has_value());
  const std::string report = reportJson(finished->report), regret = regretJson(session, *finished);
  answer(session, {.device = "p150"});
  session.load("input", readFile(files[1]));
  answer(session, {.device = "p150"});
  EXPECT_EQ(reportJson(finished->report), report);
  EXPECT_EQ(regretJson(session, *finished), regret);
  answer(session, {});
  EXPECT_EQ(regretJson(session, *finished), regret);
}

TEST(Session, KeepsTheLastGraph) {
  Session session;
  EXPECT_EQ(session.loaded(), nullptr);
  const LoadedGraph* first = &session.load("input", "func.func @main(");
  EXPECT_EQ(&session.load("input", "func.func @main("), first);
  session.load("input", "func.func");
  EXPECT_EQ(session.loaded()->source.text(), "func.func");
  // Another name is another source: diagnostics speak of it.
  session.load("output", "func.func");
  EXPECT_EQ(session.loaded()->source.name(), "output");
}

// Equal ops are asked about once, and a moved cap asks nothing again that does not depend on it.
TEST(ExactMemory, RemembersQuestions) {
  const auto files = sampleFiles();
  const auto resnet = std::find_if(files.begin(), files.end(), [](const auto& path) {
    return path.filename().string().find("resnet") != std::string::npos;
  });
  ASSERT_NE(resnet, files.end());
  Session session;
  session.load("input", readFile(*resnet));
  Options options;
  options.policy = "Exact";
  const auto first = runPolicy(session, options, Diagnostics());
  const ExactMemory& memory = session.memory.exact;
  const size_t configs = memory.configs.size(), moves = memory.moves.size(), plans = memory.plans.size();
  size_t baselines = 0;
  for (const PolicyInfo& policy : allPolicies()) baselines += policy.has(kBaseline);
  EXPECT_EQ(plans, baselines);
  const Graph& lowered = first->lowered->result.graph;
  const size_t known = session.memory.interner.classes.size();
  std::set<uint32_t> classes;  // of the forward function; plans add those of their conversions
  size_t ops = 0;
  for (OpId op : lowered.ops.ids()) {
    if (lowered.ops[op].func != lowered.forward) continue;
    classes.insert(session.memory.interner.classOf(lowered, op));
    ++ops;
  }
  EXPECT_LT(classes.size(), ops);
  EXPECT_EQ(session.memory.interner.classes.size(), known) << "every op of the run has its class already";
  options.l1UsageCapPermille = 995;
  const auto second = runPolicy(session, options, Diagnostics());
  EXPECT_EQ(second->lowered, first->lowered) << "no pass would decide otherwise";
  EXPECT_LT(session.memory.interner.classes.size(), known + known / 4);
  EXPECT_LT(memory.configs.size(), configs + configs / 4);
  EXPECT_LT(memory.moves.size(), moves + moves / 4);
  EXPECT_LT(memory.plans.size(), 2 * plans) << "some policies decide the same";
}

TEST(PolicyMemory, ForgetsForAnotherDeviceAndWhenFull) {
  PolicyMemory memory;
  const auto knows = [&] { return memory.exact.configKeys.size() + memory.interner.layouts.size(); };
  const auto learn = [&] { memory.exact.configKeys.numberOf({1, 2, 3}), memory.interner.layouts.intern({}); };
  memory.prepare(allDevices()[0]);
  learn();
  memory.prepare(allDevices()[0]);
  EXPECT_EQ(knows(), 2u);
  DeviceSpec other = allDevices()[0];
  other.grid.rows -= 1;
  memory.prepare(other);
  EXPECT_EQ(knows(), 0u);
  learn();
  memory.exact.figureCells = int64_t{1} << 40;
  memory.prepare(other);
  EXPECT_EQ(knows(), 0u);
  EXPECT_EQ(memory.exact.figureCells, 0);
}

// What is made of the op model's figures goes when it is too much, they stay, and the next run is what it would have
// been.
TEST(ExactMemory, KeepsFiguresWhereTablesTakeTooMuch) {
  const std::string text = readFile(sampleFiles().at(0));
  Session session, fresh;
  for (Session* each : {&session, &fresh}) each->load("input", text);
  answer(session, {.capPermille = 900});
  ExactMemory& memory = session.memory.exact;
  const size_t figures = memory.figureKeys.size();
  EXPECT_GT(figures, 0u);
  EXPECT_GT(memory.figureCells, 0);
  memory.cells = int64_t{1} << 40;
  const std::string again = answer(session, {.capPermille = 600});
  EXPECT_TRUE(again == answer(fresh, {.capPermille = 600}));
  EXPECT_LT(memory.cells, int64_t{1} << 30);
  EXPECT_GE(memory.figureKeys.size(), figures);
  EXPECT_EQ(memory.configs.size(), fresh.memory.exact.configs.size()) << "those of the last run alone";
  EXPECT_EQ(memory.tables.size(), fresh.memory.exact.tables.size());
}

}  // namespace
}  // namespace tessera::test
