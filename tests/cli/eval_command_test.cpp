// What `tessera eval` says of a table of times: the figures of a family as text and as JSON.

#include "core/support/json_value.h"
#include "tests/cli/cli_testing.h"

namespace tessera::test {
namespace {

const std::string kNames =
    "arch,op,cores,avail_cores,kernel_ns,in0_padded,in0_layout_dtype,in0_mem,out0_padded,out0_layout_dtype,out0_mem,"
    "attributes\n";

std::string row(const std::string& operation, int64_t nanoseconds) {
  const std::string tensor = ",1x1x1024x1024,TILE:BFLOAT16,DRAM_INTERLEAVED";
  return "wormhole_b0," + operation + ",64,64," + std::to_string(nanoseconds) + tensor + tensor +
         ",op_type=UnaryOpType::RELU\n";
}

std::string firstWith(const std::string& text, const std::string& word) {
  const size_t at = text.find(word);
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

// The model's time of the row, from the text of a miss.
int64_t modelTimeOfRow() {
  const TemporaryFile table(kNames + row("UnaryDeviceOperation", 1));
  const Outcome told = runTessera({"eval", "ops", table.path(), "--verbose"});
  const std::string miss = firstWith(told.out, "model ");
  return std::atoll(miss.c_str() + 6);
}

// Ten rows: eight without an error, one of 50 and one of 75 percent of the measured time; and one that is no op. The
// middle of ten errors in their order is the sixth, nine tenths of them are below the tenth.
TEST(EvalCommand, MedianAndNineTenthsOfEveryFamily) {
  const int64_t model = modelTimeOfRow();
  ASSERT_GT(model, 1000);
  std::string rows = kNames + row("UnaryDeviceOperation", 4 * model) + row("UnaryDeviceOperation", 2 * model);
  for (int i = 0; i < 8; ++i) rows += row("UnaryDeviceOperation", model);
  const TemporaryFile ten(rows), eleven(rows + row("UnaryDeviceOperation", model)),
      more(rows + row("NoSuchOperation", 7));
  const Outcome text = runTessera({"eval", "ops", ten.path(), "--families"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(firstWith(text.out, "family ").find(": rows 10 median_abs_err 0.0% p90 75.0%"), std::string::npos)
      << text.out;
  EXPECT_NE(firstWith(runTessera({"eval", "ops", eleven.path(), "--families"}).out, "family ")
                .find(": rows 11 median_abs_err 0.0% p90 50.0%"),
            std::string::npos);
  EXPECT_EQ(firstWith(runTessera({"eval", "ops", ten.path()}).out, "family "), "");

  const SourceBuffer json("eval", runTessera({"eval", "ops", more.path(), "--json"}).out);
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(json, diags);
  const JsonValue root = document.root();
  EXPECT_EQ(root.get("kind").asString(), "ops");
  EXPECT_EQ(root.get("rows").asInteger(), 11);
  EXPECT_EQ(root.get("agree").asInteger(), 8);
  EXPECT_EQ(root.get("figures").asString().value_or("").substr(0, 33), "median_abs_err 0.0% p90 75.0% spe")
      << json.text();
  ASSERT_EQ(root.get("families").size(), 2u);
  const JsonValue family = root.get("families").at(0);
  EXPECT_NE(family.get("name").asString().value_or(""), "");
  EXPECT_EQ(family.get("rows").asInteger(), 10);
  EXPECT_EQ(family.get("median_abs_err").asString(), "0.0%");
  EXPECT_EQ(family.get("p90").asString(), "75.0%");
  EXPECT_EQ(root.get("families").at(1).get("rows").asInteger(), 1);
  EXPECT_EQ(root.get("families").at(1).get("p90").asString(), "100.0%");
  ASSERT_EQ(root.get("misses").size(), 3u);
  EXPECT_EQ(root.get("misses").at(0).get("text").asString(),
            "model " + std::to_string(model) + " ns, measured " + std::to_string(4 * model) + " ns, off by 75%");
  EXPECT_NE(root.get("misses").at(0).get("row").asString().value_or(""), "");
  EXPECT_EQ(root.get("misses").at(2).get("text").asString(), "no model, measured 7 ns");
}

TEST(EvalCommand, AFileThatIsNoTableIsAMistake) {
  const TemporaryFile empty("");
  const Outcome none = runTessera({"eval", "ops", "/no/such/file"}), bad = runTessera({"eval", "exp", empty.path()});
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.err, "tessera: cannot read `/no/such/file`\n");
  EXPECT_EQ(bad.code, 1);
  EXPECT_EQ(bad.err, "tessera: `" + empty.path() + "` is no table with a line of names, or too large\n");
}

}  // namespace
}  // namespace tessera::test
