#pragma once
// Plans of the other policies: each is an upper bound of the exact search, and what it uses is in the search's model.

#include <memory>
#include <string>
#include <vector>

#include "core/analysis/problem.h"
#include "core/plan/plan.h"
#include "core/policy/policy_options.h"

namespace tessera {

struct NamedPlan {
  std::string policy;
  Plan plan;
};

// Plans of earlier problems that differ in the cap on L1 alone, each with the budgets for which its policy decides the same.
class KeptPlans {
 public:
  // Null: not known. Forgets what belongs to another problem.
  const Plan* find(std::string_view policy, const Problem& problem, const PolicyOptions& options);
  // Of the problem that was asked about last.
  void keep(std::string_view policy, const BudgetRange& range, const Plan& plan);
  size_t size() const { return plans_.size(); }

 private:
  struct Kept {
    NamedPlan plan;
    BudgetRange range;
  };
  // What a plan depends on besides the budget.
  struct Asked {
    std::shared_ptr<OpMemo> memo;  // of one graph on one device; held, so that no other can have its address
    ProblemOptions problem;
    ChainOptions chain;
    PropagateOptions propagate;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  Asked asked_;
  std::vector<Kept> plans_;
  size_t oldest_ = 0;
};

// Of all other policies that keep the problem's schedule.
std::vector<NamedPlan> rivalPlans(const Problem& problem, const PolicyOptions& options);

}  // namespace tessera
