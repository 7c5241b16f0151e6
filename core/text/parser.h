#pragma once
// The parser's state. Nothing in it recurses: values (attributes and types) nest on `frames_`, regions on `open_`.
// Functions that return bool return false after they reported a mistake; the statement is then given up and the parser
// goes on at the next one (recover).

#include <string>
#include <string_view>
#include <vector>

#include "core/text/error_list.h"
#include "core/text/lexer.h"
#include "core/text/syntax.h"

namespace tessera::text {

// Types behind a `:` without parentheses or arrow, `op %a, %b : t, t`: are they the results' types or the operands'?
bool bareTypesAreResults(size_t types, size_t operands, size_t results);

// Whether a word without quotes can name an op: it has a dialect, or is one of those that go without.
bool isOpName(std::string_view word);

class Parser {
 public:
  Parser(const SourceBuffer& source, const ParseLimits& limits, const TokenList& list, ErrorList& errors)
      : text_(source.text()), limits_(limits), list_(list), tokens_(list.tokens), errors_(errors) {}
  SyntaxTree run();

 private:
  // A value that waits for another one inside of it.
  enum class FrameKind {
    Array,
    Dictionary,
    LiteralType,
    TypeAttr,
    TensorElement,
    TensorEncoding,
    FunctionInputs,
    FunctionOutputs,
    FunctionSingleOutput,
  };
  struct Frame {
    FrameKind kind;
    size_t scratchBase = 0;
    std::string_view key;
    Span keySpan;
    Attr attr;
    Type type;
  };
  enum class Need { Attr, Type, Nothing };  // Nothing: a value is complete, see valueAttr_ and valueType_

  // An op whose region is being read.
  struct OpenRegion {
    OpNodeId op;
    RegionId region;
    uint32_t brace;                       // token
    uint32_t paren;                       // token of the `(` around the regions of a generic op, else kNoMatch
    uint32_t start;                       // first token of the op
    std::vector<RegionId> regions;        // of this op, complete ones and the open one
    bool pretty = false;                  // stands in the tail of a pretty op
    std::vector<std::string_view> tails;  // then: the raw text behind each complete region
  };

  struct Checkpoint {
    uint32_t pos;
    size_t errors, attrs, types, attrLists, namedAttrs, typeLists, ints, uses, strings;
    bool tooDeepReported;
  };

  // tokens (parser.cpp)
  const Token& token(uint32_t i) const { return tokens_[i < tokens_.size() ? i : tokens_.size() - 1]; }
  const Token& here() const { return tokens_[pos_]; }
  bool at(TokenKind kind) const { return here().kind == kind; }
  bool nextIs(TokenKind kind) const { return token(pos_ + 1).kind == kind; }
  bool atWord(std::string_view word) const { return at(TokenKind::BareId) && textOf(here()) == word; }
  std::string_view textOf(const Token& t) const { return text_.substr(t.begin, t.end - t.begin); }
  void advance() {
    if (pos_ + 1 < tokens_.size()) ++pos_;
  }
  bool accept(TokenKind kind);
  bool expect(TokenKind kind, std::string_view expected);
  bool fail(std::string_view expected);
  bool failAt(uint32_t index, std::string_view expected);
  bool touches(uint32_t index) const { return index > 0 && token(index).begin == token(index - 1).end; }
  Span spanFrom(uint32_t first) const;                       // from that token to the last one read
  std::string_view cleanText(uint32_t begin, uint32_t end);  // bytes as written, without comments
  std::string_view rawText(uint32_t first, uint32_t last) { return cleanText(token(first).begin, token(last).end); }
  std::string_view store(std::string text);
  std::string_view stringContents(std::string_view literal);
  std::string_view symbolName(std::string_view token);
  bool skipGroup();  // over the bracket here and all it holds, in which `(`, `[` and `{` are closed and close
  bool checkDepth(uint32_t index, size_t inner);
  Checkpoint save() const;
  void restore(const Checkpoint& checkpoint);

  // statements (parser_statements.cpp)
  bool startsStatement(uint32_t index) const;
  bool startsDefinition(uint32_t index) const;
  bool startsNamedOp(uint32_t index) const;
  static bool isContinuation(TokenKind kind);
  bool parseStatement();
  void belongsToFile(uint32_t index);
  bool parseAlias();
  bool addAlias(AliasDef alias, uint32_t start);
  bool parseLabel();
  bool parseOp();
  bool parseDefs(OpNode& op);
  bool parseGeneric(OpNode& op, uint32_t start);
  bool parseGenericTail(OpNode& op);
  bool parseSuccessors(OpNode& op);
  bool parseUse();
  bool parseCount(uint32_t index, std::string_view digits, int64_t least, int64_t most, std::string_view expected,
                  int32_t& out);
  bool parseLocation(AttrId& out);
  OpNodeId addOp(OpNode op);
  void finishOp(OpNodeId id, OpNode op, uint32_t start, bool failed);
  bool openRegion(OpNodeId op, uint32_t start, uint32_t paren, std::vector<RegionId> regions);
  bool closeRegion();
  BlockId currentBlock() const;
  void recover(uint32_t start);

  // functions and modules (parser_functions.cpp)
  static bool isModuleName(std::string_view name);
  bool parseModule(OpNode& op, uint32_t start);
  bool parseFunction(OpNode& op, uint32_t start);
  bool parseFunctionHeader(OpNode& op);
  bool parseFunctionResults(OpNode& op);
  bool parseArguments(Range& out, TokenKind close);
  bool parseArgument(BlockArg& out);
  bool seekBody(uint32_t start);
  void closeUnfinishedFunction();

  // pretty ops (parser_pretty.cpp)
  bool parsePretty(OpNode& op);
  bool atSymbolDefinition() const;
  bool prettyGrammar(OpNode& op);
  bool startsLiteral() const;
  bool parseLiteral(OpNode& op);
  void parseHead(OpNode& op, uint32_t& end);
  void tailUses(OpNode& op, uint32_t begin, uint32_t end);
  bool prettyTail(OpNode& op);
  enum class TailPart { First, Further };
  bool scanTail(OpNode& op, TailPart part, std::string_view& text);
  bool startsTailLine() const;
  bool atTailRegion(uint32_t index) const;
  bool atRegionArguments() const;
  bool regionArguments(OpNode& op);
  void namedByTail(OpNode& op, uint32_t begin, uint32_t end);
  void tailDictionary(OpNode& op);
  bool openPrettyRegion(OpNodeId id, uint32_t start, OpenRegion outer);
  bool closePrettyRegion(OpenRegion closed);
  void tailTypes(OpNode& op, uint32_t begin, uint32_t end);
  bool parseSignature(OpNode& op);
  bool parseTypeList(Range& out, TokenKind close);
  bool parseOutputTypes(Range& out);
  bool atStatementEnd() const;

  // attributes (parser_values.cpp)
  bool parseAttr(AttrId& out);
  bool parseType(TypeId& out);
  bool parseValue(Need need);
  bool parseDictionary(Range& out);
  bool startAttr();
  bool startWordAttr();
  bool startNumber();
  bool startKeyed(Frame& frame);
  bool startParenAttr();
  bool readDenseArray();
  bool readRaw(AttrKind kind, std::string_view prefix);
  bool readDialect();
  bool readSymbol();
  bool resume();
  bool resumeList(Frame frame);
  bool finishLiteral(Attr& attr);
  bool readNumber(std::string_view digits, TokenKind kind, bool negative, Attr& attr);
  void doneAttr(Attr attr);
  void doneType(Type type);
  bool push(Frame frame, Need need);

  // types (parser_types.cpp)
  bool startsType() const;
  bool startType();
  bool startTensor();
  bool readDimensions(Type& type, bool& elementFollows);
  bool readElementWord(Type& type, uint32_t first, uint32_t p, uint32_t end);
  bool tensorElement(Frame frame);
  bool finishTensor(Frame frame);
  bool startFunctionType();
  bool functionArrow(Frame frame);
  bool functionOutputs(Frame frame);
  bool resumeType(Frame frame);

  // aliases (aliases.cpp)
  void resolveAliases();
  void checkCycles();

  std::string_view text_;
  const ParseLimits& limits_;
  const TokenList& list_;
  const std::vector<Token>& tokens_;
  ErrorList& errors_;
  uint32_t pos_ = 0;
  SyntaxTree tree_;
  std::vector<Frame> frames_;
  Need need_ = Need::Nothing;
  AttrId valueAttr_;
  TypeId valueType_;
  std::vector<OpenRegion> open_;
  bool tooDeepReported_ = false;

  // Lists under construction; a list is moved to the tree when it is complete, so that its entries are consecutive.
  std::vector<AttrId> attrScratch_;
  std::vector<NamedAttr> namedScratch_;
  std::vector<TypeId> typeScratch_;

  // For every alias definition: its tokens, to find out what it is defined by.
  struct AliasTokens {
    uint32_t first, end;
  };
  std::vector<AliasTokens> aliasTokens_;
};

// Moves the entries from `base` on to the end of `list`.
template <class T>
Range moveToTree(std::vector<T>& scratch, size_t base, std::vector<T>& list) {
  Range range{static_cast<uint32_t>(list.size()), static_cast<uint32_t>(scratch.size() - base)};
  list.insert(list.end(), scratch.begin() + static_cast<std::ptrdiff_t>(base), scratch.end());
  scratch.resize(base);
  return range;
}

}  // namespace tessera::text
