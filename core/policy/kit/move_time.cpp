#include "core/policy/kit/move_time.h"

#include "core/lowering/decompose_layouts.h"

namespace tessera {

std::optional<KnownMove>& MoveMemory::find(uint32_t type, LayoutId from, LayoutId to) {
  key_.assign({type, static_cast<uint32_t>(from), static_cast<uint32_t>(to)});
  return numbered(known_, keys_.numberOf(key_));
}

void MoveMemory::clear() {
  keys_ = {};
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

KnownMove MoveTime::measure(ValueId value, const TensorLayout& from, const TensorLayout& to) {
  const TensorType& type = problem_.tensor(value);
  const auto steps = layoutSteps(type.shape, from, to, problem_.device);
  if (!steps) return {};
  Op& op = scratch_.ops.edit(op_);
  for (ValueId end : {op.operands[0], op.results[0]})
    scratch_.values.edit(end).type = problem_.graph.values[value].type;
  KnownMove move{0, 0};
  std::optional<TensorLayout> now[] = {from};
  for (const LayoutStep& step : *steps) {
    op.kind = layoutStepOp(step.kind);
    op.name = std::string(opInfo(op.kind).name);
    const OpConfig config{step.to, {}};
    const OpFigures figures = problem_.model.figuresOf({scratch_, op_, now, config, Bytes(0)});
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
