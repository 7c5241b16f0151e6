#pragma once
// Which metal layouts are layouts of TTNN, too.

#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/metal_layout.h"
#include "core/ir/tensor_layout.h"

namespace tessera {

// A grid of two dims. Defects: RankMismatch, EmptyGrid, GridBeyondDevice.
Result<GridShape, LayoutDefect> ttnnGrid(const std::vector<int64_t>& grid);
// What TTNN calls shards over this grid: one that fits the cores as it is has blocks; a longer column or row of shards
// is laid out over the cores row after row.
TensorMemoryLayout ttnnSharding(GridShape grid, bool inDram, const DeviceSpec& device);

// The TTNN layout under which every core stores the same elements in the same places; the defect says why there is
// none. `metal` is sound for the shape (verifyMetalLayout).
Result<TensorLayout, LayoutDefect> ttnnOfMetal(const Shape& shape, const MetalLayout& metal, const DeviceSpec& device);

}  // namespace tessera
