#pragma once

#include <deque>

#include "core/analysis/problem.h"
#include "tests/no_diagnostics.h"

namespace tessera::test {

// Asked by an op model that remembers nothing, under a budget that lives as long as the program.
inline Problem analysed(const Graph& graph, const DeviceSpec& device, const ProblemOptions& options) {
  static std::deque<L1Budget> budgets;
  return analyse(graph, OpModel(device), options, budgets.emplace_back(l1Budget(device, options)), noDiagnostics());
}

}  // namespace tessera::test
