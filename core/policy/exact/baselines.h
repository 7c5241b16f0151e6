#pragma once
// Plans of the other policies (baselines): each is an upper bound of the exact search, and its candidates are among the
// choices.

#include <vector>

#include "core/analysis/problem.h"
#include "core/plan/plan.h"
#include "core/policy/policy_options.h"

namespace tessera {

class PolicyMemory;

// Plans of earlier problems that differ in the cap on L1 alone, each with the budgets for which its policy decides the
// same.
class KeptPlans {
 public:
  // Null: none is kept. Drops the plans of another problem.
  const Plan* find(std::string_view policy, const Problem& problem, const PolicyOptions& options);
  // For the problem of the last find().
  void keep(const BudgetRange& range, const Plan& plan);
  size_t size() const { return plans_.size(); }

 private:
  struct Kept {
    Plan plan;
    BudgetRange range;
  };
  // What a plan depends on besides the budget.
  struct Asked {
    const Graph* graph = nullptr;  // the owner empties this when the graph goes, or its device changes
    ProblemOptions problem;
    ChainOptions chain;
    PropagateOptions propagate;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  Asked asked_;
  std::vector<Kept> plans_;
  size_t oldest_ = 0;
};

// Of all other policies that keep the problem's schedule; of those the ones that refuse the fewest overrides.
std::vector<Plan> baselinePlans(const Problem& problem, const PolicyOptions& options, PolicyMemory& memory);

}  // namespace tessera
