#pragma once
// Pieces that the texts of ttnn_layout and metal_layout have in common.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/tensor_layout.h"
#include "core/ir/text/text_cursor.h"

namespace tessera {

inline LayoutDefect badText(const std::string& what, TextCursor& cursor) {
  return LayoutDefect{LayoutRule::BadText, "expected " + what + " but found " + cursor.seen()};
}

// A text of the file in a message: at most 60 bytes of it.
inline std::string quoted(std::string_view text) {
  return "`" + std::string(text.substr(0, 60)) + (text.size() > 60 ? "...`" : "`");
}

// "memref<2x3x!ttcore.tile<32x32, bf16>, #l1>" without its frame: dims, element (as spelled), and the text of the
// memory space ("" when absent).
struct MemrefText {
  std::vector<int64_t> dims;
  DType dtype = DType::BF16;
  bool tiled = false;
  int64_t tileRows = kTileSide;
  int64_t tileCols = kTileSide;
  std::string_view space;
};
// `text` is the whole of "memref<...>".
Result<MemrefText, LayoutDefect> parseMemref(std::string_view text);

// "!ttcore.tile<32x32, bf16>", "!tt.tile<32 x 32, bf16>", "!ttcore.tile<32, 32, bf16>", "bf16": fills dtype, tiled and
// the tile's size.
std::optional<LayoutDefect> parseElement(TextCursor& cursor, MemrefText& into);

// "#dram", "#l1_", "#ttnn.buffer_type<l1>", "#system_memory", "#tt.memory_space<l1>": the bare word, "l1". Empty when
// it is none of these.
std::string_view spaceWord(std::string_view text);

// "<[#ttnn.core_range<(0,0), (7,7)>]>", "#ttnn.core_range_set<[...]>", "[...]"; disjoint rectangles with ordered
// corners.
Result<std::vector<CoreRange>, LayoutDefect> parseCoreRanges(std::string_view text);
// Number of cores in disjoint ranges.
int64_t coreCount(const std::vector<CoreRange>& ranges);

// "8x8" at the cursor; nothing when it is no pair of numbers.
std::optional<std::vector<int64_t>> parseDims(TextCursor& cursor);

}  // namespace tessera
