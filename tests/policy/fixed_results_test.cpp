// Results that the user fixes in L1: where they stay, and when they leave.

#include "tests/no_diagnostics.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// Every tensor takes 32,768 bytes per core of a budget of 111,715. The operands, the result and the circular buffers of
// the multiplication take 110,592, so that %0 cannot stay for its reader behind it. A fixed result cannot start in DRAM
// either: it leaves right behind its op.
TEST(FixedResults, ThatAreNeverKeptLeaveBehindTheirOp) {
  const std::string t = "tensor<1024x1024xbf16>";
  const auto op = [&](const std::string& result, const std::string& name, const std::string& a, const std::string& b) {
    const std::string types = b.empty() ? t : t + ", " + t;
    return "  " + result + " = \"ttnn." + name + "\"(" + a + (b.empty() ? "" : ", ") + b + ") : (" + types + ") -> " +
           t + "\n";
  };
  ProblemOptions options{.l1UsageCapPermille = 80};
  options.layoutOverrides = parseLayoutOverrides("%0=l1:interleaved", noDiagnostics());
  PolicyOptions policy;
  policy.propagate.strategy = SpillStrategy::FarthestLastUse;
  const auto run =
      runOn(graphOf("func.func @main(%a: " + t + ", %b: " + t + ") -> " + t + " {\n" + op("%0", "exp", "%a", "") +
                    op("%1", "relu", "%b", "") + op("%2", "add", "%1", "%b") + op("%3", "multiply", "%2", "%1") +
                    op("%4", "add", "%3", "%0") + "  return %4 : " + t + "\n}\n"),
            "Greedy", options, allDevices()[0], policy);
  std::string moves;
  for (const Spill& spill : run->plan.spills) {
    if (spill.cause != SpillCause::FunctionReturn)
      moves += run->graph.values[spill.value].name + " before " +
               run->graph.values[run->graph.ops[spill.before].results[0]].name + ", ";
  }
  EXPECT_EQ(moves, "0 before 1, ");
  EXPECT_EQ(run->sim.failures, 0);
}

// The library's kernel writes what it repeats to DRAM; a fixed result goes where the user wants it.
TEST(FixedResults, OfOpsThatWriteElsewhereStayFixed) {
  const std::string t = "tensor<64x64xbf16>", twice = "tensor<128x64xbf16>";
  const std::string text =
      "func.func @main(%a: " + t + ") -> " + twice + " {\n  %0 = \"ttnn.relu\"(%a) : (" + t + ") -> " + t +
      "\n  %1 = \"ttnn.repeat_interleave\"(%0) <{dim = 0 : si32, repeats = 2 : ui32}> : (" + t + ") -> " + twice +
      "\n  %2 = \"ttnn.exp\"(%1) : (" + twice + ") -> " + twice + "\n  return %2 : " + twice + "\n}\n";
  for (const char* policy :
       {"DRAM", "Greedy", "Beam", "BFInterleaved", "GreedyL1Interleaved", "DFSharding", "DFSharding2", "Exact"}) {
    ProblemOptions options;
    options.layoutOverrides = parseLayoutOverrides("%1=l1:interleaved", noDiagnostics());
    const auto run = runOn(graphOf(text), policy, options);
    EXPECT_TRUE(run->plan.config[producerOf(run->graph, "1")].output.isL1()) << policy;
    EXPECT_EQ(run->sim.failures, 0) << policy;
  }
}

// A concat writes the type of its inputs; a fixed result gets the type that the user wants, in DRAM, too.
TEST(FixedResults, OfOpsThatWriteAnotherTypeStayFixed) {
  const std::string t = "tensor<64x64xbf16>", both = "tensor<64x128xbf16>";
  const std::string text = "func.func @main(%a: " + t + ", %b: " + t + ") -> " + both +
                           " {\n  %0 = \"ttnn.concat\"(%a, %b) <{dim = 1 : si32}> : (" + t + ", " + t + ") -> " + both +
                           "\n  %1 = \"ttnn.relu\"(%0) : (" + both + ") -> " + both + "\n  return %1 : " + both +
                           "\n}\n";
  for (const char* policy : {"DRAM", "Greedy", "DFSharding", "Exact"}) {
    ProblemOptions options;
    options.layoutOverrides = parseLayoutOverrides("%0=dram:f32", noDiagnostics());
    const auto run = runOn(graphOf(text), policy, options);
    EXPECT_EQ(run->plan.config[producerOf(run->graph, "0")].output.dtype, DType::F32) << policy;
    EXPECT_EQ(run->sim.failures, 0) << policy;
  }
}

// The program says where a tensor is loaded to, and a copy is the tensor that was written.
TEST(FixedResults, OfManagingOpsAreThoseOfTheProgram) {
  const std::string t = "tensor<64x64xbf16, #d>";
  const std::string text =
      "#dram = #ttnn.buffer_type<dram>\n#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
      "memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>\nfunc.func @main(%a: " +
      t + ", %b: " + t + ") -> " + t +
      " {\n  %d = \"ttnn.get_device\"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device\n"
      "  %0 = \"ttnn.load_tensor\"(%d) <{file_path = \"x.tensorbin\"}> : (!ttnn.device) -> " +
      t + "\n  %1 = \"ttnn.copy\"(%a, %b) : (" + t + ", " + t + ") -> " + t + "\n  %2 = \"ttnn.add\"(%0, %1) : (" + t +
      ", " + t + ") -> " + t + "\n  return %2 : " + t + "\n}\n";
  for (const char* policy : {"Greedy", "Beam", "DFSharding", "Exact"}) {
    const auto run = runOn(graphOf(text), policy, {});
    for (const char* name : {"0", "1"})
      EXPECT_TRUE(run->plan.config[producerOf(run->graph, name)].output.isDram()) << policy << " %" << name;
    EXPECT_EQ(run->sim.failures, 0) << policy;
  }
}

}  // namespace
}  // namespace tessera::test
