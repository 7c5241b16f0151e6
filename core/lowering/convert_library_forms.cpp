// Rules of convert-ttir-to-ttnn for ops whose form in the library is another one: other operands, other ranks, or an op
// of another kind.

#include <algorithm>
#include <cmath>

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/pattern.h"
#include "core/lowering/prepare/views.h"
#include "core/lowering/ttir_converter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/support/units.h"

namespace tessera {

// TTIR: input scale offset mean variance; TTNN: input mean variance scale offset.
void batchNorm(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  if (spec.operands.size() == 5)
    spec.operands = {spec.operands[0], spec.operands[3], spec.operands[4], spec.operands[1], spec.operands[2]};
  // The library wants one number per channel at the channel's dim of the input's rank.
  const Shape* input = c.operandShape(old, 0);
  const AttrValue* dimension = findAttr(c.op(old), "dimension");
  int64_t dim = dimension ? dimension->integer : 1;
  for (size_t i = 1; input && i < spec.operands.size(); ++i) {
    const ValueType type = c.rewriter().graph().values[spec.operands[i]].type;
    bool vector =
        type.isTensor() && type.tensor->shape.size() == 1 && dim >= 0 && dim < static_cast<int64_t>(input->size());
    if (!vector || input->size() == 1) continue;
    Shape shape(input->size(), 1);
    shape[static_cast<size_t>(dim)] = type.tensor->shape[0];
    OpSpec reshape = makeOp(OpKind::TtnnReshape, {spec.operands[i]}, {typeWithShape(type, shape, c.deviceSpec())});
    reshape.attrs = {{"shape", intArrayAttr(shape, "i32")}};
    spec.operands[i] = c.rewriter().result(c.rewriter().emitFor(old, std::move(reshape)));
  }
  c.rewriter().replace(old, std::move(spec));
}

namespace {

// The number in every element of a constant of the source.
std::optional<AttrValue> numberEverywhere(const Graph& graph, ValueId value) {
  OpId made = graph.values[value].producer;
  constexpr int kMostViews = 8;
  for (int depth = 0; depth < kMostViews && made.valid(); ++depth) {
    const Op& view = graph.ops[made];
    if (view.kind != OpKind::TtirReshape && view.kind != OpKind::TtirBroadcast && view.kind != OpKind::TtirPermute)
      break;
    value = view.operands[0];
    made = graph.values[value].producer;
  }
  if (!made.valid()) return {};
  const Op& op = graph.ops[made];
  if (op.kind == OpKind::TtirFull) {
    const AttrValue* fill = findAttr(op, "fill_value");
    return fill != nullptr ? std::optional(*fill) : std::nullopt;
  }
  const AttrValue* text = findAttr(op, "value");
  if (op.kind != OpKind::TtirConstant || text == nullptr) return {};
  const TensorType& type = *graph.values[value].type.tensor;
  std::optional<ConstantValue> read = readConstant(text->text, type.dtype, elementCount(type.shape).value_or(0));
  if (!read || read->elided || read->numbers.size() + read->integers.size() != 1) return {};
  return read->numbers.empty() ? intAttr(read->integers[0], "i32") : f32Attr(read->numbers[0]);
}

}  // namespace

// An exponent that is one number, and not negative, is an attribute.
void power(TtirConverter& c, OpId old) {
  std::optional<AttrValue> exponent;
  if (!c.specificationRules() && inputCount(c.source(), old) >= 2)
    exponent = numberEverywhere(c.source(), c.op(old).operands[1]);
  bool negative = exponent && (exponent->kind == AttrValueKind::Float ? exponent->number < 0 : exponent->integer < 0);
  if (!exponent || negative) return sameAttrs(c, old);
  OpSpec spec = c.plain(old, OpKind::TtnnPowScalar);
  spec.operands.resize(1);
  setAttr(spec, "rhs", std::move(*exponent));
  c.rewriter().replace(old, std::move(spec));
}

// One dim is a number, all dims are none.
void product(TtirConverter& c, OpId old) {
  OpSpec spec = c.plain(old, c.target());
  const AttrValue* dims = findAttr(c.op(old), "dim_arg");
  const Shape* input = c.operandShape(old, 0);
  if (!c.specificationRules() && dims != nullptr && dims->kind == AttrValueKind::IntArray && input != nullptr) {
    if (dims->ints.size() == 1) setAttr(spec, "dim_arg", intAttr(dims->ints[0], "i64"));
    else if (dims->ints.size() == input->size()) dropAttr(spec, "dim_arg");
  }
  c.rewriter().replace(old, std::move(spec));
}

namespace {

// A number, or the first and the last of a list.
std::pair<int64_t, int64_t> endsOf(const TtnnOps& t, std::string_view name, int64_t fallback) {
  const std::vector<int64_t> list = t.ints(name);
  if (list.empty()) return {t.integer(name, fallback), t.integer(name, fallback)};
  return {list.front(), list.back()};
}

}  // namespace

// The library takes (N, L, C), a bias of (1, 1, 1, O) and the paddings of both ends, and gives (1, 1, N * L, O).
void conv1d(TtirConverter& c, OpId old) {
  TtnnOps t = c.ops(old);
  const auto inputs = static_cast<size_t>(inputCount(c.source(), old));
  const Shape *image = inputs > 0 ? c.operandShape(old, 0) : nullptr,
              *weight = inputs > 1 ? c.operandShape(old, 1) : nullptr;
  const std::vector<int64_t> order = {t.integer("batch_dim", 0), t.integer("length_dim", 1),
                                      t.integer("channel_dim", 2)};
  std::vector<int64_t> inOrder = order;
  std::sort(inOrder.begin(), inOrder.end());
  const bool ranks = image != nullptr && image->size() == 3 && weight != nullptr && weight->size() == 3;
  if (!ranks || inOrder != std::vector<int64_t>{0, 1, 2} || t.resultShape().size() != 3) return sameAttrs(c, old);
  const auto sizeAt = [&](const Shape& shape, size_t i) { return shape[static_cast<size_t>(order[i])]; };
  const int64_t batch = sizeAt(*image, 0), length = sizeAt(t.resultShape(), 1), channels = (*weight)[0];
  int64_t places = 0;
  if (!mulChecked(batch, length, places)) return sameAttrs(c, old);
  const bool turned = order != inOrder;
  std::vector<ValueId> operands = {turned ? t.permute(t.in(0), order) : t.in(0), t.in(1)};
  if (inputs > 2) operands.push_back(t.reshape(t.in(2), {1, 1, 1, channels}));
  operands.push_back(t.device());
  const auto number = [](int64_t value) { return intAttr(value, "i32"); };
  const auto padding = endsOf(t, "padding", 0);
  const AttrList attrs = {{"batch_size", number(batch)},
                          {"dilation", number(endsOf(t, "dilation", 1).first)},
                          {"groups", number(t.integer("groups", 1))},
                          {"in_channels", number(sizeAt(*image, 2))},
                          {"input_length", number(sizeAt(*image, 1))},
                          {"kernel_size", number((*weight)[2])},
                          {"out_channels", number(channels)},
                          {"padding", intArrayAttr({padding.first, padding.second}, "i32")},
                          {"stride", number(endsOf(t, "stride", 1).first)}};
  const ValueId made =
      t.make(OpKind::TtnnConv1d, std::move(operands), t.like(t.resultType(), Shape{1, 1, places, channels}), attrs);
  const ValueId back = t.reshape(made, {batch, length, channels});
  t.becomes(turned ? t.permute(back, inverseOf(order)) : back);
}

// The library takes (1, 1, 1, N) places and (1, 1, N, size) gradients, N in whole tiles, and gives (1, 1, rows, size).
void embeddingBackward(TtirConverter& c, OpId old) {
  TtnnOps t = c.ops(old);
  const Shape* table = c.operandShape(old, 1);
  const Shape* places = c.operandShape(old, 0);
  std::optional<int64_t> count = places != nullptr ? elementCount(*places) : std::nullopt;
  if (table == nullptr || table->size() < 2 || !count || *count < 1) {
    c.problem(c.rewriter().copy(old), "the library adds up the rows of one place at least");
    return;
  }
  int64_t size = table->back(), rows = (*table)[table->size() - 2], padded = alignUp(*count, kTileSide);
  ValueId gradient = t.reshape(t.in(2), {1, 1, *count, size});
  ValueId indices = t.reshape(t.in(0), {1, 1, 1, *count});
  indices = t.padTo(indices, {1, 1, 1, padded});
  gradient = t.padTo(gradient, {1, 1, padded, size});
  ValueType type = t.like(t.resultType(), Shape{1, 1, rows, size});
  ValueId made = t.make(OpKind::TtnnEmbeddingBackward, {indices, t.in(1), gradient}, std::move(type));
  t.becomes(t.reshape(made, t.resultShape()));
}

// Parameters and moments are written where they are.
void adamw(TtirConverter& c, OpId old) {
  const Op& from = c.op(old);
  if (c.specificationRules() || from.operands.size() < 4 || from.results.size() > 4) return sameAttrs(c, old);
  OpSpec spec = c.plain(old, c.target());
  spec.resultTypes.clear();
  c.rewriter().emitFor(old, std::move(spec));
  constexpr size_t kWritten[] = {0, 2, 3, 4};
  for (size_t i = 0; i < from.results.size(); ++i) {
    size_t operand = std::min(kWritten[i], from.operands.size() - 1);
    c.rewriter().map(from.results[i], c.rewriter().now(from.operands[operand]));
  }
}

// The library multiplies the sink by the scale, as it does the scores (tt-metal issue 40470). TTIR's sink stands beside
// scores that are scaled already, so it is divided by the scale here.
ValueId sinkBeforeScaling(TtnnOps& t, ValueId sink, int64_t headSize) {
  const AttrValue* scale = findAttr(t.op(), "scale");
  double factor = scale != nullptr ? 1 / scale->number : std::sqrt(static_cast<double>(headSize));
  return t.binary(OpKind::TtnnMultiply, sink, t.full(t.like(t.type(sink), Shape{1, 1, 1, 1}), factor), t.shape(sink));
}

// A single query per head has a kernel of its own; a mask for all queries is one for each.
void attention(TtirConverter& c, OpId old) {
  TtnnOps t = c.ops(old);
  ValueId q = t.role(0), mask = t.role(3), sink = t.role(4);
  if (t.segments().size() < 5 || !q.valid() || t.shape(q).size() != 4) return sameAttrs(c, old);
  const AttrValue* scale = findAttr(t.op(), "scale");
  if (sink.valid() && scale != nullptr && scale->number == 0)
    return c.problem(c.rewriter().copy(old), "the library multiplies its sink by the scale, which is 0");
  const Shape query = t.shape(q);
  if (c.specificationRules() || query[2] != 1) {
    bool spread = !c.specificationRules() && mask.valid() && t.shape(mask).size() == 4 && t.shape(mask)[2] == 1;
    if (!spread && !sink.valid()) return sameAttrs(c, old);
    OpSpec spec = c.plain(old, c.target());
    if (sink.valid()) spec.operands.back() = sinkBeforeScaling(t, sink, query[3]);
    if (spread) {
      Shape each = t.shape(mask);
      each[2] = query[2];
      spec.operands[3] = t.repeatTo(mask, each);
    }
    c.rewriter().replace(old, std::move(spec));
    return;
  }
  if (sink.valid()) sink = sinkBeforeScaling(t, sink, query[3]);
  std::vector<ValueId> operands = {t.permute(q, {2, 0, 1, 3}), t.role(1), t.role(2)};
  if (mask.valid()) operands.push_back(t.shape(mask).size() == 4 ? t.permute(mask, {0, 2, 1, 3}) : mask);
  if (sink.valid()) operands.push_back(sink);
  AttrList attrs = {
      {"is_causal", boolAttr(false)},
      {"operandSegmentSizes", intArrayAttr({1, 1, 1, mask.valid() ? 1 : 0, 0, sink.valid() ? 1 : 0}, "i32")}};
  for (const char* name : {"scale", "sliding_window_size"}) {
    if (const AttrValue* value = findAttr(t.op(), name)) attrs.push_back({name, *value});
  }
  ValueId made = t.make(OpKind::TtnnScaledDotProductAttentionDecode, std::move(operands),
                        t.like(t.resultType(), Shape{1, query[0], query[1], t.resultType().tensor->shape.back()}),
                        std::move(attrs));
  t.becomes(t.permute(made, {1, 2, 0, 3}));
}

}  // namespace tessera
