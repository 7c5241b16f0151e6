// What the model says of every published row, as fingerprints: the bounds of eval_times_test hold medians, and leave
// room for a row that is read as another op.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/evaluate/eval.h"
#include "core/evaluate/opmodel_rows.h"
#include "tests/files.h"
#include "tests/pinned.h"

namespace fs = std::filesystem;

namespace tessera::test {
namespace {

fs::path sharedData() { return sharedFolder() / "data"; }
PinnedFile& pins = PinnedFile::named("published_figures");

struct Published {
  const char* kind;
  EvalResult (*run)(const EvalRequest&);
  const char* file;
  const char*
      measured;  // column; with each of its cells made tiny every row is a miss, whose text says the model's time
};
const Published kPublished[] = {
    {"gemm", evalGemm, "device/gemm_flops.csv", "derived_device_time_ns"},
    {"matmul_hs", evalMatmulHs, "device/torp_matmul_height_sharded_n150.csv", "duration"},
    {"exp", evalExp, "device/torp_exp_interleaved_n300.csv", "median_ns"},
    {"ops", evalOps, "device/ops_perf_profiler_unique.csv", "kernel_ns"},
    {"targets", evalTargets, "device/ttmetal_perf_targets.csv", "value"},
    {"points", evalPoints, "measured_points.json", ""},
    {"spill", evalSpill, "spill_scenarios.json", ""},
};

// The table with "0.001" in a column; cells in quotes stay what they are.
std::string withTiny(const std::string& table, const std::string& column) {
  std::string out;
  int at = -1;
  std::stringstream in(table);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
      quoted ^= c == '"';
      if (c == ',' && !quoted) cells.emplace_back();
      else cells.back() += c;
    }
    if (at < 0 && line.rfind("#", 0) != 0) {
      for (size_t i = 0; i < cells.size(); ++i)
        if (cells[i] == column) at = static_cast<int>(i);
    } else if (at >= 0 && at < static_cast<int>(cells.size()) && std::strtod(cells[at].c_str(), nullptr) > 0) {
      cells[at] = "0.001";
    }
    for (size_t i = 0; i < cells.size(); ++i) out += (i ? "," : "") + cells[i];
    out += '\n';
  }
  return out;
}

std::string figuresOf(const Published& table) {
  const EvalResult result = table.run({.file = (sharedData() / table.file).string()});
  std::string line = result.problem + std::to_string(result.rows) + " rows, " + std::to_string(result.agree) +
                     " agree, " + result.figures;
  Fingerprint print;
  print.add(result.summary);
  for (const EvalMiss& miss : result.misses) print.add(miss.row), print.add(miss.text);
  if (*table.measured) {
    const std::string path = ::testing::TempDir() + "published_" + table.kind + std::to_string(::getpid());
    std::ofstream(path, std::ios::binary) << withTiny(readFile(sharedData() / table.file), table.measured);
    const EvalResult all = table.run({.file = path});
    fs::remove(path);
    EXPECT_EQ(all.agree, 0) << table.kind;
    for (const EvalMiss& miss : all.misses) print.add(miss.row), print.add(miss.text);
  }
  return line + ", print " + digits(print);
}

std::string opModelLine() {
  const SourceBuffer source("opmodel_rows.json", readFile(sharedData() / "opmodel_rows.json"));
  Diagnostics none;
  const JsonDocument document = JsonDocument::parse(source, none);
  const JsonValue rows = document.root().get("rows");
  Fingerprint print;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::optional<RowQuery> query = readRow(rows.at(i));
    print.add(rowName(rows.at(i)));
    if (!query) continue;
    const RowAnswer answer = askRow(*query);
    print.add(verdictText(answer.verdict));
    for (const Bytes size : {answer.constraints.cbL1PeakSize, answer.constraints.tensorL1PeakSize,
                             answer.constraints.peakL1MemorySize, answer.constraints.outputL1BufferSize})
      print.add(size.count);
  }
  const EvalResult result = evalOpModel({.file = (sharedData() / "opmodel_rows.json").string()});
  for (const EvalMiss& miss : result.misses) print.add(miss.row), print.add(miss.text);
  return std::to_string(result.rows) + " rows, " + std::to_string(result.agree) + " agree, " + result.figures +
         ", print " + digits(print);
}

TEST(PublishedFigures, AreAsTheyWere) {
  if (!fs::exists(sharedData() / "opmodel_rows.json")) GTEST_SKIP() << "skipped: no published figures";
  for (const Published& table : kPublished) pins.expect(table.kind, figuresOf(table));
  pins.expect("opmodel", opModelLine());
}

}  // namespace
}  // namespace tessera::test
