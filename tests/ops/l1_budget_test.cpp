// The budgets of L1 for which an answer holds.

#include "core/ops/model/l1_budget.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(BudgetRange, HoldsFromWhatWasAllowedUpToWhatWasRefused) {
  BudgetRange range;
  EXPECT_TRUE(range.admit(100, 150));
  EXPECT_TRUE(range.admit(150, 150));  // what fits exactly fits
  EXPECT_TRUE(range.admit(120, 150));
  EXPECT_FALSE(range.admit(300, 150));
  EXPECT_FALSE(range.admit(200, 150));
  EXPECT_EQ(range.from, 150);
  EXPECT_EQ(range.below, 200);
  EXPECT_FALSE(range.holds(149));
  EXPECT_TRUE(range.holds(150));
  EXPECT_TRUE(range.holds(199));
  EXPECT_FALSE(range.holds(200));
}

TEST(BudgetRange, APinnedAnswerHoldsForOneBudgetAndARangeIsCutByAnother) {
  BudgetRange pinned;
  pinned.pin(70);
  EXPECT_FALSE(pinned.holds(69));
  EXPECT_TRUE(pinned.holds(70));
  EXPECT_FALSE(pinned.holds(71));
  BudgetRange range{10, 90};
  range.cut({30, 200});
  EXPECT_EQ(range.from, 30);
  EXPECT_EQ(range.below, 90);
  range.cut({0, 50});
  EXPECT_EQ(range.from, 30);
  EXPECT_EQ(range.below, 50);
}

}  // namespace
}  // namespace tessera
