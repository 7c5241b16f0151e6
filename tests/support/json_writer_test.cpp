#include "core/support/json_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/support/json_value.h"

namespace tessera {
namespace {

// What `write` appends for one value of an array.
template <class Write>
std::string written(Write write) {
  JsonWriter w;
  write(w);
  return w.take();
}
std::string text(std::string_view value) {
  return written([&](JsonWriter& w) { w.value(value); });
}
std::string integer(int64_t value) {
  return written([&](JsonWriter& w) { w.integer(value); });
}
std::string fixed(int64_t value, int decimals) {
  return written([&](JsonWriter& w) { w.fixed(value, decimals); });
}

TEST(JsonWriter, CommasAndNesting) {
  JsonWriter w;
  w.beginObject();
  w.field("a", 1);
  w.key("b");
  w.beginArray();
  w.value("x");
  w.beginArray();
  w.endArray();
  w.beginObject();
  w.endObject();
  w.null();
  w.raw("[1,2]");
  w.value(true);
  w.endArray();
  w.field("c", "y");
  w.field("d", false);
  w.key("e");
  w.null();
  w.endObject();
  EXPECT_EQ(w.text(), R"({"a":1,"b":["x",[],{},null,[1,2],true],"c":"y","d":false,"e":null})");
}

TEST(JsonWriter, EscapesText) {
  EXPECT_EQ(text("plain"), "\"plain\"");
  EXPECT_EQ(text(""), "\"\"");
  EXPECT_EQ(text("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(text("\n\t\r"), R"("\n\t\r")");
  EXPECT_EQ(text(std::string("\0\x01\x1F\x7F", 4)), R"("\u0000\u0001\u001f\u007f")");
  EXPECT_EQ(text("\xC3\xBC\xF0\x9F\x98\x80"), "\"\xC3\xBC\xF0\x9F\x98\x80\"");
}

// Each byte of ASCII at each place of a text.
TEST(JsonWriter, EscapesAtEveryPlace) {
  const std::string around = " !#[]~az AZ09 ";
  for (int byte = 0; byte < 0x80; ++byte) {
    const std::string alone = text(std::string(1, static_cast<char>(byte)));
    for (size_t place = 0; place <= around.size(); ++place) {
      std::string whole = around;
      whole.insert(place, 1, static_cast<char>(byte));
      const std::string escaped = around.substr(0, place) + alone.substr(1, alone.size() - 2) + around.substr(place);
      EXPECT_EQ(text(whole), '"' + escaped + '"') << byte << " at " << place;
    }
  }
}

// Pieces of all lengths, with and without escapes, while the text grows from nothing.
TEST(JsonWriter, TextsGrowByPiecesOfAnyLength) {
  for (size_t reserved : {0, 1, 5000}) {
    JsonWriter w;
    w.reserve(reserved);
    std::string expected = "[";
    w.beginArray();
    for (size_t length = 0; length < 300; ++length) {
      const std::string plain(length, 'a'), quoted = plain + "\"" + plain;
      w.value(std::string_view(plain));
      w.value(std::string_view(quoted));
      w.value(static_cast<int64_t>(length) - 150);
      w.raw(plain + "0");
      expected += (length > 0 ? ",\"" : "\"") + plain + "\",\"" + plain + "\\\"" + plain + "\"," +
                  std::to_string(static_cast<int64_t>(length) - 150) + "," + plain + "0";
      ASSERT_EQ(w.text(), expected);
    }
    w.endArray();
    EXPECT_EQ(w.take(), expected + "]");
  }
}

TEST(JsonWriter, InvalidUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(text("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(text("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonWriter, KeysAreEscapedToo) {
  JsonWriter w;
  w.beginObject();
  w.field("a\"\n\xFF", 1);
  w.endObject();
  EXPECT_EQ(w.text(), "{\"a\\\"\\n\xEF\xBF\xBD\":1}");
}

// Names of literals are written as those of other texts, short or long, plain or not.
TEST(JsonWriter, KeysOfAnyLengthAreWrittenWhole) {
  for (size_t length = 0; length < 60; ++length) {
    for (size_t place = 0; place <= length; ++place) {
      std::string name(length, 'k'), quoted = name;
      if (place < length) {
        name[place] = '"';
        quoted.replace(place, 1, "\\\"");
      }
      JsonWriter w;
      w.beginObject();
      w.field("a", 1);
      w.field(name.c_str(), 2);
      w.field(std::string_view(name), 3);
      w.endObject();
      ASSERT_EQ(w.text(), "{\"a\":1,\"" + quoted + "\":2,\"" + quoted + "\":3}");
    }
  }
}

TEST(JsonWriter, IntegersOfEveryLength) {
  for (int64_t number = 1; number < int64_t{1} << 53; number *= 3) {
    for (int64_t near : {number - 1, number, number + 1}) {
      EXPECT_EQ(integer(near), std::to_string(near));
      EXPECT_EQ(integer(-near), std::to_string(-near));
    }
  }
  for (int64_t near : {int64_t{UINT32_MAX} - 1, int64_t{UINT32_MAX}, int64_t{UINT32_MAX} + 1, int64_t{42949672960}})
    EXPECT_EQ(integer(near), std::to_string(near));
}

TEST(JsonWriter, IntegersThatAJavaScriptNumberCannotHoldAreText) {
  constexpr int64_t kExact = int64_t{1} << 53;
  EXPECT_EQ(integer(0), "0");
  EXPECT_EQ(integer(-7), "-7");
  EXPECT_EQ(integer(kExact), "9007199254740992");
  EXPECT_EQ(integer(-kExact), "-9007199254740992");
  EXPECT_EQ(integer(kExact + 1), "\"9007199254740993\"");
  EXPECT_EQ(integer(-kExact - 1), "\"-9007199254740993\"");
  EXPECT_EQ(integer(INT64_MIN), "\"-9223372036854775808\"");
  EXPECT_EQ(integer(INT64_MAX), "\"9223372036854775807\"");
}

TEST(JsonWriter, FieldTakesEveryIntegerType) {
  JsonWriter w;
  w.beginArray();
  w.value(uint8_t{200});
  w.value(int16_t{-3});
  w.value(4000000000u);
  w.value(size_t{5});
  w.endArray();
  EXPECT_EQ(w.text(), "[200,-3,4000000000,5]");
}

TEST(JsonWriter, FixedPoint) {
  EXPECT_EQ(fixed(1234, 2), "12.34");
  EXPECT_EQ(fixed(-1234, 2), "-12.34");
  EXPECT_EQ(fixed(5, 2), "0.05");
  EXPECT_EQ(fixed(-5, 3), "-0.005");
  EXPECT_EQ(fixed(0, 2), "0.00");
  EXPECT_EQ(fixed(12, 0), "12");
  EXPECT_EQ(fixed(100, 2), "1.00");
  EXPECT_EQ(fixed(INT64_MIN, 3), "-9223372036854775.808");
}

TEST(JsonWriter, TakeLeavesTheTextToTheCaller) {
  JsonWriter w;
  w.value(1);
  std::string out = w.take();
  EXPECT_EQ(out, "1");
}

// Every byte, alone and between others, must come back as the reader's text.
TEST(JsonWriter, TheReaderReadsWhatItWrote) {
  for (int byte = 0; byte < 256; ++byte) {
    std::string original = std::string("a") + static_cast<char>(byte) + "z";
    Diagnostics diags;
    JsonDocument document = JsonDocument::parse(SourceBuffer("w", "[" + text(original) + "]"), diags);
    ASSERT_FALSE(diags.hasErrors()) << byte;
    EXPECT_EQ(document.root().at(0).asString().value(), toValidUtf8(original)) << byte;
  }
}

}  // namespace
}  // namespace tessera
