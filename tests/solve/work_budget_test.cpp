// What is left of a budget of work.

#include <gtest/gtest.h>

#include "core/solve/cost.h"

namespace tessera {
namespace {

TEST(WorkBudget, TheLastStepMayBeSpentAndNoneAfterIt) {
  WorkBudget budget(3);
  EXPECT_TRUE(budget.spend(2));
  EXPECT_EQ(budget.left(), 1);
  EXPECT_TRUE(budget.spend(1));
  EXPECT_FALSE(budget.exhausted());
  EXPECT_EQ(budget.left(), 0);
  EXPECT_FALSE(budget.spend(1));
  EXPECT_TRUE(budget.exhausted());
  EXPECT_FALSE(budget.spend(0));
  EXPECT_EQ(budget.left(), 0);
}

TEST(WorkBudget, HalfIsACopyOfItsOwn) {
  WorkBudget budget(7);
  WorkBudget half = budget.half();
  EXPECT_EQ(half.left(), 3);
  EXPECT_FALSE(half.spend(4));
  EXPECT_EQ(budget.left(), 7);
}

TEST(WorkBudget, ExpiryIsAskedNowAndThenAndIsFinal) {
  int asked = 0;
  WorkBudget budget(INT64_MAX / 2, [&] { return ++asked == 2; });
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(budget.spend(99'999));
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(budget.spend(1));
  EXPECT_FALSE(budget.spend(400'000));
  EXPECT_EQ(asked, 2);
  EXPECT_FALSE(budget.spend(1));
}

}  // namespace
}  // namespace tessera
