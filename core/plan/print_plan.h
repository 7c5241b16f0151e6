#pragma once
// The plan as text: one line per op, then a summary; the golden format.

#include <string>

#include "core/analysis/problem.h"
#include "core/plan/plan.h"

namespace tessera {

// %3  ttir.matmul  L1 block 8x8 shard 4x2     in1 -> DRAM
// --  peak L1 811008/1396448  reshards 1  spills 0 ...   (the summary is added by the report, which knows the run)
std::string printPlan(const Problem& problem, const Plan& plan);

}  // namespace tessera
