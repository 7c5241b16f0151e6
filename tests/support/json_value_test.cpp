#include "core/support/json_value.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera {
namespace {

// A parsed text together with what was said about it.
struct Parsed {
  explicit Parsed(std::string text) : source("t.json", std::move(text)), document(JsonDocument::parse(source, diags)) {}
  SourceBuffer source;
  Diagnostics diags;
  JsonDocument document;
  JsonValue root() const { return document.root(); }
};

TEST(JsonDocument, ReadsEveryKind) {
  Parsed p(R"({"n":null,"b":true,"i":-3,"d":2.5,"s":"a\u00fc\n","a":[1,[2]],"o":{"x":0}})");
  ASSERT_FALSE(p.diags.hasErrors());
  JsonValue root = p.root();
  ASSERT_TRUE(root.isObject());
  EXPECT_EQ(root.size(), 7u);
  EXPECT_EQ(root.get("n").kind(), JsonKind::Null);
  EXPECT_TRUE(root.get("n").present());
  EXPECT_EQ(root.get("b").asBool(), true);
  EXPECT_EQ(root.get("i").asInteger(), -3);
  EXPECT_EQ(root.get("d").asNumber(), 2.5);
  EXPECT_EQ(root.get("s").asString(), "a\xC3\xBC\n");
  EXPECT_EQ(root.get("a").at(1).at(0).asInteger(), 2);
  EXPECT_EQ(root.get("o").get("x").asInteger(), 0);
}

TEST(JsonDocument, MembersKeepTheirOrder) {
  Parsed p(R"({"z":1,"a":2,"m":3})");
  EXPECT_EQ(p.root().keyAt(0), "z");
  EXPECT_EQ(p.root().keyAt(1), "a");
  EXPECT_EQ(p.root().keyAt(2), "m");
  EXPECT_EQ(p.root().keyAt(3), "");
  EXPECT_EQ(p.root().at(2).asInteger(), 3);
}

TEST(JsonDocument, TheLastOfTwoEqualNamesWins) {
  Parsed p(R"({"a":1,"a":{"deep":[0]},"a":3})");
  EXPECT_EQ(p.root().size(), 3u);
  EXPECT_EQ(p.root().get("a").asInteger(), 3);
}

TEST(JsonDocument, NamesAfterANestedContainerBelongToTheOuterObject) {
  Parsed p(R"({"a":{"x":1},"b":[{"y":2}],"c":4})");
  EXPECT_EQ(p.root().get("b").at(0).get("y").asInteger(), 2);
  EXPECT_EQ(p.root().get("c").asInteger(), 4);
  EXPECT_FALSE(p.root().get("x").present());
}

TEST(JsonDocument, SpanTellsTheLine) {
  Parsed p("{\n  \"a\": [\n    \"text\",\n    true\n  ],\n  \"b\": {}\n}");
  ASSERT_FALSE(p.diags.hasErrors());
  auto lineOf = [&](JsonValue value) { return p.source.lineColumn(value.span().begin).line; };
  EXPECT_EQ(lineOf(p.root()), 1u);
  EXPECT_EQ(lineOf(p.root().get("a")), 2u);
  EXPECT_EQ(lineOf(p.root().get("a").at(0)), 3u);
  EXPECT_EQ(lineOf(p.root().get("a").at(1)), 4u);
  EXPECT_EQ(lineOf(p.root().get("b")), 6u);
  // The place of a text is its closing quote.
  EXPECT_EQ(p.source.slice(p.root().get("a").at(0).span()), "\"");
}

TEST(JsonValue, AbsentAnswersNothing) {
  JsonValue absent;
  EXPECT_FALSE(absent.present());
  EXPECT_FALSE(absent.isObject());
  EXPECT_FALSE(absent.isArray());
  EXPECT_FALSE(absent.isString());
  EXPECT_EQ(absent.size(), 0u);
  EXPECT_EQ(absent.span(), Span{});
  EXPECT_FALSE(absent.asBool() || absent.asInteger() || absent.asNumber() || absent.asString());
  EXPECT_FALSE(absent.get("a").get("b").at(3).present());
  EXPECT_EQ(absent.keyAt(0), "");
}

TEST(JsonValue, AnotherKindAnswersNothing) {
  Parsed p(R"([null,true,1,1.5,"1",[],{}])");
  for (size_t i = 0; i < p.root().size(); ++i) {
    JsonValue value = p.root().at(i);
    EXPECT_EQ(value.asBool().has_value(), i == 1) << i;
    EXPECT_EQ(value.asInteger().has_value(), i == 2) << i;
    EXPECT_EQ(value.asNumber().has_value(), i == 2 || i == 3) << i;
    EXPECT_EQ(value.asString().has_value(), i == 4) << i;
    EXPECT_FALSE(value.at(0).present()) << i;
    EXPECT_FALSE(value.get("").present()) << i;
  }
  EXPECT_FALSE(p.root().at(7).present());
  EXPECT_FALSE(p.root().get("a").present());
}

TEST(JsonValue, WholeFloatsAreIntegersToo) {
  Parsed p("[3.0, 1e3, -0.0, 1.25, 1e15, 1e16, 1e300]");
  JsonValue root = p.root();
  EXPECT_EQ(root.at(0).asInteger(), 3);
  EXPECT_EQ(root.at(1).asInteger(), 1000);
  EXPECT_EQ(root.at(2).asInteger(), 0);
  EXPECT_FALSE(root.at(3).asInteger());
  EXPECT_EQ(root.at(4).asInteger(), 1000000000000000);
  EXPECT_FALSE(root.at(5).asInteger());
  EXPECT_FALSE(root.at(6).asInteger());
}

TEST(JsonValue, IntegersAtTheLimitsOf64Bits) {
  Parsed p(
      "[9223372036854775807, -9223372036854775808, 9223372036854775808, -9223372036854775809, 18446744073709551616]");
  ASSERT_FALSE(p.diags.hasErrors());
  EXPECT_EQ(p.root().at(0).asInteger(), INT64_MAX);
  EXPECT_EQ(p.root().at(1).asInteger(), INT64_MIN);
  for (size_t i = 2; i < 5; ++i) {
    EXPECT_FALSE(p.root().at(i).asInteger()) << i;
    EXPECT_TRUE(p.root().at(i).asNumber()) << i;
  }
}

TEST(JsonDocument, SixtyFourLevelsAreReadSixtyFiveAreNot) {
  auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  Parsed deep(nested(JsonDocument::kMaxDepth));
  EXPECT_FALSE(deep.diags.hasErrors());
  EXPECT_TRUE(deep.root().isArray());
  Parsed deeper(nested(JsonDocument::kMaxDepth + 1));
  ASSERT_EQ(deeper.diags.all().size(), 1u);
  EXPECT_EQ(deeper.diags.all()[0].kind, DiagKind::NestingTooDeep);
  EXPECT_EQ(deeper.diags.all()[0].span.begin, static_cast<uint32_t>(JsonDocument::kMaxDepth));
  EXPECT_FALSE(deeper.root().present());
}

TEST(JsonDocument, AMillionOpenBracketsEndAtTheLimit) {
  for (const char* opening : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 1'000'000; ++i) text += opening;
    Parsed p(text);
    ASSERT_EQ(p.diags.all().size(), 1u);
    EXPECT_EQ(p.diags.all()[0].kind, DiagKind::NestingTooDeep);
  }
}

TEST(JsonDocument, TooManyValuesEndAtTheLimit) {
  std::string text = "[0";
  for (size_t i = 0; i < JsonDocument::kMaxNodes; ++i) text += ",0";
  Parsed p(text + "]");
  ASSERT_EQ(p.diags.all().size(), 1u);
  EXPECT_EQ(p.diags.all()[0].message, "JSON: the document has too many values");
  EXPECT_FALSE(p.root().present());
}

struct BadCase {
  const char* what;
  std::string text;
  uint32_t line;
  uint32_t column;
  const char* message;
};

TEST(JsonDocument, MistakesHaveAPlaceAndSayWhatWasSeen) {
  const BadCase cases[] = {
      {"nothing", "", 1, 1, "JSON: the text ends too early"},
      {"blanks", "  \n ", 2, 2, "JSON: the text ends too early"},
      {"open object", "{", 1, 2, "JSON: the text ends too early"},
      {"open array", "[1,", 1, 4, "JSON: the text ends too early"},
      {"open text", "\"abc", 1, 5, "JSON: the text ends too early"},
      {"cut-off word", "nul", 1, 4, "JSON: the text ends too early"},
      {"comma before ]", "[1,]", 1, 4, "JSON: unexpected `1,]`"},
      {"comma before }", "{\"a\":1,}", 1, 8, "JSON: unexpected `1,}`"},
      {"leading zero", "01", 1, 2, "JSON: unexpected `1`"},
      {"no digit after the point", "[1.]", 1, 4, "JSON: unexpected `1.]`"},
      {"sign without digits", "[-]", 1, 3, "JSON: unexpected `-]`"},
      {"control character in a text", "\"\x01\"", 1, 2, "JSON: unexpected `\"<U+0001>`"},
      {"line break in a text", "[\"a\nb\"]", 1, 4, "JSON: unexpected `\"a<U+000A>`"},
      {"unknown escape", "\"\\x\"", 1, 3, "JSON: unexpected `\"\\x`"},
      {"short escape", "[\"\\u12\"]", 1, 7, "JSON: unexpected `\"\\u12\"`"},
      {"half of a surrogate pair", "[\"\\ud800\"]", 1, 9, "JSON: unexpected `\"\\ud800\"`"},
      {"invalid UTF-8 in a text", "[\"\xFF\"]", 1, 3, "JSON: unexpected `\"\xEF\xBF\xBD`"},
      {"cut-off UTF-8", "[\"\xC3\"]", 1, 4, "JSON: unexpected `\"\xEF\xBF\xBD\"`"},
      {"invalid UTF-8 alone", "\xFF", 1, 1, "JSON: unexpected `\xEF\xBF\xBD`"},
      {"cut-off byte order mark", "\xEF\xBB", 1, 3, "JSON: the text ends too early"},
      {"NUL", std::string("[\0]", 3), 1, 2, "JSON: unexpected `[<U+0000>`"},
      {"two values", "[1] 2", 1, 5, "JSON: unexpected `2`"},
      {"missing colon", "{\"a\" 1}", 1, 6, "JSON: unexpected `1`"},
      {"missing comma, next line", "{\"a\":1\n \"b\":2}", 2, 4, "JSON: unexpected `\"b\"`"},
      {"name that is a number", "{1:2}", 1, 2, "JSON: unexpected `1`"},
      {"wrong bracket", "[}", 1, 2, "JSON: unexpected `[}`"},
      {"bracket that closes nothing", "]", 1, 1, "JSON: unexpected `]`"},
      {"number beyond a double", "[1e999]", 1, 6, "JSON: unexpected `1e999`"},
      {"comment", "// c\n[1]", 1, 1, "JSON: unexpected `/`"},
      {"single quotes", "['a']", 1, 2, "JSON: unexpected `['`"},
  };
  for (const BadCase& c : cases) {
    Parsed p(c.text);
    EXPECT_FALSE(p.root().present()) << c.what;
    ASSERT_EQ(p.diags.all().size(), 1u) << c.what;
    const Diagnostic& diagnostic = p.diags.all()[0];
    EXPECT_EQ(diagnostic.kind, DiagKind::JsonSyntax) << c.what;
    LineColumn at = p.source.lineColumn(diagnostic.span.begin);
    EXPECT_EQ(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + diagnostic.message,
              std::to_string(c.line) + ":" + std::to_string(c.column) + " " + c.message)
        << c.what;
    EXPECT_EQ(toValidUtf8(diagnostic.message), diagnostic.message) << c.what;
  }
}

TEST(JsonDocument, AByteOrderMarkIsSkipped) {
  Parsed p("\xEF\xBB\xBF[1]");
  EXPECT_FALSE(p.diags.hasErrors());
  EXPECT_EQ(p.root().at(0).asInteger(), 1);
}

TEST(JsonDocument, EveryCutOfATextIsRefusedWithoutHarm) {
  std::string whole = R"({"a":[1,2.5,"x\u00fcy",true,null],"b":{"c":[]}})";
  for (size_t length = 0; length < whole.size(); ++length) {
    Parsed p(whole.substr(0, length));
    EXPECT_FALSE(p.root().present()) << length;
    EXPECT_EQ(p.diags.errorCount(), 1u) << length;
  }
  EXPECT_TRUE(Parsed(whole).root().present());
}

// Not one byte changed into any other may crash the reader or make it accept what is no JSON silently.
TEST(JsonDocument, EveryChangedByteGivesAValueOrOneError) {
  std::string whole = R"({"a":[1,-2.5e3,"x\u00fc",true]})";
  for (size_t at = 0; at < whole.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = whole;
      text[at] = static_cast<char>(byte);
      Parsed p(text);
      EXPECT_NE(p.root().present(), p.diags.hasErrors()) << at << ' ' << byte;
      EXPECT_LE(p.diags.errorCount(), 1u) << at << ' ' << byte;
    }
  }
}

}  // namespace
}  // namespace tessera
