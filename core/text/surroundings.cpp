#include "core/text/surroundings.h"

#include <algorithm>

#include "core/text/chars.h"

namespace tessera::text {

namespace {

std::string_view withoutIndent(std::string_view line) {
  size_t at = line.find_first_not_of(" \t\r");
  return at == std::string_view::npos ? std::string_view() : line.substr(at);
}

// A line that a logger or a person wrote: no statement of MLIR and no part of one begins like this.
bool isForeign(std::string_view line) {
  std::string_view text = withoutIndent(line);
  if (text.empty()) return false;
  char first = text.front();
  if (first >= '0' && first <= '9') return true;
  return (first == '-' && text.substr(0, 2) != "->") || first == '[' || first == '=' || first == '*';
}

// The first line of a module: an alias, a comment, or an operation.
bool startsModule(std::string_view line) {
  std::string_view text = withoutIndent(line);
  if (text.empty()) return false;
  char first = text.front();
  if (first == '%' || first == '"' || text.substr(0, 2) == "//" || text.substr(0, 3) == "{-#") return true;
  if (first == '#' || first == '!')
    return text.size() > 1 && isLetter(text[1]) && text.find(" = ") != std::string_view::npos;
  std::string_view word = text.substr(0, text.find_first_of(" ("));
  return word == "module" || word == "func" || word == "func.func" || word == "builtin.module" ||
         word == "ttcore.device_module" || word == "tt.device_module";
}

}  // namespace

Span findModuleText(std::string_view text) {
  auto size = static_cast<uint32_t>(text.size());
  Span all{0, size};
  bool foreignStart = false, found = false;
  size_t begin = 0;
  for (size_t at = text.substr(0, kByteOrderMark.size()) == kByteOrderMark ? kByteOrderMark.size() : 0;
       at < text.size() && !found;) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    found = startsModule(line);
    if (found) begin = at;
    else if (!withoutIndent(line).empty() && !foreignStart && !isForeign(line)) return all;
    foreignStart = foreignStart || isForeign(line);
    at = end + 1;
  }
  if (!found) return all;
  if (!foreignStart) begin = 0;
  // From the end: foreign and empty lines.
  size_t end = text.size();
  while (end > begin) {
    size_t last = end - (text[end - 1] == '\n' ? 1 : 0);
    size_t start = last == 0 ? std::string_view::npos : text.rfind('\n', last - 1);
    start = start == std::string_view::npos ? 0 : start + 1;
    std::string_view line = text.substr(start, last - start);
    if (start < begin || (!isForeign(line) && !withoutIndent(line).empty())) break;
    end = start;
  }
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(std::max(end, begin))};
}

}  // namespace tessera::text
