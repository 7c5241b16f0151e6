#include "core/machine/page_map.h"

#include "core/machine/formats.h"
#include "core/support/units.h"

namespace tessera {

namespace {

constexpr int64_t kMostPages = int64_t{1} << 22;
constexpr int64_t kMostElements = int64_t{1} << 32;

bool inL1Memory(BufferType buffer) { return buffer == BufferType::L1 || buffer == BufferType::L1Small; }

// Each page begins at a multiple of this.
int64_t alignmentOf(const TensorLayout& layout, const DeviceSpec& device) {
  if (layout.buffer == BufferType::SystemMemory) return 1;
  return inL1Memory(layout.buffer) ? device.l1Alignment : device.dramAlignment;
}

// The core of number `index` of a grid of shards. A block's grid is a rectangle of cores; one of a single row or column
// goes along the rows of the worker grid.
int64_t coreOf(int64_t index, const TensorLayout& layout, const DeviceSpec& device) {
  if (!inL1Memory(layout.buffer)) return index;
  const bool line =
      layout.memory == TensorMemoryLayout::HeightSharded || layout.memory == TensorMemoryLayout::WidthSharded;
  if (line) return index;
  return index / layout.grid.cols * device.grid.cols + index % layout.grid.cols;
}

// Page number i lies in bank i mod banks, behind those before it there.
void placeInterleaved(PageMap& map, const TensorLayout& layout, const DeviceSpec& device, int64_t stride) {
  int64_t banks = 1;
  if (layout.memory == TensorMemoryLayout::Interleaved && layout.buffer != BufferType::SystemMemory)
    banks = inL1Memory(layout.buffer) ? layout.grid.volume() : device.dramBanks;
  int64_t number = 0;
  for (int64_t row = 0; row < map.rows; row += map.pageRows) {
    for (int64_t col = 0; col < map.cols; col += map.pageCols, ++number)
      map.pages.push_back({coreOf(number % banks, layout, device), number / banks * stride, row, col});
  }
  map.bytesPerBank = (number + banks - 1) / banks * stride;
}

// Each shard is a matrix of its own, its pages one after the other.
void placeShards(PageMap& map, const TensorLayout& layout, const DeviceSpec& device, int64_t stride) {
  const int64_t height = layout.shardRows * (map.tiled ? kPageTileSide : 1);
  const int64_t width = layout.shardCols * (map.tiled ? kPageTileSide : 1);
  const int64_t pagesAcross = map.tiled ? layout.shardCols : 1;
  for (int64_t row = 0; row < map.rows; row += map.pageRows) {
    for (int64_t col = 0; col < map.cols; col += map.pageCols) {
      const int64_t down = row / height, across = col / width;
      if (down >= layout.grid.rows || across >= layout.grid.cols) {
        map.problem = "the shards do not reach row " + std::to_string(row) + ", column " + std::to_string(col);
        return;
      }
      const int64_t page = row % height / map.pageRows * pagesAcross + col % width / map.pageCols;
      const int64_t core = coreOf(down * layout.grid.cols + across, layout, device);
      map.pages.push_back({core, page * stride, row, col});
    }
  }
  map.bytesPerBank = layout.shardRows * pagesAcross * stride;
}

bool measure(PageMap& map, const Shape& shape) {
  const size_t rank = shape.size();
  map.rowLength = rank > 0 ? shape[rank - 1] : 1;
  map.matrixRows = rank > 1 ? shape[rank - 2] : 1;
  const int64_t side = map.tiled ? kPageTileSide : 1;
  int64_t matrices = 1, elements = 0;
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (!mulChecked(matrices, shape[i], matrices)) return false;
  }
  for (int64_t dim : shape) {
    if (dim < 1 || dim > kMostElements) return false;
  }
  map.paddedRows = (map.matrixRows + side - 1) / side * side;
  map.cols = (map.rowLength + side - 1) / side * side;
  return mulChecked(matrices, map.paddedRows, map.rows) && mulChecked(map.rows, map.cols, elements) &&
         elements <= kMostElements;
}

}  // namespace

PageMap mapPages(const Shape& shape, const TensorLayout& layout, const DeviceSpec& device) {
  PageMap map;
  map.tiled = layout.page == PageLayout::Tile;
  const int64_t scalar = storedBytes(layout.dtype);
  const auto refuse = [&](const char* why) { return map.problem = why, map; };
  if (!map.tiled && scalar == 0) return refuse("block floats exist in tiles only");
  if (storedTileBytes(layout.dtype) == 0) return refuse("the device has no such element type");
  if (layout.shardRows < 1 || layout.shardCols < 1 || layout.grid.rows < 1 || layout.grid.cols < 1)
    return refuse("the grid or the shard is empty");
  if (!measure(map, shape)) return refuse("the tensor is empty or too large");
  map.pageRows = map.tiled ? kPageTileSide : 1;
  const bool shards = isSharded(layout.memory);
  map.pageCols = map.tiled ? kPageTileSide : shards ? layout.shardCols : map.cols;
  if (map.rows / map.pageRows * ((map.cols + map.pageCols - 1) / map.pageCols) > kMostPages)
    return refuse("the tensor has too many pages");
  map.pageBytes = map.tiled ? storedTileBytes(layout.dtype) : map.pageCols * scalar;
  const int64_t stride = alignUp(map.pageBytes, alignmentOf(layout, device));
  if (shards) placeShards(map, layout, device, stride);
  else placeInterleaved(map, layout, device, stride);
  const int64_t banks = inL1Memory(layout.buffer) ? device.grid.volume() : device.dramBanks;
  for (const Page& page : map.pages) {
    if (layout.buffer != BufferType::SystemMemory && page.bank >= banks) return refuse("a shard lies outside the grid");
  }
  return map;
}

}  // namespace tessera
