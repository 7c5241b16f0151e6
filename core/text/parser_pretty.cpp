// Ops in a form of their own: `d.op %a, %b {attrs} : types -> types` and its many relatives. What fits none of the
// usual forms is kept raw, up to where the statement seems to end.
#include <algorithm>

#include "core/text/parser.h"

namespace tessera::text {

bool bareTypesAreResults(size_t types, size_t operands, size_t results) {
  if (results == 0) return false;
  if (types == 1) return true;
  return types == results && types != operands;
}

bool Parser::parsePretty(OpNode& op) {
  Checkpoint checkpoint = save();
  OpNode before = op;
  if (prettyGrammar(op) && atStatementEnd()) return true;
  restore(checkpoint);
  op = before;
  return prettyTail(op);
}

// Tokens that no statement starts with: a line that begins with one belongs to the line before.
bool Parser::isContinuation(TokenKind kind) {
  switch (kind) {
    case TokenKind::ValueId:
    case TokenKind::CaretId:
    case TokenKind::SymbolId:
    case TokenKind::HashId:
    case TokenKind::BangId:
    case TokenKind::BareId:
    case TokenKind::String:
    case TokenKind::RightBrace:
    case TokenKind::FileMetadata:
    case TokenKind::End: return false;
    default: return true;
  }
}

// A line that goes on with a word of the statement: `reducer(...) {`, `cond {`, `window = {...}`.
bool Parser::startsTailLine() const {
  if (!at(TokenKind::BareId) || !here().firstOnLine || isOpName(textOf(here()))) return false;
  return nextIs(TokenKind::LeftBrace) || nextIs(TokenKind::LeftParen) || nextIs(TokenKind::Equal);
}

bool Parser::atStatementEnd() const {
  if (startsTailLine()) return false;
  if (at(TokenKind::RightBrace) || startsStatement(pos_)) return true;
  return here().firstOnLine && !isContinuation(here().kind);
}

// Operands: values and symbols, separated by commas, grouped by ( and [. Ends behind the last place where all groups
// were closed and no comma was left open; reports nothing that the statement's reading does not report again.
void Parser::parseHead(OpNode& op, uint32_t& end) {
  const uint32_t start = pos_;
  const size_t scratch = attrScratch_.size();
  op.uses.first = static_cast<uint32_t>(tree_.uses.size());
  std::vector<TokenKind> groups;
  bool wantsItem = true;
  bool afterOpening = false;
  Checkpoint good = save();
  size_t goodSymbols = scratch;
  for (;;) {
    TokenKind kind = here().kind;
    bool item = kind == TokenKind::ValueId || kind == TokenKind::SymbolId;
    bool closing = kind == TokenKind::RightParen || kind == TokenKind::RightSquare;
    bool opening = kind == TokenKind::LeftParen || kind == TokenKind::LeftSquare;
    TokenKind before = pos_ > start ? token(pos_ - 1).kind : TokenKind::End;
    bool call = opening && touches(pos_) && (before == TokenKind::SymbolId || before == TokenKind::ValueId);
    bool opened = afterOpening;
    afterOpening = false;
    if (wantsItem && item) {
      bool isDefined = kind == TokenKind::ValueId && nextIs(TokenKind::Equal);  // `scf.for %i = ...`
      // Behind a lone `return` a new line is a new statement; `%0 = ttir.add` still waits for its operands.
      bool nextLine = here().firstOnLine && pos_ == start && op.defs.count == 0;
      if (isDefined || (groups.empty() && (startsStatement(pos_) || nextLine))) break;
      AttrId symbol;
      bool ok = kind == TokenKind::ValueId ? parseUse() : parseAttr(symbol);
      if (!ok) break;
      if (symbol.valid()) attrScratch_.push_back(symbol);
      wantsItem = false;
    } else if (opening && (wantsItem || call) && here().match != kNoMatch && checkDepth(pos_, groups.size() + 1)) {
      groups.push_back(kind);
      advance();
      wantsItem = true;
      afterOpening = true;
    } else if (closing && !groups.empty() && (opened || !wantsItem)) {
      groups.pop_back();
      advance();
      wantsItem = false;
    } else if (kind == TokenKind::Comma && !wantsItem) {
      advance();
      wantsItem = true;
    } else {
      break;
    }
    if (groups.empty() && !wantsItem) {
      good = save();
      goodSymbols = attrScratch_.size();
    }
  }
  restore(good);
  attrScratch_.resize(goodSymbols);
  end = pos_;
  op.uses.count = static_cast<uint32_t>(tree_.uses.size()) - op.uses.first;
  op.symbols = moveToTree(attrScratch_, scratch, tree_.attrLists);
  if (end > start) op.head = rawText(start, end - 1);
  if (op.symbols.count > 0 && token(start).kind == TokenKind::SymbolId)
    op.symbol = tree_.attrs[tree_.attrLists[op.symbols.first]].text;
}

bool Parser::startsLiteral() const {
  if (here().firstOnLine && !isContinuation(here().kind)) return false;
  switch (here().kind) {
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Hex:
    case TokenKind::Minus:
    case TokenKind::String:
    case TokenKind::HashId:
    case TokenKind::LeftSquare: return true;
    case TokenKind::BareId: {
      std::string_view word = textOf(here());
      return word == "true" || word == "false" || word == "unit" || word == "dense" || word == "dense_resource" ||
             word == "sparse" || word == "array";
    }
    default: return false;
  }
}

bool Parser::parseLiteral(OpNode& op) {
  const Token& first = here();
  if (!parseAttr(op.literal)) return false;
  const size_t base = namedScratch_.size();
  namedScratch_.push_back({"value", op.literal, {first.begin, first.end}});
  op.properties = moveToTree(namedScratch_, base, tree_.namedAttrs);
  TypeId type = tree_.attrs[op.literal].type;
  bool typed = type.valid() && tree_.attrs[op.literal].kind != AttrKind::Type &&
               tree_.attrs[op.literal].kind != AttrKind::DenseArray;
  if (!typed || at(TokenKind::Colon)) return true;
  if (op.defs.count > 0) {
    op.resultTypes = {static_cast<uint32_t>(tree_.typeLists.size()), 1};
    tree_.typeLists.push_back(type);
  }
  return true;
}

bool Parser::prettyGrammar(OpNode& op) {
  // `return {attributes} %a : type`
  if (op.form == OpForm::Return && at(TokenKind::LeftBrace) && !parseDictionary(op.attrs)) return false;
  uint32_t headEnd = pos_;
  parseHead(op, headEnd);
  if (atStatementEnd()) return true;
  if (at(TokenKind::LeftAngle) && nextIs(TokenKind::LeftBrace)) {
    advance();
    if (!parseDictionary(op.properties) || !expect(TokenKind::RightAngle, "`>`")) return false;
  }
  if (op.attrs.count == 0 && at(TokenKind::LeftBrace) && !parseDictionary(op.attrs)) return false;
  bool literalFits = op.head.empty() && op.properties.count == 0;
  if (literalFits && startsLiteral() && !parseLiteral(op)) return false;
  if (at(TokenKind::Colon)) {
    // A typed literal has said the type already.
    bool typed = op.literal.valid() && tree_.attrs[op.literal].type.valid() &&
                 tree_.attrs[op.literal].kind != AttrKind::DenseArray;
    if (typed) return false;
    advance();
    if (!parseSignature(op)) return false;
  }
  return parseLocation(op.location);
}

// Behind the `:` of a pretty op.
bool Parser::parseSignature(OpNode& op) {
  const size_t base = typeScratch_.size();
  if (accept(TokenKind::LeftParen)) {
    if (!parseTypeList(op.operandTypes, TokenKind::RightParen)) return false;
    if (!expect(TokenKind::Arrow, "`->`")) return false;
    return parseOutputTypes(op.resultTypes);
  }
  TypeId type;
  do {
    if (!parseType(type)) {
      typeScratch_.resize(base);
      return false;
    }
    typeScratch_.push_back(type);
  } while (accept(TokenKind::Comma));
  Range types = moveToTree(typeScratch_, base, tree_.typeLists);
  if (accept(TokenKind::Arrow)) {
    op.operandTypes = types;
    return parseOutputTypes(op.resultTypes);
  }
  size_t results = 0;
  for (uint32_t i = 0; i < op.defs.count; ++i) results += static_cast<size_t>(tree_.defs[op.defs.first + i].count);
  (bareTypesAreResults(types.count, op.uses.count, results) ? op.resultTypes : op.operandTypes) = types;
  return true;
}

// Types up to behind `close`; the opening bracket was read.
bool Parser::parseTypeList(Range& out, TokenKind close) {
  const size_t base = typeScratch_.size();
  bool ok = true;
  if (!at(close)) {
    do {
      TypeId type;
      ok = parseType(type);
      if (ok) typeScratch_.push_back(type);
    } while (ok && accept(TokenKind::Comma));
  }
  out = moveToTree(typeScratch_, base, tree_.typeLists);
  return ok && expect(close, "`,` or `)`");
}

// `type` or `(types)`
bool Parser::parseOutputTypes(Range& out) {
  if (accept(TokenKind::LeftParen)) return parseTypeList(out, TokenKind::RightParen);
  TypeId type;
  if (!parseType(type)) return false;
  out = {static_cast<uint32_t>(tree_.typeLists.size()), 1};
  tree_.typeLists.push_back(type);
  return true;
}

// The values that a raw tail uses: all but those inside of braces and those it defines. They follow the head's in
// op.uses.
void Parser::tailUses(OpNode& op, uint32_t begin, uint32_t end) {
  const uint32_t back = pos_;
  for (uint32_t i = begin; i < end; ++i) {
    const Token& t = token(i);
    if (t.kind == TokenKind::LeftBrace && t.match != kNoMatch) i = t.match;
    bool use = t.kind == TokenKind::ValueId && token(i + 1).kind != TokenKind::Equal;
    if (!use) continue;
    pos_ = i;
    if (parseUse()) ++op.uses.count;
  }
  pos_ = back;
}

// Types behind the last `:` of the tail that stands outside of all brackets, when there are any.
void Parser::tailTypes(OpNode& op, uint32_t begin, uint32_t end) {
  uint32_t colon = kNoMatch;
  for (uint32_t i = begin; i < end; ++i) {
    const Token& t = token(i);
    if (isOpening(t.kind) && t.match != kNoMatch) i = t.match;
    else if (t.kind == TokenKind::Colon) colon = i;
  }
  if (colon == kNoMatch) return;
  Checkpoint checkpoint = save();
  OpNode before = op;
  pos_ = colon + 1;
  bool ok = parseSignature(op) && pos_ <= end;
  if (ok) {
    pos_ = checkpoint.pos;
    return;
  }
  restore(checkpoint);
  op = before;
}

// A `{` in front of statements, not of a dictionary.
bool Parser::atTailRegion(uint32_t index) const {
  const Token& brace = token(index);
  return brace.kind == TokenKind::LeftBrace && brace.match != kNoMatch && startsStatement(index + 1) &&
         token(index + 1).kind != TokenKind::End;
}

// `(%a: t, %b: t)` in front of a region whose first block has no label; there may be several groups.
bool Parser::atRegionArguments() const {
  uint32_t i = pos_;
  while (token(i).kind == TokenKind::LeftParen && token(i).match != kNoMatch &&
         token(i + 1).kind == TokenKind::ValueId && token(i + 2).kind == TokenKind::Colon)
    i = token(i).match + 1;
  return i > pos_ && atTailRegion(i) && token(i + 1).kind != TokenKind::CaretId;
}

bool Parser::regionArguments(OpNode& op) {
  const auto first = static_cast<uint32_t>(tree_.blockArgs.size());
  while (!at(TokenKind::LeftBrace)) {
    Range group;
    advance();
    if (!parseArguments(group, TokenKind::RightParen)) return false;
  }
  op.args = {first, static_cast<uint32_t>(tree_.blockArgs.size()) - first};
  return true;
}

// `(%i = %0, %x = %1) : t, u`: names of the regions' arguments, whose types are those of the tail.
void Parser::namedByTail(OpNode& op, uint32_t begin, uint32_t end) {
  if (op.args.count > 0) return;
  Range types = op.resultTypes.count > 0 ? op.resultTypes : op.operandTypes;
  const auto first = static_cast<uint32_t>(tree_.blockArgs.size());
  for (uint32_t i = begin; i < end; ++i) {
    if (token(i).kind != TokenKind::ValueId || token(i + 1).kind != TokenKind::Equal) continue;
    BlockArg arg;
    arg.name = textOf(token(i)).substr(1);
    arg.span = {token(i).begin, token(i).end};
    if (op.args.count < types.count) arg.type = tree_.typeLists[types.first + op.args.count];
    tree_.blockArgs.push_back(arg);
    op.args = {first, op.args.count + 1};
  }
}

// At a `{` of the tail that is no region: a dictionary of attributes unless a name stands in front.
void Parser::tailDictionary(OpNode& op) {
  if (op.tailAttrs.count > 0 || token(pos_ - 1).kind == TokenKind::Equal) return;
  Checkpoint checkpoint = save();
  Range attrs;
  if (parseDictionary(attrs)) op.tailAttrs = attrs;
  else restore(checkpoint);
  pos_ = checkpoint.pos;
}

// Everything to the end of the statement, or to the `{` of a region.
bool Parser::scanTail(OpNode& op, TailPart part, std::string_view& text) {
  const uint32_t first = pos_;
  uint32_t location = kNoMatch, end = kNoMatch;
  while (!atStatementEnd()) {
    if (atTailRegion(pos_)) break;
    bool arguments = atRegionArguments();
    if (arguments) {
      end = pos_;
      if (!regionArguments(op)) return false;
      break;
    }
    bool isLocation = atWord("loc") && nextIs(TokenKind::LeftParen);
    location = isLocation ? pos_ : kNoMatch;
    if (isLocation) advance();
    if (at(TokenKind::LeftBrace)) tailDictionary(op);
    if (at(TokenKind::RightParen) || at(TokenKind::RightSquare)) return fail("the end of the op");
    if (!isOpening(here().kind)) advance();
    else if (!skipGroup()) return false;
  }
  const uint32_t stop = pos_;
  if (end == kNoMatch) end = stop;
  if (location != kNoMatch) {
    pos_ = location;
    if (!parseLocation(op.location)) return false;
    end = location;
    pos_ = stop;
  }
  if (end == first && stop == first) return true;
  const uint32_t textEnd = location != kNoMatch ? location : stop;
  if (textEnd > first) text = rawText(first, textEnd - 1);
  bool typed = op.operandTypes.count + op.resultTypes.count > 0;
  if (part == TailPart::First) tailUses(op, first, end);
  if (!typed) tailTypes(op, first, end);
  if (atTailRegion(pos_)) namedByTail(op, first, end);
  return true;
}

// A definition that says who sees it: `util.global private mutable @x = ...`.
bool Parser::atSymbolDefinition() const {
  if (!atWord("private") && !atWord("public") && !atWord("nested")) return false;
  uint32_t i = pos_;
  while (token(i).kind == TokenKind::BareId && !token(i + 1).firstOnLine) ++i;
  return token(i).kind == TokenKind::SymbolId;
}

// The operands that can be read, then everything to the end of the statement as `tail`.
bool Parser::prettyTail(OpNode& op) {
  uint32_t begin = pos_;
  parseHead(op, begin);
  bool readable = op.defs.count + op.uses.count + op.symbols.count > 0 || at(TokenKind::LeftBrace) ||
                  at(TokenKind::LeftParen) || at(TokenKind::LeftAngle) || at(TokenKind::CaretId) ||
                  atSymbolDefinition();
  const uint32_t first = pos_;
  if (!scanTail(op, TailPart::First, op.tail)) return false;
  if (readable) return true;
  pos_ = first;
  return fail("operands, attributes or a type");
}

// At the `{` of a region in a tail; `outer` holds what came before of the same op.
bool Parser::openPrettyRegion(OpNodeId id, uint32_t start, OpenRegion outer) {
  if (!openRegion(id, start, kNoMatch, std::move(outer.regions))) {
    tree_.ops[id].hasError = true;
    return false;
  }
  open_.back().pretty = true;
  open_.back().tails = std::move(outer.tails);
  return true;
}

// Behind the `}` of a region in a tail: the next region, or the end of the op.
bool Parser::closePrettyRegion(OpenRegion closed) {
  OpNode op = tree_.ops[closed.op];
  std::string_view text;
  bool ok = scanTail(op, TailPart::Further, text);
  closed.tails.push_back(text);
  finishOp(closed.op, op, closed.start, !ok);
  const OpNodeId id = closed.op;
  const uint32_t start = closed.start;
  if (ok && atTailRegion(pos_)) return openPrettyRegion(id, start, std::move(closed));
  op.regions = {static_cast<uint32_t>(tree_.regionLists.size()), static_cast<uint32_t>(closed.regions.size())};
  op.moreTails = {static_cast<uint32_t>(tree_.labels.size()), static_cast<uint32_t>(closed.tails.size())};
  tree_.labels.insert(tree_.labels.end(), closed.tails.begin(), closed.tails.end());
  tree_.regionLists.insert(tree_.regionLists.end(), closed.regions.begin(), closed.regions.end());
  finishOp(closed.op, op, closed.start, !ok);
  return ok;
}

}  // namespace tessera::text
