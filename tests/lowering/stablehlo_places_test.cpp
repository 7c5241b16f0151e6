// StableHLO ops at places that are known, converted: the same numbers with as few ops as it takes.

#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

// Ops of the graph behind its conversion, counted; the results must be the same.
std::map<std::string, int> convertedOps(const std::string& text) {
  LoweringSetup setup;
  const Graph graph = graphOfText(text);
  Graph now = graph;
  for (const PassInfo& pass : allPasses()) {
    if (pass.stage != PassStage::Stablehlo) continue;
    LoweringResult one = passOn(pass.name, now, setup);
    now = std::move(one.graph);
    for (const PassLog& log : one.logs)
      for (const PassLogNote& note : log.problems) ADD_FAILURE() << note.name << ": " << note.text;
  }
  const ComparisonVerdict verdict = compareGraphs(graph, now, 2, 1e-5);
  EXPECT_TRUE(verdict.equal()) << verdict.text << "\n" << text << exportMlir(now);
  return countOps(now);
}

std::string number(const std::string& name, int value) {
  return "  %" + name + " = stablehlo.constant dense<" + std::to_string(value) + "> : tensor<i32>\n";
}

// One joint per dim that the update does not fill; places outside are moved to where it just fits.
TEST(StablehloPlaces, UpdatesOfAPart) {
  for (const auto& [rows, columns] : {std::pair(2, 3), std::pair(4, 3), std::pair(2, 5)}) {
    for (int row : {-1, 0, 1, 2, 9})
      for (int column : {0, 1, 2, 7}) {
        const std::string part = "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "xf32>";
        auto ops = convertedOps("func.func @main(%x: tensor<4x5xf32>, %u: " + part + ") -> tensor<4x5xf32> {\n" +
                                number("i", row) + number("j", column) +
                                "  %r = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<4x5xf32>, " + part +
                                ", tensor<i32>, tensor<i32>) -> tensor<4x5xf32>\n  return %r : tensor<4x5xf32>\n}\n");
        EXPECT_EQ(ops["ttir.concat"], (rows < 4) + (columns < 5));
        if (HasFailure()) return;
      }
  }
}

TEST(StablehloPlaces, SlicesOfAPart) {
  for (int row : {-1, 0, 1, 9})
    for (int column : {0, 2, 7}) {
      auto ops = convertedOps("func.func @main(%x: tensor<4x5xf32>) -> tensor<2x3xf32> {\n" + number("i", row) +
                              number("j", column) +
                              "  %r = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 3] : (tensor<4x5xf32>, "
                              "tensor<i32>, tensor<i32>) -> tensor<2x3xf32>\n  return %r : tensor<2x3xf32>\n}\n");
      EXPECT_EQ(ops["ttir.slice_static"], 1);
      EXPECT_EQ(ops["ttir.slice_dynamic"], 0);
    }
}

// Places that are computed from known numbers are known: sums, products, remainders, choices.
TEST(StablehloPlaces, AreFoldedWhereverTheyComeFrom) {
  const std::string i32 = "tensor<i32>";
  const auto binary = [&](const char* op) { return "  %p = stablehlo." + std::string(op) + " %i, %j : " + i32 + "\n"; };
  const std::string choice = "  %c = stablehlo.compare LT, %i, %j, SIGNED : (" + i32 + ", " + i32 +
                             ") -> tensor<i1>\n  %p = stablehlo.select %c, %j, %i : tensor<i1>, " + i32 + "\n";
  for (const std::string& made : {binary("add"), binary("subtract"), binary("multiply"), binary("maximum"),
                                  binary("minimum"), binary("remainder"), binary("divide"), choice}) {
    auto ops =
        convertedOps("func.func @main(%x: tensor<9xf32>) -> tensor<2xf32> {\n" + number("i", 3) + number("j", 2) +
                     made + "  %r = stablehlo.dynamic_slice %x, %p, sizes = [2] : (tensor<9xf32>, " + i32 +
                     ") -> tensor<2xf32>\n  return %r : tensor<2xf32>\n}\n");
    EXPECT_EQ(ops["ttir.slice_static"], 1) << made;
    EXPECT_EQ(ops["ttir.slice_dynamic"], 0) << made;
  }
}

// Counters that go up or down, compared from either side, the step on either side of the sum.
TEST(StablehloPlaces, LoopsWithKnownCountersUnroll) {
  struct Loop {
    int from, to, step;
    const char *compare, *next;
    int turns;
  };
  const Loop loops[] = {
      {0, 3, 1, "LT, %k, %n", "add %k, %d", 3},      {0, 3, 1, "LT, %k, %n", "add %d, %k", 3},
      {0, 3, 1, "GT, %n, %k", "add %k, %d", 3},      {0, 3, 1, "LE, %k, %n", "add %k, %d", 4},
      {0, 3, 2, "LT, %k, %n", "add %k, %d", 2},      {3, 0, 1, "GT, %k, %n", "subtract %k, %d", 3},
      {3, 0, 1, "GE, %k, %n", "subtract %k, %d", 4}, {1, 3, 1, "NE, %k, %n", "add %k, %d", 2},
  };
  for (const Loop& loop : loops) {
    const std::string i32 = "tensor<i32>", x = "tensor<4xf32>";
    auto ops = convertedOps("func.func @main(%x: " + x + ") -> " + x + " {\n" + number("f", loop.from) +
                            "  %r:2 = stablehlo.while(%k = %f, " + "%s = %x) : " + i32 + ", " + x + "\n   cond {\n" +
                            number("n", loop.to) + "    %c = stablehlo.compare " + loop.compare + ", SIGNED : (" + i32 +
                            ", " + i32 + ") -> tensor<i1>\n    stablehlo.return %c : tensor<i1>\n" + "  } do {\n" +
                            number("d", loop.step) + "    %y = stablehlo.tanh %s : " + x + "\n    %m = stablehlo." +
                            loop.next + " : " + i32 + "\n    stablehlo.return %m, %y : " + i32 + ", " + x +
                            "\n  }\n  return %r#1 : " + x + "\n}\n");
    EXPECT_EQ(ops["ttir.tanh"], loop.turns) << loop.compare << "; " << loop.next;
  }
}

}  // namespace
}  // namespace tessera::test
