#include "core/ir/metal_to_ttnn.h"

#include <string>

#include "core/ir/affine_map.h"

namespace tessera {

namespace {

std::optional<LayoutDefect> beyondTtnn(const Shape& shape, const MetalLayout& metal) {
  if (metal.space == MemorySpace::SystemMMIO)
    return LayoutDefect{LayoutRule::UnknownBufferType, "TTNN has no mmio memory"};
  if (metal.tiled && !(metal.tile == TileShape{}))
    return LayoutDefect{LayoutRule::BadTileShape, "TTNN has tiles of 32x32 only"};
  const PageLayout page = metal.tiled ? PageLayout::Tile : PageLayout::RowMajor;
  const std::string own = defaultLinearMapText(shape, page);
  const Result<AffineMap, LayoutDefect> map = parseAffineMap(own);
  if (!map || !sameMap(*map, metal.linear))
    return LayoutDefect{LayoutRule::ShardMismatch, "the map is not TTNN's own for this shape, " + own};
  int64_t stored = 1;
  for (int64_t dim : metal.grid) stored = mulSaturated(stored, dim);
  for (int64_t dim : metalStoredShard(metal)) stored = mulSaturated(stored, dim);
  if (metal.oob != OobVal::Undef && stored != elementCount(shape))
    return LayoutDefect{LayoutRule::UnknownOobValue,
                        "TTNN's padding has no value, here it is " + std::string(oobValName(metal.oob))};
  return {};
}

// Whether rounding a shard up to tiles leaves the cuts where they are.
bool cutsAtTiles(const Shape& shape, const MetalLayout& metal) {
  const auto physical = metalPhysicalShape(shape, metal.linear);
  const auto cut = physical ? metalScalarShard(*physical, metal.grid) : physical;
  const std::vector<int64_t> stored = metalStoredShard(metal);
  if (!cut || cut->size() != stored.size()) return false;
  for (size_t i = 0; i < stored.size(); ++i) {
    if (metal.grid[i] > 1 && (*cut)[i] != stored[i]) return false;
  }
  return true;
}

}  // namespace

Result<GridShape, LayoutDefect> ttnnGrid(const std::vector<int64_t>& grid) {
  if (grid.size() != 2)
    return LayoutDefect{LayoutRule::RankMismatch, "TTNN grids have 2 dims, not " + std::to_string(grid.size())};
  for (int64_t dim : grid) {
    if (dim < 1) return LayoutDefect{LayoutRule::EmptyGrid, "grid " + shapeText(grid) + " has no cores"};
    if (dim > (int64_t{1} << 30))
      return LayoutDefect{LayoutRule::GridBeyondDevice, "grid " + shapeText(grid) + " is larger than any device"};
  }
  return GridShape{static_cast<int32_t>(grid[0]), static_cast<int32_t>(grid[1])};
}

TensorMemoryLayout ttnnSharding(GridShape grid, bool inDram, const DeviceSpec& device) {
  if (inDram && grid.volume() == 1) return TensorMemoryLayout::Interleaved;
  if (grid.cols == 1 && (grid.rows > device.grid.rows || inDram)) return TensorMemoryLayout::HeightSharded;
  if (grid.rows == 1 && (grid.cols > device.grid.cols || inDram)) return TensorMemoryLayout::WidthSharded;
  return TensorMemoryLayout::BlockSharded;
}

Result<TensorLayout, LayoutDefect> ttnnOfMetal(const Shape& shape, const MetalLayout& metal, const DeviceSpec& device) {
  if (std::optional<LayoutDefect> defect = beyondTtnn(shape, metal)) return *defect;
  const Result<GridShape, LayoutDefect> grid = ttnnGrid(metal.grid);
  if (!grid) return grid.error();
  const bool host = metal.space == MemorySpace::System, inDram = metal.space == MemorySpace::DeviceDRAM;
  if (host && grid->volume() != 1)
    return LayoutDefect{LayoutRule::SystemMemorySharded, "TTNN has no shards in the host's memory"};
  const BufferType buffer = host ? BufferType::SystemMemory : inDram ? BufferType::DRAM : BufferType::L1;
  Result<TensorLayout, LayoutDefect> layout =
      makeLayout(shape,
                 {.dtype = metal.dtype,
                  .buffer = buffer,
                  .memory = host ? TensorMemoryLayout::None : ttnnSharding(*grid, inDram, device),
                  .page = metal.tiled ? PageLayout::Tile : PageLayout::RowMajor,
                  .grid = *grid},
                 device);
  // TTNN pads the tensor to tiles and cuts then; here the cuts come first.
  const bool same = layout && cutsAtTiles(shape, metal) &&
                    (!layout->sharded() || (metal.shard.size() == 2 && layout->shardRows == metal.shard[0] &&
                                            layout->shardCols == metal.shard[1]));
  if (layout && !same)
    return LayoutDefect{LayoutRule::ShardMismatch, "TTNN rounds to tiles first and cuts this tensor at other places"};
  return layout;
}

}  // namespace tessera
