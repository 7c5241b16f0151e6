// TTNN addresses and tensor-layout.md, "TTNN Tensor Layout".

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "core/ir/memory_config.h"
#include "core/ir/ttnn_address.h"
#include "core/ir/types.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

// Distinct places, exact way back, bytes as the layout counts them.
void checkPlacement(const Shape& shape, const TensorLayout& layout, const DeviceSpec& device) {
  const Result<TtnnPlacement, LayoutDefect> made = TtnnPlacement::make(shape, layout, device);
  ASSERT_TRUE(made.ok()) << made.error().text;
  const int64_t bytes = layout.isDram() ? dramBytesPerBank(layout, device).count : l1BytesPerCore(layout).count;
  EXPECT_EQ(made->bytesPerBank().count, bytes);
  std::set<std::tuple<int64_t, int64_t, int32_t>> taken;
  std::set<std::pair<int32_t, int32_t>> cores;
  std::vector<int64_t> index(shape.size());
  do {
    const Result<TtnnAddress, LayoutDefect> address = made->address(index);
    ASSERT_TRUE(address.ok());
    ASSERT_LT(address->bank, made->banks());
    ASSERT_LT(address->offset, bytes);
    ASSERT_TRUE(taken.insert({address->bank, address->offset, address->bit}).second);
    if (layout.isL1()) cores.insert({address->core.x, address->core.y});
    const auto back = made->elementAt(address->bank, address->offset, address->bit);
    ASSERT_TRUE(back.ok() && back->has_value());
    ASSERT_EQ(**back, index);
  } while (advance(index, shape));
  for (const auto& [x, y] : cores) {
    EXPECT_LT(x, device.grid.cols);
    EXPECT_LT(y, device.grid.rows);
  }
  // What is not taken is padding: every value-aligned byte of every bank is asked.
  int64_t elements = 0;
  for (int64_t bank = 0; bank < made->banks(); ++bank) {
    for (int64_t offset = 0; offset < bytes; ++offset) {
      for (int32_t bit = 0; bit < 8; ++bit) {
        const auto element = made->elementAt(bank, offset, bit);
        elements += element.ok() && element->has_value();
      }
    }
  }
  EXPECT_EQ(elements, *elementCount(shape));
}

TEST(TtnnPlacement, AllStrategies) {
  const std::vector<Shape> shapes = {{40, 70}, {2, 5, 33}, {2, 1, 3, 2, 17}};
  for (const Shape& shape : shapes) {
    for (PageLayout page : {PageLayout::Tile, PageLayout::RowMajor}) {
      for (BufferType buffer : {BufferType::DRAM, BufferType::L1}) {
        for (TensorMemoryLayout memory : {TensorMemoryLayout::Interleaved, TensorMemoryLayout::HeightSharded,
                                          TensorMemoryLayout::WidthSharded, TensorMemoryLayout::BlockSharded}) {
          for (GridShape grid : {GridShape{1, 1}, GridShape{2, 2}, GridShape{3, 1}, GridShape{1, 3}}) {
            const Result<TensorLayout, LayoutDefect> layout =
                makeLayout(shape, {DType::BF16, buffer, memory, page, grid}, n150());
            if (!layout) continue;
            SCOPED_TRACE(shapeText(shape) + " " + layoutText(*layout));
            checkPlacement(shape, *layout, n150());
          }
        }
      }
    }
  }
}

TEST(TtnnPlacement, BlockFormats) {
  for (DType dtype : {DType::BFP8, DType::BFP4, DType::BFP2, DType::F32, DType::U8}) {
    SCOPED_TRACE(std::string(dtypeName(dtype)));
    checkPlacement({40, 70}, *makeLayout({40, 70}, {.dtype = dtype}, n150()), n150());
    checkPlacement(
        {40, 70},
        *makeLayout(
            {40, 70},
            {.dtype = dtype, .buffer = BufferType::L1, .memory = TensorMemoryLayout::BlockSharded, .grid = {2, 3}},
            n150()),
        n150());
  }
}

TEST(TtnnPlacement, PagesGoRoundRobin) {
  const Shape shape{32, 32 * 30};
  const TtnnPlacement dram = *TtnnPlacement::make(shape, *makeLayout(shape, {}, n150()), n150());
  for (int64_t tile = 0; tile < 30; ++tile) {
    const TtnnAddress address = *dram.address({0, tile * 32});
    EXPECT_EQ(address.bank, tile % 12);
    EXPECT_EQ(address.page, tile / 12);
    EXPECT_EQ(address.offset, tile / 12 * 2048);
  }
  const TtnnPlacement blackhole =
      *TtnnPlacement::make(shape, *makeLayout(shape, {}, *findDevice("p100")), *findDevice("p100"));
  EXPECT_EQ(blackhole.banks(), 7);
  const TtnnPlacement l1 =
      *TtnnPlacement::make(shape, *makeLayout(shape, {.buffer = BufferType::L1, .grid = {8, 8}}, n150()), n150());
  EXPECT_EQ(l1.address({0, 13 * 32})->core, (CoreCoord{5, 1}));
}

TEST(TtnnPlacement, HeightShardsFollowTheWorkerRows) {
  const Shape shape{12 * 32, 32};
  const TtnnPlacement placement = *TtnnPlacement::make(
      shape,
      *makeLayout(shape, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::HeightSharded, .grid = {12, 1}},
                  n150()),
      n150());
  EXPECT_EQ(placement.address({9 * 32, 0})->core, (CoreCoord{1, 1}));
}

TEST(TtnnPlacement, OutsideTheTensor) {
  const Shape shape{5, 3};
  const TtnnPlacement placement =
      *TtnnPlacement::make(shape, *makeLayout(shape, {.dtype = DType::BFP8}, n150()), n150());
  EXPECT_EQ(placement.address({5, 0}).error().rule, LayoutRule::IndexOutOfBounds);
  EXPECT_EQ(placement.address({0}).error().rule, LayoutRule::RankMismatch);
  EXPECT_EQ(placement.elementAt(12, 0).error().rule, LayoutRule::IndexOutOfBounds);
  EXPECT_EQ(placement.elementAt(0, 1088).error().rule, LayoutRule::IndexOutOfBounds);
  EXPECT_FALSE(placement.elementAt(0, 63)->has_value());  // exponents
  EXPECT_TRUE(placement.elementAt(0, 64)->has_value());
  EXPECT_FALSE(placement.elementAt(0, 67)->has_value());  // column 3
  EXPECT_FALSE(placement.elementAt(5, 64)->has_value());  // no page in this bank
  EXPECT_EQ(TtnnPlacement::make({0, 3}, {}, n150()).error().rule, LayoutRule::EmptyTensor);
}

TEST(Alignment, RowMajorShards) {
  const TensorLayout narrow = *makeLayout({8, 30},
                                          {.buffer = BufferType::L1,
                                           .memory = TensorMemoryLayout::WidthSharded,
                                           .page = PageLayout::RowMajor,
                                           .grid = {1, 3}},
                                          n150());
  EXPECT_EQ(checkAlignment(narrow, n150())->rule, LayoutRule::NotAligned);  // 20 bytes
  const TensorLayout wide = *makeLayout({8, 32},
                                        {.buffer = BufferType::L1,
                                         .memory = TensorMemoryLayout::WidthSharded,
                                         .page = PageLayout::RowMajor,
                                         .grid = {1, 4}},
                                        n150());
  EXPECT_FALSE(checkAlignment(wide, n150()).has_value());  // 16 bytes
}

TEST(TtnnGeometry, Terms) {
  const TtnnGeometry geometry = *makeTtnnGeometry({2, 3, 64, 128}, {50, 40}, TileShape{});
  EXPECT_EQ(geometry.stride, (std::vector<int64_t>{24576, 8192, 128, 1}));
  EXPECT_EQ(geometry.physicalShape, (PhysicalShape{384, 128}));
  EXPECT_EQ(geometry.physicalShardShape, (PhysicalShape{64, 64}));  // 50x40 padded to tiles
  EXPECT_EQ(geometry.gridShape, (PhysicalShape{8, 4}));             // divup(384, 50) x divup(128, 40)
  // The seed's formula with the volume as a leading stride: divup(49152 / 128, 50).
  EXPECT_EQ(geometry.gridShape.rows, ceilDiv(2 * geometry.stride[0] / geometry.stride[2], 50));
}

TEST(TtnnGeometry, StridesMakeGaps) {
  const TtnnGeometry geometry = *makeTtnnGeometry({2, 8, 32}, {32, 32}, TileShape{}, {32 * 32, 32, 1});
  EXPECT_EQ(geometry.physicalShape, (PhysicalShape{64, 32}));
  EXPECT_EQ(geometry.gridShape, (PhysicalShape{2, 1}));
  const auto rule = [](std::vector<int64_t> stride) {
    return makeTtnnGeometry({2, 8, 32}, {32, 32}, std::nullopt, std::move(stride)).error().rule;
  };
  EXPECT_EQ(rule({128, 32, 1}), LayoutRule::MapOverlaps);
  EXPECT_EQ(rule({257, 32, 1}), LayoutRule::NotAligned);
  EXPECT_EQ(rule({256, 32}), LayoutRule::RankMismatch);
  EXPECT_EQ(rule({INT64_MAX, 32, 1}), LayoutRule::NotAligned);
  EXPECT_EQ(rule({int64_t{1} << 61, 32, 1}), LayoutRule::SizeOverflow);
  EXPECT_EQ(makeTtnnGeometry({0, 8}, {1, 1}, std::nullopt).error().rule, LayoutRule::EmptyTensor);
  EXPECT_EQ(makeTtnnGeometry({-2, 8}, {1, 1}, std::nullopt).error().rule, LayoutRule::NegativeDim);
  EXPECT_EQ(makeTtnnGeometry({2, 8}, {0, 1}, std::nullopt).error().rule, LayoutRule::EmptyGrid);
  EXPECT_EQ(makeTtnnGeometry({2, 8}, {1, 1}, TileShape{7, 7}).error().rule, LayoutRule::BadTileShape);
}

TEST(TtnnGeometry, OfLayouts) {
  const Shape shape{2, 8, 40};
  const TensorLayout layout = *makeLayout(
      shape, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::BlockSharded, .grid = {2, 2}}, n150());
  const TtnnGeometry geometry = *ttnnGeometryOf(shape, layout);
  EXPECT_EQ(geometry.stride, (std::vector<int64_t>{32 * 64, 64, 1}));
  EXPECT_EQ(geometry.physicalShape, (PhysicalShape{64, 64}));
  EXPECT_EQ(geometry.shardShape, (PhysicalShape{32, 32}));
  EXPECT_EQ(geometry.gridShape, (PhysicalShape{2, 2}));
  const TtnnGeometry dram = *ttnnGeometryOf(shape, *makeLayout(shape, {}, n150()));
  EXPECT_EQ(dram.gridShape, (PhysicalShape{1, 1}));
  EXPECT_EQ(makeTtnnGeometryForGrid({53, 63}, {3, 2}, TileShape{})->shardShape, (PhysicalShape{18, 32}));
}

}  // namespace
}  // namespace tessera
