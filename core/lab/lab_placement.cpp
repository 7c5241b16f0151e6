#include "core/lab/lab_placement.h"

#include <algorithm>

#include "core/ir/metal_padding.h"

namespace tessera {

namespace {

// Maps in which a dim is in two results are counted element by element.
constexpr int64_t kMaxCountedElements = int64_t{1} << 20;
constexpr int64_t kMaxCountedPages = int64_t{1} << 18;

LabPlace paddingAt(Padding kind, int64_t position) { return {static_cast<int64_t>(kind), position, -1}; }

class MetalPicture final : public LabPlacement {
 public:
  MetalPicture(MetalPlacement placement, AffineMap toCores)
      : placement_(std::move(placement)), toCores_(std::move(toCores)) {
    const MetalLayout& layout = placement_.layout();
    shape_ = placement_.shape();
    physical_ = *metalPhysicalShape(shape_, layout.linear);
    stored_ = metalStoredShard(layout);
    positions_ = placement_.gridVolume();
    unitBytes_ = layout.tiled ? tileShapeBytes(layout.dtype, layout.tile) : scalarBytes(layout.dtype);
    valueBits_ = tessera::valueBits(layout.tiled ? deviceDType(layout.dtype) : layout.dtype);
    bytes_ = metalShardBytes(layout);
  }

  std::vector<int64_t> physicalIndex(const std::vector<int64_t>& index) const override {
    return *placement_.physicalIndex(index);
  }

  std::vector<int64_t> localIndex(const std::vector<int64_t>& index) const override {
    std::vector<int64_t> local = physicalIndex(index);
    for (size_t i = 0; i < local.size(); ++i) local[i] %= placement_.scalarShard()[i];
    return local;
  }

  LabPlace atIndex(const std::vector<int64_t>& index) const override {
    const MetalAddress address = *placement_.address(index);
    return {numberOf(index), positionOf(address.gridIndex), address.offset * 8 + address.bit};
  }

  LabPlace atPhysical(const std::vector<int64_t>& place) const override {
    const std::optional<std::vector<int64_t>> index = placement_.inverse().solve(place);
    if (index) return atIndex(*index);
    std::vector<int64_t> grid(place);
    for (size_t i = 0; i < grid.size(); ++i) grid[i] /= placement_.scalarShard()[i];
    return paddingAt(Padding::StrideGap, positionOf(grid));
  }

  LabPlace atStored(int64_t position, const std::vector<int64_t>& local) const override {
    const std::vector<int64_t> grid = gridIndex(position);
    std::vector<int64_t> place(local.size());
    for (size_t i = 0; i < local.size(); ++i) {
      if (local[i] >= placement_.scalarShard()[i]) return paddingAt(Padding::TileRounding, position);
      place[i] = grid[i] * placement_.scalarShard()[i] + local[i];
    }
    for (size_t i = 0; i < local.size(); ++i) {
      if (place[i] >= physical_[i]) return paddingAt(Padding::BeyondTensor, position);
    }
    return atPhysical(place);
  }

  Result<std::optional<std::vector<int64_t>>, LayoutDefect> find(int64_t position, int64_t offset,
                                                                 int32_t bit) const override {
    const LabCore at = coreOf(position);
    return placement_.elementAt(at.device, at.core, offset, bit);
  }

  LabCore coreOf(int64_t position) const override {
    const std::vector<int64_t> place = *evaluate(toCores_, gridIndex(position));
    return {place[0], {static_cast<int32_t>(place[2]), static_cast<int32_t>(place[1])}};
  }

  std::vector<int64_t> gridIndex(int64_t position) const override { return placement_.gridIndexOf(position); }

  std::vector<int64_t> elementCounts() const override {
    if (positions_ > kMaxListedPositions) return {};
    if (!placement_.inverse().separable && elementCount(shape_).value_or(INT64_MAX) > kMaxCountedElements) return {};
    const Result<std::vector<ShardPadding>, LayoutDefect> counted = countPadding(placement_);
    std::vector<int64_t> elements;
    if (!counted) return elements;
    for (const ShardPadding& shard : *counted) elements.push_back(shard.elements);
    return elements;
  }

 private:
  int64_t positionOf(const std::vector<int64_t>& grid) const {
    int64_t position = 0;
    for (size_t i = 0; i < grid.size(); ++i) position = position * placement_.layout().grid[i] + grid[i];
    return position;
  }

  MetalPlacement placement_;
  AffineMap toCores_;
};

class TtnnPicture final : public LabPlacement {
 public:
  TtnnPicture(TtnnPlacement placement, const Shape& shape, const TensorLayout& layout)
      : placement_(std::move(placement)), layout_(layout) {
    const bool tiled = layout.page == PageLayout::Tile;
    side_ = tiled ? kTileSide : 1;
    whole_ = *physicalShape(shape, layout.page);
    shape_ = shape;
    physical_ = {whole_.rows * side_, whole_.cols * side_};
    positions_ = placement_.banks();
    if (layout.sharded()) stored_ = {layout.shardRows * side_, layout.shardCols * side_};
    else stored_ = {placement_.pagesPerBank() * side_, tiled ? side_ : physical_[1]};
    unitBytes_ = tiled ? tileBytes(layout.dtype) : scalarBytes(layout.dtype);
    valueBits_ = tessera::valueBits(tiled ? deviceDType(layout.dtype) : layout.dtype);
    bytes_ = placement_.bytesPerBank();
  }

  std::vector<int64_t> physicalIndex(const std::vector<int64_t>& index) const override {
    const size_t rank = shape_.size();
    int64_t row = 0;
    for (size_t i = 0; i + 1 < rank; ++i) row = row * rowsOfDim(i) + index[i];
    return {row, rank > 0 ? index[rank - 1] : 0};
  }

  std::vector<int64_t> localIndex(const std::vector<int64_t>& index) const override {
    return place(physicalIndex(index)).second;
  }

  LabPlace atIndex(const std::vector<int64_t>& index) const override {
    const TtnnAddress address = *placement_.address(index);
    return {numberOf(index), address.bank, address.offset * 8 + address.bit};
  }

  LabPlace atPhysical(const std::vector<int64_t>& at) const override {
    std::vector<int64_t> index(shape_.size());
    int64_t row = at[0];
    bool inside = shape_.empty() ? at[1] == 0 && row == 0 : at[1] < shape_.back();
    if (!shape_.empty()) index.back() = at[1];
    for (size_t i = shape_.size(); i-- > 0;) {
      if (i + 1 == shape_.size()) continue;
      index[i] = row % rowsOfDim(i);
      row /= rowsOfDim(i);
      inside = inside && index[i] < shape_[i];
    }
    if (shape_.size() == 1) inside = inside && row == 0;  // a vector is one row, padded to a tile
    return inside ? atIndex(index) : paddingAt(Padding::TileRounding, place(at).first);
  }

  LabPlace atStored(int64_t position, const std::vector<int64_t>& local) const override {
    std::vector<int64_t> at = local;
    if (layout_.sharded()) {
      at[0] += position / layout_.grid.cols * stored_[0];
      at[1] += position % layout_.grid.cols * stored_[1];
    } else {
      const int64_t page = local[0] / side_ * positions_ + position;
      const int64_t across = layout_.page == PageLayout::Tile ? whole_.cols : 1;
      at[0] = page / across * side_ + local[0] % side_;
      if (across > 1 || side_ > 1) at[1] = page % across * side_ + local[1];
    }
    if (at[0] >= physical_[0] || at[1] >= physical_[1]) return paddingAt(Padding::BeyondTensor, position);
    return atPhysical(at);
  }

  Result<std::optional<std::vector<int64_t>>, LayoutDefect> find(int64_t position, int64_t offset,
                                                                 int32_t bit) const override {
    return placement_.elementAt(position, offset, bit);
  }

  LabCore coreOf(int64_t position) const override {
    // The placement says it for elements; a bank's first page is not always one, so its rule stands here again.
    if (!onCores()) return {0, {static_cast<int32_t>(position), 0}};
    const bool rectangle =
        layout_.memory == TensorMemoryLayout::BlockSharded || layout_.memory == TensorMemoryLayout::Interleaved;
    const int64_t width = rectangle ? layout_.grid.cols : deviceCols;
    return {0, {static_cast<int32_t>(position % width), static_cast<int32_t>(position / width)}};
  }

  std::vector<int64_t> gridIndex(int64_t position) const override {
    if (!layout_.sharded() && !onCores()) return {position};
    return {position / layout_.grid.cols, position % layout_.grid.cols};
  }

  std::vector<int64_t> elementCounts() const override {
    if (positions_ > kMaxListedPositions) return {};
    std::vector<int64_t> counts(static_cast<size_t>(positions_));
    if (layout_.sharded()) {
      for (int64_t p = 0; p < positions_; ++p) {
        const int64_t top = p / layout_.grid.cols * stored_[0];
        const int64_t left = p % layout_.grid.cols * stored_[1];
        counts[static_cast<size_t>(p)] =
            (rowsBelow(top + stored_[0]) - rowsBelow(top)) * (colsBelow(left + stored_[1]) - colsBelow(left));
      }
      return counts;
    }
    const int64_t across = layout_.page == PageLayout::Tile ? whole_.cols : 1;
    const int64_t pages = whole_.rows * across;
    if (pages > kMaxCountedPages) return {};
    for (int64_t page = 0; page < pages; ++page) {
      const int64_t top = page / across * side_;
      const int64_t left = page % across * side_;
      const int64_t width = across == 1 && side_ == 1 ? physical_[1] : side_;
      counts[static_cast<size_t>(page % positions_)] +=
          (rowsBelow(top + side_) - rowsBelow(top)) * (colsBelow(left + width) - colsBelow(left));
    }
    return counts;
  }

  int32_t deviceCols = 1;

 private:
  bool onCores() const { return layout_.isL1() || layout_.buffer == BufferType::L1Small; }

  // How far dim i counts in the collapsed rows: the rows of each matrix are padded to whole tiles.
  int64_t rowsOfDim(size_t i) const { return i + 2 == shape_.size() ? alignUp(shape_[i], side_) : shape_[i]; }

  // Position and local index of a physical position.
  std::pair<int64_t, std::vector<int64_t>> place(const std::vector<int64_t>& at) const {
    if (layout_.sharded()) {
      return {at[0] / stored_[0] * layout_.grid.cols + at[1] / stored_[1], {at[0] % stored_[0], at[1] % stored_[1]}};
    }
    if (layout_.page == PageLayout::RowMajor) return {at[0] % positions_, {at[0] / positions_, at[1]}};
    const int64_t page = at[0] / side_ * whole_.cols + at[1] / side_;
    return {page % positions_, {page / positions_ * side_ + at[0] % side_, at[1] % side_}};
  }

  // Rows (columns) with data among the first `end` of the collapsed tensor. `end` lies between tiles: what is left over
  // of a matrix there is no padding.
  int64_t rowsBelow(int64_t end) const {
    end = std::min(end, physical_[0]);
    if (shape_.size() < 2) return std::min<int64_t>(end, 1);
    const int64_t height = shape_[shape_.size() - 2];
    const int64_t padded = alignUp(height, side_);
    return end / padded * height + end % padded;
  }
  int64_t colsBelow(int64_t end) const { return std::min(end, shape_.empty() ? 1 : shape_.back()); }

  TtnnPlacement placement_;
  TensorLayout layout_;
  PhysicalShape whole_;
  int64_t side_ = 1;
};

}  // namespace

int64_t LabPlacement::numberOf(const std::vector<int64_t>& index) const {
  int64_t number = 0;
  for (size_t i = 0; i < index.size(); ++i) number = number * shape_[i] + index[i];
  return number;
}

Result<std::unique_ptr<LabPlacement>, LayoutDefect> placeMetal(const Shape& shape, const MetalLayout& layout,
                                                               const MetalTarget& target) {
  Result<MetalPlacement, LayoutDefect> placement = MetalPlacement::make(shape, layout, target);
  if (!placement) return placement.error();
  const Result<AffineMap, LayoutDefect> toCores = virtualToPhysicalMap(layout.grid, target);
  if (!toCores) return toCores.error();
  return std::unique_ptr<LabPlacement>(std::make_unique<MetalPicture>(std::move(*placement), *toCores));
}

Result<std::unique_ptr<LabPlacement>, LayoutDefect> placeTtnn(const Shape& shape, const TensorLayout& layout,
                                                              const DeviceSpec& device) {
  Result<TtnnPlacement, LayoutDefect> placement = TtnnPlacement::make(shape, layout, device);
  if (!placement) return placement.error();
  auto picture = std::make_unique<TtnnPicture>(std::move(*placement), shape, layout);
  picture->deviceCols = device.grid.cols;
  return std::unique_ptr<LabPlacement>(std::move(picture));
}

}  // namespace tessera
