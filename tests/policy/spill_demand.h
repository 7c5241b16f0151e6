#pragma once
// Spilling (core/solve/spilling/spill_solver.h) for given layouts: which tensors leave L1 between their readers when a
// step's budget cannot hold all that are alive.

#include <algorithm>

#include "core/policy/exact/layout_assignment.h"
#include "core/solve/spilling/spill_solver.h"

namespace tessera {

struct SpillDemand {
  SpillProblem problem;         // capacities are what `budget` leaves besides the step's own bytes
  std::vector<int64_t> own;     // per step: what the op reads and allocates itself
  std::vector<int64_t> demand;  // per step: own, and all that waits in L1
};

class DemandBuilder {
 public:
  DemandBuilder(const LayoutCosts& costs, const LayoutAssignment& assignment)
      : costs_(costs), problem_(costs.choices().problem), assignment_(assignment) {}

  SpillDemand run() {
    const auto steps = static_cast<size_t>(problem_.schedule.steps());
    out_.problem.steps = problem_.schedule.steps();
    for (OpId op : problem_.schedule.order) out_.own.push_back(assignment_.ops[op].l1);
    for (ValueId value : problem_.graph.values.ids()) {
      const bool ours = problem_.graph.values[value].func == problem_.graph.forward && problem_.isTensor(value);
      if (ours && problem_.graph.values[value].producer.valid()) addValue(value);
    }
    out_.demand = out_.own;
    for (const SpillValue& value : out_.problem.values) {
      int from = value.def;
      for (int use : value.uses) {
        for (int step = from + 1; step < use; ++step) out_.demand[static_cast<size_t>(step)] += value.size;
        from = use;
      }
    }
    out_.problem.capacity.assign(steps, 0);
    return std::move(out_);
  }

 private:
  // As long as a value keeps its layout, it is one value of the spilling problem; after a move it is another.
  void addValue(ValueId value) {
    LayoutId layout = costs_.choices().produced(value).at(assignment_.values);
    SpillValue current = startAt(value, layout, problem_.live[value].def);
    const bool returned = problem_.live[value].lastUse == problem_.schedule.steps() - 1;
    if (returned) current.storeCost = 0;
    OpId last;
    for (const Use& use : problem_.uses[value]) {
      if (opInfo(problem_.graph.ops[use.op].kind).has(kTerminator) || use.op == last) continue;
      last = use.op;
      const int step = problem_.schedule.position[use.op];
      const AssignedOp& reader = assignment_.ops[use.op];
      const LayoutId now = reader.at[static_cast<size_t>(use.operand)];
      if (now != layout) {
        // It moves before this reader.
        finish(std::move(current));
        layout = now;
        current = startAt(value, layout, step);
        continue;
      }
      const LayoutId read = reader.candidate.reads[static_cast<size_t>(use.operand)];
      const Cost back = costs_.moves().of(value, dramOf(value), read), direct = costs_.moves().of(value, layout, read);
      current.uses.push_back(step);
      current.reloadCosts.push_back(isForbidden(back) ? kMaxTotalCost >> 16
                                                      : std::max<Cost>(0, back - std::min(direct, back)));
    }
    finish(std::move(current));
  }

  LayoutId dramOf(ValueId value) const { return costs_.choices().values[value].dram; }

  SpillValue startAt(ValueId value, LayoutId id, int step) const {
    const TensorLayout& layout = costs_.choices().pool[id];
    SpillValue out{.size = l1BytesPerCore(layout).count, .def = step, .uses = {}, .storeCost = 0, .reloadCosts = {}};
    if (layout.isL1()) out.storeCost = std::min(costs_.moves().of(value, id, dramOf(value)), kMaxTotalCost >> 16);
    return out;
  }

  void finish(SpillValue value) {
    if (value.size > 0 && !value.uses.empty()) out_.problem.values.push_back(std::move(value));
  }

  const LayoutCosts& costs_;
  const Problem& problem_;
  const LayoutAssignment& assignment_;
  SpillDemand out_;
};

// A value that waits in L1 for a reader may be stored in DRAM, once, and read back: at the cost of both moves, less the
// conversion that the reader needs anyway. What is returned has to be stored in any case.
inline SpillDemand spillDemand(const LayoutCosts& costs, const LayoutAssignment& assignment) {
  return DemandBuilder(costs, assignment).run();
}

// The same problem at a budget of bytes per core. What a step needs for itself is there whatever the budget.
inline SpillProblem atBudget(const SpillDemand& demand, int64_t budget) {
  SpillProblem problem = demand.problem;
  for (size_t step = 0; step < problem.capacity.size(); ++step)
    problem.capacity[step] = std::max<int64_t>(0, budget - demand.own[step]);
  return problem;
}

}  // namespace tessera
