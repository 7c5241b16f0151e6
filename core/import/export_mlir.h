#pragma once
// Graph to MLIR text in generic form. importMlirText(exportMlir(g)) is the same graph (sameGraph), apart from places.

#include <string>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/graph.h"

namespace tessera {

// `device` places shards on cores in layout attributes; null: the default device.
std::string exportMlir(const Graph& graph, const DeviceSpec* device = nullptr);

// The type as MLIR text without aliases.
std::string mlirTypeText(const ValueType& type, const DeviceSpec* device = nullptr);

// The layout's whole attribute, as it was written when it still is that layout; "" when there is none.
std::string mlirLayoutText(const TensorType& tensor, const DeviceSpec* device = nullptr);

}  // namespace tessera
