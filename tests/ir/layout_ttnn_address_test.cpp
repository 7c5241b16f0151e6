// TTNN addresses and tensor-layout.md, "TTNN Tensor Layout".

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "core/ir/ttnn_address.h"
#include "core/ir/types.h"
#include "tests/short_forms.h"
#include "tests/sizes.h"

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
  // What is not taken is padding: every byte of every bank is asked, and every bit of it where values share bytes.
  // Elsewhere no value begins within a byte, which another bit of each byte is asked for.
  const bool shared = isBlockFloat(layout.dtype);
  int64_t elements = 0;
  for (int64_t bank = 0; bank < made->banks(); ++bank) {
    for (int64_t offset = 0; offset < bytes; ++offset) {
      for (int32_t bit = 0; bit < 8; ++bit) {
        if (!shared && bit != 0 && bit != 1 + offset % 7) continue;
        const auto element = made->elementAt(bank, offset, bit);
        elements += element.ok() && element->has_value();
      }
    }
  }
  EXPECT_EQ(elements, *elementCount(shape));
}

TEST(TtnnPlacement, AllStrategies) {
  std::vector<Shape> shapes = {{2, 5, 33}, {40, 70}, {2, 1, 3, 2, 17}};
  if (test::smallTests()) shapes.resize(1);
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

// Pages of a tensor that is interleaved over a part of the cores, and blocks, stay in that rectangle; rows and columns
// of shards go along the device's rows of cores.
TEST(TtnnPlacement, CoresAreCountedWithinTheGrid) {
  const Shape shape{6 * 32, 6 * 32};
  const auto coreAt = [&](TensorMemoryLayout memory, GridShape grid, int64_t row, int64_t col) {
    const Result<TensorLayout, LayoutDefect> layout =
        makeLayout(shape, {.buffer = BufferType::L1, .memory = memory, .grid = grid}, n150());
    EXPECT_TRUE(layout.ok());
    const CoreCoord core = TtnnPlacement::make(shape, *layout, n150())->address({row * 32, col * 32})->core;
    return std::to_string(core.x) + "," + std::to_string(core.y);
  };
  EXPECT_EQ(coreAt(TensorMemoryLayout::Interleaved, {2, 3}, 0, 4), "1,1");   // tile 4 of 6 cores
  EXPECT_EQ(coreAt(TensorMemoryLayout::Interleaved, {2, 3}, 1, 5), "2,1");   // tile 11
  EXPECT_EQ(coreAt(TensorMemoryLayout::Interleaved, {2, 3}, 2, 0), "0,0");   // tile 12
  EXPECT_EQ(coreAt(TensorMemoryLayout::BlockSharded, {2, 3}, 3, 2), "1,1");  // shards of 3 x 2 tiles
  EXPECT_EQ(coreAt(TensorMemoryLayout::BlockSharded, {2, 3}, 2, 5), "2,0");
  EXPECT_EQ(coreAt(TensorMemoryLayout::HeightSharded, {6, 1}, 4, 5), "4,0");
  EXPECT_EQ(coreAt(TensorMemoryLayout::WidthSharded, {1, 6}, 4, 5), "5,0");
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

// Rows of ten numbers are pages of 20 bytes, a granule apart; what lies between is no number of the next shard.
TEST(TtnnPlacement, WhatLiesBehindAPageIsPadding) {
  const Shape shape{3, 20};
  const TtnnPlacement placement = *TtnnPlacement::make(shape,
                                                       *makeLayout(shape,
                                                                   {.buffer = BufferType::L1,
                                                                    .memory = TensorMemoryLayout::WidthSharded,
                                                                    .page = PageLayout::RowMajor,
                                                                    .grid = {1, 2}},
                                                                   n150()),
                                                       n150());
  const TtnnAddress first = *placement.address({0, 0}), last = *placement.address({0, 9});
  EXPECT_EQ(last.offset - first.offset, 18);
  EXPECT_EQ(placement.elementAt(first.bank, first.offset + 18)->value(), (std::vector<int64_t>{0, 9}));
  EXPECT_FALSE(placement.elementAt(first.bank, first.offset + 20)->has_value());
  EXPECT_FALSE(placement.elementAt(first.bank, first.offset + 22)->has_value());
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

}  // namespace
}  // namespace tessera
