// Layouts that policies try besides the legal ones: how many of each kind, in which order, over which cores.

#include "core/policy/kit/candidate_layouts.h"

#include "tests/analysed.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

struct Refused {
  Graph graph;
  std::unique_ptr<Problem> problem;
  OpId op;

  Refused() {
    const std::string type = "tensor<256x256xbf16>";
    graph = graphOf("func.func @main(%x: " + type + ") -> " + type + " {\n" + line("%u", "ttir.relu", "%x", type) +
                    "  return %u : " + type + "\n}\n");
    problem = std::make_unique<Problem>(analysed(graph, allDevices()[0], {}));
    op = producerOf(graph, "u");
    problem->legal[op] = {};
  }
  TensorLayout sharded(TensorMemoryLayout memory, GridShape grid) const {
    return layoutFor(graph, valueNamed(graph, "u"), BufferType::L1, memory, grid, allDevices()[0]);
  }
  void refuse(const TensorLayout& layout, OpStatus status = OpStatus::MetalBackendError) {
    RejectedLayout rejected{layout, {}};
    rejected.verdict.status = status;
    problem->legal[op].rejected.push_back(rejected);
  }
};

constexpr TensorMemoryLayout kBlock = TensorMemoryLayout::BlockSharded, kHeight = TensorMemoryLayout::HeightSharded;

TEST(CandidateLayouts, RefusedShardsInTheirOrder) {
  Refused r;
  const TensorLayout b8 = r.sharded(kBlock, {8, 8}), b4 = r.sharded(kBlock, {4, 4}), b2 = r.sharded(kBlock, {2, 2}),
                     h8 = r.sharded(kHeight, {8, 1}), h4 = r.sharded(kHeight, {4, 1});
  r.refuse(b8, OpStatus::OutOfMemory);  // a move does not help
  for (const TensorLayout& layout : {b4, h8, b2, h4}) r.refuse(layout);
  r.refuse(layoutFor(r.graph, valueNamed(r.graph, "u"), BufferType::L1, TensorMemoryLayout::Interleaved,
                     allDevices()[0].grid, allDevices()[0]));
  using Layouts = std::vector<TensorLayout>;
  EXPECT_EQ(layoutsAfterReshard(*r.problem, r.op), (Layouts{b4, h8, b2, h4}));
  // Legal shards take of the same limit.
  r.problem->options.maxLegalLayouts = 4;
  r.problem->legal[r.op].layouts = {h8};
  EXPECT_EQ(layoutsAfterReshard(*r.problem, r.op), (Layouts{b4, h8, b2}));
  r.problem->options.maxLegalLayouts = 1;
  EXPECT_EQ(layoutsAfterReshard(*r.problem, r.op), Layouts());
}

TEST(CandidateLayouts, OverTheCoresOfShardedOperandsAlone) {
  Refused r;
  LayoutPool pool;
  const LayoutId dram = pool.intern(dramLayout(*r.problem, valueNamed(r.graph, "x"))),
                 interleaved = pool.intern(l1InterleavedLayout(*r.problem, valueNamed(r.graph, "x"))),
                 block = pool.intern(r.sharded(kBlock, {4, 4}));
  EXPECT_TRUE(layoutsOverOperandGrids(*r.problem, r.op, {dram, interleaved}, pool).empty());
  const auto over = layoutsOverOperandGrids(*r.problem, r.op, {dram, block, interleaved}, pool);
  ASSERT_EQ(over.size(), 1u);
  EXPECT_EQ(over[0].grid, (GridShape{4, 4}));
  EXPECT_EQ(over[0].memory, kBlock);
}

// 28 * 28 = 784 rows are 25 rows of tiles; 128 columns are 4 tiles, read from 64, which are 2.
TEST(CandidateLayouts, OfAConvolutionByItsTiles) {
  const Graph graph =
      graphOf(readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases/conv2d_nhwc.mlir"));
  const Problem problem = analysed(graph, allDevices()[0], {});
  const auto layouts = convolutionLayouts(problem, producerOf(graph, "0"));
  ASSERT_EQ(layouts.size(), 3u);
  EXPECT_EQ(layouts[0].memory, kHeight);
  EXPECT_EQ(layouts[0].grid, (GridShape{25, 1})) << "25 divides 25, and there are 64 cores";
  EXPECT_EQ(layouts[1].memory, TensorMemoryLayout::WidthSharded);
  EXPECT_EQ(layouts[1].grid, (GridShape{1, 4}));
  EXPECT_EQ(layouts[2].memory, kBlock);
  // Eight parts of 4 rows would leave 7 rows empty, a whole part; seven parts of 4 leave 3.
  EXPECT_EQ(layouts[2].grid, (GridShape{7, 2})) << "columns divide those of both tensors";
}

// Rows of tiles over up to eight rows of cores: the most parts of one size of which the last is not empty.
TEST(CandidateLayouts, OfAConvolutionInTheMostPartsWithoutAnEmptyOne) {
  const std::pair<int64_t, int32_t> parts[] = {{1, 1},  {2, 2},  {8, 8},  {9, 5},  {10, 5}, {15, 8},
                                               {16, 8}, {17, 6}, {21, 7}, {22, 8}, {24, 8}, {49, 7}};
  for (const auto& [tiles, rows] : parts) {
    const std::string image = "tensor<1x" + std::to_string(tiles) + "x32x64xbf16>";
    const Graph graph = graphOf("func.func @main(%x: " + image + ", %w: tensor<64x64x3x3xbf16>) -> " + image +
                                " {\n  %c = \"ttir.conv2d\"(%x, %w) <{batch_dim = 0 : i64, channel_dim = 3 : i64, "
                                "dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = "
                                "array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (" +
                                image + ", tensor<64x64x3x3xbf16>) -> " + image + "\n  return %c : " + image + "\n}\n");
    const Problem problem = analysed(graph, allDevices()[0], {});
    const auto layouts = convolutionLayouts(problem, producerOf(graph, "c"));
    ASSERT_EQ(layouts.size(), 3u) << tiles;
    EXPECT_EQ(layouts[2].grid, (GridShape{rows, 2})) << tiles << " rows of tiles";
  }
}

}  // namespace
}  // namespace tessera::test
