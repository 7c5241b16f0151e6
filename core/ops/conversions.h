#pragma once
// What it takes to bring a tensor from one layout into another by a single `ttnn.to_layout`. Searches ask this about equal tensors
// over and over, of many values and from one run to the next.

#include <unordered_map>

#include "core/ir/graph.h"
#include "core/ir/layout_pool.h"
#include "core/ops/op_model.h"
#include "core/support/key_index.h"

namespace tessera {

struct Conversion {
  bool legal = false;         // whatever the budget
  Nanoseconds time;           // of a legal one
  Bytes circularBuffers;      // per core
  Bytes needed;               // of L1 per core, without the tensor itself: peak of what the op allocates
};

class Conversions {
 public:
  Conversions();
  Conversions(const Conversions&) = delete;
  Conversions& operator=(const Conversions&) = delete;

  // Asks `model` when it is new. All models must be of equal devices; the budget plays no part. Bounded like OpMemo.
  const Conversion& of(const OpModel& model, const ValueType& type, const TensorLayout& from, const TensorLayout& to);

 private:
  Graph scratch_;  // one op that converts a value of the type asked for
  OpId op_;
  Key key_;          // of the type asked for
  KeyIndex types_;   // shape and element type
  LayoutPool layouts_;
  std::unordered_map<uint64_t, Conversion> known_;  // by type, from, to
};

}  // namespace tessera
