#pragma once
// Programs of matmuls: candidates of the policies that choose by time, and, after layouts and spills are decided, one
// for each other with a sharded result (OpConfigAnalysis, ttnn-optimizer.md 2.1).

#include <optional>
#include <vector>

#include "core/analysis/problem.h"
#include "core/ir/layout_pool.h"
#include "core/plan/plan.h"
#include "core/support/key_index.h"

namespace tessera {

// The fastest program for a result that lies there, with operands in DRAM, where it is faster than what the library
// takes by itself: of the compiler's form for a sharded result, for an interleaved one any that the library has. None
// for an op that has a program, and none where layouts are kept unasked: the compiler knows one program per sharded
// layout (tt-mlir Analysis/MatmulProgramConfig.cpp). Ops of one class are worked out once.
class FasterPrograms {
 public:
  explicit FasterPrograms(const Problem& problem) : problem_(problem) {}
  std::optional<MatmulAttrs> of(OpId op, const TensorLayout& output);

 private:
  const Problem& problem_;
  LayoutPool pool_;
  KeyIndex asked_;                                   // class of the op, layouts of its operands and its result
  std::vector<std::optional<MatmulAttrs>> answers_;  // by number in asked_
};

// Cores among which the config's program cuts an interleaved result; 0 where it has none, or the result is sharded.
int64_t coresOfProgram(const Problem& problem, const OpQuery& query);

// Layouts were compared by the time of the program that the library takes by itself. Of the programs of the compiler's
// form for these layouts that the op model accepts, the one that takes that time and no more L1 is written down; none
// where no program does. Ops that have a program keep it.
void chooseMatmulPrograms(const Problem& problem, Plan& plan);

}  // namespace tessera
