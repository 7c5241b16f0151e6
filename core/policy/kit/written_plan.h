#pragma once

#include "core/analysis/problem.h"
#include "core/plan/plan.h"

namespace tessera {

// The plan that a graph carries: its order, and every tensor where its type has it, else where it has to be.
Plan writtenPlan(const Problem& problem);

}  // namespace tessera
