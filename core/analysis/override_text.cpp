#include "core/analysis/override_text.h"

namespace tessera {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n' || text.front() == '\r'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> splitParts(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != separator) continue;
    parts.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

bool badOverride(std::string_view op, std::string_view what, std::string_view seen, std::string_view expected,
                 Diagnostics& diags) {
  diags.report(DiagKind::BadOverride, {}, {op, what, seen, expected});
  return false;
}

}  // namespace tessera
