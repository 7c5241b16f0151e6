#pragma once
// From chains to a plan: walks the schedule with real addresses, gives every op its config, inserts the chains'
// reshards and spills (ttnn-optimizer.md 3.5.1) and finds out whether everything has a place.

#include "core/plan/plan.h"
#include "core/policy/chain/chain_work.h"
#include "core/policy/kit/legalize.h"

namespace tessera {

// The walk, a step at a time. It may go back to an earlier step, so that a changed decision costs what it changes.
class ChainPlanWriter {
 public:
  // `work` outlives the writer and may change while it writes.
  explicit ChainPlanWriter(const ChainWork& work);

  size_t position() const { return position_; }  // in the schedule, of the op that comes next
  bool done() const { return position_ == problem_.schedule.order.size(); }
  // Writes the next op. Not ok: it finds no room; the walk goes on after backTo() this step or an earlier one.
  OpVerdict write();
  // The op at `position`, at most the present one, comes next. Decisions for those before it are as they were when it
  // was written.
  void backTo(size_t position);
  Plan take() { return placement_.take(); }
  Bytes occupied() const { return placement_.l1().occupied(); }

 private:
  struct PendingSpill {
    ValueId value;
    TensorLayout to;
  };
  struct Mark {
    Placement::Mark placement;
    std::vector<PendingSpill> pending;
  };

  OpVerdict writeOp(OpId op);
  Attempt tryOp(OpId op, const OpConfig& config) const;
  bool seesDramOnly(OpId op, const Attempt& attempt) const;
  void planSpill(OpId op);
  bool readsPendingThroughReshard(OpId op) const;
  OpVerdict flushSpills(OpId op, bool onlyDead);

  const ChainWork& work_;
  const Problem& problem_;
  Placement placement_;
  std::vector<PendingSpill> pending_;
  size_t position_ = 0;
  std::vector<Mark> marks_;  // one every kMarkEvery steps
};

struct ChainPlan {
  Plan plan;
  // The first op that finds no room although the chains count on it; invalid when the plan is sound.
  OpId failedAt;
  OpVerdict verdict;
  Bytes occupied = {};  // by tensors, when it failed
};

ChainPlan writeChainPlan(const ChainWork& work);

// writeChainPlan until it is sound: what keeps L1 taken where an op fails is taken back, the latest decision first;
// when there is none, the op's own chain fails. Everything taken back is in the trace and in `warnings`.
Plan settleChainPlan(ChainWork& work, std::vector<std::string>& warnings);

}  // namespace tessera
