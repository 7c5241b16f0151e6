#pragma once
// Quantized numbers, `!quant.uniform<i8<-127:127>:f32:1, {0.1:2,0.2}>`: a stored integer q stands for the real
// (q - zero point) * scale, with a scale and a zero point for all elements or one for each index of a dim.
// Source: MLIR's quant dialect, UniformQuantizedType and UniformQuantizedPerAxisType. Read here for the interpreter
// alone: what lowers such types reads them by itself.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera {

struct Scaling {
  std::vector<float> scales;
  std::vector<int64_t> zeroPoints;  // as many
  std::optional<int64_t> dim;       // of the scales; one scale for all without
  double least = 0, most = 0;       // what is stored
};

// Nothing for a type that is not quantized, or whose text cannot be read.
std::optional<Scaling> readScaling(std::string_view element);

}  // namespace tessera
