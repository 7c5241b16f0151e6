#pragma once
// The time of a move, for all policies: what it takes to bring a value from one layout into another by the library's
// steps (core/lowering/decompose_layouts.h), each timed by the op model, as they will run.

#include <algorithm>

#include "core/analysis/problem.h"
#include "core/ops/model/interner.h"
#include "core/ops/rules/op_facts.h"
#include "core/solve/cost.h"

namespace tessera {

struct KnownMove {
  Cost cost = kForbidden;
  int64_t needed = 0;  // bytes of L1 per core at the worst of its steps
};

// Moves of a session, from one problem to the next on equal devices.
class MoveMemory {
 public:
  explicit MoveMemory(Interner& names) : interner(names) {}

  Interner& interner;

  // None the first time. Valid until the next call.
  std::optional<KnownMove>& find(uint32_t type, LayoutId from, LayoutId to);
  size_t size() const { return known_.size(); }
  void clear();

 private:
  struct Kept {
    uint32_t type = 0;
    LayoutId from = kNoLayout, to = kNoLayout;
    std::optional<KnownMove> move;
  };
  HashIndex index_;  // of known_
  std::vector<Kept> known_;
};

class MoveTime {
 public:
  // Speaks of the layouts and types of the memory's interner.
  MoveTime(const Problem& problem, MoveMemory& memory);
  MoveTime(const MoveTime&) = delete;
  MoveTime& operator=(const MoveTime&) = delete;

  LayoutPool& pool() const { return memory_.interner.layouts; }
  // Nanoseconds; 0 for equal layouts, kForbidden when the library cannot. Asked once per question and type of value.
  Cost of(ValueId value, LayoutId from, LayoutId to);
  // The same as a number that sums and differences of thousands may hold: where the library cannot, 18 minutes.
  int64_t bounded(ValueId value, LayoutId from, LayoutId to) { return std::min(of(value, from, to), Cost{1} << 40); }
  // Shape and element type by number.
  uint32_t typeOf(ValueId value);
  // Of an op of the program. A conversion takes the sum of the library's steps even where these exceed the budget: it
  // is part of the program, so no policy can leave it out.
  Cost ofOp(const OpQuery& query);

 private:
  // As it was measured the first time; valid until the next call.
  const KnownMove& known(ValueId value, LayoutId from, LayoutId to);
  void prepare(ValueId value, OpKind kind);
  KnownMove measure(ValueId value, const TensorLayout& from, const TensorLayout& to);

  const Problem& problem_;
  MoveMemory& memory_;
  Graph scratch_;  // one op that converts a value of the type asked for
  OpId op_;
  uint32_t scratchType_ = UINT32_MAX;  // its number
  OpFacts facts_;
  IdVec<ValueId, int32_t> typeOf_;  // -1: not looked up
};

}  // namespace tessera
