#pragma once
// Words and data for what both passes decided: the decision log and the propagation trace.

#include "core/plan/decision_log.h"
#include "core/plan/plan.h"
#include "core/policy/propagate/beam.h"
#include "core/policy/propagate/spill_sweep.h"
#include "core/policy/propagate/trace_back.h"

namespace tessera {

void explainDecisions(const Problem& problem, const PropagateOptions& options, const Beams& beams,
                      const Propagation& pass1, const SpillOutcome& outcome, const Plan& plan, DecisionLog& log);

}  // namespace tessera
