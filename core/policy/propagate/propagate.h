#pragma once
// The pass generation as one call: L1 sharding propagation, then L1 spill management (docs/rules/pass-generation.md).

#include "core/ops/rules/rule_book.h"
#include "core/plan/decision_log.h"
#include "core/plan/plan.h"
#include "core/policy/propagate/forward_pass.h"

namespace tessera {

class PolicyMemory;

// `ruleBookOf` is used when the options ask for rule books.
Plan propagateAndSpill(const Problem& problem, const PropagateOptions& options, PolicyMemory& memory, DecisionLog& log,
                       ForwardPass::RuleBookOf ruleBookOf = ruleBook);

// Pass 1 alone: every tensor where it wants it, each op with all of L1 to itself. What is returned leaves L1.
Plan propagateOnly(const Problem& problem, const PropagateOptions& options, PolicyMemory& memory, DecisionLog& log,
                   ForwardPass::RuleBookOf ruleBookOf = ruleBook);
// Pass 2 alone, on the layouts that the graph carries: those stay that have room. What is returned stays where it is.
Plan spillOnly(const Problem& problem, const PropagateOptions& options, PolicyMemory& memory, DecisionLog& log);

}  // namespace tessera
