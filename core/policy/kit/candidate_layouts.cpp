#include "core/policy/kit/candidate_layouts.h"

#include <algorithm>

namespace tessera {

bool addConfig(std::vector<OpConfig>& configs, const OpConfig& config) {
  if (std::find(configs.begin(), configs.end(), config) != configs.end()) return false;
  configs.push_back(config);
  return true;
}

std::vector<OpConfig> configsWith(const Problem& problem, OpId op, const TensorLayout& layout) {
  return legalOpConfigs(problem.graph, op, {layout}, {},
                        findOverride(problem.options.conv2dOverrides, problem.graph, op));
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

}  // namespace tessera
