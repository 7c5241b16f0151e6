#include "core/policy/kit/matmul_programs.h"
#include "core/policy/policy.h"
#include "core/policy/policy_memory.h"
#include "core/policy/propagate/spill_strategy.h"

namespace tessera {

#define POLICY(decide, id, title, description, traits) \
  Plan decide(const Problem&, const PolicyOptions&, PolicyMemory&, DecisionLog&);
#include "core/policy/policies.def"
#undef POLICY

namespace {

constexpr PolicyInfo kPolicies[] = {
#define POLICY(decide, id, title, description, traits) {id, title, description, traits, decide},
#include "core/policy/policies.def"
#undef POLICY
};

}  // namespace

std::span<const PolicyInfo> allPolicies() { return kPolicies; }

const PolicyInfo* findPolicy(std::string_view id) {
  for (const PolicyInfo& info : kPolicies) {
    if (info.id == id) return &info;
  }
  return nullptr;
}

bool policyHas(std::string_view id, PolicyTraits traits) {
  const PolicyInfo* info = findPolicy(id);
  return info && info->has(traits);
}

const PolicyInfo& floorPolicy() {
  for (const PolicyInfo& info : kPolicies) {
    if (info.has(kFloor)) return info;
  }
  return kPolicies[0];
}

Plan planBy(const PolicyInfo& policy, const Problem& problem, const PolicyOptions& options, PolicyMemory& memory,
            DecisionLog& log) {
  Plan plan = policy.decide(problem, options, memory, log);
  plan.policy = policy.id;
  return plan;
}

Plan decidePlan(const PolicyInfo& policy, const Problem& problem, const PolicyOptions& options, PolicyMemory& memory,
                DecisionLog& log) {
  Plan plan = planBy(policy, problem, options, memory, log);
  // Greedy and Beam have done it themselves, on the layouts that they wanted.
  const bool open = options.propagate.strategy != SpillStrategy::Policy && !log.spilling && !log.exact;
  if (open) plan = respill(problem, plan, options.propagate, memory.moves, log);
  if (!problem.options.asItStands) chooseMatmulPrograms(problem, plan);
  return plan;
}

}  // namespace tessera
