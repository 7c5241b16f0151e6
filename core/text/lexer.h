#pragma once
// Text to tokens, all at once, in one vector. A token is 16 bytes: its place, its kind and, for a bracket, its partner.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/support/source.h"
#include "core/text/error_list.h"
#include "core/text/syntax.h"

namespace tessera::text {

enum class TokenKind : uint8_t {
  End,
  ValueId,     // %0, %arg0, %a-b.c$
  CaretId,     // ^bb0
  SymbolId,    // @main, @"any text"
  HashId,      // #alias, #dialect.attr
  HashNumber,  // #1 of %0#1
  BangId,      // !alias, !dialect.type
  BareId,      // func.func, tensor, xf32
  Integer,     // 42
  Float,       // 1.5e-3
  Hex,         // 0xFF80; inside of tensor<...> a dimension list: 0xf32 has the dimension 0
  Word,        // any other word that starts with a digit: 32x1x2048xbf16
  String,      // with its quotes; without the closing one when the line ends first
  LeftParen,
  RightParen,
  LeftSquare,
  RightSquare,
  LeftBrace,
  RightBrace,
  LeftAngle,
  RightAngle,
  Comma,
  Colon,
  DoubleColon,
  Equal,
  Arrow,
  Question,
  Star,
  Minus,
  Ellipsis,      // .. or ...
  Other,         // + / | and comparisons: only occur in text that is kept raw
  FileMetadata,  // {-# ... #-}
};

inline constexpr uint32_t kNoMatch = UINT32_MAX;

struct Token {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t match = kNoMatch;  // brackets: index of the partner
  TokenKind kind = TokenKind::End;
  bool firstOnLine = false;
  uint16_t height = 0;  // opening bracket with a partner: levels of nesting up to there, itself included
};
static_assert(sizeof(Token) == 16);

struct TokenList {
  std::vector<Token> tokens;       // the last one is End
  std::vector<uint32_t> comments;  // where each comment begins, ascending
  std::vector<uint32_t> splits;    // where each `// -----` begins, ascending
};

// `part`: the bytes to read; places are those of the whole text.
TokenList lex(std::string_view text, const ParseLimits& limits, ErrorList& errors, Span part = {0, UINT32_MAX});

inline bool isOpening(TokenKind kind) {
  return kind == TokenKind::LeftParen || kind == TokenKind::LeftSquare || kind == TokenKind::LeftBrace ||
         kind == TokenKind::LeftAngle;
}
inline bool isBracket(TokenKind kind) {
  return isOpening(kind) || kind == TokenKind::RightParen || kind == TokenKind::RightSquare ||
         kind == TokenKind::RightBrace || kind == TokenKind::RightAngle;
}

}  // namespace tessera::text
