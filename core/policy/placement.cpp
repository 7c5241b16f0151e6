#include "core/policy/placement.h"

#include <algorithm>

#include "core/ops/op_memory.h"
#include "core/support/stable_sort.h"

namespace tessera {

Placement::Placement(const Problem& problem, std::string_view policyName) 
    : problem_(problem),
      l1_(problem.device.l1UnreservedBase.count, problem.device.l1Size.count - problem.device.l1Small.count, problem.device.dramAlignment, Direction::TopDown),
      slotOf_(problem.graph.values.size(), -1) {
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
  bool was = place_[value] && place_[value]->isL1(), is = layout && layout->isL1();
  if (was && !is) inL1_.erase(std::find(inL1_.begin(), inL1_.end(), value));
  if (is && !was) inL1_.push_back(value);
  // The copy is made before what it copies leaves.
  int32_t slot = -1;
  if (is) {
    Bytes bytes = l1BytesPerCore(*layout);
    slot = newSlot(bytes, l1_.allocate(bytes.count));
  }
  release(value);
  place_[value] = layout;
  if (is) hold(value, slot);
}

int32_t Placement::newSlot(Bytes bytes, std::optional<int64_t> address) {
  slots_.push_back({address.value_or(-1), bytes, 0});
  return static_cast<int32_t>(slots_.size()) - 1;
}

void Placement::hold(ValueId value, int32_t slot) {
  slotOf_[value] = slot;
  Slot& held = slots_[static_cast<size_t>(slot)];
  if (held.holders++ == 0) liveL1_ += held.bytes;
}

void Placement::release(ValueId value) {
  if (slotOf_[value] < 0) return;
  Slot& held = slots_[static_cast<size_t>(slotOf_[value])];
  slotOf_[value] = -1;
  if (--held.holders > 0) return;
  liveL1_ -= held.bytes;
  if (held.address >= 0) l1_.free(held.address);
}

bool Placement::diesAt(ValueId value, OpId op) const {
  return !isArgument(value) && problem_.live[value].lastUse <= problem_.schedule.position[op];
}

bool Placement::diesAtCopy(OpId op, size_t operand, const std::vector<std::optional<TensorLayout>>& inputs) const {
  const auto& operands = problem_.graph.ops[op].operands;
  ValueId value = operands[operand];
  if (!diesAt(value, op)) return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    bool readInPlace = operands[i] == value && *inputs[i] == *place_[value];
    bool copiedLater = operands[i] == value && i > operand;
    if (readInPlace || copiedLater) return false;
  }
  return true;
}

Bytes Placement::wayOut(ValueId value, const TensorLayout& layout) const {
  if (!layout.isL1()) return Bytes(0);
  return layoutCopyBuffers(layout, dramLayout(problem_, value), problem_.tensor(value).shape);
}

TensorLayout Placement::resultLayout(OpId op, ValueId result, const std::vector<std::optional<TensorLayout>>& inputs, const OpConfig& config) const {
  bool first = result == problem_.graph.ops[op].results[0];
  if (!problem_.pinned[result]) return first ? config.output : dramLayout(problem_, result);  // only the first result is decided
  if (!first || !(*problem_.pinned[result] == config.output)) return *problem_.pinned[result];
  OpVerdict verdict = problem_.model.validateOperation({problem_.graph, op, inputs, config, Bytes(0)});
  return verdict.ok() ? verdict.output : config.output;
}

std::vector<Placement::L1Move> Placement::movesOf(OpId op, const std::vector<std::optional<TensorLayout>>& inputs, const OpConfig& config) const {
  std::vector<L1Move> moves;
  const Op& o = problem_.graph.ops[op];
  std::vector<int32_t> copyOf(inputs.size(), -1);
  for (size_t i = 0; i < inputs.size(); ++i) {
    bool copied = inputs[i] && !(*inputs[i] == *place_[o.operands[i]]);
    if (!copied) continue;
    copyOf[i] = static_cast<int32_t>(moves.size());
    moves.push_back({l1BytesPerCore(*inputs[i]), diesAtCopy(op, i, inputs) ? o.operands[i] : ValueId{}});
    moves.back().circularBuffers = layoutCopyBuffers(*place_[o.operands[i]], *inputs[i], problem_.tensor(o.operands[i]).shape);
  }
  if (opInfo(o.kind).has(kTerminator)) return moves;
  OpMemory does = opMemory({problem_.graph, op, inputs, config, Bytes(0)}, problem_.model);
  for (const OpIntermediate& intermediate : does.intermediates) {
    if (intermediate.buffer == BufferType::L1) moves.push_back({intermediate.bytes});
  }
  if (does.freedOperand >= 0) {
    auto i = static_cast<size_t>(does.freedOperand);
    L1Move freed(Bytes(0));
    freed.freedMove = copyOf[i];
    if (copyOf[i] < 0 && diesAt(o.operands[i], op)) freed.freedAfter = o.operands[i];
    moves.push_back(freed);
  }
  for (ValueId result : o.results) {
    if (!problem_.isTensor(result)) continue;
    TensorLayout layout = resultLayout(op, result, inputs, config);
    if (!layout.isL1()) continue;
    bool shares = result == o.results[0] && does.aliasOf >= 0 && layout == config.output;
    int32_t copy = shares ? copyOf[static_cast<size_t>(does.aliasOf)] : -1;
    if (shares && copy < 0) continue;
    if (!shares) moves.push_back({l1BytesPerCore(layout)});
    L1Move& makes = shares ? moves[static_cast<size_t>(copy)] : moves.back();
    makes.value = result;
    makes.wayOut = wayOut(result, layout);
  }
  return moves;
}

// The free list as it would be, and how often each slot was let go.
class Placement::Trial {
 public:
  explicit Trial(const Placement& placement) : placement_(placement), list_(placement.l1_) {}

  // The first thing that does not fit.
  Fit move(const L1Move& move) {
    std::optional<int64_t> address;
    if (move.allocate.count > 0) {
      address = list_.allocate(move.allocate.count);
      if (!address) return {Refusal::NoHole, move.allocate, Bytes(list_.largestHole())};
    }
    addresses_.push_back(address.value_or(-1));
    if (Fit clash = below(move.circularBuffers); clash.reason != Refusal::None) return clash;
    if (move.freedAfter.valid()) release(placement_.slotOf_[move.freedAfter]);
    if (move.freedMove >= 0) list_.free(addresses_[static_cast<size_t>(move.freedMove)]);
    return {};
  }

  // Whether circular buffers stay below the lowest tensor.
  Fit below(Bytes circularBuffers) const {
    int64_t granule = placement_.problem_.device.dramAlignment;
    int64_t room = list_.lowestUsed() - alignUp(placement_.problem_.device.l1UnreservedBase.count, granule);
    int64_t needed = alignUp(circularBuffers.count, granule);
    if (needed > 0 && needed > room) return {Refusal::CircularBufferClash, Bytes(needed), Bytes(room)};
    return {};
  }

 private:
  void release(int32_t slot) {
    if (slot < 0) return;
    released_.push_back(slot);
    const Slot& held = placement_.slots_[static_cast<size_t>(slot)];
    bool last = std::count(released_.begin(), released_.end(), slot) == held.holders;
    if (last && held.address >= 0) list_.free(held.address);
  }

  const Placement& placement_;
  FreeList list_;
  std::vector<int64_t> addresses_;  // by move; -1: none
  std::vector<int32_t> released_;
};

Placement::Fit Placement::fit(const std::vector<L1Move>& moves, Bytes circularBuffers) const {
  Trial trial(*this);
  Bytes needed = circularBuffers;
  for (const L1Move& move : moves) {
    if (Fit refused = trial.move(move); refused.reason != Refusal::None) return refused;
    needed = std::max(needed, move.wayOut);
  }
  for (ValueId value : inL1_) {
    if (!isArgument(value)) needed = std::max(needed, wayOut(value, *place_[value]));
  }
  return trial.below(needed);
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
  stableSort(values, [&](ValueId a, ValueId b) {
    int32_t ua = problem_.live[a].lastUse, ub = problem_.live[b].lastUse;
    return ua != ub ? ua > ub : a < b;
  });
  return values;
}

void Placement::recordReshards(OpId op, const std::vector<std::optional<TensorLayout>>& inputs) {
  const Op& o = problem_.graph.ops[op];
  for (size_t i = 0; i < o.operands.size(); ++i) {
    if (!inputs[i] || !place_[o.operands[i]] || *inputs[i] == *place_[o.operands[i]]) continue;
    plan_.reshards.push_back({op, static_cast<int32_t>(i), *inputs[i]});
  }
}

void Placement::place(OpId op, const OpConfig& config, const std::vector<std::optional<TensorLayout>>& inputs) {
  recordReshards(op, inputs);
  plan_.config[op] = config;
  std::vector<L1Move> moves = movesOf(op, inputs, config);
  std::vector<std::optional<int64_t>> addresses;
  std::vector<std::pair<ValueId, int32_t>> made;
  for (const L1Move& move : moves) {
    addresses.push_back(move.allocate.count > 0 ? l1_.allocate(move.allocate.count) : std::nullopt);
    if (move.value.valid()) made.emplace_back(move.value, newSlot(move.allocate, addresses.back()));
    else if (addresses.back()) temporary_.push_back(*addresses.back());
    if (move.freedAfter.valid()) release(move.freedAfter);
    std::optional<int64_t> freed = move.freedMove >= 0 ? addresses[static_cast<size_t>(move.freedMove)] : std::nullopt;
    if (freed) {
      l1_.free(*freed);
      temporary_.erase(std::find(temporary_.begin(), temporary_.end(), *freed));
    }
  }
  for (auto [value, slot] : made) hold(value, slot);
  placeResults(op, config, inputs);
}

// Slots are there; what has none shares its operand's.
void Placement::placeResults(OpId op, const OpConfig& config, const std::vector<std::optional<TensorLayout>>& inputs) {
  const Op& o = problem_.graph.ops[op];
  for (ValueId result : o.results) {
    if (!problem_.isTensor(result)) continue;
    bool first = result == o.results[0];
    TensorLayout layout = resultLayout(op, result, inputs, config);
    plan_.layout[result] = problem_.pinned[result] ? *problem_.pinned[result] : first ? config.output : layout;
    place_[result] = layout;
    if (!layout.isL1()) continue;
    inL1_.push_back(result);
    if (slotOf_[result] >= 0 || !first) continue;
    OpMemory does = opMemory({problem_.graph, op, inputs, config, Bytes(0)}, problem_.model);
    int32_t shared = does.aliasOf >= 0 ? slotOf_[o.operands[static_cast<size_t>(does.aliasOf)]] : -1;
    if (shared >= 0) hold(result, shared);
  }
}

void Placement::spill(ValueId value, OpId op, const TensorLayout& to, SpillCause cause) {
  plan_.spills.push_back({value, op, to, cause});
  setPlace(value, to);
}

void Placement::finish(OpId op) {
  int32_t step = problem_.schedule.position[op];
  const Op& o = problem_.graph.ops[op];
  auto leave = [&](ValueId value) {
    bool copy = isArgument(value) && place_[value] && problem_.pinned[value] && !(*place_[value] == *problem_.pinned[value]);
    bool mayGo = !isArgument(value) || copy || isDeallocate(o.kind);
    if (mayGo && place_[value] && problem_.live[value].lastUse <= step) setPlace(value, std::nullopt);
  };
  for (int64_t address : temporary_) l1_.free(address);
  temporary_.clear();
  for (ValueId operand : o.operands) leave(operand);
  for (ValueId result : o.results) leave(result);
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
