#include "core/analysis/schedule.h"

#include <gtest/gtest.h>

#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

const char* const kText =
    "func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %never: tensor<64x64xbf16>) -> tensor<64x64xbf16> "
    "{\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %unused = \"ttir.exp\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %2 = \"ttir.add\"(%0, %0) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %3 = call @helper(%2) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %4 = \"ttir.add\"(%3, %0) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %4 : tensor<64x64xbf16>\n}\n"
    "func.func private @helper(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %y = \"ttir.relu\"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %y : tensor<64x64xbf16>\n}\n";

LiveRange rangeOf(const Graph& graph, const Liveness& live, std::string_view name) {
  return live[valueNamed(graph, name)];
}

TEST(Schedule, ProgramOrderListsEveryOpOfTheForwardFunctionOnce) {
  Graph graph = graphOf(kText);
  Schedule schedule = programOrderSchedule(graph);
  EXPECT_EQ(schedule.order, graph.funcs[graph.forward].ops);
  EXPECT_EQ(schedule.steps(), 6);
  for (int32_t step = 0; step < schedule.steps(); ++step)
    EXPECT_EQ(schedule.position[schedule.order[static_cast<size_t>(step)]], step);
}

TEST(Schedule, OpsOfOtherFunctionsHaveNoPosition) {
  Graph graph = graphOf(kText);
  Schedule schedule = programOrderSchedule(graph);
  ASSERT_EQ(graph.funcs.size(), 2u);
  for (OpId op : graph.ops.ids()) {
    EXPECT_EQ(schedule.position[op] >= 0, graph.ops[op].func == graph.forward);
  }
}

TEST(Schedule, AnotherOrderMovesSteps) {
  Graph graph = graphOf(kText);
  std::vector<OpId> order = graph.funcs[graph.forward].ops;
  std::swap(order[1], order[4]);  // %unused runs late
  Schedule schedule = scheduleFromOrder(graph, order);
  EXPECT_EQ(schedule.position[producerOf(graph, "unused")], 4);
  Liveness live = computeLiveness(graph, schedule);
  EXPECT_EQ(rangeOf(graph, live, "unused").def, 4);
  EXPECT_EQ(rangeOf(graph, live, "a").lastUse, 4);
}

TEST(ScheduleDeathTest, AnOpTwiceIsABugOfOurs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Graph graph = graphOf(kText);
  std::vector<OpId> order = graph.funcs[graph.forward].ops;
  order[1] = order[0];
  EXPECT_DEATH(scheduleFromOrder(graph, order), "scheduled twice");
}

TEST(Liveness, FromTheStepThatMakesAValueToTheLastThatReadsIt) {
  Graph graph = graphOf(kText);
  Liveness live = computeLiveness(graph, programOrderSchedule(graph));
  EXPECT_EQ(rangeOf(graph, live, "0").def, 0);
  EXPECT_EQ(rangeOf(graph, live, "0").lastUse, 4);  // %4, not %2
  EXPECT_EQ(rangeOf(graph, live, "2").def, 2);
  EXPECT_EQ(rangeOf(graph, live, "2").lastUse, 3);
  EXPECT_EQ(rangeOf(graph, live, "4").lastUse, 5);  // the return
}

TEST(Liveness, ArgumentsStartBeforeTheFirstStepAndUnusedValuesDieAtOnce) {
  Graph graph = graphOf(kText);
  Liveness live = computeLiveness(graph, programOrderSchedule(graph));
  EXPECT_EQ(rangeOf(graph, live, "a").def, -1);
  EXPECT_EQ(rangeOf(graph, live, "a").lastUse, 1);
  EXPECT_EQ(rangeOf(graph, live, "never").def, -1);
  EXPECT_EQ(rangeOf(graph, live, "never").lastUse, -1);
  EXPECT_EQ(rangeOf(graph, live, "unused").def, 1);
  EXPECT_EQ(rangeOf(graph, live, "unused").lastUse, 1);
}

TEST(Liveness, ValuesOfOtherFunctionsNeverLive) {
  Graph graph = graphOf(kText);
  Liveness live = computeLiveness(graph, programOrderSchedule(graph));
  int others = 0;
  for (ValueId value : graph.values.ids()) {
    if (graph.values[value].func == graph.forward) continue;
    ++others;
    EXPECT_EQ(live[value].def, -1);
    EXPECT_EQ(live[value].lastUse, -1);
  }
  EXPECT_EQ(others, 2);
}

TEST(Schedule, AFunctionThatOnlyReturns) {
  Graph graph =
      graphOf("func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n  return %a : tensor<64x64xbf16>\n}\n");
  Schedule schedule = programOrderSchedule(graph);
  EXPECT_EQ(schedule.steps(), 1);
  EXPECT_EQ(rangeOf(graph, computeLiveness(graph, schedule), "a").lastUse, 0);
}

}  // namespace
}  // namespace tessera::test
