#include "core/policy/exact/rivals.h"

#include "core/policy/exact/exact_memory.h"
#include "core/policy/policy.h"

namespace tessera {

namespace {

constexpr size_t kMostPlans = 48;  // of 7 policies; a plan of 1,000 ops takes about 200 KB

}  // namespace

const Plan* KeptPlans::find(std::string_view policy, const Problem& problem, const PolicyOptions& options) {
  Asked asked{problem.model.memo(), problem.options, options.chain, options.propagate};
  asked.problem.l1UsageCapPermille = 0;
  if (!(asked == asked_)) {
    *this = KeptPlans();
    asked_ = std::move(asked);
  }
  const int64_t budget = problem.model.l1Budget().count;
  for (const Kept& kept : plans_) {
    if (kept.plan.policy == policy && kept.range.holds(budget)) return &kept.plan.plan;
  }
  return nullptr;
}

void KeptPlans::keep(std::string_view policy, const BudgetRange& range, const Plan& plan) {
  Kept kept{{std::string(policy), plan}, range};
  if (plans_.size() < kMostPlans) plans_.push_back(std::move(kept));
  else plans_[oldest_++ % kMostPlans] = std::move(kept);
}

std::vector<NamedPlan> rivalPlans(const Problem& problem, const PolicyOptions& options) {
  std::vector<NamedPlan> plans;
  ExactMemory* memory = problem.model.memo() ? options.exact.memory.get() : nullptr;
  if (memory) memory->prepare(problem.device);
  for (const PolicyInfo& info : allPolicies()) {
    if (info.id == "Exact") continue;
    const Plan* known = memory ? memory->plans.find(info.id, problem, options) : nullptr;
    Plan plan;
    if (known) {
      plan = *known;
    } else {
      DecisionLog ignored{.wanted = false};
      BudgetRange range = problem.budgets;
      problem.model.watch(&range);
      plan = info.make()->decide(problem, options, ignored);
      problem.model.watch(nullptr);
      if (memory) memory->plans.keep(info.id, range, plan);
    }
    if (plan.order == problem.schedule.order) plans.push_back({std::string(info.id), std::move(plan)});
  }
  return plans;
}

}  // namespace tessera
