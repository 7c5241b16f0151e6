#pragma once
// Which entries of the operands' beams are combined: all of them for one and two operands, the best ones for more.

#include <algorithm>
#include <limits>
#include <vector>

#include "core/policy/propagate/beam.h"

namespace tessera {

// A tensor the op reads, once however often it is read.
struct Source {
  ValueId value;
  const OpBeam* beam = nullptr;  // none: it has one layout
  LayoutId fixed = kNoLayout;
  int64_t readers = 1;  // ops that share the costs of its path
  int32_t mostSlots = std::numeric_limits<int32_t>::max();
  int32_t slots() const { return beam ? std::min(static_cast<int32_t>(beam->entries.size()), mostSlots) : 1; }
  LayoutId layout(int32_t slot) const {
    return beam && fixed == kNoLayout ? beam->entries[static_cast<size_t>(slot)].output : fixed;
  }
};

// One entry of each source; `history` is the score of their paths together.
struct Combination {
  std::vector<int32_t> slots;
  PathScore history;
  int32_t rank = 0;  // sum of the slots
};

// Best history first, at most `limit`. Sources are joined one after the other and cut each time, so the work is bounded
// by sources x limit x K. `cut` says whether anything was left out.
std::vector<Combination> combine(const std::vector<Source>& sources, BeamScore score, size_t limit, bool& cut);

}  // namespace tessera
