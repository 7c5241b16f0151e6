#pragma once
// A device small enough to compute by hand: 2x2 cores, 64 KiB of L1 of which 4 KiB are taken, two DRAM banks.

#include "tests/policy/test_graphs.h"

namespace tessera::test {

constexpr int64_t kTile = 2048;  // bytes of a bf16 tile
constexpr int64_t kL1Top = 65536;
constexpr int64_t kL1Base = 4096;

inline DeviceSpec tinyDevice() {
  DeviceSpec device = allDevices()[0];
  device.id = "tiny";
  device.grid = {2, 2};
  device.l1Size = Bytes(kL1Top);
  device.l1UnreservedBase = Bytes(kL1Base);
  device.l1Small = Bytes(0);
  device.dramBanks = 2;
  device.dramBankSize = Bytes(1 << 20);
  device.dramAlignment = 32;
  return device;
}

// A graph in which every tensor of the forward function has a layout: DRAM unless `places` says otherwise.
struct Place {
  std::string_view value;
  TensorMemoryLayout memory = TensorMemoryLayout::Interleaved;
  GridShape grid = {2, 2};
};
inline Graph laidOut(const std::string& text, const std::vector<Place>& inL1, const DeviceSpec& device) {
  Graph graph = graphOf(text);
  for (ValueId id : graph.values.ids()) {
    if (graph.values[id].type.isTensor()) {
      graph.values.edit(id).type.tensor->layout =
          layoutFor(graph, id, BufferType::DRAM, TensorMemoryLayout::Interleaved, {}, device);
    }
  }
  for (const Place& place : inL1) {
    ValueId id = valueNamed(graph, place.value);
    EXPECT_TRUE(id.valid()) << place.value;
    if (id.valid())
      graph.values.edit(id).type.tensor->layout =
          layoutFor(graph, id, BufferType::L1, place.memory, place.grid, device);
  }
  return graph;
}

// `%name = "op"(operands)` with one type for all.
inline std::string line(const std::string& name, const std::string& op, const std::string& operands,
                        const std::string& type) {
  std::string types = type;
  for (char c : operands) {
    if (c == ',') types += ", " + type;
  }
  return "  " + name + " = \"" + op + "\"(" + operands + ") : (" + types + ") -> " + type + "\n";
}

// Four ops over 64x64 (2x2 tiles): through L1 interleaved, height sharded, interleaved again, back to DRAM.
inline Graph fourOps(const DeviceSpec& device) {
  const std::string t = "tensor<64x64xbf16>";
  std::string text = "func.func @main(%a: " + t + ") -> " + t + " {\n" + line("%0", "ttir.relu", "%a", t) +
                     line("%1", "ttir.relu", "%0", t) + line("%2", "ttir.add", "%1, %1", t) +
                     line("%3", "ttir.relu", "%2", t) + "  return %3 : " + t + "\n}\n";
  return laidOut(text, {{"0"}, {"1", TensorMemoryLayout::HeightSharded, {2, 1}}, {"2"}}, device);
}

}  // namespace tessera::test
