// matmul, linear, dot_general.

#include <algorithm>

#include "core/execute/kernel.h"

namespace tessera {

namespace {

std::vector<double> numbersOf(const HostTensor& t) {
  return t.real ? std::vector<double>(t.f.begin(), t.f.end()) : std::vector<double>(t.i.begin(), t.i.end());
}

// C[row, column] += A[row, k] * B[k, column] with any strides; one batch entry.
struct MatrixView {
  const double* from;
  size_t rowStride, columnStride;
};
void multiply(MatrixView a, MatrixView b, size_t rows, size_t inner, size_t columns, float* out) {
  std::vector<double> sums(columns);
  double* line = sums.data();
  for (size_t r = 0; r < rows; ++r) {
    std::fill(line, line + columns, 0.0);
    for (size_t k = 0; k < inner; ++k) {
      const double left = a.from[r * a.rowStride + k * a.columnStride];
      if (left == 0.0) continue;
      const double* right = b.from + k * b.rowStride;
      for (size_t n = 0; n < columns; ++n) line[n] += left * right[n * b.columnStride];
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

// The product spreads to the bias as the bias to it; dims of 1 in front that the result does not have mean nothing.
bool makeSum(KernelCall& c, const Shape& product, const HostTensor* bias) {
  std::optional<Shape> sum = bias != nullptr ? broadcastOf(product, bias->shape) : product;
  const TensorType* type = c.resultType();
  if (!c.need(sum && type != nullptr, "the bias does not broadcast to the result")) return false;
  while (bias != nullptr && sum->size() > type->shape.size() && sum->front() == 1) sum->erase(sum->begin());
  return c.make(0, *sum, true);
}

void addBias(const HostTensor& product, const HostTensor& bias, HostTensor& y) {
  const Shape whole = *broadcastOf(product.shape, bias.shape);
  Odometer at(whole, {broadcastStrides(product.shape, whole), broadcastStrides(bias.shape, whole)});
  for (size_t i = 0; i < y.f.size(); ++i, at.next())
    y.f[i] = product.f[at.offset(0)] + static_cast<float>(bias.at(at.offset(1)));
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
  const HostTensor* bias = c.optionalInput(2, 2);
  if (!makeSum(c, shape, bias)) return;
  HostTensor product = bias != nullptr ? makeTensor(shape, true) : std::move(c.out[0]);
  Odometer at(*batch, {broadcastStrides(left.batch, *batch), broadcastStrides(right.batch, *batch)});
  const std::vector<double> numbersA = numbersOf(a), numbersB = numbersOf(b);
  size_t sizeA = left.rows * left.columns, sizeB = right.rows * right.columns, sizeC = left.rows * right.columns;
  for (size_t i = 0; sizeC > 0 && i * sizeC < product.f.size(); ++i, at.next()) {
    multiply({numbersA.data() + at.offset(0) * sizeA, left.rowStride, left.columnStride},
             {numbersB.data() + at.offset(1) * sizeB, right.rowStride, right.columnStride}, left.rows, left.columns,
             right.columns, &product.f[i * sizeC]);
  }
  if (bias != nullptr) addBias(product, *bias, c.out[0]);
  else c.out[0] = std::move(product);
  std::string activation = c.word("activation");
  if (!activation.empty()) c.need(applyActivation(activation, c.out[0]), "unknown activation " + activation);
}

void runDotGeneral(KernelCall& c) {
  if (!c.inputs(2)) return;
  runDot(c,
         {c.ints("batch_dims_lhs"), c.ints("batch_dims_rhs"), c.ints("contract_dims_lhs"), c.ints("contract_dims_rhs")},
         true);
}

// The dims of a dot on one side: those of the result, then those summed over.
struct DotSide {
  const HostTensor& tensor;
  std::vector<size_t> strides = stridesOf(tensor.shape), over, sum;
  std::vector<bool> used = std::vector<bool>(tensor.shape.size(), false);
};

}  // namespace

void runDot(KernelCall& c, const DotDims& dims, bool real) {
  DotSide a{c.input(0)}, b{c.input(1)};
  Shape shape, sums;
  auto pairs = [&](const std::vector<int64_t>& l, const std::vector<int64_t>& r, bool kept) {
    if (!c.need(l.size() == r.size(), "its dims do not fit")) return false;
    for (size_t i = 0; i < l.size(); ++i) {
      size_t da = 0, db = 0;
      if (!c.dim(l[i], a.used.size(), da) || !c.dim(r[i], b.used.size(), db)) return false;
      const bool same = a.tensor.shape[da] == b.tensor.shape[db];
      if (!c.need(same && !a.used[da] && !b.used[db], "its dims do not fit")) return false;
      a.used[da] = b.used[db] = true;
      (kept ? shape : sums).push_back(a.tensor.shape[da]);
      (kept ? a.over : a.sum).push_back(a.strides[da]);
      (kept ? b.over : b.sum).push_back(b.strides[db]);
    }
    return true;
  };
  if (!pairs(dims.batchLeft, dims.batchRight, true) || !pairs(dims.sumLeft, dims.sumRight, false)) return;
  auto free = [&](DotSide& own, DotSide& other) {
    for (size_t d = 0; d < own.used.size(); ++d) {
      if (own.used[d]) continue;
      shape.push_back(own.tensor.shape[d]);
      own.over.push_back(own.strides[d]);
      other.over.push_back(0);
    }
  };
  free(a, b);
  free(b, a);
  if (!c.make(0, shape, real)) return;
  std::vector<std::pair<size_t, size_t>> terms(static_cast<size_t>(elementCount(sums).value_or(0)));
  Odometer inner(sums, {a.sum, b.sum});
  for (auto& term : terms) {
    term = {inner.offset(0), inner.offset(1)};
    inner.next();
  }
  const std::vector<double> numbersA = numbersOf(a.tensor), numbersB = numbersOf(b.tensor);
  Odometer at(shape, {a.over, b.over});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    const double *left = numbersA.data() + at.offset(0), *right = numbersB.data() + at.offset(1);
    double sum = 0;
    for (const auto& [ofA, ofB] : terms) sum += left[ofA] * right[ofB];
    c.out[0].set(i, sum);
  }
}

constinit const NamedKernel kMatmulKernels[] = {
    {"matmul", runMatmul},
    {"linear", runMatmul},
    {"dot_general", runDotGeneral},
    {"", nullptr},
};

}  // namespace tessera
