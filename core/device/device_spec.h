#pragma once
// What the optimizer and the simulator know about a chip. Plain data; every number is listed with source and date in
// device_table.cpp. Grids are rows x columns.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/support/enum_table.h"
#include "core/support/units.h"

namespace tessera {

enum class Arch { WormholeB0, Blackhole };

// Release of the device library whose rules hold: what an op takes and which circular buffers it has. Oldest first.
enum class LibraryRelease : uint8_t { R2025_11, R2026_04 };
inline constexpr EnumRow<LibraryRelease> kLibraryReleases[] = {
    {LibraryRelease::R2025_11, "2025-11", "2025-11"},
    {LibraryRelease::R2026_04, "2026-04", "2026-04"},
};

struct GridShape {
  int32_t rows = 1;
  int32_t cols = 1;
  constexpr int64_t volume() const { return int64_t{rows} * cols; }
  friend constexpr bool operator==(GridShape, GridShape) = default;
};

// One published number and where it stands.
struct SourcedNumber {
  std::string_view what;    // "l1 size per core"
  std::string_view value;   // as published, with unit
  std::string_view source;  // document or file
  std::string_view date;    // "2026-04"
  friend bool operator==(const SourcedNumber&, const SourcedNumber&) = default;
};

// Thousandths by family of ops; 0: as predicted.
inline constexpr size_t kMostFamilies = 48;
using TimeFactors = std::array<int32_t, kMostFamilies>;

struct DeviceSpec {
  std::string_view id;     // "n150": what --device takes
  std::string_view title;  // "Wormhole n150"
  Arch arch = Arch::WormholeB0;
  GridShape grid;          // worker cores available to programs
  Bytes l1Size;            // whole L1 of one core
  Bytes l1UnreservedBase;  // first address usable by programs; below lies firmware and kernel configuration
  LibraryRelease library =
      LibraryRelease::R2025_11;  // the one that the published answers of the op model were taken from
  Bytes l1Small;                 // cut from the top of L1 when the device is opened (mostly 0)
  int32_t dramBanks = 0;
  Bytes dramBankSize;
  int64_t l1Alignment = 16;            // bytes
  int64_t dramAlignment = 32;          // bytes; also the allocator's granule in L1
  int64_t clockMhz = 1000;             // AICLK
  int64_t dramReadBytesPerClock = 0;   // all cores together, interleaved reads, measured
  int64_t dramWriteBytesPerClock = 0;  // all cores together, interleaved writes, measured
  int64_t nocBytesPerClock = 0;        // one core, one direction
  Nanoseconds dispatch;                // fixed cost of one traced program
  TimeFactors timeFactors{};           // on the predicted times of ops
  std::vector<SourcedNumber> sources;

  // Bytes per core that buffers and circular buffers may share.
  Bytes usableL1() const { return l1Size - l1UnreservedBase - l1Small; }
  friend bool operator==(const DeviceSpec&, const DeviceSpec&) = default;
};

// In the order a picker should show them; the first is the default.
const std::vector<DeviceSpec>& allDevices();
// Null when there is no such device.
const DeviceSpec* findDevice(std::string_view id);
// "wormhole_b0", "blackhole".
std::string_view archName(Arch arch);

// Where usable L1 begins moves with every release of the device library. One published value.
struct L1Release {
  Arch arch;
  std::string_view date;  // "2025-12"
  Bytes base;             // l1UnreservedBase of that release
};
// Oldest first, Wormhole before Blackhole. The chips of allDevices() stand at 2025-12 (preset `seed`); the mocks at no
// release.
const std::vector<L1Release>& l1Releases();
// `device` with another base; a base outside [0, l1Size - l1Small] is moved to the nearest end, so usableL1() is never
// negative.
DeviceSpec withL1Base(const DeviceSpec& device, Bytes base);
// `device` as of a release; nothing when that release is not known for its architecture.
std::optional<DeviceSpec> withL1Release(const DeviceSpec& device, std::string_view date);

}  // namespace tessera
