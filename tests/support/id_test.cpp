#include "core/support/id.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

namespace tessera {
namespace {

using OpId = Id<struct OpTestTag>;
using ValueId = Id<struct ValueTestTag>;

static_assert(!std::is_convertible_v<OpId, ValueId>);
static_assert(!std::is_constructible_v<ValueId, OpId>);
static_assert(!std::is_convertible_v<OpId, int>);
static_assert(!std::is_invocable_v<decltype([](auto id) -> decltype(IdVec<OpId, int>()[id]) { return {}; }), ValueId>);

TEST(Id, DefaultIsNone) {
  EXPECT_FALSE(OpId{}.valid());
  EXPECT_TRUE(OpId{0}.valid());
  EXPECT_LT(OpId{}, OpId{0});
  EXPECT_EQ(OpId{3}, OpId{3});
}

TEST(IdVec, PushGivesTheIdOfTheItem) {
  IdVec<OpId, std::string> names;
  EXPECT_TRUE(names.empty());
  OpId a = names.push("a");
  OpId b = names.push("b");
  EXPECT_EQ(names[a], "a");
  EXPECT_EQ(names[b], "b");
  names[a] = "c";
  EXPECT_EQ(std::as_const(names)[a], "c");
  EXPECT_EQ(names.size(), 2u);
  EXPECT_TRUE(names.contains(b));
  EXPECT_FALSE(names.contains(OpId{2}));
  EXPECT_FALSE(names.contains(OpId{}));
}

TEST(IdVec, HoldsWhatCanOnlyBeMoved) {
  IdVec<OpId, std::unique_ptr<int>> items;
  OpId id = items.push(std::make_unique<int>(7));
  EXPECT_EQ(*items[id], 7);
}

TEST(IdVec, WorksForBool) {
  IdVec<OpId, bool> seen(3);
  seen[OpId{1}] = true;
  EXPECT_FALSE(seen[OpId{0}]);
  EXPECT_TRUE(seen[OpId{1}]);
}

TEST(IdVec, IdsCountUp) {
  IdVec<OpId, int> items(3, 5);
  items.resize(4, 6);
  int sum = 0;
  int expected = 0;
  for (OpId id : items.ids()) {
    EXPECT_EQ(id.index, expected++);
    sum += items[id];
  }
  EXPECT_EQ(sum, 21);
  for (OpId id : IdVec<OpId, int>().ids()) FAIL() << id.index;
}

TEST(IdVec, ComparesByItems) {
  IdVec<OpId, int> a(2, 1);
  IdVec<OpId, int> b(2, 1);
  EXPECT_EQ(a, b);
  b[OpId{1}] = 2;
  EXPECT_FALSE(a == b);
}

TEST(IdVecDeathTest, AnIdOutOfRangeStopsTheProgram) {
  IdVec<OpId, int> items(2);
  EXPECT_DEATH(items[OpId{}] = 1, "id out of range");
  EXPECT_DEATH(items[OpId{2}] = 1, "id out of range");
  EXPECT_DEATH((void)std::as_const(items)[OpId{-7}], "id out of range");
}

}  // namespace
}  // namespace tessera
