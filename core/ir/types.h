#pragma once
// Element types, shapes and value types of the graph.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/tensor_layout.h"
#include "core/support/shared.h"

namespace tessera {

// A ranked tensor's dims; every dim is >= 0 (dynamic dims are refused at import).
using Shape = std::vector<int64_t>;

// "1x56x56x64"; "scalar" for rank 0.
std::string shapeText(const Shape& shape);
// Number of elements; nothing when it does not fit 63 bits.
std::optional<int64_t> elementCount(const Shape& shape);

struct TensorType {
  Shape shape;
  DType dtype = DType::BF16;
  std::optional<TensorLayout> layout;  // none in TTIR: not decided yet
  std::string encoding;                // MLIR text of an encoding that is no TTNN layout; printed back as it was
  std::string
      element;  // MLIR text of an element type that is not one of ours (`!quant.uniform<...>`); counted as dtype
  // How the source spelled the element type when that is not our name of it ("i32" for si32). Used for printing only,
  // and only while it means `dtype`. Not part of equality.
  std::string spelled;
  // How a file spelled `layout`, when it said more than TensorLayout holds. Used for printing only, and only while
  // written->layout == layout, so a step that changes `layout` need not know of it. Not part of equality.
  std::optional<TtnnLayoutAttr> written;
  friend bool operator==(const TensorType& a, const TensorType& b) {
    return a.shape == b.shape && a.dtype == b.dtype && a.layout == b.layout && a.encoding == b.encoding &&
           a.element == b.element;
  }
};

extern template class Shared<TensorType>;

// The type of a value: a ranked tensor, or something the optimizer does not look into (`!ttnn.device`, `f32`).
struct ValueType {
  Shared<TensorType> tensor;
  std::string opaque;  // MLIR text when `tensor` is empty
  bool isTensor() const { return tensor.has_value(); }
  friend bool operator==(const ValueType&, const ValueType&) = default;
};

// "`tensor<1x2xbf16>`", "`tensor<1x2xbf16, L1 block 8x8>`", "`!ttnn.device`": for messages.
std::string shortTypeText(const ValueType& type);

}  // namespace tessera
