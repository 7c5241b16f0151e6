// Integers that are known: counters of unrolled loops and the places worked out from them. The compiler folds them
// before it converts (StableHLO's aggressive simplification, tt-mlir
// lib/Dialect/TTIR/Pipelines/TTIRPipelines.cpp@19c86fca).

#include <algorithm>
#include <cmath>

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/fold.h"
#include "core/lowering/stablehlo/convert.h"

namespace tessera::shlo {

namespace {

constexpr double kLargestInteger = 2147483647.0;  // of what `full` holds

bool isOneInteger(const ValueType& type) {
  return type.isTensor() && type.tensor->element.empty() && !isFloatType(type.tensor->dtype) &&
         elementCount(type.tensor->shape) == 1;
}

std::optional<int64_t> compared(std::string_view direction, int64_t a, int64_t b) {
  if (direction == "EQ") return a == b;
  if (direction == "NE") return a != b;
  if (direction == "GE") return a >= b;
  if (direction == "GT") return a > b;
  if (direction == "LE") return a <= b;
  if (direction == "LT") return a < b;
  return {};
}

// Of operands within 32 bits, so that nothing overflows.
std::optional<int64_t> workedOut(const Op& op, const std::vector<int64_t>& x) {
  const bool two = x.size() == 2;
  switch (op.kind) {
    case OpKind::ShloAdd: return two ? std::optional(x[0] + x[1]) : std::nullopt;
    case OpKind::ShloSubtract: return two ? std::optional(x[0] - x[1]) : std::nullopt;
    case OpKind::ShloMultiply: return two ? std::optional(x[0] * x[1]) : std::nullopt;
    case OpKind::ShloDivide: return two && x[1] != 0 ? std::optional(x[0] / x[1]) : std::nullopt;
    case OpKind::ShloRemainder: return two && x[1] != 0 ? std::optional(x[0] % x[1]) : std::nullopt;
    case OpKind::ShloMaximum: return two ? std::optional(std::max(x[0], x[1])) : std::nullopt;
    case OpKind::ShloMinimum: return two ? std::optional(std::min(x[0], x[1])) : std::nullopt;
    case OpKind::ShloCompare: return two ? compared(word(op, "comparison_direction"), x[0], x[1]) : std::nullopt;
    case OpKind::ShloNegate: return x.size() == 1 ? std::optional(-x[0]) : std::nullopt;
    case OpKind::ShloConvert: return x.size() == 1 ? std::optional(x[0]) : std::nullopt;
    case OpKind::ShloSelect: return x.size() == 3 ? std::optional(x[0] != 0 ? x[1] : x[2]) : std::nullopt;
    case OpKind::ShloClamp: return x.size() == 3 ? std::optional(std::min(std::max(x[1], x[0]), x[2])) : std::nullopt;
    default: return {};
  }
}

bool holds(DType dtype, double number) {
  const std::optional<IntegerRange> range = integerRange(dtype);
  return range && range->holds(number) && std::fabs(number) <= kLargestInteger;
}

}  // namespace

bool foldKnownInteger(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  if (op.results.size() != 1 || op.operands.empty() || op.operands.size() > 3 || !isOneInteger(p.type(root)))
    return false;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const ValueId value = p.in(root, i);
    if (!p.isTensor(value) || !isOneInteger(p.typeOf(value))) return false;
    const std::optional<double> number = p.splat(value);
    if (!number || !(*number >= -kLargestInteger && *number <= kLargestInteger)) return false;
    numbers.push_back(static_cast<int64_t>(*number));
  }
  const std::optional<int64_t> result = workedOut(op, numbers);
  if (!result || !holds(p.type(root).tensor->dtype, static_cast<double>(*result))) return false;
  p.replace(root, numberSpec(p.type(root), static_cast<double>(*result)));
  return true;
}

}  // namespace tessera::shlo
