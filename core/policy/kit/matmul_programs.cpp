#include "core/policy/kit/matmul_programs.h"

#include <algorithm>

#include "core/ops/rules/matmul_program.h"
#include "core/ops/rules/op_facts.h"
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

bool mayHaveProgram(const Op& op, const TensorLayout& output) {
  return output.isL1() && output.sharded() && opInfo(op.kind).has(kHasMatmulConfig) &&
         !findAttr(op, "matmul_program_config");
}

// Of the programs for a sharded result that the op model accepts: the fastest, where it is faster than what the library
// takes by itself, or the first one that takes as long and no more L1.
std::optional<MatmulAttrs> pickProgram(const Problem& problem, OpId op,
                                       const std::vector<std::optional<TensorLayout>>& inputs,
                                       const TensorLayout& output, bool fastest) {
  std::optional<MatmulAttrs> best;
  if (!mayHaveProgram(problem.graph.ops[op], output)) return best;
  const auto figuresOf = [&](const OpConfig& config) {
    return problem.model.figuresOf({problem.graph, op, inputs, config, Bytes(0)});
  };
  const OpFigures own = figuresOf({output, {}});
  Nanoseconds least = own.time;
  for (const MatmulAttrs& program : programsFor(problem.graph, op, output)) {
    const OpFigures asked = figuresOf({output, program});
    if (asked.status != OpStatus::Success || !(asked.output == output)) continue;
    const bool same = asked.time == own.time && asked.constraints.cbRegionSize <= own.constraints.cbRegionSize &&
                      asked.constraints.peakL1MemorySize <= own.constraints.peakL1MemorySize;
    if (fastest ? asked.time >= least : !same) continue;
    least = asked.time;
    best = program;
    if (!fastest) break;
  }
  return best;
}

}  // namespace

std::optional<MatmulAttrs> FasterPrograms::of(OpId op, const TensorLayout& output) {
  if (!problem_.options.askOpModel || !mayHaveProgram(problem_.graph.ops[op], output)) return {};
  std::vector<std::optional<TensorLayout>> inputs;
  Key key{static_cast<uint32_t>(pool_.intern(output))};
  for (ValueId operand : problem_.graph.ops[op].operands) {
    inputs.push_back(problem_.isTensor(operand) ? std::optional(dramLayout(problem_, operand)) : std::nullopt);
    key.push_back(static_cast<uint32_t>(inputs.back() ? pool_.intern(*inputs.back()) : kNoLayout));
  }
  std::optional<OpFacts> made;
  const OpFacts& facts = problem_.model.factsFor({problem_.graph, op, inputs, {output, {}}, Bytes(0)}, made);
  if (made) return pickProgram(problem_, op, inputs, output, true);  // a model that remembers nothing
  addWords(key, reinterpret_cast<uintptr_t>(&facts));                // one per class
  const size_t number = asked_.numberOf(key);
  if (number == answers_.size()) answers_.push_back(pickProgram(problem_, op, inputs, output, true));
  return answers_[number];
}

void chooseMatmulPrograms(const Problem& problem, Plan& plan) {
  LayoutPool pool;
  const PlanTrack track = trackPlan(problem, plan, pool);
  for (OpId op : plan.order) {
    const Op& o = problem.graph.ops[op];
    const bool open = std::holds_alternative<std::monostate>(plan.config[op].attrs);
    if (!open || o.results.empty() || !plan.layout[o.results[0]]) continue;
    std::vector<std::optional<TensorLayout>> inputs;
    for (LayoutId id : track.reads[op]) inputs.push_back(id == kNoLayout ? std::nullopt : std::optional(pool[id]));
    const TensorLayout& output = *plan.layout[o.results[0]];
    if (const auto program = pickProgram(problem, op, inputs, output, false)) plan.config[op] = {output, *program};
  }
}

}  // namespace tessera
