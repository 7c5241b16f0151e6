#include "core/policy/exact/spill_problem.h"

#include <algorithm>

namespace tessera {

namespace {

class DemandBuilder {
 public:
  DemandBuilder(const LayoutModel& model, const std::vector<int>& values) : model_(model), problem_(model.problem()), values_(values) {}

  SpillDemand run() {
    const auto steps = static_cast<size_t>(problem_.schedule.steps());
    out_.problem.steps = problem_.schedule.steps();
    for (OpId op : problem_.schedule.order) out_.own.push_back(model_.l1Of(op, values_));
    for (ValueId value : problem_.graph.values.ids()) {
      const bool ours = problem_.graph.values[value].func == problem_.graph.forward && problem_.isTensor(value);
      if (ours && problem_.graph.values[value].producer.valid()) addValue(value);
    }
    out_.demand = out_.own;
    for (const P2Value& value : out_.problem.values) {
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
  // Where a value stays in one place, it is one value of P2; after a move of its own it is another.
  void addValue(ValueId value) {
    LayoutId place = model_.madeAt(value, values_);
    P2Value current = startAt(value, place, problem_.live[value].def);
    const bool returned = problem_.live[value].lastUse == problem_.schedule.steps() - 1;
    if (returned) current.storeCost = 0;
    OpId last;
    for (const Use& use : problem_.uses[value]) {
      if (opInfo(problem_.graph.ops[use.op].kind).has(kTerminator) || use.op == last) continue;
      last = use.op;
      const int step = problem_.schedule.position[use.op];
      const LayoutId now = model_.placeAt(value, use.op, values_);
      if (now != place) {
        // It moves on its way here: it waits as what takes less.
        finish(std::move(current));
        place = now;
        current = startAt(value, place, step);
        continue;
      }
      const LayoutId read = model_.wayOf(use.op, values_).reads[static_cast<size_t>(use.operand)];
      const Cost back = model_.moves().of(value, dramOf(value), read), direct = model_.moves().of(value, place, read);
      current.uses.push_back(step);
      current.reloadCosts.push_back(isForbidden(back) ? kMaxTotalCost >> 16 : std::max<Cost>(0, back - std::min(direct, back)));
    }
    finish(std::move(current));
  }

  LayoutId dramOf(ValueId value) const { return model_.pool().intern(dramLayout(problem_, value)); }

  P2Value startAt(ValueId value, LayoutId place, int step) const {
    const TensorLayout& layout = model_.pool()[place];
    P2Value out{.size = l1BytesPerCore(layout).count, .def = step, .uses = {}, .storeCost = 0, .reloadCosts = {}};
    if (layout.isL1()) out.storeCost = std::min(model_.moves().of(value, place, dramOf(value)), kMaxTotalCost >> 16);
    return out;
  }

  void finish(P2Value value) {
    if (value.size > 0 && !value.uses.empty()) out_.problem.values.push_back(std::move(value));
  }

  const LayoutModel& model_;
  const Problem& problem_;
  const std::vector<int>& values_;
  SpillDemand out_;
};

}  // namespace

SpillDemand spillDemand(const LayoutModel& model, const std::vector<int>& values) { return DemandBuilder(model, values).run(); }

P2Problem atBudget(const SpillDemand& demand, int64_t budget) {
  P2Problem problem = demand.problem;
  for (size_t step = 0; step < problem.capacity.size(); ++step) problem.capacity[step] = std::max<int64_t>(0, budget - demand.own[step]);
  return problem;
}

}  // namespace tessera
