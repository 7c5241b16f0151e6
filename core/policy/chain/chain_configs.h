#pragma once
// What the chain generation chooses from: the L1-sharded configs of an op, and the sharded layouts of a tensor for
// reshards.

#include <vector>

#include "core/analysis/problem.h"

namespace tessera {

// Circular buffers of a conversion between sharded and interleaved: four tiles (tt-metal data_movement).
inline Bytes interleavingBuffers(DType dtype) { return Bytes(4 * tileBytes(dtype)); }

class ChainConfigs {
 public:
  explicit ChainConfigs(const Problem& problem);

  // The op's L1-sharded configs, most cores first: layouts the op model accepts with the operands where they start, or
  // with operand 0 sharded in the same way (some ops take sharded operands only: ttnn-optimizer.md 3.3.6, gives those a
  // reshard). --max-legal-layouts bounds the layouts. Empty for ops whose result is given.
  const std::vector<OpConfig>& of(OpId op);
  // The op's configs also hold as many of this memory layout as --max-legal-layouts allows: those over most cores are
  // seldom of the kind that a concat reads.
  void prefer(OpId op, TensorMemoryLayout memory);
  // Every L1-sharded layout the value could have in the page layout it starts with, uncut.
  const std::vector<TensorLayout>& sharded(ValueId value);

  // Where operands are before a policy decides anything: as given, or in DRAM.
  std::vector<std::optional<TensorLayout>> startingLayouts(OpId op) const;
  // L1 of all arguments: they stay where the caller put them for the whole run.
  Bytes argumentL1() const { return argumentL1_; }

 private:
  std::vector<OpConfig> make(OpId op);
  bool accepts(OpId op, const TensorLayout& output) const;
  void addPreferred(OpId op, size_t most, std::vector<TensorLayout>& layouts);

  const Problem& problem_;
  LegalLayoutCache layouts_;
  IdVec<OpId, std::optional<std::vector<OpConfig>>> configs_;
  IdVec<OpId, std::optional<TensorMemoryLayout>> preferred_;
  Bytes argumentL1_;
};

}  // namespace tessera
