// Reading and printing `#tt.metal_layout<...>` / `#ttcore.metal_layout<...>`.

#include "core/ir/metal_layout.h"
#include "core/ir/text/ttnn_layout_text.h"

namespace tessera {
namespace {

std::optional<LayoutDefect> readGrid(std::string_view text, MetalLayout& layout) {
  TextCursor cursor(text);
  if (!cursor.eat("<")) return badText("the grid, such as `<2x4>`", cursor);
  const std::optional<std::vector<int64_t>> dims = parseDims(cursor);
  if (!dims || !cursor.eat(">") || !cursor.atEnd()) return badText("the grid's size, such as `2x4`", cursor);
  layout.grid = *dims;
  return std::nullopt;
}

std::optional<LayoutDefect> readMemref(std::string_view text, MetalLayout& layout) {
  const Result<MemrefText, LayoutDefect> memref = parseMemref(text);
  if (!memref) return memref.error();
  const std::optional<MemorySpace> space = parseMemorySpace(spaceWord(memref->space));
  if (!space) return defect(LayoutRule::UnknownMemorySpace, "memory space " + quoted(memref->space) + " is not known");
  layout.shard = memref->dims;
  layout.dtype = memref->dtype;
  layout.tiled = memref->tiled;
  layout.tile = {memref->tileRows, memref->tileCols};
  layout.space = *space;
  return std::nullopt;
}

}  // namespace

std::string printMetalLayout(const MetalLayout& layout, std::string_view dialect) {
  std::string text = "#" + std::string(dialect) + ".metal_layout<" + printAffineMap(layout.linear) + ", " +
                     std::string(oobValName(layout.oob)) + ", <" + shapeText(layout.grid) + ">, memref<";
  for (int64_t dim : layout.shard) text += std::to_string(dim) + "x";
  if (layout.tiled) {
    text += "!" + std::string(dialect) + ".tile<" + std::to_string(layout.tile.rows) + "x" +
            std::to_string(layout.tile.cols) + ", " + std::string(tileDTypeName(layout.dtype)) + ">";
  } else {
    text += dtypeName(layout.dtype);
  }
  return text + ", #" + std::string(dialect) + ".memory_space<" + std::string(memorySpaceName(layout.space)) + ">>>";
}

Result<MetalLayout, LayoutDefect> parseMetalLayout(std::string_view text, const Shape& shape) {
  TextCursor cursor(text);
  const bool framed = cursor.eat("#tt.metal_layout") || cursor.eat("#ttcore.metal_layout");
  if (framed && !cursor.eat("<")) return badText("`<`", cursor);
  MetalLayout layout;
  const std::string_view mapText = cursor.balanced();
  if (mapText.empty() || !cursor.eat(",")) return badText("an affine map and `,`", cursor);
  Result<AffineMap, LayoutDefect> map = parseAffineMap(mapText);
  if (!map) return map.error();
  layout.linear = *map;
  const std::string_view oob = cursor.balanced();
  const std::optional<OobVal> oobVal = parseOobVal(oob);
  if (!oobVal) return defect(LayoutRule::UnknownOobValue, "out-of-bounds value " + quoted(oob) + " is not known");
  layout.oob = *oobVal;
  if (!cursor.eat(",")) return badText("`,` and the grid", cursor);
  if (auto bad = readGrid(cursor.balanced(), layout)) return *bad;
  if (!cursor.eat(",")) return badText("`,` and the memref", cursor);
  if (auto bad = readMemref(cursor.balanced(), layout)) return *bad;
  if (framed && !cursor.eat(">")) return badText("`>` of the layout", cursor);
  if (!cursor.atEnd()) return badText("nothing after the layout", cursor);
  const std::vector<LayoutDefect> defects = verifyMetalLayout(shape, layout);
  if (!defects.empty()) return defects.front();
  return layout;
}

}  // namespace tessera
