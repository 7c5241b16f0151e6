#pragma once
// One run as a row of a table: everything that is measured about it and that is the same wherever it is measured. One
// table of columns for tables in CSV, in JSON and in documents.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/report/losses.h"
#include "core/support/json_value.h"

namespace tessera {

struct RunRow {
  int64_t ops = 0, time = 0, dramBytes = 0;
  int64_t spills = 0, reloads = 0, reshards = 0, returns = 0;
  int64_t spillBytes = 0, reloadBytes = 0, reshardBytes = 0, returnBytes = 0;
  int64_t constraint = 0, memory = 0, fork = 0, operand0 = 0, chainFailure = 0, choice = 0, returned = 0;
  int64_t leftL1 = 0, roomLeft = 0;
  int64_t budget = 0, peakL1 = 0, headroom = 0, meanHeadroom = 0;
  int64_t inL1 = 0, sharded = 0, inDram = 0, mostInL1 = 0;
  int64_t fragmentation = 0, firstFit = 0, planned = 0;
  int64_t peakDramPerBank = 0, cores = 0;
  int64_t failures = 0, refused = 0, defects = 0;
};

// A column: its name in every table, and where its value is kept: a whole number, or one of 10^-decimals.
struct RunColumn {
  std::string_view id;
  std::string_view unit;
  std::string_view help;
  int64_t RunRow::*field;
  int decimals = 0;
};
std::span<const RunColumn> runColumns();

RunRow rowOf(const RunOutcome& run, const std::vector<Loss>& losses);
// An object with a member per column.
void writeRunRow(JsonWriter& w, const RunRow& row);
// Of such an object; nothing when a member is missing or no number.
std::optional<RunRow> readRunRow(JsonValue object);
// "12.34" of 1234 and 2.
std::string decimalText(int64_t number, int decimals);

}  // namespace tessera
