#include "core/ir/types.h"

namespace tessera {

template class Shared<TensorType>;

std::string shapeText(const Shape& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += 'x';
    text += std::to_string(shape[i]);
  }
  return text;
}

std::optional<int64_t> elementCount(const Shape& shape) {
  for (int64_t dim : shape) {
    if (dim == 0) return 0;  // also when the other dims alone would not fit
  }
  int64_t count = 1;
  for (int64_t dim : shape) {
    if (dim < 0 || !mulChecked(count, dim, count)) return std::nullopt;
  }
  return count;
}

std::string shortTypeText(const ValueType& type) {
  if (!type.isTensor()) return "`" + type.opaque + "`";
  const TensorType& tensor = *type.tensor;
  std::string out = "`tensor<";
  for (int64_t dim : tensor.shape) out += std::to_string(dim) + "x";
  out += tensor.element.empty() ? std::string(dtypeName(tensor.dtype)) : tensor.element;
  if (tensor.layout) out += ", " + layoutText(*tensor.layout);
  if (!tensor.encoding.empty()) out += ", " + tensor.encoding;
  return out + ">`";
}

}  // namespace tessera
