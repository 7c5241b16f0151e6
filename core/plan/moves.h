#pragma once
// What each move of a plan is called. A move puts a tensor into another layout: either the tensor itself from some op
// on (Plan::spills), or a copy for one operand of one op (Plan::reshards).

#include <array>

#include "core/plan/plan.h"

namespace tessera {

enum class MoveKind { Spill, Reload, Reshard, Return };
inline constexpr size_t kMoveKinds = 4;
inline constexpr std::array<MoveKind, kMoveKinds> kAllMoveKinds = {MoveKind::Spill, MoveKind::Reload, MoveKind::Reshard,
                                                                   MoveKind::Return};
const char* moveName(MoveKind kind);       // "spill"
const char* moveCountName(MoveKind kind);  // "spills": the count's name in texts and in the report

// Out of L1: a spill, or a return when it is made because the function returns the tensor. From DRAM into L1: a reload.
// Within the same memory: a reshard. The only place that decides this.
MoveKind moveKind(const TensorLayout& from, const TensorLayout& to, bool forReturn);

struct PlanMoves {
  std::vector<MoveKind> spills;    // by Plan::spills
  std::vector<MoveKind> reshards;  // by Plan::reshards
  std::array<int64_t, kMoveKinds> counts{};
  int64_t count(MoveKind kind) const { return counts[static_cast<size_t>(kind)]; }
};

// The moves of a plan whose entries stand in schedule order.
PlanMoves planMoves(const Graph& graph, const Plan& plan);
// "spills 1  reloads 0  reshards 2  returns 1"
std::string moveCountsText(const PlanMoves& moves);

const char* spillCauseName(SpillCause cause);  // "chain end"

}  // namespace tessera
