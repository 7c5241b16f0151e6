// Ranks at their limit: the last that is taken and the first that is not.

#include <gtest/gtest.h>

#include "core/ir/metal_layout.h"
#include "core/ir/text/ttnn_layout_text.h"

namespace tessera::test {
namespace {

TEST(LayoutLimits, AMemrefHasAsManyDimsAsATensor) {
  const auto memref = [](size_t rank) {
    std::string text = "memref<";
    for (size_t i = 0; i < rank; ++i) text += "1x";
    return parseMemref(text + "bf16, #ttnn.buffer_type<dram>>");
  };
  EXPECT_TRUE(memref(2).ok());
  size_t most = 2;
  while (most < 200 && memref(most + 1).ok()) ++most;
  ASSERT_LT(most, 200u);
  EXPECT_EQ(memref(most)->dims.size(), most);
  EXPECT_EQ(memref(most + 1).error().rule, LayoutRule::RankMismatch);
  EXPECT_NE(memref(most + 1).error().text.find("more than " + std::to_string(most) + " dims"), std::string::npos);
}

// All bytes of a metal layout, of every shard of its grid, are below 2^62.
TEST(LayoutLimits, AllShardsTogetherAreBelow62Bits) {
  const auto rule = [](int64_t size, int64_t grid) {
    MetalRequest request;
    request.grid = {grid};
    request.dtype = DType::F32;
    request.linear = *collapsedLinearMap({size}, {});
    const Result<MetalLayout, LayoutDefect> made = makeMetalLayout({size}, request);
    return made ? std::string("fine") : std::string(layoutRuleName(made.error().rule));
  };
  for (const int64_t grid : {int64_t{1}, int64_t{1} << 20, int64_t{1} << 40}) {
    EXPECT_EQ(rule(int64_t{1} << 59, grid), "fine") << grid;
    EXPECT_EQ(rule(int64_t{1} << 60, grid), "SizeOverflow") << grid;
  }
}

TEST(LayoutLimits, AnEmptyTensorHasNoPhysicalSize) {
  for (const Shape& shape : {Shape{0, 4}, Shape{4, 0}, Shape{0, 0}}) {
    const auto physical = metalPhysicalShape(shape, *parseAffineMap("(d0, d1) -> (d0, d1 + 2)"));
    ASSERT_TRUE(physical.ok());
    EXPECT_EQ(*physical, (std::vector<int64_t>{0, 0}));
  }
  EXPECT_EQ(*metalPhysicalShape({3, 4}, *parseAffineMap("(d0, d1) -> (d0, d1 + 2)")), (std::vector<int64_t>{3, 6}));
}

// What is wrong with a map is wrong for a tensor without elements, too: of every result, and of every dim in it.
TEST(LayoutLimits, AMapIsReadWholeForAnEmptyTensor) {
  const auto rule = [](const Shape& shape, const char* map) {
    const auto physical = metalPhysicalShape(shape, *parseAffineMap(map));
    return physical ? std::string("fine") : std::string(layoutRuleName(physical.error().rule));
  };
  for (const Shape& shape : {Shape{0, 4}, Shape{4, 0}, Shape{4, 4}}) {
    EXPECT_EQ(rule(shape, "(d0, d1) -> (d0 - d1)"), "MapNegative");
    EXPECT_EQ(rule(shape, "(d0, d1) -> (d1 - d0)"), "MapNegative");
    EXPECT_EQ(rule(shape, "(d0, d1) -> (d0, d1 - 1)"), "MapNegative");
    EXPECT_EQ(rule(shape, "(d0, d1) -> (d0 + d1, d0)"), "fine");
  }
  EXPECT_EQ(rule({-1, 4}, "(d0, d1) -> (d0, d1)"), "NegativeDim");
  EXPECT_EQ(rule({0, -1}, "(d0, d1) -> (d0, d1)"), "NegativeDim");
}

}  // namespace
}  // namespace tessera::test
