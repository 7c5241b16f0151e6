// Types; see parser_values.cpp for how nesting works.
#include <algorithm>

#include "core/text/parser.h"

#include "core/text/chars.h"

namespace tessera::text {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// No type is named so: those of dialects begin with `!`.
bool hasDot(std::string_view word) { return word.find('.') != std::string_view::npos; }

// A word that can be a scalar type where any word could stand. Unknown ones with a digit (bfp8) are left to the
// importer.
bool looksLikeScalar(std::string_view word) {
  if (word == "index" || word == "none" || word == "bool" || word == "token") return true;
  return !hasDot(word) && std::any_of(word.begin(), word.end(), isDigit);
}

}  // namespace

bool Parser::startsType() const {
  if (at(TokenKind::BangId) || at(TokenKind::LeftParen)) return true;
  if (!at(TokenKind::BareId)) return false;
  return nextIs(TokenKind::LeftAngle) ? !hasDot(textOf(here())) : looksLikeScalar(textOf(here()));
}

bool Parser::startType() {
  if (!startsType()) return fail("a type");
  const Token& t = here();
  const uint32_t start = pos_;
  if (t.kind == TokenKind::LeftParen) return startFunctionType();
  if (t.kind == TokenKind::BareId && textOf(t) == "tensor" && nextIs(TokenKind::LeftAngle)) return startTensor();
  advance();
  bool hasBody = at(TokenKind::LeftAngle) && (t.kind == TokenKind::BareId || touches(pos_));
  Type type{.kind = TypeKind::Scalar};
  if (t.kind == TokenKind::BangId) {
    type.name = textOf(t).substr(1);
    bool dialect = hasBody || type.name.find('.') != std::string_view::npos;
    type.kind = dialect ? TypeKind::Dialect : TypeKind::Alias;
  } else if (hasBody) {
    type.kind = TypeKind::Opaque;
  }
  if (hasBody) {
    if (!skipGroup()) return false;
    const uint32_t close = token(start + 1).match;
    if (type.kind == TypeKind::Dialect && close > start + 2) type.body = rawText(start + 2, close - 1);
  }
  type.span = spanFrom(start);
  type.text = rawText(start, pos_ - 1);
  doneType(type);
  return true;
}

bool Parser::startTensor() {
  const uint32_t start = pos_;
  Frame frame{.kind = FrameKind::TensorElement};
  frame.type = {.kind = TypeKind::Tensor, .span = {here().begin, here().end}};
  if (token(start + 2).kind == TokenKind::Star) {  // no rank
    advance();
    if (!skipGroup()) return false;
    Type type{.kind = TypeKind::Opaque, .span = spanFrom(start)};
    type.text = rawText(start, pos_ - 1);
    doneType(type);
    return true;
  }
  if (!checkDepth(start + 1, 1)) return false;
  advance();
  advance();
  bool elementFollows = false;
  if (!readDimensions(frame.type, elementFollows)) return false;
  if (elementFollows) return push(frame, Need::Type);
  return tensorElement(frame);
}

// `2x?x4xbf16` in whatever tokens it fell into: looks at the characters. `elementFollows`: the element type is not one
// of these words but starts at the next token; otherwise it is now type.element.
bool Parser::readDimensions(Type& type, bool& elementFollows) {
  const uint32_t first = pos_;
  auto isPart = [](TokenKind kind) {
    return kind == TokenKind::Integer || kind == TokenKind::Hex || kind == TokenKind::Word ||
           kind == TokenKind::Question || kind == TokenKind::BareId;
  };
  // Behind a word that is no dimension (`xbf16`, `bf16`) nothing can belong to the list.
  while (isPart(here().kind)) advance();
  type.dims.first = static_cast<uint32_t>(tree_.ints.size());
  const uint32_t end = pos_ > first ? token(pos_ - 1).end : here().begin;
  uint32_t p = token(first).begin;
  while (p < end) {
    if (isBlank(text_[p])) {
      ++p;
      continue;
    }
    uint32_t q = p;
    if (text_[p] == '?') ++q;
    else
      while (q < end && isDigit(text_[q])) ++q;
    uint32_t x = q;
    while (x < end && isBlank(text_[x])) ++x;
    if (q == p || x >= end || text_[x] != 'x') break;  // the element type
    int64_t dim = text_[p] == '?' ? -1 : 0;
    for (uint32_t i = p; dim >= 0 && i < q; ++i) {
      if (!__builtin_mul_overflow(dim, int64_t{10}, &dim) &&
          !__builtin_add_overflow(dim, int64_t{text_[i] - '0'}, &dim))
        continue;
      errors_.add(DiagKind::NumberOutOfRange, {p, q}, {text_.substr(p, std::min<uint32_t>(q - p, 60))});
      return false;
    }
    if (type.dims.count == kMaxRank) {
      errors_.add(DiagKind::RankTooHigh, {p, q}, {std::to_string(kMaxRank)});
      return false;
    }
    tree_.ints.push_back(dim);
    ++type.dims.count;
    p = x + 1;
  }
  elementFollows = p >= end;
  if (elementFollows) {
    bool startsHere = at(TokenKind::BangId);
    return startsHere || fail("a dimension or an element type");
  }
  return readElementWord(type, first, p, end);
}

// The element type, whose word begins at byte `p`. It is the last of the words from token `first` on, which end at
// `end`.
bool Parser::readElementWord(Type& type, uint32_t first, uint32_t p, uint32_t end) {
  uint32_t wordEnd = p;
  while (wordEnd < end && !isBlank(text_[wordEnd]) && text_[wordEnd] != '?') ++wordEnd;
  if (!isLetter(text_[p]) || wordEnd != end) {
    uint32_t bad = first;
    while (token(bad).end <= (isLetter(text_[p]) ? wordEnd : p)) ++bad;
    return failAt(bad, isLetter(text_[p]) ? "`,` or `>`" : "`x` and the next dimension or an element type");
  }
  Type element{.kind = TypeKind::Scalar, .span = {p, end}, .text = text_.substr(p, end - p)};
  if (hasDot(element.text)) return failAt(pos_ - 1, "an element type");
  if (at(TokenKind::LeftAngle)) {  // vector<..>, complex<..>
    if (!skipGroup()) return false;
    element.kind = TypeKind::Opaque;
    element.span.end = token(pos_ - 1).end;
    element.text = cleanText(p, element.span.end);
  }
  type.element = tree_.types.push(element);
  return true;
}

bool Parser::tensorElement(Frame frame) {
  if (!at(TokenKind::Comma)) return finishTensor(frame);
  advance();
  frame.kind = FrameKind::TensorEncoding;
  return push(frame, Need::Attr);
}

bool Parser::finishTensor(Frame frame) {
  if (!expect(TokenKind::RightAngle, frame.type.encoding.valid() ? "`>`" : "`,` or `>`")) return false;
  frame.type.span.end = token(pos_ - 1).end;
  frame.type.text = text_.substr(frame.type.span.begin, frame.type.span.end - frame.type.span.begin);
  doneType(frame.type);
  return true;
}

// (inputs) -> output, (inputs) -> (outputs)
bool Parser::startFunctionType() {
  if (!checkDepth(pos_, 1)) return false;
  Frame frame{.kind = FrameKind::FunctionInputs, .scratchBase = typeScratch_.size()};
  frame.type = {.kind = TypeKind::Function, .span = {here().begin, here().end}};
  advance();
  if (!at(TokenKind::RightParen)) return push(frame, Need::Type);
  return functionArrow(frame);
}

// Behind the inputs.
bool Parser::functionArrow(Frame frame) {
  if (!expect(TokenKind::RightParen, "`,` or `)`")) return false;
  frame.type.inputs = moveToTree(typeScratch_, frame.scratchBase, tree_.typeLists);
  if (!expect(TokenKind::Arrow, "`->`")) return false;
  frame.kind = at(TokenKind::LeftParen) ? FrameKind::FunctionOutputs : FrameKind::FunctionSingleOutput;
  bool list = accept(TokenKind::LeftParen);
  if (list && at(TokenKind::RightParen)) return functionOutputs(frame);
  return push(frame, Need::Type);
}

bool Parser::functionOutputs(Frame frame) {
  if (frame.kind == FrameKind::FunctionOutputs && !expect(TokenKind::RightParen, "`,` or `)`")) return false;
  frame.type.outputs = moveToTree(typeScratch_, frame.scratchBase, tree_.typeLists);
  frame.type.span.end = token(pos_ - 1).end;
  frame.type.text = text_.substr(frame.type.span.begin, frame.type.span.end - frame.type.span.begin);
  doneType(frame.type);
  return true;
}

bool Parser::resumeType(Frame frame) {
  switch (frame.kind) {
    case FrameKind::TensorElement: frame.type.element = valueType_; return tensorElement(frame);
    case FrameKind::TensorEncoding: frame.type.encoding = valueAttr_; return finishTensor(frame);
    case FrameKind::FunctionInputs:
      typeScratch_.push_back(valueType_);
      if (accept(TokenKind::Comma)) return push(frame, Need::Type);
      return functionArrow(frame);
    case FrameKind::FunctionOutputs:
      typeScratch_.push_back(valueType_);
      if (accept(TokenKind::Comma)) return push(frame, Need::Type);
      return functionOutputs(frame);
    default: typeScratch_.push_back(valueType_); return functionOutputs(frame);
  }
}

}  // namespace tessera::text
