#include "core/instances/iopddl_usage.h"

#include <algorithm>

#include "core/solve/live_intervals.h"

namespace tessera {

UsageProfile::UsageProfile(const IopddlProblem& problem) {
  std::vector<LiveInterval> intervals;
  for (const IopddlProblem::Node& node : problem.nodes) intervals.push_back({node.begin, node.end});
  const PeakTimes times(intervals);
  steps_ = times.size();
  for (const LiveInterval& interval : intervals) {
    const auto [first, last] = times.range(interval);
    first_.push_back(first);
    last_.push_back(last);
  }
  while (leaves_ < steps_) leaves_ *= 2;
  clear();
}

void UsageProfile::clear() {
  most_.assign(2 * leaves_, 0);
  added_.assign(2 * leaves_, 0);
}

void UsageProfile::add(int node, int64_t usage) {
  size_t low = first(node) + leaves_, high = last(node) + leaves_;
  if (low == high) return;
  const size_t left = low, right = high - 1;
  for (; low < high; low /= 2, high /= 2) {
    if (low & 1) most_[low] += usage, added_[low] += usage, ++low;
    if (high & 1) --high, most_[high] += usage, added_[high] += usage;
  }
  for (size_t leaf : {left, right})
    for (size_t k = leaf / 2; k > 0; k /= 2) most_[k] = std::max(most_[2 * k], most_[2 * k + 1]) + added_[k];
}

int64_t UsageProfile::most(size_t first, size_t last) const {
  if (first >= last) return 0;
  int64_t fromLeft = INT64_MIN / 2, fromRight = INT64_MIN / 2;
  size_t low = first + leaves_, high = last + leaves_ - 1;  // both ends inclusive, so that what is above them is known
  fromLeft = most_[low];
  fromRight = most_[high];
  while (low / 2 != high / 2) {
    if (!(low & 1)) fromLeft = std::max(fromLeft, most_[low + 1]);
    if (high & 1) fromRight = std::max(fromRight, most_[high - 1]);
    low /= 2;
    high /= 2;
    fromLeft += added_[low];
    fromRight += added_[high];
  }
  int64_t result = std::max(fromLeft, fromRight);
  if (low == high && first + 1 == last) result = fromLeft;
  for (size_t k = low / 2; k > 0; k /= 2) result += added_[k];
  return result;
}

size_t UsageProfile::worstStep() const {
  size_t k = 1;
  while (k < leaves_) k = most_[2 * k] >= most_[2 * k + 1] ? 2 * k : 2 * k + 1;
  return k - leaves_;
}

std::vector<int64_t> UsageProfile::perStep() const {
  std::vector<int64_t> result(steps_);
  for (size_t s = 0; s < steps_; ++s)
    for (size_t k = s + leaves_; k > 0; k /= 2) result[s] += k >= leaves_ ? most_[k] : added_[k];
  return result;
}

}  // namespace tessera
