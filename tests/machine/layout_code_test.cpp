// The bytes of the machine: against known ones, against the placement that the layout lab shows (code of its own), and
// against the rounding that the interpreter applies.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ir/ttnn_address.h"
#include "core/machine/formats.h"
#include "core/machine/rounding.h"
#include "core/machine/stored_tensor.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

std::vector<uint8_t> tileOf(DType dtype, const std::vector<double>& values) {
  std::vector<uint8_t> bytes(static_cast<size_t>(storedTileBytes(dtype)));
  packTile(dtype, values.data(), bytes.data());
  return bytes;
}

TEST(Formats, TilesHaveThePublishedSizes) {
  for (DType dtype :
       {DType::F32, DType::BF16, DType::BFP8, DType::BFP4, DType::BFP2, DType::U8, DType::U16, DType::I32})
    EXPECT_EQ(storedTileBytes(dtype), tileBytes(dtype)) << dtypeName(dtype);
}

// Row 0, column 16 begins the second face, row 16 the third.
TEST(Formats, FacesAreStoredOneAfterTheOther) {
  std::vector<double> values(1024, 0.0);
  values[1] = 1;
  values[16] = 2;
  values[32] = 3;
  values[16 * 32] = 4;
  values[16 * 32 + 16] = 5;
  const std::vector<uint8_t> bytes = tileOf(DType::U8, values);
  EXPECT_EQ(bytes[1], 1);
  EXPECT_EQ(bytes[256], 2);
  EXPECT_EQ(bytes[16], 3);
  EXPECT_EQ(bytes[512], 4);
  EXPECT_EQ(bytes[768], 5);
}

// 1.5 and -0.25 share the exponent of 1.5, 127; 1.5 is 96 sixty-fourths, 0.25 is 16 of them.
TEST(Formats, ABlockSharesTheGreatestExponent) {
  std::vector<double> values(1024, 0.0);
  values[0] = 1.5;
  values[1] = -0.25;
  values[32 + 5] = 4.0;
  const std::vector<uint8_t> bytes = tileOf(DType::BFP8, values);
  EXPECT_EQ(bytes[0], 127);
  EXPECT_EQ(bytes[1], 129);
  EXPECT_EQ(bytes[2], 0);
  EXPECT_EQ(bytes[64], 96);
  EXPECT_EQ(bytes[65], 0x80 | 16);
  EXPECT_EQ(bytes[64 + 16 + 5], 64);
  const std::vector<uint8_t> nibbles = tileOf(DType::BFP4, values);  // of 1.5: 6 quarters, of 0.25: 1
  EXPECT_EQ(nibbles[64], (0x8 | 1) << 4 | 6);
}

TEST(Formats, Bf16RoundsToTheNearestEven) {
  const double ulp = std::ldexp(1.0, -7);
  for (const auto& [given, kept] : std::vector<std::pair<double, double>>{
           {1 + ulp / 2, 1}, {1 + ulp * 3 / 2, 1 + 2 * ulp}, {1 + ulp * 0.51, 1 + ulp}, {-3.0, -3.0}}) {
    uint8_t bytes[2];
    double back = 0;
    packRow(DType::BF16, &given, 1, bytes);
    unpackRow(DType::BF16, bytes, 1, &back);
    EXPECT_EQ(back, kept) << given;
  }
}

double randomValue(SplitMix64& random) {
  switch (random.below(12)) {
    case 0: return 0;
    case 1: return std::numeric_limits<double>::infinity();
    case 2: return std::ldexp(static_cast<double>(random.below(255)), static_cast<int>(random.below(250)) - 140);
    case 3: return 3.4028234663852886e38;
    default: break;
  }
  const double unit = static_cast<double>(random.below(1 << 24)) / (1 << 23) - 1;
  return std::ldexp(unit, static_cast<int>(random.below(16)) - 8);
}

// What is read back is what the interpreter's rounding, written apart, says; of any format, shape and values.
TEST(Formats, WhatIsStoredIsWhatIsRounded) {
  const DeviceSpec device = allDevices()[0];
  SplitMix64 random(7);
  ByteMemory memory(device.dramBanks, 1 << 26);
  for (uint64_t i = 0; i < seeds(200); ++i) {
    const DType dtypes[] = {DType::F32,  DType::F16, DType::BF16, DType::BFP8, DType::BFP4,
                            DType::BFP2, DType::U8,  DType::U16,  DType::U32,  DType::I32};
    const DType dtype = dtypes[random.below(10)];
    HostTensor tensor = makeTensor({1 + random.below(3), 1 + random.below(70), 1 + random.below(70)},
                                   !isInteger(dtype) && random.below(5) > 0);
    for (size_t k = 0; k < tensor.size(); ++k) {
      if (tensor.real) tensor.f[k] = static_cast<float>(randomValue(random));
      else tensor.i[k] = isInteger(dtype) ? static_cast<int64_t>(random.next() >> random.below(64)) : random.below(500);
    }
    TensorLayout layout{.dtype = dtype, .shardRows = 1, .shardCols = 1};
    TensorPlace place{&memory, 0, layout, std::make_shared<PageMap>(mapPages(tensor.shape, layout, device))};
    ASSERT_EQ(place.map->problem, "");
    ASSERT_TRUE(writeTensor(place, tensor, {}));
    HostTensor rounded = tensor;
    roundAsStored(rounded, dtype, tensor.shape.back());
    const auto different = firstDifference(place, rounded);
    ASSERT_FALSE(different) << dtypeName(dtype) << " " << i << ": " << different->value << " at " << different->element
                            << " of " << tensor.at(static_cast<size_t>(std::max<int64_t>(different->element, 0)));
  }
}

// A tensor that is moved keeps the bits of every element, whatever they mean: from rows to tiles and back, and to rows
// of other pages.
TEST(Formats, WhatIsMovedKeepsItsBits) {
  const DeviceSpec device = allDevices()[0];
  SplitMix64 random(11);
  const Shape shape = {2, 33, 40};
  for (const DType dtype : {DType::F32, DType::F16, DType::BF16, DType::U8, DType::U16, DType::U32, DType::I32}) {
    HostTensor tensor = makeTensor(shape, !isInteger(dtype));
    for (size_t k = 0; k < tensor.size(); ++k) {
      if (tensor.real) tensor.f[k] = static_cast<float>(randomValue(random));
      else tensor.i[k] = static_cast<int64_t>(random.next() >> 32);
    }
    roundAsStored(tensor, dtype, shape.back());
    ByteMemory memory(device.grid.volume(), 1 << 26);
    const auto placed = [&](PageLayout page, int64_t address, bool sharded) {
      TensorLayout layout{.page = page, .dtype = dtype, .shardRows = 1, .shardCols = 1};
      if (sharded) {
        LayoutRequest request{dtype, BufferType::L1, TensorMemoryLayout::BlockSharded, page, {3, 2}};
        request.allowIdleCores = true;
        layout = *makeLayout(shape, request, device);
      }
      TensorPlace place{&memory, address, layout, std::make_shared<PageMap>(mapPages(shape, layout, device))};
      EXPECT_EQ(place.map->problem, "");
      return place;
    };
    const TensorPlace places[] = {placed(PageLayout::RowMajor, 0, false), placed(PageLayout::Tile, 1 << 20, false),
                                  placed(PageLayout::RowMajor, 2 << 20, true), placed(PageLayout::Tile, 3 << 20, true),
                                  placed(PageLayout::RowMajor, 4 << 20, false)};
    ASSERT_TRUE(writeTensor(places[0], tensor, {}));
    for (size_t i = 1; i < std::size(places); ++i) {
      ASSERT_TRUE(moveTensor(places[i - 1], places[i], {}));
      const auto different = firstDifference(places[i], tensor);
      ASSERT_FALSE(different) << dtypeName(dtype) << ", move " << i << ": " << different->value << " at "
                              << different->element;
    }
  }
}

// A byte that is spoiled is found where it lies: in the four faces of a tile one after the other, in rows that are
// pages, and in the padding, which is part of no element.
TEST(Formats, ADifferenceIsFoundWhereItLies) {
  const DeviceSpec device = allDevices()[0];
  struct Spoiled {
    PageLayout page;
    int64_t row, col;  // of a matrix of 20 x 40
    size_t number;     // of the page
    int64_t offset;    // values from its start
  };
  const Spoiled kSpoiled[] = {
      {PageLayout::Tile, 3, 5, 0, 3 * 16 + 5},        {PageLayout::Tile, 3, 20, 0, 256 + 3 * 16 + 4},
      {PageLayout::Tile, 18, 5, 0, 512 + 2 * 16 + 5}, {PageLayout::Tile, 19, 31, 0, 768 + 3 * 16 + 15},
      {PageLayout::Tile, 2, 39, 1, 2 * 16 + 7},       {PageLayout::Tile, -1, -1, 1, 2 * 16 + 8},
      {PageLayout::Tile, -1, -1, 0, 768 + 4 * 16},    {PageLayout::RowMajor, 7, 33, 7, 33}};
  for (const Spoiled& spoiled : kSpoiled) {
    HostTensor tensor = makeTensor({20, 40}, true);
    for (size_t at = 0; at < tensor.size(); ++at) tensor.set(at, 1.0);
    TensorLayout layout{.page = spoiled.page, .dtype = DType::BF16, .shardRows = 1, .shardCols = 1};
    ByteMemory memory(device.dramBanks, 1 << 26);
    TensorPlace place{&memory, 4096, layout, std::make_shared<PageMap>(mapPages(tensor.shape, layout, device))};
    ASSERT_TRUE(writeTensor(place, tensor, {}));
    ASSERT_FALSE(firstDifference(place, tensor));
    const Page& page = place.map->pages.at(spoiled.number);
    const int64_t address = 4096 + page.offset + 2 * spoiled.offset;
    const uint8_t half[2] = {0x00, 0x3f};  // 0.5
    ASSERT_TRUE(memory.write(page.bank, address, half, 2));
    const auto found = firstDifference(place, tensor);
    ASSERT_TRUE(found) << spoiled.number << " " << spoiled.offset;
    EXPECT_EQ(found->element, spoiled.row < 0 ? -1 : spoiled.row * 40 + spoiled.col);
    EXPECT_EQ(std::tuple(found->value, found->bank, found->address), std::tuple(0.5, page.bank, address));
  }
}

TensorLayout randomLayout(SplitMix64& random, const Shape& shape, const DeviceSpec& device) {
  while (true) {
    LayoutRequest request;
    const bool l1 = random.oneIn(2);
    request.buffer = l1 ? BufferType::L1 : BufferType::DRAM;
    request.page = random.oneIn(3) ? PageLayout::RowMajor : PageLayout::Tile;
    request.dtype = random.oneIn(3) ? DType::F32 : random.oneIn(2) ? DType::BF16 : DType::BFP8;
    const TensorMemoryLayout kinds[] = {TensorMemoryLayout::Interleaved, TensorMemoryLayout::HeightSharded,
                                        TensorMemoryLayout::WidthSharded, TensorMemoryLayout::BlockSharded};
    request.memory = kinds[random.below(4)];
    const auto rows = static_cast<int32_t>(1 + random.below(8)), cols = static_cast<int32_t>(1 + random.below(8));
    request.grid = {rows, cols};
    if (request.memory == TensorMemoryLayout::HeightSharded) request.grid = {rows * cols, 1};
    if (request.memory == TensorMemoryLayout::WidthSharded) request.grid = {1, rows * cols};
    if (request.memory == TensorMemoryLayout::Interleaved) request.grid = device.grid;
    request.allowIdleCores = true;
    const auto made = makeLayout(shape, request, device);
    if (made.ok()) return *made;
  }
}

// Every element of a tensor is a number of its own; at the address that the layout lab's placement gives stands that.
TEST(PageMaps, AgreeWithThePlacementOfTheLayoutLab) {
  const DeviceSpec device = allDevices()[0];
  SplitMix64 random(3);
  for (uint64_t i = 0; i < seeds(150); ++i) {
    const Shape shape{1 + random.below(3), 1 + random.below(80), 1 + random.below(90)};
    TensorLayout layout = randomLayout(random, shape, device);
    const auto placement = TtnnPlacement::make(shape, layout, device);
    ASSERT_TRUE(placement.ok());
    const PageMap map = mapPages(shape, layout, device);
    ASSERT_EQ(map.problem, "") << layoutText(layout);
    EXPECT_EQ(map.bytesPerBank, placement->bytesPerBank().count) << layoutText(layout);
    if (isBlockFloat(layout.dtype)) continue;  // their values are not whole numbers
    const auto banks = layout.isL1() ? device.grid.volume() : int64_t{device.dramBanks};
    ByteMemory memory(banks, 1 << 26);
    HostTensor numbers = makeTensor(shape, true);
    for (size_t k = 0; k < numbers.size(); ++k) numbers.f[k] = static_cast<float>(k % 251);
    ASSERT_TRUE(writeTensor({&memory, 64, layout, std::make_shared<PageMap>(map)}, numbers, {}));
    for (int64_t k = 0; k < static_cast<int64_t>(numbers.size()); k += 1 + random.below(40)) {
      const std::vector<int64_t> index{k / (shape[1] * shape[2]), k / shape[2] % shape[1], k % shape[2]};
      const TtnnAddress at = *placement->address(index);
      const int64_t bank = layout.isL1() ? at.core.y * device.grid.cols + at.core.x : at.bank;
      uint8_t bytes[4];
      double value = -1;
      memory.read(bank, 64 + at.offset, bytes, storedBytes(layout.dtype));
      unpackRow(layout.dtype, bytes, 1, &value);
      ASSERT_EQ(value, static_cast<double>(k % 251)) << layoutText(layout) << " element " << k;
    }
  }
}

TEST(ByteMemories, ForgetWhatIsSpoiledAndHoldNoMoreThanTheyMay) {
  ByteMemory memory(2, 8192);
  const uint8_t seven = 7;
  uint8_t is = 0;
  memory.read(1, 5000, &is, 1);
  EXPECT_EQ(is, kPoisonByte);
  ASSERT_TRUE(memory.write(1, 5000, &seven, 1));
  ASSERT_TRUE(memory.write(0, 100, &seven, 1));
  EXPECT_FALSE(memory.write(0, 5000, &seven, 1)) << "a third piece of 4096 bytes";
  memory.read(1, 5000, &is, 1);
  EXPECT_EQ(is, 7);
  memory.spoil(4990, 11, kScribbleByte);
  memory.read(1, 5000, &is, 1);
  EXPECT_EQ(is, kScribbleByte);
  memory.spoil(0, 4096, kPoisonByte);  // a whole piece is given back
  EXPECT_TRUE(memory.write(0, 5000, &seven, 1));
}

}  // namespace
}  // namespace tessera::test
