// Ops that the library composes or converts for: their circular buffers, what they keep in L1, what they take.

#include "tests/ops/asking.h"

namespace tessera::test {
namespace {

const DeviceSpec& board() { return *findDevice("n300"); }
const Shape kWide = {64, 1024};  // a tile a core

Asked binary(OpKind kind, Where where, DType dtype) {
  return Asked(board(), kind, {{kWide, where, dtype}, {kWide, where, dtype}}, {{kWide, where, dtype}});
}

int64_t beyondResult(const Asked& asked) {
  const OpConstraints c = asked.constraints();
  return c.tensorL1PeakSize.count - c.outputL1BufferSize.count;
}

TEST(ComposedOps, IntegerOpsConvertFloats) {
  const Asked floats = binary(OpKind::TtnnBitwiseAnd, kInL1, DType::BF16),
              integers = binary(OpKind::TtnnBitwiseAnd, kInL1, DType::I32);
  EXPECT_EQ(floats.buffers(), 24'576);
  EXPECT_EQ(integers.buffers(), 24'576);
  EXPECT_EQ(beyondResult(floats), 3 * 4096) << "both operands and the result in 32 bits";
  EXPECT_EQ(beyondResult(integers), 0);
  EXPECT_EQ(beyondResult(binary(OpKind::TtnnBitwiseAnd, kInDram, DType::BF16)), 0);
  const Asked flipped(board(), OpKind::TtnnBitwiseNot, {{kWide, kInL1}}, {{kWide, kInL1}});
  EXPECT_EQ(flipped.buffers(), 16'384);
  EXPECT_EQ(beyondResult(flipped), 2 * 4096);
}

TEST(ComposedOps, RemaindersAndAnglesKeepWhatTheyChooseFrom) {
  EXPECT_EQ(binary(OpKind::TtnnRemainder, kInL1, DType::BF16).buffers(), 32'768) << "a choice of 32-bit tiles";
  EXPECT_EQ(beyondResult(binary(OpKind::TtnnRemainder, kInL1, DType::BF16)), (2 + 4) * 4096);
  EXPECT_EQ(beyondResult(binary(OpKind::TtnnRemainder, kInL1, DType::F32)), 3 * 4096);
  EXPECT_EQ(binary(OpKind::TtnnAtan2, kInL1, DType::BF16).buffers(), 16'384);
  EXPECT_EQ(beyondResult(binary(OpKind::TtnnAtan2, kInL1, DType::BF16)), 11 * 2048);
}

TEST(ComposedOps, BlockFloatsAreWidenedButForSumsAndProducts) {
  EXPECT_EQ(binary(OpKind::TtnnMaximum, kInL1, DType::BFP8).buffers(), 12'288);
  EXPECT_EQ(beyondResult(binary(OpKind::TtnnMaximum, kInL1, DType::BFP8)), 3 * 2048);
  EXPECT_EQ(binary(OpKind::TtnnMultiply, kInL1, DType::BFP8).buffers(), 3 * 2 * 1088);
  EXPECT_EQ(beyondResult(binary(OpKind::TtnnMultiply, kInL1, DType::BFP8)), 0);
  EXPECT_EQ(beyondResult(binary(OpKind::TtnnMaximum, heightOver(2), DType::BFP8)), 0) << "the older kernel on shards";
  const Asked mixed(board(), OpKind::TtnnMaximum, {{kWide, heightOver(2), DType::BFP8}, {kWide, kInL1, DType::BFP8}},
                    {{kWide, heightOver(2), DType::BFP8}});
  EXPECT_EQ(beyondResult(mixed), 0) << "of which one is enough";
  const Asked second(board(), OpKind::TtnnMaximum, {{kWide, kInL1, DType::BF16}, {kWide, kInL1, DType::BFP8}},
                     {{kWide, kInL1, DType::BF16}});
  EXPECT_GT(beyondResult(second), 0) << "whichever operand is a block float";
}

// Lines of every tensor, made from tiles; what is made stays until the op is done.
TEST(ComposedOps, ScatterTakesItsTensorsApart) {
  const auto scatter = [&](Where where, int64_t dim) {
    return Asked(board(), OpKind::TtnnScatter, {{{64, 512}, where}, {{64, 128}, where, DType::U32}, {{64, 128}, where}},
                 {{{64, 512}, where}}, {{"dim", intAttr(dim)}});
  };
  EXPECT_EQ(beyondResult(scatter(kInDram, 1)), 0);
  EXPECT_EQ(beyondResult(scatter(kInL1, 1)), 512 * 2 + 128 * 4 + 128 * 2 + 512 * 2) << "a line of each a core";
  // 512 lines of 64 and 128 lines of 64 over 64 cores.
  EXPECT_EQ(beyondResult(scatter(kInL1, 0)), 2 * (8 * 64 * 2) + 2 * 64 * 4 + 2 * 64 * 2);
  Where rows = kInL1;
  rows.page = PageLayout::RowMajor;
  EXPECT_EQ(beyondResult(scatter(rows, 1)), 0);
  EXPECT_EQ(scatter(rows, 1).buffers(), 1024 + 512 + 256 + 1024);
  EXPECT_EQ(scatter(kInL1, 1).buffers(), 2 * 16 * 2048) << "a row of tiles taken apart";
}

// The core with the most lines counts: one line more than there are cores makes two of it, whichever tensor has it.
TEST(ComposedOps, ScattersCountTheCoreWithTheMostLines) {
  const auto scatter = [&](int64_t lines, int64_t other) {
    return beyondResult(
        Asked(board(), OpKind::TtnnScatter,
              {{{lines, 32}, kInL1, DType::F32}, {{other, 64}, kInL1, DType::U32}, {{other, 64}, kInL1, DType::F32}},
              {{{lines, 32}, kInL1, DType::F32}}, {{"dim", intAttr(1)}}));
  };
  // Lines of 32 and of 64 elements of 4 bytes; two tensors of either.
  const auto expected = [](int64_t lines, int64_t other) { return 2 * lines * 32 * 4 + 2 * other * 64 * 4; };
  for (const auto& [lines, most] :
       {std::pair<int64_t, int64_t>{1, 1}, {63, 1}, {64, 1}, {65, 2}, {100, 2}, {128, 2}, {129, 3}, {193, 4}}) {
    EXPECT_EQ(scatter(lines, 64), expected(most, 1)) << lines;
    EXPECT_EQ(scatter(64, lines), expected(1, most)) << lines;
  }
}

TEST(ComposedOps, PoolsRefuseWindowsThatAreMostlyPadding) {
  const auto pool = [&](std::vector<int64_t> padding, int64_t kernel, Where where) {
    const int64_t out = (32 + 2 * padding[0] - kernel) / 2 + 1;
    return Asked(board(), OpKind::TtnnMaxPool2d, {{{1, 1, 1024, 64}, where}}, {{{1, 1, out * out, 64}, kInDram}},
                 {{"batch_size", intAttr(1)},
                  {"input_height", intAttr(32)},
                  {"input_width", intAttr(32)},
                  {"channels", intAttr(64)},
                  {"kernel_size", intArrayAttr({kernel, kernel})},
                  {"stride", intArrayAttr({2, 2})},
                  {"padding", intArrayAttr(padding)},
                  {"dilation", intArrayAttr({1, 1})}})
        .verdict();
  };
  EXPECT_TRUE(pool({1, 1}, 3, kInDram).ok());
  EXPECT_TRUE(pool({1, 1}, 2, kInDram).ok());
  EXPECT_EQ(pool({2, 2}, 3, kInDram).reason, Refusal::ShapeMismatch);
  EXPECT_TRUE(pool({1, 1}, 3, widthOver(2)).ok());
}

}  // namespace
}  // namespace tessera::test
