// Element-wise families, and those whose result simply has the shape of the first operand.

#include <algorithm>

#include "core/ops/shapes/shape_context.h"

namespace tessera {

std::optional<Shape> broadcastShapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape out = longer;
  size_t offset = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& dim = out[offset + i];
    if (dim == shorter[i] || shorter[i] == 1) continue;
    if (dim != 1) return {};
    dim = shorter[i];
  }
  return out;
}

void checkElementwise(const ShapeContext& c) {
  Shape shape;
  std::string from;
  for (int i = 0; i < c.inputs; ++i) {
    const Shape* input = c.input(i);
    if (input == nullptr) return;  // a scalar operand: nothing to compare
    if (i == 0) {
      shape = *input;
      from = shapeText(*input);
      continue;
    }
    std::optional<Shape> both = broadcastShapes(shape, *input);
    if (!both)
      return c.mismatch("shapes " + from + " and " + shapeText(*input) + " do not broadcast: dims must be equal or 1");
    shape = std::move(*both);
    from += " and " + shapeText(*input);
  }
  c.expectResult(0, shape, c.inputs == 1 ? "element-wise on " + from : "broadcast of " + from);
}

void checkSameShape(const ShapeContext& c) {
  const Shape* input = c.input(0);
  if (input != nullptr) c.expectResult(0, *input, "the shape of the operand");
}

}  // namespace tessera
