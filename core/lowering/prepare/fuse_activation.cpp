// relu, SiLU and GELU spelled out.

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/fuse.h"

namespace tessera {

namespace {
// Constants in dumps are rounded to bf16: 8 bits.
constexpr double kRounding = 1.0 / 128;

// The other operand of a commutative op when one of them is a constant of that number.
ValueId besideSplat(PatternRewriter& p, ValueId value, OpKind kind, double wanted) {
  double factor = 0;
  ValueId x = scaledBySplat(p, value, kind, factor);
  bool right = x.valid() && (factor > wanted ? factor - wanted : wanted - factor) <= kRounding * wanted;
  return right ? x : ValueId{};
}
}  // namespace

bool fuseRelu(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMaximum || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    ValueId x = p.in(root, side);
    if (!p.isTensor(x) || p.shape(x) != p.resultShape(root) || !p.splatIs(p.in(root, 1 - side), 0.0)) continue;
    p.replace(root, makeOp(OpKind::TtirRelu, {x}, {p.type(root)}), "relu from a maximum with zero");
    return true;
  }
  return false;
}

// x * sigmoid(x)
bool fuseSilu(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMultiply || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    OpId sigmoid = p.def(p.in(root, side), OpKind::TtirSigmoid);
    ValueId x = p.read(sigmoid, 0);
    if (!x.valid() || x != p.in(root, 1 - side)) continue;
    p.took(sigmoid);
    p.replace(root, makeOp(OpKind::TtirSilu, {x}, {p.type(root)}), "silu from x * sigmoid(x)");
    return true;
  }
  return false;
}

namespace {

// x of erf(x / sqrt(2)), or of the tanh approximation tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)).
ValueId insideErf(PatternRewriter& p, ValueId value) {
  OpId erf = p.def(value, OpKind::TtirErf);
  if (!erf.valid()) return {};
  p.took(erf);
  return besideSplat(p, p.read(erf, 0), OpKind::TtirMultiply, 0.70710678);
}

ValueId insideTanh(PatternRewriter& p, ValueId value) {
  OpId tanh = p.def(value, OpKind::TtirTanh);
  if (!tanh.valid()) return {};
  p.took(tanh);
  ValueId sum = besideSplat(p, p.read(tanh, 0), OpKind::TtirMultiply, 0.79788456);
  OpId add = p.def(sum, OpKind::TtirAdd);
  if (!add.valid()) return {};
  p.took(add);
  for (size_t side = 0; side < 2; ++side) {
    ValueId x = p.read(add, side);
    ValueId cube = besideSplat(p, p.read(add, 1 - side), OpKind::TtirMultiply, 0.044715);
    OpId pow = p.def(cube, OpKind::TtirPow);
    if (!x.valid() || !pow.valid() || p.read(pow, 0) != x || !p.splatIs(p.op(pow).operands[1], 3.0)) continue;
    p.took(pow);
    return x;
  }
  return {};
}

}  // namespace

// 0.5 * x * (1 + erf(x / sqrt(2))), and with tanh.
bool fuseGelu(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMultiply || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    ValueId one = besideSplat(p, p.in(root, side), OpKind::TtirAdd, 1.0);
    if (!one.valid()) continue;
    bool erf = p.def(one, OpKind::TtirErf).valid();
    ValueId x = erf ? insideErf(p, one) : insideTanh(p, one);
    ValueId half = x.valid() ? besideSplat(p, p.in(root, 1 - side), OpKind::TtirMultiply, 0.5) : ValueId{};
    if (!half.valid() || half != x) continue;
    OpSpec spec = makeOp(OpKind::TtirGelu, {x}, {p.type(root)});
    if (!erf) spec.attrs = {{"approximate", stringAttr("tanh")}};
    p.replace(root, std::move(spec), erf ? "gelu from its erf form" : "gelu from its tanh form");
    return true;
  }
  return false;
}

namespace {
// Ops that the library computes in f32 inside whatever the tensor's type.
bool computesWide(OpKind kind) {
  switch (kind) {
    case OpKind::TtirSilu:
    case OpKind::TtirGelu:
    case OpKind::TtirRelu:
    case OpKind::TtirSigmoid:
    case OpKind::TtirSoftmax:
    case OpKind::TtirRmsNorm:
    case OpKind::TtirRotaryEmbedding: return true;
    default: return false;
  }
}
}  // namespace

// To another float type, one op, and back: the op alone. A conversion to integers cuts off what the op would have seen.
// Attention takes any type, so the conversion behind it says what it gives.
bool fuseConversionsAround(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirTypecast) return false;
  ValueId value = p.in(root, 0);
  OpId made = p.def(value);
  if (!made.valid() || !p.isTensor(value) || p.op(made).operands.empty()) return false;
  DType to = p.type(root).tensor->dtype;
  bool attention = p.op(made).kind == OpKind::TtirScaledDotProductAttention;
  ValueId x = p.read(made, 0);
  if (!x.valid() || (!computesWide(p.op(made).kind) && !attention) || !isFloatType(to) || p.useCount(value) != 1)
    return false;
  OpSpec spec = p.specOf(made);
  if (attention) {
    if (p.dtype(x) != to) return false;
  } else {
    OpId widen = p.def(x, OpKind::TtirTypecast);
    ValueId source = p.read(widen, 0);
    if (!source.valid() || p.dtype(source) != to || !isFloatType(p.dtype(x))) return false;
    p.took(widen);
    spec.operands[0] = source;
  }
  for (size_t i = 0; i < spec.operands.size(); ++i) {
    if (i > 0 && !p.read(made, i).valid()) return false;
  }
  p.took(made);
  spec.resultTypes = {p.type(root)};
  p.replace(root, std::move(spec));
  return true;
}

}  // namespace tessera
