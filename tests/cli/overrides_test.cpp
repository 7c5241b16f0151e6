// What a user fixes is carried out under every policy, or refused with the op, the key and the rule.

#include "tests/cli/cli_testing.h"

namespace tessera::test {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kConvolution =
    "func.func @main(%x: tensor<1x56x56x64xbf16>, %w: tensor<64x64x3x3xbf16> {ttcore.argument_type = "
    "#ttcore.argument_type<parameter>}) -> tensor<1x56x56x64xbf16> {\n"
    "  %0 = \"ttir.conv2d\"(%x, %w) <{stride = array<i32: 1, 1>, padding = array<i32: 1, 1, 1, 1>, dilation = "
    "array<i32: 1, 1>, groups = 1 : i32}> : (tensor<1x56x56x64xbf16>, tensor<64x64x3x3xbf16>) -> "
    "tensor<1x56x56x64xbf16> loc(\"conv1\")\n"
    "  return %0 : tensor<1x56x56x64xbf16>\n}\n";

struct Key {
  std::string given;
  std::string field;  // of the applied graph's conv2d_config
};
const Key kKeys[] = {
    {"weights_dtype#bfp_bf8", "weights_dtype = bfp_bf8"},
    {"activation#silu", "activation = <op_type = silu>"},
    {"deallocate_activation#false", "deallocate_activation = false"},
    {"reallocate_halo_output#true", "reallocate_halo_output = true"},
    {"act_block_h_override#64", "act_block_h_override = 64"},
    {"shard_layout#width_sharded:act_block_w_div#2", "act_block_w_div = 2"},
    {"reshard_if_not_optimal#true", "reshard_if_not_optimal = true"},
    {"override_sharding_config#true", "override_sharding_config = true"},
    {"shard_layout#block_sharded", "shard_layout = block_sharded"},
    {"override_sharding_config#true:core_grid#4x8",
     "core_grid = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,3)>]>"},
    {"shard_layout#block_sharded:transpose_shards#true", "transpose_shards = true"},
    {"output_layout#row_major", "output_layout = row_major"},
    {"enable_act_double_buffer#true", "enable_act_double_buffer = true"},
    {"enable_weights_double_buffer#true", "enable_weights_double_buffer = true"},
};
const char* const kPoliciesAsked[] = {"Greedy",        "DFSharding", "DFSharding2", "GreedyL1Interleaved",
                                      "BFInterleaved", "DRAM"};

TEST(Overrides, EveryKeyOfConvolutionsReachesThePlan) {
  TemporaryFile file(kConvolution);
  for (const char* policy : kPoliciesAsked) {
    for (const Key& key : kKeys) {
      Outcome outcome = runTessera(
          {"run", file.path(), "--mlir", "--policy", policy, "--override-conv2d-config", "conv1=" + key.given});
      EXPECT_EQ(outcome.code, kExitFine) << policy << " " << key.given << outcome.err;
      EXPECT_TRUE(says(outcome.out, key.field)) << policy << " " << key.given << "\n" << outcome.out;
    }
  }
}

// The convolution of the source has another name after the window is flattened and its activation fused.
TEST(Overrides, ConvolutionsOfTheSourceAreFoundByTheirValue) {
  TemporaryFile file(
      "func.func @main(%x: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x32x32x64xbf16> {\n"
      "  %conv = \"ttir.conv2d\"(%x, %w) <{stride = array<i32: 1, 1>, padding = array<i32: 1, 1, 1, 1>, "
      "dilation = array<i32: 1, 1>, groups = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>) -> "
      "tensor<1x32x32x64xbf16>\n"
      "  %act = \"ttir.relu\"(%conv) : (tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>\n"
      "  return %act : tensor<1x32x32x64xbf16>\n}\n");
  Outcome outcome =
      runTessera({"run", file.path(), "--mlir", "--override-conv2d-config", "%conv=act_block_h_override#96"});
  EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "act_block_h_override = 96")) << outcome.out;
}

// Time, L1 or layout of the plan; "" with none.
std::string planWith(const std::string& path, const std::string& setting) {
  std::vector<std::string> call = {"run", path, "--policy", "DRAM"};
  if (!setting.empty()) call.insert(call.end(), {"--override-conv2d-config", "conv1=" + setting});
  return runTessera(call).out;
}

TEST(Overrides, BuffersTimeAndLayoutFollow) {
  TemporaryFile file(kConvolution);
  const std::string plain = planWith(file.path(), "");
  for (const char* setting :
       {"weights_dtype#bfp_bf8", "act_block_h_override#64", "shard_layout#block_sharded", "shard_layout#width_sharded",
        "output_layout#row_major", "enable_act_double_buffer#true", "enable_weights_double_buffer#true"})
    EXPECT_NE(planWith(file.path(), setting), plain) << setting;
  EXPECT_NE(planWith(file.path(), "shard_layout#width_sharded"),
            planWith(file.path(), "shard_layout#width_sharded:act_block_w_div#2"));
}

TEST(Overrides, KeysThatMeanNothingAloneAreRefused) {
  TemporaryFile file(kConvolution);
  const std::pair<const char*, const char*> kAlone[] = {{"core_grid#4x8", "`override_sharding_config#true`"},
                                                        {"transpose_shards#true", "`shard_layout#block_sharded`"},
                                                        {"act_block_w_div#2", "`shard_layout#width_sharded`"},
                                                        {"activation#matmul", "element-wise"}};
  for (const auto& [given, rule] : kAlone) {
    Outcome outcome = runTessera({"run", file.path(), "--override-conv2d-config", std::string("conv1=") + given});
    EXPECT_EQ(outcome.code, kExitDiagnostics) << given;
    const std::string key = std::string("`") + std::string(given).substr(0, std::string(given).find('#')) + "`";
    EXPECT_TRUE(says(outcome.err, key) && says(outcome.err, rule)) << given << outcome.err;
  }
}

const std::string kElementWise =
    "func.func @main(%x: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
    "  %0 = \"ttir.exp\"(%x) : (tensor<256x256xbf16>) -> tensor<256x256xbf16> loc(\"e\")\n"
    "  %1 = \"ttir.neg\"(%0) : (tensor<256x256xbf16>) -> tensor<256x256xbf16> loc(\"n\")\n"
    "  return %1 : tensor<256x256xbf16>\n}\n";

TEST(Overrides, LayoutsAreObeyedOrRefusedByName) {
  TemporaryFile file(kElementWise);
  const std::pair<std::string, std::string> kLayouts[] = {{"row_major", " rm"},
                                                          {"1x1:dram:interleaved:row_major", "DRAM rm"},
                                                          {"8x8:l1:block_sharded:tile", "L1 block 8x8"},
                                                          {"dram", "DRAM"}};
  int obeyed = 0;
  for (const char* policy :
       {"Greedy", "DFSharding", "DFSharding2", "GreedyL1Interleaved", "BFInterleaved", "DRAM", "Beam"}) {
    for (const auto& [given, place] : kLayouts) {
      Outcome outcome = runTessera({"run", file.path(), "--policy", policy, "--override-output-layout", "e=" + given});
      const std::string first = outcome.out.substr(0, outcome.out.find('\n'));
      if (outcome.code == kExitFine) EXPECT_TRUE(says(first, place)) << policy << " " << given << ": " << first;
      else EXPECT_TRUE(says(outcome.err, "override of `e`: `")) << policy << " " << given << outcome.err;
      obeyed += outcome.code == kExitFine;
    }
    // The type that the result has anyway fixes nothing.
    EXPECT_EQ(runTessera({"run", file.path(), "--policy", policy, "--override-output-layout", "e=bf16"}).out,
              runTessera({"run", file.path(), "--policy", policy}).out);
  }
  EXPECT_GE(obeyed, 16);
}

// Element-wise ops run on rows: offered, and legal where a graph is written that way.
TEST(Rows, ElementWiseOpsTakeThem) {
  TemporaryFile rows(
      "#dram = #ttnn.buffer_type<dram>\n"
      "#rm = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x96xbf16, #dram>, <interleaved>>\n"
      "func.func @main(%x: tensor<64x96xbf16, #rm>, %y: tensor<64x96xbf16, #rm>) -> tensor<64x96xbf16, #rm> {\n"
      "  %0 = \"ttnn.add\"(%x, %y) : (tensor<64x96xbf16, #rm>, tensor<64x96xbf16, #rm>) -> tensor<64x96xbf16, #rm>\n"
      "  %1 = \"ttnn.relu\"(%0) : (tensor<64x96xbf16, #rm>) -> tensor<64x96xbf16, #rm>\n"
      "  return %1 : tensor<64x96xbf16, #rm>\n}\n");
  for (const char* policy : {"AsWritten", "Greedy", "DFSharding", "Beam", "DRAM", "Exact"}) {
    Outcome outcome = runTessera({"run", rows.path(), "--policy", policy});
    EXPECT_EQ(outcome.code, kExitFine) << policy << outcome.err;
    EXPECT_TRUE(says(outcome.out, "ttnn.add  DRAM rm")) << policy << outcome.out;
    EXPECT_FALSE(says(outcome.out, "failures 1")) << policy << outcome.out;
  }
  TemporaryFile tiles(kElementWise);
  const std::string problem = runTessera({"problem", tiles.path(), "--row-major-enabled", "true", "--json"}).out;
  EXPECT_TRUE(says(problem, "\"row_major\"")) << problem.substr(0, 500);
}

TEST(Rows, IntegerInputsNeedNoAttribute) {
  TemporaryFile file(
      "#dram = #ttnn.buffer_type<dram>\n"
      "#rm_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4xsi32, #dram>, <interleaved>>\n"
      "#tile_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, "
      "<interleaved>>\n"
      "#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x128xbf16, #dram>, <interleaved>>\n"
      "#o = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), <1x1>, memref<8x128xbf16, #dram>, <interleaved>>\n"
      "func.func @forward(%indices: tensor<2x4xi32, #rm_layout>, %weight: tensor<512x128xbf16, #w>) -> "
      "tensor<2x4x128xbf16, #o> {\n"
      "  %0 = \"ttnn.to_layout\"(%indices) <{layout = #ttnn.layout<tile>}> : (tensor<2x4xi32, #rm_layout>) -> "
      "tensor<2x4xi32, #tile_layout>\n"
      "  %1 = \"ttnn.gather\"(%weight, %0) : (tensor<512x128xbf16, #w>, tensor<2x4xi32, #tile_layout>) -> "
      "tensor<2x4x128xbf16, #o>\n"
      "  return %1 : tensor<2x4x128xbf16, #o>\n}\n");
  Outcome outcome = runTessera({"opt", file.path(), "--ttnn-rm-layout-propagation"});
  EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
  EXPECT_FALSE(says(outcome.out, "ttnn.to_layout")) << outcome.out;
}

// The applied graph says how a product runs and where its result lies, as the compiler's programs do.
TEST(ProgramConfigs, ReachThePlanOfEveryPolicyThatShards) {
  TemporaryFile file(
      "func.func @main(%x: tensor<512x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
      "  %0 = \"ttir.matmul\"(%x, %w) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
      "  %1 = \"ttir.neg\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
      "  return %1 : tensor<512x512xbf16>\n}\n");
  for (const char* policy : {"Greedy", "Beam", "DFSharding", "DFSharding2", "Exact"}) {
    Outcome outcome = runTessera({"run", file.path(), "--mlir", "--policy", policy});
    EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
    const size_t at = outcome.out.find("\"ttnn.matmul\"");
    const std::string line = outcome.out.substr(at, outcome.out.find('\n', at) - at);
    EXPECT_TRUE(says(line, "matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast")) << policy << line;
    EXPECT_TRUE(says(line, "memory_config = #ttnn.memory_config<#l1, <") &&
                says(line, "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), ("))
        << policy << line;
  }
}

// Legal graphs have no defect, whatever the policy.
TEST(LegalGraphs, BatchNormsThatTrain) {
  const std::string before =
      ", %s: tensor<32xbf16>, %o: tensor<32xbf16>, %m: tensor<32xbf16>, %v: tensor<32xbf16>) -> (";
  for (const auto& [type, dim] : {std::pair<std::string, std::string>("tensor<2x32x16x16xbf16>", "1"),
                                  std::pair<std::string, std::string>("tensor<2x16x16x32xbf16>", "3")}) {
    const std::string three = type + ", tensor<32xbf16>, tensor<32xbf16>";
    TemporaryFile file("func.func @main(%x: " + type + before + three + ") {\n" +
                       "  %0, %1, %2 = \"ttir.batch_norm_training\"(%x, %s, %o, %m, %v) <{dimension = " + dim +
                       " : i32, epsilon = 1.0e-05 : f32, momentum = 1.0e-01 : f32}> : (" + three +
                       ", tensor<32xbf16>, tensor<32xbf16>) -> (" + three + ")\n  return %0, %1, %2 : " + three +
                       "\n}\n");
    for (const char* preset : {"seed", "upstream"}) {
      for (const char* policy : {"Greedy", "DFSharding2", "DRAM"}) {
        Outcome outcome = runTessera({"run", file.path(), "--preset", preset, "--policy", policy});
        EXPECT_EQ(outcome.code, kExitFine) << dim << policy << outcome.err;
      }
    }
    const std::string ttnn = runTessera({"opt", file.path(), "--ttir-to-ttnn-backend-pipeline"}).out;
    EXPECT_TRUE(says(ttnn, "ttnn.batch_norm_training")) << ttnn;
  }
}

// With no L1 for tensors every policy still gives a plan, in DRAM.
TEST(LegalGraphs, ACapOfNothing) {
  TemporaryFile file(kElementWise);
  for (const char* policy :
       {"Greedy", "Beam", "DFSharding", "DFSharding2", "GreedyL1Interleaved", "BFInterleaved", "DRAM", "Exact"}) {
    Outcome outcome = runTessera({"run", file.path(), "--policy", policy, "--tensor-l1-usage-cap", "0.0"});
    EXPECT_NE(outcome.code, kExitUsage) << policy << outcome.err;
    EXPECT_FALSE(says(outcome.out, "L1 block") || says(outcome.out, "L1 interleaved")) << policy << outcome.out;
  }
}

// Two results that do not fit L1 together, each read once.
const std::string kTwoBranches =
    "func.func @main(%x: tensor<8192x2816xbf16>) -> tensor<8192x1xbf16> {\n"
    "  %a = \"ttir.relu\"(%x) : (tensor<8192x2816xbf16>) -> tensor<8192x2816xbf16>\n"
    "  %b = \"ttir.exp\"(%x) : (tensor<8192x2816xbf16>) -> tensor<8192x2816xbf16> loc(\"late\")\n"
    "  %c = \"ttir.sum\"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<8192x2816xbf16>) -> "
    "tensor<8192x1xbf16>\n"
    "  %d = \"ttir.sum\"(%b) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<8192x2816xbf16>) -> "
    "tensor<8192x1xbf16>\n"
    "  %e = \"ttir.add\"(%c, %d) : (tensor<8192x1xbf16>, tensor<8192x1xbf16>) -> tensor<8192x1xbf16>\n"
    "  return %e : tensor<8192x1xbf16>\n}\n";

TEST(Overrides, AnOpThatRunsEarlierMakesRoomInL1) {
  TemporaryFile file(kTwoBranches);
  for (const char* policy : {"Greedy", "Beam", "Exact"}) {
    Outcome before = runTessera({"run", file.path(), "--policy", policy});
    Outcome after = runTessera({"run", file.path(), "--policy", policy, "--op-order", "%c=late"});
    EXPECT_EQ(after.code, kExitFine) << after.err;
    EXPECT_TRUE(says(before.out, "%b  ttnn.exp  DRAM")) << policy << "\n" << before.out;
    EXPECT_TRUE(says(after.out, "%b  ttnn.exp  L1")) << policy << "\n" << after.out;
    EXPECT_LT(after.out.find("%c  ttnn.sum"), after.out.find("%b  ttnn.exp")) << policy;
  }
}

TEST(Overrides, AnOrderThatDataFlowForbidsIsRefused) {
  TemporaryFile file(kTwoBranches);
  Outcome outcome = runTessera({"run", file.path(), "--op-order", "%e=%b"});
  EXPECT_EQ(outcome.code, kExitDiagnostics);
  EXPECT_TRUE(says(outcome.err, "option `op-order`")) << outcome.err;
  EXPECT_TRUE(says(outcome.err, "`%d` has to run before it")) << outcome.err;
}

}  // namespace
}  // namespace tessera::test
