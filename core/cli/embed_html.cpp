#include "core/cli/embed_html.h"

#include <algorithm>
#include <cstdint>

#include "core/report/page_text.h"

namespace tessera {

namespace {

constexpr size_t kMostPosterSteps = 60;
constexpr size_t kMostTableRows = 300;

// What a row of the report says in one line.
struct EmbedRow {
  std::string name, op, place, color;
  int64_t time = 0;    // ns
  int64_t peakL1 = 0;  // bytes per core
};

std::string textOf(JsonValue value) { return std::string(value.asString().value_or("")); }
int64_t numberOf(JsonValue value) { return value.asInteger().value_or(0); }

// Dark enough to stand on white, as the page has them (web/src/theme.css).
std::string colorOf(JsonValue layout) {
  const std::string memory = textOf(layout.get("memory"));
  if (textOf(layout.get("buffer")) != "l1") return "#6b7886";
  if (memory == "block_sharded") return "#0a7667";
  if (memory == "height_sharded") return "#2c68c4";
  if (memory == "width_sharded") return "#6a48c4";
  return "#8f6200";
}

std::vector<EmbedRow> rowsOf(JsonValue report) {
  const JsonValue run = report.get("run");
  const JsonValue rows = run.get("rows"), values = run.get("values"), layouts = run.get("layouts");
  std::vector<EmbedRow> out;
  for (size_t at = 0; at < rows.size(); ++at) {
    const JsonValue row = rows.at(at);
    EmbedRow one;
    one.name = textOf(row.get("label"));
    if (one.name.empty()) one.name = textOf(row.get("name"));
    one.op = textOf(row.get("op"));
    one.time = numberOf(row.get("time").get("total"));
    one.peakL1 = numberOf(row.get("l1").get("peak"));
    const JsonValue results = row.get("results");
    if (results.size() > 0) {
      const int64_t value = numberOf(results.at(0));
      const int64_t layout =
          value < 0 ? -1 : values.at(static_cast<size_t>(value)).get("layout").asInteger().value_or(-1);
      if (layout >= 0) {
        const JsonValue found = layouts.at(static_cast<size_t>(layout));
        one.place = textOf(found.get("text"));
        one.color = colorOf(found);
      }
    }
    out.push_back(std::move(one));
  }
  return out;
}

// The same steps without those that cost nothing: loads of weights, mostly.
std::vector<std::pair<size_t, EmbedRow>> costlySteps(JsonValue report) {
  std::vector<std::pair<size_t, EmbedRow>> out;
  size_t step = 0;
  for (EmbedRow& row : rowsOf(report)) {
    if (row.time > 0) out.emplace_back(step, std::move(row));
    ++step;
  }
  return out;
}

std::string microseconds(int64_t ns) {
  const int64_t tenths = (ns + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " µs";
}

std::string kilobytes(int64_t bytes) { return std::to_string((bytes + 512) / 1024) + " KB"; }

// At most so many characters; UTF-8 is not cut apart.
std::string clipped(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string svgText(int x, int y, std::string_view anchor, std::string_view text) {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" text-anchor=\"" + std::string(anchor) +
         "\">" + htmlText(text) + "</text>";
}

std::string svgRect(int x, int y, int64_t width, std::string_view color) {
  return "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
         std::to_string(std::max<int64_t>(width, 1)) + "\" height=\"12\" rx=\"2\" fill=\"" + std::string(color) +
         "\"/>";
}

// "Greedy, Wormhole n150: 1683.2 µs, 3 spills".
std::string summaryOf(JsonValue report) {
  const JsonValue totals = report.get("run").get("totals");
  return textOf(report.get("policy").get("title")) + ", " + textOf(report.get("device").get("title")) + ": " +
         microseconds(numberOf(totals.get("time"))) + ", peak L1 " + kilobytes(numberOf(totals.get("peakL1"))) +
         " of " + kilobytes(numberOf(report.get("run").get("l1Budget"))) + ", " +
         std::to_string(numberOf(totals.get("spills"))) + " spilled, " +
         std::to_string(numberOf(totals.get("reshards"))) + " resharded";
}

}  // namespace

JsonValue firstReport(JsonValue made) { return made.isArray() ? made.at(0) : made; }

std::string posterSvg(JsonValue report, std::string_view title) {
  constexpr int kWidth = 720, kTop = 46, kRow = 18, kNameEnd = 216, kBars = 330, kBarWidth = 170, kL1 = 520,
                kL1Width = 190;
  const std::vector<std::pair<size_t, EmbedRow>> all = costlySteps(report);
  const size_t shown = std::min(all.size(), kMostPosterSteps);
  int64_t longest = 1;
  for (const auto& [step, row] : all) longest = std::max(longest, row.time);
  const int64_t budget = std::max<int64_t>(1, numberOf(report.get("run").get("l1Budget")));
  std::string body;
  for (size_t at = 0; at < shown; ++at) {
    const auto& [step, row] = all[at];
    const int y = kTop + kRow * static_cast<int>(at);
    body += svgText(28, y + 10, "end", std::to_string(step)) + svgText(36, y + 10, "start", clipped(row.name, 26));
    if (!row.place.empty())
      body +=
          "<g fill=\"" + row.color + "\">" + svgText(kNameEnd + 8, y + 10, "start", clipped(row.place, 14)) + "</g>";
    body += svgRect(kBars, y, kBarWidth * row.time / longest, row.color.empty() ? "#44525f" : row.color);
    body += svgRect(kL1, y, std::min<int64_t>(kL1Width, kL1Width * row.peakL1 / budget), "#a8487f") + "\n";
  }
  const size_t left = all.size() - shown;
  const int height = kTop + kRow * static_cast<int>(shown) + (left > 0 ? 24 : 8);
  if (left > 0) body += svgText(36, height - 8, "start", "and " + std::to_string(left) + " more steps");
  const std::string size = std::to_string(kWidth) + "\" height=\"" + std::to_string(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " + std::to_string(kWidth) +
         " " + std::to_string(height) + "\" role=\"img\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" " +
         "font-size=\"11\" fill=\"#16202b\">\n<title>" + htmlText(title) + ": " + htmlText(summaryOf(report)) +
         "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
         svgText(8, 16, "start", clipped(title, 28)) + svgText(kWidth - 8, 16, "end", summaryOf(report)) +
         svgText(36, 36, "start", "op") + svgText(kNameEnd + 8, 36, "start", "result in") +
         svgText(kBars, 36, "start", "time") + svgText(kL1, 36, "start", "L1 per core") + "\n" + body + "</svg>\n";
}

std::string fallbackTable(JsonValue report, std::string_view title) {
  const std::vector<std::pair<size_t, EmbedRow>> all = costlySteps(report);
  std::string text =
      "<table>\n<caption>" + htmlText(title) + ": " + htmlText(summaryOf(report)) + "</caption>\n<thead><tr>";
  for (const char* head : {"Step", "Op", "Kind", "Result in", "Time", "L1 per core"})
    text += "<th scope=\"col\">" + std::string(head) + "</th>";
  text += "</tr></thead>\n<tbody>\n";
  const size_t shown = std::min(all.size(), kMostTableRows);
  for (size_t at = 0; at < shown; ++at) {
    const auto& [step, row] = all[at];
    text += "<tr><td>" + std::to_string(step) + "</td><td>" + htmlText(row.name) + "</td><td>" + htmlText(row.op) +
            "</td><td>" + htmlText(row.place) + "</td><td>" + microseconds(row.time) + "</td><td>" +
            kilobytes(row.peakL1) + "</td></tr>\n";
  }
  if (all.size() > shown)
    text += "<tr><td colspan=\"6\">and " + std::to_string(all.size() - shown) + " more steps</td></tr>\n";
  return text + "</tbody>\n</table>\n";
}

std::string runsTable(JsonValue made, std::string_view title) {
  std::string text = "<table>\n<caption>" + htmlText(title) + ": policies compared</caption>\n<thead><tr>";
  for (const char* head : {"Policy", "Time", "Peak L1 per core", "Spilled", "Resharded", "Failures"})
    text += "<th scope=\"col\">" + std::string(head) + "</th>";
  text += "</tr></thead>\n<tbody>\n";
  for (size_t at = 0; at < made.size(); ++at) {
    const JsonValue report = made.at(at), totals = report.get("run").get("totals");
    text += "<tr><th scope=\"row\">" + htmlText(textOf(report.get("policy").get("title"))) + "</th><td>" +
            microseconds(numberOf(totals.get("time"))) + "</td><td>" + kilobytes(numberOf(totals.get("peakL1"))) +
            "</td>";
    for (const char* count : {"spills", "reshards", "failures"})
      text += "<td>" + std::to_string(numberOf(totals.get(count))) + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n";
}

bool fitsScript(std::string_view text) {
  // "<!--" and "<script" change how the rest is read, "</script" ends it.
  for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    std::string begin;
    for (char c : text.substr(at, 8)) begin += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (begin.rfind("<!--", 0) == 0 || begin.rfind("<script", 0) == 0 || begin == "</script") return false;
  }
  return true;
}

std::string embedFragment(const EmbedParts& parts, JsonValue made, std::string_view title) {
  std::string text;
  if (!parts.script.empty()) text += "<script type=\"module\" src=\"" + htmlText(parts.script) + "\"></script>\n";
  text += "<tessera-playground";
  for (const auto& [name, value] : parts.attributes) text += " " + name + "=\"" + htmlText(value) + "\"";
  text += ">\n";
  if (!parts.graph.empty()) text += "<script type=\"text/mlir\">\n" + parts.graph + "\n</script>\n";
  if (!parts.report.empty()) {
    text += "<script type=\"application/json\">" + scriptSafe(parts.report) + "</script>\n";
  }
  text += "<figure>\n" + parts.poster + "</figure>\n";
  if (made.isArray()) text += runsTable(made, title);
  return text + "<details>\n<summary>The schedule as a table</summary>\n" + fallbackTable(firstReport(made), title) +
         "</details>\n</tessera-playground>\n";
}

std::string embedPage(const std::string& fragment, std::string_view title) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         htmlText(title) + "</title>\n</head>\n<body>\n<main>\n<h1>" + htmlText(title) + "</h1>\n" + fragment +
         "</main>\n</body>\n</html>\n";
}

}  // namespace tessera
