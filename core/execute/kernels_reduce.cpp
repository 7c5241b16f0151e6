// Reductions, scans, softmax and normalizations. Sums are kept in double so that their order does not show.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/execute/kernel.h"

namespace tessera {

namespace {

bool readDims(KernelCall& c, std::vector<bool>& reduced) {
  const Shape& shape = c.input(0).shape;
  std::vector<int64_t> dims = c.ints(c.has("dim_arg") ? "dim_arg" : "dim");
  reduced.assign(shape.size(), dims.empty());
  for (int64_t value : dims) {
    size_t dim = 0;
    if (!c.dim(value, shape.size(), dim)) return false;
    reduced[dim] = true;
  }
  return true;
}

// The reduced shape, with ones or without; a result of ones only is taken as the graph declares it.
Shape reducedShape(const KernelCall& c, const std::vector<bool>& reduced) {
  const Shape& in = c.input(0).shape;
  Shape kept, dropped;
  for (size_t d = 0; d < in.size(); ++d) {
    kept.push_back(reduced[d] ? 1 : in[d]);
    if (!reduced[d]) dropped.push_back(in[d]);
  }
  const TensorType* type = c.resultType();
  bool ones = type != nullptr && dropped.empty() && elementCount(type->shape) == 1;
  if (ones) return type->shape;
  if (!c.has("keep_dim") && type != nullptr) return type->shape == kept ? kept : dropped;
  return c.flag("keep_dim", false) ? kept : dropped;
}

void runReduce(KernelCall& c) {
  std::vector<bool> reduced;
  if (!c.inputs(1) || !readDims(c, reduced)) return;
  const HostTensor& x = c.input(0);
  std::string_view name = bareName(c.op);
  bool mean = name == "mean", sum = name == "sum" || mean, any = name == "reduce_or", all = name == "reduce_and",
       product = name == "prod";
  bool largest = name == "max";
  if (!c.make(0, reducedShape(c, reduced), x.real)) return;
  HostTensor& y = c.out[0];
  double start = sum || any       ? 0.0
                 : all || product ? 1.0
                 : largest        ? -std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::infinity();
  std::vector<double> state(y.size(), start);
  Shape kept = x.shape;
  size_t count = 1;
  for (size_t d = 0; d < kept.size(); ++d) {
    if (!reduced[d]) continue;
    count *= static_cast<size_t>(kept[d]);
    kept[d] = 1;
  }
  Odometer at(x.shape, {broadcastStrides(kept, x.shape)});
  for (size_t i = 0; i < x.size(); ++i, at.next()) {
    double& s = state[at.offset(0)];
    double v = x.at(i);
    if (sum) s += v;
    else if (product) s *= v;
    else if (any) s = s != 0.0 || v != 0.0 ? 1.0 : 0.0;
    else if (all) s = s != 0.0 && v != 0.0 ? 1.0 : 0.0;
    else if (std::isnan(v) || (largest ? v > s : v < s)) s = v;
  }
  for (size_t i = 0; i < y.size(); ++i) y.set(i, mean ? state[i] / static_cast<double>(count) : state[i]);
}

void runArg(KernelCall& c) {
  std::vector<bool> reduced;
  if (!c.inputs(1) || !readDims(c, reduced)) return;
  const HostTensor& x = c.input(0);
  if (!c.make(0, reducedShape(c, reduced), false)) return;
  bool largest = bareName(c.op) == "argmax";
  Shape kept = x.shape;
  for (size_t d = 0; d < kept.size(); ++d) kept[d] = reduced[d] ? 1 : kept[d];
  std::vector<double> best(c.out[0].size(), 0.0);
  std::vector<int64_t> seen(c.out[0].size(), 0);
  Odometer at(x.shape, {broadcastStrides(kept, x.shape)});
  for (size_t i = 0; i < x.size(); ++i, at.next()) {
    size_t slot = at.offset(0);
    double v = x.at(i);
    if (seen[slot] == 0 || (largest ? v > best[slot] : v < best[slot])) {
      best[slot] = v;
      c.out[0].i[slot] = seen[slot];
    }
    ++seen[slot];
  }
}

void runCumsum(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.dim(c.integer("dim", 0), c.input(0).shape.size(), dim) ||
      !c.make(0, c.input(0).shape, c.input(0).real))
    return;
  std::vector<size_t> strides = stridesOf(c.input(0).shape);
  Odometer at(c.input(0).shape, {});
  bool product = bareName(c.op) == "cumprod";
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    double before = at.index()[dim] > 0 ? c.out[0].at(i - strides[dim]) : product ? 1.0 : 0.0;
    c.out[0].set(i, product ? c.input(0).at(i) * before : c.input(0).at(i) + before);
  }
}

// Calls body(first element, stride) for every line along `dim`.
template <class Body>
void forEachLine(const Shape& shape, size_t dim, Body body) {
  size_t stride = stridesOf(shape)[dim], length = static_cast<size_t>(shape[dim]),
         total = static_cast<size_t>(elementCount(shape).value_or(0));
  if (length == 0) return;
  for (size_t block = 0; block < total; block += stride * length) {
    for (size_t inner = 0; inner < stride; ++inner) body(block + inner, stride);
  }
}

// exp(x) / sum of exp(x) in f32, as `numericStable = false` asks for: large x overflow, as they do on the device and
// step by step.
void softmaxLine(const HostTensor& x, size_t first, size_t stride, size_t length, std::vector<float>& y) {
  double sum = 0.0;
  for (size_t k = 0; k < length; ++k) {
    const size_t at = first + k * stride;
    y[at] = static_cast<float>(std::exp(x.at(at)));
    sum += static_cast<double>(y[at]);
  }
  for (size_t k = 0; k < length; ++k) y[first + k * stride] /= static_cast<float>(sum);
}

void runSoftmax(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.dim(c.integer("dimension", -1), c.input(0).shape.size(), dim) ||
      !c.make(0, c.input(0).shape, true))
    return;
  const HostTensor& x = c.input(0);
  std::vector<float>& y = c.out[0].f;
  auto length = static_cast<size_t>(x.shape[dim]);
  bool logarithm = bareName(c.op) == "log_softmax";
  const bool stable = c.integer("numericStable", c.integer("numeric_stable", 0)) != 0;
  forEachLine(x.shape, dim, [&](size_t first, size_t stride) {
    if (!stable && !logarithm) return softmaxLine(x, first, stride, length, y);
    double top = -std::numeric_limits<double>::infinity(), sum = 0.0;
    for (size_t k = 0; k < length; ++k) top = std::max(top, x.at(first + k * stride));
    for (size_t k = 0; k < length; ++k) sum += std::exp(x.at(first + k * stride) - top);
    for (size_t k = 0; k < length; ++k) {
      double v = x.at(first + k * stride) - top;
      y[first + k * stride] = static_cast<float>(logarithm ? v - std::log(sum) : std::exp(v) / sum);
    }
  });
}

// layer_norm and rms_norm over the last dims.
void runNorm(KernelCall& c) {
  if (!c.inputs(1)) return;
  const HostTensor& x = c.input(0);
  bool rms = bareName(c.op) == "rms_norm";
  std::vector<int64_t> normalized = c.ints("normalized_shape");
  if (normalized.empty() && !x.shape.empty()) normalized = {x.shape.back()};
  bool suffix =
      normalized.size() <= x.shape.size() && std::equal(normalized.rbegin(), normalized.rend(), x.shape.rbegin());
  if (!c.need(suffix, "normalized_shape does not name the last dims") || !c.make(0, x.shape, true)) return;
  size_t width = 1;
  for (int64_t dim : normalized) width *= static_cast<size_t>(dim);
  const HostTensor* weight = c.optionalInput(1, 1);
  const HostTensor* bias = c.optionalInput(1, 2);
  std::vector<int64_t> segments = c.ints("operandSegmentSizes");
  if (segments.size() >= 3 && segments[1] == 0 && segments[2] == 1) std::swap(weight, bias);
  if (!c.need((weight == nullptr || weight->size() == width) && (bias == nullptr || bias->size() == width),
              "weight or bias of another size"))
    return;
  const auto epsilon = static_cast<float>(c.number("epsilon", 1e-12));
  // In f32 after every step, sums apart, as the op is spelled out.
  const auto mean = [&](double sum) { return static_cast<float>(sum / static_cast<double>(width)); };
  for (size_t row = 0; width > 0 && row + width <= x.size(); row += width) {
    double sum = 0.0, squares = 0.0;
    for (size_t k = 0; k < width && !rms; ++k) sum += x.at(row + k);
    const float middle = mean(sum);
    float* y = &c.out[0].f[row];
    for (size_t k = 0; k < width; ++k) {
      y[k] = static_cast<float>(x.at(row + k)) - middle;
      squares += static_cast<double>(y[k] * y[k]);
    }
    const float scale = 1.0f / std::sqrt(mean(squares) + epsilon);
    for (size_t k = 0; k < width; ++k) {
      y[k] *= scale;
      if (weight != nullptr) y[k] *= static_cast<float>(weight->at(k));
      if (bias != nullptr) y[k] += static_cast<float>(bias->at(k));
    }
  }
}

// Of [batch, 1, rows, channels]: over all rows and the channels of a group. Weight and bias have a number per channel,
// in any shape; the device's mask of padded channels changes nothing.
void runGroupNorm(KernelCall& c) {
  if (!c.inputs(1)) return;
  const HostTensor& x = c.input(0);
  const int64_t groups = c.integer("num_groups", 0);
  const bool fits = x.shape.size() == 4 && groups > 0 && x.shape[3] % groups == 0;
  if (!c.need(fits, "channels are no whole groups") || !c.make(0, x.shape, true)) return;
  const auto channels = static_cast<size_t>(x.shape[3]), width = channels / static_cast<size_t>(groups);
  const size_t rows = static_cast<size_t>(x.shape[1] * x.shape[2]), batch = static_cast<size_t>(x.shape[0]);
  const std::vector<int64_t> segments = c.ints("operandSegmentSizes");
  const auto given = [&](size_t role) { return segments.size() != 4 || segments[role] == 1; };
  const size_t weightAt = 1 + (segments.size() == 4 ? given(1) : 0);
  const HostTensor* weight = given(2) ? c.optionalInput(1, weightAt) : nullptr;
  const HostTensor* bias = given(3) ? c.optionalInput(1, weightAt + (given(2) ? 1 : 0)) : nullptr;
  if (!c.need((weight == nullptr || weight->size() == channels) && (bias == nullptr || bias->size() == channels),
              "weight or bias of another size"))
    return;
  const double epsilon = c.number("epsilon", 1e-12), count = static_cast<double>(rows * width);
  const auto forEach = [&](size_t image, size_t group, auto body) {
    for (size_t row = 0; row < rows; ++row)
      for (size_t k = group * width; k < (group + 1) * width; ++k) body((image * rows + row) * channels + k, k);
  };
  for (size_t one = 0; one < batch * static_cast<size_t>(groups); ++one) {
    const size_t image = one / static_cast<size_t>(groups), group = one % static_cast<size_t>(groups);
    double sum = 0.0, squares = 0.0;
    forEach(image, group, [&](size_t at, size_t) { sum += x.at(at); });
    const double mean = sum / count;
    forEach(image, group, [&](size_t at, size_t) { squares += (x.at(at) - mean) * (x.at(at) - mean); });
    const double scale = 1.0 / std::sqrt(squares / count + epsilon);
    forEach(image, group, [&](size_t at, size_t k) {
      const double y = (x.at(at) - mean) * scale * (weight != nullptr ? weight->at(k) : 1.0);
      c.out[0].f[at] = static_cast<float>(y + (bias != nullptr ? bias->at(k) : 0.0));
    });
  }
}

// TTIR lists scale, offset, mean, variance; TTNN mean, variance, scale, offset.
void runBatchNorm(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(5)) return;
  const HostTensor& x = c.input(0);
  if (!c.dim(c.integer("dimension", 1), x.shape.size(), dim) || !c.make(0, x.shape, true)) return;
  bool ttnn = c.op.name.rfind("ttnn.batch_norm_inference", 0) == 0;
  const HostTensor& scale = c.input(ttnn ? 3 : 1);
  const HostTensor& offset = c.input(ttnn ? 4 : 2);
  const HostTensor& mean = c.input(ttnn ? 1 : 3);
  const HostTensor& variance = c.input(ttnn ? 2 : 4);
  auto features = static_cast<size_t>(x.shape[dim]);
  for (const HostTensor* t : {&scale, &offset, &mean, &variance}) {
    if (!c.need(t->size() == features, "not one number per feature")) return;
  }
  double epsilon = c.number("epsilon", 1e-5);
  size_t stride = stridesOf(x.shape)[dim];
  for (size_t i = 0; i < x.size(); ++i) {
    size_t f = i / stride % features;
    c.out[0].f[i] =
        static_cast<float>((x.at(i) - mean.at(f)) / std::sqrt(variance.at(f) + epsilon) * scale.at(f) + offset.at(f));
  }
}

}  // namespace

constinit const NamedKernel kReduceKernels[] = {
    {"sum", runReduce},
    {"mean", runReduce},
    {"max", runReduce},
    {"min", runReduce},
    {"prod", runReduce},
    {"reduce_or", runReduce},
    {"reduce_and", runReduce},
    {"argmax", runArg},
    {"argmin", runArg},
    {"cumsum", runCumsum},
    {"cumprod", runCumsum},
    {"softmax", runSoftmax},
    {"log_softmax", runSoftmax},
    {"layer_norm", runNorm},
    {"rms_norm", runNorm},
    {"group_norm", runGroupNorm},
    {"batch_norm", runBatchNorm},
    {"batch_norm_inference", runBatchNorm},
    {"", nullptr},
};

}  // namespace tessera
