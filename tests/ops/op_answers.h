#pragma once
// What the op model answers about one op in many layouts, as text: verdicts, bytes and times to the last digit.

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/model/op_model.h"
#include "tests/import/import_testing.h"
#include "tests/ops/asking.h"

namespace tessera::test {

inline const Where kInRows{BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, PageLayout::RowMajor};
inline const Where kRowsInL1{BufferType::L1, TensorMemoryLayout::Interleaved, {8, 8}, PageLayout::RowMajor};
inline const Where kRowsOver8{BufferType::L1, TensorMemoryLayout::HeightSharded, {8, 1}, PageLayout::RowMajor};
inline const Where kRowsOverBanks{BufferType::DRAM, TensorMemoryLayout::HeightSharded, {12, 1}, PageLayout::RowMajor};
inline const Where kOnHost{BufferType::SystemMemory, TensorMemoryLayout::None, {1, 1}, PageLayout::RowMajor};

struct Placing {
  const char* name;
  Where first, others, result;
  const char* device = "n150";
  LibraryRelease library = LibraryRelease::R2025_11;
};
inline const Placing kPlacings[] = {
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
    {"rows into L1", kInRows, kInRows, kRowsInL1},
    {"rows into height", kInRows, kInRows, kRowsOver8},
    {"rows out of L1", kRowsInL1, kInRows, kInRows},
    {"into L1", kInDram, kInDram, kInL1},
    {"into height", kInDram, kInDram, heightOver(8)},
    {"out of block", blockOver(4, 4), kInDram, kInL1},
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

inline DeviceSpec deviceOf(const Placing& placing) {
  DeviceSpec device = *findDevice(placing.device);
  device.library = placing.library;
  return device;
}

inline std::optional<TensorLayout> layoutOf(const Graph& graph, ValueId value, const Where& where,
                                            const DeviceSpec& device) {
  const TensorType& type = *graph.values[value].type.tensor;
  LayoutRequest request{type.dtype, where.buffer, where.memory, where.page, where.grid};
  request.allowIdleCores = true;
  auto made = makeLayout(type.shape, request, device);
  return made.ok() ? std::optional(*made) : std::nullopt;
}

inline std::string answerTo(const Graph& graph, OpId id, const Placing& placing) {
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
inline std::string answersTo(const Graph& graph, OpId op) {
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

}  // namespace tessera::test
