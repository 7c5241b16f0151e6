#pragma once
// What ops say about their results, after every pass that may change those (TTNNLayoutOpInterface,
// TTNNDtypeOpInterface).

#include "core/device/device_spec.h"
#include "core/ir/graph.h"

namespace tessera {

// `memory_config` of the ops of the forward function as their result types have it, with the shard spec of what is
// sharded, and `dtype`; `everyOp`: also on ops in L1 without memory_config, and on ops without the dtype that they can
// say (docs/rules/lowering.md#memory-configuration).
Graph withResultAttributes(Graph graph, const DeviceSpec& device, bool everyOp);

}  // namespace tessera
