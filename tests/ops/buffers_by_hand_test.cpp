// Circular buffers of the programs of many ops, worked out by hand from the sources that core/ops/rules names: tiles of
// bf16 are 2048 bytes, of f32 and integers 4096.

#include "tests/ops/rule_case.h"

namespace tessera::test {
namespace {

void expectBuffers(const std::vector<RuleCase>& questions, const DeviceSpec& device = n150()) {
  for (const RuleCase& q : questions) {
    EXPECT_EQ(Asked(device, q.kind, q.operands, q.results, q.attrs).bufferText(), q.answer)
        << opInfo(q.kind).name << ": " << q.what;
  }
}

int64_t besideResult(const Asked& asked) {
  const OpConstraints c = asked.constraints();
  return c.tensorL1PeakSize.count - c.outputL1BufferSize.count;
}

TEST(BuffersByHand, BuffersOfMovingOps) {
  const Shape in = {64, 128}, longRow = {32, 8192};
  const auto kSlice = OpKind::TtnnSliceStatic, kToLayout = OpKind::TtnnToLayout;
  const Tensor tiles = {in, kInDram}, rows = {in, kDramRows}, height = {in, heightOver(2)};
  expectBuffers({
      {"turned",
       OpKind::TtnnPermute,
       {tiles},
       {{{128, 64}, kInDram}},
       {ints("permutation", {1, 0})},
       "in0 2*2048, out 2*2048"},
      {"not turned", OpKind::TtnnPermute, {tiles}, {tiles}, {ints("permutation", {0, 1})}, ""},
      {"not turned, into L1",
       OpKind::TtnnPermute,
       {tiles},
       {{in, kInL1}},
       {ints("permutation", {0, 1})},
       "in0 2*2048, out 2*2048"},
      {"whole tiles", kSlice, {tiles}, {{{32, 64}, kInDram}}, {}, "in and out 2*2048"},
      {"cut columns", kSlice, {tiles}, {{{32, 48}, kInDram}}, {}, "row in 4*2048, row out 4*2048"},
      {"cut rows", kSlice, {tiles}, {{{48, 64}, kInDram}}, {}, "row in 4*2048, row out 4*2048"},
      {"long rows", kSlice, {{longRow, kInDram}}, {{{32, 8190}, kInDram}}, {}, "row in 128*2048, row out 128*2048"},
      {"rows", kSlice, {rows}, {{{48, 64}, kDramRows}}, {}, "in and out 2*2048"},
      {"padded", OpKind::TtnnPad, {tiles}, {{{96, 128}, kInDram}}, {}, "in and out 2*2048, padding 1*2048"},
      {"padded by nothing", OpKind::TtnnPad, {tiles}, {tiles}, {}, ""},
      {"repeated", OpKind::TtnnRepeat, {tiles}, {{{128, 128}, kInDram}}, {}, "row in 4*2048, row out 4*2048"},
      {"repeated once", OpKind::TtnnRepeat, {tiles}, {tiles}, {}, ""},
      {"picked",
       OpKind::TtnnGather,
       {{{64, 512}, kInDram, DType::F32}, {in, kInDram, DType::U32}},
       {{in, kInDram, DType::F32}},
       {num("dim", 1)},
       "in0 2*4096, out 2*4096"},
      {"looked up",
       OpKind::TtnnEmbedding,
       {{{1, 256}, kDramRows, DType::U32}, {{512, 96}, kInDram}},
       {{{1, 256, 96}, kInDram}},
       {},
       "rows 6*2048"},
      {"long rows looked up",
       OpKind::TtnnEmbedding,
       {{{1, 256}, kDramRows, DType::U32}, {{512, 4096}, kInDram}},
       {{{1, 256, 4096}, kInDram}},
       {},
       "rows 128*2048"},
      {"taken apart", kToLayout, {tiles}, {rows}, {}, "row in 4*2048, row out 4*2048"},
      {"long rows taken apart",
       kToLayout,
       {{longRow, kInDram}},
       {{longRow, kDramRows}},
       {},
       "row in 64*2048, row out 64*2048"},
      {"taken apart and widened",
       kToLayout,
       {tiles},
       {{in, kDramRows, DType::F32}},
       {},
       "row in 4*2048, row out 4*4096"},
      {"from the host", kToLayout, {{in, kAtHost}}, {tiles}, {}, ""},
      {"other shards", kToLayout, {height}, {{in, widthOver(2)}}, {}, "page 1*2048"},
      {"into shards", kToLayout, {tiles}, {height}, {}, "staging 4*2048"},
      {"out of shards", kToLayout, {height}, {tiles}, {}, "in0 and out 2*2048"},
      {"copied", kToLayout, {tiles}, {{in, kInL1}}, {}, "in0 and out 2*2048"},
      {"widened", kToLayout, {tiles}, {{in, kInL1, DType::F32}}, {}, "in0 2*2048, out 2*4096"},
      {"widened out of shards", kToLayout, {height}, {{in, kInDram, DType::F32}}, {}, "in0 and out 2*4096"},
      {"drawn", OpKind::TtnnRand, {}, {tiles}, {}, "intermed0 2*4096, out 1*4096"},
      {"zeros", OpKind::TtnnZeros, {}, {tiles}, {}, ""},
      {"gathered from chips", OpKind::TtnnAllGather, {tiles}, {{{128, 128}, kInDram}}, {}, "in0 2*2048, out 2*2048"},
      {"cube root", OpKind::TtnnCbrt, {tiles}, {tiles}, {}, "in0 2*2048, intermed0 2*2048, out 2*2048"},
      {"copied", OpKind::TtnnAssign, {tiles}, {{in, kInL1}}, {}, "in0 and out 2*2048"},
      {"rows of 200 bytes",
       OpKind::TtnnRelu,
       {{{64, 100}, kDramRows}},
       {{{64, 100}, kDramRows}},
       {},
       "in0 2*224, out 2*224"},
      {"rows in shards", OpKind::TtnnRelu, {{in, rowsByHeight(8)}}, {{in, rowsByHeight(8)}}, {}, ""},
      {"zero or one first",
       OpKind::TtnnLogicalAnd,
       {tiles, tiles},
       {tiles},
       {},
       "in0 2*2048, activated in0 1*2048, in1 2*2048, activated in1 1*2048, out 2*2048"},
      {"one row for all",
       OpKind::TtnnAdd,
       {tiles, {{1, 128}, kInDram}},
       {tiles},
       {},
       "in0 2*2048, in1 2*2048, row of in1 2*2048, out 2*2048"},
      {"the first is one row",
       OpKind::TtnnAdd,
       {{{1, 128}, kInDram}, tiles},
       {tiles},
       {},
       "in0 2*2048, row of in0 2*2048, in1 2*2048, out 2*2048"},
      {"one element", OpKind::TtnnAdd, {tiles, {{1, 1}, kInDram}}, {tiles}, {}, "in0 2*2048, in1 2*2048, out 2*2048"},
      {"where they lie",
       OpKind::TtnnAdd,
       {height, {{64, 1}, kInDram}},
       {height},
       {},
       "in0 4*2048 <- operand 0, in1 2*2048, out 4*2048 <- result"},
  });
}

// Sticks are padded to 8 channels, and taken in tiles of 32; the places of a window are rounded up to 1024 numbers.
TEST(BuffersByHand, BuffersOfPools) {
  const auto pool = [](const char* what, OpKind kind, int64_t channels, std::vector<int64_t> kernel, const Where& to,
                       std::string answer) {
    const int64_t outputs = (33 - kernel[0]) * (33 - kernel[1]);
    std::vector<Tensor> results = {{{1, 1, outputs, channels}, to}};
    if (kind == OpKind::TtnnMaxPool2dWithIndices) results.push_back({{1, 1, outputs, channels}, to, DType::U16});
    return RuleCase{what,
                    kind,
                    {{{1, 1, 1024, channels}, kDramRows}},
                    results,
                    window(32, 32, channels, kernel),
                    std::move(answer)};
  };
  const auto kMax = OpKind::TtnnMaxPool2d, kAverage = OpKind::TtnnAvgPool2d;
  expectBuffers({
      // 9 places of 2 tiles of 32 channels: 576 numbers.
      pool("nine places", kMax, 64, {3, 3}, kDramRows,
           "scalar 2*2048, clear value 1*2048, window reader 0 2*2048, window reader 1 2*2048"),
      pool("nine places into tiles", kMax, 64, {3, 3}, kInDram,
           "scalar 2*2048, clear value 1*2048, window reader 0 2*2048, window reader 1 2*2048, pre-tilize 64*64"),
      pool("sixteen places", kMax, 64, {4, 4}, kDramRows,
           "scalar 2*2048, clear value 1*2048, window reader 0 2*2048, window reader 1 2*2048"),
      pool("seventeen places are 32", kMax, 64, {17, 1}, kDramRows,
           "scalar 2*2048, clear value 1*2048, window reader 0 2*4096, window reader 1 2*4096"),
      pool("at most eight tiles at once", kMax, 320, {3, 3}, kDramRows,  // 8 * 32 * 9 = 2304
           "scalar 2*2048, clear value 1*2048, window reader 0 2*6144, window reader 1 2*6144"),
      pool("indices: one tile at once", OpKind::TtnnMaxPool2dWithIndices, 320, {6, 6}, kDramRows,
           "scalar 2*2048, clear value 1*2048, window reader 0 2*2048, window reader 1 2*2048, indices 8*2048"),
      pool("an average of 32", kAverage, 320, {8, 4}, kDramRows,
           "scalar 4*2048, clear value 1*2048, window reader 0 2*16384, window reader 1 2*16384"),
      pool("an average of 33: four tiles at once", kAverage, 320, {11, 3}, kDramRows,
           "scalar 4*2048, clear value 1*2048, window reader 0 2*8192, window reader 1 2*8192"),
      {"global",
       OpKind::TtnnGlobalAvgPool2d,
       {{{2, 7, 7, 64}, kInDram}},
       {{{2, 1, 1, 64}, kInDram}},
       {},
       "in0 2*2048, scaler 2*2048, out 2*2048"},
      {"40 channels are 80 bytes",
       OpKind::TtnnUpsample,
       {{{1, 16, 16, 40}, kDramRows}},
       {{{1, 32, 32, 40}, kDramRows}},
       {},
       "rows 2*96"},
  });
  expectBuffers({{"Blackhole aligns to 64 bytes",
                  OpKind::TtnnUpsample,
                  {{{1, 16, 16, 40}, kDramRows}},
                  {{{1, 32, 32, 40}, kDramRows}},
                  {},
                  "rows 2*128"}},
                *findDevice("p150"));
}

TEST(BuffersByHand, BuffersOfNormalizationsAndReductions) {
  const Shape in = {64, 256}, longRow = {32, 3840};
  const auto kLayer = OpKind::TtnnLayerNorm, kRms = OpKind::TtnnRmsNorm, kArgmax = OpKind::TtnnArgmax;
  const Tensor tiles = {in, kInDram}, weight = {{256}, kInDram};
  const std::string statistics = "(x - mean)^2 8*2048, variance 2*2048, 1 / deviation 8*2048";
  const std::string start = "in0 8*2048, scaler 2*2048, epsilon 2*2048, ",
                    centred = "x - mean 8*2048, mean 2*2048, intermed6 16*2048, ";
  expectBuffers({
      {"bare", kLayer, {tiles}, {tiles}, {segments({1, 0, 0, 0})}, start + centred + statistics + ", out 16*2048"},
      {"weighted",
       kLayer,
       {tiles, weight, weight},
       {tiles},
       {segments({1, 1, 1, 0})},
       start + "weight 8*2048, bias 8*2048, " + centred + statistics + ", intermed5 16*2048, out 16*2048"},
      {"bare", kRms, {tiles}, {tiles}, {segments({1, 0, 0, 0})}, start + statistics + ", out 16*2048"},
      {"seven tiles",
       kRms,
       {{{64, 224}, kInDram}},
       {{{64, 224}, kInDram}},
       {segments({1, 0, 0, 0})},
       "in0 7*2048, scaler 2*2048, epsilon 2*2048, (x - mean)^2 7*2048, variance 2*2048, 1 / deviation 8*2048, out "
       "14*2048"},
      {"120 tiles are streamed",
       kRms,
       {{longRow, kInDram}},
       {{longRow, kInDram}},
       {segments({1, 0, 0, 0})},
       "in0 112*2048, scaler 2*2048, epsilon 2*2048, (x - mean)^2 112*2048, variance 2*2048, 1 / deviation 8*2048, out "
       "16*2048"},
      {"with weights in shorter parts",
       kRms,
       {{longRow, kInDram}, {{3840}, kInDram}},
       {{longRow, kInDram}},
       {segments({1, 1, 0, 0})},
       "in0 56*2048, scaler 2*2048, epsilon 2*2048, weight 56*2048, (x - mean)^2 56*2048, variance 2*2048, 1 / "
       "deviation 8*2048, intermed5 16*2048, out 16*2048"},
      {"blocks of 2 by 2 tiles",
       kRms,
       {{in, blockOver(1, 4)}},
       {{in, blockOver(1, 4)}},
       {segments({1, 0, 0, 0})},
       "in0 4*2048 <- operand 0, scaler 2*2048, epsilon 2*2048, (x - mean)^2 2*2048, variance 2*2048, 1 / deviation "
       "8*2048, out 4*2048 <- result"},
      {"sorted",
       OpKind::TtnnSort,
       {tiles},
       {tiles, {in, kInDram, DType::U16}},
       {num("dim", 1)},
       "in0 2*2048, indices in 2*2048, transposed values 2*2048, transposed indices 2*2048, out 2*2048, indices out "
       "2*2048, row of values 8*2048, row of indices 8*2048, cores 1*1024"},
      {"long rows sorted",
       OpKind::TtnnSort,
       {{longRow, kInDram}},
       {{longRow, kInDram}, {longRow, kInDram, DType::U16}},
       {num("dim", 1)},
       "in0 2*2048, indices in 2*2048, transposed values 2*2048, transposed indices 2*2048, out 2*2048, indices out "
       "2*2048, row of values 64*2048, row of indices 64*2048, cores 1*1024"},
      {"the index in each of 64 rows",
       kArgmax,
       {{{64, 96}, kDramRows}},
       {{{64, 1}, kDramRows, DType::U32}},
       {num("dim", -1)},
       "in0 1*192, out 1*256"},
      {"the index in each of 96 columns",
       kArgmax,
       {{{64, 96}, kDramRows}},
       {{{1, 96}, kDramRows, DType::U32}},
       {num("dim", 0)},
       "in0 1*192, out 1*384"},
      {"the index of all",
       kArgmax,
       {{{64, 96}, kDramRows}},
       {{{1, 1}, kDramRows, DType::U32}},
       {},
       "in0 1*192, out 1*4"},
      {"summed up",
       OpKind::TtnnSum,
       {tiles},
       {{{64, 1}, kInDram}},
       {ints("dim_arg", {1})},
       "in0 2*2048, scaler 2*2048, out 2*2048"},
      {"running",
       OpKind::TtnnCumsum,
       {tiles},
       {tiles},
       {num("dim", 0)},
       "in0 4*2048, start 4*2048, sum 4*2048, out 4*2048"},
      {"eight tiles",
       OpKind::TtnnSoftmax,
       {tiles},
       {tiles},
       {num("dimension", 1)},
       "in0 16*2048, max scaler 1*2048, sum scaler 1*2048, 1 / sum 1*2048, exponentials 8*2048, out 16*2048"},
      {"six tiles of shards",
       OpKind::TtnnSoftmax,
       {{{64, 192}, heightOver(2)}},
       {{{64, 192}, heightOver(2)}},
       {num("dimension", 1)},
       "in0 12*2048, max scaler 1*2048, sum scaler 1*2048, 1 / sum 1*2048, intermed0 4*2048, exponentials 6*2048, out "
       "12*2048"},
      {"130 tiles are streamed",
       OpKind::TtnnSoftmax,
       {{{32, 4160}, kInDram}},
       {{{32, 4160}, kInDram}},
       {num("dimension", 1)},
       "in0 16*2048, max scaler 1*2048, sum scaler 1*2048, 1 / sum 1*2048, exponentials 128*2048, out 16*2048"},
  });
  DeviceSpec later = n150();
  later.library = LibraryRelease::R2026_04;
  expectBuffers({{"one tile of scalers",
                  OpKind::TtnnSum,
                  {tiles},
                  {{{64, 1}, kInDram}},
                  {ints("dim_arg", {1})},
                  "in0 2*2048, scaler 1*2048, out 2*2048"},
                 {"seven tiles are eight",
                  kRms,
                  {{{64, 224}, kInDram}},
                  {{{64, 224}, kInDram}},
                  {segments({1, 0, 0, 0})},
                  start + statistics + ", out 16*2048"}},
                later);
}

TEST(BuffersByHand, BuffersOfHeadsAndCaches) {
  const Shape users = {1, 8, 32, 64}, cache = {4, 8, 512, 64};
  const Tensor index = {{4}, kDramRows, DType::I32};
  const Tensor fused = {{1, 256, 1536}, kInDram}, heads = {{1, 8, 256, 64}, kInDram}, keys = {{1, 8, 64, 256}, kInDram};
  expectBuffers({
      {"eight heads of two tiles, twice",
       OpKind::TtnnNlpConcatHeads,
       {{{1, 8, 64, 64}, kInDram}},
       {{{1, 1, 64, 512}, kInDram}},
       {},
       "heads 32*2048"},
      {"interleaved",
       OpKind::TtnnNlpConcatHeadsDecode,
       {{users, kInDram}},
       {{{1, 1, 8, 2048}, kInDram}},
       {},
       "in and out 2*2048"},
      {"where they lie",
       OpKind::TtnnNlpConcatHeadsDecode,
       {{users, heightOver(8)}},
       {{{1, 1, 8, 2048}, kInDram}},
       {},
       "in0 2*2048 <- operand 0"},
      {"split",
       OpKind::TtnnSplitQueryKeyValueAndSplitHeads,
       {fused},
       {heads, heads, heads},
       {},
       "in0 2*2048, out 2*2048"},
      {"split, keys turned",
       OpKind::TtnnSplitQueryKeyValueAndSplitHeads,
       {fused},
       {heads, keys, heads},
       {{"transpose_key", boolAttr(true)}},
       "in0 4*2048, transposed keys 4*2048, out 4*2048"},
      {"filled", OpKind::TtnnFillCache, {{cache, kInDram}, {{1, 8, 256, 64}, kInDram}}, {}, {}, "in and out 2*2048"},
      // 16 pages and one batch number of 4 bytes.
      {"filled by pages",
       OpKind::TtnnPagedFillCache,
       {{{128, 8, 32, 128}, kInDram},
        {{1, 8, 256, 128}, kInDram},
        {{1, 16}, kDramRows, DType::I32},
        {{1}, kDramRows, DType::I32}},
       {},
       {},
       "value 8*2048, page table 1*64, batch 1*4"},
      {"two of four caches together",
       OpKind::TtnnUpdateCache,
       {{cache, kInDram}, {{1, 8, 4, 64}, kInDram}, index},
       {},
       {},
       "cache 8*2048, value 4*2048, untilized cache 8*2048, untilized value 64*2048, out 8*2048"},
      {"one cache, 33 rows",
       OpKind::TtnnUpdateCache,
       {{{1, 8, 512, 64}, kInDram}, {{1, 8, 33, 64}, kInDram}, index},
       {},
       {},
       "cache 4*2048, value 4*2048, untilized cache 4*2048, untilized value 128*2048, out 4*2048"},
      {"by pages",
       OpKind::TtnnPagedUpdateCache,
       {{{128, 8, 32, 128}, kInDram},
        {{1, 8, 32, 128}, kInDram},
        {{8}, kDramRows, DType::I32},
        {{8, 16}, kDramRows, DType::I32}},
       {},
       {segments({1, 1, 1, 1})},
       "cache 8*2048, value 8*2048, untilized cache 8*2048, untilized value 32*2048, out 8*2048, indices 1*4096, page "
       "table 1*64"},
      {"values where they lie",
       OpKind::TtnnPagedUpdateCache,
       {{{128, 8, 32, 128}, kInDram}, {{1, 8, 32, 128}, heightOver(8)}, {{8}, kDramRows, DType::I32}},
       {},
       {segments({1, 1, 1, 0})},
       "cache 8*2048, value 4*2048 <- operand 1, untilized cache 8*2048, untilized value 32*2048, out 8*2048, indices "
       "1*4096"},
      {"turned by angles",
       OpKind::TtnnRotaryEmbedding,
       {{{1, 8, 512, 64}, kInDram}, {{1, 1, 512, 64}, kInDram}, {{1, 1, 512, 64}, kInDram}},
       {{{1, 8, 512, 64}, kInDram}},
       {},
       "in0 4*2048, cos 4*2048, sin 4*2048, rotated 4*2048, products 4*2048, out 4*2048"},
  });
}

// 64 x 1024 over 64 cores: one tile a core.
TEST(BuffersByHand, TensorsBesideTheResult) {
  const Shape wide = {64, 1024}, scales = {1024}, single = {1};
  const auto beyond = [](OpKind kind, const std::vector<Tensor>& operands, const std::vector<Tensor>& results,
                         AttrList attrs = {}) { return besideResult(Asked(n150(), kind, operands, results, attrs)); };
  const Tensor in = {wide, kInL1}, ints32 = {wide, kInL1, DType::I32};
  const auto scale = [](const Shape& shape, const Where& where) { return Tensor{shape, where}; };
  const auto zero = [](const Shape& shape, const Where& where) { return Tensor{shape, where, DType::I32}; };
  const AttrList axis = {num("axis", 1)};
  EXPECT_EQ(beyond(OpKind::TtnnQuantize, {in, scale(single, kInL1), zero(single, kInL1)}, {ints32}), 2048);
  EXPECT_EQ(beyond(OpKind::TtnnQuantize, {{wide, kInDram}, scale(single, kInL1), zero(single, kInL1)}, {ints32}), 0);
  EXPECT_EQ(beyond(OpKind::TtnnQuantize, {in, scale(scales, kInL1), zero(scales, kInL1)}, {ints32}, axis),
            2048 + 2048 + 4096);
  EXPECT_EQ(beyond(OpKind::TtnnQuantize, {in, scale(scales, kInDram), zero(scales, kInL1)}, {ints32}, axis),
            2048 + 4096);
  EXPECT_EQ(beyond(OpKind::TtnnDequantize, {ints32, scale(scales, kInL1), zero(scales, kInL1)}, {in}, axis),
            2 * (2048 + 4096) + (4096 + 2048) - 2048);
  // The quotient and a result of 32 bits are as much as the integers and the quotient before.
  EXPECT_EQ(
      beyond(OpKind::TtnnDequantize, {ints32, scale(single, kInL1), zero(single, kInL1)}, {{wide, kInL1, DType::F32}}),
      4096 + 2048 - 4096);
  const auto requantize = [&](const Shape& shape, AttrList attrs) {
    return beyond(OpKind::TtnnRequantize,
                  {ints32, scale(shape, kInL1), zero(shape, kInL1), scale(shape, kInL1), zero(shape, kInL1)}, {ints32},
                  std::move(attrs));
  };
  EXPECT_EQ(requantize(single, {}), 4096 + 4 * 2048);
  EXPECT_EQ(requantize(scales, axis), 2 * 2 * (2048 + 4096) + 4096 + 4 * 2048);
  // Rows are gathered before tiles are made of them.
  const Tensor indices = {{1, 64}, kDramRows, DType::U32}, table = {{512, 1024}, kInDram};
  EXPECT_EQ(beyond(OpKind::TtnnEmbedding, {indices, table}, {{{1, 64, 1024}, kInL1}}), 2048);
  EXPECT_EQ(beyond(OpKind::TtnnEmbedding, {indices, table}, {{{1, 64, 1024}, kL1Rows}}), 0);
  // Along another dim than the last both results lie in L1 in between, and end in DRAM.
  const auto sort = [&](const Where& from, const Where& to, AttrList attrs) {
    return Asked(n150(), OpKind::TtnnSort, {{wide, from}}, {{wide, to}, {wide, to, DType::U16}}, std::move(attrs));
  };
  const Asked down = sort(kInDram, kInL1, {num("dim", 0)});
  EXPECT_TRUE(down.verdict().output.isDram());
  EXPECT_EQ(down.constraints().tensorL1PeakSize.count, 2 * 2048);
  for (const AttrList& along : {AttrList{num("dim", 1)}, AttrList{num("dim", -1)}, AttrList{}}) {
    EXPECT_TRUE(sort(kInDram, kInL1, along).verdict().output.isL1());
    EXPECT_EQ(besideResult(sort(kInDram, kInL1, along)), 2048) << "the indices";
  }
  EXPECT_TRUE(sort(kInL1, kInL1, {num("dim", 0)}).verdict().output.isL1()) << "it lies there already";
  // The squares of what is normalized in training.
  const Shape image = {1, 64, 32, 32};
  const Tensor perChannel = {{1, 64, 1, 1}, kInDram};
  const auto train = [&](const Where& where) {
    return beyond(OpKind::TtnnBatchNormTraining, {{image, where}, perChannel, perChannel, perChannel, perChannel},
                  {{image, where}});
  };
  EXPECT_EQ(train(kInL1), 2048);
  EXPECT_EQ(train(kInDram), 0);
}

}  // namespace
}  // namespace tessera::test
