#pragma once
// OpConfigAnalysis (ttnn-optimizer.md 2.1): after layouts and spills are decided, one program for each matmul whose
// result is sharded.

#include "core/analysis/problem.h"
#include "core/plan/plan.h"

namespace tessera {

// Layouts were compared by the time of the program that the library takes by itself. Of the programs of the compiler's
// form for these layouts that the op model accepts, the one that takes that time and no more L1 is written down; none
// where no program does. Ops that have a program keep it.
void chooseMatmulPrograms(const Problem& problem, Plan& plan);

}  // namespace tessera
