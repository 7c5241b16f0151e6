// Folds over numbers that are known: views, conversions, negations, sums and comparisons of constants.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/fold.h"
#include "core/lowering/prepare/view_map.h"
#include "core/support/float_text.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// Larger lists are not worked out: they would be text of the program.
constexpr size_t kMostNumbers = 1024;
// Integers up to here are exact as doubles.
constexpr double kExact = 9007199254740992.0;

// A tensor whose numbers are known: one for all elements, or each in row-major order.
struct KnownTensor {
  Shape shape;
  DType dtype = DType::F32;
  std::vector<double> numbers;
  bool splat() const { return numbers.size() == 1; }
};

// The numbers of a constant's attribute; whole ones beyond 2^53 are the nearest doubles.
std::vector<double> numbersOf(const AttrValue& value, const Shape& shape, DType dtype) {
  std::optional<int64_t> count = elementCount(shape);
  std::optional<ConstantValue> read = count ? readConstant(value.text, dtype, *count) : std::nullopt;
  if (!read || read->elided) return {};
  std::vector<double> numbers = read->numbers;
  for (int64_t number : read->integers) numbers.push_back(static_cast<double>(number));
  return numbers;
}

std::optional<KnownTensor> knownTensor(const PatternRewriter& p, ValueId value) {
  OpId made = p.def(value);
  if (!made.valid() || !p.isTensor(value)) return {};
  KnownTensor out{p.shape(value), p.dtype(value), {}};
  const Op& op = p.op(made);
  switch (op.kind) {
    case OpKind::TtirZeros: out.numbers = {0.0}; return out;
    case OpKind::TtirOnes: out.numbers = {1.0}; return out;
    case OpKind::TtirFull: {
      const AttrValue* fill = findAttr(op, "fill_value");
      if (fill == nullptr) return {};
      if (fill->kind == AttrValueKind::Float) out.numbers = {fill->number};
      else if (fill->kind == AttrValueKind::Integer) out.numbers = {static_cast<double>(fill->integer)};
      else return {};
      return out;
    }
    case OpKind::TtirConstant: {
      const AttrValue* text = findAttr(op, "value");
      if (text == nullptr) return {};
      out.numbers = numbersOf(*text, out.shape, out.dtype);
      if (out.numbers.empty() || out.numbers.size() > kMostNumbers) return {};
      if (!isFloatType(out.dtype) && !std::all_of(out.numbers.begin(), out.numbers.end(), surelyExact)) return {};
      return out;
    }
    default: return {};
  }
}

// Of a whole number; beyond 64 bits the nearest that they hold.
std::string wholeText(double number, DType dtype) {
  constexpr double kOfSigned = 9223372036854775808.0, kOfUnsigned = 18446744073709551616.0;
  if (dtype == DType::U64 && number >= kOfUnsigned) return std::to_string(UINT64_MAX);
  if (dtype == DType::U64 && number > 0) return std::to_string(static_cast<uint64_t>(number));
  if (number >= kOfSigned) return std::to_string(INT64_MAX);
  return std::to_string(number < -kOfSigned ? INT64_MIN : static_cast<int64_t>(number));
}

std::string numberText(double number, DType dtype) {
  if (dtype == DType::I1) return number != 0 ? "true" : "false";
  if (!isFloatType(dtype)) return wholeText(number, dtype);
  if (dtype == DType::F32) return mlirF32Text(number);
  if (std::isfinite(number)) return mlirFloatText(number, dtypeName(dtype));
  // The upper half of an f32's bits is a bf16; the other types have a longer exponent or a shorter one.
  const bool minus = std::signbit(number), nan = std::isnan(number);
  if (dtype == DType::BF16) return mlirF32Text(number).substr(0, 6);
  if (dtype == DType::F16) return nan ? "0x7E00" : minus ? "0xFC00" : "0x7C00";
  return nan ? "0x7FF8000000000000" : minus ? "0xFFF0000000000000" : "0x7FF0000000000000";
}

// ` : tensor<2x2xsi32>`
std::string denseType(const KnownTensor& tensor) {
  std::string type = " : tensor<";
  for (int64_t dim : tensor.shape) type += std::to_string(dim) + "x";
  std::string element(dtypeName(tensor.dtype));
  bool bare = tensor.dtype != DType::I1 && element[0] == 'i' && tensor.dtype != DType::Index;  // "i8" is signed
  return type + (bare ? "s" : "") + element + ">";
}

// `dense<[[1, 2], [3, 4]]> : tensor<2x2xsi32>`
AttrValue denseAttr(const KnownTensor& tensor) {
  std::string text = "dense<";
  size_t rank = tensor.splat() ? 0 : tensor.shape.size();
  std::vector<size_t> sizes(rank + 1, 1);  // elements of one entry at each depth
  for (size_t d = rank; d > 0; --d) sizes[d - 1] = sizes[d] * static_cast<size_t>(tensor.shape[d - 1]);
  for (size_t i = 0; i < tensor.numbers.size(); ++i) {
    for (size_t d = 0; d < rank; ++d) text += i % sizes[d] == 0 ? "[" : "";
    text += numberText(tensor.numbers[i], tensor.dtype);
    size_t closed = 0;
    for (size_t d = 0; d < rank; ++d) closed += (i + 1) % sizes[d] == 0 ? 1 : 0;
    text += std::string(closed, ']');
    text += i + 1 < tensor.numbers.size() ? ", " : "";
  }
  return rawAttr(text + ">" + denseType(tensor));
}

OpSpec constantSpec(const ValueType& type, const KnownTensor& tensor) {
  OpSpec spec = makeOp(OpKind::TtirConstant, {}, {type});
  spec.attrs = {{"value", denseAttr(tensor)}};
  return spec;
}

// The fill value of `full` is a signed 32-bit integer where it is no float.
bool fitsFull(double number, DType dtype) {
  return isFloatType(dtype) || (number >= -2147483648.0 && number <= 2147483647.0);
}

bool negativeZero(double number) { return number == 0 && std::signbit(number); }

}  // namespace

bool surelyExact(double whole) { return std::fabs(whole) < kExact; }

std::optional<AttrValue> constantAs(const AttrValue& value, const TensorType& type, DType to) {
  size_t typed = value.text.rfind(" : ");
  if (typed == std::string::npos) return {};
  KnownTensor tensor{type.shape, to, numbersOf(value, type.shape, type.dtype)};
  if (tensor.numbers.empty()) {  // not in the text: the type alone
    AttrValue out = value;
    out.text.resize(typed);
    out.text += denseType(tensor);
    return out;
  }
  if (const std::optional<IntegerRange> range = integerRange(to)) {
    for (double& number : tensor.numbers) number = std::clamp(number, range->least, range->most);
  }
  return denseAttr(tensor);
}

OpSpec numberSpec(const ValueType& type, double number) {
  const TensorType& tensor = *type.tensor;
  if (!fitsFull(number, tensor.dtype)) return constantSpec(type, {tensor.shape, tensor.dtype, {number}});
  bool zero = number == 0 && (!negativeZero(number) || !isFloatType(tensor.dtype));
  OpSpec spec = makeOp(zero ? OpKind::TtirZeros : number == 1 ? OpKind::TtirOnes : OpKind::TtirFull, {}, {type});
  spec.attrs = {{"shape", intArrayAttr(tensor.shape, "i32")}};
  if (zero || number == 1) return spec;
  AttrValue fill = isFloatType(tensor.dtype) ? f32Attr(number) : intAttr(static_cast<int64_t>(number), "i32");
  spec.attrs.push_back({"fill_value", std::move(fill)});
  return spec;
}

namespace {

bool replaceByNumbers(PatternRewriter& p, OpId root, KnownTensor tensor) {
  if (tensor.splat()) {
    if (!fitsFull(tensor.numbers[0], tensor.dtype)) return false;
    p.replace(root, numberSpec(p.type(root), tensor.numbers[0]));
    return true;
  }
  p.replace(root, constantSpec(p.type(root), tensor));
  return true;
}

// Where the element at these places of the result comes from; false when the op is none that only moves elements.
using SourcePlace = bool (*)(const Op& op, const Shape& in, const std::vector<int64_t>& at, std::vector<int64_t>& from);

bool placeInPermute(const Op& op, const Shape&, const std::vector<int64_t>& at, std::vector<int64_t>& from) {
  std::vector<int64_t> order = PatternRewriter::ints(op, "permutation");
  if (order.size() != at.size()) return false;
  for (size_t i = 0; i < at.size(); ++i) from[static_cast<size_t>(order[i])] = at[i];
  return true;
}

bool placeInRepeat(const Op&, const Shape& in, const std::vector<int64_t>& at, std::vector<int64_t>& from) {
  for (size_t i = 0; i < at.size(); ++i) from[i] = at[i] % in[i];
  return true;
}

bool placeInInterleave(const Op& op, const Shape& in, const std::vector<int64_t>& at, std::vector<int64_t>& from) {
  int64_t dim = PatternRewriter::integer(op, "dim", 0), repeats = PatternRewriter::integer(op, "repeats", 0);
  dim += dim < 0 ? static_cast<int64_t>(in.size()) : 0;
  if (repeats < 1 || dim < 0 || dim >= static_cast<int64_t>(in.size())) return false;
  from = at;
  from[static_cast<size_t>(dim)] /= repeats;
  return true;
}

bool placeInSlice(const Op& op, const Shape& in, const std::vector<int64_t>& at, std::vector<int64_t>& from) {
  std::vector<int64_t> begins = PatternRewriter::ints(op, "begins"), steps = PatternRewriter::ints(op, "step");
  if (begins.size() != at.size() || steps.size() != at.size()) return false;
  for (size_t i = 0; i < at.size(); ++i) from[i] = (begins[i] < 0 ? begins[i] + in[i] : begins[i]) + at[i] * steps[i];
  return true;
}

SourcePlace sourcePlace(OpKind kind) {
  switch (kind) {
    case OpKind::TtirPermute: return placeInPermute;
    case OpKind::TtirRepeat: return placeInRepeat;
    case OpKind::TtirRepeatInterleave: return placeInInterleave;
    case OpKind::TtirSliceStatic: return placeInSlice;
    default: return nullptr;
  }
}

// The elements in their new order; empty when a place lies outside.
std::vector<double> moved(const Op& op, const KnownTensor& tensor, const Shape& to) {
  SourcePlace source = sourcePlace(op.kind);
  std::optional<int64_t> count = elementCount(to);
  std::vector<double> out;
  if (source == nullptr || !count || *count > static_cast<int64_t>(kMostNumbers) || to.size() != tensor.shape.size())
    return out;
  std::vector<int64_t> at(to.size(), 0), from(to.size(), 0);
  for (int64_t i = 0; i < *count; ++i) {
    int64_t rest = i, place = 0;
    for (size_t d = to.size(); d > 0; --d) {
      at[d - 1] = rest % to[d - 1];
      rest /= to[d - 1];
    }
    if (!source(op, tensor.shape, at, from)) return {};
    for (size_t d = 0; d < from.size(); ++d) {
      if (from[d] < 0 || from[d] >= tensor.shape[d]) return {};
      place = place * tensor.shape[d] + from[d];
    }
    out.push_back(tensor.numbers[static_cast<size_t>(place)]);
  }
  return out;
}

bool onlyMoves(OpKind kind) {
  return kind == OpKind::TtirReshape || kind == OpKind::TtirBroadcast || sourcePlace(kind) != nullptr;
}

}  // namespace

namespace {

// What a view makes of numbers that are known.
std::optional<KnownTensor> viewOfKnown(const PatternRewriter& p, OpId root) {
  if (!onlyMoves(p.kind(root)) || p.inputs(root) != 1) return {};
  std::optional<KnownTensor> known = knownTensor(p, p.in(root, 0));
  if (!known) return {};
  if (!known->splat()) {
    if (p.kind(root) == OpKind::TtirBroadcast) return {};
    if (p.kind(root) != OpKind::TtirReshape) known->numbers = moved(p.old(root), *known, p.resultShape(root));
    if (known->numbers.empty()) return {};
  }
  known->shape = p.resultShape(root);
  return known;
}

}  // namespace

bool foldViewOfNumbers(PatternRewriter& p, OpId root) {
  std::optional<KnownTensor> known = viewOfKnown(p, root);
  return known && replaceByNumbers(p, root, std::move(*known));
}

namespace {

// Is one of the views from the constant to this op a broadcast?
bool seenThroughBroadcast(const PatternRewriter& p, OpId root) {
  const Graph& graph = p.oldGraph();
  for (OpId op = root; op.valid(); op = graph.values[graph.ops[op].operands[0]].producer) {
    if (p.kind(op) == OpKind::TtirBroadcast) return true;
    if (p.kind(op) != OpKind::TtirReshape) return false;
  }
  return false;
}

}  // namespace

bool foldViewOfConstant(PatternRewriter& p, OpId root) {
  std::optional<KnownTensor> known = viewOfKnown(p, root);
  if (!known) return false;
  // One number that was only reshaped is a fill.
  if (known->splat() && !seenThroughBroadcast(p, root)) {
    OpSpec fill = numberSpec(p.type(root), known->numbers[0]);
    if (fill.kind == OpKind::TtirFull) {
      p.replace(root, std::move(fill));
      return true;
    }
  }
  p.replace(root, constantSpec(p.type(root), *known));
  return true;
}

namespace {

// Whole numbers of the type that are told apart as doubles.
bool isExact(DType dtype, double number) {
  const std::optional<IntegerRange> range = integerRange(dtype);
  return range && range->holds(number) && std::fabs(number) <= kExact;
}

}  // namespace

// Numbers that the type cannot hold stay: what the device makes of them is its own.
bool foldTypecastOfNumbers(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirTypecast) return false;
  std::optional<KnownTensor> known = knownTensor(p, p.in(root, 0));
  DType to = p.type(root).tensor->dtype;
  if (!known || isBlockFloat(to) || to == DType::I1) return false;
  for (double& number : known->numbers) {
    if (!isFloatType(to)) {
      number = std::trunc(number);
      if (!isExact(to, number)) return false;
    } else if (to == DType::F16 && std::fabs(number) > 65504.0) {
      return false;
    }
  }
  known->dtype = to;
  return replaceByNumbers(p, root, std::move(*known));
}

bool foldNegOfNumbers(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirNeg) return false;
  std::optional<KnownTensor> known = knownTensor(p, p.in(root, 0));
  if (!known) return false;
  DType dtype = p.type(root).tensor->dtype;
  if (dtype == DType::I1) return false;
  for (double& number : known->numbers) {
    number = -number;
    if (!isFloatType(dtype) && !isExact(dtype, number)) return false;
  }
  known->dtype = dtype;
  return replaceByNumbers(p, root, std::move(*known));
}

bool foldSumOfNumbers(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirSum) return false;
  std::optional<KnownTensor> known = knownTensor(p, p.in(root, 0));
  std::optional<int64_t> before = known ? elementCount(known->shape) : std::nullopt,
                         behind = elementCount(p.resultShape(root));
  if (!known || !known->splat() || !before || !behind || *behind == 0) return false;
  const int64_t summed = *before / *behind;  // whole: dims are summed up as wholes
  known->numbers[0] *= static_cast<double>(summed);
  known->shape = p.resultShape(root);
  bool whole = isFloatType(known->dtype) || std::fabs(known->numbers[0]) < 2147483648.0;
  return whole && replaceByNumbers(p, root, std::move(*known));
}

// eq and ne of two numbers, or of integers with themselves.
bool foldComparison(PatternRewriter& p, OpId root) {
  bool equal = p.kind(root) == OpKind::TtirEq;
  if ((!equal && p.kind(root) != OpKind::TtirNe) || p.inputs(root) < 2 || !p.isTensor(p.in(root, 0))) return false;
  bool same = p.in(root, 0) == p.in(root, 1) && !isFloatType(p.dtype(p.in(root, 0)));
  if (!same) {
    std::optional<KnownTensor> a = knownTensor(p, p.in(root, 0)), b = knownTensor(p, p.in(root, 1));
    if (!a || !b || !a->splat() || !b->splat() || std::isnan(a->numbers[0]) || std::isnan(b->numbers[0])) return false;
    same = a->numbers[0] == b->numbers[0];
  }
  p.replace(root, numberSpec(p.type(root), same == equal ? 1 : 0));
  return true;
}

bool isTruth(const PatternRewriter& p, ValueId value) {
  if (p.isTensor(value) && p.dtype(value) == DType::I1) return true;
  OpId made = p.def(value);
  if (!made.valid()) return false;
  switch (p.op(made).kind) {
    case OpKind::TtirEq:
    case OpKind::TtirNe:
    case OpKind::TtirGe:
    case OpKind::TtirGt:
    case OpKind::TtirLe:
    case OpKind::TtirLt:
    case OpKind::TtirLogicalAnd:
    case OpKind::TtirLogicalOr:
    case OpKind::TtirLogicalXor:
    case OpKind::TtirLogicalNot: return true;
    default: break;
  }
  std::optional<double> number = p.splat(value);
  return number && (*number == 0 || *number == 1);
}

// and(0, x) is 0, or(1, x) is 1; and(1, x), or(0, x) are x where x is a truth value.
bool foldLogical(PatternRewriter& p, OpId root) {
  bool both = p.kind(root) == OpKind::TtirLogicalAnd;
  if ((!both && p.kind(root) != OpKind::TtirLogicalOr) || p.inputs(root) < 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    std::optional<double> number = p.splat(p.in(root, side));
    if (!number || (*number != 0) == both) continue;
    p.replace(root, numberSpec(p.type(root), both ? 0 : 1));
    return true;
  }
  for (size_t side = 0; side < 2; ++side) {
    ValueId other = p.in(root, 1 - side);
    std::optional<double> number = p.splat(p.in(root, side));
    if (!number || !p.isTensor(other)) continue;
    if (p.typeOf(other) == p.type(root) && isTruth(p, other)) return p.becomes(root, other);
    if (std::optional<double> second = p.splat(other); second) {
      p.replace(root, numberSpec(p.type(root), *second != 0 ? 1 : 0));
      return true;
    }
  }
  return false;
}

bool foldWhere(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirWhere || p.inputs(root) < 3) return false;
  std::optional<double> condition = p.splat(p.in(root, 0));
  if (!condition) return false;
  ValueId chosen = p.in(root, *condition != 0 ? 1 : 2);
  return p.isTensor(chosen) && p.typeOf(chosen) == p.type(root) && p.becomes(root, chosen);
}

}  // namespace tessera
