#include "core/machine/formats.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace tessera {

namespace {

constexpr size_t kFaceSide = 16;
constexpr size_t kFaceValues = kFaceSide * kFaceSide;
constexpr size_t kExponents = 64;  // one byte per row of each face, before the values
constexpr uint32_t kHiddenBit = 1u << 23;

// Bits of a value's magnitude in a block format, its leading one among them; 0 for other formats.
uint32_t blockBits(DType dtype) {
  switch (dtype) {
    case DType::BFP8: return 7;
    case DType::BFP4: return 3;
    case DType::BFP2: return 1;
    default: return 0;
  }
}

uint32_t bitsOf(double value) {
  const auto narrow = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &narrow, sizeof bits);
  return bits;
}
double floatOf(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

bool isNan(uint32_t bits) { return (bits & 0x7FFFFFFFu) > 0x7F800000u; }

uint32_t toBf16(double value) {
  const uint32_t bits = bitsOf(value);
  if (isNan(bits)) return 0x7FC0;
  return (bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16;
}

uint32_t toHalf(double value) {
  if (std::isnan(value)) return 0x7E00;
  const uint32_t sign = std::signbit(value) ? 0x8000u : 0u;
  const double size = std::fabs(value);
  if (size >= 65520.0) return sign | 0x7C00u;
  const int exponent = size < std::ldexp(1.0, -14) ? -14 : std::ilogb(size);
  // 1024 is the leading one; a carry out of the fraction goes into the exponent by itself.
  const auto fraction = static_cast<uint32_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return sign | ((static_cast<uint32_t>(exponent + 14) << 10) + fraction);
}

double fromHalf(uint32_t bits) {
  const uint32_t exponent = (bits >> 10) & 31u, fraction = bits & 1023u;
  double size = std::ldexp(static_cast<double>(exponent == 0 ? fraction : fraction + 1024u),
                           static_cast<int>(std::max(exponent, 1u)) - 25);
  if (exponent == 31) size = fraction == 0 ? HUGE_VAL : std::nan("");
  return (bits & 0x8000u) != 0 ? -size : size;
}

uint32_t wholeOf(double value) {
  // Integers arrive within 33 bits; anything else is none.
  if (!(std::fabs(value) < 9.0e15)) return 0;
  return static_cast<uint32_t>(static_cast<int64_t>(value));
}

uint32_t packValue(DType dtype, double value) {
  switch (dtype) {
    case DType::F32: return bitsOf(value);
    case DType::BF16: return toBf16(value);
    case DType::F16: return toHalf(value);
    default: return wholeOf(value);
  }
}

double unpackValue(DType dtype, uint32_t bits) {
  switch (dtype) {
    case DType::F32: return floatOf(bits);
    case DType::BF16: return floatOf(bits << 16);
    case DType::F16: return fromHalf(bits);
    case DType::I32: return static_cast<double>(static_cast<int32_t>(bits));
    default: return static_cast<double>(bits);
  }
}

// `bytes` little-endian bytes of an unsigned integer.
template <size_t kBytes>
void putBytes(uint32_t bits, uint8_t* out) {
  for (size_t i = 0; i < kBytes; ++i) out[i] = static_cast<uint8_t>(bits >> (8 * i));
}
template <size_t kBytes>
uint32_t getBytes(const uint8_t* in) {
  uint32_t bits = 0;
  for (size_t i = 0; i < kBytes; ++i) bits |= static_cast<uint32_t>(in[i]) << (8 * i);
  return bits;
}

// Where value `k` of a tile in storage order stands in it row by row: faces from left to right, then down.
size_t rowMajorPlace(size_t k) {
  const size_t face = k / kFaceValues, inFace = k % kFaceValues;
  const size_t row = face / 2 * kFaceSide + inFace / kFaceSide, col = face % 2 * kFaceSide + inFace % kFaceSide;
  return row * static_cast<size_t>(kPageTileSide) + col;
}

// Biased exponent of a value in a block; 0 for what counts as zero, 255 for what has no size.
uint32_t exponentOf(uint32_t bits) { return (bits >> 23) & 255u; }

uint32_t blockValue(uint32_t bits, uint32_t shared, uint32_t width) {
  const uint32_t own = exponentOf(bits);
  if (own == 0) return 0;
  const uint64_t significand = own == 255 ? kHiddenBit : kHiddenBit | (bits & (kHiddenBit - 1));
  const uint32_t shift = 24 - width + (shared - own);
  if (shift > 40) return 0;
  const uint64_t rest = significand & ((uint64_t{1} << shift) - 1), half = uint64_t{1} << (shift - 1);
  uint64_t size = significand >> shift;
  if (rest > half || (rest == half && (size & 1u) != 0)) ++size;
  size = std::min<uint64_t>(size, (uint64_t{1} << width) - 1);
  const bool negative = (bits >> 31) != 0 && !isNan(bits) && size != 0;
  return static_cast<uint32_t>(size) | (negative ? 1u << width : 0u);
}

void packBlocks(uint32_t width, const double* values, uint8_t* bytes) {
  const size_t perByte = 8 / (width + 1);
  std::memset(bytes + kExponents, 0, kPageTileValues / perByte);
  for (size_t group = 0; group < kExponents; ++group) {
    uint32_t bits[kFaceSide], shared = 0;
    for (size_t i = 0; i < kFaceSide; ++i) {
      bits[i] = bitsOf(values[rowMajorPlace(group * kFaceSide + i)]);
      shared = std::max(shared, exponentOf(bits[i]));
    }
    bytes[group] = static_cast<uint8_t>(shared);
    for (size_t i = 0; i < kFaceSide; ++i) {
      const size_t k = group * kFaceSide + i;
      const uint32_t value = blockValue(bits[i], shared, width) << (k % perByte * (width + 1));
      bytes[kExponents + k / perByte] = static_cast<uint8_t>(bytes[kExponents + k / perByte] | value);
    }
  }
}

void unpackBlocks(uint32_t width, const uint8_t* bytes, double* values) {
  const size_t perByte = 8 / (width + 1);
  for (size_t k = 0; k < kPageTileValues; ++k) {
    const uint32_t packed = static_cast<uint32_t>(bytes[kExponents + k / perByte]) >> (k % perByte * (width + 1));
    const uint32_t size = packed & ((1u << width) - 1);
    const int exponent = static_cast<int>(bytes[k / kFaceSide]) - 127 - static_cast<int>(width - 1);
    double value = std::ldexp(static_cast<double>(size), exponent);
    if (value > 3.4028235677973366e38) value = HUGE_VAL;  // beyond the largest f32 and half a step
    values[rowMajorPlace(k)] = (packed >> width & 1u) != 0 ? -value : value;
  }
}

constexpr int64_t bytesOf(DType dtype) {
  switch (dtype) {
    case DType::F32:
    case DType::U32:
    case DType::I32: return 4;
    case DType::BF16:
    case DType::F16:
    case DType::U16: return 2;
    case DType::U8: return 1;
    default: return 0;
  }
}

template <DType kType>
void packOne(double value, uint8_t* bytes) {
  putBytes<static_cast<size_t>(bytesOf(kType))>(packValue(kType, value), bytes);
}
template <DType kType>
double unpackOne(const uint8_t* bytes) {
  return unpackValue(kType, getBytes<static_cast<size_t>(bytesOf(kType))>(bytes));
}

template <DType kType>
using TypeIs = std::integral_constant<DType, kType>;

// Calls back with the type as a constant, so that a loop over values does not ask for it; not for block formats.
template <class Visit>
void withType(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::F32: return visit(TypeIs<DType::F32>());
    case DType::U32: return visit(TypeIs<DType::U32>());
    case DType::I32: return visit(TypeIs<DType::I32>());
    case DType::BF16: return visit(TypeIs<DType::BF16>());
    case DType::F16: return visit(TypeIs<DType::F16>());
    case DType::U16: return visit(TypeIs<DType::U16>());
    case DType::U8: return visit(TypeIs<DType::U8>());
    default: return;
  }
}

}  // namespace

int64_t storedBytes(DType dtype) { return bytesOf(dtype); }

int64_t storedTileBytes(DType dtype) {
  const uint32_t width = blockBits(dtype);
  const auto values = static_cast<int64_t>(kPageTileValues);
  return width > 0 ? static_cast<int64_t>(kExponents) + values * (width + 1) / 8 : values * storedBytes(dtype);
}

void packTile(DType dtype, const double* values, uint8_t* bytes) {
  const uint32_t width = blockBits(dtype);
  if (width > 0) return packBlocks(width, values, bytes);
  withType(dtype, [&](auto type) {
    for (size_t k = 0; k < kPageTileValues; ++k, bytes += bytesOf(type()))
      packOne<type()>(values[rowMajorPlace(k)], bytes);
  });
}

void unpackTile(DType dtype, const uint8_t* bytes, double* values) {
  const uint32_t width = blockBits(dtype);
  if (width > 0) return unpackBlocks(width, bytes, values);
  withType(dtype, [&](auto type) {
    for (size_t k = 0; k < kPageTileValues; ++k, bytes += bytesOf(type()))
      values[rowMajorPlace(k)] = unpackOne<type()>(bytes);
  });
}

void packRow(DType dtype, const double* values, size_t count, uint8_t* bytes) {
  withType(dtype, [&](auto type) {
    for (size_t i = 0; i < count; ++i, bytes += bytesOf(type())) packOne<type()>(values[i], bytes);
  });
}

void unpackRow(DType dtype, const uint8_t* bytes, size_t count, double* values) {
  withType(dtype, [&](auto type) {
    for (size_t i = 0; i < count; ++i, bytes += bytesOf(type())) values[i] = unpackOne<type()>(bytes);
  });
}

}  // namespace tessera
