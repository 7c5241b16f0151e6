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

// So it is when it leaves earlier, because another op runs before the return.
TEST(Losses, WhatIsReturnedMayLeaveBeforeTheReturn) {
  Session session;
  session.load("chain",
               "func.func @main(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> (tensor<512x512xbf16>, "
               "tensor<512x512xbf16>) {\n"
               "  %0 = \"ttir.add\"(%a, %b) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
               "  %1 = \"ttir.exp\"(%b) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
               "  return %0, %1 : tensor<512x512xbf16>, tensor<512x512xbf16>\n}\n");
  for (const char* policy : {"DFSharding", "DFSharding2"}) {
    Options options;
    options.policy = policy;
    const auto finished = runPolicy(session, options, Diagnostics());
    ASSERT_TRUE(finished->report.run);
    const RunOutcome& run = *finished->report.run;
    ASSERT_EQ(run.plan.spills.size(), 1u);
    EXPECT_EQ(run.plan.spills[0].cause, SpillCause::ChainEnd);
    const std::vector<Loss> losses = findLosses(run);
    ASSERT_EQ(losses.size(), 2u) << policy;
    for (const Loss& loss : losses) EXPECT_EQ(loss.cause, LossCause::Return) << policy;
    EXPECT_EQ(losses[0].value, run.plan.spills[0].value) << policy << ": what was in L1 comes first";
    EXPECT_TRUE(losses[0].wasInL1);
    EXPECT_FALSE(losses[1].wasInL1);
  }
}

}  // namespace
}  // namespace tessera::test
