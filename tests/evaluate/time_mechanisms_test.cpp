// What makes an op slow: each mechanism of the time model moves the time the right way, on both chips.

#include <gtest/gtest.h>

#include "core/evaluate/eval_times.h"
#include "core/evaluate/profile_programs.h"
#include "core/ir/builder.h"
#include "core/ops/rules/window_plan.h"
#include "core/ops/rules/window_programs.h"

namespace tessera {
namespace {

constexpr const char* kBoards[] = {"n150", "p100", "p150"};

TimedTensor tensor(Shape shape, PageLayout page = PageLayout::Tile, DType dtype = DType::BF16) {
  TimedTensor t{std::move(shape), dtype};
  t.page = page;
  return t;
}

TimedTensor inHeights(Shape shape, int32_t cores, PageLayout page = PageLayout::Tile, DType dtype = DType::BF16) {
  TimedTensor t = tensor(std::move(shape), page, dtype);
  t.buffer = BufferType::L1;
  t.memory = TensorMemoryLayout::HeightSharded;
  t.grid = {cores, 1};
  return t;
}

int64_t timeOf(const DeviceSpec& device, OpKind kind, std::vector<TimedTensor> operands, TimedTensor result,
               AttrList attrs = {}) {
  TimedOp op{kind, std::move(operands), std::move(result)};
  op.attrs = std::move(attrs);
  std::optional<int64_t> time = modelTime(device, std::move(op));
  EXPECT_TRUE(time);
  return time.value_or(0);
}

class OnBoard : public ::testing::TestWithParam<const char*> {
 protected:
  OnBoard() { few_.grid = {2, 5}; }
  const DeviceSpec& device_ = *findDevice(GetParam());
  DeviceSpec few_ = device_;  // so few cores that memory has time for all of them
};
INSTANTIATE_TEST_SUITE_P(Boards, OnBoard, ::testing::ValuesIn(kBoards));

constexpr PageLayout kRows = PageLayout::RowMajor, kTiles = PageLayout::Tile;

TEST_P(OnBoard, FewCoresWaitForEveryTile) {
  Shape shape = {4096, 1024};
  int64_t all = timeOf(device_, OpKind::TtnnNeg, {tensor(shape)}, tensor(shape)),
          ten = timeOf(few_, OpKind::TtnnNeg, {tensor(shape)}, tensor(shape));
  EXPECT_GT(ten, all * 3 / 2);
  // A second operand adds a read, not twice the time.
  int64_t two = timeOf(few_, OpKind::TtnnAdd, {tensor(shape), tensor(shape)}, tensor(shape));
  EXPECT_GT(two, ten);
  EXPECT_LT(two, 2 * ten);
}

TEST_P(OnBoard, RepeatedOperandsAreSpreadByTheProcessor) {
  Shape shape = {4096, 1024};
  auto add = [&](Shape other) {
    return timeOf(few_, OpKind::TtnnAdd, {tensor(shape), tensor(std::move(other))}, tensor(shape));
  };
  EXPECT_GT(add({4096, 1}), add(shape));
  EXPECT_GT(add({1, 1024}), add({4096, 1}));
  EXPECT_LE(add({1, 1}), add(shape));
}

TEST_P(OnBoard, UnevenShardsAreReadLikeAnyTensor) {
  constexpr int64_t kEven = 10 * 96, kUneven = kEven - 32;
  auto add = [&](int64_t rows, DType dtype) {
    TimedTensor t = inHeights({rows, 512}, 10, kTiles, dtype);
    return timeOf(few_, OpKind::TtnnAdd, {t, t}, t);
  };
  EXPECT_GT(add(kUneven, DType::BF16), 2 * add(kEven, DType::BF16));
  EXPECT_LE(add(kUneven, DType::BFP8), add(kEven, DType::BFP8)) << "the older kernel works on what is there";
}

TEST_P(OnBoard, TablesAreReadRowByRow) {
  auto embed = [&](int64_t rows, PageLayout page) {
    return timeOf(device_, OpKind::TtnnEmbedding, {tensor({1, rows}, kRows, DType::U32), tensor({8192, 1024}, kRows)},
                  tensor({1, rows, 1024}, page));
  };
  EXPECT_GT(embed(32, kTiles), 2 * embed(32, kRows)) << "a band of tiles is one core's";
  EXPECT_EQ(embed(1, kTiles), embed(32, kTiles)) << "a band is read whole however few indices there are";
  EXPECT_LT(embed(1024, kTiles), 4 * embed(32, kTiles));
  EXPECT_LT(embed(8, kRows), embed(512, kRows));
}

// The last row is on its way over the network still, unless the result lies in shards of the core's own.
TEST_P(OnBoard, RowsOfATableInShardsNeedNoLastWrite) {
  const auto embed = [&](TimedTensor out) {
    return timeOf(device_, OpKind::TtnnEmbedding, {tensor({1, 64}, kRows, DType::U32), tensor({8192, 1024}, kRows)},
                  std::move(out));
  };
  TimedTensor interleaved = tensor({64, 1024}, kRows);
  interleaved.buffer = BufferType::L1;
  interleaved.grid = device_.grid;
  EXPECT_GT(embed(interleaved), embed(inHeights({64, 1024}, 8, kRows)));
}

// What is no single kernel takes as long as its kernels; integers' ops convert floats first.
TEST_P(OnBoard, ComposedOpsTakeTheirKernels) {
  const Shape shape = {1024, 1024};
  const auto binary = [&](OpKind kind, DType dtype) {
    const TimedTensor t = tensor(shape, kTiles, dtype);
    return timeOf(device_, kind, {t, t}, t);
  };
  const int64_t sum = binary(OpKind::TtnnAdd, DType::F32);
  EXPECT_GT(binary(OpKind::TtnnRemainder, DType::F32), 5 * sum);
  EXPECT_GT(binary(OpKind::TtnnAtan2, DType::F32), binary(OpKind::TtnnRemainder, DType::F32) * 3 / 2);
  EXPECT_GT(binary(OpKind::TtnnBitwiseAnd, DType::BF16), 2 * binary(OpKind::TtnnBitwiseAnd, DType::I32));
  EXPECT_GT(binary(OpKind::TtnnMaximum, DType::BFP8), 2 * binary(OpKind::TtnnAdd, DType::BFP8));
}

TEST_P(OnBoard, ShortRowsCostAsManyReadsAsLongOnes) {
  auto copy = [&](int64_t rows, int64_t cols) {
    return timeOf(device_, OpKind::TtnnToMemoryConfig, {tensor({rows, cols}, kRows)},
                  inHeights({rows, cols}, 32, kRows));
  };
  EXPECT_GT(copy(32768, 64), 4 * copy(4096, 512));  // as many bytes in eight times the rows
}

TEST_P(OnBoard, PaddingIsFilledInRowByRow) {
  auto tilize = [&](Shape shape) { return timeOf(few_, OpKind::TtnnToLayout, {tensor(shape, kRows)}, tensor(shape)); };
  auto untilize = [&](Shape shape) {
    return timeOf(few_, OpKind::TtnnToLayout, {tensor(shape)}, tensor(shape, kRows));
  };
  Shape whole = {32768, 256}, padded = {32767, 256};
  EXPECT_GT(tilize(padded), 2 * tilize(whole));
  EXPECT_GT(untilize(padded), untilize(whole));
}

TEST_P(OnBoard, ConversionsShareOutRowsOfTilesUntilTheyAreLong) {
  const auto tilize = [&](const Shape& shape) {
    return timeOf(few_, OpKind::TtnnToLayout, {tensor(shape, kRows)}, tensor(shape));
  };
  EXPECT_EQ(tilize({5 * 32, 512}), tilize({10 * 32, 512})) << "a core has whole rows of tiles";
  EXPECT_GT(tilize({11 * 32, 512}), tilize({10 * 32, 512}));
  EXPECT_LT(tilize({32, 2048}), tilize({32, 1024})) << "more than 32 tiles go to all cores";
}

// From as many bands as cores on, a core takes whole bands: of more than 32 tiles, ten cores take as much longer for 20
// bands than for 10 as for 30 than for 20. With a band less than cores its tiles go to all of them. Up to 32 tiles wide
// a band is one core's however few there are.
TEST_P(OnBoard, LongBandsAreSharedOutUntilEveryCoreHasOne) {
  for (const int64_t cols : {33 * 32, 40 * 32, 40 * 32 - 30}) {
    for (const bool intoTiles : {true, false}) {
      SCOPED_TRACE(std::to_string(cols) + (intoTiles ? " into tiles" : " into rows"));
      const auto bands = [&](int64_t count) {
        const Shape shape = {count * 32, cols};
        return timeOf(few_, OpKind::TtnnToLayout, {tensor(shape, intoTiles ? kRows : kTiles)},
                      tensor(shape, intoTiles ? kTiles : kRows));
      };
      EXPECT_NEAR(double(bands(20) - bands(10)), double(bands(30) - bands(20)), 2) << "nanoseconds, rounded";
      EXPECT_LT(bands(9), bands(10));
      EXPECT_LE(bands(1), bands(9));
      EXPECT_LT(bands(10), bands(11));
      EXPECT_EQ(bands(11), bands(20));
    }
  }
  const auto short32 = [&](int64_t count) {
    const Shape shape = {count * 32, 1024};
    return timeOf(few_, OpKind::TtnnToLayout, {tensor(shape, kRows)}, tensor(shape));
  };
  EXPECT_EQ(short32(1), short32(10));
}

TEST_P(OnBoard, WhatAPermutationTakesApartDecides) {
  Shape in = {8, 16, 64, 128};
  auto permute = [&](std::vector<int64_t> order) {
    Shape out;
    for (int64_t dim : order) out.push_back(in[static_cast<size_t>(dim)]);
    return timeOf(device_, OpKind::TtnnPermute, {tensor(in)}, tensor(out), {{"permutation", intArrayAttr(order)}});
  };
  int64_t tiles = permute({1, 0, 2, 3}), lastTwo = permute({0, 1, 3, 2}), rows = permute({0, 2, 1, 3}),
          columns = permute({0, 3, 1, 2});
  EXPECT_EQ(tiles, lastTwo);
  EXPECT_GT(rows, tiles);
  EXPECT_GT(columns, tiles);
  // A transposition asks for all lines before it waits.
  int64_t transposed = timeOf(device_, OpKind::TtnnTranspose, {tensor(in)}, tensor({8, 64, 16, 128}),
                              {{"dim0", intAttr(1)}, {"dim1", intAttr(2)}});
  EXPECT_LT(transposed, rows);
  EXPECT_GT(transposed, tiles);
}

TEST_P(OnBoard, ReshapesThatKeepTheirRowsTakeFewerReads) {
  auto reshape = [&](Shape in, Shape out, PageLayout page) {
    return timeOf(device_, OpKind::TtnnReshape, {tensor(std::move(in), page)}, tensor(std::move(out), page));
  };
  EXPECT_LT(reshape({4080, 256}, {34, 120, 256}, kTiles), reshape({2040, 512}, {34, 120, 256}, kTiles));
  EXPECT_LT(reshape({4096, 256}, {2048, 512}, kRows), reshape({65536, 16}, {2048, 512}, kRows));
}

TEST_P(OnBoard, NormalizationsKnowTheirGroupsAndRows) {
  TimedTensor x = inHeights({1, 1, 7680, 256}, 20, kRows);
  auto group = [&](int64_t groups) {
    return timeOf(device_, OpKind::TtnnGroupNorm, {x}, x, {{"num_groups", intAttr(groups)}});
  };
  EXPECT_GT(group(32), 3 * group(8));
  // Interleaved: all cores have a part, and read it once for each of mean, variance and result.
  auto interleaved = [&](const DeviceSpec& device, int64_t rows, int64_t channels) {
    const TimedTensor t = tensor({1, 1, rows, channels});
    return timeOf(device, OpKind::TtnnGroupNorm, {t}, t, {{"num_groups", intAttr(8)}});
  };
  EXPECT_GT(interleaved(few_, 16384, 256), 3 * interleaved(device_, 16384, 256));
  TimedTensor shards = inHeights({1, 1, 7680, 256}, 10);
  EXPECT_GT(interleaved(few_, 7680, 256),
            timeOf(few_, OpKind::TtnnGroupNorm, {shards}, shards, {{"num_groups", intAttr(8)}}) / 2);
  EXPECT_GT(interleaved(device_, 16384, 128) * 5 / 4, interleaved(device_, 16384, 256))
      << "groups that share tiles visit them again";
  // One row of tiles is one core's, however wide it is.
  auto norm = [&](int64_t rows, int64_t cols) {
    return timeOf(device_, OpKind::TtnnRmsNorm, {tensor({rows, cols})}, tensor({rows, cols}));
  };
  EXPECT_GT(norm(32, 4096), 3 * norm(32, 1024));
  EXPECT_LT(norm(1024, 1024), 2 * norm(32, 1024));
}

TEST_P(OnBoard, RunningSumsGoAlongTheirDim) {
  Shape shape = {64, 4, 32, 128};
  auto sum = [&](int64_t dim) {
    return timeOf(device_, OpKind::TtnnCumsum, {tensor(shape)}, tensor(shape), {{"dim", intAttr(dim)}});
  };
  EXPECT_GT(sum(0), sum(1));
  EXPECT_EQ(sum(-4), sum(0));
}

TEST_P(OnBoard, AttentionCountsPairsOfTiles) {
  auto attention = [&](int64_t keys, AttrList attrs) {
    return timeOf(device_, OpKind::TtnnScaledDotProductAttention,
                  {tensor({1, 8, 2048, 128}), tensor({1, 8, keys, 128}), tensor({1, 8, keys, 128})},
                  tensor({1, 8, 2048, 128}), std::move(attrs));
  };
  int64_t whole = attention(2048, {}), causal = attention(2048, {{"is_causal", boolAttr(true)}});
  EXPECT_GT(attention(4096, {}), whole * 9 / 5);
  EXPECT_LT(causal, whole * 3 / 5);
  EXPECT_GT(causal, whole * 2 / 5);
}

TEST_P(OnBoard, ExchangesBetweenChipsGrowWithWhatCrosses) {
  auto gather = [&](int64_t rows) {
    return timeOf(device_, OpKind::TtnnAllGather, {tensor({1, 1, rows, 256})}, tensor({1, 1, rows, 2048}));
  };
  EXPECT_GT(gather(8192), gather(4096) * 9 / 5);
  EXPECT_LT(gather(64), gather(32) * 3 / 2) << "small ones take the way round";
}

// A part of a larger tensor, written out of shards: every tile is waited for, every row has its place worked out.
TEST_P(OnBoard, SlicesAreWrittenPieceByPiece) {
  const Shape wide = {1, 1, 30720, 64}, narrow = {1, 1, 30720, 8};
  const auto slice = [&](const Shape& shape, PageLayout page) {
    return timeOf(few_, OpKind::TtnnSliceStatic, {inHeights(shape, 10, page)}, tensor(shape, page));
  };
  const int64_t copied = timeOf(few_, OpKind::TtnnToMemoryConfig, {inHeights(wide, 10)}, tensor(wide));
  EXPECT_GT(slice(wide, kTiles), copied * 3 / 2);
  EXPECT_GT(slice(narrow, kRows), slice(wide, kRows) * 3 / 4) << "the rows count, not their bytes";
  EXPECT_GT(slice({1, 1, 61440, 8}, kRows), slice(narrow, kRows) * 3 / 2);
}

// Rows of a concatenation are fetched one by one, however short they are.
TEST_P(OnBoard, ConcatenatedRowsAreFetchedOneByOne) {
  const auto concat = [&](const Shape& a, const Shape& b, const Shape& out, int64_t dim) {
    return timeOf(few_, OpKind::TtnnConcat, {tensor(a, kRows), tensor(b, kRows)}, tensor(out, kRows),
                  {{"dim", intAttr(dim)}});
  };
  const int64_t below = concat({16128, 6}, {16128, 6}, {32256, 6}, 0),
                beside = concat({16128, 6}, {16128, 6}, {16128, 12}, 1);
  EXPECT_GT(below, beside * 3 / 2) << "operands of one row of the result are waited for together";
  EXPECT_LT(below, 3 * beside);
  const int64_t fewer = concat({4032, 24}, {4032, 24}, {8064, 24}, 0);
  EXPECT_GT(below, 3 * fewer) << "as many bytes in a quarter of the rows";
}

TEST_P(OnBoard, BatchesOfAProductDoNotOverlap) {
  auto product = [&](int64_t batches) {
    return timeOf(device_, OpKind::TtnnMatmul, {tensor({batches, 64, 64}), tensor({batches, 64, 64})},
                  tensor({batches, 64, 64}));
  };
  EXPECT_GT(product(32), 12 * product(1));
}

ConvProgram conv(bool blackhole) {
  ConvProgram p;
  p.blackhole = blackhole;
  p.rows = 8, p.cols = 4, p.depth = 72, p.blockRows = 8, p.blockDepth = 24, p.windowRows = 3;
  return p;
}

// A core waits for the larger of its operands' blocks. Where that is one operand's by far, its element type says how
// long; that of the other, as long as the arithmetic stays the same, says nothing.
TEST_P(OnBoard, BlocksOfAnOperandAreFetchedInItsOwnType) {
  constexpr DType kWide = DType::BF16, kNarrow = DType::BFP8;
  struct Case {
    const char* name;
    MatmulAttrs program;
    Shape a, b, out;
    bool second;  // has the larger blocks
  };
  const MatmulAttrs tall{.program = MatmulProgram::Reuse, .perCoreM = 16, .perCoreN = 1, .in0BlockW = 8},
      wide{.program = MatmulProgram::Reuse, .perCoreM = 1, .perCoreN = 16, .in0BlockW = 8};
  const Case cases[] = {{"tall", tall, {2, 512, 256}, {2, 256, 32}, {2, 512, 32}, false},
                        {"wide", wide, {2, 32, 256}, {2, 256, 512}, {2, 32, 512}, true}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const auto time = [&](DType a, DType b) {
      TimedOp op{OpKind::TtnnMatmul, {tensor(one.a, kTiles, a), tensor(one.b, kTiles, b)}, tensor(one.out)};
      op.config = one.program;
      return modelTime(device_, std::move(op)).value_or(0);
    };
    const int64_t both = time(kWide, kWide), first = time(kNarrow, kWide), second = time(kWide, kNarrow);
    EXPECT_GT(both, 0);
    EXPECT_EQ(one.second ? first : second, both);
    EXPECT_LT(one.second ? second : first, both * 9 / 10);
  }
}

TEST(WindowPrograms, AConvolutionTakesLongerForMoreOfAnything) {
  for (bool blackhole : {false, true}) {
    const double base = convProgramCycles(conv(blackhole));
    auto changed = [&](auto change) {
      ConvProgram p = conv(blackhole);
      change(p);
      return convProgramCycles(p);
    };
    EXPECT_GT(changed([](ConvProgram& p) { p.rows = p.blockRows = 16; }), base);
    EXPECT_GT(changed([](ConvProgram& p) { p.cols = 8; }), base);
    EXPECT_GT(changed([](ConvProgram& p) { p.depth = 144; }), base);
    EXPECT_GT(changed([](ConvProgram& p) { p.blockRows = 1; }), base) << "one reader";
    EXPECT_GT(changed([](ConvProgram& p) { p.blockDepth = 8; }), base) << "more sums put aside";
    EXPECT_GT(changed([](ConvProgram& p) { p.passes = 4; }), base);
    EXPECT_GT(changed([](ConvProgram& p) { p.bias = true; }), base);
    EXPECT_LT(changed([](ConvProgram& p) { p.reusesLines = true; }), base);
    EXPECT_LT(changed([](ConvProgram& p) { p.weightTile = 1088; }), base);
    auto shared = [](ConvProgram& p) { p.shared = true; };
    EXPECT_GT(changed([&](ConvProgram& p) { shared(p), p.blockRows = 2; }), changed(shared)) << "more steps";
    EXPECT_GT(changed([&](ConvProgram& p) { shared(p), p.ownWeights = true; }), changed(shared));
  }
  EXPECT_EQ(convProgramCycles(conv(true)), convProgramCycles(conv(true)));
}

TEST(WindowPrograms, AHaloIsBoundByTilesOrByWhatIsSent) {
  HaloProgram rows{
      .blackhole = true, .cores = 20, .rowsMoved = 320, .rowsOut = 960, .rowBytes = 512, .tiles = 0, .tileCols = 8};
  HaloProgram more = rows, crowded = rows, tiled = rows, wormhole = rows;
  more.rowsMoved = 640;
  crowded.cores = 100;
  tiled.tiles = 400;
  wormhole.blackhole = false;
  for (const HaloProgram& slower : {more, crowded, tiled, wormhole}) EXPECT_GT(haloCycles(slower), haloCycles(rows));
  HaloProgram nothing = rows;
  nothing.rowsOut = nothing.rowsMoved = 0;
  EXPECT_GE(haloCycles(nothing), 1000);
}

// Shards of the input that are longer than what a core's outputs advance over drift away from them, core by core.
TEST(WindowPrograms, ShardsThatAreCutOtherwiseHoldLittleOfWhatTheirCoreNeeds) {
  Window2d w;
  w.batch = 1, w.inH = 128, w.inW = 130, w.kernelH = w.kernelW = 3;
  w.padTop = w.padBottom = 1;
  w.outH = 128, w.outW = 128;
  const HaloRows apart = haloRows(w, 103, 192, 160), alike = haloRows(w, 103, 163, 160);
  EXPECT_EQ(apart.covered, alike.covered);
  EXPECT_GE(apart.sent, apart.covered) << "all of what a core needs, and part of it to two";
  EXPECT_LT(alike.sent, alike.covered * 3 / 4);
  w.inW = 128, w.padLeft = w.padRight = 1;
  EXPECT_EQ(haloRows(w, 64, 256, 256).sent, 2 * 128) << "a line to either neighbour";
  EXPECT_EQ(haloRows(w, 1, 128 * 128, 128 * 128).sent, 0);
  EXPECT_EQ(haloRows(w, 1, 128 * 128, 128 * 128).covered, 128 * 128);
  int64_t before = 0;
  for (int64_t shard : {256, 288, 320, 384}) {
    const int64_t sent = haloRows(w, 64, shard, 256).sent;
    EXPECT_GE(sent, before) << shard;
    before = sent;
  }
  w.batch = 4;
  EXPECT_EQ(haloRows(w, 4, 128 * 128, 128 * 128).sent, 0) << "an image each";
}

// A tile of the result is packed while the next is multiplied: with one tile of inner dim packing is what is seen.
TEST_P(OnBoard, ShortInnerDimsWaitForThePacker) {
  auto product = [&](int64_t k, int64_t m) {
    TimedOp op{OpKind::TtnnMatmul, {inHeights({m, k}, 8), tensor({k, 576})}, inHeights({m, 576}, 8)};
    op.config = MatmulAttrs{.program = MatmulProgram::MultiCast1dIn1,
                            .perCoreM = m / 32 / 8,
                            .perCoreN = 18,
                            .in0BlockW = k / 32,
                            .outSubblockH = 1,
                            .outSubblockW = 1};
    return modelTime(device_, std::move(op)).value_or(0);
  };
  auto perBand = [&](int64_t k) { return product(k, 8 * 128) - product(k, 8 * 64); };  // two bands of tiles
  EXPECT_GT(perBand(32), 0);
  EXPECT_LT(perBand(96), 3 * perBand(32)) << "packing hides behind three products";
  EXPECT_NEAR(static_cast<double>(perBand(192)), 2 * static_cast<double>(perBand(96)),
              0.05 * static_cast<double>(perBand(192)));
}

TEST(OtherPrograms, ProductsThatPassTheirOperandsOnReadAndSendByTurns) {
  PassedProduct p{.blackhole = false, .m = 1, .n = 40, .k = 40};
  p.blockM = 2, p.blockN = 8, p.blockK = 8, p.coresM = 8, p.coresN = 8;
  const double base = passedProductCycles(p);
  PassedProduct wide = p, blackhole = p, lofi = p;
  wide.n = 160;
  blackhole.blackhole = true;
  lofi.passes = 1;
  EXPECT_GT(passedProductCycles(wide), 2 * base);
  EXPECT_LT(passedProductCycles(wide), 4 * base) << "padding of the last block is handed on all the same";
  EXPECT_LT(passedProductCycles(blackhole), base);
  EXPECT_LT(passedProductCycles(lofi), base);
}

TEST(OtherPrograms, ImagesAreSummedByASliceOfChannelsPerCore) {
  SummedImage image{.blackhole = true, .depth = 24, .rows = 3, .slices = 8};
  const double base = summedImageCycles(image);
  SummedImage one = image, deep = image, more = image;
  one.slices = 1;
  deep.depth = 48;
  more.slices = 9;
  EXPECT_EQ(summedImageCycles(one), base);
  EXPECT_GT(summedImageCycles(more), base * 3 / 2);
  EXPECT_GT(summedImageCycles(deep), base * 3 / 2);
}

TEST(WindowPrograms, PoolsCountTheLinesTheyRead) {
  EXPECT_GT(poolProgramCycles(64, 9, 512), 2 * poolProgramCycles(64, 2, 512));
  EXPECT_GT(poolProgramCycles(1, 9, 64), poolProgramCycles(2, 9, 64) * 0.9) << "one output has one reader";
}

}  // namespace
}  // namespace tessera
