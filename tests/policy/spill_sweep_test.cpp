// The sweep of pass 2 on ops that are nothing but sizes.

#include <unistd.h>

#include <set>

#include "core/evaluate/eval.h"
#include "core/plan/check_plan.h"
#include "core/policy/propagate/spill_scenario.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

constexpr int64_t kKib = 1024;

ScenarioOp op(std::string name, std::vector<int32_t> inputs, int64_t kib, int64_t cbKib = 0) {
  ScenarioOp out;
  out.name = std::move(name);
  out.inputs = std::move(inputs);
  out.readsArgument = out.inputs.empty();
  out.l1 = kib * kKib;
  out.circularBuffers = cbKib * kKib;
  return out;
}

using Ops = std::vector<int32_t>;

TEST(SpillSweep, NothingLeavesWhatFits) {
  ScenarioResult result = runScenario({"", 1000 * kKib, {op("a", {}, 400), op("b", {0}, 400), op("c", {1}, 400)}, {2}});
  EXPECT_TRUE(result.evictions.empty());
  EXPECT_TRUE(result.demoted.empty());
  EXPECT_FALSE(result.fails);
}

// What an op reads in L1, what it makes there and all that is kept besides may take the whole budget, and no byte more.
TEST(SpillSweep, TheBudgetMayBeFull) {
  const std::vector<ScenarioOp> two = {op("a", {}, 400), op("b", {0}, 400)};
  const std::vector<ScenarioOp> three = {op("kept", {}, 100), op("a", {}, 300), op("b", {1}, 400), op("c", {0, 2}, 1)};
  for (const std::vector<ScenarioOp>& ops : {two, three}) {
    EXPECT_TRUE(runScenario({"", 800 * kKib, ops, {}}).evictions.empty());
    EXPECT_TRUE(runScenario({"", 800 * kKib, ops, {}}).demoted.empty());
    const ScenarioResult tight = runScenario({"", 800 * kKib - 1, ops, {}});
    EXPECT_GT(tight.evictions.size() + tight.demoted.size(), 0u);
  }
}

// An op that reads a value twice where it lies needs what it needs when it reads it once: under every budget the same
// leaves L1, the same goes to DRAM at once, and for the same reason. What comes back has a copy for each operand.
TEST(SpillSweep, AnOperandThatStandsTwice) {
  const auto answer = [](bool twice, bool fixed, bool back, int64_t budget) {
    SpillScenario made{
        "",
        budget * kKib,
        {op("kept", {}, 300), op("a", {}, 200), op("big", {}, 400), op("b", {1}, 100), op("readKept", {0, 3}, 1)},
        {}};
    if (twice) made.ops[3].inputs = {1, 1};
    made.ops[0].fixed = fixed;
    made.ops[3].requiresL1Input = back;
    const ScenarioResult result = runScenario(made);
    std::string out = result.diagnostic;
    for (const SpillEvent& event : result.outcome.events)
      out += " " + std::to_string(event.step) + ":" + std::to_string(static_cast<int>(event.action)) + ":" +
             std::to_string(event.tensor) + ":" + std::string(refusalText(event.reason));
    return out;
  };
  std::set<std::string> answers;
  for (const bool fixed : {false, true}) {
    for (int64_t budget = 100; budget <= 1100; budget += 25) {
      EXPECT_EQ(answer(true, fixed, false, budget), answer(false, fixed, false, budget)) << budget;
      answers.insert(answer(false, fixed, false, budget));
    }
  }
  EXPECT_GE(answers.size(), 6u);
  const std::string fails = "b cannot be placed: finds no hole in L1";
  EXPECT_EQ(answer(false, false, true, 300).find(fails), std::string::npos) << "a copy of 200 and a result of 100";
  EXPECT_EQ(answer(true, false, true, 300).find(fails), 0u) << "two copies of 200";
}

// A value that only the return reads dies at its own step, whatever the return says.
TEST(SpillSweep, WhatIsOnlyReturnedTakesNoRoomAfterItsStep) {
  ScenarioResult result = runScenario({"", 1000 * kKib, {op("a", {}, 600), op("b", {}, 600)}, {0, 1}});
  EXPECT_TRUE(result.evictions.empty());
}

TEST(SpillSweep, TheFarthestLastUseLeaves) {
  SpillScenario scenario{
      "",
      1000 * kKib,
      {op("far", {}, 400), op("near", {}, 400), op("new", {}, 400), op("readNear", {1}, 1), op("readFar", {0}, 1)},
      {2}};
  EXPECT_EQ(runScenario(scenario).evictions, Ops{0});
  std::swap(scenario.ops[3].inputs, scenario.ops[4].inputs);
  EXPECT_EQ(runScenario(scenario).evictions, Ops{1});
}

// 400 + 400 bytes are free but not in one piece.
TEST(SpillSweep, HolesCountNotSums) {
  SpillScenario scenario{"",
                         1200 * kKib,
                         {op("a", {}, 400), op("b", {}, 400), op("readA", {0}, 1), op("big", {}, 700),
                          op("readB", {1}, 1), op("readBig", {3}, 1)},
                         {}};
  ScenarioResult result = runScenario(scenario);
  EXPECT_EQ(result.evictions, Ops{1});
  EXPECT_EQ(result.outcome.events[0].reason, Refusal::NoHole);
  scenario.ops[0].l1 = scenario.ops[1].l1 = 200 * kKib;  // one hole is large enough now
  EXPECT_TRUE(runScenario(scenario).evictions.empty());
}

TEST(SpillSweep, CircularBuffersPushOutTheLowestTensorAndLeaveATenthFree) {
  auto with = [](int64_t cb) {
    return SpillScenario{"", 1000 * kKib, {op("a", {}, 500), op("b", {}, 100, cb), op("readA", {0}, 1)}, {}};
  };
  EXPECT_TRUE(runScenario(with(300)).evictions.empty());  // 300 + 100 free = 400 below a and b
  ScenarioResult result = runScenario(with(301));
  EXPECT_EQ(result.evictions, Ops{0});
  EXPECT_EQ(result.outcome.events[0].reason, Refusal::CircularBufferClash);
}

TEST(SpillSweep, AnOpThatDoesNotFitAloneGoesToDram) {
  ScenarioResult result = runScenario({"", 1000 * kKib, {op("a", {}, 1001), op("readA", {0}, 1)}, {}});
  EXPECT_EQ(result.demoted, Ops{0});
  EXPECT_TRUE(result.evictions.empty());
  EXPECT_FALSE(result.fails);
}

TEST(SpillSweep, AViewTakesNoRoomOfItsOwn) {
  SpillScenario scenario{
      "", 1000 * kKib, {op("a", {}, 600), op("view", {0}, 600), op("b", {1}, 300), op("readBoth", {0, 1}, 1)}, {}};
  EXPECT_FALSE(runScenario(scenario).evictions.empty());
  scenario.ops[1].isView = true;
  ScenarioResult result = runScenario(scenario);
  EXPECT_TRUE(result.evictions.empty());
  EXPECT_EQ(result.outcome.finalOccupied, 0);
}

TEST(SpillSweep, UnknownOpsEmptyL1) {
  SpillScenario scenario{
      "", 1000 * kKib, {op("a", {}, 100), op("b", {}, 100), op("unknown", {0}, 0), op("readB", {1}, 1)}, {}};
  scenario.ops[2].forced = OpStatus::NotImplemented;
  EXPECT_EQ(runScenario(scenario).evictions, (Ops{0, 1}));
}

// A tensor that leaves L1 for an unknown op leaves right after it was made; what read it in between is asked again.
TEST(SpillSweep, ReadersBeforeAnUnknownOpAreAskedAgain) {
  SpillScenario scenario{
      "", 1000 * kKib, {op("a", {}, 100), op("reads", {0}, 100), op("unknown", {}, 0), op("readBoth", {0, 1}, 1)}, {}};
  scenario.ops[2].forced = OpStatus::NotImplemented;
  const ScenarioResult result = runScenario(scenario);
  EXPECT_EQ(result.evictions, (Ops{0, 1}));
  EXPECT_EQ(result.outcome.rewinds, 2) << "counted for each tensor that leaves";
  EXPECT_EQ(result.outcome.evictedAt, (std::vector<int32_t>{1, 2, -1, -1}));
}

TEST(SpillSweep, ARefusedOpIsDemotedWithoutTouchingOthers) {
  SpillScenario scenario{"", 1000 * kKib, {op("a", {}, 100), op("bad", {0}, 100), op("readA", {0, 1}, 1)}, {}};
  scenario.ops[1].forced = OpStatus::MetalBackendError;
  ScenarioResult result = runScenario(scenario);
  EXPECT_EQ(result.demoted, Ops{1});
  EXPECT_TRUE(result.evictions.empty());
  EXPECT_FALSE(result.fails);
}

// Thousands of evictions, each of which goes back: the sweep ends, and the number of rewinds grows with the steps, not
// faster.
TEST(SpillSweep, RewindsGrowWithTheSteps) {
  auto rewinds = [](int32_t n) {
    SpillScenario scenario{"", 1000 * kKib, {}, {}};
    for (int32_t i = 0; i < n; ++i) scenario.ops.push_back(op("p" + std::to_string(i), {}, 100));
    for (int32_t i = 0; i < n; ++i) scenario.ops.push_back(op("r" + std::to_string(i), {i}, 1));
    ScenarioResult result = runScenario(scenario);
    EXPECT_FALSE(result.outcome.rewindsExhausted);
    EXPECT_GE(static_cast<int32_t>(result.evictions.size()), n - 10);
    return result.outcome.rewinds;
  };
  int32_t small = rewinds(100), large = rewinds(1000);
  EXPECT_LE(large, 11 * small);
}

TEST(SpillSweep, AgreesWithTheCompilersScenarios) {
  auto file = sharedFolder() / "data/spill_scenarios.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no " << file;
  EvalResult result = evalSpill({file.string(), true, false});
  EXPECT_EQ(result.problem, "");
  EXPECT_GE(result.rows, 12);
  for (const EvalMiss& miss : result.misses) ADD_FAILURE() << miss.row << ": " << miss.text;
  EXPECT_EQ(result.agree, result.rows);
}

TEST(SpillSweep, BadScenarioFilesAreReported) {
  auto file =
      std::filesystem::temp_directory_path() / ("tessera_bad_scenarios_" + std::to_string(::getpid()) + ".json");
  auto evaluate = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    return evalSpill({file.string(), true, false});
  };
  EXPECT_NE(evaluate("{").problem, "");
  EXPECT_NE(evaluate("[]").problem, "");
  EXPECT_NE(evalSpill({"/no/such/file", true, false}).problem, "");
  for (const char* text :
       {"{\"scenarios\":[{}]}", "{\"scenarios\":[3]}", "{\"scenarios\":[{\"budget\":-1,\"ops\":[]}]}",
        "{\"scenarios\":[{\"budget\":10,\"ops\":[{\"name\":\"a\"},{\"name\":\"a\"}]}]}",
        "{\"scenarios\":[{\"budget\":10,\"ops\":[{\"name\":\"a\",\"force_status\":\"Maybe\"}]}]}",
        "{\"scenarios\":[{\"budget\":10,\"ops\":[],\"expect\":{\"surprise\":1}}]}"}) {
    EvalResult result = evaluate(text);
    EXPECT_EQ(result.problem, "");
    EXPECT_EQ(result.rows, 1);
    EXPECT_EQ(result.agree, 0) << text;
  }
  std::filesystem::remove(file);
}

// What the caller hands over in L1 is the caller's: it stays there after its last reader, and a result has to fit
// beside it.
TEST(SpillSweep, AnArgumentKeepsItsPlaceInL1) {
  const int64_t tiles = allDevices()[0].usableL1().count / 2048;
  const auto placeBeside = [&](int64_t held) {
    const std::string cols = std::to_string(held * 32), in = "tensor<2048x" + cols + "xbf16, #held>",
                      wide = "tensor<2048x" + std::to_string(tiles * 16) + "xbf16>", column = "tensor<2048x1xbf16>";
    const auto run = runOn(
        graphOf("#l1 = #ttnn.buffer_type<l1>\n#held = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<8x" +
                std::to_string(held / 8) + "x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>\nfunc.func @main(%a: " +
                in + ", %b: " + wide + ") -> (" + column + ", " + wide +
                ") {\n  %0 = \"ttnn.sum\"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (" + in + ") -> " + column +
                "\n  %1 = \"ttnn.exp\"(%b) : (" + wide + ") -> " + wide + "\n  %2 = \"ttnn.exp\"(%1) : (" + wide +
                ") -> " + wide + "\n  return %0, %2 : " + column + ", " + wide + "\n}\n"),
        "Greedy");
    EXPECT_TRUE(checkPlan(*run->problem, run->plan).empty());
    return run->plan.layout[valueNamed(run->graph, "1")]->isL1();
  };
  EXPECT_TRUE(placeBeside(tiles / 4 / 8 * 8));
  EXPECT_FALSE(placeBeside(tiles * 3 / 5 / 8 * 8));
}

}  // namespace
}  // namespace tessera::test
