// Properties of metal layouts: every element has a place of its own, the way back is exact, padding and bytes agree
// with a count done here from the definition.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "core/ir/metal_padding.h"
#include "tests/short_forms.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

int64_t product(const std::vector<int64_t>& dims) {
  int64_t volume = 1;
  for (int64_t dim : dims) volume *= dim;
  return volume;
}

// Bits per value, written down again here.
int64_t bitsOf(DType dtype) {
  switch (dtype) {
    case DType::F32: return 32;
    case DType::BF16: return 16;
    case DType::U8: return 8;
    case DType::BFP8: return 8;
    case DType::BFP4: return 4;
    case DType::BFP2: return 2;
    default: ADD_FAILURE(); return 0;
  }
}

// Walks all elements: distinct places, inside the shard, and back again. Then all padding.
void checkPlacement(const Shape& shape, const MetalLayout& layout, const MetalTarget& target) {
  const Result<MetalPlacement, LayoutDefect> made = MetalPlacement::make(shape, layout, target);
  ASSERT_TRUE(made.ok()) << made.error().text;
  const MetalPlacement& placement = *made;
  const int64_t shardBytes = metalShardBytes(layout).count;
  std::set<std::tuple<int64_t, int32_t, int32_t, int64_t>> taken;  // device, x, y, bit
  std::map<std::vector<int64_t>, int64_t> perShard;
  std::vector<int64_t> index(shape.size());
  do {
    const Result<MetalAddress, LayoutDefect> address = placement.address(index);
    ASSERT_TRUE(address.ok());
    const int64_t bit = address->offset * 8 + address->bit;
    ASSERT_GE(address->offset, 0);
    ASSERT_LE(bit + bitsOf(layout.dtype), shardBytes * 8);
    ASSERT_EQ(bit % bitsOf(layout.dtype), 0);
    ASSERT_LT(address->core.x, target.cores.cols);
    ASSERT_LT(address->core.y, target.cores.rows);
    ASSERT_TRUE(taken.insert({address->device, address->core.x, address->core.y, bit}).second) << shapeText(index);
    ++perShard[address->gridIndex];
    const auto back = placement.elementAt(address->device, address->core, address->offset, address->bit);
    ASSERT_TRUE(back.ok()) << back.error().text;
    ASSERT_TRUE(back->has_value());
    ASSERT_EQ(**back, index);
  } while (advance(index, shape));

  const Result<std::vector<ShardPadding>, LayoutDefect> padding = countPadding(placement);
  ASSERT_TRUE(padding.ok());
  int64_t stored = 0;
  for (const ShardPadding& shard : *padding) {
    EXPECT_EQ(shard.elements, perShard[shard.gridIndex]) << shapeText(shard.gridIndex);
    stored += shard.stored;
  }
  EXPECT_EQ(stored, product(metalStoredShard(layout)) * product(layout.grid));
}

TEST(MetalPlacement, GridSweep) {
  const int64_t step = test::smallTests() ? 3 : 1;
  for (int64_t h = 1; h <= 8; h += step) {
    for (int64_t w = 1; w <= 8; w += step) {
      for (bool tiled : {false, true}) {
        const Shape shape{3, 19, 37};
        SCOPED_TRACE(std::to_string(h) + "x" + std::to_string(w) + (tiled ? " tiled" : ""));
        const MetalLayout layout = *makeMetalLayout(shape, {.grid = {h, w}, .tiled = tiled});
        EXPECT_EQ(metalShardBytes(layout).count, product(layout.shard) * (tiled ? 4096 : 4));
        checkPlacement(shape, layout, {});
      }
    }
  }
}

TEST(MetalPlacement, OneDimensionalSweep) {
  for (int64_t n = 1; n <= 64; n += test::smallTests() ? 9 : 1) {
    SCOPED_TRACE(n);
    checkPlacement({131, 9}, *makeMetalLayout({131, 9}, {.grid = {n, 1}, .dtype = DType::BF16}), {});
    checkPlacement({9, 131}, *makeMetalLayout({9, 131}, {.grid = {1, n}, .dtype = DType::BF16, .tiled = true}), {});
  }
}

TEST(MetalPlacement, OddShapesOfEveryRank) {
  const std::vector<std::pair<Shape, std::vector<int64_t>>> cases = {{{7}, {3}},
                                                                     {{1, 1}, {1, 1}},
                                                                     {{33, 65}, {2, 3}},
                                                                     {{2, 5, 7}, {3, 2}},
                                                                     {{3, 1, 5, 33}, {4, 2}},
                                                                     {{2, 3, 2, 5, 7}, {5, 2}},
                                                                     {{2, 1, 3, 2, 3, 17}, {7, 3}},
                                                                     {{2, 1, 2, 3, 1, 5, 9}, {8, 4}}};
  for (const auto& [shape, grid] : cases) {
    SCOPED_TRACE(shapeText(shape));
    std::vector<CollapseInterval> collapse = {{0, -1}};
    checkPlacement(shape, *makeMetalLayout(shape, {.grid = grid, .collapse = collapse}), {});
    if (grid.size() == 2)
      checkPlacement(shape,
                     *makeMetalLayout(shape, {.grid = grid, .collapse = collapse, .dtype = DType::BF16, .tiled = true}),
                     {});
  }
}

TEST(MetalPlacement, RankOfTheGridFollowsTheIntervals) {
  const Shape shape{2, 3, 2, 2, 3, 4, 5};
  const MetalLayout four = *makeMetalLayout(shape, {.grid = {3, 2, 2, 2}, .collapse = {{0, 3}, {-3, -1}}});
  EXPECT_EQ(four.shard, (std::vector<int64_t>{4, 1, 6, 3}));
  checkPlacement(shape, four, {});
  const MetalLayout seven = *makeMetalLayout(shape, {.grid = {2, 3, 1, 2, 1, 2, 1}, .collapse = {}, .tiled = true});
  checkPlacement(shape, seven, {});
}

TEST(MetalPlacement, BlockFormatsAndTileShapes) {
  for (DType dtype : {DType::F32, DType::BF16, DType::U8, DType::BFP8, DType::BFP4, DType::BFP2}) {
    for (TileShape tile : {TileShape{32, 32}, TileShape{16, 16}, TileShape{32, 16}, TileShape{4, 16}, TileShape{4, 32},
                           TileShape{16, 32}, TileShape{1, 32}}) {
      SCOPED_TRACE(std::string(dtypeName(dtype)) + " " + std::to_string(tile.rows) + "x" + std::to_string(tile.cols));
      const MetalLayout layout =
          *makeMetalLayout({2, 21, 50}, {.grid = {2, 3}, .dtype = dtype, .tiled = true, .tile = tile});
      checkPlacement({2, 21, 50}, layout, {});
    }
  }
  EXPECT_EQ(tileShapeBytes(DType::BFP8, {}), 1088);
  EXPECT_EQ(tileShapeBytes(DType::BFP8, {16, 16}), 256 + 16);
  EXPECT_EQ(tileShapeBytes(DType::BF16, {4, 32}), 256);
  EXPECT_EQ(tileShapeBytes(DType::BF16, {31, 32}), 0);
}

TEST(MetalPlacement, FacesInATile) {  // tt-metal tensor_layouts.md
  EXPECT_EQ(tileElementOffset({}, 0, 15), 15);
  EXPECT_EQ(tileElementOffset({}, 1, 0), 16);
  EXPECT_EQ(tileElementOffset({}, 0, 16), 256);  // face 1: rows 0-15, columns 16-31
  EXPECT_EQ(tileElementOffset({}, 16, 0), 512);  // face 2
  EXPECT_EQ(tileElementOffset({}, 31, 31), 1023);
  for (TileShape tile : {TileShape{}, TileShape{4, 32}, TileShape{32, 16}, TileShape{1, 16}}) {
    for (int64_t at = 0; at < tile.rows * tile.cols; ++at) {
      const TileCoord coord = tileElementAt(tile, at);
      EXPECT_EQ(tileElementOffset(tile, coord.row, coord.col), at);
    }
  }
}

TEST(MetalPlacement, SeveralDevices) {
  for (int64_t devices : {1, 2, 4}) {
    const Shape shape{4, 3, 20, 40};
    const MetalLayout layout =
        *makeMetalLayout(shape, {.grid = {devices, 2, 3}, .collapse = {{1, -1}}, .dtype = DType::BFP8, .tiled = true});
    checkPlacement(shape, layout, {.deviceDims = 1, .devices = devices});
  }
  const Shape shape{4, 6, 5, 7};
  checkPlacement(shape, *makeMetalLayout(shape, {.grid = {2, 3, 1, 4}, .collapse = {}}),
                 {.deviceDims = 2, .devices = 6});
}

TEST(MetalPlacement, ADimInTwoResults) {
  const Shape shape{4, 6, 8};
  const AffineMap map = *parseAffineMap("(d0, d1, d2) -> (d0 * 6 + d1, d1, d2)");
  const MetalLayout layout = *makeMetalLayout(shape, {.grid = {2, 1, 2}, .linear = map});
  checkPlacement(shape, layout, {});
  const MetalPlacement placement = *MetalPlacement::make(shape, layout);
  EXPECT_FALSE(placement.inverse().separable);
}

TEST(MetalPlacement, GapsBetweenBatches) {
  const Shape shape{3, 5, 6};
  const MetalLayout layout = *makeMetalLayout(shape, {.grid = {2, 2}, .strides = {9, 1, 1}});
  checkPlacement(shape, layout, {});
}

// More cores than rows: some shards are all padding.
TEST(MetalPadding, OfCoresWithoutData) {
  const MetalPlacement sparse = *MetalPlacement::make({5, 3}, *makeMetalLayout({5, 3}, {.grid = {4, 1}}));
  EXPECT_EQ((*countPadding(sparse))[3].elements, 0);
}

TEST(MetalPlacement, QuestionsOutsideTheTensor) {
  const Shape shape{5, 3};
  const MetalPlacement placement =
      *MetalPlacement::make(shape, *makeMetalLayout(shape, {.grid = {2, 1}, .dtype = DType::BFP4, .tiled = true}));
  const auto rule = [](const auto& result) {
    return result.ok() ? std::string("ok") : std::string(layoutRuleName(result.error().rule));
  };
  EXPECT_EQ(rule(placement.address({5, 0})), "IndexOutOfBounds");
  EXPECT_EQ(rule(placement.address({-1, 0})), "IndexOutOfBounds");
  EXPECT_EQ(rule(placement.address({0})), "RankMismatch");
  EXPECT_EQ(rule(placement.elementAt(1, {0, 0}, 64)), "IndexOutOfBounds");
  EXPECT_EQ(rule(placement.elementAt(0, {1, 0}, 64)), "IndexOutOfBounds");  // the grid has one column
  EXPECT_EQ(rule(placement.elementAt(0, {0, 2}, 64)), "IndexOutOfBounds");
  EXPECT_EQ(rule(placement.elementAt(0, {0, 0}, 576)), "IndexOutOfBounds");  // one tile of 576 bytes
  EXPECT_EQ(rule(placement.elementAt(0, {0, 0}, 63)), "IndexOutOfBounds");   // an exponent
  EXPECT_EQ(rule(placement.elementAt(0, {0, 0}, 64, 1)), "IndexOutOfBounds");
  EXPECT_EQ(rule(placement.elementAt(0, {0, 0}, 64, 8)), "IndexOutOfBounds");  // not the next byte's first
  EXPECT_EQ(rule(placement.elementAt(0, {0, 0}, 65, -4)), "IndexOutOfBounds");
  EXPECT_EQ(rule(placement.elementAt(0, {0, 0}, -64)), "IndexOutOfBounds");
  EXPECT_EQ(rule(placement.elementAt(-1, {0, 0}, 64)), "IndexOutOfBounds");
  EXPECT_EQ(rule(placement.elementAt(0, {-1, 0}, 64)), "IndexOutOfBounds");
  EXPECT_EQ(rule(placement.elementAt(0, {0, -1}, 64)), "IndexOutOfBounds");
  EXPECT_TRUE(placement.elementAt(0, {0, 0}, 64, 4)->has_value());
  EXPECT_FALSE(placement.elementAt(0, {0, 0}, 65, 4)->has_value());  // column 3: padding
  EXPECT_EQ(rule(MetalPlacement::make({65, 3}, *makeMetalLayout({65, 3}, {.grid = {65, 1}}))), "GridBeyondDevice");
}

}  // namespace
}  // namespace tessera
