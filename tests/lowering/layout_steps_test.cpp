// The order of conversions, of every pair of layouts a tensor may have.

#include "core/lowering/decompose_layouts.h"
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
  EXPECT_EQ(layoutDistance(base, layout(DType::BF16, BufferType::DRAM, PageLayout::RowMajor)), 2);
  EXPECT_EQ(layoutDistance(base, layout(DType::BF16, BufferType::L1, PageLayout::Tile)), 3);
  EXPECT_EQ(layoutDistance(base, layout(DType::BF16, BufferType::SystemMemory, PageLayout::RowMajor)), 8);
}

}  // namespace
}  // namespace tessera::test
