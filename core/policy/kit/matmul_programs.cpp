#include "core/policy/kit/matmul_programs.h"

#include <algorithm>

#include "core/ops/rules/matmul_program.h"
#include "core/ops/rules/op_facts.h"
#include "core/policy/kit/candidate_layouts.h"
#include "core/policy/kit/plan_time.h"

namespace tessera {

namespace {

// Tiles in the destination registers (tt-metal matrix_engine.md).
int64_t registersFor(bool fp32) { return fp32 ? 4 : 8; }

// A product in tiles, and what its blocks take.
struct Product {
  MatmulTiles tiles;
  int64_t aTile = 0, bTile = 0, outTile = 0;  // bytes
  int64_t subblock = 1;                       // tiles at most
  GridShape grid;
  int64_t room = 0;  // bytes of L1
};

std::optional<Product> productOf(const Problem& problem, const OpQuery& query) {
  const Op& o = problem.graph.ops[query.op];
  if (o.operands.size() < 2 || !query.inputs[0] || !query.inputs[1]) return {};
  const OpFacts facts = factsOf(problem.graph, query.op);
  const OpView view = makeView(query, problem.device, facts);
  if (malformed(view)) return {};
  return Product{.tiles = matmulTiles(view),
                 .aTile = view.inputTile(0),
                 .bTile = view.inputTile(1),
                 .outTile = view.outputTile(),
                 .subblock = registersFor(productSumsInFp32(view)),
                 .grid = problem.device.grid,
                 .room = problem.device.usableL1().count};
}

// Blocks of the inner dim that divide it, from the largest down.
std::vector<int64_t> innerBlocks(int64_t tiles) {
  constexpr int64_t kWidestBlock = 64;  // tiles
  std::vector<int64_t> blocks;
  for (int64_t blockW = std::min(tiles, kWidestBlock); blockW >= 1; --blockW) {
    if (tiles % blockW == 0) blocks.push_back(blockW);
  }
  return blocks;
}

// For a sharded result: the compiler's program, then its form with every other block of the inner dim.
std::vector<MatmulAttrs> shardedPrograms(const Graph& graph, OpId op, const TensorLayout& output) {
  std::vector<MatmulAttrs> programs;
  const std::optional<MatmulAttrs> own = matmulProgramConfig(graph, op, output);
  if (!own) return programs;
  const Op& matmul = graph.ops[op];
  const AttrValue* compute = findAttr(matmul, "compute_config");
  const bool fp32 =
      output.dtype == DType::F32 || (compute && parseComputeConfig(compute->text).fp32DestAcc.value_or(false));
  auto add = [&](int64_t blockW) {
    MatmulAttrs program = *own;
    program.in0BlockW = blockW;
    fillSubblock(program, registersFor(fp32));
    programs.push_back(program);
  };
  add(own->in0BlockW);
  const Shape& a = graph.values[matmul.operands[0]].type.tensor->shape;
  const AttrValue* transposed = findAttr(matmul, "transpose_a");
  const int64_t inner = a[a.size() - (transposed && transposed->integer != 0 ? 2 : 1)];
  for (int64_t blockW : innerBlocks(ceilDiv(std::max<int64_t>(inner, 1), kTileSide))) {
    if (blockW != own->in0BlockW) add(blockW);
  }
  return programs;
}

bool overBanks(const std::optional<TensorLayout>& weights) {
  return weights && weights->isDram() && weights->memory == TensorMemoryLayout::WidthSharded;
}

// For weights that lie in columns over the DRAM banks: a core beside each bank multiplies what lies there, in blocks of
// the inner dim that divide a shard of the first operand (tt-metal matmul/device).
std::vector<MatmulAttrs> bankPrograms(const TensorLayout& a, const TensorLayout& output) {
  std::vector<MatmulAttrs> programs;
  if (output.memory != TensorMemoryLayout::WidthSharded || a.memory != TensorMemoryLayout::WidthSharded)
    return programs;
  for (int64_t blockW : innerBlocks(a.shardCols)) {
    programs.push_back({.program = MatmulProgram::DramSharded,
                        .perCoreM = output.shardRows,
                        .perCoreN = output.shardCols,
                        .in0BlockW = blockW});
  }
  return programs;
}

// Cuts the result of a core into blocks until two blocks of each operand and one of the result fit L1: in two parts or
// the next number that divides, the longer side first. False when nothing fits.
bool cutToFit(const Product& p, MatmulAttrs& program) {
  program.outBlockH = program.perCoreM;
  program.outBlockW = program.perCoreN;
  const auto bytes = [&] {
    const int64_t operands = 2 * program.in0BlockW * (program.outBlockH * p.aTile + program.outBlockW * p.bTile);
    return operands + program.outBlockH * program.outBlockW * p.outTile;
  };
  while (bytes() > p.room) {
    if (program.outBlockH * program.outBlockW == 1) return false;
    int64_t& side = program.outBlockH >= program.outBlockW ? program.outBlockH : program.outBlockW;
    side = largestDivisorUpTo(side, side / 2);
  }
  return true;
}

// For an interleaved result: one dim over all cores or both over the grid, and with weights of their own for each batch
// whole products on every core (tt-metal matmul/device).
std::vector<MatmulAttrs> interleavedPrograms(const Product& p) {
  constexpr int64_t kMostTiles = 65'536;  // of a side of the result, or of the inner dim
  std::vector<MatmulAttrs> programs;
  const int64_t rows = p.tiles.batchedWeights ? p.tiles.m : mulSaturated(p.tiles.batches, p.tiles.m);
  if (std::max({rows, p.tiles.n, p.tiles.k}) > kMostTiles) return programs;
  const int64_t cores = p.grid.volume();
  std::vector<MatmulAttrs> cuts;
  auto cut = [&](MatmulProgram program, int64_t m, int64_t n) {
    cuts.push_back({.program = program, .perCoreM = m, .perCoreN = n});
  };
  if (p.tiles.batchedWeights) {
    for (int64_t m : innerBlocks(rows)) cut(MatmulProgram::Reuse, m, p.tiles.n);
  } else {
    cut(MatmulProgram::MultiCast1dIn0, rows, ceilDiv(p.tiles.n, cores));
    cut(MatmulProgram::MultiCast1dIn1, ceilDiv(rows, cores), p.tiles.n);
    cut(MatmulProgram::MultiCast2d, ceilDiv(rows, p.grid.rows), ceilDiv(p.tiles.n, p.grid.cols));
  }
  for (MatmulAttrs program : cuts) {
    for (int64_t blockW : innerBlocks(p.tiles.k)) {
      program.in0BlockW = blockW;
      if (!cutToFit(p, program)) continue;
      const bool whole = program.outBlockH == program.perCoreM && program.outBlockW == program.perCoreN;
      if (program.program == MatmulProgram::Reuse && !whole) continue;
      const Subblock subblock = preferredSubblock(program.outBlockH, program.outBlockW, p.subblock, false);
      program.outSubblockH = subblock.h;
      program.outSubblockW = subblock.w;
      programs.push_back(program);
    }
  }
  return programs;
}

bool mayHaveProgram(const Op& op, const TensorLayout& output) {
  return (output.isL1() || !output.sharded()) && opInfo(op.kind).has(kHasMatmulConfig) &&
         !findAttr(op, "matmul_program_config");
}

std::vector<MatmulAttrs> programsFor(const Problem& problem, OpId op,
                                     const std::vector<std::optional<TensorLayout>>& inputs,
                                     const TensorLayout& output) {
  if (inputs.size() > 1 && inputs[0] && overBanks(inputs[1])) return bankPrograms(*inputs[0], output);
  if (output.sharded()) return shardedPrograms(problem.graph, op, output);
  const auto product = productOf(problem, {problem.graph, op, inputs, {output, {}}, Bytes(0)});
  return product ? interleavedPrograms(*product) : std::vector<MatmulAttrs>();
}

// Of the programs that the op model accepts: the fastest, where it is faster than what the library takes by itself. Of
// those that take no more than a hundredth longer, the one with the smallest buffers.
std::optional<MatmulAttrs> fastestProgram(const Problem& problem, OpId op,
                                          const std::vector<std::optional<TensorLayout>>& inputs,
                                          const TensorLayout& output) {
  constexpr int64_t kMuch = 100;
  const OpFigures own = problem.model.figuresOf({problem.graph, op, inputs, {output, {}}, Bytes(0)});
  struct Asked {
    MatmulAttrs program;
    Nanoseconds time;
    Bytes l1;
  };
  std::vector<Asked> faster;
  for (const MatmulAttrs& program : programsFor(problem, op, inputs, output)) {
    const OpFigures figures = problem.model.figuresOf({problem.graph, op, inputs, {output, program}, Bytes(0)});
    if (figures.status != OpStatus::Success || !(figures.output == output)) continue;
    if (own.status == OpStatus::Success && figures.time >= own.time) continue;
    faster.push_back({program, figures.time, figures.constraints.peakL1MemorySize});
  }
  if (faster.empty()) return {};
  int64_t least = faster[0].time.count;
  for (const Asked& asked : faster) least = std::min(least, asked.time.count);
  const Asked* best = nullptr;
  for (const Asked& asked : faster) {
    if (asked.time.count > least + least / kMuch) continue;
    if (!best || asked.l1 < best->l1 || (asked.l1 == best->l1 && asked.time < best->time)) best = &asked;
  }
  return best->program;
}

// The first program of a sharded result that takes as long as the library's own and no more L1.
std::optional<MatmulAttrs> sameProgram(const Problem& problem, OpId op,
                                       const std::vector<std::optional<TensorLayout>>& inputs,
                                       const TensorLayout& output) {
  const OpFigures own = problem.model.figuresOf({problem.graph, op, inputs, {output, {}}, Bytes(0)});
  for (const MatmulAttrs& program : programsFor(problem, op, inputs, output)) {
    const OpFigures asked = problem.model.figuresOf({problem.graph, op, inputs, {output, program}, Bytes(0)});
    const bool same = asked.status == OpStatus::Success && asked.output == output && asked.time == own.time &&
                      asked.constraints.cbRegionSize <= own.constraints.cbRegionSize &&
                      asked.constraints.peakL1MemorySize <= own.constraints.peakL1MemorySize;
    if (same) return program;
  }
  return {};
}

}  // namespace

std::optional<MatmulAttrs> FasterPrograms::of(OpId op, const TensorLayout& output) {
  if (!problem_.options.askOpModel || !mayHaveProgram(problem_.graph.ops[op], output)) return {};
  const std::vector<ValueId>& operands = problem_.graph.ops[op].operands;
  std::vector<std::optional<TensorLayout>> inputs;
  for (ValueId operand : operands) {
    inputs.emplace_back();
    if (problem_.isTensor(operand))
      inputs.back() = problem_.pinned[operand] ? *problem_.pinned[operand] : dramLayout(problem_, operand);
  }
  // Their program wants the first operand in shards over the result's cores.
  if (inputs.size() > 1 && inputs[0] && overBanks(inputs[1]))
    inputs[0] = shardedLike(problem_, operands[0], inputs[0]->dtype, inputs[0]->page, output);
  Key key{static_cast<uint32_t>(pool_.intern(output))};
  for (const auto& input : inputs) key.push_back(static_cast<uint32_t>(input ? pool_.intern(*input) : kNoLayout));
  std::optional<OpFacts> made;
  const OpFacts& facts = problem_.model.factsFor({problem_.graph, op, inputs, {output, {}}, Bytes(0)}, made);
  if (made) return fastestProgram(problem_, op, inputs, output);  // a model that remembers nothing
  addWords(key, reinterpret_cast<uintptr_t>(&facts));             // one per class
  const size_t number = asked_.numberOf(key);
  if (number == answers_.size()) answers_.push_back(fastestProgram(problem_, op, inputs, output));
  return answers_[number];
}

int64_t coresOfProgram(const Problem& problem, const OpQuery& query) {
  const auto* program = std::get_if<MatmulAttrs>(&query.config.attrs);
  if (program == nullptr || query.config.output.sharded()) return 0;
  const std::optional<Product> product = productOf(problem, query);
  if (!product) return 0;
  const ResultBlocks blocks = resultBlocks(product->tiles, *program);
  return std::min(mulSaturated(blocks.rows, blocks.cols), problem.device.grid.volume());
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
    // The compiler writes no other programs.
    if (!output.isL1() || !output.sharded() || !mayHaveProgram(o, output)) continue;
    if (const auto program = sameProgram(problem, op, inputs, output)) plan.config[op] = {output, *program};
  }
}

}  // namespace tessera
