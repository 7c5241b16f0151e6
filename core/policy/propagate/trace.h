#pragma once
// What both passes went through, as the compiler's decision trace has it.

#include "core/plan/plan.h"
#include "core/plan/propagation_trace.h"
#include "core/policy/propagate/graph_spills.h"

namespace tessera {

PropagationTrace tracePasses(const Problem& problem, const PropagateOptions& options, const Beams& beams,
                             const Propagation& pass1, GraphSpills& spills, const SpillOutcome& outcome,
                             const Plan& plan);

}  // namespace tessera
