// Functions of regions that stay: beside the graph while passes change it, inside where they are read or written.

#include "core/ir/bodies.h"

#include <gtest/gtest.h>

#include "core/execute/interpreter.h"
#include "core/execute/shrink_graph.h"
#include "core/ir/functions.h"
#include "tests/import/import_testing.h"

namespace tessera {
namespace {

// A program with a reduction that keeps the last number that is below what was kept, and names `body`.
std::string programWith(const std::string& functions, const std::string& body = "least") {
  return "func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {\n"
         "  %d = \"ttnn.get_device\"() : () -> !ttnn.device\n"
         "  %i = \"ttnn.full\"(%d) <{fill_value = 100.0 : f32, shape = #ttnn.shape<>}> : (!ttnn.device) -> "
         "tensor<f32>\n"
         "  %0 = \"stablehlo.reduce\"(%x, %i) <{body = @" +
         body +
         ", dimensions = array<i64: 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>\n"
         "  return %0 : tensor<4xf32>\n}\n" +
         functions;
}

std::string pairFunction(const std::string& name, const std::string& op, const std::string& word = "private ") {
  return "func.func " + word + "@" + name + "(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n  %0 = " + op +
         " : (tensor<f32>, tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n";
}

const std::string kLeast = pairFunction("least", "\"stablehlo.minimum\"(%a, %b)");

Graph graphOf(const std::string& text) {
  Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  return imported.graph ? *imported.graph : Graph();
}

std::string namesIn(const Graph& graph) {
  std::string names;
  for (const Function& func : graph.funcs) names += (names.empty() ? "" : " ") + func.name;
  return names;
}

std::string bodiesOf(const Graph& graph) { return graph.bodies ? namesIn(*graph.bodies) : "none"; }

TEST(Bodies, OfAProgramStandBesideIt) {
  const Graph graph = graphOf(programWith(kLeast));
  EXPECT_EQ(namesIn(graph), "main");
  EXPECT_EQ(bodiesOf(graph), "least");
  EXPECT_TRUE(verifyGraph(graph).empty());
  const Function& main = graph.funcs[graph.forward];
  EXPECT_EQ(graph.ops[main.ops[2]].kind, OpKind::Opaque);
  EXPECT_EQ(graph.ops[main.ops[2]].name, "stablehlo.reduce");
  EXPECT_EQ(graph.bodies->ops[OpId{0}].kind, OpKind::ShloMinimum);
}

// Whatever else names a function keeps it, and what it names.
TEST(Bodies, AreOnlyWhatNothingElseNames) {
  const std::string caller =
      "func.func private @used(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = func.call @least(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n";
  const std::string calls =
      "func.func @other(%a: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = func.call @used(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n";
  EXPECT_EQ(bodiesOf(graphOf(programWith(kLeast + caller, "used"))), "least used");
  EXPECT_EQ(bodiesOf(graphOf(programWith(kLeast + caller + calls, "used"))), "none");
  EXPECT_EQ(bodiesOf(graphOf(programWith(kLeast + caller + calls, "least"))), "none");
  const std::string calledOutside =
      "func.func @other(%a: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = func.call @least(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n";
  EXPECT_EQ(bodiesOf(graphOf(programWith(kLeast + caller + calledOutside, "used"))), "used");
  EXPECT_EQ(bodiesOf(graphOf(programWith(pairFunction("least", "\"stablehlo.minimum\"(%a, %b)", "")))), "none");
  EXPECT_EQ(bodiesOf(graphOf(programWith("", "missing"))), "none");
}

// Before a program is made of it, a model in StableHLO has its regions as functions.
TEST(Bodies, OfAModelAreFunctions) {
  const Graph graph = graphOf(
      "func.func @main(%x: tensor<4x8xf32>, %i: tensor<f32>) -> tensor<4xf32> {\n"
      "  %0 = \"stablehlo.reduce\"(%x, %i) <{body = @least, dimensions = array<i64: 1>}> : (tensor<4x8xf32>, "
      "tensor<f32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n" +
      kLeast);
  EXPECT_EQ(namesIn(graph), "main least");
  EXPECT_EQ(bodiesOf(graph), "none");
}

TEST(Bodies, AreWrittenAndReadAgain) {
  const Graph graph = graphOf(programWith(kLeast));
  EXPECT_TRUE(sameGraph(graph, graphOf(exportMlir(graph))));
  Imported json = importJson(exportGraphJson(graph));
  ASSERT_TRUE(json.graph) << json.report();
  EXPECT_TRUE(sameGraph(graph, *json.graph));
  const Graph other = graphOf(programWith(pairFunction("least", "\"stablehlo.maximum\"(%a, %b)")));
  EXPECT_FALSE(sameGraph(graph, other));
  Graph without = graph;
  without.bodies = {};
  EXPECT_FALSE(sameGraph(graph, without));
}

TEST(Bodies, GoInsideWithoutMovingAnything) {
  const Graph graph = graphOf(programWith(kLeast));
  const Graph inside = withBodiesInside(graph);
  EXPECT_EQ(namesIn(inside), "main least");
  EXPECT_FALSE(inside.bodies.has_value());
  for (OpId id : graph.ops.ids()) EXPECT_EQ(inside.ops[id].name, graph.ops[id].name);
  for (ValueId id : graph.values.ids()) EXPECT_EQ(inside.values[id].name, graph.values[id].name);
  EXPECT_TRUE(sameGraph(
      withBodiesBeside(inside, functionsOnlyOf(inside, [](const Op& op) { return op.name == "stablehlo.reduce"; })),
      graph));
}

TEST(Bodies, AreExecuted) {
  const Graph graph = graphOf(programWith(kLeast));
  const std::vector<HostTensor> inputs = randomInputs(graph, 1);
  const Execution done = execute(graph, inputs);
  ASSERT_EQ(done.status, ExecutionStatus::Done) << done.text;
  for (size_t row = 0; row < 4; ++row) {
    double least = 100.0;
    for (size_t i = 0; i < 8; ++i) least = std::min(least, inputs[0].at(row * 8 + i));
    EXPECT_EQ(done.results[0].at(row), least);
  }
}

// Files may name any function as a body: one that runs itself, makes tensors of any size or runs without end.
TEST(Bodies, RunWithinABudget) {
  const auto said = [](const std::string& ops, const ExecutionBudget& budget) {
    const Graph graph =
        graphOf(programWith("func.func private @least(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n" + ops +
                            "  return %0 : tensor<f32>\n}\n"));
    const Execution done = execute(graph, randomInputs(graph, 1), budget);
    return done.status == ExecutionStatus::Done ? "done" : done.text;
  };
  const std::string sum = "  %0 = stablehlo.subtract %a, %b : tensor<f32>\n";
  const std::string again =
      "  %0 = \"stablehlo.map\"(%a, %b) <{body = @least, dimensions = array<i64>}> : (tensor<f32>, tensor<f32>) -> "
      "tensor<f32>\n";
  const std::string large =
      "  %1 = \"stablehlo.broadcast_in_dim\"(%a) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> "
      "tensor<300x300xf32>\n" +
      sum;
  EXPECT_EQ(said(sum, {}), "done");
  EXPECT_NE(said(again, {}).find("too deep"), std::string::npos);
  EXPECT_NE(said(large, {}).find("broadcast_in_dim in a body is too large"), std::string::npos);
  ExecutionBudget budget;
  budget.bodies.ops = 32;  // 4 rows of 8
  EXPECT_EQ(said(sum, budget), "done");
  budget.bodies.ops = 31;
  EXPECT_NE(said(sum, budget).find("too many ops"), std::string::npos);
}

// With the op that runs them, and stand beside it again.
TEST(Bodies, AreMadeSmall) {
  Graph graph = graphOf(
      "func.func @main(%x: tensor<96x96xf32>, %n: tensor<i32>) -> tensor<96x96xf32> {\n"
      "  %0 = \"stablehlo.case\"(%n, %x) <{body = @minus, captures = array<i64: 1>}> : (tensor<i32>, "
      "tensor<96x96xf32>) -> tensor<96x96xf32>\n  return %0 : tensor<96x96xf32>\n}\n"
      "func.func private @minus(%a: tensor<96x96xf32>) -> tensor<96x96xf32> {\n"
      "  %0 = stablehlo.negate %a : tensor<96x96xf32>\n  return %0 : tensor<96x96xf32>\n}\n");
  const IdVec<FuncId, char> bodies = functionsOnlyOf(graph, [](const Op&) { return true; });
  graph = withBodiesBeside(std::move(graph), bodies);
  ASSERT_EQ(bodiesOf(graph), "minus");
  const ShrunkGraph small = shrinkGraph(graph);
  EXPECT_TRUE(small.shrunk) << small.problem;
  EXPECT_EQ(namesIn(small.graph), "main");
  EXPECT_EQ(bodiesOf(small.graph), "minus");
  const ValueId argument = small.graph.funcs[small.graph.forward].args[0];
  EXPECT_LT(small.graph.values[argument].type.tensor->shape[0], 96);
  EXPECT_EQ(small.graph.bodies->values[ValueId{0}].type.tensor->shape, small.graph.values[argument].type.tensor->shape);
}

// `if` and loops that no pass took apart run in a program, too.
TEST(Bodies, OfChoicesAndLoopsAreExecuted) {
  const std::string scalars = "(%i: tensor<i32>, %s: tensor<4xf32>)";
  const Graph graph = graphOf(
      "func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {\n"
      "  %d = \"ttnn.get_device\"() : () -> !ttnn.device\n"
      "  %z = \"ttnn.full\"(%d) <{fill_value = 0 : i32, shape = #ttnn.shape<>}> : (!ttnn.device) -> tensor<i32>\n"
      "  %0:2 = \"stablehlo.while\"(%z, %x) <{body = @test, body1 = @turn}> : (tensor<i32>, tensor<4xf32>) -> "
      "(tensor<i32>, tensor<4xf32>)\n"
      "  %1 = \"stablehlo.case\"(%z, %x, %x) <{body = @minus, body1 = @same, captures = array<i64: 1, 1>}> : "
      "(tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
      "  return %0#1, %1 : tensor<4xf32>, tensor<4xf32>\n}\n"
      "func.func private @test" +
      scalars +
      " -> tensor<i1> {\n"
      "  %c = stablehlo.constant dense<3> : tensor<i32>\n"
      "  %0 = \"stablehlo.compare\"(%i, %c) <{comparison_direction = #stablehlo<comparison_direction LT>}> : "
      "(tensor<i32>, tensor<i32>) -> tensor<i1>\n  return %0 : tensor<i1>\n}\n"
      "func.func private @turn" +
      scalars +
      " -> (tensor<i32>, tensor<4xf32>) {\n"
      "  %c = stablehlo.constant dense<1> : tensor<i32>\n  %0 = stablehlo.add %i, %c : tensor<i32>\n"
      "  %1 = stablehlo.add %s, %s : tensor<4xf32>\n  return %0, %1 : tensor<i32>, tensor<4xf32>\n}\n"
      "func.func private @minus(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.negate %a : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
      "func.func private @same(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n}\n");
  EXPECT_EQ(bodiesOf(graph), "test turn minus same");
  const std::vector<HostTensor> inputs = randomInputs(graph, 1);
  const Execution done = execute(graph, inputs);
  ASSERT_EQ(done.status, ExecutionStatus::Done) << done.text;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(done.results[0].at(i), inputs[0].at(i) * 8);
    EXPECT_EQ(done.results[1].at(i), -inputs[0].at(i));
  }
}

TEST(Bodies, TakeNamesAndAreVerified) {
  const Graph graph = graphOf(programWith(kLeast));
  EXPECT_EQ(functionNames(graph).count("least"), 1U);
  EXPECT_EQ(functionNames(graph).count("main"), 1U);
  Graph twice = graph;
  twice.bodies->funcs[FuncId{0}].name = "main";
  ASSERT_EQ(verifyGraph(twice).size(), 1U);
  EXPECT_EQ(verifyGraph(twice)[0].rule, GraphRule::FunctionName);
}

// Programs of several forward functions carry what each of them needs.
TEST(Bodies, AreJoined) {
  const auto program = [](const std::string& name, const std::string& body) {
    Graph graph = graphOf(programWith(pairFunction(body, "\"stablehlo.minimum\"(%a, %b)"), body));
    graph.funcs[graph.forward].name = name;
    return graph;
  };
  const Graph joined = joinFunctions({program("first", "least"), program("second", "most"), program("third", "least")});
  EXPECT_EQ(namesIn(joined), "first second third");
  EXPECT_EQ(bodiesOf(joined), "least most");
  EXPECT_TRUE(verifyGraph(joined).empty());
}

}  // namespace
}  // namespace tessera
