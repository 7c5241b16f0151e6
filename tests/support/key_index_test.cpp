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

TEST(KeyIndex, TextsOneAfterTheOtherStayApart) {
  Key one, other;
  addText(one, "ab"), addText(one, "c");
  addText(other, "a"), addText(other, "bc");
  EXPECT_NE(one, other);
}

}  // namespace
}  // namespace tessera
