#include "core/policy/exact/baselines.h"

#include <algorithm>

#include "core/plan/refused_overrides.h"
#include "core/policy/policy.h"
#include "core/policy/policy_memory.h"

namespace tessera {

namespace {

constexpr size_t kMostPlans = 48;  // of 7 policies; a plan of 1,000 ops takes about 200 KB

// A plan that leaves out what the user fixed is no answer where another one carries it out.
void keepMostOverrides(const Problem& problem, std::vector<Plan>& plans) {
  if (problem.options.layoutOverrides.empty()) return;
  std::vector<size_t> refused;
  for (const Plan& plan : plans) refused.push_back(refusedOverrides(problem, plan).size());
  const size_t least = plans.empty() ? 0 : *std::min_element(refused.begin(), refused.end());
  std::vector<Plan> kept;
  for (size_t i = 0; i < plans.size(); ++i) {
    if (refused[i] == least) kept.push_back(std::move(plans[i]));
  }
  plans = std::move(kept);
}

}  // namespace

const Plan* KeptPlans::find(std::string_view policy, const Problem& problem, const PolicyOptions& options) {
  Asked asked{&problem.graph, problem.options, options.chain, options.propagate};
  asked.problem.l1UsageCapPermille = 0;
  if (!(asked == asked_)) {
    *this = KeptPlans();
    asked_ = std::move(asked);
  }
  const int64_t budget = problem.budget.bytes().count;
  for (const Kept& kept : plans_) {
    if (kept.plan.policy == policy && kept.range.holds(budget)) return &kept.plan;
  }
  return nullptr;
}

void KeptPlans::keep(const BudgetRange& range, const Plan& plan) {
  Kept kept{plan, range};
  if (plans_.size() < kMostPlans) plans_.push_back(std::move(kept));
  else plans_[oldest_++ % kMostPlans] = std::move(kept);
}

std::vector<Plan> baselinePlans(const Problem& problem, const PolicyOptions& options, PolicyMemory& memory) {
  std::vector<Plan> plans;
  PolicyOptions asked = options;
  asked.keepsSchedule = true;
  KeptPlans& kept = memory.exact.plans;
  for (const PolicyInfo& info : allPolicies()) {
    if (!info.has(kBaseline)) continue;
    const Plan* known = kept.find(info.id, problem, options);
    Plan plan;
    if (known) {
      plan = *known;
    } else {
      DecisionLog ignored{.wanted = false};
      problem.budget.takeRange();
      plan = planBy(info, problem, asked, memory, ignored);
      BudgetRange range = problem.budget.takeRange();
      range.cut(problem.budgets);
      kept.keep(range, plan);
    }
    if (plan.order == problem.schedule.order) plans.push_back(std::move(plan));
  }
  keepMostOverrides(problem, plans);
  return plans;
}

}  // namespace tessera
