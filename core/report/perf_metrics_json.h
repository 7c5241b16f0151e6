#pragma once
// What `ttnn-collect-perf-metrics` of the compiler writes about a run, in its words (tt-mlir
// Transforms/TTNNCollectPerfMetrics.cpp): how many ops are sharded and stay so, and what the chip could do at best.

#include <string>

#include "core/report/report.h"

namespace tessera {

// {"summary":{...},"perf_targets":{...},"flops":{...},"operations"?:[...]}; `verbose` adds a line for each op.
// perf_targets: every matmul, linear and attention with weights takes the longer of its weights from DRAM (counted as
// bfp_bf8) and its tiles on all cores at 32 cycles each; ops without weights are skipped. The estimate is 70 % of that
// speed.
std::string perfMetricsJson(const Report& report, bool verbose);

}  // namespace tessera
