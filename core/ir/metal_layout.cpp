#include "core/ir/metal_layout.h"

#include "core/ir/linear_inverse.h"

namespace tessera {
namespace {

constexpr std::string_view kSpaceNames[] = {"system", "mmio", "dram", "l1"};
constexpr std::string_view kOobNames[] = {"undef", "zero", "one", "inf", "neginf"};

int64_t faceRows(TileShape tile) { return tile.rows < 16 ? tile.rows : 16; }
constexpr int64_t kFaceCols = 16;

// memref dims from the scalar shard.
Result<std::vector<int64_t>, LayoutDefect> memrefDims(std::vector<int64_t> scalarShard, bool tiled, TileShape tile) {
  if (!tiled) return scalarShard;
  if (scalarShard.size() < 2) return defect(LayoutRule::RankMismatch, "tiles need a memref of rank 2 or more");
  const size_t rank = scalarShard.size();
  scalarShard[rank - 2] = ceilDiv(scalarShard[rank - 2], tile.rows);
  scalarShard[rank - 1] = ceilDiv(scalarShard[rank - 1], tile.cols);
  return scalarShard;
}

std::optional<LayoutDefect> checkElement(const MetalLayout& layout) {
  if (!layout.tiled && isBlockFloat(layout.dtype)) {
    return defect(LayoutRule::BlockFloatRowMajor, std::string(dtypeName(layout.dtype)) + " exists in tiles only");
  }
  if (layout.tiled && (!isTileShape(layout.tile) || tileShapeBytes(layout.dtype, layout.tile) == 0)) {
    return defect(LayoutRule::BadTileShape, "tiles of " + std::to_string(layout.tile.rows) + "x" +
                                                std::to_string(layout.tile.cols) + " " +
                                                std::string(dtypeName(layout.dtype)) + " do not exist");
  }
  return std::nullopt;
}

// Shard bytes times grid volume must stay below 2^62.
std::optional<LayoutDefect> checkSize(const MetalLayout& layout) {
  int64_t bytes = layout.tiled ? tileShapeBytes(layout.dtype, layout.tile) : scalarBytes(layout.dtype);
  bool fits = true;
  for (int64_t dim : layout.shard) fits = fits && mulChecked(bytes, dim > 0 ? dim : 1, bytes);
  for (int64_t dim : layout.grid) fits = fits && mulChecked(bytes, dim > 0 ? dim : 1, bytes);
  if (!fits || bytes >= kMaxBytes) return defect(LayoutRule::SizeOverflow, "the layout's bytes do not fit 62 bits");
  return std::nullopt;
}

}  // namespace

std::string_view memorySpaceName(MemorySpace space) { return kSpaceNames[static_cast<size_t>(space)]; }
std::string_view oobValName(OobVal value) { return kOobNames[static_cast<size_t>(value)]; }

std::optional<MemorySpace> parseMemorySpace(std::string_view name) {
  for (size_t i = 0; i < std::size(kSpaceNames); ++i) {
    if (kSpaceNames[i] == name) return static_cast<MemorySpace>(i);
  }
  return std::nullopt;
}

std::optional<OobVal> parseOobVal(std::string_view name) {
  for (size_t i = 0; i < std::size(kOobNames); ++i) {
    if (kOobNames[i] == name) return static_cast<OobVal>(i);
  }
  if (name == "neg-inf" || name == "neg_inf" || name == "-inf") return OobVal::NegInf;
  return std::nullopt;
}

bool isTileShape(TileShape tile) {
  const bool rows =
      tile.rows == 1 || tile.rows == 2 || tile.rows == 4 || tile.rows == 8 || tile.rows == 16 || tile.rows == 32;
  return rows && (tile.cols == 16 || tile.cols == 32);
}

int64_t tileShapeBytes(DType dtype, TileShape tile) {
  if (!isTileShape(tile)) return 0;
  // Exact: a 32x32 tile is 1024 values in whole bytes per 16 of them, and the smallest tile has 16 values.
  return tileBytes(dtype) * (tile.rows * tile.cols) / (kTileSide * kTileSide);
}

int64_t tileElementOffset(TileShape tile, int64_t row, int64_t col) {
  const int64_t height = faceRows(tile);
  const int64_t face = (row / height) * (tile.cols / kFaceCols) + col / kFaceCols;
  return face * height * kFaceCols + (row % height) * kFaceCols + col % kFaceCols;
}

TileCoord tileElementAt(TileShape tile, int64_t offset) {
  const int64_t height = faceRows(tile);
  const int64_t face = offset / (height * kFaceCols);
  const int64_t inFace = offset % (height * kFaceCols);
  const int64_t facesAcross = tile.cols / kFaceCols;
  return {(face / facesAcross) * height + inFace / kFaceCols, (face % facesAcross) * kFaceCols + inFace % kFaceCols};
}

Result<std::vector<int64_t>, LayoutDefect> metalPhysicalShape(const Shape& shape, const AffineMap& linear) {
  if (static_cast<size_t>(linear.dimCount) != shape.size()) {
    return defect(LayoutRule::RankMismatch, "the map has " + std::to_string(linear.dimCount) + " dims, tensor " +
                                                shapeText(shape) + " has " + std::to_string(shape.size()));
  }
  if (linear.symbolCount != 0) return defect(LayoutRule::MapNotLinear, "the map has symbols");
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0)
      return defect(LayoutRule::NegativeDim,
                    "dim " + std::to_string(dim) + " of tensor " + shapeText(shape) + " is negative");
    empty = empty || dim == 0;
  }
  const std::optional<std::vector<LinearExpr>> exprs = linearForm(linear);
  if (!exprs)
    return defect(LayoutRule::MapNotLinear,
                  "the map " + printAffineMap(linear) + " is not a sum of dims times constants");
  const auto tooLarge = [&] {
    return defect(LayoutRule::SizeOverflow,
                  "the collapsed size of tensor " + shapeText(shape) + " does not fit 62 bits");
  };
  std::vector<int64_t> physical;
  for (const LinearExpr& expr : *exprs) {
    if (expr.constant < 0)
      return defect(LayoutRule::MapNegative, "the map has the negative offset " + std::to_string(expr.constant));
    int64_t last = expr.constant;
    for (size_t i = 0; i < expr.dims.size(); ++i) {
      if (expr.dims[i] < 0)
        return defect(LayoutRule::MapNegative, "the map has the negative stride " + std::to_string(expr.dims[i]));
      int64_t term = 0;
      if (empty) continue;
      if (!mulChecked(expr.dims[i], shape[i] - 1, term) || !addChecked(last, term, last)) return tooLarge();
    }
    if (!empty && last >= kMaxBytes) return tooLarge();
    physical.push_back(empty ? 0 : last + 1);
  }
  return physical;
}

Result<std::vector<int64_t>, LayoutDefect> metalScalarShard(const std::vector<int64_t>& physical,
                                                            const std::vector<int64_t>& grid) {
  if (physical.size() != grid.size()) {
    return defect(LayoutRule::RankMismatch, "the map has " + std::to_string(physical.size()) + " results, the grid " +
                                                std::to_string(grid.size()) + " dims");
  }
  std::vector<int64_t> shard;
  for (size_t i = 0; i < grid.size(); ++i) {
    if (grid[i] < 1) return defect(LayoutRule::EmptyGrid, "grid <" + shapeText(grid) + "> has no cores");
    if (grid[i] >= kMaxBytes || physical[i] >= kMaxBytes)
      return defect(LayoutRule::SizeOverflow, "the grid does not fit 62 bits");
    shard.push_back(ceilDiv(physical[i], grid[i]));
  }
  return shard;
}

std::vector<LayoutDefect> verifyMetalLayout(const Shape& shape, const MetalLayout& layout) {
  std::vector<LayoutDefect> defects;
  if (auto bad = checkElement(layout)) defects.push_back(*bad);
  const Result<std::vector<int64_t>, LayoutDefect> physical = metalPhysicalShape(shape, layout.linear);
  if (!physical) {
    defects.push_back(physical.error());
    return defects;
  }
  const Result<std::vector<int64_t>, LayoutDefect> scalarShard = metalScalarShard(*physical, layout.grid);
  if (!scalarShard) {
    defects.push_back(scalarShard.error());
    return defects;
  }
  if (!defects.empty()) return defects;  // the tile's shape is needed below
  for (int64_t dim : shape) {
    if (dim == 0) {
      defects.push_back(defect(LayoutRule::EmptyTensor, "tensor " + shapeText(shape) + " has no elements"));
      return defects;
    }
  }
  const Result<LinearInverse, LayoutDefect> inverse = invertLinear(shape, *linearForm(layout.linear));
  if (!inverse) defects.push_back(inverse.error());
  const Result<std::vector<int64_t>, LayoutDefect> dims = memrefDims(*scalarShard, layout.tiled, layout.tile);
  if (!dims) {
    defects.push_back(dims.error());
  } else if (layout.shard.size() != dims->size()) {
    defects.push_back(defect(LayoutRule::RankMismatch, "the memref has " + std::to_string(layout.shard.size()) +
                                                           " dims, the grid " + std::to_string(layout.grid.size())));
  } else if (layout.shard != *dims) {
    defects.push_back(
        defect(LayoutRule::ShardMismatch, "memref " + shapeText(layout.shard) + " is not the collapsed shape " +
                                              shapeText(*physical) + " divided by grid " + shapeText(layout.grid) +
                                              (layout.tiled ? " in tiles" : "") + ", which is " + shapeText(*dims)));
  }
  if (auto bad = checkSize(layout)) defects.push_back(*bad);
  return defects;
}

Result<MetalLayout, LayoutDefect> makeMetalLayout(const Shape& shape, const MetalRequest& request) {
  MetalLayout layout{.oob = request.oob,
                     .grid = request.grid,
                     .dtype = request.dtype,
                     .tiled = request.tiled,
                     .tile = request.tile,
                     .space = request.space};
  if (request.linear) {
    layout.linear = *request.linear;
  } else if (!request.strides.empty() && request.strides.size() != shape.size()) {
    return defect(LayoutRule::RankMismatch,
                  std::to_string(request.strides.size()) + " strides for " + std::to_string(shape.size()) + " dims");
  } else {
    Result<AffineMap, LayoutDefect> map = request.strides.empty()
                                              ? collapsedLinearMap(shape, request.collapse)
                                              : collapsedLinearMapWithStrides(request.strides, request.collapse);
    if (!map) return map.error();
    layout.linear = *map;
  }
  if (auto bad = checkElement(layout)) return *bad;
  const Result<std::vector<int64_t>, LayoutDefect> physical = metalPhysicalShape(shape, layout.linear);
  if (!physical) return physical.error();
  const Result<std::vector<int64_t>, LayoutDefect> scalarShard = metalScalarShard(*physical, layout.grid);
  if (!scalarShard) return scalarShard.error();
  const Result<std::vector<int64_t>, LayoutDefect> dims = memrefDims(*scalarShard, layout.tiled, layout.tile);
  if (!dims) return dims.error();
  layout.shard = *dims;
  const std::vector<LayoutDefect> defects = verifyMetalLayout(shape, layout);
  if (!defects.empty()) return defects.front();
  return layout;
}

std::vector<int64_t> metalStoredShard(const MetalLayout& layout) {
  std::vector<int64_t> stored = layout.shard;
  if (layout.tiled && stored.size() >= 2) {
    stored[stored.size() - 2] *= layout.tile.rows;
    stored[stored.size() - 1] *= layout.tile.cols;
  }
  return stored;
}

Bytes metalShardBytes(const MetalLayout& layout) {
  int64_t bytes = layout.tiled ? tileShapeBytes(layout.dtype, layout.tile) : scalarBytes(layout.dtype);
  for (int64_t dim : layout.shard) bytes *= dim;  // fits: checkSize()
  return Bytes(bytes);
}

}  // namespace tessera
