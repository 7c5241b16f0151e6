// Statements: alias definitions, block labels, ops in generic form, regions, and how to go on after a mistake.
#include <algorithm>

#include "core/text/parser.h"
#include "core/text/raw_text.h"

namespace tessera::text {

namespace {

constexpr int32_t kMaxResults = 65'535;  // of one op; a file must not make anyone allocate more
constexpr uint32_t kMaxDefsLookahead = 64;

// The names of ops that are written without a dialect.
std::string_view fullName(std::string_view name) {
  if (name == "module") return "builtin.module";
  if (name == "func") return "func.func";
  if (name == "return") return "func.return";
  if (name == "call") return "func.call";
  if (name == "constant") return "arith.constant";
  if (name == "unrealized_conversion_cast") return "builtin.unrealized_conversion_cast";
  return name;
}

}  // namespace

bool isOpName(std::string_view word) {
  size_t dot = word.find('.');
  bool dotted = dot != std::string_view::npos && dot + 1 < word.size();
  return dotted || fullName(word) != word;
}

// `%a, %b:2 = op`
bool Parser::startsDefinition(uint32_t index) const {
  uint32_t i = index;
  for (uint32_t limit = index + kMaxDefsLookahead; i < limit; ++i) {
    if (token(i).kind != TokenKind::ValueId) return false;
    ++i;
    if (token(i).kind == TokenKind::Colon && token(i + 1).kind == TokenKind::Integer) i += 2;
    if (token(i).kind != TokenKind::Comma || !token(index).firstOnLine) break;
  }
  TokenKind behind = token(i + 1).kind;
  bool op = behind == TokenKind::String || (behind == TokenKind::BareId && isOpName(textOf(token(i + 1))));
  return token(i).kind == TokenKind::Equal && op;
}

bool Parser::startsStatement(uint32_t index) const {
  const Token& t = token(index);
  TokenKind next = token(index + 1).kind;
  switch (t.kind) {
    case TokenKind::End:
    case TokenKind::FileMetadata: return true;
    case TokenKind::ValueId: return startsDefinition(index);
    case TokenKind::HashId:
    case TokenKind::BangId: return t.firstOnLine && next == TokenKind::Equal;
    case TokenKind::String: return t.firstOnLine && next == TokenKind::LeftParen;
    case TokenKind::CaretId: return t.firstOnLine && (next == TokenKind::Colon || next == TokenKind::LeftParen);
    case TokenKind::BareId: return t.firstOnLine && startsNamedOp(index);
    default: return false;
  }
}

// The name of an op without results, and none of what goes on with the line before.
bool Parser::startsNamedOp(uint32_t index) const {
  const TokenKind next = token(index + 1).kind;
  return token(index).kind == TokenKind::BareId && isOpName(textOf(token(index))) && next != TokenKind::Equal &&
         next != TokenKind::Comma && next != TokenKind::Colon;
}

bool Parser::parseStatement() {
  switch (here().kind) {
    case TokenKind::RightBrace:
      if (!open_.empty()) return closeRegion();
      errors_.add(DiagKind::UnmatchedBracket, {here().begin, here().end}, {"}"});
      advance();
      return true;
    case TokenKind::FileMetadata:
      belongsToFile(pos_);
      tree_.fileMetadata = textOf(here());
      advance();
      return true;
    case TokenKind::HashId:
    case TokenKind::BangId: return parseAlias();
    case TokenKind::CaretId: return parseLabel();
    case TokenKind::ValueId:
    case TokenKind::String:
    case TokenKind::BareId: return parseOp();
    default: return fail("an operation");
  }
}

// Says, once for a region, that no alias or metadata may stand in it. It is read all the same.
void Parser::belongsToFile(uint32_t index) {
  if (open_.empty() || tree_.ops[open_.back().op].hasError) return;
  tree_.ops[open_.back().op].hasError = true;
  failAt(index, "an operation or `}`");
}

bool Parser::parseAlias() {
  const uint32_t start = pos_;
  AliasDef alias;
  alias.isType = at(TokenKind::BangId);
  alias.name = textOf(here()).substr(1);
  alias.span = {here().begin, here().end};
  if (alias.name.find('.') != std::string_view::npos) return fail("an alias name without a dot");
  advance();
  if (!expect(TokenKind::Equal, "`=` and what the alias stands for")) return false;
  belongsToFile(start);
  bool ok = alias.isType ? parseType(alias.type) : parseAttr(alias.attr);
  return ok && addAlias(alias, start);
}

bool Parser::parseLabel() {
  if (open_.empty()) return fail("an operation");
  const uint32_t start = pos_;
  Block label;
  label.label = textOf(here()).substr(1);
  advance();
  if (accept(TokenKind::LeftParen)) {
    if (!parseArguments(label.args, TokenKind::RightParen)) return false;
  }
  if (!expect(TokenKind::Colon, "`:`")) return false;
  Region& region = tree_.regions[open_.back().region];
  Block& last = tree_.blocks[region.blocks.back()];
  bool entry = region.blocks.size() == 1 && last.ops.empty() && last.label.empty();
  if (entry && (last.args.count == 0 || label.args.count == 0)) {
    last.label = label.label;
    if (label.args.count > 0) last.args = label.args;
    return true;
  }
  if (entry) return failAt(start, "an operation (the arguments of the entry block are the function's)");
  region.blocks.push_back(tree_.blocks.push(std::move(label)));
  return true;
}

OpNodeId Parser::addOp(OpNode op) {
  OpNodeId id = tree_.ops.push(op);
  if (open_.empty()) tree_.topLevel.push_back(id);
  else tree_.blocks[currentBlock()].ops.push_back(id);
  return id;
}

BlockId Parser::currentBlock() const { return tree_.regions[open_.back().region].blocks.back(); }

void Parser::finishOp(OpNodeId id, OpNode op, uint32_t start, bool failed) {
  op.hasError = op.hasError || failed;
  op.span = spanFrom(start);
  tree_.ops[id] = op;
}

bool Parser::parseOp() {
  const uint32_t start = pos_;
  OpNode op;
  const bool defines = at(TokenKind::ValueId);
  if (defines && !parseDefs(op)) return false;
  const Token& name = here();
  op.nameSpan = {name.begin, name.end};
  bool generic = at(TokenKind::String);
  if (!generic && !(at(TokenKind::BareId) && isOpName(textOf(name)))) return fail("an operation");
  op.name = generic ? stringContents(textOf(name)) : fullName(textOf(name));
  if (generic && op.name.empty()) return fail("the name of an operation");
  if (generic && !nextIs(TokenKind::LeftParen)) return failAt(pos_ + 1, "`(` and the operands");
  advance();
  if (generic) return parseGeneric(op, start);
  if (isModuleName(op.name)) return parseModule(op, start);
  if (op.name == "func.func") return parseFunction(op, start);
  op.form = op.name == "func.return" ? OpForm::Return : OpForm::Pretty;
  const bool begun = defines || startsNamedOp(pos_ - 1);
  const bool ok = begun ? parsePretty(op) : fail("operands, attributes or a type");
  OpNodeId id = addOp(op);
  finishOp(id, op, start, !ok);
  if (ok && atTailRegion(pos_)) return openPrettyRegion(id, start, {});
  return ok;
}

// %a, %b:2 =
bool Parser::parseDefs(OpNode& op) {
  op.defs.first = static_cast<uint32_t>(tree_.defs.size());
  do {
    const Token& name = here();
    if (!expect(TokenKind::ValueId, "`%` and a result name")) return false;
    Def def{.name = textOf(token(pos_ - 1)).substr(1), .count = 1, .span = {name.begin, name.end}};
    if (accept(TokenKind::Colon)) {
      bool ok = at(TokenKind::Integer) &&
                parseCount(pos_, textOf(here()), 1, kMaxResults, "a number of results from 1 to 65535", def.count);
      if (!ok) return at(TokenKind::Integer) ? false : fail("a number of results from 1 to 65535");
      advance();
    }
    tree_.defs.push_back(def);
    ++op.defs.count;
  } while (accept(TokenKind::Comma));
  return expect(TokenKind::Equal, "`=` and an operation");
}

bool Parser::parseCount(uint32_t index, std::string_view digits, int64_t least, int64_t most, std::string_view expected,
                        int32_t& out) {
  int64_t value = 0;
  for (char c : digits) value = std::min<int64_t>(value * 10 + (c - '0'), most + 1);
  if (value < least || value > most) return failAt(index, expected);
  out = static_cast<int32_t>(value);
  return true;
}

// %name or %name#2, here
bool Parser::parseUse() {
  const uint32_t start = pos_;
  if (!at(TokenKind::ValueId)) return fail("`%` and a value name");
  Use use{.name = textOf(here()).substr(1)};
  advance();
  if (at(TokenKind::HashNumber) && touches(pos_)) {
    if (!parseCount(pos_, textOf(here()).substr(1), 0, kMaxResults - 1, "`#` and a result number below 65535",
                    use.number))
      return false;
    advance();
  }
  use.span = spanFrom(start);
  tree_.uses.push_back(use);
  return true;
}

bool Parser::parseSuccessors(OpNode& op) {
  op.successors.first = static_cast<uint32_t>(tree_.labels.size());
  if (!accept(TokenKind::LeftSquare)) return true;
  do {
    std::string_view label = textOf(here());
    if (!expect(TokenKind::CaretId, "`^` and a block label")) return false;
    tree_.labels.push_back(label.substr(1));
    ++op.successors.count;
  } while (accept(TokenKind::Comma));
  return expect(TokenKind::RightSquare, "`,` or `]`");
}

// Behind the name of `"d.op"(%a)[^bb1] <{..}> ({..}) {..} : (types) -> types loc(..)`.
bool Parser::parseGeneric(OpNode& op, uint32_t start) {
  op.form = OpForm::Generic;
  advance();  // the `(` was seen
  op.uses.first = static_cast<uint32_t>(tree_.uses.size());
  bool ok = true;
  if (!at(TokenKind::RightParen)) {
    do ok = parseUse();
    while (ok && accept(TokenKind::Comma));
    op.uses.count = static_cast<uint32_t>(tree_.uses.size()) - op.uses.first;
  }
  ok = ok && expect(TokenKind::RightParen, "`,` or `)`") && parseSuccessors(op);
  if (ok && at(TokenKind::LeftAngle) && nextIs(TokenKind::LeftBrace)) {
    advance();
    ok = parseDictionary(op.properties) && expect(TokenKind::RightAngle, "`>`");
  }
  bool regions = ok && at(TokenKind::LeftParen) && (nextIs(TokenKind::LeftBrace));
  if (regions) {
    const uint32_t paren = pos_;
    advance();
    OpNodeId id = addOp(op);
    finishOp(id, op, start, false);
    if (openRegion(id, start, paren, {})) return true;
    if (token(paren).match != kNoMatch) pos_ = token(paren).match;  // what is too deep is passed over
    tree_.ops[id].hasError = true;
    return false;
  }
  ok = ok && parseGenericTail(op);
  finishOp(addOp(op), op, start, !ok);
  return ok;
}

bool Parser::parseGenericTail(OpNode& op) {
  if (at(TokenKind::LeftBrace) && !parseDictionary(op.attrs)) return false;
  if (!expect(TokenKind::Colon, "`:` and the op's type")) return false;
  if (!expect(TokenKind::LeftParen, "`(` and the operand types")) return false;
  if (!parseTypeList(op.operandTypes, TokenKind::RightParen)) return false;
  if (!expect(TokenKind::Arrow, "`->`")) return false;
  return parseOutputTypes(op.resultTypes) && parseLocation(op.location);
}

bool Parser::parseLocation(AttrId& out) {
  if (!atWord("loc") || !nextIs(TokenKind::LeftParen)) return true;
  return parseAttr(out);
}

// At the `{` of a region of `op`.
bool Parser::openRegion(OpNodeId op, uint32_t start, uint32_t paren, std::vector<RegionId> regions) {
  if (!checkDepth(pos_, 1)) return false;
  RegionId region = tree_.regions.push({});
  Block entry;
  entry.args = tree_.ops[op].args;
  tree_.regions[region].blocks.push_back(tree_.blocks.push(std::move(entry)));
  regions.push_back(region);
  open_.push_back(
      {.op = op, .region = region, .brace = pos_, .paren = paren, .start = start, .regions = std::move(regions)});
  advance();
  return true;
}

// At the `}` of the innermost region: the rest of its op.
bool Parser::closeRegion() {
  OpenRegion closed = std::move(open_.back());
  open_.pop_back();
  advance();
  if (closed.pretty) return closePrettyRegion(std::move(closed));
  OpNode op = tree_.ops[closed.op];
  if (closed.paren != kNoMatch && at(TokenKind::Comma) && nextIs(TokenKind::LeftBrace)) {
    advance();
    return openRegion(closed.op, closed.start, closed.paren, std::move(closed.regions));
  }
  op.regions = {static_cast<uint32_t>(tree_.regionLists.size()), static_cast<uint32_t>(closed.regions.size())};
  tree_.regionLists.insert(tree_.regionLists.end(), closed.regions.begin(), closed.regions.end());
  bool ok = true;
  if (closed.paren != kNoMatch) ok = expect(TokenKind::RightParen, "`,` or `)`") && parseGenericTail(op);
  else ok = parseLocation(op.location);
  finishOp(closed.op, op, closed.start, !ok);
  return ok;
}

// After a mistake in the statement that began at `start`: to the next statement or the `}` of the region we are in.
void Parser::recover(uint32_t start) {
  if (pos_ == start) {
    if (at(TokenKind::RightBrace) && !open_.empty()) return;
    if (isOpening(here().kind) && here().match != kNoMatch) pos_ = here().match;
    advance();
  }
  uint32_t enclosing = kNoMatch;  // end of the outermost bracket of this statement that we are inside of
  for (uint32_t i = start; i < pos_ && enclosing == kNoMatch; ++i) {
    const Token& t = token(i);
    if (!isOpening(t.kind) || t.match == kNoMatch) continue;
    if (t.match >= pos_) enclosing = t.match;
    else i = t.match;
  }
  while (!at(TokenKind::End) && !startsStatement(pos_)) {
    if (pos_ == enclosing) {
      enclosing = kNoMatch;
    } else if (enclosing == kNoMatch) {
      if (at(TokenKind::RightBrace) && !open_.empty()) return;
      if (isOpening(here().kind) && here().match != kNoMatch) pos_ = here().match;
    }
    advance();
  }
}

}  // namespace tessera::text
