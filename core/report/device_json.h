#pragma once

#include "core/device/device_spec.h"
#include "core/support/json_writer.h"

namespace tessera {

// One DeviceInfo object of docs/schema/common.schema.json.
void writeDevice(JsonWriter& w, const DeviceSpec& device);

}  // namespace tessera
