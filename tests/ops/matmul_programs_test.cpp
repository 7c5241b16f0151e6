// Matmul programs that are asked for by name, and the one that batches of weights get by themselves. Sources: tt-metal
// matmul/device.

#include "tests/ops/asking.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

constexpr int64_t kTile = 2048;

MatmulAttrs program(MatmulProgram kind, int64_t perCoreM, int64_t perCoreN, int64_t blockW) {
  MatmulAttrs attrs;
  attrs.program = kind;
  attrs.perCoreM = perCoreM;
  attrs.perCoreN = perCoreN;
  attrs.in0BlockW = blockW;
  return attrs;
}

// A row of tiles in shards, weights over the 12 banks.
Asked decodeProduct(int64_t k, int64_t n, DType weights = DType::BF16, int64_t m = 32, int32_t shards = 8) {
  return Asked(n150(), OpKind::TtnnMatmul, {{{m, k}, widthOver(shards)}, {{k, n}, overBanks(12), weights}},
               {{{m, n}, widthOver(shards)}});
}

Asked dramSharded(int64_t k, int64_t n, DType weights = DType::BF16, int32_t shards = 8) {
  Asked asked = decodeProduct(k, n, weights, 32, shards);
  asked.config.attrs = program(MatmulProgram::DramSharded, 1, n / 32 / shards, k / 32 / shards);
  return asked;
}

TEST(MatmulPrograms, TextsAreRead) {
  std::optional<MatmulAttrs> read = parseMatmulProgram(
      "#ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, "
      "2>, in0_block_w = 32, out_subblock_h = 1, "
      "out_subblock_w = 2, out_block_h = 8, out_block_w = 6, per_core_m = 8, per_core_n = 12, fuse_batch = true, "
      "mcast_in0 = true>");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, (MatmulAttrs{MatmulProgram::MultiCast1dIn0, 8, 12, 32, 1, 2, 8, 6}));
  EXPECT_EQ(parseMatmulProgram("#ttnn.matmul_multi_core_reuse_program_config<per_core_m = 1>")->program,
            MatmulProgram::Reuse);
  EXPECT_EQ(parseMatmulProgram("#ttnn.matmul_multi_core_reuse_multi_cast_dram_sharded_program_config<>")->program,
            MatmulProgram::DramSharded);
  EXPECT_EQ(parseMatmulProgram("#ttnn.matmul_multi_core_reuse_multi_cast_program_config<per_core_m = "
                               "99999999999999999999, per_core_n = x, in0_block_w>")
                ->perCoreN,
            0);
  EXPECT_FALSE(parseMatmulProgram("") || parseMatmulProgram("#ttnn.matmul_multi_core_reuse_some_config<>"));
}

// Blocks of the result divide what a core has of it, in both directions; subblocks divide blocks.
TEST(MatmulPrograms, BlocksDivide) {
  auto legal = [](int64_t blockH, int64_t blockW, int64_t subH, int64_t subW) {
    Asked asked(n150(), OpKind::TtnnMatmul, {{{1024, 512}, blockOver(8, 8)}, {{512, 1536}}},
                {{{1024, 1536}, blockOver(8, 8)}});
    MatmulAttrs attrs = program(MatmulProgram::MultiCast2d, 4, 6, 2);  // 4 x 6 tiles a core
    attrs.outBlockH = blockH, attrs.outBlockW = blockW;
    attrs.outSubblockH = subH, attrs.outSubblockW = subW;
    asked.config.attrs = attrs;
    return asked.verdict().reason != Refusal::ProgramBlocks;
  };
  EXPECT_TRUE(legal(0, 0, 1, 1));
  EXPECT_TRUE(legal(4, 6, 1, 1));
  EXPECT_TRUE(legal(2, 3, 1, 1));
  EXPECT_FALSE(legal(3, 6, 1, 1)) << "rows";
  EXPECT_FALSE(legal(4, 4, 1, 1)) << "columns";
  EXPECT_TRUE(legal(4, 6, 2, 3));
  EXPECT_FALSE(legal(4, 6, 3, 1)) << "rows of a subblock";
  EXPECT_FALSE(legal(4, 6, 1, 4)) << "its columns";
  EXPECT_TRUE(legal(4, 6, 4, 2));
  EXPECT_FALSE(legal(4, 6, 4, 3)) << "12 tiles are more than the destination registers hold";
}

TEST(MatmulPrograms, WeightsOverDramBanks) {
  // K = 64 tiles in 8 shards of 8, N = 96 tiles: 8 for each of the 12 banks.
  Asked asked = dramSharded(2048, 3072);
  EXPECT_TRUE(asked.verdict().ok()) << verdictText(asked.verdict());
  EXPECT_EQ(asked.rule(), "Matmul: weights sharded over DRAM banks");
  EXPECT_EQ(asked.pagesOf("in0"), 2 * 8);
  EXPECT_EQ(asked.pagesOf("in1"), 3 * 8 * 8) << "three blocks of a bank's columns";
  EXPECT_EQ(asked.pagesOf("out before reshard"), 8);
  EXPECT_EQ(asked.buffers(), (16 + 192 + 8) * kTile) << "the shards of operand and result are no extra";
  // 13 tiles of a bank are padded to two subblocks of seven.
  EXPECT_EQ(dramSharded(2048, 4864).pagesOf("out before reshard"), 14);
  // The bank is the bound: decode products reach 239 to 267 GB/s (tt-metal Saturating_DRAM_bandwidth.md).
  for (DType weights : {DType::BF16, DType::BFP8}) {
    Asked large = dramSharded(8192, 8192, weights, 32);
    OpTime time = large.time();
    double perNanosecond =
        256.0 * 256 * static_cast<double>(tileBytes(weights)) / static_cast<double>(time.total().count);
    EXPECT_GT(perNanosecond, 239);
    EXPECT_LT(perNanosecond, 268);
  }
  // Faster than the same weights read interleaved.
  Asked interleaved(n150(), OpKind::TtnnMatmul, {{{32, 8192}, kInDram}, {{8192, 8192}, kInDram}},
                    {{{32, 8192}, kInDram}});
  EXPECT_LT(dramSharded(8192, 8192).time().total().count, interleaved.time().total().count);
}

// All blocks together are read in the same time, however wide they are; what is seen of the products is those of the
// last block.
TEST(MatmulPrograms, TheLastBlockOfAWideStepTakesLonger) {
  const auto cycles = [](int64_t blockW) {
    Asked asked = decodeProduct(2048, 3072);
    asked.config.attrs = program(MatmulProgram::DramSharded, 1, 12, blockW);
    EXPECT_TRUE(asked.verdict().ok()) << blockW;
    return asked.time().compute.count;
  };
  const int64_t two = cycles(2), four = cycles(4), eight = cycles(8);
  EXPECT_GT(four, two);
  EXPECT_NEAR(static_cast<double>(eight - four), 2 * static_cast<double>(four - two), 2) << "as many as it is wide";
}

// 4 x 6 tiles a core, two of 16 inner ones a step; a block of them at a time.
TEST(MatmulPrograms, BlocksThatAreAskedForAreBuffered) {
  const auto buffers = [](int64_t blockH, int64_t blockW) {
    Asked asked(n150(), OpKind::TtnnMatmul, {{{1024, 512}, kInDram}, {{512, 1536}, kInDram}},
                {{{1024, 1536}, kInDram}});
    MatmulAttrs attrs = program(MatmulProgram::MultiCast2d, 4, 6, 2);
    attrs.outBlockH = blockH, attrs.outBlockW = blockW;
    asked.config.attrs = attrs;
    return asked.bufferText();
  };
  EXPECT_EQ(buffers(4, 6), "in0 16*2048, in1 24*2048, out 24*2048");
  EXPECT_EQ(buffers(2, 6), "in0 8*2048, in1 24*2048, out 12*2048");
  EXPECT_EQ(buffers(4, 3), "in0 16*2048, in1 12*2048, out 12*2048");
  EXPECT_EQ(buffers(8, 9), "in0 16*2048, in1 24*2048, out 24*2048") << "no more than a core has";
  EXPECT_EQ(dramSharded(2048, 3072).bufferText(),
            "in0 16*2048, in1 192*2048, shard of in0 8*2048 <- operand 0, out before reshard 8*2048, out 12*2048 <- "
            "result");
}

TEST(MatmulPrograms, WeightsOverDramBanksNeedTheirLayouts) {
  auto reason = [](Asked asked, MatmulAttrs attrs) {
    asked.config.attrs = attrs;
    return asked.verdict().reason;
  };
  const MatmulAttrs right = program(MatmulProgram::DramSharded, 1, 12, 8);
  EXPECT_EQ(reason(decodeProduct(2048, 3072), right), Refusal::None);
  EXPECT_EQ(reason(decodeProduct(2048, 3072, DType::BF16, 64), program(MatmulProgram::DramSharded, 2, 12, 8)),
            Refusal::ProgramShape)
      << "one row of tiles";
  EXPECT_EQ(reason(decodeProduct(2048, 3072), program(MatmulProgram::DramSharded, 1, 12, 16)), Refusal::ProgramBlocks)
      << "the step is wider than a shard";
  EXPECT_EQ(reason(decodeProduct(2048, 3072), program(MatmulProgram::DramSharded, 1, 11, 8)), Refusal::ProgramBlocks);
  const Tensor row{{32, 2048}, widthOver(8)}, weights{{2048, 3072}, overBanks(12)}, result{{32, 3072}, widthOver(8)};
  auto with = [&](Tensor a, Tensor b, Tensor out) { return Asked(n150(), OpKind::TtnnMatmul, {a, b}, {out}); };
  EXPECT_EQ(reason(with({{32, 2048}, kInL1}, weights, result), right), Refusal::ProgramOperand);
  EXPECT_EQ(reason(with(row, {{2048, 3072}, kInDram}, result), right), Refusal::ProgramOperand);
  EXPECT_EQ(reason(with(row, weights, {{32, 3072}, kInDram}), right), Refusal::ProgramResult);
  // Nothing else reads such weights.
  EXPECT_EQ(decodeProduct(2048, 3072).verdict().reason, Refusal::InputMustBeInterleaved);
}

// Attention scores: 16 heads of 128 x 64 times 64 x 128, over 16 cores.
TEST(MatmulPrograms, BatchesOfWeightsAreWholeProductsPerCore) {
  const Shape query = {1, 16, 128, 64}, keys = {1, 16, 64, 128}, scores = {1, 16, 128, 128};
  Asked sharded(n150(), OpKind::TtnnMatmul, {{query, heightOver(16)}, {keys, kInDram}}, {{scores, kInDram}});
  EXPECT_TRUE(sharded.verdict().ok());
  EXPECT_EQ(sharded.rule(), "Matmul: reuse, whole products per core")
      << "chosen by the library where the first operand is sharded";
  EXPECT_EQ(sharded.pagesOf("in1"), 2 * 4 * 2);
  EXPECT_EQ(sharded.buffers(), (16 + 4 * 4) * kTile) << "the first operand's shard is its buffer";
  // Asked for, also with interleaved operands, and with all of them in place.
  Asked interleaved(n150(), OpKind::TtnnMatmul, {{query, kInDram}, {keys, kInDram}}, {{scores, kInDram}});
  EXPECT_NE(interleaved.rule(), "Matmul: reuse, whole products per core");
  interleaved.config.attrs = program(MatmulProgram::Reuse, 4, 4, 2);
  EXPECT_TRUE(interleaved.verdict().ok());
  EXPECT_EQ(interleaved.buffers(), (2 * 4 * 2 + 2 * 4 * 2 + 4 * 4) * kTile);
  Asked inPlace(n150(), OpKind::TtnnMatmul, {{query, heightOver(16)}, {keys, heightOver(16)}},
                {{scores, heightOver(16)}});
  inPlace.config.attrs = program(MatmulProgram::Reuse, 4, 4, 2);
  EXPECT_TRUE(inPlace.verdict().ok()) << verdictText(inPlace.verdict());
  EXPECT_EQ(inPlace.buffers(), 0);
  EXPECT_LT(inPlace.time().total().count, sharded.time().total().count);
  // More of them than cores take turns.
  Asked many(n150(), OpKind::TtnnMatmul, {{{4, 64, 128, 64}, kInDram}, {{4, 64, 64, 128}, kInDram}},
             {{{4, 64, 128, 128}, kInDram}});
  many.config.attrs = program(MatmulProgram::Reuse, 4, 4, 2);
  EXPECT_GT(many.time().total().count, 3 * interleaved.time().total().count);
}

TEST(MatmulPrograms, ReuseNeedsWholeRowsAndBatchesOfItsOwn) {
  const Shape a = {1, 16, 128, 64}, b = {1, 16, 64, 128}, out = {1, 16, 128, 128};
  auto reason = [](Asked asked, int64_t perCoreM, int64_t perCoreN) {
    asked.config.attrs = program(MatmulProgram::Reuse, perCoreM, perCoreN, 2);
    return asked.verdict().reason;
  };
  auto with = [&](Tensor first, Tensor second, Tensor result) {
    return Asked(n150(), OpKind::TtnnMatmul, {first, second}, {result});
  };
  EXPECT_EQ(reason(with({a, kInDram}, {b, kInDram}, {out, kInDram}), 2, 4), Refusal::None);
  EXPECT_EQ(reason(with({a, kInDram}, {b, kInDram}, {out, kInDram}), 4, 2), Refusal::ProgramBlocks) << "all columns";
  EXPECT_EQ(reason(with({a, kInDram}, {b, kInDram}, {out, kInDram}), 3, 4), Refusal::ProgramBlocks);
  EXPECT_EQ(reason(with({a, kInDram}, {{64, 128}, kInDram}, {out, kInDram}), 4, 4), Refusal::ProgramShape)
      << "one batch of weights for all";
  EXPECT_EQ(reason(with({a, heightOver(16)}, {b, heightOver(8)}, {out, kInDram}), 4, 4), Refusal::ProgramOperand);
  EXPECT_EQ(reason(with({a, widthOver(2)}, {b, kInDram}, {out, kInDram}), 64, 4), Refusal::ProgramOperand);
  EXPECT_EQ(reason(with({a, kInDram}, {b, kInDram}, {out, heightOver(16)}), 4, 4), Refusal::ProgramResult);
  EXPECT_EQ(reason(with({a, heightOver(16)}, {b, heightOver(16)}, {out, heightOver(8)}), 4, 4), Refusal::ProgramResult)
      << "shards of the result on other cores than the operand's";
  EXPECT_EQ(reason(with({a, heightOver(16)}, {b, kInDram}, {out, heightOver(16)}), 4, 4), Refusal::None);
}

TEST(MatmulPrograms, MulticastsTakeShardsThatLieAsTheyGo) {
  const Shape a = {64, 512}, b = {512, 512}, out = {64, 512};
  auto reason = [&](const Where& from, const Where& to, MatmulAttrs attrs) {
    Asked asked(n150(), OpKind::TtnnMatmul, {{a, from}, {b, kInDram}}, {{out, to}});
    asked.config.attrs = attrs;
    return asked.verdict().reason;
  };
  const MatmulAttrs wide = program(MatmulProgram::MultiCast1dIn0, 2, 2, 2);
  EXPECT_EQ(reason(widthOver(8), widthOver(8), wide), Refusal::None);
  EXPECT_EQ(reason(kInDram, kInDram, wide), Refusal::None);
  EXPECT_EQ(reason(widthOver(8), widthOver(8), program(MatmulProgram::MultiCast1dIn0, 2, 2, 4)), Refusal::ProgramBlocks)
      << "the step is wider than a shard";
  EXPECT_EQ(reason(widthOver(8), widthOver(8), program(MatmulProgram::MultiCast1dIn0, 1, 2, 2)), Refusal::ProgramBlocks)
      << "all rows";
  EXPECT_EQ(reason(heightOver(2), kInDram, wide), Refusal::ProgramOperand);
  EXPECT_EQ(reason(kInDram, heightOver(2), wide), Refusal::ProgramResult);
  const MatmulAttrs tall = program(MatmulProgram::MultiCast1dIn1, 1, 16, 16);
  EXPECT_EQ(reason(heightOver(2), heightOver(2), tall), Refusal::None);
  EXPECT_EQ(reason(heightOver(2), heightOver(2), program(MatmulProgram::MultiCast1dIn1, 1, 8, 16)),
            Refusal::ProgramBlocks)
      << "all columns";
  EXPECT_EQ(reason(widthOver(8), kInDram, tall), Refusal::ProgramOperand);
  const MatmulAttrs both = program(MatmulProgram::MultiCast2d, 1, 2, 2);
  EXPECT_EQ(reason(blockOver(2, 8), blockOver(2, 8), both), Refusal::None);
  EXPECT_EQ(reason(heightOver(2), kInDram, both), Refusal::ProgramBlocks) << "rows whole, in one step";
  EXPECT_EQ(reason(heightOver(2), kInDram, program(MatmulProgram::MultiCast2d, 1, 2, 16)), Refusal::None);
  EXPECT_EQ(reason(kInDram, widthOver(8), both), Refusal::ProgramResult);
}

// A block for each core: no more of them than there are, and time by how many compute.
TEST(MatmulPrograms, BlocksOfInterleavedResultsHaveACoreEach) {
  auto asked = [](const Shape& a, const Shape& out, MatmulAttrs attrs) {
    Asked product(n150(), OpKind::TtnnMatmul, {{a, kInDram}, {{512, out.back()}, kInDram}}, {{out, kInDram}});
    product.config.attrs = attrs;
    return product;
  };
  const Shape a = {32, 512}, out = {32, 4096};
  auto wide = [&](int64_t columns) { return asked(a, out, program(MatmulProgram::MultiCast1dIn0, 1, columns, 4)); };
  EXPECT_EQ(wide(1).verdict().reason, Refusal::ProgramBlocks) << "128 blocks";
  EXPECT_TRUE(wide(2).verdict().ok());
  EXPECT_LT(wide(2).time().total().count, wide(32).time().total().count) << "64 cores and 4";
  auto both = [&](int64_t rows, int64_t columns) {
    return asked({512, 512}, {512, 512}, program(MatmulProgram::MultiCast2d, rows, columns, 4)).verdict().reason;
  };
  EXPECT_EQ(both(2, 2), Refusal::None);
  EXPECT_EQ(both(1, 4), Refusal::ProgramBlocks) << "16 rows of blocks";
  // Batches that share their weights are rows.
  auto batches = [&](int64_t rows) {
    return asked({8, 256, 512}, {8, 256, 512}, program(MatmulProgram::MultiCast1dIn1, rows, 16, 4)).verdict().reason;
  };
  EXPECT_EQ(batches(1), Refusal::None) << "64 rows of tiles";
  EXPECT_EQ(asked({9, 256, 512}, {9, 256, 512}, program(MatmulProgram::MultiCast1dIn1, 1, 16, 4)).verdict().reason,
            Refusal::ProgramBlocks);
}

// The program of the source counts where the result lies as it did there.
TEST(MatmulPrograms, TheOpsOwnProgramIsFollowed) {
  const char* text =
      "#ttnn.matmul_multi_core_reuse_multi_cast_program_config<in0_block_w = 4, out_subblock_h = 1, out_subblock_w = "
      "4, per_core_m = 8, per_core_n = 8>";
  auto asked = [&](const Where& result, const char* attr) {
    AttrList attrs;
    if (*attr) attrs.push_back({"matmul_program_config", rawAttr(attr)});
    return Asked(n150(), OpKind::TtnnMatmul, {{{2048, 2048}, kInDram}, {{2048, 2048}, kInDram}},
                 {{{2048, 2048}, result}}, attrs);
  };
  EXPECT_EQ(asked(kInDram, text).buffers(), (2 * 8 * 4 + 2 * 8 * 4 + 64) * kTile);
  EXPECT_EQ(asked(kInDram, "").buffers(), 655'360);
  Asked written = asked(kInDram, text);
  written.graph.values.edit(written.graph.ops[written.op].results[0]).type.tensor->layout =
      asked(blockOver(8, 8), "").config.output;
  EXPECT_EQ(written.buffers(), 655'360) << "it was written for a block-sharded result";
  EXPECT_EQ(
      asked(kInDram,
            "#ttnn.matmul_multi_core_reuse_multi_cast_program_config<in0_block_w = 3, per_core_m = 8, per_core_n = 8>")
          .verdict()
          .reason,
      Refusal::ProgramBlocks);
  EXPECT_EQ(asked(kInDram,
                  "#ttnn.matmul_multi_core_reuse_multi_cast_program_config<in0_block_w = 99999999999, per_core_m = 8, "
                  "per_core_n = 8>")
                .verdict()
                .reason,
            Refusal::ImpossibleConfig);
}

}  // namespace
}  // namespace tessera::test
