#include "core/policy/chain/chain_configs.h"

#include <algorithm>

#include "core/policy/kit/candidate_layouts.h"
#include "core/support/stable_sort.h"

namespace tessera {

ChainConfigs::ChainConfigs(const Problem& problem)
    : problem_(problem),
      layouts_(problem.device, {problem.options.rowMajorEnabled}),
      configs_(problem.graph.ops.size()),
      preferred_(problem.graph.ops.size()) {
  for (ValueId arg : problem.graph.funcs[problem.graph.forward].args) {
    if (problem.isTensor(arg)) argumentL1_ += l1BytesPerCore(*problem.pinned[arg]);
  }
}

std::vector<std::optional<TensorLayout>> ChainConfigs::startingLayouts(OpId op) const {
  std::vector<std::optional<TensorLayout>> layouts;
  for (ValueId operand : problem_.graph.ops[op].operands) {
    if (!problem_.isTensor(operand)) layouts.push_back(std::nullopt);
    else layouts.push_back(problem_.pinned[operand] ? *problem_.pinned[operand] : dramLayout(problem_, operand));
  }
  return layouts;
}

const std::vector<TensorLayout>& ChainConfigs::sharded(ValueId value) {
  const TensorType& type = problem_.tensor(value);
  return layouts_.get(type.shape, type.dtype).sharded(PageLayout::Tile);
}

const std::vector<OpConfig>& ChainConfigs::of(OpId op) {
  if (!configs_[op]) configs_[op] = make(op);
  return *configs_[op];
}

void ChainConfigs::prefer(OpId op, TensorMemoryLayout memory) {
  if (preferred_[op] == memory) return;
  preferred_[op] = memory;
  configs_[op].reset();
}

// With operand 0 sharded as the result is.
bool ChainConfigs::accepts(OpId op, const TensorLayout& output) const {
  const Op& o = problem_.graph.ops[op];
  std::vector<std::optional<TensorLayout>> inputs = startingLayouts(op);
  if (inputs.empty() || !inputs[0]) return false;
  inputs[0] =
      shardedLike(problem_, o.operands[0], deviceDType(problem_.tensor(o.operands[0]).dtype), output.page, output);
  if (!inputs[0]) return false;
  const OpConfig config{output, {}};
  return problem_.model.validateOperation({problem_.graph, op, inputs, config, Bytes(0)}, problem_.budget).ok();
}

std::vector<OpConfig> ChainConfigs::make(OpId op) {
  const Op& o = problem_.graph.ops[op];
  if (o.results.empty() || !problem_.isTensor(o.results[0]) || problem_.pinned[o.results[0]]) return {};
  std::vector<TensorLayout> layouts;
  for (const TensorLayout& layout : problem_.legal[op].layouts) {
    if (layout.isL1() && layout.sharded()) layouts.push_back(layout);
  }
  const bool overridden = findOverride(problem_.options.layoutOverrides, problem_.graph, op) != nullptr;
  const auto most = static_cast<size_t>(std::max(problem_.options.maxLegalLayouts, 0));
  for (const RejectedLayout& rejected : problem_.legal[op].rejected) {
    const TensorLayout& out = rejected.layout;
    const bool becauseOfInput = out.isL1() && out.sharded() && rejected.verdict.operand == 0;
    if (layouts.size() >= most || overridden || !becauseOfInput) continue;
    if (accepts(op, out)) layouts.push_back(out);
  }
  stableSort(layouts, [](const TensorLayout& a, const TensorLayout& b) { return coresUsed(a) > coresUsed(b); });
  if (preferred_[op] && !overridden) addPreferred(op, most, layouts);
  return legalOpConfigs(problem_.graph, op, layouts, {},
                        findOverride(problem_.options.conv2dOverrides, problem_.graph, op));
}

// In the order of `sharded`, which begins with most cores.
void ChainConfigs::addPreferred(OpId op, size_t most, std::vector<TensorLayout>& layouts) {
  size_t count = 0;
  for (const TensorLayout& layout : layouts) count += layout.memory == *preferred_[op];
  const std::vector<std::optional<TensorLayout>> inputs = startingLayouts(op);
  for (const TensorLayout& layout : sharded(problem_.graph.ops[op].results[0])) {
    if (count >= most) return;
    const bool known = std::find(layouts.begin(), layouts.end(), layout) != layouts.end();
    if (layout.memory != *preferred_[op] || known) continue;
    const OpConfig config{layout, {}};
    const bool asTheyStart =
        problem_.model.validateOperation({problem_.graph, op, inputs, config, Bytes(0)}, problem_.budget).ok();
    if (!asTheyStart && !accepts(op, layout)) continue;
    layouts.push_back(layout);
    ++count;
  }
}

}  // namespace tessera
