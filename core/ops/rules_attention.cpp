// Attention, rotary embedding, heads, key/value caches. Device reference 4.0, 4.9, 4.12; compiler reference 1.6, 4.5.

#include <algorithm>

#include "core/ops/matmul_program.h"

namespace tessera {

namespace {

// --- scaled dot-product attention ------------------------------------------------------------------------------------

bool isDecode(const OpView& view) { return view.base.find("decode") != std::string_view::npos; }

// Prefill reads interleaved operands; a decode step's query may be height sharded, keys and values stay in DRAM.
Refused attentionLegality(const OpView& view) {
  if (!isDecode(view)) return interleavedOnly(view);
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
    bool query = i == 0 && (view.input(i).isDram() || view.input(i).memory == TensorMemoryLayout::HeightSharded);
    if (!query && (!view.input(i).isDram() || view.input(i).sharded())) return {Refusal::InputMustBeDramInterleaved, i};
  }
  return view.hasResult() && view.output().sharded() ? Refused{Refusal::OutputMustBeInterleaved} : Refused{};
}

struct Heads {
  int64_t queryRows = 1, keyRows = 1, depth = 1, count = 1;  // tiles; count of heads
};

// Keys are taken in chunks: the largest power of two that divides their number, at most 512, of a paged cache 256 (the published
// row leaves no room for more).
Heads headsOf(const OpView& view) {
  Heads heads;
  heads.depth = tileCols(view.inputShape(0));
  bool decode = isDecode(view), paged = view.base.substr(0, 5) == "paged";
  int64_t keys = dimFromEnd(view.inputShape(1), 1);
  if (paged) keys *= dimFromEnd(view.inputShape(1), 3);
  int64_t chunk = std::min<int64_t>(keys & -keys, paged ? 256 : 512);
  heads.keyRows = ceilDiv(chunk, kTileSide);
  heads.count = decode ? dimFromEnd(view.inputShape(0), 1) : dimFromEnd(view.inputShape(0), 2);
  if (decode) heads.queryRows = ceilDiv(heads.count, kTileSide);
  return heads;
}

int64_t attentionBuffers(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return twoTilesEach(view);
  Heads h = headsOf(view);
  int64_t out = h.queryRows * h.depth;
  int64_t tiles = h.queryRows * h.depth + 4 * h.keyRows * h.depth + h.queryRows * h.keyRows + out;  // query, keys, values, scores, result
  if (isDecode(view)) {
    int64_t coresPerHead = std::max<int64_t>(view.device.grid.volume() / std::max<int64_t>(h.count, 1), 1);
    tiles += (out + 2 * h.queryRows) * (coresPerHead - 1) + 2;
  } else {
    tiles += 2 * h.queryRows * h.keyRows + 2 + 2 * out + 5 * h.queryRows;  // mask, scale and identity, sums, statistics
  }
  return tiles * view.inputTile(0);
}

// --- rotary embedding ------------------------------------------------------------------------------------------------

// Height sharded or interleaved, operand and result alike; in a decode step of the llama form the tables are sharded too.
Refused rotaryLegality(const OpView& view) {
  if (Refused refused = requireTiles(view)) return refused;
  if (!view.hasInput(0) || !view.hasResult()) return {};
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i) || !view.input(i).sharded()) continue;
    bool table = view.is("rotary_embedding_llama") && shardedInL1(view.input(0)) && view.input(i).memory == TensorMemoryLayout::HeightSharded;
    if (i > 0 && !table) return {Refusal::InputMustBeInterleaved, i};
    if (view.input(i).memory == TensorMemoryLayout::WidthSharded) return {Refusal::InputWidthSharded, i};
  }
  return sameSharding(view, Refusal::ShardingMismatch);
}

int64_t rotaryBuffers(const OpView& view) {
  return view.hasResult() ? (view.is("rotary_embedding_llama") ? 12 : 24) * view.outputTile() : 0;
}

// --- heads -----------------------------------------------------------------------------------------------------------

bool concatenates(const OpView& view) { return view.is("concatenate_heads") || view.is("nlp_concat_heads"); }
bool isConcatDecode(const OpView& view) { return view.is("nlp_concat_heads_decode"); }

Refused headLegality(const OpView& view) {
  bool splitDecode = view.is("nlp_create_qkv_heads_decode");
  if (!isConcatDecode(view) && !splitDecode) return interleavedOnly(view);
  // A decode step has one user's heads per core: split, they come out height sharded; joined, they go in that way and come out one
  // head per core. An interleaved operand is sharded on the way in.
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
  }
  return {};
}

// All heads of a row of tiles, in and out. Splitting buffers two tiles in and out, transposed keys four times as many.
int64_t headBuffers(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return 0;
  if (isConcatDecode(view)) return shardedInL1(view.input(0)) ? 0 : 2 * view.inputTile(0);
  if (concatenates(view)) return 2 * dimFromEnd(view.inputShape(0), 2) * tileCols(view.inputShape(0)) * view.inputTile(0);
  return (attrFlag(view, "transpose_key") ? 12 : 4) * view.inputTile(0);
}

// The last step of a decoder: one head per core, whatever grid was asked.
TensorLayout headProduces(const OpView& view) {
  TensorLayout layout = view.output();
  if (!isConcatDecode(view) || !view.hasInput(0) || !shardedInL1(layout)) return layout;
  layout.shardCols = std::min(layout.shardCols, tileCols(view.inputShape(0)));
  layout.grid.cols = static_cast<int32_t>(std::min<int64_t>(ceilDiv(tileCols(view.resultShape()), layout.shardCols), view.device.grid.volume()));
  return layout;
}

// --- key/value caches ------------------------------------------------------------------------------------------------

// A cache is interleaved and stays where it is; what is written is interleaved or height sharded; indices come as they are.
Refused cacheLegality(const OpView& view) {
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
    if (view.input(i).memory == TensorMemoryLayout::WidthSharded) return {Refusal::InputWidthSharded, i};
    bool value = i == 1 && view.input(i).memory == TensorMemoryLayout::HeightSharded;
    if (!value && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  return view.hasResult() && view.output().sharded() ? Refused{Refusal::OutputMustBeInterleaved} : Refused{};
}

// Bytes of one row of a row-major index tensor.
int64_t indexRow(const OpView& view, int i) {
  return view.hasInput(i) ? dimFromEnd(view.inputShape(i), 0) * std::max<int64_t>(scalarBytes(view.input(i).dtype), 1) : 0;
}

int64_t cacheBuffers(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1)) return 0;
  const Shape& cache = view.inputShape(0);
  const Shape& value = view.inputShape(1);
  int64_t tile = view.inputTile(0), row = tileCols(cache);
  if (view.is("fill_cache")) return 2 * tile;
  if (view.is("paged_fill_cache")) return 2 * row * tile + indexRow(view, 2) + indexRow(view, 3);
  if (view.is("update_cache")) {
    // Rows of cache, value and both untilized, twice; and one row of tiles for every row of the value, to write back.
    int64_t together = std::min<int64_t>(2, dimFromEnd(cache, 3));
    int64_t written = alignUp(dimFromEnd(value, 1), kTileSide) * row;
    return (3 * 2 * together * row + 2 * row + written) * tile;
  }
  // paged_update_cache: rows of cache, twice, with their untilized copies; a row to write back per user; indices as a tile.
  constexpr int64_t kIndexTile = 4096;
  bool valueInPlace = shardedInL1(view.input(1));
  int64_t users = dimFromEnd(value, 2);
  int64_t tiles = 3 * 2 * row + users * row + (valueInPlace ? 0 : 2 * row);
  return tiles * tile + kIndexTile + indexRow(view, 3);
}

}  // namespace

const FamilyRules kAttentionRules = {attentionLegality, attentionBuffers};
const FamilyRules kRotaryRules = {rotaryLegality, rotaryBuffers};
const FamilyRules kHeadRules = {headLegality, headBuffers, nullptr, headProduces};
const FamilyRules kCacheRules = {cacheLegality, cacheBuffers};

}  // namespace tessera
