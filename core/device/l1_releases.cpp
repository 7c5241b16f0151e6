#include <algorithm>

#include "core/device/device_spec.h"

namespace tessera {

// tt-metal dev_mem_map.h: base computed by compiling the memory map of each release
// (map end + 69 KiB kernel-configuration ring, rounded up to the DRAM alignment).
const std::vector<L1Release>& l1Releases() {
  static const std::vector<L1Release> releases = {
      {Arch::WormholeB0, "2025-06", Bytes(97'248)},  {Arch::WormholeB0, "2025-09", Bytes(99'808)},
      {Arch::WormholeB0, "2025-12", Bytes(102'688)}, {Arch::WormholeB0, "2026-04", Bytes(103'712)},
      {Arch::Blackhole, "2025-06", Bytes(98'304)},   {Arch::Blackhole, "2025-09", Bytes(101'440)},
      {Arch::Blackhole, "2025-12", Bytes(104'192)},  {Arch::Blackhole, "2026-04", Bytes(111'104)},
  };
  return releases;
}

DeviceSpec withL1Base(const DeviceSpec& device, Bytes base) {
  DeviceSpec result = device;
  const Bytes top = device.l1Size - device.l1Small;
  result.l1UnreservedBase = std::clamp(base, Bytes(0), std::max(top, Bytes(0)));
  return result;
}

std::optional<DeviceSpec> withL1Release(const DeviceSpec& device, std::string_view date) {
  for (const L1Release& release : l1Releases()) {
    if (release.arch == device.arch && release.date == date) return withL1Base(device, release.base);
  }
  return std::nullopt;
}

}  // namespace tessera
