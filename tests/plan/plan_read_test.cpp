// Plans that are read: what is not said, where operands end, and how moves are written. And plans as the graph has
// them.

#include <algorithm>

#include "core/plan/plan_json.h"
#include "core/policy/kit/written_plan.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// %2 reads %0 and %1, which have different shapes.
const char* const kProduct =
    "func.func @main(%a: tensor<64x256xbf16>, %b: tensor<256x512xbf16>) -> tensor<64x512xbf16> {\n"
    "  %0 = \"ttir.add\"(%a, %a) : (tensor<64x256xbf16>, tensor<64x256xbf16>) -> tensor<64x256xbf16>\n"
    "  %1 = \"ttir.multiply\"(%b, %b) : (tensor<256x512xbf16>, tensor<256x512xbf16>) -> tensor<256x512xbf16>\n"
    "  %2 = \"ttir.matmul\"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16>, "
    "tensor<256x512xbf16>) -> tensor<64x512xbf16>\n"
    "  return %2 : tensor<64x512xbf16>\n}\n";

struct Read {
  Plan plan;
  std::string mistake;
};
Read read(const PolicyRun& run, const std::string& text) {
  const SourceBuffer source("plan", text);
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(source, diags);
  Read out{readPlan(document.root(), *run.problem, diags), ""};
  for (const Diagnostic& diagnostic : diags.all()) out.mistake += diagnostic.message + "\n";
  return out;
}

TEST(PlanRead, OperandsEndWithTheLastOne) {
  const auto run = runOn(graphOf(kProduct), "DRAM");
  const auto reshard = [&](int operand) {
    return read(*run, R"({"schema": 1, "layouts": [{"buffer": "l1"}], "reshards": [{"op": 2, "operand": )" +
                          std::to_string(operand) + R"(, "to": 0}]})");
  };
  EXPECT_EQ(reshard(0).mistake, "");
  EXPECT_EQ(reshard(1).mistake, "");
  ASSERT_EQ(reshard(1).plan.reshards.size(), 1u);
  EXPECT_EQ(reshard(1).plan.reshards[0].to, l1InterleavedLayout(*run->problem, valueNamed(run->graph, "1")));
  EXPECT_NE(reshard(2).mistake.find("expected the number of a tensor operand"), std::string::npos);
  EXPECT_NE(reshard(-1).mistake.find("expected the number of a tensor operand"), std::string::npos);
}

// An op without results is written by its number in the program, under every order of the plan: the print stands at 2,
// and runs as the second op here.
TEST(PlanRead, OpsWithoutResultsHaveTheNumberOfTheProgram) {
  const auto run = runOn(graphOf("func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
                                 "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
                                 "  %1 = \"ttir.exp\"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
                                 "  \"mylib.print\"(%0) : (tensor<64x64xbf16>) -> ()\n"
                                 "  return %1 : tensor<64x64xbf16>\n}\n"),
                         "DRAM");
  const std::vector<OpId>& ops = run->graph.funcs[run->graph.forward].ops;
  Plan plan = run->plan;
  plan.order = {ops[0], ops[2], ops[1], ops[3]};
  plan.reshards = {{ops[2], 0, l1InterleavedLayout(*run->problem, valueNamed(run->graph, "0"))}};
  const std::string text = planJson(*run->problem, plan, "x", "{}");
  EXPECT_NE(text.find("\"order\":[0,2,1,3]"), std::string::npos) << text;
  EXPECT_NE(text.find("\"op\":2,"), std::string::npos) << text;
  const Read again = read(*run, text);
  EXPECT_EQ(again.mistake, "");
  EXPECT_EQ(again.plan.order, plan.order);
  ASSERT_EQ(again.plan.reshards.size(), 1u);
  EXPECT_EQ(again.plan.reshards[0].consumer, ops[2]);
}

// Of several results the first one names the op.
TEST(PlanRead, OpsWithSeveralResultsHaveTheNameOfTheFirst) {
  const auto run =
      runOn(graphOf("func.func @main(%a: tensor<64x64xbf16>) -> (tensor<64x64xbf16>, tensor<64x64xsi32>) {\n"
                    "  %0:2 = \"ttir.sort\"(%a) <{dim = -1 : si32, descending = false, stable = false}> : "
                    "(tensor<64x64xbf16>) -> (tensor<64x64xbf16>, tensor<64x64xsi32>)\n"
                    "  return %0#0, %0#1 : tensor<64x64xbf16>, tensor<64x64xsi32>\n}\n"),
            "DRAM");
  Plan plan = run->plan;
  plan.reshards = {{producerOf(run->graph, "0"), 0, l1InterleavedLayout(*run->problem, valueNamed(run->graph, "a"))}};
  const std::string text = planJson(*run->problem, plan, "x", "{}");
  EXPECT_NE(text.find("\"reshards\":[{\"op\":\"%0\","), std::string::npos) << text;
  EXPECT_EQ(read(*run, text).plan.reshards, plan.reshards);
}

// A layout is written with its shard only where the shape and the grid do not give it.
TEST(PlanRead, LayoutsOfMovesAreThoseOfTheValueThatMoves) {
  const auto run = runOn(graphOf(kProduct), "DRAM");
  Plan plan = run->plan;
  const OpId product = producerOf(run->graph, "2");
  const TensorLayout blocks = layoutFor(run->graph, valueNamed(run->graph, "1"), BufferType::L1,
                                        TensorMemoryLayout::BlockSharded, {8, 8}, run->device);
  plan.reshards = {{product, 1, blocks}};
  const std::string text = planJson(*run->problem, plan, "x", "{}");
  EXPECT_EQ(text.find("\"shard\""), std::string::npos) << text;
  const Read again = read(*run, text);
  EXPECT_EQ(again.mistake, "");
  EXPECT_EQ(again.plan.reshards, plan.reshards);
}

// Without a cause a move before the return is the return's, any other one makes room.
TEST(PlanRead, CausesThatAreNotSaid) {
  const auto run = runOn(graphOf(kProduct), "DRAM");
  const auto cause = [&](const char* value, int before) {
    const Read one = read(*run, R"({"schema": 1, "layouts": [{"buffer": "l1"}, {"buffer": "dram"}], "values": {"%)" +
                                    std::string(value) + R"(": 0}, "spills": [{"value": "%)" + value +
                                    R"(", "before": )" + std::to_string(before) + R"(, "to": 1}]})");
    EXPECT_EQ(one.mistake, "") << value;
    return one.plan.spills.empty() ? std::string_view() : spillCauseName(one.plan.spills.at(0).cause);
  };
  EXPECT_EQ(cause("0", 2), spillCauseName(SpillCause::Memory));
  EXPECT_EQ(cause("2", 3), spillCauseName(SpillCause::FunctionReturn));
}

// What a plan does not place is not written, nor is the config of its op.
TEST(PlanRead, ValuesWithoutALayoutAreNotWritten) {
  const auto run = runOn(graphOf(kProduct), "DRAM");
  Plan plan = run->plan;
  EXPECT_NE(planJson(*run->problem, plan, "x", "{}").find("\"%1\":"), std::string::npos);
  plan.layout[valueNamed(run->graph, "1")].reset();
  const std::string text = planJson(*run->problem, plan, "x", "{}");
  EXPECT_EQ(text.find("\"%1\":"), std::string::npos) << text;
  EXPECT_NE(text.find("\"%0\":"), std::string::npos) << text;
  EXPECT_NE(text.find("\"configs\":[]"), std::string::npos) << text;
}

// What the graph says counts, though a policy might choose otherwise; what it does not say is in DRAM.
TEST(WrittenPlan, HasTheLayoutsOfTheGraph) {
  Graph graph = graphOf(kProduct);
  const ValueId first = valueNamed(graph, "0"), second = valueNamed(graph, "1");
  const TensorLayout blocks =
      layoutFor(graph, first, BufferType::L1, TensorMemoryLayout::BlockSharded, {2, 8}, allDevices()[0]);
  graph.values.edit(first).type.tensor->layout = blocks;
  const Problem problem = analysed(graph, allDevices()[0], {});
  ASSERT_FALSE(problem.pinned[first]) << "a policy may choose";
  const Plan plan = writtenPlan(problem);
  EXPECT_EQ(*plan.layout[first], blocks);
  EXPECT_EQ(*plan.layout[second], dramLayout(problem, second));
  EXPECT_EQ(plan.config[producerOf(graph, "0")].output, blocks);
  EXPECT_EQ(plan.order, problem.schedule.order);
}

}  // namespace
}  // namespace tessera::test
