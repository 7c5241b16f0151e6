#pragma once
// Pass 2 decided ahead of the sweep: for the layouts of pass 1, which values stay in L1 between their readers, by a
// rule of thumb or by the certified optimum. The sweep carries it out with addresses, and evicts more where there
// is no hole.

#include "core/plan/decision_log.h"
#include "core/policy/propagate/graph_spills.h"

namespace tessera {

// The sweep's outcome under the options' strategy; with SpillStrategy::Policy as `choice` has it.
SpillOutcome sweepByStrategy(GraphSpills& spills, const PropagateOptions& options, const SpillChoice& choice,
                             DecisionLog& log);

// Another policy's plan, whose layouts are kept and whose spills are decided anew: what its ops write to L1 is to stay
// there.
Plan respill(const Problem& problem, const Plan& plan, const PropagateOptions& options, MoveMemory& memory,
             DecisionLog& log);

}  // namespace tessera
