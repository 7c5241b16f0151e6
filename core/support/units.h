#pragma once
// Integer quantities that do not convert into each other. Bytes are bytes per core unless a name says otherwise.

#include <compare>
#include <cstdint>

namespace tessera {

template <class Tag>
struct Quantity {
  int64_t count = 0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(int64_t c) : count(c) {}
  friend constexpr bool operator==(Quantity, Quantity) = default;
  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.count + b.count); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.count - b.count); }
  friend constexpr Quantity operator*(Quantity a, int64_t n) { return Quantity(a.count * n); }
  constexpr Quantity& operator+=(Quantity b) {
    count += b.count;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity b) {
    count -= b.count;
    return *this;
  }
};

using Bytes = Quantity<struct BytesTag>;
using Nanoseconds = Quantity<struct NanosecondsTag>;

// Smallest n with n * divisor >= value; both must be positive.
constexpr int64_t ceilDiv(int64_t value, int64_t divisor) { return (value + divisor - 1) / divisor; }
constexpr int64_t alignUp(int64_t value, int64_t alignment) { return ceilDiv(value, alignment) * alignment; }

// a * b into `out`; false when the product does not fit 63 bits. Sizes read from a file are multiplied only with this.
[[nodiscard]] constexpr bool mulChecked(int64_t a, int64_t b, int64_t& out) {
  // Most factors are small, and WebAssembly has to call a function for a product of 128 bits.
  if (((static_cast<uint64_t>(a) | static_cast<uint64_t>(b)) >> 31) != 0) return !__builtin_mul_overflow(a, b, &out);
  out = a * b;
  return true;
}
[[nodiscard]] constexpr bool addChecked(int64_t a, int64_t b, int64_t& out) {
  return !__builtin_add_overflow(a, b, &out);
}

// Of numbers that are not negative: a * b and a + b, or kSaturated where that is less. For estimates (cycles, traffic)
// of tensors whose sizes come from a file and may be absurd.
inline constexpr int64_t kSaturated = INT64_MAX / 4;
constexpr int64_t mulSaturated(int64_t a, int64_t b) {
  int64_t out = 0;
  return mulChecked(a, b, out) && out < kSaturated ? out : kSaturated;
}
constexpr int64_t addSaturated(int64_t a, int64_t b) {
  int64_t out = 0;
  return addChecked(a, b, out) && out < kSaturated ? out : kSaturated;
}

}  // namespace tessera
