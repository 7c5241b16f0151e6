// Element types that the device has, everywhere: i64 becomes si32, i1 bf16, f64 f32 (tt-mlir
// lib/Dialect/TTIR/Transforms/ElementTypeNormalization.cpp). Passes behind it need not know the others.

#include "core/lowering/prepare/fold.h"
#include "core/lowering/prepare/prepare.h"

namespace tessera {

namespace {

void normalize(ValueType& type) {
  const ValueType& old = type;
  if (!old.isTensor() || !old.tensor->element.empty() || old.tensor->layout) return;
  const DType dtype = deviceDType(old.tensor->dtype);
  if (dtype == old.tensor->dtype && old.tensor->spelled.empty()) return;
  type.tensor->dtype = dtype;
  type.tensor->spelled.clear();
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
  for (Value& value : result.graph.values) normalize(value.type);
  for (Function& func : result.graph.funcs) {
    for (ValueType& type : func.resultTypes) normalize(type);
  }
  for (Op& op : result.graph.ops) {
    bool constant = op.kind == OpKind::TtirConstant && op.results.size() == 1 &&
                    graph.values[op.results[0]].type.isTensor() && !graph.values[op.results[0]].type.tensor->layout;
    if (constant && !(graph.values[op.results[0]].type == result.graph.values[op.results[0]].type))
      retypeConstant(graph, op);
  }
  return result;
}

}  // namespace tessera
