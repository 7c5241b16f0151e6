#pragma once
// checkPlan: an independent reading of a plan. With the policies it shares the op table, layout arithmetic, the layouts
// that the problem gives, and the code of the op model; not the op model's memory, nor the rule which results lie in
// their operands' buffers (shared_buffer.h). Slow and obvious on purpose.

#include <string>
#include <vector>

#include "core/analysis/problem.h"
#include "core/plan/plan.h"

namespace tessera {

enum class PlanRule {
  OrderIncomplete,  // order is not a permutation of the forward function's ops
  OrderUseBeforeDef,
  LayoutMissing,     // a tensor value without layout
  LayoutDoesNotFit,  // the layout is not the one its tensor has with that grid
  ArgumentMoved,     // an argument is planned elsewhere than where it arrives
  ReshardOfNothing,  // names an operand that is no tensor, or goes where the value already is
  SpillUnused,       // nothing reads the value afterwards, or it moves to where it already is
  ConfigDiffers,     // an op is configured for another layout than its result has
  OpRefused,         // the op model refuses the op with these layouts
  ReturnNotInDram,
  OverBudget,  // tensors alive and circular buffers exceed the L1 budget
};
std::string_view planRuleName(PlanRule rule);

struct PlanDefect {
  PlanRule rule;
  std::string text;
  OpId op = {};      // at which it shows; invalid: the plan as a whole, or an argument
  int operand = -1;  // of the op; -1: its result, or the op as a whole
};

// Empty when the plan is sound.
std::vector<PlanDefect> checkPlan(const Problem& problem, const Plan& plan);

}  // namespace tessera
