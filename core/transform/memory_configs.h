#pragma once
// What ops say about where their results lie, after every pass that may move them (TTNNLayoutOpInterface).

#include "core/device/device_spec.h"
#include "core/ir/graph.h"

namespace tessera {

// `memory_config` of the ops of the forward function as their result types have it, with the shard spec of what is
// sharded; `everyOp`: also on ops in L1 that have none (docs/rules/lowering.md#memory-configuration).
Graph withMemoryConfigs(Graph graph, const DeviceSpec& device, bool everyOp);

}  // namespace tessera
