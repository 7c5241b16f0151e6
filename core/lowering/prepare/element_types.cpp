// Element types that the device has, everywhere: i64 becomes si32, i1 bf16, f64 f32 (tt-mlir
// lib/Dialect/TTIR/Transforms/ElementTypeNormalization.cpp). Passes behind it need not know the others.

#include "core/lowering/prepare/fold.h"
#include "core/lowering/prepare/prepare.h"

namespace tessera {

namespace {

// Nothing where the type stays as it is.
std::optional<ValueType> normalized(const ValueType& type) {
  if (!type.isTensor() || !type.tensor->element.empty() || type.tensor->layout) return {};
  const DType dtype = deviceDType(type.tensor->dtype);
  if (dtype == type.tensor->dtype && type.tensor->spelled.empty()) return {};
  ValueType out = type;
  out.tensor->dtype = dtype;
  out.tensor->spelled.clear();
  return out;
}

// The constant's numbers in the type that its result has now.
void retypeConstant(const Graph& from, Op& op) {
  const TensorType& old = *from.values[op.results[0]].type.tensor;
  for (Attribute& attr : op.attrs) {
    if (attr.name != "value") continue;
    if (std::optional<AttrValue> made = constantAs(attr.value, old, deviceDType(old.dtype))) attr.value = *made;
  }
}

}  // namespace

PassResult ttirElementTypeNormalization(const Graph& given, const PassContext& context) {
  // In the compiler's pipeline canonicalization comes next and sees the ops that are dropped in between here.
  const Graph graph = context.byName ? given : withConstantsInFront(given);
  PassResult result{graph};
  for (ValueId id : graph.values.ids()) {
    if (std::optional<ValueType> type = normalized(graph.values[id].type)) result.graph.values.edit(id).type = *type;
  }
  for (Function& func : result.graph.funcs) {
    for (ValueType& type : func.resultTypes) type = normalized(type).value_or(type);
  }
  for (OpId id : graph.ops.ids()) {
    const Op& op = graph.ops[id];
    bool constant = op.kind == OpKind::TtirConstant && op.results.size() == 1 &&
                    graph.values[op.results[0]].type.isTensor() && !graph.values[op.results[0]].type.tensor->layout;
    if (constant && !(graph.values[op.results[0]].type == result.graph.values[op.results[0]].type))
      retypeConstant(graph, result.graph.ops.edit(id));
  }
  return result;
}

}  // namespace tessera
