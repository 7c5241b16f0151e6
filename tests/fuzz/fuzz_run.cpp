// LIBS: tessera_driver
// A graph's text behind two bytes that choose a policy and options: what is read is lowered, planned and executed on
// simulated memory, with no defect and the values of the graph; or it is refused.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "core/driver/execute_run.h"
#include "core/execute/shrink_graph.h"
#include "core/support/check.h"
#define FUZZ_HEAD_BYTES 2
#include "tests/fuzz/text_mutator.h"

using namespace tessera;

namespace {

// So that an input takes milliseconds.
constexpr size_t kMostOps = 20;
constexpr int64_t kMostElements = 1 << 15;

Options optionsFrom(uint8_t policy, uint8_t bits) {
  Options options;
  const std::span<const PolicyInfo> policies = allPolicies();
  options.policy = policies[policy % policies.size()].id;
  constexpr int64_t kCaps[] = {-1, 950, 500, 50};
  options.l1UsageCapPermille = kCaps[bits & 3];
  options.rowMajorEnabled = (bits & 4) != 0;
  options.constEvalEnabled = (bits & 8) == 0;
  options.fusingEnabled = (bits & 16) == 0;
  options.bfp8Weights = (bits & 32) != 0;
  options.d2mSubgraphs = (bits & 64) != 0;
  options.spillSearch = (bits & 128) != 0;
  options.exactRounds = 4;
  return options;
}

int64_t elements(const Graph& graph) {
  int64_t all = 0;
  for (const Value& value : graph.values) {
    if (!value.type.isTensor()) continue;
    int64_t own = 1;
    for (int64_t dim : value.type.tensor->shape) own = mulSaturated(own, std::max<int64_t>(dim, 1));
    all = std::max(all, own);
  }
  return all;
}

void checkRun(const Graph& graph, const ExecuteRequest& request) {
  Session small;
  const ExecutedRun done = executeSmall(graph, small, request);
  if (!done.run->report.run) return;
  const bool asWritten = done.run->policy != nullptr && std::string_view(done.run->policy->id) == "AsWritten";
  for (const ReportDefect& defect : done.run->report.run->defects) {
    std::fprintf(stderr, "%s %s: %s\n", defect.checker.data(), defect.rule.data(), defect.text.c_str());
    TESSERA_CHECK(asWritten, "a defect");
  }
  if (!done.executed || done.execution.status != PlanStatus::Different) return;
  std::fprintf(stderr, "%s\n", planExecutionText(done.execution).c_str());
  TESSERA_CHECK(false, "a value in memory is not what it should be");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  const LoadedGraph loaded = loadGraph("fuzz", test::textOf(data + 2, size - 2));
  if (!loaded.graph || loaded.diagnostics.hasErrors() || loaded.graph->ops.size() > kMostOps) return 0;
  const ShrunkGraph small = shrinkGraph(*loaded.graph, data[0] < 200 ? 0 : 40);
  if (elements(small.graph) > kMostElements) return 0;
  checkRun(small.graph, {.options = optionsFrom(data[0], data[1]), .whole = true});
  return 0;
}
