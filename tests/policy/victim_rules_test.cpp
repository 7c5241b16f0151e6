// Which of the tensors in L1 leaves, by every rule: preference, ties, and who may not leave.

#include <algorithm>

#include "core/policy/propagate/spill_sweep.h"
#include "tests/no_diagnostics.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// Two or more tensors of 400 bytes lie in 1000; a step wants 400 more.
class Crowded final : public SpillModel {
 public:
  struct Tensor {
    int32_t def, lastUse, lifetimeEnd, nextUse;
    int64_t cost = 0, bytes = 400;
    bool evictable = true;
  };
  explicit Crowded(std::vector<Tensor> tensors) : made_(std::move(tensors)) {
    for (const Tensor& t : made_) {
      infos_.push_back({t.def, t.lastUse, t.lifetimeEnd, t.evictable});
      lastStep_ = std::max({lastStep_, t.def, t.lastUse});
    }
    makes_.resize(static_cast<size_t>(lastStep_) + 1);
    for (size_t i = 0; i < made_.size(); ++i) {
      if (made_[i].def >= 0) makes_[static_cast<size_t>(made_[i].def)] = {static_cast<int32_t>(i)};
    }
  }
  int32_t steps() const override { return lastStep_ + 1; }
  const std::vector<SpillTensorInfo>& tensors() const override { return infos_; }
  const std::vector<SpillTensor>& reads(int32_t) const override { return none_; }
  const std::vector<SpillTensor>& makes(int32_t step) const override { return makes_[static_cast<size_t>(step)]; }
  int64_t initialBytes(SpillTensor t) const override { return made_[static_cast<size_t>(t)].def < 0 ? 400 : -1; }
  const std::vector<ResultLocation>& fallbacks(int32_t) const override { return fallbacks_; }
  void commit(int32_t) override {}
  int64_t evictionCost(SpillTensor t, int32_t) const override { return made_[static_cast<size_t>(t)].cost; }
  int32_t nextUse(SpillTensor t, int32_t) const override { return made_[static_cast<size_t>(t)].nextUse; }
  SpillAnswer ask(int32_t step, ResultLocation location, const std::vector<Residency>&, Bytes) override {
    SpillAnswer answer;
    if (makes(step).empty() || location != ResultLocation::Planned) return answer;
    const int32_t tensor = makes(step)[0];
    answer.result = Bytes(made_[static_cast<size_t>(tensor)].bytes);
    answer.moves = {{.allocate = answer.result, .tensor = tensor}};
    return answer;
  }

 private:
  std::vector<Tensor> made_;
  std::vector<SpillTensorInfo> infos_;
  std::vector<std::vector<SpillTensor>> makes_;
  std::vector<SpillTensor> none_;
  std::vector<ResultLocation> fallbacks_ = {ResultLocation::Dram};
  int32_t lastStep_ = 0;
};

// The tensors that left, in that order; a result that was made in DRAM instead counts as one.
std::vector<int32_t> left(const std::vector<Crowded::Tensor>& tensors, VictimRule rule, bool selfMayLeave = false) {
  Crowded model(tensors);
  SpillSettings settings{.end = 1000, .granule = 1, .victim = rule, .selfMayLeave = selfMayLeave};
  std::vector<int32_t> order;
  for (const SpillEvent& event : sweepSpills(model, settings).events) order.push_back(event.tensor);
  return order;
}

using Left = std::vector<int32_t>;

TEST(VictimRules, TheFarthestNextUseLeaves) {
  EXPECT_EQ(left({{0, 9, 9, 4}, {1, 9, 9, 7}, {2, 9, 9, 3}}, VictimRule::FarthestNextUse), Left{1});
  EXPECT_EQ(left({{0, 9, 9, 7}, {1, 9, 9, 4}, {2, 9, 9, 3}}, VictimRule::FarthestNextUse), Left{0});
  // Next uses alike: the last use decides.
  EXPECT_EQ(left({{0, 8, 8, 5}, {1, 9, 9, 5}, {2, 9, 9, 3}}, VictimRule::FarthestNextUse), Left{1});
}

TEST(VictimRules, TheLongestLifetimeLeavesThenTheFarthestLastUse) {
  EXPECT_EQ(left({{0, 5, 5, 4}, {1, 4, 9, 4}, {2, 9, 9, 3}}, VictimRule::LongestLifetime), Left{1});
  EXPECT_EQ(left({{0, 5, 9, 4}, {1, 6, 9, 4}, {2, 9, 9, 3}}, VictimRule::LongestLifetime), Left{1});
  EXPECT_EQ(left({{0, 4, 9, 4}, {1, 5, 5, 4}, {2, 9, 9, 3}}, VictimRule::FarthestLastUse), Left{1});
}

TEST(VictimRules, TheLeastCostPerByteLeaves) {
  EXPECT_EQ(left({{0, 9, 9, 4, 50}, {1, 9, 9, 4, 40}, {2, 9, 9, 3}}, VictimRule::CostPerByte), Left{1});
  // 30 for 200 bytes is more than 50 for 400.
  EXPECT_EQ(left({{0, 9, 9, 4, 30, 200}, {1, 9, 9, 4, 50, 400}, {2, 9, 9, 3, 0, 500}}, VictimRule::CostPerByte),
            Left{1});
}

TEST(VictimRules, OfEqualsTheFirstLeaves) {
  for (VictimRule rule :
       {VictimRule::FarthestNextUse, VictimRule::LongestLifetime, VictimRule::FarthestLastUse, VictimRule::CostPerByte})
    EXPECT_EQ(left({{0, 9, 9, 4, 7}, {1, 9, 9, 4, 7}, {2, 9, 9, 4, 7}}, rule), Left{0}) << static_cast<int>(rule);
}

TEST(VictimRules, WhatIsThereFromTheStartOrFixedStays) {
  EXPECT_EQ(left({{-1, 9, 9, 9}, {1, 5, 5, 4}, {2, 9, 9, 3}}, VictimRule::FarthestLastUse), Left{1});
  EXPECT_EQ(left({{0, 9, 9, 9, 0, 400, false}, {1, 5, 5, 4}, {2, 9, 9, 3}}, VictimRule::FarthestLastUse), Left{1});
}

TEST(VictimRules, TheResultCompetesOnlyWhereItMay) {
  const std::vector<Crowded::Tensor> tensors = {{0, 5, 5, 4}, {1, 6, 6, 4}, {2, 9, 9, 8}};
  EXPECT_EQ(left(tensors, VictimRule::FarthestLastUse, true), Left{2});
  EXPECT_EQ(left(tensors, VictimRule::FarthestLastUse, false), Left{1});
  // Equal to the best of the others it stays: they were there first.
  EXPECT_EQ(left({{0, 9, 9, 4}, {1, 8, 8, 4}, {2, 9, 9, 4}}, VictimRule::FarthestLastUse, true), Left{0});
}

// Where the user keeps two results in L1 and an op between finds no room, the one that is used last leaves alone, as
// long as that does.
TEST(VictimRules, OfResultsThatTheUserKeepsTheOneUsedLastLeaves) {
  const std::string t = "tensor<2048x2048xbf16>", wide = "tensor<64x16384xbf16>";
  const auto add = [&](const std::string& result, const std::string& a, const std::string& b) {
    return "  " + result + " = \"ttnn.add\"(" + a + ", " + b + ") : (" + t + ", " + t + ") -> " + t + "\n";
  };
  const auto movesOf = [&](bool turned, int32_t cap) {
    ProblemOptions options{.l1UsageCapPermille = cap};
    options.layoutOverrides = parseLayoutOverrides("%0=l1:interleaved,%1=l1:interleaved", noDiagnostics());
    const auto run =
        runOn(graphOf("func.func @main(%a: " + t + ", %x: " + wide + ") -> (" + t + ", " + wide + ") {\n" +
                      add("%0", "%a", "%a") + add("%1", "%a", "%a") +
                      "  %s = \"ttnn.softmax\"(%x) <{dimension = -1 : si32}> : (" + wide + ") -> " + wide + "\n" +
                      add("%2", turned ? "%0" : "%1", "%a") + add("%3", "%2", turned ? "%1" : "%0") +
                      "  return %3, %s : " + t + ", " + wide + "\n}\n"),
              "DRAM", options);
    std::string moves;
    for (const Spill& spill : run->plan.spills) {
      EXPECT_EQ(spill.before, producerOf(run->graph, "s"));
      moves += "%" + run->graph.values[spill.value].name;
    }
    return moves;
  };
  for (const bool turned : {false, true}) {
    int alone = 0;
    for (int32_t cap = 250; cap <= 500; cap += 10) {
      const std::string moves = movesOf(turned, cap);
      const std::string last = turned ? "%1" : "%0", other = turned ? "%0" : "%1";
      EXPECT_TRUE(moves.empty() || moves == last || moves == last + other) << cap << " " << moves;
      alone += moves == last;
    }
    EXPECT_GT(alone, 0);
  }
}

}  // namespace
}  // namespace tessera::test
