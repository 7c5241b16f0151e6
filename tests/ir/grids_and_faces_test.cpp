// Boundaries of layouts: grids that are as wide as the device, faces of small tiles, dims that are joined side by side,
// padding of maps that name a dim twice.

#include "core/ir/metal_padding.h"
#include "core/ir/metal_to_ttnn.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

TEST(GridsAndFaces, GridsBecomeShardings) {
  const DeviceSpec device = *findDevice("n150");  // 8x8 cores
  struct Case {
    GridShape grid;
    bool inDram;
    TensorMemoryLayout memory;
  };
  static constexpr Case kCases[] = {
      {{1, 1}, true, TensorMemoryLayout::Interleaved},    {{1, 2}, true, TensorMemoryLayout::WidthSharded},
      {{2, 1}, true, TensorMemoryLayout::HeightSharded},  {{2, 2}, true, TensorMemoryLayout::BlockSharded},
      {{1, 1}, false, TensorMemoryLayout::BlockSharded},  {{1, 8}, false, TensorMemoryLayout::BlockSharded},
      {{8, 1}, false, TensorMemoryLayout::BlockSharded},  {{1, 9}, false, TensorMemoryLayout::WidthSharded},
      {{9, 1}, false, TensorMemoryLayout::HeightSharded}, {{2, 9}, false, TensorMemoryLayout::BlockSharded},
      {{9, 2}, false, TensorMemoryLayout::BlockSharded},
  };
  for (const Case& one : kCases)
    EXPECT_EQ(ttnnSharding(one.grid, one.inDram, device), one.memory) << one.grid.rows << "x" << one.grid.cols;
}

// Faces of 16 columns, as high as the tile up to 16 rows, one after the other by rows of faces.
TEST(GridsAndFaces, ElementsOfTiles) {
  struct Case {
    TileShape tile;
    int64_t row, col, offset;
  };
  static constexpr Case kCases[] = {
      {{32, 32}, 0, 15, 15},   {{32, 32}, 0, 16, 256}, {{32, 32}, 1, 0, 16},   {{32, 32}, 16, 0, 512},
      {{32, 32}, 17, 18, 786}, {{8, 32}, 0, 16, 128},  {{8, 32}, 7, 31, 255},  {{8, 32}, 1, 17, 145},
      {{1, 32}, 0, 16, 16},    {{1, 16}, 0, 15, 15},   {{32, 16}, 16, 3, 259}, {{16, 32}, 15, 16, 496},
      {{2, 32}, 1, 16, 48},    {{4, 16}, 3, 5, 53},
  };
  for (const Case& one : kCases) {
    SCOPED_TRACE(std::to_string(one.tile.rows) + "x" + std::to_string(one.tile.cols));
    EXPECT_EQ(tileElementOffset(one.tile, one.row, one.col), one.offset);
    const TileCoord back = tileElementAt(one.tile, one.offset);
    EXPECT_EQ(back.row, one.row);
    EXPECT_EQ(back.col, one.col);
  }
}

// Elements 0 to 5 on the diagonal of a grid of two rows by three columns: shards of 3 rows and 2 columns.
TEST(GridsAndFaces, PaddingIsCountedByRowsOfTheGrid) {
  const AffineMap map = *parseAffineMap("(d0) -> (d0, d0)");
  const MetalPlacement placement = *MetalPlacement::make({6}, *makeMetalLayout({6}, {.grid = {2, 3}, .linear = map}));
  const auto counted = countPadding(placement);
  ASSERT_TRUE(counted.ok());
  std::vector<int64_t> elements;
  for (const ShardPadding& shard : *counted) {
    elements.push_back(shard.elements);
    EXPECT_EQ(shard.stored, 6);
  }
  EXPECT_EQ(elements, (std::vector<int64_t>{2, 1, 0, 0, 1, 2}));
}

TEST(GridsAndFaces, IntervalsStandSideBySide) {
  const auto collapsed = [](const std::vector<int64_t>& shape, const std::vector<CollapseInterval>& intervals) {
    const auto map = collapsedLinearMap(shape, intervals);
    return map.ok() ? printAffineMap(*map) : map.error().text;
  };
  EXPECT_EQ(collapsed({2, 3, 4, 5}, {{0, 2}, {2, 4}}), "(d0, d1, d2, d3) -> (d0 * 3 + d1, d2 * 5 + d3)");
  EXPECT_EQ(collapsed({2, 3, 4, 5}, {{0, 1}, {1, 3}}), "(d0, d1, d2, d3) -> (d0, d1 * 4 + d2, d3)");
  EXPECT_EQ(collapsed({2, 3, 4, 5}, {{0, 3}, {2, 4}}), "collapse interval (2, 4) overlaps the one before it");
  EXPECT_EQ(collapsed({2, 3, 4, 5}, {{2, 4}, {0, 2}}), "collapse interval (0, 2) overlaps the one before it");
}

}  // namespace
}  // namespace tessera
