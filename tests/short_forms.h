#pragma once
// Short forms that many tests use.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ir/graph.h"

namespace tessera {

inline const DeviceSpec& n150() { return *findDevice("n150"); }
inline ValueType tensor(Shape shape) { return {.tensor = TensorType{.shape = std::move(shape)}}; }
inline ValueType tensor(Shape shape, DType dtype) {
  return {.tensor = TensorType{.shape = std::move(shape), .dtype = dtype}};
}

// The next index in row-major order; false after the last one.
inline bool advance(std::vector<int64_t>& index, const std::vector<int64_t>& extent) {
  for (size_t i = index.size(); i-- > 0;) {
    if (++index[i] < extent[i]) return true;
    index[i] = 0;
  }
  return false;
}

}  // namespace tessera
