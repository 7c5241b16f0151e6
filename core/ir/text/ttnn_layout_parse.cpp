// Reading `#ttnn.ttnn_layout<...>`: the spelling with core_ranges, the one with a map in the grid (until 2026-04), and
// that of docs/rules/lowering.md#text-of-layouts, which names every enum in full and puts the tensor's own shape where
// the others have the grid.

#include <algorithm>
#include <limits>

#include "core/ir/affine_map.h"
#include "core/ir/nearest_layout.h"
#include "core/ir/text/ttnn_layout_text.h"
#include "core/ir/types.h"

namespace tessera {
namespace {

// The items of the text before they are checked against each other.
struct Items {
  std::string_view map;
  GridShape grid;
  std::optional<MemrefText> memref;
  std::optional<BufferType> buffer;
  std::optional<TensorMemoryLayout> memory;
  std::optional<PageLayout> page;     // from `layout = `
  std::optional<MemrefText> element;  // from `element_type = `
  bool hasCoreRanges = false;
  bool fullNames = false;  // the full spelling: #ttnn.tensor_memory_layout<...>
  TtnnLayoutAttr attr;     // gridMap, mesh, coreRanges, shardSpec, ignorePhysicalLayout, others
};

std::optional<LayoutDefect> readGrid(std::string_view text, Items& items) {
  TextCursor cursor(text);
  if (!cursor.eat("#ttcore.grid")) cursor.eat("#tt.grid");
  if (!cursor.eat("<")) return badText("the grid, such as `<8x8>`", cursor);
  const std::optional<std::vector<int64_t>> dims = parseDims(cursor);
  if (!dims) return badText("the grid's size, such as `8x8`", cursor);
  if (dims->size() != 2)
    return defect(LayoutRule::RankMismatch,
                  "the grid " + quoted(text) + " has " + std::to_string(dims->size()) + " dims, expected 2");
  for (int64_t dim : *dims) {
    if (dim < 1) return defect(LayoutRule::EmptyGrid, "grid " + quoted(text) + " has no cores");
    if (dim > std::numeric_limits<int32_t>::max())
      return defect(LayoutRule::GridBeyondDevice, "grid " + quoted(text) + " is larger than any device");
  }
  items.grid = {static_cast<int32_t>((*dims)[0]), static_cast<int32_t>((*dims)[1])};
  if (cursor.eat(",")) {
    const size_t begin = (cursor.skipSpace(), cursor.position());
    while (true) {
      if (cursor.balanced().empty()) return badText("the grid's map", cursor);
      if (!cursor.eat(",")) break;
    }
    items.attr.gridMap = std::string(cursor.from(begin));
  }
  if (!cursor.eat(">") || !cursor.atEnd()) return badText("`>` of the grid", cursor);
  return std::nullopt;
}

// "#ttnn.shard_spec<core ranges, <rows x cols>, <row_major>, <physical>>": only the core ranges matter, the rest is
// kept as text.
std::optional<LayoutDefect> readShardSpec(std::string_view text, Items& items) {
  TextCursor cursor(text);
  if (!cursor.eat("#ttnn.shard_spec") || !cursor.eat("<")) return badText("`#ttnn.shard_spec<`", cursor);
  Result<std::vector<CoreRange>, LayoutDefect> ranges = parseCoreRanges(cursor.balanced());
  if (!ranges) return ranges.error();
  while (cursor.eat(",")) {
    if (cursor.balanced().empty()) return badText("an item of the shard spec", cursor);
  }
  if (!cursor.eat(">") || !cursor.atEnd()) return badText("`>` of the shard spec", cursor);
  items.attr.coreRanges = *ranges;
  items.attr.shardSpec = std::string(text);
  items.hasCoreRanges = true;
  return std::nullopt;
}

std::optional<LayoutDefect> readMemory(std::string_view name, Items& items) {
  const std::optional<TensorMemoryLayout> memory = parseTensorMemoryLayout(name);
  if (!memory) return defect(LayoutRule::UnknownMemoryLayout, "memory layout " + quoted(name) + " is not known");
  if (items.memory) return defect(LayoutRule::BadText, "the memory layout is given twice");
  items.memory = memory;
  return std::nullopt;
}

std::optional<LayoutDefect> readBuffer(std::string_view text, Items& items) {
  const std::string_view word = spaceWord(text);
  std::optional<BufferType> buffer = parseBufferType(word);
  if (word == "system") buffer = BufferType::SystemMemory;  // the word of #tt.memory_space
  if (!buffer) return defect(LayoutRule::UnknownBufferType, "buffer type " + quoted(text) + " is not known");
  if (items.buffer) return defect(LayoutRule::BadText, "the buffer type is given twice");
  items.buffer = buffer;
  return std::nullopt;
}

std::optional<LayoutDefect> readMemref(std::string_view text, Items& items) {
  if (items.memref) return defect(LayoutRule::BadText, "the memref is given twice");
  const Result<MemrefText, LayoutDefect> memref = parseMemref(text);
  if (!memref) return memref.error();
  items.memref = *memref;
  // The full spelling repeats the tile type where the memory space belongs.
  if (memref->space.empty() || memref->space.front() == '!') return std::nullopt;
  return readBuffer(memref->space, items);
}

std::optional<LayoutDefect> readKeyed(std::string_view key, std::string_view value, std::string_view whole,
                                      Items& items) {
  if (key == "core_ranges") {
    if (items.hasCoreRanges) return defect(LayoutRule::BadText, "the core ranges are given twice");
    Result<std::vector<CoreRange>, LayoutDefect> ranges = parseCoreRanges(value);
    if (!ranges) return ranges.error();
    items.attr.coreRanges = *ranges;
    items.hasCoreRanges = true;
  } else if (key == "mesh") {
    items.attr.mesh = std::string(value);
  } else if (key == "ignorePhysicalLayout") {
    if (value != "true" && value != "false")
      return defect(LayoutRule::BadText, "ignorePhysicalLayout is " + quoted(value) + ", expected true or false");
    items.attr.ignorePhysicalLayout = value == "true";
  } else if (key == "layout") {
    TextCursor cursor(value);
    if (!cursor.eat("#ttnn.layout") || !cursor.eat("<")) return badText("`#ttnn.layout<tile>`", cursor);
    items.page = parsePageLayout(cursor.word());
    if (!items.page || !cursor.eat(">") || !cursor.atEnd()) return badText("`tile` or `row_major`", cursor);
  } else if (key == "element_type") {
    TextCursor cursor(value);
    MemrefText element;
    if (auto bad = parseElement(cursor, element)) return bad;
    if (!cursor.atEnd()) return badText("nothing after the element type", cursor);
    items.element = element;
  } else {
    items.attr.others.push_back(std::string(whole));
  }
  return std::nullopt;
}

std::optional<LayoutDefect> readItem(std::string_view text, Items& items) {
  TextCursor cursor(text);
  if (text == "...")
    return defect(LayoutRule::BadText, "`...` stands for text that was left out; the layout cannot be read");
  if (text.substr(0, 6) == "memref") return readMemref(text, items);
  if (text.substr(0, 16) == "#ttnn.shard_spec") return readShardSpec(text, items);
  if (text.substr(0, 17) == "#ttnn.buffer_type") return readBuffer(text, items);
  if (cursor.eat("#ttnn.tensor_memory_layout")) items.fullNames = true;
  if (cursor.eat("<")) {
    const std::string_view name = cursor.word();
    if (!cursor.eat(">") || !cursor.atEnd()) return badText("a memory layout such as `<interleaved>`", cursor);
    return readMemory(name, items);
  }
  const std::string_view word = cursor.word();
  if (word.empty()) return badText("an item of the layout", cursor);
  if (cursor.atEnd()) return readMemory(word, items);  // 2024 dumps print the bare word
  if (!cursor.eat("=")) return badText("`=`", cursor);
  cursor.skipSpace();
  const std::string_view value = cursor.rest();
  if (value.empty()) return badText("a value after `=`", cursor);
  return readKeyed(word, value, text, items);
}

Result<Items, LayoutDefect> readItems(std::string_view body) {
  TextCursor cursor(body);
  const bool framed = cursor.eat("#ttnn.ttnn_layout");
  if (framed && !cursor.eat("<")) return badText("`<`", cursor);
  Items items;
  items.map = cursor.balanced();
  if (items.map == "...") return *readItem("...", items);
  if (items.map.empty() || !cursor.eat(",")) return badText("an affine map and `,`", cursor);
  if (auto bad = readGrid(cursor.balanced(), items)) return *bad;
  constexpr size_t kMaxItems = 64;
  for (size_t count = 0; cursor.eat(","); ++count) {
    const std::string_view item = cursor.balanced();
    if (item.empty() || count >= kMaxItems) return badText("an item of the layout", cursor);
    if (auto bad = readItem(item, items)) return *bad;
  }
  if (framed && !cursor.eat(">")) return badText("`>`", cursor);
  if (!cursor.atEnd()) return badText("`,` or the end of the layout", cursor);
  return items;
}

// The 2-D extent the map gives the tensor, in tiles when tiled; sets attr.map when the map is not the default one.
Result<PhysicalShape, LayoutDefect> mappedShape(const Items& items, const std::vector<int64_t>& shape, PageLayout page,
                                                TtnnLayoutAttr& attr) {
  const Result<PhysicalShape, LayoutDefect> plain = physicalShape(shape, page);
  if (!plain) return plain.error();
  const Result<AffineMap, LayoutDefect> map = parseAffineMap(items.map);
  if (!map) return map.error();
  if (static_cast<size_t>(map->dimCount) != shape.size()) {
    return defect(LayoutRule::RankMismatch, "the map has " + std::to_string(map->dimCount) + " dims, tensor " +
                                                shapeText(shape) + " has " + std::to_string(shape.size()));
  }
  if (map->results.size() != 2)
    return defect(LayoutRule::RankMismatch,
                  "the map has " + std::to_string(map->results.size()) + " results, the grid has 2 dims");
  const Result<AffineMap, LayoutDefect> standard = parseAffineMap(defaultLinearMapText(shape, page));
  if (standard && sameMap(*map, *standard)) return *plain;
  attr.map = printAffineMap(*map);
  std::vector<int64_t> last = shape;
  for (int64_t& index : last) index = index > 0 ? index - 1 : 0;
  const std::optional<std::vector<int64_t>> end = evaluate(*map, last);
  if (!end)
    return defect(LayoutRule::SizeOverflow, "the map " + quoted(items.map) + " overflows at the tensor's last element");
  const int64_t side = page == PageLayout::Tile ? kTileSide : 1;
  for (int64_t index : *end) {
    if (index < 0) return defect(LayoutRule::MapNegative, "the map " + quoted(items.map) + " gives a negative place");
    if (index >= kMaxBytes)
      return defect(LayoutRule::SizeOverflow, "the map " + quoted(items.map) + " reaches beyond 62 bits");
  }
  return PhysicalShape{ceilDiv((*end)[0] + 1, side), ceilDiv((*end)[1] + 1, side)};
}

bool productIs(int64_t a, int64_t b, int64_t c, int64_t d) {
  int64_t left = 0;
  int64_t right = 0;
  return mulChecked(a, b, left) && mulChecked(c, d, right) && left == right;
}

// Does the memref hold what one core (or the whole memory) must hold?
bool shardFits(const TensorLayout& layout, PhysicalShape whole) {
  const int64_t rows = layout.shardRows;
  const int64_t cols = layout.shardCols;
  const bool divided = rows == ceilDiv(whole.rows, layout.grid.rows) && cols == ceilDiv(whole.cols, layout.grid.cols);
  const bool interleaved = layout.memory == TensorMemoryLayout::Interleaved &&
                           (layout.buffer == BufferType::L1 || layout.buffer == BufferType::L1Small);
  if (!interleaved) return divided;
  // One core's slice: 1 x n pages, or n whole rows when row-major; older dumps divide rows and columns by the grid
  // instead.
  int64_t total = 0;
  if (!mulChecked(whole.rows, whole.cols, total)) return false;
  const bool slice = productIs(rows, cols, 1, ceilDiv(total, layout.grid.volume()));
  const bool wholeRows =
      layout.page == PageLayout::RowMajor && cols == whole.cols && rows == ceilDiv(whole.rows, layout.grid.volume());
  return slice || wholeRows || divided;
}

std::optional<LayoutDefect> checkMemory(const TensorLayout& layout, bool hasCoreRanges,
                                        const std::vector<CoreRange>& ranges) {
  if (layout.buffer == BufferType::SystemMemory) {
    if (layout.sharded()) return defect(LayoutRule::SystemMemorySharded, "a tensor in system memory cannot be sharded");
    if (layout.memory != TensorMemoryLayout::None)
      return defect(LayoutRule::SystemMemoryWithMemoryLayout, "a tensor in system memory has no memory layout");
  } else if (layout.memory == TensorMemoryLayout::None) {
    return defect(LayoutRule::MissingMemoryLayout,
                  "a tensor in " + std::string(bufferTypeName(layout.buffer)) + " needs a memory layout");
  }
  if (layout.isDram() && layout.memory == TensorMemoryLayout::BlockSharded)
    return defect(LayoutRule::DramBlockSharded, "a tensor in DRAM cannot be block sharded");
  const std::string grid = std::to_string(layout.grid.rows) + "x" + std::to_string(layout.grid.cols);
  if (layout.memory == TensorMemoryLayout::HeightSharded && layout.grid.cols != 1) {
    return defect(LayoutRule::HeightGridNotColumn, "height sharding needs a grid of one column, not " + grid);
  }
  if (layout.memory == TensorMemoryLayout::WidthSharded && layout.grid.rows != 1) {
    return defect(LayoutRule::WidthGridNotRow, "width sharding needs a grid of one row, not " + grid);
  }
  const bool unit = layout.buffer == BufferType::SystemMemory || (!layout.sharded() && layout.isDram());
  if (unit && layout.grid.volume() != 1)
    return defect(LayoutRule::GridNotUnit,
                  "grid " + grid + ": a tensor that is not sharded over banks has the grid 1x1");
  if (hasCoreRanges && !layout.sharded())
    return defect(LayoutRule::CoreRangesWithoutShards, "a tensor that is not sharded has no core ranges");
  if (hasCoreRanges && coreCount(ranges) < layout.grid.volume()) {
    return defect(LayoutRule::CoreRangesMismatch, "the core ranges hold " + std::to_string(coreCount(ranges)) +
                                                      " cores, the grid " + grid + " has more shards");
  }
  return std::nullopt;
}

// The full spelling writes the tensor's shape in the place of the grid, one memref for tensors of several shapes, and
// the cores in a shard spec. Grid and memref then follow from the shape and the cores.
bool isSeed003(const Items& items) {
  return items.fullNames && (items.grid.volume() != 1 || !items.attr.shardSpec.empty());
}

// Grid of a seed-003 layout: the bounding box of a block-sharded spec, a column or row of its cores, else 1x1.
GridShape seed003Grid(const Items& items, TensorMemoryLayout memory) {
  const std::vector<CoreRange>& ranges = items.attr.coreRanges;
  if (!isSharded(memory)) return {1, 1};
  if (ranges.empty()) return items.grid;
  const int32_t cores = static_cast<int32_t>(std::min<int64_t>(coreCount(ranges), std::numeric_limits<int32_t>::max()));
  if (memory == TensorMemoryLayout::HeightSharded) return {cores, 1};
  if (memory == TensorMemoryLayout::WidthSharded) return {1, cores};
  CoreRange box = ranges.front();
  for (const CoreRange& range : ranges) {
    box.begin.x = std::min(box.begin.x, range.begin.x);
    box.begin.y = std::min(box.begin.y, range.begin.y);
    box.end.x = std::max(box.end.x, range.end.x);
    box.end.y = std::max(box.end.y, range.end.y);
  }
  return {box.end.y - box.begin.y + 1, box.end.x - box.begin.x + 1};
}

std::optional<LayoutDefect> fillFromMemref(const Items& items, TensorLayout& layout) {
  if (!items.memref) return defect(LayoutRule::BadText, "the layout has no memref");
  const MemrefText& memref = *items.memref;
  if (memref.tiled && (memref.tileRows != kTileSide || memref.tileCols != kTileSide)) {
    return defect(LayoutRule::BadTileShape, "tiles of " + std::to_string(memref.tileRows) + "x" +
                                                std::to_string(memref.tileCols) +
                                                " are not used by TTNN, expected 32x32");
  }
  if (memref.dims.empty()) return defect(LayoutRule::RankMismatch, "the memref has no dims");
  layout.page = memref.tiled ? PageLayout::Tile : PageLayout::RowMajor;
  layout.dtype = deviceDType(memref.dtype);
  layout.shardCols = memref.dims.back();
  layout.shardRows = 1;
  for (size_t i = 0; i + 1 < memref.dims.size(); ++i) {
    if (!mulChecked(layout.shardRows, memref.dims[i], layout.shardRows))
      return defect(LayoutRule::SizeOverflow, "the memref does not fit 62 bits");
  }
  if (items.page && *items.page != layout.page)
    return defect(LayoutRule::BadText, "`layout` and the memref's element type disagree");
  if (items.element && (items.element->tiled != memref.tiled || items.element->dtype != memref.dtype)) {
    return defect(LayoutRule::BadText, "`element_type` and the memref's element type disagree");
  }
  return std::nullopt;
}

}  // namespace

Result<TtnnLayoutAttr, LayoutDefect> parseTtnnLayoutAttr(std::string_view body, const std::vector<int64_t>& shape) {
  Result<Items, LayoutDefect> items = readItems(body);
  if (!items) return items.error();
  TtnnLayoutAttr attr = items->attr;
  TensorLayout& layout = attr.layout;
  if (auto bad = fillFromMemref(*items, layout)) return *bad;
  if (!items->buffer) return defect(LayoutRule::UnknownBufferType, "the layout names no buffer type");
  layout.buffer = *items->buffer;
  layout.memory = items->memory.value_or(TensorMemoryLayout::None);
  const bool seed003 = isSeed003(*items);
  layout.grid = seed003 ? seed003Grid(*items, layout.memory) : items->grid;
  if (auto bad = checkMemory(layout, items->hasCoreRanges, attr.coreRanges)) return *bad;

  const Result<PhysicalShape, LayoutDefect> whole = mappedShape(*items, shape, layout.page, attr);
  if (!whole) return whole.error();
  if (layout.buffer != BufferType::SystemMemory && (whole->rows == 0 || whole->cols == 0)) {
    return defect(LayoutRule::EmptyTensor, "tensor " + shapeText(shape) + " has no elements to store on the device");
  }
  if (seed003) {
    layout.shardRows = ceilDiv(whole->rows, layout.grid.rows);
    layout.shardCols = ceilDiv(whole->cols, layout.grid.cols);
  } else if (!shardFits(layout, *whole)) {
    return defect(LayoutRule::ShardMismatch,
                  "memref " + std::to_string(layout.shardRows) + "x" + std::to_string(layout.shardCols) +
                      " is not tensor " + shapeText(shape) + " (" + std::to_string(whole->rows) + "x" +
                      std::to_string(whole->cols) + (layout.page == PageLayout::Tile ? " tiles" : " elements") +
                      ") divided by grid " + std::to_string(layout.grid.rows) + "x" + std::to_string(layout.grid.cols));
  }
  int64_t bytes = 0;
  if (!mulChecked(layout.shardRows, layout.shardCols, bytes) || !mulChecked(bytes, layout.grid.volume(), bytes) ||
      !mulChecked(bytes, elementBytes(layout.dtype, layout.page), bytes) || bytes >= kMaxBytes) {
    return defect(LayoutRule::SizeOverflow, "the shards of tensor " + shapeText(shape) + " do not fit 62 bits");
  }
  return attr;
}

namespace {

// Interleaved in DRAM, or in system memory as it says.
void forgetShards(TensorLayout& layout) {
  layout.grid = {1, 1};
  layout.memory = TensorMemoryLayout::None;
  if (layout.buffer == BufferType::SystemMemory) return;
  layout.buffer = BufferType::DRAM;
  layout.memory = TensorMemoryLayout::Interleaved;
}

bool sound(const TensorLayout& layout) {
  int64_t bytes = 0;
  return mulChecked(layout.shardRows, layout.shardCols, bytes) && mulChecked(bytes, layout.grid.volume(), bytes) &&
         mulChecked(bytes, elementBytes(layout.dtype, layout.page), bytes) && bytes < kMaxBytes;
}

}  // namespace

std::optional<TensorLayout> nearestTtnnLayout(std::string_view body, const std::vector<int64_t>& shape) {
  Result<Items, LayoutDefect> items = readItems(body);
  if (!items || !items->buffer) return std::nullopt;
  TensorLayout layout;
  if (fillFromMemref(*items, layout)) return std::nullopt;
  layout.buffer = *items->buffer;
  layout.memory = items->memory.value_or(TensorMemoryLayout::None);
  layout.grid = items->grid;
  if (checkMemory(layout, items->hasCoreRanges, items->attr.coreRanges)) forgetShards(layout);
  const Result<PhysicalShape, LayoutDefect> whole = physicalShape(shape, layout.page);
  if (!whole) return std::nullopt;
  // Interleaved pages are dealt out over a grid of any size; shards are not fewer than its cores.
  bool idle = layout.sharded() && (layout.grid.rows > whole->rows || layout.grid.cols > whole->cols);
  if (whole->rows == 0 || whole->cols == 0 || idle) forgetShards(layout);
  layout.shardRows = ceilDiv(whole->rows, layout.grid.rows);
  layout.shardCols = ceilDiv(whole->cols, layout.grid.cols);
  if (layout.memory == TensorMemoryLayout::Interleaved && layout.buffer != BufferType::DRAM) {
    int64_t pages = 0;
    if (!mulChecked(whole->rows, whole->cols, pages)) return std::nullopt;
    bool tiles = layout.page == PageLayout::Tile;
    layout.shardRows = tiles ? 1 : ceilDiv(whole->rows, layout.grid.volume());
    layout.shardCols = tiles ? ceilDiv(pages, layout.grid.volume()) : whole->cols;
  }
  return sound(layout) ? std::optional<TensorLayout>(layout) : std::nullopt;
}

}  // namespace tessera
