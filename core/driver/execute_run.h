#pragma once
// A run's plan executed on simulated memory (core/machine/execute_plan.h), on random inputs.

#include <memory>
#include <string>

#include "core/driver/pipeline.h"
#include "core/machine/execute_plan.h"

namespace tessera {

// The plan of a run that got through.
PlanExecution executeRun(const FinishedRun& finished, uint64_t seed);

struct ExecuteRequest {
  Options options;     // of the run
  uint64_t seed = 1;   // of the inputs
  bool whole = false;  // the graph as it is, as far as the limits of an execution go
  int64_t side = 40;   // else rows and columns that had so many keep about as many; 0: as small as may be
};

struct ExecutedRun {
  std::unique_ptr<FinishedRun> run;  // of the graph that was executed; its diagnostics and defects say what stopped it
  PlanExecution execution;
  std::string note;  // how the graph was made smaller, or why it was not
  bool executed = false;
};

// Makes the graph of the session smaller (core/execute/shrink_graph.h), runs the policy on that and executes the plan.
// `small` takes the small graph as its source; the result refers to it.
ExecutedRun executeSmall(const Graph& graph, Session& small, const ExecuteRequest& request);

}  // namespace tessera
