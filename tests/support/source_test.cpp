#include "core/support/source.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera {
namespace {

struct Place {
  uint32_t offset, line, column, utf16Column;
};

void expectPlaces(const SourceBuffer& source, std::initializer_list<Place> places) {
  for (const Place& place : places) {
    LineColumn at = source.lineColumn(place.offset);
    EXPECT_EQ(at.line, place.line) << "offset " << place.offset;
    EXPECT_EQ(at.column, place.column) << "offset " << place.offset;
    EXPECT_EQ(at.utf16Column, place.utf16Column) << "offset " << place.offset;
  }
}

TEST(SourceBuffer, EmptyTextHasOneEmptyLine) {
  SourceBuffer source;
  EXPECT_EQ(source.lineCount(), 1u);
  EXPECT_EQ(source.line(1), "");
  expectPlaces(source, {{0, 1, 1, 1}, {5, 1, 1, 1}, {UINT32_MAX, 1, 1, 1}});
}

TEST(SourceBuffer, PlacesOfLines) {
  SourceBuffer source("f", "ab\n\ncd");
  expectPlaces(source, {{0, 1, 1, 1}, {2, 1, 3, 3}, {3, 2, 1, 1}, {4, 3, 1, 1}, {6, 3, 3, 3}, {7, 3, 3, 3}});
  EXPECT_EQ(source.lineCount(), 3u);
}

TEST(SourceBuffer, ATextThatEndsInALineBreakHasAnEmptyLastLine) {
  SourceBuffer source("f", "ab\n");
  EXPECT_EQ(source.lineCount(), 2u);
  EXPECT_EQ(source.line(2), "");
  expectPlaces(source, {{3, 2, 1, 1}});
}

TEST(SourceBuffer, LinesWithoutTheirBreak) {
  SourceBuffer source("f", "one\r\ntwo\n\r\nfour\r");
  EXPECT_EQ(source.line(1), "one");
  EXPECT_EQ(source.line(2), "two");
  EXPECT_EQ(source.line(3), "");
  EXPECT_EQ(source.line(4), "four");
  EXPECT_EQ(source.line(0), "");
  EXPECT_EQ(source.line(5), "");
  EXPECT_EQ(source.line(UINT32_MAX), "");
}

// An editor counts UTF-16 units: one for most characters, two for those beyond U+FFFF.
TEST(SourceBuffer, ColumnsInUtf16) {
  SourceBuffer source("f",
                      "\xC3\xBC"
                      "x\xE2\x82\xAC"
                      "y\xF0\x9F\x98\x80"
                      "z");
  expectPlaces(source,
               {{0, 1, 1, 1}, {2, 1, 3, 2}, {3, 1, 4, 3}, {6, 1, 7, 4}, {7, 1, 8, 5}, {11, 1, 12, 7}, {12, 1, 13, 8}});
}

TEST(SourceBuffer, InvalidBytesDoNotDerailColumns) {
  SourceBuffer source("f", std::string("\x80\xFF\0x", 4));
  LineColumn at = source.lineColumn(3);
  EXPECT_EQ(at.line, 1u);
  EXPECT_EQ(at.column, 4u);
}

TEST(SourceBuffer, SliceIsTheTextOfASpan) {
  SourceBuffer source("name", "hello world");
  EXPECT_EQ(source.slice({6, 11}), "world");
  EXPECT_EQ(source.slice({11, 11}), "");
  EXPECT_EQ(source.name(), "name");
}

TEST(SourceBuffer, ACopyKeepsItsText) {
  SourceBuffer copy;
  {
    SourceBuffer source("f", "a\nb");
    copy = source;
  }
  EXPECT_EQ(copy.line(2), "b");
  EXPECT_EQ(copy.lineColumn(2).line, 2u);
}

}  // namespace
}  // namespace tessera
