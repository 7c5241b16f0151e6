#include "core/execute/rounding_steps.h"

#include <algorithm>
#include <cmath>

#include "core/execute/scaling.h"
#include "core/ir/constant_value.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// What a called function converts is not looked for.
bool mayConvert(const Op& op) {
  if (op.kind == OpKind::ShloConvert || op.kind == OpKind::ShloUniformQuantize) return true;
  const Family family = opInfo(op.kind).family;
  return family == Family::Typecast || family == Family::Quantize || family == Family::Call;
}

// Its integers say where among reals something stands.
bool givesPlaces(const Op& op) {
  const Family family = opInfo(op.kind).family;
  return family == Family::Sort || family == Family::Reduction || family == Family::Pool;
}

bool dequantizes(const Op& op) {
  return op.kind == OpKind::ShloUniformDequantize || opInfo(op.kind).family == Family::Quantize;
}

// Every element of the result is one of the operands, or converted from one.
bool keepsSteps(const Op& op) {
  switch (opInfo(op.kind).family) {
    case Family::Reshape:
    case Family::Permute:
    case Family::Slice:
    case Family::Concat:
    case Family::Repeat:
    case Family::Typecast:
    case Family::ToLayout: return true;
    default: return op.kind == OpKind::ShloConvert;
  }
}

// Of the reals that quantized numbers of this type stand for; 0 where the type does not say.
double stepOf(const ValueType& type) {
  double step = 0;
  const std::optional<Scaling> scaling = type.isTensor() ? readScaling(type.tensor->element) : std::nullopt;
  if (!scaling) return step;
  for (float scale : scaling->scales) step = std::max(step, std::fabs(static_cast<double>(scale)));
  return step;
}

}  // namespace

IdVec<ValueId, double> roundingSteps(const Graph& graph) {
  IdVec<ValueId, double> steps(graph.values.size(), 0);
  const auto has = [&](ValueId id, bool real) {
    const ValueType& type = graph.values[id].type;
    return type.isTensor() && isFloatType(type.tensor->dtype) == real && type.tensor->dtype != DType::I1;
  };
  for (const Function& func : graph.funcs) {
    for (OpId id : func.ops) {
      const Op& op = graph.ops[id];
      const double made = givesPlaces(op) ? HUGE_VAL : mayConvert(op) ? 1 : 0;  // integers of reals
      double ofReals = 0, ofIntegers = 0, fromReals = 0;                        // the longest of the operands
      for (ValueId operand : op.operands) {
        double& longest = has(operand, true) ? ofReals : ofIntegers;
        longest = std::max(longest, steps[operand]);
        if (has(operand, true)) fromReals = made;
      }
      for (ValueId result : op.results) {
        if (has(result, false)) steps[result] = std::max(ofIntegers, fromReals);
        else if (has(result, true) && ofIntegers > 0 && dequantizes(op))
          steps[result] = stepOf(graph.values[op.operands[0]].type);
        else if (has(result, true) && keepsSteps(op)) steps[result] = ofReals;
      }
    }
  }
  return steps;
}

}  // namespace tessera
