#pragma once
// Floating-point numbers as MLIR prints them.

#include <string>
#include <string_view>

namespace tessera {

// `value` rounded to the type ("f32", "bf16", "f16", else f64): scientific with six digits behind the point when that
// is exact, else as many digits as the type needs. "" for infinities and NaN, which are written as bits.
std::string mlirFloatText(double value, std::string_view type);

// An f32 as an attribute holds it: infinities and NaN as their bits, `0xFF800000`.
std::string mlirF32Text(double value);

// The nearest number of the type, ties to even.
double roundedToType(double value, std::string_view type);

}  // namespace tessera
