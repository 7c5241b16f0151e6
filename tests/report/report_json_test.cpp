// What the report JSON says about a run. Layouts are indices into run.layouts.

#include <map>

#include "core/driver/pipeline.h"
#include "core/report/plan_text.h"
#include "core/support/json_value.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

struct ParsedReport {
  Session session;
  std::unique_ptr<FinishedRun> run;
  std::string json;
  SourceBuffer source;
  Diagnostics diags;
  JsonDocument document;

  JsonValue root() const { return document.root(); }
  JsonValue inRun(std::string_view name) const { return root().get("run").get(name); }
};

// Pinned: the report refers to the session.
std::unique_ptr<ParsedReport> reportOf(const std::string& text, const Options& options = {}) {
  auto parsed = std::make_unique<ParsedReport>();
  parsed->session.load("test.mlir", text);
  parsed->run = runPolicy(parsed->session, options, Diagnostics());
  parsed->json = reportJson(parsed->run->report);
  parsed->source = SourceBuffer("report.json", parsed->json);
  parsed->document = JsonDocument::parse(parsed->source, parsed->diags);
  EXPECT_FALSE(parsed->diags.hasErrors()) << parsed->diags.all()[0].message;
  return parsed;
}

// Every element of `array` is an index below `count`.
void expectIndices(JsonValue array, size_t count, const char* what) {
  ASSERT_TRUE(array.isArray()) << what;
  for (size_t i = 0; i < array.size(); ++i) {
    int64_t index = array.at(i).asInteger().value_or(-1);
    EXPECT_TRUE(index >= 0 && static_cast<size_t>(index) < count) << what << " " << index;
  }
}

// With a reshard, a spill, an unknown op's warning, locations and several kinds of argument.
const char* const kText =
    "module @demo {\n"
    "func.func @main(%a: tensor<256x256xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "
    "\"pixels\"}, %b: tensor<256x256xbf16>) -> "
    "tensor<256x256xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<256x256xbf16>) -> tensor<256x256xbf16> loc(\"first\")\n"
    "  %1 = \"ttir.exp\"(%b) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %2 = \"ttir.matmul\"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<256x256xbf16>, "
    "tensor<256x256xbf16>) -> "
    "tensor<256x256xbf16>\n"
    "  %3 = \"mylib.odd\"(%2) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %4 = \"ttir.relu\"(%3) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  return %4 : tensor<256x256xbf16>\n}\n}\n";

// Fields and words are checked against docs/schema by web/test/answers.
TEST(ReportJson, ListsEveryOptionAndAnAddressForEveryBuffer) {
  auto report = reportOf(kText);
  EXPECT_EQ(report->root().get("schema").asInteger(), kReportSchema);
  EXPECT_EQ(report->root().get("ok").asBool(), true);
  JsonValue options = report->root().get("options");
  EXPECT_EQ(options.size(), allOptions().size());
  for (const OptionInfo& info : allOptions()) EXPECT_TRUE(options.get(info.id).present()) << info.id;
  EXPECT_EQ(report->inRun("placement").get("addresses").size(), report->inRun("buffers").size());
  EXPECT_EQ(report->inRun("defects").size(), 0u);
}

TEST(ReportJson, SpillingIsThereWhenAStrategyWasAskedFor) {
  EXPECT_FALSE(reportOf(kText)->inRun("spilling").present());
  Options options;
  options.spillStrategy = "certified";
  EXPECT_EQ(reportOf(kText, options)->inRun("spilling").get("strategy").asString(), "certified");
}

TEST(ReportJson, IndicesStayInsideTheirLists) {
  for (uint64_t seed = 0; seed < test::seeds(30); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto report = reportOf(randomGraphText(seed));
    JsonValue rows = report->inRun("rows"), values = report->inRun("values"), layouts = report->inRun("layouts"),
              chains = report->inRun("chains");
    auto within = [](JsonValue index, int64_t least, size_t count) {
      int64_t at = index.asInteger().value_or(least - 1);
      return at >= least && at < static_cast<int64_t>(count);
    };
    for (size_t i = 0; i < rows.size(); ++i) {
      expectIndices(rows.at(i).get("operands"), values.size(), "operand");
      expectIndices(rows.at(i).get("results"), values.size(), "result");
      EXPECT_TRUE(within(rows.at(i).get("chain"), -1, chains.size()));
    }
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_TRUE(within(values.at(i).get("layout"), 0, layouts.size()));
      EXPECT_TRUE(within(values.at(i).get("producer"), -1, rows.size()));
      expectIndices(values.at(i).get("uses"), rows.size(), "use");
    }
    for (size_t i = 0; i < chains.size(); ++i) expectIndices(chains.at(i).get("rows"), rows.size(), "chain row");
    JsonValue buffers = report->inRun("buffers"), decisions = report->inRun("decisions");
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_TRUE(within(buffers.at(i).get("value"), 0, values.size()));
      EXPECT_TRUE(within(buffers.at(i).get("to"), 0, rows.size()));
      EXPECT_LE(*buffers.at(i).get("from").asInteger(), *buffers.at(i).get("to").asInteger());
    }
    for (size_t i = 0; i < decisions.size(); ++i) {
      EXPECT_TRUE(within(decisions.at(i).get("row"), 0, rows.size()));
      JsonValue candidates = decisions.at(i).get("candidates");
      for (size_t c = 0; c < candidates.size(); ++c)
        EXPECT_TRUE(within(candidates.at(c).get("layout"), 0, layouts.size()));
    }
  }
}

TEST(ReportJson, LayoutsOfValuesAreTheirLayouts) {
  auto report = reportOf(kText);
  JsonValue values = report->inRun("values"), layouts = report->inRun("layouts");
  const Graph& graph = report->run->report.run->program->applied.graph;
  for (size_t i = 0; i < values.size(); ++i) {
    ValueId id = valueNamed(graph, values.at(i).get("name").asString()->substr(1));
    ASSERT_TRUE(id.valid());
    const TensorType& type = *graph.values[id].type.tensor;
    JsonValue layout = layouts.at(static_cast<size_t>(*values.at(i).get("layout").asInteger()));
    EXPECT_EQ(layout.get("text").asString(), layoutText(*type.layout));
    EXPECT_EQ(layout.get("bytesPerCore").asInteger(), l1BytesPerCore(*type.layout).count);
    EXPECT_EQ(layout.get("totalBytes").asInteger(), totalBytes(type.shape, *type.layout).count);
    EXPECT_EQ(layout.get("grid").at(0).asInteger(), type.layout->grid.rows);
    EXPECT_EQ(layout.get("shard").at(1).asInteger(), type.layout->shardCols);
  }
}

TEST(ReportJson, RowsSayWhatWasInserted) {
  auto report = reportOf(kText);
  JsonValue rows = report->inRun("rows");
  std::map<std::string_view, int64_t> count;
  int64_t time = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string_view kind = *rows.at(i).get("kind").asString();
    const bool inserted = kind != "op" && kind != "terminator";
    ++count[kind];
    time += *rows.at(i).get("time").get("total").asInteger();
    EXPECT_EQ(rows.at(i).get("place").kind() == JsonKind::Null, inserted);
    EXPECT_EQ(rows.at(i).get("cause").present(), inserted);
    if (inserted) {
      EXPECT_EQ(rows.at(i).get("op").asString(), "ttnn.to_memory_config");
    }
  }
  EXPECT_EQ(rows.at(rows.size() - 1).get("kind").asString(), "terminator");
  JsonValue totals = report->inRun("totals");
  EXPECT_GT(count["spill"] + count["reload"] + count["reshard"], 0);
  EXPECT_GT(count["return"], 0);
  for (MoveKind kind : kAllMoveKinds) EXPECT_EQ(totals.get(moveCountName(kind)).asInteger(), count[moveName(kind)]);
  EXPECT_EQ(totals.get("time").asInteger(), time);
  EXPECT_EQ(totals.get("ops").asInteger(), 6);  // %a comes in rows and is put into tiles first
  EXPECT_EQ(report->inRun("l1Budget").asInteger(), 1'396'448);
}

TEST(ReportJson, NamesAndLabelsAreThoseOfTheSource) {
  auto report = reportOf(kText);
  EXPECT_EQ(report->root().get("input").get("name").asString(), "demo");
  EXPECT_EQ(report->inRun("function").asString(), "main");
  JsonValue values = report->inRun("values");
  EXPECT_EQ(values.at(0).get("name").asString(), "%a");
  EXPECT_EQ(values.at(0).get("label").asString(), "pixels");
  EXPECT_EQ(values.at(0).get("role").asString(), "input");
  EXPECT_EQ(values.at(1).get("role").asString(), "none");
  EXPECT_EQ(report->inRun("rows").at(0).get("label").asString(), "first_in_0_layout");
  EXPECT_EQ(report->inRun("rows").at(1).get("label").asString(), "first");
}

// Columns count UTF-16 units, from 1: the comment before the op holds a letter of two bytes and an emoji of two units.
TEST(ReportJson, PlacesAreOneBasedAndCountUtf16) {
  std::string text =
      "// first line\nfunc.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"\xC3\xA4\xF0\x9F\x98\x80\") "
      "%1 = \"mylib.odd\"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  return %1 : tensor<64x64xbf16>\n}\n";
  auto report = reportOf(text);
  size_t lineStart = text.find("  %0"), second = text.find("%1 ");
  ASSERT_NE(second, std::string::npos);
  int64_t units = static_cast<int64_t>(second - lineStart) - 3 + 1;  // 6 bytes are 3 units; and one-based
  JsonValue rows = report->inRun("rows");
  ASSERT_GE(rows.size(), 3u);
  JsonValue first, last;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows.at(i).get("name").asString() == "%0") first = rows.at(i).get("place");
    if (rows.at(i).get("name").asString() == "%1") last = rows.at(i).get("place");
  }
  EXPECT_EQ(first.get("line").asInteger(), 3);
  EXPECT_EQ(first.get("column").asInteger(), 3);
  EXPECT_EQ(last.get("line").asInteger(), 3);
  EXPECT_EQ(last.get("column").asInteger(), units);
  ASSERT_EQ(report->root().get("diagnostics").size(), 1u);  // the unknown op
  EXPECT_EQ(report->root().get("diagnostics").at(0).get("line").asInteger(), 3);
  const JsonValue unknown = report->root().get("diagnostics").at(0);
  EXPECT_GE(*unknown.get("column").asInteger(), units);
  EXPECT_EQ(unknown.get("endLine").asInteger(), 3);
  EXPECT_EQ(unknown.get("endColumn").asInteger(), units + 16);  // %1 = "mylib.odd"
}

TEST(ReportJson, WithoutAGraphThereIsNoRun) {
  auto report = reportOf("func.func @main( oops");
  EXPECT_EQ(report->root().get("ok").asBool(), false);
  EXPECT_EQ(report->root().get("run").kind(), JsonKind::Null);
  EXPECT_EQ(report->root().get("policy").kind(), JsonKind::Null);
  EXPECT_GT(report->root().get("diagnostics").size(), 0u);
  EXPECT_TRUE(report->root().get("device").isObject());
}

// Every byte sequence that is not UTF-8 becomes U+FFFD, control characters are escaped.
TEST(ReportJson, OnlyValidUtf8Leaves) {
  const std::string hostile[] = {"\xFF\xFE",
                                 "\xC3",
                                 "\xED\xA0\x80",
                                 "\xF8\x88\x80\x80\x80",
                                 "a\x01\x02"
                                 "b",
                                 "\xE2\x80\xA8",
                                 "\x7F",
                                 "\xC0\xAF"};
  for (const std::string& bytes : hostile) {
    std::string text = "module @\"m" + bytes + "\" {\nfunc.func @\"f" + bytes +
                       "\"(%a: tensor<64x64xbf16> {ttir.name = \"n" + bytes +
                       "\"}) -> tensor<64x64xbf16> {\n  %0 = \"odd." + bytes + "\"(%a) {note = \"" + bytes +
                       "\"} : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"l" + bytes +
                       "\")\n  return %0 : tensor<64x64xbf16>\n}\n}\n";
    auto report = reportOf(text);
    EXPECT_EQ(toValidUtf8(report->json), report->json);
    for (char c : report->json) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  }
}

TEST(ReportJson, DiagnosticsJsonIsUtf8) {
  Session session;
  const LoadedGraph& loaded = session.load("x", "\xFF junk");
  SourceBuffer json("lint.json", diagnosticsJson(loaded.diagnostics, loaded.source));
  Diagnostics diags;
  JsonDocument document = JsonDocument::parse(json, diags);
  EXPECT_GT(document.root().get("diagnostics").size(), 0u);
  EXPECT_EQ(toValidUtf8(json.text()), json.text());
}

TEST(PlanText, EndsWithTheTotals) {
  auto report = reportOf(kText);
  std::string text = planText(*report->run->report.run);
  EXPECT_EQ(report->inRun("plan").asString(), text);
  const SimResult& sim = report->run->report.run->program->sim;
  std::string summary = "--  time " + std::to_string(sim.time.count) + " ns  dram " + std::to_string(sim.dramBytes) +
                        " B  peak L1 " + std::to_string(sim.peakL1.count) + "/1396448 at step " +
                        std::to_string(sim.peakStep);
  EXPECT_NE(text.find(summary), std::string::npos) << text;
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace tessera::test
