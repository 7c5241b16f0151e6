#include "core/text/parser.h"

#include <algorithm>

#include "core/text/raw_text.h"
#include "core/text/surroundings.h"

namespace tessera::text {

namespace {

constexpr size_t kMaxShownBytes = 60;  // of a token in a message

}  // namespace

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool Parser::expect(TokenKind kind, std::string_view expected) { return accept(kind) || fail(expected); }

bool Parser::fail(std::string_view expected) { return failAt(pos_, expected); }

bool Parser::failAt(uint32_t index, std::string_view expected) {
  const Token& seen = token(index);
  std::string shown = "end of input";
  if (seen.kind != TokenKind::End) {
    std::string_view text = textOf(seen);
    size_t length = text.size();
    if (length > kMaxShownBytes) {
      length = kMaxShownBytes;
      while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    }
    shown = "`" + std::string(text.substr(0, length)) + (length < text.size() ? "...`" : "`");
  }
  errors_.add(DiagKind::UnexpectedToken, {seen.begin, seen.end}, {shown, expected});
  return false;
}

Span Parser::spanFrom(uint32_t first) const {
  uint32_t last = pos_ > first ? pos_ - 1 : first;
  return {token(first).begin, token(last).end};
}

std::string_view Parser::store(std::string text) { return tree_.strings.emplace_back(std::move(text)); }

std::string_view Parser::cleanText(uint32_t begin, uint32_t end) {
  std::string_view raw = text_.substr(begin, end - begin);
  auto comment = std::lower_bound(list_.comments.begin(), list_.comments.end(), begin);
  bool hasComment = comment != list_.comments.end() && *comment < end;
  return hasComment ? store(withoutComments(raw)) : raw;
}

std::string_view Parser::stringContents(std::string_view literal) {
  bool closed = literal.size() >= 2 && literal.back() == '"';
  std::string_view contents = literal.substr(1, literal.size() - (closed ? 2 : 1));
  return hasEscape(contents) ? store(unescape(contents)) : contents;
}

std::string_view Parser::symbolName(std::string_view token) {
  std::string_view name = token.substr(1);
  return !name.empty() && name[0] == '"' ? stringContents(name) : name;
}

bool Parser::skipGroup() {
  const Token& open = here();
  if (open.match == kNoMatch) {
    errors_.add(DiagKind::UnterminatedBracket, {open.begin, open.end}, {textOf(open)});
    return false;
  }
  if (!checkDepth(pos_, open.height)) return false;
  for (uint32_t i = pos_ + 1; i < open.match; ++i) {
    const Token& t = token(i);
    if (t.match != kNoMatch || !isBracket(t.kind) || t.kind == TokenKind::LeftAngle || t.kind == TokenKind::RightAngle)
      continue;
    errors_.add(isOpening(t.kind) ? DiagKind::UnterminatedBracket : DiagKind::UnmatchedBracket, {t.begin, t.end},
                {textOf(t)});
    return false;
  }
  pos_ = open.match;
  advance();
  return true;
}

// Whether `inner` more levels may nest at this place. Says so only once: below a place that is too deep all are.
bool Parser::checkDepth(uint32_t index, size_t inner) {
  auto limit = static_cast<size_t>(std::max(limits_.maxDepth, 1));
  if (open_.size() + frames_.size() + inner <= limit) return true;
  if (!tooDeepReported_) {
    tooDeepReported_ = true;
    errors_.add(DiagKind::NestingTooDeep, {token(index).begin, token(index).end}, {std::to_string(limit)});
  }
  return false;
}

Parser::Checkpoint Parser::save() const {
  return {pos_,
          errors_.size(),
          tree_.attrs.size(),
          tree_.types.size(),
          tree_.attrLists.size(),
          tree_.namedAttrs.size(),
          tree_.typeLists.size(),
          tree_.ints.size(),
          tree_.uses.size(),
          tree_.strings.size(),
          tooDeepReported_};
}

void Parser::restore(const Checkpoint& checkpoint) {
  pos_ = checkpoint.pos;
  errors_.truncate(checkpoint.errors);
  tooDeepReported_ = checkpoint.tooDeepReported;
  tree_.attrs.resize(checkpoint.attrs);
  tree_.types.resize(checkpoint.types);
  tree_.attrLists.resize(checkpoint.attrLists);
  tree_.namedAttrs.resize(checkpoint.namedAttrs);
  tree_.typeLists.resize(checkpoint.typeLists);
  tree_.ints.resize(checkpoint.ints);
  tree_.uses.resize(checkpoint.uses);
  tree_.strings.resize(checkpoint.strings);
}

SyntaxTree Parser::run() {
  while (!at(TokenKind::End)) {
    uint32_t start = pos_;
    if (!parseStatement()) recover(start);
  }
  if (!open_.empty()) {  // the innermost one says it all
    const Token& brace = token(open_.back().brace);
    errors_.add(DiagKind::UnterminatedBracket, {brace.begin, brace.end}, {textOf(brace)});
  }
  while (!open_.empty()) {
    OpenRegion region = std::move(open_.back());
    open_.pop_back();
    OpNode op = tree_.ops[region.op];
    op.regions = {static_cast<uint32_t>(tree_.regionLists.size()), static_cast<uint32_t>(region.regions.size())};
    tree_.regionLists.insert(tree_.regionLists.end(), region.regions.begin(), region.regions.end());
    finishOp(region.op, op, region.start, true);
  }
  resolveAliases();
  checkCycles();
  return std::move(tree_);
}

SyntaxTree parseText(const SourceBuffer& source, Diagnostics& diags, const ParseLimits& limits) {
  if (source.text().size() > kMaxSourceBytes) {
    diags.report(DiagKind::SourceTooLarge, {}, {std::to_string(source.text().size()), std::to_string(kMaxSourceBytes)});
    return {};
  }
  ErrorList errors;
  Span module = findModuleText(source.text());
  auto skip = [&](uint32_t begin, uint32_t end) {
    std::string_view text = source.text().substr(begin, end - begin);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    auto lines = std::count(text.begin(), text.end(), '\n') + (text.back() == '\n' ? 0 : 1);
    errors.add(DiagKind::TextSkipped, {begin, end}, {std::to_string(lines)});
  };
  if (module.begin > 0) skip(0, module.begin);
  if (module.end < source.text().size()) skip(module.end, static_cast<uint32_t>(source.text().size()));
  TokenList tokens = lex(source.text(), limits, errors, module);
  SyntaxTree tree = Parser(source, limits, tokens, errors).run();
  errors.flush(diags);
  return tree;
}

}  // namespace tessera::text
