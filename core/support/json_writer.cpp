#include "core/support/json_writer.h"

#include "core/support/diagnostics.h"

namespace tessera {

namespace {

bool isPlainAscii(std::string_view text) {
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F || c == '"' || c == '\\') return false;
  }
  return true;
}

void appendEscaped(std::string& out, std::string_view text) {
  if (isPlainAscii(text)) {
    out.append(text);
    return;
  }
  static const char* hex = "0123456789abcdef";
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
}

}  // namespace

void JsonWriter::comma() {
  if (needComma_) out_ += ',';
  needComma_ = true;
}

void JsonWriter::open(char bracket) {
  comma();
  out_ += bracket;
  needComma_ = false;
}

void JsonWriter::close(char bracket) {
  out_ += bracket;
  needComma_ = true;
}

void JsonWriter::key(std::string_view name) {
  comma();
  out_ += '"';
  appendEscaped(out_, name);
  out_ += "\":";
  needComma_ = false;
}

void JsonWriter::value(std::string_view text) {
  comma();
  out_ += '"';
  appendEscaped(out_, text);
  out_ += '"';
}

void JsonWriter::null() {
  comma();
  out_ += "null";
}

void JsonWriter::integer(int64_t number) {
  constexpr int64_t kExact = int64_t{1} << 53;
  comma();
  bool asString = number > kExact || number < -kExact;
  if (asString) out_ += '"';
  out_ += std::to_string(number);
  if (asString) out_ += '"';
}

void JsonWriter::fixed(int64_t number, int decimals) {
  comma();
  bool negative = number < 0;
  std::string digits = std::to_string(number);
  if (negative) digits.erase(0, 1);
  auto places = static_cast<size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, 1, '.');
  if (negative) out_ += '-';
  out_ += digits;
}

void JsonWriter::boolean(bool b) {
  comma();
  out_ += b ? "true" : "false";
}

void JsonWriter::raw(std::string_view json) {
  comma();
  out_ += json;
}

}  // namespace tessera
