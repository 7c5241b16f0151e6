// Calls and loops: what their arguments may be, and what stays of them when a graph is made small.

#include <cmath>

#include "core/execute/interpreter.h"
#include "core/execute/shrink_graph.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

Graph readGraph(const std::string& text) {
  Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  return imported.graph ? *imported.graph : Graph();
}

// What a called function uses as a place in a cache is a place in it whoever draws the numbers.
TEST(Called, PlacesThatAFunctionIsGivenLieInside) {
  const std::string types = "tensor<1x1x2x4xf32>, tensor<1x1x1x4xf32>, tensor<1xi64>";
  const Graph graph = readGraph(
      "func.func @main(%c: tensor<1x1x2x4xf32>, %x: tensor<1x1x1x4xf32>, %i: tensor<1xi64>) -> tensor<1x1x2x4xf32> {\n"
      "  %r = func.call @fill(%c, %x, %i) : (" +
      types +
      ") -> tensor<1x1x2x4xf32>\n"
      "  return %r : tensor<1x1x2x4xf32>\n}\n"
      "func.func private @fill(%c: tensor<1x1x2x4xf32>, %x: tensor<1x1x1x4xf32>, %i: tensor<1xi64>) -> "
      "tensor<1x1x2x4xf32> {\n  \"ttir.update_cache\"(%c, %x, %i) <{batch_offset = 0 : i32}> : (" +
      types +
      ") -> ()\n"
      "  return %c : tensor<1x1x2x4xf32>\n}\n");
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const Execution run = execute(graph, randomInputs(graph, seed));
    EXPECT_EQ(run.status, ExecutionStatus::Done) << run.text;
  }
}

// What is no number stays so whatever it is compared with.
TEST(Called, TheGreatestOfNoNumberIsNone) {
  for (const char* op : {"maximum", "minimum"}) {
    const Graph graph = readGraph(
        "func.func @main(%x: tensor<3xf32>) -> (tensor<1xf32>, tensor<f32>) {\n"
        "  %z = stablehlo.constant dense<1.0> : tensor<f32>\n"
        "  %0 = \"stablehlo.reduce_window\"(%x, %z) <{window_dimensions = array<i64: 3>}> ({\n"
        "  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo." +
        std::string(op) +
        " %p, %q : tensor<f32>\n"
        "    stablehlo.return %s : tensor<f32>\n  }) : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>\n"
        "  %1 = \"stablehlo.reduce\"(%x, %z) <{dimensions = array<i64: 0>}> ({\n"
        "  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo." +
        std::string(op) +
        " %p, %q : tensor<f32>\n"
        "    stablehlo.return %s : tensor<f32>\n  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>\n"
        "  return %0, %1 : tensor<1xf32>, tensor<f32>\n}\n");
    HostTensor x;
    x.shape = {3};
    x.f = {4, NAN, 2};
    const Execution run = execute(graph, {x});
    ASSERT_EQ(run.results.size(), 2u) << run.text;
    EXPECT_TRUE(std::isnan(run.results[0].f[0])) << op;
    EXPECT_TRUE(std::isnan(run.results[1].f[0])) << op;
  }
}

TEST(ShrinkGraph, ADynamicSliceStaysAPart) {
  const ShrunkGraph small = shrinkGraph(readGraph(
      "func.func @main(%x: tensor<640x960xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<320x480xf32> {\n"
      "  %r = stablehlo.dynamic_slice %x, %i, %j, sizes = [320, 480] : (tensor<640x960xf32>, tensor<i32>, tensor<i32>) "
      "-> tensor<320x480xf32>\n  return %r : tensor<320x480xf32>\n}\n"));
  ASSERT_TRUE(small.shrunk) << small.problem;
  const Function& main = small.graph.funcs[small.graph.forward];
  const Shape &in = small.graph.values[main.args[0]].type.tensor->shape, &out = main.resultTypes[0].tensor->shape;
  for (size_t d = 0; d < 2; ++d) EXPECT_LE(out[d], in[d]);
  const Execution run = execute(small.graph, randomInputs(small.graph, 1));
  EXPECT_EQ(run.status, ExecutionStatus::Done) << run.text;
}

// A loop of many turns makes few of them, one of few as many as before.
TEST(ShrinkGraph, LoopsNeverGetMoreTurns) {
  for (const auto& [turns, left] : {std::pair(2, 2), std::pair(3, 3), std::pair(400, 3)}) {
    const std::string x = "tensor<64x64xf32>", i = "tensor<i32>";
    const ShrunkGraph small = shrinkGraph(readGraph(
        "func.func @main(%x: " + x + ") -> " + x + " {\n  %f = stablehlo.constant dense<0> : " + i +
        "\n  %r:2 = stablehlo.while(%k = %f, %s = %x) : " + i + ", " + x +
        "\n   cond {\n"
        "    %n = stablehlo.constant dense<" +
        std::to_string(turns) + "> : " + i + "\n    %c = stablehlo.compare LT, %k, %n, SIGNED : (" + i + ", " + i +
        ") -> tensor<i1>\n"
        "    stablehlo.return %c : tensor<i1>\n  } do {\n    %d = stablehlo.constant dense<1> : " +
        i + "\n    %y = stablehlo.tanh %s : " + x + "\n    %m = stablehlo.add %k, %d : " + i +
        "\n    stablehlo.return %m, %y : " + i + ", " + x + "\n  }\n  return %r#1 : " + x + "\n}\n"));
    ASSERT_TRUE(small.shrunk) << small.problem;
    const std::string text = exportMlir(small.graph);
    EXPECT_NE(text.find("value = dense<" + std::to_string(left) + ">"), std::string::npos) << text;
  }
}

// Each write goes into what the one before gave back: all of them are seen in the cache that the caller passed.
TEST(Caches, ThreeWritesInARowReachTheCallersCache) {
  const std::string cache = "tensor<1x1x4x2xf32>", row = "tensor<1x1x1x2xf32>";
  std::string body;
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    body += "  %i" + n + " = \"ttir.full\"() <{fill_value = " + n +
            " : i32, shape = array<i32: 1>}> : () -> tensor<1xsi32>\n  %" + std::to_string(i + 1) +
            " = \"ttir.update_cache\"(%" + (i == 0 ? "c" : n) + ", %x, %i" + n + ") <{batch_offset = 0 : i32}> : (" +
            cache + ", " + row + ", tensor<1xsi32>) -> " + cache + "\n";
  }
  const Imported made = importText("func.func @main(%c: " + cache + ", %x: " + row + ") -> " + cache + " {\n" + body +
                                   "  return %3 : " + cache + "\n}\n");
  ASSERT_TRUE(made.graph) << made.report();
  std::vector<HostTensor> inputs = randomInputs(*made.graph, 1);
  inputs[0].f = std::vector<float>(8, 0.0f);
  inputs[1].f = {5, 6};
  const Execution run = execute(*made.graph, inputs);
  ASSERT_EQ(run.status, ExecutionStatus::Done) << run.text;
  const std::vector<float> written = {5, 6, 5, 6, 5, 6, 0, 0};
  EXPECT_EQ(run.results.at(0).f, written);
  EXPECT_EQ(run.arguments.at(0).f, written);
}

// What all names of a cache held before a write is gone after it: more writes need no more bytes.
TEST(Caches, WritesTakeNoMoreBytesTheMoreThereAre) {
  const std::string cache = "tensor<1x1x4x8xf32>", row = "tensor<1x1x1x8xf32>";
  const auto leastBytes = [&](int writes) {
    std::string body, last = "c";
    for (int i = 0; i < writes; ++i) {
      const std::string result = "r" + std::to_string(i);
      body += "  %" + result + " = \"ttir.update_cache\"(%" + last + ", %x, %i) <{batch_offset = 0 : i32}> : (" +
              cache + ", " + row + ", tensor<1xsi32>) -> " + cache + "\n";
      last = result;
    }
    const Graph graph = readGraph("func.func @main(%c: " + cache + ", %x: " + row + ", %i: tensor<1xsi32>) -> " +
                                  cache + " {\n" + body + "  return %" + last + " : " + cache + "\n}\n");
    int64_t least = 0, enough = 1 << 16;
    while (least + 1 < enough) {
      const int64_t bytes = (least + enough) / 2;
      const bool done = execute(graph, randomInputs(graph, 1), {.bytes = bytes}).status == ExecutionStatus::Done;
      (done ? enough : least) = bytes;
    }
    return enough;
  };
  const int64_t two = leastBytes(2);
  EXPECT_GT(two, 4 * 8 * 4);  // bytes of the cache
  EXPECT_LT(two, 1 << 15);
  EXPECT_EQ(leastBytes(3), two);
  EXPECT_EQ(leastBytes(9), two);
}

}  // namespace
}  // namespace tessera::test
