// Attention of a decode step: circular buffers by mask, sink, positions and pages (published figures); what caches,
// heads and tables of angles take. Sources: tt-metal transformer/sdpa, kv_cache, experimental/transformer.

#include "tests/ops/asking.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

struct Decode {
  bool causal = true, mask = false, positions = true, sink = false;
};

Asked decode(Decode with, int64_t heads = 12, DType dtype = DType::BF16) {
  std::vector<Tensor> operands = {
      {{1, 1, heads, 32}, kInDram, dtype}, {{1, 12, 128, 32}, kInDram, dtype}, {{1, 12, 128, 32}, kInDram, dtype}};
  if (with.mask) operands.push_back({{1, 1, heads, 128}, kInDram, dtype});
  if (with.positions) operands.push_back({{1}, kInDram, dtype});
  if (with.sink) operands.push_back({{heads, 32}, kInDram, dtype});
  AttrList attrs = {{"is_causal", boolAttr(with.causal)},
                    {"operandSegmentSizes", intArrayAttr({1, 1, 1, with.mask, with.positions, with.sink}, "i32")}};
  return Asked(n150(), OpKind::TtnnScaledDotProductAttentionDecode, operands, {{{1, 1, heads, 32}, kInDram, dtype}},
               attrs);
}

TEST(AttentionBuffers, OfADecodeStepAreThePublishedOnes) {
  EXPECT_EQ(decode({}).buffers(), 78'848);
  EXPECT_EQ(decode({.causal = false, .mask = true}).buffers(), 118'784);
  EXPECT_EQ(decode({.sink = true}).buffers(), 79'872);
  Asked paged(
      n150(), OpKind::TtnnPagedScaledDotProductAttentionDecode,
      {{{1, 1, 12, 64}, kInDram},
       {{128, 12, 32, 64}, kInDram},
       {{128, 12, 32, 64}, kInDram},
       {{1, 128}, {BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, PageLayout::RowMajor}, DType::I32},
       {{1}, kInDram}},
      {{{1, 1, 12, 64}, kInDram}},
      {{"is_causal", boolAttr(true)}, {"operandSegmentSizes", intArrayAttr({1, 1, 1, 1, 0, 1, 0}, "i32")}});
  EXPECT_EQ(paged.buffers(), 196'128);
  EXPECT_EQ(paged.pagesOf("page table"), 1);
  EXPECT_EQ(paged.rule(), "Attention: decode, paged cache");
}

TEST(AttentionBuffers, RowsOfUpTo16HeadsAreHalfATile) {
  EXPECT_EQ(decode({.positions = false}, 16).pagesOf("statistics"),
            decode({.positions = false}, 17).pagesOf("statistics"));
  EXPECT_LT(decode({.positions = false}, 16).buffers(), decode({.positions = false}, 17).buffers());
  EXPECT_EQ(decode({.causal = false, .positions = false}, 16).buffers(),
            decode({.causal = false, .positions = false}, 17).buffers())
      << "only under a causal mask";
}

TEST(AttentionBuffers, KeysOfAPrefillComeInChunksOfTheRelease) {
  const Shape shape = {1, 1, 128, 64};
  DeviceSpec later = n150();
  later.library = LibraryRelease::R2026_04;
  auto buffers = [&](const DeviceSpec& device) {
    return Asked(device, OpKind::TtnnScaledDotProductAttention, {{shape, kInDram}, {shape, kInDram}, {shape, kInDram}},
                 {{shape, kInDram}})
        .buffers();
  };
  EXPECT_EQ(buffers(n150()), 120'832);
  EXPECT_EQ(buffers(later), (2 + 4 + 4 + 2 + 1 + 1 + 1 + 4 + 5 + 2) * 2048);
  Asked masked(n150(), OpKind::TtnnScaledDotProductAttention,
               {{shape, kInL1}, {shape, kInL1}, {shape, kInL1}, {{1, 1, 128, 128}, kInL1}}, {{shape, kInL1}});
  EXPECT_EQ(masked.verdict().reason, Refusal::InputMustBeDramInterleaved);
  EXPECT_EQ(masked.verdict().operand, 3) << "the mask";
}

TEST(AttentionLayouts, ALlamaDecodeStepHasEverythingInShards) {
  const Shape users = {1, 8, 32, 128};
  auto rotary = [&](const Where& input, const Where& table) {
    return Asked(n150(), OpKind::TtnnRotaryEmbeddingLlama,
                 {{users, input}, {users, table}, {users, table}, {users, table}}, {{users, input}})
        .verdict()
        .reason;
  };
  EXPECT_EQ(rotary(heightOver(8), heightOver(8)), Refusal::None);
  EXPECT_EQ(rotary(heightOver(8), kInDram), Refusal::InputSharding);
  EXPECT_EQ(rotary(kInDram, kInDram), Refusal::None);
  EXPECT_EQ(rotary(kInDram, heightOver(8)), Refusal::InputMustBeInterleaved);
  EXPECT_EQ(rotary(blockOver(2, 2), kInDram), Refusal::InputSharding) << "whole rows";
}

TEST(AttentionLayouts, HeadsOfADecodeStepAreInShardsOfTheirOwn) {
  auto split = [&](const Where& in, const Where& out) {
    return Asked(n150(), OpKind::TtnnNlpCreateQkvHeadsDecode, {{{1, 1, 32, 768}, in}},
                 {{{1, 32, 4, 64}, out}, {{1, 32, 4, 64}, out}, {{1, 32, 4, 64}, out}})
        .verdict()
        .reason;
  };
  EXPECT_EQ(split(widthOver(8), heightOver(32)), Refusal::None);
  EXPECT_EQ(split(kInL1, heightOver(32)), Refusal::None);
  EXPECT_EQ(split(blockOver(1, 8), heightOver(32)), Refusal::InputSharding);
  EXPECT_EQ(split(widthOver(8), widthOver(2)), Refusal::OutputSharding);
  auto join = [&](const Where& in, const Where& out) {
    return Asked(n150(), OpKind::TtnnNlpConcatHeads, {{{1, 8, 64, 64}, in}}, {{{1, 1, 64, 512}, out}}).verdict().reason;
  };
  EXPECT_EQ(join(heightOver(8), kInDram), Refusal::None);
  EXPECT_EQ(join(heightOver(16), kInDram), Refusal::InputSharding) << "half a head's rows";
  EXPECT_EQ(join(widthOver(2), kInDram), Refusal::InputSharding);
  EXPECT_EQ(join(widthOver(1), kInDram), Refusal::InputSharding) << "one shard of all, but by columns";
  EXPECT_EQ(join(blockOver(4, 1), kInDram), Refusal::None) << "blocks of whole rows";
  EXPECT_EQ(join(blockOver(4, 2), kInDram), Refusal::InputSharding) << "half a head's columns";
  EXPECT_EQ(join(kInL1, kInDram), Refusal::None);
  EXPECT_EQ(join(kInL1, heightOver(2)), Refusal::OutputMustBeInterleaved);
  EXPECT_EQ(join({BufferType::SystemMemory, TensorMemoryLayout::None, {1, 1}, PageLayout::Tile}, kInDram),
            Refusal::InputOnHost);
  EXPECT_EQ(join(heightOver(8), heightOver(2)), Refusal::OutputHeightSharded);
}

TEST(AttentionLayouts, PositionsOfAPagedCacheMayBeSharded) {
  const Where rows{BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, PageLayout::RowMajor};
  const Where shard{BufferType::L1, TensorMemoryLayout::HeightSharded, {1, 1}, PageLayout::RowMajor};
  auto update = [&](OpKind kind, const Where& positions) {
    return Asked(n150(), kind,
                 {{{128, 8, 32, 128}, kInDram}, {{1, 8, 32, 128}, heightOver(8)}, {{1, 8}, positions, DType::I32}}, {})
        .verdict()
        .reason;
  };
  EXPECT_EQ(update(OpKind::TtnnPagedUpdateCache, rows), Refusal::None);
  EXPECT_EQ(update(OpKind::TtnnPagedUpdateCache, shard), Refusal::None);
  EXPECT_EQ(update(OpKind::TtnnUpdateCache, shard), Refusal::InputMustBeInterleaved);
}

TEST(RowLayouts, UpsamplingSlicesAndPaddingTakeShardsOfWholeRows) {
  auto rows = [](TensorMemoryLayout memory, GridShape grid) {
    return Where{BufferType::L1, memory, grid, PageLayout::RowMajor};
  };
  const Where height = rows(TensorMemoryLayout::HeightSharded, {8, 1}),
              width = rows(TensorMemoryLayout::WidthSharded, {1, 2});
  const Where dram{BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, PageLayout::RowMajor};
  auto reason = [&](OpKind kind, const Shape& in, const Where& from, const Shape& out, const Where& to) {
    return Asked(n150(), kind, {{in, from}}, {{out, to}}).verdict().reason;
  };
  const Shape image = {1, 16, 16, 64}, larger = {1, 32, 32, 64};
  EXPECT_EQ(reason(OpKind::TtnnUpsample, image, height, larger, height), Refusal::None);
  EXPECT_EQ(reason(OpKind::TtnnUpsample, image, dram, larger, height), Refusal::OutputMustBeInterleaved);
  EXPECT_EQ(reason(OpKind::TtnnUpsample, image, width, larger, width), Refusal::InputMustBeInterleaved);
  EXPECT_EQ(reason(OpKind::TtnnUpsample, image, height, larger, dram), Refusal::ShardingMismatch);
  EXPECT_EQ(Asked(n150(), OpKind::TtnnUpsample, {{image, height}}, {{larger, height}}).buffers(), 0)
      << "shards are their own buffers";
  for (OpKind kind : {OpKind::TtnnSliceStatic, OpKind::TtnnPad}) {
    EXPECT_EQ(reason(kind, image, height, larger, height), Refusal::None);
    EXPECT_EQ(reason(kind, image, width, larger, width), Refusal::InputMustBeInterleaved);
    EXPECT_EQ(reason(kind, image, heightOver(8), larger, heightOver(8)), Refusal::InputMustBeInterleaved) << "tiles";
  }
}

TEST(RowLayouts, EmbeddingsPutTilesIntoAnyShards) {
  const Where dramRows{BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, PageLayout::RowMajor};
  auto reason = [&](const Where& table, const Where& to) {
    return Asked(n150(), OpKind::TtnnEmbedding, {{{1, 256}, dramRows, DType::U32}, {{512, 256}, table}},
                 {{{1, 256, 256}, to}})
        .verdict()
        .reason;
  };
  for (const Where& to : {kInDram, kInL1, heightOver(8), widthOver(8), blockOver(4, 4)})
    EXPECT_EQ(reason(kInDram, to), Refusal::None);
  EXPECT_EQ(reason(kInDram, {BufferType::L1, TensorMemoryLayout::HeightSharded, {8, 1}, PageLayout::RowMajor}),
            Refusal::None);
  EXPECT_EQ(reason(kInDram, {BufferType::L1, TensorMemoryLayout::WidthSharded, {1, 8}, PageLayout::RowMajor}),
            Refusal::OutputMustBeInterleaved)
      << "whole rows";
  EXPECT_EQ(reason(heightOver(8), kInDram), Refusal::InputMustBeInterleaved);
}

TEST(RowLayouts, TernaryOpsAreCounted) {
  const Shape wide = {64, 1024};
  for (OpKind kind : {OpKind::TtnnWhere, OpKind::TtnnAddcmul, OpKind::TtnnAddcdiv, OpKind::TtnnLerp}) {
    EXPECT_EQ(Asked(n150(), kind, {{wide, kInDram}, {wide, kInDram}, {wide, kInDram}}, {{wide, kInL1}}).buffers(),
              16'384);
  }
}

}  // namespace
}  // namespace tessera::test
