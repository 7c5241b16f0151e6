// The op model against published answers of the compiler's op-model tests (Wormhole, worker grid 8x8, bytes per core).
// Every row becomes a graph of one op; the test prints a table per family and every difference, and holds lower bounds
// on what agrees.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include "core/evaluate/opmodel_rows.h"
#include "tests/files.h"
#include "tests/ops/circular_buffers.h"

namespace tessera::test {
namespace {

std::string readRows() { return readFile(sharedFolder() / "data/opmodel_rows.json"); }

// A check of the published test: "eq", "ge", "gt 0", "eq 0", "le" ...; anything else enforces nothing.
bool holds(std::string_view check, std::optional<int64_t> published, int64_t ours) {
  if (check == "eq 0") return ours == 0;
  if (check == "gt 0") return ours > 0;
  if (!published) return true;
  if (check == "eq") return ours == *published;
  if (check == "ge") return ours >= *published;
  if (check == "gt") return ours > *published;
  if (check == "le") return ours <= *published;
  return true;
}

struct Figure {
  int exact = 0, given = 0;
  int broken = 0;  // checks of the published test that do not hold
};
struct Score {
  int rows = 0, asked = 0, legal = 0, held = 0;
  Figure buffers, tensors, total, output;
};

struct Field {
  const char* name;
  const char* published;
  const char* check;
  Figure Score::*figure;
  Bytes OpConstraints::*ours;
};
const Field kFields[] = {
    {"cb", "expected_cb_l1_peak", "cb", &Score::buffers, &OpConstraints::cbL1PeakSize},
    {"tensor", "expected_tensor_l1_peak", "l1_peak", &Score::tensors, &OpConstraints::tensorL1PeakSize},
    {"total", "expected_total_l1_peak", "total_peak", &Score::total, &OpConstraints::peakL1MemorySize},
    {"output", "expected_output_l1_size", "output", &Score::output, &OpConstraints::outputL1BufferSize},
};

void compareRow(JsonValue row, const RowQuery& q, Score& score) {
  const auto [verdict, constraints, buffers, rule] = askRow(q);
  bool legal = row.get("expected_legal").asBool().value_or(false);
  ++score.asked;
  score.legal += verdict.ok() == legal;
  if (verdict.ok() != legal) {
    std::printf("  %s: published %s, here: %s\n", rowName(row).c_str(), legal ? "legal" : "illegal",
                verdictText(verdict).c_str());
  }
  if (!legal) return;
  std::string differences;
  bool all = true;
  for (const Field& field : kFields) {
    auto published = row.get(field.published).asInteger();
    int64_t ours = (constraints.*field.ours).count;
    Figure& figure = score.*field.figure;
    figure.given += published.has_value();
    figure.exact += published == ours;
    bool held = holds(row.get("check").get(field.check).asString().value_or(""), published, ours);
    all = all && held;
    figure.broken += held ? 0 : 1;
    if (!held || (published && *published != ours)) {
      differences += std::string(" ") + field.name + " " + std::to_string(ours) + " (published " +
                     (published ? std::to_string(*published) : "none") + (held ? ")" : ", CHECKED)");
    }
  }
  score.held += all;
  if (!differences.empty()) std::printf("  %s:%s\n", rowName(row).c_str(), differences.c_str());
}

void printTable(const std::map<std::string, Score>& table) {
  std::printf("%-34s %5s %6s %6s %7s %9s %9s %9s %9s\n", "family", "rows", "asked", "legal", "checks", "cb", "tensor",
              "total", "output");
  for (const auto& [name, s] : table) {
    auto part = [](Figure f) { return std::to_string(f.exact) + "/" + std::to_string(f.given); };
    std::printf("%-34s %5d %6d %6d %7d %9s %9s %9s %9s\n", name.c_str(), s.rows, s.asked, s.legal, s.held,
                part(s.buffers).c_str(), part(s.tensors).c_str(), part(s.total).c_str(), part(s.output).c_str());
  }
}

void add(Score& to, const Score& s) {
  to.rows += s.rows, to.asked += s.asked, to.legal += s.legal, to.held += s.held;
  for (const Field& field : kFields) {
    (to.*field.figure).exact += (s.*field.figure).exact;
    (to.*field.figure).given += (s.*field.figure).given;
    (to.*field.figure).broken += (s.*field.figure).broken;
  }
}

// Rows of a file may be anything: what is not a row is not asked, and nothing stops the program.
TEST(PublishedRows, RowsThatMakeNoSenseAreNotAsked) {
  const char* const kRows[] = {
      "{}",
      "[]",
      "3",
      R"({"op": ""})",
      R"({"op": "X"})",
      R"({"op": "NoSuchOp"})",
      R"({"op": "AddOp"})",
      R"({"op": "AddOp", "inputs": 4, "outputs": []})",
      R"({"op": "ReluOp", "inputs": {"a": {"shape": [-4, 8], "dtype": "bf16", "grid": [1, 1]}}})",
      R"({"op": "ReluOp", "inputs": {"a": {"shape": [4611686018427387904, 4611686018427387904], "dtype": "bf16", "grid": [1, 1], "buffer": "DRAM"}}})",
      R"({"op": "RepeatOp", "inputs": {"a": {"shape": [], "dtype": "bf16", "grid": [1, 1]}}, "outputs": {"o": {}}})",
      R"({"op": "PadOp", "kind": "lib_testf", "attrs": {"args": [[64, 64], [1]]}, "inputs": {}, "outputs": {"o": {"shape": [1]}}})",
      R"({"op": "ConcatOp", "attrs": {"args": [9]}, "inputs": {"a": {"shape": [4]}, "b": {"shape": [4]}}})",
  };
  for (const char* text : kRows) {
    SourceBuffer source("row", text);
    Diagnostics diags;
    JsonDocument document = JsonDocument::parse(source, diags);
    EXPECT_FALSE(readRow(document.root()).has_value()) << text;
  }
}

TEST(PublishedRows, NamedCircularBuffersAddUp) {
  std::string text = readRows();
  if (text.empty()) GTEST_SKIP() << "no published rows";
  SourceBuffer source("opmodel_rows.json", text);
  Diagnostics diags;
  JsonDocument document = JsonDocument::parse(source, diags);
  JsonValue rows = document.root().get("rows");
  for (size_t i = 0; i < rows.size(); ++i) {
    std::optional<RowQuery> query = readRow(rows.at(i));
    if (!query) continue;
    SCOPED_TRACE(rowName(rows.at(i)));
    RowAnswer answer = askRow(*query);
    expectBuffersAddUp(answer.buffers, answer.constraints, answer.rule, rowDevice().dramAlignment);
  }
}

TEST(PublishedRows, EveryFamilyAgreesAsFarAsItDid) {
  std::string text = readRows();
  if (text.empty()) GTEST_SKIP() << "no published rows";
  SourceBuffer source("opmodel_rows.json", text);
  Diagnostics diags;
  JsonDocument document = JsonDocument::parse(source, diags);
  JsonValue rows = document.root().get("rows");
  ASSERT_GT(rows.size(), 0u);
  std::map<std::string, Score> table;
  Score all;
  for (size_t i = 0; i < rows.size(); ++i) {
    JsonValue row = rows.at(i);
    std::optional<RowQuery> query = readRow(row);
    Family family = opInfo(rowOpKind(row)).family;
    Score score;
    score.rows = 1;
    if (query) compareRow(row, *query, score);
    else std::printf("  %s: not asked, the row leaves out operands\n", rowName(row).c_str());
    add(table[std::string(allFamilyTitles()[static_cast<size_t>(family)])], score);
    add(all, score);
  }
  table["~ all"] = all;
  printTable(table);
  // What held when this was last changed; an improvement raises it. Exact figures of remainders
  // are minimums in the published test, whose checks are held to beside them.
  EXPECT_GE(all.asked, 352);
  EXPECT_GE(all.legal, 351);
  EXPECT_GE(all.held, 300);
  EXPECT_LE(all.buffers.broken, 2);
  EXPECT_LE(all.tensors.broken, 4);
  EXPECT_EQ(all.total.broken, 0);
  EXPECT_LE(all.output.broken, 6);
  EXPECT_GE(all.buffers.exact, 267);
  EXPECT_GE(all.tensors.exact, 245);
  EXPECT_GE(all.total.exact, 212);
  EXPECT_GE(all.output.exact, 280);
}

}  // namespace
}  // namespace tessera::test
