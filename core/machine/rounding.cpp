#include "core/machine/rounding.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace tessera {

namespace {

constexpr size_t kSharing = 16;

// 2^`exponent`, which must be in the range of normal doubles.
double powerOfTwo(int exponent) {
  const uint64_t bits = static_cast<uint64_t>(exponent + 1023) << 52;
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// The exponent of a value's leading bit; -1023 for subnormal doubles, which is below that of every format.
int exponentOf(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<int>(bits >> 52 & 2047) - 1023;
}

// Rounds a value below 2^900 to a format of `bits` significant bits whose smallest exponent is `least` and whose
// largest value is below 2^`end`.
double nearest(double value, int bits, int least, int end) {
  if (value == 0 || !std::isfinite(value)) return value;
  // The last bit of `beside` is worth one step, so the addition rounds the value to whole steps, ties to even.
  const double beside = 1.5 * powerOfTwo(std::max(exponentOf(value), least) - bits + 1 + 52);
  const double rounded = (value + beside) - beside;
  if (std::fabs(rounded) >= powerOfTwo(end)) return std::copysign(HUGE_VAL, value);
  return std::copysign(rounded, value);
}

// Values below the smallest normal f32 count as zero; what has no size counts as 2^128.
int exponentOfSize(double size) { return std::isfinite(size) ? std::ilogb(size) : 128; }

void shareExponent(HostTensor& tensor, size_t begin, size_t count, int bits) {
  double largest = 0;
  for (size_t i = begin; i < begin + count; ++i) {
    const double size = std::fabs(tensor.at(i));
    largest = std::isnan(size) ? HUGE_VAL : std::max(largest, size);
    if (!std::isfinite(largest)) break;
  }
  const double smallest = std::ldexp(1.0, -126);
  const bool empty = largest < smallest;
  const double step = empty ? 1.0 : std::ldexp(1.0, exponentOfSize(largest) - bits + 1);
  const double most = std::ldexp(1.0, bits) - 1;
  for (size_t i = begin; i < begin + count; ++i) {
    const double value = tensor.at(i), size = std::fabs(value);
    double rounded = 0;
    if (!empty && !(size < smallest)) {
      const double held = std::isfinite(size) ? size : std::ldexp(1.0, 128);
      rounded = std::min(std::nearbyint(held / step), most) * step;
      if (rounded >= std::ldexp(1.0, 128)) rounded = HUGE_VAL;
    }
    tensor.set(i, value < 0 && rounded != 0 ? -rounded : rounded);
  }
}

void roundBlocks(HostTensor& tensor, int bits, size_t row) {
  for (size_t begin = 0; begin < tensor.size(); begin += row) {
    const size_t end = std::min(begin + row, tensor.size());
    for (size_t at = begin; at < end; at += kSharing) shareExponent(tensor, at, std::min(kSharing, end - at), bits);
  }
}

int64_t lowBits(int64_t value, int bits, bool isSigned) {
  const int64_t modulus = int64_t{1} << bits;
  int64_t rest = value % modulus;
  if (rest < 0) rest += modulus;
  return isSigned && rest >= modulus / 2 ? rest - modulus : rest;
}

void roundWhole(HostTensor& tensor, int bits, bool isSigned) {
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (!tensor.real) tensor.i[i] = lowBits(tensor.i[i], bits, isSigned);
    else if (!(std::fabs(tensor.at(i)) < 9.0e15)) tensor.set(i, 0);
    else tensor.set(i, static_cast<double>(lowBits(static_cast<int64_t>(tensor.at(i)), bits, isSigned)));
  }
}

void roundFloats(HostTensor& tensor, int bits, int least, int end) {
  for (size_t i = 0; i < tensor.size(); ++i) tensor.set(i, nearest(tensor.at(i), bits, least, end));
}

}  // namespace

void roundAsStored(HostTensor& tensor, DType dtype, int64_t row) {
  const auto elements = static_cast<size_t>(std::max<int64_t>(row, 1));
  switch (dtype) {
    case DType::BF16: return roundFloats(tensor, 8, -126, 128);
    case DType::F16: return roundFloats(tensor, 11, -14, 16);
    case DType::BFP8: return roundBlocks(tensor, 7, elements);
    case DType::BFP4: return roundBlocks(tensor, 3, elements);
    case DType::BFP2: return roundBlocks(tensor, 1, elements);
    case DType::U8: return roundWhole(tensor, 8, false);
    case DType::U16: return roundWhole(tensor, 16, false);
    case DType::U32: return roundWhole(tensor, 32, false);
    case DType::I32: return roundWhole(tensor, 32, true);
    case DType::F32:
      if (!tensor.real) roundFloats(tensor, 24, -126, 128);
      return;
    default: return;
  }
}

}  // namespace tessera
