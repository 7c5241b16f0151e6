#pragma once
// Comma-separated values with a line of column names; lines that begin with # are comments. What is missing reads as
// empty or 0.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct CsvTable {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  std::vector<int64_t> lines;  // of the text, 1-based: where each row begins
  // "" when there is no such column, or the row is short.
  std::string_view text(size_t row, std::string_view name) const;
  // 0 when it is no number; negative, huge and fractional values are cut to [0, 2^40].
  int64_t count(size_t row, std::string_view name) const;
  double number(size_t row, std::string_view name) const;
};

// Fields may be quoted ("a,b", "" is a quote). False when there is no line of names or there are too many rows or
// fields.
bool parseCsv(std::string_view text, CsvTable& table);

}  // namespace tessera
