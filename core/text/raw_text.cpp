#include "core/text/raw_text.h"

#include <algorithm>

#include "core/text/chars.h"

namespace tessera::text {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

int hexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char hexDigit(unsigned value) { return "0123456789ABCDEF"[value & 15]; }

// One past the closing quote of the string that starts at `quote`, or the end of its line.
size_t literalEnd(std::string_view text, size_t quote) {
  for (size_t i = quote + 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\n' || text[i] == '\r') return i;
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n' && text[i + 1] != '\r') ++i;
  }
  return text.size();
}

bool isIn(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

// Whether the blank between two characters can go without joining two tokens into another one.
bool blankIsNeedless(char before, char after, char next) {
  if (before == '(' || before == '[') return true;
  if (after == ')' || after == ']' || after == ',') return true;
  if (before == '<') return isAlnum(after) || isIn(after, "#!(\"[@");
  if (after == '>' && next != '=') return isAlnum(before) || isIn(before, ")]>\"");
  return false;
}

}  // namespace

size_t commentEnd(std::string_view text, size_t at) { return std::min(text.find_first_of("\r\n", at), text.size()); }

size_t utf8Length(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  auto isTail = [&](size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return isTail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    bool overlong = lead == 0xE0 && byte(1) < 0xA0;
    bool surrogate = lead == 0xED && byte(1) > 0x9F;
    return isTail(1) && isTail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    bool overlong = lead == 0xF0 && byte(1) < 0x90;
    bool beyond = lead == 0xF4 && byte(1) > 0x8F;
    return isTail(1) && isTail(2) && isTail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

bool isValidUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    size_t length = utf8Length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string describeCharacter(std::string_view text, size_t at) {
  auto byte = static_cast<unsigned char>(text[at]);
  size_t length = utf8Length(text, at);
  if (length == 0) return std::string("0x") + hexDigit(byte >> 4U) + hexDigit(byte) + " (not UTF-8)";
  if (byte < 0x20 || byte == 0x7F) return std::string("U+00") + hexDigit(byte >> 4U) + hexDigit(byte);
  return "`" + std::string(text.substr(at, length)) + "`";
}

std::string withoutComments(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (text[i] == '"') end = literalEnd(text, i);
    if (text.substr(i, 2) == "//") {
      i = commentEnd(text, i);
      out += ' ';
      continue;
    }
    out.append(text.substr(i, end - i));
    i = end;
  }
  return out;
}

void appendNormalized(std::string& out, std::string_view text) {
  const size_t start = out.size();
  bool blank = false;
  for (size_t i = 0; i < text.size();) {
    if (isSpace(text[i])) {
      blank = true;
      ++i;
      continue;
    }
    if (text.substr(i, 2) == "//") {
      i = commentEnd(text, i);
      blank = true;
      continue;
    }
    size_t end = text[i] == '"' ? literalEnd(text, i) : i + 1;
    if (blank && out.size() > start && !blankIsNeedless(out.back(), text[i], i + 1 < text.size() ? text[i + 1] : '\0'))
      out += ' ';
    blank = false;
    out.append(text.substr(i, end - i));
    i = end;
  }
}

bool hasEscape(std::string_view literal) { return literal.find('\\') != std::string_view::npos; }

std::string unescape(std::string_view contents) {
  std::string out;
  out.reserve(contents.size());
  for (size_t i = 0; i < contents.size(); ++i) {
    if (contents[i] != '\\' || i + 1 >= contents.size()) {
      out += contents[i];
      continue;
    }
    char next = contents[i + 1];
    int high = hexValue(next);
    int low = i + 2 < contents.size() ? hexValue(contents[i + 2]) : -1;
    if (next == 'n' || next == 't' || next == '"' || next == '\\') {
      out += next == 'n' ? '\n' : next == 't' ? '\t' : next;
      i += 1;
    } else if (high >= 0 && low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += '\\';  // an unknown escape stands for itself
    }
  }
  return out;
}

void appendQuoted(std::string& out, std::string_view contents) {
  out += '"';
  for (size_t i = 0; i < contents.size();) {
    auto byte = static_cast<unsigned char>(contents[i]);
    size_t length = utf8Length(contents, i);
    if (contents[i] == '\\') {
      out += "\\\\";
    } else if (length == 0 || byte < 0x20 || byte == 0x7F || byte == '"') {
      out += '\\';
      out += hexDigit(byte >> 4U);
      out += hexDigit(byte);
      length = 1;
    } else {
      out.append(contents.substr(i, length));
    }
    i += std::max<size_t>(length, 1);
  }
  out += '"';
}

bool isBareId(std::string_view text) {
  if (text.empty() || !isLetter(text[0]) || text.back() == '.') return false;
  for (size_t i = 1; i < text.size(); ++i) {
    bool twoDots = text[i] == '.' && text[i - 1] == '.';
    if (twoDots || !(isAlnum(text[i]) || text[i] == '$' || text[i] == '.')) return false;
  }
  return true;
}

bool isPlainSymbol(std::string_view text) {
  if (text.empty() || !(isLetter(text[0]) || text[0] == '$' || text[0] == '.')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return isAlnum(c) || c == '$' || c == '.'; });
}

}  // namespace tessera::text
