// Programs and layouts next to legal ones: everything fits but one thing. Worked out by hand from the sources that
// core/ops names.

#include "core/ops/model/op_answers.h"
#include "core/ops/model/op_memory.h"
#include "core/ops/rules/family_rules.h"
#include "core/ops/rules/rule_book.h"
#include "core/ops/rules/window_plan.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/conv2d_config.h"
#include "tests/ops/rule_case.h"

namespace tessera::test {
namespace {

void expectAllRefused(const std::vector<RuleCase>& questions) {
  for (const RuleCase& q : questions) {
    EXPECT_EQ(Asked(n150(), q.kind, q.operands, q.results, q.attrs).refusal(), q.answer)
        << opInfo(q.kind).name << ": " << q.what;
  }
}

Where asRows(Where where) {
  where.page = PageLayout::RowMajor;
  return where;
}
Where inBanks(TensorMemoryLayout memory, GridShape grid) { return {BufferType::DRAM, memory, grid}; }

// Operands behind the first, results behind the first, and layouts that differ in one thing.
TEST(NearRefusals, RefusalsOfOneThing) {
  const Shape users = {1, 8, 32, 64}, joined = {1, 1, 8, 2048}, fused = {1, 1, 32, 768}, square = {256, 256},
              image = {1, 8, 8, 32}, larger = {1, 16, 16, 32}, window = {1, 1, 1024, 64}, pooled = {1, 1, 900, 64},
              rope = {1, 8, 512, 64}, angles = {1, 1, 512, 64}, pictures = {2, 64, 16, 16};
  const Tensor split = {{1, 32, 4, 64}, kInDram}, indices = {{1, 256}, kDramRows, DType::U32},
               looked = {{512, 96}, kInDram}, rows = {{1, 256, 96}, heightOver(8)};
  const Where hostTiles{BufferType::SystemMemory, TensorMemoryLayout::None, {1, 1}, PageLayout::Tile};
  const AttrList threes = test::window(32, 32, 64, {3, 3});
  const auto kSplit = OpKind::TtnnNlpCreateQkvHeadsDecode, kPool = OpKind::TtnnMaxPool2d, kUp = OpKind::TtnnUpsample,
             kEmbed = OpKind::TtnnEmbedding, kConcat = OpKind::TtnnConcat, kRotary = OpKind::TtnnRotaryEmbedding;
  expectAllRefused({
      {"an offset on the host",
       kSplit,
       {{fused, widthOver(8)}, {{1}, kAtHost, DType::I32}},
       {split, split, split},
       {},
       "InputOnHost 1"},
      {"an offset on the device",
       kSplit,
       {{fused, widthOver(8)}, {{1}, kDramRows, DType::I32}},
       {split, split, split},
       {},
       "legal"},
      {"a second operand on the host",
       OpKind::TtnnNlpConcatHeadsDecode,
       {{users, heightOver(8)}, {{1}, kAtHost, DType::I32}},
       {{joined, kInDram}},
       {},
       "InputOnHost 1"},
      {"heads in shards and something on the host",
       OpKind::TtnnNlpConcatHeads,
       {{{1, 8, 64, 64}, heightOver(8)}, {{1}, kAtHost, DType::I32}},
       {{{1, 1, 64, 512}, kInDram}},
       {},
       "InputOnHost 1"},
      {"two columns of blocks",
       kRotary,
       {{rope, blockOver(4, 2)}, {angles, kInDram}, {angles, kInDram}},
       {{rope, blockOver(4, 2)}},
       {},
       "InputSharding 0"},
      {"heights over one column",
       kRotary,
       {{rope, heightOver(8)}, {angles, kInDram}, {angles, kInDram}},
       {{rope, heightOver(8)}},
       {},
       "legal"},
      {"tiles of rows, where only the memory changes",
       OpKind::TtnnToMemoryConfig,
       {{square, kDramRows}},
       {{square, kInDram}},
       {},
       "PageMismatch 0"},
      {"rows of tiles, where only the memory changes",
       OpKind::TtnnToMemoryConfig,
       {{square, kInDram}},
       {{square, kDramRows}},
       {},
       "PageMismatch 0"},
      {"rows of rows", OpKind::TtnnToMemoryConfig, {{square, kDramRows}}, {{square, kDramRows}}, {}, "legal"},
      {"tiles of rows", OpKind::TtnnToLayout, {{square, kDramRows}}, {{square, kInDram}}, {}, "legal"},
      {"indices on the host, into shards",
       kEmbed,
       {{{1, 256}, kAtHost, DType::U32}, looked},
       {rows},
       {},
       "InputOnHost 0"},
      {"a table on the host, into shards", kEmbed, {indices, {{512, 96}, kAtHost}}, {rows}, {}, "InputOnHost 1"},
      {"a table in shards, into shards",
       kEmbed,
       {indices, {{512, 96}, heightOver(8)}},
       {rows},
       {},
       "InputMustBeInterleaved 1"},
      {"into shards of tiles", kEmbed, {indices, looked}, {rows}, {}, "legal"},
      {"no integer names the dim: the first, by columns",
       kConcat,
       {{square, widthOver(8)}, {square, widthOver(8)}},
       {{{512, 256}, widthOver(8)}},
       {{"dim", stringAttr("1")}},
       "legal"},
      {"no integer names the dim: not the last",
       kConcat,
       {{square, heightOver(8)}, {square, heightOver(8)}},
       {{{512, 256}, heightOver(8)}},
       {{"dim", stringAttr("1")}},
       "ConcatSharding 0"},
      {"indices are the op's, not asked for",
       OpKind::TtnnMaxPool2dWithIndices,
       {{window, kInDram}},
       {{pooled, heightOver(8)}},
       threes,
       "OutputMustBeInterleaved"},
      {"values alone", kPool, {{window, kInDram}}, {{pooled, heightOver(8)}}, threes, "legal"},
      {"two results of a plain pool",
       kPool,
       {{window, kInDram}},
       {{pooled, heightOver(8)}, {pooled, heightOver(8)}},
       threes,
       "OutputMustBeInterleaved"},
      {"tiles on the host", kUp, {{image, hostTiles}}, {{larger, kDramRows}}, {}, "InputOnHost 0"},
      {"heights into blocks of as many cores",
       kUp,
       {{image, asRows(heightOver(8))}},
       {{larger, asRows(blockOver(8, 1))}},
       {},
       "ShardingMismatch 0"},
      {"rows of shards into tiles",
       kUp,
       {{image, asRows(heightOver(8))}},
       {{larger, heightOver(8)}},
       {},
       "ShardingMismatch 0"},
      {"a mean without a variance",
       OpKind::TtnnBatchNormInference,
       {{pictures, kInDram}, {{1, 64, 1, 1}, kInDram}},
       {{pictures, kInDram}},
       {},
       "OperandMissing"},
      {"rows of banks",
       OpKind::TtnnSoftmax,
       {{square, inBanks(TensorMemoryLayout::HeightSharded, {8, 1})}},
       {{square, kInDram}},
       {num("dimension", 1)},
       "InputMustBeInterleaved 0"},
      {"into rows of banks",
       OpKind::TtnnSoftmax,
       {{square, kInDram}},
       {{square, inBanks(TensorMemoryLayout::HeightSharded, {8, 1})}},
       {num("dimension", 1)},
       "OutputMustBeInterleaved"},
  });
}

// Programs that a policy asks for by name, next to ones that are taken.
TEST(NearRefusals, RefusalsOfAskedPrograms) {
  using enum MatmulProgram;
  const auto refusal = [](const Tensor& a, const Tensor& b, const Tensor& out, const MatmulAttrs& program) {
    Asked asked(n150(), OpKind::TtnnMatmul, {a, b}, {out});
    asked.config.attrs = program;
    return asked.refusal();
  };
  const Shape square = {2048, 2048}, tall = {2048, 512}, thin = {512, 64}, made = {2048, 64};
  const auto free = [&](const MatmulAttrs& p) {
    return refusal({square, kInDram}, {square, kInDram}, {square, kInDram}, p);
  };
  EXPECT_EQ(free({.perCoreM = 8, .perCoreN = 8, .in0BlockW = 0}), "legal") << "steps are left to the library";
  EXPECT_EQ(free({.perCoreM = 8, .perCoreN = 8, .in0BlockW = 3}), "ProgramBlocks");
  EXPECT_EQ(free({.perCoreM = 8, .perCoreN = 8, .in0BlockW = 4, .outSubblockH = 3}), "legal") << "half a subblock";
  EXPECT_EQ(free({.perCoreM = 8, .perCoreN = 8, .in0BlockW = 4, .outSubblockW = 3}), "legal") << "half a subblock";
  EXPECT_EQ(free({.perCoreM = 16, .perCoreN = 4, .in0BlockW = 4}), "ProgramBlocks") << "4 rows, 16 columns of blocks";
  EXPECT_EQ(free({.perCoreM = 4, .perCoreN = 16, .in0BlockW = 4}), "ProgramBlocks") << "16 rows, 4 columns of blocks";
  EXPECT_EQ(free({.perCoreM = 8, .perCoreN = 0, .in0BlockW = 3}), "legal") << "no program without its columns";
  EXPECT_EQ(free({.perCoreM = 0, .perCoreN = 8, .in0BlockW = 3}), "legal") << "no program without its rows";

  const auto reuse = [&](const Where& a, const Where& b, const Where& out, int64_t rows) {
    return refusal({tall, a}, {thin, b}, {made, out}, {.program = Reuse, .perCoreM = rows, .perCoreN = 2});
  };
  const Where banks = inBanks(TensorMemoryLayout::HeightSharded, {8, 1});
  EXPECT_EQ(reuse(kInDram, kInDram, kInDram, 1), "legal");
  EXPECT_EQ(reuse(kInDram, kInDram, kInDram, 128), "legal") << "twice the rows that there are";
  EXPECT_EQ(reuse(kInDram, kInDram, kInDram, 96), "ProgramBlocks");
  EXPECT_EQ(reuse(heightOver(8), kInDram, heightOver(8), 8), "legal");
  EXPECT_EQ(reuse(heightOver(8), kInDram, heightOver(8), 4), "ProgramBlocks");
  EXPECT_EQ(reuse(banks, kInDram, kInDram, 8), "ProgramOperand 0");
  EXPECT_EQ(reuse(heightOver(8), heightOver(8), heightOver(8), 8), "legal");
  EXPECT_EQ(reuse(heightOver(8), banks, heightOver(8), 8), "ProgramOperand 1") << "in other memory";
  EXPECT_EQ(reuse(heightOver(8), heightOver(4), heightOver(8), 8), "ProgramOperand 1");
  EXPECT_EQ(reuse(heightOver(8), kInDram, banks, 8), "ProgramResult") << "in other memory";
  EXPECT_EQ(reuse(heightOver(8), kInDram, heightOver(4), 8), "ProgramResult");

  const auto banked = [&](const Shape& a, const Shape& out, const MatmulAttrs& p) {
    return refusal({a, widthOver(8)}, {{2048, 2048}, overBanks(8)}, {out, widthOver(8)}, p);
  };
  const MatmulAttrs oneRow = {.program = DramSharded, .perCoreM = 1, .perCoreN = 8, .in0BlockW = 8};
  const auto changed = [&](auto change) {
    MatmulAttrs p = oneRow;
    change(p);
    return banked({32, 2048}, {32, 2048}, p);
  };
  EXPECT_EQ(banked({32, 2048}, {32, 2048}, oneRow), "legal");
  EXPECT_EQ(banked({64, 2048}, {64, 2048}, oneRow), "ProgramShape 0");
  EXPECT_EQ(banked({2, 32, 2048}, {2, 32, 2048}, oneRow), "ProgramShape 0") << "a row of tiles, twice";
  EXPECT_EQ(changed([](MatmulAttrs& p) { p.in0BlockW = 0; }), "ProgramBlocks");
  EXPECT_EQ(changed([](MatmulAttrs& p) { p.in0BlockW = 16; }), "ProgramBlocks") << "beyond a shard";
  EXPECT_EQ(changed([](MatmulAttrs& p) { p.perCoreM = 2; }), "ProgramBlocks");
  EXPECT_EQ(changed([](MatmulAttrs& p) { p.perCoreN = 4; }), "ProgramBlocks");

  // One line of blocks is a row or a column of the program's own.
  const auto lined = [&](MatmulProgram program, const Where& out) {
    return refusal({{512, 512}, kInDram}, {{512, 512}, kInDram}, {{512, 512}, out},
                   {.program = program, .perCoreM = 16, .perCoreN = 16, .in0BlockW = 4});
  };
  EXPECT_EQ(lined(MultiCast1dIn0, blockOver(1, 8)), "legal");
  EXPECT_EQ(lined(MultiCast1dIn0, blockOver(2, 4)), "ProgramResult");
  EXPECT_EQ(lined(MultiCast1dIn0, blockOver(8, 1)), "ProgramResult");
  EXPECT_EQ(lined(MultiCast1dIn1, blockOver(8, 1)), "legal");
  EXPECT_EQ(lined(MultiCast1dIn1, blockOver(2, 4)), "ProgramResult");
  EXPECT_EQ(lined(MultiCast1dIn1, blockOver(1, 8)), "ProgramResult");

  // Steps through a shard: the library's, those that divide it, others.
  const auto steps = [&](int64_t width) {
    return refusal({{64, 2048}, widthOver(8)}, {{2048, 512}, kInDram}, {{64, 512}, widthOver(8)},
                   {.program = MultiCast1dIn0, .perCoreM = 2, .perCoreN = 2, .in0BlockW = width});
  };
  EXPECT_EQ(steps(0), "legal");
  EXPECT_EQ(steps(4), "legal");
  EXPECT_EQ(steps(16), "ProgramBlocks 0");
}

// What an asked program keeps in its buffers, and what is taken for no program.
TEST(NearRefusals, BuffersOfAskedPrograms) {
  using enum MatmulProgram;
  const auto asked = [](const Tensor& a, const Tensor& b, const Tensor& out, const MatmulAttrs& p,
                        AttrList attrs = {}) {
    Asked one(n150(), OpKind::TtnnMatmul, {a, b}, {out}, std::move(attrs));
    one.config.attrs = p;
    return one;
  };
  const Shape square = {2048, 2048};
  const auto free = [&](const MatmulAttrs& p) {
    return asked({square, kInDram}, {square, kInDram}, {square, kInDram}, p).bufferText();
  };
  const std::string own = free({});
  EXPECT_EQ(free({.program = Reuse, .perCoreM = 8, .in0BlockW = 4}), own);
  EXPECT_EQ(free({.program = Reuse, .perCoreN = 8, .in0BlockW = 4}), own);
  EXPECT_NE(free({.program = Reuse, .perCoreM = 8, .perCoreN = 64, .in0BlockW = 4}), own);
  const std::string whole = free({.perCoreM = 8, .perCoreN = 8, .in0BlockW = 4});
  EXPECT_EQ(whole, "in0 64*2048, in1 64*2048, out 64*2048");
  EXPECT_EQ(free({.perCoreM = 8, .perCoreN = 8, .in0BlockW = 4, .outBlockH = 4}), whole) << "half a block";
  EXPECT_EQ(free({.perCoreM = 8, .perCoreN = 8, .in0BlockW = 4, .outBlockW = 4}), whole) << "half a block";
  EXPECT_EQ(free({.perCoreM = 8, .perCoreN = 8, .in0BlockW = 4, .outBlockH = 4, .outBlockW = 4}),
            "in0 32*2048, in1 32*2048, out 16*2048");

  // 120 columns of tiles are 10 for each of 12 banks: two subblocks of 5, or three of 4.
  const auto banked = [&](DType out, int64_t step, int64_t block) {
    return asked({{32, 2048}, widthOver(8)}, {{2048, 3840}, overBanks(12)}, {{32, 3840}, widthOver(8), out},
                 {.program = DramSharded,
                  .perCoreM = 1,
                  .perCoreN = 15,
                  .in0BlockW = step,
                  .outBlockH = block,
                  .outBlockW = block});
  };
  EXPECT_EQ(banked(DType::BF16, 8, 0).pagesOf("in1"), 10 * 8 * 3);
  EXPECT_EQ(banked(DType::F32, 8, 0).pagesOf("in1"), 12 * 8 * 3);
  EXPECT_EQ(banked(DType::BF16, 8, 1).pagesOf("in1"), 10 * 8 * 3) << "blocks of the result are the bank's";
  EXPECT_EQ(banked(DType::BF16, 64, 0).pagesOf("in0"), 2 * 64) << "twice, though there is one step";
  EXPECT_EQ(banked(DType::BF16, 8, 0).pagesOf("out before reshard"), 10);

  // Sums in 16 bits of a result in 32: nothing packs them into less.
  const char* const narrow = "#ttnn.device_compute_kernel_config<fp32_dest_acc_en = false>";
  EXPECT_EQ(asked({square, kInDram}, {square, kInDram}, {square, kInDram, DType::F32},
                  {.perCoreM = 8, .perCoreN = 8, .in0BlockW = 4}, {{"compute_config", rawAttr(narrow)}})
                .bufferText(),
            "in0 64*2048, in1 64*2048, out 64*4096");
}

// Operands beyond the sixteenth, weights without a kernel's size, vectors of scales.
TEST(NearRefusals, BuffersOfOneThing) {
  const Shape square = {256, 256};
  const Tensor tiles = {square, kInDram};
  const std::string many = Asked(n150(), OpKind::TtnnMoe, std::vector<Tensor>(17, tiles), {tiles}).bufferText();
  EXPECT_NE(many.find("in14 2*2048, in15 2*2048, in 2*2048, out 2*2048"), std::string::npos) << many;

  const auto weights = [](OpKind kind, const Shape& shape, AttrList attrs) {
    return Asked(n150(), kind, {{{1, 1, 784, 3}, kInDram}, {shape, kInDram}}, {{{1, 1, 676, 16}, kInDram}},
                 std::move(attrs))
        .pagesOf("weights");
  };
  const auto kConv = OpKind::TtnnConv2d, kTransposed = OpKind::TtnnConvTranspose2d;
  EXPECT_EQ(weights(kConv, {1, 1, 96, 16}, {ints("kernel_size", {3, 3})}), 3) << "prepared: 96 rows";
  EXPECT_EQ(weights(kConv, {1, 1, 96, 16}, {}), 48) << "one channel of a kernel of 96 x 16";
  EXPECT_EQ(weights(kConv, {1, 1, 96, 16}, {ints("kernel_size", {3, 3, 3})}), 48);
  EXPECT_EQ(weights(kConv, {1, 1, 96, 16}, {ints("kernel_size", {96, 16})}), 48) << "the kernel itself";
  EXPECT_EQ(weights(kConv, {1, 1, 96, 16}, {ints("kernel_size", {96, 3})}), 3);
  EXPECT_EQ(weights(kConv, {16, 96, 3, 3}, {ints("kernel_size", {3, 3})}), 27);
  EXPECT_EQ(weights(kConv, {}, {}), 1) << "a number";
  EXPECT_EQ(weights(kTransposed, {96, 16, 1, 1}, {}), 3) << "inputs first";
  EXPECT_EQ(weights(kTransposed, {96, 16, 10}, {}), 5) << "of three dims outputs first";

  const auto scaled = [&](int64_t scales, AttrList attrs) {
    return Asked(n150(), OpKind::TtnnQuantize, {tiles, {{scales}, kInDram}, {{scales}, kInDram, DType::I32}},
                 {{square, kInDram, DType::I32}}, std::move(attrs))
        .pagesOf("row of in1");
  };
  EXPECT_EQ(scaled(256, {num("axis", 1)}), 2);
  EXPECT_EQ(scaled(1, {num("axis", 1)}), 0) << "one scale for all channels";
  EXPECT_EQ(scaled(256, {}), 0);

  const Asked scalar(n150(), OpKind::TtnnRelu, {{{}, kDramRows}}, {{{}, kDramRows}});
  EXPECT_EQ(scalar.bufferText(), "in0 2*32, out 2*32");

  // Lines along the dim; of the last one where the op names none, or one that the tensor does not have.
  const auto lines = [&](OpKind kind, AttrList attrs) {
    return Asked(n150(), kind, {{{64, 96}, kDramRows}, {{64, 40}, kDramRows, DType::I32}, {{64, 40}, kDramRows}},
                 {{{64, 96}, kDramRows}}, std::move(attrs))
        .bufferText();
  };
  const std::string alongRows = "in0 1*192, in1 1*160, in2 1*96, out 1*192",
                    alongColumns = "in0 1*128, in1 1*256, in2 1*128, out 1*128";
  for (const OpKind kind : {OpKind::TtnnScatter, OpKind::TtnnScatterInDim}) {
    EXPECT_EQ(lines(kind, {num("dim", 1)}), alongRows);
    EXPECT_EQ(lines(kind, {num("dim", -2)}), alongColumns);
    EXPECT_EQ(lines(kind, {}), alongRows);
    EXPECT_EQ(lines(kind, {num("dim", 5)}), alongRows);
    EXPECT_EQ(lines(kind, {num("dim", -5)}), alongRows);
  }
  EXPECT_EQ(Asked(n150(), OpKind::TtnnScatter, {{{64, 96}, kDramRows}, {{64, 40}, kDramRows, DType::I32}},
                  {{{64, 96}, kDramRows}})
                .bufferText(),
            "in0 2*2048, out 2*2048")
      << "without what is written";
}

// Roles come from segments while these are sizes of what is there.
TEST(NearRefusals, RolesOfOddSegments) {
  const auto norm = [](std::vector<int64_t> sizes) {
    const Tensor tiles = {{32, 512}, kInDram}, row = {{1, 512}, kInDram};
    const Asked asked(n150(), OpKind::TtnnLayerNorm, {tiles, row}, {tiles}, {segments(std::move(sizes))});
    std::string text;
    for (const char* name : {"weight", "bias", "in1"}) text += asked.pagesOf(name) > 0 ? std::string(name) + " " : "";
    return text;
  };
  EXPECT_EQ(norm({1, 1, 0, 0}), "weight ");
  EXPECT_EQ(norm({1, 0, 1, 0}), "bias ");
  EXPECT_EQ(norm({1, 0, 0, 1}), "in1 ");
  EXPECT_EQ(norm({1, -1, 1, 0}), "") << "nothing behind a negative one";
  EXPECT_EQ(norm({1, 3, 1, 0}), "") << "nothing behind one of more than there are";
  EXPECT_EQ(norm({1, 1, 1, 0}), "weight ") << "nothing behind the last operand";
  EXPECT_EQ(norm({1, 2, 1, 0}), "");
  const Tensor tiles = {{32, 512}, kInDram}, row = {{1, 512}, kInDram};
  const Asked unread(n150(), OpKind::TtnnLayerNorm, {tiles, row}, {tiles},
                     {{"operandSegmentSizes", stringAttr("1, 0, 1, 0")}});
  EXPECT_GT(unread.pagesOf("weight"), 0) << "by position where no list says otherwise";
  EXPECT_EQ(unread.pagesOf("bias"), 0);
}

// A convolution's settings that are almost what is read.
TEST(NearRefusals, SettingsOfAConvolutionThatAreNotRead) {
  const auto factsWith = [](const std::string& fields) {
    const Asked asked(n150(), OpKind::TtnnConv2d, {{{1, 1, 1024, 64}, kInDram}, {{64, 64, 1, 1}, kInDram}},
                      {{{1, 1, 1024, 64}, kInDram}},
                      {{"conv2d_config", rawAttr("#ttnn.conv2d_config<" + fields + ">")}});
    return factsOf(asked.graph, asked.op).conv;
  };
  EXPECT_TRUE(factsWith("output_layout = <row_major>").rowMajorResult);
  EXPECT_TRUE(factsWith("output_layout = row_major").rowMajorResult);
  EXPECT_FALSE(factsWith("output_layout = <row_major]").rowMajorResult);
  EXPECT_FALSE(factsWith("output_layout = [row_major>").rowMajorResult);
  EXPECT_FALSE(factsWith("output_layout = <>").rowMajorResult);
  const auto grid = [&](const std::string& ranges) {
    const auto read = factsWith("override_sharding_config = true, core_grid = " + ranges).coreGrid;
    return read ? std::to_string(read->rows) + "x" + std::to_string(read->cols) : "none";
  };
  const std::string ranges = "#ttnn.core_range_set<[#ttnn.core_range<(0,0), ";
  EXPECT_EQ(grid(ranges + "(7,6)>]>"), "7x8");
  EXPECT_EQ(grid(ranges + "(1024,1024)>]>"), "1025x1025");
  EXPECT_EQ(grid(ranges + "(1025,6)>]>"), "none");
  EXPECT_EQ(grid(ranges + "(7,1025)>]>"), "none");
  EXPECT_EQ(grid(ranges + "(-1,6)>]>"), "none");
  EXPECT_EQ(grid(ranges + "(7,-1)>]>"), "none");
  EXPECT_EQ(grid(ranges + "(x,6)>]>"), "none");
  EXPECT_EQ(grid(ranges + "(7,y)>]>"), "none");
  EXPECT_EQ(grid(ranges + "(7 6)>]>"), "none") << "the last comma stands before the last corner";
  EXPECT_EQ(grid("[7,6]"), "none") << "no corner at all";
  EXPECT_EQ(grid("(7)"), "none") << "no comma at all";

  const auto slices = [](const std::string& text) {
    const Asked asked(n150(), OpKind::TtnnConv2d, {{{1, 1, 1024, 64}, kInDram}, {{64, 64, 1, 1}, kInDram}},
                      {{{1, 1, 1024, 64}, kInDram}}, {{"conv2d_slice_config", rawAttr(text)}});
    const auto read = factsOf(asked.graph, asked.op).conv.slices;
    return read ? (read->ofRows ? "rows " : "columns ") + std::to_string(read->count) : "none";
  };
  EXPECT_EQ(slices("#ttnn.conv2d_slice_config<dram_height, 4>"), "rows 4");
  EXPECT_EQ(slices("#ttnn.conv2d_slice_config<dram_height>"), "rows 0");
  EXPECT_EQ(slices("#ttnn.conv2d_slice_config<dram_width, -4>"), "columns 0");
  EXPECT_EQ(slices("#ttnn.conv2d_slice_config<l1_full, 4>"), "none");

  EXPECT_EQ(conv2dConfigField("#ttnn.conv3d_config<a = 1>", "a"), "") << "another configuration";
  EXPECT_EQ(conv2dConfigField("#ttnn.conv2d_config<a = 1", "a"), "") << "one without an end";
  EXPECT_EQ(conv2dConfigField("#ttnn.conv2d_config<a = , b = 2>", "a"), "");
  EXPECT_EQ(conv2dConfigField("#ttnn.conv2d_config<a = , b = 2>", "b"), "2");
  EXPECT_EQ(conv2dConfigField("#ttnn.conv2d_config< = 1, b = 2>", ""), "1");
}

// A program for an op that gives no tensor, or none at all, is for any layout.
TEST(NearRefusals, ProgramsWithoutAResultToBeWrittenFor) {
  const AttrList attrs = {
      {"matmul_program_config", rawAttr("#ttnn.matmul_multi_core_reuse_multi_cast_program_config<in0_block_w = 4, "
                                        "per_core_m = 8, per_core_n = 8>")}};
  const Tensor square = {{2048, 2048}, kInDram};
  Asked asked(n150(), OpKind::TtnnMatmul, {square, square}, {square}, attrs);
  EXPECT_TRUE(factsOf(asked.graph, asked.op).program);
  EXPECT_FALSE(factsOf(asked.graph, asked.op).programResult);
  asked.graph.values.edit(asked.graph.ops[asked.op].results[0]).type = ValueType{{}, "!ttnn.device"};
  EXPECT_TRUE(factsOf(asked.graph, asked.op).program);
  EXPECT_FALSE(factsOf(asked.graph, asked.op).programResult);
  const Asked none(n150(), OpKind::TtnnMatmul, {square, square}, {}, attrs);
  EXPECT_TRUE(factsOf(none.graph, none.op).program);
  EXPECT_FALSE(factsOf(none.graph, none.op).programResult);
}

// Layouts that no tensor of that shape has.
TEST(NearRefusals, ForeignLayouts) {
  const auto refusal = [](const Where& where, auto change, bool result = false) {
    const Shape shape = {256, 256};
    Asked asked(n150(), OpKind::TtnnAbs, {{shape, where}}, {{shape, where}});
    TensorLayout& layout = result ? asked.config.output : *asked.inputs[0];
    change(layout);
    return asked.refusal();
  };
  const auto same = [](TensorLayout&) {};
  EXPECT_EQ(refusal(blockOver(4, 4), same), "legal");
  EXPECT_EQ(refusal(kInDram, [](TensorLayout& l) { l.shardCols = -1; }), "ForeignLayout 0");
  EXPECT_EQ(refusal(kInDram, [](TensorLayout& l) { l.shardRows = -1; }), "ForeignLayout 0");
  EXPECT_EQ(refusal(kInDram, [](TensorLayout& l) { l.shardRows = (int64_t{1} << 42) + 1; }), "ForeignLayout 0");
  EXPECT_EQ(refusal(kInDram, [](TensorLayout& l) { l.shardCols = (int64_t{1} << 42) + 1; }), "ForeignLayout 0");
  EXPECT_EQ(refusal(blockOver(4, 4), [](TensorLayout& l) { l.shardCols = 0; }), "ForeignLayout 0");
  EXPECT_EQ(refusal(blockOver(4, 4), [](TensorLayout& l) { l.shardRows = 0; }), "ForeignLayout 0");
  EXPECT_EQ(refusal(blockOver(4, 4), [](TensorLayout& l) { l.shardCols = 1; }), "ForeignLayout 0") << "4 of 8 columns";
  EXPECT_EQ(refusal(blockOver(4, 4), [](TensorLayout& l) { l.shardRows = 1; }), "ForeignLayout 0") << "4 of 8 rows";
  EXPECT_EQ(refusal(
                blockOver(4, 4), [](TensorLayout& l) { l.shardCols = 1; }, true),
            "ForeignLayout");
  EXPECT_EQ(refusal(kInDram, [](TensorLayout& l) { l.grid.cols = 0; }), "ForeignLayout 0");
  const int64_t most = int64_t{1} << 42;
  EXPECT_EQ(shapeDefect({most, most}), Refusal::TensorTooLarge) << "their product is no number of 63 bits";
  EXPECT_EQ(shapeDefect({most / 1024, 1024}), Refusal::None);
  EXPECT_EQ(shapeDefect({most / 1024, 1025}), Refusal::TensorTooLarge);
  EXPECT_EQ(shapeDefect({}), Refusal::None);
}

// Questions about an op that is not there.
TEST(NearRefusals, ForeignQuestions) {
  const Tensor square = {{256, 256}, kInDram};
  Asked asked(n150(), OpKind::TtnnAdd, {square, square}, {square});
  const OpModel model = asked.model();
  EXPECT_NE(asked.bufferText(), "");
  asked.inputs.pop_back();
  EXPECT_EQ(asked.refusal(), "LayoutCount");
  EXPECT_EQ(asked.bufferText(), "");
  EXPECT_EQ(asked.rule(), "Malformed query");
  EXPECT_EQ(model.figuresOf(asked.query()).reason, Refusal::LayoutCount);
  EXPECT_FALSE(model.figuresOf(asked.query()).aliases);
  asked.op = OpId{7};
  EXPECT_EQ(asked.refusal(), "NoSuchOp");
  EXPECT_EQ(asked.bufferText(), "");
  EXPECT_EQ(asked.rule(), "Malformed query");
  EXPECT_EQ(model.figuresOf(asked.query()).reason, Refusal::NoSuchOp);
  EXPECT_EQ(asked.time().total().count, 0);
}

// Books of rules where the first operand has no layout, or lies in banks.
TEST(NearRefusals, RuleBooksOfWhatIsLeftOut) {
  using Inputs = std::vector<std::optional<TensorLayout>>;
  const auto layout = [](TensorMemoryLayout memory, GridShape grid, BufferType buffer = BufferType::L1) {
    TensorLayout out;
    out.buffer = buffer, out.memory = memory, out.grid = grid;
    return out;
  };
  const TensorLayout height = layout(TensorMemoryLayout::HeightSharded, {8, 1}),
                     block = layout(TensorMemoryLayout::BlockSharded, {8, 1}),
                     banks = layout(TensorMemoryLayout::WidthSharded, {1, 8}, BufferType::DRAM);
  EXPECT_FALSE(acceptsInput(ruleBook(OpKind::TtnnUpdateCache), 0, banks));
  EXPECT_FALSE(acceptsInput(ruleBook(OpKind::TtnnMeshPartition), 0, banks));
  const RuleBook& concat = ruleBook(OpKind::TtnnConcat);
  EXPECT_TRUE(acceptsCombination(concat, Inputs{}, height));
  EXPECT_TRUE(acceptsCombination(concat, Inputs{std::nullopt, block}, height));
  EXPECT_TRUE(acceptsCombination(concat, Inputs{height, std::nullopt}, height));
  EXPECT_FALSE(acceptsCombination(concat, Inputs{height, std::nullopt}, block)) << "another way over the same grid";
  RuleBook twice;
  twice.operands[0] = {-1, InputFilter::Interleaved};
  twice.operands[1] = {-1, InputFilter::NotHeightSharded};
  twice.operands[2] = {1, InputFilter::Any};
  EXPECT_FALSE(acceptsInput(twice, 0, block)) << "the first rule for all operands counts";
  EXPECT_TRUE(acceptsInput(twice, 1, height));
}

// Cores without outputs send and cover nothing.
TEST(NearRefusals, HalosOfMoreCoresThanRows) {
  const Window2d w = {.batch = 1,
                      .inH = 8,
                      .inW = 8,
                      .inC = 8,
                      .outH = 6,
                      .outW = 6,
                      .outC = 8,
                      .kernelH = 3,
                      .kernelW = 3,
                      .strideH = 1,
                      .strideW = 1,
                      .dilationH = 1,
                      .dilationW = 1};
  const HaloRows three = haloRows(w, 3, 32, 12), ten = haloRows(w, 10, 32, 12);
  EXPECT_EQ(three.covered, 4 * 8 - 0);
  EXPECT_EQ(ten.covered, three.covered);
  EXPECT_EQ(ten.sent, three.sent);
}

// The activation is given back where it lies in L1, if there is one.
TEST(NearRefusals, FreedActivations) {
  const auto freed = [](const Where& where, bool asked, bool there) {
    Asked conv(n150(), OpKind::TtnnConv2d, {{{1, 1, 1024, 64}, where}, {{64, 64, 1, 1}, kInDram}},
               {{{1, 1, 1024, 64}, kInDram}}, convolution(32, 64, 1));
    Conv2dAttrs attrs;
    attrs.deallocateActivation = asked;
    conv.config.attrs = attrs;
    if (!there) conv.inputs[0] = std::nullopt;
    return opMemory(conv.query(), conv.device).freedOperand;
  };
  EXPECT_EQ(freed(kInL1, true, true), 0);
  EXPECT_EQ(freed(kInL1, false, true), -1);
  EXPECT_EQ(freed(kInDram, true, true), -1);
  EXPECT_EQ(freed(kInL1, true, false), -1);
  Asked none(n150(), OpKind::TtnnConv2d, {{{1, 1, 1024, 64}, kInDram}, {{64, 64, 1, 1}, kInDram}}, {});
  none.device.l1Small = Bytes(32'768);
  EXPECT_TRUE(opMemory(none.query(), none.device).intermediates.empty()) << "no outputs, no indices";
}

// Times of moves and rankings where a program is another than its neighbour's.
TEST(NearRefusals, TimesBesideThoseOfNeighbours) {
  const auto compute = [](OpKind kind, const std::vector<Tensor>& in, const Tensor& out, AttrList attrs = {},
                          const DeviceSpec& device = n150()) {
    return Asked(device, kind, in, {out}, std::move(attrs)).time().compute.count;
  };
  const auto kPermute = OpKind::TtnnPermute, kTranspose = OpKind::TtnnTranspose, kConcat = OpKind::TtnnConcat,
             kCopy = OpKind::TtnnToMemoryConfig;
  const Shape square = {256, 256}, wide = {256, 512};
  const Tensor tiles = {square, kInDram};
  // An order that names other dims than there are says nothing: taken for an exchange of the last two.
  EXPECT_EQ(compute(kPermute, {tiles}, tiles, {ints("permutation", {1, 0, 2})}),
            compute(kTranspose, {tiles}, tiles, {num("dim0", 0), num("dim1", 1)}));
  EXPECT_EQ(compute(kPermute, {{{64}, kInDram}}, {{64}, kInDram}, {ints("permutation", {0})}), 0) << "a view";
  EXPECT_EQ(compute(kTranspose, {tiles}, tiles, {}),
            compute(kTranspose, {tiles}, tiles, {num("dim0", 0), num("dim1", 1)}));
  // Rows of a concatenation are read one by one, but not out of shards nor into them.
  const Tensor rows = {square, kDramRows}, shards = {square, rowsByHeight(8)};
  const AttrList last = {num("dim", 1)};
  const int64_t read = compute(kConcat, {rows, rows}, {wide, kDramRows}, last);
  EXPECT_NE(compute(kConcat, {shards, shards}, {wide, kDramRows}, last), read);
  EXPECT_NE(compute(kConcat, {rows, rows}, {wide, rowsByHeight(8)}, last), read);
  EXPECT_EQ(compute(kConcat, {shards, shards}, {wide, rowsByHeight(8)}, last),
            compute(kConcat, {{square, heightOver(8)}, {square, heightOver(8)}}, {wide, heightOver(8)}, last))
      << "shards are copied where they lie, tiles or rows";
  // A copy from shards into the same converts nothing.
  const Tensor height = {square, heightOver(8)};
  EXPECT_EQ(compute(kCopy, {height}, height), 586) << "16 KiB a core, 28 bytes a cycle";
  EXPECT_EQ(compute(kCopy, {height}, {square, heightOver(8), DType::F32}), 512) << "8 tiles, 64 cycles each";
  // Running along a dim that is not there takes nothing; extrema of such a dim go through all elements.
  EXPECT_GT(compute(OpKind::TtnnCumsum, {tiles}, tiles, {num("dim", 1)}), 0);
  EXPECT_EQ(compute(OpKind::TtnnCumsum, {tiles}, tiles, {num("dim", 2)}), 0);
  EXPECT_EQ(compute(OpKind::TtnnCumsum, {tiles}, tiles, {num("dim", -3)}), 0);
  const Tensor index = {{256, 1}, kDramRows, DType::U32};
  const int64_t all = compute(OpKind::TtnnArgmax, {rows}, {{1, 1}, kDramRows, DType::U32}, {});
  EXPECT_EQ(compute(OpKind::TtnnArgmax, {rows}, index, {num("dim", -3)}), all);
  EXPECT_EQ(compute(OpKind::TtnnArgmax, {rows}, index, {num("dim", 2)}), all);
  EXPECT_NE(compute(OpKind::TtnnArgmax, {rows}, index, {num("dim", 1)}), all);
  // A scatter along a dim copies its input first, as one along the last does.
  const std::vector<Tensor> written = {rows, {square, kDramRows, DType::I32}, rows};
  EXPECT_EQ(compute(OpKind::TtnnScatterInDim, written, rows, last), compute(OpKind::TtnnScatter, written, rows, last));
  // On one core nobody shares a row.
  DeviceSpec one = n150();
  one.grid = {1, 1};
  const Tensor found = {{32, 32}, kInDram};
  const AttrList most = {num("dim", 1), num("k", 32)};
  EXPECT_EQ(compute(OpKind::TtnnTopk, {{{32, 8192}, kInDram}}, found, most, one), 256 * 6'900);
  EXPECT_EQ(compute(OpKind::TtnnTopk, {{{32, 8160}, kInDram}}, found, most, one), 255 * 6'900);
  // A bank of a Blackhole chip gives twice as much.
  const auto banked = [](const DeviceSpec& device) {
    const auto banks = static_cast<int32_t>(device.dramBanks);
    Asked asked(device, OpKind::TtnnMatmul, {{{32, 8192}, widthOver(8)}, {{8192, 2048}, overBanks(banks)}},
                {{{32, 2048}, widthOver(8)}});
    asked.config.attrs =
        MatmulAttrs{.program = MatmulProgram::DramSharded, .perCoreM = 1, .perCoreN = 8, .in0BlockW = 8};
    EXPECT_EQ(asked.refusal(), "legal");
    const OpTime time = asked.time();
    return static_cast<double>(time.dramBytes) / static_cast<double>(time.dram.count) / static_cast<double>(banks);
  };
  EXPECT_NEAR(banked(n150()), 22.2, 0.3);
  EXPECT_NEAR(banked(*findDevice("p150")), 43.6 * static_cast<double>(findDevice("p150")->clockMhz) / 1000, 1);
}

// Windows of one position that do not leave their core need no halo; padding and transposition bring one.
TEST(NearRefusals, HalosOfWindowsOfOnePosition) {
  const auto compute = [](OpKind kind, std::vector<int64_t> padding, int64_t side) {
    AttrList attrs = convolution(32, 64, 1);
    for (Attribute& attr : attrs) {
      if (attr.name == "padding") attr = ints("padding", padding);
    }
    const Asked asked(n150(), kind, {{{1, 1, 1024, 64}, kDramRows}, {{64, 64, 1, 1}, kInDram}},
                      {{{1, 1, side, 64}, kInDram}}, attrs);
    EXPECT_TRUE(factsOf(asked.graph, asked.op).window);
    return asked.time().compute.count;
  };
  const int64_t none = compute(OpKind::TtnnConv2d, {0, 0}, 1024);
  EXPECT_GT(compute(OpKind::TtnnConv2d, {1, 0, 0, 0}, 33 * 32), none + 900);
  EXPECT_GT(compute(OpKind::TtnnConv2d, {0, 0, 0, 1}, 33 * 32), none + 900);
  EXPECT_GT(compute(OpKind::TtnnConvTranspose2d, {0, 0}, 1024), none + 900);
}

}  // namespace
}  // namespace tessera::test
