// By name only: ops of several steps that a backend without kernels for them is given step by step (after tt-mlir
// lib/Dialect/TTIR/Transforms/DecomposeComposites.cpp).

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lowering/prepare/prepare.h"
#include "core/lowering/prepare/view_map.h"
#include "core/ops/shapes/shape_rules.h"

namespace tessera {

namespace {

// Steps on the way to one root.
struct Steps {
  PatternRewriter& p;
  OpId root;

  ValueId make(OpKind kind, std::vector<ValueId> operands, const ValueType& type, std::vector<Attribute> attrs = {}) {
    OpSpec spec = makeOp(kind, std::move(operands), {type});
    spec.attrs = std::move(attrs);
    return p.emit(root, std::move(spec));
  }
  ValueId full(const ValueType& type, double number) {
    return make(OpKind::TtirFull, {}, type,
                {{"fill_value", f32Attr(number)}, {"shape", intArrayAttr(type.tensor->shape, "i32")}});
  }
  ValueType with(ValueId like, Shape shape) const { return p.typeWith(p.typeOf(like), std::move(shape)); }
  // Over the dims, which stay with size one.
  ValueId reduce(OpKind kind, ValueId x, const std::vector<int64_t>& dims) {
    Shape shape = p.shape(x);
    for (int64_t dim : dims) shape[static_cast<size_t>(dim)] = 1;
    return make(kind, {x}, with(x, shape), {{"dim_arg", intListAttr(dims)}, {"keep_dim", boolAttr(true)}});
  }
  // Of the rank of `like`, with ones in front.
  ValueId spread(ValueId value, size_t rank) {
    Shape shape = p.shape(value);
    if (shape.size() < rank) shape.insert(shape.begin(), rank - shape.size(), 1);
    return p.emitReshape(root, value, shape);
  }
  void becomes(ValueId value) { p.mapResult(root, 0, value); }
};

int64_t roleAt(const PatternRewriter& p, OpId root, size_t role) {
  const std::vector<int64_t> sizes = p.ints(p.old(root), "operandSegmentSizes");
  if (sizes.empty()) return role < p.inputs(root) ? static_cast<int64_t>(role) : -1;
  if (role >= sizes.size() || sizes[role] < 1) return -1;
  int64_t at = 0;
  for (size_t i = 0; i < role; ++i) at += std::max<int64_t>(sizes[i], 0);
  return at < static_cast<int64_t>(p.old(root).operands.size()) ? at : -1;
}

ValueId roleOf(const PatternRewriter& p, OpId root, size_t role) {
  const int64_t at = roleAt(p, root, role);
  return at < 0 ? ValueId{} : p.in(root, static_cast<size_t>(at));
}

// exp(x - max x) / sum of that; without the maximum where nobody asks for it.
ValueId softmaxSteps(Steps& s, ValueId x, int64_t dim, bool stable) {
  const ValueType type = s.p.typeOf(x);
  if (stable) x = s.make(OpKind::TtirSubtract, {x, s.reduce(OpKind::TtirMax, x, {dim})}, type);
  const ValueId e = s.make(OpKind::TtirExp, {x}, type);
  return s.make(OpKind::TtirDiv, {e, s.reduce(OpKind::TtirSum, e, {dim})}, type);
}

bool softmaxToSteps(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirSoftmax || !p.isTensor(p.in(root, 0))) return false;
  const auto rank = static_cast<int64_t>(p.resultShape(root).size());
  int64_t dim = p.integer(p.old(root), "dimension", -1);
  dim += dim < 0 ? rank : 0;
  if (dim < 0 || dim >= rank) return false;
  Steps s{p, root};
  const bool stable = p.integer(p.old(root), "numericStable", p.integer(p.old(root), "numeric_stable", 0)) != 0;
  s.becomes(softmaxSteps(s, p.in(root, 0), dim, stable));
  return true;
}

// x / sqrt(mean of squares + epsilon), of the layer norm with the mean taken away first; times the weight, plus the
// bias.
bool normToSteps(PatternRewriter& p, OpId root) {
  const bool centered = p.kind(root) == OpKind::TtirLayerNorm;
  if ((!centered && p.kind(root) != OpKind::TtirRmsNorm) || !p.isTensor(p.in(root, 0))) return false;
  ValueId x = p.in(root, 0);
  const ValueType type = p.typeOf(x);
  const size_t rank = p.shape(x).size(), normalized = p.ints(p.old(root), "normalized_shape").size();
  if (normalized == 0 || normalized > rank) return false;
  std::vector<int64_t> dims;
  for (size_t d = rank - normalized; d < rank; ++d) dims.push_back(static_cast<int64_t>(d));
  Steps s{p, root};
  // Means of the layer norm are taken over one dim at a time, from the last on.
  const auto mean = [&](ValueId value) {
    if (!centered) return s.reduce(OpKind::TtirMean, value, dims);
    for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) value = s.reduce(OpKind::TtirMean, value, {*dim});
    return value;
  };
  if (centered) x = s.make(OpKind::TtirSubtract, {x, mean(x)}, type);
  const ValueId squares = mean(s.make(OpKind::TtirMultiply, {x, x}, type));
  const ValueType one = p.typeOf(squares);
  const AttrValue* epsilon = findAttr(p.old(root), "epsilon");
  const ValueId sum = s.make(OpKind::TtirAdd, {squares, s.full(one, epsilon != nullptr ? epsilon->number : 1e-5)}, one);
  ValueId out = s.make(OpKind::TtirMultiply, {x, s.make(OpKind::TtirRsqrt, {sum}, one)}, type);
  if (const ValueId weight = roleOf(p, root, 1); p.isTensor(weight))
    out = s.make(OpKind::TtirMultiply, {out, s.spread(weight, rank)}, type);
  if (const ValueId bias = roleOf(p, root, 2); p.isTensor(bias))
    out = s.make(OpKind::TtirAdd, {out, s.spread(bias, rank)}, type);
  s.becomes(out);
  return true;
}

// 0 where a query may look at a key, minus infinity where the key comes later.
ValueId laterKeysHidden(Steps& s, ValueId like, int64_t queries, int64_t keys) {
  const ValueType type = s.with(like, {1, 1, queries, keys});
  const auto count = [&](int64_t dim, int64_t end) {
    return s.make(OpKind::TtirArange, {}, type,
                  {{"arange_dimension", intAttr(dim)},
                   {"end", intAttr(end, "si64")},
                   {"start", intAttr(0, "si64")},
                   {"step", intAttr(1, "si64")}});
  };
  const ValueId row = count(2, queries), column = count(3, keys);
  const ValueId seen = s.make(OpKind::TtirGe, {row, column}, type);
  const ValueId zero = s.full(type, 0), never = s.full(type, -std::numeric_limits<double>::infinity());
  return s.make(OpKind::TtirWhere, {seen, zero, never}, type);
}

// softmax(q k^T * scale + mask) v. Heads of queries that share one of keys become rows of one product.
bool attentionToSteps(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirScaledDotProductAttention || p.inputs(root) < 3) return false;
  const ValueId query = p.in(root, 0), key = p.in(root, 1), value = p.in(root, 2);
  const bool known = findAttr(p.old(root), "sliding_window_size") == nullptr && !roleOf(p, root, 4).valid() &&
                     p.shape(query).size() == 4 && p.shape(key).size() == 4 && p.shape(value).size() == 4;
  if (!known) return false;
  const Shape q = p.shape(query), k = p.shape(key);
  if (k[1] < 1 || q[1] % k[1] != 0) return false;
  const int64_t rows = q[1] / k[1] * q[2];
  const Shape grouped = {q[0], k[1], rows, q[3]}, scores = {q[0], q[1], q[2], k[2]},
              groupedScores = {q[0], k[1], rows, k[2]}, groupedOut = {q[0], k[1], rows, p.shape(value)[3]};
  Steps s{p, root};
  const auto product = [&](ValueId a, ValueId b, const Shape& shape) {
    return s.make(OpKind::TtirMatmul, {a, b}, s.with(query, shape),
                  {{"transpose_a", boolAttr(false)}, {"transpose_b", boolAttr(false)}});
  };
  const ValueId grouping = p.emitReshape(root, query, grouped);
  ValueId x = product(grouping, p.emitPermute(root, key, {0, 1, 3, 2}), groupedScores);
  x = p.emitReshape(root, x, scores);
  const ValueType type = p.typeOf(x);
  const AttrValue* scale = findAttr(p.old(root), "scale");
  const double factor = scale != nullptr ? scale->number : 1.0 / std::sqrt(static_cast<double>(q[3]));
  x = s.make(OpKind::TtirMultiply, {x, s.full(type, factor)}, type);
  if (const ValueId mask = roleOf(p, root, 3); p.isTensor(mask)) x = s.make(OpKind::TtirAdd, {x, mask}, type);
  // Unless it says otherwise a query does not look ahead.
  if (p.integer(p.old(root), "is_causal", 1) != 0)
    x = s.make(OpKind::TtirAdd, {x, laterKeysHidden(s, query, q[2], k[2])}, type);
  x = p.emitReshape(root, softmaxSteps(s, x, 3, true), groupedScores);
  s.becomes(p.emitReshape(root, product(x, value, groupedOut), p.resultShape(root)));
  return true;
}

// Copies side by side, doubled as long as the count allows: few ops for many copies.
bool repeatToConcats(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirRepeat || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  const std::vector<int64_t> counts = p.ints(p.old(root), "repeat_dimensions");
  if (counts.size() != p.shape(value).size() || p.resultShape(root).size() != counts.size()) return false;
  if (std::any_of(counts.begin(), counts.end(), [](int64_t count) { return count < 1; })) return false;
  Steps s{p, root};
  for (size_t dim = 0; dim < counts.size(); ++dim) {
    const auto join = [&](const std::vector<ValueId>& parts) {
      Shape shape = p.shape(parts[0]);
      shape[dim] = 0;
      for (ValueId part : parts) shape[dim] += p.shape(part)[dim];
      return s.make(OpKind::TtirConcat, parts, s.with(parts[0], shape),
                    {{"dim", intAttr(static_cast<int64_t>(dim), "si32")}});
    };
    std::vector<ValueId> parts;
    for (int64_t left = counts[dim]; left > 0; left /= 2) {
      if (left % 2 != 0) parts.push_back(value);
      if (left > 1) value = join({value, value});
    }
    value = parts.size() == 1 ? parts[0] : join(parts);
  }
  s.becomes(value);
  return true;
}

}  // namespace

PassResult ttirDecomposeComposites(const Graph& graph, const PassContext&) {
  return PatternRewriter(graph).run({attentionToSteps, normToSteps, repeatToConcats, softmaxToSteps});
}

}  // namespace tessera
