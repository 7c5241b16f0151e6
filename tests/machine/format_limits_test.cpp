// Formats and page maps at their limits: every half float, ties, what places nothing and why.

#include <gtest/gtest.h>

#include <cmath>

#include "core/machine/formats.h"
#include "core/machine/page_map.h"

namespace tessera::test {
namespace {

uint32_t halfOf(double value) {
  uint8_t bytes[2];
  packRow(DType::F16, &value, 1, bytes);
  return bytes[0] | static_cast<uint32_t>(bytes[1]) << 8;
}
double valueOfHalf(uint32_t bits) {
  const uint8_t bytes[2] = {static_cast<uint8_t>(bits), static_cast<uint8_t>(bits >> 8)};
  double value = 0;
  unpackRow(DType::F16, bytes, 1, &value);
  return value;
}

// IEEE 754 binary16: steps of 2^-24 up to 2^-14, then 1024 steps to each power of two.
TEST(FormatLimits, EveryHalfFloat) {
  double expected = 0;
  for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const double step = std::ldexp(1.0, std::max(static_cast<int>(bits >> 10), 1) - 25);
    ASSERT_EQ(valueOfHalf(bits), expected) << bits;
    ASSERT_EQ(valueOfHalf(bits | 0x8000), -expected) << bits;
    ASSERT_EQ(halfOf(expected), bits);
    ASSERT_EQ(halfOf(-expected), bits | 0x8000);
    // Half of the way to the next is a tie: the even one; a little more or less is none.
    const uint32_t next = bits + 1, even = bits % 2 == 0 ? bits : next;
    ASSERT_EQ(halfOf(expected + step / 2), even) << bits;
    ASSERT_EQ(halfOf(expected + step * 0.499), bits) << bits;
    ASSERT_EQ(halfOf(expected + step * 0.501), next) << bits;
    expected += step;
  }
  EXPECT_EQ(expected, 65536.0) << "behind the largest, 65504, comes none";
  EXPECT_TRUE(std::isinf(valueOfHalf(0x7C00)));
  EXPECT_TRUE(std::isnan(valueOfHalf(0x7C01)));
  EXPECT_EQ(halfOf(65519.99), 0x7BFFu);
  EXPECT_EQ(halfOf(65520.0), 0x7C00u);
  EXPECT_EQ(halfOf(-HUGE_VAL), 0xFC00u);
  EXPECT_TRUE(std::isnan(valueOfHalf(halfOf(std::nan("")))));
}

TEST(FormatLimits, WholeNumbersKeepTheirLowBits) {
  const auto stored = [](DType dtype, double value) {
    uint8_t bytes[4] = {};
    packRow(dtype, &value, 1, bytes);
    double back = 0;
    unpackRow(dtype, bytes, 1, &back);
    return back;
  };
  EXPECT_EQ(stored(DType::U8, 255), 255);
  EXPECT_EQ(stored(DType::U8, 256), 0);
  EXPECT_EQ(stored(DType::U8, -1), 255);
  EXPECT_EQ(stored(DType::U16, 65537), 1);
  EXPECT_EQ(stored(DType::U32, 4294967295.0), 4294967295.0);
  EXPECT_EQ(stored(DType::I32, -2147483648.0), -2147483648.0);
  EXPECT_EQ(stored(DType::I32, 2147483648.0), -2147483648.0);
  EXPECT_EQ(stored(DType::I32, std::nan("")), 0);
  EXPECT_EQ(stored(DType::I32, HUGE_VAL), 0);
}

TensorLayout layoutOf(PageLayout page, TensorMemoryLayout memory, BufferType buffer, GridShape grid, int64_t rows,
                      int64_t cols, DType dtype = DType::BF16) {
  TensorLayout layout;
  layout.page = page;
  layout.memory = memory;
  layout.buffer = buffer;
  layout.grid = grid;
  layout.shardRows = rows;
  layout.shardCols = cols;
  layout.dtype = dtype;
  return layout;
}

constexpr auto kTiled = PageLayout::Tile, kRows = PageLayout::RowMajor;
constexpr auto kInterleaved = TensorMemoryLayout::Interleaved, kBlock = TensorMemoryLayout::BlockSharded,
               kHeight = TensorMemoryLayout::HeightSharded;

// The host's memory is one bank, whatever the layout says of banks; pages lie there without gaps.
TEST(PageMapLimits, TheHostHasOneBank) {
  const DeviceSpec& device = allDevices()[0];
  for (TensorMemoryLayout memory : {kInterleaved, TensorMemoryLayout::None}) {
    const PageMap map = mapPages({40, 7}, layoutOf(kRows, memory, BufferType::SystemMemory, {1, 1}, 40, 7), device);
    ASSERT_EQ(map.problem, "");
    ASSERT_EQ(map.pages.size(), 40u);
    for (size_t i = 0; i < map.pages.size(); ++i) {
      EXPECT_EQ(map.pages[i].bank, 0);
      EXPECT_EQ(map.pages[i].offset, static_cast<int64_t>(i) * 14);
    }
    EXPECT_EQ(map.bytesPerBank, 40 * 14);
  }
}

// 27 rows of 14 bytes: DRAM's pages begin at multiples of its alignment, and the banks take turns.
TEST(PageMapLimits, BanksTakeTurns) {
  const DeviceSpec& device = allDevices()[0];
  const int64_t banks = device.dramBanks,
                stride = (14 + device.dramAlignment - 1) / device.dramAlignment * device.dramAlignment;
  for (const int64_t rows : {banks - 1, banks, banks + 1, 2 * banks}) {
    const PageMap map = mapPages({rows, 7}, layoutOf(kRows, kInterleaved, BufferType::DRAM, {1, 1}, rows, 7), device);
    ASSERT_EQ(map.problem, "");
    for (int64_t i = 0; i < rows; ++i) {
      EXPECT_EQ(map.pages[static_cast<size_t>(i)].bank, i % banks);
      EXPECT_EQ(map.pages[static_cast<size_t>(i)].offset, i / banks * stride);
    }
    EXPECT_EQ(map.bytesPerBank, (rows <= banks ? 1 : 2) * stride);
  }
}

TEST(PageMapLimits, WhatPlacesNothingSaysWhy) {
  const DeviceSpec& device = allDevices()[0];
  const auto why = [&](const Shape& shape, const TensorLayout& layout) {
    return mapPages(shape, layout, device).problem;
  };
  const BufferType l1 = BufferType::L1;
  EXPECT_EQ(why({64, 64}, layoutOf(kTiled, kBlock, l1, {2, 2}, 1, 1)), "");
  EXPECT_EQ(why({64, 64}, layoutOf(kRows, kBlock, l1, {2, 2}, 32, 32, DType::BFP8)),
            "block floats exist in tiles only");
  EXPECT_EQ(why({64, 64}, layoutOf(kTiled, kBlock, l1, {2, 2}, 1, 1, DType::F64)),
            "the device has no such element type");
  for (const auto& [grid, rows, cols] : std::vector<std::tuple<GridShape, int64_t, int64_t>>{
           {{0, 2}, 1, 1}, {{2, 0}, 1, 1}, {{2, 2}, 0, 1}, {{2, 2}, 1, 0}})
    EXPECT_EQ(why({64, 64}, layoutOf(kTiled, kBlock, l1, grid, rows, cols)), "the grid or the shard is empty");
  EXPECT_EQ(why({64, 0}, layoutOf(kTiled, kBlock, l1, {2, 2}, 1, 1)), "the tensor is empty or too large");
  // 2^22 pages of a row each are the most, and one dim of 2^32.
  const BufferType host = BufferType::SystemMemory;
  EXPECT_EQ(why({(1 << 22) + 1, 1}, layoutOf(kRows, kInterleaved, host, {1, 1}, 1, 1)),
            "the tensor has too many pages");
  EXPECT_EQ(why({int64_t{1} << 32, 2}, layoutOf(kRows, kInterleaved, host, {1, 1}, 1, 1)),
            "the tensor is empty or too large");
  // 65 rows are three rows of tiles; two shards of one do not reach the third.
  EXPECT_EQ(why({65, 64}, layoutOf(kTiled, kBlock, l1, {2, 2}, 1, 1)), "the shards do not reach row 64, column 0");
  EXPECT_EQ(why({64, 65}, layoutOf(kTiled, kBlock, l1, {2, 2}, 1, 1)), "the shards do not reach row 0, column 64");
  // One core more than there are, along the rows of the worker grid.
  const int64_t cores = device.grid.volume();
  EXPECT_EQ(why({cores, 4}, layoutOf(kRows, kHeight, l1, {static_cast<int32_t>(cores), 1}, 1, 4)), "");
  EXPECT_EQ(why({cores + 1, 4}, layoutOf(kRows, kHeight, l1, {static_cast<int32_t>(cores + 1), 1}, 1, 4)),
            "a shard lies outside the grid");
}

// Rows of each matrix are padded to whole tiles, and the padding holds no element.
TEST(PageMapLimits, ElementsOfThePaddedMatrix) {
  const PageMap map =
      mapPages({2, 3, 40}, layoutOf(kTiled, kInterleaved, BufferType::DRAM, {1, 1}, 2, 2), allDevices()[0]);
  ASSERT_EQ(map.problem, "");
  EXPECT_EQ(map.rows, 64);
  EXPECT_EQ(map.cols, 64);
  EXPECT_EQ(map.rowLength, 40);
  EXPECT_EQ(map.firstOfRow(0), 0);
  EXPECT_EQ(map.firstOfRow(2), 80);
  EXPECT_EQ(map.firstOfRow(3), -1);
  EXPECT_EQ(map.firstOfRow(31), -1);
  EXPECT_EQ(map.firstOfRow(32), 120);
  EXPECT_EQ(map.firstOfRow(34), 200);
  EXPECT_EQ(map.firstOfRow(35), -1);
}

}  // namespace
}  // namespace tessera::test
