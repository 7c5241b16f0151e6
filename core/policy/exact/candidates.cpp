#include "core/policy/exact/candidates.h"

#include <algorithm>

#include "core/policy/placement.h"

namespace tessera {

bool addConfig(std::vector<OpConfig>& configs, const OpConfig& config) {
  if (std::find(configs.begin(), configs.end(), config) != configs.end()) return false;
  configs.push_back(config);
  return true;
}

OpConfig keepSharedInput(const Problem& problem, OpId op, OpConfig config) {
  auto* attrs = std::get_if<Conv2dAttrs>(&config.attrs);
  const Op& o = problem.graph.ops[op];
  if (!attrs || o.operands.empty()) return config;
  const bool lastReader = problem.live[o.operands[0]].lastUse == problem.schedule.position[op];
  const bool isArgument = !problem.graph.values[o.operands[0]].producer.valid();
  if (attrs->deallocateActivation.value_or(false) && (!lastReader || isArgument)) attrs->deallocateActivation = false;
  return config;
}

std::optional<TensorLayout> alignedWith(const Problem& problem, ValueId operand, const TensorLayout& now, const TensorLayout& result) {
  if (!result.sharded() || !result.isL1() || now.buffer == BufferType::SystemMemory) return {};
  auto made = makeLayout(problem.tensor(operand).shape, {now.dtype, BufferType::L1, result.memory, now.page, result.grid}, problem.device);
  if (!made.ok()) return {};
  return *made;
}

namespace {

class Collector {
 public:
  Collector(const Problem& problem, OpId op) : problem_(problem), op_(op), conv_(findOverride(problem.options.conv2dOverrides, problem.graph, op)) {}

  void add(const TensorLayout& layout) {
    if (std::find(layouts_.begin(), layouts_.end(), layout) != layouts_.end() || layouts_.size() >= kMaxResultLayouts) return;
    layouts_.push_back(layout);
    for (const OpConfig& config : legalOpConfigs(problem_.graph, op_, {layout}, {}, conv_)) add(config);
  }
  void add(const OpConfig& config) { addConfig(configs_, keepSharedInput(problem_, op_, config)); }
  std::vector<OpConfig> take() { return std::move(configs_); }

 private:
  const Problem& problem_;
  OpId op_;
  const Conv2dConfigOverride* conv_;
  std::vector<TensorLayout> layouts_;
  std::vector<OpConfig> configs_;
};

}  // namespace

std::vector<OpConfig> candidateConfigs(const Problem& problem, OpId op, const std::vector<LayoutId>& operandLayouts, const LayoutPool& pool) {
  const Op& o = problem.graph.ops[op];
  if (o.results.empty() || !problem.isTensor(o.results[0]) || isPinned(problem, op)) return {defaultConfig(problem, op)};
  Collector collector(problem, op);
  if (findOverride(problem.options.layoutOverrides, problem.graph, op)) {
    for (const OpConfig& config : problem.configs[op]) collector.add(config);
    std::vector<OpConfig> fixed = collector.take();
    if (fixed.empty()) fixed.push_back(defaultConfig(problem, op));
    return fixed;
  }
  const LegalOpLayouts& legal = problem.legal[op];
  collector.add(defaultConfig(problem, op).output);
  for (const TensorLayout& layout : legal.layouts) {
    if (!layout.sharded()) collector.add(layout);
  }
  // Half of what may be sharded comes from the analysis, the rest from the operands' grids.
  size_t sharded = 0;
  for (const TensorLayout& layout : legal.layouts) {
    if (layout.sharded() && sharded++ < kMaxResultLayouts / 2) collector.add(layout);
  }
  const TensorLayout dram = dramLayout(problem, o.results[0]);
  for (LayoutId id : operandLayouts) {
    const TensorLayout& in = pool[id];
    if (!in.isL1() || !in.sharded()) continue;
    auto made = makeLayout(problem.tensor(o.results[0]).shape, {dram.dtype, BufferType::L1, in.memory, PageLayout::Tile, in.grid}, problem.device);
    if (made.ok()) collector.add(*made);
  }
  auto most = static_cast<size_t>(std::max(problem.options.maxLegalLayouts, 0));
  for (const RejectedLayout& rejected : legal.rejected) {
    if (rejected.verdict.status != OpStatus::MetalBackendError || !rejected.layout.sharded() || sharded++ >= most) continue;
    collector.add(rejected.layout);
  }
  return collector.take();
}

}  // namespace tessera
