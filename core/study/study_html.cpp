#include "core/study/study_html.h"

#include <algorithm>
#include <cmath>

#include "core/report/page_text.h"

namespace tessera {

namespace {

std::string percentText(int64_t permille) { return decimalText(permille, 1) + " %"; }

std::string ratioText(double ratio) { return ratio > 0 ? decimalText(std::llround(ratio * 1000), 3) : ""; }

class Table {
 public:
  Table(std::string_view caption, const std::vector<std::string>& heads) {
    text_ = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + htmlText(caption) +
            "\"><table><caption>" + htmlText(caption) + "</caption>\n<thead><tr>";
    for (const std::string& head : heads) text_ += "<th scope=\"col\">" + htmlText(head) + "</th>";
    text_ += "</tr></thead>\n<tbody>\n";
  }
  // The first cell names the row.
  void add(const std::vector<std::string>& cells) {
    text_ += "<tr>";
    for (size_t i = 0; i < cells.size(); ++i)
      text_ += (i == 0 ? "<th scope=\"row\">" : "<td>") + htmlText(cells[i]) + (i == 0 ? "</th>" : "</td>");
    text_ += "</tr>\n";
  }
  std::string take() { return std::move(text_) + "</tbody></table></div>\n"; }

 private:
  std::string text_;
};

std::string policyTable(const Study& study, const std::vector<StudyRow>& rows) {
  std::vector<std::string> heads = {"policy", "runs", "failed", "ratio to the bound", "worst", "at the bound"};
  for (size_t i = 0; i < kLossCauses; ++i) heads.emplace_back(lossCauseName(static_cast<LossCause>(i)));
  heads.insert(heads.end(), {"mean headroom", "least headroom"});
  Table table("Policies over all runs; values not in L1 by cause", heads);
  for (const PolicySummary& sum : summarize(study, rows)) {
    std::vector<std::string> cells = {sum.policy,
                                      std::to_string(sum.runs),
                                      std::to_string(sum.failed),
                                      ratioText(sum.meanRatio),
                                      ratioText(sum.worstRatio),
                                      std::to_string(sum.atBound)};
    for (int64_t count : sum.losses) cells.push_back(std::to_string(count));
    cells.push_back(percentText(sum.meanHeadroom));
    cells.push_back(percentText(sum.leastHeadroom));
    table.add(cells);
  }
  return table.take();
}

std::string groupName(const Study& study, size_t group) {
  const StudyGroup& one = study.groups[group];
  std::string name = study.graphs[one.graph].name + ", " + one.device;
  for (size_t i = 0; i < one.values.size(); ++i) name += ", " + study.arguments.axes[i].option + "=" + one.values[i];
  return name;
}

// One line per graph, device and option values; a column per policy.
template <class Cell>
std::string groupTable(const Study& study, const std::vector<StudyRow>& rows, std::string_view caption, Cell cell) {
  std::vector<std::string> heads = {"graph"};
  for (const std::string& policy : study.policies()) heads.push_back(policy);
  Table table(caption, heads);
  for (size_t i = 0; i < rows.size();) {
    const size_t group = rows[i].run->group;
    std::vector<std::string> cells = {groupName(study, group)};
    for (; i < rows.size() && rows[i].run->group == group; ++i)
      cells.push_back(rows[i].kept.row ? cell(rows[i]) : std::string(runStatusName(rows[i].kept.status)));
    table.add(cells);
  }
  return table.take();
}

std::string failureTable(const Study& study, const std::vector<StudyRow>& rows) {
  Table table("Runs that did not run", {"run", "status", "reason"});
  bool any = false;
  for (const StudyRow& row : rows) {
    if (row.kept.row) continue;
    any = true;
    table.add({study.label(*row.run), std::string(runStatusName(row.kept.status)), row.kept.reason});
  }
  return any ? table.take() : "";
}

std::string tablesHtml(const Study& study, const std::vector<StudyRow>& rows) {
  std::string text = policyTable(study, rows) + failureTable(study, rows);
  text +=
      groupTable(study, rows, "Simulated time in ns, and in multiples of the proven bound", [](const StudyRow& row) {
        const auto ratio = row.ratio();
        return std::to_string(row.kept.row->time) +
               (ratio ? " (" + ratioText(static_cast<double>(*ratio) / 1e6) + ")" : "");
      });
  text += groupTable(study, rows, "Headroom: part of the L1 budget that was never taken",
                     [](const StudyRow& row) { return percentText(row.kept.row->headroom); });
  text += groupTable(study, rows, "Spills, reloads, reshards, returns", [](const StudyRow& row) {
    const RunRow& r = *row.kept.row;
    return std::to_string(r.spills) + ", " + std::to_string(r.reloads) + ", " + std::to_string(r.reshards) + ", " +
           std::to_string(r.returns);
  });
  text += groupTable(study, rows, "Results in L1 and in DRAM", [](const StudyRow& row) {
    return std::to_string(row.kept.row->inL1) + ", " + std::to_string(row.kept.row->inDram);
  });
  return text;
}

constexpr std::string_view kPlainPage = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<link rel="icon" href="data:,">
<title>Study of memory layouts</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 1.5rem; }
.wide { overflow-x: auto; margin: 1.5rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { padding: 0.15rem 0.6rem; border-bottom: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
th { text-align: left; font-weight: 500; }
td { text-align: right; }
</style>
</head>
<body>
<main>
<h1>Study of memory layouts</h1>
<p>Policies on graphs, simulated. The ratio is the time of a run over the proven lower bound of its graph.</p>
{{STUDY_TABLES}}</main>
<script type="application/json" id="study-data">{{STUDY_DATA}}</script>
<script type="application/json" id="study-costs">{{STUDY_COSTS}}</script>
</body>
</html>
)";

// Of the rows, in their order.
std::string costsJson(const std::vector<StudyRow>& rows) {
  std::string text = "[";
  for (const StudyRow& row : rows) text += (text.size() > 1 ? "," : "") + std::to_string(row.kept.policyTime);
  return text + "]";
}

}  // namespace

std::string studyHtml(const Study& study, const std::vector<StudyRow>& rows, const std::string& json,
                      std::string page) {
  if (page.find(kStudyDataPlace) == std::string::npos) page = kPlainPage;
  return filledPage(std::move(page), {{kStudyTablesPlace, tablesHtml(study, rows)},
                                      {kStudyDataPlace, scriptSafe(json)},
                                      {kStudyCostsPlace, costsJson(rows)}});
}

}  // namespace tessera
