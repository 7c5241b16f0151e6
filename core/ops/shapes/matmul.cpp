// matmul, linear, dot_general.

#include <algorithm>

#include "core/ops/shapes/shape_context.h"

namespace tessera {

namespace {

// Rows and columns of the matrix at the end of the shape; a vector counts as one row (left) or one column (right).
struct Matrix {
  Shape batch;
  int64_t rows = 1;
  int64_t cols = 1;
  bool isVector = false;
};

Matrix matrixOf(const Shape& shape, bool transpose, bool left) {
  Matrix m;
  if (shape.size() == 1) {
    m.isVector = true;
    (left ? m.cols : m.rows) = shape[0];
    return m;
  }
  m.batch.assign(shape.begin(), shape.end() - 2);
  m.rows = shape[shape.size() - 2];
  m.cols = shape[shape.size() - 1];
  if (transpose) std::swap(m.rows, m.cols);
  return m;
}

void checkMatmulOrLinear(const ShapeContext& c) {
  const Shape* a = c.input(0);
  const Shape* b = c.input(1);
  if (a == nullptr || b == nullptr) return;
  if (a->empty() || b->empty())
    return c.mismatch("operands " + shapesText(*a, *b) + ": a scalar cannot be multiplied as a matrix");
  Matrix left = matrixOf(*a, c.flag("transpose_a", false), true);
  Matrix right = matrixOf(*b, c.flag("transpose_b", false), false);
  if (left.cols != right.rows) {
    return c.mismatch("inner dims " + std::to_string(left.cols) + " and " + std::to_string(right.rows) +
                      " differ (operands " + shapesText(*a, *b) + ")");
  }
  std::optional<Shape> shape = broadcastShapes(left.batch, right.batch);
  if (!shape) return c.mismatch("batch dims of " + shapesText(*a, *b) + " do not broadcast");
  if (!left.isVector) shape->push_back(left.rows);
  if (!right.isVector) shape->push_back(right.cols);
  if (left.isVector && right.isVector) shape->push_back(1);  // the product of two vectors is a tensor of one
  const Shape* bias = c.info.roles.find("bias") != std::string_view::npos ? c.input(2) : nullptr;
  if (bias != nullptr) {
    std::optional<Shape> sum = broadcastShapes(*shape, *bias);
    if (!sum) return c.mismatch("bias " + shapeText(*bias) + " does not broadcast to " + shapeText(*shape));
    // A bias with further dims of one may leave the product's shape.
    const Shape* made = c.result(0);
    if (made != nullptr && *made == *shape && elementCount(*sum) == elementCount(*shape)) return;
    shape = sum;
  }
  c.expectResult(0, *shape, "product of " + shapesText(*a, *b));
}

// The dims an attribute names, each in range and named once over all `taken`; false after a report.
bool takeDims(const ShapeContext& c, std::string_view name, const Shape& shape, std::vector<char>& taken,
              Shape& sizes) {
  const std::vector<int64_t>* dims = c.ints(name);
  if (dims == nullptr) {
    if (c.has(name)) c.badAttr(name, "dims of " + shapeText(shape));
    return !c.has(name);
  }
  for (int64_t value : *dims) {
    if (value < 0 || value >= static_cast<int64_t>(shape.size()) || taken[static_cast<size_t>(value)]) {
      c.badAttr(name, "different dims of " + shapeText(shape));
      return false;
    }
    taken[static_cast<size_t>(value)] = 1;
    sizes.push_back(shape[static_cast<size_t>(value)]);
  }
  return true;
}

void checkDotGeneral(const ShapeContext& c) {
  const Shape* lhs = c.input(0);
  const Shape* rhs = c.input(1);
  if (lhs == nullptr || rhs == nullptr) return;
  std::vector<char> takenLeft(lhs->size(), 0), takenRight(rhs->size(), 0);
  Shape batchLeft, batchRight, contractLeft, contractRight;
  bool read = takeDims(c, "batch_dims_lhs", *lhs, takenLeft, batchLeft) &&
              takeDims(c, "batch_dims_rhs", *rhs, takenRight, batchRight) &&
              takeDims(c, "contract_dims_lhs", *lhs, takenLeft, contractLeft) &&
              takeDims(c, "contract_dims_rhs", *rhs, takenRight, contractRight);
  if (!read) return;
  if (batchLeft != batchRight)
    return c.mismatch("batch dims " + shapesText(batchLeft, batchRight) + " of " + shapesText(*lhs, *rhs) + " differ");
  if (contractLeft != contractRight) {
    return c.mismatch("contracted dims " + shapesText(contractLeft, contractRight) + " of " + shapesText(*lhs, *rhs) +
                      " differ");
  }
  Shape shape = batchLeft;
  for (size_t i = 0; i < lhs->size(); ++i) {
    if (!takenLeft[i]) shape.push_back((*lhs)[i]);
  }
  for (size_t i = 0; i < rhs->size(); ++i) {
    if (!takenRight[i]) shape.push_back((*rhs)[i]);
  }
  c.expectResult(0, shape, "batch dims, then free dims of " + shapesText(*lhs, *rhs));
}

}  // namespace

void checkMatmul(const ShapeContext& c) {
  switch (c.info.kind) {
    case OpKind::TtirDotGeneral: return checkDotGeneral(c);
    case OpKind::TtirMatmul:
    case OpKind::TtnnMatmul:
    case OpKind::TtirLinear:
    case OpKind::TtnnLinear: return checkMatmulOrLinear(c);
    default: return;
  }
}

}  // namespace tessera
