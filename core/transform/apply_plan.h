#pragma once
// applyPlan: a graph and a plan give a new graph in which every decision is visible (seed 000, 3.5): layouts on the types,
// `ttnn.to_layout` ops for reshards and spills, the plan's order, updated function types.

#include "core/plan/plan.h"

namespace tessera {

enum class InsertedAs { No, Reshard, Spill };

struct AppliedPlan {
  Graph graph;                        // ids of the old graph's ops and values stay valid in it
  IdVec<OpId, InsertedAs> inserted;
  IdVec<OpId, SpillCause> spillCause; // of ops inserted as Spill
};

// Puts in a graph that passes made of `applied.graph`; ids stayed valid. The ops they added to a reshard or a spill belong to it.
void replaceGraph(AppliedPlan& applied, Graph graph);

// The plan must have passed checkPlan.
AppliedPlan applyPlan(const Graph& graph, const Plan& plan);

}  // namespace tessera
