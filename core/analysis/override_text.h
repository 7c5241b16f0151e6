#pragma once
// The notation that options which name ops share: "op=settings,op=settings".

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/layout_overrides.h"

namespace tessera {

std::string_view trimmed(std::string_view text);
// The parts between separators; never empty, "" gives one empty part.
std::vector<std::string_view> splitParts(std::string_view text, char separator);
// Reports BadOverride; always false.
bool badOverride(std::string_view op, std::string_view what, std::string_view seen, std::string_view expected,
                 Diagnostics& diags);

// Each op once. `read` makes the settings from the text behind "=" and says whether they are good.
template <class Settings, class Read>
std::vector<NamedOverride<Settings>> parseEntries(std::string_view text, Read read, Diagnostics& diags) {
  std::vector<NamedOverride<Settings>> entries;
  if (trimmed(text).empty()) return entries;
  for (std::string_view entry : splitParts(text, ',')) {
    const size_t equals = entry.find('=');
    const std::string_view op = trimmed(entry.substr(0, equals));
    if (equals == std::string_view::npos || op.empty()) {
      badOverride(entry, "the entry", "`" + std::string(entry) + "`", "`op=settings`", diags);
      continue;
    }
    bool twice = false;
    for (const NamedOverride<Settings>& other : entries) twice = twice || other.op == op;
    if (twice) {
      diags.report(DiagKind::DuplicateOverride, {}, {op, "op"});
      continue;
    }
    NamedOverride<Settings> named{std::string(op), {}};
    if (read(entry.substr(equals + 1), op, named.settings, diags)) entries.push_back(std::move(named));
  }
  return entries;
}

}  // namespace tessera
