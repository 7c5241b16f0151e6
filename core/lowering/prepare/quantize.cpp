// Quantized types: scales and zero points as operands, and another storage type.

#include <charconv>

#include "core/lowering/prepare/decompose.h"
#include "core/lowering/prepare/prepare.h"
#include "core/support/float_text.h"

namespace tessera {

namespace {

constexpr std::string_view kQuantType = "!quant.uniform<";

// What `!quant.uniform<i8:f32:1, {0.1:2, 0.2:3}>` says.
struct QuantType {
  std::optional<int64_t> axis;
  std::vector<double> scales;
  std::vector<int64_t> zeroPoints;
};

std::optional<int64_t> wholeNumber(std::string_view text) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

std::optional<QuantType> readQuantType(std::string_view text) {
  if (text.substr(0, kQuantType.size()) != kQuantType || text.back() != '>') return {};
  text = text.substr(kQuantType.size(), text.size() - kQuantType.size() - 1);
  size_t comma = text.find(',');
  if (comma == std::string_view::npos) return {};
  std::string_view head = text.substr(0, comma), numbers = text.substr(comma + 1);
  QuantType out;
  // storage:expressed[:axis]; the storage may have bounds, <-127:127>.
  if (size_t bounds = head.find('>'); bounds != std::string_view::npos) head.remove_prefix(bounds + 1);
  if (size_t last = head.rfind(':'); last != std::string_view::npos) out.axis = wholeNumber(head.substr(last + 1));
  while (!numbers.empty()) {
    std::string_view one = numbers.substr(0, numbers.find(','));
    numbers.remove_prefix(std::min(one.size() + 1, numbers.size()));
    while (!one.empty() && (one.front() == ' ' || one.front() == '{')) one.remove_prefix(1);
    while (!one.empty() && (one.back() == ' ' || one.back() == '}')) one.remove_suffix(1);
    if (one.empty()) return {};
    size_t colon = one.find(':');
    out.scales.push_back(std::strtod(std::string(one.substr(0, colon)).c_str(), nullptr));
    std::optional<int64_t> zero =
        colon == std::string_view::npos ? std::optional<int64_t>(0) : wholeNumber(one.substr(colon + 1));
    if (!zero) return {};
    out.zeroPoints.push_back(*zero);
  }
  if (out.scales.empty() || (out.scales.size() > 1 && !out.axis)) return {};
  return out;
}

template <class Number, class Text>
std::string denseText(const std::vector<Number>& numbers, Text text) {
  bool same = true;
  for (const Number& number : numbers) same = same && number == numbers[0];
  if (same) return "dense<" + text(numbers[0]) + ">";
  std::string out = "dense<[";
  for (size_t i = 0; i < numbers.size(); ++i) out += (i > 0 ? ", " : "") + text(numbers[i]);
  return out + "]>";
}

ValueId emitNumbers(PatternRewriter& p, OpId root, std::string dense, size_t count, DType dtype) {
  ValueType type;
  type.tensor.emplace();
  type.tensor->shape = {static_cast<int64_t>(count)};
  type.tensor->dtype = dtype;
  dense += " : tensor<" + std::to_string(count) + "x" + std::string(dtypeName(dtype)) + ">";
  OpSpec spec = makeOp(OpKind::TtirConstant, {}, {std::move(type)});
  spec.attrs = {{"value", rawAttr(std::move(dense))}};
  return p.emit(root, std::move(spec));
}

void addNumbers(PatternRewriter& p, OpId root, const QuantType& type, OpSpec& spec) {
  std::string scales = denseText(type.scales, [](double number) { return mlirFloatText(number, "f32"); });
  spec.operands.push_back(emitNumbers(p, root, std::move(scales), type.scales.size(), DType::F32));
  std::string zeros = denseText(type.zeroPoints, [](int64_t number) { return std::to_string(number); });
  spec.operands.push_back(emitNumbers(p, root, std::move(zeros), type.zeroPoints.size(), DType::I32));
}

}  // namespace

// The numbers of the types become operands.
bool unrollQuantization(PatternRewriter& p, OpId root) {
  OpKind kind = p.kind(root), unrolled{};
  if (kind == OpKind::TtirQuantize) unrolled = OpKind::TtirQuantizeUnrolled;
  else if (kind == OpKind::TtirDequantize) unrolled = OpKind::TtirDequantizeUnrolled;
  else if (kind == OpKind::TtirRequantize) unrolled = OpKind::TtirRequantizeUnrolled;
  else return false;
  if (!p.isTensor(p.in(root, 0))) return false;
  std::optional<QuantType> from = readQuantType(p.typeOf(p.in(root, 0)).tensor->element),
                           to = readQuantType(p.type(root).tensor->element);
  bool reads = kind != OpKind::TtirQuantize, writes = kind != OpKind::TtirDequantize;
  if ((reads && !from) || (writes && !to)) return false;
  OpSpec spec = makeOp(unrolled, {p.in(root, 0)}, {p.type(root)});
  if (reads) addNumbers(p, root, *from, spec);
  if (writes) addNumbers(p, root, *to, spec);
  std::optional<int64_t> axis = writes ? to->axis : from->axis;
  if (reads && from->axis) axis = from->axis;
  if (axis) spec.attrs.push_back({"axis", intAttr(*axis, "i32")});
  p.replace(root, std::move(spec));
  return true;
}

namespace {

// Bits of the integers that a quantized type is stored in.
std::optional<int64_t> storageBits(std::string_view element) {
  if (element.substr(0, kQuantType.size()) != kQuantType) return {};
  size_t digits = element.find_first_of("0123456789", kQuantType.size());
  if (digits == std::string_view::npos) return {};
  return wholeNumber(element.substr(digits, element.find_first_not_of("0123456789", digits) - digits));
}

// The same type, stored in integers of that many bits; nothing for a type that is not quantized.
std::string withStorage(const std::string& element, int64_t bits) {
  if (element.rfind(kQuantType, 0) != 0) return {};
  size_t begin = kQuantType.size(), end = begin;
  while (end < element.size() && element[end] >= 'a' && element[end] <= 'z') ++end;
  size_t digits = end;
  while (end < element.size() && element[end] >= '0' && element[end] <= '9') ++end;
  std::optional<int64_t> now = wholeNumber(std::string_view(element).substr(digits, end - digits));
  if (!now || *now == bits) return {};
  return element.substr(0, digits) + std::to_string(bits) + element.substr(end);
}

void widen(ValueType& type, int64_t bits) {
  const ValueType& old = type;
  if (!old.isTensor()) return;
  std::string wide = withStorage(old.tensor->element, bits);
  if (wide.empty()) return;
  type.tensor->element = std::move(wide);
  type.tensor->dtype = parseDType("i" + std::to_string(bits)).value_or(type.tensor->dtype);
}

}  // namespace

PassResult convertQuantTypes(const Graph& graph, const PassContext& context) {
  PassResult result{graph};
  int64_t bits = context.options.quantBits;
  if (const std::string* text = context.settings.find("target-bit-width")) bits = wholeNumber(*text).value_or(bits);
  const Function& forward = graph.funcs[graph.forward];
  auto refuse = [&](std::string why) {
    if (!forward.ops.empty()) result.problems.push_back({forward.ops.front(), std::move(why)});
    return result;
  };
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return refuse("quantized numbers have 8, 16, 32 or 64 bits, not " + std::to_string(bits));
  for (const Value& value : graph.values) {
    std::optional<int64_t> stored = value.type.isTensor() ? storageBits(value.type.tensor->element) : std::nullopt;
    if (stored && *stored > bits)
      return refuse("numbers of " + std::to_string(*stored) + " bits do not fit " + std::to_string(bits));
  }
  for (ValueId id : graph.values.ids()) widen(result.graph.values.edit(id).type, bits);
  for (Function& func : result.graph.funcs) {
    for (ValueType& type : func.resultTypes) widen(type, bits);
  }
  return result;
}

}  // namespace tessera
