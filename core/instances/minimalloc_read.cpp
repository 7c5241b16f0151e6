#include "core/instances/minimalloc.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace tessera {

namespace {

constexpr size_t kMaxBuffers = 20'000;  // the solver keeps all pairs that are live together
constexpr int64_t kMaxNumber = int64_t{1} << 45;

std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> result;
  size_t from = 0;
  while (true) {
    const size_t comma = line.find(',', from);
    result.push_back(line.substr(from, comma == std::string_view::npos ? comma : comma - from));
    if (comma == std::string_view::npos) return result;
    from = comma + 1;
  }
}

bool number(std::string_view text, int64_t& out) {
  out = 0;
  for (char c : text) {
    if (c < '0' || c > '9' || out > kMaxNumber) return false;
    out = out * 10 + (c - '0');
  }
  return !text.empty() && out <= kMaxNumber;
}

}  // namespace

std::optional<AddressProblem> readMinimalloc(const SourceBuffer& source, int64_t capacity, Diagnostics& diagnostics) {
  AddressProblem problem;
  problem.capacity = capacity;
  const std::string_view text = source.text();
  const auto fail = [&](size_t where, const std::string& what) {
    const uint32_t place = static_cast<uint32_t>(where);
    diagnostics.report(DiagKind::BadInstance, {place, place}, {what});
    return std::nullopt;
  };
  int lower = -1, upper = -1, size = -1;
  size_t columns = 0;
  for (size_t from = 0, line = 0; from < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', from), text.size());
    std::string_view row = text.substr(from, end - from);
    if (!row.empty() && row.back() == '\r') row.remove_suffix(1);
    const std::vector<std::string_view> cells = fields(row);
    if (line == 0) {
      columns = cells.size();
      for (size_t c = 0; c < columns; ++c) {
        if (cells[c] == "lower" || cells[c] == "begin" || cells[c] == "start") lower = static_cast<int>(c);
        if (cells[c] == "upper" || cells[c] == "end") upper = static_cast<int>(c);
        if (cells[c] == "size") size = static_cast<int>(c);
      }
      if (lower < 0 || upper < 0 || size < 0)
        return fail(from, "the first line must name the columns `id`, `lower`, `upper` and `size`");
    } else if (!row.empty()) {
      AddressBuffer buffer;
      if (cells.size() != columns)
        return fail(
            from, "a line has " + std::to_string(cells.size()) + " columns, the first one " + std::to_string(columns));
      if (!number(cells[static_cast<size_t>(lower)], buffer.begin) ||
          !number(cells[static_cast<size_t>(upper)], buffer.end) ||
          !number(cells[static_cast<size_t>(size)], buffer.size))
        return fail(from, "lifetimes and sizes are integers from 0 to 2^45");
      if (buffer.end < buffer.begin) return fail(from, "a lifetime ends before it begins");
      if (problem.buffers.size() == kMaxBuffers)
        return fail(from, "more than " + std::to_string(kMaxBuffers) + " buffers");
      problem.buffers.push_back(buffer);
    }
    from = end + 1;
  }
  if (columns == 0) return fail(0, "the file is empty");
  return problem;
}

}  // namespace tessera
