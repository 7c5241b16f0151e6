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
    EXPECT_TRUE(layout.sharded() || !program);
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

}  // namespace
}  // namespace tessera::test
