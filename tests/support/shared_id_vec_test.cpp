#include "core/support/shared_id_vec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tessera {
namespace {

using TextId = Id<struct SharedTextTag>;
using Texts = SharedIdVec<TextId, std::string>;

Texts abc() {
  Texts texts;
  for (const char* text : {"a", "b", "c"}) texts.push(text);
  return texts;
}

TEST(SharedIdVec, CopiesShareWhatNobodyEdited) {
  Texts texts = abc();
  const Texts before = texts;
  texts.edit(TextId{1}) = "changed";
  EXPECT_EQ(before[TextId{1}], "b");
  EXPECT_EQ(texts[TextId{1}], "changed");
  EXPECT_TRUE(texts.sharesItem(TextId{0}, before, TextId{0}));
  EXPECT_FALSE(texts.sharesItem(TextId{1}, before, TextId{1}));
  EXPECT_FALSE(texts.sharesItem(TextId{0}, before, TextId{2}));
  EXPECT_FALSE(abc().sharesItem(TextId{0}, before, TextId{0})) << "equal, and not the same";
}

TEST(SharedIdVec, EditsInPlaceWhatIsItsOwn) {
  Texts texts = abc();
  const std::string* place = &texts[TextId{1}];
  EXPECT_EQ(&texts.edit(TextId{1}), place);
  {
    const Texts copy = texts;
    EXPECT_NE(&texts.edit(TextId{1}), place);
  }
  const std::string* moved = &texts[TextId{2}];
  EXPECT_EQ(&texts.edit(TextId{2}), moved) << "the copy is gone";
}

TEST(SharedIdVec, TakesItemsOfOthers) {
  Texts from = abc(), to;
  EXPECT_EQ(to.push(from, TextId{2}), TextId{0});
  EXPECT_TRUE(to.sharesItem(TextId{0}, from, TextId{2}));
  const std::string* place = &from[TextId{0}];
  EXPECT_EQ(to.push(std::move(from), TextId{0}), TextId{1});
  EXPECT_EQ(&to.edit(TextId{1}), place) << "nobody else holds it";
  EXPECT_EQ(to[TextId{1}], "a");
}

TEST(SharedIdVec, WalksInOrder) {
  const Texts texts = abc();
  std::string all;
  for (const std::string& text : texts) all += text;
  EXPECT_EQ(all, "abc");
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "b"), 1);
  EXPECT_EQ(texts.begin()->size(), 1u);
  auto at = texts.begin();
  EXPECT_EQ(*at++, "a");
  EXPECT_EQ(*at, "b");
  EXPECT_TRUE(Texts().begin() == Texts().end());
}

TEST(SharedIdVecDeathTest, IdsOutOfRange) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Texts texts = abc();
  EXPECT_DEATH(texts[TextId{3}], "out of range");
  EXPECT_DEATH(texts[TextId{-1}], "out of range");
  EXPECT_DEATH(texts.edit(TextId{3}), "out of range");
}

}  // namespace
}  // namespace tessera
