#pragma once
// What the fallback tries for the result of an op that is refused, and how much of L1 is taken when it does.

#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/graph.h"

namespace tessera {

// The remedies of docs/rules/lowering.md#validation-and-fallback.
enum class FallbackLevel { Layout = 1, Memory = 2, Sharding = 3, Conversions = 4 };
const char* fallbackLevelName(FallbackLevel);

struct FallbackOutput {
  TensorLayout layout;
  FallbackLevel level = FallbackLevel::Layout;
};

// Other layouts than `wanted` for a result of this shape, nearest first: where it is in other pages, sharded in another
// way, interleaved in L1, in DRAM. A result that is wanted in DRAM stays there.
std::vector<FallbackOutput> fallbackOutputs(const Shape& shape, const TensorLayout& wanted, const DeviceSpec& device);

// L1 that tensors of the forward function take while an op runs. Every tensor counts by itself, also one that shares
// its buffer with another.
class TakenL1 {
 public:
  explicit TakenL1(const Graph& graph);
  // Bytes per core of the tensors that are there when the op starts, with the layouts that `now` has; with those that
  // end here, or without.
  Bytes before(OpId op, const Graph& now) const { return sum(op, now, true); }
  Bytes after(OpId op, const Graph& now) const { return sum(op, now, false); }

 private:
  Bytes sum(OpId op, const Graph& now, bool withLastUses) const;

  IdVec<OpId, int64_t> position_;               // -1: not in the forward function
  IdVec<ValueId, int64_t> madeAt_, lastUseAt_;  // arguments are made at -1
};

}  // namespace tessera
