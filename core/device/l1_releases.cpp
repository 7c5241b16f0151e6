#include <algorithm>
#include <iterator>

#include "core/device/device_spec.h"

namespace tessera {

// Device reference 1.3: base computed by compiling the memory map of each release
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

namespace {

constexpr std::string_view kLibraryReleases[] = {"2025-11", "2026-04"};

}  // namespace

std::string_view libraryReleaseName(LibraryRelease release) { return kLibraryReleases[static_cast<size_t>(release)]; }

std::optional<LibraryRelease> parseLibraryRelease(std::string_view name) {
  for (size_t i = 0; i < std::size(kLibraryReleases); ++i) {
    if (kLibraryReleases[i] == name) return static_cast<LibraryRelease>(i);
  }
  return std::nullopt;
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
