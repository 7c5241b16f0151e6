#pragma once
// Policy: problem in, plan out. Policies decide only through the op model; none may look at the simulator.

#include <memory>
#include <span>
#include <string_view>

#include "core/analysis/problem.h"
#include "core/plan/decision_log.h"
#include "core/plan/plan.h"
#include "core/policy/policy_options.h"

namespace tessera {

class Policy {
 public:
  virtual ~Policy() = default;
  // A plan that checkPlan accepts. Appends one entry per decided op to `log`, in schedule order.
  virtual Plan decide(const Problem& problem, const PolicyOptions& options, DecisionLog& log) const = 0;
};

struct PolicyInfo {
  std::string_view id;           // what --policy takes
  std::string_view title;
  std::string_view description;  // one or two sentences for the picker
  std::unique_ptr<Policy> (*make)();
};

// In the order a picker should show them.
std::span<const PolicyInfo> allPolicies();
// The policy's plan, with its spills decided anew where a strategy is asked for.
Plan decidePlan(const PolicyInfo& policy, const Problem& problem, const PolicyOptions& options, DecisionLog& log);
// Null when there is no such policy.
const PolicyInfo* findPolicy(std::string_view id);

// dram_only.cpp, propagate/propagate.cpp
std::unique_ptr<Policy> makeDramOnly();
std::unique_ptr<Policy> makeGreedy();
std::unique_ptr<Policy> makeBeam();
std::unique_ptr<Policy> makeExact();  // exact/exact_policy.cpp
// chain/: the chain generation.
std::unique_ptr<Policy> makeDfSharding();
std::unique_ptr<Policy> makeDfSharding2();
std::unique_ptr<Policy> makeGreedyL1Interleaved();
std::unique_ptr<Policy> makeBfInterleaved();

}  // namespace tessera
