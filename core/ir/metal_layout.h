#pragma once
// `#tt.metal_layout`: how a tensor of any rank is spread over a grid of devices and cores and stored on each
// (tensor-layout.md, metal layouts).
//
//   tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>
//
// logical index --linear map--> physical index --divide by the shard--> grid position and place in the shard.
// Order of operations: the grid divides the scalar shape first (rounding up), then the shard is rounded up to tiles.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/affine_map.h"
#include "core/ir/tensor_layout.h"
#include "core/ir/types.h"

namespace tessera {

enum class MemorySpace : uint8_t { System, SystemMMIO, DeviceDRAM, DeviceL1 };
enum class OobVal : uint8_t { Undef, Zero, One, Inf, NegInf };

std::string_view memorySpaceName(MemorySpace space);  // "system", "mmio", "dram", "l1"
std::string_view oobValName(OobVal value);            // "undef", "zero", "one", "inf", "neginf"
std::optional<MemorySpace> parseMemorySpace(std::string_view name);
std::optional<OobVal> parseOobVal(std::string_view name);  // also "neg-inf", "neg_inf", "-inf"

struct TileShape {
  int64_t rows = kTileSide;
  int64_t cols = kTileSide;
  friend constexpr bool operator==(TileShape, TileShape) = default;
};
// 1, 2, 4, 8, 16 or 32 rows of 16 or 32 columns (tt-metal tensor_layouts.md).
bool isTileShape(TileShape tile);
// Bytes of a tile of this shape; block formats add one exponent byte per 16 values. 0 for a shape or type without
// tiles.
int64_t tileShapeBytes(DType dtype, TileShape tile);
// Place of (row, col) in a tile: faces of up to 16 rows x 16 columns one after the other, row-major inside (tt-metal
// tensor_layouts.md).
int64_t tileElementOffset(TileShape tile, int64_t row, int64_t col);
struct TileCoord {
  int64_t row = 0;
  int64_t col = 0;
};
TileCoord tileElementAt(TileShape tile, int64_t offset);

struct MetalLayout {
  AffineMap linear;
  OobVal oob = OobVal::Undef;
  std::vector<int64_t> grid;
  std::vector<int64_t> shard;  // memref dims; the last two count tiles when tiled
  DType dtype = DType::F32;    // of the memref; the tensor keeps its own
  bool tiled = false;
  TileShape tile;
  MemorySpace space = MemorySpace::DeviceL1;
  friend bool operator==(const MetalLayout&, const MetalLayout&) = default;
};

struct MetalRequest {
  std::vector<int64_t> grid;
  std::vector<CollapseInterval> collapse = {{0, -1}};
  std::optional<AffineMap> linear;  // used instead of `collapse`
  std::vector<int64_t> strides;     // with `collapse`: one per dim, instead of the dense ones
  OobVal oob = OobVal::Undef;
  DType dtype = DType::F32;
  bool tiled = false;
  TileShape tile;
  MemorySpace space = MemorySpace::DeviceL1;
};

// Size of the collapsed tensor in scalars: the map at the last element, plus one. A tensor without elements gives
// zeros. Defects: RankMismatch, NegativeDim, MapNotLinear, MapNegative, SizeOverflow.
Result<std::vector<int64_t>, LayoutDefect> metalPhysicalShape(const Shape& shape, const AffineMap& linear);
// Physical shape divided by the grid, rounding up. Defects: RankMismatch, EmptyGrid.
Result<std::vector<int64_t>, LayoutDefect> metalScalarShard(const std::vector<int64_t>& physical,
                                                            const std::vector<int64_t>& grid);

// Derives the memref and checks every rule of verifyMetalLayout().
Result<MetalLayout, LayoutDefect> makeMetalLayout(const Shape& shape, const MetalRequest& request);
// All rules that are broken, in the order of LayoutRule's groups; empty for a sound layout. The memref must be the
// derived one.
std::vector<LayoutDefect> verifyMetalLayout(const Shape& shape, const MetalLayout& layout);

// Shard in scalars, tile padding included: what is stored per core. And its bytes.
std::vector<int64_t> metalStoredShard(const MetalLayout& layout);
Bytes metalShardBytes(const MetalLayout& layout);

// "#tt.metal_layout<...>". `dialect` is the prefix, "tt" or "ttcore".
std::string printMetalLayout(const MetalLayout& layout, std::string_view dialect = "tt");
// The whole attribute, either prefix, or the body between its angle brackets. Checked against `shape`.
Result<MetalLayout, LayoutDefect> parseMetalLayout(std::string_view text, const Shape& shape);

}  // namespace tessera
