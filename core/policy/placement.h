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

  // An allocation in L1, and the value that leaves L1 right after it.
  struct L1Move {
    Bytes allocate;
    ValueId freedAfter;
    L1Move(Bytes bytes, ValueId freed = {}) : allocate(bytes), freedAfter(freed) {}
  };
  // What the op does to L1: copies of converted operands, then its result.
  std::vector<L1Move> movesOf(OpId op, const std::vector<std::optional<TensorLayout>>& inputs, const OpConfig& config) const;
  // Whether these moves find their places, with circular buffers below all of it; addresses as the runtime gives them out. The
  // reason is NoHole or CircularBufferClash with its figures, or None.
  struct Fit {
    Refusal reason = Refusal::None;
    Bytes needed;
    Bytes available;
  };
  Fit fit(const std::vector<L1Move>& moves, Bytes circularBuffers) const;

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
  // The operand is read for the last time when its copy is made, before the op itself runs.
  bool diesAtCopy(OpId op, size_t operand, const std::vector<std::optional<TensorLayout>>& inputs) const;
  bool isArgument(ValueId value) const { return !problem_.graph.values[value].producer.valid(); }

  const Problem& problem_;
  Plan plan_;
  IdVec<ValueId, std::optional<TensorLayout>> place_;
  Bytes liveL1_;
  std::vector<ValueId> inL1_;  // in the order in which they came
  FreeList l1_;                // addresses, as the runtime would give them out
  IdVec<ValueId, int64_t> address_;  // -1: has none
  std::vector<int64_t> copies_;      // addresses of the copies that the current op reads
};

// Config of an op that nothing is to be decided about: results pinned, or DRAM interleaved.
OpConfig defaultConfig(const Problem& problem, OpId op);
// True when the op's results have given layouts.
bool isPinned(const Problem& problem, OpId op);

}  // namespace tessera
