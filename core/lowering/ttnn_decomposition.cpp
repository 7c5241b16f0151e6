#include "core/lowering/ttnn_decomposition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ir/tensor_layout.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/ttnn_ops.h"
#include "core/support/float_text.h"

namespace tessera {

namespace {

double scaleOf(const TtnnOps& t, int64_t headSize) {
  const AttrValue* scale = findAttr(t.op(), "scale");
  return scale != nullptr ? scale->number : 1.0 / std::sqrt(static_cast<double>(headSize));
}

// first, first + 1 ... along one dim of a shape that is one in all others.
ValueId countAlong(TtnnOps& t, const ValueType& like, Shape shape, int64_t count) {
  AttrList attrs = {{"end", intAttr(count, "i64")}, {"start", intAttr(0, "i64")}, {"step", intAttr(1, "i64")}};
  ValueType line = t.like(like, Shape{count});
  if (line.tensor->layout) {
    for (Attribute& attr : toLayoutAttrs(*line.tensor->layout)) attrs.push_back(std::move(attr));
  }
  return t.reshape(t.make(OpKind::TtnnArange, {t.device()}, std::move(line), std::move(attrs)), shape);
}

// 0 where a query may look at a key, minus infinity where it may not.
ValueId positionMask(TtnnOps& t, const ValueType like, int64_t queries, int64_t keys) {
  const AttrValue* size = findAttr(t.op(), "sliding_window_size");
  bool causal = t.flag("is_causal");
  int64_t window = size != nullptr ? size->integer : 0;
  const Shape shape{1, 1, queries, keys};
  ValueType number = t.like(like, DType::F32), whole = t.like(number, shape), one = t.like(number, Shape{1, 1, 1, 1});
  ValueId row = countAlong(t, number, {1, 1, queries, 1}, queries),
          column = countAlong(t, number, {1, 1, 1, keys}, keys);
  ValueId never = t.full(one, -std::numeric_limits<double>::infinity()), seen = t.full(one, 0);
  auto hide = [&](OpKind comparison, ValueId a, ValueId b, ValueId otherwise) {
    return t.make(OpKind::TtnnWhere, {t.make(comparison, {a, b}, whole), never, otherwise}, whole);
  };
  ValueId mask;
  if (window <= 0) {
    mask = hide(OpKind::TtnnGt, column, row, seen);
  } else {
    ValueId behind = t.make(OpKind::TtnnSubtract, {row, column}, whole);
    double far = static_cast<double>(causal ? window - 1 : window / 2), ahead = causal ? 0 : -far;
    mask = hide(OpKind::TtnnGt, behind, t.full(one, far), seen);
    mask = hide(OpKind::TtnnLt, behind, t.full(one, ahead), mask);
  }
  if (like.tensor->dtype == DType::F32) return mask;
  return t.make(OpKind::TtnnTypecast, {mask}, t.like(like, shape), {{"dtype", dtypeAttr(like.tensor->dtype)}});
}

struct AttentionParts {
  ValueId query, key, value, mask, sink;
  bool positions = false;  // masked by position
};

// softmax(q k^T * scale + mask) v, each row of scores with the sink's columns, which are dropped again.
ValueId attention(TtnnOps& t, AttentionParts a) {
  const Shape q = t.shape(a.query);
  int64_t keys = t.shape(a.key)[2], kvHeads = t.shape(a.key)[1];
  if (kvHeads != q[1]) {
    for (ValueId* side : {&a.key, &a.value}) {
      Shape expanded = t.shape(*side);
      expanded[1] = q[1];
      *side = t.make(OpKind::TtnnRepeatInterleave, {*side}, t.like(t.type(*side), expanded),
                     {{"repeats", intAttr(q[1] / kvHeads, "ui32")}, {"dim", intAttr(1, "si32")}});
    }
  }
  Shape turned = t.shape(a.key);
  std::swap(turned[2], turned[3]);
  ValueId keyT = t.make(OpKind::TtnnTranspose, {a.key}, t.like(t.type(a.key), turned),
                        {{"dim0", intAttr(-2, "si32")}, {"dim1", intAttr(-1, "si32")}});
  Shape scoreShape = {q[0], q[1], q[2], keys};
  const AttrList plain = {{"transpose_a", boolAttr(false)}, {"transpose_b", boolAttr(false)}};
  ValueId scores = t.make(OpKind::TtnnMatmul, {a.query, keyT}, t.like(t.type(a.query), scoreShape), plain);
  ValueId scale = t.full(t.like(t.type(a.query), Shape{1, 1, 1, 1}), scaleOf(t, q[3]));
  scores = t.binary(OpKind::TtnnMultiply, scores, scale, scoreShape);
  if (a.mask.valid()) {
    Shape wide = t.shape(a.mask);
    if (wide.size() == 4 && wide[1] == 1) {
      wide[1] = q[1];
      a.mask = t.repeatTo(a.mask, wide);
    }
    scores = t.binary(OpKind::TtnnAdd, scores, a.mask, scoreShape);
  }
  if (a.positions) scores = t.binary(OpKind::TtnnAdd, scores, positionMask(t, t.type(a.query), q[2], keys), scoreShape);
  if (a.sink.valid()) {
    ValueId sink = t.binary(OpKind::TtnnMultiply, a.sink, scale, t.shape(a.sink));
    int64_t columns = t.shape(sink).back();
    sink = t.repeatTo(sink, {q[0], q[1], q[2], columns});
    scores = t.make(OpKind::TtnnConcat, {scores, sink}, t.like(t.type(scores), Shape{q[0], q[1], q[2], keys + columns}),
                    {{"dim", intAttr(-1, "si32")}});
  }
  ValueId weights = t.make(OpKind::TtnnSoftmax, {scores}, t.type(scores),
                           {{"dimension", intAttr(-1, "si32")}, {"numericStable", boolAttr(true)}});
  if (a.sink.valid()) weights = t.sliceDim(weights, 3, 0, keys);
  return t.make(OpKind::TtnnMatmul, {weights, a.value}, t.like(t.type(a.query), q), plain);
}

// A number for each query, or one for all along a dim.
bool isSinkOf(const TtnnOps& t, ValueId sink, const Shape& query) {
  if (!sink.valid()) return true;
  const Shape& shape = t.shape(sink);
  if (shape.size() != 4) return false;
  for (size_t d = 0; d < 3; ++d) {
    if (shape[d] != 1 && shape[d] != query[d]) return false;
  }
  return true;
}

bool decomposeAttention(TtnnOps& t) {
  AttentionParts a{t.role(0), t.role(1), t.role(2), t.role(3), t.role(4)};
  if (t.segments().size() < 5 || !a.query.valid() || !a.key.valid() || !a.value.valid()) return false;
  const Shape &q = t.shape(a.query), &k = t.shape(a.key);
  if (q.size() != 4 || k.size() != 4 || k[1] < 1 || q[1] % k[1] != 0 || !isSinkOf(t, a.sink, q)) return false;
  a.positions = findAttr(t.op(), "sliding_window_size") != nullptr || (!a.mask.valid() && t.flag("is_causal"));
  t.becomes(attention(t, a));
  return true;
}

// One query per head: [1, batch, heads, size] against [batch, heads, keys, size].
bool decomposeDecodeAttention(TtnnOps& t) {
  ValueId query = t.role(0);
  AttentionParts a{query, t.role(1), t.role(2), t.role(3), t.role(5)};
  bool plain = t.segments().size() >= 6 && query.valid() && a.key.valid() && a.value.valid() && !t.role(4).valid() &&
               t.shape(query).size() == 4 && t.shape(a.key).size() == 4 && t.shape(a.key)[1] > 0;
  if (!plain || t.shape(query)[2] % t.shape(a.key)[1] != 0) return false;
  a.query = t.permute(query, {1, 2, 0, 3});
  if (a.mask.valid() && t.shape(a.mask).size() == 4) a.mask = t.permute(a.mask, {0, 2, 1, 3});
  t.becomes(t.permute(attention(t, a), {2, 0, 1, 3}));
  return true;
}

// Over [batch, 1, height * width, channels]: mean and variance of each group, then a factor and a shift per channel.
bool decomposeGroupNorm(TtnnOps& t) {
  ValueId input = t.role(0);
  int64_t groups = t.integer("num_groups", 0);
  if (!input.valid() || t.shape(input).size() != 4 || groups < 1 || t.shape(input)[3] % groups != 0) return false;
  const Shape in = t.shape(input);
  // With the optimizer the kernel stays where its rows fill whole tiles.
  if (t.context().options.optimizer && in[2] % kTileSide == 0) return false;
  const Shape grouped = {in[0], in[2], groups, in[3] / groups}, stats = {in[0], 1, groups, 1};
  const AttrList dims = {{"dim_arg", intListAttr({1, 3})}, {"keep_dim", boolAttr(true)}};
  ValueType statsType = t.like(t.type(input), stats);
  ValueId x = t.reshape(input, grouped);
  ValueId mean = t.make(OpKind::TtnnMean, {x}, statsType, dims);
  ValueId centered = t.binary(OpKind::TtnnSubtract, x, mean, grouped);
  ValueId square = t.binary(OpKind::TtnnMultiply, centered, centered, grouped);
  ValueId variance = t.make(OpKind::TtnnMean, {square}, statsType, dims);
  const AttrValue* epsilon = findAttr(t.op(), "epsilon");
  ValueId stable =
      t.binary(OpKind::TtnnAdd, variance, t.full(statsType, epsilon != nullptr ? epsilon->number : 1e-12), stats);
  ValueId result = t.binary(OpKind::TtnnMultiply, centered, t.unary(OpKind::TtnnRsqrt, stable), grouped);
  result = t.reshape(result, in);
  constexpr OpKind kAffine[] = {OpKind::TtnnMultiply, OpKind::TtnnAdd};
  for (size_t i = 0; i < 2; ++i) {
    ValueId affine = t.role((t.segments().size() == 4 ? 2 : 1) + i);  // behind the mask where there is a role for one
    if (affine.valid()) result = t.binary(kAffine[i], result, t.reshape(affine, {1, 1, 1, in[3]}), in);
  }
  t.becomes(result);
  return true;
}

bool decomposeJoinedHeads(TtnnOps& t) {
  ValueId input = t.in(0);
  if (!input.valid() || t.shape(input).size() != 4) return false;
  t.becomes(t.reshape(t.permute(input, {0, 2, 1, 3}), t.resultShape()));
  return true;
}

constexpr int64_t kMostGroupedChannels = 4096;  // kMaxGroupedConvChannels

// How many whole groups each part has: a divisor, with channels in whole tiles where there is one.
int64_t groupsPerPart(int64_t groups, int64_t in, int64_t out) {
  int64_t largest = 0;
  for (int64_t part = std::min(kMostGroupedChannels / std::max(in, out), groups); part >= 1; --part) {
    if (groups % part != 0) continue;
    if (largest == 0) largest = part;
    if (part * in % kTileSide == 0 && part * out % kTileSide == 0) return part;
  }
  return largest;
}

// Very many groups: the channels of some of them at a time, put side by side.
bool splitGroupedConvolution(TtnnOps& t) {
  int64_t groups = t.integer("groups", 1), in = t.integer("in_channels", 0), out = t.integer("out_channels", 0);
  ValueId input = t.in(0), weight = t.in(1);
  if (groups <= 1 || !input.valid() || !weight.valid() || std::max(in, out) <= kMostGroupedChannels) return false;
  if (in % groups != 0 || out % groups != 0 || t.shape(weight).empty() || t.shape(weight)[0] != out) return false;
  int64_t part = groupsPerPart(groups, in / groups, out / groups);
  if (part == 0 || part == groups) return false;
  size_t last = t.shape(input).size() - 1, resultLast = t.resultShape().size() - 1;
  int64_t inPart = part * (in / groups), outPart = part * (out / groups);
  std::vector<ValueId> made;
  for (int64_t at = 0; at < groups / part; ++at) {
    std::vector<ValueId> operands = {t.sliceDim(input, last, at * inPart, (at + 1) * inPart),
                                     t.sliceDim(weight, 0, at * outPart, (at + 1) * outPart)};
    for (size_t i = 2; i < t.inputs(); ++i) {
      ValueId bias = t.in(i);
      if (bias.valid())
        operands.push_back(t.sliceDim(bias, t.shape(bias).size() - 1, at * outPart, (at + 1) * outPart));
      else operands.push_back(t.raw(i));
    }
    AttrList attrs = t.op().attrs;
    setAttribute(attrs, "in_channels", intAttr(inPart, "i32"));
    setAttribute(attrs, "out_channels", intAttr(outPart, "i32"));
    setAttribute(attrs, "groups", intAttr(part, "i32"));
    Shape shape = t.resultShape();
    shape[resultLast] = outPart;
    made.push_back(t.again(std::move(operands), std::move(attrs), {t.like(t.resultType(), shape)})[0]);
  }
  t.becomes(
      t.make(OpKind::TtnnConcat, made, t.resultType(), {{"dim", intAttr(static_cast<int64_t>(resultLast), "si32")}}));
  return true;
}

bool withoutOptimizer(const PassContext& context) { return !context.options.optimizer || context.byName; }

constexpr TtnnRule kDecompositions[] = {
    {OpKind::TtnnScaledDotProductAttention, decomposeAttention, "attention as products and a softmax",
     withoutOptimizer},
    {OpKind::TtnnScaledDotProductAttentionDecode, decomposeDecodeAttention, "attention as products and a softmax",
     withoutOptimizer},
    {OpKind::TtnnGroupNorm, decomposeGroupNorm, "group norm as means, differences and factors"},
    {OpKind::TtnnConcatenateHeads, decomposeJoinedHeads, "heads joined by a permute and a reshape", withoutOptimizer},
    {OpKind::TtnnConv2d, splitGroupedConvolution, "too many groups for L1: some of them at a time"},
};

}  // namespace

PassResult decomposeTtnn(const Graph& graph, const PassContext& context) {
  return applyTtnnRules(graph, context, kDecompositions);
}

}  // namespace tessera
