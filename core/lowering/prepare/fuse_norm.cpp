// Means, softmax and RMS norms spelled out.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lowering/prepare/fuse.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"

namespace tessera {

namespace {

std::vector<int64_t> reducedDims(const Op& op, size_t rank) {
  std::vector<int64_t> dims = PatternRewriter::ints(op, findAttr(op, "dim_arg") != nullptr ? "dim_arg" : "dim");
  for (int64_t& d : dims) d += d < 0 ? static_cast<int64_t>(rank) : 0;
  if (dims.empty()) {
    for (size_t d = 0; d < rank; ++d) dims.push_back(static_cast<int64_t>(d));
  }
  std::sort(dims.begin(), dims.end());
  return dims;
}

Shape keptShape(Shape shape, const std::vector<int64_t>& dims) {
  for (int64_t d : dims) shape[static_cast<size_t>(d)] = 1;
  return shape;
}

// A reduction of x that was given its dims back as ones: the op, when `value` is one of that kind, seen through views.
struct Reduced {
  OpId op;
  ValueId x;
  std::vector<int64_t> dims;
};
std::optional<Reduced> reducedFrom(PatternRewriter& p, ValueId value, OpKind kind) {
  if (!p.isTensor(value)) return {};
  Shape seen = p.shape(value);
  // A broadcast back to the full shape shows nothing new.
  if (OpId broadcast = p.def(value, OpKind::TtirBroadcast); broadcast.valid()) {
    value = p.read(broadcast, 0);
    if (!value.valid()) return {};
    p.took(broadcast);
    seen = p.shape(value);
  }
  ValueId inner = behindViews(p, value);
  OpId made = p.def(inner, kind);
  ValueId x = p.read(made, 0);
  if (!x.valid() || !p.isTensor(x)) return {};
  std::vector<int64_t> dims = reducedDims(p.op(made), p.shape(x).size());
  if (seen != keptShape(p.shape(x), dims)) return {};
  p.took(made);
  return Reduced{made, x, std::move(dims)};
}

}  // namespace

// sum * (1 / N), with N rounded as dumps round it.
bool fuseMean(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMultiply || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    ValueId value = p.in(root, side);
    OpId sum = p.def(value, OpKind::TtirSum);
    ValueId x = p.read(sum, 0);
    if (!x.valid() || p.shape(value) != p.resultShape(root) || !p.splat(p.in(root, 1 - side))) continue;
    double count = 1;
    for (int64_t d : reducedDims(p.op(sum), p.shape(x).size()))
      count *= static_cast<double>(p.shape(x)[static_cast<size_t>(d)]);
    if (count < 1 || !p.splatIs(p.in(root, 1 - side), 1.0 / count, 1.0 / 128)) continue;
    p.took(sum);
    OpSpec spec = makeOp(OpKind::TtirMean, {x}, {p.type(root)});
    spec.attrs = p.op(sum).attrs;
    p.replace(root, std::move(spec), "mean from sum / " + std::to_string(static_cast<int64_t>(count)));
    return true;
  }
  return false;
}

// The same over the rows and columns of images alone.
bool fuseImageMean(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMultiply || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    OpId sum = p.def(p.in(root, side), OpKind::TtirSum);
    ValueId x = p.read(sum, 0);
    if (x.valid() && p.shape(x).size() == 4 && reducedDims(p.op(sum), 4) == std::vector<int64_t>{2, 3})
      return fuseMean(p, root);
  }
  return false;
}

// A reduction that drops dims, and a reshape that gives them back as ones.
bool fuseReductionReshape(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirReshape || !p.isTensor(p.in(root, 0))) return false;
  OpId made = p.def(p.in(root, 0));
  if (!made.valid() || opInfo(p.op(made).kind).family != Family::Reduction || p.op(made).results.size() != 1)
    return false;
  ValueId x = p.read(made, 0);
  bool known = findAttr(p.op(made), "dim_arg") != nullptr && p.integer(p.op(made), "keep_dim", 0) == 0;
  if (!x.valid() || !known || p.op(made).kind == OpKind::TtirArgmax || p.op(made).kind == OpKind::TtirProd ||
      p.useCount(p.in(root, 0)) != 1)
    return false;
  std::vector<int64_t> dims = reducedDims(p.op(made), p.shape(x).size());
  if (p.resultShape(root) != keptShape(p.shape(x), dims)) return false;
  OpSpec spec = p.specOf(made);
  spec.operands = {x};
  spec.resultTypes = {p.type(root)};
  setAttribute(spec.attrs, "keep_dim", boolAttr(true));
  p.took(made);
  p.replace(root, std::move(spec));
  return true;
}

// exp(x - max(x)) / sum(exp(x - max(x)))
bool fuseSoftmax(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirDiv || p.inputs(root) < 2) return false;
  ValueId above = p.in(root, 0);
  OpId exp = p.def(above, OpKind::TtirExp);
  if (!exp.valid()) return false;
  std::optional<Reduced> sum = reducedFrom(p, p.in(root, 1), OpKind::TtirSum);
  if (!sum || sum->x != above) return false;
  if (sum->dims.size() != 1) {
    p.nearMiss(root, "a softmax over several dims");
    return false;
  }
  // The numerically stable form has the largest x subtracted.
  OpId subtract = p.def(p.read(exp, 0), OpKind::TtirSubtract);
  ValueId x = p.read(subtract, 0);
  std::optional<Reduced> max;
  size_t before = p.takenSoFar();
  if (x.valid()) max = reducedFrom(p, p.op(subtract).operands[1], OpKind::TtirMax);
  bool stable = max && max->x == x && max->dims == sum->dims && p.shape(x) == p.resultShape(root);
  if (!stable) {
    p.takeBack(before);
    x = p.read(exp, 0);
  }
  if (!x.valid()) {
    p.nearMiss(root, "exp(x) / sum(exp(x)) whose x has been written into since");
    return false;
  }
  if (p.shape(x) != p.resultShape(root)) {
    p.nearMiss(root, "exp(x) / sum(exp(x)) that has another shape than x");
    return false;
  }
  if (p.useCount(above) > 2 || p.useCount(p.in(root, 1)) != 1) {
    p.nearMiss(root, "exp(x) / sum(exp(x)) whose exp or sum is also read elsewhere");
    return false;
  }
  if (stable) p.took(subtract);
  p.took(exp);
  OpSpec spec = makeOp(OpKind::TtirSoftmax, {x}, {p.type(root)});
  spec.attrs = {{"dimension", intAttr(sum->dims[0], "si32")}, {"numericStable", boolAttr(stable)}};
  p.replace(root, std::move(spec), stable ? "softmax from exp(x - max) / sum" : "softmax from exp(x) / sum");
  return true;
}

namespace {

bool isMinusInfinity(const PatternRewriter& p, ValueId value) {
  std::optional<double> number = p.splat(value);
  return number && *number == -std::numeric_limits<double>::infinity();
}

// x == -inf, for the x of that softmax.
bool isMaskedScore(PatternRewriter& p, ValueId value, ValueId x) {
  OpId compare = p.def(value, OpKind::TtirEq);
  if (!compare.valid() || !isMinusInfinity(p, p.op(compare).operands[1])) return false;
  ValueId compared = behindCasts(p, p.read(compare, 0));
  if (compared != x && behindCasts(p, x) != compared) return false;
  p.took(compare);
  return true;
}

// any(x != -inf): "the row is not masked altogether".
bool isAnyUnmasked(PatternRewriter& p, ValueId value, ValueId x) {
  OpId any = p.def(behindViews(p, value), OpKind::TtirReduceOr);
  OpId negation = p.def(p.read(any, 0), OpKind::TtirLogicalNot);
  if (!negation.valid() || !isMaskedScore(p, p.read(negation, 0), x)) return false;
  for (OpId made : {any, negation}) p.took(made);
  return true;
}

// not any(x != -inf), or all(x == -inf).
bool isAllMasked(PatternRewriter& p, ValueId value, ValueId x) {
  value = behindViews(p, value);
  if (OpId all = p.def(value, OpKind::TtirReduceAnd); all.valid()) {
    if (!isMaskedScore(p, p.read(all, 0), x)) return false;
    p.took(all);
    return true;
  }
  OpId negation = p.def(value, OpKind::TtirLogicalNot);
  if (!negation.valid() || !isAnyUnmasked(p, p.read(negation, 0), x)) return false;
  p.took(negation);
  return true;
}

}  // namespace

// where(all of the row is -inf, 0, softmax): for rows that are not masked altogether the softmax alone.
bool fuseMaskedSoftmax(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirWhere || p.inputs(root) < 3) return false;
  for (size_t side = 1; side < 3; ++side) {
    OpId softmax = p.def(p.in(root, side), OpKind::TtirSoftmax);
    ValueId x = p.read(softmax, 0);
    if (!x.valid() || !p.splatIs(p.in(root, 3 - side), 0.0) || p.shape(p.in(root, side)) != p.resultShape(root))
      continue;
    // The softmax is for the rows that fulfil the condition, or for the others.
    if (side == 1 ? !isAnyUnmasked(p, p.in(root, 0), x) : !isAllMasked(p, p.in(root, 0), x)) continue;
    p.took(softmax);
    p.replace(root, p.specOf(softmax), "softmax; the guard for rows that are masked altogether is left to the kernel");
    return true;
  }
  return false;
}

// x * rsqrt(mean(x^2) + epsilon)
bool fuseRmsNorm(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMultiply || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    ValueId x = p.in(root, 1 - side);
    if (!p.isTensor(x) || p.shape(x) != p.resultShape(root)) continue;
    ValueId inverse = behindViews(p, p.in(root, side));
    OpId rsqrt = p.def(inverse, OpKind::TtirRsqrt);
    if (!rsqrt.valid()) continue;
    double epsilon = 0;
    ValueId mean = scaledBySplat(p, p.read(rsqrt, 0), OpKind::TtirAdd, epsilon);
    std::optional<Reduced> square = mean.valid() ? reducedFrom(p, mean, OpKind::TtirMean) : std::nullopt;
    if (!square) continue;
    OpId pow = p.def(square->x, OpKind::TtirPow), times = p.def(square->x, OpKind::TtirMultiply);
    bool squared = pow.valid() ? p.read(pow, 0) == x && p.splatIs(p.op(pow).operands[1], 2.0)
                               : times.valid() && p.read(times, 0) == x && p.read(times, 1) == x;
    bool last = square->dims == std::vector<int64_t>{static_cast<int64_t>(p.shape(x).size()) - 1};
    // The root mean must stand beside the rows it was taken of.
    bool beside = p.isTensor(p.in(root, side)) && (p.shape(p.in(root, side)) == keptShape(p.shape(x), square->dims) ||
                                                   p.shape(p.in(root, side)) == p.shape(x));
    if (!squared || !last || !beside) {
      p.nearMiss(root, !last ? "an RMS norm over another dim than the last"
                             : "the mean is not of the squares of the same tensor");
      continue;
    }
    for (OpId made : {rsqrt, pow.valid() ? pow : times}) p.took(made);
    OpSpec spec = makeOp(OpKind::TtirRmsNorm, {x}, {p.type(root)});
    spec.attrs = {{"epsilon", f32Attr(epsilon)},
                  {"normalized_shape", intArrayAttr({p.shape(x).back()})},
                  {"operandSegmentSizes", intArrayAttr({1, 0, 0}, "i32")}};
    p.replace(root, std::move(spec), "rms_norm from x * rsqrt(mean(x^2) + epsilon)");
    return true;
  }
  return false;
}

// rms_norm(x) * weight, with a conversion in between.
bool fuseRmsNormWeight(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMultiply || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    ValueId normed = p.in(root, side), weight = p.in(root, 1 - side);
    OpId norm = p.def(normed, OpKind::TtirRmsNorm);
    if (!norm.valid()) {
      OpId cast = p.def(normed, OpKind::TtirTypecast);
      norm = p.def(p.read(cast, 0), OpKind::TtirRmsNorm);
      if (!norm.valid()) continue;
      p.took(cast);
    }
    ValueId x = p.read(norm, 0);
    if (!x.valid() || p.op(norm).operands.size() != 1 || !p.isTensor(weight)) continue;
    int64_t width = p.shape(x).back();
    if (withoutLeadingOnes(p.shape(weight)) != Shape{width} || p.shape(normed) != p.resultShape(root)) continue;
    p.took(norm);
    OpId widen = p.def(x, OpKind::TtirTypecast);
    ValueId source = p.read(widen, 0);
    if (source.valid() && p.dtype(source) == p.type(root).tensor->dtype) {
      p.took(widen);
      x = source;
    }
    OpSpec spec = p.specOf(norm);
    spec.operands = {x, p.emitReshape(root, weight, {width})};
    spec.resultTypes = {p.type(root)};
    for (Attribute& a : spec.attrs) {
      if (a.name == "operandSegmentSizes") a.value = intArrayAttr({1, 1, 0}, "i32");
    }
    p.replace(root, std::move(spec), "rms_norm with its weight");
    return true;
  }
  return false;
}

// A layer norm whose 1 / N is an argument: nothing says that it is one.
bool explainLayerNorm(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMultiply || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    OpId root2 = p.def(p.in(root, side), OpKind::TtirReciprocal);
    OpId sqrt = p.def(p.read(root2, 0), OpKind::TtirSqrt);
    OpId centered = p.def(p.in(root, 1 - side), OpKind::TtirSubtract);
    if (sqrt.valid() && centered.valid())
      p.nearMiss(root, "a layer norm whose 1/N and epsilon are arguments of the function, not constants");
  }
  return false;
}

}  // namespace tessera
