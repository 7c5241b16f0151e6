#pragma once
// The time of a move, for all policies: what it takes to bring a value from one layout into another by the library's
// steps (core/lowering/decompose_layouts.h), each timed by the op model, as they will run.

#include <algorithm>
#include <unordered_map>

#include "core/analysis/problem.h"
#include "core/ir/layout_pool.h"
#include "core/solve/cost.h"
#include "core/support/key_index.h"

namespace tessera {

struct KnownMove {
  Cost cost = kForbidden;
  int64_t needed = 0;  // bytes of L1 per core at the worst of its steps
};

// Moves between layouts of one pool, from one problem to the next on equal devices.
struct MoveMemory {
  KeyIndex types;                                 // shape and element type
  std::unordered_map<uint64_t, KnownMove> known;  // by type, from, to
};

class MoveTime {
 public:
  // `pool`: of the layouts that it speaks of. Its answers are memoized in `memory`.
  MoveTime(const Problem& problem, LayoutPool& pool, MoveMemory& memory);
  MoveTime(const MoveTime&) = delete;
  MoveTime& operator=(const MoveTime&) = delete;

  // Nanoseconds; 0 for equal layouts, kForbidden when the library cannot. Asked once per question and type of value.
  Cost of(ValueId value, LayoutId from, LayoutId to);
  // The same as a number that sums and differences of thousands may hold: where the library cannot, 18 minutes.
  int64_t bounded(ValueId value, LayoutId from, LayoutId to) { return std::min(of(value, from, to), Cost{1} << 40); }
  // Shape and element type by number.
  uint32_t typeOf(ValueId value);
  // Of an op of the program; a conversion among them takes the library's steps as well.
  Cost ofOp(const OpQuery& query);

 private:
  KnownMove measure(ValueId value, const TensorLayout& from, const TensorLayout& to);

  const Problem& problem_;
  LayoutPool& pool_;
  MoveMemory& memory_;
  Graph scratch_;  // one op that converts a value of the type asked for
  OpId op_;
  IdVec<ValueId, int32_t> typeOf_;  // -1: not looked up
};

}  // namespace tessera
