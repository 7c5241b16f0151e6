// Names and sizes of element types, buffer types, memory layouts and page layouts.

#include "core/ir/tensor_layout.h"
#include "core/support/check.h"

namespace tessera {
namespace {

struct DTypeInfo {
  DType dtype;
  std::string_view name;      // MLIR scalar
  std::string_view tileName;  // inside a tile type
  DType device;
  int64_t scalar;  // bytes in row-major storage
  int64_t tile;    // bytes of a 32x32 tile; 0 for types that only their device type gives a tile
};

// Tile bytes: tt-mlir TTNNOpsAttrs.td. A block format shares an 8-bit exponent between 16 values of one face row: 64
// bytes a tile.
constexpr DTypeInfo kDTypes[] = {
    {DType::F32, "f32", "f32", DType::F32, 4, 4096},
    {DType::F16, "f16", "f16", DType::F16, 2, 2048},
    {DType::BF16, "bf16", "bf16", DType::BF16, 2, 2048},
    {DType::BFP8, "bfp_bf8", "bfp_bf8", DType::BFP8, 0, 1088},
    {DType::BFP4, "bfp_bf4", "bfp_bf4", DType::BFP4, 0, 576},
    {DType::BFP2, "bfp_bf2", "bfp_bf2", DType::BFP2, 0, 320},
    {DType::U32, "ui32", "u32", DType::U32, 4, 4096},
    {DType::U16, "ui16", "u16", DType::U16, 2, 2048},
    {DType::U8, "ui8", "u8", DType::U8, 1, 1024},
    {DType::I32, "si32", "si32", DType::I32, 4, 4096},
    {DType::F64, "f64", "f64", DType::F32, 8, 0},
    {DType::I64, "i64", "i64", DType::I32, 8, 0},
    {DType::U64, "ui64", "u64", DType::U32, 8, 0},
    {DType::I16, "i16", "i16", DType::U16, 2, 0},
    {DType::I8, "i8", "i8", DType::U8, 1, 0},
    {DType::I1, "i1", "i1", DType::BF16, 1, 0},
    {DType::Index, "index", "index", DType::I32, 8, 0},
};

const DTypeInfo& info(DType dtype) {
  const size_t at = static_cast<size_t>(dtype);
  TESSERA_CHECK(at < std::size(kDTypes) && kDTypes[at].dtype == dtype, "kDTypes is in enum order");
  return kDTypes[at];
}

// Other spellings that occur in dumps and override strings.
struct DTypeAlias {
  std::string_view name;
  DType dtype;
};
constexpr DTypeAlias kAliases[] = {
    {"i32", DType::I32},     {"si64", DType::I64},    {"si16", DType::I16},      {"si8", DType::I8},
    {"int32", DType::I32},   {"uint32", DType::U32},  {"uint16", DType::U16},    {"uint8", DType::U8},
    {"float32", DType::F32}, {"float16", DType::F16}, {"bfloat16", DType::BF16}, {"bool", DType::I1},
    {"bfp8_b", DType::BFP8}, {"bfp4_b", DType::BFP4}, {"bfp2_b", DType::BFP2},   {"bfp8", DType::BFP8},
    {"bfp4", DType::BFP4},   {"bfp2", DType::BFP2},
};

constexpr std::string_view kBufferNames[] = {"dram", "l1", "system_memory", "l1_small", "trace"};
constexpr std::string_view kMemoryNames[] = {"none",           "interleaved",   "single_bank",
                                             "height_sharded", "width_sharded", "block_sharded"};
constexpr std::string_view kPageNames[] = {"row_major", "tile"};

template <class Enum, size_t n>
std::optional<Enum> find(const std::string_view (&names)[n], std::string_view name) {
  for (size_t i = 0; i < n; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view dtypeName(DType dtype) { return info(dtype).name; }
std::string_view tileDTypeName(DType dtype) { return info(dtype).tileName; }

std::optional<DType> parseDType(std::string_view name) {
  for (const DTypeInfo& entry : kDTypes) {
    if (entry.name == name || entry.tileName == name) return entry.dtype;
  }
  for (const DTypeAlias& alias : kAliases) {
    if (alias.name == name) return alias.dtype;
  }
  return std::nullopt;
}

DType deviceDType(DType dtype) { return info(dtype).device; }
bool isBlockFloat(DType dtype) { return dtype == DType::BFP8 || dtype == DType::BFP4 || dtype == DType::BFP2; }
bool isInteger(DType dtype) {
  return dtype == DType::U32 || dtype == DType::U16 || dtype == DType::U8 || dtype == DType::I32;
}
int64_t valueBits(DType dtype) {
  switch (dtype) {
    case DType::BFP8: return 8;
    case DType::BFP4: return 4;
    case DType::BFP2: return 2;
    default: return 8 * scalarBytes(dtype);
  }
}
int64_t scalarBytes(DType dtype) { return info(dtype).scalar; }
int64_t tileBytes(DType dtype) { return info(deviceDType(dtype)).tile; }
int64_t elementBytes(DType dtype, PageLayout page) {
  return page == PageLayout::Tile ? tileBytes(dtype) : scalarBytes(dtype);
}

std::string_view bufferTypeName(BufferType buffer) { return kBufferNames[static_cast<size_t>(buffer)]; }
std::string_view tensorMemoryLayoutName(TensorMemoryLayout memory) { return kMemoryNames[static_cast<size_t>(memory)]; }
std::string_view pageLayoutName(PageLayout page) { return kPageNames[static_cast<size_t>(page)]; }
std::optional<BufferType> parseBufferType(std::string_view name) { return find<BufferType>(kBufferNames, name); }
std::optional<TensorMemoryLayout> parseTensorMemoryLayout(std::string_view name) {
  return find<TensorMemoryLayout>(kMemoryNames, name);
}
std::optional<PageLayout> parsePageLayout(std::string_view name) { return find<PageLayout>(kPageNames, name); }

}  // namespace tessera
