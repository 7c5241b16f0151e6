#include "core/driver/optimizer_pass.h"

#include <algorithm>
#include <cmath>

#include "core/lowering/as_it_stands.h"
#include "core/lowering/lower.h"
#include "core/ops/table/op_table.h"
#include "core/plan/check_plan.h"
#include "core/policy/kit/matmul_programs.h"
#include "core/policy/propagate/propagate.h"
#include "core/transform/apply_plan.h"

namespace tessera {

namespace {

const AttrValue* moduleAttr(const Graph& graph, std::string_view name) {
  for (const Attribute& attr : graph.attrs) {
    if (attr.name == name) return &attr.value;
  }
  return nullptr;
}

// The module may say how much of L1 plans may fill, and how much of that const-eval has taken already
// (tt-mlir lib/Dialect/TTNN/Utils/Utils.cpp getUsableL1PerCore @ 19c86fca).
Bytes budgetOf(const Graph& graph, const DeviceSpec& device, ProblemOptions& options) {
  const AttrValue* cap = moduleAttr(graph, "ttnn.tensor_l1_usage_cap");
  if (cap != nullptr && cap->number > 0 && cap->number <= 1)
    options.l1UsageCapPermille = static_cast<int32_t>(std::lround(cap->number * 1000));
  const Bytes budget = l1Budget(device, options);
  const AttrValue* taken = moduleAttr(graph, "ttnn.l1_const_eval_usage");
  const int64_t reserved = taken != nullptr ? std::clamp<int64_t>(taken->integer, 0, budget.count) : 0;
  return Bytes(budget.count - reserved);
}

Plan decide(PolicyMemory& memory, OptimizerPart part, const Options& options, const Problem& problem,
            DecisionLog& log) {
  const PolicyOptions asked = options.policyOptions();
  if (part == OptimizerPart::SecondPass) return spillOnly(problem, asked.propagate, memory, log);
  if (part == OptimizerPart::Whole || policyHas(options.policy, kFloor))
    return decidePlan(*findPolicy(options.policy), problem, asked, memory, log);
  Plan plan = propagateOnly(problem, asked.propagate, memory, log);
  chooseMatmulPrograms(problem, plan);
  return plan;
}

// The first pass need not make everything fit, the second leaves what is returned, and layouts as the graph spells
// them.
bool mayBreak(OptimizerPart part, PlanRule rule) {
  if (part == OptimizerPart::FirstPass) return rule == PlanRule::OverBudget;
  return part == OptimizerPart::SecondPass && (rule == PlanRule::ReturnNotInDram || rule == PlanRule::LayoutDoesNotFit);
}

// A pass of the compiler inserts what its moves are, where the pipeline has one op for all until layouts are
// decomposed.
Graph withNamedMoves(AppliedPlan applied) {
  for (OpId id : applied.inserted.ids()) {
    if (!applied.inserted[id]) continue;
    Op& op = applied.graph.ops.edit(id);
    const ValueType& from = applied.graph.values[op.operands[0]].type;
    const ValueType& to = applied.graph.values[op.results[0]].type;
    const bool moves = from.tensor->layout->page == to.tensor->layout->page;
    op.kind = moves ? OpKind::TtnnToMemoryConfig : OpKind::TtnnToTensorSpec;
    op.name = opInfo(op.kind).name;
  }
  return std::move(applied.graph);
}

}  // namespace

OptimizedGraph optimizeAlone(PolicyMemory& memory, OptimizerPart part, const Options& options, const Graph& source,
                             const Graph& given, const PassContext& context) {
  OptimizedGraph out{given, {}, "", {}, {}};
  if (!carriesLayouts(given)) {
    out.graph = lower(given, context, PassDetail::Notes).graph;
    out.note = "the graph has no layouts: the passes before the optimizer ran first";
  } else {
    out.graph = withAllLayouts(given, context.device);
  }
  ProblemOptions problemOptions = options.problemOptions(source, out.graph, context.device, out.diagnostics);
  if (out.diagnostics.hasErrors()) return out;
  L1Budget budget(budgetOf(given, context.device, problemOptions));
  memory.prepare(context.device);
  const Problem problem = analyse(out.graph, context.model, problemOptions, budget, out.diagnostics);
  if (out.diagnostics.hasErrors()) return out;
  DecisionLog log{.wanted = options.decisionTrace || options.compileTimeStats};
  Plan plan = decide(memory, part, options, problem, log);
  out.trace = std::move(log.propagation);
  for (const PlanDefect& d : checkPlan(problem, plan)) {
    if (!mayBreak(part, d.rule))
      out.diagnostics.report(DiagKind::PlanIllegal, {}, {planRuleName(d.rule), "the plan", d.text});
  }
  if (out.diagnostics.hasErrors()) return out;
  AppliedPlan applied = applyPlan(out.graph, plan, context.device.grid);
  out.graph = part == OptimizerPart::Whole ? std::move(applied.graph) : withNamedMoves(std::move(applied));
  out.configs = std::move(plan.config);
  return out;
}

}  // namespace tessera
