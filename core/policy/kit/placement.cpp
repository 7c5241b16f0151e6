#include "core/policy/kit/placement.h"

#include "core/ops/model/op_memory.h"
#include "core/support/stable_sort.h"

namespace tessera {

Placement::Placement(const Problem& problem) : problem_(problem), l1_(problem.device) {
  plan_.order = problem.schedule.order;
  plan_.layout.resize(problem.graph.values.size());
  plan_.config.resize(problem.graph.ops.size());
  layout_.resize(problem.graph.values.size());
  for (ValueId arg : problem.graph.funcs[problem.graph.forward].args) {
    if (!problem.isTensor(arg)) continue;
    plan_.layout[arg] = problem.pinned[arg];
    setLayout(arg, problem.pinned[arg]);
  }
}

void Placement::changeLayout(ValueId value, const std::optional<TensorLayout>& layout) {
  if (remembers_) changes_.push_back({value, std::move(layout_[value])});
  layout_[value] = layout;
}

Placement::Mark Placement::mark() {
  remembers_ = true;
  return {plan_.reshards.size(), plan_.spills.size(), plan_.room.size(), changes_.size(), l1_};
}

void Placement::backTo(const Mark& mark) {
  plan_.reshards.erase(plan_.reshards.begin() + static_cast<std::ptrdiff_t>(mark.reshards), plan_.reshards.end());
  plan_.spills.erase(plan_.spills.begin() + static_cast<std::ptrdiff_t>(mark.spills), plan_.spills.end());
  plan_.room.erase(plan_.room.begin() + static_cast<std::ptrdiff_t>(mark.room), plan_.room.end());
  for (; changes_.size() > mark.changes; changes_.pop_back())
    layout_[changes_.back().value] = std::move(changes_.back().before);
  l1_ = mark.l1;
}

// A copy is made before what it copies leaves.
void Placement::setLayout(ValueId value, const std::optional<TensorLayout>& layout) {
  changeLayout(value, layout);
  if (!layout || !layout->isL1()) return l1_.release(value.index);
  l1_.commit({{.allocate = l1BytesPerCore(*layout),
               .freedAfter = value.index,
               .tensor = value.index,
               .evictionBuffers = evictionBuffers(problem_, value, *layout)}});
}

Layouts Placement::resultLayouts(OpId op, const Layouts& inputs, const OpConfig& config) const {
  Layouts layouts;
  const auto& results = problem_.graph.ops[op].results;
  for (ValueId result : results) {
    const bool first = result == results[0];
    layouts.emplace_back();
    if (!problem_.isTensor(result)) continue;
    layouts.back() = first ? config.output : dramLayout(problem_, result);  // only the first result is decided
    if (!problem_.pinned[result]) continue;
    layouts.back() = problem_.pinned[result];
    if (!first || !(*problem_.pinned[result] == config.output)) continue;
    const OpVerdict verdict =
        problem_.model.validateOperation({problem_.graph, op, inputs, config, Bytes(0)}, problem_.budget);
    if (verdict.ok()) layouts.back() = verdict.output;
  }
  return layouts;
}

std::vector<L1Move> Placement::movesOf(OpId op, const Layouts& inputs, const OpConfig& config) const {
  return tessera::movesOf(problem_, op, operandLayouts(op), inputs, config, resultLayouts(op, inputs, config));
}

void Placement::checkAddresses(OpId op, const Layouts& inputs, const OpConfig& config, OpVerdict& verdict) const {
  if (!verdict.ok()) return;
  const L1Fit fit = l1_.fit(movesOf(op, inputs, config), verdict.constraints.cbRegionSize);
  if (fit.ok()) return;
  verdict.status = OpStatus::OutOfMemory;
  verdict.reason = fit.reason;
  verdict.needed = fit.needed;
  verdict.available = fit.available;
}

Layouts Placement::operandLayouts(OpId op) const {
  Layouts layouts;
  for (ValueId operand : problem_.graph.ops[op].operands) layouts.push_back(layout_[operand]);
  return layouts;
}

std::vector<ValueId> Placement::liveInL1() const {
  std::vector<ValueId> values;
  for (const L1Contents::Resident& resident : l1_.residents()) {
    if (!isArgument(ValueId{resident.tensor})) values.push_back(ValueId{resident.tensor});
  }
  stableSort(values, [&](ValueId a, ValueId b) {
    int32_t ua = problem_.live[a].lastUse, ub = problem_.live[b].lastUse;
    return ua != ub ? ua > ub : a < b;
  });
  return values;
}

void Placement::place(OpId op, const OpConfig& config, const Layouts& inputs) {
  const Layouts results = resultLayouts(op, inputs, config);
  place(op, config, inputs, results, tessera::movesOf(problem_, op, operandLayouts(op), inputs, config, results));
}

bool Placement::placeWhereItFits(OpId op, const OpConfig& config, const Layouts& inputs, Bytes buffers) {
  const Layouts results = resultLayouts(op, inputs, config);
  const std::vector<L1Move> moves = tessera::movesOf(problem_, op, operandLayouts(op), inputs, config, results);
  if (!l1_.fit(moves, buffers).ok()) return false;
  place(op, config, inputs, results, moves);
  return true;
}

void Placement::place(OpId op, const OpConfig& config, const Layouts& inputs, const Layouts& results,
                      const std::vector<L1Move>& moves) {
  const Op& o = problem_.graph.ops[op];
  for (size_t i = 0; i < o.operands.size(); ++i) {
    const auto& now = layout_[o.operands[i]];
    if (inputs[i] && now && !(*inputs[i] == *now)) plan_.reshards.push_back({op, static_cast<int32_t>(i), *inputs[i]});
  }
  plan_.config[op] = config;
  l1_.commit(moves);
  for (size_t i = 0; i < results.size(); ++i) {
    const ValueId result = o.results[i];
    if (!results[i]) continue;
    plan_.layout[result] = problem_.pinned[result] ? problem_.pinned[result] : results[i];
    changeLayout(result, results[i]);
  }
}

void Placement::spill(ValueId value, OpId op, const TensorLayout& to, SpillCause cause) {
  plan_.spills.push_back({value, op, to, cause});
  setLayout(value, to);
}

void Placement::spillForRoom(ValueId value, OpId op, const OpVerdict& refused) {
  noteRoom(value, op, op, refused);
  spill(value, op, dramLayout(problem_, value), SpillCause::Memory);
}

void Placement::noteRoom(ValueId value, OpId at, OpId wanted, const OpVerdict& refused) {
  noteRoom({value, at, wanted, RoomRule::Step, refused.reason,
            refused.constraints.outputL1BufferSize + refused.constraints.cbRegionSize, l1_.occupied(), refused.needed,
            refused.available});
}

void Placement::finish(OpId op) {
  const int32_t step = problem_.schedule.position[op];
  const Op& o = problem_.graph.ops[op];
  const auto leave = [&](ValueId value) {
    const auto &now = layout_[value], &pinned = problem_.pinned[value];
    const bool copy = isArgument(value) && now && pinned && !(*now == *pinned);
    const bool mayGo = !isArgument(value) || copy || isDeallocate(o.kind);
    if (mayGo && now && problem_.live[value].lastUse <= step) setLayout(value, std::nullopt);
  };
  for (ValueId operand : o.operands) leave(operand);
  for (ValueId result : o.results) leave(result);
}

}  // namespace tessera
