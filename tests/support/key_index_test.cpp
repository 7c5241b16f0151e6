// Numbers of keys: in the order in which they were first seen, and the same ever after.

#include "core/support/key_index.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(KeyIndex, NumbersStayWhileTheTableGrows) {
  KeyIndex index;
  constexpr uint32_t kKeys = 3000;
  for (uint32_t i = 0; i < kKeys; ++i) {
    ASSERT_EQ(index.numberOf({i * 64, i}), i);
    ASSERT_EQ(index.numberOf({0, 0}), 0u) << "after " << i;
  }
  for (uint32_t i = 0; i < kKeys; ++i) ASSERT_EQ(index.numberOf({i * 64, i}), i);
  EXPECT_EQ(index.size(), kKeys);
  EXPECT_EQ(index.words(), 2 * kKeys);
}

TEST(KeyIndex, KeysThatBeginAlikeAreDifferent) {
  KeyIndex index;
  EXPECT_EQ(index.numberOf({}), 0u);
  EXPECT_EQ(index.numberOf({1}), 1u);
  EXPECT_EQ(index.numberOf({1, 2}), 2u);
  EXPECT_EQ(index.numberOf({2, 1}), 3u);
  EXPECT_EQ(index.numberOf({1}), 1u);
  EXPECT_EQ(index.numberOf({}), 0u);
}

// Keys of more words than others have in all, between short ones; what is moved knows them as well.
TEST(KeyIndex, KeysOfAnyLengthStayKnown) {
  std::vector<Key> keys;
  size_t words = 0;
  for (uint32_t i = 0; i < 300; ++i) {
    Key key(i % 50 == 0 ? 3000 + i * 40 : i % 90, i);
    key.push_back(i);
    words += key.size();
    keys.push_back(std::move(key));
  }
  KeyIndex index;
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(index.numberOf(keys[i]), i);
    ASSERT_EQ(index.numberOf(keys[i / 2]), i / 2);
  }
  KeyIndex moved = std::move(index);
  for (size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(moved.numberOf(keys[i]), i);
  EXPECT_EQ(moved.size(), keys.size());
  EXPECT_EQ(moved.words(), words);
  EXPECT_EQ(moved.numberOf({1, 2, 3, 4}), keys.size());
}

TEST(KeyIndex, TextsOneAfterTheOtherStayApart) {
  Key one, other;
  addText(one, "ab"), addText(one, "c");
  addText(other, "a"), addText(other, "bc");
  EXPECT_NE(one, other);
}

}  // namespace
}  // namespace tessera
