// Folds on TTNN ops, whose tensors have layouts.

#include <algorithm>

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/fold.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/support/units.h"

namespace tessera {

namespace {

bool givesItsInput(const PatternRewriter& p, OpId root) {
  return p.inputs(root) > 0 && p.isTensor(p.in(root, 0)) && p.typeOf(p.in(root, 0)) == p.type(root);
}

}  // namespace

// A permute that only moves ones is a reshape.
bool foldTtnnPermute(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtnnPermute || !p.isTensor(p.in(root, 0))) return false;
  std::vector<int64_t> order = permutationOf(p.old(root));
  if (order.size() != p.shape(p.in(root, 0)).size()) return false;
  OpId inner = p.def(p.in(root, 0), OpKind::TtnnPermute);
  // A permute that others read stays, and so does the one behind it.
  if (ValueId source = p.read(inner, 0); source.valid() && p.useCount(p.in(root, 0)) == 1) {
    std::vector<int64_t> first = permutationOf(p.op(inner));
    if (first.size() != order.size()) return false;
    for (int64_t& from : order) from = first[static_cast<size_t>(from)];
    p.took(inner);
    if (isIdentity(order) && p.typeOf(source) == p.type(root)) return p.becomes(root, source);
    OpSpec spec = makeOp(OpKind::TtnnPermute, {source}, {p.type(root)});
    spec.attrs = p.old(root).attrs;
    setAttribute(spec.attrs, "permutation", intArrayAttr(order));
    p.replace(root, std::move(spec));
    return true;
  }
  if (isIdentity(order)) return givesItsInput(p, root) && p.becomes(root, p.in(root, 0));
  if (!movesOnlyOnes(order, p.shape(p.in(root, 0)))) return false;
  OpSpec spec = makeOp(OpKind::TtnnReshape, {p.in(root, 0)}, {p.type(root)});
  spec.attrs = {{"shape", intListAttr(p.resultShape(root))}};
  p.replace(root, std::move(spec));
  return true;
}

// A reshape of a reshape is one, and one that changes nothing none.
bool mergeTtnnReshape(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtnnReshape || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  OpId inner = p.def(value, OpKind::TtnnReshape);
  if (ValueId source = p.read(inner, 0); source.valid()) {
    p.took(inner);
    value = source;
  }
  if (p.typeOf(value) == p.type(root)) return p.becomes(root, value);
  if (value == p.in(root, 0)) return false;
  OpSpec spec = makeOp(OpKind::TtnnReshape, {value}, {p.type(root)});
  spec.attrs = p.old(root).attrs;
  p.replace(root, std::move(spec));
  return true;
}

bool foldTtnnConcat(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtnnConcat) return false;
  std::vector<ValueId> full;
  for (size_t i = 0; i < p.inputs(root); ++i) {
    if (!p.isTensor(p.in(root, i))) return false;
    if (elementCount(p.shape(p.in(root, i))) != 0) full.push_back(p.in(root, i));
  }
  if (full.size() == 1 && p.typeOf(full[0]) == p.type(root)) return p.becomes(root, full[0]);
  if (full.empty() || full.size() == p.inputs(root)) return false;
  OpSpec spec = makeOp(OpKind::TtnnConcat, std::move(full), {p.type(root)});
  spec.attrs = p.old(root).attrs;
  p.replace(root, std::move(spec));
  return true;
}

bool foldTtnnRepeatInterleave(PatternRewriter& p, OpId root) {
  return p.kind(root) == OpKind::TtnnRepeatInterleave && p.integer(p.old(root), "repeats", 0) == 1 &&
         givesItsInput(p, root) && p.becomes(root, p.in(root, 0));
}

// The product broadcasts batch dim 1 of its right side by itself.
bool foldTtnnRepeatOfMatmul(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtnnMatmul || p.inputs(root) < 2) return false;
  ValueId right = p.in(root, 1);
  OpId repeat = p.def(right, OpKind::TtnnRepeat);
  ValueId source = p.read(repeat, 0);
  if (!source.valid() || !p.isTensor(source) || p.shape(source).size() != 4 || p.shape(right).size() != 4) return false;
  const Shape &from = p.shape(source), &to = p.shape(right);
  const Shape& left = p.shape(p.in(root, 0));
  bool second = left.size() == 4 && left[1] == to[1] && from[0] == 1 && to[0] == 1 && from[1] == 1 && to[1] != 1 &&
                from[2] == to[2] && from[3] == to[3];
  if (!second) return false;
  p.took(repeat);
  OpSpec spec = makeOp(OpKind::TtnnMatmul, {p.in(root, 0), source}, {p.type(root)});
  for (size_t i = 2; i < p.inputs(root); ++i) spec.operands.push_back(p.in(root, i));
  spec.attrs = p.old(root).attrs;
  p.replace(root, std::move(spec));
  return true;
}

// A constant of one number is a fill.
bool foldTtnnSplatConstant(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtnnConstant) return false;
  const TensorType& type = *p.type(root).tensor;
  const AttrValue* text = findAttr(p.old(root), "value");
  std::optional<int64_t> count = elementCount(type.shape);
  if (text == nullptr || !count || *count < 1) return false;
  std::optional<ConstantValue> read = readConstant(text->text, type.dtype, *count);
  if (!read || read->elided || read->numbers.size() + read->integers.size() != 1) return false;
  OpSpec spec = makeOp(OpKind::TtnnFull, {}, {p.type(root)});
  for (size_t i = 0; i < p.inputs(root); ++i) spec.operands.push_back(p.in(root, i));
  for (const Attribute& attr : p.old(root).attrs) {
    if (attr.name != "value") spec.attrs.push_back(attr);
  }
  spec.attrs.push_back({"shape", shapeAttr(type.shape)});
  spec.attrs.push_back(
      {"fill_value", read->numbers.empty() ? intAttr(read->integers[0], "i32") : f32Attr(read->numbers[0])});
  p.replace(root, std::move(spec));
  return true;
}

// One layout change behind the other is one; one that changes nothing is none.
bool mergeLayoutChanges(PatternRewriter& p, OpId root) {
  bool aggregate =
      (p.kind(root) == OpKind::TtnnToLayout || p.kind(root) == OpKind::TtnnToTensorSpec) && p.inputs(root) >= 1;
  if (!aggregate || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  OpId inner = p.def(value, p.kind(root));
  ValueId source = p.read(inner, 0);
  if (source.valid()) {
    p.took(inner);
    value = source;
  }
  if (p.typeOf(value) == p.type(root)) return p.becomes(root, value);
  if (!source.valid()) return false;
  OpSpec spec = p.specOf(inner);
  spec.operands[0] = source;
  spec.resultTypes = {p.type(root)};
  spec.attrs = p.old(root).attrs;
  p.replace(root, std::move(spec));
  return true;
}

}  // namespace tessera
