#include "core/plan/print_plan.h"

#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

TEST(PrintPlan, OneLinePerOpWithItsMoves) {
  auto run = runOn(
      graphOf("func.func @main(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
              "  %0 = \"ttir.add\"(%b, %b) : (tensor<256x256xbf16>, tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
              "  %1 = \"ttir.matmul\"(%a, %0) <{transpose_a = false, transpose_b = false}> : (tensor<256x256xbf16>, "
              "tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
              "  return %1 : tensor<256x256xbf16>\n}\n"),
      "Greedy");
  // 8x8 tiles: one on each of 64 cores; block sharding comes first among layouts over as many cores.
  EXPECT_EQ(printPlan(*run->problem, run->plan),
            "%0  ttir.add  L1 block 8x8 shard 1x1\n"
            "%1  ttir.matmul  L1 block 8x8 shard 1x1  in1 -> L1 interleaved\n"
            "    return %1 -> DRAM\n"
            "func.return\n");
}

TEST(PrintPlan, SpillsNameTheirCause) {
  auto run = runOn(graphOf("func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
                           "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
                           "  return %0 : tensor<64x64xbf16>\n}\n"),
                   "Greedy");
  ASSERT_EQ(run->plan.spills.size(), 1u);
  for (auto [cause, name] :
       {std::pair(SpillCause::Memory, "(memory)"), std::pair(SpillCause::Constraint, "(constraint)")}) {
    run->plan.spills[0].cause = cause;
    EXPECT_NE(printPlan(*run->problem, run->plan).find(name), std::string::npos);
  }
}

TEST(PrintPlan, OpsWithoutOrWithSeveralResults) {
  auto run =
      runOn(graphOf("func.func @main(%a: tensor<64x64xbf16>) -> (tensor<64x64xbf16>, tensor<64x64xbf16>) {\n"
                    "  %0:2 = \"mylib.split\"(%a) : (tensor<64x64xbf16>) -> (tensor<64x64xbf16>, tensor<64x64xbf16>)\n"
                    "  \"mylib.print\"(%0#0) : (tensor<64x64xbf16>) -> ()\n"
                    "  return %0#0, %0#1 : tensor<64x64xbf16>, tensor<64x64xbf16>\n}\n"),
            "DRAM");
  EXPECT_EQ(printPlan(*run->problem, run->plan), "%0, %0:1  mylib.split  DRAM  DRAM\nmylib.print\nfunc.return\n");
}

}  // namespace
}  // namespace tessera::test
