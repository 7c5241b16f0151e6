// StableHLO ops whose attributes or rules differ from TTIR's. Source: openxla/stablehlo docs/spec.md.

#include <algorithm>
#include <cmath>

#include "core/execute/kernel.h"
#include "core/execute/stablehlo_attrs.h"

namespace tessera {

namespace {

void runIota(KernelCall& c) {
  const TensorType* type = c.resultType();
  size_t dim = 0;
  if (!c.need(type != nullptr, "the result is no tensor") ||
      !c.dim(c.integer("iota_dimension", 0), type->shape.size(), dim) || !c.make(0, type->shape, false))
    return;
  Odometer at(type->shape, {});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) c.out[0].i[i] = at.index()[dim];
}

void runBroadcastInDim(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor")) return;
  const HostTensor& x = c.input(0);
  std::vector<int64_t> dims = c.ints("broadcast_dimensions");
  if (!c.need(dims.size() == x.shape.size(), "its dims do not fit") || !c.make(0, type->shape, x.real)) return;
  std::vector<size_t> own = stridesOf(x.shape), strides(type->shape.size(), 0);
  for (size_t i = 0; i < dims.size(); ++i) {
    size_t to = 0;
    if (!c.dim(dims[i], type->shape.size(), to)) return;
    bool fits = x.shape[i] == 1 || x.shape[i] == type->shape[to];
    if (!c.need(fits, "a dim is neither 1 nor the result's")) return;
    strides[to] = x.shape[i] == 1 ? 0 : own[i];
  }
  Odometer at(type->shape, {strides});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) c.out[0].set(i, x.at(at.offset(0)));
}

void runConcatenate(KernelCall& c) {
  const TensorType* type = c.resultType();
  size_t dim = 0;
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor") ||
      !c.dim(c.integer("dimension", 0), type->shape.size(), dim) || !c.make(0, type->shape, c.input(0).real))
    return;
  std::vector<size_t> strides = stridesOf(type->shape);
  size_t begin = 0;
  for (const HostTensor* part : c.in) {
    if (!c.need(part != nullptr && part->shape.size() == type->shape.size(), "other ranks")) return;
    for (size_t d = 0; d < type->shape.size(); ++d)
      if (!c.need(d == dim || part->shape[d] == type->shape[d], "a dim is not the result's")) return;
    if (!c.need(begin + static_cast<size_t>(part->shape[dim]) <= static_cast<size_t>(type->shape[dim]), "too large"))
      return;
    Odometer at(part->shape, {strides});
    for (size_t i = 0; i < part->size(); ++i, at.next()) c.out[0].set(begin * strides[dim] + at.offset(0), part->at(i));
    begin += static_cast<size_t>(part->shape[dim]);
  }
}

void runShloSlice(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr && type->shape.size() == c.input(0).shape.size(), "other ranks")) return;
  const HostTensor& x = c.input(0);
  std::vector<int64_t> begins = c.ints("start_indices"), steps = c.ints("strides");
  if (steps.size() <= 1) steps.assign(x.shape.size(), steps.empty() ? 1 : steps[0]);
  if (begins.size() == 1) begins.assign(x.shape.size(), begins[0]);
  if (!c.need(begins.size() == x.shape.size() && steps.size() == x.shape.size(), "bounds of another rank") ||
      !c.make(0, type->shape, x.real))
    return;
  std::vector<size_t> strides = stridesOf(x.shape);
  size_t first = 0;
  for (size_t d = 0; d < strides.size(); ++d) {
    int64_t last = begins[d] + (type->shape[d] - 1) * steps[d];
    if (!c.need(begins[d] >= 0 && steps[d] > 0 && last < x.shape[d], "bounds outside of the operand")) return;
    first += static_cast<size_t>(begins[d]) * strides[d];
    strides[d] *= static_cast<size_t>(steps[d]);
  }
  Odometer at(type->shape, {strides});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) c.out[0].set(i, x.at(first + at.offset(0)));
}

void runShloPad(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(2) || !c.need(type != nullptr && c.input(1).size() == 1, "no value to pad with")) return;
  const HostTensor& x = c.input(0);
  size_t rank = x.shape.size();
  std::vector<int64_t> low = c.ints("edge_padding_low"), interior = c.ints("interior_padding");
  interior.resize(rank, 0);
  if (!c.need(low.size() == rank && type->shape.size() == rank, "padding of another rank") ||
      !c.make(0, type->shape, x.real))
    return;
  for (size_t i = 0; i < c.out[0].size(); ++i) c.out[0].set(i, c.input(1).at(0));
  std::vector<size_t> strides = stridesOf(type->shape);
  Odometer at(x.shape, {});
  for (size_t i = 0; i < x.size(); ++i, at.next()) {
    size_t to = 0;
    bool inside = true;
    for (size_t d = 0; d < rank; ++d) {
      int64_t place = low[d] + at.index()[d] * (interior[d] + 1);
      inside = inside && place >= 0 && place < type->shape[d];
      to += static_cast<size_t>(inside ? place : 0) * strides[d];
    }
    if (inside) c.out[0].set(to, x.at(i));
  }
}

// Where a window of `sizes` begins, from operand `first` on; clamped so that it fits.
bool startOf(KernelCall& c, size_t first, const Shape& shape, const Shape& sizes, std::vector<size_t>& start) {
  if (!c.need(c.in.size() >= first + shape.size() && sizes.size() == shape.size(), "an index is missing")) return false;
  for (size_t d = 0; d < shape.size(); ++d) {
    bool fits = c.hasInput(first + d) && c.input(first + d).size() == 1 && sizes[d] <= shape[d];
    if (!c.need(fits, "the window does not fit")) return false;
    start.push_back(static_cast<size_t>(std::clamp<int64_t>(c.input(first + d).integerAt(0), 0, shape[d] - sizes[d])));
  }
  return true;
}

void runShloDynamicSlice(KernelCall& c) {
  const TensorType* type = c.resultType();
  std::vector<size_t> start;
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor") ||
      !startOf(c, 1, c.input(0).shape, type->shape, start) || !c.make(0, type->shape, c.input(0).real))
    return;
  std::vector<size_t> strides = stridesOf(c.input(0).shape);
  size_t first = 0;
  for (size_t d = 0; d < start.size(); ++d) first += start[d] * strides[d];
  Odometer at(type->shape, {strides});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) c.out[0].set(i, c.input(0).at(first + at.offset(0)));
}

void runDynamicUpdateSlice(KernelCall& c) {
  std::vector<size_t> start;
  if (!c.inputs(2) || !startOf(c, 2, c.input(0).shape, c.input(1).shape, start) ||
      !c.make(0, c.input(0).shape, c.input(0).real))
    return;
  c.out[0] = c.input(0);
  std::vector<size_t> strides = stridesOf(c.input(0).shape);
  size_t first = 0;
  for (size_t d = 0; d < start.size(); ++d) first += start[d] * strides[d];
  Odometer at(c.input(1).shape, {strides});
  for (size_t i = 0; i < c.input(1).size(); ++i, at.next()) c.out[0].set(first + at.offset(0), c.input(1).at(i));
}

void runShloDot(KernelCall& c) {
  if (!c.inputs(2)) return;
  const HostTensor &a = c.input(0), &b = c.input(1);
  DotDims dims = readShloDot(c.op);
  if (bareName(c.op) == "dot") dims = {{}, {}, {static_cast<int64_t>(a.shape.size()) - 1}, {0}};
  runDot(c, dims, a.real || b.real);
}

void runClamp(KernelCall& c) {
  if (!c.inputs(3) || !c.make(0, c.input(1).shape, c.input(1).real)) return;
  for (size_t bound : {0, 2}) {
    const bool fits = c.input(bound).size() == 1 || c.input(bound).size() == c.out[0].size();
    if (!c.need(fits, "a bound has another shape")) return;
  }
  for (size_t i = 0; i < c.out[0].size(); ++i) {
    double low = c.input(0).at(c.input(0).size() == 1 ? 0 : i), high = c.input(2).at(c.input(2).size() == 1 ? 0 : i);
    c.out[0].set(i, std::min(std::max(c.input(1).at(i), low), high));
  }
}

void runNot(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr && !c.input(0).real, "no integers") ||
      !c.make(0, c.input(0).shape, false))
    return;
  for (size_t i = 0; i < c.out[0].size(); ++i)
    c.out[0].i[i] = type->dtype == DType::I1 ? (c.input(0).i[i] == 0 ? 1 : 0) : ~c.input(0).i[i];
}

void runRoundAway(KernelCall& c) {
  if (!c.inputs(1) || !c.make(0, c.input(0).shape, true)) return;
  for (size_t i = 0; i < c.out[0].size(); ++i) c.out[0].f[i] = std::round(static_cast<float>(c.input(0).at(i)));
}

void runRoundEven(KernelCall& c) {
  if (!c.inputs(1) || !c.make(0, c.input(0).shape, true)) return;
  for (size_t i = 0; i < c.out[0].size(); ++i) c.out[0].f[i] = std::nearbyint(static_cast<float>(c.input(0).at(i)));
}

// The results are the operands.
void runSame(KernelCall& c) {
  if (!c.inputs(c.out.size())) return;
  for (size_t r = 0; r < c.out.size(); ++r) {
    if (!c.make(r, c.input(r).shape, c.input(r).real)) return;
    c.out[r] = c.input(r);
  }
}

}  // namespace

constinit const NamedKernel kStablehloKernels[] = {
    {"iota", runIota},
    {"broadcast_in_dim", runBroadcastInDim},
    {"concatenate", runConcatenate},
    {"slice", runShloSlice},
    {"pad", runShloPad},
    {"dynamic_slice", runShloDynamicSlice},
    {"dynamic_update_slice", runDynamicUpdateSlice},
    {"dot_general", runShloDot},
    {"dot", runShloDot},
    {"clamp", runClamp},
    {"not", runNot},
    {"round_nearest_afz", runRoundAway},
    {"round_nearest_even", runRoundEven},
    {"optimization_barrier", runSame},
    {"copy", runSame},
    {"sharding_constraint", runSame},
    {"all_reduce", runSame},
    {"collective_permute", runSame},
    {"collective_broadcast", runSame},
    {"", nullptr},
};

}  // namespace tessera
