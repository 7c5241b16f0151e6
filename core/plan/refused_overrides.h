#pragma once
// Where a plan leaves the layouts that the user fixed by hand.

#include <vector>

#include "core/analysis/problem.h"
#include "core/plan/plan.h"

namespace tessera {

struct RefusedOverride {
  const NamedOverride<OutputLayoutOverride>* asked = nullptr;  // of the problem's options
  OpId op;                                                     // writes its first result in another layout
};

// In the order of the overrides, then of the problem's schedule.
std::vector<RefusedOverride> refusedOverrides(const Problem& problem, const Plan& plan);

}  // namespace tessera
