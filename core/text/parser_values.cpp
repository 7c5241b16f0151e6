// Attributes. One value at a time is being read; what waits for it is on frames_.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/text/parser.h"
#include "core/text/raw_text.h"

namespace tessera::text {

namespace {

bool isFloatType(std::string_view type) {
  bool digitNext = type.size() >= 2 && type[0] == 'f' && type[1] >= '0' && type[1] <= '9';
  return digitNext || type == "tf32" || type.substr(0, 2) == "bf";
}

// The value of a float's bit pattern; `type` is bf16, f16, f32 or f64, others count as f64.
double decodeFloatBits(uint64_t bits, std::string_view type) {
  if (type == "f16") {
    double sign = (bits & 0x8000U) != 0 ? -1 : 1;
    auto exponent = static_cast<int>((bits >> 10U) & 31U);
    auto fraction = static_cast<double>(bits & 1023U);
    if (exponent == 31) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
    return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(1024 + fraction, exponent - 25);
  }
  if (type == "bf16" || type == "f32") {
    auto word = static_cast<uint32_t>(type == "bf16" ? bits << 16U : bits);
    float value = 0;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

bool isScalarName(std::string_view name) {
  if (name == "index" || name == "none") return true;
  size_t digit = name.find_first_of("0123456789");
  if (digit == std::string_view::npos) return false;
  std::string_view letters = name.substr(0, digit);
  return letters == "i" || letters == "si" || letters == "ui" || letters == "f" || letters == "bf" || letters == "tf";
}

}  // namespace

bool Parser::parseAttr(AttrId& out) {
  if (!parseValue(Need::Attr)) return false;
  out = valueAttr_;
  return true;
}

bool Parser::parseType(TypeId& out) {
  if (!parseValue(Need::Type)) return false;
  out = valueType_;
  return true;
}

bool Parser::parseValue(Need need) {
  const size_t attrBase = attrScratch_.size();
  const size_t namedBase = namedScratch_.size();
  const size_t typeBase = typeScratch_.size();
  frames_.clear();
  need_ = need;
  bool ok = true;
  while (ok && !(need_ == Need::Nothing && frames_.empty())) {
    if (need_ == Need::Attr) ok = startAttr();
    else if (need_ == Need::Type) ok = startType();
    else ok = resume();
  }
  frames_.clear();
  if (!ok) {
    attrScratch_.resize(attrBase);
    namedScratch_.resize(namedBase);
    typeScratch_.resize(typeBase);
  }
  return ok;
}

// `{a = 1, b}` of an op or argument: its entries, without a node of its own.
bool Parser::parseDictionary(Range& out) {
  AttrId id;
  if (!parseAttr(id)) return false;
  out = tree_.attrs[id].entries;
  tree_.attrs.resize(tree_.attrs.size() - 1);  // the dictionary was completed last
  return true;
}

void Parser::doneAttr(Attr attr) {
  valueAttr_ = tree_.attrs.push(attr);
  need_ = Need::Nothing;
}

void Parser::doneType(Type type) {
  valueType_ = tree_.types.push(type);
  need_ = Need::Nothing;
}

bool Parser::push(Frame frame, Need need) {
  if (!checkDepth(pos_, 1)) return false;
  frames_.push_back(frame);
  need_ = need;
  return true;
}

bool Parser::startAttr() {
  const Token& t = here();
  const uint32_t start = pos_;
  switch (t.kind) {
    case TokenKind::BareId: return startWordAttr();
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Hex:
    case TokenKind::Minus: return startNumber();
    case TokenKind::HashId: return readDialect();
    case TokenKind::SymbolId: return readSymbol();
    case TokenKind::LeftParen: return startParenAttr();
    case TokenKind::LeftAngle: return readRaw(AttrKind::Opaque, "");
    case TokenKind::BangId: return push({.kind = FrameKind::TypeAttr}, Need::Type);
    case TokenKind::Word: {  // 8x8
      advance();
      Attr attr{.kind = AttrKind::Opaque, .span = spanFrom(start), .text = textOf(t)};
      doneAttr(attr);
      return true;
    }
    case TokenKind::String: {
      advance();
      Attr attr{.kind = AttrKind::String, .span = spanFrom(start), .text = stringContents(textOf(t))};
      return finishLiteral(attr);
    }
    case TokenKind::LeftSquare: {
      if (!checkDepth(pos_, 1)) return false;
      advance();
      Frame frame{.kind = FrameKind::Array, .scratchBase = attrScratch_.size()};
      frame.attr = {.kind = AttrKind::Array, .span = {t.begin, t.end}};
      if (!at(TokenKind::RightSquare)) return push(frame, Need::Attr);
      return resumeList(frame);
    }
    case TokenKind::LeftBrace: {
      if (!checkDepth(pos_, 1)) return false;
      advance();
      Frame frame{.kind = FrameKind::Dictionary, .scratchBase = namedScratch_.size()};
      frame.attr = {.kind = AttrKind::Dictionary, .span = {t.begin, t.end}};
      return at(TokenKind::RightBrace) ? resumeList(frame) : startKeyed(frame);
    }
    default: return fail("an attribute value");
  }
}

// The name of a dictionary's entry and, when there is a `=`, the start of its value.
bool Parser::startKeyed(Frame& frame) {
  for (;;) {
    const Token& name = here();
    if (!at(TokenKind::BareId) && !at(TokenKind::String)) return fail("an attribute name");
    frame.key = at(TokenKind::String) ? stringContents(textOf(name)) : textOf(name);
    if (frame.key.empty()) return fail("an attribute name");
    frame.keySpan = {name.begin, name.end};
    advance();
    if (accept(TokenKind::Equal)) return push(frame, Need::Attr);
    AttrId unit = tree_.attrs.push({.kind = AttrKind::Unit, .span = frame.keySpan});
    namedScratch_.push_back({frame.key, unit, frame.keySpan});
    if (!accept(TokenKind::Comma)) return resumeList(frame);
  }
}

bool Parser::startWordAttr() {
  const Token& t = here();
  std::string_view word = textOf(t);
  const uint32_t start = pos_;
  if (nextIs(TokenKind::LeftAngle)) {
    if (word == "array") return readDenseArray();
    if (word == "dense" || word == "dense_resource" || word == "sparse") return readRaw(AttrKind::Dense, word);
    if (word == "affine_map") return readRaw(AttrKind::AffineMap, word);
    if (word == "tensor" || word == "memref" || word == "vector" || word == "tuple" || word == "complex")
      return push({.kind = FrameKind::TypeAttr}, Need::Type);
    return readRaw(AttrKind::Opaque, word);
  }
  if (word == "loc" && nextIs(TokenKind::LeftParen)) return readRaw(AttrKind::Location, word);
  if (isScalarName(word)) return push({.kind = FrameKind::TypeAttr}, Need::Type);
  advance();
  Attr attr{.kind = AttrKind::Opaque, .span = spanFrom(start), .text = word};
  if (word == "unit") attr.kind = AttrKind::Unit;
  if (word == "true" || word == "false") {
    attr.kind = AttrKind::Bool;
    attr.integer = word == "true" ? 1 : 0;
  }
  if (word == "distinct" && at(TokenKind::LeftSquare)) {  // distinct[0]<value>
    if (!skipGroup() || (at(TokenKind::LeftAngle) && !skipGroup())) return false;
    attr.span = spanFrom(start);
    attr.text = rawText(start, pos_ - 1);
  }
  doneAttr(attr);
  return true;
}

bool Parser::startNumber() {
  const uint32_t start = pos_;
  bool negative = accept(TokenKind::Minus);
  const Token& number = here();
  bool isNumber = at(TokenKind::Integer) || at(TokenKind::Float) || (at(TokenKind::Hex) && !negative);
  if (!isNumber) return fail("a number");
  advance();
  Attr attr{.span = spanFrom(start)};
  std::string_view written = text_.substr(token(start).begin, number.end - token(start).begin);
  attr.text = negative && !touches(start + 1) ? store("-" + std::string(textOf(number))) : written;
  if (!readNumber(textOf(number), number.kind, negative, attr)) return false;
  return finishLiteral(attr);
}

bool Parser::readNumber(std::string_view digits, TokenKind kind, bool negative, Attr& attr) {
  if (kind == TokenKind::Float) {
    attr.kind = AttrKind::Float;
    attr.number = std::strtod(std::string(digits).c_str(), nullptr) * (negative ? -1 : 1);
    return true;
  }
  attr.kind = AttrKind::Integer;
  const uint64_t base = kind == TokenKind::Hex ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  uint64_t value = 0;
  bool fits = true;
  for (char c : digits) {
    auto digit = static_cast<uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    fits = fits && !__builtin_mul_overflow(value, base, &value) && !__builtin_add_overflow(value, digit, &value);
  }
  // Hexadecimal digits are a bit pattern and may use all 64 bits; a decimal number is signed.
  uint64_t limit = base == 16 ? UINT64_MAX : static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (!fits || value > limit) {
    std::string shown(attr.text.substr(0, 60));
    if (shown.size() < attr.text.size()) shown += "...";
    errors_.add(DiagKind::NumberOutOfRange, attr.span, {shown});
    value = limit;  // go on: nothing behind it depends on the value
  }
  attr.integer = static_cast<int64_t>(negative ? 0 - value : value);
  return true;
}

// A literal is complete, or waits for the type behind `:`.
bool Parser::finishLiteral(Attr& attr) {
  if (!accept(TokenKind::Colon)) {
    doneAttr(attr);
    return true;
  }
  Frame frame{.kind = FrameKind::LiteralType};
  frame.attr = attr;
  return push(frame, Need::Type);
}

// `(`: an affine map, a function type, or something else in parentheses such as a grid `(8, 7)`.
bool Parser::startParenAttr() {
  const uint32_t start = pos_;
  const uint32_t close = here().match;
  if (close == kNoMatch) return skipGroup();
  uint32_t next = close + 1;
  if (token(next).kind == TokenKind::LeftSquare && token(next).match != kNoMatch) next = token(next).match + 1;
  bool arrow = token(next).kind == TokenKind::Arrow;
  const Token& first = token(start + 1);
  bool firstIsId = first.kind == TokenKind::BareId && token(start + 2).kind != TokenKind::LeftAngle;
  bool emptyMap = first.kind == TokenKind::RightParen && token(next + 1).kind == TokenKind::LeftParen &&
                  token(next + 2).kind == TokenKind::Integer;
  bool map = arrow && (next != close + 1 || emptyMap || (firstIsId && !isScalarName(textOf(first))));
  if (arrow && !map) return push({.kind = FrameKind::TypeAttr}, Need::Type);
  if (!skipGroup()) return false;
  if (map) {
    if (at(TokenKind::LeftSquare) && !skipGroup()) return false;
    advance();  // the arrow
    if (!at(TokenKind::LeftParen)) return fail("`(` and the results of the affine map");
    if (!skipGroup()) return false;
  }
  Attr attr{.kind = map ? AttrKind::AffineMap : AttrKind::Opaque, .span = spanFrom(start)};
  attr.text = rawText(start, pos_ - 1);
  doneAttr(attr);
  return true;
}

// `prefix<...>` or `prefix(...)`, kept as it is written.
bool Parser::readRaw(AttrKind kind, std::string_view prefix) {
  const uint32_t start = pos_;
  if (!prefix.empty()) advance();
  const uint32_t open = pos_;
  if (!skipGroup()) return false;
  Attr attr{.kind = kind, .span = spanFrom(start)};
  const uint32_t close = token(open).match;
  std::string_view inside = close == open + 1 ? std::string_view{} : rawText(open + 1, close - 1);
  attr.text = kind == AttrKind::Opaque ? rawText(start, close) : inside;
  if (kind == AttrKind::Dense) {
    attr.name = prefix;
    attr.body = inside;
    return finishLiteral(attr);
  }
  doneAttr(attr);
  return true;
}

// #alias, #alias<...>, #dialect.name, #dialect.name<...>, #dialect<...>
bool Parser::readDialect() {
  const uint32_t start = pos_;
  std::string_view name = textOf(here()).substr(1);
  advance();
  bool hasBody = at(TokenKind::LeftAngle) && touches(pos_);
  Attr attr{.kind = AttrKind::Alias, .text = name, .name = name};
  if (hasBody) {
    const uint32_t open = pos_;
    if (!skipGroup()) return false;
    if (pos_ > open + 2) attr.body = rawText(open + 1, token(open).match - 1);
  }
  if (hasBody || name.find('.') != std::string_view::npos) {
    attr.kind = AttrKind::Dialect;
    attr.text = rawText(start, hasBody ? token(start + 1).match : start);
  }
  attr.span = spanFrom(start);
  doneAttr(attr);
  return true;
}

bool Parser::readSymbol() {
  const uint32_t start = pos_;
  Attr attr{.kind = AttrKind::Symbol, .text = symbolName(textOf(here()))};
  advance();
  while (at(TokenKind::DoubleColon)) {
    advance();
    if (!expect(TokenKind::SymbolId, "`@` and a symbol name")) return false;
    attr.integer = 1;
  }
  if (attr.integer == 1) attr.text = rawText(start, pos_ - 1).substr(1);
  attr.span = spanFrom(start);
  doneAttr(attr);
  return true;
}

// array<i64: 1, 2>
bool Parser::readDenseArray() {
  const uint32_t start = pos_;
  const size_t base = attrScratch_.size();
  advance();
  if (!checkDepth(pos_, 1)) return false;
  advance();
  if (!at(TokenKind::BareId)) return fail("an element type");
  const Token& element = here();
  bool isFloat = isFloatType(textOf(element));
  advance();
  Attr attr{.kind = AttrKind::DenseArray};
  attr.type =
      tree_.types.push({.kind = TypeKind::Scalar, .span = {element.begin, element.end}, .text = textOf(element)});
  attr.ints.first = static_cast<uint32_t>(tree_.ints.size());
  bool more = accept(TokenKind::Colon);
  if (!more && !at(TokenKind::RightAngle)) return fail("`:` or `>`");
  while (more) {
    const uint32_t first = pos_;
    Attr number{.kind = AttrKind::Integer};
    if (atWord("true") || atWord("false")) {
      number.integer = textOf(here()) == "true" ? 1 : 0;
    } else {
      bool negative = accept(TokenKind::Minus);
      bool isNumber = at(TokenKind::Integer) || at(TokenKind::Hex) || (at(TokenKind::Float) && isFloat);
      if (!isNumber) return fail(isFloat ? "a number" : "an integer");
      number.span = {token(first).begin, here().end};
      number.text = negative && !touches(pos_) ? store("-" + std::string(textOf(here())))
                                               : text_.substr(number.span.begin, number.span.end - number.span.begin);
      if (!readNumber(textOf(here()), here().kind, negative, number)) return false;
    }
    advance();
    if (isFloat) {
      if (number.kind == AttrKind::Integer) number.number = static_cast<double>(number.integer);
      number.kind = AttrKind::Float;
      attrScratch_.push_back(tree_.attrs.push(number));
    } else {
      tree_.ints.push_back(number.integer);
      ++attr.ints.count;
    }
    more = accept(TokenKind::Comma);
  }
  if (!expect(TokenKind::RightAngle, "`,` or `>`")) return false;
  attr.items = moveToTree(attrScratch_, base, tree_.attrLists);
  attr.span = spanFrom(start);
  doneAttr(attr);
  return true;
}

// The value that the innermost frame waited for is complete.
bool Parser::resume() {
  Frame frame = frames_.back();
  frames_.pop_back();
  switch (frame.kind) {
    case FrameKind::Array:
      attrScratch_.push_back(valueAttr_);
      if (accept(TokenKind::Comma)) return push(frame, Need::Attr);
      return resumeList(frame);
    case FrameKind::Dictionary:
      namedScratch_.push_back({frame.key, valueAttr_, frame.keySpan});
      return accept(TokenKind::Comma) ? startKeyed(frame) : resumeList(frame);
    case FrameKind::TypeAttr: {
      Attr attr{.kind = AttrKind::Type, .span = tree_.types[valueType_].span};
      attr.type = valueType_;
      doneAttr(attr);
      return true;
    }
    case FrameKind::LiteralType: {
      Attr attr = frame.attr;
      attr.type = valueType_;
      attr.span.end = tree_.types[valueType_].span.end;
      std::string_view type = tree_.types[valueType_].text;
      if (attr.kind == AttrKind::Integer && isFloatType(type)) {
        bool hex = attr.text.substr(0, 2) == "0x";
        attr.kind = AttrKind::Float;
        attr.number =
            hex ? decodeFloatBits(static_cast<uint64_t>(attr.integer), type) : static_cast<double>(attr.integer);
      }
      doneAttr(attr);
      return true;
    }
    default: return resumeType(frame);
  }
}

// The end of an array or dictionary.
bool Parser::resumeList(Frame frame) {
  bool array = frame.kind == FrameKind::Array;
  if (!expect(array ? TokenKind::RightSquare : TokenKind::RightBrace, array ? "`,` or `]`" : "`,` or `}`"))
    return false;
  frame.attr.span.end = token(pos_ - 1).end;
  if (array) frame.attr.items = moveToTree(attrScratch_, frame.scratchBase, tree_.attrLists);
  else frame.attr.entries = moveToTree(namedScratch_, frame.scratchBase, tree_.namedAttrs);
  doneAttr(frame.attr);
  return true;
}

}  // namespace tessera::text
