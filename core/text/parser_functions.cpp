// Functions and modules: the ops whose pretty form has a body.
#include "core/text/parser.h"

namespace tessera::text {

bool Parser::isModuleName(std::string_view name) {
  return name == "builtin.module" || name == "ttcore.device_module" || name == "ttcore.cpu_module" ||
         name == "tt.device_module" || name == "tt.cpu_module";
}

// Behind the name: [@sym] [attributes {..}] { region } [loc(..)]
bool Parser::parseModule(OpNode& op, uint32_t start) {
  op.form = OpForm::Module;
  bool ok = true;
  if (at(TokenKind::SymbolId)) {
    op.symbol = symbolName(textOf(here()));
    advance();
  }
  if (atWord("attributes")) {
    advance();
    ok = at(TokenKind::LeftBrace) ? parseDictionary(op.attrs) : fail("`{`");
  }
  ok = ok && (at(TokenKind::LeftBrace) || fail("`{` and the module's body"));
  OpNodeId id = addOp(op);
  finishOp(id, op, start, !ok);
  if (!ok && !seekBody(start)) return false;
  if (openRegion(id, start, kNoMatch, {})) return true;
  tree_.ops[id].hasError = true;
  return false;
}

// After a mistake in the head of a function or module: to the `{` of its body, so that the body is read all the same.
// That is a `{` behind which the line ends.
bool Parser::seekBody(uint32_t start) {
  for (uint32_t i = pos_; i < tokens_.size(); ++i) {
    const Token& t = token(i);
    if (i > start && startsStatement(i)) return false;
    if (t.kind != TokenKind::LeftBrace) continue;
    bool body = token(i + 1).firstOnLine || (token(i + 1).kind == TokenKind::RightBrace && token(i + 2).firstOnLine);
    if (body && token(i + 1).kind != TokenKind::End) {
      pos_ = i;
      return true;
    }
  }
  return false;
}

// A function inside of another one: the outer one was not closed. Functions and regions in between are given up.
void Parser::closeUnfinishedFunction() {
  if (open_.empty()) return;
  const OpenRegion& inner = open_.back();
  if (tree_.ops[inner.op].form != OpForm::Function) return;
  const Token& brace = token(inner.brace);
  errors_.add(DiagKind::UnterminatedBracket, {brace.begin, brace.end}, {"{"});
  OpenRegion closed = std::move(open_.back());
  open_.pop_back();
  OpNode op = tree_.ops[closed.op];
  op.regions = {static_cast<uint32_t>(tree_.regionLists.size()), 1};
  tree_.regionLists.push_back(closed.region);
  finishOp(closed.op, op, closed.start, true);
}

// Behind the name: [private] @sym(args) [-> results] [attributes {..}] [{ region }] [loc(..)]
bool Parser::parseFunction(OpNode& op, uint32_t start) {
  closeUnfinishedFunction();
  op.form = OpForm::Function;
  bool ok = parseFunctionHeader(op);
  if (ok && !at(TokenKind::LeftBrace)) ok = parseLocation(op.location);
  bool body = at(TokenKind::LeftBrace);
  OpNodeId id = addOp(op);
  finishOp(id, op, start, !ok);
  if (!ok) body = seekBody(start);
  if (!body) return ok;
  if (openRegion(id, start, kNoMatch, {})) return true;
  tree_.ops[id].hasError = true;
  return false;
}

bool Parser::parseFunctionHeader(OpNode& op) {
  if (atWord("private") || atWord("public") || atWord("nested")) {
    op.visibility = textOf(here());
    advance();
  }
  if (!at(TokenKind::SymbolId)) return fail("`@` and the function's name");
  op.symbol = symbolName(textOf(here()));
  advance();
  if (!expect(TokenKind::LeftParen, "`(` and the function's arguments")) return false;
  bool ok = parseArguments(op.args, TokenKind::RightParen);
  const size_t base = typeScratch_.size();
  for (uint32_t i = 0; i < op.args.count; ++i) typeScratch_.push_back(tree_.blockArgs[op.args.first + i].type);
  op.operandTypes = moveToTree(typeScratch_, base, tree_.typeLists);
  if (!ok) return false;
  if (accept(TokenKind::Arrow) && !parseFunctionResults(op)) return false;
  if (!atWord("attributes")) return true;
  advance();
  return at(TokenKind::LeftBrace) ? parseDictionary(op.attrs) : fail("`{`");
}

// `type` or `(type {attrs}, ...)`
bool Parser::parseFunctionResults(OpNode& op) {
  const size_t typeBase = typeScratch_.size();
  const size_t attrBase = attrScratch_.size();
  bool list = accept(TokenKind::LeftParen);
  bool ok = true;
  bool more = !list || !at(TokenKind::RightParen);
  while (ok && more) {
    TypeId type;
    AttrId attrs;
    ok = parseType(type) && (!list || !at(TokenKind::LeftBrace) || parseAttr(attrs));
    if (!ok) break;
    typeScratch_.push_back(type);
    attrScratch_.push_back(attrs);
    more = list && accept(TokenKind::Comma);
  }
  op.resultTypes = moveToTree(typeScratch_, typeBase, tree_.typeLists);
  op.resultAttrs = moveToTree(attrScratch_, attrBase, tree_.attrLists);
  return ok && (!list || expect(TokenKind::RightParen, "`,` or `)`"));
}

// Behind `(`, to behind `close`. What could be read is kept in `out`.
bool Parser::parseArguments(Range& out, TokenKind close) {
  out.first = static_cast<uint32_t>(tree_.blockArgs.size());
  if (accept(close)) return true;
  do {
    BlockArg argument;
    if (!parseArgument(argument)) return false;
    tree_.blockArgs.push_back(argument);
    ++out.count;
  } while (accept(TokenKind::Comma));
  return expect(close, "`,` or `)`");
}

// %arg0: type {attrs} loc(..), or type {attrs}
bool Parser::parseArgument(BlockArg& out) {
  const uint32_t start = pos_;
  if (at(TokenKind::ValueId)) {
    out.name = textOf(here()).substr(1);
    advance();
    if (!expect(TokenKind::Colon, "`:` and the argument's type")) return false;
  } else if (!startsType()) {
    return fail("`%` and an argument name, or a type");
  }
  if (!parseType(out.type)) return false;
  if (at(TokenKind::LeftBrace) && !parseDictionary(out.attrs)) return false;
  if (!parseLocation(out.location)) return false;
  out.span = out.name.empty() ? spanFrom(start) : Span{token(start).begin, token(start).end};
  return true;
}

}  // namespace tessera::text
