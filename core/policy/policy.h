#pragma once
// A policy is a function: problem in, plan out. It decides only through the op model; none may look at the simulator.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/analysis/problem.h"
#include "core/plan/decision_log.h"
#include "core/plan/plan.h"
#include "core/policy/policy_options.h"
#include "core/support/enum_table.h"

namespace tessera {

class PolicyMemory;

// A plan that checkPlan accepts, still without a name. `memory` is prepared for the problem's device. Appends one entry
// per decided op to `log`, in schedule order.
using PolicyFunction = Plan (*)(const Problem& problem, const PolicyOptions& options, PolicyMemory& memory,
                                DecisionLog& log);

// Facts about a policy on which options, reports, other policies and the page rely.
using PolicyTraits = uint32_t;
enum PolicyTrait : PolicyTraits {
  kFloor = 1 << 0,                 // leaves L1 empty: a plan that every graph has
  kBaseline = 1 << 1,              // its plan is an upper bound for the policies that prove one (kLowerBound)
  kChainTrace = 1 << 2,            // builds L1 chains: the options of chains apply, `trace` gives a chainTrace
  kBeamTrace = 1 << 3,             // chooses layouts op by op: `trace` gives a propagationTrace
  kBeamSearch = 1 << 4,            // keeps several configurations per op: the options of the beam apply
  kSpillStrategyApplies = 1 << 5,  // its spills can be decided anew
  kLowerBound = 1 << 6,            // decides layouts and spills together and proves a lower bound
  kCompilerPolicy = 1 << 7,        // a value of the compiler's option memory-layout-analysis-policy
  kAsItStands = 1 << 8,            // decides nothing where the graph carries layouts
};
inline constexpr EnumRow<PolicyTrait> kPolicyTraits[] = {
    {kFloor, "floor", "Leaves L1 empty"},
    {kBaseline, "baseline", "An upper bound for the policies that prove one"},
    {kChainTrace, "chain-trace", "Builds L1 chains"},
    {kBeamTrace, "beam-trace", "Chooses layouts op by op"},
    {kBeamSearch, "beam-search", "Keeps several configurations per op"},
    {kSpillStrategyApplies, "spill-strategy", "Its spills can be decided anew"},
    {kLowerBound, "lower-bound", "Proves a lower bound"},
    {kCompilerPolicy, "compiler-policy", "A memory layout analysis policy of the compiler"},
    {kAsItStands, "as-it-stands", "Decides nothing where the graph carries layouts"},
};

struct PolicyInfo {
  std::string_view id;  // what --policy takes
  std::string_view title;
  std::string_view description;  // one or two sentences for the picker
  PolicyTraits traits;
  PolicyFunction decide;
  constexpr bool has(PolicyTraits wanted) const { return (traits & wanted) == wanted; }
};

// The rows of policies.def, in the order a picker should show them.
std::span<const PolicyInfo> allPolicies();
// Null when there is no such policy.
const PolicyInfo* findPolicy(std::string_view id);
bool policyHas(std::string_view id, PolicyTraits traits);  // false when there is no such policy
const PolicyInfo& floorPolicy();
// The policy's plan under its name.
Plan planBy(const PolicyInfo& policy, const Problem& problem, const PolicyOptions& options, PolicyMemory& memory,
            DecisionLog& log);
// The same, with its spills decided anew where a strategy is asked for.
Plan decidePlan(const PolicyInfo& policy, const Problem& problem, const PolicyOptions& options, PolicyMemory& memory,
                DecisionLog& log);

}  // namespace tessera
