#pragma once
// Bounds for P1 when its tables are too large for elimination: every table hands part of its costs to its variables
// ("reparametrisation"), so that the sum of the separate minima is a lower bound; sweeps over the variables raise it
// (sequential tree-reweighted message passing: Kolmogorov 2006, and his 2015 generalisation to larger tables).
// All arithmetic is on integers and moves cost without loss, so a bound is a bound, whenever the sweeps stop.
//
//   P1Dual dual(model);
//   Cost bound = dual.sweep();                 // forward and backward; call again while it grows
//   std::vector<int> values;  Cost cost = dual.decode(values);  dual.improve(values, cost);
//   dual.setUnary(v, costs);                   // warm start: the messages stay valid
//   dual.fixByBound(upper);                    // values that cannot be part of anything below `upper` die

#include <utility>
#include <vector>

#include "core/solve/p1_model.h"

namespace tessera {

class P1Dual {
 public:
  explicit P1Dual(const FactorGraph& model);  // keeps a reference

  // One pass forward and one back; returns the bound, kForbidden when no solution is left.
  Cost sweep();
  Cost bound() const { return bound_; }

  // Values chosen one variable after the other with the help of the messages; kForbidden when that ends in a dead end.
  Cost decode(std::vector<int>& values) const;
  // Changes single variables while that makes the assignment better.
  void improve(std::vector<int>& values, Cost& cost) const;

  void setUnary(int variable, const std::vector<Cost>& costs);
  Cost unary(int variable, int value) const { return unary_[static_cast<size_t>(variable)][static_cast<size_t>(value)]; }

  // Kills every value whose forcing would cost at least `upper`; returns how many.
  int64_t fixByBound(Cost upper);

  bool alive(int variable, int value) const { return !dead_[static_cast<size_t>(variable)][static_cast<size_t>(value)]; }
  int aliveCount(int variable) const { return aliveCount_[static_cast<size_t>(variable)]; }
  void kill(int variable, int value);
  // Marks the current state of the living; undo() brings it back (the messages stay as they are: any messages are valid).
  size_t mark() const { return trail_.size(); }
  void undo(size_t mark);

  // Reduced costs: what a value would add to the bound at least, from the variable's own table.
  const std::vector<Cost>& reduced(int variable) const { return reduced_[static_cast<size_t>(variable)]; }
  int64_t workPerSweep() const { return workPerSweep_; }

  // What was killed, oldest first, without the values that the variables' own costs forbid.
  const std::vector<std::pair<int, int>>& killed() const { return trail_; }
  // The messages of a factor to the variables of its scope, for the certificate.
  const std::vector<Cost>& message(int factor, size_t slot) const { return slots_[firstSlot_[static_cast<size_t>(factor)] + slot].message; }

 private:
  struct Slot {                 // a factor's end at one of its variables
    int factor = 0;
    size_t index = 0;           // in the factor's scope
    bool first = false;         // no variable of the scope has a smaller index
    bool last = false;          // none has a larger one
    std::vector<Cost> message;  // how much of the table's cost the variable holds, per value
  };

  void gather(const Slot& slot, std::vector<Cost>& best) const;
  void gatherPair(const Slot& slot, std::vector<Cost>& best) const;
  void gatherAny(const Slot& slot, std::vector<Cost>& best) const;
  void visit(int variable, bool forward);
  // Takes from `dead` what no living value of the neighbours goes with, starting from the queued variables.
  void propagate(std::vector<std::vector<char>>& dead, std::vector<int>& queue) const;
  void decodeRow(const Slot& slot, const std::vector<int>& values, std::vector<Cost>& row) const;
  void exactRow(int variable, const std::vector<int>& values, std::vector<Cost>& row) const;

  const FactorGraph& model_;
  std::vector<std::vector<Cost>> unary_, reduced_;
  std::vector<std::vector<char>> dead_;
  std::vector<int> aliveCount_;
  std::vector<Slot> slots_;                  // factor by factor
  std::vector<size_t> firstSlot_;            // per factor
  std::vector<char> hard_;                   // per factor: it forbids something
  std::vector<std::vector<int>> slotsOf_;    // per variable
  std::vector<std::pair<int, int>> trail_;   // killed (variable, value), oldest first
  std::vector<Cost> best_;                   // scratch of visit()
  Cost bound_ = -kMaxTotalCost;
  int64_t workPerSweep_ = 0;
};

}  // namespace tessera
