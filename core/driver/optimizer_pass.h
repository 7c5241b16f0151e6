#pragma once
// The optimizer as a pass among others, on a graph as it stands: `tessera opt --ttnn-optimizer`; and each of its two
// passes alone.

#include <optional>
#include <string>

#include "core/driver/options.h"
#include "core/plan/propagation_trace.h"
#include "core/policy/policy_memory.h"

namespace tessera {

struct OptimizedGraph {
  Graph graph;                            // the given one when there are errors
  Diagnostics diagnostics;                // of the options, and of what the plan breaks
  std::string note;                       // what had to be done first; "" when nothing
  IdVec<OpId, OpConfig> configs;          // what was decided for each op
  std::optional<PropagationTrace> trace;  // where the options ask for one and the part leaves one
};

// The decisions of a part of the optimizer in the graph. One without layouts is lowered first. Of resolved options;
// `source` is the graph as it was read, whose locations overrides name.
OptimizedGraph optimizeAlone(PolicyMemory& memory, OptimizerPart part, const Options& options, const Graph& source,
                             const Graph& graph, const PassContext& context);

}  // namespace tessera
