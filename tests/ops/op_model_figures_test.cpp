// Published figures one by one (tt-mlir TestOpModelLib.cpp of 2025-11), and what follows from
// views and from ops that put their result where they like. Wormhole, 8x8 cores, bf16 tiles unless said otherwise.

#include <gtest/gtest.h>

#include "core/ir/builder.h"
#include "core/ops/model/op_memory.h"
#include "core/ops/model/op_model.h"
#include "tests/ops/asking.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

const Where kRows{BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, PageLayout::RowMajor};

// One op of a graph, and the model's answers about it.
struct FigureQuery {
  OpVerdict verdict;
  OpConstraints constraints;
  OpTime time;
};
FigureQuery ask(OpKind kind, const std::vector<Tensor>& operands, const std::vector<Tensor>& results,
                AttrList attrs = {}) {
  Graph graph;
  GraphBuilder builder(graph);
  FuncId func = builder.addFunction("main");
  graph.forward = func;
  auto typeOf = [](const Tensor& t) {
    TensorType type;
    type.shape = t.shape;
    type.dtype = t.dtype;
    return ValueType{type, ""};
  };
  auto layoutOf = [](const Tensor& t) {
    LayoutRequest request{t.dtype, t.where.buffer, t.where.memory, t.where.page, t.where.grid};
    request.allowIdleCores = true;
    auto made = makeLayout(t.shape, request, n150());
    EXPECT_TRUE(made.ok());
    return made.ok() ? *made : TensorLayout{};
  };
  std::vector<ValueId> values;
  std::vector<std::optional<TensorLayout>> layouts;
  for (const Tensor& t : operands) {
    values.push_back(builder.addArgument(func, "a", typeOf(t)));
    layouts.push_back(layoutOf(t));
  }
  std::vector<ValueType> types;
  for (const Tensor& t : results) types.push_back(typeOf(t));
  OpSpec spec = makeOp(kind, values, types);
  spec.attrs = std::move(attrs);
  OpId op = builder.append(func, std::move(spec));
  OpConfig config{results.empty() ? TensorLayout{} : layoutOf(results[0]), {}};
  OpModel model(n150());
  OpQuery query{graph, op, layouts, config, Bytes(0)};
  return {model.validateOperation(query, n150().usableL1()), model.getOpConstraints(query), model.getOpRuntime(query)};
}

struct Case {
  const char* what;
  OpKind kind;
  std::vector<Tensor> operands;
  std::vector<Tensor> results;
  AttrList attrs;
  int64_t buffers;
  int64_t output;
};

TEST(OpModelFigures, CircularBuffersAndResultsAreThePublishedOnes) {
  const Shape wide = {64, 1024}, tall = {32768, 32}, square = {1792, 1792};
  const Case cases[] = {
      {"width-sharded product",
       OpKind::TtnnMatmul,
       {{{32, 1792}, widthOver(56)}, {square, kInDram}},
       {{{32, 1792}, widthOver(56)}},
       {},
       8256,
       2048},
      {"the same with a bias",
       OpKind::TtnnLinear,
       {{{32, 1792}, widthOver(56)}, {square, kInDram}, {{32, 1792}, kInDram}},
       {{{32, 1792}, widthOver(56)}},
       {},
       12'288,
       2048},
      {"block-sharded product to DRAM",
       OpKind::TtnnMatmul,
       {{square, blockOver(7, 8)}, {square, kInDram}},
       {{square, kInDram}},
       {},
       544'832,
       0},
      {"logical and", OpKind::TtnnLogicalAnd, {{wide, kInL1}, {wide, kInDram}}, {{wide, kInL1}}, {}, 16'384, 2048},
      {"bits of integers",
       OpKind::TtnnBitwiseXor,
       {{wide, kInL1, DType::I32}, {wide, kInL1, DType::I32}},
       {{wide, kInL1, DType::I32}},
       {},
       24'576,
       4096},
      {"bits of floats", OpKind::TtnnBitwiseXor, {{wide, kInL1}, {wide, kInL1}}, {{wide, kInL1}}, {}, 24'576, 2048},
      {"where",
       OpKind::TtnnWhere,
       {{wide, kInDram}, {wide, kInDram}, {wide, kInDram}},
       {{wide, kInL1}},
       {},
       16'384,
       2048},
      {"softmax of shards",
       OpKind::TtnnSoftmax,
       {{tall, heightOver(64)}},
       {{tall, heightOver(64)}},
       {},
       24'576,
       32'768},
      {"tiles to rows", OpKind::TtnnToLayout, {{wide, kInDram}}, {{wide, kRows}}, {}, 131'072, 0},
      {"update of a cache",
       OpKind::TtnnUpdateCache,
       {{{1, 32, 64, 512}, kInDram}, {{1, 32, 3, 512}, kInDram}, {{1}, kInDram, DType::U32}},
       {},
       {},
       1'310'720,
       0},
      {"heads with transposed keys",
       OpKind::TtnnSplitQueryKeyValueAndSplitHeads,
       {{{1, 512, 1536}, kInL1}},
       {{{1, 16, 512, 32}, kInL1}, {{1, 16, 32, 512}, kInL1}, {{1, 16, 512, 32}, kInL1}},
       {{"transpose_key", boolAttr(true)}},
       24'576,
       8192},  // of each result
      {"16 heads of 32",
       OpKind::TtnnConcatenateHeads,
       {{{1, 16, 256, 32}, kInDram}},
       {{{1, 256, 512}, kInDram}},
       {},
       65'536,
       0},
      {"24 heads of 128",
       OpKind::TtnnConcatenateHeads,
       {{{1, 24, 256, 128}, kInDram}},
       {{{1, 256, 3072}, kInDram}},
       {},
       393'216,
       0},
      {"embedding",
       OpKind::TtnnEmbedding,
       {{{1, 1024}, kRows, DType::U32}, {{256, 128}, kInDram}},
       {{{1, 1024, 128}, kInDram}},
       {},
       16'384,
       0},
      {"argmax of all", OpKind::TtnnArgmax, {{{64, 64}, kRows}}, {{{1, 1}, kRows, DType::U32}}, {}, 132, 0},
      {"conversion", OpKind::TtnnTypecast, {{wide, kInDram}}, {{wide, kInL1, DType::F32}}, {}, 12'288, 4096},
      {"rotary embedding",
       OpKind::TtnnRotaryEmbedding,
       {{{1, 32, 128, 64}, kInDram}, {{1, 1, 128, 64}, kInDram}, {{1, 1, 128, 64}, kInDram}},
       {{{1, 32, 128, 64}, kInDram}},
       {},
       49'152,
       0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    FigureQuery asked = ask(c.kind, c.operands, c.results, c.attrs);
    EXPECT_TRUE(asked.verdict.ok()) << verdictText(asked.verdict);
    EXPECT_EQ(asked.constraints.cbL1PeakSize.count, c.buffers);
    EXPECT_EQ(asked.constraints.outputL1BufferSize.count, c.output);
  }
}

TEST(OpModelFigures, OperandsThatLieAsTheResultNeedNoBuffers) {
  const Shape tall = {32768, 32};
  EXPECT_EQ(ask(OpKind::TtnnAdd, {{tall, heightOver(64)}, {tall, heightOver(64)}}, {{tall, heightOver(64)}})
                .constraints.cbL1PeakSize.count,
            0);
  // Another grid for one of them, and every tile goes through a buffer.
  EXPECT_EQ(ask(OpKind::TtnnAdd, {{tall, heightOver(64)}, {tall, heightOver(32)}}, {{tall, heightOver(64)}})
                .constraints.cbL1PeakSize.count,
            12'288);
  // A column is spread in place; a row takes two more tiles.
  EXPECT_EQ(ask(OpKind::TtnnAdd, {{tall, heightOver(64)}, {{32768, 1}, kInDram}}, {{tall, heightOver(64)}})
                .constraints.cbL1PeakSize.count,
            4096);
  EXPECT_EQ(ask(OpKind::TtnnAdd, {{{64, 1024}, kInDram}, {{1, 1024}, kInDram}}, {{{64, 1024}, kInDram}})
                .constraints.cbL1PeakSize.count,
            16'384);
}

TEST(OpModelFigures, ViewsTakeNeitherTimeNorBuffers) {
  auto reshape = [](const Shape& to, const Where& from, const Where& into) {
    return ask(OpKind::TtnnReshape, {{{64, 1024}, from}}, {{to, into}});
  };
  for (const Where& where : {kInDram, kInL1}) {
    FigureQuery view = reshape({2, 32, 1024}, where, where);
    EXPECT_EQ(view.time.total().count, 0);
    EXPECT_EQ(view.time.dramBytes, 0);
    EXPECT_EQ(view.constraints.cbL1PeakSize.count, 0);
  }
  for (const FigureQuery& copy : {reshape({256, 256}, kInDram, kInDram), reshape({4, 16, 1024}, kInDram, kInDram),
                                  reshape({2, 32, 1024}, kInDram, kInL1)}) {
    EXPECT_GT(copy.time.total().count, 0);
    EXPECT_EQ(copy.constraints.cbL1PeakSize.count, 5120);
  }
  EXPECT_EQ(reshape({4, 16, 1024}, kRows, kRows).time.total().count, 0) << "rows of equal length stay where they are";
}

TEST(OpModelFigures, SomeOpsPutTheirResultWhereTheyLike) {
  const Tensor in = {{64, 1024}, kInL1}, dramIn = {{64, 1024}, kInDram}, out = {{128, 1024}, kInL1};
  EXPECT_EQ(ask(OpKind::TtnnRepeat, {in}, {out}).constraints.outputL1BufferSize.count, 4096);
  FigureQuery followsOperand = ask(OpKind::TtnnRepeat, {dramIn}, {out});
  EXPECT_TRUE(followsOperand.verdict.ok());
  EXPECT_TRUE(followsOperand.verdict.output.isDram());
  EXPECT_EQ(followsOperand.constraints.peakL1MemorySize.count, 131'072) << "buffers only";
  EXPECT_TRUE(ask(OpKind::TtnnRepeatInterleave, {in}, {out}).verdict.output.isDram());
}

// Dequantizing per tensor: the difference of integers and its conversion lie where the input lies.
TEST(OpModelFigures, IntermediatesCountTowardsThePeakOfTensors) {
  FigureQuery asked = ask(OpKind::TtnnDequantize,
                          {{{32, 64}, kInL1, DType::I32}, {{1}, kInL1}, {{1}, kInL1, DType::I32}}, {{{32, 64}, kInL1}});
  EXPECT_EQ(asked.constraints.outputL1BufferSize.count, 2048);
  EXPECT_EQ(asked.constraints.tensorL1PeakSize.count, 4096 + 2048);
  EXPECT_EQ(asked.constraints.peakL1MemorySize.count, 24'576 + 6144);
}

// One row of blocks, as many as the grid has columns: each column has its part of the result's columns.
TEST(OpModelFigures, ARowOfBlocksIsSpreadOverTheColumns) {
  for (const int64_t columns : {1024, 4096}) {
    EXPECT_EQ(Asked(n150(), OpKind::TtnnMatmul, {{{512, 512}}, {{512, columns}}}, {{{512, columns}}}).rule(),
              "Matmul: 1-D multicast of in0")
        << columns;
  }
  EXPECT_EQ(Asked(n150(), OpKind::TtnnMatmul, {{{1024, 512}}, {{512, 4096}}}, {{{1024, 4096}}}).rule(),
            "Matmul: 2-D multicast");
}

// Shapes that round to the same tiles are two shapes all the same.
TEST(OpModelFigures, WhatIsWrittenInPlaceHasTheShapeOfWhatWasThere) {
  const Shape cache = {1, 8, 64, 64}, value = {1, 8, 32, 64};
  for (const int64_t rows : {64, 63}) {
    const Asked fill(n150(), OpKind::TtirFillCache, {{cache}, {value}}, {{{1, 8, rows, 64}}});
    EXPECT_EQ(fill.inputs[0], fill.config.output);
    EXPECT_EQ(opMemory(fill.query(), fill.device).aliasOf, rows == 64 ? 0 : -1);
  }
}

// The library's estimate is to stay below what it may take: 64 x 61 tiles of a core are cut to 64 x 1, which take 258
// tiles, or to 1 x 61 where there is just as much.
TEST(OpModelFigures, BlocksStayBelowWhatTheLibraryMayTake) {
  for (const int64_t more : {0, 1}) {
    DeviceSpec device = n150();
    device.l1UnreservedBase = Bytes(0);
    device.l1Small = Bytes(0);
    device.l1Size = Bytes(258 * 2048 + 65'536 + more);  // the region of small buffers is left out
    const Asked product(device, OpKind::TtnnMatmul, {{{16'384, 256}}, {{256, 15'616}}}, {{{16'384, 15'616}}});
    EXPECT_EQ(product.rule(), "Matmul: 2-D multicast");
    EXPECT_EQ(product.pagesOf("out"), more > 0 ? 64 : 61);
  }
}

// A product that does not fit in one block is cut until it does, however large it is.
TEST(OpModelFigures, BlocksOfLargeProductsFit) {
  for (int64_t size : {4096, 16'384, 65'536, 1 << 20}) {
    FigureQuery asked =
        ask(OpKind::TtnnMatmul, {{{size, size}, kInDram}, {{size, size}, kInDram}}, {{{size, size}, kInDram}});
    EXPECT_TRUE(asked.verdict.ok()) << size << ": " << verdictText(asked.verdict);
  }
}

// A row that is there as a whole is looked up once per tile of indices; of a longer one every tile comes by for each
// (tt-metal data_movement/gather). 60 tiles are the most, of what is picked from and of what is picked.
TEST(OpTimes, RowsOfAGatherAreLongOnEitherSide) {
  const auto computing = [](int64_t tilesIn, int64_t tilesPicked) {
    const Shape in = {64, 32 * tilesIn}, picked = {64, 32 * tilesPicked};
    return ask(OpKind::TtnnGather, {{in, kInDram}, {picked, kInDram, DType::U32}}, {{picked, kInDram}},
               {{"dim", intAttr(1)}})
        .time.compute.count;
  };
  // Short: a row of tiles on each of two cores, one tile of indices after the other.
  const int64_t tile = computing(1, 1);
  EXPECT_GT(tile, 0);
  EXPECT_EQ(computing(60, 1), tile);
  EXPECT_NEAR(static_cast<double>(computing(60, 60)), 60.0 * static_cast<double>(tile), 60);
  // Long: the columns of indices are cut among 64 cores, the two rows are not.
  EXPECT_NEAR(static_cast<double>(computing(61, 1)), 2 * 61.0 * static_cast<double>(tile), 122);
  EXPECT_NEAR(static_cast<double>(computing(1, 61)), 2.0 * static_cast<double>(tile), 2);
  EXPECT_NEAR(static_cast<double>(computing(100, 65)), 2 * 2 * 100.0 * static_cast<double>(tile), 400);
}

}  // namespace
}  // namespace tessera::test
