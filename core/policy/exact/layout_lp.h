#pragma once
// Layouts and L1 together as an integer program, for other solvers: what solveJoint() bounds. Nothing is priced.

#include <string>

#include "core/policy/exact/layout_costs.h"

namespace tessera {

// CPLEX LP format; at most `capacity` bytes of L1 per core at every step.
std::string writeJointLp(const LayoutChoices& choices, MoveTime& moves, int64_t capacity);

}  // namespace tessera
