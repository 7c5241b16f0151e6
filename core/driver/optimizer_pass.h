#pragma once
// The optimizer as a pass among others, on a graph as it stands: `tessera opt --ttnn-optimizer`.

#include <string>

#include "core/driver/options.h"
#include "core/driver/session.h"

namespace tessera {

struct OptimizedGraph {
  Graph graph;              // the given one when there are errors
  Diagnostics diagnostics;  // of the options, and of what the plan breaks
  std::string note;         // what had to be done first; "" when nothing
};

// The policy's decisions in the graph. One without layouts is lowered first. Of resolved options.
OptimizedGraph optimizeAlone(Session& session, const Options& options, const Graph& graph, const PassContext& context);

}  // namespace tessera
