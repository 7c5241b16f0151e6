#include "core/device/free_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "core/support/units.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

// The same promises, kept by looking at every granule.
class NaiveList {
 public:
  NaiveList(int64_t begin, int64_t end, int64_t granule, Direction direction)
      : begin_(alignUp(begin, granule)),
        granule_(granule),
        direction_(direction),
        used_(static_cast<size_t>(end / granule - begin_ / granule), false) {}

  std::optional<int64_t> allocate(int64_t bytes) {
    auto need = static_cast<size_t>(ceilDiv(std::max<int64_t>(bytes, 1), granule_));
    if (need > used_.size()) return {};
    size_t starts = used_.size() - need + 1;
    for (size_t i = 0; i < starts; ++i) {
      size_t at = direction_ == Direction::BottomUp ? i : starts - 1 - i;
      bool free = true;
      for (size_t k = at; k < at + need && free; ++k) free = !used_[k];
      if (!free) continue;
      for (size_t k = at; k < at + need; ++k) used_[k] = true;
      int64_t address = begin_ + static_cast<int64_t>(at) * granule_;
      sizes_[address] = need;
      return address;
    }
    return {};
  }
  void free(int64_t address) {
    auto at = static_cast<size_t>((address - begin_) / granule_);
    for (size_t k = at; k < at + sizes_[address]; ++k) used_[k] = false;
    sizes_.erase(address);
  }
  int64_t lowestUsed() const {
    return sizes_.empty() ? begin_ + static_cast<int64_t>(used_.size()) * granule_ : sizes_.begin()->first;
  }
  int64_t freeBytes() const { return std::count(used_.begin(), used_.end(), false) * granule_; }
  int64_t largestHole() const {
    int64_t largest = 0, run = 0;
    for (bool used : used_) {
      run = used ? 0 : run + granule_;
      largest = std::max(largest, run);
    }
    return largest;
  }

 private:
  int64_t begin_;
  int64_t granule_;
  Direction direction_;
  std::vector<bool> used_;
  std::map<int64_t, size_t> sizes_;  // in granules
};

class RandomAllocations : public ::testing::TestWithParam<Direction> {};

TEST_P(RandomAllocations, AgreeWithTheNaiveModel) {
  for (uint64_t seed = 0; seed < test::seeds(30); ++seed) {
    test::SplitMix64 random(seed);
    int64_t granule = int64_t{1} << random.below(7);
    int64_t begin = random.below(1000), end = begin + granule + random.below(8000);
    FreeList list(begin, end, granule, GetParam());
    NaiveList model(begin, end, granule, GetParam());
    std::vector<int64_t> live;
    for (int step = 0; step < 400; ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " step " + std::to_string(step));
      if (!live.empty() && random.oneIn(2)) {
        auto victim = static_cast<size_t>(random.below(static_cast<int64_t>(live.size())));
        list.free(live[victim]);
        model.free(live[victim]);
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
      } else {
        int64_t bytes = random.below(random.oneIn(10) ? 8000 : 600);
        std::optional<int64_t> address = list.allocate(bytes);
        ASSERT_EQ(address, model.allocate(bytes));
        if (address) live.push_back(*address);
      }
      ASSERT_EQ(list.freeBytes(), model.freeBytes());
      ASSERT_EQ(list.largestHole(), model.largestHole());
      ASSERT_EQ(list.lowestUsed(), model.lowestUsed());
    }
    for (int64_t address : live) list.free(address);
    EXPECT_EQ(list.largestHole(), list.freeBytes()) << "free neighbours are one hole";
    EXPECT_EQ(list.freeBytes(), end / granule * granule - alignUp(begin, granule));
  }
}
INSTANTIATE_TEST_SUITE_P(Both, RandomAllocations, ::testing::Values(Direction::TopDown, Direction::BottomUp),
                         [](const auto& tested) {
                           return tested.param == Direction::TopDown ? "TopDown" : "BottomUp";
                         });

TEST(FreeList, GoesDownFromTheTopOrUpFromTheBottom) {
  FreeList down(0, 1024, 32, Direction::TopDown), up(0, 1024, 32, Direction::BottomUp);
  EXPECT_EQ(down.allocate(100), 1024 - 128);
  EXPECT_EQ(down.allocate(32), 1024 - 128 - 32);
  EXPECT_EQ(up.allocate(100), 0);
  EXPECT_EQ(up.allocate(32), 128);
}

TEST(FreeList, RoundsSizesToTheGranuleAndBoundsInwards) {
  FreeList list(33, 1000, 32, Direction::BottomUp);  // 64 .. 992
  EXPECT_EQ(list.freeBytes(), 992 - 64);
  EXPECT_EQ(list.allocate(0), 64);
  EXPECT_EQ(list.allocate(1), 96);
  EXPECT_EQ(list.allocate(33), 128);
  EXPECT_EQ(list.allocate(32), 192);
  EXPECT_EQ(list.freeBytes(), 992 - 224);
}

TEST(FreeList, TakesTheFirstHoleThatFitsNotTheBest) {
  FreeList list(0, 1000, 100, Direction::BottomUp);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(list.allocate(100), i * 100);
  for (int64_t address : {100, 200, 300, 600}) list.free(address);
  EXPECT_EQ(list.largestHole(), 300);
  EXPECT_EQ(list.allocate(100), 100);  // 600 would fit exactly
}

TEST(FreeList, SaysNoWhenNoHoleIsLargeEnoughAndStaysAsItWas) {
  FreeList list(0, 1000, 100, Direction::TopDown);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(list.allocate(100).has_value());
  EXPECT_EQ(list.allocate(1), std::nullopt);
  EXPECT_EQ(list.largestHole(), 0);
  list.free(100);
  list.free(300);
  EXPECT_EQ(list.freeBytes(), 200);
  EXPECT_EQ(list.allocate(200), std::nullopt);  // 200 bytes, but not in one piece
  EXPECT_EQ(list.freeBytes(), 200);
  list.free(200);
  EXPECT_EQ(list.allocate(300), 100);
}

TEST(FreeList, MergesWithBothNeighbours) {
  FreeList list(0, 300, 100, Direction::BottomUp);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(list.allocate(100).has_value());
  list.free(0);
  list.free(200);
  EXPECT_EQ(list.largestHole(), 100);
  list.free(100);
  EXPECT_EQ(list.largestHole(), 300);
  EXPECT_EQ(list.lowestUsed(), 300);  // the end: all is free
}

TEST(FreeList, AnEmptyRangeHoldsNothing) {
  FreeList list(64, 64, 32, Direction::TopDown);
  EXPECT_EQ(list.freeBytes(), 0);
  EXPECT_EQ(list.largestHole(), 0);
  EXPECT_EQ(list.allocate(1), std::nullopt);
}

TEST(FreeListDeathTest, StopsOnMisuse) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  FreeList list(0, 1024, 32, Direction::TopDown);
  int64_t address = *list.allocate(64);
  EXPECT_DEATH(list.free(address + 32), "not in use");  // inside a buffer, not its address
  list.free(address);
  EXPECT_DEATH(list.free(address), "not in use");
  EXPECT_DEATH(FreeList(1024, 0, 32, Direction::TopDown), "empty range");
}

}  // namespace
}  // namespace tessera
