#pragma once
// Plan: what a policy decided, as data. Nothing here is executed; transform/apply_plan.h turns it into a graph.

#include <string>
#include <vector>

#include "core/analysis/schedule.h"
#include "core/ir/graph.h"
#include "core/ops/table/op_config.h"

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

struct Plan {
  std::string policy;
  std::vector<OpId> order;  // of the forward function's ops, the return last
  // Of every tensor value of the forward function, as its producer writes it (arguments: as they arrive).
  IdVec<ValueId, std::optional<TensorLayout>> layout;
  IdVec<OpId, OpConfig> config;
  std::vector<Reshard> reshards;  // sorted by consumer's step, then operand
  std::vector<Spill> spills;      // sorted by step, then value
};

}  // namespace tessera
