#include "core/text/lexer.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/text/raw_text.h"

#include "core/text/chars.h"

namespace tessera::text {

namespace {

enum CharClass : uint8_t { kJunk, kSpace, kLetter, kDigit, kQuote, kSigil, kPunctuation };

constexpr std::array<uint8_t, 256> makeClasses() {
  std::array<uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<size_t>(c)] = kLetter;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<size_t>(c)] = kLetter;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<size_t>(c)] = kDigit;
  for (char c : {' ', '\t', '\n', '\r', '\f', '\v'}) table[static_cast<unsigned char>(c)] = kSpace;
  for (char c : {'%', '^', '@', '#', '!'}) table[static_cast<unsigned char>(c)] = kSigil;
  for (char c : {'(', ')', '[', ']', '{', '}', '<', '>', ',', ':', '=', '?', '*', '+', '-', '/', '|', '.'})
    table[static_cast<unsigned char>(c)] = kPunctuation;
  table['_'] = kLetter;
  table['"'] = kQuote;
  return table;
}
constexpr std::array<uint8_t, 256> kClasses = makeClasses();

CharClass classOf(char c) { return static_cast<CharClass>(kClasses[static_cast<unsigned char>(c)]); }
bool isWordChar(char c) { return classOf(c) == kDigit || classOf(c) == kLetter; }
bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

class Lexer {
 public:
  Lexer(std::string_view text, size_t begin, const ParseLimits& limits, ErrorList& errors)
      : text_(text), limits_(limits), errors_(errors), pos_(begin) {}
  TokenList run();

 private:
  char at(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  bool startsWith(size_t i, std::string_view what) const { return text_.substr(i, what.size()) == what; }
  void emit(TokenKind kind, size_t end);
  void skipSpaceAndComments();
  void lexSigil();
  void lexNumber();
  size_t stringEnd(size_t quote);
  void lexString();
  void lexPunctuation();
  void lexBrace();
  void lexJunk();

  std::string_view text_;
  const ParseLimits& limits_;
  ErrorList& errors_;
  TokenList out_;
  size_t pos_;
  bool firstOnLine_ = true;
};

void Lexer::emit(TokenKind kind, size_t end) {
  out_.tokens.push_back({.begin = static_cast<uint32_t>(pos_),
                         .end = static_cast<uint32_t>(end),
                         .kind = kind,
                         .firstOnLine = firstOnLine_});
  firstOnLine_ = false;
  pos_ = end;
}

void Lexer::skipSpaceAndComments() {
  while (pos_ < text_.size()) {
    char c = text_[pos_];
    if (classOf(c) == kSpace) {
      if (c == '\n' || c == '\r') firstOnLine_ = true;
      ++pos_;
    } else if (c == '/' && at(pos_ + 1) == '/') {
      out_.comments.push_back(static_cast<uint32_t>(pos_));
      if (startsWith(pos_, "// -----")) out_.splits.push_back(static_cast<uint32_t>(pos_));
      pos_ = commentEnd(text_, pos_);
    } else {
      return;
    }
  }
}

void Lexer::lexSigil() {
  char sigil = text_[pos_];
  size_t first = pos_ + 1;
  if (sigil == '@' && at(first) == '"') return emit(TokenKind::SymbolId, stringEnd(first));
  const size_t end = idEnd(text_, first);
  if (end == first) return lexJunk();
  switch (sigil) {
    case '%': return emit(TokenKind::ValueId, end);
    case '^': return emit(TokenKind::CaretId, end);
    case '@': return emit(TokenKind::SymbolId, end);
    case '!': return emit(TokenKind::BangId, end);
    default: break;
  }
  bool number = std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(first),
                            text_.begin() + static_cast<std::ptrdiff_t>(end), isDigit);
  emit(number ? TokenKind::HashNumber : TokenKind::HashId, end);
}

void Lexer::lexNumber() {
  size_t end = pos_;
  while (isDigit(at(end))) ++end;
  if (at(end) == 'x') {  // 0xFF80, or a dimension list
    bool hex = end == pos_ + 1 && text_[pos_] == '0' && isHexDigit(at(end + 1));
    for (++end; isWordChar(at(end)); ++end) hex = hex && isHexDigit(text_[end]);
    return emit(hex ? TokenKind::Hex : TokenKind::Word, end);
  }
  TokenKind kind = TokenKind::Integer;
  if (at(end) == '.' && at(end + 1) != '.') {
    kind = TokenKind::Float;
    for (++end; isDigit(at(end));) ++end;
  }
  if (at(end) == 'e' || at(end) == 'E') {
    size_t exponent = end + 1;
    if (at(exponent) == '+' || at(exponent) == '-') ++exponent;
    if (isDigit(at(exponent))) {
      kind = TokenKind::Float;
      for (end = exponent; isDigit(at(end));) ++end;
    }
  }
  if (isWordChar(at(end))) {
    kind = TokenKind::Word;
    while (isWordChar(at(end))) ++end;
  }
  emit(kind, end);
}

// One past the closing quote of the string at `quote`; reports a string that its line does not close.
size_t Lexer::stringEnd(size_t quote) {
  size_t i = quote + 1;
  bool ascii = true;
  for (; i < text_.size(); ++i) {
    char c = text_[i];
    if (c == '"' || c == '\n' || c == '\r') break;
    if (c == '\\' && i + 1 < text_.size() && text_[i + 1] != '\n' && text_[i + 1] != '\r') ++i;
    ascii = ascii && static_cast<unsigned char>(text_[i]) < 0x80;
  }
  auto span = Span{static_cast<uint32_t>(quote), static_cast<uint32_t>(i)};
  if (!ascii && !isValidUtf8(text_.substr(quote, i - quote)))
    errors_.add(DiagKind::UnexpectedCharacter, span, {"that is not UTF-8, in a string"});
  if (i < text_.size() && text_[i] == '"') return i + 1;
  errors_.add(DiagKind::UnterminatedString, span);
  return i;
}

void Lexer::lexString() {
  size_t end = stringEnd(pos_);
  emit(TokenKind::String, end);
}

// `{`, or the whole of `{-# ... #-}`.
void Lexer::lexBrace() {
  if (!startsWith(pos_, "{-#")) return emit(TokenKind::LeftBrace, pos_ + 1);
  size_t close = text_.find("#-}", pos_ + 3);
  if (close != std::string_view::npos) return emit(TokenKind::FileMetadata, close + 3);
  errors_.add(DiagKind::UnterminatedBracket, {static_cast<uint32_t>(pos_), static_cast<uint32_t>(pos_ + 3)}, {"{-#"});
  pos_ += 3;
}

void Lexer::lexPunctuation() {
  char c = text_[pos_];
  char next = at(pos_ + 1);
  size_t one = pos_ + 1;
  switch (c) {
    case '(': return emit(TokenKind::LeftParen, one);
    case ')': return emit(TokenKind::RightParen, one);
    case '[': return emit(TokenKind::LeftSquare, one);
    case ']': return emit(TokenKind::RightSquare, one);
    case '{': return lexBrace();
    case '}': return emit(TokenKind::RightBrace, one);
    case '<': return next == '=' ? emit(TokenKind::Other, one + 1) : emit(TokenKind::LeftAngle, one);
    case '>': return next == '=' ? emit(TokenKind::Other, one + 1) : emit(TokenKind::RightAngle, one);
    case ',': return emit(TokenKind::Comma, one);
    case ':': return next == ':' ? emit(TokenKind::DoubleColon, one + 1) : emit(TokenKind::Colon, one);
    case '=': return next == '=' ? emit(TokenKind::Other, one + 1) : emit(TokenKind::Equal, one);
    case '-': return next == '>' ? emit(TokenKind::Arrow, one + 1) : emit(TokenKind::Minus, one);
    case '?': return emit(TokenKind::Question, one);
    case '*': return emit(TokenKind::Star, one);
    case '.':
      if (next != '.') return lexJunk();
      return emit(TokenKind::Ellipsis, at(one + 1) == '.' ? one + 2 : one + 1);
    default: return emit(TokenKind::Other, one);
  }
}

// One diagnostic for a run of bytes that belong to no token; the first byte is known to be one.
void Lexer::lexJunk() {
  size_t end = pos_ + std::max<size_t>(1, utf8Length(text_, pos_));
  while (end < text_.size() && classOf(text_[end]) == kJunk) ++end;
  auto span = Span{static_cast<uint32_t>(pos_), static_cast<uint32_t>(end)};
  errors_.add(DiagKind::UnexpectedCharacter, span, {describeCharacter(text_, pos_)});
  pos_ = end;
}

TokenList Lexer::run() {
  out_.tokens.reserve(std::min(text_.size() / 4, limits_.maxTokens) + 2);
  if (pos_ == 0 && startsWith(0, kByteOrderMark)) pos_ = kByteOrderMark.size();
  for (skipSpaceAndComments(); pos_ < text_.size(); skipSpaceAndComments()) {
    if (out_.tokens.size() >= limits_.maxTokens) {
      auto here = static_cast<uint32_t>(pos_);
      errors_.add(DiagKind::TooManyTokens, {here, here}, {std::to_string(limits_.maxTokens)});
      break;
    }
    switch (classOf(text_[pos_])) {
      case kLetter: {
        size_t end = pos_ + 1;
        while (isWordChar(at(end)) || at(end) == '$' || (at(end) == '.' && at(end + 1) != '.')) ++end;
        emit(TokenKind::BareId, end);
        break;
      }
      case kDigit: lexNumber(); break;
      case kQuote: lexString(); break;
      case kSigil: lexSigil(); break;
      case kPunctuation: lexPunctuation(); break;
      default: lexJunk(); break;
    }
  }
  firstOnLine_ = true;
  emit(TokenKind::End, pos_);
  return std::move(out_);
}

int bracketIndex(TokenKind kind) {
  switch (kind) {
    case TokenKind::LeftParen:
    case TokenKind::RightParen: return 0;
    case TokenKind::LeftSquare:
    case TokenKind::RightSquare: return 1;
    case TokenKind::LeftBrace:
    case TokenKind::RightBrace: return 2;
    case TokenKind::LeftAngle:
    case TokenKind::RightAngle: return 3;
    default: return -1;
  }
}

// Finds every bracket's partner. A closing bracket leaves the open ones inside of it without partner, except that a `>`
// closes nothing across another kind of bracket. One pass: each token is pushed and popped at most once.
void matchBrackets(std::vector<Token>& tokens) {
  struct Open {
    uint32_t token;
    uint32_t inner;  // greatest height inside
  };
  std::vector<Open> stack;
  std::array<size_t, 4> open{};
  auto pop = [&](uint32_t addedHeight) {
    Open top = stack.back();
    stack.pop_back();
    --open[static_cast<size_t>(bracketIndex(tokens[top.token].kind))];
    uint32_t height = top.inner + addedHeight;
    if (!stack.empty()) stack.back().inner = std::max(stack.back().inner, height);
    tokens[top.token].height = static_cast<uint16_t>(std::min<uint32_t>(height, UINT16_MAX));
    return top.token;
  };
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    int index = bracketIndex(tokens[i].kind);
    if (index < 0) continue;
    auto kind = static_cast<size_t>(index);
    if (isOpening(tokens[i].kind)) {
      stack.push_back({i, 0});
      ++open[kind];
      continue;
    }
    bool topFits = !stack.empty() && bracketIndex(tokens[stack.back().token].kind) == index;
    if (!topFits && (index == 3 || open[kind] == 0)) continue;
    while (bracketIndex(tokens[stack.back().token].kind) != index) pop(0);
    uint32_t partner = pop(1);
    tokens[partner].match = i;
    tokens[i].match = partner;
  }
}

}  // namespace

TokenList lex(std::string_view text, const ParseLimits& limits, ErrorList& errors, Span part) {
  TokenList list = Lexer(text.substr(0, part.end), part.begin, limits, errors).run();
  matchBrackets(list.tokens);
  return list;
}

size_t idEnd(std::string_view text, size_t first) {
  size_t i = first;
  while (i < text.size() && isDigit(text[i])) ++i;
  if (i > first && (i == text.size() || !isWordChar(text[i]))) return i;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    const bool arrow = c == '-' && i + 1 < text.size() && text[i + 1] == '>';
    if (arrow || !(isWordChar(c) || c == '$' || c == '.' || c == '-')) break;
  }
  return i;
}

}  // namespace tessera::text
