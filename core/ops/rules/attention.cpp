// Attention, rotary embedding, heads, key/value caches. Sources: tt-metal experimental/transformer, transformer/sdpa;
// tt-mlir Analysis/OpRules, TestOpModelLib.cpp of 2025-11.

#include <algorithm>

#include "core/ops/rules/matmul_program.h"

namespace tessera {

namespace {

// --- scaled dot-product attention ------------------------------------------------------------------------------------

bool isDecode(const OpView& view) { return view.base.find("decode") != std::string_view::npos; }

bool isPaged(const OpView& view) { return view.base.substr(0, 5) == "paged"; }

// Prefill reads interleaved operands, its mask from DRAM; a decode step's query may be height sharded, keys and values
// stay in DRAM.
Refused attentionLegality(const OpView& view) {
  if (!isDecode(view)) {
    int mask = operandOf(view, "mask");
    if (Refused refused = interleavedOnly(view)) return refused;
    return view.hasInput(mask) && !view.input(mask).isDram() ? Refused{Refusal::InputMustBeDramInterleaved, mask}
                                                             : Refused{};
  }
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
    bool query = i == 0 && (view.input(i).isDram() || view.input(i).memory == TensorMemoryLayout::HeightSharded);
    if (!query && (!view.input(i).isDram() || view.input(i).sharded())) return {Refusal::InputMustBeDramInterleaved, i};
  }
  return view.hasResult() && view.output().sharded() ? Refused{Refusal::OutputMustBeInterleaved} : Refused{};
}

struct Heads {
  int64_t queryRows = 1, keyRows = 1, depth = 1, count = 1, keyHeads = 1;  // tiles; count of heads
};

// Keys are taken in chunks: the largest power of two that divides their number, at most 512, of a paged cache 256 (the
// published row leaves no room for more). Prefill took 128 in the library of 2025-11 (published: 120,832 bytes), 32 in
// that of 2026-04.
Heads headsOf(const OpView& view) {
  Heads heads;
  heads.depth = tileCols(view.inputShape(0));
  bool decode = isDecode(view), paged = isPaged(view);
  int64_t keys = dimFromEnd(view.inputShape(1), 1);
  if (paged) keys *= dimFromEnd(view.inputShape(1), 3);
  int64_t most = paged ? 256 : !decode && view.device.library >= LibraryRelease::R2026_04 ? 32 : 512;
  heads.keyRows = ceilDiv(std::min<int64_t>(keys & -keys, most), kTileSide);
  heads.count = decode ? dimFromEnd(view.inputShape(0), 1) : dimFromEnd(view.inputShape(0), 2);
  heads.keyHeads = dimFromEnd(view.inputShape(1), 2);
  if (decode) heads.queryRows = ceilDiv(heads.count, kTileSide);
  return heads;
}

// One row of an index tensor in DRAM: positions, pages of a cache. Of a paged cache both are rows of integers.
int64_t indexPage(const OpView& view, int operand) {
  int64_t bytes =
      dimFromEnd(view.inputShape(operand), 0) * std::max<int64_t>(scalarBytes(view.input(operand).dtype), 1);
  if (isPaged(view)) bytes = dimFromEnd(view.inputShape(operand), 0) * 4;
  else if (view.input(operand).page == PageLayout::Tile) bytes = view.inputTile(operand);
  return alignUp(bytes, view.device.dramAlignment);
}

// Each core has a part of a head's keys; the parts' results and statistics come together on one. With up to 16 heads
// under a causal mask everything that has a row per head is in tiles of 16 rows (published, 12 heads: 78,848 bytes;
// with a mask that is given 118,784, with a sink 79,872, of a paged cache 196,128).
void decodeBuffers(const OpView& view, BufferList& buffers) {
  constexpr int64_t kHalfTileHeads = 16;
  Heads h = headsOf(view);
  DType dtype = view.input(0).dtype;
  bool causal = !findAttr(view.op, "is_causal") || attrFlag(view, "is_causal");
  int64_t row = tileBytes(dtype);
  if (causal && h.count <= kHalfTileHeads && dtype == DType::BF16 && view.device.arch == Arch::WormholeB0) row /= 2;
  int64_t cores = std::max<int64_t>(
      view.device.grid.volume() / std::max<int64_t>(mulSaturated(dimFromEnd(view.inputShape(0), 2), h.keyHeads), 1), 1);
  int64_t out = h.queryRows * h.depth;
  auto rows = [&](std::string_view name, int64_t count) { buffers.pages(name, count, row, dtype); };
  rows("query", out);
  rows("query as tiles", out);
  buffers.tiles("keys", 2 * h.keyRows * h.depth, dtype);
  buffers.tiles("values", 2 * h.keyRows * h.depth, dtype);
  rows("mask", h.queryRows * h.keyRows);
  if (view.hasInput(operandOf(view, "sink"))) rows("sink", h.queryRows);
  rows("scales", 4);
  int position = operandOf(view, "cur_pos"), pages = operandOf(view, "page_table");
  if (causal && view.hasInput(position)) buffers.pages("positions", 1, indexPage(view, position), DType::I32);
  if (view.hasInput(pages)) buffers.pages("page table", 1, indexPage(view, pages), DType::I32);
  rows("scores", h.queryRows * h.keyRows);
  rows("sums", 3 * out);
  rows("statistics", 7 * h.queryRows);
  rows("statistics in", 2 * h.queryRows);
  rows("results of other cores", mulSaturated(out + 2 * h.queryRows, cores - 1));
  rows("result in parts", out + 2 * h.queryRows);
  buffers.tiles("out", out, dtype);
}

void attentionBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return twoTilesEach(view, buffers);
  if (isDecode(view)) return decodeBuffers(view, buffers);
  Heads h = headsOf(view);
  int64_t out = h.queryRows * h.depth;
  auto add = [&](std::string_view name, int64_t tiles) { buffers.tiles(name, tiles, view.input(0).dtype); };
  add("query", out);
  add("keys", 2 * h.keyRows * h.depth);
  add("values", 2 * h.keyRows * h.depth);
  add("mask", 2 * h.queryRows * h.keyRows);
  add("scale", 1);
  add("identity", 1);
  add("scores", h.queryRows * h.keyRows);
  add("sums", 2 * out);
  add("statistics", 5 * h.queryRows);
  add("out", out);
}

OpRule attentionRule(const OpView& view) {
  if (!isDecode(view)) return {"Attention: prefill", "tt-metal transformer/sdpa"};
  return {isPaged(view) ? "Attention: decode, paged cache" : "Attention: decode", "tt-metal transformer/sdpa"};
}

// --- rotary embedding ------------------------------------------------------------------------------------------------

// Interleaved, or sharded by rows, operand and result alike. A decode step of the llama form has everything height
// sharded, tables too; the other form reads its tables interleaved.
Refused rotaryLegality(const OpView& view) {
  if (Refused refused = requireTiles(view)) return refused;
  if (!view.hasInput(0) || !view.hasResult()) return {};
  bool llama = view.is("rotary_embedding_llama"), sharded = view.input(0).sharded();
  if (view.input(0).memory == TensorMemoryLayout::WidthSharded) return {Refusal::InputWidthSharded, 0};
  if (sharded && (view.input(0).grid.cols != 1 && view.input(0).memory == TensorMemoryLayout::BlockSharded))
    return {Refusal::InputSharding, 0};
  for (int i = 1; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    bool height = shardedInL1(view.input(i)) && view.input(i).memory == TensorMemoryLayout::HeightSharded;
    if (llama && sharded && !height) return {Refusal::InputSharding, i};
    if (!(llama && sharded) && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  return sameSharding(view, Refusal::ShardingMismatch);
}

void rotaryBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasResult()) return;
  int64_t each = view.is("rotary_embedding_llama") ? 2 : 4;
  for (std::string_view name : {"in0", "cos", "sin", "rotated", "products", "out"})
    buffers.tiles(name, each, view.output().dtype);
}

// --- heads -----------------------------------------------------------------------------------------------------------

bool concatenates(const OpView& view) { return view.is("concatenate_heads") || view.is("nlp_concat_heads"); }
bool isConcatDecode(const OpView& view) { return view.is("nlp_concat_heads_decode"); }

// A decode step has one user's heads per core: split, they come out height sharded; joined, they go in that way and
// come out one head per core. An interleaved operand is sharded on the way in. Joining a prefill reads whole heads'
// rows from shards as well.
Refused headLegality(const OpView& view) {
  bool splitDecode = view.is("nlp_create_qkv_heads_decode"),
       joinsShards = view.is("nlp_concat_heads") && view.hasInput(0) && view.input(0).sharded();
  if (!isConcatDecode(view) && !splitDecode && !joinsShards) return interleavedOnly(view);
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
  }
  if (!view.hasInput(0) || !view.hasResult()) return {};
  const TensorLayout &in = view.input(0), &out = view.output();
  if (in.sharded() && splitDecode && in.memory != TensorMemoryLayout::WidthSharded) return {Refusal::InputSharding, 0};
  if (in.sharded() && isConcatDecode(view) && in.memory != TensorMemoryLayout::HeightSharded)
    return {Refusal::InputSharding, 0};
  if (splitDecode && out.sharded() && out.memory != TensorMemoryLayout::HeightSharded) return {Refusal::OutputSharding};
  if (!joinsShards) return {};
  int64_t sequence = ceilDiv(dimFromEnd(view.inputShape(0), 1), kTileSide);
  bool whole = in.memory != TensorMemoryLayout::WidthSharded && in.shardCols == tileCols(view.inputShape(0)) &&
               in.shardRows % sequence == 0;
  if (!whole) return {Refusal::InputSharding, 0};
  return out.memory == TensorMemoryLayout::HeightSharded ? Refused{Refusal::OutputHeightSharded} : Refused{};
}

// All heads of a row of tiles, in and out. Splitting buffers two tiles in and out, transposed keys four times as many.
void headBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0) || !view.hasResult()) return;
  DType dtype = view.input(0).dtype;
  if (isConcatDecode(view)) {
    if (shardedInL1(view.input(0))) buffers.inOperand("in0", shardTiles(view.input(0)), view, 0);
    else buffers.tiles("in and out", 2, dtype);
    return;
  }
  if (concatenates(view)) {
    buffers.tiles("heads", 2 * mulSaturated(dimFromEnd(view.inputShape(0), 2), tileCols(view.inputShape(0))), dtype);
    return;
  }
  int64_t each = attrFlag(view, "transpose_key") ? 4 : 2;
  buffers.tiles("in0", each, dtype);
  if (each == 4) buffers.tiles("transposed keys", 4, dtype);
  buffers.tiles("out", each, dtype);
}

OpRule headRule(const OpView& view) {
  bool joins = concatenates(view) || isConcatDecode(view);
  return {joins ? "Heads joined" : "Heads split", "tt-metal experimental/transformer"};
}

// The last step of a decoder: one head per core, whatever grid was asked.
TensorLayout headProduces(const OpView& view) {
  TensorLayout layout = view.output();
  if (!isConcatDecode(view) || !view.hasInput(0) || !view.hasResult() || !shardedInL1(layout)) return layout;
  layout.shardCols = std::min(layout.shardCols, tileCols(view.inputShape(0)));
  layout.grid.cols = static_cast<int32_t>(
      std::min<int64_t>(ceilDiv(tileCols(view.resultShape()), layout.shardCols), view.device.grid.volume()));
  return layout;
}

// --- key/value caches ------------------------------------------------------------------------------------------------

// A cache is interleaved and stays where it is; what is written is interleaved or height sharded in whole rows; indices
// come as they are, positions of a paged cache from shards too.
Refused cacheLegality(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
    if (view.input(i).memory == TensorMemoryLayout::WidthSharded) return {Refusal::InputWidthSharded, i};
    bool positions = i == 2 && view.is("paged_update_cache");
    bool height = (i == 1 || positions) && shardedInL1(view.input(i)) &&
                  view.input(i).memory == TensorMemoryLayout::HeightSharded;
    if (!height && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  return view.hasResult() && view.output().sharded() ? Refused{Refusal::OutputMustBeInterleaved} : Refused{};
}

// Bytes of one row of a row-major index tensor.
int64_t indexRow(const OpView& view, int i) {
  return view.hasInput(i) ? dimFromEnd(view.inputShape(i), 0) * std::max<int64_t>(scalarBytes(view.input(i).dtype), 1)
                          : 0;
}

void cacheBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0) || !view.hasInput(1)) return;
  const Shape& cache = view.inputShape(0);
  const Shape& value = view.inputShape(1);
  int64_t row = tileCols(cache);
  DType dtype = view.input(0).dtype;
  auto add = [&](std::string_view name, int64_t tiles) { buffers.tiles(name, tiles, dtype); };
  auto addIndices = [&](std::string_view name, int operand) {
    buffers.pages(name, 1, indexRow(view, operand), view.hasInput(operand) ? view.input(operand).dtype : DType::I32);
  };
  if (view.is("fill_cache")) return add("in and out", 2);
  if (view.is("paged_fill_cache")) {
    add("value", 2 * row);
    addIndices("page table", 2);
    return addIndices("batch", 3);
  }
  if (view.is("update_cache")) {
    // Rows of cache, value and both untilized, twice; and one row of tiles for every row of the value, to write back.
    int64_t together = std::min<int64_t>(2, dimFromEnd(cache, 3));
    int64_t written = alignUp(dimFromEnd(value, 1), kTileSide) * row;
    add("cache", 2 * together * row);
    add("value", 2 * row);
    add("untilized cache", 2 * together * row);
    add("untilized value", written);
    return add("out", 2 * together * row);
  }
  // paged_update_cache: rows of cache, twice, with their untilized copies; a row to write back per user; indices as a
  // tile.
  int64_t users = dimFromEnd(value, 2);
  add("cache", 2 * row);
  if (shardedInL1(view.input(1))) buffers.inOperand("value", shardTiles(view.input(1)), view, 1);
  else add("value", 2 * row);
  add("untilized cache", 2 * row);
  add("untilized value", mulSaturated(users, row));
  add("out", 2 * row);
  buffers.tiles("indices", 1, DType::I32);
  addIndices("page table", 3);
}

}  // namespace

const FamilyRules kAttentionRules = {
    {"Attention", "tt-metal transformer/sdpa"}, attentionLegality, attentionBuffers, nullptr, nullptr, attentionRule};
const FamilyRules kRotaryRules = {
    {"Rotary embedding", "tt-metal experimental/transformer"}, rotaryLegality, rotaryBuffers};
const FamilyRules kHeadRules = {
    {"Heads", "tt-metal experimental/transformer"}, headLegality, headBuffers, nullptr, headProduces, headRule};
const FamilyRules kCacheRules = {{"Key/value cache", "tt-metal kv_cache"}, cacheLegality, cacheBuffers};

}  // namespace tessera
