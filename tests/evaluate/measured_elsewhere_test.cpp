// Times that the library's own threads state for ops that no published table has: the mechanisms behind them were
// derived from the kernels, and these keep them in place. Wormhole n150/n300, 64 cores, where nothing else is said.

#include <gtest/gtest.h>

#include "core/evaluate/eval_times.h"
#include "core/ir/builder.h"

namespace tessera {
namespace {

struct Measured {
  const char* what;
  OpKind kind;
  Shape shape, result;
  DType dtype;
  double us;
  AttrList attrs = {};
};

// Within `factor` of what was measured.
void expectNear(const Measured& m, double factor, PageLayout page = PageLayout::Tile) {
  TimedTensor in{m.shape, m.dtype}, out{m.result, m.dtype};
  in.page = out.page = page;
  TimedOp op{m.kind, {in}, out};
  op.attrs = m.attrs;
  if (m.kind == OpKind::TtnnGather) op.operands.push_back({m.result, DType::U32});
  const std::optional<int64_t> time = modelTime(*findDevice("n150"), std::move(op));
  ASSERT_TRUE(time) << m.what;
  const double us = static_cast<double>(*time) / 1000;
  EXPECT_LT(us, m.us * factor) << m.what;
  EXPECT_GT(us, m.us / factor) << m.what;
}

AttrList alongRows() { return {{"dim_arg", intArrayAttr({-2})}}; }

// tt-metal pull request 54349: mean over rows, one to 32 cores; a tile is read, waited for and added.
TEST(MeasuredElsewhere, ReductionsOfFewCoresWaitForEveryTile) {
  const Measured rows[] = {
      {"51264x32 bf16", OpKind::TtnnMean, {51264, 32}, {1, 32}, DType::BF16, 816.8, alongRows()},
      {"51264x32 bfp8", OpKind::TtnnMean, {51264, 32}, {1, 32}, DType::BFP8, 758.5, alongRows()},
      {"51264x32 f32", OpKind::TtnnMean, {51264, 32}, {1, 32}, DType::F32, 949.1, alongRows()},
      {"12544x32 bf16", OpKind::TtnnMean, {12544, 32}, {1, 32}, DType::BF16, 200.7, alongRows()},
      {"8192x256 bf16", OpKind::TtnnMean, {8192, 256}, {1, 256}, DType::BF16, 152.8, alongRows()},
      {"8192x256 f32", OpKind::TtnnMean, {8192, 256}, {1, 256}, DType::F32, 202.0, alongRows()},
      {"4096x1024 bf16", OpKind::TtnnMean, {4096, 1024}, {1, 1024}, DType::BF16, 81.6, alongRows()}};
  for (const Measured& m : rows) expectNear(m, 1.4);
}

// tt-metal pull requests 43255 (one core) and 53627 (all of them).
TEST(MeasuredElsewhere, IndicesOfExtremaAreFoundByTheProcessor) {
  const auto along = [](bool several) { return AttrList{{"dim", intAttr(-1)}, {"use_multicore", boolAttr(several)}}; };
  const Measured rows[] = {
      {"1024x1024, one core", OpKind::TtnnArgmax, {1024, 1024}, {1024, 1}, DType::BF16, 25'333, along(false)},
      {"4096x256, one core", OpKind::TtnnArgmax, {4096, 256}, {4096, 1}, DType::BF16, 25'659, along(false)},
      {"1024x1024", OpKind::TtnnArgmax, {1024, 1024}, {1024, 1}, DType::BF16, 2952, along(true)},
      {"256x65536", OpKind::TtnnArgmax, {256, 65536}, {256, 1}, DType::BF16, 8493, along(true)},
      {"1024x16384", OpKind::TtnnArgmax, {1024, 16384}, {1024, 1}, DType::BF16, 10'638, along(true)},
      {"16x1024", OpKind::TtnnArgmax, {16, 1024}, {16, 1}, DType::BF16, 36.7, along(true)},
      {"64x16", OpKind::TtnnArgmax, {64, 16}, {64, 1}, DType::BF16, 52.1, along(true)}};
  for (const Measured& m : rows) expectNear(m, 1.4, PageLayout::RowMajor);
}

// tt-metal pull requests 21106 and 25384 (sorting), issue 53108 (the largest 32), pull request 53112 (picking).
TEST(MeasuredElsewhere, RowsAreRankedInStagesOverTheirTiles) {
  const Measured rows[] = {{"sort 32x64", OpKind::TtnnSort, {32, 64}, {32, 64}, DType::BF16, 42.8},
                           {"sort 2048x64", OpKind::TtnnSort, {2048, 64}, {2048, 64}, DType::BF16, 47.7},
                           {"sort 32x4096", OpKind::TtnnSort, {32, 4096}, {32, 4096}, DType::BF16, 178},
                           {"sort 32x8192", OpKind::TtnnSort, {32, 8192}, {32, 8192}, DType::BF16, 563},
                           {"sort 32x32768", OpKind::TtnnSort, {32, 32768}, {32, 32768}, DType::BF16, 2788},
                           {"sort 32x262144", OpKind::TtnnSort, {32, 262144}, {32, 262144}, DType::BF16, 28'578},
                           {"topk 32x16384", OpKind::TtnnTopk, {32, 16384}, {32, 32}, DType::BF16, 180},
                           {"gather 1x151936", OpKind::TtnnGather, {1, 151936}, {1, 151936}, DType::BF16, 9.5e6}};
  for (const Measured& m : rows) expectNear(m, 1.5);
}

}  // namespace
}  // namespace tessera
