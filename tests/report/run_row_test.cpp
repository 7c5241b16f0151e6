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

}  // namespace
}  // namespace tessera::test
