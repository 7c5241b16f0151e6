#pragma once
// A run for other people's pages: what readers without scripts see of it, and the element around it. docs/embedding.md.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/support/json_value.h"

namespace tessera {

// Attributes of the element, in the order in which they are written.
using HtmlAttributes = std::vector<std::pair<std::string, std::string>>;

struct EmbedParts {
  std::string script;         // address of the element's script; "" leaves it to the page
  HtmlAttributes attributes;  // src, report, policy
  std::string poster;         // as HTML: a picture or a reference to it
  std::string graph;          // the text itself, ""
  std::string report;         // the JSON itself, ""
};

// The report itself, or the first of a list.
JsonValue firstReport(JsonValue made);
// The run as a picture: time, place of the result and L1 of every step, at most so many of them.
std::string posterSvg(JsonValue report, std::string_view title);
// The same as a table, for who cannot see the picture.
std::string fallbackTable(JsonValue report, std::string_view title);
// A line for each run of a list.
std::string runsTable(JsonValue made, std::string_view title);
// The element with all it needs. `made`: a report, or a list of runs of one graph.
std::string embedFragment(const EmbedParts& parts, JsonValue made, std::string_view title);
// A page that shows the fragment.
std::string embedPage(const std::string& fragment, std::string_view title);
// The text can stand in a <script> element as it is.
bool fitsScript(std::string_view text);

}  // namespace tessera
