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

// The end of a chain of DFSharding leaves L1 because nothing but the return reads it: no reader refuses it.
TEST(Losses, WhatOnlyTheFunctionReturnsIsAReturn) {
  Session session;
  session.load("chain",
               "func.func @main(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
               "  %0 = \"ttir.add\"(%a, %b) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
               "  %1 = \"ttir.relu\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
               "  return %1 : tensor<512x512xbf16>\n}\n");
  for (const char* policy : {"DFSharding", "DFSharding2", "Greedy"}) {
    Options options;
    options.policy = policy;
    const auto finished = runPolicy(session, options, Diagnostics());
    ASSERT_TRUE(finished->report.run);
    const Graph& graph = finished->problem->graph;
    size_t returned = 0;
    for (const Loss& loss : findLosses(*finished->report.run)) {
      if (graph.ops[graph.values[loss.value].producer].name != "ttnn.relu") continue;
      EXPECT_EQ(lossCauseName(loss.cause), "return") << policy;
      ++returned;
    }
    EXPECT_EQ(returned, 1u) << policy;
  }
}

}  // namespace
}  // namespace tessera::test
