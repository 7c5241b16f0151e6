#include "core/policy/exact/move_time.h"

#include "core/lowering/decompose_layouts.h"

namespace tessera {

namespace {

// Layouts and types have fewer than 2^21 numbers each: a pool of that size would take gigabytes.
uint64_t keyOf(int32_t type, LayoutId from, LayoutId to) {
  return static_cast<uint64_t>(type) << 42 | static_cast<uint64_t>(from) << 21 | static_cast<uint64_t>(to);
}

}  // namespace

MoveTime::MoveTime(const Problem& problem, LayoutPool& pool) : problem_(problem), pool_(pool), typeOf_(problem.graph.values.size(), -1) {
  Op op;
  op.operands = {scratch_.values.push(Value())};
  op.results = {scratch_.values.push(Value())};
  op_ = scratch_.ops.push(std::move(op));
}

int32_t MoveTime::typeOf(ValueId value) {
  int32_t& known = typeOf_[value];
  if (known >= 0) return known;
  const TensorType& type = problem_.tensor(value);
  for (size_t i = 0; i < types_.size(); ++i) {
    const TensorType& other = problem_.tensor(types_[i]);
    if (other.shape == type.shape && other.dtype == type.dtype) return known = static_cast<int32_t>(i);
  }
  types_.push_back(value);
  return known = static_cast<int32_t>(types_.size()) - 1;
}

Cost MoveTime::measure(ValueId value, const TensorLayout& from, const TensorLayout& to) {
  const TensorType& type = problem_.tensor(value);
  const auto steps = layoutSteps(type.shape, from, to, problem_.device);
  if (!steps) return kForbidden;
  Op& op = scratch_.ops[op_];
  for (ValueId end : {op.operands[0], op.results[0]}) scratch_.values[end].type = problem_.graph.values[value].type;
  Cost sum = 0;
  std::optional<TensorLayout> now[] = {from};
  for (const LayoutStep& step : *steps) {
    op.kind = layoutStepOp(step.kind);
    op.name = std::string(opInfo(op.kind).name);
    const OpConfig config{step.to, {}};
    const OpQuery query{scratch_, op_, now, config, Bytes(0)};
    const OpVerdict verdict = problem_.model.validateOperation(query);
    if (!verdict.ok() || !(verdict.output == step.to)) return kForbidden;
    sum = addSaturated(sum, problem_.model.getOpRuntime(query).total().count);
    now[0] = step.to;
  }
  return std::min(sum, kForbiddenFrom - 1);
}

Cost MoveTime::ofOp(const OpQuery& query) {
  const Op& op = problem_.graph.ops[query.op];
  const bool whole = op.kind == OpKind::TtnnToLayout || op.kind == OpKind::TtnnToTensorSpec;
  if (whole && op.results.size() == 1 && !query.inputs.empty() && query.inputs[0]) {
    const Cost steps = of(op.results[0], pool_.intern(*query.inputs[0]), pool_.intern(query.config.output));
    if (!isForbidden(steps)) return steps;
  }
  return std::min(problem_.model.getOpRuntime(query).total().count, kForbiddenFrom - 1);
}

Cost MoveTime::of(ValueId value, LayoutId from, LayoutId to) {
  if (from == to) return 0;
  auto [known, isNew] = known_.try_emplace(keyOf(typeOf(value), from, to), 0);
  if (isNew) known->second = measure(value, pool_[from], pool_[to]);
  return known->second;
}

}  // namespace tessera
