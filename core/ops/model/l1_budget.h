#pragma once
// The budget of L1 under which questions are asked, and the budgets under which all answers would have been the same.

#include <algorithm>
#include <cstdint>

#include "core/support/units.h"

namespace tessera {

// Budgets for which answers are the same: everything that was allowed stays so, and everything refused.
struct BudgetRange {
  int64_t from = 0, below = INT64_MAX;
  bool holds(int64_t budget) const { return from <= budget && budget < below; }
  // `needed` was put to `budget`: true when it fits.
  bool admit(int64_t needed, int64_t budget) {
    if (needed <= budget) from = std::max(from, needed);
    else below = std::min(below, needed);
    return needed <= budget;
  }
  // Something depends on the budget itself.
  void pin(int64_t budget) {
    from = std::max(from, budget);
    below = std::min(below, addSaturated(budget, 1));
  }
  void cut(const BudgetRange& other) {
    from = std::max(from, other.from);
    below = std::min(below, other.below);
  }
};

// Given to every question that depends on the budget, and narrowed by every answer.
class L1Budget {
 public:
  // Bytes per core: usable L1 times the usage cap.
  explicit L1Budget(Bytes bytes) : bytes_(bytes) {}

  bool fits(Bytes needed) { return range_.admit(needed.count, bytes_.count); }
  // An answer that is known already, and for which budgets.
  void cut(const BudgetRange& range) { range_.cut(range); }
  // For decisions that depend on the number itself: they hold for this budget alone.
  Bytes pinned() {
    range_.pin(bytes_.count);
    return bytes_;
  }
  // For reports, and for searches that keep ranges themselves.
  Bytes bytes() const { return bytes_; }
  // What all answers since the last call hold for.
  BudgetRange takeRange() {
    const BudgetRange range = range_;
    range_ = {};
    return range;
  }

 private:
  Bytes bytes_;
  BudgetRange range_;
};

}  // namespace tessera
