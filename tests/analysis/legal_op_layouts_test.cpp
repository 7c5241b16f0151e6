#include "core/analysis/legal_op_layouts.h"

#include <gtest/gtest.h>

#include "core/ir/builder.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

// One op over arguments of the given shapes.
struct OneOp {
  Graph graph;
  OpId op;
  std::vector<std::optional<TensorLayout>> inputs;

  OneOp(const char* name, const std::vector<Shape>& operands, const Shape& result, AttrList attrs = {}) {
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("f");
    std::vector<ValueId> values;
    for (const Shape& shape : operands) {
      values.push_back(builder.addArgument(func, "a", tensor(shape)));
      inputs.push_back(*makeLayout(shape, {}, n150()));
    }
    op = builder.append(func, {.kind = opKindFromName(name),
                               .name = name,
                               .operands = values,
                               .resultTypes = {tensor(result)},
                               .attrs = std::move(attrs),
                               .loc = "op1"});
  }

  LegalOpLayouts layouts(const LegalOpLayoutOptions& options, Diagnostics& diags, const char* overrides = "") const {
    LegalLayoutCache cache(n150(), {.rowMajorEnabled = options.rowMajorEnabled});
    const LayoutOverrides parsed = parseLayoutOverrides(overrides, diags);
    const OpModel model(n150());
    L1Budget budget(n150().usableL1());
    return legalOpLayouts(graph, op, inputs, cache, model, budget, options, findOverride(parsed, graph, op), diags);
  }
};

size_t shardedCount(const std::vector<TensorLayout>& layouts) {
  size_t count = 0;
  for (const TensorLayout& layout : layouts) count += layout.sharded();
  return count;
}

// An override is of the op of that whole name.
TEST(LayoutOverrides, ABeginningIsNoName) {
  const OneOp add("ttnn.add", {{64, 64}, {64, 64}}, {64, 64});  // "op1"
  for (const auto& [name, found] : {std::pair{"op1", true}, {"op", false}, {"op10", false}, {"p1", false}}) {
    Diagnostics diags;
    const LayoutOverrides parsed = parseLayoutOverrides(std::string(name) + "=dram", diags);
    ASSERT_TRUE(diags.all().empty()) << name;
    EXPECT_EQ(findOverride(parsed, add.graph, add.op) != nullptr, found) << name;
  }
}

TEST(LegalOpLayouts, TheCutKeepsInterleavedAndTheLargestGrids) {
  const OneOp add("ttnn.add", {{1024, 1024}, {1024, 1024}}, {1024, 1024});
  Diagnostics diags;
  for (int32_t most : {0, 1, 8, 64, 1000}) {
    const LegalOpLayouts legal = add.layouts({.maxLegalLayouts = most, .askOpModel = false}, diags);
    EXPECT_EQ(shardedCount(legal.layouts), std::min<size_t>(static_cast<size_t>(most), 86));
    EXPECT_EQ(legal.layouts.size() - shardedCount(legal.layouts), 2u);
    EXPECT_EQ(legal.notTried, 86 - shardedCount(legal.layouts));
    EXPECT_TRUE(legal.rejected.empty());
  }
  EXPECT_TRUE(diags.all().empty());
}

TEST(LegalOpLayouts, SeedAsksTheOpModel) {
  const OneOp add("ttnn.add", {{1024, 1024}, {1024, 1024}}, {1024, 1024});
  Diagnostics diags;
  const LegalOpLayouts legal = add.layouts({.maxLegalLayouts = 8}, diags);
  EXPECT_LE(shardedCount(legal.layouts), 8u);
  const OpModel model(n150());
  for (const TensorLayout& layout : legal.layouts)
    EXPECT_TRUE(
        model.validateOperation({add.graph, add.op, add.inputs, OpConfig{layout, {}}, Bytes(0)}, n150().usableL1())
            .ok())
        << layoutText(layout);
  for (const RejectedLayout& rejected : legal.rejected) EXPECT_FALSE(rejected.verdict.ok());
}

TEST(LegalOpLayouts, WhatDoesNotFitIsRejectedWithItsVerdict) {
  // 8192x8192 bf16 over 64 cores is 2 MiB per core.
  const OneOp relu("ttnn.relu", {{8192, 8192}}, {8192, 8192});
  Diagnostics diags;
  const LegalOpLayouts legal = relu.layouts({}, diags);
  EXPECT_EQ(shardedCount(legal.layouts), 0u);
  ASSERT_FALSE(legal.rejected.empty());
  for (const RejectedLayout& rejected : legal.rejected) EXPECT_FALSE(rejected.verdict.ok());
  ASSERT_FALSE(legal.layouts.empty());
  EXPECT_EQ(layoutText(legal.layouts[0]), "DRAM");
}

TEST(LegalOpLayouts, RowMajorTakesHalf) {
  const OneOp relu("ttnn.relu", {{1024, 1024}}, {1024, 1024});
  Diagnostics diags;
  const LegalOpLayouts legal =
      relu.layouts({.maxLegalLayouts = 8, .rowMajorEnabled = true, .askOpModel = false}, diags);
  size_t rowMajor = 0;
  for (const TensorLayout& layout : legal.layouts) rowMajor += layout.sharded() && layout.page == PageLayout::RowMajor;
  EXPECT_EQ(rowMajor, 4u);
  EXPECT_EQ(shardedCount(legal.layouts), 8u);
}

TEST(LegalOpLayouts, FullOverrideGivesExactlyItsLayout) {
  const OneOp relu("ttnn.relu", {{1024, 1024}}, {1024, 1024});
  Diagnostics diags;
  const LegalOpLayouts legal = relu.layouts({}, diags, "op1=2x2:l1:block_sharded:tile:bfp_bf8");
  ASSERT_EQ(legal.layouts.size(), 1u);
  EXPECT_EQ(layoutText(legal.layouts[0]), "L1 block 2x2");
  EXPECT_EQ(legal.layouts[0].dtype, DType::BFP8);
  EXPECT_TRUE(diags.all().empty());
  EXPECT_TRUE(relu.layouts({}, diags, "op1=9x9:l1:block_sharded:tile").layouts.empty());
  ASSERT_EQ(diags.all().size(), 1u);
  EXPECT_EQ(diags.all()[0].kind, DiagKind::OverrideLeavesNothing);
}

TEST(LegalOpLayouts, PartialOverrideFiltersAfterTheCut) {
  const OneOp relu("ttnn.relu", {{1024, 1024}}, {1024, 1024});
  Diagnostics diags;
  const LegalOpLayouts dram = relu.layouts({}, diags, "op1=dram");
  ASSERT_EQ(dram.layouts.size(), 1u);
  EXPECT_TRUE(dram.layouts[0].isDram());
  EXPECT_FALSE(diags.hasErrors());
  EXPECT_TRUE(relu.layouts({.askOpModel = false}, diags, "op1=1x1:l1")
                  .layouts.empty());  // the smallest grids are behind the cut
  EXPECT_EQ(diags.errorCount(), 1u);
  EXPECT_FALSE(relu.layouts({.maxLegalLayouts = 1000, .askOpModel = false}, diags, "op1=1x1:l1").layouts.empty());
}

// The element type alone decides how large shards are, and so which of them there are.
TEST(LegalOpLayouts, AnElementTypeThatIsFixedIsThatOfEveryLayout) {
  const OneOp relu("ttnn.relu", {{1024, 1024}}, {1024, 1024});
  Diagnostics diags;
  for (const char* given : {"op1=bfp_bf8", "op1=l1:bfp_bf8", "op1=8x8:bfp_bf8"}) {
    const LegalOpLayouts legal = relu.layouts({.askOpModel = false}, diags, given);
    EXPECT_FALSE(legal.layouts.empty()) << given;
    for (const TensorLayout& layout : legal.layouts) EXPECT_EQ(layout.dtype, DType::BFP8) << given;
  }
  EXPECT_TRUE(diags.all().empty());
}

TEST(LegalOpLayouts, LayoutOpsKeepTheirs) {
  OneOp convert("ttnn.to_layout", {{64, 64}}, {64, 64});
  const TensorLayout wanted = *makeLayout(
      {64, 64}, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::HeightSharded, .grid = {2, 1}}, n150());
  convert.graph.values.edit(convert.graph.ops[convert.op].results[0]).type.tensor->layout = wanted;
  Diagnostics diags;
  EXPECT_EQ(convert.layouts({}, diags).layouts, (std::vector<TensorLayout>{wanted}));
}

TEST(LegalOpConfigs, ConvOdometer) {  // ttnn-optimizer.md 3.1.4 and 3.1.5: 8 layouts x 3 act_block_h = 24 configs
  const OneOp conv("ttnn.conv2d", {{1, 1, 1024, 64}, {64, 64, 1, 1}}, {1, 1, 1024, 64});
  const LegalTensorLayouts legal = legalTensorLayouts({1, 1, 1024, 64}, DType::BF16, n150());
  const std::vector<TensorLayout> eight(legal.sharded(PageLayout::Tile).begin(),
                                        legal.sharded(PageLayout::Tile).begin() + 8);
  const std::vector<OpConfig> configs = legalOpConfigs(conv.graph, conv.op, eight, {});
  ASSERT_EQ(configs.size(), 24u);
  for (size_t i = 0; i < configs.size(); ++i) {
    EXPECT_EQ(configs[i].output, eight[i / 3]);
    const Conv2dAttrs& attrs = *std::get_if<Conv2dAttrs>(&configs[i].attrs);
    EXPECT_EQ(attrs.actBlockHOverride, (std::vector<int64_t>{0, 64, 32})[i % 3]);
    EXPECT_EQ(attrs.deallocateActivation, true);
    EXPECT_EQ(attrs.reshardIfNotOptimal, std::nullopt);
  }
}

TEST(LegalOpConfigs, WheelsTurnLastFastest) {
  const OneOp conv("ttnn.conv2d", {{1, 1, 64, 64}, {64, 64, 1, 1}}, {1, 1, 64, 64});
  const std::vector<TensorLayout> one = {*makeLayout(
      {1, 1, 64, 64}, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::HeightSharded, .grid = {2, 1}}, n150())};
  const Conv2dSearchSpace options = {{0, 32}, {true, false}, {false, true}};
  const std::vector<OpConfig> configs = legalOpConfigs(conv.graph, conv.op, one, options);
  ASSERT_EQ(configs.size(), 8u);
  EXPECT_EQ(*std::get_if<Conv2dAttrs>(&configs[1].attrs), (Conv2dAttrs{0, true, true}));
  EXPECT_EQ(*std::get_if<Conv2dAttrs>(&configs[2].attrs), (Conv2dAttrs{0, false, false}));
  EXPECT_EQ(*std::get_if<Conv2dAttrs>(&configs[4].attrs), (Conv2dAttrs{32, true, false}));
  const std::vector<TensorLayout> dram = {*makeLayout({1, 1, 64, 64}, {}, n150())};
  EXPECT_EQ(legalOpConfigs(conv.graph, conv.op, dram, options).size(), 4u);  // no reshard without a shard layout

  Diagnostics diags;
  const Conv2dOverrides overrides = parseConv2dOverrides("op1=act_block_h_override#64", diags);
  const std::vector<OpConfig> fixed =
      legalOpConfigs(conv.graph, conv.op, one, {}, findOverride(overrides, conv.graph, conv.op));
  ASSERT_EQ(fixed.size(), 1u);
  EXPECT_EQ(std::get_if<Conv2dAttrs>(&fixed[0].attrs)->actBlockHOverride, 64);
}

TEST(LegalOpConfigs, MatmulPrograms) {  // tt-mlir TTNNOpsAttrs.td
  const OneOp matmul("ttnn.matmul", {{1024, 512}, {512, 2048}}, {1024, 2048});
  const auto layout = [](TensorMemoryLayout memory, GridShape grid) {
    return *makeLayout({1024, 2048}, {.buffer = BufferType::L1, .memory = memory, .grid = grid}, n150());
  };
  EXPECT_EQ(*matmulProgramConfig(matmul.graph, matmul.op, layout(TensorMemoryLayout::BlockSharded, {8, 8})),
            (MatmulAttrs{MatmulProgram::MultiCast2d, 4, 8, 2, 1, 8}));
  EXPECT_EQ(*matmulProgramConfig(matmul.graph, matmul.op, layout(TensorMemoryLayout::WidthSharded, {1, 32})),
            (MatmulAttrs{MatmulProgram::MultiCast1dIn0, 32, 2, 8, 1, 2}));
  EXPECT_EQ(*matmulProgramConfig(matmul.graph, matmul.op, layout(TensorMemoryLayout::HeightSharded, {32, 1})),
            (MatmulAttrs{MatmulProgram::MultiCast1dIn1, 1, 64, 16, 1, 8}));
  EXPECT_EQ(matmulProgramConfig(matmul.graph, matmul.op, *makeLayout({1024, 2048}, {}, n150())), std::nullopt);
  // Results of more than 128 tiles in a row take short steps.
  for (const int64_t columns : {4096, 4128}) {
    const OneOp wide("ttnn.matmul", {{32, 256}, {256, columns}}, {32, columns});
    const TensorLayout over = *makeLayout(
        {32, columns}, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::WidthSharded, .grid = {1, 8}}, n150());
    EXPECT_EQ(matmulProgramConfig(wide.graph, wide.op, over)->in0BlockW, columns == 4096 ? 8 : 2);
  }
  const OneOp batched("ttnn.matmul", {{2, 64, 64}, {2, 64, 64}}, {2, 64, 64});
  EXPECT_EQ(
      matmulProgramConfig(
          batched.graph, batched.op,
          *makeLayout({2, 64, 64},
                      {.buffer = BufferType::L1, .memory = TensorMemoryLayout::BlockSharded, .grid = {2, 2}}, n150())),
      std::nullopt);
}

AttrValue flagAttr(bool value) {
  AttrValue attr;
  attr.kind = AttrValueKind::Bool;
  attr.integer = value ? 1 : 0;
  return attr;
}

// The inner size is the second operand's first but one dim: of the first operand the last, or the one before it.
TEST(LegalOpConfigs, MatmulProgramsCountTheInnerSizeWhereItStands) {
  const TensorLayout tall = *makeLayout(
      {512, 256}, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::HeightSharded, .grid = {16, 1}}, n150());
  const auto inner = [&](const Shape& a, AttrList attrs) {
    const OneOp one("ttnn.matmul", {a, {96, 256}}, {512, 256}, std::move(attrs));
    return matmulProgramConfig(one.graph, one.op, tall)->in0BlockW;
  };
  EXPECT_EQ(inner({512, 96}, {}), 3);
  EXPECT_EQ(inner({512, 96}, {{"transpose_a", flagAttr(false)}}), 3);
  EXPECT_EQ(inner({96, 512}, {{"transpose_a", flagAttr(true)}}), 3);
  EXPECT_EQ(inner({512, 96}, {{"transpose_b", flagAttr(true)}}), 3);
  EXPECT_EQ(inner({512, 1}, {}), 1) << "a tile at least";
  EXPECT_EQ(inner({512, 97}, {}), 4);
}

// One line of cores of a block is as good as shards of the height or the width; what does not divide is rounded up.
TEST(LegalOpConfigs, MatmulProgramsFollowTheGridOfTheResult) {
  const auto program = [](int64_t m, int64_t k, int64_t n, TensorMemoryLayout memory, GridShape grid,
                          AttrList attrs = {}) {
    const OneOp one("ttnn.matmul", {{32 * m, 32 * k}, {32 * k, 32 * n}}, {32 * m, 32 * n}, std::move(attrs));
    const TensorLayout layout =
        *makeLayout({32 * m, 32 * n}, {.buffer = BufferType::L1, .memory = memory, .grid = grid}, n150());
    return *matmulProgramConfig(one.graph, one.op, layout);
  };
  const auto kBlock = TensorMemoryLayout::BlockSharded;
  EXPECT_EQ(program(9, 5, 7, kBlock, {3, 4}), (MatmulAttrs{MatmulProgram::MultiCast2d, 3, 2, 1, 1, 2}));
  EXPECT_EQ(program(9, 5, 7, kBlock, {5, 7}), (MatmulAttrs{MatmulProgram::MultiCast2d, 2, 1, 1, 1, 1}));
  EXPECT_EQ(program(9, 12, 7, kBlock, {1, 4}), (MatmulAttrs{MatmulProgram::MultiCast1dIn0, 9, 2, 4, 1, 2}));
  EXPECT_EQ(program(9, 6, 14, kBlock, {5, 1}), (MatmulAttrs{MatmulProgram::MultiCast1dIn1, 2, 14, 6, 1, 7}));
  EXPECT_EQ(program(9, 6, 9, TensorMemoryLayout::WidthSharded, {1, 9}),
            (MatmulAttrs{MatmulProgram::MultiCast1dIn0, 9, 1, 2, 1, 1}));
  EXPECT_EQ(program(3, 7, 11, TensorMemoryLayout::HeightSharded, {3, 1}),
            (MatmulAttrs{MatmulProgram::MultiCast1dIn1, 1, 11, 7, 1, 1}));
  // Registers hold half as many tiles of 32 bits.
  const AttrList wide = {{"compute_config", rawAttr("#ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>")}};
  const AttrList narrow = {{"compute_config", rawAttr("#ttnn.device_compute_kernel_config<fp32_dest_acc_en = false>")}};
  EXPECT_EQ(program(2, 2, 8, TensorMemoryLayout::HeightSharded, {2, 1}, wide).outSubblockW, 4);
  EXPECT_EQ(program(2, 2, 8, TensorMemoryLayout::HeightSharded, {2, 1}, narrow).outSubblockW, 8);
  EXPECT_EQ(program(2, 2, 6, TensorMemoryLayout::HeightSharded, {2, 1}, wide).outSubblockW, 3);
}

TEST(LegalOpConfigs, MatmulProgramsAreOfShardsAndMatrices) {
  const TensorLayout shards = *makeLayout(
      {64, 64}, {.buffer = BufferType::L1, .memory = TensorMemoryLayout::HeightSharded, .grid = {2, 1}}, n150());
  const auto has = [](const OneOp& one, const TensorLayout& layout) {
    return matmulProgramConfig(one.graph, one.op, layout).has_value();
  };
  const OneOp plain("ttnn.matmul", {{64, 64}, {64, 64}}, {64, 64});
  EXPECT_TRUE(has(plain, shards));
  EXPECT_FALSE(has(plain, *makeLayout({64, 64}, {.buffer = BufferType::L1, .grid = n150().grid}, n150())));
  TensorLayout inBanks = shards;
  inBanks.buffer = BufferType::DRAM;
  EXPECT_FALSE(has(plain, inBanks));
  EXPECT_TRUE(has(OneOp("ttnn.matmul", {{64, 64}, {1, 64, 64}}, {64, 64}), shards));
  EXPECT_TRUE(has(OneOp("ttnn.matmul", {{2, 32, 64}, {64, 64}}, {2, 32, 64}), shards)) << "the first may be a batch";
  EXPECT_FALSE(has(OneOp("ttnn.matmul", {{64, 64}, {2, 1, 64, 64}}, {64, 64}), shards));
  EXPECT_FALSE(has(OneOp("ttnn.matmul", {{64}, {64, 64}}, {64}), shards));
  EXPECT_FALSE(has(OneOp("ttnn.matmul", {{64, 64}, {64}}, {64}), shards));
  EXPECT_FALSE(has(OneOp("ttnn.matmul", {{64, 64}}, {64, 64}), shards));
  EXPECT_FALSE(has(OneOp("ttnn.matmul", {{64, 64}, {64, 64}}, {0, 64}), shards));
}

// Where the program says how an empty tensor lies there is nothing to choose; an op that computes chooses all the same.
TEST(LegalOpLayouts, AnEmptyTensorStaysWhereTheProgramPutIt) {
  const Shape shape = {64, 128};
  const TensorLayout inL1 = *makeLayout(shape, {.buffer = BufferType::L1, .grid = n150().grid}, n150());
  for (const bool empty : {true, false}) {
    OneOp one = empty ? OneOp("ttnn.empty", {}, shape) : OneOp("ttnn.relu", {shape}, shape);
    one.graph.values.edit(one.graph.ops[one.op].results[0]).type.tensor->layout = inL1;
    Diagnostics diags;
    const std::vector<TensorLayout> layouts = one.layouts({}, diags).layouts;
    if (empty) {
      EXPECT_EQ(layouts, std::vector<TensorLayout>{inL1});
    } else {
      EXPECT_GT(layouts.size(), 1u);
    }
  }
}

}  // namespace
}  // namespace tessera
