#include "core/solve/selection/selection_solver.h"

#include <algorithm>

#include "core/solve/selection/dual_solver.h"
#include "core/solve/selection/elimination_order.h"
#include "core/solve/selection/elimination_tree.h"

namespace tessera {

namespace {

// Elimination when its tables fit; false when they do not.
bool solveByTree(const FactorGraph& model, SelectionOptions& options, SelectionResult& result) {
  EliminationOrder order = chooseOrder(model, options.cellLimit);
  if (order.variables.empty() && model.variableCount() > 0) return false;
  if (!options.budget.spend(order.cells)) return false;
  result.width = order.width;
  result.cells = order.cells;
  EliminationSolution solution = EliminationTree(model, std::move(order)).solve();
  result.feasible = solution.feasible;
  result.cost = result.lowerBound = solution.cost;
  result.values = std::move(solution.values);
  result.proven = true;
  return true;
}

// Depth first, guided by the bounds of DualSolver; a subproblem whose tables fit is solved by elimination. The model's
// costs are multiples of 2^shift, so that what DualSolver loses by rounding its shares is a small part of such a unit.
class BranchAndBound {
 public:
  BranchAndBound(const FactorGraph& model, int shift, SelectionOptions& options, SelectionResult& result)
      : model_(model), shift_(shift), options_(options), result_(result), dual_(model) {}

  void run() {
    const Cost root = tighten(kRootSweeps);
    result_.lowerBound = root;
    if (closed(root)) return finish();
    fixByBound();
    if (finishByTree()) return finish();
    result_.method = "branch and bound";
    open(root);
    while (!stack_.empty() && !options_.budget.exhausted()) {
      Frame& frame = stack_.back();
      dual_.undo(frame.mark);
      if (frame.next == frame.values.size() || frame.bound >= result_.cost) {
        stack_.pop_back();
        continue;
      }
      const int value = frame.values[frame.next++];
      if (!dual_.alive(frame.variable, value)) continue;
      for (int x = 0; x < model_.domain(frame.variable); ++x)
        if (x != value && dual_.alive(frame.variable, x)) dual_.prune(frame.variable, x);
      const Cost floor = frame.bound;
      const Cost bound = std::max(floor, tighten(kNodeSweeps));
      if (options_.budget.exhausted()) {
        --frame.next;  // this child is not finished
        break;
      }
      if (bound >= result_.cost) continue;
      fixByBound();
      if (!finishByTree()) open(bound);
    }
    finish();
  }

 private:
  static constexpr int kRootSweeps = 300;
  static constexpr int kNodeSweeps = 12;
  struct Frame {
    int variable;
    std::vector<int> values;  // best first
    size_t next;
    size_t mark;
    Cost bound;
  };

  bool closed(Cost bound) const { return bound >= result_.cost; }
  Cost unit() const { return Cost{1} << shift_; }
  // Solutions cost whole units, and so does what none of them is below.
  Cost wholeBound(Cost bound) const { return isForbidden(bound) ? bound : ceilShift(bound, shift_) * unit(); }

  // Keeps what may be a unit better than the incumbent.
  void fixByBound() {
    if (options_.useReducedCosts) dual_.fixByBound(result_.cost - unit() + 1);
  }

  void offer(const std::vector<int>& values, Cost cost) {
    if (cost >= result_.cost) return;
    result_.cost = cost;
    result_.values = values;
    result_.feasible = true;
  }

  // Sweeps until the bound stops growing by units, trying for solutions on the way.
  Cost tighten(int most) {
    Cost best = -kMaxTotalCost;
    int idle = 0;
    std::vector<int> values;
    for (int i = 0; i < most && idle < 4; ++i) {
      if (!options_.budget.spend(dual_.workPerSweep() + model_.variableCount())) break;
      const Cost bound = wholeBound(dual_.sweep());
      idle = bound > best ? 0 : idle + 1;
      best = std::max(best, bound);
      if (best >= result_.cost) return best;
      if (i % 4 == 0 || idle == 3) {
        const Cost direct = dual_.decode(values);
        Cost improved = direct;
        dual_.improve(values, improved);
        offer(values, improved);
      }
    }
    return best;
  }

  // Solves what is left exactly when its tables fit.
  bool finishByTree() {
    if (!options_.useTree) return false;
    std::vector<std::vector<int>> kept(at(model_.variableCount()));
    for (int v = 0; v < model_.variableCount(); ++v)
      for (int x = 0; x < model_.domain(v); ++x)
        if (dual_.alive(v, x)) kept[at(v)].push_back(x);
    for (const std::vector<int>& list : kept)
      if (list.empty()) return true;
    const ReducedModel reduced = restrictModel(model_, std::move(kept));
    SelectionResult inner;
    if (!solveByTree(reduced.model, options_, inner)) return false;
    if (inner.feasible) {
      for (int v = 0; v < model_.variableCount(); ++v)
        inner.values[at(v)] = reduced.kept[at(v)][at(inner.values[at(v)])];
      offer(inner.values, inner.cost);
    }
    return true;
  }

  // Branches on the variable that shares tables with most others.
  void open(Cost bound) {
    int chosen = -1;
    int64_t most = -1;
    std::vector<int64_t> ties(at(model_.variableCount()), 0);
    for (const Factor& factor : model_.factors()) {
      int free = 0;
      for (int v : factor.scope) free += dual_.aliveCount(v) > 1;
      if (free > 1)
        for (int v : factor.scope) ties[at(v)] += free - 1;
    }
    for (int v = 0; v < model_.variableCount(); ++v) {
      if (dual_.aliveCount(v) < 2 || ties[at(v)] <= most) continue;
      chosen = v;
      most = ties[at(v)];
    }
    if (chosen < 0) return offerOnly();
    Frame frame{.variable = chosen, .values = {}, .next = 0, .mark = dual_.mark(), .bound = bound};
    for (int x = 0; x < model_.domain(chosen); ++x)
      if (dual_.alive(chosen, x)) frame.values.push_back(x);
    const std::vector<Cost>& costs = dual_.reduced(chosen);
    std::stable_sort(frame.values.begin(), frame.values.end(),
                     [&](int a, int b) { return costs[at(a)] < costs[at(b)]; });
    stack_.push_back(std::move(frame));
  }

  // Every variable has one value left.
  void offerOnly() {
    std::vector<int> values(at(model_.variableCount()), 0);
    for (int v = 0; v < model_.variableCount(); ++v)
      for (int x = 0; x < model_.domain(v); ++x)
        if (dual_.alive(v, x)) values[at(v)] = x;
    offer(values, model_.evaluate(values));
  }

  void finish() {
    if (!options_.budget.exhausted() || closed(result_.lowerBound)) {
      // No node is open: the incumbent is the optimum, or there is no solution.
      result_.lowerBound = result_.cost;
      result_.proven = true;
      return;
    }
    // The least bound of the open nodes; the bound of an exhausted frame is covered by the one below it.
    Cost least = result_.cost;
    for (const Frame& frame : stack_)
      if (frame.next < frame.values.size() || &frame == &stack_.back()) least = std::min(least, frame.bound);
    if (!stack_.empty()) result_.lowerBound = std::max(result_.lowerBound, least);
    result_.proven = closed(result_.lowerBound);
  }

  const FactorGraph& model_;
  const int shift_;
  SelectionOptions& options_;
  SelectionResult& result_;
  DualSolver dual_;
  std::vector<Frame> stack_;
};

Cost unscaled(Cost cost, int shift) { return isForbidden(cost) ? kForbidden : ceilShift(cost, shift); }

// Of a model whose dominated values are gone; `method`: what has been done.
SelectionResult solveReduced(const FactorGraph& reduced, int shift, std::string_view method,
                             SelectionOptions& options) {
  SelectionResult result;
  result.method = method;
  if (options.useTree && options.useDominance && solveByTree(reduced, options, result)) return result;
  result.method = "bounds";
  BranchAndBound(reduced, shift, options, result).run();
  return result;
}

bool sameModel(const FactorGraph& a, const FactorGraph& b) {
  if (a.variableCount() != b.variableCount() || a.factorCount() != b.factorCount()) return false;
  for (int v = 0; v < a.variableCount(); ++v)
    if (a.unary(v) != b.unary(v)) return false;
  for (int f = 0; f < a.factorCount(); ++f) {
    const Factor &one = a.factor(f), &other = b.factor(f);
    const std::vector<Cost>&costs = one.table, &others = other.table;
    if (one.scope != other.scope || !(one.table.same(other.table) || costs == others)) return false;
  }
  return true;
}

}  // namespace

const SelectionResult* KeptSelection::find(const FactorGraph& reduced, int shift, WorkBudget& budget) const {
  if (shift != shift_ || spent_ > budget.left() || !sameModel(reduced, reduced_)) return nullptr;
  budget.spend(spent_);
  return &result_;
}

void KeptSelection::keep(FactorGraph reduced, int shift, int64_t spent, const SelectionResult& result) {
  reduced_ = std::move(reduced);
  shift_ = shift;
  spent_ = spent;
  result_ = result;
}

SelectionResult solveSelection(const FactorGraph& model, SelectionOptions options) {
  SelectionResult result;
  result.method = "elimination";
  if (options.useTree && !options.tooLarge && solveByTree(model, options, result)) return result;
  const int shift = scaleShift(static_cast<double>(model.reach()), kMaxTotalCost);
  ReducedModel reduced;
  if (options.useDominance) {
    WorkBudget part = options.budget.half();  // bounds need the rest
    const int64_t most = part.left();
    reduced = removeDominated(model, part, shift, options.kept ? &options.kept->dominance : nullptr);
    options.budget.spend(most - part.left());
    result.method = "dominance";
  } else {
    reduced = restrictModel(model, allValues(model), shift);
  }
  const SelectionResult* known = options.kept ? options.kept->find(reduced.model, shift, options.budget) : nullptr;
  const int64_t before = options.budget.left();
  result = known ? *known : solveReduced(reduced.model, shift, result.method, options);
  if (options.kept && !known && !options.budget.exhausted())
    options.kept->keep(std::move(reduced.model), shift, before - options.budget.left(), result);
  result.lowerBound = unscaled(result.lowerBound, shift);
  result.cost = unscaled(result.cost, shift);
  if (result.feasible)
    for (int v = 0; v < model.variableCount(); ++v)
      result.values[at(v)] = reduced.kept[at(v)][at(result.values[at(v)])];
  return result;
}

}  // namespace tessera
