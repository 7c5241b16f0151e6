#include "core/text/lexer.h"

#include "core/text/surroundings.h"
#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

// The tokens of `text`, separated by blanks.
std::string tokensOf(std::string_view text) {
  ErrorList errors;
  ParseLimits limits;
  TokenList list = lex(text, limits, errors);
  std::string out;
  for (const Token& token : list.tokens) {
    if (token.kind == TokenKind::End) break;
    if (!out.empty()) out += ' ';
    out += text.substr(token.begin, token.end - token.begin);
  }
  return out;
}

TokenKind kindOf(std::string_view text) {
  ErrorList errors;
  ParseLimits limits;
  TokenList list = lex(text, limits, errors);
  EXPECT_EQ(list.tokens.size(), 2u) << text;
  return list.tokens[0].kind;
}

TEST(Lexer, SplitsIdsAndPunctuation) {
  EXPECT_EQ(tokensOf("%0->%arg0#1,%a-b.c$:3"), "%0 -> %arg0 #1 , %a-b.c$ : 3");
  EXPECT_EQ(tokensOf("<{a=1}>"), "< { a = 1 } >");
  EXPECT_EQ(tokensOf("@a::@\"b c\"(x)->y"), "@a :: @\"b c\" ( x ) -> y");
  EXPECT_EQ(tokensOf("1..2 ... ^bb0:"), "1 .. 2 ... ^bb0 :");
  EXPECT_EQ(tokensOf("func.func@f"), "func.func @f");
  EXPECT_EQ(tokensOf("d0-1 -1.5e-3"), "d0 - 1 - 1.5e-3");
  EXPECT_EQ(tokensOf("1e+x 2.5e- 3e4+"), "1e + x 2.5e - 3e4 +") << "an exponent has digits";
}

TEST(Lexer, KnowsTheKindOfWordsAndNumbers) {
  EXPECT_EQ(kindOf("42"), TokenKind::Integer);
  EXPECT_EQ(kindOf("1.5e-3"), TokenKind::Float);
  EXPECT_EQ(kindOf("9.99999974E-6"), TokenKind::Float);
  EXPECT_EQ(kindOf("1e"), TokenKind::Word);
  EXPECT_EQ(kindOf("1.5e"), TokenKind::Word);
  EXPECT_EQ(kindOf("0xFF80"), TokenKind::Hex);
  EXPECT_EQ(kindOf("0xff8a"), TokenKind::Hex);
  EXPECT_EQ(kindOf("0xfg"), TokenKind::Word);
  EXPECT_EQ(kindOf("0x12xf32"), TokenKind::Word);
  EXPECT_EQ(kindOf("32x1x2048xbf16"), TokenKind::Word);
  EXPECT_EQ(kindOf("#loc12"), TokenKind::HashId);
  EXPECT_EQ(kindOf("#12"), TokenKind::HashNumber);
  EXPECT_EQ(kindOf("!ttcore.tile"), TokenKind::BangId);
  EXPECT_EQ(kindOf("\"a \\\" b\""), TokenKind::String);
  EXPECT_EQ(kindOf("{-# a #-}"), TokenKind::FileMetadata);
}

TEST(Lexer, SkipsCommentsMarksAndLineEnds) {
  EXPECT_EQ(tokensOf("\xEF\xBB\xBF// RUN: x\r\na // b\r\n\"// c\""), "a \"// c\"");
}

// A byte order mark in front of words that are skipped; the part behind them is read from where it begins.
TEST(Lexer, AByteOrderMarkHidesNoWordsInFrontOfAModule) {
  const std::string mark = "\xEF\xBB\xBF", words = "[info] a\n", module = "module {\n}\n";
  const auto part = [](const std::string& text) {
    const Span span = findModuleText(text);
    return text.substr(span.begin, span.end - span.begin);
  };
  EXPECT_EQ(part(words + module + words), module);
  EXPECT_EQ(part(mark + words + module + words), module);
  EXPECT_EQ(part(mark + module + words), mark + module);
  EXPECT_EQ(part(mark + module), mark + module);
  EXPECT_EQ(part(mark), mark);
  const std::string text = mark + words + module;
  ErrorList errors;
  ParseLimits limits;
  const TokenList list = lex(text, limits, errors, {static_cast<uint32_t>((mark + words).size()), UINT32_MAX});
  ASSERT_EQ(list.tokens.size(), 4u);
  EXPECT_EQ(list.tokens[0].begin, (mark + words).size());
}

// The first words of a module, behind those of a logger.
TEST(Lexer, ModulesBeginWithOneOfTheirWords) {
  for (const std::string first : {"module {", "module @a {", "builtin.module {", "ttcore.device_module {",
                                  "tt.device_module {", "func.func @a() {", "func @a() {", "\"a.b\"() : () -> ()",
                                  "%0 = a.b", "#a = #b", "!a = i32", "// a", "{-# a #-}"}) {
    const std::string words = "[info] a\n", text = words + first + "\n}\n";
    EXPECT_EQ(findModuleText(text).begin, words.size()) << first;
  }
  for (const std::string other : {"modules {", "func_a {", "device_module {", "#a", "!a b", "#1 = 2", "a = b"}) {
    const std::string text = "[info] a\n" + other + "\n";
    EXPECT_EQ(findModuleText(text).begin, 0u) << other;
  }
}

// What stands between a logger's first line and the module is the logger's, too.
TEST(Lexer, ProseBehindALoggersLineIsSkipped) {
  const std::string words = "[info] a\n", prose = "compiled in\n  3 seconds\n", module = "module {\n}\n";
  EXPECT_EQ(findModuleText(words + prose + module).begin, (words + prose).size());
  EXPECT_EQ(findModuleText(prose + words + module).begin, 0u);
}

TEST(Lexer, FindsPartnersOfBrackets) {
  ErrorList errors;
  ParseLimits limits;
  TokenList list = lex("( [ < ) > ]", limits, errors);
  EXPECT_EQ(list.tokens[0].match, 3u);
  EXPECT_EQ(list.tokens[3].match, 0u);
  EXPECT_EQ(list.tokens[1].match, kNoMatch) << "a closing bracket leaves the open ones inside of it alone";
  EXPECT_EQ(list.tokens[5].match, kNoMatch);
  EXPECT_EQ(lex("([<>])", limits, errors).tokens[0].height, 3);
  EXPECT_EQ(lex("([<>] {} ())", limits, errors).tokens[0].height, 3) << "of the deepest, not of the last";
  EXPECT_EQ(lex("(() [<>])", limits, errors).tokens[0].height, 3);
}

TEST(Lexer, ReportsOneMistakePerRunOfJunk) {
  EXPECT_EQ(parse(std::string("\0\0\x01\xFF\xFE;;`", 8)).errors(), "1:1: unexpected character U+0000\n");
  EXPECT_EQ(parse(";; ~~").errors(), "1:1: unexpected character `;`\n1:4: unexpected character `~`\n");
  EXPECT_EQ(parse("\xFF").errors(), "1:1: unexpected character 0xFF (not UTF-8)\n");
  EXPECT_EQ(parse("\xC3\xA9").errors(), "1:1: unexpected character `\xC3\xA9`\n");
}

TEST(Lexer, StopsAtTheTokenLimit) {
  Parsed parsed = parse("#a = [1, 1, 1, 1, 1, 1, 1, 1]", {.maxTokens = 6});
  EXPECT_EQ(parsed.errors(),
            "1:11: the file has more than 6 tokens; the rest is not read\n1:11: unexpected end of input, expected `,` "
            "or `]`\n");
}

TEST(Lexer, AllocatesPerFileNotPerToken) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "%a = ";
  ErrorList errors;
  ParseLimits limits;
  TokenList list = lex(text, limits, errors);
  EXPECT_EQ(list.tokens.size(), 2001u);
  EXPECT_LE(list.tokens.capacity(), 4 * list.tokens.size());
}

}  // namespace
}  // namespace tessera::text
