#pragma once
// A plan seen through the op model: how long it takes, and whether everything in it finds its place in L1.

#include "core/plan/plan.h"
#include "core/policy/kit/move_time.h"

namespace tessera {

// Where a plan's operands are when their op runs, and in which layouts it reads them.
struct PlanTrack {
  IdVec<OpId, OpConfig> config;
  IdVec<OpId, std::vector<LayoutId>> at, reads;  // by operand; kNoLayout for what is no tensor
};
PlanTrack trackPlan(const Problem& problem, const Plan& plan, LayoutPool& pool);

// Nanoseconds of all ops and all moves of the plan; kForbidden when it asks for a move that the library does not have.
Cost planTime(const Problem& problem, const Plan& plan, MoveTime& moves);

// Replays the plan with addresses: every op is legal or `mayBeRefused`, within the budget, and finds its places. The
// plan's order must be the problem's schedule.
bool planFits(const Problem& problem, const Plan& plan, const IdVec<OpId, bool>& mayBeRefused);

}  // namespace tessera
