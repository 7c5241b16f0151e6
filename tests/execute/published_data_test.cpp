// The interpreter against published test data of JAX: each file holds inputs, an op and the results expected of it.

#include <cstdio>

#include "core/execute/interpreter.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

TEST(PublishedData, StablehloOpsGiveTheExpectedResults) {
  std::error_code ignored;
  int files = 0, whole = 0, done = 0;
  std::string without;
  for (const auto& entry :
       std::filesystem::directory_iterator(sharedFolder() / "stablehlo" / "ops_jax_testdata", ignored)) {
    if (entry.path().extension() != ".mlir") continue;
    SCOPED_TRACE(entry.path().filename().string());
    ++files;
    constexpr size_t kLongestConstant = 1u << 20;
    Imported made = importText(readFile(entry.path()), {.longestConstant = kLongestConstant});
    ASSERT_TRUE(made.graph) << made.report();
    // Numbers that the file itself leaves out: nothing to compare with.
    if (exportMlir(*made.graph).find("__elided__") != std::string::npos) continue;
    ++whole;
    Execution run = execute(*made.graph, randomInputs(*made.graph, 1));
    bool missing = run.text.find("no kernel") != std::string::npos;
    EXPECT_TRUE(run.status == ExecutionStatus::Done || missing) << run.text;
    done += run.status == ExecutionStatus::Done ? 1 : 0;
    if (missing) without += "  " + run.text + "\n";
  }
  if (files == 0) GTEST_SKIP() << "skipped: no published data";
  std::printf("[   INFO   ] %d of %d files that hold all numbers give the expected results\n%s", done, whole,
              without.c_str());
  EXPECT_GT(done, 0);
}

TEST(PublishedData, AWrongExpectationIsSeen) {
  Imported made = importText(R"(func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %1 = stablehlo.constant dense<[1.0, 2.1]> : tensor<2xf32>
    stablehlo.custom_call @check.expect_close(%0, %1) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
    return %0 : tensor<2xf32>
  })");
  ASSERT_TRUE(made.graph) << made.report();
  Execution run = execute(*made.graph, randomInputs(*made.graph, 1));
  EXPECT_NE(run.text.find("expected 2.1"), std::string::npos) << run.text;
}

// Numbers of 16 bits are alike within 2 %, those of 32 bits within 0.01 %.
TEST(PublishedData, ExpectationsAreAsExactAsTheirType) {
  const auto told = [](const std::string& type) {
    const std::string two = "tensor<2x" + type + ">";
    Imported made = importText("func.func @main(%x: " + two + ") -> " + two +
                               " {\n  %0 = stablehlo.constant dense<[1.0, 2.0]> : " + two +
                               "\n  %1 = stablehlo.constant dense<[1.0, 2.0156]> : " + two +
                               "\n  stablehlo.custom_call @check.expect_close(%0, %1) {has_side_effect = true} : (" +
                               two + ", " + two + ") -> ()\n  return %0 : " + two + "\n}\n");
    if (!made.graph) return made.report();
    return execute(*made.graph, randomInputs(*made.graph, 1)).text;
  };
  EXPECT_EQ(told("bf16"), "");
  EXPECT_EQ(told("f16"), "");
  EXPECT_NE(told("f32").find("expected 2.0156"), std::string::npos) << told("f32");
}

// No number is as expected where none is expected.
TEST(PublishedData, NoNumberIsNoNumberToo) {
  const auto told = [](const std::string& computed, const std::string& expected) {
    const Imported made = importText(
        "func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {\n"
        "  %0 = stablehlo.constant dense<" +
        computed +
        "> : tensor<1xf32>\n"
        "  %1 = stablehlo.constant dense<" +
        expected +
        "> : tensor<1xf32>\n"
        "  stablehlo.custom_call @check.expect_close(%0, %1) {has_side_effect = true} : "
        "(tensor<1xf32>, tensor<1xf32>) -> ()\n  return %0 : tensor<1xf32>\n}\n");
    if (!made.graph) return made.report();
    return execute(*made.graph, randomInputs(*made.graph, 1)).text;
  };
  const std::string none = "0x7FC00000";
  EXPECT_EQ(told(none, none), "");
  EXPECT_NE(told(none, "1.0").find("expected 1"), std::string::npos) << told(none, "1.0");
  EXPECT_NE(told("1.0", none).find("element 0 is 1"), std::string::npos) << told("1.0", none);
}

// An infinite number beside them makes others no less exact.
TEST(PublishedData, AnInfiniteNumberWidensNothing) {
  const Imported made = importText(R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[0x7F800000, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[0x7F800000, 3.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%0, %1) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return %0 : tensor<2xf32>
}
)");
  ASSERT_TRUE(made.graph) << made.report();
  const Execution run = execute(*made.graph, randomInputs(*made.graph, 1));
  EXPECT_NE(run.text.find("element 1 is 2.0"), std::string::npos) << run.text;
}

}  // namespace
}  // namespace tessera::test
