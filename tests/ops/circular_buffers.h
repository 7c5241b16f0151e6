#pragma once
// What must hold of any query's circular buffers, beside the bytes that the op model gives.

#include <gtest/gtest.h>

#include "core/ops/model/op_model.h"

namespace tessera::test {

inline void expectBuffersAddUp(const std::vector<CircularBuffer>& buffers, const OpConstraints& constraints,
                               const OpRule& rule, int64_t alignment) {
  int64_t sum = 0, region = 0;
  for (const CircularBuffer& buffer : buffers) {
    EXPECT_FALSE(buffer.name.empty());
    EXPECT_GT(buffer.pages, 0) << buffer.name;
    EXPECT_GE(buffer.bytes, buffer.pages) << buffer.name;
    EXPECT_EQ(buffer.operand >= 0, buffer.backedBy == BackedBy::Operand) << buffer.name;
    if (buffer.backedBy != BackedBy::Nothing) continue;
    sum += buffer.bytes;
    region += alignUp(buffer.bytes, alignment);
  }
  EXPECT_EQ(sum, constraints.cbL1PeakSize.count);
  EXPECT_EQ(region, constraints.cbRegionSize.count);
  EXPECT_FALSE(rule.name.empty());
  EXPECT_FALSE(rule.source.empty());
}

// A buffer that an operand backs is that operand's shard; one that the result backs, the result's.
inline void expectBackedByShards(const std::vector<CircularBuffer>& buffers, const OpQuery& query) {
  for (const CircularBuffer& buffer : buffers) {
    if (buffer.backedBy == BackedBy::Nothing) continue;
    bool byResult = buffer.backedBy == BackedBy::Result;
    ASSERT_LT(static_cast<size_t>(buffer.operand + 1), query.inputs.size() + 1);
    const TensorLayout& layout = byResult ? query.config.output : *query.inputs[static_cast<size_t>(buffer.operand)];
    EXPECT_TRUE(layout.sharded() && layout.isL1()) << buffer.name;
    EXPECT_EQ(buffer.bytes, l1BytesPerCore(layout).count) << buffer.name;
  }
}

}  // namespace tessera::test
