// Every option that `tessera opt` takes changes something in a case of the tables below, or says that it has no effect:
// those of the pipelines, of `tessera run`, of each pass by itself, and MLIR's own.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "core/cli/cli.h"
#include "core/cli/opt_arguments.h"
#include "core/cli/pipeline_options.h"
#include "core/lowering/pass.h"

namespace tessera::test::option_effects {
namespace {

namespace fs = std::filesystem;

// Programs by name; any other name is a file of tests/golden.
const std::map<std::string, std::string>& programs() {
  static const std::map<std::string, std::string> kPrograms = {
      {"chain", R"(
func.func @f(%x: tensor<512x512xbf16>,
    %w: tensor<512x512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<512x512xbf16> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("product")
  %1 = "ttir.relu"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %2 = "ttir.multiply"(%1, %x) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %2 : tensor<512x512xbf16>
})"},
      {"constant", R"(
func.func @f() -> tensor<2xbf16> {
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xbf16>}> : () -> tensor<2xbf16> loc("here")
  return %0 : tensor<2xbf16>
})"},
      {"apart", R"(
func.func @f(%x: tensor<64x64xbf16>) -> (tensor<64x64xbf16>, tensor<64x64xbf16>) {
  %0 = "ttir.exp"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc("first")
  %1 = "ttir.neg"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc("second")
  return %0, %1 : tensor<64x64xbf16>, tensor<64x64xbf16>
})"},
      {"spread", R"(
func.func @f(%x: tensor<64x64xbf16>, %b: tensor<1x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.broadcast"(%b) <{broadcast_dimensions = array<i64: 64, 1>}> : (tensor<1x64xbf16>) -> tensor<64x64xbf16>
  %1 = "ttir.add"(%x, %0) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %1 : tensor<64x64xbf16>
})"},
      {"inverse", R"(
func.func @f(%x: tensor<64x32xbf16>) -> tensor<64x32xbf16> {
  %0 = "ttir.permute"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<64x32xbf16>) -> tensor<32x64xbf16>
  %1 = "ttir.exp"(%0) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %2 = "ttir.permute"(%1) <{permutation = array<i64: 1, 0>}> : (tensor<32x64xbf16>) -> tensor<64x32xbf16>
  return %2 : tensor<64x32xbf16>
})"},
      {"turned", R"(
func.func @f(%x: tensor<64x32xbf16>, %y: tensor<64x32xbf16>) -> (tensor<64x64xbf16>, tensor<32x64xbf16>) {
  %0 = "ttir.permute"(%y) <{permutation = array<i64: 1, 0>}> : (tensor<64x32xbf16>) -> tensor<32x64xbf16>
  %1 = "ttir.matmul"(%x, %0) : (tensor<64x32xbf16>, tensor<32x64xbf16>) -> tensor<64x64xbf16>
  %2 = "ttir.add"(%x, %y) : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %3 = "ttir.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<64x32xbf16>) -> tensor<32x64xbf16>
  return %1, %3 : tensor<64x64xbf16>, tensor<32x64xbf16>
})"},
      {"digits", R"(
func.func @f(%x: tensor<1x784xf32>, %w: tensor<784x512xf32>, %b: tensor<1x512xf32>, %v: tensor<512x10xf32>,
    %c: tensor<1x10xf32>) -> tensor<1x10xf32> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<1x784xf32>, tensor<784x512xf32>) -> tensor<1x512xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<1x512xf32>, tensor<1x512xf32>) -> tensor<1x512xf32>
  %2 = "ttir.relu"(%1) : (tensor<1x512xf32>) -> tensor<1x512xf32>
  %3 = "ttir.matmul"(%2, %v) : (tensor<1x512xf32>, tensor<512x10xf32>) -> tensor<1x10xf32>
  %4 = "ttir.add"(%3, %c) : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32>
  %5 = "ttir.softmax"(%4) <{dimension = 1 : si32}> : (tensor<1x10xf32>) -> tensor<1x10xf32>
  return %5 : tensor<1x10xf32>
})"},
      {"dead", R"(
func.func @f(%x: tensor<64x32xbf16>) -> tensor<64x32xbf16> {
  %0 = "ttir.exp"(%x) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %0 : tensor<64x32xbf16>
}
func.func @g(%x: tensor<64x32xbf16>) -> tensor<64x32xbf16> {
  %0 = "ttir.exp"(%x) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %0 : tensor<64x32xbf16>
})"},
      {"embedding", R"(
func.func @f(%x: tensor<1x32xi32>, %w: tensor<512x128xbf16>) -> tensor<1x32x128xbf16> {
  %0 = "ttir.embedding"(%x, %w) : (tensor<1x32xi32>, tensor<512x128xbf16>) -> tensor<1x32x128xbf16>
  return %0 : tensor<1x32x128xbf16>
})"},
      {"attention", R"(
func.func @f(%q: tensor<1x8x64x20xbf16>) -> tensor<1x8x64x20xbf16> {
  %0 = "ttir.scaled_dot_product_attention"(%q, %q, %q) <{is_causal = false,
      operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}>
      : (tensor<1x8x64x20xbf16>, tensor<1x8x64x20xbf16>, tensor<1x8x64x20xbf16>) -> tensor<1x8x64x20xbf16>
  return %0 : tensor<1x8x64x20xbf16>
})"},
      {"conv", R"(
func.func @f(%x: tensor<1x32x32x64xbf16>,
    %w: tensor<64x64x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>},
    %s: tensor<1x1x1x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x30x30x64xbf16> {
  %0 = "ttir.conv2d"(%x, %w) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}>
      : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x30x30x64xbf16> loc("window")
  %1 = "ttir.multiply"(%0, %s) : (tensor<1x30x30x64xbf16>, tensor<1x1x1x64xbf16>) -> tensor<1x30x30x64xbf16>
  return %1 : tensor<1x30x30x64xbf16>
})"},
      {"volume", R"(
func.func @f(%x: tensor<1x8x16x16x32xbf16>, %w: tensor<32x32x3x3x3xbf16>) -> tensor<1x6x14x14x32xbf16> {
  %0 = "ttir.conv3d"(%x, %w) <{stride = array<i32: 1, 1, 1>, padding = array<i32: 0, 0, 0>, groups = 1 : i32,
      padding_mode = "zeros"}>
      : (tensor<1x8x16x16x32xbf16>, tensor<32x32x3x3x3xbf16>) -> tensor<1x6x14x14x32xbf16> loc("window")
  return %0 : tensor<1x6x14x14x32xbf16>
})"},
      {"quantized", R"(
func.func @f(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = "ttir.quantize"(%x) : (tensor<32x64xf32>) -> tensor<32x64x!quant.uniform<i8:f32, 0.1>>
  %1 = "ttir.dequantize"(%0) : (tensor<32x64x!quant.uniform<i8:f32, 0.1>>) -> tensor<32x64xf32>
  return %1 : tensor<32x64xf32>
})"},
      {"feed_forward", R"(
func.func @f(%x: tensor<2048x1024xbf16>, %w: tensor<1024x4096xbf16>,
    %v: tensor<4096x1024xbf16>) -> tensor<2048x1024xbf16> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<2048x4096xbf16> loc("up")
  %1 = "ttir.gelu"(%0) : (tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  %2 = "ttir.matmul"(%1, %v) : (tensor<2048x4096xbf16>, tensor<4096x1024xbf16>) -> tensor<2048x1024xbf16>
  %3 = "ttir.add"(%2, %x) : (tensor<2048x1024xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
  %4 = "ttir.softmax"(%3) <{dimension = 1 : si32}> : (tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
  %5 = "ttir.add"(%4, %3) : (tensor<2048x1024xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
  return %5 : tensor<2048x1024xbf16>
})"},
      {"forks", R"(
func.func @f(%v0: tensor<2048x2048xbf16>, %w: tensor<2048x2048xbf16>,
    %n: tensor<2048x1024xbf16>) -> (tensor<2048x2048xbf16>, tensor<2048x1024xbf16>) {
  %v1 = "ttir.matmul"(%v0, %w) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %v2 = "ttir.matmul"(%v1, %n) : (tensor<2048x2048xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
  %v3 = "ttir.matmul"(%v1, %w) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %v5 = "ttir.add"(%v1, %v0) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %v6 = "ttir.add"(%v2, %v2) : (tensor<2048x1024xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
  %v8 = "ttir.add"(%v2, %v6) : (tensor<2048x1024xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
  %v10 = "ttir.matmul"(%v5, %w) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %v11 = "ttir.add"(%v6, %v8) : (tensor<2048x1024xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
  %v12 = "ttir.add"(%v3, %v10) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %v15 = "ttir.add"(%v5, %v12) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  return %v15, %v11 : tensor<2048x2048xbf16>, tensor<2048x1024xbf16>
})"},
  };
  return kPrograms;
}

std::string readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

fs::path scratch(const std::string& name) {
  return fs::path(::testing::TempDir()) / ("tessera_effects_" + std::to_string(::getpid()) + "_" + name);
}

std::string programText(const std::string& name) {
  auto known = programs().find(name);
  if (known != programs().end()) return known->second;
  return readAll(fs::path(TESSERA_SOURCE_DIR) / "tests/golden" / (name + ".mlir"));
}

// All that can be seen of a run: what it prints, what it says, and the files it leaves.
struct Outcome {
  int code = 0;
  std::string printed, said, files;
  bool operator==(const Outcome&) const = default;
};

Outcome runOpt(const std::string& program, std::vector<std::string> arguments) {
  const fs::path file = scratch("in");
  std::ofstream(file, std::ios::binary) << programText(program);
  arguments.insert(arguments.begin(), {"opt", file.string()});
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = runCommandLine(arguments);
  std::fflush(stdout);
  outcome.printed = ::testing::internal::GetCapturedStdout();
  outcome.said = ::testing::internal::GetCapturedStderr();
  fs::remove(file);
  for (const char* folder : {"a", "b"}) {
    if (!fs::exists(scratch(folder))) continue;
    outcome.files += folder;
    fs::remove_all(scratch(folder));
  }
  return outcome;
}

const std::string kTrace = "decision-trace-dir=" + scratch("a").string();
const std::string kLevel2 = "optimization-level=2";
const std::vector<std::string> kLaidOut = {"--ttnn-layout", "--convert-ttir-to-ttnn"};

struct Case {
  std::string option;
  std::string value;
  std::string program;
  std::string base = "";                 // options besides
  std::vector<std::string> around = {};  // arguments besides
};

// With the option there is something else to see than without it, or a word that there is not.
void expectEffect(const std::string& call, const Case& c) {
  auto with = [&](const std::string& options) {
    std::vector<std::string> arguments = c.around;
    arguments.push_back(options.empty() ? call : call + "=" + options);
    return runOpt(c.program, arguments);
  };
  const std::string option = c.option + "=" + c.value;
  const Outcome before = with(c.base), after = with(c.base.empty() ? option : c.base + " " + option);
  EXPECT_NE(before.code, kExitUsage) << call << " " << c.base << ": " << before.said;
  EXPECT_NE(after.code, kExitUsage) << call << " " << option << ": " << after.said;
  EXPECT_TRUE(before != after) << call << " " << option << " changes nothing in " << c.program;
}

const std::vector<Case>& pipelineCases() {
  static const std::vector<Case> kCases = {
      {"optimizer-pass-enabled", "true", "chain"},
      {"enable-optimizer", "true", "chain"},
      {"implicit-broadcast-folding-enabled", "false", "spread"},
      {"enable-implicit-broadcast-folding-pass", "false", "spread"},
      {"enable-erase-inverse-ops-pass", "false", "inverse"},
      {"enable-remove-dead-values", "false", "dead", "", {"--mlir-print-ir-after=remove-dead-values"}},
      {"enable-layout-workaround-pass", "false", "embedding"},
      {"enable-decomposition-workaround-pass", "false", "lowering/op_workarounds"},
      {"disable-workarounds", "true", "embedding"},
      {"row-major-propagation-enabled", "false", "lowering/example_row_major", kLevel2},
      {"enable-ttnn-decomposition-pass", "false", "attention"},
      {"enable-fusing-conv2d-with-multiply-pattern", "true", "conv"},
      {"enable-permute-matmul-fusion", "false", "turned"},
      {"enable-const-eval-inputs-to-system-memory", "false", "cases/matmul_weight_in_dram"},
      {"enable-l1-sharding-layouts", "false", "chain", kLevel2},
      {"enable-compile-time-stats", "true", "chain", kLevel2},
      {"enable-decision-trace", "true", "chain", kLevel2 + " " + kTrace},
      {"use-mock-allocator-state", "false", "feed_forward", kLevel2},
      {"optimization-level", "2", "chain"},
      {"max-fallback-attempts", "1", "feed_forward", kLevel2 + " tensor-l1-usage-cap=0.3"},
      {"max-input-candidates-per-operand", "1", "cases/beam_32_cores", kLevel2},
      {"mock-system-desc-arch", "blackhole", "conv", kLevel2},
      {"experimental-weight-dtype", "bfp_bf8", "chain"},
      {"mesh-shape", "1,2", "cases/conv2d_nhwc"},
      {"composite-resolution", "inline", "lowering/composites"},
      {"compiler-release", "2025-11", "conv"},
      {"target-bit-width", "8", "quantized"},
      {"override-conv3d-config", "window=c_in_block#16", "volume"},
      {"decision-trace-dir", scratch("b").string(), "chain", kLevel2 + " enable-decision-trace=true " + kTrace},
      {"enable-cpu-hoisted-const-eval", "true", "spread"},
      {"enable-quant-dequant-conversion-pass", "true", "spread"},
      {"check-unique-locs", "true", "spread"},
      {"max-reshard-candidates-per-type", "1", "spread"},
      {"enable-greedy-optimizer", "true", "spread"},
      {"argument-types", "f=input", "spread"},
      {"device", "p150", "conv", kLevel2},
      {"policy", "DFSharding", "chain"},
      {"function", "g", "dead", kLevel2},
      {"preset", "seed", "feed_forward", kLevel2},
      {"tensor-l1-usage-cap", "0.3", "feed_forward", kLevel2},
      {"max-legal-layouts", "1", "cases/chain_propagation", kLevel2},
      {"l1-release", "2025-12", "feed_forward", kLevel2 + " tensor-l1-usage-cap=0.3"},
      {"library-release", "2026-04", "cases/chain_first_operand", kLevel2},
      {"l1-small-size", "65536", "cases/evict_for_matmul", kLevel2},
      {"max-grid-rows", "2", "chain", kLevel2},
      {"max-grid-cols", "2", "chain", kLevel2},
      {"enable-const-eval", "false", "cases/constant_resource"},
      {"enable-fusing-pass", "false", "digits"},
      {"experimental-bfp8-weights", "true", "chain"},
      {"enable-create-d2m-subgraphs", "true", "chain"},
      {"reoptimize", "true", "cases/ttnn_layouts_legacy", kLevel2},
      {"compute-cfg-math-fidelity", "hifi2", "chain"},
      {"compute-cfg-math-fidelity", "hifi2", "chain", "compiler-release=2025-11"},
      {"compute-cfg-fp32-dest-acc-en", "true", "chain"},
      {"row-major-enabled", "true", "cases/chain_merges", kLevel2},
      {"memory-layout-analysis-policy", "DFSharding", "feed_forward", kLevel2},
      {"memory-layout-analysis-enabled", "false", "chain", kLevel2},
      {"l1-interleaved-fallback-analysis-enabled", "true", "feed_forward", kLevel2 + " policy=DFSharding"},
      {"memreconfig-enabled", "false", "digits", kLevel2 + " policy=DFSharding preset=seed"},
      {"trace", "true", "spread"},
      {"beam-width", "1", "cases/beam_32_cores", kLevel2},
      {"layout-score", "cores", "cases/chain_propagation", kLevel2},
      {"fork-rule", "reshard-cost", "cases/early_spill", kLevel2},
      {"spill-victim", "cost-per-byte", "forks", kLevel2 + " tensor-l1-usage-cap=0.6"},
      {"spill-point", "late", "cases/early_spill", kLevel2},
      {"spill-search", "true", "feed_forward", kLevel2},
      {"spill-strategy", "certified", "feed_forward", kLevel2},
      {"exact-rounds", "0", "cases/early_spill", kLevel2 + " policy=Exact"},
      {"op-rules", "op-model", "feed_forward", kLevel2},
      {"op-order", "second=first", "apart", kLevel2},
      {"override-output-layout", "up=dram", "feed_forward", kLevel2},
      {"override-conv2d-config", "window=act_block_h_override#64", "conv", kLevel2},
      {"calibration", "Matmul=9", "forks", kLevel2 + " policy=Exact"},
  };
  return kCases;
}

TEST(OptionEffects, Pipelines) {
  std::set<std::string> shown;
  for (const Case& c : pipelineCases()) {
    shown.insert(c.option);
    expectEffect("--ttir-to-ttnn-backend-pipeline", c);
  }
  for (const PipelineOptionInfo& option : pipelineOptions())
    EXPECT_TRUE(shown.contains(std::string(option.name))) << "no case shows what `" << option.name << "` does";
  for (const OptionInfo& option : allOptions())
    EXPECT_TRUE(shown.contains(std::string(option.id))) << "no case shows what `" << option.id << "` does";
}

const std::vector<std::pair<std::string, Case>>& passCases() {
  const std::string first = "ttnn-greedy-memory-layout-propagation", second = "ttnn-greedy-l1-spill-management";
  std::vector<std::string> propagated = kLaidOut;
  propagated.push_back("--" + first);
  static const std::vector<std::pair<std::string, Case>> kCases = {
      {"ttir-to-ttir-decomposition", {"config", "cpu-fallback", "lowering/indices"}},
      {"ttir-fusing", {"ttnn-enable-conv2d-with-multiply-pattern", "true", "conv"}},
      {"ttir-fusing", {"enable-permute-matmul-fusion", "false", "turned"}},
      {"ttir-erase-inverse-ops", {"force", "true", "inverse"}},
      {"ttir-erase-inverse-ops", {"enable-commute-upwards", "false", "lowering/release_2025"}},
      {"ttir-erase-inverse-ops", {"enable-commute-downwards", "false", "lowering/commute_views"}},
      {"ttir-erase-inverse-ops", {"max-iterations", "0", "inverse"}},
      {"ttir-quant-data-type-conversion", {"target-bit-width", "8", "quantized"}},
      {"ttnn-resolve-composites", {"composite-resolution", "inline", "lowering/composites", "", kLaidOut}},
      {"ttnn-weight-dtype-conversion", {"target-dtype", "bfp_bf8", "chain", "", kLaidOut}},
      {"ttnn-kv-cache-dtype-conversion", {"target-dtype", "bfp_bf8", "lowering/cache_types", "", kLaidOut}},
      {"ttnn-set-compute-kernel-config", {"math-fidelity", "hifi2", "chain", "", kLaidOut}},
      {"ttnn-set-compute-kernel-config", {"fp32-dest-acc-en", "true", "chain", "", kLaidOut}},
      {"ttnn-set-compute-kernel-config", {"math-approx-mode", "true", "chain", "", kLaidOut}},
      {"ttnn-set-compute-kernel-config", {"packer-l1-acc", "true", "chain", "", kLaidOut}},
      {"ttnn-set-compute-kernel-config", {"dst-full-sync-en", "true", "chain", "", kLaidOut}},
      {"tt-populate-argument-types", {"argument-types", "f=parameter", "inverse"}},
      {"ttnn-workaround", {"ttnn-enable-layout-workaround-pass", "false", "embedding", "", kLaidOut}},
      {"ttnn-workaround", {"ttnn-enable-decomposition-workaround-pass", "false", "lowering/composites", "", kLaidOut}},
      {"ttnn-workaround", {"ttnn-optimization-level", "1", "cases/conv2d_nhwc", "", kLaidOut}},
      {"ttnn-operation-validation-and-fallback", {"max-fallback-attempts", "1", "cases/beam_32_cores", "", kLaidOut}},
      {first, {"max-legal-layouts", "1", "cases/chain_propagation", "", kLaidOut}},
      {first, {"row-major-enabled", "true", "cases/blackhole", "", kLaidOut}},
      {first, {"beam-width", "1", "cases/beam_32_cores", "", kLaidOut}},
      {first, {"max-input-candidates-per-operand", "1", "cases/beam_32_cores", "", kLaidOut}},
      {first, {"max-reshard-candidates-per-type", "1", "chain", "", kLaidOut}},
      {first, {"enable-l1-sharding-layouts", "false", "chain", "", kLaidOut}},
      {first, {"enable-decision-trace", "true", "chain", kTrace, kLaidOut}},
      {first, {"decision-trace-dir", scratch("b").string(), "chain", "enable-decision-trace=true " + kTrace, kLaidOut}},
      {first, {"enable-compile-time-stats", "true", "chain", "", kLaidOut}},
      {first, {"override-output-layout", "product=dram", "chain", "", kLaidOut}},
      {first, {"override-conv2d-config", "window=act_block_h_override#64", "conv", "", kLaidOut}},
      {second, {"enable-decision-trace", "true", "chain", kTrace, propagated}},
      {second,
       {"decision-trace-dir", scratch("b").string(), "chain", "enable-decision-trace=true " + kTrace, propagated}},
      {second, {"use-mock-allocator-state", "false", "cases/evict_for_matmul", "", propagated}},
  };
  return kCases;
}

TEST(OptionEffects, Passes) {
  std::set<std::pair<std::string, std::string>> shown;
  for (const auto& [pass, c] : passCases()) {
    shown.emplace(pass, c.option);
    expectEffect("--" + pass, c);
  }
  for (std::span<const PassInfo> table : {allPasses(), namedPasses()}) {
    for (const PassInfo& pass : table) {
      for (const PassOption& option : pass.options)
        EXPECT_TRUE(shown.contains({std::string(pass.name), std::string(option.name)}))
            << "no case shows what `" << option.name << "` of `" << pass.name << "` does";
    }
  }
}

// A switch with the value that changes something, or has to be explained.
TEST(OptionEffects, Driver) {
  const std::map<std::string, std::string> values = {
      {"mlir-print-ir-before", "canonicalize"},
      {"mlir-print-ir-after", "canonicalize"},
      {"mlir-elide-elementsattrs-if-larger", "1"},
      {"ttnn-perf-metrics-output-file", scratch("metrics").string()},
      {"ttcore-mark-functions-as-forward", "false"},
      {"allow-unregistered-dialect", "false"},
      {"mlir-disable-threading", "false"},
      {"mlir-print-ir-module-scope", "false"},
      {"verify-each", "false"},
  };
  for (std::string_view name : driverOptions()) {
    auto value = values.find(std::string(name));
    const std::string text = "--" + std::string(name) + "=" + (value == values.end() ? "true" : value->second);
    const bool metrics = name.rfind("ttnn-perf", 0) == 0;
    std::vector<std::string> base = {metrics ? "--ttir-to-ttnn-backend-pipeline" : "--canonicalize"};
    if (metrics) base.push_back("--ttnn-collect-perf-metrics");
    if (name == "ttcore-unwrap-device-module") base.push_back("--ttcore-wrap-device-module");
    if (name == "mlir-print-local-scope" || metrics) base.front() = "--ttir-to-ttnn-backend-pipeline";
    if (name == "ttnn-collect-perf-metrics") base.pop_back();
    std::vector<std::string> with = base;
    with.push_back(text);
    const std::string program = metrics ? "conv" : "constant";
    const Outcome before = runOpt(program, base), after = runOpt(program, with);
    EXPECT_NE(after.code, kExitUsage) << text << ": " << after.said;
    EXPECT_TRUE(before != after) << text << " changes nothing";
  }
  fs::remove(scratch("metrics"));
}

}  // namespace
}  // namespace tessera::test::option_effects
