// matmul, linear, dot_general.

#include <algorithm>

#include "core/execute/kernel.h"

namespace tessera {

namespace {

// C[row, column] += A[row, k] * B[k, column] with any strides; one batch entry.
struct MatrixView {
  size_t offset, rowStride, columnStride;
};
void multiply(const HostTensor& a, MatrixView va, const HostTensor& b, MatrixView vb, size_t rows, size_t inner,
              size_t columns, float* out) {
  std::vector<double> line(columns);
  for (size_t r = 0; r < rows; ++r) {
    std::fill(line.begin(), line.end(), 0.0);
    for (size_t k = 0; k < inner; ++k) {
      double left = a.at(va.offset + r * va.rowStride + k * va.columnStride);
      if (left == 0.0) continue;
      const size_t from = vb.offset + k * vb.rowStride;
      for (size_t n = 0; n < columns; ++n) line[n] += left * b.at(from + n * vb.columnStride);
    }
    for (size_t n = 0; n < columns; ++n) out[r * columns + n] = static_cast<float>(line[n]);
  }
}

struct Operand {
  Shape batch;
  size_t rows = 1, columns = 1, rowStride = 0, columnStride = 1;
  bool vector = false;
};

Operand readOperand(const HostTensor& t, bool transpose, bool left) {
  Operand o;
  if (t.shape.size() == 1) {
    o.vector = true;
    (left ? o.columns : o.rows) = static_cast<size_t>(t.shape[0]);
    o.rowStride = left ? 0 : 1;
    o.columnStride = left ? 1 : 0;
    return o;
  }
  o.batch.assign(t.shape.begin(), t.shape.end() - 2);
  o.rows = static_cast<size_t>(t.shape[t.shape.size() - 2]);
  o.columns = static_cast<size_t>(t.shape.back());
  o.rowStride = o.columns;
  if (!transpose) return o;
  std::swap(o.rows, o.columns);
  std::swap(o.rowStride, o.columnStride);
  return o;
}

bool addBias(KernelCall& c, const HostTensor& bias) {
  HostTensor& y = c.out[0];
  std::optional<Shape> both = broadcastOf(y.shape, bias.shape);
  const TensorType* type = c.resultType();
  if (!c.need(both && type != nullptr && *both == y.shape, "the bias does not broadcast to the result")) return false;
  Odometer at(y.shape, {broadcastStrides(bias.shape, y.shape)});
  for (size_t i = 0; i < y.f.size(); ++i, at.next()) y.f[i] += static_cast<float>(bias.at(at.offset(0)));
  return true;
}

void runMatmul(KernelCall& c) {
  if (!c.inputs(2) || !c.need(!c.input(0).shape.empty() && !c.input(1).shape.empty(), "a scalar is no matrix")) return;
  const HostTensor& a = c.input(0);
  const HostTensor& b = c.input(1);
  Operand left = readOperand(a, c.flag("transpose_a", false), true),
          right = readOperand(b, c.flag("transpose_b", false), false);
  std::optional<Shape> batch = broadcastOf(left.batch, right.batch);
  if (!c.need(left.columns == right.rows && batch, "inner or batch dims differ")) return;
  Shape shape = *batch;
  if (!left.vector) shape.push_back(static_cast<int64_t>(left.rows));
  if (!right.vector) shape.push_back(static_cast<int64_t>(right.columns));
  if (!c.make(0, shape, true)) return;
  Odometer at(*batch, {broadcastStrides(left.batch, *batch), broadcastStrides(right.batch, *batch)});
  size_t sizeA = left.rows * left.columns, sizeB = right.rows * right.columns, sizeC = left.rows * right.columns;
  for (size_t i = 0; sizeC > 0 && i * sizeC < c.out[0].f.size(); ++i, at.next()) {
    multiply(a, {at.offset(0) * sizeA, left.rowStride, left.columnStride}, b,
             {at.offset(1) * sizeB, right.rowStride, right.columnStride}, left.rows, left.columns, right.columns,
             &c.out[0].f[i * sizeC]);
  }
  if (const HostTensor* bias = c.optionalInput(2, 2)) {
    if (!addBias(c, *bias)) return;
  }
  std::string activation = c.word("activation");
  if (!activation.empty()) c.need(applyActivation(activation, c.out[0]), "unknown activation " + activation);
}

void runDotGeneral(KernelCall& c) {
  if (!c.inputs(2)) return;
  const HostTensor& a = c.input(0);
  const HostTensor& b = c.input(1);
  std::vector<size_t> batchA, batchB, innerA, innerB, freeA, freeB;
  auto take = [&](std::string_view name, const Shape& shape, std::vector<size_t>& dims) {
    for (int64_t value : c.ints(name)) {
      dims.emplace_back();
      if (!c.dim(value, shape.size(), dims.back())) return false;
    }
    return true;
  };
  bool read = take("batch_dims_lhs", a.shape, batchA) && take("batch_dims_rhs", b.shape, batchB) &&
              take("contract_dims_lhs", a.shape, innerA) && take("contract_dims_rhs", b.shape, innerB);
  if (!read ||
      !c.need(batchA.size() == batchB.size() && innerA.size() == innerB.size(), "dims of the two sides do not pair up"))
    return;
  auto rest = [](const Shape& shape, const std::vector<size_t>& x, const std::vector<size_t>& y,
                 std::vector<size_t>& out) {
    for (size_t d = 0; d < shape.size(); ++d) {
      if (std::find(x.begin(), x.end(), d) == x.end() && std::find(y.begin(), y.end(), d) == y.end()) out.push_back(d);
    }
  };
  rest(a.shape, batchA, innerA, freeA);
  rest(b.shape, batchB, innerB, freeB);
  Shape shape, innerShape;
  std::vector<size_t> strideA = stridesOf(a.shape), strideB = stridesOf(b.shape), outA, outB, sumA, sumB;
  auto add = [&](int64_t dim, size_t sa, size_t sb) {
    shape.push_back(dim);
    outA.push_back(sa);
    outB.push_back(sb);
  };
  for (size_t i = 0; i < batchA.size(); ++i) {
    if (!c.need(a.shape[batchA[i]] == b.shape[batchB[i]], "batch dims differ")) return;
    add(a.shape[batchA[i]], strideA[batchA[i]], strideB[batchB[i]]);
  }
  for (size_t d : freeA) add(a.shape[d], strideA[d], 0);
  for (size_t d : freeB) add(b.shape[d], 0, strideB[d]);
  for (size_t i = 0; i < innerA.size(); ++i) {
    if (!c.need(a.shape[innerA[i]] == b.shape[innerB[i]], "contracted dims differ")) return;
    innerShape.push_back(a.shape[innerA[i]]);
    sumA.push_back(strideA[innerA[i]]);
    sumB.push_back(strideB[innerB[i]]);
  }
  if (!c.make(0, shape, true)) return;
  auto innerCount = static_cast<size_t>(elementCount(innerShape).value_or(0));
  Odometer at(shape, {outA, outB});
  for (float& y : c.out[0].f) {
    double sum = 0.0;
    Odometer in(innerShape, {sumA, sumB});
    for (size_t k = 0; k < innerCount; ++k, in.next())
      sum += a.at(at.offset(0) + in.offset(0)) * b.at(at.offset(1) + in.offset(1));
    y = static_cast<float>(sum);
    at.next();
  }
}

}  // namespace

constinit const NamedKernel kMatmulKernels[] = {
    {"matmul", runMatmul},
    {"linear", runMatmul},
    {"dot_general", runDotGeneral},
    {"", nullptr},
};

}  // namespace tessera
