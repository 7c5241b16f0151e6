// Programs of matmuls are candidates of the policies that choose by time, under their own preset: the fastest for a
// layout beside the one that the library takes by itself.

#include "core/policy/kit/matmul_programs.h"
#include "tests/analysed.h"
#include "tests/policy/expect_sound.h"

namespace tessera::test {
namespace {

constexpr const char* kProduct = R"(
func.func @main(%a: tensor<32x800xbf16>, %b: tensor<800x512xbf16>) -> tensor<32x512xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<32x800xbf16>, tensor<800x512xbf16>) -> tensor<32x512xbf16>
  %1 = "ttir.relu"(%0) : (tensor<32x512xbf16>) -> tensor<32x512xbf16>
  return %1 : tensor<32x512xbf16>
})";

OpId productOf(const Graph& graph) {
  for (OpId op : graph.funcs[graph.forward].ops) {
    if (opInfo(graph.ops[op].kind).has(kHasMatmulConfig)) return op;
  }
  return {};
}

TEST(MatmulProgramChoice, TheFastestProgramOfALayoutIsFasterAndLegal) {
  const Graph graph = graphOf(kProduct);
  const DeviceSpec& device = allDevices()[0];
  const Problem problem = analysed(graph, device, {});
  const OpId op = productOf(graph);
  std::vector<std::optional<TensorLayout>> inputs;
  for (ValueId operand : graph.ops[op].operands) inputs.emplace_back(dramLayout(problem, operand));
  FasterPrograms programs(problem);
  int faster = 0;
  for (const TensorLayout& layout : problem.legal[op].layouts) {
    const std::optional<MatmulAttrs> program = programs.of(op, layout);
    EXPECT_EQ(program, programs.of(op, layout));
    if (!program) continue;
    ++faster;
    const OpConfig own{layout, {}}, asked{layout, *program};
    EXPECT_TRUE(problem.model.validateOperation({graph, op, inputs, asked, Bytes(0)}, problem.budget).ok());
    EXPECT_LT(problem.model.getOpRuntime({graph, op, inputs, asked, Bytes(0)}).total(),
              problem.model.getOpRuntime({graph, op, inputs, own, Bytes(0)}).total());
  }
  EXPECT_GT(faster, 0);
  ProblemOptions unasked;
  unasked.askOpModel = false;
  const Problem upstream = analysed(graph, device, unasked);
  FasterPrograms none(upstream);
  for (const TensorLayout& layout : upstream.legal[op].layouts) EXPECT_FALSE(none.of(op, layout));
}

TEST(MatmulProgramChoice, PoliciesThatChooseByTimeTakeItAndChainsKeepTheCompilers) {
  const Graph graph = graphOf(kProduct);
  const auto blocks = [&](const char* policy) {
    const auto run = runOn(graph, policy);
    const OpConfig& config = run->plan.config[productOf(graph)];
    const auto* program = std::get_if<MatmulAttrs>(&config.attrs);
    const std::optional<MatmulAttrs> own = matmulProgramConfig(graph, productOf(graph), config.output);
    return std::pair(program ? program->in0BlockW : 0, own ? own->in0BlockW : 0);
  };
  for (const char* policy : {"Greedy", "Beam", "Exact"}) {
    const auto [asked, own] = blocks(policy);
    EXPECT_GT(asked, own) << policy << ": fewer and larger steps of the inner dim";
  }
  EXPECT_EQ(blocks("DFSharding").first, 0) << "left to what is written down for all policies";
}

// A graph that stands as it is says itself which programs it asks for.
TEST(MatmulProgramChoice, GraphsAsTheyStandGetNoPrograms) {
  Graph graph = graphOf(kProduct);
  const OpId op = productOf(graph);
  const ValueId product = graph.ops[op].results[0];
  graph.values.edit(product).type.tensor->layout =
      layoutFor(graph, product, BufferType::L1, TensorMemoryLayout::WidthSharded, {1, 8}, allDevices()[0]);
  const auto programOf = [&](const Plan& plan) { return std::holds_alternative<MatmulAttrs>(plan.config[op].attrs); };
  ProblemOptions options;
  options.asItStands = true;
  const Problem problem = analysed(graph, allDevices()[0], options);
  PolicyMemory memory;
  DecisionLog log;
  Plan plan = decidePlan(*findPolicy("AsWritten"), problem, {}, memory, log);
  EXPECT_EQ(layoutText(plan.config[op].output), "L1 width 1x8");
  EXPECT_FALSE(programOf(plan));
  chooseMatmulPrograms(problem, plan);
  EXPECT_TRUE(programOf(plan)) << "there is one";
}

// The inner dim has an odd number of tiles: the library would read it tile by tile.
TEST(MatmulProgramChoice, InterleavedResultsHaveProgramsThatFitTheGrid) {
  const Graph graph = graphOf(kProduct);
  for (size_t device : {size_t{0}, allDevices().size() - 1}) {
    const Problem problem = analysed(graph, allDevices()[device], {});
    const OpId op = productOf(graph);
    const ValueId result = graph.ops[op].results[0];
    FasterPrograms programs(problem);
    for (const TensorLayout& layout : {dramLayout(problem, result), l1InterleavedLayout(problem, result)}) {
      const std::optional<MatmulAttrs> program = programs.of(op, layout);
      ASSERT_TRUE(program) << "device " << device;
      EXPECT_EQ(25 % program->in0BlockW, 0);
      EXPECT_EQ(program->perCoreM % program->outBlockH + program->perCoreN % program->outBlockW, 0);
      EXPECT_LE(ceilDiv(1, program->perCoreM) * ceilDiv(16, program->perCoreN), problem.device.grid.volume());
    }
  }
}

constexpr const char* kBatches = R"(
func.func @main(%a: tensor<1x16x128x64xbf16>, %b: tensor<1x16x64x128xbf16>) -> tensor<1x16x128x128xbf16> {
  %0 = "ttir.matmul"(%a, %b) : (tensor<1x16x128x64xbf16>, tensor<1x16x64x128xbf16>) -> tensor<1x16x128x128xbf16>
  return %0 : tensor<1x16x128x128xbf16>
})";

// What is printed is what was chosen: read back it gives the same program.
void expectPrograms(const PolicyRun& run, MatmulProgram kind) {
  int found = 0;
  for (OpId op : run.plan.order) {
    const auto* chosen = std::get_if<MatmulAttrs>(&run.plan.config[op].attrs);
    if (!chosen) continue;
    const AttrValue* text = findAttr(run.applied.graph.ops[op], "matmul_program_config");
    ASSERT_TRUE(text);
    MatmulAttrs read = *parseMatmulProgram(text->text);
    if (chosen->outBlockH == 0) read.outBlockH = read.outBlockW = 0;
    if (kind == MatmulProgram::Reuse) {  // has no such field
      read.outBlockH = chosen->outBlockH;
      read.outBlockW = chosen->outBlockW;
    }
    EXPECT_EQ(read, *chosen) << text->text;
    found += chosen->program == kind;
  }
  EXPECT_EQ(found, 1);
}

TEST(MatmulProgramChoice, BatchesOfWeightsAreWholeProductsPerCore) {
  expectPrograms(*runOn(graphOf(kBatches), "Exact"), MatmulProgram::Reuse);
}

constexpr const char* kOverBanks = R"(
#dram = #ttnn.buffer_type<dram>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x12>, memref<64x8x!ttcore.tile<32x32, bf16>, #dram>, <width_sharded>>
func.func @main(%a: tensor<32x2048xbf16>, %b: tensor<2048x3072xbf16, #w>) -> tensor<32x3072xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<32x2048xbf16>) -> tensor<32x2048xbf16>
  %1 = "ttir.matmul"(%0, %b) : (tensor<32x2048xbf16>, tensor<2048x3072xbf16, #w>) -> tensor<32x3072xbf16>
  %2 = "ttir.relu"(%1) : (tensor<32x3072xbf16>) -> tensor<32x3072xbf16>
  return %2 : tensor<32x3072xbf16>
})";

TEST(MatmulProgramChoice, WeightsOverBanksAreMultipliedBesideThem) {
  const auto run = runOn(graphOf(kOverBanks), "Exact");
  expectPrograms(*run, MatmulProgram::DramSharded);
  for (const Reshard& reshard : run->plan.reshards) EXPECT_NE(reshard.operand, 1) << "12 MB of weights stay";
}

}  // namespace
}  // namespace tessera::test
