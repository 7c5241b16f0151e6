// Workarounds that spell an op out.

#include <algorithm>
#include <numeric>

#include "core/ir/tensor_layout.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/workaround_rules.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// NumPy broadcasting of two shapes that fit.
Shape broadcastOf(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < out.size(); ++i) {
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    out[out.size() - 1 - i] = std::max(x, y);
  }
  return out;
}

bool allOnes(const Shape& shape, size_t count) {
  return std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(std::min(count, shape.size())),
                     [](int64_t dim) { return dim == 1; });
}

struct ActivationOp {
  std::string_view name;
  OpKind kind;
};
constexpr ActivationOp kActivations[] = {
    {"relu", OpKind::TtnnRelu}, {"sigmoid", OpKind::TtnnSigmoid}, {"gelu", OpKind::TtnnGelu},
    {"tanh", OpKind::TtnnTanh}, {"silu", OpKind::TtnnSilu},       {"relu6", OpKind::TtnnRelu6},
};

}  // namespace

// The kernel adds one row to a product with one matrix on its right side; any other bias is added behind it.
bool linearAsMatmul(TtnnOps& t) {
  ValueId a = t.in(0), b = t.in(1), bias = t.in(2);
  if (!a.valid() || !b.valid() || !bias.valid() || t.shape(a).size() < 2 || t.shape(b).size() < 2) return false;
  const Shape left = t.shape(a), right = t.shape(b), added = t.shape(bias);
  int64_t columns = t.flag("transpose_b") ? right[right.size() - 2] : right.back();
  bool oneMatrix = allOnes(right, right.size() - 2);
  bool oneRow = !added.empty() && added.back() == columns && allOnes(added, added.size() - 1);
  if (oneMatrix && oneRow) return false;
  const AttrValue* activation = findAttr(t.op(), "activation");
  const auto follows = std::find_if(std::begin(kActivations), std::end(kActivations), [&](const ActivationOp& row) {
    return activation != nullptr && activation->string == row.name;
  });
  if (activation != nullptr && follows == std::end(kActivations)) return false;  // it would be lost
  Shape product = broadcastOf(Shape(left.begin(), left.end() - 2), Shape(right.begin(), right.end() - 2));
  product.push_back(t.flag("transpose_a") ? left.back() : left[left.size() - 2]);
  product.push_back(columns);
  AttrList attrs = t.op().attrs;
  std::erase_if(attrs.own(), [](const Attribute& attr) {
    return attr.name == "activation" || attr.name == "operandSegmentSizes" || attr.name == "program_config";
  });
  ValueId made = t.make(OpKind::TtnnMatmul, {a, b}, t.like(t.resultType(), product), std::move(attrs));
  made = t.make(OpKind::TtnnAdd, {made, bias}, t.like(t.resultType(), broadcastOf(product, added)));
  if (activation != nullptr) made = t.unary(follows->kind, made);
  t.becomes(t.reshape(made, t.resultShape()));
  return true;
}

// Groups of channels that fill whole tiles: more groups of the same size, of zeros.
bool groupNormOfWholeTiles(TtnnOps& t) {
  ValueId input = t.role(0);
  int64_t groups = t.integer("num_groups", 0);
  if (!input.valid() || t.shape(input).size() != 4 || groups < 1) return false;
  int64_t channels = t.shape(input)[3];
  if (channels % kTileSide == 0 || channels % groups != 0) return false;
  const bool masked = t.segments().size() == 4;  // has a role for a mask in front of weight and bias
  const size_t weight = masked ? 2 : 1;
  for (size_t role : {weight, weight + 1}) {
    if (t.role(role).valid() && t.shape(t.role(role)) != Shape{channels}) return false;
  }
  int64_t group = channels / groups, padded = alignUp(channels, std::lcm(kTileSide, group));
  Shape wide = t.shape(input), out = t.resultShape();
  wide[3] = out[3] = padded;
  std::vector<ValueId> operands = {t.padTo(input, wide)};
  if (masked && t.role(1).valid()) operands.push_back(t.role(1));
  for (size_t role : {weight, weight + 1}) {
    ValueId affine = t.role(role);
    if (affine.valid()) operands.push_back(t.padTo(affine, {padded}));
  }
  AttrList attrs = t.op().attrs;
  setAttribute(attrs, "num_groups", intAttr(padded / group, "i64"));
  ValueId made = t.again(std::move(operands), std::move(attrs), {t.like(t.resultType(), out)})[0];
  t.becomes(t.sliceDim(made, 3, 0, channels));
  return true;
}

// Weight and bias in rows of one tile.
bool groupNormOfTiledAffine(TtnnOps& t) {
  if (t.segments().size() < 4) return false;
  std::vector<ValueId> operands;
  bool any = false;
  for (size_t role = 0; role < 4; ++role) {
    ValueId value = t.role(role);
    if (!value.valid()) continue;
    bool flat = role >= 2 && t.shape(value).size() == 1 && t.shape(value)[0] > 0 && t.shape(value)[0] % kTileSide == 0;
    any = any || flat;
    operands.push_back(flat ? t.reshape(value, {1, 1, t.shape(value)[0] / kTileSide, kTileSide}) : value);
  }
  if (!any) return false;
  t.becomes(t.again(std::move(operands), t.resultType()));
  return true;
}

}  // namespace tessera
