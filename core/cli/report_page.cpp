#include "core/cli/report_page.h"

#include <filesystem>

#include "core/batch/new_file.h"
#include "core/batch/page_template.h"
#include "core/report/page_text.h"
#include "core/report/plan_text.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

// Where the template takes the title, the graph's name, the reports as JSON and the plans as text. Also in
// web/src/app/report_page.ts.
constexpr std::string_view kTitlePlace = "{{REPORT_TITLE}}";
constexpr std::string_view kNamePlace = "{{REPORT_NAME}}";
constexpr std::string_view kDataPlace = "{{REPORT_DATA}}";
constexpr std::string_view kTextPlace = "{{REPORT_TEXT}}";

constexpr const char* kPlainReport = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{{REPORT_TITLE}}</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 1.5rem; }
pre { overflow-x: auto; }
</style>
</head>
<body>
<main>
<h1>{{REPORT_NAME}}</h1>
<pre tabindex="0">{{REPORT_TEXT}}</pre>
</main>
<script type="application/json" id="report-data">{{REPORT_DATA}}</script>
</body>
</html>
)";

std::string reportsJson(const std::string& name, std::span<const Report* const> reports) {
  std::string runs = "[";
  for (const Report* report : reports) runs += (runs.size() > 1 ? "," : "") + reportJson(*report);
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.field("name", std::string_view(name));
  w.key("runs");
  w.raw(runs + "]");
  w.endObject();
  return w.take();
}

std::string plansText(std::span<const Report* const> reports) {
  std::string text;
  for (const Report* report : reports) {
    if (!report->run) continue;
    text += planText(*report->run) + "\n";
  }
  return text;
}

}  // namespace

std::string writeReportPage(const std::string& path, const std::string& source,
                            std::span<const Report* const> reports) {
  const std::string name = source == "-" ? "Graph" : std::filesystem::path(source).filename().string();
  std::string page = pageTemplate("report.html", "TESSERA_REPORT_TEMPLATE");
  if (page.find(kDataPlace) == std::string::npos) page = kPlainReport;
  NewFile file(path);
  file.add(filledPage(std::move(page), {{kTitlePlace, htmlText(name + " · Tessera")},
                                        {kNamePlace, htmlText(name)},
                                        {kTextPlace, htmlText(plansText(reports))},
                                        {kDataPlace, scriptSafe(reportsJson(name, reports))}}));
  return file.finish();
}

}  // namespace tessera
