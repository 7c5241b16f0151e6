// The way back from a physical place: found where every place has one index, refused where two share a place.

#include "core/ir/linear_inverse.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/short_forms.h"

namespace tessera {
namespace {

// Counted out: strides of two dims, whether two indices meet, and what is solved.
TEST(LinearInverse, IsThereJustWhenTheStridesDoNotOverlap) {
  for (int64_t a = 1; a <= 7; ++a)
    for (int64_t b = 1; b <= 7; ++b) {
      if (a == b) continue;
      const Shape shape = {3, 2};
      const auto inverse = invertLinear(shape, {{{a, b}, {}, 0}});
      const bool digits = a > b ? a > b * (shape[1] - 1) : b > a * (shape[0] - 1);
      ASSERT_EQ(inverse.ok(), digits) << a << " " << b;
      if (!digits) continue;
      std::set<int64_t> places;
      std::vector<int64_t> index(2);
      do {
        const int64_t place = a * index[0] + b * index[1];
        EXPECT_TRUE(places.insert(place).second);
        const auto solved = inverse->solve({place});
        ASSERT_TRUE(solved.has_value());
        EXPECT_EQ(*solved, index);
      } while (advance(index, shape));
      for (int64_t place = 0; place <= *places.rbegin() + 2; ++place)
        EXPECT_EQ(inverse->solve({place}).has_value(), places.count(place) > 0) << a << " " << b << " at " << place;
    }
}

// A dim of one element says nothing, whatever its stride; strides alone order the others.
TEST(LinearInverse, DimsOfOneElementDoNotCount) {
  const auto inverse = invertLinear({1, 4}, {{{2, 1}, {}, 0}});
  ASSERT_TRUE(inverse.ok());
  EXPECT_EQ(inverse->solve({3}), (std::vector<int64_t>{0, 3}));
  EXPECT_TRUE(invertLinear({4, 1}, {{{1, 1}, {}, 0}}).ok());
  EXPECT_FALSE(invertLinear({2, 4}, {{{2, 1}, {}, 0}}).ok());
}

// d1 + d2 tells d1 once the last result has told d2; the first two results have been looked at by then.
TEST(LinearInverse, AResultMayWaitForALaterOne) {
  const std::vector<LinearExpr> exprs = {{{1, 0, 0}, {}, 0}, {{0, 1, 1}, {}, 0}, {{0, 0, 1}, {}, 0}};
  const auto inverse = invertLinear({2, 3, 4}, exprs);
  ASSERT_TRUE(inverse.ok());
  EXPECT_FALSE(inverse->separable);
  EXPECT_EQ(inverse->solve({1, 5, 3}), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(inverse->solve({1, 6, 3}), std::nullopt) << "d1 would be 3";
}

// Of a result with an offset: places below a limit that an index has, counted.
TEST(LinearInverse, PlacesBelowALimitAreCountedBehindTheOffset) {
  const Shape shape = {3, 2};
  for (const int64_t offset : {0, 3}) {
    const auto inverse = invertLinear(shape, {{{5, 2}, {}, offset}});
    ASSERT_TRUE(inverse.ok());
    for (int64_t end = 0; end <= 20; ++end) {
      int64_t below = 0;
      std::vector<int64_t> index(2);
      do below += 5 * index[0] + 2 * index[1] + offset < end;
      while (advance(index, shape));
      EXPECT_EQ(inverse->occupiedBelow(0, end), below) << offset << " " << end;
    }
    EXPECT_EQ(inverse->solve({offset + 7}), (std::vector<int64_t>{1, 1}));
    EXPECT_EQ(inverse->occupiedBelow(1, 5), 0) << "no such result";
  }
}

}  // namespace
}  // namespace tessera
