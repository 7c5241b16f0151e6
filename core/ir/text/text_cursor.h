#pragma once
// A reading position in the text of one attribute. Every reader returns false (or nothing) and stays put when it does
// not match.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  size_t position() const { return at_; }
  void moveTo(size_t position) { at_ = position; }
  std::string_view from(size_t begin) const { return text_.substr(begin, at_ - begin); }
  std::string_view rest() const { return text_.substr(at_); }

  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool atEnd() {
    skipSpace();
    return at_ >= text_.size();
  }
  char peek() {
    skipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  // Skips space, then the token. A token that ends in a letter must not run on into a longer word.
  bool eat(std::string_view token) {
    const size_t before = at_;
    skipSpace();
    if (text_.substr(at_, token.size()) != token) {
      at_ = before;
      return false;
    }
    const size_t end = at_ + token.size();
    if (isWordChar(token.back()) && end < text_.size() && isWordChar(text_[end])) {
      at_ = before;
      return false;
    }
    at_ = end;
    return true;
  }
  // One character, also in the middle of a word: the `x` of `4x8`.
  bool eatChar(char c) {
    if (peek() != c || c == '\0') return false;
    ++at_;
    return true;
  }
  // A word of letters, digits and underscores that does not begin with a digit; empty when there is none.
  std::string_view word() {
    skipSpace();
    const size_t begin = at_;
    if (at_ < text_.size() && isWordChar(text_[at_]) && !isDigit(text_[at_])) {
      while (at_ < text_.size() && isWordChar(text_[at_])) ++at_;
    }
    return from(begin);
  }
  // Decimal digits; nothing when there are none or the number does not fit 63 bits.
  std::optional<int64_t> number() {
    skipSpace();
    const size_t begin = at_;
    int64_t value = 0;
    while (at_ < text_.size() && isDigit(text_[at_])) {
      if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
          __builtin_add_overflow(value, int64_t{text_[at_] - '0'}, &value)) {
        at_ = begin;
        return std::nullopt;
      }
      ++at_;
    }
    if (at_ == begin) return std::nullopt;
    return value;
  }
  // Everything up to the next `,` or closing bracket outside all brackets, without surrounding space; empty where a
  // bracket is not closed. `->` is no bracket.
  std::string_view balanced() {
    skipSpace();
    const size_t begin = at_;
    int64_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '-' && at_ + 1 < text_.size() && text_[at_ + 1] == '>') {
        at_ += 2;
        continue;
      }
      if (depth == 0 && (c == ',' || isClosing(c))) break;
      if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
      if (isClosing(c)) --depth;
      ++at_;
    }
    std::string_view found = depth > 0 ? std::string_view() : from(begin);
    while (!found.empty() &&
           (found.back() == ' ' || found.back() == '\n' || found.back() == '\t' || found.back() == '\r'))
      found.remove_suffix(1);
    return found;
  }
  // What stands here, for a message: at most 20 bytes.
  std::string seen() {
    if (atEnd()) return "the end of the text";
    return "`" + std::string(rest().substr(0, 20)) + "`";
  }

  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  static bool isWordChar(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

 private:
  static bool isClosing(char c) { return c == '>' || c == ')' || c == ']' || c == '}'; }
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace tessera
