// Losses, value by value: what counts as one, and under which cause.

#include "core/report/losses.h"

#include "core/driver/pipeline.h"

namespace tessera::test {
namespace {

// A weight that is transposed before it is used: const-eval does that once, the graph loads the result.
constexpr const char* kCachedWeight = R"(
func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>})
    -> tensor<64x64xbf16> {
  %0 = "ttir.permute"(%w) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %1 = "ttir.matmul"(%x, %0) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = "ttir.add"(%1, %0) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %2 : tensor<64x64xbf16>
}
)";

TEST(Losses, WhatConstEvalLeftIsNone) {
  Session session;
  session.load("cached", kCachedWeight);
  for (const PolicyInfo& policy : allPolicies()) {
    SCOPED_TRACE(policy.id);
    Options options;
    options.policy = policy.id;
    const auto finished = runPolicy(session, options, Diagnostics());
    ASSERT_TRUE(finished->report.run);
    const Graph& graph = finished->problem->graph;
    size_t cached = 0;
    for (OpId op : finished->report.run->plan.order) cached += graph.ops[op].kind == OpKind::TtcoreLoadCached;
    if (policy.has(kAsItStands)) continue;
    EXPECT_EQ(cached, 1u);
    for (const Loss& loss : findLosses(*finished->report.run)) {
      const OpId producer = graph.values[loss.value].producer;
      ASSERT_TRUE(producer.valid());
      EXPECT_NE(graph.ops[producer].kind, OpKind::TtcoreLoadCached);
    }
  }
}

}  // namespace
}  // namespace tessera::test
