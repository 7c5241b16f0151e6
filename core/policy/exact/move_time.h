#pragma once
// What it takes to bring a value from one layout into another: the library's steps (core/lowering/decompose_layouts.h), each timed
// by the op model, as they will run.

#include <unordered_map>
#include <vector>

#include "core/analysis/problem.h"
#include "core/ir/layout_pool.h"
#include "core/solve/cost.h"

namespace tessera {

class MoveTime {
 public:
  MoveTime(const Problem& problem, LayoutPool& pool);
  MoveTime(const MoveTime&) = delete;
  MoveTime& operator=(const MoveTime&) = delete;

  // Nanoseconds; 0 for equal layouts, kForbidden when the library cannot. Asked once per question and type of value.
  Cost of(ValueId value, LayoutId from, LayoutId to);
  // Of an op of the program; a conversion among them takes the library's steps as well.
  Cost ofOp(const OpQuery& query);

 private:
  int32_t typeOf(ValueId value);
  Cost measure(ValueId value, const TensorLayout& from, const TensorLayout& to);

  const Problem& problem_;
  LayoutPool& pool_;
  Graph scratch_;  // one op that converts a value of the type asked for
  OpId op_;
  std::vector<ValueId> types_;               // the first value of each type
  IdVec<ValueId, int32_t> typeOf_;           // index in types_; -1: not looked up
  std::unordered_map<uint64_t, Cost> known_; // by type, from, to; only looked up
};

}  // namespace tessera
