// tessera eval opmodel: the op model against published answers. A row that cannot be put as a query counts as a miss.

#include "core/evaluate/eval_json.h"
#include "core/evaluate/opmodel_rows.h"

namespace tessera {

namespace {

struct Figure {
  int64_t exact = 0, given = 0;
};

// Tenths of a percent, rounded down.
std::string percentOf(const Figure& figure) {
  int64_t tenths = figure.given > 0 ? figure.exact * 1000 / figure.given : 1000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "%";
}

struct Scores {
  Figure legality, buffers, output, total;
};

// The published number, unless the test only asks for more than it: "ge 0" states no size.
std::optional<int64_t> statedSize(JsonValue row, std::string_view field, std::string_view check) {
  std::optional<int64_t> number = row.get(field).asInteger();
  std::string_view how = row.get("check").get(check).asString().value_or("");
  bool atLeast = how.substr(0, 2) == "ge" || how.substr(0, 2) == "gt";
  return number == 0 && atLeast ? std::nullopt : number;
}

// Adds one row; says what does not agree, "" when all does. Circular buffers count where the published test enforces
// equality.
std::string scoreRow(JsonValue row, Scores& scores) {
  bool legal = row.get("expected_legal").asBool().value_or(false);
  auto buffers = row.get("expected_cb_l1_peak").asInteger(),
       output = statedSize(row, "expected_output_l1_size", "output"),
       total = statedSize(row, "expected_total_l1_peak", "total_peak");
  bool enforced = row.get("check").get("cb").asString() == "eq";
  scores.legality.given += 1;
  scores.buffers.given += legal && buffers && enforced;
  scores.output.given += legal && output;
  scores.total.given += legal && total;
  std::optional<RowQuery> query = readRow(row);
  if (!query) return "cannot be put as a query: the row leaves out what it needs";
  RowAnswer answer = askRow(*query);
  if (answer.verdict.ok() != legal)
    return std::string("published ") + (legal ? "legal" : "illegal") + ", here: " + verdictText(answer.verdict);
  scores.legality.exact += 1;
  if (!legal) return "";
  std::string misses;
  auto compare = [&](const char* name, std::optional<int64_t> published, Bytes ours, bool counts, Figure& figure) {
    if (!published || !counts) return;
    if (*published == ours.count) figure.exact += 1;
    else
      misses += std::string(misses.empty() ? "" : ", ") + name + " " + std::to_string(ours.count) + ", published " +
                std::to_string(*published);
  };
  compare("circular buffers", buffers, answer.constraints.cbL1PeakSize, enforced, scores.buffers);
  compare("output", output, answer.constraints.outputL1BufferSize, true, scores.output);
  compare("total", total, answer.constraints.peakL1MemorySize, true, scores.total);
  return misses;
}

}  // namespace

EvalResult evalOpModel(const EvalRequest& request) {
  EvalResult result;
  const EvalJson file(request, "rows", result);
  const JsonValue rows = file.rows();
  if (!result.problem.empty()) return result;
  Scores scores;
  for (size_t i = 0; i < rows.size(); ++i) {
    std::string miss = scoreRow(rows.at(i), scores);
    ++result.rows;
    if (miss.empty()) ++result.agree;
    else result.misses.push_back({rowName(rows.at(i)), miss});
  }
  result.figures = "legality " + percentOf(scores.legality) + " cb_exact " + percentOf(scores.buffers) +
                   " output_exact " + percentOf(scores.output) + " total_exact " + percentOf(scores.total);
  return result;
}

}  // namespace tessera
