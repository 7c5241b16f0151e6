// Programs, shards and settings where one choice becomes another: worked out by hand from the rules that the sources
// name.

#include <set>
#include <sstream>

#include "core/ops/model/op_memory.h"
#include "core/ops/rules/matmul_program.h"
#include "core/ops/rules/rule_book.h"
#include "core/ops/table/compute_config.h"
#include "core/ops/table/conv2d_config.h"
#include "core/ops/table/op_attrs.h"
#include "core/ops/table/op_table.h"
#include "tests/ops/asking.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

// What a transposition of equal dims moves is no view; a permutation that leaves all dims where they are is one.
TEST(RulesAtLimits, TransposingASquareMoves) {
  const auto time = [](OpKind kind, AttrList attrs) {
    return Asked(n150(), kind, {{{64, 64}, kInDram}}, {{{64, 64}, kInDram}}, std::move(attrs)).time().total().count;
  };
  EXPECT_GT(time(OpKind::TtnnTranspose, {{"dim0", intAttr(0)}, {"dim1", intAttr(1)}}), 0);
  EXPECT_GT(time(OpKind::TtnnPermute, {{"permutation", intArrayAttr({1, 0})}}), 0);
  EXPECT_EQ(time(OpKind::TtnnPermute, {{"permutation", intArrayAttr({0, 1})}}), 0);
}

// As many tiles as the registers take; of as many the taller, of which only whole rows go beyond the first.
TEST(RulesAtLimits, SubblocksOfAProgram) {
  const auto filled = [](int64_t rows, int64_t columns, int64_t most) {
    MatmulAttrs p{.perCoreM = rows, .perCoreN = columns};
    fillSubblock(p, most);
    return std::to_string(p.outSubblockH) + "x" + std::to_string(p.outSubblockW);
  };
  EXPECT_EQ(filled(4, 2, 8), "4x2");
  EXPECT_EQ(filled(4, 4, 8), "2x4");
  EXPECT_EQ(filled(4, 8, 8), "1x8");
  EXPECT_EQ(filled(8, 16, 8), "1x8") << "no whole row fits";
  EXPECT_EQ(filled(8, 1, 8), "8x1");
  EXPECT_EQ(filled(7, 3, 8), "1x3");
  EXPECT_EQ(filled(4, 4, 4), "1x4");
  EXPECT_EQ(filled(4, 2, 4), "2x2");
  EXPECT_EQ(filled(2, 6, 8), "1x6");
  // What stands there gives way to as many tiles, not to fewer.
  const auto refilled = [](int64_t h, int64_t w, int64_t most) {
    MatmulAttrs p{.perCoreM = 4, .perCoreN = 4, .outSubblockH = h, .outSubblockW = w};
    fillSubblock(p, most);
    return std::to_string(p.outSubblockH) + "x" + std::to_string(p.outSubblockW);
  };
  EXPECT_EQ(refilled(2, 2, 4), "1x4");
  EXPECT_EQ(refilled(4, 2, 8), "2x4");
  EXPECT_EQ(refilled(3, 3, 8), "3x3");
  EXPECT_EQ(refilled(1, 1, 8), "2x4");
  const auto preferred = [](int64_t h, int64_t w, int64_t most, bool wholeRows) {
    const Subblock s = preferredSubblock(h, w, most, wholeRows);
    return std::to_string(s.h) + "x" + std::to_string(s.w);
  };
  EXPECT_EQ(preferred(8, 8, 8, false), "4x2") << "before 2x4, 8x1 and 1x8";
  EXPECT_EQ(preferred(2, 8, 8, false), "2x4");
  EXPECT_EQ(preferred(8, 3, 8, false), "8x1");
  EXPECT_EQ(preferred(3, 8, 8, false), "1x8");
  EXPECT_EQ(preferred(8, 8, 4, false), "2x2");
  EXPECT_EQ(preferred(4, 2, 8, true), "4x2");
  EXPECT_EQ(preferred(4, 8, 8, true), "1x8");
  EXPECT_EQ(preferred(4, 9, 8, true), "1x1") << "no row fits whole";
}

// The table of a convolution's windows: in L1_SMALL as soon as there is any, 2 bytes per output row of a core.
TEST(RulesAtLimits, ReaderIndicesLieInL1SmallWhereThereIsSome) {
  for (const int64_t small : {0, 1, 32'768}) {
    Asked asked(n150(), OpKind::TtnnConv2d, {{{1, 1, 8192, 64}, kInDram}, {{64, 64, 1, 1}, kInDram}},
                {{{1, 1, 8192, 64}, kInDram}});
    asked.device.l1Small = Bytes(small);
    const OpMemory memory = opMemory(asked.query(), asked.device);
    int64_t indices = -1;
    for (const auto& piece : memory.intermediates) {
      if (piece.buffer == BufferType::L1Small) indices = piece.bytes.count;
    }
    EXPECT_EQ(indices, small > 0 ? 2 * 128 : -1) << small;  // 8192 rows over 64 cores
  }
  // A core's rows of a sharded result, whether they are told in tiles or one by one.
  for (const PageLayout page : {PageLayout::Tile, PageLayout::RowMajor}) {
    Where heights = heightOver(64);
    heights.page = page;
    Asked asked(n150(), OpKind::TtnnConv2d, {{{1, 1, 8192, 64}, kInDram}, {{64, 64, 1, 1}, kInDram}},
                {{{1, 1, 8192, 64}, heights}});
    asked.device.l1Small = Bytes(1);
    int64_t indices = -1;
    for (const auto& piece : opMemory(asked.query(), asked.device).intermediates) {
      if (piece.buffer == BufferType::L1Small) indices = piece.bytes.count;
    }
    EXPECT_EQ(indices, 2 * 128);
  }
  Asked product(n150(), OpKind::TtnnMatmul, {{{8192, 64}, kInDram}, {{64, 64}, kInDram}}, {{{8192, 64}, kInDram}});
  product.device.l1Small = Bytes(32'768);
  for (const auto& piece : opMemory(product.query(), product.device).intermediates)
    EXPECT_NE(piece.buffer, BufferType::L1Small);
}

// 32-bit sums halve the registers; blocks may lie on the grid either way round.
TEST(RulesAtLimits, SubblocksAndGridsOfAskedPrograms) {
  const auto refusal = [](const Shape& a, const Shape& b, const Shape& out, MatmulAttrs p, const char* config = "",
                          const DeviceSpec& device = n150()) {
    AttrList attrs;
    if (*config) attrs.push_back({"compute_config", rawAttr(config)});
    Asked asked(device, OpKind::TtnnMatmul, {{a, kInDram}, {b, kInDram}}, {{out, kInDram}}, attrs);
    asked.config.attrs = p;
    return asked.refusal();
  };
  const auto square = [&](int64_t h, int64_t w, const char* config) {
    return refusal({2048, 512}, {512, 2048}, {2048, 2048},
                   {.perCoreM = 8, .perCoreN = 8, .in0BlockW = 4, .outSubblockH = h, .outSubblockW = w}, config);
  };
  const char* wide = "#ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>";
  EXPECT_EQ(square(2, 4, ""), "legal");
  EXPECT_EQ(square(2, 4, wide), "ProgramBlocks");
  EXPECT_EQ(square(2, 2, wide), "legal");
  EXPECT_EQ(square(1, 4, wide), "legal");
  EXPECT_EQ(square(3, 2, ""), "ProgramBlocks") << "3 does not divide 8";
  // 10 rows and 13 columns of cores: 12 rows of blocks stand on the columns.
  const DeviceSpec& p150 = *findDevice("p150");
  ASSERT_EQ(p150.grid.rows, 10);
  ASSERT_EQ(p150.grid.cols, 13);
  const auto blocks = [&](int64_t rows, int64_t columns) {
    return refusal({rows * 32, 512}, {512, columns * 32}, {rows * 32, columns * 32},
                   {.perCoreM = 1, .perCoreN = 1, .in0BlockW = 4}, "", p150);
  };
  EXPECT_EQ(blocks(10, 13), "legal");
  EXPECT_EQ(blocks(12, 10), "legal") << "the other way round";
  EXPECT_EQ(blocks(12, 11), "ProgramBlocks");
  EXPECT_EQ(blocks(14, 2), "ProgramBlocks");
}

TEST(RulesAtLimits, ProgramsOfOtherMemoriesAreNotFollowed) {
  const char* text =
      "#ttnn.matmul_multi_core_reuse_multi_cast_program_config<in0_block_w = 4, per_core_m = 8, per_core_n = 8>";
  const auto buffersIfWrittenFor = [&](const Where& where) {
    Asked asked(n150(), OpKind::TtnnMatmul, {{{2048, 2048}, kInDram}, {{2048, 2048}, kInDram}},
                {{{2048, 2048}, kInDram}}, {{"matmul_program_config", rawAttr(text)}});
    const Asked other(n150(), OpKind::TtnnRelu, {{{2048, 2048}, where}}, {{{2048, 2048}, where}});
    asked.graph.values.edit(asked.graph.ops[asked.op].results[0]).type.tensor->layout = other.config.output;
    return asked.buffers();
  };
  EXPECT_NE(buffersIfWrittenFor(kInDram), buffersIfWrittenFor(kInL1)) << "interleaved both, of which one is L1";
}

// Rows per head of a decode step are half tiles on Wormhole alone.
TEST(RulesAtLimits, HalfTilesOfADecodeStep) {
  const auto query = [](const DeviceSpec& device, int64_t heads, DType dtype) {
    return Asked(device, OpKind::TtnnScaledDotProductAttentionDecode,
                 {{{1, 1, heads, 64}, kInDram, dtype},
                  {{1, heads, 128, 64}, kInDram, dtype},
                  {{1, heads, 128, 64}, kInDram, dtype}},
                 {{{1, 1, heads, 64}, kInDram, dtype}},
                 {{"is_causal", boolAttr(true)}, {"operandSegmentSizes", intArrayAttr({1, 1, 1, 0, 0, 0}, "i32")}})
        .bufferText()
        .substr(0, 12);
  };
  EXPECT_EQ(query(n150(), 16, DType::BF16), "query 2*1024");
  EXPECT_EQ(query(n150(), 17, DType::BF16), "query 2*2048");
  EXPECT_EQ(query(*findDevice("p150"), 16, DType::BF16), "query 2*2048");
  EXPECT_EQ(query(n150(), 16, DType::BFP8), "query 2*1088");
}

// Joined heads come out one head per core, on more cores than the result was asked for.
TEST(RulesAtLimits, JoinedHeadsTakeACoreEach) {
  const Asked joined(n150(), OpKind::TtnnNlpConcatHeadsDecode, {{{1, 8, 32, 64}, heightOver(8)}},
                     {{{1, 1, 8, 512}, widthOver(4)}}, {{"num_heads", intAttr(8)}});
  const OpVerdict verdict = joined.verdict();
  ASSERT_TRUE(verdict.ok()) << verdictText(verdict);
  EXPECT_EQ(verdict.output.shardCols, 2) << "a head of two tiles";
  EXPECT_EQ(verdict.output.grid.cols, 8);
}

TEST(RulesAtLimits, RolesOfOptionalOperands) {
  const OpInfo& decode = opInfo(OpKind::TtnnScaledDotProductAttentionDecode);
  const auto roles = [&](const OpInfo& info, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i > 0 ? " " : "") + std::string(operandRole(info, i, count));
    return text;
  };
  EXPECT_EQ(roles(decode, 3), "query key value");
  const OpInfo& norm = opInfo(OpKind::TtnnLayerNorm);
  EXPECT_EQ(roles(norm, 1), "input");
  EXPECT_EQ(roles(norm, 2), "input weight") << "the first optional operands come first";
  EXPECT_EQ(roles(norm, 3), "input weight bias");
  const OpInfo& linear = opInfo(OpKind::TtirLinear);
  EXPECT_EQ(roles(linear, 2), "a b");
  EXPECT_EQ(roles(linear, 3), "a b bias");
}

// Whatever is left out, operands that have to be there have their roles, once each.
TEST(RulesAtLimits, RequiredRolesAreAlwaysNamed) {
  for (const OpInfo& op : allOps()) {
    const OperandBounds bounds = operandBounds(op);
    for (int count = bounds.least; count <= std::max(bounds.most, bounds.least + 2); ++count) {
      if (bounds.most >= 0 && count > bounds.most) break;
      std::multiset<std::string> named;
      for (int i = 0; i < count; ++i) named.insert(std::string(operandRole(op, i, count)));
      std::istringstream roles{std::string(op.roles)};
      for (std::string role; roles >> role;) {
        if (role.back() != '?' && role.back() != '*') EXPECT_EQ(named.count(role), 1u) << op.name << " " << count;
      }
      EXPECT_EQ(named.count(""), 0u) << op.name << " " << count;
    }
  }
}

// A sum that more steps add to is kept in 16 bits where the packer adds; a bias is one more to add.
TEST(RulesAtLimits, PartialSumsOfNarrowResults) {
  const auto partials = [](int64_t steps, bool bias, DType out) {
    std::vector<Tensor> operands = {{{2048, 2048}, kInDram}, {{2048, 2048}, kInDram}};
    if (bias) operands.push_back({{1, 2048}, kInDram});
    Asked asked(n150(), bias ? OpKind::TtnnLinear : OpKind::TtnnMatmul, operands, {{{2048, 2048}, kInDram, out}});
    asked.config.attrs = MatmulAttrs{.perCoreM = 8, .perCoreN = 8, .in0BlockW = 64 / steps};
    const std::string text = asked.bufferText();
    const size_t at = text.find("partials");
    return at == std::string::npos ? "none" : text.substr(at + 9);
  };
  EXPECT_EQ(partials(2, false, DType::BFP8), "none");
  EXPECT_EQ(partials(4, false, DType::BFP8), "64*2048");
  EXPECT_EQ(partials(1, true, DType::BFP8), "none");
  EXPECT_EQ(partials(2, true, DType::BFP8), "64*2048");
  EXPECT_EQ(partials(4, true, DType::BF16), "none") << "they are of the result's format";
  EXPECT_EQ(partials(4, true, DType::F32), "none");
}

// Sums in 32 bits of a convolution need memory of their own unless the result is of 32 bits.
TEST(RulesAtLimits, SumsOfAConvolution) {
  const auto partials = [](DType out, const char* config) {
    const Asked asked(n150(), OpKind::TtnnConv2d, {{{1, 1, 1024, 64}, kInDram}, {{64, 64, 1, 1}, kInDram}},
                      {{{1, 1, 1024, 64}, kInDram, out}},
                      {{"batch_size", intAttr(1, "i32")},
                       {"dilation", intArrayAttr({1, 1}, "i32")},
                       {"groups", intAttr(1, "i32")},
                       {"in_channels", intAttr(64, "i32")},
                       {"input_height", intAttr(32, "i32")},
                       {"input_width", intAttr(32, "i32")},
                       {"kernel_size", intArrayAttr({1, 1}, "i32")},
                       {"out_channels", intAttr(64, "i32")},
                       {"padding", intArrayAttr({0, 0}, "i32")},
                       {"stride", intArrayAttr({1, 1}, "i32")},
                       {"compute_config", rawAttr(config)}});
    return asked.pagesOf("partials");
  };
  const char* const wide = "#ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>";
  const char* const narrow = "#ttnn.device_compute_kernel_config<fp32_dest_acc_en = false>";
  EXPECT_EQ(partials(DType::BF16, wide), 2) << "one row of tiles, two columns";
  EXPECT_EQ(partials(DType::F32, wide), 0);
  EXPECT_EQ(partials(DType::BF16, narrow), 0);
}

// Rows of tiles of a normalization: 112 without weights, 56 with any; a residual is kept beside its sum.
TEST(RulesAtLimits, BuffersOfNormalizations) {
  const auto norm = [](int64_t columns, int64_t weight, int64_t bias, int64_t residual) {
    std::vector<Tensor> operands = {{{32, columns}, kInDram}};
    for (int64_t i = 0; i < weight + bias; ++i) operands.push_back({{1, columns}, kInDram});
    if (residual) operands.push_back({{32, columns}, kInDram});
    return Asked(n150(), OpKind::TtnnLayerNorm, operands, {{{32, columns}, kInDram}},
                 {{"operandSegmentSizes", intArrayAttr({1, weight, bias, residual}, "i32")}});
  };
  EXPECT_EQ(norm(128 * 32, 0, 0, 0).pagesOf("in0"), 112);
  EXPECT_EQ(norm(128 * 32, 1, 0, 0).pagesOf("in0"), 56);
  EXPECT_EQ(norm(128 * 32, 0, 1, 0).pagesOf("in0"), 56) << "a bias alone";
  EXPECT_EQ(norm(128 * 32, 0, 1, 0).pagesOf("bias"), 56);
  EXPECT_EQ(norm(128 * 32, 0, 1, 0).pagesOf("weight"), 0);
  EXPECT_EQ(norm(512, 0, 0, 0).pagesOf("in0 + in1"), 0);
  EXPECT_EQ(norm(512, 0, 0, 1).pagesOf("in0 + in1"), 16);
  EXPECT_EQ(norm(512, 0, 0, 1).pagesOf("in1"), 16) << "two blocks of 8";
}

// What books of rules say of operands and of all of them together.
TEST(RulesAtLimits, RuleBooks) {
  const auto layout = [](TensorMemoryLayout memory, GridShape grid, BufferType buffer = BufferType::L1) {
    TensorLayout out;
    out.buffer = buffer, out.memory = memory, out.grid = grid;
    return out;
  };
  const TensorLayout height = layout(TensorMemoryLayout::HeightSharded, {8, 1}),
                     width = layout(TensorMemoryLayout::WidthSharded, {1, 8}),
                     block = layout(TensorMemoryLayout::BlockSharded, {8, 8}),
                     l1 = layout(TensorMemoryLayout::Interleaved, {8, 8}),
                     dram = layout(TensorMemoryLayout::Interleaved, {1, 1}, BufferType::DRAM);
  const auto accepted = [&](OpKind kind, int operand) {
    std::string text;
    const std::pair<const char*, const TensorLayout*> all[] = {
        {"H", &height}, {"W", &width}, {"B", &block}, {"I", &l1}, {"D", &dram}};
    for (const auto& [name, one] : all) text += acceptsInput(ruleBook(kind), operand, *one) ? name : "";
    return text;
  };
  EXPECT_EQ(accepted(OpKind::TtnnUpdateCache, 0), "D");
  EXPECT_EQ(accepted(OpKind::TtnnUpdateCache, 1), "HID");
  EXPECT_EQ(accepted(OpKind::TtnnPagedUpdateCache, 2), "HID");
  EXPECT_EQ(accepted(OpKind::TtnnRmsNorm, 0), "WBID");
  EXPECT_EQ(accepted(OpKind::TtnnRmsNorm, 1), "HWBID");
  EXPECT_EQ(accepted(OpKind::TtnnMatmul, 0), "HWBID");
  EXPECT_EQ(accepted(OpKind::TtnnMatmul, 1), "ID");
  EXPECT_EQ(accepted(OpKind::TtnnReshape, 0), "HBID");
  EXPECT_EQ(accepted(OpKind::TtnnSliceStatic, 0), "ID");
  EXPECT_EQ(accepted(OpKind::TtnnScaledDotProductAttentionDecode, 0), "HWBD");
  EXPECT_EQ(accepted(OpKind::TtnnScaledDotProductAttentionDecode, 1), "D");
  EXPECT_EQ(accepted(OpKind::TtnnAdd, 1), "HWBID");
  using Inputs = std::vector<std::optional<TensorLayout>>;
  const auto together = [](OpKind kind, const Inputs& inputs, const TensorLayout& out) {
    return acceptsCombination(ruleBook(kind), inputs, out);
  };
  const TensorLayout taller = layout(TensorMemoryLayout::HeightSharded, {16, 1});
  EXPECT_TRUE(together(OpKind::TtnnConcat, {height, height}, height));
  EXPECT_FALSE(together(OpKind::TtnnConcat, {height, taller}, height)) << "another grid";
  EXPECT_FALSE(together(OpKind::TtnnConcat, {height, height}, taller));
  EXPECT_FALSE(together(OpKind::TtnnConcat, {height, width}, height));
  EXPECT_FALSE(together(OpKind::TtnnConcat, {height, height}, dram));
  EXPECT_TRUE(together(OpKind::TtnnConcat, {dram, dram}, l1));
  EXPECT_FALSE(together(OpKind::TtnnConcat, {dram, dram}, height));
  EXPECT_TRUE(together(OpKind::TtnnConv2d, {height, dram}, dram));
  EXPECT_TRUE(together(OpKind::TtnnConv2d, {height, dram}, taller));
  EXPECT_FALSE(together(OpKind::TtnnConv2d, {height, dram}, block));
  EXPECT_TRUE(together(OpKind::TtnnAdd, {height, block}, width)) << "any";
}

TEST(RulesAtLimits, DefaultsOfAttributes) {
  std::string dims;
  size_t withDefault = 0, without = 0;
  for (const OpInfo& op : allOps()) {
    for (const OpAttr& attr : opAttributes(op.name)) {
      EXPECT_FALSE(attr.name.empty()) << op.name;
      EXPECT_EQ(attr.name.find_first_of("=: "), std::string_view::npos) << op.name;
      EXPECT_FALSE(attr.type.empty()) << op.name << " " << attr.name;
      EXPECT_EQ(attr.type.find('='), std::string_view::npos) << op.name << " " << attr.name;
      EXPECT_NE(attr.defaultValue.substr(0, 1), "=") << op.name << " " << attr.name;
      ++(attr.defaultValue.empty() ? without : withDefault);
    }
  }
  EXPECT_GT(withDefault, 50u);
  EXPECT_GT(without, 50u);
  EXPECT_TRUE(opAttributes("ttnn.no_such_op").empty());
  EXPECT_TRUE(opAttributes("zzz").empty());
}

TEST(RulesAtLimits, TheQuerysOwnSettingsComeFirst) {
  const ComputeConfig op{MathFidelity::LoFi, false}, query{MathFidelity::HiFi3, true};
  EXPECT_EQ(filledFrom(query, op).fidelity, MathFidelity::HiFi3);
  EXPECT_EQ(filledFrom(query, op).fp32DestAcc, true);
  EXPECT_EQ(filledFrom({}, op).fidelity, MathFidelity::LoFi);
  EXPECT_EQ(filledFrom({}, op).fp32DestAcc, false);
  EXPECT_EQ(filledFrom({{}, true}, op).fidelity, MathFidelity::LoFi);
  EXPECT_EQ(filledFrom({{}, true}, op).fp32DestAcc, true);
  EXPECT_EQ(filledFrom(query, {}).fp32DestAcc, true);
  EXPECT_EQ(filledFrom(op, query).fp32DestAcc, false) << "off is said as well as on";
}

// Numbers beyond 64 bits are sizes that nothing has, and no number is none.
TEST(RulesAtLimits, SizesOfConfigurations) {
  const auto height = [](const std::string& value) {
    return parseActBlockH("#ttnn.conv2d_config<act_block_h_override = " + value + ">");
  };
  EXPECT_EQ(height("64"), 64);
  EXPECT_EQ(height("99999999999999999999"), int64_t{1} << 40);
  EXPECT_EQ(height("x"), 0);
  EXPECT_EQ(parseActBlockH("#ttnn.conv2d_config<act_block_h_override: 64>"), 0);
  const std::string config =
      "#ttnn.conv2d_config<activation = <op_type = relu, a = [1, 2]>, core_grid = <[(0,0), (7,6)]> , x = 1>";
  EXPECT_EQ(conv2dConfigField(config, "activation"), "<op_type = relu, a = [1, 2]>");
  EXPECT_EQ(conv2dConfigField(config, "core_grid"), "<[(0,0), (7,6)]>");
  EXPECT_EQ(conv2dConfigField(config, "x"), "1");
  EXPECT_EQ(conv2dConfigField(config, "a"), "");
  EXPECT_EQ(conv2dConfigField("", "x"), "");
}

}  // namespace
}  // namespace tessera::test
