#pragma once
// `#ttnn.memory_config<...>` and `#ttnn.shard_spec<...>`: a layout in the library's words (tt-mlir TTNNOpsAttrs.td),
// and the terms of tensor-layout.md, "TTNN Tensor Layout".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/metal_layout.h"
#include "core/ir/tensor_layout.h"

namespace tessera {

enum class ShardOrientation : uint8_t { RowMajor, ColMajor };

struct ShardSpec {
  std::vector<CoreRange> cores;
  int64_t rows = 0;  // of a shard, in elements
  int64_t cols = 0;
  ShardOrientation orientation = ShardOrientation::RowMajor;
  std::string mode;  // "physical" or "logical" in dumps before 2026, else ""
  friend bool operator==(const ShardSpec&, const ShardSpec&) = default;
};

struct MemoryConfig {
  BufferType buffer = BufferType::DRAM;
  TensorMemoryLayout memory = TensorMemoryLayout::Interleaved;
  std::optional<ShardSpec> shard;
  friend bool operator==(const MemoryConfig&, const MemoryConfig&) = default;
};

// What the compiler derives from a result's layout. Sharded layouts get a spec on their canonical cores.
MemoryConfig memoryConfigOf(const TensorLayout& layout, const DeviceSpec& device);
std::string printShardSpec(const ShardSpec& spec);
std::string printMemoryConfig(const MemoryConfig& config);
// Whole attribute; both spellings of core ranges, the optional sharding mode, buffer types as alias or in full.
Result<ShardSpec, LayoutDefect> parseShardSpec(std::string_view text);
Result<MemoryConfig, LayoutDefect> parseMemoryConfig(std::string_view text);

// Terms of tensor-layout.md for a TTNN tensor. Sizes in elements.
struct TtnnGeometry {
  std::vector<int64_t> shape;        // logical
  std::vector<int64_t> stride;       // of each dim in the 2-D physical layout, as PyTorch counts them
  PhysicalShape physicalShape;       // rows x width
  PhysicalShape shardShape;          // need not be a tile multiple
  PhysicalShape physicalShardShape;  // shardShape padded to tiles
  TileShape tileShape;               // 1x1 for row-major
  PhysicalShape gridShape;           // shards down and across
};
// tensor-layout.md: stride[-2] is the width, all outer dims become rows. `stride` empty means dense. The rows are
// shape[0] * stride[0] / stride[-2]; the "stride[0] // stride[-2]" of that document counts a stride that has the whole
// volume in front, and its second "shard_shape[0]" is read as shard_shape[1]. Defects: RankMismatch, NegativeDim,
// EmptyTensor, SizeOverflow, BadTileShape, MapOverlaps (a stride too small for what it must skip), NotAligned (an outer
// stride is no multiple of the width).
Result<TtnnGeometry, LayoutDefect> makeTtnnGeometry(const std::vector<int64_t>& shape, PhysicalShape shardShape,
                                                    std::optional<TileShape> tile, std::vector<int64_t> stride = {});
// The same from the number of shards: shardShape = physicalShape divided by the grid, rounding up.
Result<TtnnGeometry, LayoutDefect> makeTtnnGeometryForGrid(const std::vector<int64_t>& shape, GridShape grid,
                                                           std::optional<TileShape> tile,
                                                           std::vector<int64_t> stride = {});
// Of a layout: tiled ones have the strides of the padded shape. What is not sharded counts as one shard per core (L1
// interleaved has no 2-D shard: its shard is the page) or as one shard (DRAM, host).
Result<TtnnGeometry, LayoutDefect> ttnnGeometryOf(const std::vector<int64_t>& shape, const TensorLayout& layout);

}  // namespace tessera
