// Corners of pass 2: tensors that may not leave or may not be made in DRAM, results that fit nowhere, more tensors than
// the search has slots, values that come back and leave again, by hand on a few sizes.

#include "core/policy/propagate/spill_scenario.h"
#include "core/policy/propagate/spill_search.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// --- the search ------------------------------------------------------------------------------------------------------

SpillSearchTensor searched(int32_t def, int32_t lastUse, int64_t bytes, int64_t writeCost, int64_t startCost) {
  return {def, lastUse, bytes, writeCost, startCost, true, true};
}

// %1 may not be made in DRAM, though that would cost nothing: %0 has to make room for it.
TEST(SpillSearchCorners, AResultThatMayNotStartInDramPushesOthersOut) {
  SpillSearchProblem problem{100,
                             {{0, {}, {}, {0}}, {0, {}, {}, {1}}, {0, {0, 1}, {9, 9}, {}}},
                             {searched(0, 2, 60, 5, 50), searched(1, 2, 60, 5, 0)}};
  problem.steps[2].readCosts[1] = 0;
  EXPECT_EQ(searchSpills(problem, 16).cost, 0) << "%1 in DRAM";
  EXPECT_EQ(searchSpills(problem, 16).startsInDram, (std::vector<bool>{false, true}));
  problem.tensors[1].mayStartInDram = false;
  const SpillSearchResult result = searchSpills(problem, 16);
  EXPECT_EQ(result.startsInDram, (std::vector<bool>{false, false}));
  EXPECT_EQ(result.cost, 5 + 9);
  EXPECT_EQ(result.evictBefore, (std::vector<int32_t>{1, -1}));
}

// One that fits nowhere is told to be made in DRAM even where it may not: the sweep has to see what it does.
TEST(SpillSearchCorners, AResultThatFitsNowhere) {
  SpillSearchProblem problem{100,
                             {{0, {}, {}, {0}}, {0, {}, {}, {1}}, {0, {0, 1}, {9, 3}, {}}},
                             {searched(0, 2, 60, 5, 50), searched(1, 2, 200, 5, 7)}};
  for (const bool mayStart : {true, false}) {
    problem.tensors[1].mayStartInDram = mayStart;
    const SpillSearchResult result = searchSpills(problem, 16);
    EXPECT_TRUE(result.startsInDram[1]);
    EXPECT_FALSE(result.startsInDram[0]);
  }
  problem.tensors[1].mayStartInDram = true;
  EXPECT_EQ(searchSpills(problem, 16).cost, 7 + 3);
  EXPECT_EQ(searchSpills(problem, 16).evictBefore, (std::vector<int32_t>{-1, -1})) << "%0 makes no room in vain";
}

// Of 64 live tensors a choice can be kept, more are left out.
TEST(SpillSearchCorners, AsManyTensorsAsASetHasBits) {
  for (const int32_t count : {1, 32, 33, 63, 64, 65}) {
    SpillSearchProblem problem;
    problem.budget = 10;
    problem.steps.resize(static_cast<size_t>(count) + 1);
    for (int32_t t = 0; t < count; ++t) {
      problem.tensors.push_back(searched(t, count, 11, 1, 2));  // fits nowhere, so that there is one state
      problem.steps[static_cast<size_t>(t)].makes = {t};
    }
    const SpillSearchResult result = searchSpills(problem, 16);
    EXPECT_EQ(result.pruned, count > 64) << count;
    EXPECT_EQ(result.cost, 2 * count);
  }
}

// The cheaper one may not leave.
TEST(SpillSearchCorners, WhatMayNotLeaveStays) {
  SpillSearchProblem problem{100,
                             {{0, {}, {}, {0}}, {0, {}, {}, {1}}, {50, {}, {}, {}}, {0, {0, 1}, {1, 1}, {}}},
                             {searched(0, 3, 40, 2, 500), searched(1, 3, 40, 30, 500)}};
  SpillSearchResult result = searchSpills(problem, 16);
  EXPECT_EQ(result.evictBefore, (std::vector<int32_t>{2, -1}));
  EXPECT_EQ(result.cost, 2 + 1);
  problem.tensors[0].evictable = false;
  result = searchSpills(problem, 16);
  EXPECT_EQ(result.evictBefore, (std::vector<int32_t>{-1, 2}));
  EXPECT_EQ(result.cost, 30 + 1);
}

// 64 tensors are in the choice at a time; the next one is made in DRAM, and the result says that states are missing.
TEST(SpillSearchCorners, MoreTensorsThanSlots) {
  for (const int32_t count : {64, 65}) {
    SpillSearchProblem problem{1000, {}, {}};
    for (int32_t i = 0; i < count; ++i) {
      problem.steps.push_back({0, {}, {}, {i}});
      problem.tensors.push_back(searched(i, count, 1, 1, 100));
    }
    problem.steps.push_back({1000, {}, {}, {}});
    const SpillSearchResult result = searchSpills(problem, 1);
    EXPECT_EQ(result.cost, count == 64 ? 64 : 64 + 100) << "each is written before the last step";
    EXPECT_EQ(result.startsInDram[63], false);
    if (count == 65) EXPECT_EQ(result.startsInDram[64], true);
    EXPECT_TRUE(result.pruned);
  }
}

// --- scenarios -------------------------------------------------------------------------------------------------------

// A view of an argument, which is not listed, has to take room of its own.
TEST(SpillSweepCorners, AViewOfNothingInL1TakesRoom) {
  ScenarioOp kept{.name = "kept", .readsArgument = true, .l1 = 600}, view{.name = "view", .l1 = 600, .isView = true},
      reads{.name = "reads", .inputs = {0, 1}, .l1 = 1};
  const ScenarioResult result = runScenario({"", 1000, {kept, view, reads}, {}});
  EXPECT_EQ(result.evictions, std::vector<int32_t>{0});
  EXPECT_FALSE(result.fails);
}

// --- the sweep -------------------------------------------------------------------------------------------------------

struct ListedStep {
  std::vector<SpillTensor> reads, makes;
  int64_t bytes = 0;  // of each result in L1
  OpStatus status = OpStatus::Success;
  std::vector<ResultLocation> fallbacks = {};
};

// Steps that take what is listed, wherever their operands are.
class ListedModel final : public SpillModel {
 public:
  explicit ListedModel(std::vector<ListedStep> steps, std::vector<int64_t> initial = {})
      : steps_(std::move(steps)), initial_(std::move(initial)) {
    tensors_.resize(initial_.size());
    for (int32_t step = 0; step < ListedModel::steps(); ++step) {
      for (const SpillTensor made : makes(step)) {
        tensors_.resize(std::max(tensors_.size(), static_cast<size_t>(made) + 1));
        tensors_[static_cast<size_t>(made)].def = tensors_[static_cast<size_t>(made)].lastUse = step;
      }
      for (const SpillTensor read : reads(step)) tensors_[static_cast<size_t>(read)].lastUse = step;
    }
    for (SpillTensorInfo& info : tensors_) info.lifetimeEnd = info.lastUse;
  }
  int32_t steps() const override { return static_cast<int32_t>(steps_.size()); }
  const std::vector<SpillTensorInfo>& tensors() const override { return tensors_; }
  const std::vector<SpillTensor>& reads(int32_t step) const override { return at(step).reads; }
  const std::vector<SpillTensor>& makes(int32_t step) const override { return at(step).makes; }
  int64_t initialBytes(SpillTensor tensor) const override {
    return static_cast<size_t>(tensor) < initial_.size() ? initial_[static_cast<size_t>(tensor)] : -1;
  }
  SpillAnswer ask(int32_t step, ResultLocation location, const std::vector<Residency>&, Bytes) override {
    SpillAnswer answer{.status = at(step).status};
    if (location != ResultLocation::Planned) return answer;
    for (const SpillTensor made : makes(step))
      answer.moves.push_back({.allocate = Bytes(at(step).bytes), .tensor = made});
    answer.result = makes(step).empty() ? Bytes(0) : Bytes(at(step).bytes);
    return answer;
  }
  const std::vector<ResultLocation>& fallbacks(int32_t step) const override { return at(step).fallbacks; }
  void commit(int32_t) override {}
  int64_t evictionCost(SpillTensor, int32_t) const override { return 1; }
  int32_t nextUse(SpillTensor, int32_t) const override { return steps(); }

 private:
  const ListedStep& at(int32_t step) const { return steps_[static_cast<size_t>(step)]; }
  std::vector<ListedStep> steps_;
  std::vector<int64_t> initial_;
  std::vector<SpillTensorInfo> tensors_;
};

SpillOutcome swept(ListedModel model, const SpillChoice& chosen = {}, bool late = true) {
  SpillSettings settings;
  settings.end = 1024;
  settings.late = late;
  return sweepSpills(model, settings, chosen);
}
std::string absencesText(const SpillOutcome& outcome) {
  std::string text;
  for (const SpillAbsence& a : outcome.absences)
    text += (text.empty() ? "" : ", ") + std::to_string(a.tensor) + ": " + std::to_string(a.from) + ".." +
            std::to_string(a.until);
  return text;
}

const std::vector<ResultLocation> kDramOrWorse = {ResultLocation::Dram, ResultLocation::AllDram};

// A choice to make a result in DRAM holds where the step may write there by itself.
TEST(SpillSweepCorners, AResultIsMadeInDramWhereItMay) {
  for (const std::vector<ResultLocation>& fallbacks : {kDramOrWorse, {ResultLocation::AllDram}}) {
    const SpillOutcome outcome =
        swept(ListedModel({{{}, {0}, 256, OpStatus::Success, fallbacks}, {{0}, {}}}), {.startsInDram = {true}});
    EXPECT_EQ(outcome.location[0], fallbacks.size() > 1 ? ResultLocation::Dram : ResultLocation::Planned);
  }
}

// %0 leaves and is back as chosen; what is dead by then or was never in L1 does not come back.
TEST(SpillSweepCorners, OnlyWhatLeftComesBack) {
  const std::vector<ListedStep> steps = {
      {{}, {0}, 256, OpStatus::Success, kDramOrWorse}, {{0}, {}}, {{}, {}}, {{0}, {}}, {{}, {}}, {{}, {}}, {{}, {}}};
  EXPECT_EQ(absencesText(swept(ListedModel(steps), {.absences = {{0, 2, 3}}})), "0: 2..3");
  EXPECT_EQ(absencesText(swept(ListedModel(steps), {.absences = {{0, 5, 6}}})), "") << "it is dead";
  EXPECT_EQ(
      absencesText(swept(ListedModel(steps), {.startsInDram = {true}, .evictBefore = {2}, .absences = {{0, 2, 3}}})),
      "")
      << "it was made in DRAM";
}

// Whoever leaves for a step, the others that came back for it stay.
TEST(SpillSweepCorners, ATensorThatCameBackStaysWhenAnotherLeaves) {
  const ListedModel model({{{}, {0}, 512}, {{}, {1}, 256}, {{}, {}}, {{0}, {2}, 512}, {{0, 2}, {}}, {{1}, {}}});
  const SpillOutcome outcome = swept(model, {.absences = {{0, 2, 3}}});
  EXPECT_EQ(absencesText(outcome), "0: 2..3");
  EXPECT_EQ(outcome.evictedAt, (std::vector<int32_t>{-1, 3, -1})) << "%1 is needed last";
  EXPECT_TRUE(outcome.failed.empty());
}

// One that came back before and leaves now was back in between.
TEST(SpillSweepCorners, ATensorThatCameBackEarlierLeavesAgain) {
  const ListedModel model(
      {{{}, {0}, 256}, {{}, {1}, 256}, {{}, {}}, {{1}, {}}, {{1}, {}}, {{0}, {2}, 768}, {{0, 2}, {}}, {{1}, {}}});
  const SpillOutcome outcome = swept(model, {.absences = {{1, 2, 3}, {0, 4, 5}}});
  EXPECT_EQ(absencesText(outcome), "1: 2..3, 0: 4..5");
  EXPECT_EQ(outcome.evictedAt, (std::vector<int32_t>{-1, 5, -1}));
  EXPECT_TRUE(outcome.failed.empty());
}

// An unknown op sends results out of L1, never what the caller holds there.
TEST(SpillSweepCorners, AnUnknownOpLeavesTheCallersTensors) {
  const ListedModel model({{{}, {1}, 256}, {{}, {}, 0, OpStatus::NotImplemented}, {{0, 1}, {}}}, {256});
  const SpillOutcome outcome = swept(model);
  EXPECT_EQ(outcome.evictedAt, (std::vector<int32_t>{-1, 1}));
  EXPECT_EQ(outcome.finalOccupied, 256);
}

// 100 results of one step leave for an unknown op, each by going back: after four times per step and 64 more the others
// leave where they are.
TEST(SpillSweepCorners, GoingBackHasAnEnd) {
  ListedStep many;
  for (SpillTensor t = 0; t < 100; ++t) many.makes.push_back(t);
  many.bytes = 8;
  const ListedModel model({many, {{}, {}}, {{}, {}, 0, OpStatus::NotImplemented}, {many.makes, {}}});
  SpillSettings settings;
  settings.end = 1 << 20;
  settings.late = false;
  ListedModel swept = model;
  const SpillOutcome outcome = sweepSpills(swept, settings, {});
  EXPECT_TRUE(outcome.rewindsExhausted);
  EXPECT_EQ(std::count(outcome.evictedAt.begin(), outcome.evictedAt.end(), 1), 4 * 4 + 64);
  EXPECT_EQ(std::count(outcome.evictedAt.begin(), outcome.evictedAt.end(), 2), 100 - 4 * 4 - 64);
  EXPECT_EQ(outcome.finalOccupied, 0);
}

}  // namespace
}  // namespace tessera::test
