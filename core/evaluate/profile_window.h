#pragma once
// Halo, convolution and pooling programs of a device profile, by what their attributes say.

#include <cstdint>
#include <optional>

#include "core/device/device_spec.h"
#include "core/profile/csv.h"

namespace tessera {

// Nanoseconds; nothing when a size is missing.
std::optional<int64_t> profiledHalo(const CsvTable& t, size_t row, const DeviceSpec& device);
std::optional<int64_t> profiledConv(const CsvTable& t, size_t row, const DeviceSpec& device);
std::optional<int64_t> profiledPool(const CsvTable& t, size_t row, const DeviceSpec& device);

}  // namespace tessera
