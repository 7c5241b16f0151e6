#pragma once
// SyntaxTree: what MLIR text says, before anyone asks what an op means. Flat: nodes live in vectors and refer to each
// other by id; lists are ranges. Strings are views into the source or into the tree's own string store, so a tree
// must not outlive its SourceBuffer. Knows no op: `module`, `func.func` and `return` only differ in their spelling.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/diagnostics.h"
#include "core/support/id.h"
#include "core/support/source.h"

namespace tessera::text {

using AttrId = Id<struct AttrTag>;
using TypeId = Id<struct TypeTag>;
using OpNodeId = Id<struct OpNodeTag>;
using BlockId = Id<struct BlockTag>;
using RegionId = Id<struct RegionTag>;

// `count` consecutive entries from `first` of the vector that the member's comment names.
struct Range {
  uint32_t first = 0;
  uint32_t count = 0;
};

enum class AttrKind {
  Unit,        // `unit`, or a dictionary entry without a value
  Bool,        // integer = 0 or 1
  Integer,     // integer; type = the `: i32` behind it, if any; text = the digits as written
  Float,       // number; text = the digits as written, never empty: they are what is printed
  String,      // text = contents without quotes, escapes resolved
  Array,       // items: elements
  Dictionary,  // entries
  DenseArray,  // array<i64: 1, 2>: type = element type, ints; for a float element type: items (Float)
  Dense,  // dense<...>, dense_resource<...>, sparse<...>: name = the word before <, text = body = the whole literal's
          // body (not expanded), type = `: tensor<...>`
  Type,   // a type used as an attribute: type
  AffineMap,  // (d0, d1)[s0] -> (...) or affine_map<...>: text = "(d0, d1) -> (d0, d1)" as written
  Symbol,     // @name, @a::@b: text = name without the first @; integer = 1 when it is a nested one
  Alias,      // #name: text = "name"
  Dialect,    // #dialect.name<body> or #dialect<name body>: text = whole text as written, name = "dialect.name" (of the
            // first form) or "dialect" (of the second), body = text between the outer angle brackets ("" when there are
            // none)
  Location,  // loc(...): text = what stands between the parentheses
  Opaque,    // anything balanced that none of the above describes: text as written
};
// "As written" always means: without comments.

struct Attr {
  AttrKind kind = AttrKind::Unit;
  Span span;
  std::string_view text;
  std::string_view name;
  std::string_view body;
  int64_t integer = 0;
  double number = 0;
  TypeId type;
  int32_t alias = -1;  // Alias: the entry of SyntaxTree::aliases it names; -1 when undefined or not looked up
  Range items;         // attrLists
  Range entries;       // namedAttrs
  Range ints;          // ints
};

struct NamedAttr {
  std::string_view name;  // without quotes
  AttrId value;
  Span span;  // of the name
};

enum class TypeKind {
  Scalar,    // bf16, f32, si32, i1, index, none: text
  Tensor,    // tensor<2x?x4xbf16, encoding>: dims (-1 = dynamic), element, encoding; tensor<*x...> is Opaque
  Function,  // (inputs) -> (outputs)
  Alias,     // !name: text = "name"
  Dialect,   // !dialect.name<body>: text, name and body as in AttrKind::Dialect
  Opaque,    // memref<...>, vector<...>, tuple<...>, ...: text as written
};

struct Type {
  TypeKind kind = TypeKind::Opaque;
  Span span;
  std::string_view text;  // the type as written; of a Tensor or Function with its comments, because these nest
  std::string_view name;
  std::string_view body;
  Range dims;  // ints
  TypeId element;
  AttrId encoding;     // invalid when there is none
  int32_t alias = -1;  // as in Attr
  Range inputs;        // typeLists
  Range outputs;       // typeLists
};

// %name, or %name#2 for the third of several results.
struct Use {
  std::string_view name;  // without %
  int32_t number = 0;
  Span span;
};

// %name, or %name:3 for three results.
struct Def {
  std::string_view name;
  int32_t count = 1;
  Span span;
};

// A block or function argument.
struct BlockArg {
  std::string_view name;  // "" in a declaration without names
  TypeId type;
  Range attrs;  // namedAttrs
  AttrId location;
  Span span;
};

// How an op was written; the printer keeps it.
enum class OpForm {
  Generic,   // "d.op"(%a) <{..}> ({regions}) {attrs} : (types) -> types
  Pretty,    // d.op %a, %b {attrs} : types -> types, also d.op(%a, %b) : ... and d.op @sym {..}
  Module,    // module / builtin.module / ttcore.device_module @sym attributes {..} { region }
  Function,  // func.func / func private @sym(args) -> (results) attributes {..} { region }
  Return,    // return / func.return %a : type
};

struct OpNode {
  OpForm form = OpForm::Generic;
  std::string_view name;    // full name: "ttir.add", "builtin.module", "func.func", "func.return"
  std::string_view symbol;  // without @; "" when there is none
  Span span;                // from the first result to the location
  Span nameSpan;
  Range defs;     // defs
  Range uses;     // uses
  Range symbols;  // attrLists: symbol operands of a pretty op, e.g. ttcore.load_cached(@f, [%a]); `symbol` is the first
  std::string_view
      head;  // pretty op: its operand part as written, e.g. `(@f, [%a])`; when empty, the printer lists the operands
  AttrId literal;  // pretty op: the literal of `arith.constant 1.0 : f32`; also in `properties` as `value`
  Range
      args;  // blockArgs: a function's arguments; those of its first block when it has a body. Of a pretty op with
             // regions: what it names for their first blocks, `reducer(%a: t, %b: t) {` or `while(%i = %0) : t cond {`
  Range successors;             // labels
  Range properties;             // namedAttrs: <{...}>
  Range attrs;                  // namedAttrs: {...} or `attributes {...}`
  Range regions;                // regionLists
  Range operandTypes;           // typeLists; the pretty form with one bare type leaves this empty
  Range resultTypes;            // typeLists; for a function: its result types
  Range resultAttrs;            // attrLists: one Dictionary (or invalid id) per function result
  std::string_view visibility;  // "private", "public" or ""
  std::string_view tail;        // raw text of a pretty op's part that fits no grammar (e.g. `ttcore.device @d = <...>`)
  Range tailAttrs;              // namedAttrs: the first dictionary in `tail` that no name stands in front of
  Range moreTails;  // labels: of a pretty op with regions, the raw text behind each (`tail` stands before the first)
  AttrId location;  // invalid when there is none
  bool hasError = false;  // a mistake was reported in it; what could be read before the mistake is there
};

struct Block {
  std::string_view label;  // "bb0" without ^; "" for an entry block without label
  Range args;              // blockArgs
  std::vector<OpNodeId> ops;
};

struct Region {
  std::vector<BlockId> blocks;  // a function's region: args of block 0 are the function's arguments
};

struct AliasDef {
  std::string_view name;  // without # or !
  bool isType = false;
  AttrId attr;
  TypeId type;
  Span span;
};

struct SyntaxTree {
  SyntaxTree() = default;
  SyntaxTree(SyntaxTree&&) = default;
  SyntaxTree& operator=(SyntaxTree&&) = default;
  SyntaxTree(const SyntaxTree&) = delete;  // the views into `strings` would keep pointing into the original
  SyntaxTree& operator=(const SyntaxTree&) = delete;

  IdVec<AttrId, Attr> attrs;
  IdVec<TypeId, Type> types;
  IdVec<OpNodeId, OpNode> ops;
  IdVec<BlockId, Block> blocks;
  IdVec<RegionId, Region> regions;

  std::vector<AttrId> attrLists;
  std::vector<NamedAttr> namedAttrs;
  std::vector<TypeId> typeLists;
  std::vector<RegionId> regionLists;
  std::vector<int64_t> ints;
  std::vector<Def> defs;
  std::vector<Use> uses;
  std::vector<BlockArg> blockArgs;
  std::vector<std::string_view> labels;  // without ^; also the texts of OpNode::moreTails

  std::vector<AliasDef> aliases;    // in source order
  std::vector<OpNodeId> topLevel;   // operations outside of any region
  std::string_view fileMetadata;    // `{-# ... #-}` as written, or ""
  std::deque<std::string> strings;  // owns texts that are not in the source as they are (unescaped strings)

  // Follows attribute aliases to what they stand for; an undefined or cyclic alias gives the id it got stuck at.
  AttrId resolve(AttrId id) const;
  TypeId resolve(TypeId id) const;
  // The definition of `#name` or `!name`, or nothing. Linear: for the aliases inside of raw text.
  const AliasDef* findAlias(std::string_view name, bool isType) const;
  // First entry of that name, or an invalid id.
  AttrId find(Range namedAttrRange, std::string_view name) const;
};

// Dims of one tensor type; real ones have up to eight.
inline constexpr uint32_t kMaxRank = 64;

// Limits on hostile input; each gives a diagnostic when reached.
struct ParseLimits {
  int maxDepth = 200;  // nesting of brackets, regions and attributes together
  size_t maxTokens = 20'000'000;
};

// Always returns a tree: what could be read. Mistakes are in `diags`; after one the parser goes on at the next
// operation.
SyntaxTree parseText(const SourceBuffer& source, Diagnostics& diags, const ParseLimits& limits = {});

// Canonical text of one operation with all that is nested in it: read and printed again it stays the same.
// Raw text (Dialect, Opaque, tails) keeps its spelling; only its white space is normalised.
std::string printOp(const SyntaxTree& tree, OpNodeId op, bool locations = false);
std::string printAttr(const SyntaxTree& tree, AttrId attr);
std::string printType(const SyntaxTree& tree, TypeId type);

}  // namespace tessera::text
