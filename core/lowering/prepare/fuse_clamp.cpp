// Ops that cut off at numbers, spelled out: relu6, hardsigmoid, mish, clamps.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/fuse.h"
#include "core/lowering/prepare/view_map.h"

namespace tessera {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct CutRange {
  double low = -kInfinity, high = kInfinity;
  int ops = 0;
};

// The fallback where the op does not say it; nothing where what it says is no number.
std::optional<double> attrNumber(const Op& op, std::string_view name, double fallback) {
  const AttrValue* attr = findAttr(op, name);
  if (attr == nullptr) return fallback;
  if (attr->kind == AttrValueKind::Integer) return static_cast<double>(attr->integer);
  return attr->kind == AttrValueKind::Float ? std::optional(attr->number) : std::nullopt;
}

// What the op cuts its operand to, and which operand that is; none when it is another op.
std::optional<CutRange> cutOf(const PatternRewriter& p, const Op& op, size_t& operand) {
  CutRange cut;
  operand = 0;
  switch (op.kind) {
    case OpKind::TtirRelu: cut.low = 0; return cut;
    case OpKind::TtirRelu6: cut = {0, 6}; return cut;
    case OpKind::TtirClampScalar:
    case OpKind::TtirClampTensor: {
      const bool scalar = op.kind == OpKind::TtirClampScalar;
      std::optional<double> low = scalar ? attrNumber(op, "min", -kInfinity) : p.splat(op.operands[1]),
                            high = scalar ? attrNumber(op, "max", kInfinity) : p.splat(op.operands[2]);
      if (!low || !high) return {};
      cut = {*low, *high};
      return cut;
    }
    case OpKind::TtirMaximum:
    case OpKind::TtirMinimum:
      for (size_t side = 0; side < 2; ++side) {
        std::optional<double> number = p.splat(op.operands[1 - side]);
        if (!number) continue;
        operand = side;
        (op.kind == OpKind::TtirMaximum ? cut.low : cut.high) = *number;
        return cut;
      }
      return {};
    default: return {};
  }
}

// The value before a chain of cuts. Where the ranges do not overlap the order matters, and the chain ends.
ValueId beforeCuts(PatternRewriter& p, ValueId value, CutRange& range) {
  const Shape shape = p.shape(value);
  for (int depth = 0; depth < 4; ++depth) {
    OpId made = p.def(value);
    size_t operand = 0;
    if (!made.valid()) break;
    std::optional<CutRange> cut = cutOf(p, p.op(made), operand);
    ValueId source = cut ? p.read(made, operand) : ValueId{};
    if (!source.valid() || !p.isTensor(source) || p.shape(source) != shape || cut->low > range.high ||
        cut->high < range.low)
      break;
    range.low = std::max(range.low, cut->low);
    range.high = std::min(range.high, cut->high);
    ++range.ops;
    p.took(made);
    value = source;
  }
  return value;
}

}  // namespace

// clamp(x, a, b) with numbers for both ends.
bool clampTensorToScalar(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirClampTensor || p.inputs(root) < 3 || !p.isTensor(p.in(root, 0))) return false;
  std::optional<double> low = p.splat(p.in(root, 1)), high = p.splat(p.in(root, 2));
  if (!low || !high || p.shape(p.in(root, 0)) != p.resultShape(root)) return false;
  OpSpec spec = makeOp(OpKind::TtirClampScalar, {p.in(root, 0)}, {p.type(root)});
  auto bound = [&](double number) {
    if (isFloatType(p.type(root).tensor->dtype)) return f32Attr(number);
    return intAttr(static_cast<int64_t>(std::clamp(number, -2147483648.0, 2147483647.0)), "i32");
  };
  spec.attrs = {{"min", bound(*low)}, {"max", bound(*high)}};
  p.replace(root, std::move(spec));
  return true;
}

// min(relu(x), 6) in its spellings.
bool fuseRelu6(PatternRewriter& p, OpId root) {
  bool cuts = p.kind(root) == OpKind::TtirMinimum || p.kind(root) == OpKind::TtirMaximum ||
              p.kind(root) == OpKind::TtirClampScalar;
  if (!cuts || !p.isTensor(p.in(root, 0))) return false;
  Op seen = p.old(root);
  for (size_t i = 0; i < p.inputs(root); ++i) seen.operands[i] = p.in(root, i);
  size_t operand = 0;
  std::optional<CutRange> range = cutOf(p, seen, operand);
  if (!range || !p.isTensor(seen.operands[operand])) return false;
  ValueId x = beforeCuts(p, seen.operands[operand], *range);
  if (range->ops == 0 || range->low != 0 || range->high != 6 || p.shape(x) != p.resultShape(root)) return false;
  p.replace(root, makeOp(OpKind::TtirRelu6, {x}, {p.type(root)}), "relu6 from cuts at 0 and 6");
  return true;
}

// relu6(x + 3) / 6
bool fuseHardsigmoid(PatternRewriter& p, OpId root) {
  bool divides = p.kind(root) == OpKind::TtirDiv;
  if ((!divides && p.kind(root) != OpKind::TtirMultiply) || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < (divides ? 1u : 2u); ++side) {
    if (!p.isTensor(p.in(root, side)) || !p.splatIs(p.in(root, 1 - side), divides ? 6.0 : 1.0 / 6, 1.0 / 128)) continue;
    CutRange range;
    ValueId sum = beforeCuts(p, p.in(root, side), range);
    if (range.low != 0 || range.high != 6) continue;
    OpId add = p.def(sum, OpKind::TtirAdd);
    for (size_t place = 0; add.valid() && place < 2; ++place) {
      ValueId x = p.read(add, place);
      if (!x.valid() || !p.splatIs(p.op(add).operands[1 - place], 3.0) || p.shape(x) != p.resultShape(root)) continue;
      p.took(add);
      p.replace(root, makeOp(OpKind::TtirHardsigmoid, {x}, {p.type(root)}), "hardsigmoid from relu6(x + 3) / 6");
      return true;
    }
  }
  return false;
}

namespace {

// x of log(1 + exp(x)), which may be cut to x itself where x is large.
ValueId insideSoftplus(PatternRewriter& p, ValueId value) {
  ValueId guarded;
  if (OpId where = p.def(value, OpKind::TtirWhere); where.valid()) {
    OpId compare = p.def(p.read(where, 0), OpKind::TtirGt);
    guarded = p.read(where, 1);
    if (!compare.valid() || p.read(compare, 0) != guarded || !p.splatIs(p.op(compare).operands[1], 20.0)) return {};
    value = p.read(where, 2);
    p.took(where);
    p.took(compare);
  }
  OpId log = p.def(value, OpKind::TtirLog1p), exp = p.def(p.read(log, 0), OpKind::TtirExp);
  ValueId x = p.read(exp, 0);
  if (!x.valid() || (guarded.valid() && guarded != x)) return {};
  p.took(log);
  p.took(exp);
  return x;
}

}  // namespace

// x * tanh(softplus(x)); both sides may be converted before they are multiplied.
bool fuseMish(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMultiply || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    ValueId left = behindCasts(p, p.in(root, 1 - side)), right = behindCasts(p, p.in(root, side));
    OpId tanh = p.def(right, OpKind::TtirTanh);
    if (!tanh.valid() || !p.isTensor(left)) continue;
    ValueId x = insideSoftplus(p, p.read(tanh, 0));
    if (!x.valid() || x != left || p.shape(x) != p.resultShape(root)) continue;
    p.took(tanh);
    OpSpec mish = makeOp(OpKind::TtirMish, {x}, {p.typeOf(x)});
    if (p.dtype(x) == p.type(root).tensor->dtype) {
      p.replace(root, std::move(mish), "mish from x * tanh(softplus(x))");
      return true;
    }
    ValueId made = p.emit(root, std::move(mish));
    p.replace(root, makeOp(OpKind::TtirTypecast, {made}, {p.type(root)}), "mish from x * tanh(softplus(x))");
    return true;
  }
  return false;
}

}  // namespace tessera
