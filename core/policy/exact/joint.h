#pragma once
// Layouts and L1 together: the capacity of every step becomes a price per byte (Lagrangian relaxation of layout
// selection). Every price gives a lower bound over all plans of these choices, whatever they let leave L1 in between,
// and an assignment that is made to fit (realize.h) gives an upper bound.

#include "core/policy/exact/realize.h"
#include "core/solve/selection/elimination_order.h"

namespace tessera {

struct JointOptions {
  int64_t capacity = 0;  // bytes per core that tensors and circular buffers may take at every step
  int32_t rounds = 60;
  WorkBudget budget;  // counted in table cells
};

// Bounds before the first round, after each that improved one of them, and at the end.
struct JointStep {
  int32_t round = 0;  // rounds done
  Cost upper = kForbidden;
  Cost lower = 0;
};

struct JointResult {
  std::optional<Plan> plan;  // none: no assignment could be made to fit better than `upper`
  Cost upper = kForbidden;
  Cost lower = 0;
  int32_t rounds = 0;
  int32_t realized = 0;  // assignments of which plans were made, each once
  std::vector<JointStep> steps;
  std::vector<int64_t>
      stepPrices;  // of the best bound, per step, in units of pricesOf(); empty: the bound given was not improved
};

// Prices per byte of each step, in 2^-16 ns.
L1Prices pricesOf(const std::vector<int64_t>& perStep);

// `order`: of the graph's variables. `unpriced`: the optimum without prices, of which plans were made already; `lower`:
// what it costs. `upper`: the time of the best plan known.
JointResult solveJoint(const LayoutChoices& choices, ExactMemory& memory, MoveTime& moves,
                       const EliminationOrder& order, const LayoutAssignment& unpriced, Cost lower, Cost upper,
                       JointOptions options);

}  // namespace tessera
