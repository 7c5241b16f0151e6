// Printing `#ttnn.ttnn_layout<...>` as the compiler of 2026-08 spells it (tt-mlir TTNNOpsAttrs.td).

#include "core/ir/affine_map.h"
#include "core/ir/tensor_layout.h"

namespace tessera {
namespace {

std::string elementText(const TensorLayout& layout) {
  if (layout.page == PageLayout::Tile) return "!ttcore.tile<32x32, " + std::string(tileDTypeName(layout.dtype)) + ">";
  return std::string(dtypeName(layout.dtype));
}

}  // namespace

std::string coreRangesText(const std::vector<CoreRange>& ranges) {
  std::string text = "[";
  for (const CoreRange& range : ranges) {
    if (text.size() > 1) text += ", ";
    text += "#ttnn.core_range<(" + std::to_string(range.begin.x) + "," + std::to_string(range.begin.y) + "), (" +
            std::to_string(range.end.x) + "," + std::to_string(range.end.y) + ")>";
  }
  return text + "]";
}

std::string defaultLinearMapText(const std::vector<int64_t>& shape, PageLayout page) {
  if (shape.empty()) return "() -> (0, 0)";
  if (shape.size() == 1) return "(d0) -> (0, d0)";
  std::vector<int64_t> padded = shape;
  if (page == PageLayout::Tile) {
    for (size_t i = padded.size() - 2; i < padded.size(); ++i) {
      if (padded[i] < 0 || padded[i] > (int64_t{1} << 61)) return "";
      padded[i] = alignUp(padded[i], kTileSide);
    }
  }
  const Result<AffineMap, LayoutDefect> map = collapsedLinearMap(padded);
  return map ? printAffineMap(*map) : "";
}

std::string printTtnnLayoutAttr(const std::vector<int64_t>& shape, const TtnnLayoutAttr& attr,
                                const DeviceSpec& device) {
  const TensorLayout& layout = attr.layout;
  std::string text = "#ttnn.ttnn_layout<" + (attr.map.empty() ? defaultLinearMapText(shape, layout.page) : attr.map);
  text += ", <" + std::to_string(layout.grid.rows) + "x" + std::to_string(layout.grid.cols) +
          (attr.gridMap.empty() ? "" : ", " + attr.gridMap) + ">";
  if (!attr.mesh.empty()) text += ", mesh = " + attr.mesh;
  text += ", memref<" + std::to_string(layout.shardRows) + "x" + std::to_string(layout.shardCols) + "x" +
          elementText(layout);
  text += ", #ttnn.buffer_type<" + std::string(bufferTypeName(layout.buffer)) + ">>";
  if (layout.memory != TensorMemoryLayout::None)
    text += ", <" + std::string(tensorMemoryLayoutName(layout.memory)) + ">";
  // The spelling with a map in the grid has no core ranges.
  if (layout.sharded() && (attr.gridMap.empty() || !attr.coreRanges.empty())) {
    const std::vector<CoreRange> ranges =
        attr.coreRanges.empty() ? canonicalCoreRanges(layout, device) : attr.coreRanges;
    text += ", core_ranges = <" + coreRangesText(ranges) + ">";
  }
  if (attr.ignorePhysicalLayout) text += ", ignorePhysicalLayout = true";
  for (const std::string& other : attr.others) text += ", " + other;
  return text + ">";
}

std::string printTtnnLayout(const std::vector<int64_t>& shape, const TensorLayout& layout, const DeviceSpec& device) {
  return printTtnnLayoutAttr(shape, TtnnLayoutAttr{.layout = layout}, device);
}

}  // namespace tessera
