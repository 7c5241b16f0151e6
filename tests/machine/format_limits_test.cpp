// Formats and page maps at their limits: every half float, ties, what places nothing and why.

#include <gtest/gtest.h>

#include <cmath>

#include "core/machine/formats.h"
#include "core/machine/page_map.h"
#include "core/machine/rounding.h"

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

// A value alone in its block, as it is read back and as the interpreter rounds it.
void expectAlone(DType dtype, double value, double kept) {
  std::vector<double> values(1024, 0.0), back(1024, 1.0);
  values[0] = value;
  std::vector<uint8_t> bytes(static_cast<size_t>(storedTileBytes(dtype)));
  packTile(dtype, values.data(), bytes.data());
  unpackTile(dtype, bytes.data(), back.data());
  EXPECT_EQ(back[0], kept) << dtypeName(dtype) << " stores " << value;
  for (size_t i = 1; i < back.size(); ++i) ASSERT_EQ(back[i], 0.0) << i;
  HostTensor tensor = makeTensor({1, 1}, true);
  tensor.set(0, value);
  roundAsStored(tensor, dtype, 1);
  EXPECT_EQ(tensor.at(0), kept) << dtypeName(dtype) << " rounds " << value;
}

// Blocks know no subnormals: the smallest normal f32, 2^-126, stays and what is below it is zero. The largest of a
// block has all its bits set; what is beyond it does not carry into the exponent.
TEST(FormatLimits, BlocksBeginAtTheSmallestNormal) {
  const double smallest = std::ldexp(1.0, -126), below = smallest - std::ldexp(1.0, -149);
  for (const auto& [dtype, bits] :
       std::vector<std::pair<DType, int>>{{DType::BFP8, 7}, {DType::BFP4, 3}, {DType::BFP2, 1}}) {
    expectAlone(dtype, smallest, smallest);
    expectAlone(dtype, -smallest, -smallest);
    expectAlone(dtype, below, 0);
    expectAlone(dtype, -below, 0);
    const double step = std::ldexp(1.0, 1 - bits), most = 2 - step;  // of values from 1 to 2
    expectAlone(dtype, most, most);
    expectAlone(dtype, 2 - step / 4, most);
    expectAlone(dtype, 2, 2);
    if (bits == 1) continue;
    expectAlone(dtype, 1 + step / 2, 1);  // a tie: the even one
    expectAlone(dtype, 1 + 3 * step / 2, 1 + 2 * step);
    expectAlone(dtype, -1 - 0.51 * step, -1 - step);
  }
}

// Floats have steps of their last bit below the smallest normal, too; ties go to the even one, and what rounds to the
// next power of two behind the largest is infinite.
TEST(FormatLimits, FloatsHaveSubnormals) {
  const double step = std::ldexp(1.0, -133);  // bf16
  for (const auto& [value, kept] :
       std::vector<std::pair<double, double>>{{step, step},
                                              {-3 * step, -3 * step},
                                              {step / 2, 0},
                                              {1.5 * step, 2 * step},
                                              {0.51 * step, step},
                                              {3.3895313892515355e38, 3.3895313892515355e38},
                                              {3.3961775292304601e38, HUGE_VAL}})
    expectAlone(DType::BF16, value, kept);
  expectAlone(DType::F16, std::ldexp(1.0, -25), 0);
  expectAlone(DType::F16, std::ldexp(1.5, -24), std::ldexp(1.0, -23));
  expectAlone(DType::F16, 65519, 65504);
  expectAlone(DType::F16, -65520, -HUGE_VAL);
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

// The rounding of whole tensors keeps the same bits, in integers and in floats.
TEST(FormatLimits, TensorsOfWholeNumbersKeepTheirLowBits) {
  const std::tuple<DType, int64_t, int64_t> kRows[] = {{DType::I32, 2147483647, 2147483647},
                                                       {DType::I32, 2147483648, -2147483648},
                                                       {DType::I32, 2147483649, -2147483647},
                                                       {DType::I32, -2147483649, 2147483647},
                                                       {DType::U32, 4294967296, 0},
                                                       {DType::U32, -1, 4294967295},
                                                       {DType::U16, 65535, 65535},
                                                       {DType::U16, 65536, 0},
                                                       {DType::U8, -256, 0},
                                                       {DType::U8, 255, 255}};
  for (const auto& [dtype, value, kept] : kRows) {
    HostTensor whole = makeTensor({1}, false), real = makeTensor({1}, true);
    whole.i[0] = value;
    roundAsStored(whole, dtype, 1);
    EXPECT_EQ(whole.i[0], kept) << dtypeName(dtype) << " " << value;
    real.set(0, 1.0 * (value & 65535));
    roundAsStored(real, DType::U8, 1);
    EXPECT_EQ(real.at(0), static_cast<double>(value & 255));
  }
}

// Beyond 9e15 a real keeps no low bits; just below it does.
TEST(FormatLimits, RealsTooLargeToBeWholeAreZero) {
  const std::pair<double, double> kRows[] = {{9.0e15 - 1, 255}, {1 - 9.0e15, 1}, {9.0e15 + 2, 0},
                                             {-9.0e15 - 2, 0},  {9.3e15 + 2, 0}, {std::nan(""), 0},
                                             {HUGE_VAL, 0},     {-3.9, 253},     {256.0 * 3 + 7, 7}};
  for (const auto& [value, kept] : kRows) {
    std::vector<double> values = {value};
    uint8_t byte = 1;
    packRow(DType::U8, values.data(), 1, &byte);
    HostTensor tensor = makeTensor({1}, true);
    if (static_cast<float>(value) == value || std::isnan(value)) {  // tensors hold floats
      tensor.set(0, value);
      roundAsStored(tensor, DType::U8, 1);
      EXPECT_EQ(tensor.at(0), byte) << value;
    }
    EXPECT_EQ(byte, kept) << value;
  }
  HostTensor large = makeTensor({1}, true);
  for (const double value : {std::ldexp(8388609.0, 29), std::ldexp(16777215.0, 29), std::ldexp(16777213.0, 29)}) {
    large.set(0, value);
    roundAsStored(large, DType::U32, 1);
    EXPECT_EQ(large.at(0), std::fabs(value) < 9.0e15 ? std::fmod(value, 4294967296.0) : 0) << value;
  }
}

// Beside a normal value those below 2^-126 are zero, although the block's step could hold them.
TEST(FormatLimits, SubnormalsBesideANormalAreZero) {
  for (const DType dtype : {DType::BFP8, DType::BFP4}) {
    HostTensor row = makeTensor({1, 16}, true);
    row.set(0, std::ldexp(1.0, -126));
    row.set(1, std::ldexp(1.0, -127));
    row.set(2, -std::ldexp(1.0, -128));
    row.set(3, std::ldexp(3.0, -127));
    roundAsStored(row, dtype, 16);
    EXPECT_EQ(row.at(0), std::ldexp(1.0, -126));
    EXPECT_EQ(row.at(1), 0);
    EXPECT_EQ(row.at(2), 0);
    EXPECT_EQ(row.at(3), std::ldexp(3.0, -127));
  }
}

// What is no number fills its block as what has no end does: the others keep no bit beside it.
TEST(FormatLimits, WhatIsNoNumberCountsForItsBlock) {
  for (const double odd : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    HostTensor row = makeTensor({1, 32}, true);
    for (size_t at = 0; at < 32; ++at) row.set(at, 1.0);
    row.set(3, odd);
    roundAsStored(row, DType::BFP8, 32);
    for (size_t at = 0; at < 32; ++at) {
      if (at != 3) {
        EXPECT_EQ(row.at(at), at < 16 ? 0.0 : 1.0) << odd << " at " << at;
      }
    }
    EXPECT_FALSE(std::isfinite(row.at(3))) << odd;
  }
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

// Without banks to take turns all pages lie one behind the other; in L1 they go over the cores of the tensor's own
// grid, row by row of the worker grid.
TEST(PageMapLimits, PagesGoOverTheCoresOfTheGrid) {
  DeviceSpec device = allDevices()[0];
  device.dramBanks = 1;
  const PageMap one = mapPages({5, 7}, layoutOf(kRows, kInterleaved, BufferType::DRAM, {1, 1}, 5, 7), device);
  ASSERT_EQ(one.problem, "");
  ASSERT_EQ(one.pages.size(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(one.pages[i].bank, 0);
    EXPECT_EQ(one.pages[i].offset, static_cast<int64_t>(i) * device.dramAlignment);
  }
  EXPECT_EQ(one.bytesPerBank, 5 * device.dramAlignment);
  const PageMap l1 = mapPages({5, 7}, layoutOf(kRows, kInterleaved, BufferType::L1, {2, 2}, 5, 7), device);
  ASSERT_EQ(l1.problem, "");
  const int64_t cols = device.grid.cols, cores[] = {0, 1, cols, cols + 1, 0};
  const int64_t page = (14 + device.l1Alignment - 1) / device.l1Alignment * device.l1Alignment;
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(l1.pages[i].bank, cores[i]) << i;
    EXPECT_EQ(l1.pages[i].offset, i == 4 ? page : 0) << i;
  }
  EXPECT_EQ(l1.bytesPerBank, 2 * page);
}

// Shards of a block lie over a rectangle of cores, of a line along the rows of the worker grid; columns of a shard lie
// beside each other in its pages.
TEST(PageMapLimits, ShardsLieOverRectanglesAndLines) {
  const DeviceSpec& device = allDevices()[0];
  const int64_t cols = device.grid.cols;
  const auto banks = [&](TensorMemoryLayout memory, GridShape grid, int64_t rows, int64_t across) {
    const PageMap map = mapPages({96, 96}, layoutOf(kTiled, memory, BufferType::L1, grid, rows, across), device);
    EXPECT_EQ(map.problem, "");
    EXPECT_EQ(map.bytesPerBank, rows * across * 2048);
    std::vector<std::pair<int64_t, int64_t>> found;
    for (const Page& at : map.pages) found.emplace_back(at.bank, at.offset / 2048);
    return found;
  };
  using Found = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(banks(kBlock, {2, 2}, 2, 2),
            (Found{{0, 0}, {0, 1}, {1, 0}, {0, 2}, {0, 3}, {1, 2}, {cols, 0}, {cols, 1}, {cols + 1, 0}}));
  EXPECT_EQ(
      banks(kBlock, {3, 1}, 1, 3),
      (Found{{0, 0}, {0, 1}, {0, 2}, {cols, 0}, {cols, 1}, {cols, 2}, {2 * cols, 0}, {2 * cols, 1}, {2 * cols, 2}}));
  EXPECT_EQ(banks(kHeight, {3, 1}, 1, 3),
            (Found{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(banks(TensorMemoryLayout::WidthSharded, {1, 3}, 3, 1),
            (Found{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}));
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
