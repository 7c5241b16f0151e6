// Which region a choice takes and what it captures, how often a loop turns and what it carries; by hand.

#include "tests/execute/numbers.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

Execution executed(const std::string& text, const std::vector<HostTensor>& inputs) {
  const Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  return imported.graph ? execute(*imported.graph, inputs) : Execution();
}

HostTensor scalar(double value, bool real) {
  HostTensor tensor = makeTensor({}, real);
  tensor.set(0, value);
  return tensor;
}

// Three branches with captures of their own: two of %x, none, and %x with %y. Any index that names none takes the last.
TEST(Branches, ACaseTakesTheRegionOfItsIndexOrTheLast) {
  const std::string text =
      "func.func @main(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {\n"
      "  %r:2 = \"stablehlo.case\"(%i) ({\n"
      "    %0 = stablehlo.add %x, %x : tensor<f32>\n"
      "    stablehlo.return %0, %x : tensor<f32>, tensor<f32>\n"
      "  }, {\n"
      "    %0 = stablehlo.constant dense<7.0> : tensor<f32>\n"
      "    stablehlo.return %0, %0 : tensor<f32>, tensor<f32>\n"
      "  }, {\n"
      "    %0 = stablehlo.subtract %x, %y : tensor<f32>\n"
      "    stablehlo.return %0, %y : tensor<f32>, tensor<f32>\n"
      "  }) : (tensor<i32>) -> (tensor<f32>, tensor<f32>)\n"
      "  return %r#0, %r#1 : tensor<f32>, tensor<f32>\n}\n";
  const double expected[][3] = {{-1, -2, 5}, {0, 6, 3}, {1, 7, 7}, {2, -2, 5}, {3, -2, 5}, {100, -2, 5}};
  for (const auto& [index, first, second] : expected) {
    const Execution run = executed(text, {scalar(index, false), scalar(3, true), scalar(5, true)});
    ASSERT_EQ(run.results.size(), 2u) << run.text;
    EXPECT_EQ(run.results[0].at(0), first) << index;
    EXPECT_EQ(run.results[1].at(0), second) << index;
  }
}

TEST(Branches, AnIfTakesItsFirstRegionWhenItHolds) {
  const std::string text =
      "func.func @main(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {\n"
      "  %r = \"stablehlo.if\"(%p) ({\n"
      "    %0 = stablehlo.subtract %y, %x : tensor<f32>\n    stablehlo.return %0 : tensor<f32>\n"
      "  }, {\n    stablehlo.return %y : tensor<f32>\n  }) : (tensor<i1>) -> tensor<f32>\n"
      "  return %r : tensor<f32>\n}\n";
  for (const bool holds : {true, false}) {
    const Execution run = executed(text, {scalar(holds ? 1 : 0, false), scalar(3, true), scalar(5, true)});
    ASSERT_EQ(run.results.size(), 1u) << run.text;
    EXPECT_EQ(run.results[0].at(0), holds ? 2 : 5);
  }
}

// What a turn frees it makes anew in the next: 3, then -(3 + 2), then -(-5 + 2).
TEST(Branches, ALoopFreesWhatItMakesInEveryTurn) {
  const std::string text =
      "func.func @main(%n: tensor<i32>, %x: tensor<f32>, %step: tensor<f32>) -> tensor<f32> {\n"
      "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %r:2 = stablehlo.while(%i = %zero, %sum = %x) : tensor<i32>, tensor<f32>\n"
      "   cond {\n"
      "    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %c : tensor<i1>\n"
      "  } do {\n"
      "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "    %0 = stablehlo.add %i, %one : tensor<i32>\n"
      "    %t = \"ttnn.add\"(%sum, %step) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
      "    %1 = \"ttnn.neg\"(%t) : (tensor<f32>) -> tensor<f32>\n"
      "    \"ttnn.deallocate\"(%t) <{force = false}> : (tensor<f32>) -> ()\n"
      "    stablehlo.return %0, %1 : tensor<i32>, tensor<f32>\n"
      "  }\n"
      "  return %r#1 : tensor<f32>\n}\n";
  const double expected[] = {3, -5, 3};
  for (int turns = 0; turns < 3; ++turns) {
    const Execution run = executed(text, {scalar(turns, false), scalar(3, true), scalar(2, true)});
    ASSERT_EQ(run.results.size(), 1u) << run.text;
    EXPECT_EQ(run.results[0].at(0), expected[turns]);
  }
}

// %i counts up to %n, which the test captures; the body captures the step. What is carried is handed on in its order:
// after k turns the sum is x + k * step and the other has been multiplied k times.
TEST(Branches, ALoopCarriesItsValuesWhileTheTestHolds) {
  const std::string text =
      "func.func @main(%n: tensor<i32>, %x: tensor<f32>, %step: tensor<f32>) -> (tensor<i32>, tensor<f32>, "
      "tensor<f32>) {\n"
      "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %r:3 = stablehlo.while(%i = %zero, %sum = %x, %product = %step) : tensor<i32>, tensor<f32>, tensor<f32>\n"
      "   cond {\n"
      "    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %c : tensor<i1>\n"
      "  } do {\n"
      "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "    %0 = stablehlo.add %i, %one : tensor<i32>\n"
      "    %1 = stablehlo.add %sum, %step : tensor<f32>\n"
      "    %2 = stablehlo.multiply %product, %step : tensor<f32>\n"
      "    stablehlo.return %0, %1, %2 : tensor<i32>, tensor<f32>, tensor<f32>\n"
      "  }\n"
      "  return %r#0, %r#1, %r#2 : tensor<i32>, tensor<f32>, tensor<f32>\n}\n";
  double product = 2;
  for (int turns = 0; turns < 4; ++turns, product *= 2) {
    const Execution run = executed(text, {scalar(turns, false), scalar(3, true), scalar(2, true)});
    ASSERT_EQ(run.results.size(), 3u) << run.text;
    EXPECT_EQ(run.results[0].at(0), turns);
    EXPECT_EQ(run.results[1].at(0), 3 + 2 * turns);
    EXPECT_EQ(run.results[2].at(0), product);
  }
  const Execution none = executed(text, {scalar(-5, false), scalar(3, true), scalar(2, true)});
  ASSERT_EQ(none.results.size(), 3u) << none.text;
  EXPECT_EQ(none.results[1].at(0), 3) << "the test is made before the first turn";
}

}  // namespace
}  // namespace tessera::test
