// Every snippet of tensor-layout.md on metal layouts, with that document's own numbers.

#include <gtest/gtest.h>

#include "core/ir/metal_padding.h"

namespace tessera {
namespace {

struct Snippet {
  const char* name;
  Shape shape;
  const char* text;               // as that document writes it
  std::vector<int64_t> physical;  // collapsed shape in scalars
  std::vector<int64_t> grid;
  std::vector<int64_t> memref;
};

const char* const kMap4 = "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)";

std::vector<Snippet> snippets() {
  return {
      {"walkthrough",
       {2, 3, 64, 128},
       "#tt.metal_layout<\n    (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3),\n    undef,\n    <1x1>,\n    "
       "memref<384x128xf32, #tt.memory_space<l1>>\n  >",
       {384, 128},
       {1, 1},
       {384, 128}},
      {"2x4",
       {2, 3, 64, 128},
       "#tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), undef, <2x4>, memref<192x32xf32, "
       "#tt.memory_space<l1>>>",
       {384, 128},
       {2, 4},
       {192, 32}},
      {"8x300",
       {8, 300},
       "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<8x150xf32, #tt.memory_space<l1>>>",
       {8, 300},
       {1, 2},
       {8, 150}},
      // 768 rows over two cores: the memref looks too tall for 8x96x32, but it is the derived one.
      {"8x96x32 on 2x1",
       {8, 96, 32},
       "#tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), undef, <2x1>, memref<384x32xf32, #tt.memory_space<l1>>>",
       {768, 32},
       {2, 1},
       {384, 32}},
      // d1 is in two results: most of the physical space is padding.
      {"8x96x32 on 2x1x2",
       {8, 96, 32},
       "#tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d1, d2), undef, <2x1x2>, memref<384x96x16xf32, "
       "#tt.memory_space<l1>>>",
       {768, 96, 32},
       {2, 1, 2},
       {384, 96, 16}},
      {"rank 7",
       {5, 3, 2, 2, 7, 32, 32},
       "#tt.metal_layout<\n    (d0, d1, d2, d3, d4, d5, d6)\n      -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 "
       "* 32 + d5, d4, d5, d6),\n    undef,\n    <3x2x2x2>,\n"
       "    memref<4480x4x16x16xf32, #tt.memory_space<l1>>\n  >",
       {13440, 7, 32, 32},
       {3, 2, 2, 2},
       {4480, 4, 16, 16}},
      {"scalar 3x2",
       {3, 64, 128},
       "#tt.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <3x2>, memref<64x64xf32, #tt.memory_space<l1>>>",
       {192, 128},
       {3, 2},
       {64, 64}},
      {"tilized 3x2",
       {3, 64, 128},
       "#tt.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <3x2>, memref<2x2x!tt.tile<32 x 32, bfp_bf8>, "
       "#tt.memory_space<l1>>>",
       {192, 128},
       {3, 2},
       {2, 2}},
      {"53x63",
       {53, 63},
       "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>",
       {53, 63},
       {3, 2},
       {18, 32}},
      {"53x63 tilized",
       {53, 63},
       "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<1x1x!tt.tile<32 x 32, bfp_bf8>, "
       "#tt.memory_space<l1>>>",
       {53, 63},
       {3, 2},
       {1, 1}},
      {"batch",
       {2, 8, 32},
       "#tt.metal_layout<(d0, d1, d2) -> (d0 * 8 + d1, d2), undef, <1x2>, memref<16x16xf32, #tt.memory_space<l1>>>",
       {16, 32},
       {1, 2},
       {16, 16}},
      {"multi-device",
       {2, 3, 64, 128},
       "#tt.metal_layout<(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3), undef, <2x2x4>, memref<1x3x1x!tt.tile<32 x 32, "
       "bfp_bf8>, #tt.memory_space<l1>>>",
       {2, 192, 128},
       {2, 2, 4},
       {1, 3, 1}},
  };
}

// A shard of tiles is told in tiles, as the memref counts.
TEST(TensorLayoutSpec, AWrongMemrefIsToldInItsOwnUnits) {
  const std::string text =
      "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<3x3x!tt.tile<32 x 32, bfp_bf8>, "
      "#tt.memory_space<l1>>>";
  const Result<MetalLayout, LayoutDefect> layout = parseMetalLayout(text, {64, 96});
  ASSERT_FALSE(layout.ok());
  EXPECT_NE(layout.error().text.find("memref 3x3"), std::string::npos) << layout.error().text;
  EXPECT_NE(layout.error().text.find("in tiles, which is 2x3"), std::string::npos) << layout.error().text;
}

TEST(TensorLayoutSpec, EverySnippetReadsAndDerives) {
  for (const Snippet& snippet : snippets()) {
    SCOPED_TRACE(snippet.name);
    const Result<MetalLayout, LayoutDefect> layout = parseMetalLayout(snippet.text, snippet.shape);
    ASSERT_TRUE(layout.ok()) << layout.error().text;
    EXPECT_EQ(layout->grid, snippet.grid);
    EXPECT_EQ(layout->shard, snippet.memref);
    EXPECT_EQ(layout->oob, OobVal::Undef);
    EXPECT_EQ(layout->space, MemorySpace::DeviceL1);
    EXPECT_EQ(*metalPhysicalShape(snippet.shape, layout->linear), snippet.physical);
    // The memref follows from shape, map and grid alone.
    const Result<MetalLayout, LayoutDefect> derived = makeMetalLayout(snippet.shape, {.grid = snippet.grid,
                                                                                      .linear = layout->linear,
                                                                                      .dtype = layout->dtype,
                                                                                      .tiled = layout->tiled,
                                                                                      .tile = layout->tile});
    ASSERT_TRUE(derived.ok());
    EXPECT_EQ(*derived, *layout);
    for (const char* dialect : {"tt", "ttcore"}) {
      const Result<MetalLayout, LayoutDefect> again =
          parseMetalLayout(printMetalLayout(*layout, dialect), snippet.shape);
      ASSERT_TRUE(again.ok()) << again.error().text;
      EXPECT_EQ(*again, *layout);
    }
  }
}

TEST(TensorLayoutSpec, PrintedForm) {
  const MetalLayout layout = *parseMetalLayout(snippets()[7].text, {3, 64, 128});
  EXPECT_EQ(printMetalLayout(layout),
            "#tt.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <3x2>, memref<2x2x!tt.tile<32x32, bfp_bf8>, "
            "#tt.memory_space<l1>>>");
}

TEST(TensorLayoutSpec, RemappedOffset) {
  const Shape shape{2, 3, 64, 128};
  const MetalPlacement placement = *MetalPlacement::make(shape, *parseMetalLayout(snippets()[0].text, shape));
  EXPECT_EQ(*placement.physicalIndex({1, 1, 6, 100}), (std::vector<int64_t>{262, 100}));
  EXPECT_EQ(*placement.physicalIndex({1, 2, 63, 127}), (std::vector<int64_t>{383, 127}));
  EXPECT_EQ(placement.address({1, 1, 6, 100})->offset, (262 * 128 + 100) * 4);
}

TEST(TensorLayoutSpec, DefaultCollapse) {
  const MetalLayout layout = *makeMetalLayout({2, 3, 64, 128}, {.grid = {2, 4}});
  EXPECT_EQ(printAffineMap(layout.linear), kMap4);
  EXPECT_EQ(layout.shard, (std::vector<int64_t>{192, 32}));
  const MetalLayout devices = *makeMetalLayout(
      {2, 3, 64, 128}, {.grid = {2, 2, 4}, .collapse = {{1, -1}}, .dtype = DType::BFP8, .tiled = true});
  EXPECT_EQ(printAffineMap(devices.linear), "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)");
  EXPECT_EQ(devices.shard, (std::vector<int64_t>{1, 3, 1}));
}

// Padding rows and columns of each grid position, place by place.
struct Edge {
  int64_t rows = 0;  // at the bottom, full width
  int64_t cols = 0;  // at the right, beside the data
};
Edge edgeOf(const MetalPlacement& placement, const std::vector<int64_t>& gridIndex) {
  const std::vector<int64_t> stored = metalStoredShard(placement.layout());
  Edge edge;
  for (int64_t r = 0; r < stored[0]; ++r) edge.rows += !placement.elementAtLocal(gridIndex, {r, 0}).has_value();
  for (int64_t c = 0; c < stored[1]; ++c) edge.cols += !placement.elementAtLocal(gridIndex, {0, c}).has_value();
  return edge;
}

TEST(TensorLayoutSpec,
     ScalarPadding) {  // "1 scalar row of padding on the last row of cores and 1 scalar column ... on the last column"
  const Shape shape{53, 63};
  const MetalPlacement placement = *MetalPlacement::make(shape, *parseMetalLayout(snippets()[8].text, shape));
  for (int64_t r = 0; r < 3; ++r) {
    for (int64_t c = 0; c < 2; ++c) {
      const Edge edge = edgeOf(placement, {r, c});
      EXPECT_EQ(edge.rows, r == 2 ? 1 : 0);
      EXPECT_EQ(edge.cols, c == 1 ? 1 : 0);
    }
  }
}

TEST(TensorLayoutSpec,
     TilePadding) {  // "every core now has 14 rows of padding except for the last row of cores which has 15"
  const Shape shape{53, 63};
  const MetalPlacement placement = *MetalPlacement::make(shape, *parseMetalLayout(snippets()[9].text, shape));
  for (int64_t r = 0; r < 3; ++r) {
    for (int64_t c = 0; c < 2; ++c) EXPECT_EQ(edgeOf(placement, {r, c}).rows, r == 2 ? 15 : 14);
  }
  const std::vector<ShardPadding> shards = *countPadding(placement);
  for (const ShardPadding& shard : shards) {
    const int64_t rows = shard.gridIndex[0] == 2 ? 17 : 18;
    const int64_t cols = shard.gridIndex[1] == 1 ? 31 : 32;
    EXPECT_EQ(shard.stored, 1024);
    EXPECT_EQ(shard.elements, rows * cols);
  }
}

TEST(TensorLayoutSpec, GridFirstThenTiles) {  // the other order would give 2x2 tiles over 3x2 cores
  const MetalLayout layout = *makeMetalLayout({53, 63}, {.grid = {3, 2}, .tiled = true});
  EXPECT_EQ(layout.shard, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(metalStoredShard(layout), (std::vector<int64_t>{32, 32}));
  const MetalPlacement placement = *MetalPlacement::make({53, 63}, layout);
  EXPECT_EQ(placement.scalarShard(), (std::vector<int64_t>{18, 32}));
  EXPECT_EQ(placement.address({18, 0})->gridIndex,
            (std::vector<int64_t>{1, 0}));  // not in the first tile, though row 18 < 32
}

TEST(TensorLayoutSpec, BatchesTightInOneTile) {
  const Shape shape{2, 8, 32};
  const MetalLayout scalars = *parseMetalLayout(snippets()[10].text, shape);
  const MetalLayout tiles = *makeMetalLayout(
      shape,
      {.grid = scalars.grid, .linear = scalars.linear, .oob = scalars.oob, .tiled = true, .space = scalars.space});
  EXPECT_EQ(tiles.shard, (std::vector<int64_t>{1, 1}));
  const MetalPlacement placement = *MetalPlacement::make(shape, tiles);
  EXPECT_EQ(placement.address({0, 0, 0})->unit, placement.address({1, 7, 15})->unit);
}

TEST(TensorLayoutSpec, BumpedStridePutsEachBatchOnATile) {
  const Shape shape{2, 8, 32};
  const MetalLayout layout = *makeMetalLayout(shape, {.grid = {1, 2}, .strides = {32, 1, 1}, .tiled = true});
  EXPECT_EQ(printAffineMap(layout.linear), "(d0, d1, d2) -> (d0 * 32 + d1, d2)");
  EXPECT_EQ(layout.shard, (std::vector<int64_t>{2, 1}));
  const MetalPlacement placement = *MetalPlacement::make(shape, layout);
  EXPECT_EQ(placement.address({0, 7, 0})->unit, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(placement.address({1, 0, 0})->unit, (std::vector<int64_t>{1, 0}));
  // Rows 8..31 and 40..63 of the two tiles are padding, and columns 16..31 of both.
  EXPECT_EQ((*countPadding(placement))[0].padding(), 2 * 1024 - 2 * 8 * 16);
}

TEST(TensorLayoutSpec, VirtualGrids) {  // "we could have some grid 1x64 that maps to a physical 8x8 device grid"
  const AffineMap width = *virtualToPhysicalMap({1, 64}, {});
  EXPECT_EQ(evaluate(width, {0, 0}), (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(evaluate(width, {0, 63}), (std::vector<int64_t>{0, 7, 7}));
  EXPECT_EQ(evaluate(width, {0, 13}), (std::vector<int64_t>{0, 1, 5}));
  EXPECT_EQ(printAffineMap(*virtualToPhysicalMap({8, 8}, {})), "(d0, d1) -> (0, d0, d1)");
  EXPECT_EQ(printAffineMap(*virtualToPhysicalMap({2, 2, 4}, {.deviceDims = 1, .devices = 2})),
            "(d0, d1, d2) -> (d0, d1, d2)");
  EXPECT_EQ(evaluate(*virtualToPhysicalMap({2, 2, 4}, {}), {1, 1, 3}),
            (std::vector<int64_t>{0, 1, 7}));  // one device: 16 cores in order
  EXPECT_EQ(virtualToPhysicalMap({1, 65}, {}).error().rule, LayoutRule::GridBeyondDevice);
  EXPECT_EQ(virtualToPhysicalMap({3, 2, 4}, {.deviceDims = 1, .devices = 2}).error().rule,
            LayoutRule::GridBeyondDevice);
}

TEST(TensorLayoutSpec, TwoDevices) {
  const Shape shape{2, 3, 64, 128};
  const MetalPlacement placement =
      *MetalPlacement::make(shape, *parseMetalLayout(snippets()[11].text, shape), {.deviceDims = 1, .devices = 2});
  const MetalAddress first = *placement.address({0, 2, 10, 70});
  const MetalAddress second = *placement.address({1, 2, 10, 70});
  EXPECT_EQ(first.device, 0);
  EXPECT_EQ(second.device, 1);
  EXPECT_EQ(first.core, (CoreCoord{2, 1}));  // row 138 of 192 over 2, column 70 of 128 over 4
  EXPECT_EQ(second.core, first.core);
  EXPECT_EQ(second.offset, first.offset);
}

TEST(TensorLayoutSpec, MemorySpacesAndOobValues) {
  const Shape shape{8, 300};
  for (const char* space : {"system", "mmio", "dram", "l1"}) {
    for (const char* oob : {"undef", "zero", "one", "inf", "neginf"}) {
      const std::string text = std::string("#tt.metal_layout<(d0, d1) -> (d0, d1), ") + oob +
                               ", <1x2>, memref<8x150xf32, #tt.memory_space<" + space + ">>>";
      const Result<MetalLayout, LayoutDefect> layout = parseMetalLayout(text, shape);
      ASSERT_TRUE(layout.ok()) << layout.error().text;
      EXPECT_EQ(printMetalLayout(*layout), text);
    }
  }
  EXPECT_EQ(parseOobVal("neg-inf"), OobVal::NegInf);
}

std::string ruleOf(const char* text, const Shape& shape) {
  const Result<MetalLayout, LayoutDefect> layout = parseMetalLayout(text, shape);
  return layout.ok() ? "read" : std::string(layoutRuleName(layout.error().rule));
}

TEST(TensorLayoutSpec, DefectsNameTheRule) {
  const auto with = [](const char* map, const char* oob, const char* grid, const char* memref) {
    return std::string("#tt.metal_layout<") + map + ", " + oob + ", <" + grid + ">, " + memref + ">";
  };
  const char* map = "(d0, d1) -> (d0, d1)";
  const char* memref = "memref<18x32xf32, #tt.memory_space<l1>>";
  const auto rule = [&](const std::string& text) { return ruleOf(text.c_str(), {53, 63}); };
  EXPECT_EQ(rule(with(map, "undef", "3x2", memref)), "read");
  EXPECT_EQ(rule(with("(d0, d1, d2) -> (d0, d1)", "undef", "3x2", memref)), "RankMismatch");
  EXPECT_EQ(rule(with("(d0, d1) -> (d0)", "undef", "3x2", memref)), "RankMismatch");
  EXPECT_EQ(rule(with(map, "undef", "3x2x1", memref)), "RankMismatch");
  EXPECT_EQ(rule(with(map, "undef", "3x2", "memref<18xf32, #tt.memory_space<l1>>")), "RankMismatch");
  EXPECT_EQ(rule(with(map, "undef", "3x2", "memref<18x31xf32, #tt.memory_space<l1>>")), "ShardMismatch");
  EXPECT_EQ(rule(with(map, "undef", "0x2", memref)), "EmptyGrid");
  EXPECT_EQ(rule(with(map, "two", "3x2", memref)), "UnknownOobValue");
  EXPECT_EQ(rule(with(map, "undef", "3x2", "memref<18x32xf32, #tt.memory_space<l2>>")), "UnknownMemorySpace");
  EXPECT_EQ(rule(with(map, "undef", "3x2", "memref<18x32xf32>")), "UnknownMemorySpace");
  EXPECT_EQ(rule(with(map, "undef", "3x2", "memref<18x32xf31, #tt.memory_space<l1>>")), "UnknownElementType");
  EXPECT_EQ(rule(with(map, "undef", "3x2", "memref<18x32xbfp_bf8, #tt.memory_space<l1>>")), "BlockFloatRowMajor");
  EXPECT_EQ(rule(with(map, "undef", "3x2", "memref<1x1x!tt.tile<31x32, f32>, #tt.memory_space<l1>>")), "BadTileShape");
  EXPECT_EQ(rule(with("(d0, d1) -> (d0 floordiv 2, d1)", "undef", "3x2", memref)), "MapNotLinear");
  EXPECT_EQ(rule(with("(d0, d1) -> (d0 - d1, d1)", "undef", "3x2", memref)), "MapNegative");
  EXPECT_EQ(rule(with("(d0, d1) -> (d0 + d1, 0)", "undef", "3x2", "memref<39x1xf32, #tt.memory_space<l1>>")),
            "MapOverlaps");
  EXPECT_EQ(rule(with("(d0, d1) -> (d0 * 9223372036854775807, d1)", "undef", "3x2", memref)), "SizeOverflow");
  // The first of two defects is told.
  EXPECT_EQ(ruleOf("#tt.metal_layout<(d0, d1) -> (d0, d0), undef, <1x1>, memref<2147483648x2147483648xf32, "
                   "#tt.memory_space<l1>>>",
                   {int64_t{1} << 31, 2}),
            "MapOverlaps");
  EXPECT_EQ(rule("#tt.metal_layout<"), "BadText");
  EXPECT_EQ(rule(with(map, "undef", "3x2", memref) + ">"), "BadText");
  EXPECT_EQ(rule("(d0, d1) -> (d0, d1), undef"), "BadText");
  EXPECT_EQ(
      ruleOf("#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<0x0xf32, #tt.memory_space<l1>>>", {0, 5}),
      "EmptyTensor");
  EXPECT_EQ(makeMetalLayout({-4, 5}, {.grid = {1, 1}}).error().rule, LayoutRule::NegativeDim);
  EXPECT_EQ(makeMetalLayout({4, 5}, {.grid = {1, 1}, .strides = {5}}).error().rule, LayoutRule::RankMismatch);
  EXPECT_EQ(makeMetalLayout({4}, {.grid = {1}, .tiled = true}).error().rule, LayoutRule::RankMismatch);
  EXPECT_EQ(makeMetalLayout({int64_t{1} << 31, int64_t{1} << 31}, {.grid = {1, 1}, .dtype = DType::F64}).error().rule,
            LayoutRule::SizeOverflow);
}

TEST(TensorLayoutSpec, TruncatedTextNeverReads) {
  const Shape shape{2, 3, 64, 128};
  const std::string text = snippets()[11].text;
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_FALSE(parseMetalLayout(text.substr(0, length), shape).ok()) << length;
}

}  // namespace
}  // namespace tessera
