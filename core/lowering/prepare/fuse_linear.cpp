// Convolutions and matrix products with what follows them.

#include <algorithm>
#include <limits>

#include "core/lowering/prepare/fuse.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"
#include "core/ops/shapes/shape_context.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// Where the channels stand in the convolution's result.
int64_t channelDim(const PatternRewriter& p, OpId conv) {
  const Op& op = p.op(conv);
  int64_t dim = p.integer(op, "channel_dim", -1);
  if (dim >= 0) return dim;
  // Programs without a word on the order of dims may mean NCHW (docs/rules/lowering.md#windows).
  const std::optional<Window2d> w = window2d(p.graph(), conv);
  const bool last = !w || w->flattened || p.shape(op.results[0]) == Shape{w->batch, w->outH, w->outW, w->outC};
  return last ? 3 : 1;
}

bool isConv(const PatternRewriter& p, OpId made) {
  return made.valid() && p.op(made).kind == OpKind::TtirConv2d && p.op(made).operands.size() >= 2;
}

bool isAnyConv(const PatternRewriter& p, OpId made) {
  return isConv(p, made) ||
         (made.valid() && (p.op(made).kind == OpKind::TtirConvTranspose2d || p.op(made).kind == OpKind::TtirConv3d) &&
          p.op(made).operands.size() >= 2);
}

// Input, weight, bias; none in between when a value cannot be read again.
bool convOperands(const PatternRewriter& p, OpId conv, ValueId& input, ValueId& weight, ValueId& bias) {
  input = p.read(conv, 0);
  weight = p.read(conv, 1);
  size_t count = static_cast<size_t>(inputCount(p.graph(), conv));
  if (!input.valid() || !weight.valid() || p.shape(weight).size() != 4) return false;
  if (count > 2) {
    bias = p.read(conv, 2);
    return bias.valid();
  }
  return true;
}

OpSpec convWith(const PatternRewriter& p, OpId conv, ValueId input, ValueId weight, ValueId bias,
                const ValueType& type) {
  OpSpec spec = p.specOf(conv);
  spec.operands = {input, weight};
  if (bias.valid()) spec.operands.push_back(bias);
  spec.resultTypes = {type};
  for (Attribute& a : spec.attrs) {
    if (a.name == "operandSegmentSizes") a.value = intArrayAttr({1, 1, bias.valid() ? 1 : 0}, "i32");
  }
  return spec;
}

}  // namespace

// batch_norm_inference(conv(x, w) + b): w * f and (b - mean) * f + offset, with f = scale / sqrt(variance + epsilon).
// All of that depends on weights only, so const-eval takes it out.
bool foldBatchNorm(PatternRewriter& p, OpId root) {
  if ((p.kind(root) != OpKind::TtirBatchNormInference && p.kind(root) != OpKind::TtirBatchNorm) || p.inputs(root) < 5)
    return false;
  OpId conv = p.def(p.in(root, 0));
  if (!isConv(p, conv)) {
    p.nearMiss(root, "the batch norm follows no convolution");
    return false;
  }
  ValueId input, weight, bias;
  if (!convOperands(p, conv, input, weight, bias)) return false;
  bool known = p.constant(weight) && (!bias.valid() || p.constant(bias));
  for (size_t i = 1; i < 5; ++i) known = known && p.constant(p.in(root, i));
  if (!known || p.useCount(p.in(root, 0)) != 1 || p.integer(p.old(root), "dimension", 1) != channelDim(p, conv)) {
    p.nearMiss(root, !known ? "its numbers or the weights are not known before the run"
                            : "the convolution's result is also read elsewhere, or its channels are another dim");
    return false;
  }
  int64_t channels = p.shape(weight)[0];
  const Shape perFilter = {channels, 1, 1, 1}, perChannel = {1, 1, 1, channels};
  auto binary = [&](OpKind kind, ValueId a, ValueId b) { return p.emit(root, makeOp(kind, {a, b}, {p.typeOf(a)})); };
  ValueId variance = p.in(root, 4);
  const AttrValue* epsilon = findAttr(p.old(root), "epsilon");
  if (epsilon != nullptr && epsilon->number != 0) {
    OpSpec full = makeOp(OpKind::TtirFull, {}, {p.typeOf(variance)});
    full.attrs = {{"fill_value", *epsilon}, {"shape", intArrayAttr(p.shape(variance), "i32")}};
    variance = binary(OpKind::TtirAdd, variance, p.emit(root, std::move(full)));
  }
  ValueId factor = binary(OpKind::TtirMultiply, p.in(root, 1),
                          p.emit(root, makeOp(OpKind::TtirRsqrt, {variance}, {p.typeOf(variance)})));
  ValueId scaled = binary(OpKind::TtirMultiply, weight, p.emitReshape(root, factor, perFilter));
  ValueId mean = p.in(root, 3);
  if (bias.valid()) mean = binary(OpKind::TtirSubtract, mean, p.emitReshape(root, bias, p.shape(mean)));
  ValueId shift = binary(OpKind::TtirSubtract, p.in(root, 2), binary(OpKind::TtirMultiply, mean, factor));
  shift = p.emitReshape(root, shift, perChannel);
  p.took(conv);
  p.replace(root, convWith(p, conv, input, scaled, shift, p.type(root)),
            "batch norm folded into the convolution's weights and bias");
  return true;
}

namespace {

// One number per channel of the convolution's result, as operand `side` of the op behind it; false when it is none.
bool perChannel(PatternRewriter& p, OpId root, size_t side, OpId conv, ValueId& numbers) {
  numbers = p.in(root, 1 - side);
  if (!p.isTensor(numbers)) return false;
  if (OpId broadcast = p.def(numbers, OpKind::TtirBroadcast); p.read(broadcast, 0).valid()) {
    numbers = p.read(broadcast, 0);
    p.took(broadcast);
  }
  const Shape& shape = p.shape(p.in(root, side));
  const size_t channel = shape.size() == 4 ? static_cast<size_t>(channelDim(p, conv)) : shape.size() - 1;
  if (channel >= shape.size()) return false;
  Shape spread(shape.size(), 1);
  spread[channel] = shape[channel];
  return shape == p.resultShape(root) && p.shape(numbers) == spread;
}

}  // namespace

// conv(x, w) times a number per output channel: the weights and the bias are multiplied when the model is loaded.
bool fuseConvMultiply(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMultiply || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    const OpId conv = p.def(p.in(root, side));
    ValueId input, weight, bias, factor;
    if (!isConv(p, conv) || p.useCount(p.in(root, side)) != 1 || !convOperands(p, conv, input, weight, bias)) continue;
    const bool known = p.constant(weight) && (!bias.valid() || p.constant(bias));
    if (!known || !perChannel(p, root, side, conv, factor) || !p.constant(factor)) continue;
    const auto times = [&](ValueId x, size_t channelAt) {
      Shape shape(4, 1);
      shape[channelAt] = p.shape(weight)[0];
      const ValueId spread = p.emitReshape(root, factor, shape);
      return p.emit(root, makeOp(OpKind::TtirMultiply, {x, spread}, {p.typeOf(x)}));
    };
    const ValueId scaled = times(weight, 0);
    if (bias.valid()) bias = times(bias, 3);
    p.took(conv);
    p.replace(root, convWith(p, conv, input, scaled, bias, p.type(root)), "factors taken into the weights");
    return true;
  }
  return false;
}

// conv(x, w) + a number per output channel, which may be broadcast to the image first, and need not be known.
bool fuseConvBias(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirAdd || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    OpId conv = p.def(p.in(root, side));
    if (!isAnyConv(p, conv) || p.useCount(p.in(root, side)) != 1 || inputCount(p.graph(), conv) != 2) continue;
    ValueId input = p.read(conv, 0), weight = p.read(conv, 1), added;
    if (!input.valid() || !weight.valid() || !perChannel(p, root, side, conv, added)) continue;
    Shape last(p.resultShape(root).size(), 1);
    last.back() = elementCount(p.shape(added)).value_or(1);
    p.took(conv);
    p.replace(root, convWith(p, conv, input, weight, p.emitReshape(root, added, last), p.type(root)),
              "bias taken into the convolution");
    return true;
  }
  return false;
}

// A permute of the last two dims in front of a product: the product reads its operand turned (tt-mlir
// lib/Dialect/TTIR/Transforms/TTIRFusing.cpp).
bool fusePermuteIntoProduct(PatternRewriter& p, OpId root) {
  if ((p.kind(root) != OpKind::TtirMatmul && p.kind(root) != OpKind::TtirLinear) || p.inputs(root) < 2) return false;
  OpSpec spec = makeOp(p.kind(root), {}, {p.type(root)});
  spec.attrs = p.old(root).attrs;
  for (size_t i = 0; i < p.inputs(root); ++i) spec.operands.push_back(p.in(root, i));
  bool any = false;
  for (size_t side = 0; side < 2; ++side) {
    const OpId permute = p.def(p.in(root, side), OpKind::TtirPermute);
    const ValueId source = p.read(permute, 0);
    if (!source.valid()) continue;
    std::vector<int64_t> order = p.ints(p.op(permute), "permutation");
    if (order.size() < 2) continue;
    std::swap(order[order.size() - 2], order.back());
    bool swapsLast = true;
    for (size_t d = 0; d < order.size(); ++d) swapsLast = swapsLast && order[d] == static_cast<int64_t>(d);
    if (!swapsLast) continue;
    const char* name = side == 0 ? "transpose_a" : "transpose_b";
    setAttribute(spec.attrs, name, boolAttr(p.integer(p.old(root), name, 0) == 0));
    spec.operands[side] = source;
    p.took(permute);
    any = true;
  }
  if (any) p.replace(root, std::move(spec), "the product reads its operand turned");
  return any;
}

namespace {

// What a product says that a linear says, too.
std::vector<Attribute> linearAttrs(const Op& matmul) {
  std::vector<Attribute> attrs;
  for (const Attribute& attr : matmul.attrs) {
    if (attr.name == "transpose_a" || attr.name == "transpose_b" || attr.name == "ttcore.weight_dtype")
      attrs.push_back(attr);
  }
  return attrs;
}

// The product behind an operand of an addition, or behind a view of it, that nothing else reads.
struct AddedProduct {
  OpId matmul, view;
  ValueId inner;  // the product itself
};
std::optional<AddedProduct> addedProduct(const PatternRewriter& p, ValueId operand) {
  AddedProduct found;
  found.view = p.def(operand, OpKind::TtirReshape);
  found.inner = found.view.valid() ? p.read(found.view, 0) : operand;
  found.matmul = p.def(found.inner, OpKind::TtirMatmul);
  const bool alone = p.useCount(operand) == 1 && (!found.view.valid() || p.useCount(found.inner) == 1);
  if (!found.matmul.valid() || !alone || findAttr(p.op(found.matmul), "activation") != nullptr) return {};
  return found;
}

// The bias before reshapes that it need not have: what spreads to the product or to the sum as it is.
ValueId beforeViews(const PatternRewriter& p, ValueId bias, const Shape& product, const Shape& sum) {
  constexpr int kMostViews = 8;
  for (int view = 0; view < kMostViews; ++view) {
    const ValueId source = p.read(p.def(bias, OpKind::TtirReshape), 0);
    if (!source.valid()) return bias;
    const std::optional<Shape> spread = broadcastShapes(product, p.shape(source));
    if (!spread || (*spread != sum && *spread != product)) return bias;
    bias = source;
  }
  return bias;
}

}  // namespace

// matmul(a, b) + bias, also when a view that keeps the columns stands in between.
bool fuseLinear(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirAdd || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    ValueId product = p.in(root, side), bias = p.in(root, 1 - side);
    if (!p.isTensor(product) || !p.isTensor(bias) || p.shape(product) != p.resultShape(root) ||
        p.shape(product).empty())
      continue;
    OpId view = p.def(product, OpKind::TtirReshape);
    ValueId inner = view.valid() ? p.read(view, 0) : product;
    OpId matmul = p.def(inner, OpKind::TtirMatmul);
    if (!matmul.valid() || findAttr(p.op(matmul), "activation") != nullptr) continue;
    int64_t columns = p.shape(product).back();
    bool fits = withoutLeadingOnes(p.shape(bias)) == Shape{columns} && p.shape(inner).back() == columns;
    bool alone = p.useCount(product) == 1 && (!view.valid() || p.useCount(inner) == 1);
    ValueId a = p.read(matmul, 0), b = p.read(matmul, 1);
    if (!fits || columns == 1 || !a.valid() || !b.valid()) continue;
    if (!alone) {
      p.nearMiss(root, "the product without the bias is also read elsewhere");
      continue;
    }
    p.took(matmul);
    ValueType type = p.typeWith(p.type(root), p.shape(inner));
    if (p.shape(bias).size() > p.shape(inner).size()) bias = p.emitReshape(root, bias, {columns});
    OpSpec spec = makeOp(OpKind::TtirLinear, {a, b, bias}, {type});
    spec.attrs = linearAttrs(p.op(matmul));
    if (!view.valid()) {
      p.replace(root, std::move(spec), "linear from matmul and bias");
      return true;
    }
    p.took(view);
    ValueId made = p.replace(root, std::move(spec), "linear from matmul and bias");
    return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
  }
  return false;
}

// The same with any bias that nothing else reads and that spreads to the product's shape, or the product to its: the
// library adds it behind the product (tt-mlir lib/Dialect/TTIR/Transforms/TTIRFusing.cpp MatmulWithBiasFusionPattern).
bool fuseLinearWithAnyBias(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirAdd || p.inputs(root) < 2) return false;
  const Shape sum = p.resultShape(root);
  for (size_t side = 0; side < 2; ++side) {
    ValueId bias = p.in(root, 1 - side);
    if (!p.isTensor(p.in(root, side)) || !p.isTensor(bias) || p.useCount(bias) != 1) continue;
    const std::optional<AddedProduct> product = addedProduct(p, p.in(root, side));
    if (!product || p.def(bias, OpKind::TtirMatmul).valid()) continue;
    const ValueId a = p.read(product->matmul, 0), b = p.read(product->matmul, 1);
    const Shape inner = p.shape(product->inner);
    if (!a.valid() || !b.valid() || inner.empty()) continue;
    bias = beforeViews(p, bias, inner, sum);
    const std::optional<Shape> spread = broadcastShapes(inner, p.shape(bias));
    if (!spread) continue;
    // A bias of whole tiles of rows is part of the kernel, which writes the product's shape.
    const Shape& added = p.shape(bias);
    const bool composite = added.size() > 1 && alignUp(added[added.size() - 2], kTileSide) != kTileSide;
    const Shape made = composite ? *spread : inner;
    if (elementCount(made) != elementCount(sum) || elementCount(*spread) != elementCount(sum)) continue;
    p.took(product->matmul);
    if (product->view.valid()) p.took(product->view);
    OpSpec spec = makeOp(OpKind::TtirLinear, {a, b, bias}, {p.typeWith(p.type(root), made)});
    spec.attrs = linearAttrs(p.op(product->matmul));
    const ValueId linear = p.replace(root, std::move(spec), "linear from matmul and addition");
    return p.seenAs(root, p.emitReshape(root, linear, sum));
  }
  return false;
}

namespace {

bool paddedBy(const Op& conv, int64_t all) {
  const AttrValue* padding = findAttr(conv, "padding");
  if (padding == nullptr) return all == 0;
  if (padding->ints.empty()) return padding->integer == all;
  return std::all_of(padding->ints.begin(), padding->ints.end(), [&](int64_t pad) { return pad == all; });
}

bool sameText(const Op& a, const Op& b, std::string_view name) {
  const AttrValue *one = findAttr(a, name), *two = findAttr(b, name);
  return one == nullptr || two == nullptr ? one == two : *one == *two;
}

}  // namespace

// conv(x, w3) + conv(x, w1), the first over 3x3 with one row of padding all around, the second over single pixels: one
// convolution whose middle weights are the sum (RepVGG; tt-mlir lib/Dialect/TTIR/Transforms/TTIRFusing.cpp).
bool fuseConvSum(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirAdd || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    const OpId wide = p.def(p.in(root, side)), point = p.def(p.in(root, 1 - side));
    if (!isConv(p, wide) || !isConv(p, point) || wide == point) continue;
    const bool alone = p.useCount(p.in(root, side)) == 1 && p.useCount(p.in(root, 1 - side)) == 1;
    ValueId input, weight, bias, otherInput, otherWeight, otherBias;
    if (!alone || !convOperands(p, wide, input, weight, bias) ||
        !convOperands(p, point, otherInput, otherWeight, otherBias) || input != otherInput)
      continue;
    const Shape& outer = p.shape(weight);
    const Shape& inner = p.shape(otherWeight);
    const bool pair = outer[2] == 3 && outer[3] == 3 && inner[2] == 1 && inner[3] == 1 && outer[0] == inner[0] &&
                      outer[1] == inner[1] && p.shape(p.in(root, side)) == p.resultShape(root);
    const Op &one = p.op(wide), &two = p.op(point);
    const bool alike = sameText(one, two, "stride") && sameText(one, two, "dilation") && sameText(one, two, "groups");
    if (!pair || !alike || !paddedBy(one, 1) || !paddedBy(two, 0)) continue;
    OpSpec pad = makeOp(OpKind::TtirPad, {otherWeight}, {p.typeWith(p.typeOf(otherWeight), outer)});
    pad.attrs = {{"padding", intArrayAttr({0, 0, 0, 0, 1, 1, 1, 1}, "i32")}, {"value", f32Attr(0)}};
    const ValueId padded = p.emit(root, std::move(pad));
    weight = p.emit(root, makeOp(OpKind::TtirAdd, {padded, weight}, {p.typeOf(weight)}));
    if (bias.valid() && otherBias.valid())
      bias = p.emit(root, makeOp(OpKind::TtirAdd, {bias, otherBias}, {p.typeOf(bias)}));
    else if (otherBias.valid()) bias = otherBias;
    p.took(wide);
    p.took(point);
    p.replace(root, convWith(p, wide, input, weight, bias, p.type(root)), "one convolution from the sum of two");
    return true;
  }
  return false;
}

namespace {

std::string_view activationName(const Op& op) {
  switch (op.kind) {
    case OpKind::TtirRelu: return "relu";
    case OpKind::TtirRelu6: return "relu6";
    case OpKind::TtirSilu: return "silu";
    case OpKind::TtirSigmoid: return "sigmoid";
    case OpKind::TtirTanh: return "tanh";
    case OpKind::TtirGelu: return findAttr(op, "approximate") == nullptr ? "gelu" : "gelu_approx";
    default: return {};
  }
}

}  // namespace

// An activation right behind a convolution, a linear or a matmul becomes its attribute.
bool fuseActivation(PatternRewriter& p, OpId root) {
  std::string_view name = activationName(p.old(root));
  if (name.empty() || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  OpId view = p.def(value, OpKind::TtirReshape);
  ValueId inner = view.valid() ? p.read(view, 0) : value;
  OpId made = p.def(inner);
  if (!made.valid() || p.useCount(value) != 1 || (view.valid() && p.useCount(inner) > 1)) return false;
  OpKind kind = p.op(made).kind;
  bool product = kind == OpKind::TtirLinear || kind == OpKind::TtirMatmul;
  bool conv = kind == OpKind::TtirConv2d;
  if ((!product && !conv) || findAttr(p.op(made), "activation") != nullptr) return false;
  for (size_t i = 0; i < p.op(made).operands.size(); ++i) {
    if (!p.read(made, i).valid()) return false;
  }
  OpSpec spec = p.specOf(made);
  spec.attrs.push_back({"activation", stringAttr(name)});
  spec.resultTypes = {p.typeWith(p.type(root), p.shape(inner))};
  p.took(made);
  std::string note = std::string(name) + " taken into the " +
                     std::string(product ? (kind == OpKind::TtirLinear ? "linear" : "matmul") : "convolution");
  if (!view.valid()) {
    p.replace(root, std::move(spec), std::move(note));
    return true;
  }
  p.took(view);
  ValueId result = p.replace(root, std::move(spec), std::move(note));
  return p.seenAs(root, p.emitReshape(root, result, p.resultShape(root)));
}

namespace {

double paddingValue(const Op& pad) {
  const AttrValue* value = findAttr(pad, "value");
  if (value == nullptr) return 0.0;
  return value->kind == AttrValueKind::Float ? value->number : static_cast<double>(value->integer);
}

}  // namespace

// Padding of height and width in front of a pool or a convolution becomes its own: minus infinity for a maximum, zero
// for a sum. A permute may stand in between.
bool fusePadding(PatternRewriter& p, OpId root) {
  bool pool = p.kind(root) == OpKind::TtirMaxPool2d, conv = p.kind(root) == OpKind::TtirConv2d;
  if ((!pool && !conv) || !p.isTensor(p.in(root, 0)) || p.shape(p.in(root, 0)).size() != 4) return false;
  std::vector<int64_t> order = {0, 1, 2, 3};
  ValueId padded = p.in(root, 0);
  if (OpId permute = p.def(padded, OpKind::TtirPermute); permute.valid()) {
    order = permutationOf(p.op(permute));
    padded = p.read(permute, 0);
    p.took(permute);
  }
  OpId pad = p.def(padded, OpKind::TtirPad);
  ValueId x = p.read(pad, 0);
  if (!x.valid() || (conv && findAttr(p.old(root), "channel_dim") == nullptr)) return false;
  std::vector<int64_t> added = p.ints(p.op(pad), "padding"), own = p.ints(p.old(root), "padding");
  if (own.size() < 2) own.assign(4, own.empty() ? 0 : own[0]);
  if (own.size() == 2) own = {own[0], own[1], own[0], own[1]};
  auto h = static_cast<size_t>(p.integer(p.old(root), "height_dim", 1)),
       w = static_cast<size_t>(p.integer(p.old(root), "width_dim", 2));
  if (added.size() != 8 || own.size() != 4 || order.size() != 4 || h > 3 || w > 3) return false;
  if (*std::min_element(added.begin(), added.end()) < 0) return false;  // it cuts off
  double number = paddingValue(p.op(pad));
  bool neutral = pool ? number <= -std::numeric_limits<float>::max() : number == 0.0;
  bool only = true;
  auto before = [&](size_t d) { return added[2 * static_cast<size_t>(order[d])]; };
  auto behind = [&](size_t d) { return added[2 * static_cast<size_t>(order[d]) + 1]; };
  for (size_t d = 0; d < 4; ++d) only = only && (d == h || d == w || (before(d) == 0 && behind(d) == 0));
  if (!neutral || !only) {
    p.nearMiss(root, !neutral ? "the padding in front holds a number that matters"
                              : "the padding in front is not of height and width alone");
    return false;
  }
  p.took(pad);
  OpSpec spec = makeOp(p.kind(root), {p.emitPermute(root, x, order)}, {p.type(root)});
  for (size_t i = 1; i < p.inputs(root); ++i) spec.operands.push_back(p.in(root, i));
  for (const Attribute& attr : p.old(root).attrs) {
    if (attr.name != "padding") spec.attrs.push_back(attr);
  }
  spec.attrs.push_back(
      {"padding",
       intArrayAttr({own[0] + before(h), own[1] + before(w), own[2] + behind(h), own[3] + behind(w)}, "i32")});
  p.replace(root, std::move(spec), pool ? "padding taken into the pool" : "padding taken into the convolution");
  return true;
}

// The same for volumes, whose own padding is the same on both sides.
bool fuseVolumePadding(PatternRewriter& p, OpId root) {
  const Op& conv = p.old(root);
  if (conv.kind != OpKind::TtirConv3d || !p.isTensor(p.in(root, 0)) || p.shape(p.in(root, 0)).size() != 5) return false;
  OpId pad = p.def(p.in(root, 0), OpKind::TtirPad);
  ValueId x = p.read(pad, 0);
  const AttrValue* mode = findAttr(conv, "padding_mode");
  if (!x.valid() || paddingValue(p.op(pad)) != 0.0 || (mode != nullptr && mode->string != "zeros")) return false;
  std::vector<int64_t> added = p.ints(p.op(pad), "padding"), own = p.ints(conv, "padding");
  const int64_t dims[] = {p.integer(conv, "depth_dim", 1), p.integer(conv, "height_dim", 2),
                          p.integer(conv, "width_dim", 3)};
  if (added.size() != 10 || own.size() != 3) return false;
  for (size_t i = 0; i < 3; ++i) {
    if (dims[i] < 0 || dims[i] > 4) return false;
    size_t at = 2 * static_cast<size_t>(dims[i]);
    if (added[at] != added[at + 1] || added[at] < 0) return false;
    own[i] += added[at];
    added[at] = added[at + 1] = 0;
  }
  if (std::any_of(added.begin(), added.end(), [](int64_t rows) { return rows != 0; })) return false;
  p.took(pad);
  OpSpec spec = makeOp(conv.kind, {x}, {p.type(root)});
  for (size_t i = 1; i < p.inputs(root); ++i) spec.operands.push_back(p.in(root, i));
  spec.attrs = conv.attrs;
  for (Attribute& attr : spec.attrs) {
    if (attr.name == "padding") attr.value = intArrayAttr(own, "i32");
  }
  p.replace(root, std::move(spec), "padding taken into the convolution");
  return true;
}

}  // namespace tessera
