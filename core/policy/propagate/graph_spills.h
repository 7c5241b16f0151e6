#pragma once
// Pass 2 on a graph: what the sweep asks about ops, answered by the op model; and the plan that comes out of both
// passes.

#include "core/plan/plan.h"
#include "core/policy/kit/op_in_l1.h"
#include "core/policy/propagate/spill_search.h"
#include "core/policy/propagate/trace_back.h"
#include "core/solve/spilling/spill_solver.h"

namespace tessera {

struct SpillDecision {
  SpillProblem problem;
  std::vector<SpillTensor> tensors;  // of the problem's values
};

class GraphSpills final : public SpillModel {
 public:
  GraphSpills(const Problem& problem, const PropagateOptions& options, Propagation& pass1, MoveTime& moves);

  // The settings that the problem's device and the options ask for.
  SpillSettings settings() const;
  // What the search for the best set of tensors in L1 is about; before the sweep.
  SpillSearchProblem searchProblem();
  // What is to be decided when every value is to lie where pass 1 wants it; before the sweep.
  SpillDecision spillProblem();
  // Neither the program nor the user says where the tensor is made.
  bool mayStartInDram(SpillTensor tensor) const;
  // In place of a sweep: every step as pass 1 wants it, with all of L1 to itself.
  SpillOutcome withoutPressure();
  // After the sweep.
  Plan plan(const SpillOutcome& outcome) const;
  // Of that plan, as the device is charged for it; with a step that has no place, more than any that has.
  Cost timeOf(const SpillOutcome& outcome) const;
  // Nanoseconds saved by letting a victim stay until the room was needed: what its readers before that would have taken
  // longer.
  int64_t lateGain(SpillTensor victim, int32_t evictedAt);
  // L1 bytes per core of a step's result as pass 1 wants it; 0 when it is not in L1.
  int64_t plannedBytes(SpillTensor tensor) const;

  int32_t steps() const override { return problem_.schedule.steps() - 1; }
  const std::vector<SpillTensorInfo>& tensors() const override { return tensors_; }
  const std::vector<SpillTensor>& reads(int32_t step) const override { return reads_[static_cast<size_t>(step)]; }
  const std::vector<SpillTensor>& makes(int32_t step) const override { return makes_[static_cast<size_t>(step)]; }
  int64_t initialBytes(SpillTensor tensor) const override;
  SpillAnswer ask(int32_t step, ResultLocation location, const std::vector<Residency>& residency, Bytes live) override;
  const std::vector<ResultLocation>& fallbacks(int32_t step) const override {
    return fallbacks_[fallbacksOf_[static_cast<size_t>(step)]];
  }
  void commit(int32_t step) override;
  int64_t evictionCost(SpillTensor tensor, int32_t step) const override;
  int32_t nextUse(SpillTensor tensor, int32_t step) const override;

 private:
  // How a step runs.
  struct Choice {
    OpConfig config;
    std::vector<LayoutId> now;    // where the operands are
    std::vector<LayoutId> reads;  // where the op reads them
    OpVerdict verdict;
    LayoutId made = kNoLayout;  // where the first result goes
  };

  OpId opAt(int32_t step) const { return problem_.schedule.order[static_cast<size_t>(step)]; }
  ValueId valueOf(SpillTensor tensor) const { return ValueId{tensor}; }
  // Every value where pass 1 wants it; where each is.
  std::vector<Residency> asPlanned();
  SpillValue valueToKeep(SpillTensor tensor, std::vector<Residency>& residency);
  // Nanoseconds of a step and of the moves in front of it; of an empty L1, so that only legality and time matter.
  int64_t stepTime(int32_t step, ResultLocation location, const std::vector<Residency>& residency);
  // What the step takes longer, with everything else as planned, when it finds the tensor in DRAM; when it puts its
  // result there.
  int64_t readDelta(SpillTensor tensor, int32_t step, std::vector<Residency>& residency);
  int64_t startDelta(SpillTensor tensor, const std::vector<Residency>& residency);
  int64_t plannedTime(int32_t step, const std::vector<Residency>& residency);
  bool isReturned(ValueId value) const;
  bool mayMove(OpId op) const;
  LayoutId layoutAt(ValueId value, Residency residency) const;
  OpConfig configFor(OpId op, ResultLocation location) const;
  Layouts layoutsOf(const std::vector<LayoutId>& ids) const;
  void findOperands(OpId op, ResultLocation location, const std::vector<Residency>& residency);
  void legalize(OpId op, ResultLocation location, Bytes live);

  const Problem& problem_;
  const PropagateOptions& options_;
  Propagation& pass1_;
  MoveTime& moves_;
  std::vector<SpillTensorInfo> tensors_;
  std::vector<std::vector<SpillTensor>> reads_, makes_;
  std::vector<std::vector<ResultLocation>> fallbacks_;
  std::vector<size_t> fallbacksOf_;
  Choice asked_;
  std::vector<Choice> chosen_;        // by step
  std::vector<LayoutId> made_;        // by value: where its producer writes it
  std::vector<int64_t> plannedTime_;  // by step; -1: not asked for yet
  Layouts now_, inputs_;              // of the query being made: where the operands are, and as the op reads them
};

}  // namespace tessera
