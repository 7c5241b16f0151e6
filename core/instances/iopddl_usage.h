#pragma once
// The usage of an assignment over time, kept while single nodes change their strategy.

#include <vector>

#include "core/instances/iopddl.h"

namespace tessera {

// Time is reduced to the steps at which the set of live nodes is maximal (PeakTimes).
class UsageProfile {
 public:
  explicit UsageProfile(const IopddlProblem& problem);

  size_t steps() const { return steps_; }
  // The node's steps, half-open; empty for nodes that are never live.
  size_t first(int node) const { return first_[static_cast<size_t>(node)]; }
  size_t last(int node) const { return last_[static_cast<size_t>(node)]; }

  void clear();
  void add(int node, int64_t usage);  // over all of the node's steps
  int64_t most(size_t first, size_t last) const;
  int64_t mostOverall() const { return steps_ == 0 ? 0 : most(0, steps_); }
  size_t worstStep() const;
  std::vector<int64_t> perStep() const;

 private:
  // A segment tree: most_[k] is the greatest usage below k, without what was added to whole segments above it.
  size_t steps_ = 0, leaves_ = 1;
  std::vector<size_t> first_, last_;
  std::vector<int64_t> most_, added_;
};

}  // namespace tessera
