// What BFInterleaved and GreedyL1Interleaved share: an order and results that are to stay in L1 become a plan.

#include "core/policy/chain/interleaved_plan.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

// A tensor that takes so many tiles of each of 64 cores when it is L1 interleaved.
std::string ofTiles(int64_t tiles) { return "2048x" + std::to_string(32 * tiles); }

// %0 leaves a hole that is too small for %3, and %1 lies between it and the rest, which is too small as well once the
// circular buffers have their place: the bytes fit, the addresses do not. All are fixed by hand.
TEST(InterleavedPlan, AnOverrideWithoutRoomIsGivenUp) {
  const DeviceSpec& device = allDevices()[0];
  const int64_t tiles = device.usableL1().count / 2048;
  const int64_t first = tiles * 2 / 5, rest = tiles - first - 20;
  GraphText text(ofTiles(1));
  text.arg("%a", ofTiles(first)).arg("%b", ofTiles(20)).arg("%c", ofTiles(rest - 2));
  const std::string sum = "dim_arg = [1 : i32], keep_dim = true";
  text.op("%0", "ttnn.exp", {"%a"}, ofTiles(first)).op("%1", "ttnn.exp", {"%b"}, ofTiles(20));
  text.op("%2", "ttnn.sum", {"%0"}, "2048x1", sum).op("%3", "ttnn.exp", {"%c"}, ofTiles(rest - 2));
  text.op("%4", "ttnn.sum", {"%1"}, "2048x1", sum).op("%5", "ttnn.sum", {"%3"}, "2048x1", sum);
  ProblemOptions options;
  options.layoutOverrides =
      parseLayoutOverrides("%0=l1:interleaved,%1=l1:interleaved,%3=l1:interleaved", noDiagnostics());
  const Graph graph = graphOf(text.returning({"%2", "%4", "%5"}));
  const Problem problem = analysed(graph, device, options);
  InterleavedChoice choice{.order = {}, .inL1 = IdVec<OpId, bool>(graph.ops.size(), false), .why = {}};
  choice.why.resize(graph.ops.size());
  for (const char* name : {"0", "1", "2", "3", "4", "5"}) choice.order.push_back(producerOf(graph, name));
  DecisionLog log;
  const Plan plan = planInterleaved(problem, choice, false, log);
  const auto inL1 = [&](const char* name) { return plan.layout[valueNamed(graph, name)]->isL1(); };
  EXPECT_TRUE(inL1("0") && inL1("1"));
  EXPECT_FALSE(inL1("3"));
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_NE(log.warnings[0].find("1 results stay in DRAM although their bytes fit"), std::string::npos);
}

// Giving up what was fixed begins anew with the first op: %z, which nobody fixed and which is long gone then, stays in
// L1 all the same.
TEST(InterleavedPlan, WhatWasDecidedBeforeAnOverrideIsGivenUpIsDecidedAgain) {
  const DeviceSpec& device = allDevices()[0];
  const int64_t tiles = device.usableL1().count / 2048;
  const int64_t first = tiles * 2 / 5, rest = tiles - first - 20;
  GraphText text(ofTiles(1));
  text.arg("%y", ofTiles(4)).arg("%a", ofTiles(first)).arg("%b", ofTiles(20)).arg("%c", ofTiles(rest - 2));
  const std::string sum = "dim_arg = [1 : i32], keep_dim = true";
  text.op("%z", "ttnn.exp", {"%y"}, ofTiles(4)).op("%s", "ttnn.sum", {"%z"}, "2048x1", sum);
  text.op("%0", "ttnn.exp", {"%a"}, ofTiles(first)).op("%1", "ttnn.exp", {"%b"}, ofTiles(20));
  text.op("%2", "ttnn.sum", {"%0"}, "2048x1", sum).op("%3", "ttnn.exp", {"%c"}, ofTiles(rest - 2));
  text.op("%4", "ttnn.sum", {"%1"}, "2048x1", sum).op("%5", "ttnn.sum", {"%3"}, "2048x1", sum);
  ProblemOptions options;
  options.layoutOverrides =
      parseLayoutOverrides("%0=l1:interleaved,%1=l1:interleaved,%3=l1:interleaved", noDiagnostics());
  const Graph graph = graphOf(text.returning({"%s", "%2", "%4", "%5"}));
  const Problem problem = analysed(graph, device, options);
  InterleavedChoice choice{.order = {}, .inL1 = IdVec<OpId, bool>(graph.ops.size(), false), .why = {}};
  choice.why.resize(graph.ops.size());
  choice.inL1[producerOf(graph, "z")] = true;
  for (const char* name : {"z", "s", "0", "1", "2", "3", "4", "5"}) choice.order.push_back(producerOf(graph, name));
  DecisionLog log;
  const Plan plan = planInterleaved(problem, choice, false, log);
  const auto place = [&](const char* name) { return layoutText(*plan.layout[valueNamed(graph, name)]); };
  EXPECT_EQ(place("z"), "L1 interleaved");
  EXPECT_EQ(place("0"), "L1 interleaved");
  EXPECT_EQ(place("1"), "L1 interleaved");
  EXPECT_EQ(place("3"), "DRAM");
}

// What is wanted of %3, alone and where it has no room beside what else is fixed.
TEST(InterleavedPlan, AnOverrideHoldsWhereOneOfItsLayoutsHasRoom) {
  const DeviceSpec& device = allDevices()[0];
  const int64_t tiles = device.usableL1().count / 2048;
  const int64_t first = tiles * 2 / 5, rest = tiles - first - 20;
  GraphText text(ofTiles(1));
  text.arg("%a", ofTiles(first)).arg("%b", ofTiles(20)).arg("%c", ofTiles(rest / 2 - 1));
  const std::string sum = "dim_arg = [1 : i32], keep_dim = true";
  text.op("%0", "ttnn.exp", {"%a"}, ofTiles(first)).op("%1", "ttnn.exp", {"%b"}, ofTiles(20));
  text.op("%2", "ttnn.sum", {"%0"}, "2048x1", sum).op("%3", "ttnn.exp", {"%c"}, ofTiles(rest / 2 - 1));
  text.op("%4", "ttnn.sum", {"%1"}, "2048x1", sum).op("%5", "ttnn.sum", {"%3"}, "2048x1", sum);
  const Graph graph = graphOf(text.returning({"%2", "%4", "%5"}));
  const auto placed = [&](const char* overrides) {
    ProblemOptions options;
    options.layoutOverrides = parseLayoutOverrides(overrides, noDiagnostics());
    const Problem problem = analysed(graph, device, options);
    InterleavedChoice choice{.order = {}, .inL1 = IdVec<OpId, bool>(graph.ops.size(), false), .why = {}};
    choice.why.resize(graph.ops.size());
    for (const char* name : {"0", "1", "2", "3", "4", "5"}) choice.order.push_back(producerOf(graph, name));
    DecisionLog log;
    const TensorLayout layout = *planInterleaved(problem, choice, false, log).layout[valueNamed(graph, "3")];
    return layoutText(layout) + " " + std::string(dtypeName(layout.dtype)) +
           (log.warnings.empty() ? "" : " with a warning");
  };
  const auto both = [&](const std::string& override) {
    return placed(override.c_str()) + ", " + placed(("%0=l1:interleaved,%1=l1:interleaved," + override).c_str());
  };
  EXPECT_EQ(both("%3=f32:l1:interleaved"), "L1 interleaved f32, DRAM bf16 with a warning");
  EXPECT_EQ(both("%3=f32:8x8"), "L1 interleaved f32, DRAM bf16 with a warning");
  EXPECT_EQ(both("%3=8x8:interleaved"), "L1 interleaved bf16, L1 interleaved bf16") << "half the bytes";
  EXPECT_EQ(both("%3=f32:interleaved"), "DRAM f32, DRAM f32") << "where both are meant DRAM comes first";
  EXPECT_EQ(both("%3=f32"), "DRAM f32, DRAM f32");
  EXPECT_EQ(both("%3=row_major"), "DRAM bf16, DRAM bf16") << "the sum takes no rows";
}

}  // namespace
}  // namespace tessera::test
