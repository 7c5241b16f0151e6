// Every answer of the op model about many ops in many layouts, against tests/golden/op_model.expected: verdicts, bytes
// and times to the last digit. UPDATE_GOLDEN=1 rewrites it.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/ops/model/op_model.h"
#include "tests/import/import_testing.h"
#include "tests/ops/asking.h"
#include "tests/ops/op_rows.h"

namespace tessera::test {
namespace {

const Where kInRows{BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, PageLayout::RowMajor};
const Where kRowsInL1{BufferType::L1, TensorMemoryLayout::Interleaved, {8, 8}, PageLayout::RowMajor};
const Where kRowsOver8{BufferType::L1, TensorMemoryLayout::HeightSharded, {8, 1}, PageLayout::RowMajor};
const Where kRowsOverBanks{BufferType::DRAM, TensorMemoryLayout::HeightSharded, {12, 1}, PageLayout::RowMajor};
const Where kOnHost{BufferType::SystemMemory, TensorMemoryLayout::None, {1, 1}, PageLayout::RowMajor};

struct Placing {
  const char* name;
  Where first, others, result;
  const char* device = "n150";
  LibraryRelease library = LibraryRelease::R2025_11;
};
const Placing kPlacings[] = {
    {"dram", kInDram, kInDram, kInDram},
    {"rows", kInRows, kInRows, kInRows},
    {"tiles of rows", kInRows, kInRows, kInDram},
    {"l1", kInL1, kInL1, kInL1},
    {"height", heightOver(8), kInDram, heightOver(8)},
    {"height everywhere", heightOver(8), heightOver(8), heightOver(8)},
    {"width", widthOver(8), kInDram, widthOver(8)},
    {"block", blockOver(4, 4), kInDram, blockOver(4, 4)},
    {"into block", kInDram, kInDram, blockOver(4, 4)},
    {"out of height", heightOver(16), kInL1, kInDram},
    {"others by height", kInDram, heightOver(8), kInDram},
    {"rows by height", kRowsOver8, kInRows, kRowsOver8},
    {"rows in L1", kRowsInL1, kRowsInL1, kInL1},
    {"into rows", kInL1, kInDram, kInRows},
    {"block everywhere", blockOver(4, 8), blockOver(4, 8), blockOver(4, 8)},
    {"width everywhere", widthOver(4), widthOver(4), widthOver(4)},
    {"one column of blocks", blockOver(8, 1), kInDram, heightOver(4)},
    {"width into height", widthOver(8), kInL1, heightOver(8)},
    {"over banks", kInL1, overBanks(4), kInL1},
    {"from the host", kOnHost, kInDram, kInDram},
    {"into the host", kInDram, kOnHost, kOnHost},
    {"others from the host", kInDram, kOnHost, kInDram},
    {"rows over banks", kRowsOverBanks, kInRows, kInRows},
    {"p150, dram", kInDram, kInDram, kInDram, "p150", LibraryRelease::R2026_04},
    {"p150, block", blockOver(4, 4), kInDram, blockOver(4, 4), "p150"},
    {"2026-04, l1", kInL1, kInDram, kInL1, "n150", LibraryRelease::R2026_04},
    {"2026-04, height", heightOver(8), kInDram, kInDram, "n150", LibraryRelease::R2026_04},
};

DeviceSpec deviceOf(const Placing& placing) {
  DeviceSpec device = *findDevice(placing.device);
  device.library = placing.library;
  return device;
}

std::optional<TensorLayout> layoutOf(const Graph& graph, ValueId value, const Where& where, const DeviceSpec& device) {
  const TensorType& type = *graph.values[value].type.tensor;
  LayoutRequest request{type.dtype, where.buffer, where.memory, where.page, where.grid};
  request.allowIdleCores = true;
  auto made = makeLayout(type.shape, request, device);
  return made.ok() ? std::optional(*made) : std::nullopt;
}

std::string answerTo(const Graph& graph, OpId id, const Placing& placing) {
  const Op& op = graph.ops[id];
  const DeviceSpec device = deviceOf(placing);
  std::vector<std::optional<TensorLayout>> inputs;
  for (ValueId operand : op.operands) {
    inputs.push_back(layoutOf(graph, operand, inputs.empty() ? placing.first : placing.others, device));
    if (!inputs.back()) return "no such layout";
  }
  OpConfig config;
  if (!op.results.empty()) {
    const auto output = layoutOf(graph, op.results[0], placing.result, device);
    if (!output) return "no such layout";
    config.output = *output;
  }
  const OpModel model(device);
  const OpQuery query{graph, id, inputs, config, Bytes(0)};
  const OpVerdict verdict = model.validateOperation(query, device.usableL1());
  if (!verdict.ok() && verdict.status != OpStatus::OutOfMemory)
    return std::string(refusalName(verdict.reason)) + " " + std::to_string(verdict.operand);
  const OpConstraints c = model.getOpConstraints(query);
  const OpTime t = model.getOpRuntime(query);
  std::ostringstream text;
  text << (verdict.ok() ? "" : "too large, ") << "buffers " << c.cbL1PeakSize.count << " tensors "
       << c.tensorL1PeakSize.count << " result " << c.outputL1BufferSize.count << "; fixed " << t.fixed.count
       << " compute " << t.compute.count << " dram " << t.dram.count << " noc " << t.noc.count << " ns; " << t.dramBytes
       << " + " << t.nocBytes << " B on " << t.cores << "; " << model.ruleOf(query).name;
  for (const CircularBuffer& buffer : model.getCircularBuffers(query))
    text << "; " << buffer.name << " " << buffer.pages << "/" << buffer.bytes
         << (buffer.backedBy == BackedBy::Nothing ? "" : " lent");
  if (verdict.ok() && !op.results.empty() && verdict.output != config.output)
    text << "; " << layoutText(verdict.output);
  return text.str();
}

// A line for every answer, with the placings that have it.
std::string answersTo(const Graph& graph, OpId op) {
  std::vector<std::pair<std::string, std::string>> lines;  // answer, placings
  for (const Placing& placing : kPlacings) {
    const std::string answer = answerTo(graph, op, placing);
    auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& one) { return one.first == answer; });
    if (line == lines.end()) lines.emplace_back(answer, placing.name);
    else line->second += std::string(" | ") + placing.name;
  }
  std::string text;
  for (const auto& [answer, placings] : lines) text += "  " + placings + ": " + answer + "\n";
  return text;
}

TEST(OpModelGolden, EveryAnswerIsTheExpectedOne) {
  const std::filesystem::path folder = std::filesystem::path(TESSERA_SOURCE_DIR) / "tests" / "golden";
  std::ifstream list(folder / "op_model.txt");
  std::string actual;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> row = splitRow(line, '|');
    ASSERT_GE(row.size(), 3u) << line;
    const Imported imported = importText(programOfRow(row));
    if (!imported.graph) {
      ADD_FAILURE() << line << "\n" << imported.report();
      continue;
    }
    const Graph& graph = *imported.graph;
    actual += row[0] + "  " + row[2] + (row.size() > 3 ? " -> " + row[3] : "") + "  " + row[1].substr(0, 60) + "\n";
    actual += answersTo(graph, graph.funcs[graph.forward].ops[0]);
  }
  const std::filesystem::path file = folder / "op_model.expected";
  if (std::getenv("UPDATE_GOLDEN")) {
    std::ofstream(file, std::ios::binary) << actual;
    return;
  }
  std::ifstream in(file, std::ios::binary);
  std::stringstream expected;
  expected << in.rdbuf();
  const std::vector<std::string> is = splitRow(actual, '\n'), wanted = splitRow(expected.str(), '\n');
  for (size_t i = 0; i < std::min(is.size(), wanted.size()); ++i)
    ASSERT_EQ(is[i], wanted[i]) << "line " << i + 1 << "; if this is meant, run scripts/update_golden";
  EXPECT_EQ(is.size(), wanted.size());
}

}  // namespace
}  // namespace tessera::test
