// Element-wise StableHLO ops: one op for one op, and the few that are several.

#include <algorithm>
#include <limits>

#include "core/ir/constant_value.h"
#include "core/lowering/stablehlo/convert.h"

namespace tessera::shlo {

namespace {

bool isBool(PatternRewriter& p, ValueId value) { return p.dtype(value) == DType::I1; }

OpKind comparisonKind(std::string_view direction) {
  if (direction == "EQ") return OpKind::TtirEq;
  if (direction == "NE") return OpKind::TtirNe;
  if (direction == "GE") return OpKind::TtirGe;
  if (direction == "GT") return OpKind::TtirGt;
  if (direction == "LE") return OpKind::TtirLe;
  if (direction == "LT") return OpKind::TtirLt;
  return OpKind::Opaque;
}

OpKind integerForm(OpKind logicalKind) {
  switch (logicalKind) {
    case OpKind::TtirLogicalAnd: return OpKind::TtirBitwiseAnd;
    case OpKind::TtirLogicalOr: return OpKind::TtirBitwiseOr;
    case OpKind::TtirLogicalXor: return OpKind::TtirBitwiseXor;
    case OpKind::TtirLogicalNot: return OpKind::TtirBitwiseNot;
    default: return logicalKind;
  }
}

std::vector<ValueId> operandsOf(PatternRewriter& p, OpId root) {
  std::vector<ValueId> out;
  for (size_t i = 0; i < p.old(root).operands.size(); ++i) out.push_back(p.in(root, i));
  return out;
}

// All of the result's shape, or of rank 0 where a scalar may stand.
bool shapesAgree(PatternRewriter& p, OpId root, bool scalars) {
  for (size_t i = 0; i < p.old(root).operands.size(); ++i) {
    const Shape& shape = shapeOf(p, root, i);
    if (shape != p.resultShape(root) && !(scalars && shape.empty()))
      return refuse(p, root, "an operand has another shape than the result");
  }
  return true;
}

// No element is below 0: by its type, as a constant, as a count, seen through views and conversions.
bool neverNegative(PatternRewriter& p, ValueId value) {
  double most = std::numeric_limits<double>::infinity();  // more than this became something else in a conversion
  for (int depth = 0; depth < 8; ++depth) {
    const std::optional<IntegerRange> range = integerRange(p.dtype(value));
    const bool fits = !range || range->most <= most;
    if (range && range->least == 0 && fits) return true;
    if (const std::optional<double> known = p.splat(value)) return *known >= 0 && *known <= most;
    const OpId made = p.def(value);
    if (!made.valid()) return false;
    switch (p.op(made).kind) {
      case OpKind::TtirAbs: return fits;
      case OpKind::TtirArange:
        return integer(p.op(made), "start", -1) >= 0 && integer(p.op(made), "step", -1) >= 0 &&
               static_cast<double>(integer(p.op(made), "end", 0)) - 1 <= most;
      case OpKind::TtirTypecast:
        if (range) most = std::min(most, range->most);
        [[fallthrough]];
      case OpKind::TtirReshape:
      case OpKind::TtirBroadcast:
      case OpKind::TtirPermute:
      case OpKind::TtirSliceStatic: value = p.op(made).operands[0]; continue;
      default: return false;
    }
  }
  return false;
}

// StableHLO's remainder has the sign of the dividend, TTIR's and the library's that of the divisor. Of magnitudes they
// are the same, and the sign comes after. The least number of a short type has a magnitude in 32 bits.
bool finishRemainder(PatternRewriter& p, OpId root, ValueId dividend, ValueId divisor) {
  if (neverNegative(p, dividend) && neverNegative(p, divisor))
    return finish(p, root, OpKind::TtirRemainder, {dividend, divisor});
  const DType dtype = p.dtype(dividend);
  const bool isShort = dtype == DType::I8 || dtype == DType::I16;
  const auto made = [&](OpKind kind, std::vector<ValueId> operands) {
    const ValueType type = isShort ? p.typeWith(p.type(root), DType::I32) : p.type(root);
    return emit(p, root, kind, std::move(operands), type);
  };
  if (isShort) dividend = made(OpKind::TtirTypecast, {dividend}), divisor = made(OpKind::TtirTypecast, {divisor});
  const ValueId large = made(OpKind::TtirAbs, {dividend}), small = made(OpKind::TtirAbs, {divisor});
  const ValueId rest = made(OpKind::TtirRemainder, {large, small}), sign = made(OpKind::TtirSign, {dividend});
  if (!isShort) return finish(p, root, OpKind::TtirMultiply, {sign, rest});
  return finish(p, root, OpKind::TtirTypecast, {made(OpKind::TtirMultiply, {sign, rest})},
                {{"conservative_folding", boolAttr(false)}});
}

}  // namespace

bool remainder(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 2) || !shapesAgree(p, root, false)) return false;
  return finishRemainder(p, root, p.in(root, 0), p.in(root, 1));
}

bool elementwise(PatternRewriter& p, OpId root) {
  OpKind kind = targetOf(p.kind(root));
  bool select = kind == OpKind::TtirWhere;
  if (!tensors(p, root, 1) || !countFits(p, root, kind) || !shapesAgree(p, root, select)) return false;
  return finish(p, root, kind, operandsOf(p, root));
}

// clamp(min, value, max)
bool clampValue(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 3) || !shapesAgree(p, root, true)) return false;
  ValueId bounds[2] = {p.in(root, 0), p.in(root, 2)};
  for (ValueId& bound : bounds)
    bound = broadcastTo(p, root, bound, p.shape(bound).empty() ? std::vector<int64_t>() : [&] {
    std::vector<int64_t> dims(p.shape(bound).size());
    for (size_t d = 0; d < dims.size(); ++d) dims[d] = static_cast<int64_t>(d);
    return dims;
  }(), p.resultShape(root));
  return finish(p, root, OpKind::TtirClampTensor, {p.in(root, 1), bounds[0], bounds[1]});
}

// CHLO's pairs broadcast as NumPy does; TTIR's ops do so by themselves. Nothing after saying why they do not.
std::optional<std::vector<ValueId>> broadcastToResult(PatternRewriter& p, OpId root) {
  const Shape to = p.resultShape(root);
  std::vector<ValueId> operands = operandsOf(p, root);
  const std::vector<int64_t> dims = ints(p.old(root), "broadcast_dimensions");
  for (ValueId& operand : operands) {
    const Shape& own = p.shape(operand);
    if (own.size() == dims.size() && own.size() < to.size() && dimsFit(dims, to.size()))
      operand = broadcastTo(p, root, operand, dims, to);
    for (size_t back = 1; back <= p.shape(operand).size(); ++back) {
      int64_t dim = p.shape(operand)[p.shape(operand).size() - back];
      if (back > to.size() || (dim != 1 && dim != to[to.size() - back])) {
        refuse(p, root, "the operands do not broadcast to the result");
        return std::nullopt;
      }
    }
  }
  return operands;
}

bool compare(PatternRewriter& p, OpId root) {
  OpKind kind = comparisonKind(word(p.old(root), "comparison_direction"));
  if (kind == OpKind::Opaque) return refuse(p, root, "the direction of the comparison is none of EQ NE GE GT LE LT");
  if (!tensors(p, root, 2)) return false;
  if (p.kind(root) == OpKind::ChloBroadcastCompare) {
    std::optional<std::vector<ValueId>> pair = broadcastToResult(p, root);
    return pair && finish(p, root, kind, std::move(*pair));
  }
  return shapesAgree(p, root, false) && finish(p, root, kind, operandsOf(p, root));
}

// and, or, xor, not: of truth values or of bits.
bool logical(PatternRewriter& p, OpId root) {
  OpKind kind = targetOf(p.kind(root));
  if (!tensors(p, root, 1) || !countFits(p, root, kind) || !shapesAgree(p, root, false)) return false;
  bool bits = false;
  for (size_t i = 0; i < p.old(root).operands.size(); ++i) bits = bits || !isBool(p, p.in(root, i));
  return finish(p, root, bits ? integerForm(kind) : kind, operandsOf(p, root));
}

// sign(x) * floor(abs(x) + 0.5)
bool roundAwayFromZero(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1) || !shapesAgree(p, root, false)) return false;
  ValueId x = p.in(root, 0);
  const ValueType type = p.typeOf(x);
  ValueId magnitude = emit(p, root, OpKind::TtirAbs, {x}, type);
  ValueId moved = emit(p, root, OpKind::TtirAdd, {magnitude, fill(p, root, type, 0.5)}, type);
  ValueId floor = emit(p, root, OpKind::TtirFloor, {moved}, type);
  return finish(p, root, OpKind::TtirMultiply, {emit(p, root, OpKind::TtirSign, {x}, type), floor});
}

bool convertType(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1) || !shapesAgree(p, root, false)) return false;
  return finish(p, root, OpKind::TtirTypecast, {p.in(root, 0)}, {{"conservative_folding", boolAttr(false)}});
}

// The results are the operands.
bool passOn(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  if (!tensors(p, root, 1) || op.results.size() > op.operands.size()) return false;
  for (size_t i = 0; i < op.results.size(); ++i) {
    if (p.typeOf(p.in(root, i)) != p.oldGraph().values[op.results[i]].type)
      return refuse(p, root, "the result has another type than its operand");
  }
  for (size_t i = 1; i < op.results.size(); ++i) p.mapResult(root, i, p.in(root, i));
  return p.becomes(root, p.in(root, 0));
}

bool broadcastPair(PatternRewriter& p, OpId root) {
  OpKind kind = targetOf(p.kind(root));
  if (!tensors(p, root, 2) || !countFits(p, root, kind)) return false;
  std::optional<std::vector<ValueId>> operands = broadcastToResult(p, root);
  if (!operands) return false;
  if (!isBool(p, operands->front())) kind = integerForm(kind);
  if (kind == OpKind::TtirRemainder) return finishRemainder(p, root, operands->at(0), operands->at(1));
  return finish(p, root, kind, std::move(*operands));
}

bool chloSign(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1) || !shapesAgree(p, root, false)) return false;
  double infinity = std::numeric_limits<double>::infinity();
  ValueId limit = fill(p, root, p.typeOf(p.in(root, 0)), p.kind(root) == OpKind::ChloIsNegInf ? -infinity : infinity);
  return finish(p, root, OpKind::TtirEq, {p.in(root, 0), limit});
}

}  // namespace tessera::shlo
