// Result, the checked integer quantities, and the check itself.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

#include "core/support/check.h"
#include "core/support/result.h"
#include "core/support/units.h"

namespace tessera {
namespace {

static_assert(!std::is_convertible_v<Bytes, Nanoseconds>);
static_assert(!std::is_convertible_v<int64_t, Bytes>);
static_assert(!std::is_convertible_v<Bytes, int64_t>);

struct Refusal {
  std::string why;
};

Result<std::unique_ptr<int>, Refusal> half(int number) {
  if (number % 2 != 0) return Refusal{"odd"};
  return std::make_unique<int>(number / 2);
}

TEST(Result, HoldsAValueOrAnError) {
  auto good = half(8);
  ASSERT_TRUE(good.ok());
  EXPECT_TRUE(static_cast<bool>(good));
  EXPECT_EQ(**good, 4);
  std::unique_ptr<int> moved = *std::move(good);
  EXPECT_EQ(*moved, 4);
  auto bad = half(7);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().why, "odd");
}

TEST(Result, WorksWhenBothTypesAreTheSame) {
  struct Text {
    std::string text;
  };
  const Result<std::string, Text> good(std::string("a"));
  EXPECT_EQ(*good, "a");
  EXPECT_EQ(good->size(), 1u);
}

TEST(ResultDeathTest, TheWrongQuestionStopsTheProgram) {
  auto good = half(8);
  auto bad = half(7);
  EXPECT_DEATH((void)good.error(), "error\\(\\) of a Result that holds a value");
  EXPECT_DEATH((void)*bad, "value of a Result that holds an error");
}

TEST(Quantity, Arithmetic) {
  EXPECT_EQ(Bytes(5) + Bytes(6) - Bytes(1), Bytes(10));
  EXPECT_EQ(Bytes(5) * 3, Bytes(15));
  EXPECT_LT(Bytes(-1), Bytes());
  Bytes sum;
  sum += Bytes(4);
  sum -= Bytes(1);
  EXPECT_EQ(sum.count, 3);
}

TEST(Units, CeilDivAndAlignUp) {
  EXPECT_EQ(ceilDiv(1, 32), 1);
  EXPECT_EQ(ceilDiv(32, 32), 1);
  EXPECT_EQ(ceilDiv(33, 32), 2);
  EXPECT_EQ(alignUp(1, 32), 32);
  EXPECT_EQ(alignUp(64, 32), 64);
  EXPECT_EQ(alignUp(0, 32), 0);
}

TEST(Units, ProductsThatDoNotFitAreRefused) {
  int64_t out = 0;
  EXPECT_TRUE(mulChecked(int64_t{1} << 31, int64_t{1} << 31, out));
  EXPECT_EQ(out, int64_t{1} << 62);
  EXPECT_FALSE(mulChecked(int64_t{1} << 32, int64_t{1} << 31, out));
  EXPECT_FALSE(mulChecked(INT64_MIN, -1, out));
  EXPECT_TRUE(addChecked(INT64_MAX, 0, out));
  EXPECT_FALSE(addChecked(INT64_MAX, 1, out));
  EXPECT_FALSE(addChecked(INT64_MIN, -1, out));
}

TEST(CheckDeathTest, SaysWhereWhatAndWhy) {
  EXPECT_DEATH(TESSERA_CHECK(1 + 1 == 3, "sums are wrong"),
               "values_test.cpp:[0-9]+: check failed: 1 \\+ 1 == 3: sums are wrong");
}

TEST(Check, EvaluatesItsConditionOnce) {
  int calls = 0;
  TESSERA_CHECK(++calls == 1, "counts");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace tessera
