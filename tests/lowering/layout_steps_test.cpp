// The order of conversions, of every pair of layouts a tensor may have.

#include "core/lowering/decompose_layouts.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/validation_fallback.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

const Shape kShape = {128, 256};

std::vector<TensorLayout> someLayouts(const DeviceSpec& device) {
  std::vector<TensorLayout> layouts;
  for (DType dtype : {DType::BF16, DType::F32, DType::I32, DType::BFP8}) {
    for (PageLayout page : {PageLayout::RowMajor, PageLayout::Tile}) {
      const LayoutRequest kRequests[] = {
          {dtype, BufferType::DRAM, TensorMemoryLayout::Interleaved, page, {}},
          {dtype, BufferType::L1, TensorMemoryLayout::Interleaved, page, device.grid},
          {dtype, BufferType::L1, TensorMemoryLayout::BlockSharded, page, {4, 4}},
          {dtype, BufferType::L1, TensorMemoryLayout::HeightSharded, page, {4, 1}},
          {dtype, BufferType::DRAM, TensorMemoryLayout::WidthSharded, page, {1, 8}},
          {dtype, BufferType::SystemMemory, TensorMemoryLayout::None, page, {}},
      };
      for (const LayoutRequest& request : kRequests) {
        auto made = makeLayout(kShape, request, device);
        if (made.ok()) layouts.push_back(*made);
      }
    }
  }
  return layouts;
}

bool onHost(const TensorLayout& layout) { return layout.buffer == BufferType::SystemMemory; }

// Each step changes what its name says and nothing else, and the last one arrives.
TEST(LayoutSteps, EveryStepDoesOneThing) {
  LoweringSetup setup;
  std::vector<TensorLayout> layouts = someLayouts(setup.device);
  ASSERT_GT(layouts.size(), 30u);
  for (const TensorLayout& from : layouts) {
    for (const TensorLayout& to : layouts) {
      SCOPED_TRACE(layoutText(from) + " -> " + layoutText(to));
      auto steps = layoutSteps(kShape, from, to, setup.device);
      ASSERT_TRUE(steps.has_value());
      TensorLayout now = from;
      for (const LayoutStep& step : *steps) {
        EXPECT_FALSE(step.to == now);
        bool moves = step.kind == LayoutStepKind::ToDevice || step.kind == LayoutStepKind::FromDevice ||
                     step.kind == LayoutStepKind::ToMemoryConfig;
        if (moves) {
          EXPECT_EQ(step.to.page, now.page);
          EXPECT_EQ(step.to.dtype, now.dtype);
        } else {
          EXPECT_EQ(step.to.buffer, now.buffer);
          EXPECT_EQ(step.to.memory, now.memory);
        }
        if (step.kind == LayoutStepKind::ToDevice) {
          EXPECT_TRUE(onHost(now) && !onHost(step.to));
        }
        if (step.kind == LayoutStepKind::FromDevice) {
          EXPECT_TRUE(!onHost(now) && onHost(step.to));
        }
        if (step.kind == LayoutStepKind::Typecast) {
          EXPECT_EQ(step.to.page, now.page);
        }
        now = step.to;
      }
      EXPECT_TRUE(now == to);
      EXPECT_EQ(steps->empty(), from == to);
      EXPECT_LE(steps->size(), 5u);
      if (HasFailure()) return;
    }
  }
}

// Another page or element type, and all else as it was.
TEST(LayoutSteps, OnePropertyOfALayoutChanges) {
  const DeviceSpec& device = *findDevice("n150");
  for (const TensorLayout& layout : someLayouts(device)) {
    if (isBlockFloat(layout.dtype)) continue;  // never in rows
    SCOPED_TRACE(layoutText(layout));
    const auto typed = withDType(kShape, layout, DType::U32, device);
    ASSERT_TRUE(typed);
    EXPECT_EQ(typed->dtype, DType::U32);
    EXPECT_EQ(typed->page, layout.page);
    const PageLayout other = layout.page == PageLayout::Tile ? PageLayout::RowMajor : PageLayout::Tile;
    const auto paged = withPage(kShape, layout, other, device);
    ASSERT_TRUE(paged);
    EXPECT_EQ(paged->page, other);
    EXPECT_EQ(paged->dtype, layout.dtype);
    for (const auto& changed : {*typed, *paged}) {
      EXPECT_EQ(changed.buffer, layout.buffer);
      EXPECT_EQ(changed.memory, layout.memory);
      EXPECT_EQ(changed.grid, layout.grid);
    }
  }
}

// Shards in DRAM are made and taken apart where they are; those in L1 leave it first.
TEST(LayoutSteps, ShardsInDramChangeTheirPagesInPlace) {
  LoweringSetup setup;
  const auto layout = [&](BufferType buffer, TensorMemoryLayout memory, PageLayout page, GridShape grid) {
    return *makeLayout(kShape, {DType::BF16, buffer, memory, page, grid}, setup.device);
  };
  constexpr auto kWidth = TensorMemoryLayout::WidthSharded;
  const TensorLayout tiles = layout(BufferType::DRAM, kWidth, PageLayout::Tile, {1, 8}),
                     rows = layout(BufferType::DRAM, kWidth, PageLayout::RowMajor, {1, 8}),
                     plain = layout(BufferType::DRAM, TensorMemoryLayout::Interleaved, PageLayout::RowMajor, {}),
                     host = layout(BufferType::SystemMemory, TensorMemoryLayout::None, PageLayout::Tile, {}),
                     l1 = layout(BufferType::L1, kWidth, PageLayout::Tile, {1, 8});
  const auto kinds = [&](const TensorLayout& from, const TensorLayout& to) {
    std::vector<LayoutStepKind> out;
    const auto steps = layoutSteps(kShape, from, to, setup.device);
    if (!steps) return out;
    for (const LayoutStep& step : *steps) out.push_back(step.kind);
    return out;
  };
  using Kinds = std::vector<LayoutStepKind>;
  EXPECT_EQ(kinds(tiles, rows), Kinds{LayoutStepKind::ToLayout});
  EXPECT_EQ(kinds(tiles, plain), (Kinds{LayoutStepKind::ToLayout, LayoutStepKind::ToMemoryConfig}));
  EXPECT_EQ(kinds(host, rows), (Kinds{LayoutStepKind::ToDevice, LayoutStepKind::ToLayout}));
  EXPECT_EQ(kinds(l1, plain), (Kinds{LayoutStepKind::ToMemoryConfig, LayoutStepKind::ToLayout}));
  // A form of the shards that is not the usual one stays over a change of type.
  TensorLayout line = layout(BufferType::L1, TensorMemoryLayout::Interleaved, PageLayout::RowMajor, {1, 1});
  line.shardCols *= line.shardRows;
  line.shardRows = 1;
  TensorLayout wide = line;
  wide.dtype = DType::F32;
  EXPECT_EQ(kinds(line, wide), Kinds{LayoutStepKind::Typecast});
}

TEST(LayoutDistance, IsThatOfTheCompiler) {
  DeviceSpec device = *findDevice("n150");
  auto layout = [&](DType dtype, BufferType buffer, PageLayout page) {
    TensorMemoryLayout memory =
        buffer == BufferType::SystemMemory ? TensorMemoryLayout::None : TensorMemoryLayout::Interleaved;
    return *makeLayout(kShape, {dtype, buffer, memory, page, buffer == BufferType::L1 ? device.grid : GridShape{}},
                       device);
  };
  TensorLayout base = layout(DType::BF16, BufferType::DRAM, PageLayout::Tile);
  EXPECT_EQ(layoutDistance(base, base), 0);
  EXPECT_EQ(layoutDistance(base, layout(DType::F32, BufferType::DRAM, PageLayout::Tile)), 2);
  EXPECT_EQ(layoutDistance(layout(DType::F32, BufferType::DRAM, PageLayout::Tile), base), 1);
  EXPECT_EQ(layoutDistance(base, layout(DType::I32, BufferType::DRAM, PageLayout::Tile)), 2);
  const TensorLayout signedInts = layout(DType::I32, BufferType::DRAM, PageLayout::Tile);
  EXPECT_EQ(layoutDistance(signedInts, layout(DType::U32, BufferType::DRAM, PageLayout::Tile)), 1) << "as many bits";
  EXPECT_EQ(layoutDistance(signedInts, layout(DType::U16, BufferType::DRAM, PageLayout::Tile)), 1);
  EXPECT_EQ(layoutDistance(layout(DType::U16, BufferType::DRAM, PageLayout::Tile), signedInts), 2);
  EXPECT_EQ(layoutDistance(base, layout(DType::BFP4, BufferType::DRAM, PageLayout::Tile)), 1);
  EXPECT_EQ(layoutDistance(base, layout(DType::BF16, BufferType::DRAM, PageLayout::RowMajor)), 2);
  EXPECT_EQ(layoutDistance(base, layout(DType::BF16, BufferType::L1, PageLayout::Tile)), 3);
  EXPECT_EQ(layoutDistance(base, layout(DType::BF16, BufferType::SystemMemory, PageLayout::RowMajor)), 8);
}

std::vector<LayoutStepKind> kinds(const Shape& shape, const LayoutRequest& from, const LayoutRequest& to) {
  LoweringSetup setup;
  auto first = makeLayout(shape, from, setup.device), last = makeLayout(shape, to, setup.device);
  std::vector<LayoutStepKind> out;
  if (!first.ok() || !last.ok()) return ADD_FAILURE() << "no such layout", out;
  const auto steps = layoutSteps(shape, *first, *last, setup.device);
  if (!steps) return ADD_FAILURE() << "no way", out;
  for (const LayoutStep& step : *steps) out.push_back(step.kind);
  return out;
}

using Kinds = std::vector<LayoutStepKind>;
constexpr LayoutRequest kRowsInDram = {
    DType::F32, BufferType::DRAM, TensorMemoryLayout::Interleaved, PageLayout::RowMajor, {}};

// Shards of rows become tiles where they lie only if both of their sides are whole tiles.
TEST(LayoutSteps, RaggedShardsLeaveBeforeTheyBecomeTiles) {
  const LayoutRequest rows = {
      DType::BF16, BufferType::L1, TensorMemoryLayout::BlockSharded, PageLayout::RowMajor, {2, 2}};
  LayoutRequest tiles = rows;
  tiles.page = PageLayout::Tile;
  const Kinds direct = {LayoutStepKind::ToLayout},
              leaves = {LayoutStepKind::ToMemoryConfig, LayoutStepKind::ToLayout, LayoutStepKind::ToMemoryConfig};
  EXPECT_EQ(kinds({128, 128}, rows, tiles), direct);
  EXPECT_EQ(kinds({128, 96}, rows, tiles), leaves);  // 48 columns a core
  EXPECT_EQ(kinds({96, 128}, rows, tiles), leaves);  // 48 rows a core
}

// One program makes tiles of another float type, but not of block floats.
TEST(LayoutSteps, BlockFloatsComeAfterTheirTiles) {
  LayoutRequest to = kRowsInDram;
  to.page = PageLayout::Tile;
  to.dtype = DType::BF16;
  EXPECT_EQ(kinds({64, 64}, kRowsInDram, to), Kinds{LayoutStepKind::ToLayout});
  to.dtype = DType::BFP8;
  EXPECT_EQ(kinds({64, 64}, kRowsInDram, to), (Kinds{LayoutStepKind::ToLayout, LayoutStepKind::Typecast}));
  to.dtype = DType::I32;
  EXPECT_EQ(kinds({64, 64}, kRowsInDram, to), (Kinds{LayoutStepKind::ToLayout, LayoutStepKind::Typecast}));
}

}  // namespace
}  // namespace tessera::test
