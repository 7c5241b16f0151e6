#include "core/policy/kit/move_time.h"

#include "core/lowering/decompose_layouts.h"

namespace tessera {

std::optional<KnownMove>& MoveMemory::find(uint32_t type, LayoutId from, LayoutId to) {
  const uint64_t hash = mixHash(type, uint64_t{static_cast<uint32_t>(from)} << 32 | static_cast<uint32_t>(to));
  int32_t number = index_.find(hash, [&](int32_t known) {
    const Kept& kept = known_[static_cast<size_t>(known)];
    return kept.type == type && kept.from == from && kept.to == to;
  });
  if (number < 0) {
    number = index_.add(hash);
    known_.push_back({type, from, to, {}});
  }
  return known_[static_cast<size_t>(number)].move;
}

void MoveMemory::clear() {
  index_ = {};
  known_.clear();
}

MoveTime::MoveTime(const Problem& problem, MoveMemory& memory)
    : problem_(problem), memory_(memory), typeOf_(problem.graph.values.size(), -1) {
  Op op;
  op.operands = {scratch_.values.push(Value())};
  op.results = {scratch_.values.push(Value())};
  op_ = scratch_.ops.push(std::move(op));
}

uint32_t MoveTime::typeOf(ValueId value) {
  int32_t& known = typeOf_[value];
  if (known < 0) known = static_cast<int32_t>(memory_.interner.typeOf(problem_.tensor(value)));
  return static_cast<uint32_t>(known);
}

// Makes the one op convert a value of that type.
void MoveTime::prepare(ValueId value, OpKind kind) {
  const uint32_t type = typeOf(value);
  if (type == scratchType_ && kind == scratch_.ops[op_].kind) return;
  scratchType_ = type;
  Op& op = scratch_.ops.edit(op_);
  for (ValueId end : {op.operands[0], op.results[0]})
    scratch_.values.edit(end).type = problem_.graph.values[value].type;
  op.kind = kind;
  op.name = std::string(opInfo(kind).name);
  facts_ = factsOf(scratch_, op_);
}

KnownMove MoveTime::measure(ValueId value, const TensorLayout& from, const TensorLayout& to) {
  const TensorType& type = problem_.tensor(value);
  const auto steps = layoutSteps(type.shape, from, to, problem_.device);
  if (!steps) return {};
  KnownMove move{0, 0};
  std::optional<TensorLayout> now[] = {from};
  for (const LayoutStep& step : *steps) {
    prepare(value, layoutStepOp(step.kind));
    const OpConfig config{step.to, {}};
    const OpFigures figures = problem_.model.figuresOf({scratch_, op_, now, config, Bytes(0)}, facts_);
    if (figures.status != OpStatus::Success || !(figures.output == step.to)) return {};
    move.cost = addSaturated(move.cost, figures.time.count);
    move.needed = std::max(move.needed, figures.constraints.peakL1MemorySize.count);
    now[0] = step.to;
  }
  move.cost = std::min(move.cost, kForbiddenFrom - 1);
  return move;
}

Cost MoveTime::ofOp(const OpQuery& query) {
  const Op& op = problem_.graph.ops[query.op];
  const bool whole = op.kind == OpKind::TtnnToLayout || op.kind == OpKind::TtnnToTensorSpec;
  if (whole && op.results.size() == 1 && !query.inputs.empty() && query.inputs[0]) {
    const LayoutId from = pool().intern(*query.inputs[0]), to = pool().intern(query.config.output);
    const Cost steps = from == to ? 0 : known(op.results[0], from, to).cost;
    if (!isForbidden(steps)) return steps;
  }
  return std::min(problem_.model.getOpRuntime(query).total().count, kForbiddenFrom - 1);
}

const KnownMove& MoveTime::known(ValueId value, LayoutId from, LayoutId to) {
  std::optional<KnownMove>& kept = memory_.find(typeOf(value), from, to);
  if (!kept) kept = measure(value, pool()[from], pool()[to]);
  return *kept;
}

Cost MoveTime::of(ValueId value, LayoutId from, LayoutId to) {
  if (from == to) return 0;
  const KnownMove& move = known(value, from, to);
  return problem_.budget.fits(Bytes(move.needed)) ? move.cost : kForbidden;
}

}  // namespace tessera
