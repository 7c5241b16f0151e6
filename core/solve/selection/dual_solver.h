#pragma once
// Lower bounds for a factor graph whose tables are too large for elimination: every table hands part of its costs to
// its variables (reparametrisation), so that the sum of the separate minima is a lower bound; sweeps over the variables
// raise it (sequential tree-reweighted message passing: Kolmogorov 2006, and 2015 for tables of more than two
// variables). All arithmetic is on integers and moves cost without loss, so the bound is valid after every sweep.
//
//   DualSolver dual(model);
//   Cost bound = dual.sweep();       // forward and backward; call again while it grows
//   std::vector<int> values;
//   Cost cost = dual.decode(values);
//   dual.improve(values, cost);
//   dual.setUnary(v, costs);         // warm start: the messages stay valid
//   dual.fixByBound(upper);          // prunes values that are part of no solution below `upper`

#include <utility>
#include <vector>

#include "core/solve/selection/factor_graph.h"

namespace tessera {

class DualSolver {
 public:
  explicit DualSolver(const FactorGraph& model);  // keeps a reference

  // One pass forward and one back; returns the bound, kForbidden when no solution is left.
  Cost sweep();
  Cost bound() const { return bound_; }

  // Rounds the messages to an assignment, one variable after the other; kForbidden when no value is left for one.
  Cost decode(std::vector<int>& values) const;
  // Local search: changes single variables while that lowers the cost.
  void improve(std::vector<int>& values, Cost& cost) const;

  void setUnary(int variable, const std::vector<Cost>& costs);
  Cost unary(int variable, int value) const {
    return unary_[static_cast<size_t>(variable)][static_cast<size_t>(value)];
  }

  // Reduced-cost fixing: prunes every value that costs at least `upper` when forced; returns how many.
  int64_t fixByBound(Cost upper);

  bool alive(int variable, int value) const {
    return !dead_[static_cast<size_t>(variable)][static_cast<size_t>(value)];
  }
  int aliveCount(int variable) const { return aliveCount_[static_cast<size_t>(variable)]; }
  void prune(int variable, int value);
  // undo() brings back the values pruned since mark(). The messages stay as they are: any messages are valid.
  size_t mark() const { return trail_.size(); }
  void undo(size_t mark);

  // Reduced costs: what a value would add to the bound at least, from the variable's own table.
  const std::vector<Cost>& reduced(int variable) const { return reduced_[static_cast<size_t>(variable)]; }
  int64_t workPerSweep() const { return workPerSweep_; }

  // Pruned (variable, value), oldest first, without the values that the variables' own costs forbid.
  const std::vector<std::pair<int, int>>& pruned() const { return trail_; }
  // The messages of a factor to the variables of its scope, for the certificate.
  const std::vector<Cost>& message(int factor, size_t slot) const {
    return slots_[firstSlot_[static_cast<size_t>(factor)] + slot].message;
  }

 private:
  struct Slot {  // a factor's end at one of its variables
    int factor = 0;
    size_t index = 0;           // in the factor's scope
    bool first = false;         // no variable of the scope has a smaller index
    bool last = false;          // none has a larger one
    std::vector<Cost> message;  // how much of the table's cost the variable holds, per value
  };

  void gather(const Slot& slot, std::vector<Cost>& best) const;
  void gatherPair(const Slot& slot, std::vector<Cost>& best) const;
  void gatherAny(const Slot& slot, std::vector<Cost>& best) const;
  void gatherRow(const Slot& slot, const Cost* row, Cost held, size_t x, std::vector<Cost>& best) const;
  void visit(int variable, bool forward);
  // Arc consistency: marks in `dead` the values without support among a neighbour's, starting from the queued
  // variables.
  void propagate(std::vector<std::vector<char>>& dead, std::vector<int>& queue) const;
  void decodeRow(const Slot& slot, const std::vector<int>& values, std::vector<Cost>& row) const;
  void exactRow(int variable, const std::vector<int>& values, std::vector<Cost>& row) const;

  const FactorGraph& model_;
  std::vector<std::vector<Cost>> unary_, reduced_;
  std::vector<std::vector<char>> dead_;  // per value: pruned
  std::vector<int> aliveCount_;
  std::vector<Slot> slots_;                 // factor by factor
  std::vector<size_t> firstSlot_;           // per factor
  std::vector<char> hard_;                  // per factor: it forbids something
  std::vector<std::vector<int>> slotsOf_;   // per variable
  std::vector<std::pair<int, int>> trail_;  // pruned (variable, value), oldest first
  std::vector<Cost> best_;                  // scratch of visit()
  Cost bound_ = -kMaxTotalCost;
  int64_t workPerSweep_ = 0;
};

}  // namespace tessera
