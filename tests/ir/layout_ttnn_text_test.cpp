// The texts of `#ttnn.ttnn_layout`, `#ttnn.memory_config` and `#ttnn.shard_spec`: published examples, the full spelling
// of docs/rules/lowering.md#text-of-layouts, bad input.

#include <gtest/gtest.h>

#include "core/ir/types.h"
#include "tests/short_forms.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

TtnnLayoutAttr read(std::string_view text, const Shape& shape) {
  const Result<TtnnLayoutAttr, LayoutDefect> attr = parseTtnnLayoutAttr(text, shape);
  EXPECT_TRUE(attr.ok()) << text << "\n" << (attr.ok() ? "" : attr.error().text);
  return attr.ok() ? *attr : TtnnLayoutAttr{};
}

std::string ttnnRuleOf(std::string_view text, const Shape& shape) {
  const Result<TtnnLayoutAttr, LayoutDefect> attr = parseTtnnLayoutAttr(text, shape);
  if (attr.ok()) return "read";
  EXPECT_FALSE(attr.error().text.empty());
  return std::string(layoutRuleName(attr.error().rule));
}

struct Example {
  Shape shape;
  const char* body;
  TensorLayout layout;
};

constexpr auto kTile = PageLayout::Tile;
constexpr auto kRows = PageLayout::RowMajor;

// tt-mlir TTNNOpsAttrs.td, "Real examples", and the legacy form.
std::vector<Example> published() {
  return {
      {{1, 32, 32},
       "(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>",
       {BufferType::DRAM, TensorMemoryLayout::Interleaved, kTile, DType::F32, {1, 1}, 1, 1}},
      {{128, 96},
       "(d0, d1) -> (d0, d1), <1x1>, memref<1x12x!ttcore.tile<32x32, bf16>, #l1_>, <interleaved>",
       {BufferType::L1, TensorMemoryLayout::Interleaved, kTile, DType::BF16, {1, 1}, 1, 12}},
      {{256, 256},
       "(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = "
       "<[#ttnn.core_range<(0,0),(7,7)>]>",
       {BufferType::L1, TensorMemoryLayout::BlockSharded, kTile, DType::BF16, {8, 8}, 1, 1}},
      {{1, 20, 20, 640},
       "(d0, d1, d2, d3) -> (d0 * 400 + d1 * 20 + d2, d3), <1x1>, memref<400x640xbf16, #dram>, <interleaved>",
       {BufferType::DRAM, TensorMemoryLayout::Interleaved, kRows, DType::BF16, {1, 1}, 400, 640}},
      {{1, 1, 80288, 32},
       "(d0, d1, d2, d3) -> (d0 * 80288 + d1 * 80288 + d2, d3), <1x1, (d0, d1) -> (0, d0, d1)>, "
       "memref<2509x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <block_sharded>",
       {BufferType::L1, TensorMemoryLayout::BlockSharded, kTile, DType::BF16, {1, 1}, 2509, 1}},
      {{1, 1, 1, 16},
       "(d0,d1,d2,d3)->(d0+d1+d2,d3), <1x1>, memref<1x16xf32, #system_memory>",
       {BufferType::SystemMemory, TensorMemoryLayout::None, kRows, DType::F32, {1, 1}, 1, 16}},
      {{384, 32},
       "(d0, d1) -> (d0, d1), <12x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = "
       "#ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,0)>, #ttnn.core_range<(0,1), (3,1)>]>",
       {BufferType::L1, TensorMemoryLayout::HeightSharded, kTile, DType::BF16, {12, 1}, 1, 1}},
      {{32},
       "(d0) -> (0, d0), <1x1>, memref<1x1x!tt.tile<32x32, f32>, #dram>, interleaved",
       {BufferType::DRAM, TensorMemoryLayout::Interleaved, kTile, DType::F32, {1, 1}, 1, 1}},
  };
}

TEST(TtnnLayoutText, PublishedExamples) {
  for (const Example& example : published()) {
    SCOPED_TRACE(example.body);
    const TtnnLayoutAttr attr = read(example.body, example.shape);
    EXPECT_EQ(attr.layout, example.layout);
    EXPECT_EQ(attr.map, "");
    const std::string printed = printTtnnLayoutAttr(example.shape, attr, n150());
    EXPECT_EQ(read(printed, example.shape), attr) << printed;
  }
}

TEST(TtnnLayoutText, LegacyGridMapIsKept) {
  const Example example = published()[4];
  const TtnnLayoutAttr attr = read(example.body, example.shape);
  EXPECT_EQ(attr.gridMap, "(d0, d1) -> (0, d0, d1)");
  const std::string printed = printTtnnLayoutAttr(example.shape, attr, n150());
  EXPECT_NE(printed.find("<1x1, (d0, d1) -> (0, d0, d1)>"), std::string::npos) << printed;
  EXPECT_EQ(printed.find("core_ranges"), std::string::npos);
}

TEST(TtnnLayoutText, PrintedSpelling) {
  const TensorLayout layout = *makeLayout(
      {256, 256}, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::BlockSharded, .grid = {8, 8}}, n150());
  EXPECT_EQ(printTtnnLayout({256, 256}, layout, n150()),
            "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, "
            "#ttnn.buffer_type<l1>>, <block_sharded>, "
            "core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>");
  const TensorLayout host = *makeLayout(
      {4, 5},
      {.dtype = DType::U32, .buffer = BufferType::SystemMemory, .memory = TensorMemoryLayout::None, .page = kRows},
      n150());
  EXPECT_EQ(printTtnnLayout({4, 5}, host, n150()),
            "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x5xui32, #ttnn.buffer_type<system_memory>>>");
}

// docs/rules/lowering.md#text-of-layouts: such layouts put the tensor's shape where the grid belongs and use one
// attribute for tensors of several shapes, so grid and shard are derived; its shard spec (<8x32> on 4x2 cores, for a
// 32x128 tensor) contradicts itself and is kept as text only.
TEST(TtnnLayoutText, FullSpellingRowMajorDram) {
  const TtnnLayoutAttr attr = read(
      "\n  (d0, d1) -> (d0, d1),\n  <32x32>,\n  memref<1x1x32x32xbf16, #dram>,\n  "
      "#ttnn.tensor_memory_layout<interleaved>\n",
      {32, 32});
  EXPECT_EQ(attr.layout,
            (TensorLayout{BufferType::DRAM, TensorMemoryLayout::Interleaved, kRows, DType::BF16, {1, 1}, 32, 32}));
}

// A grid has rows and columns, no less and no more.
TEST(TtnnLayoutText, GridsHaveTwoDims) {
  for (const char* grid : {"<8>", "<8x8x1>"}) {
    EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, d1), " + std::string(grid) +
                             ", memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>",
                         {256, 256}),
              "RankMismatch")
        << grid;
  }
}

TEST(TtnnLayoutText, FullSpellingTileDram) {
  const char* body =
      "(d0, d1) -> (d0, d1),\n <32x64>,\n memref<1x1x!tt.tile<32x32, bf16>, !tt.tile<32x32, bf16>>,\n "
      "#ttnn.tensor_memory_layout<interleaved>,\n #ttnn.buffer_type<dram>";
  for (const Shape& shape : {Shape{32, 64}, Shape{64, 128}, Shape{32, 128}}) {
    const TensorLayout layout = read(body, shape).layout;
    EXPECT_EQ(layout, *makeLayout(shape, {}, n150()));
  }
}

TEST(TtnnLayoutText, FullSpellingBlockSharded) {
  const TtnnLayoutAttr attr = read(
      "(d0, d1) -> (d0, d1), <32x128>, memref<1x1x!tt.tile<32x32, bf16>, !tt.tile<32x32, bf16>>, "
      "#ttnn.tensor_memory_layout<block_sharded>, #ttnn.buffer_type<l1>,\n"
      "  #ttnn.shard_spec<\n    #ttnn.core_range_set<[#ttnn.core_range<(0,0), (3,1)>]>,\n    <8x32>,\n    "
      "<row_major>,\n    <physical>\n  >",
      {32, 128});
  EXPECT_EQ(attr.layout,
            (TensorLayout{BufferType::L1, TensorMemoryLayout::BlockSharded, kTile, DType::BF16, {2, 4}, 1, 1}));
  EXPECT_EQ(attr.coreRanges, (std::vector<CoreRange>{{{0, 0}, {3, 1}}}));
  EXPECT_NE(attr.shardSpec.find("<8x32>"), std::string::npos);
  // Printed as the compiler of 2026-08 would: with core ranges, on the cores that were written.
  const TtnnLayoutAttr again = read(printTtnnLayoutAttr({32, 128}, attr, n150()), {32, 128});
  EXPECT_EQ(again.layout, attr.layout);
  EXPECT_EQ(again.coreRanges, attr.coreRanges);
}

TEST(TtnnLayoutText, FullSpellingElidedTextIsRefusedWithAReason) {
  const Result<TtnnLayoutAttr, LayoutDefect> attr =
      parseTtnnLayoutAttr("...,\n  layout = #ttnn.layout<row_major>,\n  ...", {32, 64});
  ASSERT_FALSE(attr.ok());
  EXPECT_NE(attr.error().text.find("left out"), std::string::npos);
}

TEST(TtnnLayoutText, FullSpellingKeyedFields) {
  EXPECT_EQ(
      read("(d0, d1) -> (d0, d1), <1x1>, memref<32x64xbf16, #dram>, <interleaved>, layout = #ttnn.layout<row_major>",
           {32, 64})
          .layout.page,
      kRows);
  EXPECT_EQ(read("(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>, "
                 "element_type = !ttcore.tile<32, 32, bf16>, layout = #ttnn.layout<tile>",
                 {32, 64})
                .layout.page,
            kTile);
  EXPECT_EQ(
      ttnnRuleOf("(d0, d1) -> (d0, d1), <1x1>, memref<32x64xbf16, #dram>, <interleaved>, layout = #ttnn.layout<tile>",
                 {32, 64}),
      "BadText");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, d1), <1x1>, memref<32x64xbf16, #dram>, <interleaved>, element_type = "
                       "!ttcore.tile<32, 32, bf16>",
                       {32, 64}),
            "BadText");
}

TEST(TtnnLayoutText, WhatTensorLayoutLeavesOutIsKept) {
  // Batches 64 rows apart: not the default map, so the padded tensor has 4 tile rows less 1.
  const Shape shape{2, 8, 32};
  const char* body =
      "(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, mesh = #ttcore.mesh<\"mesh\" = 1x2>, memref<3x1x!ttcore.tile<32x32, "
      "bf16>, #dram>, <interleaved>, ignorePhysicalLayout = true, newKey = 7 : i64";
  const TtnnLayoutAttr attr = read(body, shape);
  EXPECT_EQ(attr.map, "(d0, d1, d2) -> (d0 * 64 + d1, d2)");
  EXPECT_EQ(attr.mesh, "#ttcore.mesh<\"mesh\" = 1x2>");
  EXPECT_TRUE(attr.ignorePhysicalLayout);
  EXPECT_EQ(attr.others, (std::vector<std::string>{"newKey = 7 : i64"}));
  EXPECT_EQ(attr.layout.shardRows, 3);
  EXPECT_EQ(read(printTtnnLayoutAttr(shape, attr, n150()), shape), attr);
  // Cores other than the canonical ones.
  const TtnnLayoutAttr moved = read(
      "(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = "
      "<[#ttnn.core_range<(4,4), (5,5)>]>",
      {64, 64});
  EXPECT_EQ(read(printTtnnLayoutAttr({64, 64}, moved, n150()), {64, 64}).coreRanges,
            (std::vector<CoreRange>{{{4, 4}, {5, 5}}}));
}

// Cores in several rectangles, in any order: the grid of a block-sharded tensor is the rectangle around all of them.
TEST(TtnnLayoutText, FullSpellingOfCoresInSeveralRectangles) {
  const auto grid = [](const std::string& ranges, const std::string& memory) {
    return read(
               "(d0, d1) -> (d0, d1), <64x64>, memref<1x1x!tt.tile<32x32, bf16>, !tt.tile<32x32, bf16>>, "
               "#ttnn.tensor_memory_layout<" +
                   memory + ">, #ttnn.buffer_type<l1>, #ttnn.shard_spec<#ttnn.core_range_set<[" + ranges +
                   "]>, <32x32>, <row_major>, <physical>>",
               {64, 64})
        .layout.grid;
  };
  const auto range = [](const std::string& from, const std::string& to) {
    return "#ttnn.core_range<(" + from + "), (" + to + ")>";
  };
  const std::string left = range("0,0", "0,1"), right = range("1,0", "1,1"), low = range("0,1", "1,1"),
                    high = range("0,0", "1,0");
  for (const std::string& ranges : {left + ", " + right, right + ", " + left, low + ", " + high, high + ", " + low})
    EXPECT_EQ(grid(ranges, "block_sharded"), (GridShape{2, 2})) << ranges;
  const std::string first = range("3,2", "3,2"), second = range("2,2", "2,2"), third = range("2,1", "2,1"),
                    fourth = range("3,1", "3,1");
  EXPECT_EQ(grid(first + ", " + second + ", " + third + ", " + fourth, "height_sharded"), (GridShape{4, 1}));
  EXPECT_EQ(grid(third + ", " + fourth + ", " + second + ", " + first, "width_sharded"), (GridShape{1, 4}));
}

// A map that is not the usual one may put all elements into row or column 0, but none in front of it.
TEST(TtnnLayoutText, MapsMayEndAtPlaceZero) {
  const auto flat = [](const std::string& map, const std::string& memref) {
    return map + ", <1x1>, memref<" + memref + "xf32, #dram>, <interleaved>";
  };
  EXPECT_EQ(ttnnRuleOf(flat("(d0, d1) -> (0, d0 * 4 + d1)", "1x8"), {2, 4}), "read");
  EXPECT_EQ(ttnnRuleOf(flat("(d0, d1) -> (d0 * 4 + d1, 0)", "8x1"), {2, 4}), "read");
  EXPECT_EQ(ttnnRuleOf(flat("(d0, d1) -> (d0 - 2, d1)", "2x4"), {2, 4}), "MapNegative");
}

TEST(TtnnLayoutText, EqualityOfTypesIgnoresTheSpelling) {
  TensorType a{.shape = {64, 64}};
  TensorType b = a;
  b.written = TtnnLayoutAttr{};
  EXPECT_EQ(a, b);
  b.layout = TensorLayout{};
  EXPECT_NE(a, b);
}

// Every layout the maker makes reads back.
TEST(TtnnLayoutText, RoundTripSweep) {
  const std::vector<Shape> shapes = {
      {}, {7}, {1, 1}, {33, 65}, {256, 512}, {3, 5, 7}, {2, 3, 64, 128}, {1, 1, 1, 16}, {5, 3, 2, 2, 7, 32, 32}};
  size_t count = 0;
  for (const DeviceSpec& device : allDevices()) {
    if (test::smallTests() && count > 0) break;
    for (const Shape& shape : shapes) {
      for (DType dtype : {DType::F32, DType::BF16, DType::BFP8, DType::U32, DType::U8, DType::I32}) {
        for (PageLayout page : {kTile, kRows}) {
          for (BufferType buffer :
               {BufferType::DRAM, BufferType::L1, BufferType::SystemMemory, BufferType::L1Small, BufferType::Trace}) {
            for (TensorMemoryLayout memory : {TensorMemoryLayout::None, TensorMemoryLayout::Interleaved,
                                              TensorMemoryLayout::SingleBank, TensorMemoryLayout::HeightSharded,
                                              TensorMemoryLayout::WidthSharded, TensorMemoryLayout::BlockSharded}) {
              for (GridShape grid :
                   {GridShape{1, 1}, GridShape{2, 3}, GridShape{5, 1}, GridShape{1, 4}, GridShape{8, 8}}) {
                const Result<TensorLayout, LayoutDefect> layout =
                    makeLayout(shape, {dtype, buffer, memory, page, grid}, device);
                if (!layout) continue;
                const std::string text = printTtnnLayout(shape, *layout, device);
                const Result<TtnnLayoutAttr, LayoutDefect> again = parseTtnnLayoutAttr(text, shape);
                ASSERT_TRUE(again.ok()) << shapeText(shape) << " " << text << ": " << again.error().text;
                ASSERT_EQ(again->layout, *layout) << text;
                ++count;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(count, test::smallTests() ? 1000u : 5000u);
}

TEST(TtnnLayoutText, DefectsNameTheRule) {
  const Shape shape{256, 256};
  const auto tile = [](const char* grid, const char* memref, const char* rest) {
    return std::string("(d0, d1) -> (d0, d1), <") + grid + ">, memref<" + memref + ">, " + rest;
  };
  const char* one = "1x1x!ttcore.tile<32x32, bf16>, #l1";
  const char* whole = "8x8x!ttcore.tile<32x32, bf16>, #dram";
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>"), shape), "read");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>"), {256, 512}), "ShardMismatch");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>"), {1, 256, 256}), "RankMismatch");
  EXPECT_EQ(ttnnRuleOf(tile("8x4", one, "<block_sharded>"), shape), "ShardMismatch");
  EXPECT_EQ(ttnnRuleOf(tile("0x8", one, "<block_sharded>"), shape), "EmptyGrid");
  EXPECT_EQ(ttnnRuleOf(tile("8", one, "<block_sharded>"), shape), "RankMismatch");
  EXPECT_EQ(ttnnRuleOf(tile("99999999999x8", one, "<block_sharded>"), shape), "GridBeyondDevice");
  EXPECT_EQ(ttnnRuleOf(tile("99999999999999999999999x8", one, "<block_sharded>"), shape), "BadText");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<diagonal_sharded>"), shape), "UnknownMemoryLayout");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", "1x1x!ttcore.tile<32x32, bf16>, #l2", "<block_sharded>"), shape),
            "UnknownBufferType");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", "1x1x!ttcore.tile<32x32, bf17>, #l1", "<block_sharded>"), shape),
            "UnknownElementType");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", "1x1x!ttcore.tile<16x32, bf16>, #l1", "<block_sharded>"), shape), "BadTileShape");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", "1x1x!ttcore.tile<0x32, bf16>, #l1", "<block_sharded>"), shape), "BadTileShape");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", "1x1x!ttcore.tile<32x1025, bf16>, #l1", "<block_sharded>"), shape), "BadTileShape");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>, ignorePhysicalLayout = maybe"), shape), "BadText");
  // What is kept as it was written would take the rest of the layout with it.
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>, mesh = <[<a>]"), shape), "BadText");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>, other = (1"), shape), "BadText");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>, mesh = <[<a>]>, other = (1)"), shape), "read");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>, ignorePhysicalLayout = true"), shape), "read");
  EXPECT_EQ(ttnnRuleOf(tile("1x1", "9999999999x9999999999x1xbf16, #dram", "<interleaved>"), shape), "SizeOverflow");
  EXPECT_EQ(
      ttnnRuleOf("(d0, d1) -> (d0 * 9000000000000000000, d1), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, #dram>, "
                 "<interleaved>",
                 {2, 256}),
      "SizeOverflow");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", "32x32xbfp_bf8, #l1", "<block_sharded>"), shape), "BlockFloatRowMajor");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", "bf16, #l1", "<block_sharded>"), shape), "RankMismatch");
  EXPECT_EQ(ttnnRuleOf(tile("1x1", whole, "<interleaved>"), shape), "read");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", whole, "<interleaved>"), shape), "GridNotUnit");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", "1x1x!ttcore.tile<32x32, bf16>, #dram", "<block_sharded>"), shape),
            "DramBlockSharded");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<height_sharded>"), shape), "HeightGridNotColumn");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<width_sharded>"), shape), "WidthGridNotRow");
  EXPECT_EQ(ttnnRuleOf(tile("1x1", whole, "<interleaved>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>"), shape),
            "CoreRangesWithoutShards");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (6,7)>]>"), shape),
            "CoreRangesMismatch");
  EXPECT_EQ(
      ttnnRuleOf(
          tile("8x8", one,
               "<block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>, #ttnn.core_range<(7,7), (7,7)>]>"),
          shape),
      "CoreRangesMismatch");
  // Two halves of the grid, and the same with one row or column in both; in either order.
  const std::pair<const char*, const char*> halves[] = {{"(0,0), (7,3)", "(0,4), (7,7)"},
                                                        {"(0,0), (3,7)", "(4,0), (7,7)"}};
  const std::pair<const char*, const char*> shared[] = {
      {"(0,0), (7,4)", "(0,4), (7,7)"}, {"(0,0), (4,7)", "(4,0), (7,7)"}, {"(0,0), (4,4)", "(4,4), (7,20)"}};
  const auto ruleOf = [&](const char* a, const char* b) {
    const std::string cores =
        "<block_sharded>, core_ranges = <[#ttnn.core_range<" + std::string(a) + ">, #ttnn.core_range<" + b + ">]>";
    return ttnnRuleOf(tile("8x8", one, cores.c_str()), shape);
  };
  for (const auto& [a, b] : halves) EXPECT_EQ(ruleOf(a, b) + ruleOf(b, a), "readread") << a;
  for (const auto& [a, b] : shared) EXPECT_EQ(ruleOf(a, b) + ruleOf(b, a), "CoreRangesMismatchCoreRangesMismatch") << a;
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>, core_ranges = <[#ttnn.core_range<(3,0), (1,7)>]>"), shape),
            "CoreRangesMismatch");
  EXPECT_EQ(
      ttnnRuleOf(tile("8x8", one, "<block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (9999999999,7)>]>"), shape),
      "BadText");
  EXPECT_EQ(ttnnRuleOf(tile("8x8", one, "<block_sharded>, <interleaved>"), shape), "BadText");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, d1), <1x1>, memref<256x256xf32, #system_memory>, <interleaved>", shape),
            "SystemMemoryWithMemoryLayout");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, d1), <1x1>, memref<256x256xf32, #system_memory>, <height_sharded>", shape),
            "SystemMemorySharded");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, d1), <1x1>, memref<256x256xf32, #dram>", shape), "MissingMemoryLayout");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, d1), <1x1>, memref<0x256xf32, #dram>, <interleaved>", {0, 256}),
            "EmptyTensor");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, d1), <1x1>, memref<1x1xf32, #dram>, <interleaved>", {-1, 256}), "NegativeDim");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, e1), <1x1>, memref<256x256xf32, #dram>, <interleaved>", shape), "BadMap");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, d1, 0), <1x1>, memref<256x256xf32, #dram>, <interleaved>", shape),
            "RankMismatch");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0 - d1, d1), <1x1>, memref<256x256xf32, #dram>, <interleaved>", {4, 256}),
            "MapNegative");
  EXPECT_EQ(
      ttnnRuleOf("(d0, d1) -> (d0 * 9223372036854775807, d1), <1x1>, memref<256x256xf32, #dram>, <interleaved>", shape),
      "SizeOverflow");
  EXPECT_EQ(
      ttnnRuleOf("(d0, d1) -> (d0, d1), <1x1>, memref<9999999999999999999999x256xf32, #dram>, <interleaved>", shape),
      "SizeOverflow");
  EXPECT_EQ(ttnnRuleOf("(d0, d1) -> (d0, d1), <1x1>", shape), "BadText");
}

TEST(TtnnLayoutText, HostileInput) {
  const Shape shape{256, 256};
  for (const std::string& text : {std::string(), std::string("<"), std::string(100'000, '<'), std::string(100'000, '('),
                                  std::string(100'000, ','), std::string("\0\0", 2), std::string("\xff\xff>"),
                                  "(d0) -> (" + std::string(100'000, '(')}) {
    EXPECT_NE(ttnnRuleOf(text, shape), "read");
  }
  // Every truncation and every single-byte change is read or refused, never worse.
  for (const Example& example : published()) {
    const std::string body = example.body;
    for (size_t i = 0; i < body.size(); ++i) {
      (void)parseTtnnLayoutAttr(body.substr(0, i), example.shape);
      for (char c : {'9', '<', '>', ',', 'x', '\0'}) {
        std::string changed = body;
        changed[i] = c;
        const Result<TtnnLayoutAttr, LayoutDefect> attr = parseTtnnLayoutAttr(changed, example.shape);
        if (!attr) continue;
        EXPECT_TRUE(parseTtnnLayoutAttr(printTtnnLayoutAttr(example.shape, *attr, n150()), example.shape).ok())
            << changed;
      }
    }
  }
}

// What a layout says of its cores it says once.
TEST(LayoutTtnnText, CoreRangesAreGivenOnce) {
  const std::string sharded =
      "(d0, d1) -> (d0, d1), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>";
  const std::string cores = ", core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>";
  EXPECT_EQ(ttnnRuleOf(sharded + cores, {64, 32}), "read");
  EXPECT_EQ(ttnnRuleOf(sharded + cores + cores, {64, 32}), layoutRuleName(LayoutRule::BadText));
}

// In L1 interleaved, rows of elements may be dealt out whole; tiles are dealt out one by one, or by rows and columns.
TEST(LayoutTtnnText, OnlyRowsOfElementsAreDealtOutWhole) {
  const auto dealt = [](const std::string& memref, const Shape& shape) {
    return ttnnRuleOf("(d0, d1) -> (d0, d1), <1x2>, memref<" + memref + ", #l1>, <interleaved>", shape);
  };
  EXPECT_EQ(dealt("2x3xbf16", {3, 3}), "read");
  EXPECT_EQ(dealt("2x3x!ttcore.tile<32x32, bf16>", {96, 96}), layoutRuleName(LayoutRule::ShardMismatch));
  EXPECT_EQ(dealt("1x5x!ttcore.tile<32x32, bf16>", {96, 96}), "read");
  EXPECT_EQ(dealt("3x2x!ttcore.tile<32x32, bf16>", {96, 96}), "read");
}

}  // namespace
}  // namespace tessera
