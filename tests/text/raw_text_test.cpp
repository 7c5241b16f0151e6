#include "core/text/raw_text.h"

#include <gtest/gtest.h>

namespace tessera::text {
namespace {

TEST(RawText, EscapesOfStringsAreBytes) {
  const std::pair<const char*, std::string> kCases[] = {
      {"plain", "plain"},          {R"(\\)", "\\"},           {R"(\")", "\""},
      {R"(\n\t)", "\n\t"},         {R"(\00)", {'\0'}},        {R"(\4a\6B)", "Jk"},
      {R"(\41\5a\7E)", "AZ~"},     {R"(\aA\fF)", "\xAA\xFF"}, {R"(\A0\F9)", "\xA0\xF9"},
      {R"(\0ag\9f)", "\x0Ag\x9F"},
  };
  for (const auto& [literal, bytes] : kCases) EXPECT_EQ(unescape(literal), bytes) << literal;
}

TEST(RawText, EveryByteSurvivesQuotes) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  std::string quoted;
  appendQuoted(quoted, all);
  ASSERT_GE(quoted.size(), 2u);
  EXPECT_EQ(quoted.front(), '"');
  EXPECT_EQ(quoted.back(), '"');
  EXPECT_EQ(unescape(std::string_view(quoted).substr(1, quoted.size() - 2)), all);
  for (char c : quoted) EXPECT_TRUE(c >= ' ' || static_cast<unsigned char>(c) >= 128) << int{c};
}

TEST(RawText, WhatIsWrittenInQuotes) {
  const std::pair<std::string, std::string> kCases[] = {
      {"a b", "\"a b\""}, {"a\"b", "\"a\\22b\""}, {"a\\b", "\"a\\\\b\""}, {"\n", "\"\\0A\""}, {"\x1F", "\"\\1F\""}};
  for (const auto& [text, quoted] : kCases) {
    std::string out = "=";
    appendQuoted(out, text);
    EXPECT_EQ(out, "=" + quoted);
  }
}

TEST(RawText, BareNamesBeginWithALetterAndHaveNoLooseDots) {
  for (const char* name : {"a", "_", "Z9", "a.b", "a$b", "ttnn.add_1", "a.b.c", "_0"})
    EXPECT_TRUE(isBareId(name)) << name;
  for (const char* name : {"", "0a", "$a", ".a", "a..b", "a.", "a-b", "a b", "\xC3\xA4"})
    EXPECT_FALSE(isBareId(name)) << name;
}

TEST(RawText, CommentsEndWithTheirLine) {
  const std::string_view text = "a // one\nb";
  EXPECT_EQ(commentEnd(text, 2), 8u);
  EXPECT_EQ(commentEnd("// all", 0), 6u);
  EXPECT_EQ(withoutComments("a // one\nb // two"), "a  \nb  ");
  EXPECT_EQ(withoutComments("\"// no\" // yes"), "\"// no\"  ");
}

TEST(RawText, CharactersAreNamed) {
  EXPECT_EQ(describeCharacter("a;", 1), "`;`");
  EXPECT_EQ(describeCharacter("\x07", 0), "U+0007");
  EXPECT_EQ(describeCharacter("\x1F", 0), "U+001F");
  EXPECT_EQ(describeCharacter("\xFF", 0), "0xFF (not UTF-8)");
  EXPECT_EQ(describeCharacter("\xC3\xA4", 0), "`\xC3\xA4`");
  EXPECT_EQ(describeCharacter("\xC3", 0), "0xC3 (not UTF-8)");
}

// RFC 3629: shortest forms only, no surrogates, nothing above U+10FFFF.
TEST(RawText, Utf8IsWellFormed) {
  const std::pair<const char*, size_t> kCases[] = {
      {"a", 1},
      {"\xC2\x80", 2},
      {"\xDF\xBF", 2},
      {"\xE0\xA0\x80", 3},
      {"\xED\x9F\xBF", 3},
      {"\xEE\x80\x80", 3},
      {"\xF0\x90\x80\x80", 4},
      {"\xF4\x8F\xBF\xBF", 4},
      {"\x80", 0},
      {"\xC1\xBF", 0},
      {"\xE0\x9F\xBF", 0},
      {"\xED\xA0\x80", 0},
      {"\xF0\x8F\xBF\xBF", 0},
      {"\xF4\x90\x80\x80", 0},
      {"\xF5\x80\x80\x80", 0},
      {"\xC2", 0},
      {"\xE0\xA0", 0},
      {"\xC2\x41", 0},
      {"\xE1\x80\xC0", 0},
  };
  for (const auto& [bytes, length] : kCases) {
    EXPECT_EQ(utf8Length(bytes, 0), length) << describeCharacter(bytes, 0);
    EXPECT_EQ(isValidUtf8(std::string("ab") + bytes + "c"), length > 0);
  }
}

// One blank or none, by what stands around it.
TEST(RawText, BlanksThatSeparateNothingGo) {
  const std::pair<const char*, const char*> kRows[] = {
      {"a , b", "a, b"}, {"( a )", "(a)"},      {"[ a ]", "[a]"},         {"< a >", "<a>"},
      {"a  b", "a b"},   {"a >= b", "a >= b"},  {"a > b", "a> b"},        {"< \"a b\" >", "<\"a b\">"},
      {"- >", "- >"},    {"a // x\n b", "a b"}, {"< - 1", "< - 1"},       {"  a  ", "a"},
      {"< # a", "<# a"}, {"( , )", "(,)"},      {"\" a \" ,", "\" a \","}};
  for (const auto& [text, normal] : kRows) {
    std::string out = "kept ";
    appendNormalized(out, text);
    EXPECT_EQ(out, "kept " + std::string(normal)) << text;
  }
}

}  // namespace
}  // namespace tessera::text
