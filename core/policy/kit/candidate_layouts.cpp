#include "core/policy/kit/candidate_layouts.h"

#include <algorithm>
#include <utility>

#include "core/ops/shapes/shape_rules.h"
#include "core/support/units.h"

namespace tessera {

bool addConfig(std::vector<OpConfig>& configs, const OpConfig& config) {
  if (std::find(configs.begin(), configs.end(), config) != configs.end()) return false;
  configs.push_back(config);
  return true;
}

std::vector<OpConfig> configsWith(const Problem& problem, FasterPrograms& programs, OpId op,
                                  const TensorLayout& layout) {
  std::vector<OpConfig> configs =
      legalOpConfigs(problem.graph, op, {layout}, {}, findOverride(problem.options.conv2dOverrides, problem.graph, op));
  if (const auto program = programs.of(op, layout)) configs.push_back({layout, *program});
  return configs;
}

std::optional<TensorLayout> shardedLike(const Problem& problem, ValueId value, DType dtype, PageLayout page,
                                        const TensorLayout& like) {
  auto made =
      makeLayout(problem.tensor(value).shape, {dtype, BufferType::L1, like.memory, page, like.grid}, problem.device);
  if (!made.ok()) return {};
  return *made;
}

std::vector<TensorLayout> layoutsOverOperandGrids(const Problem& problem, OpId op,
                                                  const std::vector<LayoutId>& operands, const LayoutPool& pool) {
  std::vector<TensorLayout> layouts;
  const ValueId result = problem.graph.ops[op].results[0];
  for (LayoutId id : operands) {
    const TensorLayout& in = pool[id];
    if (!in.isL1() || !in.sharded()) continue;
    auto made = shardedLike(problem, result, dramLayout(problem, result).dtype, PageLayout::Tile, in);
    if (made) layouts.push_back(*made);
  }
  return layouts;
}

std::vector<TensorLayout> layoutsAfterReshard(const Problem& problem, OpId op) {
  std::vector<TensorLayout> layouts;
  const LegalOpLayouts& legal = problem.legal[op];
  int64_t room = problem.options.maxLegalLayouts;
  for (const TensorLayout& layout : legal.layouts) room -= layout.sharded();
  for (const RejectedLayout& rejected : legal.rejected) {
    if (room <= 0) break;
    if (rejected.verdict.status != OpStatus::MetalBackendError || !rejected.layout.sharded()) continue;
    --room;
    layouts.push_back(rejected.layout);
  }
  return layouts;
}

namespace {

int32_t largestDivisor(int64_t of, int64_t other, int64_t limit) {
  for (int64_t divisor = std::min(of, limit); divisor > 1; --divisor) {
    if (of % divisor == 0 && other % divisor == 0) return static_cast<int32_t>(divisor);
  }
  return 1;
}

// The most parts of equal size, the last one smaller but not empty.
int32_t mostParts(int64_t of, int32_t limit) {
  for (int32_t parts = limit; parts > 1; --parts) {
    int64_t padded = alignUp(of, parts);
    if (padded - of < padded / parts) return parts;
  }
  return 1;
}

}  // namespace

std::vector<TensorLayout> convolutionLayouts(const Problem& problem, OpId op) {
  std::vector<TensorLayout> layouts;
  std::optional<Window2d> window = window2d(problem.graph, op);
  if (!window) return layouts;
  auto tiles = [](int64_t extent) { return ceilDiv(std::max<int64_t>(extent, 1), kTileSide); };
  const GridShape grid = problem.model.device().grid;
  const TensorType& type = problem.tensor(problem.graph.ops[op].results[0]);
  const int64_t rows = tiles(mulSaturated(window->batch, mulSaturated(window->outH, window->outW)));
  const int64_t inCols = tiles(window->inC), outCols = tiles(window->outC);
  const std::pair<TensorMemoryLayout, GridShape> shapes[] = {
      {TensorMemoryLayout::HeightSharded, {largestDivisor(rows, rows, grid.volume()), 1}},
      {TensorMemoryLayout::WidthSharded, {1, largestDivisor(outCols, outCols, grid.volume())}},
      {TensorMemoryLayout::BlockSharded, {mostParts(rows, grid.rows), largestDivisor(outCols, inCols, grid.cols)}}};
  for (const auto& [memory, shape] : shapes) {
    const LayoutRequest request{
        .dtype = type.dtype, .buffer = BufferType::L1, .memory = memory, .page = PageLayout::Tile, .grid = shape};
    if (Result<TensorLayout, LayoutDefect> layout = makeLayout(type.shape, request, problem.model.device()))
      layouts.push_back(*layout);
  }
  return layouts;
}

}  // namespace tessera
