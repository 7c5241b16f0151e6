#pragma once
// Placement: the walk that policies share. Keeps where each value is while a policy goes through the schedule, records what it
// decides into a Plan, and counts the L1 that is taken. Decides nothing. Gives out addresses in the order in which the runtime will:
// copies of operands, what the op makes for itself, its results; views share their operand's buffer.

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
  // L1 bytes per core of all values alive now; what several values share counts once.
  Bytes liveL1() const { return liveL1_; }
  // Values in L1 that may leave it, the one used last first; ties by value. Arguments stay where the caller put them.
  std::vector<ValueId> liveInL1() const;

  // One thing that happens to L1, in order: an allocation, a program that fills it, a value that leaves.
  struct L1Move {
    Bytes allocate;           // 0: nothing is allocated in L1
    ValueId freedAfter;       // leaves L1 right after
    Bytes circularBuffers;    // of the copy that runs now
    int32_t freedMove = -1;   // an earlier move whose allocation is given back right after
    ValueId value;            // whose buffer it becomes; none for what lives as long as the op
    Bytes wayOut;             // circular buffers of the copy that would bring the value back to DRAM
    L1Move(Bytes bytes, ValueId freed = {}) : allocate(bytes), freedAfter(freed) {}
  };
  // What the op does to L1: copies of converted operands, its intermediates, the operand it frees early, its results.
  std::vector<L1Move> movesOf(OpId op, const std::vector<std::optional<TensorLayout>>& inputs, const OpConfig& config) const;
  // Whether these moves find their places, with circular buffers below all of it; addresses as the runtime gives them out. What is in
  // L1 must also be able to leave it again: the copy to DRAM needs circular buffers too. The reason is NoHole or CircularBufferClash
  // with its figures, or None.
  struct Fit {
    Refusal reason = Refusal::None;
    Bytes needed;
    Bytes available;
  };
  Fit fit(const std::vector<L1Move>& moves, Bytes circularBuffers) const;

  // The op writes its results with `config.output`; operands go through the given layouts (equal to where they are: no reshard).
  void place(OpId op, const OpConfig& config, const std::vector<std::optional<TensorLayout>>& inputs);
  // Moves a value right before `op` runs. What another value shares stays taken.
  void spill(ValueId value, OpId op, const TensorLayout& to, SpillCause cause);
  // The step of `op` is over: values that nobody reads any more leave L1.
  void finish(OpId op);

  const Plan& plan() const { return plan_; }
  Plan take();

 private:
  // A part of L1 that one or more values hold.
  struct Slot {
    int64_t address = -1;  // -1: was placed for want of anything better; the run will say so
    Bytes bytes;           // by the layout, without rounding
    int32_t holders = 0;
  };
  class Trial;

  void setPlace(ValueId value, const std::optional<TensorLayout>& layout);
  void hold(ValueId value, int32_t slot);
  void release(ValueId value);
  int32_t newSlot(Bytes bytes, std::optional<int64_t> address);
  void placeResults(OpId op, const OpConfig& config, const std::vector<std::optional<TensorLayout>>& inputs);
  void recordReshards(OpId op, const std::vector<std::optional<TensorLayout>>& inputs);
  // The layout that the result gets; what the op really produces when it may not be asked.
  TensorLayout resultLayout(OpId op, ValueId result, const std::vector<std::optional<TensorLayout>>& inputs, const OpConfig& config) const;
  // The operand is read for the last time when its copy is made, before the op itself runs.
  bool diesAtCopy(OpId op, size_t operand, const std::vector<std::optional<TensorLayout>>& inputs) const;
  bool diesAt(ValueId value, OpId op) const;
  Bytes wayOut(ValueId value, const TensorLayout& layout) const;
  bool isArgument(ValueId value) const { return !problem_.graph.values[value].producer.valid(); }

  const Problem& problem_;
  Plan plan_;
  IdVec<ValueId, std::optional<TensorLayout>> place_;
  Bytes liveL1_;
  std::vector<ValueId> inL1_;        // in the order in which they came
  FreeList l1_;                      // addresses, as the runtime would give them out
  std::vector<Slot> slots_;
  IdVec<ValueId, int32_t> slotOf_;   // -1: has none
  std::vector<int64_t> temporary_;   // addresses of what lives as long as the current op
};

// Config of an op that nothing is to be decided about: results pinned, or DRAM interleaved.
OpConfig defaultConfig(const Problem& problem, OpId op);
// True when the op's results have given layouts.
bool isPinned(const Problem& problem, OpId op);

}  // namespace tessera
