#pragma once
// The text of `!quant.uniform<...>` as MLIR prints it, so that the same type written otherwise is the same type.

#include <optional>
#include <string>

namespace tessera {

// `!quant.uniform<i8:f32, 0.1:0>` to `!quant.uniform<i8:f32, 1.000000e-01>`: six digits behind the point, no zero
// points that are 0, no spaces between the scales of an axis. None when the text is not of that form.
std::optional<std::string> quantizedTypeText(const std::string& text);

}  // namespace tessera
