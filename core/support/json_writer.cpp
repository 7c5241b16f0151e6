#include "core/support/json_writer.h"

#include <algorithm>
#include <array>

#include "core/support/diagnostics.h"

namespace tessera {

namespace {

// Bytes that stand for themselves between quotes.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t byte = 0x20; byte < 0x7F; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

std::string escaped(std::string_view text) {
  static const char* hex = "0123456789abcdef";
  std::string out;
  for (char c : toValidUtf8(text)) {
    auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (byte < 0x20 || byte == 0x7F) {
          out += "\\u00";
          out += hex[byte >> 4];
          out += hex[byte & 15];
        } else {
          out += c;
        }
    }
  }
  return out;
}

// Writes the digits of a number; returns their end.
char* digitsOf(uint64_t number, char* at) {
  char digits[20];
  size_t from = sizeof digits;
  const auto put = [&](uint32_t digit) { digits[--from] = static_cast<char>('0' + digit); };
  for (; number > UINT32_MAX; number /= 10) put(static_cast<uint32_t>(number % 10));
  auto rest = static_cast<uint32_t>(number);  // divided by a multiplication
  for (; rest >= 10; rest /= 10) put(rest % 10);
  put(rest);
  while (from < sizeof digits) *at++ = digits[from++];
  return at;
}

}  // namespace

void JsonWriter::grow(size_t bytes) {
  constexpr size_t kStep = size_t{1} << 16;  // what is filled with zeros is written soon
  const size_t needed = size_ + bytes;
  if (needed > out_.capacity()) out_.reserve(std::max(2 * out_.capacity(), needed));
  out_.resize(std::max(needed, std::min(out_.capacity(), out_.size() + kStep)));
}

std::string JsonWriter::take() {
  out_.resize(size_);
  size_ = 0;
  return std::move(out_);
}

void JsonWriter::put(std::string_view json) { endAt(std::copy(json.begin(), json.end(), room(json.size()))); }

void JsonWriter::comma() {
  if (needComma_) put(",");
  needComma_ = true;
}

void JsonWriter::open(char bracket) {
  char* at = room(2);
  if (needComma_) *at++ = ',';
  *at++ = bracket;
  endAt(at);
  needComma_ = false;
}

void JsonWriter::close(char bracket) {
  char* at = room(1);
  *at++ = bracket;
  endAt(at);
  needComma_ = true;
}

void JsonWriter::key(std::string_view name) { quote(name, ':'); }
void JsonWriter::key(const char* name) {
  constexpr size_t kShort = 24, kAround = 4;  // a comma, two quotes, a colon
  char* at = room(kShort + kAround);
  if (needComma_) *at++ = ',';
  *at++ = '"';
  // The byte that ends the name is not plain, either.
  for (size_t i = 0; i < kShort; ++i) {
    if (!kPlain[static_cast<unsigned char>(name[i])]) {
      if (name[i] != 0) break;
      *at++ = '"';
      *at++ = ':';
      needComma_ = false;
      return endAt(at);
    }
    *at++ = name[i];
  }
  quote(name, ':');
}
void JsonWriter::value(std::string_view text) { quote(text, 0); }

void JsonWriter::quote(std::string_view text, char after) {
  constexpr size_t kMostAround = 4;  // a comma, two quotes, a colon
  char* at = room(text.size() + kMostAround);
  if (needComma_) *at++ = ',';
  *at++ = '"';
  size_t next = 0;
  while (next < text.size() && kPlain[static_cast<unsigned char>(text[next])]) *at++ = text[next++];
  if (next < text.size()) {
    endAt(at);
    put(escaped(text.substr(next)));
    at = room(kMostAround);
  }
  *at++ = '"';
  if (after != 0) *at++ = after;
  endAt(at);
  needComma_ = after == 0;
}

void JsonWriter::null() {
  comma();
  put("null");
}

void JsonWriter::integer(int64_t number) {
  constexpr int64_t kExact = int64_t{1} << 53;
  constexpr size_t kMost = 24;  // 19 digits, the sign, two quotes, a comma
  const bool asString = number > kExact || number < -kExact;
  char* at = room(kMost);
  if (needComma_) *at++ = ',';
  if (asString) *at++ = '"';
  if (number < 0) *at++ = '-';
  at = digitsOf(number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number), at);
  if (asString) *at++ = '"';
  endAt(at);
  needComma_ = true;
}

void JsonWriter::fixed(int64_t number, int decimals) {
  comma();
  bool negative = number < 0;
  std::string digits = std::to_string(number);
  if (negative) digits.erase(0, 1);
  auto places = static_cast<size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, 1, '.');
  if (negative) put("-");
  put(digits);
}

void JsonWriter::boolean(bool b) {
  comma();
  put(b ? "true" : "false");
}

void JsonWriter::raw(std::string_view json) {
  comma();
  put(json);
}

}  // namespace tessera
