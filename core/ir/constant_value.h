#pragma once
// The numbers behind a constant's attribute text: `dense<1.0> : tensor<2xf32>`, `dense<0xFF80>`, `dense<[1, 2]>`,
// `dense<"0x...">`.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ir/tensor_layout.h"

namespace tessera {

struct ConstantValue {
  bool elided = false;            // the text does not hold the numbers; both lists are empty
  bool splat = false;             // one number for all elements
  std::vector<double> numbers;    // of float types
  std::vector<int64_t> integers;  // of all other types; booleans are 0 and 1, ui64 above 2^63 - 1 is 2^63 - 1
};

// True for the types whose elements are kept in `numbers`.
bool isFloatType(DType dtype);

// The whole numbers that an integer type holds, booleans 0 and 1; those of 64 bits to the nearest double.
struct IntegerRange {
  double least, most;
  bool holds(double number) const;
};
// Nothing for float types.
std::optional<IntegerRange> integerRange(DType dtype);

// `count` is the number of elements. Nothing when the text is malformed or holds another number of elements. `dtype`
// decides how hexadecimal bit patterns are read.
std::optional<ConstantValue> readConstant(std::string_view text, DType dtype, int64_t count);

}  // namespace tessera
