// makeLayout() and the byte counts.

#include <gtest/gtest.h>

#include "core/ir/tensor_layout.h"
#include "core/ir/types.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

TensorLayout make(const Shape& shape, const LayoutRequest& request, const DeviceSpec& device = n150()) {
  const Result<TensorLayout, LayoutDefect> layout = makeLayout(shape, request, device);
  EXPECT_TRUE(layout.ok()) << (layout.ok() ? "" : layout.error().text);
  return layout.ok() ? *layout : TensorLayout{};
}

std::string_view ruleOf(const Shape& shape, const LayoutRequest& request, const DeviceSpec& device = n150()) {
  const Result<TensorLayout, LayoutDefect> layout = makeLayout(shape, request, device);
  if (layout.ok()) return "made";
  EXPECT_FALSE(layout.error().text.empty());
  return layoutRuleName(layout.error().rule);
}

constexpr auto kL1 = BufferType::L1;
constexpr auto kBlock = TensorMemoryLayout::BlockSharded;
constexpr auto kHeight = TensorMemoryLayout::HeightSharded;
constexpr auto kWidth = TensorMemoryLayout::WidthSharded;

TEST(DTypes, NamesRoundTrip) {
  for (DType dtype :
       {DType::F32, DType::F16, DType::BF16, DType::BFP8, DType::BFP4, DType::BFP2, DType::U32, DType::U16, DType::U8,
        DType::I32, DType::F64, DType::I64, DType::U64, DType::I16, DType::I8, DType::I1, DType::Index}) {
    EXPECT_EQ(parseDType(dtypeName(dtype)), dtype);
    EXPECT_EQ(parseDType(tileDTypeName(dtype)), dtype);
    EXPECT_EQ(deviceDType(deviceDType(dtype)), deviceDType(dtype));
    EXPECT_GT(tileBytes(dtype), 0);
    EXPECT_EQ(scalarBytes(dtype) == 0, isBlockFloat(dtype));
  }
  EXPECT_EQ(parseDType("i32"), DType::I32);
  EXPECT_EQ(parseDType("u32"), DType::U32);
  EXPECT_EQ(parseDType("ui32"), DType::U32);
  EXPECT_EQ(parseDType("f8E4M3"), std::nullopt);
  EXPECT_EQ(parseDType(""), std::nullopt);
}

// Which device types count as integers, and the bits of a value in a page.
TEST(DTypes, IntegersAndBitsOfDeviceTypes) {
  const std::tuple<DType, bool, int64_t> kTypes[] = {
      {DType::F32, false, 32}, {DType::F16, false, 16}, {DType::BF16, false, 16}, {DType::BFP8, false, 8},
      {DType::BFP4, false, 4}, {DType::BFP2, false, 2}, {DType::U32, true, 32},   {DType::U16, true, 16},
      {DType::U8, true, 8},    {DType::I32, true, 32}};
  for (const auto& [dtype, integer, bits] : kTypes) {
    EXPECT_EQ(isInteger(dtype), integer) << dtypeName(dtype);
    EXPECT_EQ(valueBits(dtype), bits) << dtypeName(dtype);
  }
}

TEST(DTypes, DeviceTypes) {
  EXPECT_EQ(deviceDType(DType::F64), DType::F32);
  EXPECT_EQ(deviceDType(DType::I64), DType::I32);
  EXPECT_EQ(deviceDType(DType::Index), DType::I32);
  EXPECT_EQ(deviceDType(DType::I1), DType::BF16);
  EXPECT_EQ(deviceDType(DType::I8), DType::U8);
  EXPECT_EQ(deviceDType(DType::BFP4), DType::BFP4);
}

TEST(DTypes, TileBytes) {  // tt-mlir TTNNOpsAttrs.td
  EXPECT_EQ(tileBytes(DType::F32), 4096);
  EXPECT_EQ(tileBytes(DType::I32), 4096);
  EXPECT_EQ(tileBytes(DType::BF16), 2048);
  EXPECT_EQ(tileBytes(DType::U16), 2048);
  EXPECT_EQ(tileBytes(DType::BFP8), 1088);
  EXPECT_EQ(tileBytes(DType::BFP4), 576);
  EXPECT_EQ(tileBytes(DType::BFP2), 320);
  EXPECT_EQ(tileBytes(DType::U8), 1024);
}

TEST(MakeLayout, PublishedSizes) {  // tt-mlir TTNNOpsAttrs.td, tt-mlir TestOpModelLib.cpp of 2025-11
  const TensorLayout height = make({28672, 32}, {.buffer = kL1, .memory = kHeight, .grid = {64, 1}});
  EXPECT_EQ(height.shardRows, 14);
  EXPECT_EQ(height.shardCols, 1);
  EXPECT_EQ(shardSizeInBytes(height), Bytes(28'672));
  EXPECT_EQ(l1BytesPerCore(height), Bytes(28'672));

  const TensorLayout eight = make({1024, 1024}, {.buffer = kL1, .memory = kHeight, .grid = {8, 1}});
  EXPECT_EQ(shardSizeInBytes(eight), Bytes(262'144));

  const TensorLayout dram = make({128, 128}, {.dtype = DType::F32});
  EXPECT_EQ(dram.grid, (GridShape{1, 1}));
  EXPECT_EQ(dram.shardRows, 4);
  EXPECT_EQ(dramBytesPerBank(dram, n150()), Bytes(8192));  // 16 tiles over 12 banks
  EXPECT_EQ(l1BytesPerCore(dram), Bytes(0));
  EXPECT_EQ(totalBytes({128, 128}, dram), Bytes(16 * 4096));

  const TensorLayout spread = make({64, 1024}, {.buffer = kL1, .grid = {8, 8}});
  EXPECT_EQ(spread.shardRows, 1);
  EXPECT_EQ(spread.shardCols, 1);
  EXPECT_EQ(l1BytesPerCore(spread), Bytes(2048));
  EXPECT_EQ(coresUsed(spread), 64);
  EXPECT_EQ(coresUsed(dram), 0);
}

TEST(MakeLayout, TilesPadTheLastTwoDimsBeforeCollapsing) {
  const TensorLayout layout = make({2, 8, 40}, {.dtype = DType::BF16});
  EXPECT_EQ(layout.shardRows, 2);  // one tile row per batch, not ceil(16 / 32)
  EXPECT_EQ(layout.shardCols, 2);
  const TensorLayout rows = make({2, 8, 40}, {.page = PageLayout::RowMajor});
  EXPECT_EQ(rows.shardRows, 16);
  EXPECT_EQ(rows.shardCols, 40);
  EXPECT_EQ(totalBytes({2, 8, 40}, rows), Bytes(16 * 80));
}

TEST(MakeLayout, RowMajorPagesAreAligned) {
  // 5 values of 2 bytes: 10 bytes take 16 in L1 and 32 in Wormhole's DRAM.
  const TensorLayout shard =
      make({8, 5}, {.buffer = kL1, .memory = kHeight, .page = PageLayout::RowMajor, .grid = {4, 1}});
  EXPECT_EQ(shardSizeInBytes(shard), Bytes(2 * 10));
  EXPECT_EQ(l1BytesPerCore(shard), Bytes(2 * 16));
  TensorLayout huge = shard;  // as nothing makes it, but anything may ask: beyond all that fits
  huge.shardCols = int64_t{1} << 62;
  EXPECT_EQ(l1BytesPerCore(huge), Bytes(INT64_MAX));
  const TensorLayout dram = make({25, 5}, {.page = PageLayout::RowMajor});
  EXPECT_EQ(dramBytesPerBank(dram, n150()), Bytes(3 * 32));  // 25 rows over 12 banks
}

TEST(MakeLayout, RankZeroAndOne) {
  const TensorLayout scalar = make({}, {});
  EXPECT_EQ(scalar.shardRows, 1);
  EXPECT_EQ(scalar.shardCols, 1);
  const TensorLayout vector = make({100}, {});
  EXPECT_EQ(vector.shardRows, 1);
  EXPECT_EQ(vector.shardCols, 4);
}

TEST(MakeLayout, StoresTheDeviceType) {
  EXPECT_EQ(make({32, 32}, {.dtype = DType::I64}).dtype, DType::I32);
  EXPECT_EQ(make({32, 32}, {.dtype = DType::I1}).dtype, DType::BF16);
}

TEST(MakeLayout, EveryRuleIsNamed) {
  const LayoutRequest block{.buffer = kL1, .memory = kBlock, .grid = {2, 2}};
  EXPECT_EQ(ruleOf({256, 256}, block), "made");
  EXPECT_EQ(ruleOf({-1, 256}, block), "NegativeDim");
  EXPECT_EQ(ruleOf({0, 256}, block), "EmptyTensor");
  EXPECT_EQ(ruleOf({256, 0}, {}), "EmptyTensor");
  EXPECT_EQ(ruleOf({INT64_MAX, 2, 32}, block), "SizeOverflow");
  EXPECT_EQ(ruleOf({int64_t{1} << 40, int64_t{1} << 40}, block), "SizeOverflow");
  EXPECT_EQ(ruleOf({INT64_MAX, INT64_MAX, INT64_MAX}, {.page = PageLayout::RowMajor}), "SizeOverflow");
  EXPECT_EQ(ruleOf({256, 256}, {.buffer = kL1, .memory = kBlock, .grid = {0, 2}}), "EmptyGrid");
  EXPECT_EQ(ruleOf({256, 256}, {.buffer = kL1, .memory = kBlock, .grid = {-3, 2}}), "EmptyGrid");
  EXPECT_EQ(ruleOf({512, 256}, {.buffer = kL1, .memory = kBlock, .grid = {9, 1}}), "GridBeyondDevice");
  EXPECT_EQ(ruleOf({4096, 256}, {.buffer = kL1, .memory = kHeight, .grid = {65, 1}}), "GridBeyondDevice");
  EXPECT_EQ(ruleOf({4096, 256}, {.buffer = kL1, .memory = kHeight, .grid = {64, 1}}), "made");
  EXPECT_EQ(ruleOf({256, 256}, {.buffer = kL1, .grid = {9, 8}}), "GridBeyondDevice");
  EXPECT_EQ(ruleOf({64, 64}, {.buffer = kL1, .memory = kBlock, .grid = {3, 1}}), "GridBeyondTensor");
  EXPECT_EQ(ruleOf({256, 256}, {.memory = kBlock, .grid = {2, 2}}), "DramBlockSharded");
  EXPECT_EQ(ruleOf({256, 256}, {.buffer = kL1, .memory = kHeight, .grid = {2, 2}}), "HeightGridNotColumn");
  EXPECT_EQ(ruleOf({256, 256}, {.buffer = kL1, .memory = kWidth, .grid = {2, 2}}), "WidthGridNotRow");
  EXPECT_EQ(ruleOf({256, 256}, {.dtype = DType::BFP8, .page = PageLayout::RowMajor}), "BlockFloatRowMajor");
  EXPECT_EQ(ruleOf({256, 256}, {.buffer = BufferType::SystemMemory}), "SystemMemoryWithMemoryLayout");
  EXPECT_EQ(ruleOf({256, 256}, {.buffer = BufferType::SystemMemory, .memory = kBlock}), "SystemMemorySharded");
  EXPECT_EQ(ruleOf({256, 256}, {.memory = TensorMemoryLayout::None}), "MissingMemoryLayout");
}

TEST(MakeLayout, IdleCoresOnRequest) {
  // The library stores 64x1024 width sharded over 64 cores although it has 32 tile columns.
  LayoutRequest request{.buffer = kL1, .memory = kWidth, .grid = {1, 64}};
  EXPECT_EQ(ruleOf({64, 1024}, request), "GridBeyondTensor");
  request.allowIdleCores = true;
  EXPECT_EQ(make({64, 1024}, request).shardCols, 1);
}

TEST(MakeLayout, DramShardsUseBanks) {
  const TensorLayout layout = make({32, 32 * 12}, {.memory = kWidth, .grid = {1, 12}});
  EXPECT_EQ(dramBytesPerBank(layout, n150()), Bytes(2048));
  EXPECT_EQ(ruleOf({32, 32 * 13}, {.memory = kWidth, .grid = {1, 13}}), "GridBeyondDevice");
  EXPECT_EQ(ruleOf({32, 32 * 12}, {.memory = kWidth, .grid = {1, 12}}, *findDevice("p150")), "GridBeyondDevice");
  EXPECT_EQ(canonicalCoreRanges(layout, n150()), (std::vector<CoreRange>{{{0, 0}, {11, 0}}}));
}

TEST(MakeLayout, HostTensors) {
  const LayoutRequest host{
      .buffer = BufferType::SystemMemory, .memory = TensorMemoryLayout::None, .page = PageLayout::RowMajor};
  const TensorLayout layout = make({1, 1, 1, 16}, host);
  EXPECT_EQ(layout.shardRows, 1);
  EXPECT_EQ(layout.shardCols, 16);
  EXPECT_EQ(ruleOf({0, 4}, host), "made");
}

TEST(CoreRanges, Canonical) {  // tt-mlir TTNNOpsAttrs.td
  const TensorLayout block = make({256, 512}, {.buffer = kL1, .memory = kBlock, .grid = {4, 8}});
  EXPECT_EQ(canonicalCoreRanges(block, n150()), (std::vector<CoreRange>{{{0, 0}, {7, 3}}}));
  const TensorLayout twelve = make({12 * 32, 32}, {.buffer = kL1, .memory = kHeight, .grid = {12, 1}});
  EXPECT_EQ(canonicalCoreRanges(twelve, n150()), (std::vector<CoreRange>{{{0, 0}, {7, 0}}, {{0, 1}, {3, 1}}}));
  EXPECT_EQ(canonicalCoreRanges(twelve, *findDevice("p150")), (std::vector<CoreRange>{{{0, 0}, {11, 0}}}));
  const TensorLayout width = make({32, 64 * 32}, {.buffer = kL1, .memory = kWidth, .grid = {1, 64}});
  EXPECT_EQ(canonicalCoreRanges(width, n150()), (std::vector<CoreRange>{{{0, 0}, {7, 7}}}));
  EXPECT_TRUE(canonicalCoreRanges(make({32, 32}, {}), n150()).empty());
}

// For every strategy and size: as many cores as shards, inside the worker grid.
TEST(CoreRanges, HaveACorePerShard) {
  for (const DeviceSpec& device : allDevices()) {
    for (int32_t cores = 1; cores <= device.grid.volume(); ++cores) {
      for (TensorMemoryLayout memory : {kHeight, kWidth}) {
        const GridShape grid = memory == kHeight ? GridShape{cores, 1} : GridShape{1, cores};
        int64_t count = 0;
        for (const CoreRange& range : canonicalCoreRanges({.buffer = kL1, .memory = memory, .grid = grid}, device)) {
          EXPECT_LT(range.end.x, device.grid.cols);
          EXPECT_LT(range.end.y, device.grid.rows);
          count += int64_t{range.end.x - range.begin.x + 1} * (range.end.y - range.begin.y + 1);
        }
        EXPECT_EQ(count, cores);
      }
    }
  }
}

TEST(LayoutText, Names) {
  EXPECT_EQ(layoutText(make({64, 64}, {})), "DRAM");
  EXPECT_EQ(layoutText(make({64, 64}, {.page = PageLayout::RowMajor})), "DRAM rm");
  EXPECT_EQ(layoutText(make({64, 64}, {.buffer = kL1, .grid = {8, 8}})), "L1 interleaved");
  EXPECT_EQ(layoutText(make({256, 256}, {.buffer = kL1, .memory = kBlock, .grid = {8, 8}})), "L1 block 8x8");
  EXPECT_EQ(layoutText(make({2048, 32}, {.buffer = kL1, .memory = kHeight, .grid = {64, 1}})), "L1 height 64x1");
  EXPECT_EQ(layoutText(make({32, 1024}, {.buffer = kL1, .memory = kWidth, .grid = {1, 32}})), "L1 width 1x32");
  EXPECT_EQ(layoutText(make({1}, {.buffer = BufferType::SystemMemory, .memory = TensorMemoryLayout::None})), "host");
}

TEST(Types, ShapesAndCounts) {
  EXPECT_EQ(shapeText({1, 56, 56, 64}), "1x56x56x64");
  EXPECT_EQ(shapeText({}), "scalar");
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(elementCount({INT64_MAX, INT64_MAX, 0}), 0);
  EXPECT_EQ(elementCount({INT64_MAX, 2}), std::nullopt);
  EXPECT_EQ(elementCount({-1, 2}), std::nullopt);
}

// Sweep: the shard's bytes against a count written here from the definition.
TEST(MakeLayout, SweepAgainstOwnCount) {
  const std::vector<Shape> shapes = {{1, 1},
                                     {31, 33},
                                     {32, 32},
                                     {64, 256},
                                     {100, 1000},
                                     {3, 5, 7},
                                     {2, 3, 64, 128},
                                     {1, 8, 197, 80},
                                     {2, 1, 3, 2, 33, 65},
                                     {5, 3, 2, 2, 7, 32, 32}};
  for (const Shape& shape : shapes) {
    int64_t rows = 1;
    for (size_t i = 0; i + 2 < shape.size(); ++i) rows *= shape[i];
    rows *= (shape[shape.size() - 2] + 31) / 32;
    const int64_t cols = (shape.back() + 31) / 32;
    for (int32_t h = 1; h <= 8; ++h) {
      for (int32_t w = 1; w <= 8; ++w) {
        const Result<TensorLayout, LayoutDefect> layout =
            makeLayout(shape, {.buffer = kL1, .memory = kBlock, .grid = {h, w}}, n150());
        ASSERT_EQ(layout.ok(), h <= rows && w <= cols) << shapeText(shape) << " on " << h << "x" << w;
        if (!layout) continue;
        int64_t tiles = 0;  // of the fullest core, counting tile by tile
        for (int64_t r = 0; r * h < rows; ++r) {
          for (int64_t c = 0; c * w < cols; ++c) ++tiles;
        }
        EXPECT_EQ(l1BytesPerCore(*layout).count, tiles * 2048) << shapeText(shape) << " on " << h << "x" << w;
      }
    }
    for (int32_t n = 1; n <= 64; ++n) {
      EXPECT_EQ(makeLayout(shape, {.buffer = kL1, .memory = kHeight, .grid = {n, 1}}, n150()).ok(), n <= rows);
      EXPECT_EQ(makeLayout(shape, {.buffer = kL1, .memory = kWidth, .grid = {1, n}}, n150()).ok(), n <= cols);
    }
  }
}

}  // namespace
}  // namespace tessera
