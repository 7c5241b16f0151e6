// tensor-layout.md, "TTNN Tensor Layout": shape, stride, shard and grid of a TTNN tensor.

#include "core/ir/memory_config.h"
#include "core/ir/types.h"

namespace tessera {
namespace {

// Strides of a dense row-major tensor whose last two dims are padded to the tile.
Result<std::vector<int64_t>, LayoutDefect> denseStrides(std::vector<int64_t> shape, TileShape tile) {
  const size_t rank = shape.size();
  if (rank >= 1) shape[rank - 1] = alignUp(shape[rank - 1], tile.cols);
  if (rank >= 2) shape[rank - 2] = alignUp(shape[rank - 2], tile.rows);
  std::vector<int64_t> stride(rank, 1);
  for (size_t i = rank; i-- > 1;) {
    if (!mulChecked(stride[i], shape[i], stride[i - 1]) || stride[i - 1] >= kMaxBytes)
      return defect(LayoutRule::SizeOverflow, "the strides do not fit 62 bits");
  }
  return stride;
}

// Rows and width from the strides: the slowest dim's last element ends the tensor.
Result<PhysicalShape, LayoutDefect> extentOf(const std::vector<int64_t>& shape, const std::vector<int64_t>& stride) {
  const size_t rank = shape.size();
  if (rank == 0) return PhysicalShape{1, 1};
  if (rank == 1) return PhysicalShape{1, shape[0]};
  const int64_t width = stride[rank - 2];
  int64_t inner = 1;  // what the faster dims span
  for (size_t i = rank; i-- > 0;) {
    if (stride[i] < inner) {
      return defect(LayoutRule::MapOverlaps, "stride " + std::to_string(stride[i]) + " of d" + std::to_string(i) +
                                                 " is smaller than the " + std::to_string(inner) +
                                                 " elements it must skip");
    }
    if (i + 1 < rank && stride[i] % width != 0) {
      return defect(LayoutRule::NotAligned, "stride " + std::to_string(stride[i]) + " of d" + std::to_string(i) +
                                                " is no multiple of the width " + std::to_string(width));
    }
    if (!mulChecked(stride[i], shape[i], inner) || inner >= kMaxBytes)
      return defect(LayoutRule::SizeOverflow, "the tensor does not fit 62 bits");
  }
  return PhysicalShape{inner / width, width};
}

// Everything but shardShape and gridShape.
Result<TtnnGeometry, LayoutDefect> beginGeometry(const std::vector<int64_t>& shape, std::optional<TileShape> tile,
                                                 std::vector<int64_t> stride) {
  for (int64_t dim : shape) {
    if (dim < 0) return defect(LayoutRule::NegativeDim, "dim " + std::to_string(dim) + " is negative");
    if (dim == 0) return defect(LayoutRule::EmptyTensor, "tensor " + shapeText(shape) + " has no elements");
    if (dim >= kMaxBytes)
      return defect(LayoutRule::SizeOverflow, "dim " + std::to_string(dim) + " does not fit 62 bits");
  }
  if (tile && !isTileShape(*tile))
    return defect(LayoutRule::BadTileShape,
                  "tiles of " + std::to_string(tile->rows) + "x" + std::to_string(tile->cols) + " do not exist");
  TtnnGeometry geometry{.shape = shape, .stride = std::move(stride), .tileShape = tile.value_or(TileShape{1, 1})};
  if (geometry.stride.empty()) {
    Result<std::vector<int64_t>, LayoutDefect> dense = denseStrides(shape, {1, 1});
    if (!dense) return dense.error();
    geometry.stride = *dense;
  }
  if (geometry.stride.size() != shape.size()) {
    return defect(LayoutRule::RankMismatch,
                  std::to_string(geometry.stride.size()) + " strides for " + std::to_string(shape.size()) + " dims");
  }
  const Result<PhysicalShape, LayoutDefect> extent = extentOf(shape, geometry.stride);
  if (!extent) return extent.error();
  geometry.physicalShape = *extent;
  return geometry;
}

Result<TtnnGeometry, LayoutDefect> finish(TtnnGeometry geometry, PhysicalShape shard) {
  if (shard.rows < 1 || shard.cols < 1)
    return defect(LayoutRule::EmptyGrid,
                  "a shard of " + std::to_string(shard.rows) + "x" + std::to_string(shard.cols) + " holds nothing");
  if (shard.rows >= kMaxBytes || shard.cols >= kMaxBytes)
    return defect(LayoutRule::SizeOverflow, "the shard does not fit 62 bits");
  geometry.shardShape = shard;
  geometry.physicalShardShape = {alignUp(shard.rows, geometry.tileShape.rows),
                                 alignUp(shard.cols, geometry.tileShape.cols)};
  geometry.gridShape = {ceilDiv(geometry.physicalShape.rows, shard.rows),
                        ceilDiv(geometry.physicalShape.cols, shard.cols)};
  return geometry;
}

}  // namespace

Result<TtnnGeometry, LayoutDefect> makeTtnnGeometry(const std::vector<int64_t>& shape, PhysicalShape shardShape,
                                                    std::optional<TileShape> tile, std::vector<int64_t> stride) {
  Result<TtnnGeometry, LayoutDefect> geometry = beginGeometry(shape, tile, std::move(stride));
  if (!geometry) return geometry;
  return finish(*geometry, shardShape);
}

Result<TtnnGeometry, LayoutDefect> makeTtnnGeometryForGrid(const std::vector<int64_t>& shape, GridShape grid,
                                                           std::optional<TileShape> tile, std::vector<int64_t> stride) {
  if (grid.rows < 1 || grid.cols < 1)
    return defect(LayoutRule::EmptyGrid,
                  "grid " + std::to_string(grid.rows) + "x" + std::to_string(grid.cols) + " has no cores");
  Result<TtnnGeometry, LayoutDefect> geometry = beginGeometry(shape, tile, std::move(stride));
  if (!geometry) return geometry;
  const PhysicalShape whole = geometry->physicalShape;
  return finish(*geometry, {ceilDiv(whole.rows, grid.rows), ceilDiv(whole.cols, grid.cols)});
}

Result<TtnnGeometry, LayoutDefect> ttnnGeometryOf(const std::vector<int64_t>& shape, const TensorLayout& layout) {
  const bool tiled = layout.page == PageLayout::Tile;
  const TileShape unit = tiled ? TileShape{} : TileShape{1, 1};
  const Result<PhysicalShape, LayoutDefect> whole = physicalShape(shape, layout.page);
  if (!whole) return whole.error();
  if (whole->rows == 0 || whole->cols == 0)
    return defect(LayoutRule::EmptyTensor, "tensor " + shapeText(shape) + " has no elements");
  const Result<std::vector<int64_t>, LayoutDefect> stride = denseStrides(shape, unit);
  if (!stride) return stride.error();
  TtnnGeometry geometry{.shape = shape, .stride = *stride, .tileShape = unit};
  geometry.physicalShape = {whole->rows * unit.rows, whole->cols * unit.cols};
  PhysicalShape shard{layout.shardRows * unit.rows, layout.shardCols * unit.cols};
  const bool spread = layout.memory == TensorMemoryLayout::Interleaved && layout.isL1();
  if (spread) shard = {unit.rows, tiled ? unit.cols : geometry.physicalShape.cols};
  return finish(geometry, shard);
}

}  // namespace tessera
