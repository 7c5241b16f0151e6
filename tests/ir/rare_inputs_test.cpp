// What few files hold: numbers at the ends of 64 bits, rare memories and spellings.

#include <gtest/gtest.h>

#include "core/ir/constant_value.h"
#include "core/ir/metal_padding.h"
#include "core/ir/metal_to_ttnn.h"
#include "core/ir/nearest_layout.h"
#include "core/ir/text/ttnn_layout_text.h"
#include "core/ir/ttnn_address.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

constexpr auto kRowMajor = PageLayout::RowMajor;
constexpr auto kByRows = TensorMemoryLayout::HeightSharded;

AffineMap mapOf(std::string_view text) {
  const Result<AffineMap, LayoutDefect> map = parseAffineMap(text);
  EXPECT_TRUE(map.ok()) << text;
  return map ? *map : AffineMap{};
}

// "Rule: text" of a defect, "fine" of anything else.
template <class T>
std::string saidOf(const Result<T, LayoutDefect>& made) {
  return made ? "fine" : std::string(layoutRuleName(made.error().rule)) + ": " + made.error().text;
}
template <class T>
std::string brokenRule(const Result<T, LayoutDefect>& made) {
  const std::string said = saidOf(made);
  return said.substr(0, said.find(':'));
}

// --- affine maps -----------------------------------------------------------------------------------------------------

TEST(RareMaps, SumsThatLeave64BitsAreNotLinear) {
  for (const char* text : {"(d0) -> (d0 * 9223372036854775807 + d0)", "(d0)[s0] -> (s0 * 9223372036854775807 + s0)",
                           "(d0) -> (d0 + 9223372036854775807 + 1)", "(d0)[s0] -> (s0 * 9223372036854775807 * 2)",
                           "(d0) -> ((d0 + 9223372036854775807) * 2)", "(d0) -> (d0 * 4 floordiv 0)",
                           "(d0) -> (d0 * 4 floordiv -4)", "(d0) -> (d0 * 4 mod -1)", "(d0) -> (d0 + d0 floordiv 2)"})
    EXPECT_FALSE(linearForm(mapOf(text)).has_value()) << text;
  EXPECT_TRUE(linearForm(mapOf("(d0) -> (d0 * 9223372036854775806 + d0)")).has_value());
}

TEST(RareMaps, SameFunctions) {
  EXPECT_TRUE(sameMap(mapOf("(d0) -> (3 * d0)"), mapOf("(d0) -> (d0 * 3)")));
  EXPECT_FALSE(sameMap(mapOf("(d0)[s0] -> ()"), mapOf("(d0) -> ()"))) << "of other symbols";
  EXPECT_FALSE(sameMap(mapOf("(d0) -> (d0)"), mapOf("(d0) -> (d0 floordiv 2)")));
  EXPECT_EQ(printAffineMap(fromLinear(1, 1, {{{2}, {3}, 4}, {{0}, {0}, -1}, {{0}, {1}, 0}})),
            "(d0)[s0] -> (d0 * 2 + s0 * 3 + 4, -1, s0)");
  // A product with a negative number is subtracted, without the number where that is -1.
  EXPECT_EQ(printAffineMap(mapOf("(d0, d1) -> (d0 + d1 * -4)")), "(d0, d1) -> (d0 - d1 * 4)");
  EXPECT_EQ(printAffineMap(mapOf("(d0, d1) -> (d0 + d1 * -1)")), "(d0, d1) -> (d0 - d1)");
}

TEST(RareMaps, NamesAndResultsHaveLimits) {
  EXPECT_EQ(saidOf(parseAffineMap("(d0)[n, n] -> (n)")), "BadMap: affine map: `n` is declared twice");
  const auto results = [](int count) {
    std::string text = "(d0) -> (d0";
    for (int i = 1; i < count; ++i) text += ", d0";
    return brokenRule(parseAffineMap(text + ")"));
  };
  EXPECT_EQ(results(64), "fine");
  EXPECT_EQ(results(65), "MapTooLarge");
}

TEST(RareMaps, CollapsedDims) {
  const auto collapsed = [](const std::vector<int64_t>& strides, const std::vector<CollapseInterval>& intervals) {
    const auto map = collapsedLinearMapWithStrides(strides, intervals);
    return map ? printAffineMap(*map) : saidOf(map);
  };
  EXPECT_EQ(collapsed({6, 2, 1}, {{0, -4}}), "BadInterval: collapse interval (0, -4) leaves rank 3");
  EXPECT_EQ(collapsed({6, 2, 1}, {{4, 2}}), "BadInterval: collapse interval (4, 2) leaves rank 3");
  EXPECT_EQ(collapsed({6, 2, 1}, {{-3, 2}}), "(d0, d1, d2) -> (d0 * 6 + d1 * 2, d2)");
  EXPECT_EQ(collapsed({}, {{0, -1}}), "() -> ()");
  EXPECT_EQ(brokenRule(collapsedLinearMapWithStrides(std::vector<int64_t>(64, 1), {})), "fine");
  EXPECT_EQ(brokenRule(collapsedLinearMapWithStrides(std::vector<int64_t>(65, 1), {})), "MapTooLarge");
}

TEST(RareMaps, PlacesBeyond64BitsHaveNoWayBack) {
  const int64_t quarter = int64_t{1} << 62;
  EXPECT_FALSE(invertLinear({3}, {{{INT64_MAX}, {}, 0}}).ok());
  EXPECT_TRUE(invertLinear({2}, {{{INT64_MAX}, {}, 0}}).ok());
  EXPECT_FALSE(invertLinear({2, 2}, {{{quarter, INT64_MAX}, {}, 0}}).ok());
  EXPECT_TRUE(invertLinear({2, 2}, {{{quarter - 2, quarter}, {}, 0}}).ok());
}

// --- constants -------------------------------------------------------------------------------------------------------

TEST(RareConstants, DigitsOfHexadecimalNumbers) {
  const auto first = [](const std::string& body, DType dtype, int64_t count) {
    const auto value = readConstant("dense<" + body + ">", dtype, count);
    return value && !value->integers.empty() ? std::to_string(value->integers[0]) : std::string("none");
  };
  EXPECT_EQ(first("0xff", DType::I32, 1), "255");
  EXPECT_EQ(first("0xfF0a", DType::I32, 1), "65290");
  for (const char* none : {"0x", "0xg", "0xG", "0x1`", "0x00000000000000001", "0x-1"})
    EXPECT_EQ(first(none, DType::I32, 1), "none") << none;
  EXPECT_EQ(first("\"0x0100000g\"", DType::I32, 1), "none");
  EXPECT_EQ(first("\"0x0100000f\"", DType::I32, 1), std::to_string(0x0f000001));
  EXPECT_EQ(first("\"0x01g1\"", DType::I1, 16), "none") << "booleans, eight to a byte";
  EXPECT_EQ(first("\"0X01000000\"", DType::I32, 1), "none");
  EXPECT_FALSE(readConstant("dense<\"0x01\">", DType::BFP8, 1)) << "no bytes of its own";
}

// Booleans are 0 and 1, also where all bits of a byte are set.
TEST(RareConstants, OneByteForAllIsOneBoolean) {
  for (const auto& [byte, number] : {std::pair<std::string, int64_t>{"00", 0}, {"01", 1}, {"FF", 1}}) {
    const auto value = readConstant("dense<\"0x" + byte + "\">", DType::I1, 64);
    ASSERT_TRUE(value) << byte;
    EXPECT_TRUE(value->splat) << byte;
    EXPECT_EQ(value->integers, std::vector<int64_t>{number}) << byte;
  }
}

TEST(RareConstants, LongNumbersAndLists) {
  EXPECT_TRUE(readConstant("dense<" + std::string(64, '0') + ">", DType::I32, 1));
  EXPECT_FALSE(readConstant("dense<" + std::string(65, '0') + ">", DType::I32, 1));
  const auto list = [](int64_t count) {
    std::string text = "dense<[";
    for (int64_t i = 0; i < count; ++i) text += i == 0 ? "1" : ",1";
    return readConstant(text + "]>", DType::I32, count).has_value();
  };
  EXPECT_TRUE(list(int64_t{1} << 20));
  EXPECT_FALSE(list((int64_t{1} << 20) + 1));
  for (const DType block : {DType::BFP8, DType::BFP4, DType::BFP2}) {
    EXPECT_EQ(readConstant("dense<1.5>", block, 1)->numbers, std::vector<double>{1.5});
    EXPECT_FALSE(integerRange(block));
  }
}

// --- metal layouts ---------------------------------------------------------------------------------------------------

std::vector<std::string> rulesBroken(const Shape& shape, const MetalLayout& layout) {
  std::vector<std::string> rules;
  for (const LayoutDefect& found : verifyMetalLayout(shape, layout)) rules.emplace_back(layoutRuleName(found.rule));
  return rules;
}

TEST(RareMetalLayouts, NamesAndTiles) {
  for (const char* name : {"neginf", "neg-inf", "neg_inf", "-inf"}) EXPECT_EQ(parseOobVal(name), OobVal::NegInf);
  EXPECT_EQ(tileShapeBytes(DType::BF16, {2, 32}), 128);
  EXPECT_EQ(tileShapeBytes(DType::BF16, {3, 32}), 0);
  const auto layout =
      parseMetalLayout("(d0, d1) -> (d0, d1), undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>", {53, 63});
  ASSERT_TRUE(layout.ok()) << "without the name in front";
  EXPECT_EQ(layout->grid, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(saidOf(parseMetalLayout("#tt.metal_layout<(d0) -> (d0), undef, <1>, memref<1x!tt.tile<32x32, f32>, "
                                    "#tt.memory_space<l1>>>",
                                    {4})),
            "RankMismatch: tiles need a memref of rank 2 or more");
  EXPECT_EQ(metalStoredShard({.shard = {3}, .tiled = true}), std::vector<int64_t>{3});
}

TEST(RareMetalLayouts, SizesAtTheEndsOf64Bits) {
  const int64_t limit = kMaxBytes;
  const auto physical = [](const Shape& shape, const char* map) {
    const auto size = metalPhysicalShape(shape, mapOf(map));
    return size ? shapeText(*size) : brokenRule(size);
  };
  EXPECT_EQ(physical({4}, "(d0)[s0] -> (d0 + s0)"), "MapNotLinear");
  EXPECT_EQ(physical({2}, "(d0) -> (d0 + 9223372036854775807)"), "SizeOverflow");
  EXPECT_EQ(physical({2}, "(d0) -> (d0 * 4611686018427387904)"), "SizeOverflow");
  EXPECT_EQ(physical({2}, "(d0) -> (d0 * 4611686018427387903)"), "4611686018427387904");
  EXPECT_EQ(physical({}, "() -> (7, 4611686018427387903)"), "8x4611686018427387904");
  EXPECT_EQ(physical({}, "() -> (9223372036854775807)"), "SizeOverflow");
  EXPECT_EQ(physical({}, "() -> (4611686018427387904)"), "SizeOverflow");
  EXPECT_EQ(brokenRule(metalScalarShard({4}, {limit})), "SizeOverflow");
  EXPECT_EQ(brokenRule(metalScalarShard({limit}, {4})), "SizeOverflow");
  EXPECT_EQ(brokenRule(metalScalarShard({limit - 1}, {limit - 1})), "fine");
  EXPECT_EQ(brokenRule(makeMetalLayout({1, 1}, {.grid = {int64_t{1} << 40, int64_t{1} << 40}})), "SizeOverflow");
  // Shards that are not the tensor's are told, and that they are too large as well.
  MetalLayout layout = *makeMetalLayout({4, 4}, {.grid = {1, 1}});
  for (const std::vector<int64_t>& shard : {std::vector<int64_t>{int64_t{1} << 40, int64_t{1} << 40}, {0, limit}}) {
    layout.shard = shard;
    EXPECT_EQ(rulesBroken({4, 4}, layout), (std::vector<std::string>{"ShardMismatch", "SizeOverflow"}));
  }
  layout.shard = {int64_t{1} << 40, int64_t{1} << 40, 1};
  EXPECT_EQ(rulesBroken({4, 4}, layout), (std::vector<std::string>{"RankMismatch", "SizeOverflow"}));
}

TEST(RareMetalLayouts, PlacementsThatAreNotMade) {
  const int64_t wide = int64_t{1} << 32;
  EXPECT_EQ(brokenRule(virtualToPhysicalMap({wide, wide}, {})), "GridBeyondDevice");
  EXPECT_EQ(brokenRule(MetalPlacement::make({65, 3}, *makeMetalLayout({5, 3}, {.grid = {1, 1}}))), "ShardMismatch");
}

TEST(RareMetalLayouts, PaddingIsCountedUpToALimit) {
  const auto devices = [](int64_t count) {
    const MetalLayout layout = *makeMetalLayout({1, 1, 1}, {.grid = {count, 1, 1}, .collapse = {}});
    return brokenRule(countPadding(*MetalPlacement::make({1, 1, 1}, layout, {.deviceDims = 1, .devices = count})));
  };
  EXPECT_EQ(devices(kMaxCounted + 1), "MapTooLarge");
  EXPECT_EQ(devices(3), "fine");
  // Rows that also say which column: counted one by one.
  const auto counted = [](const Shape& shape) {
    const MetalLayout layout = *makeMetalLayout(shape, {.grid = {1, 1}, .linear = mapOf("(d0, d1) -> (d0, d0 + d1)")});
    return saidOf(countPadding(*MetalPlacement::make(shape, layout)));
  };
  EXPECT_EQ(counted({3, 5}), "fine");
  EXPECT_EQ(counted({kMaxCounted + 1, 1}), "MapTooLarge: tensor 16777217x1 has too many elements to count one by one");
}

TEST(RareMetalLayouts, AsLayoutsOfTtnn) {
  const auto ttnn = [](const Shape& shape, const MetalRequest& request) {
    const auto layout = ttnnOfMetal(shape, *makeMetalLayout(shape, request), n150());
    return layout ? layoutText(*layout) : brokenRule(layout);
  };
  const Shape shape{64, 64};
  EXPECT_EQ(ttnn(shape, {.grid = {2, 1}, .tiled = true}), "L1 block 2x1");
  EXPECT_EQ(ttnn(shape, {.grid = {1, 1}, .tiled = true, .space = MemorySpace::DeviceDRAM}), "DRAM");
  EXPECT_EQ(ttnn(shape, {.grid = {1, 1}, .space = MemorySpace::System}), "host rm");
  EXPECT_EQ(ttnn(shape, {.grid = {2, 1}, .space = MemorySpace::System}), "SystemMemorySharded");
  EXPECT_EQ(ttnn(shape, {.grid = {1, 1}, .space = MemorySpace::SystemMMIO}), "UnknownBufferType");
  EXPECT_EQ(ttnn(shape, {.grid = {2, 2}, .tiled = true, .tile = {16, 32}}), "BadTileShape");
  EXPECT_EQ(ttnn({2, 3, 4}, {.grid = {2, 3, 4}, .collapse = {}}), "ShardMismatch") << "a map of three results";
  EXPECT_EQ(brokenRule(ttnnGrid({4})), "RankMismatch");
  EXPECT_EQ(brokenRule(ttnnGrid({1, 2, 2})), "RankMismatch");
  EXPECT_EQ(brokenRule(ttnnGrid({0, 2})), "EmptyGrid");
  EXPECT_EQ(brokenRule(ttnnGrid({2, 0})), "EmptyGrid");
  // A sound layout whose grid is larger than any device.
  EXPECT_EQ(ttnn({1, 1}, {.grid = {int64_t{1} << 31, 1}}), "GridBeyondDevice");
}

// --- layouts of TTNN -------------------------------------------------------------------------------------------------

TEST(RareTtnnLayouts, SizesAtTheEndsOf64Bits) {
  const auto whole = [](const Shape& shape, PageLayout page) { return brokenRule(physicalShape(shape, page)); };
  const auto power = [](int exponent) { return int64_t{1} << exponent; };
  EXPECT_EQ(whole({power(53), 1}, PageLayout::Tile), "fine");
  for (const int exponent : {54, 56, 60}) EXPECT_EQ(whole({power(exponent), 1}, PageLayout::Tile), "SizeOverflow");
  EXPECT_EQ(whole({power(40), power(40), 1, 1}, kRowMajor), "SizeOverflow");
  // A row of a core each: the tensor would fit, the shards do not.
  const LayoutRequest spread{.buffer = BufferType::L1, .page = kRowMajor, .grid = {8, 8}};
  EXPECT_EQ(brokenRule(makeLayout({1, power(54)}, spread, n150())), "fine");
  for (const int exponent : {55, 56, 58})
    EXPECT_EQ(brokenRule(makeLayout({1, power(exponent)}, spread, n150())), "SizeOverflow") << exponent;
  EXPECT_EQ(totalBytes({-1, 32}, {}), Bytes(0));
  EXPECT_EQ(defaultLinearMapText({-1, 5}, PageLayout::Tile), "");
  EXPECT_EQ(defaultLinearMapText({kMaxBytes, 5}, PageLayout::Tile), "");
  EXPECT_EQ(defaultLinearMapText({2, power(40), power(40), 4}, kRowMajor), "");
}

TEST(RareTtnnLayouts, OtherMemories) {
  const TensorLayout small = *makeLayout({64, 64}, {.buffer = BufferType::L1Small, .grid = {2, 2}}, n150());
  const TensorLayout trace = *makeLayout({64, 64}, {.buffer = BufferType::Trace}, n150());
  EXPECT_EQ(layoutText(small), "L1_SMALL interleaved");
  EXPECT_EQ(layoutText(trace), "trace");
  EXPECT_EQ(layoutText(*makeLayout({64, 64}, {.memory = TensorMemoryLayout::SingleBank}, n150())), "DRAM single bank");
  EXPECT_EQ(dramBytesPerBank(small, n150()), Bytes(0));
  EXPECT_EQ(dramBytesPerBank(trace, n150()), Bytes(2048));
  EXPECT_EQ(l1BytesPerCore(small), Bytes(2048));
  EXPECT_EQ(l1BytesPerCore(trace), Bytes(0));
  DeviceSpec bare = n150();
  bare.dramBanks = 0;
  EXPECT_EQ(dramBytesPerBank(trace, bare), Bytes(4 * 2048));
  EXPECT_EQ(brokenRule(TtnnPlacement::make({64, 64}, trace, bare)), "EmptyGrid");
  for (const GridShape grid : {GridShape{0, 2}, GridShape{2, 0}, GridShape{-1, -1}}) {
    TensorLayout layout{.buffer = BufferType::L1, .memory = kByRows, .grid = grid, .shardRows = 1, .shardCols = 1};
    EXPECT_EQ(saidOf(TtnnPlacement::make({64, 64}, layout, n150())),
              "EmptyGrid: the layout has an empty grid or shard");
    for (const TensorMemoryLayout memory : {kByRows, TensorMemoryLayout::BlockSharded}) {
      layout.memory = memory;
      EXPECT_TRUE(canonicalCoreRanges(layout, n150()).empty());
    }
  }
  // Rows of ten bytes: a granule of DRAM, 32 bytes, or of L1, 16, apart.
  const auto apart = [](BufferType buffer, GridShape grid) {
    const auto layout = makeLayout({24, 5}, {.buffer = buffer, .page = kRowMajor, .grid = grid}, n150());
    const TtnnPlacement placement = *TtnnPlacement::make({24, 5}, *layout, n150());
    const TtnnAddress at = *placement.address({23, 3});
    return std::to_string(placement.banks()) + " banks, " + std::to_string(at.bank) + ": " + std::to_string(at.offset) +
           " on " + std::to_string(at.core.x) + "," + std::to_string(at.core.y);
  };
  EXPECT_EQ(apart(BufferType::Trace, {1, 1}), "12 banks, 11: 38 on 0,0");
  EXPECT_EQ(apart(BufferType::L1Small, {2, 2}), "4 banks, 3: 86 on 1,1");
}

TEST(RareTtnnLayouts, PlacesOutsideTheTensor) {
  const auto at = [](const Shape& shape, int64_t bank, int64_t offset, int32_t bit = 0) {
    const auto found = TtnnPlacement::make(shape, *makeLayout(shape, {}, n150()), n150())->elementAt(bank, offset, bit);
    return !found ? brokenRule(found) : found->has_value() ? shapeText(**found) : std::string("padding");
  };
  EXPECT_EQ(at({}, 0, 0), "scalar");
  EXPECT_EQ(at({}, 0, 2), "padding") << "column 1";
  EXPECT_EQ(at({}, 0, 32), "padding") << "row 1";
  EXPECT_EQ(at({40}, 0, 30), "15");
  EXPECT_EQ(at({40}, 0, 32), "padding") << "row 1";
  EXPECT_EQ(at({5, 3}, -1, 0), "IndexOutOfBounds");
  EXPECT_EQ(at({5, 3}, 0, -2048), "IndexOutOfBounds");
  EXPECT_EQ(at({5, 3}, 0, 0, 16), "IndexOutOfBounds");
  EXPECT_EQ(at({5, 3}, 0, 2, -16), "IndexOutOfBounds");
  EXPECT_EQ(at({5, 3}, 0, 2), "0x1");
  const TtnnPlacement placement = *TtnnPlacement::make({5, 3}, *makeLayout({5, 3}, {}, n150()), n150());
  EXPECT_EQ(brokenRule(placement.address({-1, 0})), "IndexOutOfBounds");
  EXPECT_EQ(brokenRule(placement.address({0, -1})), "IndexOutOfBounds");
  const TensorLayout one{.shardRows = 1, .shardCols = 1};
  EXPECT_EQ(brokenRule(TtnnPlacement::make({-1, 3}, one, n150())), "NegativeDim");
  EXPECT_EQ(brokenRule(TtnnPlacement::make({3, 0}, one, n150())), "EmptyTensor");
  EXPECT_EQ(brokenRule(TtnnPlacement::make({3, 3}, {.shardRows = 0, .shardCols = 1}, n150())), "EmptyGrid");
  EXPECT_EQ(brokenRule(TtnnPlacement::make({3, 3}, {.shardRows = 1, .shardCols = 0}, n150())), "EmptyGrid");
}

// The sound layout that is nearest to a text.
TEST(RareTtnnLayouts, NearestToATextThatDoesNotFit) {
  const auto nearest = [](const std::string& body, const Shape& shape) {
    const auto layout = nearestTtnnLayout("(d0, d1) -> (d0, d1), " + body, shape);
    if (!layout) return std::string("none");
    return layoutText(*layout) + " " + std::to_string(layout->shardRows) + "x" + std::to_string(layout->shardCols);
  };
  EXPECT_EQ(nearest("<2x1>, memref<8x8xf32, #system_memory>, <height_sharded>", {64, 64}), "host rm 64x64");
  EXPECT_EQ(nearest("<2x2>, memref<8x8xf32, #l1>, <height_sharded>", {64, 64}), "DRAM rm 64x64");
  EXPECT_EQ(nearest("<1x1>, memref<8x8xf32, #dram>, <interleaved>", {-1, 64}), "none");
  const std::string spread = "<8x8>, memref<8x8xbf16, #l1>, <interleaved>";
  EXPECT_EQ(nearest(spread, {1, int64_t{1} << 54}), "L1 interleaved rm 1x18014398509481984");
  for (const int exponent : {55, 56, 58}) EXPECT_EQ(nearest(spread, {1, int64_t{1} << exponent}), "none") << exponent;
}

// --- texts of TTNN's layouts -----------------------------------------------------------------------------------------

std::string readAs(const std::string& text, const Shape& shape) {
  const auto attr = parseTtnnLayoutAttr(text, shape);
  if (!attr) return brokenRule(attr);
  const TensorLayout& layout = attr->layout;
  return layoutText(layout) + " " + std::to_string(layout.shardRows) + "x" + std::to_string(layout.shardCols);
}
const std::string kPlain = "(d0, d1) -> (d0, d1), ", kOneTile = "memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, ",
                  kTileInDram = "memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>";

TEST(RareTtnnTexts, OtherSpellings) {
  const Shape shape{64, 32}, tile{32, 32};
  for (const char* grid : {"#ttcore.grid<2x1>", "#tt.grid<2x1>", "<2x1>"})
    EXPECT_EQ(readAs(kPlain + grid + ", " + kOneTile + "<block_sharded>", shape), "L1 block 2x1 1x1") << grid;
  EXPECT_EQ(readAs(kPlain + "<1x1>, memref<64x32xbf16, #tt.memory_space<system>>", shape), "host rm 64x32");
  EXPECT_EQ(readAs("(d0, d1) -> (d0, d1),\r\n\t<1x1>,\r\n\t" + kTileInDram + "\r\n", tile), "DRAM 1x1");
  for (const char* cores :
       {"<[(0,0), (0,1)]>", "[(0,0), (0,1)]", "<[<(0,0), (0,0)>, <(0,1), (0,1)>]>", "[#ttnn.core_range<(0,0), (0,1)>]"})
    EXPECT_EQ(readAs(kPlain + "<2x1>, " + kOneTile + "<block_sharded>, core_ranges = " + cores, shape),
              "L1 block 2x1 1x1")
        << cores;
  const auto kept = parseTtnnLayoutAttr(
      kPlain + "<1x1>, " + kTileInDram + ", ignorePhysicalLayout = false, a = {b = 1, c = [2]}\t\r, d = 3 \r", tile);
  ASSERT_TRUE(kept.ok()) << kept.error().text;
  EXPECT_FALSE(kept->ignorePhysicalLayout);
  EXPECT_EQ(kept->others, (std::vector<std::string>{"a = {b = 1, c = [2]}", "d = 3"}));
  // With a map in the grid and core ranges as well, both are printed.
  const auto both = parseTtnnLayoutAttr(
      kPlain + "<2x1, (d0, d1) -> (0, d0, d1)>, " + kOneTile + "<block_sharded>, core_ranges = <[(3,3), (3,4)]>",
      shape);
  ASSERT_TRUE(both.ok()) << both.error().text;
  const auto again = parseTtnnLayoutAttr(printTtnnLayoutAttr(shape, *both, n150()), shape);
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(*again, *both);
  EXPECT_EQ(again->coreRanges, (std::vector<CoreRange>{{{3, 3}, {3, 4}}}));
}

TEST(RareTtnnTexts, WhatIsWrittenTwiceOrHalf) {
  const Shape tile{32, 32};
  const auto with = [&](const std::string& item) { return readAs(kPlain + "<1x1>, " + kTileInDram + item, tile); };
  EXPECT_EQ(with(""), "DRAM 1x1");
  for (const char* item :
       {", #ttnn.buffer_type<dram>", ", memref<1x1x!ttcore.tile<32x32, bf16>>", ", layout = tile",
        ", layout = #ttnn.layout", ", layout = #ttnn.layout<diagonal>", ", layout = #ttnn.layout<tile)",
        ", layout = #ttnn.layout<tile> x", ", element_type = !ttcore.tile<32x32, bf16> x", ", element_type = bf16",
        ", element_type = !ttcore.tile<32x32, f32>", ", <interleaved|x>", ", core_ranges = <[(0,40000), (1,40000)]>",
        ", core_ranges = <[(40000,0), (40000,1)]>"})
    EXPECT_EQ(with(item), "BadText") << item;
  EXPECT_EQ(with(", element_type = bf17"), "UnknownElementType");
  EXPECT_EQ(with(", element_type = !ttcore.tile<32x32, bf16>, layout = #ttnn.layout<tile>"), "DRAM 1x1");
  EXPECT_EQ(readAs("#ttnn.ttnn_layout<" + kPlain + "<1x1>, " + kTileInDram + ">", tile), "DRAM 1x1");
  EXPECT_EQ(readAs("#ttnn.ttnn_layout<" + kPlain + "<1x1>, " + kTileInDram, tile), "BadText");
  EXPECT_EQ(readAs("#ttnn.ttnn_layout" + kPlain + "<1x1>, " + kTileInDram + ">", tile), "BadText");
  EXPECT_EQ(readAs(kPlain + "<1x1>, memref<32x32xbf16>, <interleaved>", tile), "UnknownBufferType");
  std::string many;
  for (int i = 0; i < 62; ++i) many += ", k" + std::to_string(i) + " = 1";
  EXPECT_EQ(with(many), "DRAM 1x1");
  EXPECT_EQ(with(many + ", last = 1"), "BadText") << "65 items";
  const auto grid = [&](int dims) {
    std::string text = "1";
    for (int i = 1; i < dims; ++i) text += "x1";
    return readAs(kPlain + "<" + text + ">, " + kTileInDram, tile);
  };
  EXPECT_EQ(grid(64), "RankMismatch");
  EXPECT_EQ(grid(65), "BadText");
  const auto quotes = [&](const std::string& word, const std::string& quoted) {
    const std::string said = saidOf(parseTtnnLayoutAttr(kPlain + "<1x1>, " + kOneTile + "<" + word + ">", tile));
    return said.find("`" + quoted + "`") != std::string::npos;
  };
  const std::string most(60, 'w');
  EXPECT_TRUE(quotes(most, most)) << "60 bytes of a file are quoted";
  EXPECT_TRUE(quotes(most + "w", most + "..."));
}

TEST(RareTtnnTexts, ShardSpecs) {
  const auto spec = [](const std::string& text) {
    return readAs(kPlain + "<1x1>, memref<9x9x!tt.tile<32x32, bf16>, !tt.tile<32x32, bf16>>, " +
                      "#ttnn.tensor_memory_layout<block_sharded>, #ttnn.buffer_type<l1>, " + text,
                  {32, 32});
  };
  const std::string cores = "#ttnn.core_range_set<[#ttnn.core_range<(0,0), (0,0)>]>";
  EXPECT_EQ(spec("#ttnn.shard_spec<" + cores + ", <32x32>, <row_major>>"), "L1 block 1x1 1x1");
  for (const std::string& text : {"#ttnn.shard_specs<" + cores + ">", std::string("#ttnn.shard_spec"),
                                  "#ttnn.shard_spec<32x32>, " + cores, "#ttnn.shard_spec<" + cores + ", , <32x32>>",
                                  "#ttnn.shard_spec<" + cores + ")", "#ttnn.shard_spec<" + cores + "> x"})
    EXPECT_EQ(spec(text), "BadText") << text;
  EXPECT_EQ(spec("#ttnn.shard_spec<#ttnn.core_range_set<[(1,0), (0,0)]>>"), "CoreRangesMismatch");
  // In full names a grid other than 1x1 stands for the tensor; alone, the memref is the tensor's.
  const auto full = [](const std::string& grid, const std::string& memref, const std::string& memory) {
    return readAs(kPlain + grid + ", memref<" + memref + "x!tt.tile<32x32, bf16>, #l1>, #ttnn.tensor_memory_layout<" +
                      memory + ">",
                  {64, 32});
  };
  EXPECT_EQ(full("<1x1>", "2x1", "block_sharded"), "L1 block 1x1 2x1");
  EXPECT_EQ(full("<1x1>", "9x9", "block_sharded"), "ShardMismatch");
  EXPECT_EQ(full("<2x1>", "9x9", "height_sharded"), "L1 height 2x1 1x1") << "no cores are named";
  EXPECT_EQ(full("<64x32>", "9x9", "interleaved"), "L1 interleaved 2x1");
}

TEST(RareTtnnTexts, ManyCoreRangesAndLargeTiles) {
  const auto ranges = [](int count) {
    std::string text = "[";
    for (int i = 0; i < count; ++i) text += "(" + std::to_string(i) + ",0), (" + std::to_string(i) + ",0),";
    text.back() = ']';
    return brokenRule(parseCoreRanges(text));
  };
  EXPECT_EQ(ranges(4096), "fine");
  EXPECT_EQ(ranges(4097), "CoreRangesMismatch");
  EXPECT_EQ(brokenRule(parseMemref("memref<1x!tt.tile<1024x1024, f32>>")), "fine");
  EXPECT_EQ(brokenRule(parseMemref("memref<1x!tt.tile<1025x32, f32>>")), "BadTileShape");
  EXPECT_EQ(brokenRule(parseMemref("memref<1x!tt.tile<32x1025, f32>>")), "BadTileShape");
}

// Maps that spread a few elements far apart.
TEST(RareTtnnTexts, MapsThatReachFar) {
  const auto mapped = [](const std::string& map, const std::string& rest, const Shape& shape) {
    return readAs("(d0, d1) -> (" + map + "), " + rest, shape);
  };
  const Shape square{2, 2};
  const std::string inDram = "xbf16, #dram>, <interleaved>", inL1 = "xbf16, #l1>, <interleaved>",
                    half = "2305843009213693952", quarter = "1152921504606846976";  // 2^61, 2^60
  const std::string toHalf = "2305843009213693951", toQuarter = "1152921504606846975";
  EXPECT_EQ(mapped("d0 * " + toQuarter + ", d1 * 0", "<1x1>, memref<" + quarter + "x1" + inDram, square),
            "DRAM rm " + quarter + "x1");
  EXPECT_EQ(mapped("d0 * " + toHalf + ", d1 * 0", "<1x1>, memref<" + half + "x1" + inDram, square), "SizeOverflow");
  EXPECT_EQ(mapped("d0 * " + toHalf + ", d1", "<1x1>, memref<" + half + "x2xf32, #dram>, <interleaved>", square),
            "SizeOverflow");
  EXPECT_EQ(mapped("d0 * " + toHalf + ", d1 * " + toHalf, "<1x1>, memref<" + half + "x" + half + inDram, square),
            "SizeOverflow");
  EXPECT_EQ(mapped("d0 * " + toHalf + ", d1", "<8x8>, memref<288230376151711744x1xbf16, #l1>, <block_sharded>", {2, 8}),
            "SizeOverflow")
      << "64 shards of 2^58";
  // 2^32 rows of 2^32 are more than can be counted; a memref of nothing is not theirs.
  EXPECT_EQ(mapped("d0 * 4294967295, d1 * 4294967295", "<1x1>, memref<0x5" + inL1, square), "ShardMismatch");
  // Three times this is 2^64 + 2.
  EXPECT_EQ(
      mapped("d0, d1", "<1x1>, memref<3x6148914691236517206x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>", {64, 32}),
      "ShardMismatch");
  EXPECT_EQ(mapped("d0, d1", "<1x2>, memref<5x3" + inL1, {3, 3}), "ShardMismatch") << "two of three whole rows";
  EXPECT_EQ(mapped("d0, d1", "<1x2>, memref<2x3" + inL1, {3, 3}), "L1 interleaved rm 2x3");
  // Without elements, at the host: the place of the first.
  EXPECT_EQ(mapped("0, d0 * 4 + d1", "<1x1>, memref<1x4xbf16, #system_memory>", {0, 4}), "host rm 1x4");
  const Shape wide{0, int64_t{1} << 40, int64_t{1} << 40, 5};  // no usual map: its strides do not fit
  EXPECT_EQ(readAs("(d0, d1, d2, d3) -> (d0 + d1 + d2, d3), <1x1>, memref<2199023255551x5xbf16, #system_memory>", wide),
            "host rm 2199023255551x5");
}

}  // namespace
}  // namespace tessera::test
