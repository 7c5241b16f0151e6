// What the host's processor is given in terms of other ops (config=cpu-fallback; tt-mlir
// lib/Conversion/TTIRToTTIRDecomposition @ 19c86fca).

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/decompose.h"
#include "core/lowering/prepare/view_map.h"

namespace tessera {

// Truth values: any is a sum that is not zero, all is a product.
bool logicalReductionOnHost(PatternRewriter& p, OpId root) {
  const bool any = p.kind(root) == OpKind::TtirReduceOr;
  if ((!any && p.kind(root) != OpKind::TtirReduceAnd) || !p.isTensor(p.in(root, 0))) return false;
  OpSpec reduce = makeOp(any ? OpKind::TtirSum : OpKind::TtirProd, {p.in(root, 0)}, {p.type(root)});
  reduce.attrs = p.old(root).attrs;
  if (!any) return p.replace(root, std::move(reduce), "product of truth values"), true;
  const ValueId sum = p.emit(root, std::move(reduce));
  OpSpec zero = makeOp(OpKind::TtirConstant, {}, {p.type(root)});
  std::string type = "tensor<";
  for (int64_t dim : p.resultShape(root)) type += std::to_string(dim) + "x";
  const DType dtype = p.type(root).tensor->dtype;
  const std::string number = isInteger(dtype) ? "0" : "0.000000e+00";
  zero.attrs = {{"value", rawAttr("dense<" + number + "> : " + type + std::string(dtypeName(dtype)) + ">")}};
  const ValueId differs = p.emit(root, makeOp(OpKind::TtirNe, {sum, p.emit(root, std::move(zero))}, {p.type(root)}));
  p.replace(root, makeOp(OpKind::TtirTypecast, {differs}, {p.type(root)}), "sum of truth values that is not zero");
  return true;
}

// Queries, keys and values side by side, or keys and values in a second tensor: cut apart, one head per row, heads
// first.
bool splitHeadsOnHost(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirSplitQueryKeyValueAndSplitHeads || p.old(root).results.size() != 3) return false;
  const ValueId input = p.in(root, 0);
  if (!p.isTensor(input) || p.shape(input).size() != 3 || p.resultShape(root).size() != 4) return false;
  const bool apart = p.inputs(root) > 1;
  const Shape in = p.shape(input), queries = p.resultShape(root);
  const Shape values = p.oldGraph().values[p.old(root).results[2]].type.tensor->shape;
  if (values.size() != 4) return false;
  const int64_t size = queries[3], hidden = queries[1] * size, kvHidden = values[1] * size;
  const auto cut = [&](ValueId from, int64_t begin, int64_t count) {
    OpSpec slice = makeOp(OpKind::TtirSliceStatic, {from}, {p.typeWith(p.typeOf(from), Shape{in[0], in[1], count})});
    slice.attrs = {{"begins", intListAttr({0, 0, begin})},
                   {"ends", intListAttr({in[0], in[1], begin + count})},
                   {"step", intListAttr({1, 1, 1})}};
    return p.emit(root, std::move(slice));
  };
  const auto inHeads = [&](ValueId part, size_t i) {
    return p.emitReshape(root, part, {in[0], in[1], i == 0 ? queries[1] : values[1], size});
  };
  ValueId parts[3] = {apart ? input : cut(input, 0, hidden), {}, {}};
  // What stands in a tensor of its own needs no cut and is done first.
  if (apart) parts[0] = p.emitPermute(root, inHeads(parts[0], 0), {0, 2, 1, 3});
  const ValueId rest = apart ? p.in(root, 1) : input;
  const int64_t behind = apart ? 0 : hidden;
  parts[1] = cut(rest, behind, kvHidden);
  parts[2] = cut(rest, behind + kvHidden, kvHidden);
  for (size_t i = apart ? 1 : 0; i < 3; ++i) parts[i] = inHeads(parts[i], i);
  for (size_t i = apart ? 1 : 0; i < 3; ++i) parts[i] = p.emitPermute(root, parts[i], {0, 2, 1, 3});
  if (p.integer(p.old(root), "transpose_key", 0) != 0) parts[1] = p.emitPermute(root, parts[1], {0, 1, 3, 2});
  for (size_t i = 0; i < 3; ++i) p.mapResult(root, i, parts[i]);
  return true;
}

// The library's optimizer step takes four dims.
bool adamwInFourDims(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirAdamw || p.inputs(root) < 4 || !p.isTensor(p.in(root, 0))) return false;
  const size_t rank = p.shape(p.in(root, 0)).size();
  if (rank >= 4) return false;
  const auto widened = [](Shape shape) {
    shape.insert(shape.begin(), 4 - std::min<size_t>(shape.size(), 4), 1);
    return shape;
  };
  OpSpec spec = makeOp(OpKind::TtirAdamw, {}, {});
  for (size_t i = 0; i < p.inputs(root); ++i) {
    const ValueId operand = p.in(root, i);
    const bool like = p.isTensor(operand) && p.shape(operand).size() == rank;
    spec.operands.push_back(like ? p.emitReshape(root, operand, widened(p.shape(operand))) : operand);
  }
  std::vector<ValueType> types;
  for (ValueId result : p.old(root).results) types.push_back(p.oldGraph().values[result].type);
  for (const ValueType& type : types) spec.resultTypes.push_back(p.typeWith(type, widened(type.tensor->shape)));
  spec.attrs = p.old(root).attrs;
  p.replace(root, std::move(spec));
  for (size_t i = 0; i < types.size(); ++i) {
    const ValueId made = p.nowOf(p.old(root).results[i]);
    p.mapResult(root, i, p.emitReshape(root, made, types[i].tensor->shape));
  }
  return true;
}

}  // namespace tessera
