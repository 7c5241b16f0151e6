// combine() against sorting all that there is, written down with other means: lists of slots in the order in which they
// are counted up, a stable sort, the first ones of it.
#include "core/policy/propagate/combinations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tessera {
namespace {

struct Listed {
  std::vector<int32_t> slots;
  int64_t time = 0, reshards = 0, rank = 0;
  int32_t chosenCores = PathScore::kUnbounded;
};

OpBeam beamOf(std::mt19937& random, int entries) {
  OpBeam beam;
  for (int i = 0; i < entries; ++i) {
    BeamEntry entry;
    entry.score.time = static_cast<int64_t>(random() % 4);  // few different ones: many ties
    entry.score.reshards = static_cast<int64_t>(random() % 3);
    entry.score.minChosenCores = 1 + static_cast<int32_t>(random() % 3);
    beam.entries.push_back(std::move(entry));
  }
  return beam;
}

bool comesBefore(BeamScore score, const Listed& a, const Listed& b) {
  if (score == BeamScore::Time) return std::pair(a.time, a.rank) < std::pair(b.time, b.rank);
  if (score == BeamScore::Cores)
    return std::tuple(-a.chosenCores, a.reshards, a.rank) < std::tuple(-b.chosenCores, b.reshards, b.rank);
  return a.rank < b.rank;
}

// One source after the other, cut to `limit` each time.
std::vector<Listed> listed(const std::vector<OpBeam>& beams, BeamScore score, size_t limit, bool& cut) {
  std::vector<Listed> heads(1);
  for (const OpBeam& beam : beams) {
    std::vector<Listed> made;
    for (const Listed& head : heads) {
      for (size_t slot = 0; slot < beam.entries.size(); ++slot) {
        const PathScore& path = beam.entries[slot].score;
        Listed one = head;
        one.slots.push_back(static_cast<int32_t>(slot));
        one.time += path.time;
        one.reshards += path.reshards;
        one.rank += static_cast<int64_t>(slot);
        one.chosenCores = std::min(one.chosenCores, path.minChosenCores);
        made.push_back(std::move(one));
      }
    }
    std::stable_sort(made.begin(), made.end(),
                     [&](const Listed& a, const Listed& b) { return comesBefore(score, a, b); });
    cut = cut || made.size() > limit;
    made.resize(std::min(made.size(), limit));
    heads = std::move(made);
  }
  return heads;
}

TEST(Combinations, AreTheBestOfAllInTheOrderInWhichTheyAreCounted) {
  std::mt19937 random(11);
  for (int round = 0; round < 120; ++round) {
    std::vector<OpBeam> beams;
    for (size_t left = 1 + random() % 5; left > 0; --left)
      beams.push_back(beamOf(random, 1 + static_cast<int>(random() % 5)));
    std::vector<Source> sources;
    for (const OpBeam& beam : beams) sources.push_back({.value = {}, .beam = &beam});
    const size_t limit = 1 + random() % 20;
    for (BeamScore score : {BeamScore::Time, BeamScore::Cores, BeamScore::Upstream, BeamScore::First}) {
      bool cut = false, expectedCut = false;
      const std::vector<Listed> expected = listed(beams, score, limit, expectedCut);
      const std::vector<Combination> all = combine(sources, score, limit, cut);
      EXPECT_EQ(cut, expectedCut);
      ASSERT_EQ(all.size(), expected.size());
      for (size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].slots, expected[i].slots) << "round " << round << ", place " << i;
        EXPECT_EQ(all[i].history.time, expected[i].time);
        EXPECT_EQ(all[i].history.reshards, expected[i].reshards);
        EXPECT_EQ(all[i].history.minChosenCores, expected[i].chosenCores);
        EXPECT_EQ(all[i].rank, expected[i].rank);
      }
    }
  }
}

TEST(Combinations, ReadersShareWhatAPathCost) {
  OpBeam beam;
  beam.entries.resize(1);
  beam.entries[0].score.time = 90;
  beam.entries[0].score.reshards = 12;
  bool cut = false;
  const auto all = combine({{.value = {}, .beam = &beam, .readers = 3}, {.value = {}, .beam = &beam, .readers = 2}},
                           BeamScore::Time, 4, cut);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].history.time, 30 + 45);
  EXPECT_EQ(all[0].history.reshards, 4 + 6);
  EXPECT_FALSE(cut);
}

}  // namespace
}  // namespace tessera
