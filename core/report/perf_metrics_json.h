#pragma once
// What `ttnn-collect-perf-metrics` of the compiler writes about a run, in its words (tt-mlir
// Transforms/TTNNCollectPerfMetrics.cpp): how many ops are sharded and stay so, and what the chip could do at best.

#include <string>

#include "core/device/device_spec.h"
#include "core/ir/graph.h"

namespace tessera {

// {"flops":{...},"operations"?:[...],"perf_targets":{...},"summary":{...}}, names in the order of the alphabet;
// `verbose` adds a line for each op. perf_targets: every matmul, linear and attention with weights takes the longer of
// its weights from DRAM (counted as bfp_bf8) and its tiles on all cores at 32 cycles each; ops without weights are
// skipped. The estimate is 70 % of that speed. flops: products, attention, convolutions, and sums over chips.
std::string perfMetricsJson(const Graph& graph, const DeviceSpec& device, bool verbose);

}  // namespace tessera
