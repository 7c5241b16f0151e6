#include "core/ir/ttnn_address.h"

#include "core/ir/metal_layout.h"
#include "core/ir/types.h"

namespace tessera {
namespace {

constexpr TileShape kTile{};

int64_t exponentBits(DType dtype) { return isBlockFloat(dtype) ? int64_t{64} * 8 : 0; }

int64_t pageAlignment(const TensorLayout& layout, const DeviceSpec& device) {
  switch (layout.buffer) {
    case BufferType::DRAM:
    case BufferType::Trace: return device.dramAlignment;
    case BufferType::SystemMemory: return 1;
    default: return device.l1Alignment;
  }
}

// Row and column of the element in the padded 2-D tensor, in elements: every matrix of the last two dims starts on a
// tile.
PhysicalShape collapsed(const std::vector<int64_t>& shape, const std::vector<int64_t>& index, bool tiled) {
  const size_t rank = shape.size();
  PhysicalShape at{0, rank >= 1 ? index[rank - 1] : 0};
  for (size_t i = 0; i + 1 < rank; ++i) {
    const bool matrixRows = i + 2 == rank;
    const int64_t extent = matrixRows && tiled ? alignUp(shape[i], kTileSide) : shape[i];
    at.rows = at.rows * extent + index[i];
  }
  return at;
}

// Inverse of collapsed(); nothing for padding.
std::optional<std::vector<int64_t>> expanded(const std::vector<int64_t>& shape, PhysicalShape at, bool tiled) {
  const size_t rank = shape.size();
  std::vector<int64_t> index(rank);
  if (rank == 0) return at == PhysicalShape{0, 0} ? std::optional(index) : std::nullopt;
  index[rank - 1] = at.cols;
  for (size_t i = rank - 1; i-- > 0;) {
    const bool matrixRows = i + 2 == rank;
    const int64_t extent = matrixRows && tiled ? alignUp(shape[i], kTileSide) : shape[i];
    index[i] = at.rows % extent;
    at.rows /= extent;
  }
  if (at.rows != 0) return std::nullopt;
  for (size_t i = 0; i < rank; ++i) {
    if (index[i] >= shape[i]) return std::nullopt;
  }
  return index;
}

}  // namespace

Result<TtnnPlacement, LayoutDefect> TtnnPlacement::make(const std::vector<int64_t>& shape, const TensorLayout& layout,
                                                        const DeviceSpec& device) {
  const Result<PhysicalShape, LayoutDefect> whole = physicalShape(shape, layout.page);
  if (!whole) return whole.error();
  if (whole->rows == 0 || whole->cols == 0)
    return defect(LayoutRule::EmptyTensor, "tensor " + shapeText(shape) + " has no elements");
  if (layout.shardRows < 1 || layout.shardCols < 1 || layout.grid.rows < 1 || layout.grid.cols < 1) {
    return defect(LayoutRule::EmptyGrid, "the layout has an empty grid or shard");
  }
  const bool tiled = layout.page == PageLayout::Tile;
  TtnnPlacement placement;
  placement.shape_ = shape;
  placement.layout_ = layout;
  placement.whole_ = *whole;
  placement.deviceCols_ = device.grid.cols;
  const bool spread = layout.memory == TensorMemoryLayout::Interleaved && layout.buffer != BufferType::SystemMemory;
  if (spread)
    placement.banks_ = layout.isDram() || layout.buffer == BufferType::Trace ? device.dramBanks : layout.grid.volume();
  if (layout.sharded()) placement.banks_ = layout.grid.volume();
  if (placement.banks_ < 1) return defect(LayoutRule::EmptyGrid, "the device has no banks");
  const PhysicalShape perBank = layout.sharded() ? PhysicalShape{layout.shardRows, layout.shardCols} : *whole;
  const int64_t pages = tiled ? perBank.rows * perBank.cols : perBank.rows;
  placement.pagesPerBank_ = layout.sharded() ? pages : ceilDiv(pages, placement.banks_);
  placement.pageBytes_ = tiled ? tileBytes(layout.dtype) : perBank.cols * scalarBytes(layout.dtype);
  placement.alignedPageBytes_ = alignUp(placement.pageBytes_, pageAlignment(layout, device));
  return placement;
}

CoreCoord TtnnPlacement::coreOf(int64_t bank) const {
  if (layout_.buffer != BufferType::L1 && layout_.buffer != BufferType::L1Small) return {};
  const bool rectangle =
      layout_.memory == TensorMemoryLayout::BlockSharded || layout_.memory == TensorMemoryLayout::Interleaved;
  const int64_t width = rectangle ? layout_.grid.cols : deviceCols_;
  return {static_cast<int32_t>(bank % width), static_cast<int32_t>(bank / width)};
}

Result<TtnnAddress, LayoutDefect> TtnnPlacement::address(const std::vector<int64_t>& index) const {
  if (index.size() != shape_.size())
    return defect(LayoutRule::RankMismatch,
                  "an index of " + std::to_string(index.size()) + " numbers into tensor " + shapeText(shape_));
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= shape_[i]) {
      return defect(LayoutRule::IndexOutOfBounds, "index " + std::to_string(index[i]) + " of d" + std::to_string(i) +
                                                      " is outside tensor " + shapeText(shape_));
    }
  }
  const bool tiled = layout_.page == PageLayout::Tile;
  PhysicalShape at = collapsed(shape_, index, tiled);
  const PhysicalShape within{at.rows % kTileSide, at.cols % kTileSide};
  if (tiled) at = {at.rows / kTileSide, at.cols / kTileSide};

  TtnnAddress address;
  int64_t rowLength = whole_.cols;  // of the matrix whose pages are numbered
  if (layout_.sharded()) {
    address.bank = at.rows / layout_.shardRows * layout_.grid.cols + at.cols / layout_.shardCols;
    at = {at.rows % layout_.shardRows, at.cols % layout_.shardCols};
    rowLength = layout_.shardCols;
  }
  address.page = tiled ? at.rows * rowLength + at.cols : at.rows;
  if (!layout_.sharded()) {
    address.bank = address.page % banks_;
    address.page /= banks_;
  }
  int64_t bits = at.cols * valueBits(layout_.dtype);
  if (tiled)
    bits = exponentBits(layout_.dtype) + tileElementOffset(kTile, within.rows, within.cols) * valueBits(layout_.dtype);
  address.core = coreOf(address.bank);
  address.offset = address.page * alignedPageBytes_ + bits / 8;
  address.bit = static_cast<int32_t>(bits % 8);
  return address;
}

Result<std::optional<std::vector<int64_t>>, LayoutDefect> TtnnPlacement::elementAt(int64_t bank, int64_t offset,
                                                                                   int32_t bit) const {
  using Element = std::optional<std::vector<int64_t>>;
  const auto outside = [&] {
    return defect(LayoutRule::IndexOutOfBounds,
                  "bank " + std::to_string(bank) + " byte " + std::to_string(offset) + " holds no value of the tensor");
  };
  if (bank < 0 || bank >= banks_ || offset < 0 || offset >= bytesPerBank().count || bit < 0 || bit > 7)
    return outside();
  int64_t page = offset / alignedPageBytes_;
  const int64_t inPage = offset % alignedPageBytes_;
  if (inPage >= pageBytes_) return Element();
  const int64_t valueAt = inPage * 8 + bit - exponentBits(layout_.dtype);
  if (valueAt < 0) return Element();
  if (valueAt % valueBits(layout_.dtype) != 0) return outside();
  const int64_t value = valueAt / valueBits(layout_.dtype);

  const bool tiled = layout_.page == PageLayout::Tile;
  const int64_t rowLength = layout_.sharded() ? layout_.shardCols : whole_.cols;
  if (!layout_.sharded()) page = page * banks_ + bank;
  PhysicalShape at = tiled ? PhysicalShape{page / rowLength, page % rowLength} : PhysicalShape{page, value};
  if (layout_.sharded()) {
    at.rows += bank / layout_.grid.cols * layout_.shardRows;
    at.cols += bank % layout_.grid.cols * layout_.shardCols;
  }
  if (at.rows >= whole_.rows || at.cols >= whole_.cols) return Element();
  if (tiled) {
    const TileCoord within = tileElementAt(kTile, value);
    at = {at.rows * kTileSide + within.row, at.cols * kTileSide + within.col};
  }
  return expanded(shape_, at, tiled);
}

}  // namespace tessera
