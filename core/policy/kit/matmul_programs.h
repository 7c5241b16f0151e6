#pragma once
// Programs of matmuls whose result is sharded: candidates of the policies that choose by time, and, after layouts and
// spills are decided, one for each other (OpConfigAnalysis, ttnn-optimizer.md 2.1).

#include "core/analysis/problem.h"
#include "core/plan/plan.h"

namespace tessera {

// The fastest program of the compiler's form for a sharded result, with operands in DRAM, where it is faster than what
// the library takes by itself. None for an op that has a program, and none where layouts are kept unasked: the compiler
// knows one program per layout (tt-mlir Analysis/MatmulProgramConfig.cpp).
std::optional<MatmulAttrs> fasterProgram(const Problem& problem, OpId op, const TensorLayout& output);

// Layouts were compared by the time of the program that the library takes by itself. Of the programs of the compiler's
// form for these layouts that the op model accepts, the one that takes that time and no more L1 is written down; none
// where no program does. Ops that have a program keep it.
void chooseMatmulPrograms(const Problem& problem, Plan& plan);

}  // namespace tessera
