// Element-wise kernels, with broadcasting.

#include <algorithm>
#include <cmath>

#include "core/execute/kernel.h"

namespace tessera {

namespace {

using Unary = float (*)(float);
using Binary = float (*)(float, float);
using Integer = int64_t (*)(int64_t, int64_t);

float gelu(float x) { return 0.5f * x * (1.0f + std::erf(x * 0.70710678f)); }
float geluTanh(float x) { return 0.5f * x * (1.0f + std::tanh(0.79788456f * (x + 0.044715f * x * x * x))); }
float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }
float silu(float x) { return x * sigmoid(x); }
float relu(float x) { return x > 0.0f ? x : 0.0f; }
float relu6(float x) { return std::min(relu(x), 6.0f); }
float softplus(float x) { return x > 20.0f ? x : std::log1p(std::exp(x)); }
float hardsigmoid(float x) { return std::min(std::max(x / 6.0f + 0.5f, 0.0f), 1.0f); }

struct NamedUnary {
  std::string_view name;
  Unary f;
};
constexpr NamedUnary kUnary[] = {
    {"abs", [](float x) { return std::fabs(x); }},
    {"acos", [](float x) { return std::acos(x); }},
    {"acosh", [](float x) { return std::acosh(x); }},
    {"asin", [](float x) { return std::asin(x); }},
    {"asinh", [](float x) { return std::asinh(x); }},
    {"atan", [](float x) { return std::atan(x); }},
    {"atanh", [](float x) { return std::atanh(x); }},
    {"cbrt", [](float x) { return std::cbrt(x); }},
    {"ceil", [](float x) { return std::ceil(x); }},
    {"cos", [](float x) { return std::cos(x); }},
    {"cosh", [](float x) { return std::cosh(x); }},
    {"erf", [](float x) { return std::erf(x); }},
    {"erfc", [](float x) { return std::erfc(x); }},
    {"exp", [](float x) { return std::exp(x); }},
    {"exp2", [](float x) { return std::exp2(x); }},
    {"expm1", [](float x) { return std::expm1(x); }},
    {"floor", [](float x) { return std::floor(x); }},
    {"frac", [](float x) { return x - std::trunc(x); }},
    {"hardsigmoid", hardsigmoid},
    {"hardswish", [](float x) { return x * hardsigmoid(x); }},
    {"hardtanh", [](float x) { return std::min(std::max(x, -1.0f), 1.0f); }},
    {"log", [](float x) { return std::log(x); }},
    {"log10", [](float x) { return std::log10(x); }},
    {"log1p", [](float x) { return std::log1p(x); }},
    {"log2", [](float x) { return std::log2(x); }},
    {"mish", [](float x) { return x * std::tanh(softplus(x)); }},
    {"neg", [](float x) { return -x; }},
    {"reciprocal", [](float x) { return 1.0f / x; }},
    {"relu", relu},
    {"relu6", relu6},
    {"round", [](float x) { return std::nearbyint(x); }},
    {"rsqrt", [](float x) { return 1.0f / std::sqrt(x); }},
    {"sigmoid", sigmoid},
    {"sign", [](float x) { return x > 0.0f   ? 1.0f
                                  : x < 0.0f ? -1.0f
                                             : x; }},
    {"silu", silu},
    {"sin", [](float x) { return std::sin(x); }},
    {"sinh", [](float x) { return std::sinh(x); }},
    {"softplus", softplus},
    {"softsign", [](float x) { return x / (1.0f + std::fabs(x)); }},
    {"sqrt", [](float x) { return std::sqrt(x); }},
    {"square", [](float x) { return x * x; }},
    {"tan", [](float x) { return std::tan(x); }},
    {"tanh", [](float x) { return std::tanh(x); }},
    {"trunc", [](float x) { return std::trunc(x); }},
    {"isfinite", [](float x) { return std::isfinite(x) ? 1.0f : 0.0f; }},
    {"isinf", [](float x) { return std::isinf(x) ? 1.0f : 0.0f; }},
    {"isnan", [](float x) { return std::isnan(x) ? 1.0f : 0.0f; }},
    {"logical_not", [](float x) { return x == 0.0f ? 1.0f : 0.0f; }},
};

const NamedUnary* findUnary(std::string_view name) {
  for (const NamedUnary& u : kUnary) {
    if (u.name == name) return &u;
  }
  return nullptr;
}

int64_t integerUnary(std::string_view name, int64_t x, bool& known) {
  if (name == "abs") return x < 0 && x != INT64_MIN ? -x : x;
  if (name == "neg") return static_cast<int64_t>(0 - static_cast<uint64_t>(x));
  if (name == "sign") return x > 0 ? 1 : x < 0 ? -1 : 0;
  if (name == "relu") return x > 0 ? x : 0;
  if (name == "square") return static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(x));
  if (name == "logical_not") return x == 0 ? 1 : 0;
  if (name == "bitwise_not") return ~x;
  known = false;
  return 0;
}

void runUnary(KernelCall& c) {
  if (!c.inputs(1)) return;
  const HostTensor& x = c.input(0);
  std::string_view name = bareName(c.op);
  bool known = true;
  if (!x.real) integerUnary(name, 0, known);
  bool asReal = x.real || !known;
  if (!c.make(0, x.shape, asReal)) return;
  HostTensor& y = c.out[0];
  if (!asReal) {
    for (size_t i = 0; i < x.size(); ++i) y.i[i] = integerUnary(name, x.i[i], known);
    return;
  }
  const NamedUnary* f = findUnary(name);
  if (!c.known(f != nullptr, "no kernel for this type of operand")) return;
  for (size_t i = 0; i < x.size(); ++i) y.f[i] = f->f(static_cast<float>(x.at(i)));
}

void runGelu(KernelCall& c) {
  if (!c.inputs(1) || !c.make(0, c.input(0).shape, true)) return;
  Unary f = c.word("approximate") == "tanh" ? geluTanh : gelu;
  for (size_t i = 0; i < c.out[0].f.size(); ++i) c.out[0].f[i] = f(static_cast<float>(c.input(0).at(i)));
}

// With the defaults of TTIR (TTIROps.td).
void runScaled(KernelCall& c) {  // leaky_relu, elu, celu, selu
  if (!c.inputs(1) || !c.make(0, c.input(0).shape, true)) return;
  const std::string_view name = bareName(c.op);
  const bool leaky = name == "leaky_relu", selu = name == "selu";
  const auto alpha = static_cast<float>(leaky  ? c.number("parameter", 0.01)
                                        : selu ? c.number("alpha", 1.67326354)
                                               : c.number("alpha", 1.0));
  const auto scale = static_cast<float>(selu ? c.number("scale", 1.050701) : 1.0);
  for (size_t i = 0; i < c.out[0].f.size(); ++i) {
    const auto x = static_cast<float>(c.input(0).at(i));
    const float low = leaky ? alpha * x : alpha * std::expm1(name == "celu" ? x / alpha : x);
    c.out[0].f[i] = (x > 0.0f ? x : low) * scale;
  }
}

void runClampScalar(KernelCall& c) {
  if (!c.inputs(1) || !c.make(0, c.input(0).shape, c.input(0).real)) return;
  double low = c.number("min", -HUGE_VAL), high = c.number("max", HUGE_VAL);
  for (size_t i = 0; i < c.out[0].size(); ++i) c.out[0].set(i, std::min(std::max(c.input(0).at(i), low), high));
}

void runTypecast(KernelCall& c) { c.passOn(); }  // the interpreter converts to the declared type

float remainderOf(float a, float b) {
  float r = std::fmod(a, b);
  return r != 0.0f && (r < 0.0f) != (b < 0.0f) ? r + b : r;
}

struct NamedBinary {
  std::string_view name;
  Binary real;
  Integer integer;  // null: computed as reals
};
uint64_t u(int64_t x) { return static_cast<uint64_t>(x); }
constexpr NamedBinary kBinary[] = {
    {"add", [](float a, float b) { return a + b; },
     [](int64_t a, int64_t b) { return static_cast<int64_t>(u(a) + u(b)); }},
    {"subtract", [](float a, float b) { return a - b; },
     [](int64_t a, int64_t b) { return static_cast<int64_t>(u(a) - u(b)); }},
    {"multiply", [](float a, float b) { return a * b; },
     [](int64_t a, int64_t b) { return static_cast<int64_t>(u(a) * u(b)); }},
    {"div", [](float a, float b) { return a / b; },
     [](int64_t a, int64_t b) { return b == 0 || (a == INT64_MIN && b == -1) ? 0 : a / b; }},
    {"divide", [](float a, float b) { return a / b; },
     [](int64_t a, int64_t b) { return b == 0 || (a == INT64_MIN && b == -1) ? 0 : a / b; }},
    {"maximum", [](float a, float b) { return std::isnan(a) || a > b ? a : b; },
     [](int64_t a, int64_t b) { return std::max(a, b); }},
    {"minimum", [](float a, float b) { return std::isnan(a) || a < b ? a : b; },
     [](int64_t a, int64_t b) { return std::min(a, b); }},
    {"remainder", remainderOf, [](int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : (a % b + b) % b; }},
    {"fmod", [](float a, float b) { return std::fmod(a, b); },  // StableHLO's remainder, with the dividend's sign
     [](int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }},
    {"atan2", [](float a, float b) { return std::atan2(a, b); }, nullptr},
    {"pow", [](float a, float b) { return b == 2.0f ? a * a : std::pow(a, b); }, nullptr},
    {"pow_tensor", [](float a, float b) { return b == 2.0f ? a * a : std::pow(a, b); }, nullptr},
    {"eq", [](float a, float b) { return a == b ? 1.0f : 0.0f; },
     [](int64_t a, int64_t b) -> int64_t { return a == b; }},
    {"ne", [](float a, float b) { return a != b ? 1.0f : 0.0f; },
     [](int64_t a, int64_t b) -> int64_t { return a != b; }},
    {"ge", [](float a, float b) { return a >= b ? 1.0f : 0.0f; },
     [](int64_t a, int64_t b) -> int64_t { return a >= b; }},
    {"gt", [](float a, float b) { return a > b ? 1.0f : 0.0f; }, [](int64_t a, int64_t b) -> int64_t { return a > b; }},
    {"le", [](float a, float b) { return a <= b ? 1.0f : 0.0f; },
     [](int64_t a, int64_t b) -> int64_t { return a <= b; }},
    {"lt", [](float a, float b) { return a < b ? 1.0f : 0.0f; }, [](int64_t a, int64_t b) -> int64_t { return a < b; }},
    {"logical_and", [](float a, float b) { return a != 0.0f && b != 0.0f ? 1.0f : 0.0f; },
     [](int64_t a, int64_t b) -> int64_t { return a != 0 && b != 0; }},
    {"logical_or", [](float a, float b) { return a != 0.0f || b != 0.0f ? 1.0f : 0.0f; },
     [](int64_t a, int64_t b) -> int64_t { return a != 0 || b != 0; }},
    {"logical_xor", [](float a, float b) { return (a != 0.0f) != (b != 0.0f) ? 1.0f : 0.0f; },
     [](int64_t a, int64_t b) -> int64_t { return (a != 0) != (b != 0); }},
    {"bitwise_and", nullptr, [](int64_t a, int64_t b) { return a & b; }},
    {"bitwise_or", nullptr, [](int64_t a, int64_t b) { return a | b; }},
    {"bitwise_xor", nullptr, [](int64_t a, int64_t b) { return a ^ b; }},
    {"logical_left_shift", nullptr,
     [](int64_t a, int64_t b) { return b < 0 || b > 63 ? 0 : static_cast<int64_t>(u(a) << b); }},
    {"logical_right_shift", nullptr,
     [](int64_t a, int64_t b) { return b < 0 || b > 63 ? 0 : static_cast<int64_t>(u(a) >> b); }},
};

const NamedBinary* findBinary(std::string_view name) {
  for (const NamedBinary& b : kBinary) {
    if (b.name == name) return &b;
  }
  return nullptr;
}

void runBinary(KernelCall& c) {
  if (!c.inputs(2)) return;
  const HostTensor& a = c.input(0);
  const HostTensor& b = c.input(1);
  const NamedBinary* f = findBinary(bareName(c.op));
  bool real = a.real || b.real || f == nullptr || f->integer == nullptr;
  if (!c.known(f != nullptr && (!real || f->real != nullptr), "no kernel for this type of operands")) return;
  std::optional<Shape> shape = broadcastOf(a.shape, b.shape);
  if (!c.need(shape.has_value(), "the operands do not broadcast") || !c.make(0, *shape, real)) return;
  HostTensor& y = c.out[0];
  Odometer at(*shape, {broadcastStrides(a.shape, *shape), broadcastStrides(b.shape, *shape)});
  bool alike = a.shape == b.shape;
  for (size_t i = 0; i < y.size(); ++i) {
    size_t left = alike ? i : at.offset(0), right = alike ? i : at.offset(1);
    if (real) y.f[i] = f->real(static_cast<float>(a.at(left)), static_cast<float>(b.at(right)));
    else y.i[i] = f->integer(a.i[left], b.i[right]);
    if (!alike) at.next();
  }
}

void runPowScalar(KernelCall& c) {
  if (!c.inputs(1) || !c.make(0, c.input(0).shape, true)) return;
  auto exponent = static_cast<float>(c.number("rhs", c.number("exponent", 1.0)));
  for (size_t i = 0; i < c.out[0].f.size(); ++i)
    c.out[0].f[i] = std::pow(static_cast<float>(c.input(0).at(i)), exponent);
}

// The slope of the function at the second operand, times the first: what comes back through it.
void runBackward(KernelCall& c) {
  if (!c.inputs(2)) return;
  const std::optional<Shape> shape = broadcastOf(c.input(0).shape, c.input(1).shape);
  if (!c.need(shape.has_value(), "the operands do not broadcast") || !c.make(0, *shape, true)) return;
  const bool silu = bareName(c.op) == "silu_bw", tanh = c.word("approximate") == "tanh";
  Odometer at(*shape, {broadcastStrides(c.input(0).shape, *shape), broadcastStrides(c.input(1).shape, *shape)});
  for (size_t i = 0; i < c.out[0].f.size(); ++i, at.next()) {
    const auto x = static_cast<float>(c.input(1).at(at.offset(1)));
    float slope = 0;
    if (silu) {
      slope = sigmoid(x) * (1.0f + x * (1.0f - sigmoid(x)));
    } else if (tanh) {
      const float t = std::tanh(0.79788456f * (x + 0.044715f * x * x * x));
      slope = 0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * 0.79788456f * (1.0f + 3.0f * 0.044715f * x * x);
    } else {
      slope = 0.5f * (1.0f + std::erf(x * 0.70710678f)) + x * 0.39894228f * std::exp(-0.5f * x * x);
    }
    c.out[0].f[i] = static_cast<float>(c.input(0).at(at.offset(0))) * slope;
  }
}

// where(condition, on_true, on_false) and clamp_tensor(input, min, max).
void runTernary(KernelCall& c) {
  if (!c.inputs(3)) return;
  bool where = bareName(c.op) == "where";
  std::optional<Shape> shape = broadcastOf(c.input(0).shape, c.input(1).shape);
  if (shape) shape = broadcastOf(*shape, c.input(2).shape);
  bool real = c.input(1).real || c.input(2).real || (!where && c.input(0).real);
  if (!c.need(shape.has_value(), "the operands do not broadcast") || !c.make(0, *shape, real)) return;
  std::vector<std::vector<size_t>> strides;
  for (size_t i = 0; i < 3; ++i) strides.push_back(broadcastStrides(c.input(i).shape, *shape));
  Odometer at(*shape, std::move(strides));
  HostTensor& y = c.out[0];
  const bool alike = c.input(0).shape == *shape && c.input(1).shape == *shape && c.input(2).shape == *shape;
  const auto place = [&](size_t input, size_t i) { return alike ? i : at.offset(input); };
  for (size_t i = 0; i < y.size(); ++i) {
    if (where) {
      const size_t pick = c.input(0).at(place(0, i)) != 0.0 ? 1 : 2;
      const HostTensor& from = c.input(pick);
      if (real) y.f[i] = static_cast<float>(from.at(place(pick, i)));
      else y.i[i] = from.i[place(pick, i)];
    } else {
      y.set(i, std::min(std::max(c.input(0).at(place(0, i)), c.input(1).at(place(1, i))), c.input(2).at(place(2, i))));
    }
    if (!alike) at.next();
  }
}

}  // namespace

bool applyActivation(std::string_view name, HostTensor& tensor) {
  Unary f = name == "gelu" ? gelu : name == "gelu_approx" || name == "gelu_tanh" ? geluTanh : nullptr;
  if (f == nullptr) {
    const NamedUnary* found = findUnary(name);
    if (found == nullptr || !tensor.real) return false;
    f = found->f;
  }
  for (float& x : tensor.f) x = f(x);
  return true;
}

Kernel findUniformKernel(std::string_view name) {
  if (findUnary(name) != nullptr) return runUnary;
  return findBinary(name) != nullptr ? runBinary : nullptr;
}

constinit const NamedKernel kEltwiseKernels[] = {
    {"bitwise_not", runUnary},
    {"gelu", runGelu},
    {"gelu_bw", runBackward},
    {"silu_bw", runBackward},
    {"leaky_relu", runScaled},
    {"elu", runScaled},
    {"celu", runScaled},
    {"selu", runScaled},
    {"clamp_scalar", runClampScalar},
    {"typecast", runTypecast},
    {"to_dtype", runTypecast},
    {"pow_scalar", runPowScalar},
    {"where", runTernary},
    {"clamp_tensor", runTernary},
    {"", nullptr},
};

}  // namespace tessera
