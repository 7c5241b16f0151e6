#pragma once
// What it takes to bring a value from one layout into another: the library's steps (core/lowering/decompose_layouts.h), each timed
// by the op model, as they will run.

#include <vector>

#include "core/analysis/problem.h"
#include "core/policy/exact/exact_memory.h"

namespace tessera {

class MoveTime {
 public:
  // Remembers its answers in `memory`, whose layouts it speaks of.
  MoveTime(const Problem& problem, ExactMemory& memory);
  MoveTime(const MoveTime&) = delete;
  MoveTime& operator=(const MoveTime&) = delete;

  // Nanoseconds; 0 for equal layouts, kForbidden when the library cannot. Asked once per question and type of value.
  Cost of(ValueId value, LayoutId from, LayoutId to);
  // For which budgets the answers given from now on are the same; null: nobody asks.
  void watch(BudgetRange* range) { range_ = range; }
  // Shape and element type by number.
  uint32_t typeOf(ValueId value);
  // Of an op of the program; a conversion among them takes the library's steps as well.
  Cost ofOp(const OpQuery& query);

 private:
  KeptMove measure(ValueId value, const TensorLayout& from, const TensorLayout& to);

  const Problem& problem_;
  ExactMemory& memory_;
  Graph scratch_;  // one op that converts a value of the type asked for
  OpId op_;
  IdVec<ValueId, int32_t> typeOf_;  // -1: not looked up
  BudgetRange* range_ = nullptr;
};

}  // namespace tessera
