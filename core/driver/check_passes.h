#pragma once
// Does a pass change what the graph computes? Runs the pipeline on the graph made small and executes it before and
// after each pass on the same random inputs.

#include <string>
#include <vector>

#include "core/driver/options.h"
#include "core/execute/interpreter.h"
#include "core/lowering/pass.h"

namespace tessera {

struct PassCheckOptions {
  const PassInfo* pass = nullptr;  // that is compared, whether the pipeline runs it or not; null: all of the pipeline
  // Of the run whose passes are checked. Without a policy of its own it has the preset's. The options op-order and
  // override-conv2d-config have no effect here: they change no result.
  Options run;
  uint64_t seed = 1;
  double tolerance = 0.02;  // relative; constants in dumps are rounded to bf16, fused ops have the exact ones
  bool whole = false;       // do not make the graph smaller first
  bool stageEnds = false;   // compare after the last pass of each stage only: for graphs that stay large
};

struct PassCheck {
  const PassInfo* pass = nullptr;
  ComparisonVerdict verdict;
};

struct PassChecks {
  std::vector<PassCheck> checks;  // in the order of the passes
  std::string problem;            // why the graph could not be made smaller and was executed whole; empty otherwise
};

// The device of the options exists. Under a policy that takes a graph with layouts as it is written, no pass runs:
// there are no checks.
PassChecks checkPasses(const Graph& graph, const PassCheckOptions& options);
// The largest relative error, "3.1e-03".
std::string errorText(const ComparisonVerdict& verdict);

}  // namespace tessera
