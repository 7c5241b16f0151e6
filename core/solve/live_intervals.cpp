#include "core/solve/live_intervals.h"

#include <algorithm>

namespace tessera {

PeakTimes::PeakTimes(const std::vector<LiveInterval>& intervals) {
  std::vector<std::pair<int64_t, int>> events;  // ends (0) before begins (1)
  for (const LiveInterval& interval : intervals) {
    if (interval.begin >= interval.end) continue;
    events.emplace_back(interval.begin, 1);
    events.emplace_back(interval.end, 0);
  }
  std::sort(events.begin(), events.end());
  // The last begin before an end.
  for (size_t i = 0; i + 1 < events.size(); ++i)
    if (events[i].second == 1 && events[i + 1].second == 0) times_.push_back(events[i].first);
}

std::pair<size_t, size_t> PeakTimes::range(const LiveInterval& interval) const {
  const auto first = std::lower_bound(times_.begin(), times_.end(), interval.begin);
  const auto last = std::max(first, std::lower_bound(times_.begin(), times_.end(), interval.end));
  return {static_cast<size_t>(first - times_.begin()), static_cast<size_t>(last - times_.begin())};
}

int64_t greatestLoad(std::vector<std::pair<int64_t, int64_t>> changes) {
  std::sort(changes.begin(), changes.end());
  int64_t load = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, load += change);
  return most;
}

}  // namespace tessera
