#pragma once
// Graphs for tests: from MLIR text, from the samples of the page and from the reference corpus; and one run of a policy
// with everything it refers to.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/policy/policy.h"
#include "core/policy/policy_memory.h"
#include "core/sim/simulator.h"
#include "core/transform/apply_plan.h"
#include "tests/analysed.h"
#include "tests/files.h"
#include "tests/import_text.h"
#include "tests/no_diagnostics.h"
#include "tests/sizes.h"

namespace tessera::test {

// All of them, or some under sanitizers.
inline std::vector<std::filesystem::path> corpusSlice() { return sliceOf(corpusFiles()); }
inline std::vector<std::filesystem::path> sampleFiles() {
  return mlirFilesIn(std::filesystem::path(TESSERA_SOURCE_DIR) / "web/public/samples");
}

// Of a policy in the list of all.
inline size_t policyNumber(std::string_view id) { return static_cast<size_t>(findPolicy(id) - allPolicies().data()); }

// The graph of a text that has no mistakes. A mistake fails the test and gives an empty graph, whose forward function
// is invalid.
inline Graph graphOf(const std::string& text) {
  SourceBuffer source("test.mlir", text);
  Diagnostics diags;
  std::optional<Graph> graph = importMlirText(source, diags);
  for (const Diagnostic& d : diags.all()) {
    if (d.severity == Severity::Error) ADD_FAILURE() << renderDiagnostic(d, source);
  }
  return graph ? std::move(*graph) : Graph();
}

// The value called `name` in the forward function; invalid when there is none.
inline ValueId valueNamed(const Graph& graph, std::string_view name) {
  for (ValueId id : graph.values.ids()) {
    if (graph.values[id].func == graph.forward && graph.values[id].name == name) return id;
  }
  return {};
}

inline OpId producerOf(const Graph& graph, std::string_view name) {
  ValueId value = valueNamed(graph, name);
  return value.valid() ? graph.values[value].producer : OpId();
}

inline TensorLayout layoutFor(const Graph& graph, ValueId value, BufferType buffer, TensorMemoryLayout memory,
                              GridShape grid, const DeviceSpec& device) {
  const TensorType& type = *graph.values[value].type.tensor;
  auto made = makeLayout(type.shape,
                         {.dtype = deviceDType(type.dtype), .buffer = buffer, .memory = memory, .grid = grid}, device);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().text);
  return made.ok() ? *made : TensorLayout{};
}

// One policy on one graph, up to the simulator. Pinned: the problem refers to graph and device.
struct PolicyRun {
  DeviceSpec device;
  Graph graph;
  PolicyMemory memory;
  std::unique_ptr<Problem> problem;
  DecisionLog log;
  Plan plan;
  AppliedPlan applied;
  SimResult sim;

  PolicyRun() = default;
  PolicyRun(const PolicyRun&) = delete;
  PolicyRun& operator=(const PolicyRun&) = delete;
};

inline std::unique_ptr<PolicyRun> runOn(Graph graph, std::string_view policy, const ProblemOptions& options = {},
                                        const DeviceSpec& device = allDevices()[0],
                                        const PolicyOptions& policyOptions = {}) {
  auto run = std::make_unique<PolicyRun>();
  run->device = device;
  run->graph = std::move(graph);
  run->problem = std::make_unique<Problem>(analysed(run->graph, run->device, options));
  run->plan = planBy(*findPolicy(policy), *run->problem, policyOptions, run->memory, run->log);
  run->applied = applyPlan(run->graph, run->plan);
  run->sim = simulate(run->applied.graph, run->problem->model, run->problem->budget.bytes());
  return run;
}

}  // namespace tessera::test
