// tessera eval opmodel: the op model against published answers, by equality and by each row's own check. A row that
// cannot be put as a query counts as a miss.

#include <charconv>

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

// What the published test holds a number against: `eq`, `ge`, `le` or `gt`, with the row's number or one of its own
// (`gt 0`); "(not enforced)" and "table only" are in the table and held against nothing.
struct RowCheck {
  std::string_view relation;  // "" where the row says none: equality
  std::optional<int64_t> bound;
  bool enforced = true;

  explicit RowCheck(std::string_view text)
      : relation(text.substr(0, 2)),
        enforced(text.find("not enforced") == std::string_view::npos && text.rfind("table", 0) != 0) {
    int64_t own = 0;
    const std::string_view rest = text.size() > 3 ? text.substr(3) : std::string_view();
    if (std::from_chars(rest.data(), rest.data() + rest.size(), own).ec == std::errc()) bound = own;
  }

  bool holds(int64_t ours, int64_t published) const {
    const int64_t against = bound.value_or(published);
    if (relation == "ge") return ours >= against;
    if (relation == "gt") return ours > against;
    if (relation == "le") return ours <= against;
    return ours == against;
  }
};

// Of one size: how often it is the published one, and how often it passes the row's own check.
struct SizeScore {
  Figure exact, holds;
};

struct Scores {
  Figure legality, legalityHolds;
  SizeScore buffers, output, total;
};

// A size counts as exact where the row states one: "ge 0" states none, and circular buffers only where equality is
// asked for. Says what fails the row's check, which a row that cannot be put as a query has none of.
void scoreSize(JsonValue row, const char* field, const char* check, const char* name, std::optional<Bytes> ours,
               bool put, SizeScore& score, std::string& misses) {
  const std::optional<int64_t> published = row.get(field).asInteger();
  if (!published) return;
  const std::string text = std::string(row.get("check").get(check).asString().value_or(""));
  const RowCheck asked(text);
  const bool atLeast = asked.relation == "ge" || asked.relation == "gt";
  const bool buffers = std::string_view(check) == "cb";
  const bool stated = buffers ? text == "eq" : !(*published == 0 && atLeast);
  score.exact.given += stated;
  score.exact.exact += stated && ours && ours->count == *published;
  if (!asked.enforced || !put) return;
  score.holds.given += 1;
  if (ours && asked.holds(ours->count, *published)) {
    score.holds.exact += 1;
    return;
  }
  if (ours)
    misses += std::string(misses.empty() ? "" : ", ") + name + " " + std::to_string(ours->count) + ", published " +
              (text.empty() ? "" : text + " ") + std::to_string(*published);
}

// Adds one row; says what does not agree, "" when all does.
std::string scoreRow(JsonValue row, Scores& scores) {
  const bool legal = row.get("expected_legal").asBool().value_or(false);
  scores.legality.given += 1;
  const std::optional<RowQuery> query = readRow(row);
  std::optional<RowAnswer> answer;
  if (query) answer = askRow(*query);
  const bool agrees = answer && answer->verdict.ok() == legal;
  scores.legalityHolds.given += query.has_value();
  scores.legalityHolds.exact += agrees;
  std::string misses;
  if (legal) {
    const auto size = [&](Bytes OpConstraints::*field) {
      return agrees ? std::optional<Bytes>(answer->constraints.*field) : std::nullopt;
    };
    scoreSize(row, "expected_cb_l1_peak", "cb", "circular buffers", size(&OpConstraints::cbL1PeakSize),
              query.has_value(), scores.buffers, misses);
    scoreSize(row, "expected_output_l1_size", "output", "output", size(&OpConstraints::outputL1BufferSize),
              query.has_value(), scores.output, misses);
    scoreSize(row, "expected_total_l1_peak", "total_peak", "total", size(&OpConstraints::peakL1MemorySize),
              query.has_value(), scores.total, misses);
  }
  if (!query) return "cannot be put as a query: the row leaves out what it needs";
  if (!agrees)
    return std::string("published ") + (legal ? "legal" : "illegal") + ", here: " + verdictText(answer->verdict);
  scores.legality.exact += 1;
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
  result.figures = "legality " + percentOf(scores.legality) + " cb_exact " + percentOf(scores.buffers.exact) +
                   " output_exact " + percentOf(scores.output.exact) + " total_exact " + percentOf(scores.total.exact) +
                   " legality_holds " + percentOf(scores.legalityHolds) + " cb_holds " +
                   percentOf(scores.buffers.holds) + " output_holds " + percentOf(scores.output.holds) +
                   " total_holds " + percentOf(scores.total.holds);
  return result;
}

}  // namespace tessera
