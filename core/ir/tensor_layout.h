#pragma once
// TensorLayout: where and how a tensor is stored, as TTNN's layout attribute says it (buffer type, memory layout, page
// layout, element type, grid, shard). All size arithmetic of the project that concerns layouts lives here, once.
// Words and rules: ttnn-optimizer.md appendix A, tensor-layout.md "TTNN Tensor Layout"; sizes: tt-mlir TTNNOpsAttrs.td.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/device_spec.h"
#include "core/support/result.h"
#include "core/support/units.h"

namespace tessera {

enum class DType : uint8_t {
  F32,
  F16,
  BF16,
  BFP8,
  BFP4,
  BFP2,  // BFPn are the bfp_bfn block formats; they exist in tiles only
  U32,
  U16,
  U8,
  I32,
  F64,
  I64,
  U64,
  I16,
  I8,
  I1,
  Index,  // accepted in input; stored on the device as deviceDType() says
};

// MLIR spelling of the scalar ("bf16", "bfp_bf8", "si32", "ui32", "i1"), and back; parse also accepts
// "i32"/"u32"/"ui32" etc.
std::string_view dtypeName(DType dtype);
// Spelling inside a tile type and in override strings: as dtypeName, but "u32", "u16", "u8".
std::string_view tileDTypeName(DType dtype);
std::optional<DType> parseDType(std::string_view name);
// The type a value of this type has on the device: f64 -> f32, i64/i32/index -> si32, i1 -> bf16, i8 -> u8 ...
DType deviceDType(DType dtype);
bool isBlockFloat(DType dtype);
bool isInteger(DType dtype);     // signed or unsigned; bool is none
int64_t valueBits(DType dtype);  // of one value, without the exponents that a block format shares
enum class BufferType : uint8_t { DRAM, L1, SystemMemory, L1Small, Trace };
enum class TensorMemoryLayout : uint8_t { None, Interleaved, SingleBank, HeightSharded, WidthSharded, BlockSharded };
enum class PageLayout : uint8_t { RowMajor, Tile };

// Bytes of one scalar in row-major storage; block formats have none and give 0.
int64_t scalarBytes(DType dtype);
// Bytes of one tile (page Tile) or scalar (RowMajor); 0 for a block format in row-major.
int64_t elementBytes(DType dtype, PageLayout page);
// Bytes of one 32x32 tile: f32 4096, bf16 2048, bfp8 1088, bfp4 576, bfp2 320, u8 1024 (tt-mlir TTNNOpsAttrs.td).
int64_t tileBytes(DType dtype);

std::string_view bufferTypeName(BufferType);                  // "dram", "l1", "system_memory", "l1_small", "trace"
std::string_view tensorMemoryLayoutName(TensorMemoryLayout);  // "interleaved", "height_sharded", ...; "none"
std::string_view pageLayoutName(PageLayout);                  // "row_major", "tile"
inline bool isSharded(TensorMemoryLayout memory) {
  return memory == TensorMemoryLayout::HeightSharded || memory == TensorMemoryLayout::WidthSharded ||
         memory == TensorMemoryLayout::BlockSharded;
}
std::optional<BufferType> parseBufferType(std::string_view name);
std::optional<TensorMemoryLayout> parseTensorMemoryLayout(std::string_view name);
std::optional<PageLayout> parsePageLayout(std::string_view name);

inline constexpr int64_t kTileSide = 32;

struct CoreCoord {
  int32_t x = 0;  // column
  int32_t y = 0;  // row
  friend constexpr bool operator==(CoreCoord, CoreCoord) = default;
};
// Inclusive rectangle of cores.
struct CoreRange {
  CoreCoord begin;
  CoreCoord end;
  friend constexpr bool operator==(CoreRange, CoreRange) = default;
};

struct TensorLayout {
  BufferType buffer = BufferType::DRAM;
  TensorMemoryLayout memory = TensorMemoryLayout::Interleaved;
  PageLayout page = PageLayout::Tile;
  DType dtype = DType::BF16;  // a device dtype
  GridShape grid;             // of shards; 1x1 for DRAM interleaved, the worker grid for L1 interleaved
  // The memref shape: tiles when page is Tile, scalars otherwise. Sharded: one shard. L1 interleaved: one core's part
  // (1 x ceil(tiles / cores)). DRAM interleaved and system memory: the whole tensor.
  int64_t shardRows = 0;
  int64_t shardCols = 0;

  bool isL1() const { return buffer == BufferType::L1; }
  bool isDram() const { return buffer == BufferType::DRAM; }
  bool sharded() const { return isSharded(memory); }
  friend bool operator==(const TensorLayout&, const TensorLayout&) = default;
};

// What a layout is made from.
struct LayoutRequest {
  DType dtype = DType::BF16;
  BufferType buffer = BufferType::DRAM;
  TensorMemoryLayout memory = TensorMemoryLayout::Interleaved;
  PageLayout page = PageLayout::Tile;
  GridShape grid;  // used for sharded layouts and L1 interleaved
  // A grid with more rows or columns than the tensor has tiles (or rows) leaves cores without data. The device library
  // can store such a tensor, the optimizer never asks for one; refused as GridBeyondTensor unless this is set.
  bool allowIdleCores = false;
};

// Why a layout cannot be made.
enum class LayoutRule {
#define TESSERA_LAYOUT_RULE(name) name,
#include "core/ir/layout_rules.def"
#undef TESSERA_LAYOUT_RULE
};
std::string_view layoutRuleName(LayoutRule rule);  // "GridBeyondDevice"

struct LayoutDefect {
  LayoutRule rule = LayoutRule::BadText;
  std::string text;  // names the rule and the figures
};
inline LayoutDefect defect(LayoutRule rule, std::string text) { return LayoutDefect{rule, std::move(text)}; }
// Sizes and addresses stay below this, so that sums of two of them do not overflow.
inline constexpr int64_t kMaxBytes = int64_t{1} << 62;

// The tensor collapsed to 2-D and padded: in tiles when `page` is Tile, in scalars otherwise.
struct PhysicalShape {
  int64_t rows = 0;
  int64_t cols = 0;
  friend constexpr bool operator==(PhysicalShape, PhysicalShape) = default;
};
// Defects: NegativeDim, SizeOverflow. A scalar (rank 0) counts as 1x1, a vector as one row.
Result<PhysicalShape, LayoutDefect> physicalShape(const std::vector<int64_t>& shape, PageLayout page);

// `shape` is the logical tensor shape, collapsed to 2-D as {(0,-1)} (all dims but the last become rows; the last two
// dims are padded to the tile first when tiled). `device` bounds the grid.
Result<TensorLayout, LayoutDefect> makeLayout(const std::vector<int64_t>& shape, const LayoutRequest& request,
                                              const DeviceSpec& device);

// memref shape times element size: bytes per core for sharded and L1 interleaved, of the whole tensor for DRAM
// interleaved.
Bytes shardSizeInBytes(const TensorLayout& layout);
// What the layout takes of each core's L1; 0 when it is not in L1.
Bytes l1BytesPerCore(const TensorLayout& layout);
// What the layout takes of each DRAM bank (pages spread round robin over the banks, page aligned); 0 when not in DRAM.
Bytes dramBytesPerBank(const TensorLayout& layout, const DeviceSpec& device);
// All bytes that must be moved to read or write the tensor once, padding included.
Bytes totalBytes(const std::vector<int64_t>& shape, const TensorLayout& layout);
Bytes bytesOfPages(const PhysicalShape& pages, const TensorLayout& layout);  // the same of a tensor of so many pages
// Cores that hold data.
int64_t coresUsed(const TensorLayout& layout);
// Canonical placement (tt-mlir TTNNOpsAttrs.td): block -> one rectangle; height / width -> full rows, then a partial
// one. Empty for layouts that are not sharded.
std::vector<CoreRange> canonicalCoreRanges(const TensorLayout& layout, const DeviceSpec& device);

// "DRAM", "L1 interleaved", "L1 block 8x8", "L1 height 64x1", "L1 width 1x32", "host"; row-major adds " rm".
std::string layoutText(const TensorLayout& layout);
// "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>,
// <block_sharded>, core_ranges = ...>"
std::string printTtnnLayout(const std::vector<int64_t>& shape, const TensorLayout& layout, const DeviceSpec& device);
// The default map of a tensor, "(d0, d1, d2) -> (d0 * 32 + d1, d2)": strides of the padded shape when tiled; "" when
// they overflow.
std::string defaultLinearMapText(const std::vector<int64_t>& shape, PageLayout page);
// A layout attribute as a file said it: the layout, and what TensorLayout leaves out because the optimizer never looks
// at it. Every field below is empty when the text had nothing, or only what printTtnnLayout writes anyway.
struct TtnnLayoutAttr {
  TensorLayout layout;
  std::string map;                    // an affine map other than the default one of the shape
  std::string gridMap;                // legacy virtual-to-physical map, "(d0, d1) -> (0, d0, d1)"
  std::string mesh;                   // "#ttcore.mesh<...>" of `mesh = `
  std::vector<CoreRange> coreRanges;  // as written, also when canonical
  std::string shardSpec;  // "#ttnn.shard_spec<...>" of the full spelling (docs/rules/lowering.md#text-of-layouts)
  bool ignorePhysicalLayout = false;
  std::vector<std::string> others;  // further "key = value" items, as written
  friend bool operator==(const TtnnLayoutAttr&, const TtnnLayoutAttr&) = default;
};
// Body between the outer angle brackets of `#ttnn.ttnn_layout<...>`, both published spellings (tt-mlir
// TTNNOpsAttrs.td), buffer type aliases already replaced or spelled #dram/#l1/#system_memory. `shape` is the tensor it
// is attached to; a layout that does not belong to it is a defect that names the rule.
Result<TtnnLayoutAttr, LayoutDefect> parseTtnnLayoutAttr(std::string_view body, const std::vector<int64_t>& shape);
// As printTtnnLayout, with the map, mesh and core ranges that were written. The legacy grid map is printed in the grid.
std::string printTtnnLayoutAttr(const std::vector<int64_t>& shape, const TtnnLayoutAttr& attr,
                                const DeviceSpec& device);
// "core_ranges" spelling: "[#ttnn.core_range<(0,0), (7,7)>]".
std::string coreRangesText(const std::vector<CoreRange>& ranges);

}  // namespace tessera
