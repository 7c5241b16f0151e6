// Sizes found for unknowns and what relates them. Unknown number n of a size above four starts at 2 + n % 3, so that
// neighbours differ; the unknowns of the smallest originals are filled in first.

#include "core/execute/dim_solver.h"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

using Values = std::vector<int64_t>;

// Unknowns of the sizes, related by `relate`, and what they become; empty when nothing was found.
template <typename Relate>
Values solved(const Values& sizes, Relate relate) {
  DimSolver solver;
  for (int64_t size : sizes) solver.add(size);
  relate(solver);
  if (!solver.solve()) return {};
  Values values;
  for (size_t i = 0; i < sizes.size(); ++i) values.push_back(solver.valueOf(static_cast<DimVar>(i)));
  return values;
}

TEST(DimSolver, NeighboursDifferAndSmallOnesStay) {
  const auto nothing = [](DimSolver&) {};
  EXPECT_EQ(solved({100, 100, 100, 100, 5}, nothing), (Values{2, 3, 4, 2, 3}));
  EXPECT_EQ(solved({4, 3, 2, 1, 5}, nothing), (Values{4, 3, 2, 1, 3}));
  EXPECT_EQ(solved({}, nothing), Values{});
}

TEST(DimSolver, BoundsAndPreferences) {
  EXPECT_EQ(solved({100, 100}, [](DimSolver& s) { s.atLeast(0, 7); }), (Values{7, 3}));
  EXPECT_EQ(solved({100, 100}, [](DimSolver& s) { s.atLeast(0, 7), s.atLeast(0, 5); }), (Values{7, 3}));
  EXPECT_EQ(solved({100, 100}, [](DimSolver& s) { s.fix(1); }), (Values{2, 100}));
  EXPECT_EQ(solved({100, 100}, [](DimSolver& s) { s.prefer(0, 32), s.prefer(0, 16); }), (Values{32, 3}));
  EXPECT_EQ(solved({20, 100}, [](DimSolver& s) { s.prefer(0, 32); }), (Values{20, 3})) << "no more than there were";
  EXPECT_EQ(solved({4, 100}, [](DimSolver& s) { s.atLeast(0, 4); }), (Values{4, 3}));
  // Smaller sizes than the preferred one come after the larger ones: 16 and more leave less than 10 of 20.
  EXPECT_EQ(solved({20, 20, 20},
                   [](DimSolver& s) {
                     s.prefer(0, 16), s.fix(1), s.sum(1, {0, 2}, 0), s.atLeast(2, 10);
                   }),
            (Values{2, 20, 18}));
  // Equal ones have the stricter bound and the larger preference of the two.
  EXPECT_EQ(solved({100, 100}, [](DimSolver& s) { s.atLeast(1, 9), s.equal(0, 1); }), (Values{9, 9}));
  EXPECT_EQ(solved({100, 100}, [](DimSolver& s) { s.equal(1, 0), s.atLeast(1, 9); }), (Values{9, 9}));
  EXPECT_EQ(solved({100, 100}, [](DimSolver& s) { s.atLeast(0, 9), s.atLeast(1, 6), s.equal(1, 0); }), (Values{9, 9}));
  EXPECT_EQ(solved({100, 100}, [](DimSolver& s) { s.prefer(1, 40), s.prefer(0, 30), s.equal(0, 1); }),
            (Values{40, 40}));
  EXPECT_EQ(solved({100, 100, 100, 100},
                   [](DimSolver& s) {
                     s.equal(3, 2);
                     s.equal(1, 2);
                     s.equal(1, 1);
                   }),
            (Values{2, 3, 3, 3}));
}

TEST(DimSolver, Products) {
  // The smaller one chooses: a = 3 b, b = 3.
  EXPECT_EQ(solved({120, 40}, [](DimSolver& s) { s.product(1, {0}, 3, {1}); }), (Values{9, 3}));
  EXPECT_EQ(solved({40, 120}, [](DimSolver& s) { s.product(3, {0}, 1, {1}); }), (Values{2, 6}));
  // 2 a = 3 b: b = 3 leaves no whole number, 4 is the next.
  EXPECT_EQ(solved({60, 40}, [](DimSolver& s) { s.product(2, {0}, 3, {1}); }), (Values{6, 4}));
  // Three factors of one, of which one is fixed.
  EXPECT_EQ(solved({60, 5, 6, 2},
                   [](DimSolver& s) {
                     s.product(1, {0}, 1, {1, 2, 3}), s.fix(2);
                   }),
            (Values{36, 3, 6, 2}));
  // A square.
  EXPECT_EQ(solved({5, 25}, [](DimSolver& s) { s.product(1, {0, 0}, 1, {1}); }), (Values{2, 4}));
  EXPECT_EQ(solved({25, 5}, [](DimSolver& s) { s.product(1, {0}, 1, {1, 1}), s.fix(0); }), (Values{25, 5}));
  // On both sides: a b = a c.
  EXPECT_EQ(solved({7, 9, 9}, [](DimSolver& s) { s.product(1, {0, 1}, 1, {0, 2}); }), (Values{2, 3, 3}));
}

TEST(DimSolver, Sums) {
  EXPECT_EQ(solved({60, 20, 40}, [](DimSolver& s) { s.sum(0, {1, 2}, 0); }), (Values{7, 3, 4}));
  EXPECT_EQ(solved({65, 20, 40}, [](DimSolver& s) { s.sum(0, {1, 2}, 5); }), (Values{12, 3, 4}));
  EXPECT_EQ(solved({15, 20}, [](DimSolver& s) { s.sum(0, {1}, -5); }), (Values{2, 7}));
  // The rest of a whole that is fixed.
  EXPECT_EQ(solved({60, 20, 40}, [](DimSolver& s) { s.sum(0, {1, 2}, 0), s.fix(0); }), (Values{60, 20, 40}));
  // The same part three times: whole = 3 part + 2.
  EXPECT_EQ(solved({62, 20}, [](DimSolver& s) { s.sum(0, {1, 1, 1}, 2); }), (Values{11, 3}));
  EXPECT_EQ(solved({62, 20}, [](DimSolver& s) { s.sum(0, {1, 1, 1}, 2), s.fix(0); }), (Values{62, 20}));
}

TEST(DimSolver, WindowsAreCountedAsConvolutionsDo) {
  const auto count = [](DimSolver::Window w, int64_t in) { return w.count(in); };
  EXPECT_EQ(count({}, 7), 7);
  EXPECT_EQ(count({.kernel = 3}, 7), 5);
  EXPECT_EQ(count({.kernel = 3}, 3), 1);
  EXPECT_EQ(count({.kernel = 3}, 2), 0);
  EXPECT_EQ(count({.padding = 1, .kernel = 3}, 2), 1);
  EXPECT_EQ(count({.padding = 2, .kernel = 3, .stride = 2}, 7), 4);
  EXPECT_EQ(count({.padding = 2, .kernel = 3, .stride = 2}, 8), 4);
  EXPECT_EQ(count({.kernel = 3, .dilation = 2}, 7), 3);
  EXPECT_EQ(count({.kernel = 3, .dilation = 2}, 4), 0);
  // The last one hangs over, but begins no later than the input's last element.
  EXPECT_EQ(count({.kernel = 3, .stride = 3, .ceil = true}, 7), 3);
  EXPECT_EQ(count({.kernel = 3, .stride = 3, .ceil = true}, 9), 3);
  EXPECT_EQ(count({.padding = 1, .kernel = 2, .stride = 2, .ceil = true}, 4), 2);
  EXPECT_EQ(count({.padding = 1, .kernel = 2, .stride = 2, .ceil = true, .padLow = 1}, 4), 3);
}

TEST(DimSolver, Windows) {
  // 48 = 50 - 2.
  const DimSolver::Window three{.kernel = 3};
  const Values moved = solved({50, 48}, [&](DimSolver& s) { s.window(0, 1, three); });
  ASSERT_EQ(moved.size(), 2u);
  EXPECT_EQ(moved[1], moved[0] - 2);
  // Half of it, whatever its size: both ways.
  const DimSolver::Window half{.kernel = 2, .stride = 2};
  EXPECT_EQ(solved({50, 25}, [&](DimSolver& s) { s.window(0, 1, half); }), (Values{6, 3}));
  EXPECT_EQ(solved({50, 25}, [&](DimSolver& s) { s.window(0, 1, half), s.fix(1); }), (Values{50, 25}));
  EXPECT_EQ(solved({40, 40}, [](DimSolver& s) { s.window(0, 1, {.padding = 2, .kernel = 3}); }), (Values{2, 2}));
  // As large as its input at this size alone: the input chooses.
  EXPECT_EQ(solved({16, 16}, [](DimSolver& s) { s.window(0, 1, {.padding = 15, .stride = 2}); }), (Values{2, 9}));
  const Values strided =
      solved({50, 17}, [](DimSolver& s) { s.window(0, 1, {.padding = 1, .kernel = 3, .stride = 3}); });
  ASSERT_EQ(strided.size(), 2u);
  EXPECT_EQ(strided[1], (strided[0] + 1 - 3) / 3 + 1);
}

TEST(DimSolver, SaysWhenNothingSatisfiesAll) {
  EXPECT_EQ(solved({10, 5}, [](DimSolver& s) { s.fix(0), s.product(1, {0}, 3, {1}); }), Values{});
  EXPECT_EQ(solved({10, 10}, [](DimSolver& s) { s.fix(0), s.fix(1), s.product(1, {0}, 2, {1}); }), Values{});
  EXPECT_EQ(solved({10, 4}, [](DimSolver& s) { s.fix(0), s.sum(0, {1}, 10); }), Values{});
  EXPECT_EQ(solved({10, 4}, [](DimSolver& s) { s.fix(0), s.sum(0, {1, 1}, 3); }), Values{});
  EXPECT_EQ(solved({2, 5}, [](DimSolver& s) { s.window(0, 1, {.kernel = 3}); }), Values{});
  EXPECT_EQ(solved({10, 20}, [](DimSolver& s) { s.fix(0), s.fix(1), s.equal(0, 1); }), Values{});
  EXPECT_EQ(solved({5, 1}, [](DimSolver& s) { s.atLeast(1, 2); }), Values{});
  EXPECT_EQ(solved({10}, [](DimSolver& s) { s.atLeast(0, 11); }), Values{}) << "never larger than it was";
}

// Two factorings of one size into factors of the same sizes have the same factors.
TEST(DimSolver, FactoringsAlikeAreOne) {
  EXPECT_EQ(solved({120, 8, 15, 8, 15},
                   [](DimSolver& s) {
                     s.product(1, {0}, 1, {1, 2});
                     s.product(1, {3, 4}, 1, {0});
                   }),
            (Values{12, 3, 4, 3, 4}));
  // In another order they are others; so are those of another size.
  const Values turned = solved({120, 8, 15, 15, 8}, [](DimSolver& s) {
    s.product(1, {0}, 1, {1, 2});
    s.product(1, {0}, 1, {3, 4});
  });
  ASSERT_EQ(turned.size(), 5u);
  EXPECT_EQ(turned[1] * turned[2], turned[3] * turned[4]);
  const Values apart = solved({120, 8, 15, 8, 15, 120}, [](DimSolver& s) {
    s.product(1, {0}, 1, {1, 2});
    s.product(1, {5}, 1, {3, 4});
  });
  EXPECT_EQ(apart, (Values{12, 3, 4, 2, 3, 6}));
}

// One for which nothing is left chooses first in the next attempt.
TEST(DimSolver, TriesAnotherOrder) {
  const Values found = solved({70, 50, 49, 35}, [](DimSolver& s) {
    s.product(5, {0}, 7, {1});
    s.product(5, {2}, 7, {3});
    s.product(7, {0}, 10, {2});
  });
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(5 * found[0], 7 * found[1]);
  EXPECT_EQ(5 * found[2], 7 * found[3]);
  EXPECT_EQ(7 * found[0], 10 * found[2]);
}

TEST(DimSolver, GivesUpOnSizesThatNoSearchGoesThrough) {
  const int64_t huge = int64_t{1} << 40;
  const auto contradict = [](DimSolver& s) {
    s.sum(0, {1}, 1);
    s.sum(1, {0}, 1);
  };
  EXPECT_EQ(solved({huge, huge}, contradict), Values{});
}

}  // namespace
}  // namespace tessera::test
