#include "core/lab/lab_layouts.h"

#include "core/ir/metal_to_ttnn.h"

namespace tessera {

namespace {

// More devices than this are no machine; positions stay countable.
constexpr int64_t kMaxDevices = 65536;

BufferType bufferOf(const std::string& word) {
  if (word == "system" || word == "mmio") return BufferType::SystemMemory;
  return parseBufferType(word).value_or(BufferType::L1);
}

MemorySpace spaceOf(const std::string& word) {
  if (word == "mmio") return MemorySpace::SystemMMIO;
  const BufferType buffer = bufferOf(word);
  if (buffer == BufferType::SystemMemory) return MemorySpace::System;
  return buffer == BufferType::DRAM || buffer == BufferType::Trace ? MemorySpace::DeviceDRAM : MemorySpace::DeviceL1;
}

// The collapse intervals and strides that make `map`; false when none do.
bool intervalsOf(const Shape& shape, const AffineMap& map, LabRequest& into) {
  const std::optional<std::vector<LinearExpr>> exprs = linearForm(map);
  if (!exprs) return false;
  std::vector<CollapseInterval> intervals;
  std::vector<int64_t> strides(shape.size());
  size_t next = 0;
  for (const LinearExpr& expr : *exprs) {
    const size_t begin = next;
    while (next < shape.size() && expr.dims[next] > 0) {
      strides[next] = expr.dims[next];
      ++next;
    }
    if (next == begin) return false;
    if (next - begin > 1) intervals.push_back({static_cast<int64_t>(begin), static_cast<int64_t>(next)});
  }
  const Result<AffineMap, LayoutDefect> rebuilt = collapsedLinearMapWithStrides(strides, intervals);
  if (!rebuilt || !sameMap(*rebuilt, map)) return false;
  const Result<AffineMap, LayoutDefect> dense = collapsedLinearMap(shape, intervals);
  if (dense && sameMap(*dense, map)) strides.clear();
  // The default interval is written [0, -1), as tensor-layout.md does, for any rank.
  if (intervals.size() == 1 && intervals[0].begin == 0 && intervals[0].end + 1 == static_cast<int64_t>(shape.size()))
    intervals = {{0, -1}};
  into.collapse = intervals;
  into.strides = strides;
  into.map.clear();
  return true;
}

void takeMetal(const MetalLayout& layout, LabRequest& request) {
  if (!intervalsOf(request.shape, layout.linear, request)) request.map = printAffineMap(layout.linear);
  request.ttnn = false;
  request.grid = layout.grid;
  request.dtype = layout.dtype;
  request.tiled = layout.tiled;
  request.tile = layout.tile;
  request.oob = layout.oob;
  request.buffer = memorySpaceName(layout.space);
  if (request.deviceDims > static_cast<int32_t>(layout.grid.size())) request.deviceDims = 0;
}

void takeTtnn(const TensorLayout& layout, LabRequest& request) {
  request.ttnn = true;
  request.grid = {layout.grid.rows, layout.grid.cols};
  request.dtype = layout.dtype;
  request.tiled = layout.page == PageLayout::Tile;
  request.tile = {};
  request.buffer = layout.buffer == BufferType::SystemMemory ? "system" : bufferTypeName(layout.buffer);
  request.memory = layout.memory;
}

Result<MetalLayout, LayoutDefect> makeMetal(const LabRequest& request) {
  MetalRequest wanted{.grid = request.grid,
                      .collapse = request.collapse,
                      .strides = request.strides,
                      .oob = request.oob,
                      .dtype = request.dtype,
                      .tiled = request.tiled,
                      .tile = request.tile,
                      .space = spaceOf(request.buffer)};
  if (!request.map.empty()) {
    Result<AffineMap, LayoutDefect> map = parseAffineMap(request.map);
    if (!map) return map.error();
    wanted.linear = *map;
  }
  return makeMetalLayout(request.shape, wanted);
}

Result<TensorLayout, LayoutDefect> makeTtnn(const LabRequest& request, GridShape grid, TensorMemoryLayout memory) {
  const BufferType buffer = bufferOf(request.buffer);
  if (request.tiled && !(request.tile == TileShape{}))
    return LayoutDefect{LayoutRule::BadTileShape, "TTNN has tiles of 32x32 only"};
  if (buffer == BufferType::SystemMemory) memory = TensorMemoryLayout::None;
  return makeLayout(request.shape,
                    {.dtype = request.dtype,
                     .buffer = buffer,
                     .memory = memory,
                     .page = request.tiled ? PageLayout::Tile : PageLayout::RowMajor,
                     .grid = grid},
                    *request.device);
}

// What TTNN would call a metal layout: one 2-D grid, all dims but the last collapsed, no gaps of the user's own.
Result<TensorLayout, LayoutDefect> nearestTtnn(const LabRequest& request, const MetalLayout& metal) {
  const Result<AffineMap, LayoutDefect> plain = collapsedLinearMap(request.shape);
  if (request.shape.size() < 2 || !plain || !sameMap(*plain, metal.linear)) {
    return LayoutDefect{LayoutRule::RankMismatch, "TTNN always collapses all dims but the last, without gaps"};
  }
  const Result<GridShape, LayoutDefect> grid = ttnnGrid(request.grid);
  if (!grid) return grid.error();
  const bool inDram = spaceOf(request.buffer) == MemorySpace::DeviceDRAM;
  return makeTtnn(request, *grid, ttnnSharding(*grid, inDram, *request.device));
}

// The metal layout with the grid of a TTNN layout; tiles pad the rows of every matrix as TTNN does.
Result<MetalLayout, LayoutDefect> metalOfTtnn(const LabRequest& request, const TensorLayout& ttnn) {
  LabRequest wanted = request;
  wanted.map.clear();
  wanted.strides.clear();
  wanted.collapse = {{0, -1}};
  wanted.tile = {};
  wanted.grid = ttnn.sharded() ? std::vector<int64_t>{ttnn.grid.rows, ttnn.grid.cols} : std::vector<int64_t>{1, 1};
  if (request.shape.size() == 1) {
    wanted.map = "(d0) -> (0, d0)";
  } else if (request.shape.size() > 2 && request.tiled) {
    const Result<AffineMap, LayoutDefect> padded =
        parseAffineMap(defaultLinearMapText(request.shape, PageLayout::Tile));
    if (!padded) return padded.error();
    wanted.map = printAffineMap(*padded);
  }
  return makeMetal(wanted);
}

}  // namespace

LabProblem problemOf(std::string field, const LayoutDefect& defect) {
  return {std::move(field), std::string(layoutRuleName(defect.rule)), defect.text};
}

void takeText(LabRequest& request, std::vector<LabProblem>& problems) {
  if (request.text.empty()) return;
  const size_t begin = request.text.find_first_not_of(" \t\r\n");
  const bool isTtnn = begin != std::string::npos && request.text.compare(begin, 17, "#ttnn.ttnn_layout") == 0;
  if (!isTtnn) {
    const Result<MetalLayout, LayoutDefect> layout = parseMetalLayout(request.text, request.shape);
    if (layout) takeMetal(*layout, request);
    else problems.push_back(problemOf("text", layout.error()));
    return;
  }
  const Result<TtnnLayoutAttr, LayoutDefect> attr = parseTtnnLayoutAttr(request.text, request.shape);
  if (!attr) {
    problems.push_back(problemOf("text", attr.error()));
  } else if (!attr->map.empty()) {
    problems.push_back(
        problemOf("text", {LayoutRule::ShardMismatch, "the map is not TTNN's own for this shape, " +
                                                          defaultLinearMapText(request.shape, attr->layout.page) +
                                                          "; a metal layout can have another map"}));
  } else {
    takeTtnn(attr->layout, request);
  }
}

void takeDefaultGrid(LabRequest& request) {
  if (!request.grid.empty()) return;
  if (request.ttnn) {
    request.grid = {1, 1};
    return;
  }
  const Result<AffineMap, LayoutDefect> map =
      request.map.empty() ? collapsedLinearMap(request.shape, request.collapse) : parseAffineMap(request.map);
  if (map) request.grid.assign(map->results.size(), 1);  // else the layout says what is wrong with the map
}

LabLayouts makeLabLayouts(const LabRequest& request) {
  if (request.ttnn) {
    // Host memory and interleaved DRAM have no grid of shards.
    const BufferType buffer = bufferOf(request.buffer);
    const bool inDram = buffer == BufferType::DRAM || buffer == BufferType::Trace;
    const bool usesGrid = buffer != BufferType::SystemMemory && (isSharded(request.memory) || !inDram);
    const Result<GridShape, LayoutDefect> grid = usesGrid ? ttnnGrid(request.grid) : GridShape{1, 1};
    Result<TensorLayout, LayoutDefect> ttnn =
        grid ? makeTtnn(request, *grid, request.memory) : Result<TensorLayout, LayoutDefect>(grid.error());
    Result<MetalLayout, LayoutDefect> metal =
        ttnn ? metalOfTtnn(request, *ttnn) : Result<MetalLayout, LayoutDefect>(ttnn.error());
    return {std::move(metal), std::move(ttnn)};
  }
  Result<MetalLayout, LayoutDefect> metal = makeMetal(request);
  Result<TensorLayout, LayoutDefect> ttnn =
      metal ? nearestTtnn(request, *metal) : Result<TensorLayout, LayoutDefect>(metal.error());
  return {std::move(metal), std::move(ttnn)};
}

std::string legacyTtnnText(const Shape& shape, const TensorLayout& layout, const DeviceSpec& device) {
  TtnnLayoutAttr attr{.layout = layout};
  const std::string width = std::to_string(layout.isDram() ? device.dramBanks : device.grid.cols);
  const bool height = layout.memory == TensorMemoryLayout::HeightSharded;
  if (!layout.sharded() && !layout.isL1()) return printTtnnLayout(shape, layout, device);
  attr.gridMap = "(d0, d1) -> (0, d0, d1)";
  if (height || layout.memory == TensorMemoryLayout::WidthSharded) {
    const std::string along = height ? "d0" : "d1";
    attr.gridMap = "(d0, d1) -> (0, " + along + " floordiv " + width + ", " + along + " mod " + width + ")";
  }
  return printTtnnLayoutAttr(shape, attr, device);
}

MetalTarget labTarget(const LabRequest& request) {
  return {.cores = request.device->grid, .deviceDims = request.deviceDims, .devices = kMaxDevices};
}

}  // namespace tessera
