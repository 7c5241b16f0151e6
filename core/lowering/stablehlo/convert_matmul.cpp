// Products and batch norms.

#include "core/lowering/stablehlo/convert.h"

namespace tessera::shlo {

bool dotGeneral(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 2)) return false;
  const Op& op = p.old(root);
  constexpr std::string_view kNumbers = "dot_dimension_numbers";
  std::vector<int64_t> batchLeft = listIn(op, kNumbers, "lhs_batching_dimensions"),
                       batchRight = listIn(op, kNumbers, "rhs_batching_dimensions"),
                       contractLeft = listIn(op, kNumbers, "lhs_contracting_dimensions"),
                       contractRight = listIn(op, kNumbers, "rhs_contracting_dimensions");
  const Shape &left = shapeOf(p, root, 0), &right = shapeOf(p, root, 1);
  auto joined = [](std::vector<int64_t> a, const std::vector<int64_t>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  std::vector<int64_t> usedLeft = joined(batchLeft, contractLeft), usedRight = joined(batchRight, contractRight);
  if (!dimsFit(usedLeft, left.size()) || !dimsFit(usedRight, right.size()) || batchLeft.size() != batchRight.size() ||
      contractLeft.size() != contractRight.size())
    return refuse(p, root, "its dims do not fit the operands");
  for (size_t i = 0; i < usedLeft.size(); ++i) {
    if (left[static_cast<size_t>(usedLeft[i])] != right[static_cast<size_t>(usedRight[i])])
      return refuse(p, root, "the dims it sums over have different sizes");
  }
  Shape shape;
  for (int64_t d : batchLeft) shape.push_back(left[static_cast<size_t>(d)]);
  auto rest = [&](const Shape& from, const std::vector<int64_t>& used) {
    std::vector<bool> gone(from.size(), false);
    for (int64_t d : used) gone[static_cast<size_t>(d)] = true;
    for (size_t d = 0; d < from.size(); ++d) {
      if (!gone[d]) shape.push_back(from[d]);
    }
  };
  rest(left, usedLeft);
  rest(right, usedRight);
  if (shape != p.resultShape(root)) return refuse(p, root, "its dims do not give the result's shape");
  return finish(p, root, OpKind::TtirDotGeneral, {p.in(root, 0), p.in(root, 1)},
                {{"batch_dims_lhs", intArrayAttr(std::move(batchLeft))},
                 {"contract_dims_lhs", intArrayAttr(std::move(contractLeft))},
                 {"batch_dims_rhs", intArrayAttr(std::move(batchRight))},
                 {"contract_dims_rhs", intArrayAttr(std::move(contractRight))}});
}

// The last dim of the left side with the first of the right.
bool dot(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 2)) return false;
  const Shape &left = shapeOf(p, root, 0), &right = shapeOf(p, root, 1);
  if (left.empty() || right.empty() || left.back() != right.front()) return refuse(p, root, "its operands do not fit");
  Shape shape(left.begin(), left.end() - 1);
  shape.insert(shape.end(), right.begin() + 1, right.end());
  if (shape != p.resultShape(root)) return refuse(p, root, "its operands do not give the result's shape");
  return finish(p, root, OpKind::TtirDotGeneral, {p.in(root, 0), p.in(root, 1)},
                {{"batch_dims_lhs", intArrayAttr({})},
                 {"contract_dims_lhs", intArrayAttr({static_cast<int64_t>(left.size()) - 1})},
                 {"batch_dims_rhs", intArrayAttr({})},
                 {"contract_dims_rhs", intArrayAttr({0})}});
}

namespace {

// The dim of the features when all further operands are 1-D of its size.
std::optional<size_t> featureDim(PatternRewriter& p, OpId root, size_t parameters) {
  int64_t dim = integer(p.old(root), "feature_index", -1);
  const Shape& x = shapeOf(p, root, 0);
  if (dim < 0 || dim >= static_cast<int64_t>(x.size())) return {};
  for (size_t i = 1; i <= parameters; ++i) {
    if (shapeOf(p, root, i) != Shape{x[static_cast<size_t>(dim)]}) return {};
  }
  return static_cast<size_t>(dim);
}

AttrList normAttrs(const Op& op, size_t dim) {
  return {{"dimension", intAttr(static_cast<int64_t>(dim), "i32")}, {"epsilon", f32Attr(number(op, "epsilon", 1e-5))}};
}

}  // namespace

bool batchNormInference(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 5)) return false;
  std::optional<size_t> dim = featureDim(p, root, 4);
  if (!dim || shapeOf(p, root, 0) != p.resultShape(root))
    return refuse(p, root, "its parameters do not fit the operand");
  return finish(p, root, OpKind::TtirBatchNormInference,
                {p.in(root, 0), p.in(root, 1), p.in(root, 2), p.in(root, 3), p.in(root, 4)},
                normAttrs(p.old(root), *dim));
}

namespace {

// Sums over all dims but that of the features, for the decompositions of batch norms.
struct FeatureMath {
  PatternRewriter& p;
  OpId root;
  size_t dim;
  Shape shape;

  ValueId sum(ValueId x) const {
    std::vector<int64_t> dims;
    for (size_t d = 0; d < shape.size(); ++d) {
      if (d != dim) dims.push_back(static_cast<int64_t>(d));
    }
    if (dims.empty()) return x;  // TTIR's sum over no dims is one over all
    return emit(p, root, OpKind::TtirSum, {x}, p.typeWith(p.typeOf(x), {shape[dim]}),
                {{"dim_arg", intListAttr(dims)}, {"keep_dim", boolAttr(false)}});
  }
  ValueId both(OpKind kind, ValueId a, ValueId b) const { return emit(p, root, kind, {a, b}, p.typeOf(a)); }
  ValueId spread(ValueId v) const { return broadcastTo(p, root, v, {static_cast<int64_t>(dim)}, shape); }
  ValueId scaled(ValueId v, double factor) const {
    return both(OpKind::TtirMultiply, v, fill(p, root, p.typeOf(v), factor));
  }
  ValueId inverseDeviation(ValueId variance, double epsilon) const {
    ValueId moved = both(OpKind::TtirAdd, variance, fill(p, root, p.typeOf(variance), epsilon));
    return emit(p, root, OpKind::TtirRsqrt, {moved}, p.typeOf(variance));
  }
  double countPerFeature() const {
    double count = 1;
    for (size_t d = 0; d < shape.size(); ++d) count *= d == dim ? 1.0 : static_cast<double>(shape[d]);
    return count;
  }
};

}  // namespace

// With running statistics that momentum 1 replaces by those of the batch.
bool batchNormTraining(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  if (!tensors(p, root, 3) || op.results.size() != 3) return refuse(p, root, "it has no three results");
  std::optional<size_t> dim = featureDim(p, root, 2);
  if (!dim || shapeOf(p, root, 0) != p.resultShape(root))
    return refuse(p, root, "its parameters do not fit the operand");
  const size_t rank = shapeOf(p, root, 0).size();
  if (rank < 2 || rank > 5) return refuse(p, root, "its operand has " + std::to_string(rank) + " dims, not 2 to 5");
  const ValueType statistics = p.typeOf(p.in(root, 1));
  OpSpec spec = makeOp(
      OpKind::TtirBatchNormTraining,
      {p.in(root, 0), p.in(root, 1), p.in(root, 2), fill(p, root, statistics, 0), fill(p, root, statistics, 1)}, {});
  for (ValueId result : op.results) spec.resultTypes.push_back(p.oldGraph().values[result].type);
  spec.attrs = normAttrs(op, *dim);
  spec.attrs.push_back({"momentum", f32Attr(1)});
  p.replace(root, std::move(spec));
  return true;
}

// Gradients of input, scale and offset. Operands: input, scale, mean, variance, gradient of the result.
bool batchNormGrad(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 5) || p.old(root).results.size() != 3) return refuse(p, root, "it has no three results");
  std::optional<size_t> dim = featureDim(p, root, 3);
  if (!dim || shapeOf(p, root, 0) != p.resultShape(root) || shapeOf(p, root, 4) != p.resultShape(root))
    return refuse(p, root, "its parameters do not fit the operand");
  FeatureMath f{p, root, *dim, shapeOf(p, root, 0)};
  ValueId gradient = p.in(root, 4);
  ValueId inverse = f.inverseDeviation(p.in(root, 3), number(p.old(root), "epsilon", 1e-5));
  ValueId centred = f.both(OpKind::TtirSubtract, p.in(root, 0), f.spread(p.in(root, 2)));
  ValueId normalized = f.both(OpKind::TtirMultiply, centred, f.spread(inverse));
  ValueId gradScale = f.sum(f.both(OpKind::TtirMultiply, gradient, normalized));
  ValueId gradOffset = f.sum(gradient);
  double share = 1.0 / std::max(f.countPerFeature(), 1.0);
  ValueId part = f.both(OpKind::TtirMultiply, normalized, f.spread(f.scaled(gradScale, share)));
  ValueId rest = f.both(OpKind::TtirSubtract, gradient, f.spread(f.scaled(gradOffset, share)));
  ValueId inner = f.both(OpKind::TtirSubtract, rest, part);
  ValueId factor = f.both(OpKind::TtirMultiply, p.in(root, 1), inverse);
  ValueId out = f.both(OpKind::TtirMultiply, inner, f.spread(factor));
  p.mapResult(root, 1, gradScale);
  p.mapResult(root, 2, gradOffset);
  return p.becomes(root, out);
}

}  // namespace tessera::shlo
