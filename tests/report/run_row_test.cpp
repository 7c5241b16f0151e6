// A run's figures as a row: what is written is read again, digit by digit.

#include "core/report/run_row.h"

#include <gtest/gtest.h>

#include "core/support/json_value.h"

namespace tessera::test {
namespace {

TEST(RunRow, WhatIsWrittenIsReadAgain) {
  RunRow row;
  int64_t number = 7;
  for (const RunColumn& column : runColumns()) row.*column.field = number += 13;
  JsonWriter w;
  writeRunRow(w, row);
  Diagnostics diags;
  const SourceBuffer source("row", w.take());
  const JsonDocument document = JsonDocument::parse(source, diags);
  const std::optional<RunRow> again = readRunRow(document.root());
  ASSERT_TRUE(again.has_value());
  number = 7;
  for (const RunColumn& column : runColumns()) EXPECT_EQ((*again).*column.field, number += 13) << column.id;
}

TEST(RunRow, ARowThatLacksAColumnIsNone) {
  Diagnostics diags;
  const SourceBuffer source("row", "{}");
  const JsonDocument document = JsonDocument::parse(source, diags);
  EXPECT_FALSE(readRunRow(document.root()).has_value());
}

TEST(RunRow, DecimalsStandBehindThePoint) {
  EXPECT_EQ(decimalText(1234, 2), "12.34");
  EXPECT_EQ(decimalText(5, 1), "0.5");
  EXPECT_EQ(decimalText(1005, 3), "1.005");
}

// Figures with decimals are below 10^12, all are numbers.
TEST(RunRow, FiguresBeyondTheLimitAreRefused) {
  RunRow row;
  JsonWriter w;
  writeRunRow(w, row);
  const std::string text = w.take();
  const auto reads = [&](const std::string& headroom) {
    std::string changed = text;
    const std::string key = "\"headroom\":";
    const size_t begin = changed.find(key) + key.size(), end = changed.find_first_of(",}", begin);
    changed.replace(begin, end - begin, headroom);
    Diagnostics diags;
    const SourceBuffer source("row", changed);
    const JsonDocument document = JsonDocument::parse(source, diags);
    return readRunRow(document.root()).has_value();
  };
  EXPECT_TRUE(reads("0.5"));
  EXPECT_TRUE(reads("999999999999"));
  EXPECT_FALSE(reads("1000000000000"));
  EXPECT_FALSE(reads("-1000000000000"));
  EXPECT_FALSE(reads("\"0.5\""));
  EXPECT_FALSE(reads("null"));
}

}  // namespace
}  // namespace tessera::test
