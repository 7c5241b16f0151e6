// What KnownFigures says of a combination is what was said of the same layouts, in whatever lists they came.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "core/policy/exact/candidate_table.h"
#include "core/solve/combinations.h"

namespace tessera {
namespace {

using Lists = std::vector<std::vector<LayoutId>>;

Lists drawLists(std::mt19937& random, size_t operands) {
  Lists reads(operands);
  for (auto& list : reads) {
    std::vector<LayoutId> all = {0, 1, 2, 3, 4, 5};
    std::shuffle(all.begin(), all.end(), random);
    list.assign(all.begin(), all.begin() + 1 + static_cast<std::ptrdiff_t>(random() % 4));
  }
  return reads;
}

// Asks about all combinations; returns how many were known.
size_t askAbout(KnownFigures& known, const Lists& reads, std::map<std::vector<LayoutId>, int64_t>& said) {
  const KnownFigures::Places places = known.admit(reads);
  std::vector<size_t> sizes, at(reads.size(), 0);
  for (const auto& list : reads) sizes.push_back(list.size());
  size_t count = 0;
  do {
    std::vector<LayoutId> layouts;
    for (size_t i = 0; i < at.size(); ++i) layouts.push_back(reads[i][at[i]]);
    CandidateFigures& figures = known.at(places, at);
    if (figures.known) {
      ++count;
      EXPECT_EQ(figures.time.count, said.at(layouts));
    } else {
      figures.known = true;
      const auto number = static_cast<int64_t>(said.size() + 1);
      figures.time = Nanoseconds(said.try_emplace(layouts, number).first->second);
    }
  } while (nextCombination(at, sizes));
  return count;
}

TEST(KnownFigures, AreThoseOfTheSameLayouts) {
  std::mt19937 random(5);
  size_t known = 0;
  for (size_t operands = 0; operands <= 3; ++operands) {
    for (int round = 0; round < 10; ++round) {
      KnownFigures figures;
      std::map<std::vector<LayoutId>, int64_t> said;
      for (int question = 0; question < 12; ++question) known += askAbout(figures, drawLists(random, operands), said);
    }
  }
  EXPECT_GT(known, 300u);
}

TEST(KnownFigures, ComeBackWithTheirLists) {
  KnownFigures figures;
  std::map<std::vector<LayoutId>, int64_t> said;
  EXPECT_EQ(askAbout(figures, {{1, 2}, {3}}, said), 0u);
  EXPECT_EQ(askAbout(figures, {{2, 4}, {3}}, said), 1u);
  EXPECT_EQ(askAbout(figures, {{1, 2}, {3}}, said), 2u);
  EXPECT_EQ(askAbout(figures, {{4, 1, 2}, {3}}, said), 3u);
}

// Lists that have little in common are not multiplied with each other without end.
TEST(KnownFigures, KeepNoMoreThanAFewTimesWhatIsAsked) {
  KnownFigures figures;
  std::map<std::vector<LayoutId>, int64_t> said;
  for (LayoutId first = 0; first < 200; first += 2) {
    const Lists reads = {{first, first + 1}, {first, first + 1}, {first, first + 1}};
    askAbout(figures, reads, said);
    EXPECT_LE(figures.size(), 32u);
    EXPECT_EQ(askAbout(figures, reads, said), 8u);
  }
}

}  // namespace
}  // namespace tessera
