#include "core/policy/placement.h"

#include <algorithm>

namespace tessera {

Placement::Placement(const Problem& problem, std::string_view policyName) 
    : problem_(problem),
      l1_(problem.device.l1UnreservedBase.count, problem.device.l1Size.count - problem.device.l1Small.count, problem.device.dramAlignment, Direction::TopDown),
      address_(problem.graph.values.size(), -1) {
  plan_.policy = policyName;
  plan_.order = problem.schedule.order;
  plan_.layout.resize(problem.graph.values.size());
  plan_.config.resize(problem.graph.ops.size());
  place_.resize(problem.graph.values.size());
  for (ValueId arg : problem.graph.funcs[problem.graph.forward].args) {
    if (!problem.isTensor(arg)) continue;
    plan_.layout[arg] = problem.pinned[arg];
    setPlace(arg, problem.pinned[arg]);
  }
}

void Placement::setPlace(ValueId value, const std::optional<TensorLayout>& layout) {
  if (place_[value]) liveL1_ -= l1BytesPerCore(*place_[value]);
  if (layout) liveL1_ += l1BytesPerCore(*layout);
  bool was = place_[value] && place_[value]->isL1(), is = layout && layout->isL1();
  if (was && !is) inL1_.erase(std::find(inL1_.begin(), inL1_.end(), value));
  if (is && !was) inL1_.push_back(value);
  place_[value] = layout;
  // A move within L1 has both copies for a moment. A value that finds no address was placed for want of anything better; the run will
  // say so.
  const int64_t old = address_[value];
  address_[value] = is ? l1_.allocate(l1BytesPerCore(*layout).count).value_or(-1) : -1;
  if (old >= 0) l1_.free(old);
}

bool Placement::diesAtCopy(OpId op, size_t operand, const std::vector<std::optional<TensorLayout>>& inputs) const {
  const auto& operands = problem_.graph.ops[op].operands;
  ValueId value = operands[operand];
  if (isArgument(value) || problem_.live[value].lastUse > problem_.schedule.position[op]) return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    bool readInPlace = operands[i] == value && *inputs[i] == *place_[value];
    bool copiedLater = operands[i] == value && i > operand;
    if (readInPlace || copiedLater) return false;
  }
  return true;
}

std::vector<Placement::L1Move> Placement::movesOf(OpId op, const std::vector<std::optional<TensorLayout>>& inputs, const OpConfig& config) const {
  std::vector<L1Move> moves;
  const Op& o = problem_.graph.ops[op];
  for (size_t i = 0; i < inputs.size(); ++i) {
    bool copied = inputs[i] && !(*inputs[i] == *place_[o.operands[i]]);
    if (copied) moves.push_back({l1BytesPerCore(*inputs[i]), diesAtCopy(op, i, inputs) ? o.operands[i] : ValueId{}});
  }
  bool hasResult = !o.results.empty() && problem_.isTensor(o.results[0]);
  if (hasResult) moves.push_back({l1BytesPerCore(config.output)});
  return moves;
}

Placement::Fit Placement::fit(const std::vector<L1Move>& moves, Bytes circularBuffers) const {
  FreeList trial = l1_;
  for (const L1Move& move : moves) {
    bool noHole = move.allocate.count > 0 && !trial.allocate(move.allocate.count);
    if (noHole) return {Refusal::NoHole, move.allocate, Bytes(trial.largestHole())};
    if (move.freedAfter.valid() && address_[move.freedAfter] >= 0) trial.free(address_[move.freedAfter]);
  }
  int64_t room = trial.lowestUsed() - problem_.device.l1UnreservedBase.count;
  int64_t needed = alignUp(circularBuffers.count, problem_.device.dramAlignment);
  if (needed > room) return {Refusal::CircularBufferClash, Bytes(needed), Bytes(room)};
  return {};
}

std::vector<std::optional<TensorLayout>> Placement::operandLayouts(OpId op) const {
  std::vector<std::optional<TensorLayout>> layouts;
  for (ValueId operand : problem_.graph.ops[op].operands) layouts.push_back(place_[operand]);
  return layouts;
}

std::vector<ValueId> Placement::liveInL1() const {
  std::vector<ValueId> values;
  for (ValueId value : inL1_) {
    if (!isArgument(value)) values.push_back(value);
  }
  std::sort(values.begin(), values.end(), [&](ValueId a, ValueId b) {
    int32_t ua = problem_.live[a].lastUse, ub = problem_.live[b].lastUse;
    return ua != ub ? ua > ub : a < b;
  });
  return values;
}

void Placement::place(OpId op, const OpConfig& config, const std::vector<std::optional<TensorLayout>>& inputs) {
  const Op& o = problem_.graph.ops[op];
  for (size_t i = 0; i < o.operands.size(); ++i) {
    if (!inputs[i] || !place_[o.operands[i]] || *inputs[i] == *place_[o.operands[i]]) continue;
    plan_.reshards.push_back({op, static_cast<int32_t>(i), *inputs[i]});
    if (inputs[i]->isL1()) {
      if (auto address = l1_.allocate(l1BytesPerCore(*inputs[i]).count)) copies_.push_back(*address);
    }
    if (address_[o.operands[i]] >= 0 && diesAtCopy(op, i, inputs)) {
      l1_.free(address_[o.operands[i]]);
      address_[o.operands[i]] = -1;
    }
  }
  plan_.config[op] = config;
  for (ValueId result : o.results) {
    if (!problem_.isTensor(result)) continue;
    TensorLayout layout = config.output;
    if (problem_.pinned[result]) layout = *problem_.pinned[result];
    else if (result != o.results[0]) layout = dramLayout(problem_, result);  // only the first result is decided
    plan_.layout[result] = layout;
    setPlace(result, layout);
  }
}

void Placement::spill(ValueId value, OpId op, const TensorLayout& to, SpillCause cause) {
  plan_.spills.push_back({value, op, to, cause});
  setPlace(value, to);
}

void Placement::finish(OpId op) {
  int32_t step = problem_.schedule.position[op];
  const Op& o = problem_.graph.ops[op];
  auto release = [&](ValueId value) {
    if (!isArgument(value) && place_[value] && problem_.live[value].lastUse <= step) setPlace(value, std::nullopt);
  };
  for (int64_t address : copies_) l1_.free(address);
  copies_.clear();
  for (ValueId operand : o.operands) release(operand);
  for (ValueId result : o.results) release(result);
}

Plan Placement::take() { return std::move(plan_); }

bool isPinned(const Problem& problem, OpId op) {
  const Op& o = problem.graph.ops[op];
  return !o.results.empty() && problem.pinned[o.results[0]].has_value();
}

OpConfig defaultConfig(const Problem& problem, OpId op) {
  OpConfig config;
  for (ValueId result : problem.graph.ops[op].results) {
    if (!problem.isTensor(result)) continue;
    config.output = problem.pinned[result] ? *problem.pinned[result] : dramLayout(problem, result);
    break;
  }
  return config;
}

}  // namespace tessera
