// Which of two paths is better: the order of the fields, the direction of every one, and ties
// (docs/rules/pass-generation.md; tt-mlir Analysis/MemoryLayoutPropagation.cpp).

#include "core/policy/propagate/beam.h"

#include <gtest/gtest.h>

#include <functional>

namespace tessera::test {
namespace {

using Change = std::function<void(PathScore&)>;

// Every change makes the base better; an earlier one outweighs all later ones.
void expectOrder(BeamScore kind, const PathScore& base, const std::vector<Change>& better) {
  EXPECT_FALSE(betterScore(kind, base, base));
  for (size_t i = 0; i < better.size(); ++i) {
    SCOPED_TRACE(i);
    PathScore one = base;
    better[i](one);
    EXPECT_TRUE(betterScore(kind, one, base));
    EXPECT_FALSE(betterScore(kind, base, one));
    PathScore later = base;
    for (size_t j = i + 1; j < better.size(); ++j) better[j](later);
    EXPECT_TRUE(betterScore(kind, one, later));
    EXPECT_FALSE(betterScore(kind, later, one));
  }
}

PathScore middling() {
  PathScore score;
  score.minCores = score.minChosenCores = 8;
  score.reshards = 2 * PathScore::kShare;
  score.time = 1000;
  score.requiresReshard = true;
  score.inputDramBytes = 4096;
  score.coreCount = 8;
  score.outputL1Usage = 2048;
  return score;
}

// The compiler's order: in L1, sharded, fewer bytes read from DRAM, nothing moved, more cores, fewer bytes of L1.
const std::vector<Change> kOwn = {
    [](PathScore& s) { s.isL1 = true; },      [](PathScore& s) { s.isSharded = true; },
    [](PathScore& s) { --s.inputDramBytes; }, [](PathScore& s) { s.requiresReshard = false; },
    [](PathScore& s) { ++s.coreCount; },      [](PathScore& s) { --s.outputL1Usage; },
};

std::vector<Change> withFirst(std::vector<Change> first, const std::vector<Change>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

const std::vector<Change> kCores =
    withFirst({[](PathScore& s) { ++s.minChosenCores; }, [](PathScore& s) { --s.reshards; }}, kOwn);

TEST(BeamOrder, OfAnOpAlone) { expectOrder(BeamScore::Upstream, middling(), kOwn); }
TEST(BeamOrder, TheNarrowestOpThenTheMovesOfThePath) { expectOrder(BeamScore::Cores, middling(), kCores); }
TEST(BeamOrder, TheTimeOfThePathBeforeAllElse) {
  expectOrder(BeamScore::Time, middling(), withFirst({[](PathScore& s) { --s.time; }}, kCores));
}

// Ops that have no wider layout do not decide.
TEST(BeamOrder, CoresThatWereNotChosenDoNotCount) {
  PathScore wide = middling();
  wide.minCores = 64;
  for (BeamScore kind : {BeamScore::Cores, BeamScore::Upstream, BeamScore::Time, BeamScore::First}) {
    EXPECT_FALSE(betterScore(kind, wide, middling()));
    EXPECT_FALSE(betterScore(kind, middling(), wide));
  }
}

TEST(BeamOrder, TheFirstThatStaysInL1UnmovedIsTaken) {
  auto score = [](bool inL1, bool moved) {
    PathScore s = middling();
    s.isL1 = inL1;
    s.requiresReshard = moved;
    return s;
  };
  const std::vector<PathScore> best = {score(true, false), score(true, true), score(false, false), score(false, true)};
  for (size_t a = 0; a < best.size(); ++a)
    for (size_t b = 0; b < best.size(); ++b) EXPECT_EQ(betterScore(BeamScore::First, best[a], best[b]), a < b);
  PathScore wider = best[0];
  wider.coreCount = 64;
  EXPECT_FALSE(betterScore(BeamScore::First, wider, best[0]));
}

}  // namespace
}  // namespace tessera::test
