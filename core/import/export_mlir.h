#pragma once
// Graph to MLIR text as MLIR prints it: generic form with properties, aliases for layouts and buffer types, `return`,
// `call` and `ttcore.load_cached` in their own form. importMlirText(exportMlir(g)) is the same graph (sameGraph), apart
// from places.

#include <string>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/graph.h"

namespace tessera {

struct MlirPrintOptions {
  bool locations = true;     // loc("name") behind the ops that have one
  bool localScope = false;   // no aliases: everything stands where it is used
  bool renumber = false;     // %arg0, %0, %1 ... as MLIR names values, instead of the graph's own names
  int64_t elideLarger = -1;  // constants of more numbers than this are printed without them; -1: none
};

// `device` places shards on cores in layout attributes; null: the default device.
std::string exportMlir(const Graph& graph, const DeviceSpec* device = nullptr, const MlirPrintOptions& options = {});

// The layout's whole attribute, as it was written when it still is that layout; "" when there is none.
std::string mlirLayoutText(const TensorType& tensor, const DeviceSpec* device = nullptr);

}  // namespace tessera
