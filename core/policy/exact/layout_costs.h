#pragma once
// Layout selection, its costs: what ops and moves take in nanoseconds, with and without prices for L1.

#include <vector>

#include "core/policy/exact/layout_choices.h"

namespace tessera {

// What a byte of L1 costs at each step, for bounds under the capacity. Times are multiplied by 2^shift to carry the
// prices.
struct L1Prices {
  int shift = 0;
  std::vector<Cost> upTo;  // per step: the sum of the prices per byte of the steps before it, one more entry than steps
};

// How a value gets from one moment to a later one.
struct Transfer {
  Cost cost = kForbidden;  // scaled, with prices
  int64_t between = 0;     // bytes of L1 held on the steps in between
  int64_t atRead = 0;      // and at the later step, besides what the op reads
};

// Costs at these prices; without prices, times alone.
class LayoutCosts {
 public:
  LayoutCosts(const LayoutChoices& choices, MoveTime& moves, const L1Prices* prices = nullptr)
      : choices_(choices), moves_(moves), prices_(prices) {}

  const LayoutChoices& choices() const { return choices_; }
  MoveTime& moves() const { return moves_; }
  const L1Prices* prices() const { return prices_; }

  // From `from`, after step `after`, to `to`, when step `before` runs.
  Transfer transfer(ValueId value, LayoutId from, LayoutId to, int32_t after, int32_t before) const;
  // From where the operand is when the op runs, to the layout in which the op reads it.
  Transfer read(const OpChoices& op, const OperandChoice& operand, LayoutId from, LayoutId as) const;
  // Of the op alone.
  Cost candidate(const OpChoices& op, const CandidateTable& table, size_t index) const;
  // Of bringing a returned value to DRAM.
  Cost returned(ValueId value, LayoutId from) const;
  // Of L1 per core; 0 when the value shares another one's buffer.
  int64_t bytes(ValueId value, LayoutId layout) const;
  // One of the steps first .. last has a price.
  bool priced(int32_t first, int32_t last) const;
  // One of the steps between the two moments has.
  bool priced(const SegmentSpan& segment) const;
  // One of those that matter to the op's table and to the choice of its candidate has.
  bool priced(const OpChoices& op) const;

 private:
  Cost scaled(Cost cost) const { return isForbidden(cost) ? kForbidden : (prices_ ? cost << prices_->shift : cost); }
  Cost held(int32_t first, int32_t last, int64_t bytes) const;  // at the prices of steps first .. last

  const LayoutChoices& choices_;
  MoveTime& moves_;
  const L1Prices* prices_;
};

}  // namespace tessera
