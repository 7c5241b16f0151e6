// BFInterleaved, deprecated (ttnn-optimizer.md 2.3; tt-mlir Analysis/BFInterleavedPolicy.cpp of 2026-07): of all ops
// that can run, the one that changes the L1 in use least comes next; its result is L1 interleaved when it fits beside
// what is there.
//
// What its authors later called bugs is kept and warned about: the change is an unsigned number, so that an op that
// frees more than it takes looks like the most expensive one ("wrap"); returned values count as read when everything is
// over, so they hold L1 to the end
// ("returns").

#include <algorithm>

#include "core/policy/chain/dfs_scheduler.h"
#include "core/policy/chain/interleaved_plan.h"
#include "core/policy/policy.h"

namespace tessera {

namespace {

class BfAnalysis {
 public:
  BfAnalysis(const Problem& problem, DecisionLog& log)
      : problem_(problem),
        log_(log),
        wanted_(problem.graph.ops.size(), -1),
        held_(problem.graph.ops.size(), 0),
        unread_(problem.graph.ops.size(), 0) {
    for (OpId op : problem.schedule.order) {
      if (hasL1InterleavedLayout(problem, op)) wanted_[op] = l1InterleavedBytes(problem, op).count;
    }
    choice_.inL1 = IdVec<OpId, bool>(problem.graph.ops.size(), false);
    choice_.why.resize(problem.graph.ops.size());
  }

  InterleavedChoice run() {
    DfsScheduler scheduler(problem_);
    while (scheduler.hasUnscheduledOps()) {
      OpId best;
      Move bestMove;
      bool wrapped = false, freesSeen = false;
      for (OpId op : scheduler.ready()) {
        Move move = moveOf(op);
        freesSeen |= move.freed > move.allocated;
        // Of equals the first of schedulableOps().
        if (best.valid() && move.change() > bestMove.change()) continue;
        if (best.valid() && move.change() == bestMove.change() && scheduler.rank(op) >= scheduler.rank(best)) continue;
        best = op;
        bestMove = move;
      }
      wrapped = freesSeen && bestMove.freed <= bestMove.allocated;
      wraps_ += wrapped;
      scheduler.scheduleOp(best);
      take(best, bestMove);
    }
    warn();
    return std::move(choice_);
  }

 private:
  struct Move {
    uint64_t allocated = 0;
    uint64_t freed = 0;
    bool inL1 = false;
    // The published bug "wrap": a net decrease becomes a huge number.
    uint64_t change() const { return allocated - freed; }
  };

  // Calls visit(producer) for the producers of the op's operands that are in L1, each once.
  template <typename Visit>
  void forHeldOperands(OpId op, Visit visit) const {
    const std::vector<ValueId>& operands = problem_.graph.ops[op].operands;
    const auto producerOf = [&](ValueId value) { return problem_.graph.values[value].producer; };
    for (size_t i = 0; i < operands.size(); ++i) {
      const OpId producer = producerOf(operands[i]);
      if (!producer.valid() || held_[producer] == 0) continue;
      bool again = false;
      for (size_t j = 0; j < i; ++j) again = again || producerOf(operands[j]) == producer;
      if (!again) visit(producer);
    }
  }

  Move moveOf(OpId op) const {
    Move move;
    forHeldOperands(op, [&](OpId producer) {
      if (unread_[producer] == 1) move.freed += static_cast<uint64_t>(held_[producer]);
    });
    if (wanted_[op] < 0) return move;
    move.inL1 = problem_.budget.fits(Bytes(used_ + wanted_[op]));
    if (move.inL1) move.allocated = static_cast<uint64_t>(wanted_[op]);
    return move;
  }

  void take(OpId op, const Move& move) {
    choice_.order.push_back(op);
    if (move.inL1) {
      choice_.inL1[op] = true;
      choice_.why[op] = "L1 interleaved: it fits beside the " + std::to_string(used_) + " B that are in use";
      held_[op] = static_cast<int64_t>(move.allocated);
      ValueId value = problem_.graph.ops[op].results[0];
      std::vector<OpId> readers;
      for (const Use& use : problem_.uses[value]) {
        bool again = std::find(readers.begin(), readers.end(), use.op) != readers.end();
        if (!again) readers.push_back(use.op);
        returned_ += opInfo(problem_.graph.ops[use.op].kind).has(kTerminator);
      }
      unread_[op] = static_cast<int32_t>(readers.size());
      used_ += held_[op];
    } else if (wanted_[op] >= 0) {
      choice_.why[op] = "DRAM: it does not fit beside the " + std::to_string(used_) + " B that are in use";
    }
    forHeldOperands(op, [&](OpId producer) {
      if (--unread_[producer] > 0) return;
      used_ -= held_[producer];
      held_[producer] = 0;
    });
  }

  void warn() {
    if (wraps_ > 0)
      log_.warnings.push_back(
          "Wrap: " + std::to_string(wraps_) +
          " times an op that frees L1 had to wait because its negative change counts as a huge number.");
    if (returned_ > 0)
      log_.warnings.push_back(
          "Returns: " + std::to_string(returned_) +
          " returned values hold L1 to the end; the return reads them only when everything is over.");
  }

  const Problem& problem_;
  DecisionLog& log_;
  InterleavedChoice choice_;
  IdVec<OpId, int64_t> wanted_;  // bytes per core of results L1 interleaved; -1: not legal
  IdVec<OpId, int64_t> held_;    // those of results that are in L1
  IdVec<OpId, int32_t> unread_;  // ops that still read them
  int64_t used_ = 0;
  size_t wraps_ = 0, returned_ = 0;
};

}  // namespace

Plan decideBfInterleaved(const Problem& problem, const PolicyOptions& options, PolicyMemory&, DecisionLog& log) {
  return planInterleaved(problem, BfAnalysis(problem, log).run(), options.keepsSchedule, log);
}

}  // namespace tessera
