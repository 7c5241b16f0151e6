#pragma once
// Placement: the walk that policies share. Keeps where each value is while a policy goes through the schedule, records what it
// decides into a Plan, and counts the L1 that is taken. Decides nothing.

#include <optional>
#include <vector>

#include "core/analysis/problem.h"
#include "core/device/free_list.h"
#include "core/plan/plan.h"

namespace tessera {

class Placement {
 public:
  Placement(const Problem& problem, std::string_view policyName);

  // One entry per operand: where it is now; none for operands that are no tensors.
  std::vector<std::optional<TensorLayout>> operandLayouts(OpId op) const;
  // L1 bytes per core of all values alive now.
  Bytes liveL1() const { return liveL1_; }
  // Values in L1 that may leave it, the one used last first; ties by value. Arguments stay where the caller put them.
  std::vector<ValueId> liveInL1() const;

  // Whether buffers of these sizes find a place in L1 in this order, with circular buffers below them; addresses as the runtime
  // gives them out. The verdict is NoHole or CircularBufferClash with its figures, or success.
  struct Fit {
    Refusal reason = Refusal::None;
    Bytes needed;
    Bytes available;
  };
  Fit fit(const std::vector<Bytes>& buffers, Bytes circularBuffers) const;

  // The op writes its results with `config.output`; operands go through the given layouts (equal to where they are: no reshard).
  void place(OpId op, const OpConfig& config, const std::vector<std::optional<TensorLayout>>& inputs);
  // Moves a value right before `op` runs.
  void spill(ValueId value, OpId op, const TensorLayout& to, SpillCause cause);
  // The step of `op` is over: values that nobody reads any more leave L1.
  void finish(OpId op);

  const Plan& plan() const { return plan_; }
  Plan take();

 private:
  void setPlace(ValueId value, const std::optional<TensorLayout>& layout);
  bool isArgument(ValueId value) const { return !problem_.graph.values[value].producer.valid(); }

  const Problem& problem_;
  Plan plan_;
  IdVec<ValueId, std::optional<TensorLayout>> place_;
  Bytes liveL1_;
  std::vector<ValueId> inL1_;  // in the order in which they came
  FreeList l1_;                // addresses, as the runtime would give them out
  IdVec<ValueId, int64_t> address_;  // -1: has none
};

// Config of an op that nothing is to be decided about: results pinned, or DRAM interleaved.
OpConfig defaultConfig(const Problem& problem, OpId op);
// True when the op's results have given layouts.
bool isPinned(const Problem& problem, OpId op);

}  // namespace tessera
