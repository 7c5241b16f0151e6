// ttnn-operation-validation-and-fallback: the remedies in their order, each attempt asked and told.

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/conv2d_config.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

// exp of 512x512 bf16 into one core's L1, then neg of it in DRAM.
const std::string kOneCore = R"(
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#in = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#one = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
func.func @main(%x: tensor<512x512xbf16, #in>) -> tensor<512x512xbf16, #in> {
  %0 = "ttnn.exp"(%x) : (tensor<512x512xbf16, #in>) -> tensor<512x512xbf16, #one>
  %1 = "ttnn.neg"(%0) : (tensor<512x512xbf16, #one>) -> tensor<512x512xbf16, #in>
  return %1 : tensor<512x512xbf16, #in>
}
)";

// A product of 256x256 bf16 on one core, which the next op reads where it lies.
const std::string kProduct = R"(
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#in = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#one = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
func.func @main(%x: tensor<256x256xbf16, #in>, %w: tensor<256x256xbf16, #in>) -> tensor<256x256xbf16, #in> {
  %0 = "ttnn.matmul"(%x, %w) : (tensor<256x256xbf16, #in>, tensor<256x256xbf16, #in>) -> tensor<256x256xbf16, #one>
  %1 = "ttnn.matmul"(%0, %w) : (tensor<256x256xbf16, #one>, tensor<256x256xbf16, #in>) -> tensor<256x256xbf16, #in>
  return %1 : tensor<256x256xbf16, #in>
}
)";

// One pass with so much L1, and all that it said.
struct FallbackRun {
  Graph graph;
  std::string told;
};
FallbackRun fallBack(const std::string& text, int64_t l1, bool specification = true) {
  LoweringSetup setup;
  setup.budget = L1Budget(Bytes(l1));
  setup.options.specificationRules = specification;
  LoweringResult result = passOn("ttnn-operation-validation-and-fallback", graphOfText(text), setup);
  expectSoundLogs(result);
  FallbackRun run{std::move(result.graph), ""};
  for (const PassLogNote& note : result.logs.at(0).notes) run.told += note.name + ": " + note.text + "\n";
  return run;
}

const Op& opNamed(const Graph& graph, std::string_view name) {
  for (const Op& op : graph.ops) {
    if (op.func.valid() && op.name == name) return op;
  }
  ADD_FAILURE() << "no " << name;
  return *graph.ops.begin();
}

const TensorLayout& layoutOf(const Graph& graph, ValueId value) { return *graph.values[value].type.tensor->layout; }
int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Fallback, NothingChangesWhereItFits) {
  FallbackRun run = fallBack(kProduct, 1'300'000);
  EXPECT_EQ(run.told, "");
  EXPECT_EQ(layoutOf(run.graph, opNamed(run.graph, "ttnn.matmul").results[0]).grid, (GridShape{1, 1}));
}

TEST(Fallback, AnotherShardingComesBeforeDram) {
  FallbackRun run = fallBack(kProduct, 100'000);
  const std::vector<OpId>& ops = run.graph.funcs[run.graph.forward].ops;
  const Op &first = run.graph.ops[ops.at(0)], &second = run.graph.ops[ops.at(1)];
  const TensorLayout& now = layoutOf(run.graph, first.results[0]);
  EXPECT_TRUE(now.isL1() && now.sharded()) << layoutText(now);
  EXPECT_GT(now.grid.volume(), 1);
  // It is not put back where it found no room: the next op reads what was written.
  EXPECT_EQ(second.operands[0], first.results[0]);
  EXPECT_EQ(count(run.told, "attempt 1, level 1 layout"), 1) << run.told;
  EXPECT_EQ(count(run.told, "level 3 sharding"), 1) << run.told;
  EXPECT_EQ(count(run.told, ": taken"), 1) << run.told;
  EXPECT_EQ(count(run.told, "fallback level 3 (sharding)"), 1) << run.told;
}

TEST(Fallback, DramIsTheLastOfTheMemories) {
  FallbackRun run = fallBack(kOneCore, 12'000);
  const TensorLayout& now = layoutOf(run.graph, opNamed(run.graph, "ttnn.exp").results[0]);
  EXPECT_EQ(now.buffer, BufferType::DRAM) << layoutText(now);
  EXPECT_GT(count(run.told, "level 3 sharding"), 1) << run.told;
  EXPECT_NE(run.told.find("fallback level 2 (memory)"), std::string::npos) << run.told;
}

TEST(Fallback, WhatLiesInL1Counts) {
  // A second tensor takes most of L1 over all cores while the op runs: more cores are no remedy then.
  const std::string text = R"(
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#in = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#all = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<2x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
#one = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
func.func @main(%x: tensor<512x512xbf16, #in>) -> tensor<512x512xbf16, #in> {
  %k = "ttnn.relu"(%x) : (tensor<512x512xbf16, #in>) -> tensor<512x512xbf16, #all>
  %0 = "ttnn.exp"(%x) : (tensor<512x512xbf16, #in>) -> tensor<512x512xbf16, #one>
  %1 = "ttnn.add"(%k, %0) : (tensor<512x512xbf16, #all>, tensor<512x512xbf16, #one>) -> tensor<512x512xbf16, #in>
  return %1 : tensor<512x512xbf16, #in>
}
)";
  FallbackRun free = fallBack(kOneCore, 18'500), full = fallBack(text, 18'500);
  EXPECT_TRUE(layoutOf(free.graph, opNamed(free.graph, "ttnn.exp").results[0]).isL1()) << free.told;
  EXPECT_FALSE(layoutOf(full.graph, opNamed(full.graph, "ttnn.exp").results[0]).isL1()) << full.told;
}

TEST(Fallback, TheCompilerGoesToDramAtOnce) {
  FallbackRun run = fallBack(kOneCore, 200'000, false);
  EXPECT_EQ(layoutOf(run.graph, opNamed(run.graph, "ttnn.exp").results[0]).buffer, BufferType::DRAM);
  EXPECT_EQ(count(run.told, "attempt"), 0) << run.told;
  EXPECT_EQ(count(run.told, "fallback level 3 (sharding): result L1"), 1) << run.told;
}

// 3x3 over an image of 128x128, 128 channels, from DRAM to DRAM.
const std::string kConvolution = R"(
#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 16384 + d1 * 16384 + d2, d3), <1x1>,
  memref<512x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 384 + d1 * 3 + d2, d3), <1x1>,
  memref<1536x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
!x = tensor<1x1x16384x128xbf16, #x>
!w = tensor<128x128x3x3xbf16, #w>
func.func @main(%x: !x, %w: !w) -> !x {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}>
    : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16,
    activation = <op_type = relu>, act_block_h_override = 0, config_tensors_in_dram = true>,
    dilation = array<i32: 1, 1>, dtype = #ttcore.supportedDataTypes<bf16>, groups = 1 : i32, in_channels = 128 : i32,
    input_height = 128 : i32, input_width = 128 : i32, kernel_size = array<i32: 3, 3>, out_channels = 128 : i32,
    padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (!x, !w, !ttnn.device) -> !x
  return %0 : !x
}
)";

// A smaller block of activations is all that changes: what else the op's settings say stays.
TEST(Fallback, AConvolutionKeepsItsOtherSettings) {
  const FallbackRun run = fallBack(kConvolution, 600'000, false);
  const AttrValue* config = findAttr(opNamed(run.graph, "ttnn.conv2d"), "conv2d_config");
  ASSERT_NE(config, nullptr);
  EXPECT_EQ(conv2dConfigField(config->text, "activation"), "<op_type = relu>") << config->text << run.told;
  EXPECT_EQ(conv2dConfigField(config->text, "weights_dtype"), "bf16") << config->text;
  EXPECT_EQ(conv2dConfigField(config->text, "config_tensors_in_dram"), "true") << config->text;
  const std::string rows = conv2dConfigField(config->text, "act_block_h_override");
  EXPECT_GT(std::atoi(rows.c_str()), 0) << config->text << run.told;
  EXPECT_EQ(findAttr(opNamed(run.graph, "ttnn.conv2d"), "conv2d_slice_config"), nullptr) << run.told;
}

// Where no block is small enough the image is computed in slices; where no slice is, the op stays as it was.
TEST(Fallback, AConvolutionThatNoBlockHelpsRunsInSlices) {
  const FallbackRun run = fallBack(kConvolution, 300'000, false);
  const AttrValue* slices = findAttr(opNamed(run.graph, "ttnn.conv2d"), "conv2d_slice_config");
  ASSERT_NE(slices, nullptr) << run.told;
  EXPECT_EQ(slices->text.rfind("#ttnn.conv2d_slice_config<dram_", 0), 0u) << slices->text;
  EXPECT_NE(run.told.find(">, act_block_h_override"), std::string::npos) << run.told;
  LoweringSetup setup;
  setup.budget = L1Budget(Bytes(1'000));
  setup.options.specificationRules = false;
  const LoweringResult none = passOn("ttnn-operation-validation-and-fallback", graphOfText(kConvolution), setup);
  EXPECT_EQ(none.logs.at(0).problems.size(), 1u);
  EXPECT_EQ(findAttr(opNamed(none.graph, "ttnn.conv2d"), "conv2d_slice_config"), nullptr);
}

// Whether the model takes the convolution with blocks of so many rows.
bool takesBlocks(int64_t rows, int64_t l1) {
  const Graph graph = graphOfText(kConvolution);
  LoweringSetup setup;
  setup.options.specificationRules = false;
  for (OpId id : graph.funcs[graph.forward].ops) {
    if (graph.ops[id].name != "ttnn.conv2d") continue;
    std::vector<std::optional<TensorLayout>> inputs;
    for (ValueId operand : graph.ops[id].operands) {
      const ValueType& type = graph.values[operand].type;
      inputs.push_back(type.isTensor() ? type.tensor->layout : std::nullopt);
    }
    Conv2dAttrs blocks;
    blocks.actBlockHOverride = rows;
    const OpConfig config{layoutOf(graph, graph.ops[id].results[0]), blocks};
    L1Budget budget{Bytes(l1)};
    return setup.model.validateOperation({graph, id, inputs, config, Bytes(0)}, budget).ok();
  }
  return false;
}

// Blocks are whole tiles of rows, and no larger one of up to 1024 rows fits.
TEST(Fallback, TheLargestBlockThatFitsIsTaken) {
  for (const int64_t l1 : {580'000, 600'000}) {
    const FallbackRun run = fallBack(kConvolution, l1, false);
    const AttrValue* config = findAttr(opNamed(run.graph, "ttnn.conv2d"), "conv2d_config");
    ASSERT_NE(config, nullptr);
    const int64_t rows = std::atoi(conv2dConfigField(config->text, "act_block_h_override").c_str());
    ASSERT_GT(rows, 0) << run.told;
    EXPECT_EQ(rows % 32, 0);
    EXPECT_TRUE(takesBlocks(rows, l1));
    for (int64_t larger = rows + 32; larger <= 1024; larger += 32) EXPECT_FALSE(takesBlocks(larger, l1)) << larger;
  }
}

// Slices that an op was given are there again where nothing helped.
TEST(Fallback, SlicesThatDoNotHelpArePutBack) {
  const std::string given = "#ttnn.conv2d_slice_config<dram_height, 3>", at = "dilation = array";
  std::string text = kConvolution;
  text.insert(text.find(at), "conv2d_slice_config = " + given + ", ");
  LoweringSetup setup;
  setup.budget = L1Budget(Bytes(1'000));
  setup.options.specificationRules = false;
  const LoweringResult none = passOn("ttnn-operation-validation-and-fallback", graphOfText(text), setup);
  EXPECT_EQ(none.logs.at(0).problems.size(), 1u);
  const AttrValue* slices = findAttr(opNamed(none.graph, "ttnn.conv2d"), "conv2d_slice_config");
  ASSERT_NE(slices, nullptr);
  EXPECT_EQ(slices->text, given);
}

// By the compiler's rules what reads the result gets it where it was wanted, and takes it from there where it must.
TEST(Fallback, TheCompilerPutsTheResultBack) {
  const Graph before = graphOfText(kOneCore);
  const FallbackRun run = fallBack(kOneCore, 200'000, false);
  const Op &exp = opNamed(run.graph, "ttnn.exp"), &back = opNamed(run.graph, "ttnn.to_layout"),
           &neg = opNamed(run.graph, "ttnn.neg");
  EXPECT_EQ(back.operands.at(0), exp.results[0]);
  const OpId moved = run.graph.values[neg.operands.at(0)].producer;
  ASSERT_TRUE(moved.valid());
  EXPECT_EQ(run.graph.ops[moved].operands.at(0), back.results[0]);
  EXPECT_EQ(layoutOf(run.graph, back.results[0]), layoutOf(before, opNamed(before, "ttnn.exp").results[0]));
}

// A product's program is made for one layout of its result: with another layout the op has none.
TEST(Fallback, AProgramGoesWithItsLayout) {
  const Graph graph = graphOfText(kProduct);
  const OpId first = graph.funcs[graph.forward].ops.at(0);
  IdVec<OpId, OpConfig> configs(graph.ops.size());
  MatmulAttrs program;
  program.perCoreM = program.perCoreN = 8;
  program.in0BlockW = program.outSubblockH = program.outSubblockW = 1;
  configs[first] = OpConfig{layoutOf(graph, graph.ops[first].results[0]), program};
  for (const int64_t l1 : {1'300'000, 100'000}) {
    LoweringSetup setup;
    setup.budget = L1Budget(Bytes(l1));
    setup.context.configs = &configs;
    const LoweringResult result = passOn("ttnn-operation-validation-and-fallback", graph, setup);
    if (l1 > 1'000'000) {
      EXPECT_TRUE(result.configs.empty());
      continue;
    }
    ASSERT_FALSE(result.configs.empty());
    EXPECT_EQ(result.configs[0].first, first);
    EXPECT_FALSE(result.configs[0].second.output == configs[first].output);
    EXPECT_FALSE(std::holds_alternative<MatmulAttrs>(result.configs[0].second.attrs));
  }
}

// One op on a tensor of numbers in DRAM, which so little L1 leaves no room for as they are.
std::string oneOp(const std::string& type, const std::string& op, const std::string& results, bool indices = false) {
  const auto laidOut = [](const std::string& name, const std::string& of) {
    return name +
           " = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, "
           "memref<4x4x!ttcore.tile<32x32, " +
           of + ">, #dram>, <interleaved>>\n";
  };
  const std::string given = "tensor<1x4x32x128x" + type + ", #in>", returned = indices ? "%0, %i" : "%0";
  return "#dram = #ttnn.buffer_type<dram>\n" + laidOut("#in", type) + laidOut("#index", "si32") +
         "func.func @main(%x: " + given + ") -> (" + results + ") {\n  " + returned + " = " + op + " : (" + given +
         ") -> (" + results + ")\n  return " + returned + " : " + results + "\n}\n";
}

// Types and layouts of what a fallback converts agree, and the compiler's verifier takes every op: what is written is
// read again. Each result keeps its own numbers.
TEST(Fallback, ConvertedOperandsTakeTheResultAlong) {
  const std::string whole = "tensor<1x4x32x128xf32, #in>";
  struct Case {
    std::string text;
    int64_t l1;
  };
  const Case cases[] = {
      {oneOp("f32", "\"ttnn.sort\"(%x) <{descending = false, dim = 3 : si8, stable = false}>",
             whole + ", tensor<1x4x32x128xsi32, #index>", true),
       70'000},
      {oneOp("f32", "\"ttnn.softmax\"(%x) <{dimension = 3 : si32}>", whole), 60'000},
  };
  int converted = 0, severalResults = 0;
  for (const auto& [text, l1] : cases) {
    for (const bool specification : {true, false}) {
      const FallbackRun run = fallBack(text, l1, specification);
      SCOPED_TRACE(text + run.told);
      converted += run.told.find("bf16") != std::string::npos ? 1 : 0;
      for (OpId id : run.graph.funcs[run.graph.forward].ops) {
        Diagnostics mistakes;
        checkShapes(run.graph, id, mistakes);
        EXPECT_FALSE(mistakes.hasErrors()) << mistakes.all().front().message;
        const std::vector<ValueId>& results = run.graph.ops[id].results;
        for (ValueId result : results) {
          const TensorType& type = *run.graph.values[result].type.tensor;
          EXPECT_EQ(type.dtype, type.layout->dtype) << run.graph.ops[id].name;
        }
        if (results.size() < 2) continue;
        EXPECT_EQ(run.graph.values[results[1]].type.tensor->dtype, DType::I32);
        severalResults += run.graph.values[results[0]].type.tensor->dtype == DType::BF16 ? 1 : 0;
      }
      for (ValueId back : run.graph.ops[run.graph.funcs[run.graph.forward].ops.back()].operands) {
        const DType dtype = run.graph.values[back].type.tensor->dtype;
        EXPECT_TRUE(dtype == DType::F32 || dtype == DType::I32) << "what is returned has the numbers it had";
      }
    }
  }
  EXPECT_EQ(converted, 4);
  EXPECT_EQ(severalResults, 2);
}

}  // namespace
}  // namespace tessera::test
