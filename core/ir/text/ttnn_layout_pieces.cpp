#include "core/ir/text/ttnn_layout_text.h"

#include <limits>

namespace tessera {
namespace {

constexpr size_t kMaxRank = 64;
constexpr size_t kMaxCoreRanges = 4096;

// "(3, 4)"; coordinates below 2^15, far above any chip.
std::optional<CoreCoord> parseCoord(TextCursor& cursor) {
  constexpr int64_t kMaxCoord = 1 << 15;
  if (!cursor.eat("(")) return std::nullopt;
  const std::optional<int64_t> x = cursor.number();
  if (!x || *x >= kMaxCoord || !cursor.eat(",")) return std::nullopt;
  const std::optional<int64_t> y = cursor.number();
  if (!y || *y >= kMaxCoord || !cursor.eat(")")) return std::nullopt;
  return CoreCoord{static_cast<int32_t>(*x), static_cast<int32_t>(*y)};
}

bool overlap(const CoreRange& a, const CoreRange& b) {
  return a.begin.x <= b.end.x && b.begin.x <= a.end.x && a.begin.y <= b.end.y && b.begin.y <= a.end.y;
}

}  // namespace

std::optional<std::vector<int64_t>> parseDims(TextCursor& cursor) {
  std::vector<int64_t> dims;
  do {
    const std::optional<int64_t> dim = cursor.number();
    if (!dim || dims.size() >= kMaxRank) return std::nullopt;
    dims.push_back(*dim);
  } while (cursor.eatChar('x'));
  return dims;
}

std::optional<LayoutDefect> parseElement(TextCursor& cursor, MemrefText& into) {
  std::string_view name;
  if (cursor.eat("!ttcore.tile") || cursor.eat("!tt.tile")) {
    into.tiled = true;
    if (!cursor.eat("<")) return badText("`<` of the tile type", cursor);
    const std::optional<int64_t> rows = cursor.number();
    if (!rows || !(cursor.eatChar('x') || cursor.eat(","))) return badText("the tile's size, such as `32x32`", cursor);
    const std::optional<int64_t> cols = cursor.number();
    if (!cols || !cursor.eat(",")) return badText("the tile's size and `,`", cursor);
    if (*rows < 1 || *cols < 1 || *rows > 1024 || *cols > 1024)
      return defect(LayoutRule::BadTileShape,
                    "tiles of " + std::to_string(*rows) + "x" + std::to_string(*cols) + " do not exist");
    into.tileRows = *rows;
    into.tileCols = *cols;
    name = cursor.word();
    if (name.empty() || !cursor.eat(">")) return badText("the tile's element type and `>`", cursor);
  } else {
    name = cursor.word();
    if (name.empty()) return badText("an element type", cursor);
  }
  const std::optional<DType> dtype = parseDType(name);
  if (!dtype) return defect(LayoutRule::UnknownElementType, "element type " + quoted(name) + " is not known");
  into.dtype = *dtype;
  if (!into.tiled && isBlockFloat(into.dtype))
    return defect(LayoutRule::BlockFloatRowMajor, quoted(name) + " exists in tiles only, not row-major");
  return std::nullopt;
}

Result<MemrefText, LayoutDefect> parseMemref(std::string_view text) {
  TextCursor cursor(text);
  MemrefText memref;
  if (!cursor.eat("memref") || !cursor.eat("<")) return badText("`memref<`", cursor);
  while (TextCursor::isDigit(cursor.peek())) {
    const std::optional<int64_t> dim = cursor.number();
    if (!dim) return defect(LayoutRule::SizeOverflow, "a dim of " + quoted(text) + " does not fit 63 bits");
    if (memref.dims.size() >= kMaxRank)
      return defect(LayoutRule::RankMismatch, "a memref of more than " + std::to_string(kMaxRank) + " dims");
    memref.dims.push_back(*dim);
    if (!cursor.eatChar('x')) return badText("`x` after a dim of the memref", cursor);
  }
  if (auto bad = parseElement(cursor, memref)) return *bad;
  if (cursor.eat(",")) {
    memref.space = cursor.balanced();
    if (memref.space.empty()) return badText("a memory space", cursor);
  }
  if (!cursor.eat(">")) return badText("`>` of the memref", cursor);
  if (!cursor.atEnd()) return badText("nothing after the memref", cursor);
  return memref;
}

std::string_view spaceWord(std::string_view text) {
  TextCursor cursor(text);
  std::string_view word;
  if (cursor.eat("#ttnn.buffer_type") || cursor.eat("#tt.memory_space") || cursor.eat("#ttcore.memory_space")) {
    if (!cursor.eat("<")) return {};
    word = cursor.word();
    if (!cursor.eat(">")) return {};
  } else if (cursor.eatChar('#') || cursor.eatChar('<')) {
    const bool bracket = text.find('<') != std::string_view::npos;
    word = cursor.word();
    if (bracket && !cursor.eat(">")) return {};
    // MLIR appends `_` to an alias whose name is a prefix of another alias or ends in a digit.
    while (!word.empty() && word.back() == '_') word.remove_suffix(1);
  }
  return cursor.atEnd() ? word : std::string_view{};
}

Result<std::vector<CoreRange>, LayoutDefect> parseCoreRanges(std::string_view text) {
  TextCursor cursor(text);
  const bool framed = (cursor.eat("#ttnn.core_range_set") && cursor.eat("<")) || cursor.eat("<");
  std::vector<CoreRange> ranges;
  const bool list = cursor.eat("[");
  if (!list && !framed) return badText("core ranges in `[...]`", cursor);
  while (cursor.eat("#ttnn.core_range") || cursor.peek() == '<' || cursor.peek() == '(') {
    const bool angle = cursor.eat("<");
    const std::optional<CoreCoord> begin = parseCoord(cursor);
    cursor.eat(",");
    const std::optional<CoreCoord> end = begin ? parseCoord(cursor) : std::nullopt;
    if (!begin || !end || (angle && !cursor.eat(">")))
      return badText("a core range such as `#ttnn.core_range<(0,0), (7,7)>`", cursor);
    const CoreRange range{*begin, *end};
    if (end->x < begin->x || end->y < begin->y)
      return defect(LayoutRule::CoreRangesMismatch, "a core range ends before it begins: " + coreRangesText({range}));
    for (const CoreRange& other : ranges) {
      if (overlap(range, other))
        return defect(LayoutRule::CoreRangesMismatch, "core ranges overlap: " + coreRangesText({other, range}));
    }
    if (ranges.size() >= kMaxCoreRanges)
      return defect(LayoutRule::CoreRangesMismatch, "more than " + std::to_string(kMaxCoreRanges) + " core ranges");
    ranges.push_back(range);
    if (!cursor.eat(",")) break;
  }
  if ((list && !cursor.eat("]")) || (framed && !cursor.eat(">"))) return badText("the end of the core ranges", cursor);
  if (!cursor.atEnd()) return badText("nothing after the core ranges", cursor);
  return ranges;
}

int64_t coreCount(const std::vector<CoreRange>& ranges) {
  int64_t count = 0;
  for (const CoreRange& range : ranges)
    count += int64_t{range.end.x - range.begin.x + 1} * (range.end.y - range.begin.y + 1);
  return count;
}

}  // namespace tessera
