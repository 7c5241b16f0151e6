// What the rules of moving, pooling, normalizing and caching ops refuse, and of which operand they say so.

#include "tests/ops/rule_case.h"

namespace tessera::test {
namespace {

void expectRefusals(const std::vector<RuleCase>& questions) {
  for (const RuleCase& q : questions) {
    EXPECT_EQ(Asked(n150(), q.kind, q.operands, q.results, q.attrs).refusal(), q.answer)
        << opInfo(q.kind).name << ": " << q.what;
  }
}

TEST(RefusalsByHand, WhatMovingOpsRefuse) {
  const Shape square = {256, 256}, rank3 = {1, 256, 256}, tall = {512, 256}, wide = {256, 512};
  const auto kReshape = OpKind::TtnnReshape, kPermute = OpKind::TtnnPermute, kRepeat = OpKind::TtnnRepeat,
             kConcat = OpKind::TtnnConcat, kSlice = OpKind::TtnnSliceStatic, kToLayout = OpKind::TtnnToLayout;
  const AttrList turned = {ints("permutation", {1, 0})}, rows = {num("dim", -2)}, columns = {num("dim", 1)};
  const Tensor inWidth = {square, widthOver(8)}, inHeight = {square, heightOver(8)};
  expectRefusals({
      {"host", kReshape, {{square, kAtHost}}, {{rank3, kInDram}}, {}, "InputOnHost 0"},
      {"out of rows of shards", kReshape, {inHeight}, {{rank3, kInDram}}, {}, "legal"},
      {"into shards", kReshape, {{square, kInDram}}, {{rank3, heightOver(8)}}, {}, "OutputMustBeInterleaved"},
      {"columns of shards", kPermute, {inWidth}, {{square, kInDram}}, turned, "InputWidthSharded 0"},
      {"out of blocks", kPermute, {{square, blockOver(4, 4)}}, {{square, kInL1}}, turned, "legal"},
      {"host", kRepeat, {{square, kAtHost}}, {{tall, kInDram}}, {}, "InputOnHost 0"},
      {"out of shards", kRepeat, {inHeight}, {{tall, kInDram}}, {}, "ShardingMismatch 0"},
      {"from shards into such", kRepeat, {inHeight}, {{tall, heightOver(8)}}, {}, "legal"},
      {"into shards", kRepeat, {{square, kInDram}}, {{tall, heightOver(8)}}, {}, "legal"},
      {"rows, by columns", kConcat, {inWidth, inWidth}, {{tall, widthOver(8)}}, rows, "legal"},
      {"rows, by rows", kConcat, {inHeight, inHeight}, {{tall, heightOver(8)}}, rows, "ConcatSharding 0"},
      {"columns, by rows", kConcat, {inHeight, inHeight}, {{wide, heightOver(8)}}, columns, "legal"},
      {"columns, by columns", kConcat, {inWidth, inWidth}, {{wide, widthOver(8)}}, columns, "ConcatSharding 0"},
      {"matrices",
       kConcat,
       {{rank3, widthOver(8)}, {rank3, widthOver(8)}},
       {{{2, 256, 256}, widthOver(8)}},
       {num("dim", 0)},
       "ConcatSharding 0"},
      {"a second grid",
       kConcat,
       {inHeight, {square, heightOver(4)}},
       {{wide, heightOver(8)}},
       columns,
       "ShardingMismatch 1"},
      {"the result's grid", kConcat, {inHeight, inHeight}, {{wide, heightOver(4)}}, columns, "ShardingMismatch 0"},
      {"one in shards",
       kConcat,
       {inHeight, {square, kInDram}},
       {{wide, heightOver(8)}},
       columns,
       "InputMustBeInterleaved 1"},
      {"out of shards", kConcat, {inHeight, inHeight}, {{wide, kInDram}}, columns, "ConcatSharding 0"},
      {"rows", kConcat, {{square, kDramRows}, {square, kL1Rows}}, {{wide, kDramRows}}, columns, "legal"},
      {"rows and tiles",
       kConcat,
       {{square, kDramRows}, {square, kInDram}},
       {{wide, kDramRows}},
       columns,
       "InputMustBeTile 0"},
      {"tiles and rows",
       kConcat,
       {{square, kInDram}, {square, kDramRows}},
       {{wide, kDramRows}},
       columns,
       "InputMustBeTile 1"},
      {"tiles into rows",
       kConcat,
       {{square, kInDram}, {square, kInDram}},
       {{wide, kDramRows}},
       columns,
       "OutputMustBeTile"},
      {"rows in shards",
       kConcat,
       {{square, rowsByHeight(8)}, {square, rowsByHeight(8)}},
       {{wide, rowsByHeight(8)}},
       columns,
       "InputMustBeTile 0"},
      {"rows on the host",
       kConcat,
       {{square, kDramRows}, {square, kAtHost}},
       {{wide, kDramRows}},
       columns,
       "InputMustBeTile 0"},
      {"rows, another grid", kSlice, {{tall, rowsByHeight(8)}}, {{square, rowsByHeight(4)}}, {}, "legal"},
      {"rows out of shards", kSlice, {{tall, rowsByHeight(8)}}, {{square, kDramRows}}, {}, "ShardingMismatch 0"},
      {"rows of shards into tiles",
       kSlice,
       {{tall, rowsByHeight(8)}},
       {{square, heightOver(8)}},
       {},
       "ShardingMismatch 0"},
      {"host", kSlice, {{tall, kAtHost}}, {{square, kDramRows}}, {}, "InputOnHost 0"},
      {"taken apart into shards",
       kToLayout,
       {{square, kInL1}},
       {{square, rowsByHeight(8)}},
       {},
       "MemoryLayoutMismatch 0"},
      {"made of rows into shards", kToLayout, {{square, kDramRows}}, {inHeight}, {}, "MemoryLayoutMismatch 0"},
      {"shards taken apart", kToLayout, {inHeight}, {{square, rowsByHeight(8)}}, {}, "legal"},
      {"shards taken apart into DRAM", kToLayout, {inHeight}, {{square, kDramRows}}, {}, "legal"},
      {"tiles into shards", kToLayout, {{square, kInL1}}, {inHeight}, {}, "legal"},
      {"from the host", kToLayout, {{square, kAtHost}}, {inHeight}, {}, "legal"},
      {"another op", OpKind::TtnnToMemoryConfig, {{square, kDramRows}}, {{square, rowsByHeight(8)}}, {}, "legal"},
  });
}

TEST(RefusalsByHand, WhatElementWiseOpsOnRowsRefuse) {
  const Shape square = {256, 256}, row = {1, 256};
  const auto kRelu = OpKind::TtnnRelu, kAdd = OpKind::TtnnAdd, kCast = OpKind::TtnnTypecast, kWhere = OpKind::TtnnWhere;
  const Tensor rows = {square, kDramRows}, tiles = {square, kInDram}, shards = {square, rowsByHeight(8)};
  expectRefusals({
      {"rows", kRelu, {rows}, {rows}, {}, "legal"},
      {"rows in shards", kRelu, {shards}, {shards}, {}, "legal"},
      {"rows out of shards", kRelu, {shards}, {rows}, {}, "ShardingMismatch 0"},
      {"rows into shards", kRelu, {rows}, {shards}, {}, "ShardingMismatch 0"},
      {"rows at the host", kRelu, {{square, kAtHost}}, {rows}, {}, "InputOnHost 0"},
      {"rows to the host", kRelu, {rows}, {{square, kAtHost}}, {}, "InputMustBeTile 0"},
      {"the first at the host", kAdd, {{square, kAtHost}, rows}, {rows}, {}, "InputOnHost 0"},
      {"the second at the host", kAdd, {rows, {square, kAtHost}}, {rows}, {}, "InputMustBeTile 0"},
      {"other shards", kRelu, {shards}, {{square, rowsByHeight(4)}}, {}, "ShardingMismatch 0"},
      {"tiles into rows", kRelu, {tiles}, {rows}, {}, "MemoryLayoutMismatch 0"},
      {"rows into tiles", kRelu, {rows}, {tiles}, {}, "InputMustBeTile 0"},
      {"rows", kCast, {rows}, {{square, kDramRows, DType::F32}}, {}, "legal"},
      {"rows in shards", kCast, {shards}, {{square, rowsByHeight(8), DType::F32}}, {}, "InputMustBeInterleaved 0"},
      {"tiles into rows", kCast, {tiles}, {{square, kDramRows, DType::F32}}, {}, "OutputMustBeTile"},
      {"rows into tiles", kCast, {rows}, {{square, kInDram, DType::F32}}, {}, "InputMustBeTile 0"},
      {"rows", kAdd, {rows, rows}, {rows}, {}, "legal"},
      {"the second in tiles", kAdd, {rows, tiles}, {rows}, {}, "MemoryLayoutMismatch 1"},
      {"the second in shards", kAdd, {shards, rows}, {shards}, {}, "ShardingMismatch 1"},
      {"one row for all", kAdd, {rows, {row, kDramRows}}, {rows}, {}, "InputMustBeTile 0"},
      {"one row for all, tiles", kAdd, {tiles, {row, kInDram}}, {rows}, {}, "OutputMustBeTile"},
      {"no broadcast", kAdd, {tiles, {{2, 256}, kInDram}}, {tiles}, {}, "ShapeMismatch 1"},
      {"other shards than the result's",
       kWhere,
       {tiles, {square, heightOver(8)}, tiles},
       {{square, heightOver(4)}},
       {},
       "ShardingMismatch 1"},
      {"shards into DRAM", kWhere, {tiles, {square, heightOver(8)}, tiles}, {tiles}, {}, "legal"},
      {"the result's shards", kWhere, {tiles, tiles, {square, heightOver(8)}}, {{square, heightOver(8)}}, {}, "legal"},
  });
  DeviceSpec later = n150();
  later.library = LibraryRelease::R2026_04;
  EXPECT_EQ(Asked(later, kRelu, {tiles}, {{square, blockOver(8, 8)}}).refusal(), "legal");
  EXPECT_EQ(Asked(later, kCast, {tiles}, {{square, blockOver(8, 8), DType::F32}}).refusal(), "MemoryLayoutMismatch 0");
}

TEST(RefusalsByHand, WhatNormalizationsAndReductionsRefuse) {
  const Shape square = {256, 256}, image = {2, 64, 16, 16}, perChannel = {1, 64, 1, 1}, line = {256};
  const auto kLayer = OpKind::TtnnLayerNorm, kBatch = OpKind::TtnnBatchNormInference, kSum = OpKind::TtnnSum,
             kArgmax = OpKind::TtnnArgmax;
  const Tensor tiles = {square, kInDram}, block = {square, blockOver(4, 4)}, column = {{256, 1}, kInDram},
               one = {perChannel, kInDram};
  const AttrList bare = {segments({1, 0, 0, 0})}, weighted = {segments({1, 1, 0, 0})};
  expectRefusals({
      {"blocks", kLayer, {block}, {block}, bare, "legal"},
      {"widths", kLayer, {{square, widthOver(8)}}, {{square, widthOver(8)}}, bare, "legal"},
      {"out of blocks", kLayer, {block}, {tiles}, bare, "ShardingMismatch 0"},
      {"into blocks", kLayer, {tiles}, {block}, bare, "ShardingMismatch 0"},
      {"other blocks", kLayer, {block}, {{square, blockOver(8, 8)}}, bare, "ShardingMismatch 0"},
      {"weights in shards", kLayer, {tiles, {line, widthOver(8)}}, {tiles}, weighted, "InputMustBeInterleaved 1"},
      {"rows", kLayer, {{square, kDramRows}}, {tiles}, bare, "InputMustBeTile 0"},
      {"rows of weights", kLayer, {tiles, {line, kDramRows}}, {tiles}, weighted, "InputMustBeTile 1"},
      {"heights", kBatch, {{image, heightOver(8)}, one, one}, {{image, heightOver(8)}}, {}, "legal"},
      {"out of heights", kBatch, {{image, heightOver(8)}, one, one}, {{image, kInDram}}, {}, "legal"},
      {"other heights", kBatch, {{image, heightOver(8)}, one, one}, {{image, heightOver(4)}}, {}, "ShardingMismatch 0"},
      {"statistics of one dim",
       kBatch,
       {{image, kInDram}, one, {{64}, kInDram}},
       {{image, kInDram}},
       {},
       "ShapeMismatch 2"},
      {"last dim", kSum, {tiles}, {column}, {ints("dim_arg", {-1})}, "legal"},
      {"first dim from the end", kSum, {tiles}, {{{1, 256}, kInDram}}, {ints("dim_arg", {-2})}, "legal"},
      {"a dim too many", kSum, {tiles}, {column}, {ints("dim_arg", {2})}, "ShapeMismatch 0"},
      {"a dim too many from the end", kSum, {tiles}, {column}, {ints("dim_arg", {1, -3})}, "ShapeMismatch 0"},
      {"shards", kSum, {block}, {column}, {ints("dim_arg", {1})}, "InputMustBeInterleaved 0"},
      {"rows", kSum, {{square, kDramRows}}, {column}, {ints("dim_arg", {1})}, "InputMustBeTile 0"},
      {"rows", kArgmax, {{square, kDramRows}}, {{{256, 1}, kDramRows, DType::U32}}, {num("dim", 1)}, "legal"},
      {"host", kArgmax, {{square, kAtHost}}, {{{256, 1}, kDramRows, DType::U32}}, {num("dim", 1)}, "InputOnHost 0"},
      {"shards", OpKind::TtnnSort, {block}, {tiles, tiles}, {}, "InputMustBeInterleaved 0"},
      {"rows", OpKind::TtnnQuantize, {{square, kDramRows}, column, column}, {tiles}, {}, "InputMustBeTile 0"},
  });
}

TEST(RefusalsByHand, WhatUpsamplingRefuses) {
  const auto kUp = OpKind::TtnnUpsample;
  const Shape image = {1, 8, 8, 32}, larger = {1, 16, 16, 32};
  const auto rows = [](Where where) {
    where.page = PageLayout::RowMajor;
    return where;
  };
  const AttrList twice = {num("scale_factor", 2)};
  const Tensor heights = {image, rows(heightOver(8))};
  expectRefusals({
      {"rows", kUp, {{image, kDramRows}}, {{larger, kDramRows}}, twice, "legal"},
      {"tiles", kUp, {{image, kInDram}}, {{larger, kDramRows}}, twice, "InputMustBeRows 0"},
      {"shards", kUp, {heights}, {{larger, rows(heightOver(8))}}, twice, "legal"},
      {"over other cores", kUp, {heights}, {{larger, rows(heightOver(4))}}, twice, "ShardingMismatch 0"},
      {"out of shards", kUp, {heights}, {{larger, kDramRows}}, twice, "ShardingMismatch 0"},
      {"columns", kUp, {{image, rows(widthOver(2))}}, {{larger, kDramRows}}, twice, "InputMustBeInterleaved 0"},
      {"into shards", kUp, {{image, kDramRows}}, {{larger, rows(heightOver(8))}}, twice, "OutputMustBeInterleaved"},
  });
}

TEST(RefusalsByHand, WhatPoolsAttentionAndCachesRefuse) {
  const Shape image = {1, 1, 1024, 96}, pooled = {1, 1, 900, 96};
  const AttrList threes = window(32, 32, 96, {3, 3});
  const auto kPool = OpKind::TtnnMaxPool2d, kIndices = OpKind::TtnnMaxPool2dWithIndices;
  const auto kDecode = OpKind::TtnnScaledDotProductAttentionDecode, kRotary = OpKind::TtnnRotaryEmbedding,
             kJoin = OpKind::TtnnNlpConcatHeadsDecode, kSplit = OpKind::TtnnNlpCreateQkvHeadsDecode,
             kUpdate = OpKind::TtnnUpdateCache;
  const Shape query = {1, 8, 32, 64}, keys = {8, 4, 512, 64}, rope = {1, 8, 512, 64}, angles = {1, 1, 512, 64},
              users = {1, 8, 32, 64}, joined = {1, 1, 8, 2048}, cache = {4, 8, 512, 64}, value = {1, 8, 64, 64};
  const AttrList three = {segments({1, 1, 1, 0, 0, 0})};
  const Tensor kv = {keys, kInDram}, table = {angles, kInDram}, index = {{4}, kDramRows, DType::I32};
  const auto kv2 = [&](const Where& where) { return std::vector<Tensor>{{query, kInDram}, kv, {keys, where}}; };
  expectRefusals({
      {"channels shared out", kPool, {{image, widthOver(3)}}, {{pooled, widthOver(3)}}, threes, "legal"},
      {"channels left over", kPool, {{image, widthOver(5)}}, {{pooled, widthOver(5)}}, threes, "InputSharding 0"},
      {"channels in blocks left over",
       kPool,
       {{image, blockOver(2, 5)}},
       {{pooled, blockOver(2, 5)}},
       threes,
       "InputSharding 0"},
      {"positions over five", kPool, {{image, heightOver(5)}}, {{pooled, heightOver(5)}}, threes, "legal"},
      {"turned", kPool, {{image, heightOver(3)}}, {{pooled, widthOver(3)}}, threes, "ShardingMismatch 0"},
      {"out of shards", kPool, {{image, heightOver(3)}}, {{pooled, kInDram}}, threes, "legal"},
      {"host", kPool, {{image, kAtHost}}, {{pooled, kInDram}}, threes, "InputOnHost 0"},
      {"indices into shards",
       kIndices,
       {{image, kInDram}},
       {{pooled, heightOver(3)}, {pooled, heightOver(3), DType::U16}},
       threes,
       "OutputMustBeInterleaved"},
      {"indices from shards into such",
       kIndices,
       {{image, heightOver(3)}},
       {{pooled, heightOver(3)}, {pooled, heightOver(3), DType::U16}},
       threes,
       "legal"},
      {"keys and values in DRAM", kDecode, kv2(kInDram), {{query, kInDram}}, three, "legal"},
      {"values in L1", kDecode, kv2(kInL1), {{query, kInDram}}, three, "InputMustBeDramInterleaved 2"},
      {"values over banks", kDecode, kv2(overBanks(2)), {{query, kInDram}}, three, "InputMustBeDramInterleaved 2"},
      {"values on the host", kDecode, kv2(kAtHost), {{query, kInDram}}, three, "InputOnHost 2"},
      {"query by users", kDecode, {{query, heightOver(8)}, kv, kv}, {{query, kInDram}}, three, "legal"},
      {"query in L1", kDecode, {{query, kInL1}, kv, kv}, {{query, kInDram}}, three, "InputMustBeDramInterleaved 0"},
      {"into shards", kDecode, kv2(kInDram), {{query, heightOver(8)}}, three, "OutputMustBeInterleaved"},
      {"one column of blocks",
       kRotary,
       {{rope, blockOver(8, 1)}, table, table},
       {{rope, blockOver(8, 1)}},
       {},
       "legal"},
      {"columns", kRotary, {{rope, widthOver(2)}, table, table}, {{rope, widthOver(2)}}, {}, "InputWidthSharded 0"},
      {"out of shards", kRotary, {{rope, heightOver(8)}, table, table}, {{rope, kInDram}}, {}, "ShardingMismatch 0"},
      {"a table in shards",
       kRotary,
       {{rope, kInDram}, table, {angles, heightOver(8)}},
       {{rope, kInDram}},
       {},
       "InputMustBeInterleaved 2"},
      {"rows", kRotary, {{rope, kDramRows}, table, table}, {{rope, kInDram}}, {}, "InputMustBeTile 0"},
      {"users by height", kJoin, {{users, heightOver(8)}}, {{joined, widthOver(32)}}, {}, "legal"},
      {"users by width", kJoin, {{users, widthOver(2)}}, {{joined, kInDram}}, {}, "InputSharding 0"},
      {"users interleaved", kJoin, {{users, kInDram}}, {{joined, kInDram}}, {}, "legal"},
      {"users on the host", kJoin, {{users, kAtHost}}, {{joined, kInDram}}, {}, "InputOnHost 0"},
      {"into DRAM",
       kSplit,
       {{{1, 1, 32, 768}, widthOver(8)}},
       {{{1, 32, 4, 64}, kInDram}, {{1, 32, 4, 64}, kInDram}, {{1, 32, 4, 64}, kInDram}},
       {},
       "legal"},
      {"shards",
       OpKind::TtnnConcatenateHeads,
       {{users, heightOver(8)}},
       {{{1, 32, 512}, kInDram}},
       {},
       "InputMustBeInterleaved 0"},
      {"into shards",
       OpKind::TtnnConcatenateHeads,
       {{users, kInDram}},
       {{{1, 32, 512}, heightOver(1)}},
       {},
       "OutputMustBeInterleaved"},
      {"values by height", kUpdate, {{cache, kInDram}, {value, heightOver(8)}, index}, {}, {}, "legal"},
      {"values by width", kUpdate, {{cache, kInDram}, {value, widthOver(2)}, index}, {}, {}, "InputWidthSharded 1"},
      {"values in blocks",
       kUpdate,
       {{cache, kInDram}, {value, blockOver(8, 2)}, index},
       {},
       {},
       "InputMustBeInterleaved 1"},
      {"the cache in shards",
       kUpdate,
       {{cache, heightOver(8)}, {value, kInDram}, index},
       {},
       {},
       "InputMustBeInterleaved 0"},
      {"an index on the host",
       kUpdate,
       {{cache, kInDram}, {value, kInDram}, {{4}, kAtHost, DType::I32}},
       {},
       {},
       "InputOnHost 2"},
  });
}

TEST(RefusalsByHand, WhatStaysInDramAndWhatIsMade) {
  const Shape square = {256, 256}, tall = {512, 256};
  const auto kGather = OpKind::TtnnAllGather, kMesh = OpKind::TtnnMeshShard, kZeros = OpKind::TtnnZeros;
  expectRefusals({
      {"DRAM", kGather, {{square, kInDram}}, {{tall, kInDram}}, {}, "legal"},
      {"from L1", kGather, {{square, kInL1}}, {{tall, kInDram}}, {}, "InputMustBeDramInterleaved 0"},
      {"over banks", kGather, {{square, overBanks(8)}}, {{tall, kInDram}}, {}, "InputMustBeDramInterleaved 0"},
      {"into L1", kGather, {{square, kInDram}}, {{tall, kInL1}}, {}, "OutputMustBeDramInterleaved"},
      {"into banks", kGather, {{square, kInDram}}, {{tall, overBanks(8)}}, {}, "OutputMustBeDramInterleaved"},
      {"into the host", kGather, {{square, kInDram}}, {{tall, kAtHost}}, {}, "OutputMustBeDramInterleaved"},
      {"rows to rows", kGather, {{square, kDramRows}}, {{tall, kDramRows}}, {}, "legal"},
      {"rows to tiles", kGather, {{square, kDramRows}}, {{tall, kInDram}}, {}, "PageMismatch 0"},
      {"tiles to rows", kGather, {{square, kInDram}}, {{tall, kDramRows}}, {}, "PageMismatch 0"},
      {"into the host", kMesh, {{square, kAtHost}}, {{tall, kAtHost}}, {}, "legal"},
      {"in L1", kZeros, {}, {{square, kInL1}}, {}, "legal"},
      {"on the host", kZeros, {}, {{square, kAtHost}}, {}, "legal"},
      {"in shards", kZeros, {}, {{square, heightOver(8)}}, {}, "OutputMustBeInterleaved"},
  });
}

}  // namespace
}  // namespace tessera::test
