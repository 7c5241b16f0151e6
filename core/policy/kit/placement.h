#pragma once
// Placement: a policy's walk through the schedule. Keeps where each value is, what lies in L1 (l1_contents.h), and
// records what the policy decides into a Plan. Decides nothing.

#include <optional>
#include <vector>

#include "core/plan/plan.h"
#include "core/policy/kit/op_in_l1.h"

namespace tessera {

class Placement {
 public:
  explicit Placement(const Problem& problem);

  const std::optional<TensorLayout>& layoutOf(ValueId value) const { return layout_[value]; }  // none: not alive
  Layouts operandLayouts(OpId op) const;
  const L1Contents& l1() const { return l1_; }
  // Values in L1 that may leave it, the one used last first; ties by value. Arguments stay where the caller put them.
  std::vector<ValueId> liveInL1() const;

  // What the op would do to L1 now.
  std::vector<L1Move> movesOf(OpId op, const Layouts& inputs, const OpConfig& config) const;
  // May the op run now, within the budget? Addresses are another question.
  OpVerdict validate(OpId op, const Layouts& inputs, const OpConfig& config) const {
    return validateInL1(problem_, op, operandLayouts(op), inputs, config, l1_.occupied());
  }
  // Whether a legal op finds addresses in L1; a verdict OutOfMemory with the figures when it does not.
  void checkAddresses(OpId op, const Layouts& inputs, const OpConfig& config, OpVerdict& verdict) const;

  // The op writes its results with `config.output`; operands go through the given layouts (equal to where they are: no
  // reshard).
  void place(OpId op, const OpConfig& config, const Layouts& inputs);
  // The same where it finds addresses beside circular buffers of so many bytes per core; else false, and nothing
  // changes.
  bool placeWhereItFits(OpId op, const OpConfig& config, const Layouts& inputs, Bytes buffers);
  // Moves a value before `op` runs: one of liveInL1() where it found no room. What another value shares stays taken.
  void spill(ValueId value, OpId op, const TensorLayout& to, SpillCause cause);
  // A value that lies in L1 leaves it for DRAM, because the op that runs now is refused.
  void spillForRoom(ValueId value, OpId op, const OpVerdict& refused);
  // The reason of a move or of a place that room decides.
  void noteRoom(ValueId value, OpId at, OpId wanted, const OpVerdict& refused);
  void noteRoom(const RoomEvent& event) { plan_.room.push_back(event); }
  // The step of `op` is over: values that nobody reads any more leave L1.
  void finish(OpId op);

  const Plan& plan() const { return plan_; }
  Plan take() { return std::move(plan_); }

  // A step of the walk to which it may go back. What each op and value was given since stays in the plan until the walk
  // gives it anew.
  struct Mark {
    size_t reshards = 0, spills = 0, room = 0, changes = 0;
    L1Contents l1;
  };
  Mark mark();  // from the first on, what changes is remembered
  void backTo(const Mark& mark);

 private:
  struct Change {
    ValueId value;
    std::optional<TensorLayout> before;
  };
  void changeLayout(ValueId value, const std::optional<TensorLayout>& layout);
  void place(OpId op, const OpConfig& config, const Layouts& inputs, const Layouts& results,
             const std::vector<L1Move>& moves);
  // The layouts that the results get; what the op really produces when it may not be asked.
  Layouts resultLayouts(OpId op, const Layouts& inputs, const OpConfig& config) const;
  void setLayout(ValueId value, const std::optional<TensorLayout>& layout);
  bool isArgument(ValueId value) const { return !problem_.graph.values[value].producer.valid(); }

  const Problem& problem_;
  Plan plan_;
  IdVec<ValueId, std::optional<TensorLayout>> layout_;
  L1Contents l1_;  // tensors by the number of their value
  bool remembers_ = false;
  std::vector<Change> changes_;  // of layout_, since the first mark
};

}  // namespace tessera
