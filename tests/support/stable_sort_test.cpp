#include "core/support/stable_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace tessera {
namespace {

struct Item {
  int rank;
  size_t place;  // before sorting
  bool operator==(const Item& other) const { return rank == other.rank && place == other.place; }
};

TEST(StableSort, DoesWhatTheStandardLibraryDoes) {
  uint64_t state = 1;
  for (size_t count = 0; count < 200; ++count) {
    std::vector<Item> items;
    for (size_t i = 0; i < count; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      items.push_back({static_cast<int>((state >> 33) % 7), i});
    }
    std::vector<Item> expected = items;
    auto less = [](const Item& a, const Item& b) { return a.rank > b.rank; };
    std::stable_sort(expected.begin(), expected.end(), less);
    stableSort(items, less);
    EXPECT_EQ(items, expected) << count;
  }
}

TEST(StableSort, MovesWhatCannotBeCopied) {
  std::vector<std::unique_ptr<std::string>> items;
  for (const char* text : {"c", "a", "b"}) items.push_back(std::make_unique<std::string>(text));
  stableSort(items, [](const auto& a, const auto& b) { return *a < *b; });
  EXPECT_EQ(*items[0] + *items[1] + *items[2], "abc");
}

}  // namespace
}  // namespace tessera
