#include "core/execute/rounded_integers.h"

#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// What a called function converts is not looked for.
bool mayConvert(const Op& op) {
  if (op.kind == OpKind::ShloConvert || op.kind == OpKind::ShloUniformQuantize) return true;
  const Family family = opInfo(op.kind).family;
  return family == Family::Typecast || family == Family::Quantize || family == Family::Call;
}

}  // namespace

IdVec<ValueId, bool> roundedIntegers(const Graph& graph) {
  IdVec<ValueId, bool> rounded(graph.values.size(), false);
  const auto has = [&](ValueId id, bool real) {
    const ValueType& type = graph.values[id].type;
    return type.isTensor() && isFloatType(type.tensor->dtype) == real && type.tensor->dtype != DType::I1;
  };
  for (const Function& func : graph.funcs) {
    for (OpId id : func.ops) {
      const Op& op = graph.ops[id];
      bool from = false;
      for (ValueId operand : op.operands) from = from || rounded[operand] || (mayConvert(op) && has(operand, true));
      for (ValueId result : op.results) rounded[result] = from && has(result, false);
    }
  }
  return rounded;
}

}  // namespace tessera
