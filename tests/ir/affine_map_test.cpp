#include "core/ir/affine_map.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

AffineMap parse(std::string_view text) {
  const Result<AffineMap, LayoutDefect> map = parseAffineMap(text);
  EXPECT_TRUE(map.ok()) << text << ": " << (map.ok() ? "" : map.error().text);
  return map.ok() ? *map : AffineMap{};
}

std::string ruleOf(const Result<AffineMap, LayoutDefect>& map) {
  return map.ok() ? "made" : std::string(layoutRuleName(map.error().rule));
}

using Index = std::vector<int64_t>;

TEST(AffineMap, SpecExample) {  // tensor-layout.md, "Dimension Collapsing"
  const AffineMap map = parse("(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)");
  EXPECT_EQ(evaluate(map, {1, 1, 6, 100}), (Index{262, 100}));
  EXPECT_EQ(evaluate(map, {1, 2, 63, 127}), (Index{383, 127}));
  EXPECT_EQ(printAffineMap(map), "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)");
}

// Equal terms are apart: one may be subtracted.
TEST(AffineMap, ATermFromAnEqualOne) {
  EXPECT_EQ(evaluate(parse("(d0) -> (5 - 5)"), {3}), Index{0});
  EXPECT_EQ(evaluate(parse("(d0) -> (d0 - d0)"), {3}), Index{0});
  EXPECT_EQ(evaluate(parse("(d0) -> (d0 + 5 - 5 + 5)"), {3}), Index{8});
}

TEST(AffineMap, PrintsWhatItReads) {
  for (const char* text :
       {"() -> (0, 0)", "(d0) -> (0, d0)", "(d0, d1) -> (d0, d1)", "(d0, d1) -> ()",
        "(d0, d1)[s0] -> (d0 * s0 + d1, d1 floordiv 32)", "(d0) -> (d0 - 1)", "(d0, d1) -> (d0 - d1 * 4)",
        "(d0) -> ((d0 + 3) floordiv 4 mod 7)", "(d0) -> (d0 ceildiv 32 * 32)", "(d0) -> (-d0)",
        "(d0, d1) -> (d0 mod (d1 * 2 + 1))", "(d0)[s0] -> (d0 mod (s0 * 4))", "(d0) -> (-5)", "(d0) -> (d0 * -2)",
        "(d0) -> (d0 + (-4 + d0))", "(d0) -> (d0 + (d0 * -3 + d0 + 1))", "(d0) -> (d0 + d0 * 3 - 4)",
        "(d0) -> (d0 + 0 * -1 - 5 + 5 * -1)", "(d0, d1) -> (0, d1 floordiv 8, d1 mod 8)"}) {
    const AffineMap map = parse(text);
    const std::string printed = printAffineMap(map);
    if (std::string(text) != "(d0) -> (-d0)") {  // prints as d0 * -1
      EXPECT_EQ(printed, text);
    }
    EXPECT_TRUE(sameMap(parse(printed), map)) << text << " printed as " << printed;
    EXPECT_EQ(printAffineMap(parse(printed)), printed);
  }
}

TEST(AffineMap, ReadsOtherSpellings) {
  EXPECT_EQ(printAffineMap(parse("affine_map<(i, j)[n] -> (i*n+j)>")), "(d0, d1)[s0] -> (d0 * s0 + d1)");
  EXPECT_EQ(printAffineMap(parse("(d0,d1,d2,d3)->(d0+d1+d2,d3)")), "(d0, d1, d2, d3) -> (d0 + d1 + d2, d3)");
  EXPECT_EQ(printAffineMap(parse("(d0, d1, d2)\n  -> (d0 * 64 + d1,\n d2)")), "(d0, d1, d2) -> (d0 * 64 + d1, d2)");
}

TEST(AffineMap, Precedence) {
  EXPECT_EQ(evaluate(parse("(d0, d1) -> (d0 + d1 * 3)"), {1, 2}), (Index{7}));
  EXPECT_EQ(evaluate(parse("(d0, d1) -> ((d0 + d1) * 3)"), {1, 2}), (Index{9}));
  EXPECT_EQ(evaluate(parse("(d0, d1) -> (d0 - d1 - 1)"), {1, 2}), (Index{-2}));
  EXPECT_EQ(evaluate(parse("(d0) -> (-d0 * 2 + 1)"), {5}), (Index{-9}));
  EXPECT_EQ(evaluate(parse("(d0) -> (100 floordiv d0 mod 4)"), {7}), (Index{2}));
  EXPECT_EQ(evaluate(parse("(d0) -> (- - d0)"), {7}), (Index{7}));
  EXPECT_EQ(evaluate(parse("(d0) -> (-d0 floordiv 4, -d0 mod 4, 1 - d0 floordiv 4)"), {3}), (Index{-1, 1, 1}));
}

TEST(AffineMap, RoundingOfNegativeNumbers) {
  const AffineMap map = parse("(d0) -> (d0 floordiv 4, d0 ceildiv 4, d0 mod 4)");
  for (int64_t d = -9; d <= 9; ++d) {
    const std::vector<int64_t> value = *evaluate(map, {d});
    EXPECT_LE(value[0] * 4, d);
    EXPECT_GT(value[0] * 4 + 4, d);
    EXPECT_GE(value[1] * 4, d);
    EXPECT_LT(value[1] * 4 - 4, d);
    EXPECT_EQ(value[2], d - value[0] * 4);
  }
}

TEST(AffineMap, CheckedArithmetic) {
  EXPECT_EQ(evaluate(parse("(d0) -> (d0 * 9223372036854775807)"), {2}), std::nullopt);
  EXPECT_EQ(evaluate(parse("(d0) -> (d0 + 9223372036854775807)"), {1}), std::nullopt);
  EXPECT_EQ(evaluate(parse("(d0) -> (5 floordiv d0)"), {0}), std::nullopt);
  EXPECT_EQ(evaluate(parse("(d0) -> (5 mod d0)"), {-1}), std::nullopt);
  EXPECT_EQ(evaluate(parse("(d0) -> (5 ceildiv d0)"), {0}), std::nullopt);
  EXPECT_EQ(evaluate(parse("(d0) -> (d0 floordiv 1, d0 mod 1)"), {INT64_MIN}), (Index{INT64_MIN, 0}));
  EXPECT_EQ(evaluate(parse("(d0) -> (d0)"), {1, 2}), std::nullopt);
  EXPECT_EQ(evaluate(parse("(d0)[s0] -> (d0)"), {1}), std::nullopt);
}

TEST(AffineMap, BadTextsAreRefused) {
  for (const char* text : {"",
                           "(",
                           "(d0",
                           "(d0)",
                           "(d0) ->",
                           "(d0) -> (",
                           "(d0) -> (d0",
                           "(d0) -> (d1)",
                           "(d0) -> (d0,)",
                           "(d0) -> (d0 d0)",
                           "(d0) -> (d0 *)",
                           "(d0) -> ((d0)",
                           "(d0) -> (d0))",
                           "(d0) -> (* d0)",
                           "(d0, d0) -> (d0)",
                           "(d0)[d0] -> (d0)",
                           "(1) -> (1)",
                           "(d0) -> (d0) junk",
                           "affine_map<(d0) -> (d0)",
                           "(d0) -> (d0 floordivision 3)",
                           "(d0) -> (())",
                           "(d0) -> (d0 + + d0)",
                           "\xff\xfe",
                           "(d0) -> (d0 \0)"}) {
    EXPECT_EQ(ruleOf(parseAffineMap(text)), "BadMap") << text;
  }
  EXPECT_EQ(ruleOf(parseAffineMap("(d0) -> (d0 + 9223372036854775808)")), "SizeOverflow");
}

TEST(AffineMap, HostileDepthAndSize) {
  const std::string open(200'000, '(');
  EXPECT_EQ(ruleOf(parseAffineMap("(d0) -> (" + open + "d0" + std::string(200'000, ')') + ")")), "MapTooLarge");
  EXPECT_EQ(ruleOf(parseAffineMap("(d0) -> (" + std::string(200'000, '-') + "d0)")), "MapTooLarge");
  std::string sum = "d0";
  for (int i = 0; i < 100'000; ++i) sum += " + d0";
  EXPECT_EQ(ruleOf(parseAffineMap("(d0) -> (" + sum + ")")), "MapTooLarge");
  std::string dims = "d0";
  for (int i = 1; i < 1000; ++i) dims += ", d" + std::to_string(i);
  EXPECT_EQ(ruleOf(parseAffineMap("(" + dims + ") -> (d0)")), "MapTooLarge");
  // Within the limit deep nesting is read and printed without recursion.
  const std::string deep = std::string(1000, '(') + "d0" + [] {
    std::string s;
    for (int i = 0; i < 1000; ++i) s += " floordiv 2)";
    return s;
  }();
  EXPECT_EQ(evaluate(parse("(d0) -> (" + deep + ")"), {1}), (Index{0}));
  EXPECT_GT(printAffineMap(parse("(d0) -> (" + deep + ")")).size(), 5000u);
}

TEST(AffineMap, LinearForm) {
  const auto linear = linearForm(parse("(d0, d1)[s0] -> ((d0 + 2) * 3 - d1 * 4 + s0 - 1)"));
  ASSERT_TRUE(linear.has_value());
  EXPECT_EQ((*linear)[0], (LinearExpr{{3, -4}, {1}, 5}));
  EXPECT_TRUE(linearForm(parse("(d0) -> (d0 * 32 floordiv 32)")).has_value());
  EXPECT_TRUE(linearForm(parse("(d0) -> (d0 mod 1)")).has_value());
  EXPECT_FALSE(linearForm(parse("(d0) -> (d0 floordiv 32)")).has_value());
  EXPECT_FALSE(linearForm(parse("(d0, d1) -> (d0 * d1)")).has_value());
  EXPECT_FALSE(linearForm(parse("(d0) -> (d0 * 9223372036854775807 * 2)")).has_value());
}

TEST(AffineMap, EqualityAfterSimplification) {
  EXPECT_TRUE(sameMap(parse("(d0, d1) -> (d1 + d0 * 4 * 8)"), parse("(d0, d1) -> (d0 * 32 + d1)")));
  EXPECT_TRUE(sameMap(parse("(d0) -> (d0 + 1 - 1)"), parse("(d0) -> (d0)")));
  EXPECT_TRUE(sameMap(parse("(d0) -> ((d0 * 64 + 33) floordiv 32)"), parse("(d0) -> (d0 * 2 + 1)")));
  EXPECT_TRUE(sameMap(parse("(d0)[s0] -> ((d0 * 64 + s0 * 32 + 33) floordiv 32, (d0 * 64 + s0 * 32 + 33) mod 32)"),
                      parse("(d0)[s0] -> (d0 * 2 + s0 + 1, 1)")));
  EXPECT_TRUE(sameMap(parse("(d0)[s0] -> ((d0 * 4 + s0 * 8 - 3) ceildiv 4)"), parse("(d0)[s0] -> (d0 + s0 * 2)")));
  EXPECT_FALSE(sameMap(parse("(d0)[s0] -> ((d0 * 64 + s0 * 16) floordiv 32)"), parse("(d0)[s0] -> (d0 * 2 + s0)")));
  EXPECT_FALSE(sameMap(parse("(d0)[s0] -> (d0 + s0)"), parse("(d0)[s0] -> (d0 + s0 * 2)")));
  EXPECT_FALSE(sameMap(parse("(d0, d1) -> (d0 * 32 + d1)"), parse("(d0, d1) -> (d0 * 31 + d1)")));
  EXPECT_FALSE(sameMap(parse("(d0) -> (d0 mod 8)"), parse("(d0) -> (d0)")));
  EXPECT_FALSE(sameMap(parse("(d0) -> (d0)"), parse("(d0, d1) -> (d0)")));
}

TEST(AffineMap, ComposeIsFunctionComposition) {
  const AffineMap inner = parse("(d0, d1)[s0] -> (d0 * 4 + d1, d1 + s0)");
  const AffineMap outer = parse("(d0, d1)[s0] -> (d0 floordiv 3 + d1, d0 mod 3 + s0)");
  const Result<AffineMap, LayoutDefect> both = compose(outer, inner);
  ASSERT_TRUE(both.ok());
  for (int64_t a = 0; a < 5; ++a) {
    for (int64_t b = 0; b < 7; ++b)
      EXPECT_EQ(evaluate(*both, {a, b}, {10, 20}), evaluate(outer, *evaluate(inner, {a, b}, {10}), {20}));
  }
  EXPECT_EQ(ruleOf(compose(inner, parse("(d0) -> (d0)"))), "RankMismatch");
  EXPECT_TRUE(sameMap(*compose(parse("(d0, d1) -> (d0, d1)"), parse("(d0, d1, d2) -> (d0 * 32 + d1, d2)")),
                      parse("(d0, d1, d2) -> (d0 * 32 + d1, d2)")));
}

TEST(AffineMap, ComposingDoublesIsStoppedAtTheLimit) {
  const AffineMap twice = parse("(d0) -> (d0 floordiv 2 + d0 mod 3)");
  AffineMap map = twice;
  std::string rule = "made";
  for (int i = 0; i < 40 && rule == "made"; ++i) {
    const Result<AffineMap, LayoutDefect> next = compose(twice, map);
    rule = ruleOf(next);
    if (next.ok()) map = *next;
  }
  EXPECT_EQ(rule, "MapTooLarge");
  EXPECT_LE(map.nodes.size(), AffineMap::kMaxNodes);
}

std::string collapse(const std::vector<int64_t>& shape, const std::vector<CollapseInterval>& intervals) {
  const Result<AffineMap, LayoutDefect> map = collapsedLinearMap(shape, intervals);
  return map.ok() ? printAffineMap(*map) : ruleOf(map);
}

TEST(CollapsedLinearMap, SpecIntervals) {  // tensor-layout.md: the four examples, with sizes in the place of `<>`
  EXPECT_EQ(collapse({2, 3, 4}, {{0, -1}}), "(d0, d1, d2) -> (d0 * 3 + d1, d2)");
  EXPECT_EQ(collapse({2, 3, 4, 5}, {{1, -1}}), "(d0, d1, d2, d3) -> (d0, d1 * 4 + d2, d3)");
  EXPECT_EQ(collapse({2, 3, 4, 5}, {{0, 2}}), "(d0, d1, d2, d3) -> (d0 * 3 + d1, d2, d3)");
  EXPECT_EQ(collapse({2, 3, 4, 5, 6, 7, 8}, {{0, 3}, {-3, -1}}),
            "(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 12 + d1 * 4 + d2, d3, d4 * 7 + d5, d6)");
  EXPECT_EQ(collapse({2, 3, 64, 128}, {{0, -1}}), "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)");
}

TEST(CollapsedLinearMap, Edges) {
  EXPECT_EQ(collapse({4, 5}, {}), "(d0, d1) -> (d0, d1)");
  EXPECT_EQ(collapse({2, 3, 4}, {{-3, -1}}), "(d0, d1, d2) -> (d0 * 3 + d1, d2)");
  EXPECT_EQ(collapse({4, 5}, {{0, -1}}), "(d0, d1) -> (d0, d1)");
  EXPECT_EQ(collapse({4, 5}, {{0, 2}}), "(d0, d1) -> (d0 * 5 + d1)");
  EXPECT_EQ(collapse({4}, {{0, -1}}), "(d0) -> (d0)");
  EXPECT_EQ(collapse({}, {{0, -1}}), "() -> ()");
  EXPECT_EQ(collapse({2, 3, 4}, {{0, 4}}), "BadInterval");
  EXPECT_EQ(collapse({2, 3, 4}, {{-4, 2}}), "BadInterval");
  EXPECT_EQ(collapse({2, 3, 4}, {{2, 1}}), "BadInterval");
  EXPECT_EQ(collapse({2, 3, 4}, {{0, 2}, {1, 3}}), "BadInterval");
  EXPECT_EQ(collapse({2, 3, 4}, {{INT64_MIN, INT64_MAX}}), "BadInterval");
  EXPECT_EQ(collapse({2, INT64_MAX, INT64_MAX, 4}, {{0, -1}}), "SizeOverflow");
  EXPECT_EQ(collapse({2, -3, 4}, {{0, -1}}), "NegativeDim");
}

TEST(CollapsedLinearMap, CustomStrides) {  // tensor-layout.md, "Padding": batches on tile boundaries
  const Result<AffineMap, LayoutDefect> map = collapsedLinearMapWithStrides({32, 1, 1});
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(printAffineMap(*map), "(d0, d1, d2) -> (d0 * 32 + d1, d2)");
}

}  // namespace
}  // namespace tessera
