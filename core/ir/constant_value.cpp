#include "core/ir/constant_value.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

namespace tessera {

namespace {

// What follows is as long as AttrValue keeps inline, or what a graph JSON holds; more elements than this are never
// listed one by one.
constexpr size_t kMostListed = size_t{1} << 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<uint64_t> readHex(std::string_view digits) {
  if (digits.empty() || digits.size() > 16) return {};
  uint64_t value = 0;
  for (char c : digits) {
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return {};
    value = value * 16 + static_cast<uint64_t>(digit);
  }
  return value;
}

double floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

double halfOfBits(uint32_t bits) {
  uint32_t sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u, fraction = bits & 1023u;
  if (exponent == 31) return floatOfBits(sign | 0x7F800000u | fraction << 13);
  if (exponent == 0) {
    double value = static_cast<double>(fraction) / 16777216.0;  // subnormal: fraction * 2^-24
    return sign != 0 ? -value : value;
  }
  return floatOfBits(sign | (exponent + 112u) << 23 | fraction << 13);
}

double numberOfBits(uint64_t bits, DType dtype) {
  if (dtype == DType::F64) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (dtype == DType::BF16) return floatOfBits(static_cast<uint32_t>(bits & 0xFFFFu) << 16);
  if (dtype == DType::F16) return halfOfBits(static_cast<uint32_t>(bits & 0xFFFFu));
  return floatOfBits(static_cast<uint32_t>(bits));
}

int64_t integerOfBits(uint64_t bits, DType dtype) {
  switch (dtype) {
    case DType::I32: return static_cast<int32_t>(bits);
    case DType::I16: return static_cast<int16_t>(bits);
    case DType::I8: return static_cast<int8_t>(bits);
    case DType::I1: return bits != 0 ? 1 : 0;
    case DType::U64: return static_cast<int64_t>(std::min(bits, uint64_t{INT64_MAX}));
    default: return static_cast<int64_t>(bits);
  }
}

void push(ConstantValue& out, DType dtype, uint64_t bits) {
  if (isFloatType(dtype)) out.numbers.push_back(numberOfBits(bits, dtype));
  else out.integers.push_back(integerOfBits(bits, dtype));
}

bool readScalar(std::string_view text, DType dtype, ConstantValue& out) {
  text = trimmed(text);
  if (text == "true" || text == "false") {
    if (isFloatType(dtype)) return false;
    out.integers.push_back(text == "true" ? 1 : 0);
    return true;
  }
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
    std::optional<uint64_t> bits = readHex(text.substr(2));
    if (!bits) return false;
    push(out, dtype, *bits);
    return true;
  }
  std::string copy(text);
  char* end = nullptr;
  if (copy.empty() || copy.size() > 64) return false;
  if (isFloatType(dtype)) out.numbers.push_back(std::strtod(copy.c_str(), &end));
  else out.integers.push_back(static_cast<int64_t>(std::strtoll(copy.c_str(), &end, 10)));
  return end == copy.c_str() + copy.size();
}

// Eight booleans to a byte, the first in the lowest bit, as MLIR dumps them.
bool readPackedBits(std::string_view hex, int64_t count, ConstantValue& out) {
  for (int64_t i = 0; i < count; ++i) {
    std::optional<uint64_t> byte = readHex(hex.substr(static_cast<size_t>(i / 8) * 2, 2));
    if (!byte) return false;
    out.integers.push_back(static_cast<int64_t>(*byte >> (i % 8) & 1));
  }
  return true;
}

// "0x0100...": the elements' bytes, little end first, as MLIR dumps large constants.
bool readBytes(std::string_view hex, DType dtype, int64_t count, ConstantValue& out) {
  auto width = static_cast<size_t>(scalarBytes(dtype));
  if (width == 0 || hex.substr(0, 2) != "0x") return false;
  hex.remove_prefix(2);
  if (hex.size() % (2 * width) != 0) return false;
  size_t elements = hex.size() / (2 * width);
  bool packed = dtype == DType::I1 && count > 1 && static_cast<int64_t>(elements) == (count + 7) / 8;
  const bool splat = hex == "00" || hex == "FF" || hex == "ff";  // of booleans; other bytes are up to eight of them
  if (packed && !splat) return readPackedBits(hex, count, out);
  out.splat = elements == 1 && count != 1;
  if (!out.splat && static_cast<int64_t>(elements) != count) return false;
  for (size_t i = 0; i < elements; ++i) {
    uint64_t bits = 0;
    for (size_t b = width; b > 0; --b) {
      std::optional<uint64_t> byte = readHex(hex.substr((i * width + b - 1) * 2, 2));
      if (!byte) return false;
      bits = bits << 8 | *byte;
    }
    push(out, dtype, bits);
  }
  return true;
}

// The scalars of `[[1, 2], [3, 4]]` in order; how they nest does not matter, their number does.
bool readList(std::string_view body, DType dtype, int64_t count, ConstantValue& out) {
  size_t start = 0;
  for (size_t i = 0; i <= body.size(); ++i) {
    bool between = i == body.size() || body[i] == ',' || body[i] == '[' || body[i] == ']';
    if (!between) continue;
    std::string_view item = trimmed(body.substr(start, i - start));
    if (!item.empty() && !readScalar(item, dtype, out)) return false;
    if (out.numbers.size() + out.integers.size() > kMostListed) return false;
    start = i + 1;
  }
  return static_cast<int64_t>(out.numbers.size() + out.integers.size()) == count;
}

}  // namespace

bool isFloatType(DType dtype) {
  switch (dtype) {
    case DType::F32:
    case DType::F16:
    case DType::BF16:
    case DType::BFP8:
    case DType::BFP4:
    case DType::BFP2:
    case DType::F64: return true;
    default: return false;
  }
}

bool IntegerRange::holds(double number) const {
  return number == std::trunc(number) && number >= least && number <= most;
}

std::optional<IntegerRange> integerRange(DType dtype) {
  if (isFloatType(dtype)) return {};
  if (dtype == DType::I1) return IntegerRange{0, 1};
  const auto bits = static_cast<int>(8 * scalarBytes(dtype));
  if (dtypeName(dtype)[0] == 'u') return IntegerRange{0, std::ldexp(1.0, bits) - 1};
  return IntegerRange{-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
}

std::optional<ConstantValue> readConstant(std::string_view text, DType dtype, int64_t count) {
  ConstantValue out;
  text = trimmed(text);
  if (text.substr(0, 14) == "dense_resource") {
    out.elided = true;
    return out;
  }
  size_t open = text.find('<');
  if (text.substr(0, 5) != "dense" || open == std::string_view::npos) return {};
  size_t close = text.find('>', open);  // no number holds one
  if (close == std::string_view::npos) return {};
  std::string_view body = trimmed(text.substr(open + 1, close - open - 1));
  if (body.size() >= 2 && body.front() == '"' && body.back() == '"') {
    return readBytes(body.substr(1, body.size() - 2), dtype, count, out) ? std::optional(out) : std::nullopt;
  }
  if (body.empty() && count == 0) return out;
  if (!body.empty() && body.front() == '[')
    return readList(body, dtype, count, out) ? std::optional(out) : std::nullopt;
  out.splat = true;
  return readScalar(body, dtype, out) ? std::optional(out) : std::nullopt;
}

}  // namespace tessera
