#pragma once
// From chains to a plan: walks the schedule with real addresses, gives every op its config, inserts the chains'
// reshards and spills (ttnn-optimizer.md 3.5.1) and finds out whether everything has a place.

#include "core/plan/plan.h"
#include "core/policy/chain/chain_work.h"

namespace tessera {

struct ChainPlan {
  Plan plan;
  // The first op that finds no room although the chains count on it; invalid when the plan is sound.
  OpId failedAt;
  OpVerdict verdict;
};

ChainPlan writeChainPlan(const ChainWork& work);

// writeChainPlan until it is sound: what keeps L1 taken where an op fails is taken back, the latest decision first;
// when there is none, the op's own chain fails. Everything taken back is in the trace and in `warnings`.
Plan settleChainPlan(ChainWork& work, std::vector<std::string>& warnings);

}  // namespace tessera
