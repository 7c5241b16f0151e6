#include "core/policy/exact/candidates.h"

#include <algorithm>

namespace tessera {

std::optional<TensorLayout> alignedWith(const Problem& problem, ValueId operand, const TensorLayout& now,
                                        const TensorLayout& result) {
  if (!result.sharded() || !result.isL1() || now.buffer == BufferType::SystemMemory) return {};
  return shardedLike(problem, operand, now.dtype, now.page, result);
}

namespace {

class Collector {
 public:
  Collector(const Problem& problem, FasterPrograms& programs, OpId op)
      : problem_(problem), programs_(programs), op_(op) {}

  void add(const TensorLayout& layout) {
    if (std::find(layouts_.begin(), layouts_.end(), layout) != layouts_.end()) return;
    if (layouts_.size() >= kMaxResultLayouts) {
      cut_ = true;
      return;
    }
    layouts_.push_back(layout);
    for (const OpConfig& config : configsWith(problem_, programs_, op_, layout)) add(config);
  }
  void add(const OpConfig& config) { addConfig(configs_, keepSharedActivation(problem_, op_, config)); }
  std::vector<OpConfig> take() { return std::move(configs_); }
  bool cut() const { return cut_; }

 private:
  const Problem& problem_;
  FasterPrograms& programs_;
  OpId op_;
  std::vector<TensorLayout> layouts_;
  std::vector<OpConfig> configs_;
  bool cut_ = false;
};

}  // namespace

std::vector<OpConfig> candidateConfigs(const Problem& problem, FasterPrograms& programs, OpId op,
                                       const std::vector<LayoutId>& operandLayouts, const LayoutPool& pool, bool& cut) {
  const Op& o = problem.graph.ops[op];
  if (o.results.empty() || !problem.isTensor(o.results[0]) || isPinned(problem, op))
    return {defaultConfig(problem, op)};
  Collector collector(problem, programs, op);
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
  for (const TensorLayout& layout : layoutsOverOperandGrids(problem, op, operandLayouts, pool)) collector.add(layout);
  for (const TensorLayout& layout : layoutsAfterReshard(problem, op)) collector.add(layout);
  cut = cut || sharded > kMaxResultLayouts / 2 || collector.cut();
  return collector.take();
}

}  // namespace tessera
