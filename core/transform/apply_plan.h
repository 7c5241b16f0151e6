#pragma once
// applyPlan: a graph and a plan give a new graph in which every decision is visible (ttnn-optimizer.md 3.5): layouts on
// the types, `ttnn.to_layout` ops for moves, the plan's order, updated function types.

#include "core/plan/moves.h"

namespace tessera {

// Why an op that is not of the program stands in the graph.
struct InsertedMove {
  MoveKind kind = MoveKind::Reshard;
  std::optional<SpillCause> cause;  // none: a copy for one operand of one op
  int32_t room = -1;                // in Plan::room; -1: room does not decide it
};

struct AppliedPlan {
  Graph graph;                                        // ids of the old graph's ops and values stay valid in it
  IdVec<OpId, std::optional<InsertedMove>> inserted;  // none: an op of the program
};

// Puts in a graph that passes made of `applied.graph`; ids stayed valid. The ops they added to a move belong to it.
void replaceGraph(AppliedPlan& applied, Graph graph);

// The plan must have passed checkPlan. `grid`: the device's cores, which programs with interleaved results name.
AppliedPlan applyPlan(const Graph& graph, const Plan& plan, GridShape grid = {8, 8});

}  // namespace tessera
