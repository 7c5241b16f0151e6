#pragma once
// Plan: what a policy decided, as data. Nothing here is executed; transform/apply_plan.h turns it into a graph.

#include <string>
#include <vector>

#include "core/analysis/schedule.h"
#include "core/ir/graph.h"
#include "core/ops/table/op_config.h"
#include "core/ops/table/op_query.h"

namespace tessera {

// The consumer reads this operand through a copy in another layout.
struct Reshard {
  OpId consumer;
  int32_t operand = 0;
  TensorLayout to;
  friend bool operator==(const Reshard&, const Reshard&) = default;
};

// Shared: several readers want the value there, one copy serves them all; the only cause that may lead into L1.
enum class SpillCause { FunctionReturn, Memory, Constraint, ChainEnd, Shared };

// Right before `before` runs, the value moves to `to`; every use from there on reads the moved copy.
struct Spill {
  ValueId value;
  OpId before;
  TensorLayout to;
  SpillCause cause = SpillCause::Memory;
  friend bool operator==(const Spill&, const Spill&) = default;
};

// What decided that a tensor has no place in L1: the step that found no room, a search over all steps, or prices of L1
// at every step.
enum class RoomRule : uint8_t { Step, Search, Prices };

// Why a tensor leaves L1 for want of room, comes back after it, or is made elsewhere; by the policy's own count.
struct RoomEvent {
  ValueId value;
  OpId at;      // the move stands right before it; the tensor's producer when it is made elsewhere
  OpId wanted;  // whose step found too little room
  RoomRule rule = RoomRule::Step;
  Refusal reason = Refusal::None;
  // Per core; without a step all are 0. What the op wanted for its result and its circular buffers, what tensors held
  // then, and the figures of the refusal: the sum and the budget, the piece and the largest hole, or the circular
  // buffers and the room below the lowest tensor.
  Bytes own = {}, occupied = {}, needed = {}, available = {};
};

struct Plan {
  Plan();  // special members are defined once: inlined wherever a plan is copied or moved, they are large
  Plan(const Plan&);
  Plan(Plan&&) noexcept;
  Plan& operator=(const Plan&);
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  std::string policy;
  std::vector<OpId> order;  // of the forward function's ops, the return last
  // Of every tensor value of the forward function, as its producer writes it (arguments: as they arrive).
  IdVec<ValueId, std::optional<TensorLayout>> layout;
  IdVec<OpId, OpConfig> config;
  std::vector<Reshard> reshards;  // sorted by consumer's step, then operand
  std::vector<Spill> spills;      // sorted by step, then value
  std::vector<RoomEvent> room;    // a value and an op at most once; reasons alone, nobody carries them out
};

}  // namespace tessera
