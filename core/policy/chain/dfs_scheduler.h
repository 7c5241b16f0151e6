#pragma once
// DfsScheduler: which ops may run next (ttnn-optimizer.md 3.2.2; tt-mlir lib/Scheduler/Scheduler.cpp of 2026-07). The
// policy takes one op at a time; following a result to its reader before starting anything else makes the walk depth
// first.

#include <vector>

#include "core/analysis/problem.h"

namespace tessera {

class DfsScheduler {
 public:
  explicit DfsScheduler(const Problem& problem);

  // Helpers (devices, empty buffers, cached constants) and the return are not scheduled: they follow from the rest.
  bool hasUnscheduledOps() const { return unscheduled_ > 0; }
  // All producers of its operands are scheduled, and it is not.
  bool canSchedule(OpId op) const { return takesPart_[op] && !scheduled_[op] && waitsFor_[op] == 0; }
  // Ready ops: layout conversions first, then ops after which a reader still waits for somebody else (so the shorter
  // branches of a fork run before the one that reaches the join), then the rest; each group in program order.
  std::vector<OpId> schedulableOps() const;
  // The same, in program order.
  const std::vector<OpId>& ready() const { return ready_; }
  // The group of a ready op in schedulableOps: 0 to 2.
  int rank(OpId op) const;
  // The first of schedulableOps; invalid when there is none.
  OpId first() const;
  // The first reader of the op's results that can be scheduled, in program order; invalid when there is none.
  OpId readyReader(OpId op) const;
  // Readers of the op's results, each as often as it reads them.
  size_t useCount(OpId op) const;

  void scheduleOp(OpId op);
  // In the order of scheduleOp.
  const std::vector<OpId>& scheduled() const { return order_; }
  // Every op of the function: helpers right before their first reader, the return last.
  std::vector<OpId> wholeOrder() const;

 private:
  void addDependency(OpId before, OpId after);
  void addMemoryDependencies();

  const Problem& problem_;
  IdVec<OpId, bool> takesPart_;
  IdVec<OpId, bool> scheduled_;
  IdVec<OpId, int32_t> waitsFor_;              // dependencies that are not scheduled yet
  IdVec<OpId, std::vector<OpId>> successors_;  // once per dependency
  std::vector<OpId> ready_;                    // in program order
  std::vector<OpId> order_;
  size_t unscheduled_ = 0;
};

}  // namespace tessera
