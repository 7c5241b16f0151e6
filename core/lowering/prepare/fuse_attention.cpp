// Rotary embeddings and scaled dot-product attention spelled out.

#include <algorithm>

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/fuse.h"
#include "core/lowering/prepare/views.h"

namespace tessera {

namespace {

// Half of x's last dim, the second half when `upper`.
bool isHalf(PatternRewriter& p, ValueId value, ValueId x, bool upper) {
  OpId slice = p.def(value, OpKind::TtirSliceStatic);
  if (!slice.valid() || p.read(slice, 0) != x) return false;
  const Shape& whole = p.shape(x);
  std::vector<int64_t> begins = p.ints(p.op(slice), "begins"), ends = p.ints(p.op(slice), "ends"),
                       steps = p.ints(p.op(slice), "step");
  if (begins.size() != whole.size() || ends.size() != whole.size()) return false;
  for (size_t d = 0; d < whole.size(); ++d) {
    bool last = d + 1 == whole.size();
    int64_t begin = last && upper ? whole[d] / 2 : 0, end = last && !upper ? whole[d] / 2 : whole[d];
    if (begins[d] != begin || ends[d] != end || (d < steps.size() && steps[d] != 1)) return false;
  }
  p.took(slice);
  return true;
}

// concat(-upper half, lower half) of x: the x, or none.
ValueId rotatedHalf(PatternRewriter& p, ValueId value) {
  OpId concat = p.def(value, OpKind::TtirConcat);
  if (!concat.valid() || p.op(concat).operands.size() < 2) return {};
  OpId neg = p.def(p.read(concat, 0), OpKind::TtirNeg);
  OpId upper = p.def(p.read(neg, 0), OpKind::TtirSliceStatic);
  ValueId x = p.read(upper, 0);
  if (!x.valid() || p.shape(x).empty() || p.shape(x).back() % 2 != 0) return {};
  int64_t dim = p.integer(p.op(concat), "dim", 0);
  if (dim != static_cast<int64_t>(p.shape(x).size()) - 1 && dim != -1) return {};
  if (!isHalf(p, p.read(neg, 0), x, true) || !isHalf(p, p.read(concat, 1), x, false)) return {};
  p.took(concat);
  p.took(neg);
  return x;
}

// The kernel takes four dims and reads a row of cos and of sin for every row of x.
bool rowsFit(PatternRewriter& p, OpId root, ValueId x, ValueId cosine, ValueId sine) {
  const Shape &whole = p.shape(x), &numbers = p.shape(cosine);
  const char* why = nullptr;
  if (numbers != p.shape(sine)) why = "a rotary embedding whose cos and sin have different shapes";
  else if (whole.size() >= 2 && (numbers.size() < 2 || numbers[numbers.size() - 2] < whole[whole.size() - 2]))
    why = "a rotary embedding with fewer rows of cos and sin than of x";
  else if (whole.size() != 4) why = "a rotary embedding of other than four dims";
  if (why != nullptr) p.nearMiss(root, why);
  return why == nullptr;
}

// The operands of a product of a half of x with something: which half, what with.
struct HalfProduct {
  ValueId x, factor;
  bool upper = false;
};

std::optional<HalfProduct> halfProduct(PatternRewriter& p, ValueId value) {
  OpId product = p.def(value, OpKind::TtirMultiply);
  for (size_t side = 0; side < 2 && product.valid(); ++side) {
    const ValueId half = p.read(product, side), factor = p.read(product, 1 - side);
    const ValueId x = p.read(p.def(half, OpKind::TtirSliceStatic), 0);
    if (!x.valid() || !factor.valid() || !p.isTensor(factor) || p.shape(x).empty() || p.shape(x).back() % 2 != 0)
      continue;
    for (bool upper : {false, true}) {
      if (!isHalf(p, half, x, upper)) continue;
      p.took(product);
      return HalfProduct{x, factor, upper};
    }
  }
  return {};
}

// lower * a - upper * b, or upper * a + lower * b: x, a and b.
struct RotatedPart {
  ValueId x, cosine, sine;
};

std::optional<RotatedPart> rotatedPart(PatternRewriter& p, ValueId value, bool upper) {
  OpId sum = p.def(value, upper ? OpKind::TtirAdd : OpKind::TtirSubtract);
  for (size_t side = 0; side < (upper ? 2u : 1u) && sum.valid(); ++side) {
    const size_t taken = p.takenSoFar();
    const std::optional<HalfProduct> first = halfProduct(p, p.read(sum, side)),
                                     second = halfProduct(p, p.read(sum, 1 - side));
    if (first && second && first->x == second->x && first->upper == upper && second->upper != upper) {
      p.took(sum);
      return RotatedPart{first->x, first->factor, second->factor};
    }
    p.takeBack(taken);
  }
  return {};
}

}  // namespace

// x * cos + rotate_half(x) * sin
bool fuseRotaryEmbedding(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirAdd || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    OpId rotated = p.def(p.in(root, side), OpKind::TtirMultiply),
         straight = p.def(p.in(root, 1 - side), OpKind::TtirMultiply);
    if (!rotated.valid() || !straight.valid()) continue;
    for (size_t half = 0; half < 2; ++half) {
      ValueId x = rotatedHalf(p, p.read(rotated, half));
      if (!x.valid() || p.shape(x) != p.resultShape(root)) continue;
      ValueId sine = p.read(rotated, 1 - half);
      ValueId cosine = p.read(straight, 0) == x   ? p.read(straight, 1)
                       : p.read(straight, 1) == x ? p.read(straight, 0)
                                                  : ValueId{};
      if (!sine.valid() || !cosine.valid() || !p.isTensor(sine) || !p.isTensor(cosine)) continue;
      if (!rowsFit(p, root, x, cosine, sine)) continue;
      p.took(rotated);
      p.took(straight);
      p.replace(root, makeOp(OpKind::TtirRotaryEmbedding, {x, cosine, sine}, {p.type(root)}),
                "rotary_embedding from x * cos + rotate_half(x) * sin");
      return true;
    }
  }
  return false;
}

// concat(lower * cos - upper * sin, upper * cos + lower * sin): cos and sin of half the width, twice.
bool fuseSplitRotaryEmbedding(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirConcat || p.inputs(root) != 2) return false;
  const int64_t dim = p.integer(p.old(root), "dim", 0), last = static_cast<int64_t>(p.resultShape(root).size()) - 1;
  if (dim != last && dim != -1) return false;
  const std::optional<RotatedPart> lower = rotatedPart(p, p.in(root, 0), false),
                                   upper = rotatedPart(p, p.in(root, 1), true);
  const bool same = lower && upper && lower->x == upper->x && lower->cosine == upper->cosine &&
                    lower->sine == upper->sine && p.shape(lower->x) == p.resultShape(root);
  if (!same || p.shape(lower->cosine).empty() || p.shape(lower->cosine).back() * 2 != p.resultShape(root).back() ||
      !rowsFit(p, root, lower->x, lower->cosine, lower->sine))
    return false;
  const auto twice = [&](ValueId numbers) {
    Shape wide = p.shape(numbers);
    wide.back() *= 2;
    const auto along = static_cast<int64_t>(wide.size()) - 1;
    OpSpec spec = makeOp(OpKind::TtirConcat, {numbers, numbers}, {p.typeWith(p.typeOf(numbers), std::move(wide))});
    spec.attrs = {{"dim", intAttr(along, "si32")}};
    return p.emit(root, std::move(spec));
  };
  const ValueId cosine = twice(lower->cosine), sine = twice(lower->sine);
  p.replace(root, makeOp(OpKind::TtirRotaryEmbedding, {lower->x, cosine, sine}, {p.type(root)}),
            "rotary_embedding from both halves");
  return true;
}

// The same with the rotation as a product with a matrix that is an argument: nothing says that it rotates.
bool explainRotaryEmbedding(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirAdd || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    OpId rotated = p.def(p.in(root, side), OpKind::TtirMultiply),
         straight = p.def(p.in(root, 1 - side), OpKind::TtirMultiply);
    OpId concat = p.def(p.read(rotated, 0), OpKind::TtirConcat);
    if (!concat.valid() || !straight.valid()) continue;
    ValueId part = behindViews(p, p.read(concat, 1));
    if (OpId permute = p.def(part, OpKind::TtirPermute); permute.valid()) part = p.read(permute, 0);
    if (p.def(part, OpKind::TtirMatmul).valid())
      p.nearMiss(root, "a rotary embedding whose halves are products with matrices that are arguments of the function");
  }
  return false;
}

namespace {

// One operand of the score product with everything peeled off that attention does by itself.
struct Peeled {
  ValueId value;  // rank 4
  double scale = 1.0;
  bool transposed = false;  // the last two dims, against the way it was asked for
};

// reshape(broadcast(reshape(x))): every head of x repeated. x with fewer heads, or none.
ValueId behindRepeatedHeads(PatternRewriter& p, ValueId value) {
  if (OpId repeat = p.def(value, OpKind::TtirRepeatInterleave); repeat.valid()) {
    bool heads = p.shape(value).size() == 4 && p.integer(p.op(repeat), "dim", 0) == 1;
    ValueId x = heads ? p.read(repeat, 0) : ValueId{};
    if (x.valid()) p.took(repeat);
    return x;
  }
  OpId merge = p.def(value, OpKind::TtirReshape);
  OpId repeat = p.def(p.read(merge, 0), OpKind::TtirBroadcast);
  OpId split = p.def(p.read(repeat, 0), OpKind::TtirReshape);
  ValueId x = split.valid() ? p.read(split, 0) : p.read(repeat, 0);
  if (!x.valid()) return {};
  const Shape& wide = p.shape(p.op(repeat).results[0]);  // batch, heads, repeats, rows, columns
  const Shape& narrow = p.shape(p.op(repeat).operands[0]);
  const Shape& out = p.shape(value);
  bool shaped = wide.size() == 5 && narrow.size() == 5 && out.size() == 4 && narrow[2] == 1 && out[0] == wide[0] &&
                out[1] == wide[1] * wide[2] && out[2] == wide[3] && out[3] == wide[4] && narrow[0] == wide[0] &&
                narrow[1] == wide[1] && narrow[3] == wide[3] && narrow[4] == wide[4];
  if (!shaped) return {};
  for (OpId made : {merge, repeat}) p.took(made);
  if (split.valid() && p.shape(x) == Shape{narrow[0], narrow[1], narrow[3], narrow[4]}) {
    p.took(split);
    return x;
  }
  return p.op(repeat).operands[0];  // rank 5 still; the caller reshapes
}

// Conversions, factors, permutes of the last two dims and repeated heads, in any order.
Peeled peel(PatternRewriter& p, OpId root, ValueId value, bool key) {
  Peeled out{value};
  for (int depth = 0; depth < 10; ++depth) {
    ValueId now = out.value;
    double factor = 1.0;
    if (ValueId x = scaledBySplat(p, now, OpKind::TtirMultiply, factor); x.valid()) {
      out.scale *= factor;
      out.value = x;
      continue;
    }
    OpId cast = p.def(now, OpKind::TtirTypecast);
    if (ValueId x = p.read(cast, 0); x.valid() && isFloatType(p.dtype(x))) {
      p.took(cast);
      out.value = x;
      continue;
    }
    if (!key) break;
    OpId permute = p.def(now, OpKind::TtirPermute);
    if (ValueId x = p.read(permute, 0); x.valid() && permutationOf(p.op(permute)) == swapLastTwo(p.shape(now).size())) {
      p.took(permute);
      out.transposed = !out.transposed;
      out.value = x;
      continue;
    }
    // One row or column: the transposition was spelled as a reshape. It may hide the merging of repeated heads.
    const Shape& shape = p.shape(now);
    OpId view = p.def(now, OpKind::TtirReshape);
    ValueId below = p.read(view, 0);
    if (below.valid() && shape.size() == 4 && (shape[2] == 1 || shape[3] == 1) && shape[2] != shape[3] &&
        out.transposed == false) {
      Shape turned = {shape[0], shape[1], shape[3], shape[2]};
      OpId repeat = p.def(below, OpKind::TtirBroadcast);
      bool direct = p.shape(below) == turned, merged = repeat.valid() && p.shape(below).size() == 5 &&
                                                       p.shape(below)[3] == turned[2] && p.shape(below)[4] == turned[3];
      if (direct || merged) {
        out.transposed = true;
        p.took(view);
        out.value = direct ? below : p.emitReshape(root, below, turned);
        continue;
      }
    }
    if (ValueId x = behindRepeatedHeads(p, now); x.valid()) {
      out.value = p.shape(x).size() == 5
                      ? p.emitReshape(root, x, {p.shape(x)[0], p.shape(x)[1], p.shape(x)[3], p.shape(x)[4]})
                      : x;
      continue;
    }
    break;
  }
  return out;
}

ValueId asRank4(PatternRewriter& p, OpId root, ValueId value) {
  Shape shape = p.shape(value);
  if (shape.size() > 4) return {};
  while (shape.size() < 4) shape.insert(shape.begin(), 1);
  return p.emitReshape(root, value, shape);
}

// Views that only add or take leading ones.
ValueId behindLeadingOnes(PatternRewriter& p, ValueId value) {
  OpId view = p.def(value, OpKind::TtirReshape);
  ValueId x = p.read(view, 0);
  if (!x.valid() || withoutLeadingOnes(p.shape(x)) != withoutLeadingOnes(p.shape(value))) return value;
  p.took(view);
  return x;
}

// The scores behind the softmax: mask and factors, down to the product.
struct Scores {
  OpId product;
  ValueId mask;
  double scale = 1.0;
  ValueId factor;  // a tensor of one element to multiply or divide by
  OpKind factorOp{};
  ValueId sink;  // [1, heads, 1, 1]: one more score for every row, whose weight is dropped
};

// Behind factors and changes of form there is a product.
bool leadsToProduct(PatternRewriter& p, ValueId value) {
  for (int i = 0; i < 6 && value.valid(); ++i) {
    OpId at = p.def(value);
    if (!at.valid()) return false;
    OpKind kind = p.op(at).kind;
    if (kind == OpKind::TtirMatmul) return true;
    if (kind != OpKind::TtirMultiply && kind != OpKind::TtirDiv && kind != OpKind::TtirTypecast &&
        kind != OpKind::TtirReshape)
      return false;
    value = p.read(at, 0);
  }
  return false;
}

// Of a sum that makes `value`, the side with the product; the other is the mask, which knows nothing of the columns'
// number of queries times keys. Without such a side, no mask is set.
ValueId splitMask(PatternRewriter& p, OpId sum, ValueId value, Scores& s) {
  for (size_t side = 0; side < 2; ++side) {
    ValueId x = p.read(sum, side), mask = p.read(sum, 1 - side);
    if (!x.valid() || !mask.valid() || p.shape(x) != p.shape(value) || !leadsToProduct(p, x)) continue;
    p.took(sum);
    s.mask = mask;
    return x;
  }
  return value;
}

std::optional<Scores> scoresOf(PatternRewriter& p, ValueId value) {
  Scores s;
  for (int depth = 0; depth < 10 && value.valid(); ++depth) {
    value = behindCasts(p, behindLeadingOnes(p, value));
    OpId made = p.def(value);
    if (!made.valid()) return {};
    OpKind kind = p.op(made).kind;
    const bool biased = kind == OpKind::TtirLinear && !s.mask.valid() && s.scale == 1.0 && !s.factor.valid();
    if (kind == OpKind::TtirMatmul || biased) {
      p.took(made);
      s.product = made;
      if (biased) s.mask = p.read(made, 2);  // the mask was taken for a bias
      if (biased && !s.mask.valid()) return {};
      return s;
    }
    double number = 1.0;
    if (ValueId x = scaledBySplat(p, value, OpKind::TtirMultiply, number); x.valid()) {
      s.scale *= number;
      value = x;
      continue;
    }
    std::optional<double> divisor = kind == OpKind::TtirDiv ? p.splat(p.op(made).operands[1]) : std::nullopt;
    if (ValueId x = divisor && *divisor != 0 ? p.read(made, 0) : ValueId{};
        x.valid() && p.isTensor(x) && p.shape(x) == p.shape(value)) {
      s.scale /= *divisor;
      p.took(made);
      value = x;
      continue;
    }
    bool one = (kind == OpKind::TtirMultiply || kind == OpKind::TtirDiv) && p.isTensor(p.op(made).operands[1]) &&
               elementCount(p.shape(p.op(made).operands[1])) == 1;
    if (one && !s.factor.valid()) {
      s.factor = p.read(made, 1);
      s.factorOp = kind;
      if (!s.factor.valid()) return {};
      p.took(made);
      value = p.read(made, 0);
      continue;
    }
    if (kind != OpKind::TtirAdd || s.mask.valid() || s.scale != 1.0 || s.factor.valid())
      return {};  // the mask is added to what was scaled
    value = splitMask(p, made, value, s);
    if (!s.mask.valid()) return {};
  }
  return {};
}

// [batch or 1, heads or 1, queries or 1, keys]
bool maskFits(const Shape& mask, const Shape& q, int64_t keys) {
  return mask.size() == 4 && (mask[0] == q[0] || mask[0] == 1) && (mask[1] == q[1] || mask[1] == 1) &&
         (mask[2] == q[2] || mask[2] == 1) && mask[3] == keys;
}

// A column beside the scores that the softmax sees and a slice behind it drops.
struct Sink {
  ValueId weights, scores, column;  // with the column, without it, the column: [1, heads, 1, 1]
};

std::optional<Sink> sinkOf(PatternRewriter& p, ValueId value) {
  OpId trim = p.def(value, OpKind::TtirSliceStatic);
  OpId softmax = p.def(p.read(trim, 0), OpKind::TtirSoftmax);
  OpId concat = p.def(p.read(softmax, 0), OpKind::TtirConcat);
  if (!concat.valid() || p.op(concat).operands.size() < 2 || p.shape(value).size() != 4) return {};
  Sink sink{p.read(trim, 0), p.read(concat, 0), p.read(concat, 1)};
  if (!sink.scores.valid() || !sink.column.valid() || p.shape(sink.scores) != p.shape(value)) return {};
  const std::vector<int64_t> begins = p.ints(p.op(trim), "begins");
  bool whole = std::all_of(begins.begin(), begins.end(), [](int64_t at) { return at == 0; });
  sink.column = behindCasts(p, sink.column);
  if (OpId spread = p.def(sink.column, OpKind::TtirBroadcast); p.read(spread, 0).valid()) {
    p.took(spread);
    sink.column = p.read(spread, 0);
  }
  if (!whole || p.shape(sink.column) != Shape{1, p.shape(value)[1], 1, 1}) return {};
  for (OpId made : {trim, concat}) p.took(made);
  return sink;
}

// What goes into the softmax that the product `root` weighs its values with.
std::optional<Scores> softmaxScores(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMatmul || p.inputs(root) < 2 || p.integer(p.old(root), "transpose_a", 0) != 0 ||
      p.integer(p.old(root), "transpose_b", 0) != 0)
    return {};
  ValueId weights = behindCasts(p, behindLeadingOnes(p, p.in(root, 0)));
  const std::optional<Sink> sink = sinkOf(p, weights);
  if (sink) weights = sink->weights;
  OpId softmax = p.def(weights, OpKind::TtirSoftmax);
  if (!softmax.valid()) return {};
  int64_t dimension = p.integer(p.op(softmax), "dimension", -1), rank = static_cast<int64_t>(p.shape(weights).size());
  if (dimension != -1 && dimension != rank - 1) {
    p.nearMiss(root, "attention with a softmax over another dim than the keys");
    return {};
  }
  p.took(softmax);
  std::optional<Scores> scores = scoresOf(p, sink ? sink->scores : p.read(softmax, 0));
  if (scores && sink) scores->sink = sink->column;
  if (!scores) p.nearMiss(root, "what goes into the softmax is no scaled product with a mask");
  return scores;
}

// The op has one type for all: what was seen in front of a conversion is converted for it, unless the only reader of
// the result converts it back (fuseConversionsAround).
void giveOneType(PatternRewriter& p, OpId root, std::initializer_list<ValueId*> operands) {
  const DType narrow = p.dtype(**operands.begin()), wide = p.type(root).tensor->dtype;
  const bool alike =
      std::all_of(operands.begin(), operands.end(), [&](const ValueId* x) { return p.dtype(*x) == narrow; });
  const bool readOnce = p.readers(root).size() == 1 && p.kind(p.readers(root).front()) == OpKind::TtirTypecast;
  if (alike && readOnce && p.type(p.readers(root).front()).tensor->dtype == narrow) return;
  for (ValueId* x : operands) {
    if (p.dtype(*x) != wide) *x = p.emit(root, makeOp(OpKind::TtirTypecast, {*x}, {p.typeWith(p.typeOf(*x), wide)}));
  }
}

// Of query, key and value: each batch and head of queries has its keys, each key its value.
bool headsFit(const Shape& a, const Shape& b, const Shape& c) {
  return a[0] == b[0] && b[0] == c[0] && b[1] == c[1] && b[1] > 0 && a[1] % b[1] == 0 && a[3] == b[3] && b[2] == c[2];
}

// Three dims are four of a batch of one, or they are left alone.
bool ofFourDims(const PatternRewriter& p, ValueId query) {
  const ValueId whole = p.read(p.def(query, OpKind::TtirReshape), 0);
  return p.shape(query).size() >= 4 || (whole.valid() && p.shape(whole).size() == 4);
}

}  // namespace

// softmax(q * k^T * scale + mask) * v
bool fuseAttention(PatternRewriter& p, OpId root) {
  std::optional<Scores> scores = softmaxScores(p, root);
  if (!scores) return false;
  bool plain = p.integer(p.op(scores->product), "transpose_a", 0) == 0 &&
               findAttr(p.op(scores->product), "activation") == nullptr;
  bool transposedKey = p.integer(p.op(scores->product), "transpose_b", 0) != 0;
  ValueId queryRead = p.read(scores->product, 0), keyRead = p.read(scores->product, 1);
  if (!plain || !queryRead.valid() || !keyRead.valid()) return false;
  if (!ofFourDims(p, queryRead)) {
    p.nearMiss(root, "attention of three dims stays spelled out");
    return false;
  }
  Peeled query = peel(p, root, queryRead, false), key = peel(p, root, keyRead, true),
         value = peel(p, root, p.in(root, 1), true);
  bool turned = key.transposed != transposedKey;
  ValueId k = turned ? key.value : p.emitPermute(root, key.value, swapLastTwo(p.shape(key.value).size()));
  ValueId v =
      value.transposed ? p.emitPermute(root, value.value, swapLastTwo(p.shape(value.value).size())) : value.value;
  ValueId q = asRank4(p, root, query.value);
  k = asRank4(p, root, k);
  v = asRank4(p, root, v);
  const bool shaped = q.valid() && k.valid() && v.valid() && headsFit(p.shape(q), p.shape(k), p.shape(v));
  if (!shaped || value.scale != 1.0) {
    p.nearMiss(root, "query, key and value of the attention do not have the shapes of the library's op");
    return false;
  }
  ValueId mask = scores->mask;
  if (mask.valid()) {
    mask = asRank4(p, root, behindCasts(p, mask));
    if (!mask.valid() || !maskFits(p.shape(mask), p.shape(q), p.shape(k)[2])) {
      p.nearMiss(root, "the mask does not have the shape of the scores");
      return false;
    }
  }
  giveOneType(p, root, {&q, &k, &v});
  if (scores->factor.valid()) {  // the number is an argument: the query is scaled instead of the scores
    q = p.emit(root, makeOp(scores->factorOp, {q, scores->factor}, {p.typeOf(q)}));
  }
  Shape result = p.shape(q);
  result[3] = p.shape(v)[3];
  OpSpec spec = makeOp(OpKind::TtirScaledDotProductAttention, {q, k, v}, {p.typeWith(p.type(root), result)});
  for (ValueId extra : {mask, scores->sink}) {
    if (extra.valid()) spec.operands.push_back(extra);
  }
  spec.attrs = {
      {"is_causal", boolAttr(false)},
      {"operandSegmentSizes", intArrayAttr({1, 1, 1, mask.valid() ? 1 : 0, scores->sink.valid() ? 1 : 0}, "i32")},
      {"scale", f32Attr(scores->scale * query.scale * key.scale)}};
  std::string note = std::string("scaled_dot_product_attention") + (mask.valid() ? " with a mask" : "");
  if (result == p.resultShape(root)) {
    p.replace(root, std::move(spec), std::move(note));
    return true;
  }
  if (elementCount(result) != elementCount(p.resultShape(root))) return false;
  ValueId made = p.replace(root, std::move(spec), std::move(note));
  return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
}

}  // namespace tessera
