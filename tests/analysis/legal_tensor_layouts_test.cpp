#include "core/ir/legal_tensor_layouts.h"

#include <gtest/gtest.h>

#include <set>

#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

struct Counts {
  size_t block = 0;
  size_t height = 0;
  size_t width = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};
Counts countOf(const std::vector<TensorLayout>& layouts) {
  Counts counts;
  for (const TensorLayout& layout : layouts) {
    counts.block += layout.memory == TensorMemoryLayout::BlockSharded;
    counts.height += layout.memory == TensorMemoryLayout::HeightSharded;
    counts.width += layout.memory == TensorMemoryLayout::WidthSharded;
  }
  return counts;
}

Counts sharded(const Shape& shape, const DeviceSpec& device = n150()) {
  return countOf(legalTensorLayouts(shape, DType::BF16, device).sharded(PageLayout::Tile));
}

TEST(LegalTensorLayouts, WorkedExampleHas17) {  // "~17 candidate layouts" for 64x256 bf16
  EXPECT_EQ(sharded({64, 256}), (Counts{10, 2, 5}));
}

TEST(LegalTensorLayouts, WorkedCounts) {                         // tt-mlir Analysis/LegalTensorLayoutAnalysis.cpp
  EXPECT_EQ(sharded({64, 128}), (Counts{6, 2, 3}));              // 11
  EXPECT_EQ(sharded({64, 1024}), (Counts{16, 2, 11}));           // 29
  EXPECT_EQ(sharded({1024, 1024}), (Counts{64, 11, 11}));        // 86
  EXPECT_EQ(sharded({56 * 32, 56 * 32}), (Counts{64, 14, 14}));  // 92
  EXPECT_EQ(sharded({14 * 32, 14 * 32}), (Counts{36, 7, 7}));    // 50
  EXPECT_EQ(sharded({1024 * 32, 32}), (Counts{8, 48, 1}));       // 57
}

TEST(LegalTensorLayouts,
     WorkedGrids) {  // [64,128]: block 1x1 1x2 1x4 2x1 2x2 2x4, height 1 2, width 1 2 4; 1x3 is 1x2's shard
  const LegalTensorLayouts legal = legalTensorLayouts({64, 128}, DType::BF16, n150());
  std::vector<std::string> names;
  for (const TensorLayout& layout : legal.sharded(PageLayout::Tile)) names.push_back(layoutText(layout));
  EXPECT_EQ(names, (std::vector<std::string>{"L1 block 2x4", "L1 block 1x4", "L1 block 2x2", "L1 width 1x4",
                                             "L1 block 1x2", "L1 block 2x1", "L1 height 2x1", "L1 width 1x2",
                                             "L1 block 1x1", "L1 height 1x1", "L1 width 1x1"}));
}

TEST(LegalTensorLayouts, Buckets) {
  const LegalTensorLayouts tiles = legalTensorLayouts({64, 128}, DType::BF16, n150());
  ASSERT_EQ(tiles.interleaved(PageLayout::Tile).size(), 2u);
  EXPECT_EQ(layoutText(tiles.interleaved(PageLayout::Tile)[0]), "DRAM");
  EXPECT_EQ(layoutText(tiles.interleaved(PageLayout::Tile)[1]), "L1 interleaved");
  EXPECT_EQ(tiles.interleaved(PageLayout::Tile)[1].grid, n150().grid);
  EXPECT_TRUE(tiles.interleaved(PageLayout::RowMajor).empty());
  EXPECT_TRUE(tiles.sharded(PageLayout::RowMajor).empty());

  const LegalTensorLayouts both = legalTensorLayouts({64, 128}, DType::BF16, n150(), {.rowMajorEnabled = true});
  EXPECT_EQ(both.sharded(PageLayout::Tile), tiles.sharded(PageLayout::Tile));
  ASSERT_EQ(both.interleaved(PageLayout::RowMajor).size(), 1u);
  EXPECT_EQ(layoutText(both.interleaved(PageLayout::RowMajor)[0]), "DRAM rm");
  EXPECT_FALSE(both.sharded(PageLayout::RowMajor).empty());
  EXPECT_EQ(legalTensorLayouts({64, 128}, DType::BFP8, n150(), {.rowMajorEnabled = true})
                .interleaved(PageLayout::RowMajor)
                .size(),
            0u);
}

TEST(LegalTensorLayouts, WhatCannotBeStoredHasNone) {
  EXPECT_EQ(legalTensorLayouts({0, 128}, DType::BF16, n150()).count(), 0u);
  EXPECT_EQ(legalTensorLayouts({INT64_MAX, INT64_MAX}, DType::BF16, n150()).count(), 0u);
  EXPECT_GT(legalTensorLayouts({}, DType::BF16, n150()).count(), 0u);
}

// The definition, written out: every grid in order, shards not seen before.
std::vector<TensorLayout> byDefinition(const Shape& shape, DType dtype, const DeviceSpec& device, PageLayout page) {
  std::vector<TensorLayout> all;
  const auto strategy = [&](TensorMemoryLayout memory, int32_t rows, int32_t cols) {
    std::set<std::pair<int64_t, int64_t>> seen;
    for (int32_t h = 1; h <= rows; ++h) {
      for (int32_t w = 1; w <= cols; ++w) {
        const Result<TensorLayout, LayoutDefect> layout = makeLayout(
            shape, {.dtype = dtype, .buffer = BufferType::L1, .memory = memory, .page = page, .grid = {h, w}}, device);
        if (layout && seen.insert({layout->shardRows, layout->shardCols}).second) all.push_back(*layout);
      }
    }
  };
  const int32_t cores = static_cast<int32_t>(device.grid.volume());
  strategy(TensorMemoryLayout::BlockSharded, device.grid.rows, device.grid.cols);
  strategy(TensorMemoryLayout::HeightSharded, cores, 1);
  strategy(TensorMemoryLayout::WidthSharded, 1, cores);
  std::vector<TensorLayout> sorted;  // a stable sort by hand: most cores first
  for (int64_t volume = cores; volume >= 1; --volume) {
    for (const TensorLayout& layout : all) {
      if (layout.grid.volume() == volume) sorted.push_back(layout);
    }
  }
  return sorted;
}

TEST(LegalTensorLayouts, SweepAgainstTheDefinition) {
  const std::vector<Shape> shapes = {
      {1, 1}, {32, 32}, {100, 1000}, {2, 3, 64, 128}, {1, 56, 56, 64}, {1, 197, 768}, {7, 1, 33, 4097}, {31}, {}};
  for (const DeviceSpec& device : allDevices()) {
    for (const Shape& shape : shapes) {
      for (PageLayout page : {PageLayout::Tile, PageLayout::RowMajor}) {
        SCOPED_TRACE(std::string(device.id) + " " + shapeText(shape));
        EXPECT_EQ(legalTensorLayouts(shape, DType::F32, device, {.rowMajorEnabled = true}).sharded(page),
                  byDefinition(shape, DType::F32, device, page));
      }
    }
  }
}

TEST(LegalLayoutCache, EqualTypesAreComputedOnce) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("f");
  const ValueId a = builder.addArgument(func, "a", tensor({64, 256}, DType::BF16));
  const ValueId b = builder.addArgument(func, "b", tensor({64, 256}, DType::I1));  // stored as bf16 too
  builder.addArgument(func, "c", tensor({64, 256}, DType::F32));
  builder.addArgument(func, "d", {.opaque = "!ttnn.device"});
  builder.append(func, {.kind = opKindFromName("ttnn.add"),
                        .name = "ttnn.add",
                        .operands = {a, b},
                        .resultTypes = {tensor({64, 256}, DType::BF16)}});
  LegalLayoutCache cache(n150(), {});
  const LegalTensorLayouts* first = &cache.get({64, 256}, DType::BF16);
  EXPECT_EQ(*first, legalTensorLayouts({64, 256}, DType::BF16, n150()));
  EXPECT_EQ(&cache.get({64, 256}, DType::I1), first);
  EXPECT_NE(&cache.get({64, 256}, DType::F32), first);
  EXPECT_EQ(&cache.get({64, 256}, DType::BF16), first);
}

}  // namespace
}  // namespace tessera
