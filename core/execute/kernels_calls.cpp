// What StableHLO calls by name, what several chips do together, batch norms and the largest elements.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/execute/kernel.h"
#include "core/ir/constant_value.h"

namespace tessera {

namespace {

void runTopK(KernelCall& c) {
  if (!c.inputs(1) || !c.need(c.out.size() == 2 && !c.input(0).shape.empty(), "no two results")) return;
  Shape shape = c.input(0).shape;
  auto length = static_cast<size_t>(shape.back());
  const TensorType* type = c.resultType();
  int64_t k = type != nullptr && type->shape.size() == shape.size() ? type->shape.back() : 0;
  if (!c.need(k >= 1 && k <= shape.back(), "k does not fit")) return;
  shape.back() = k;
  if (!c.make(0, shape, c.input(0).real) || !c.make(1, shape, false)) return;
  for (size_t line = 0; line * length < c.input(0).size(); ++line) {
    std::vector<size_t> order(length);
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return c.input(0).at(line * length + a) > c.input(0).at(line * length + b);
    });
    for (size_t i = 0; i < static_cast<size_t>(k); ++i) {
      c.out[0].set(line * static_cast<size_t>(k) + i, c.input(0).at(line * length + order[i]));
      c.out[1].i[line * static_cast<size_t>(k) + i] = static_cast<int64_t>(order[i]);
    }
  }
}

// One chip's part, or the whole as if all chips had the same part: every place modulo the operand's size.
void runParts(KernelCall& c) {
  if (!c.inputs(c.out.size())) return;
  for (size_t r = 0; r < c.out.size(); ++r) {
    const TensorType* type = c.resultType(r);
    const HostTensor& x = c.input(r);
    if (!c.need(type != nullptr && type->shape.size() == x.shape.size(), "other ranks") ||
        !c.need(x.size() > 0 || elementCount(type->shape) == 0, "parts of an empty operand") ||
        !c.make(r, type->shape, x.real))
      return;
    std::vector<size_t> strides = stridesOf(x.shape);
    Odometer at(type->shape, {});
    for (size_t i = 0; i < c.out[r].size(); ++i, at.next()) {
      size_t from = 0;
      for (size_t d = 0; d < x.shape.size(); ++d)
        from += static_cast<size_t>(at.index()[d] % std::max<int64_t>(x.shape[d], 1)) * strides[d];
      c.out[r].set(i, x.at(from));
    }
  }
}

// Ops of the compiler whose results are not worked out here: any fixed function of all operands stands for them, the
// same one before and after a pass, so that what is around them is compared. Integers, which may be places, are only
// moved.
void runUninterpreted(KernelCall& c) {
  std::vector<const HostTensor*> reals, integers;
  for (const HostTensor* x : c.in) {
    if (x != nullptr && x->size() > 0) (x->real ? reals : integers).push_back(x);
  }
  constexpr size_t kSpread = 7919;  // a prime: neighbours read far from each other
  for (size_t r = 0; r < c.out.size(); ++r) {
    const TensorType* type = c.resultType(r);
    if (!c.need(type != nullptr, "a result is no tensor")) return;
    bool real = isFloatType(type->dtype);
    if (!c.need(real || !integers.empty(), "a result of integers, and no operand of them") ||
        !c.make(r, type->shape, real))
      return;
    for (size_t i = 0; i < c.out[r].size(); ++i) {
      double sum = 0;
      for (size_t k = 0; k < reals.size() && real; ++k)
        sum += reals[k]->at((i * kSpread + k + r) % reals[k]->size()) / static_cast<double>(k + 1);
      for (size_t k = 0; k < integers.size(); ++k) {
        int64_t v = integers[k]->i[(i * kSpread + k + r) % integers[k]->size()];
        sum = real ? sum + static_cast<double>(v % 16) / 16.0 : k == 0 ? static_cast<double>(v) : sum;
      }
      c.out[r].set(i, sum);
    }
  }
}

struct CalledKernel {
  std::string_view target, op;  // executed as that op
};
constexpr CalledKernel kCalledKernels[] = {{"mhlo.erf", "chlo.erf"},
                                           {"mhlo.asin", "chlo.asin"},
                                           {"mhlo.asinh", "chlo.asinh"},
                                           {"mhlo.acos", "chlo.acos"},
                                           {"mhlo.acosh", "chlo.acosh"},
                                           {"mhlo.atanh", "chlo.atanh"},
                                           {"mhlo.cosh", "chlo.cosh"},
                                           {"mhlo.sinh", "chlo.sinh"},
                                           {"mhlo.tan", "stablehlo.tan"},
                                           {"mhlo.topk", "chlo.top_k"},
                                           {"tt.fill_cache", "ttir.fill_cache"},
                                           {"tt.update_cache", "ttir.update_cache"},
                                           {"tt.sparse_matmul", "ttir.sparse_matmul"},
                                           {"tt.all_to_all_dispatch", "ttir.all_to_all_dispatch"},
                                           {"tt.all_to_all_combine", "ttir.all_to_all_combine"},
                                           {"tt.moe_expert_token_remap", "ttir.moe_expert_token_remap"}};

// check.expect_close and its like in published test data: both operands are alike, as far as their type holds.
void runExpectation(KernelCall& c) {
  if (!c.inputs(2) || !c.need(c.input(0).shape == c.input(1).shape, "compares other shapes")) return;
  const ValueType& type = c.graph.values[c.op.operands[0]].type;
  bool half = type.isTensor() && (type.tensor->dtype == DType::BF16 || type.tensor->dtype == DType::F16);
  double largest = 1e-30, tolerance = !c.input(0).real ? 0.0 : half ? 2e-2 : 1e-4;
  for (size_t i = 0; i < c.input(1).size(); ++i) {
    if (std::isfinite(c.input(1).at(i))) largest = std::max(largest, std::fabs(c.input(1).at(i)));
  }
  for (size_t i = 0; i < c.input(0).size(); ++i) {
    double got = c.input(0).at(i), expected = c.input(1).at(i);
    bool same = got == expected || (std::isnan(got) && std::isnan(expected)) ||
                std::fabs(got - expected) <= tolerance * largest;
    if (!c.need(same, "element " + std::to_string(i) + " is " + std::to_string(got) + ", expected " +
                          std::to_string(expected)))
      return;
  }
}

// The same bits read as another type of the same width.
void runBitcast(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor")) return;
  DType from = c.graph.values[c.op.operands[0]].type.tensor->dtype, to = type->dtype;
  auto wide = [](DType t) { return t == DType::F32 || t == DType::I32 || t == DType::U32; };
  if (!c.known(wide(from) && wide(to), "no kernel for types of another width than 32 bits") ||
      !c.make(0, c.input(0).shape, isFloatType(to)))
    return;
  for (size_t i = 0; i < c.out[0].size(); ++i) {
    auto bits = static_cast<uint32_t>(c.input(0).real ? 0 : c.input(0).i[i]);
    if (c.input(0).real) std::memcpy(&bits, &c.input(0).f[i], sizeof bits);
    if (c.out[0].real) std::memcpy(&c.out[0].f[i], &bits, sizeof bits);
    else c.out[0].i[i] = to == DType::I32 ? static_cast<int32_t>(bits) : static_cast<int64_t>(bits);
  }
}

void runShiftArithmetic(KernelCall& c) {
  if (!c.inputs(2) || !c.need(c.input(0).shape == c.input(1).shape && !c.input(0).real, "no integers of one shape") ||
      !c.make(0, c.input(0).shape, false))
    return;
  for (size_t i = 0; i < c.out[0].size(); ++i) {
    int64_t places = c.input(1).i[i];
    const TensorType* type = c.resultType();
    bool inside = places >= 0 && places < scalarBytes(type->dtype) * 8;
    c.out[0].i[i] = inside ? c.input(0).i[i] >> places : c.input(0).i[i] < 0 ? -1 : 0;
  }
}

// Newton's steps from a first guess by the logarithm (Giles 2010 has the range).
float inverseErf(float x) {
  if (!(std::fabs(x) < 1)) return x == 1 ? HUGE_VALF : x == -1 ? -HUGE_VALF : NAN;
  double w = std::log(1 - static_cast<double>(x) * x), k = 4.3307 + w / 2;
  double y = std::copysign(std::sqrt(std::max(std::sqrt(k * k - w / 0.147) - k, 0.0)), static_cast<double>(x));
  for (int step = 0; step < 6; ++step) y -= (std::erf(y) - x) / (1.1283791670955126 * std::exp(-y * y));
  return static_cast<float>(y);
}

template <float (*function)(float)>
void runReal(KernelCall& c) {
  if (!c.inputs(1) || !c.need(c.input(0).real, "no reals") || !c.make(0, c.input(0).shape, true)) return;
  for (size_t i = 0; i < c.out[0].size(); ++i) c.out[0].f[i] = function(c.input(0).f[i]);
}

float logGamma(float x) { return std::lgamma(x); }

void runCustomCall(KernelCall& c) {
  std::string target = c.word("call_target_name");
  bool views = target == "Sharding" || target.rfind("tt.mark", 0) == 0 || target == "tt.sharding_constraint" ||
               target == "tt.weight_dtype_override" || target == "annotate_device_placement" ||
               target == "LayoutConstraint" || target == "SPMDFullToShardShape" || target == "SPMDShardToFullShape" ||
               target.rfind("xla.sdy.", 0) == 0;
  if (views) return runParts(c);
  if (target.rfind("check.expect_", 0) == 0) return runExpectation(c);
  for (const CalledKernel& called : kCalledKernels) {
    if (called.target != target) continue;
    Kernel kernel = findKernel(called.op);
    if (!c.known(kernel != nullptr, "the interpreter has no kernel for " + std::string(called.op))) return;
    Op op = c.op;
    op.name = called.op;
    KernelCall inner{c.graph, op, c.in, std::move(c.out), {}, false, c.bodies};
    kernel(inner);
    c.out = std::move(inner.out);
    c.error = std::move(inner.error);
    c.unknown = inner.unknown;
    return;
  }
  c.known(false, "the interpreter has no custom call " + target);
}

// Broadcast position of an element in the features.
size_t featureOf(const std::vector<int64_t>& index, size_t dim) { return static_cast<size_t>(index[dim]); }

bool features(KernelCall& c, size_t operands, size_t& dim) {
  if (!c.inputs(operands) || !c.dim(c.integer("feature_index", 0), c.input(0).shape.size(), dim)) return false;
  auto count = static_cast<size_t>(c.input(0).shape[dim]);
  for (size_t i = 1; i < std::min<size_t>(operands, 5); ++i) {
    bool grad = i == 4 && bareName(c.op) == "batch_norm_grad";
    if (!c.need(grad ? c.input(i).size() == c.input(0).size() : c.input(i).size() == count,
                "its parameters do not fit"))
      return false;
  }
  return true;
}

void runShloNormInference(KernelCall& c) {
  size_t dim = 0;
  if (!features(c, 5, dim) || !c.make(0, c.input(0).shape, true)) return;
  double epsilon = c.number("epsilon", 1e-5);
  Odometer at(c.input(0).shape, {});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    size_t f = featureOf(at.index(), dim);
    c.out[0].set(i, (c.input(0).at(i) - c.input(3).at(f)) / std::sqrt(c.input(4).at(f) + epsilon) * c.input(1).at(f) +
                        c.input(2).at(f));
  }
}

// Normalizes over all dims but one by the statistics of the batch, which are the answer: a mean and a variance for each
// place in that dim.
std::array<std::vector<double>, 2> normalizeBatch(const HostTensor& x, size_t dim, double epsilon,
                                                  const HostTensor& scale, const HostTensor& offset, HostTensor& out) {
  const auto count = static_cast<size_t>(x.shape[dim]);
  const double share = static_cast<double>(count) / static_cast<double>(x.size());
  std::vector<double> mean(count, 0), variance(count, 0);
  Odometer first(x.shape, {}), second(x.shape, {}), third(x.shape, {});
  for (size_t i = 0; i < x.size(); ++i, first.next()) mean[featureOf(first.index(), dim)] += x.at(i) * share;
  for (size_t i = 0; i < x.size(); ++i, second.next()) {
    double away = x.at(i) - mean[featureOf(second.index(), dim)];
    variance[featureOf(second.index(), dim)] += away * away * share;
  }
  for (size_t i = 0; i < x.size(); ++i, third.next()) {
    size_t f = featureOf(third.index(), dim);
    out.set(i, (x.at(i) - mean[f]) / std::sqrt(variance[f] + epsilon) * scale.at(f) + offset.at(f));
  }
  return {std::move(mean), std::move(variance)};
}

void runShloNormTraining(KernelCall& c) {
  size_t dim = 0;
  if (!features(c, 3, dim) || !c.need(c.out.size() == 3, "no three results")) return;
  const HostTensor& x = c.input(0);
  Shape per = {x.shape[dim]};
  if (!c.make(0, x.shape, true) || !c.make(1, per, true) || !c.make(2, per, true) || x.size() == 0) return;
  const auto made = normalizeBatch(x, dim, c.number("epsilon", 1e-5), c.input(1), c.input(2), c.out[0]);
  for (size_t k = 0; k < 2; ++k)
    for (size_t f = 0; f < made[k].size(); ++f) c.out[k + 1].set(f, made[k][f]);
}

// TTIR lists scale, offset, running mean, running variance; TTNN the running ones first. What becomes of the running
// ones are the further results, where the op has them: `momentum` is the share of the batch.
void runNormTraining(KernelCall& c) {
  size_t dim = 0;
  if (!c.known(c.in.size() == 5, "statistics or weights are missing") || !c.inputs(5)) return;
  const HostTensor& x = c.input(0);
  if (!c.dim(c.integer("dimension", 1), x.shape.size(), dim) || !c.make(0, x.shape, true)) return;
  for (size_t k = 1; k < 5; ++k) {
    if (!c.need(c.input(k).size() == static_cast<size_t>(x.shape[dim]), "not one number per feature")) return;
  }
  const size_t scale = c.op.name.rfind("ttnn.", 0) == 0 ? 3 : 1, running = 4 - scale;
  const auto made = normalizeBatch(x, dim, c.number("epsilon", 1e-5), c.input(scale), c.input(scale + 1), c.out[0]);
  const double share = x.size() == 0 ? 0.0 : c.number("momentum", 0.1);  // an empty batch has no figures
  for (size_t k = 0; k + 1 < std::min<size_t>(c.out.size(), 3); ++k) {
    const TensorType* type = c.resultType(k + 1);
    const bool fits = type != nullptr && elementCount(type->shape) == x.shape[dim];
    if (!c.need(fits, "not one number per feature") || !c.make(k + 1, type->shape, true)) return;
    for (size_t f = 0; f < made[k].size(); ++f)
      c.out[k + 1].set(f, (1 - share) * c.input(running + k).at(f) + share * made[k][f]);
  }
}

void runShloNormGrad(KernelCall& c) {
  size_t dim = 0;
  if (!features(c, 5, dim) || !c.need(c.out.size() == 3, "no three results")) return;
  const HostTensor &x = c.input(0), &g = c.input(4);
  Shape per = {x.shape[dim]};
  if (!c.make(0, x.shape, true) || !c.make(1, per, true) || !c.make(2, per, true) || x.size() == 0) return;
  auto count = static_cast<size_t>(per[0]);
  double share = static_cast<double>(count) / static_cast<double>(x.size()), epsilon = c.number("epsilon", 1e-5);
  std::vector<double> scale(count, 0), offset(count, 0);
  auto normal = [&](size_t i, size_t f) {
    return (x.at(i) - c.input(2).at(f)) / std::sqrt(c.input(3).at(f) + epsilon);
  };
  Odometer first(x.shape, {}), second(x.shape, {});
  for (size_t i = 0; i < x.size(); ++i, first.next()) {
    size_t f = featureOf(first.index(), dim);
    scale[f] += g.at(i) * normal(i, f);
    offset[f] += g.at(i);
  }
  for (size_t i = 0; i < x.size(); ++i, second.next()) {
    size_t f = featureOf(second.index(), dim);
    double inner = g.at(i) - offset[f] * share - normal(i, f) * scale[f] * share;
    c.out[0].set(i, c.input(1).at(f) / std::sqrt(c.input(3).at(f) + epsilon) * inner);
  }
  for (size_t f = 0; f < count; ++f) c.out[1].set(f, scale[f]), c.out[2].set(f, offset[f]);
}

}  // namespace

constinit const NamedKernel kStablehloCallKernels[] = {
    {"top_k", runTopK},
    {"all_gather", runParts},
    {"all_to_all", runParts},
    {"reduce_scatter", runParts},
    {"custom_call", runCustomCall},
    {"bitcast_convert", runBitcast},
    {"shift_right_arithmetic", runShiftArithmetic},
    {"erf_inv", runReal<inverseErf>},
    {"lgamma", runReal<logGamma>},
    {"batch_norm_inference", runShloNormInference},
    {"batch_norm_training", runShloNormTraining},
    {"batch_norm_grad", runShloNormGrad},
    {"", nullptr},
};

constinit const NamedKernel kChipKernels[] = {
    {"all_to_all", runParts},
    {"mesh_shard", runParts},
    {"bitcast_convert", runBitcast},
    {"collective_permute", runParts},
    {"collective_broadcast", runParts},
    {"sparse_matmul", runUninterpreted},
    {"all_to_all_dispatch", runUninterpreted},
    {"all_to_all_combine", runUninterpreted},
    {"moe_expert_token_remap", runUninterpreted},
    {"batch_norm_training", runNormTraining},
    {"", nullptr},
};

}  // namespace tessera
