// Making layouts and counting their bytes.

#include "core/ir/tensor_layout.h"

#include <algorithm>
#include <limits>

#include "core/ir/types.h"

namespace tessera {
namespace {

// Sizes stay below this, so that sums of a few of them cannot overflow.
std::string gridText(GridShape grid) { return std::to_string(grid.rows) + "x" + std::to_string(grid.cols); }

bool inCoreMemory(BufferType buffer) { return buffer == BufferType::L1 || buffer == BufferType::L1Small; }
bool inDramMemory(BufferType buffer) { return buffer == BufferType::DRAM || buffer == BufferType::Trace; }

// The rules that need neither shape nor sizes.
std::optional<LayoutDefect> checkKind(const LayoutRequest& request) {
  if (request.page == PageLayout::RowMajor && isBlockFloat(request.dtype)) {
    return defect(LayoutRule::BlockFloatRowMajor,
                  std::string(dtypeName(request.dtype)) + " exists in tiles only, not row-major");
  }
  if (request.buffer == BufferType::SystemMemory) {
    if (isSharded(request.memory))
      return defect(LayoutRule::SystemMemorySharded, "a tensor in system memory cannot be sharded");
    if (request.memory != TensorMemoryLayout::None) {
      return defect(LayoutRule::SystemMemoryWithMemoryLayout, "a tensor in system memory has no memory layout, not `" +
                                                                  std::string(tensorMemoryLayoutName(request.memory)) +
                                                                  "`");
    }
  } else if (request.memory == TensorMemoryLayout::None) {
    return defect(LayoutRule::MissingMemoryLayout,
                  "a tensor in " + std::string(bufferTypeName(request.buffer)) + " needs a memory layout");
  }
  if (inDramMemory(request.buffer) && request.memory == TensorMemoryLayout::BlockSharded) {
    return defect(LayoutRule::DramBlockSharded, "a tensor in DRAM can be height or width sharded, not block sharded");
  }
  return std::nullopt;
}

// The rules about the grid of shards (or of the cores of an L1 interleaved tensor) and the device.
std::optional<LayoutDefect> checkGrid(const LayoutRequest& request, const DeviceSpec& device) {
  const GridShape grid = request.grid;
  if (grid.rows < 1 || grid.cols < 1) return defect(LayoutRule::EmptyGrid, "grid " + gridText(grid) + " has no cores");
  if (request.memory == TensorMemoryLayout::HeightSharded && grid.cols != 1) {
    return defect(LayoutRule::HeightGridNotColumn, "height sharding needs a grid of one column, not " + gridText(grid));
  }
  if (request.memory == TensorMemoryLayout::WidthSharded && grid.rows != 1) {
    return defect(LayoutRule::WidthGridNotRow, "width sharding needs a grid of one row, not " + gridText(grid));
  }
  if (inDramMemory(request.buffer)) {
    if (grid.volume() > device.dramBanks) {
      return defect(LayoutRule::GridBeyondDevice, "grid " + gridText(grid) + " needs " + std::to_string(grid.volume()) +
                                                      " DRAM banks, the device has " +
                                                      std::to_string(device.dramBanks));
    }
    return std::nullopt;
  }
  const bool oneDimensional =
      request.memory == TensorMemoryLayout::HeightSharded || request.memory == TensorMemoryLayout::WidthSharded;
  const bool fits = oneDimensional ? grid.volume() <= device.grid.volume()
                                   : grid.rows <= device.grid.rows && grid.cols <= device.grid.cols;
  if (!fits) {
    return defect(LayoutRule::GridBeyondDevice,
                  "grid " + gridText(grid) + " does not fit the device's " + gridText(device.grid) + " worker grid");
  }
  return std::nullopt;
}

// count * bytes below the limit?
bool bytesFit(int64_t a, int64_t b, int64_t c, int64_t bytes) {
  int64_t product = 0;
  return mulChecked(a, b, product) && mulChecked(product, c, product) && mulChecked(product, bytes, product) &&
         product < kMaxBytes;
}

int64_t saturatingMul(int64_t a, int64_t b) {
  int64_t product = 0;
  return mulChecked(a, b, product) ? product : std::numeric_limits<int64_t>::max();
}

// At most 2^62, more than a layout's can be, so that it may be aligned.
int64_t pageBytes(const TensorLayout& layout, int64_t rowMajorCols) {
  if (layout.page == PageLayout::Tile) return tileBytes(layout.dtype);
  return std::min(saturatingMul(rowMajorCols, scalarBytes(layout.dtype)), int64_t{1} << 62);
}

}  // namespace

std::string_view layoutRuleName(LayoutRule rule) {
  static constexpr std::string_view kNames[] = {
#define TESSERA_LAYOUT_RULE(name) #name,
#include "core/ir/layout_rules.def"
#undef TESSERA_LAYOUT_RULE
  };
  return kNames[static_cast<size_t>(rule)];
}

Result<PhysicalShape, LayoutDefect> physicalShape(const std::vector<int64_t>& shape, PageLayout page) {
  const auto overflow = [&] {
    return defect(LayoutRule::SizeOverflow, "the size of tensor " + shapeText(shape) + " does not fit 62 bits");
  };
  for (int64_t dim : shape) {
    if (dim < 0)
      return defect(LayoutRule::NegativeDim,
                    "dim " + std::to_string(dim) + " of tensor " + shapeText(shape) + " is negative");
    if (dim >= kMaxBytes) return overflow();
  }
  const int64_t side = page == PageLayout::Tile ? kTileSide : 1;
  const size_t rank = shape.size();
  PhysicalShape physical{1, 1};
  if (rank >= 1) physical.cols = ceilDiv(shape[rank - 1], side);
  if (rank >= 2) physical.rows = ceilDiv(shape[rank - 2], side);
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (!mulChecked(physical.rows, shape[i], physical.rows)) return overflow();
  }
  if (!bytesFit(physical.rows, physical.cols, side * side, 8)) return overflow();
  return physical;
}

Result<TensorLayout, LayoutDefect> makeLayout(const std::vector<int64_t>& shape, const LayoutRequest& request,
                                              const DeviceSpec& device) {
  LayoutRequest wanted = request;
  wanted.dtype = deviceDType(request.dtype);
  if (auto bad = checkKind(wanted)) return *bad;
  Result<PhysicalShape, LayoutDefect> whole = physicalShape(shape, wanted.page);
  if (!whole) return whole.error();
  const bool onDevice = wanted.buffer != BufferType::SystemMemory;
  if (onDevice && (whole->rows == 0 || whole->cols == 0)) {
    return defect(LayoutRule::EmptyTensor, "tensor " + shapeText(shape) + " has no elements to store on the device");
  }

  TensorLayout layout{.buffer = wanted.buffer, .memory = wanted.memory, .page = wanted.page, .dtype = wanted.dtype};
  const bool usesGrid =
      layout.sharded() || (inCoreMemory(layout.buffer) && layout.memory == TensorMemoryLayout::Interleaved);
  if (!usesGrid) {
    layout.shardRows = whole->rows;
    layout.shardCols = whole->cols;
    return layout;
  }
  if (auto bad = checkGrid(wanted, device)) return *bad;
  layout.grid = wanted.grid;
  if (layout.sharded()) {
    if (!wanted.allowIdleCores && (layout.grid.rows > whole->rows || layout.grid.cols > whole->cols)) {
      return defect(LayoutRule::GridBeyondTensor,
                    "grid " + gridText(layout.grid) + " has more cores in a direction than tensor " + shapeText(shape) +
                        " has " + (layout.page == PageLayout::Tile ? "tiles" : "elements") + " (" +
                        std::to_string(whole->rows) + "x" + std::to_string(whole->cols) + ")");
    }
    layout.shardRows = ceilDiv(whole->rows, layout.grid.rows);
    layout.shardCols = ceilDiv(whole->cols, layout.grid.cols);
  } else if (layout.page == PageLayout::Tile) {
    layout.shardRows = 1;
    layout.shardCols = ceilDiv(whole->rows * whole->cols, layout.grid.volume());
  } else {
    layout.shardRows = ceilDiv(whole->rows, layout.grid.volume());
    layout.shardCols = whole->cols;
  }
  // Padding of the last shards counts too: every core reserves a whole shard.
  if (!bytesFit(layout.shardRows, layout.shardCols, layout.grid.volume(), elementBytes(layout.dtype, layout.page))) {
    return defect(LayoutRule::SizeOverflow, "the shards of tensor " + shapeText(shape) + " do not fit 62 bits");
  }
  return layout;
}

Bytes shardSizeInBytes(const TensorLayout& layout) {
  return Bytes(
      saturatingMul(saturatingMul(layout.shardRows, layout.shardCols), elementBytes(layout.dtype, layout.page)));
}

Bytes l1BytesPerCore(const TensorLayout& layout) {
  if (!inCoreMemory(layout.buffer)) return Bytes(0);
  if (layout.page == PageLayout::Tile) return shardSizeInBytes(layout);
  // A row is a page; pages are aligned to 16 bytes in L1 (tt-metal impl/buffers/buffer.cpp).
  constexpr int64_t kL1PageAlignment = 16;
  const int64_t row = alignUp(pageBytes(layout, layout.shardCols), kL1PageAlignment);
  return Bytes(saturatingMul(layout.shardRows, row));
}

Bytes dramBytesPerBank(const TensorLayout& layout, const DeviceSpec& device) {
  if (!inDramMemory(layout.buffer)) return Bytes(0);
  const int64_t pages =
      layout.page == PageLayout::Tile ? saturatingMul(layout.shardRows, layout.shardCols) : layout.shardRows;
  const int64_t page = alignUp(pageBytes(layout, layout.shardCols), device.dramAlignment);
  const bool spread = layout.memory == TensorMemoryLayout::Interleaved && device.dramBanks > 0;
  return Bytes(saturatingMul(spread ? ceilDiv(pages, device.dramBanks) : pages, page));
}

Bytes totalBytes(const std::vector<int64_t>& shape, const TensorLayout& layout) {
  const Result<PhysicalShape, LayoutDefect> whole = physicalShape(shape, layout.page);
  return whole ? bytesOfPages(*whole, layout) : Bytes(0);
}

Bytes bytesOfPages(const PhysicalShape& pages, const TensorLayout& layout) {
  return Bytes(saturatingMul(saturatingMul(pages.rows, pages.cols), elementBytes(layout.dtype, layout.page)));
}

int64_t coresUsed(const TensorLayout& layout) { return inCoreMemory(layout.buffer) ? layout.grid.volume() : 0; }

std::vector<CoreRange> canonicalCoreRanges(const TensorLayout& layout, const DeviceSpec& device) {
  if (!layout.sharded() || layout.grid.rows < 1 || layout.grid.cols < 1) return {};
  if (layout.memory == TensorMemoryLayout::BlockSharded)
    return {{{0, 0}, {layout.grid.cols - 1, layout.grid.rows - 1}}};
  // The banks of DRAM form one row; the cores fill whole rows of the worker grid and then part of the next.
  const int32_t cores =
      static_cast<int32_t>(std::min<int64_t>(layout.grid.volume(), std::numeric_limits<int32_t>::max()));
  const int32_t width = inDramMemory(layout.buffer) ? cores : std::max(device.grid.cols, 1);
  const int32_t fullRows = cores / width;
  const int32_t rest = cores % width;
  std::vector<CoreRange> ranges;
  if (fullRows > 0) ranges.push_back({{0, 0}, {width - 1, fullRows - 1}});
  if (rest > 0) ranges.push_back({{0, fullRows}, {rest - 1, fullRows}});
  return ranges;
}

std::string layoutText(const TensorLayout& layout) {
  std::string text;
  switch (layout.buffer) {
    case BufferType::DRAM: text = "DRAM"; break;
    case BufferType::L1: text = "L1"; break;
    case BufferType::SystemMemory: text = "host"; break;
    case BufferType::L1Small: text = "L1_SMALL"; break;
    case BufferType::Trace: text = "trace"; break;
  }
  switch (layout.memory) {
    case TensorMemoryLayout::None: break;
    case TensorMemoryLayout::Interleaved: text += inCoreMemory(layout.buffer) ? " interleaved" : ""; break;
    case TensorMemoryLayout::SingleBank: text += " single bank"; break;
    case TensorMemoryLayout::HeightSharded: text += " height "; break;
    case TensorMemoryLayout::WidthSharded: text += " width "; break;
    case TensorMemoryLayout::BlockSharded: text += " block "; break;
  }
  if (layout.sharded()) text += gridText(layout.grid);
  if (layout.page == PageLayout::RowMajor) text += " rm";
  return text;
}

}  // namespace tessera
