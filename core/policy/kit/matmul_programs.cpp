#include "core/policy/kit/matmul_programs.h"

#include <algorithm>

#include "core/ops/rules/matmul_program.h"
#include "core/policy/kit/plan_time.h"

namespace tessera {

namespace {

// Blocks of the inner dim: the compiler's, then every divisor of it from the largest down.
std::vector<MatmulAttrs> programsFor(const Graph& graph, OpId op, const TensorLayout& output) {
  constexpr int64_t kWidestBlock = 64;  // tiles
  std::vector<MatmulAttrs> programs;
  const std::optional<MatmulAttrs> own = matmulProgramConfig(graph, op, output);
  if (!own) return programs;
  const AttrValue* compute = findAttr(graph.ops[op], "compute_config");
  const bool fp32 =
      output.dtype == DType::F32 || (compute && parseComputeConfig(compute->text).fp32DestAcc.value_or(false));
  auto add = [&](int64_t blockW) {
    MatmulAttrs program = *own;
    program.in0BlockW = blockW;
    fillSubblock(program, fp32 ? 4 : 8);  // 8 tiles of 16 bits, 4 of 32 (tt-metal matrix_engine.md)
    programs.push_back(program);
  };
  add(own->in0BlockW);
  const Op& matmul = graph.ops[op];
  const Shape& a = graph.values[matmul.operands[0]].type.tensor->shape;
  const AttrValue* transposed = findAttr(matmul, "transpose_a");
  const int64_t inner = a[a.size() - (transposed && transposed->integer != 0 ? 2 : 1)];
  const int64_t tiles = ceilDiv(std::max<int64_t>(inner, 1), kTileSide);
  for (int64_t blockW = std::min(tiles, kWidestBlock); blockW >= 1; --blockW) {
    if (tiles % blockW == 0 && blockW != own->in0BlockW) add(blockW);
  }
  return programs;
}

}  // namespace

void chooseMatmulPrograms(const Problem& problem, Plan& plan) {
  LayoutPool pool;
  const PlanTrack track = trackPlan(problem, plan, pool);
  for (OpId op : plan.order) {
    const Op& o = problem.graph.ops[op];
    const bool open = opInfo(o.kind).has(kHasMatmulConfig) && !findAttr(o, "matmul_program_config") &&
                      std::holds_alternative<std::monostate>(plan.config[op].attrs);
    if (!open || o.results.empty() || !plan.layout[o.results[0]]) continue;
    const TensorLayout& output = *plan.layout[o.results[0]];
    if (!output.isL1() || !output.sharded()) continue;
    std::vector<std::optional<TensorLayout>> inputs;
    for (LayoutId id : track.reads[op]) inputs.push_back(id == kNoLayout ? std::nullopt : std::optional(pool[id]));
    const auto figuresOf = [&](const OpConfig& config) {
      return problem.model.figuresOf({problem.graph, op, inputs, config, Bytes(0)});
    };
    const OpFigures own = figuresOf({output, {}});
    for (const MatmulAttrs& program : programsFor(problem.graph, op, output)) {
      const OpFigures asked = figuresOf({output, program});
      const bool same = asked.status == OpStatus::Success && asked.output == output && asked.time == own.time &&
                        asked.constraints.cbRegionSize.count <= own.constraints.cbRegionSize.count &&
                        asked.constraints.peakL1MemorySize.count <= own.constraints.peakL1MemorySize.count;
      if (!same) continue;
      plan.config[op] = {output, program};
      break;
    }
  }
}

}  // namespace tessera
