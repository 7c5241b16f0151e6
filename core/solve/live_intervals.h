#pragma once
// Half-open intervals of time, and what is live together.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tessera {

struct LiveInterval {
  int64_t begin = 0, end = 0;  // never live when end <= begin
};

// The times at which the set of live intervals is maximal, ascending: every other set is part of one of these.
class PeakTimes {
 public:
  explicit PeakTimes(const std::vector<LiveInterval>& intervals);
  size_t size() const { return times_.size(); }
  // The interval's positions among these times, half-open.
  std::pair<size_t, size_t> range(const LiveInterval& interval) const;

 private:
  std::vector<int64_t> times_;
};

// The greatest sum of (time, change) pairs over time; at equal times what is taken away comes first.
int64_t greatestLoad(std::vector<std::pair<int64_t, int64_t>> changes);

}  // namespace tessera
