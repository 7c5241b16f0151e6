#pragma once
// What must hold of every run of every policy.

#include "core/ir/verify.h"
#include "core/plan/check_plan.h"
#include "core/sim/check_run.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {

inline void expectSound(const PolicyRun& run) {
  for (const PlanDefect& d : checkPlan(*run.problem, run.plan))
    ADD_FAILURE() << "plan: " << planRuleName(d.rule) << ": " << d.text;
  for (const Defect& d : verifyGraph(run.applied.graph))
    ADD_FAILURE() << "graph: " << graphRuleName(d.rule) << ": " << d.text;
  for (const RunDefect& d : checkRun(run.applied.graph, run.sim, run.device))
    ADD_FAILURE() << "run: " << runRuleName(d.rule) << ": " << d.text;
  const Graph& graph = run.applied.graph;
  for (ValueId value : graph.ops[graph.funcs[graph.forward].ops.back()].operands) {
    const ValueType& type = graph.values[value].type;
    if (!type.isTensor()) continue;
    ASSERT_TRUE(type.tensor->layout.has_value());
    bool onHost = type.tensor->layout->buffer == BufferType::SystemMemory;
    EXPECT_TRUE(type.tensor->layout->isDram() || onHost)
        << "%" << graph.values[value].name << " is returned from " << layoutText(*type.tensor->layout);
  }
}

inline bool samePlan(const Plan& a, const Plan& b) {
  return a.order == b.order && a.layout == b.layout && a.config == b.config && a.reshards == b.reshards &&
         a.spills == b.spills;
}

}  // namespace tessera::test
