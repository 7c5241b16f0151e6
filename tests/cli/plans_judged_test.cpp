// What the command line says about a plan of the compiler and about times: losses, bounds, profiles, calibration.

#include "core/evaluate/lost_ops.h"
#include "tests/cli/cli_testing.h"

namespace tessera::test {
namespace {

// A detour through DRAM that the optimum does not make.
const std::string kCompiled = R"(#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<4x4x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
func.func @main(%a: tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #d> {
  %0 = "ttnn.relu"(%a) : (tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #d> loc(#loc1)
  %1 = "ttnn.to_memory_config"(%0) : (tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #s>
  %2 = "ttnn.gelu"(%1) : (tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #s> loc(#loc2)
  %3 = "ttnn.to_memory_config"(%2) : (tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #d>
  %4 = "ttnn.sigmoid"(%3) : (tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #d> loc(#loc3)
  return %4 : tensor<1024x1024xbf16, #d>
}
#loc1 = loc("first")
#loc2 = loc("second")
#loc3 = loc("third")
)";

TEST(Losses, NameTheOpsAndTheirOverrides) {
  TemporaryFile file(kCompiled);
  const Outcome said = runTessera({"losses", file.path()});
  EXPECT_EQ(said.code, kExitFine) << said.err;
  EXPECT_EQ(said.out.find("as written  "), 0u);
  EXPECT_NE(said.out.find("  the proven optimum\n"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("  override-output-layout=second="), std::string::npos) << said.out;
  const Outcome machine = runTessera({"losses", file.path(), "--json"});
  Json json(machine.out);
  const JsonValue ops = json["ops"];
  ASSERT_GE(ops.size(), 2u);
  int64_t last = INT64_MAX, lost = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    const int64_t loses = *ops.at(i).get("written").asInteger() - *ops.at(i).get("optimum").asInteger();
    EXPECT_GT(loses, 0);
    EXPECT_LE(loses, last) << "the worst first";
    last = loses;
    lost += loses;
  }
  // Nothing is faster than in the optimum here: what the ops lose is the whole distance.
  EXPECT_EQ(*json["written"].asInteger() - *json["optimum"].asInteger(), lost);
}

TEST(Losses, NeedAGraphWithLayouts) {
  TemporaryFile file(kRelu);
  const Outcome said = runTessera({"losses", file.path()});
  EXPECT_EQ(said.code, kExitDiagnostics);
  EXPECT_NE(said.err.find("carries no layouts"), std::string::npos);
  EXPECT_EQ(runTessera({"losses"}).code, kExitUsage);
}

TEST(Bounds, AreSaidByCompareAndWhatTheyCover) {
  TemporaryFile file(kCompiled);
  const Outcome said = runTessera({"compare", file.path(), "--policies", "AsWritten,Exact", "--reoptimize", "true"});
  EXPECT_NE(said.out.find("bound of Exact  "), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("the proven optimum"), std::string::npos);
  EXPECT_EQ(said.out.find("takes less"), std::string::npos);
  EXPECT_EQ(outsideText(100, 100), "");
  EXPECT_NE(outsideText(99, 100).find("takes less than the bound"), std::string::npos);
}

TEST(Calibration, IsNeverSilent) {
  TemporaryFile file(kRelu);
  EXPECT_EQ(runTessera({"run", file.path()}).out.find("calibrated"), std::string::npos);
  const std::string option = "--calibration=EltwiseUnary=2.5";
  EXPECT_NE(runTessera({"run", file.path(), option}).out.find(" ns (calibrated)"), std::string::npos);
  const Outcome compared = runTessera({"compare", file.path(), "--policies", "DRAM,Greedy", option});
  EXPECT_EQ(compared.out.find("times are calibrated: EltwiseUnary=2.5\n"), 0u) << compared.out;
  const Outcome wrong = runTessera({"run", file.path(), "--calibration", "Relu=2"});
  EXPECT_EQ(wrong.code, kExitDiagnostics);
  EXPECT_NE(wrong.err.find("option `calibration` is Relu=2"), std::string::npos) << wrong.err;
}

TEST(Profiles, GiveTheFactorsToCalibrateWith) {
  TemporaryFile graph(kRelu);
  TemporaryFile profile(
      "OP CODE,DEVICE ID,ATTRIBUTES,DEVICE KERNEL DURATION [ns],OUTPUT_0_Y,OUTPUT_0_X,OUTPUT_0_MEMORY\n"
      "UnaryDeviceOperation,0,UnaryOpType::RELU,9000,64,64,DEV_1_DRAM_INTERLEAVED\n");
  const Outcome beside = runTessera({"run", graph.path(), "--policy", "DRAM", "--profile", profile.path()});
  EXPECT_EQ(beside.code, kExitFine) << beside.err;
  const size_t at = beside.out.find("--calibration EltwiseUnary=");
  ASSERT_NE(at, std::string::npos) << beside.out;
  const std::string factor = beside.out.substr(at + 14, beside.out.find('\n', at) - at - 14);
  const Outcome again =
      runTessera({"run", graph.path(), "--policy", "DRAM", "--profile", profile.path(), "--calibration", factor});
  EXPECT_NE(again.out.find("--calibration " + factor + "\n"), std::string::npos) << "the same factors";
  EXPECT_NE(again.out.find("from 0.909 to 1.100: 1 ops"), std::string::npos) << again.out;
  Json alone(runTessera({"profile", profile.path(), "--json"}).out);
  EXPECT_EQ(alone["programs"].at(0).get("op").asString(), "ttnn.relu");
  EXPECT_EQ(alone["time"].asInteger(), 9000);
}

}  // namespace
}  // namespace tessera::test
