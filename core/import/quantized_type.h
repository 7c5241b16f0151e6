#pragma once
// The text of `!quant.uniform<...>` as MLIR prints it, so that the same type written otherwise is the same type.

#include <string>

namespace tessera {

// `!quant.uniform<i8:f32, 0.1:0>` to `!quant.uniform<i8:f32, 1.000000e-01>`: six digits behind the point, no zero
// points that are 0, no spaces between the scales of an axis. What cannot be read stays as it is.
std::string quantizedTypeText(const std::string& text);

}  // namespace tessera
