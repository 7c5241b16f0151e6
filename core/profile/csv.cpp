#include "core/profile/csv.h"

#include <algorithm>
#include <cstdlib>

namespace tessera {

namespace {

constexpr size_t kMostRows = 1'000'000;
constexpr size_t kMostFields = 1000;

// One record, which ends at a newline outside quotes; `at` moves behind it.
std::vector<std::string> record(std::string_view text, size_t& at) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (quoted) {
      bool twice = c == '"' && at + 1 < text.size() && text[at + 1] == '"';
      if (c == '"' && !twice) quoted = false;
      else fields.back() += c;
      if (twice) ++at;
    } else if (c == '"' && fields.back().empty()) {
      quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      ++at;
      break;
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace

bool parseCsv(std::string_view text, CsvTable& table) {
  int64_t line = 1;
  for (size_t at = 0, counted = 0; at < text.size();) {
    line += std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                       text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    counted = at;
    if (text[at] == '#') {
      size_t end = text.find('\n', at);
      at = end == std::string_view::npos ? text.size() : end + 1;
      continue;
    }
    std::vector<std::string> fields = record(text, at);
    if (fields.size() > kMostFields || table.rows.size() >= kMostRows) return false;
    if (fields.size() == 1 && fields[0].empty()) continue;
    if (table.names.empty()) {
      table.names = std::move(fields);
    } else {
      table.rows.push_back(std::move(fields));
      table.lines.push_back(line);
    }
  }
  return !table.names.empty();
}

std::string_view CsvTable::text(size_t row, std::string_view name) const {
  for (size_t i = 0; i < names.size() && i < rows[row].size(); ++i) {
    if (names[i] == name) return rows[row][i];
  }
  return "";
}

double CsvTable::number(size_t row, std::string_view name) const {
  std::string field(text(row, name));
  char* end = nullptr;
  double value = std::strtod(field.c_str(), &end);
  constexpr double kMost = 1e18;
  return value > -kMost && value < kMost ? value : 0;  // neither infinite nor no number at all
}

int64_t CsvTable::count(size_t row, std::string_view name) const {
  constexpr double kMost = 1099511627776.0;
  double value = number(row, name);
  return value <= 0 ? 0 : static_cast<int64_t>(value < kMost ? value : kMost);
}

}  // namespace tessera
