// Address assignment: against a plain search, with every switch, and on hard shapes.

#include "core/solve/addresses/address_solver.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera {
namespace {

AddressProblem randomProblem(uint64_t seed, int most, int64_t times, int64_t sizes) {
  Prng random(seed);
  AddressProblem problem;
  for (int64_t n = 1 + random.below(most); n > 0; --n) {
    AddressBuffer buffer{.begin = random.below(times), .end = 0, .size = random.below(sizes + 1)};
    buffer.end = buffer.begin + random.below(times);
    problem.buffers.push_back(buffer);
  }
  return problem;
}

// Every offset of every buffer: knows nothing of order, sections or pushing down.
bool existsWithin(const AddressProblem& problem, int64_t capacity) {
  std::vector<int64_t> offsets(problem.buffers.size(), 0);
  size_t i = 0;
  while (true) {
    const AddressBuffer& one = problem.buffers[i];
    bool fine = one.begin >= one.end || one.size == 0 || offsets[i] + one.size <= capacity;
    for (size_t j = 0; fine && j < i; ++j) {
      const AddressBuffer& two = problem.buffers[j];
      const bool both = one.begin < one.end && two.begin < two.end && one.size > 0 && two.size > 0 &&
                        one.begin < two.end && two.begin < one.end;
      fine = !both || offsets[i] >= offsets[j] + two.size || offsets[j] >= offsets[i] + one.size;
    }
    if (fine && ++i == offsets.size()) return true;
    if (fine) {
      offsets[i] = 0;
      continue;
    }
    while (++offsets[i] > capacity)
      if (i-- == 0) return false;
  }
}

// What never lives, or ends before it begins, takes nothing and frees nothing; what ends makes room for what begins.
TEST(AddressSolver, TheLoadIsOfBuffersThatLive) {
  const auto load = [](std::vector<AddressBuffer> buffers) { return loadBound({std::move(buffers), 0}); };
  EXPECT_EQ(load({}), 0);
  EXPECT_EQ(load({{0, 2, 5}, {1, 3, 7}}), 12);
  EXPECT_EQ(load({{0, 2, 5}, {2, 3, 7}}), 7);
  EXPECT_EQ(load({{0, 4, 5}, {3, 1, 100}}), 5);
  EXPECT_EQ(load({{0, 4, 5}, {2, 2, 100}}), 5);
  EXPECT_EQ(load({{6, 1, 3}, {2, 5, 9}}), 9) << "the reversed one frees nothing either";
}

TEST(AddressSolver, EverySwitchAgreesWithThePlainSearch) {
  int impossible = 0, searched = 0;
  for (uint64_t seed = 0; seed < 2500; ++seed) {
    AddressProblem problem = randomProblem(seed, 9, 7, 5);
    const int64_t load = loadBound(problem);
    problem.capacity = std::max<int64_t>(1, load);
    const bool possible = existsWithin(problem, problem.capacity);
    impossible += !possible;
    for (int switches = 0; switches < 8; ++switches) {
      AddressOptions options;
      options.useLocalSearch = (switches & 1) != 0;
      options.useSectionBounds = (switches & 2) != 0;
      options.usePostponed = (switches & 4) != 0;
      const AddressResult result = assignAddresses(problem, options);
      ASSERT_EQ(result.fits, possible) << "seed " << seed << " switches " << switches;
      ASSERT_LE(result.lowerBound, result.height) << "seed " << seed;
      ASSERT_EQ(heightOf(problem, result.offsets), result.height) << "seed " << seed;
      if (!possible) {
        ASSERT_GT(result.lowerBound, load) << "seed " << seed;
      }
      searched += result.nodes > 0;
    }
  }
  EXPECT_GT(searched, 20);
  RecordProperty("impossible", impossible);
}

// At most 4 addresses are live at any time, and 5 are needed. The two of size 2 at the begin lie in a half each, so do
// the two at the end. {1, 5} and {1, 3} share the half that {0, 2} leaves, so {2, 3} and {2, 5} share the other one;
// but {1, 5} and {2, 5} would have to share the half that {4, 6} leaves.
TEST(AddressSolver, WhatIsProvenNotToFitRaisesTheBound) {
  const std::vector<AddressBuffer> buffers = {{4, 6, 2}, {5, 6, 2}, {1, 5, 1}, {2, 3, 1},
                                              {0, 1, 2}, {1, 3, 1}, {2, 5, 1}, {0, 2, 2}};
  for (int switches = 0; switches < 8; ++switches) {
    AddressOptions options;
    options.useLocalSearch = (switches & 1) != 0;
    options.useSectionBounds = (switches & 2) != 0;
    options.usePostponed = (switches & 4) != 0;
    options.localWork = 20'000;
    for (const int64_t capacity : {0, 4, 5, 6}) {
      SCOPED_TRACE(std::to_string(switches) + " capacity " + std::to_string(capacity));
      const AddressProblem problem{buffers, capacity};
      EXPECT_EQ(loadBound(problem), 4);
      const AddressResult result = assignAddresses(problem, options);
      const bool room = capacity >= 5;
      EXPECT_EQ(result.fits, room);
      EXPECT_EQ(result.lowerBound, room ? 4 : 5) << "only what was asked is proven";
      EXPECT_EQ(heightOf(problem, result.offsets), result.height);
      EXPECT_EQ(result.proven, !room);
      if (room) EXPECT_LE(result.height, capacity);
    }
    // Parts of their own that fit, behind it, change nothing.
    AddressProblem more{buffers, 4};
    more.buffers.insert(more.buffers.end(), {{6, 7, 1}, {7, 8, 4}});
    EXPECT_EQ(assignAddresses(more, options).lowerBound, 5);
  }
}

TEST(AddressSolver, FindsPlacementsThatWereCutFromAFullRectangle) {
  // A rectangle cut into pieces fits exactly; the load bound equals the capacity at every time.
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Prng random(seed);
    struct Piece {
      int64_t begin, end, low, high;
    };
    std::vector<Piece> pieces{{0, 40, 0, 400}};
    for (int cut = 0; cut < 14; ++cut) {
      Piece& piece = pieces[static_cast<size_t>(random.below(static_cast<int64_t>(pieces.size())))];
      Piece other = piece;
      if (random.below(2) == 0 && piece.end - piece.begin > 1) {
        other.begin = piece.end = piece.begin + 1 + random.below(piece.end - piece.begin - 1);
      } else if (piece.high - piece.low > 1) {
        other.low = piece.high = piece.low + 1 + random.below(piece.high - piece.low - 1);
      } else {
        continue;
      }
      pieces.push_back(other);
    }
    AddressProblem problem{.buffers = {}, .capacity = 400};
    for (const Piece& piece : pieces) problem.buffers.push_back({piece.begin, piece.end, piece.high - piece.low});
    AddressOptions options;
    options.budget = WorkBudget(60'000'000);
    const AddressResult result = assignAddresses(problem, options);
    EXPECT_TRUE(result.fits) << "seed " << seed;
    EXPECT_TRUE(result.proven) << "seed " << seed;
  }
}

TEST(AddressSolver, HardShapes) {
  EXPECT_EQ(assignAddresses({}, {}).height, 0);
  // Two thousand equal buffers that all begin together, and one that never lives.
  AddressProblem wide;
  for (int i = 0; i < 2000; ++i) wide.buffers.push_back({.begin = 0, .end = 1 + i % 7, .size = 32});
  wide.buffers.push_back({.begin = 5, .end = 5, .size = 1 << 30});
  const AddressResult result = assignAddresses(wide, {});
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(result.height, 64000);
}

}  // namespace
}  // namespace tessera
