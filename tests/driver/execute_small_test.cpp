// A graph made smaller and executed: how small, what is said about it, and what stays whole. And the steps that a
// request gives to be matched with a profile.

#include "core/driver/execute_run.h"
#include "core/driver/profiled_steps.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

const char* const kLargeRelu =
    "func.func @main(%a: tensor<512x1024xbf16>) -> tensor<512x1024xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16>\n"
    "  return %0 : tensor<512x1024xbf16>\n}\n";

ExecutedRun executedWith(const ExecuteRequest& request, Session& session) {
  return executeSmall(graphOf(kLargeRelu), session, request);
}

Shape executedShape(const ExecutedRun& done) {
  const Graph& graph = *done.run->loaded->graph;
  return graph.values[graph.funcs[graph.forward].args[0]].type.tensor->shape;
}

TEST(ExecuteSmall, RowsAndColumnsAreAboutAsManyAsAreAskedFor) {
  Session session;
  const ExecutedRun usual = executedWith({}, session);
  EXPECT_TRUE(usual.executed);
  EXPECT_EQ(usual.execution.status, PlanStatus::Equal);
  EXPECT_EQ(usual.note, "made smaller, of about 40 rows and columns");
  const Shape shape = executedShape(usual);
  ASSERT_EQ(shape.size(), 2u);
  for (const int64_t dim : shape) {
    EXPECT_GE(dim, 33);
    EXPECT_LE(dim, 64);
  }
  Session other;
  ExecuteRequest least;
  least.side = 0;
  const ExecutedRun small = executedWith(least, other);
  EXPECT_TRUE(small.executed);
  EXPECT_EQ(small.note, "made smaller");
  EXPECT_LT(executedShape(small)[0] * executedShape(small)[1], shape[0] * shape[1]);
}

TEST(ExecuteSmall, AWholeGraphStaysAsItIs) {
  Session session;
  ExecuteRequest whole;
  whole.whole = true;
  const ExecutedRun done = executedWith(whole, session);
  EXPECT_TRUE(done.executed);
  EXPECT_EQ(done.note, "");
  EXPECT_EQ(executedShape(done), (Shape{512, 1024}));
}

// A graph beyond the limits is made as small as may be, unless it was asked for whole.
TEST(ExecuteSmall, AWholeGraphThatIsTooLargeIsNotExecutedInPart) {
  const std::string x = "tensor<2048x2048xbf16>";
  const Graph graph =
      graphOf("func.func @main(%a: " + x + ", %b: " + x + ") -> " + x + " {\n  %0 = \"ttir.matmul\"(%a, %b) : (" + x +
              ", " + x + ") -> " + x + "\n  return %0 : " + x + "\n}\n");
  ExecuteRequest whole;
  whole.whole = true;
  Session session, other;
  const ExecutedRun done = executeSmall(graph, session, whole);
  EXPECT_EQ(done.execution.status, PlanStatus::OverBudget);
  EXPECT_EQ(done.note, "");
  EXPECT_EQ(executeSmall(graph, other, {}).execution.status, PlanStatus::Equal);
}

// Under any policy the same values come out; the run is of the policy that was asked for.
TEST(ExecuteSmall, ThePolicyIsTheOneThatWasAskedFor) {
  for (const char* policy : {"DRAM", "Greedy", "DFSharding", "Exact"}) {
    Session session;
    ExecuteRequest request;
    request.options.policy = policy;
    request.options.policyGiven = true;
    const ExecutedRun done = executedWith(request, session);
    ASSERT_TRUE(done.executed) << policy;
    EXPECT_EQ(done.run->report.run->policy->id, policy);
    EXPECT_EQ(done.execution.status, PlanStatus::Equal) << policy;
  }
}

// --- steps of a request ----------------------------------------------------------------------------------------------

// What bounds a step is the part of its time of that name.
TEST(ProfiledSteps, OfARunHaveThePartThatBounds) {
  Session session;
  session.load("x", kRelu);
  auto finished = runPolicy(session, Options(), {});
  ASSERT_TRUE(finished->report.run);
  RunOutcome run = std::move(*finished->report.run);
  SimStep& step = ownProgram(run).sim.steps[0];
  step.time.compute = Nanoseconds(2), step.time.dram = Nanoseconds(3), step.time.noc = Nanoseconds(5);
  step.time.fixed = Nanoseconds(7);
  const std::tuple<Bound, const char*, int64_t> parts[] = {{Bound::Compute, "compute", 2},
                                                           {Bound::Dram, "dram", 3},
                                                           {Bound::Noc, "noc", 5},
                                                           {Bound::Fixed, "fixed", 7},
                                                           {Bound::None, "none", 0}};
  for (const auto& [bound, name, part] : parts) {
    step.bound = bound;
    const ProfiledStep told = profiledSteps(run).at(0);
    EXPECT_EQ(told.bound, name);
    EXPECT_EQ(told.boundPart, part) << name;
    EXPECT_EQ(told.total, step.time.total().count);
    EXPECT_EQ(told.name, "%0  ttnn.relu");
    EXPECT_EQ(told.shape, (std::vector<int64_t>{64, 64}));
    EXPECT_EQ(told.row, 0);
  }
}

// Profiles write shapes of four dims, whatever the rank: ones in front mean nothing.
TEST(ProfiledSteps, HaveShapesWithoutOnesInFront) {
  Session session;
  session.load("x",
               "func.func @main(%a: tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16> {\n"
               "  %0 = \"ttir.relu\"(%a) : (tensor<1x1x32x64xbf16>) -> tensor<1x1x32x64xbf16>\n"
               "  return %0 : tensor<1x1x32x64xbf16>\n}\n");
  const auto finished = runPolicy(session, Options(), {});
  ASSERT_TRUE(finished->report.run);
  EXPECT_EQ(profiledSteps(*finished->report.run).at(0).shape, (std::vector<int64_t>{32, 64}));
}

TEST(ProfiledSteps, AreReadFieldByField) {
  const Json steps(R"([
    {"row": 3, "op": "ttnn.relu", "shape": "1x1x56x64", "memory": "l1 height_sharded", "bound": "dram", "time": 12,
     "boundPart": 5},
    {"row": 0, "op": "no.such_op", "shape": "1x1", "time": -3, "boundPart": 2000000000000},
    {"op": 7, "shape": 7, "memory": 7, "bound": 7, "time": "7"},
    {"shape": "2x3x4x5x6x7x8x9x2x3x4x5x6x7x8x9x2"}])");
  const std::vector<ProfiledStep> read = profiledSteps(steps.document.root());
  ASSERT_EQ(read.size(), 4u);
  EXPECT_EQ(read[0].row, 3);
  EXPECT_EQ(read[0].name, "ttnn.relu");
  EXPECT_EQ(read[0].kind, OpKind::TtnnRelu);
  EXPECT_EQ(read[0].shape, (std::vector<int64_t>{56, 64}));
  EXPECT_EQ(read[0].memory, "l1 height_sharded");
  EXPECT_EQ(read[0].bound, "dram");
  EXPECT_EQ(read[0].total, 12);
  EXPECT_EQ(read[0].boundPart, 5);
  EXPECT_EQ(read[1].row, 0);
  EXPECT_EQ(read[1].kind, OpKind::Opaque);
  EXPECT_EQ(read[1].shape, (std::vector<int64_t>{1}));
  EXPECT_EQ(read[1].total, 0) << "no time is negative";
  EXPECT_EQ(read[1].boundPart, 1'000'000'000'000);
  EXPECT_EQ(read[2].name, "");
  EXPECT_EQ(read[2].memory, "");
  EXPECT_EQ(read[2].bound, "");
  EXPECT_EQ(read[2].total, 0);
  EXPECT_EQ(read[3].shape.size(), 16u) << "no tensor has more dims";
  EXPECT_TRUE(profiledSteps(JsonValue()).empty());
}

}  // namespace
}  // namespace tessera::test
