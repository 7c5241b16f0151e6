#include "core/support/float_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace tessera {

namespace {

constexpr int kDoubleBits = 53;

struct FloatFormat {
  std::string_view type;
  int bits;    // of the significand, the hidden one included
  int digits;  // that tell any two numbers apart
};
constexpr FloatFormat kFloatFormats[] = {{"f32", 24, 9}, {"bf16", 8, 4}, {"f16", 11, 5}};

// To `bits` bits of significand, ties to even.
double rounded(double value, int bits) {
  uint64_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  int drop = kDoubleBits - bits;
  if (drop > 0) {
    uint64_t half = uint64_t{1} << (drop - 1);
    uint64_t rest = word & ((uint64_t{1} << drop) - 1);
    word -= rest;
    bool odd = ((word >> drop) & 1) != 0;
    if (rest > half || (rest == half && odd)) word += uint64_t{1} << drop;
  }
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// A decimal number: the digits, most significant first, times ten to the power.
struct Decimal {
  std::string digits;
  int power = 0;
};

void multiply(std::vector<uint32_t>& number, uint32_t factor) {
  uint64_t carry = 0;
  for (uint32_t& word : number) {
    carry += uint64_t{word} * factor;
    word = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  if (carry > 0) number.push_back(static_cast<uint32_t>(carry));
}

std::string digitsOf(std::vector<uint32_t> number) {
  std::string out;
  while (!number.empty()) {
    uint64_t rest = 0;
    for (size_t i = number.size(); i > 0; --i) {
      rest = (rest << 32) | number[i - 1];
      number[i - 1] = static_cast<uint32_t>(rest / 10);
      rest %= 10;
    }
    out += static_cast<char>('0' + rest);
    while (!number.empty() && number.back() == 0) number.pop_back();
  }
  std::reverse(out.begin(), out.end());
  return out;
}

void dropZeros(Decimal& decimal) {
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++decimal.power;
  }
}

// Exactly the positive finite number, with all digits of the integer that is scaled by a power of ten, and the
// integer's length in bits.
Decimal exactDecimal(double value, size_t& bits) {
  uint64_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  auto exponent = static_cast<int>((word >> 52) & 0x7FF);
  uint64_t significand = word & ((uint64_t{1} << 52) - 1);
  if (exponent > 0) significand |= uint64_t{1} << 52;
  int power = std::max(exponent, 1) - 1075;
  for (; (significand & 1) == 0; ++power) significand >>= 1;
  std::vector<uint32_t> number = {static_cast<uint32_t>(significand), static_cast<uint32_t>(significand >> 32)};
  Decimal out;
  for (int i = 0; i < power; ++i) multiply(number, 2);
  for (int i = 0; i > power; --i) multiply(number, 5);
  out.power = std::min(power, 0);
  while (!number.empty() && number.back() == 0) number.pop_back();
  bits = 32 * (number.size() - 1);
  for (uint32_t top = number.back(); top > 0; top >>= 1) ++bits;
  out.digits = digitsOf(std::move(number));
  return out;
}

// To at most `count` digits, as LLVM does it: digits are cut off while the number has more bits than so many digits
// need, what is still too long is rounded, halves up.
Decimal shortened(Decimal decimal, size_t bits, size_t count) {
  size_t needed = (count * 196 + 58) / 59;  // 196/59: a little more than the bits of a digit
  size_t cut = bits > needed ? (bits - needed) * 59 / 196 : 0;
  cut = std::min(cut, decimal.digits.size() - 1);
  decimal.digits.resize(decimal.digits.size() - cut);
  decimal.power += static_cast<int>(cut);
  bool up = decimal.digits.size() > count && decimal.digits[count] >= '5';
  if (decimal.digits.size() > count) {
    decimal.power += static_cast<int>(decimal.digits.size() - count);
    decimal.digits.resize(count);
  }
  for (size_t i = count; up && i > 0; --i) {
    up = decimal.digits[i - 1] == '9';
    decimal.digits[i - 1] = up ? '0' : static_cast<char>(decimal.digits[i - 1] + 1);
  }
  if (up) decimal.digits.insert(decimal.digits.begin(), '1');
  dropZeros(decimal);
  return decimal;
}

std::string exponentText(int exponent, char letter, size_t width) {
  std::string digits = std::to_string(std::abs(exponent));
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return letter + std::string(exponent < 0 ? "-" : "+") + digits;
}

std::string scientific(const Decimal& decimal, size_t fraction, char letter, size_t width) {
  std::string tail = decimal.digits.substr(1);
  if (tail.size() < fraction) tail.append(fraction - tail.size(), '0');
  if (tail.empty()) tail = "0";
  int exponent = decimal.power + static_cast<int>(decimal.digits.size()) - 1;
  return decimal.digits.substr(0, 1) + "." + tail + exponentText(exponent, letter, width);
}

// All digits: positional near one, else scientific.
std::string plain(const Decimal& decimal) {
  constexpr int kPadding = 3;
  auto count = static_cast<int>(decimal.digits.size());
  int point = count + decimal.power;  // digits before the point
  if (decimal.power >= 0 || point - 1 < -kPadding) return scientific(decimal, 0, 'E', 1);
  if (point > 0)
    return decimal.digits.substr(0, static_cast<size_t>(point)) + "." +
           decimal.digits.substr(static_cast<size_t>(point));
  return "0." + std::string(static_cast<size_t>(-point), '0') + decimal.digits;
}

FloatFormat formatOf(std::string_view type) {
  for (const FloatFormat& format : kFloatFormats) {
    if (format.type == type) return format;
  }
  return {"f64", kDoubleBits, 17};
}

}  // namespace

double roundedToType(double value, std::string_view type) { return rounded(value, formatOf(type).bits); }

std::string mlirFloatText(double value, std::string_view type) {
  const auto [name, bits, digits] = formatOf(type);
  value = rounded(value, bits);
  if (!(value - value == 0)) return "";
  bool negative = (value < 0) || (value == 0 && 1 / value < 0);
  std::string sign = negative ? "-" : "";
  if (value == 0) return sign + "0.000000e+00";
  size_t size = 0;
  Decimal exact = exactDecimal(negative ? -value : value, size);
  std::string usual = sign + scientific(shortened(exact, size, 6), 6, 'e', 2);
  if (rounded(std::strtod(usual.c_str(), nullptr), bits) == value) return usual;
  return sign + plain(shortened(std::move(exact), size, static_cast<size_t>(digits)));
}

std::string mlirF32Text(double value) {
  const std::string text = mlirFloatText(value, "f32");
  if (!text.empty()) return text;
  const float single = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  std::string hex = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789ABCDEF"[(bits >> shift) & 15];
  return hex;
}

}  // namespace tessera
