#include "core/support/json_writer.h"

#include <cstring>

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

// Most of a report is short names and numbers: each is put together here and appended at once.
struct Piece {
  static constexpr size_t kLongestText = 60;
  char text[kLongestText + 4];
  size_t size = 0;
  void add(char c) { text[size++] = c; }
  void quote(std::string_view plain) {
    add('"');
    if (!plain.empty()) std::memcpy(text + size, plain.data(), plain.size());  // an empty one may point nowhere
    size += plain.size();
    add('"');
  }
  void number(int64_t value) {
    char digits[20];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    do {
      digits[--at] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (value < 0) digits[--at] = '-';
    while (at < sizeof digits) add(digits[at++]);
  }
};

bool fitsPiece(std::string_view text) { return text.size() <= Piece::kLongestText && isPlainAscii(text); }

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
  if (fitsPiece(name)) {
    Piece piece;
    if (needComma_) piece.add(',');
    piece.quote(name);
    piece.add(':');
    out_.append(piece.text, piece.size);
    needComma_ = false;
    return;
  }
  comma();
  out_ += '"';
  appendEscaped(out_, name);
  out_ += "\":";
  needComma_ = false;
}

void JsonWriter::value(std::string_view text) {
  if (fitsPiece(text)) {
    Piece piece;
    if (needComma_) piece.add(',');
    piece.quote(text);
    out_.append(piece.text, piece.size);
    needComma_ = true;
    return;
  }
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
  const bool asString = number > kExact || number < -kExact;
  Piece piece;
  if (needComma_) piece.add(',');
  if (asString) piece.add('"');
  piece.number(number);
  if (asString) piece.add('"');
  out_.append(piece.text, piece.size);
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
