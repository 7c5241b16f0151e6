#include "core/ir/metal_address.h"

namespace tessera {
namespace {

// Bits of one value inside a tile; types the device does not have are stored as their device type there.
int64_t tileValueBits(DType dtype) { return valueBits(deviceDType(dtype)); }

// Exponent bits at the start of a tile: a byte per 16 values of a block format.
int64_t exponentBits(DType dtype, TileShape tile) { return isBlockFloat(dtype) ? tile.rows * tile.cols / 16 * 8 : 0; }

// What is left of the grid when the dims that choose the device are gone.
Result<std::vector<int64_t>, LayoutDefect> coreDims(const std::vector<int64_t>& grid, const MetalTarget& target) {
  if (target.deviceDims < 0 || static_cast<size_t>(target.deviceDims) > grid.size()) {
    return defect(LayoutRule::RankMismatch, std::to_string(target.deviceDims) + " device dims in a grid of " +
                                                std::to_string(grid.size()) + " dims");
  }
  int64_t devices = 1;
  for (size_t i = 0; i < grid.size(); ++i) {
    if (grid[i] < 1) return defect(LayoutRule::EmptyGrid, "grid <" + shapeText(grid) + "> has no cores");
    if (static_cast<int32_t>(i) < target.deviceDims && !mulChecked(devices, grid[i], devices)) devices = INT64_MAX;
  }
  if (devices > target.devices) {
    return defect(LayoutRule::GridBeyondDevice, "grid <" + shapeText(grid) + "> needs " + std::to_string(devices) +
                                                    " devices, there are " + std::to_string(target.devices));
  }
  return std::vector<int64_t>(grid.begin() + target.deviceDims, grid.end());
}

// Row-major sum of the dims [begin, end) of the grid.
LinearExpr rowMajor(const std::vector<int64_t>& grid, size_t begin, size_t end) {
  LinearExpr expr;
  expr.dims.resize(grid.size());
  int64_t stride = 1;
  for (size_t i = end; i-- > begin;) {
    expr.dims[i] = stride;
    stride *= grid[i];  // checked against the number of devices or cores before
  }
  return expr;
}

int64_t volumeOf(const std::vector<int64_t>& dims) {
  int64_t volume = 1;
  for (int64_t dim : dims) {
    if (!mulChecked(volume, dim, volume)) return INT64_MAX;
  }
  return volume;
}

}  // namespace

Result<AffineMap, LayoutDefect> virtualToPhysicalMap(const std::vector<int64_t>& grid, const MetalTarget& target) {
  const Result<std::vector<int64_t>, LayoutDefect> rest = coreDims(grid, target);
  if (!rest) return rest.error();
  const size_t first = grid.size() - rest->size();
  const int32_t rank = static_cast<int32_t>(grid.size());
  const LinearExpr device = rowMajor(grid, 0, first);
  if (rest->size() == 2 && (*rest)[0] <= target.cores.rows && (*rest)[1] <= target.cores.cols) {
    return fromLinear(rank, 0, {device, rowMajor(grid, first, first + 1), rowMajor(grid, first + 1, first + 2)});
  }
  if (volumeOf(*rest) > target.cores.volume()) {
    return defect(LayoutRule::GridBeyondDevice, "grid <" + shapeText(grid) + "> needs " +
                                                    std::to_string(volumeOf(*rest)) + " cores, the device has " +
                                                    std::to_string(target.cores.volume()));
  }
  // (device, core number) first, then the core number split into row and column.
  const AffineMap numbered = fromLinear(rank, 0, {device, rowMajor(grid, first, grid.size())});
  const std::string width = std::to_string(target.cores.cols);
  const Result<AffineMap, LayoutDefect> split =
      parseAffineMap("(d0, d1) -> (d0, d1 floordiv " + width + ", d1 mod " + width + ")");
  if (!split) return split.error();
  return compose(*split, numbered);
}

Result<MetalPlacement, LayoutDefect> MetalPlacement::make(const Shape& shape, const MetalLayout& layout,
                                                          const MetalTarget& target) {
  const std::vector<LayoutDefect> defects = verifyMetalLayout(shape, layout);
  if (!defects.empty()) return defects.front();
  Result<AffineMap, LayoutDefect> toPhysical = virtualToPhysicalMap(layout.grid, target);
  if (!toPhysical) return toPhysical.error();
  MetalPlacement placement;
  placement.shape_ = shape;
  placement.layout_ = layout;
  placement.target_ = target;
  placement.inverse_ = *invertLinear(shape, *linearForm(layout.linear));
  placement.toPhysical_ = *toPhysical;
  placement.scalarShard_ = *metalScalarShard(*metalPhysicalShape(shape, layout.linear), layout.grid);
  placement.stored_ = metalStoredShard(layout);
  return placement;
}

int64_t MetalPlacement::gridVolume() const { return volumeOf(layout_.grid); }

std::vector<int64_t> MetalPlacement::gridIndexOf(int64_t linear) const {
  std::vector<int64_t> index(layout_.grid.size());
  for (size_t i = index.size(); i-- > 0;) {
    index[i] = linear % layout_.grid[i];
    linear /= layout_.grid[i];
  }
  return index;
}

Result<std::vector<int64_t>, LayoutDefect> MetalPlacement::physicalIndex(const std::vector<int64_t>& index) const {
  if (index.size() != shape_.size()) {
    return defect(LayoutRule::RankMismatch,
                  "an index of " + std::to_string(index.size()) + " numbers into tensor " + shapeText(shape_));
  }
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= shape_[i]) {
      return defect(LayoutRule::IndexOutOfBounds, "index " + std::to_string(index[i]) + " of d" + std::to_string(i) +
                                                      " is outside tensor " + shapeText(shape_));
    }
  }
  return *evaluate(layout_.linear, index);
}

// Bits from the start of the shard to the scalar `local`.
int64_t MetalPlacement::bitOffset(const std::vector<int64_t>& local) const {
  const size_t rank = local.size();
  const int64_t unitBits = layout_.tiled ? 8 * tileShapeBytes(layout_.dtype, layout_.tile) : valueBits(layout_.dtype);
  int64_t unit = 0;
  for (size_t i = 0; i < rank; ++i) {
    int64_t at = local[i];
    if (layout_.tiled && i + 2 == rank) at /= layout_.tile.rows;
    if (layout_.tiled && i + 1 == rank) at /= layout_.tile.cols;
    unit = unit * layout_.shard[i] + at;
  }
  if (!layout_.tiled) return unit * unitBits;
  const int64_t inTile =
      tileElementOffset(layout_.tile, local[rank - 2] % layout_.tile.rows, local[rank - 1] % layout_.tile.cols);
  return unit * unitBits + exponentBits(layout_.dtype, layout_.tile) + inTile * tileValueBits(layout_.dtype);
}

Result<MetalAddress, LayoutDefect> MetalPlacement::address(const std::vector<int64_t>& index) const {
  const Result<std::vector<int64_t>, LayoutDefect> physical = physicalIndex(index);
  if (!physical) return physical.error();
  MetalAddress address;
  std::vector<int64_t> local(physical->size());
  for (size_t i = 0; i < local.size(); ++i) {
    address.gridIndex.push_back((*physical)[i] / scalarShard_[i]);
    local[i] = (*physical)[i] % scalarShard_[i];
    int64_t unit = local[i];
    if (layout_.tiled && i + 2 == local.size()) unit /= layout_.tile.rows;
    if (layout_.tiled && i + 1 == local.size()) unit /= layout_.tile.cols;
    address.unit.push_back(unit);
  }
  const std::vector<int64_t> place = *evaluate(toPhysical_, address.gridIndex);
  address.device = place[0];
  address.core = {static_cast<int32_t>(place[2]), static_cast<int32_t>(place[1])};
  const int64_t bits = bitOffset(local);
  address.offset = bits / 8;
  address.bit = static_cast<int32_t>(bits % 8);
  return address;
}

std::optional<std::vector<int64_t>> MetalPlacement::elementAtLocal(const std::vector<int64_t>& gridIndex,
                                                                   const std::vector<int64_t>& local) const {
  std::vector<int64_t> physical(local.size());
  for (size_t i = 0; i < local.size(); ++i) {
    if (local[i] >= scalarShard_[i]) return std::nullopt;  // padding up to the tile
    physical[i] = gridIndex[i] * scalarShard_[i] + local[i];
  }
  return inverse_.solve(physical);
}

Result<std::optional<std::vector<int64_t>>, LayoutDefect> MetalPlacement::elementAt(int64_t device, CoreCoord core,
                                                                                    int64_t offset, int32_t bit) const {
  // The virtual position: device number and core number, each split row-major over its dims of the grid.
  const std::vector<int64_t>& grid = layout_.grid;
  const size_t deviceDims = static_cast<size_t>(target_.deviceDims);
  const std::vector<int64_t> rest(grid.begin() + target_.deviceDims, grid.end());
  const bool direct = rest.size() == 2 && rest[0] <= target_.cores.rows && rest[1] <= target_.cores.cols;
  const auto outside = [&] {
    return defect(LayoutRule::IndexOutOfBounds, "device " + std::to_string(device) + " core (" +
                                                    std::to_string(core.x) + "," + std::to_string(core.y) + ") byte " +
                                                    std::to_string(offset) + " holds no value of the tensor");
  };
  if (core.x < 0 || core.y < 0 || core.x >= target_.cores.cols || core.y >= target_.cores.rows || device < 0 ||
      offset < 0 || bit < 0 || bit > 7)
    return outside();
  if (direct && (core.y >= rest[0] || core.x >= rest[1])) return outside();
  int64_t number = direct ? int64_t{core.y} * rest[1] + core.x : int64_t{core.y} * target_.cores.cols + core.x;
  std::vector<int64_t> gridIndex(grid.size());
  for (size_t i = grid.size(); i-- > deviceDims;) {
    gridIndex[i] = number % grid[i];
    number /= grid[i];
  }
  int64_t deviceNumber = device;
  for (size_t i = deviceDims; i-- > 0;) {
    gridIndex[i] = deviceNumber % grid[i];
    deviceNumber /= grid[i];
  }
  if (number != 0 || deviceNumber != 0 || offset >= metalShardBytes(layout_).count) return outside();

  // The scalar within the shard.
  const size_t rank = grid.size();
  const int64_t unitBits = layout_.tiled ? 8 * tileShapeBytes(layout_.dtype, layout_.tile) : valueBits(layout_.dtype);
  int64_t unit = offset / (unitBits / 8);
  const int64_t inUnit = (offset % (unitBits / 8)) * 8 + bit;
  TileCoord within;
  if (layout_.tiled) {
    const int64_t valueAt = inUnit - exponentBits(layout_.dtype, layout_.tile);
    const int64_t bits = tileValueBits(layout_.dtype);
    if (valueAt < 0 || valueAt % bits != 0) return outside();
    within = tileElementAt(layout_.tile, valueAt / bits);
  } else if (inUnit != 0) {
    return outside();
  }
  std::vector<int64_t> local(rank);
  for (size_t i = rank; i-- > 0;) {
    local[i] = unit % layout_.shard[i];
    unit /= layout_.shard[i];
  }
  if (layout_.tiled) {
    local[rank - 2] = local[rank - 2] * layout_.tile.rows + within.row;
    local[rank - 1] = local[rank - 1] * layout_.tile.cols + within.col;
  }
  return elementAtLocal(gridIndex, local);
}

}  // namespace tessera
