// The known chips. Every number names its source (docs/glossary.md#sources): tt-metal of 2026-04-25, tt-mlir of
// 2026-08-21, and published measurements.

#include "core/device/device_spec.h"

namespace tessera {
namespace {

constexpr std::string_view kSocDescriptor = "tt-metal tt_metal/soc_descriptors";
constexpr std::string_view kCoreDescriptor = "tt-metal tt_metal/core_descriptors";
constexpr std::string_view kMemoryMap = "tt-metal dev_mem_map.h, compiled";
constexpr std::string_view kNocParameters = "tt-metal noc_parameters.h";
constexpr std::string_view kGemmReport = "tt-metal tech_reports/GEMM_FLOPS/GEMM_FLOPS.md";
constexpr std::string_view kDramPlots = "tt-low-level-documentation data_movement_doc/perf_plots";
constexpr std::string_view kDispatchGolden = "tt-metal pgm_dispatch golden file, traced";
constexpr std::string_view kCompilerDefault = "tt-mlir SystemDescAttr::getDefault";

// What every Wormhole board shares.
DeviceSpec wormhole() {
  DeviceSpec spec;
  spec.arch = Arch::WormholeB0;
  spec.grid = {8, 8};
  spec.l1Size = Bytes(1'499'136);
  spec.l1UnreservedBase = Bytes(102'688);
  spec.dramBanks = 12;
  spec.dramBankSize = Bytes(1'073'741'824);
  spec.l1Alignment = 16;
  spec.dramAlignment = 32;
  spec.clockMhz = 1000;
  spec.dramReadBytesPerClock = 203;
  spec.dramWriteBytesPerClock = 160;
  spec.nocBytesPerClock = 32;
  spec.dispatch = Nanoseconds(1570);
  spec.sources = {
      {"L1 per core", "1,499,136 B", kSocDescriptor, "2026-04"},
      {"L1 unreserved base", "102,688 B", kMemoryMap, "2025-12"},
      {"L1_SMALL", "0 B: nothing is cut unless the program asks for it",
       "tt-metal tt_metal/impl/allocator/l1_banking_allocator.cpp", "2026-04"},
      {"DRAM banks", "12 (6 controllers x 2)", kSocDescriptor, "2026-04"},
      {"DRAM bank size", "1,073,741,824 B", kSocDescriptor, "2026-04"},
      {"L1 alignment", "16 B", kNocParameters, "2026-04"},
      {"DRAM alignment (read)", "32 B", kNocParameters, "2026-04"},
      {"AICLK", "1.0 GHz", kGemmReport, "2026-04"},
      {"DRAM read, 64 cores, interleaved, NoC 0", "203.0 B/clk", kDramPlots, "2026-08"},
      {"DRAM write, 64 cores, interleaved, NoC 1", "159.7 B/clk", kDramPlots, "2026-08"},
      {"NoC width", "32 B/clk per link and direction", "tt-isa-documentation WormholeB0/NoC", "2026-04"},
      {"back-to-back traced dispatch", "1.57 us", kDispatchGolden, "2026-04"},
  };
  return spec;
}

// What every Blackhole board shares; the DRAM figures are those of 8 banks.
DeviceSpec blackhole() {
  DeviceSpec spec;
  spec.arch = Arch::Blackhole;
  spec.grid = {10, 13};
  spec.l1Size = Bytes(1'572'864);
  spec.l1UnreservedBase = Bytes(104'192);
  spec.dramBanks = 8;
  spec.dramBankSize = Bytes(4'278'190'080);
  spec.l1Alignment = 16;
  spec.dramAlignment = 64;
  spec.clockMhz = 1350;
  spec.dramReadBytesPerClock = 262;
  spec.dramWriteBytesPerClock = 204;
  spec.nocBytesPerClock = 64;
  spec.dispatch = Nanoseconds(1285);
  spec.sources = {
      {"L1 per core", "1,572,864 B", kSocDescriptor, "2026-04"},
      {"L1 unreserved base", "104,192 B", kMemoryMap, "2025-12"},
      {"L1_SMALL", "0 B: nothing is cut unless the program asks for it",
       "tt-metal tt_metal/impl/allocator/l1_banking_allocator.cpp", "2026-04"},
      {"DRAM bank size", "4,278,190,080 B", kSocDescriptor, "2026-04"},
      {"L1 alignment", "16 B", kNocParameters, "2026-04"},
      {"DRAM alignment (read)", "64 B", kNocParameters, "2026-04"},
      {"AICLK", "1.35 GHz", kGemmReport, "2026-04"},
      {"DRAM read, 110 cores, interleaved, NoC 0", "262.2 B/clk (317.8 in a size sweep)", kDramPlots, "2026-08"},
      {"DRAM write, 110 cores, interleaved, NoC 1", "203.6 B/clk", kDramPlots, "2026-08"},
      {"NoC width", "64 B/clk per link and direction", "tt-metal tech_reports/PCIe_bandwidth", "2026-04"},
      {"back-to-back traced dispatch", "1.285 us", kDispatchGolden, "2026-04"},
  };
  return spec;
}

DeviceSpec n150() {
  DeviceSpec spec = wormhole();
  spec.id = "n150";
  spec.title = "Wormhole n150";
  spec.sources.push_back({"worker grid", "8x8 (72 Tensix, one row kept for dispatch)", kCoreDescriptor, "2026-04"});
  return spec;
}

DeviceSpec n300() {
  DeviceSpec spec = wormhole();
  spec.id = "n300";
  spec.title = "Wormhole n300, one chip, Ethernet dispatch";
  spec.sources.push_back(
      {"worker grid", "8x8: one of the two chips with Ethernet dispatch (Tensix dispatch leaves 8 columns x 7 rows)",
       kCoreDescriptor, "2026-04"});
  return spec;
}

DeviceSpec p150() {
  DeviceSpec spec = blackhole();
  spec.id = "p150";
  spec.title = "Blackhole p150";
  spec.sources.push_back(
      {"worker grid", "13 columns x 10 rows (140 Tensix, dispatch takes the last column)", kCoreDescriptor, "2026-04"});
  spec.sources.push_back({"DRAM banks", "8", kSocDescriptor, "2026-04"});
  return spec;
}

DeviceSpec p100() {
  DeviceSpec spec = blackhole();
  spec.id = "p100";
  spec.title = "Blackhole p100";
  spec.grid = {10, 11};
  spec.dramBanks = 7;
  spec.dramReadBytesPerClock = 252;
  spec.dramWriteBytesPerClock = 200;
  spec.sources.push_back(
      {"worker grid", "11 columns x 10 rows (120 Tensix, two columns harvested)", kCoreDescriptor, "2026-04"});
  spec.sources.push_back({"DRAM banks", "7", kSocDescriptor, "2026-04"});
  spec.sources.push_back({"DRAM read and write", "252 and 200 B/clk: profiled moves between DRAM and shards",
                          "tt-perf-report tests/data", "2026-04"});
  return spec;
}

DeviceSpec mockWormhole() {
  DeviceSpec spec = wormhole();
  spec.id = "mock-wormhole";
  spec.title = "Wormhole as the compiler assumes it without a device";
  spec.l1UnreservedBase = Bytes(1024);
  spec.sources.push_back({"worker grid", "8x8", kCompilerDefault, "2026-08"});
  spec.sources.push_back(
      {"L1 unreserved base", "1,024 B (usable 1,498,112; replaces the chip's)", kCompilerDefault, "2026-08"});
  return spec;
}

// Opened as the library's models with convolutions open it, for index tables.
DeviceSpec mockWormholeSmall() {
  DeviceSpec spec = mockWormhole();
  spec.id = "mock-wormhole-l1-small";
  spec.title = "Wormhole as the compiler assumes it, 24 KiB of L1_SMALL";
  spec.l1Small = Bytes(24'576);
  spec.sources.push_back({"L1_SMALL", "24,576 B (usable 1,473,536; replaces the chip's)",
                          "tt-metal tests/ttnn/integration_tests/resnet/test_ttnn_functional_resnet50_batch_16.py",
                          "2025-12"});
  return spec;
}

DeviceSpec mockBlackhole() {
  DeviceSpec spec = blackhole();
  spec.id = "mock-blackhole";
  spec.title = "Blackhole as the compiler assumes it without a device";
  spec.l1UnreservedBase = Bytes(98'304);
  spec.sources.push_back({"worker grid", "10 rows x 13 columns", kCompilerDefault, "2026-08"});
  spec.sources.push_back({"DRAM banks", "8", kCompilerDefault, "2026-08"});
  spec.sources.push_back(
      {"L1 unreserved base", "98,304 B (usable 1,474,560; replaces the chip's)", kCompilerDefault, "2026-08"});
  return spec;
}

}  // namespace

const std::vector<DeviceSpec>& allDevices() {
  static const std::vector<DeviceSpec> devices = {
      n150(), n300(), p100(), p150(), mockWormhole(), mockWormholeSmall(), mockBlackhole()};
  return devices;
}

const DeviceSpec* findDevice(std::string_view id) {
  for (const DeviceSpec& device : allDevices()) {
    if (device.id == id) return &device;
  }
  return nullptr;
}

std::string_view archName(Arch arch) { return arch == Arch::WormholeB0 ? "wormhole_b0" : "blackhole"; }

}  // namespace tessera
