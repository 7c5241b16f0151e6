#pragma once
// Layout selection as a factor graph: choose one value per variable so that the sum of all tables is least.
//
//   FactorGraph model;
//   int a = model.addVariable({3, 0});              // a domain of two values and what each costs
//   int b = model.addVariable({0, 0, 5});
//   model.addFactor({a, b}, {0, 1, 2, 2, 1, kForbidden});  // row-major, the last variable of the scope runs fastest
//   SelectionResult best = solveSelection(model, {});             // selection_solver.h
//
// Also here: evaluate() and the two file formats other solvers read.

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/solve/cost.h"

namespace tessera {

// Costs that factors may share: a copy refers to the same entries, which never change.
class CostTable {
 public:
  CostTable() = default;  // no entries
  CostTable(std::initializer_list<Cost> costs) : CostTable(std::vector<Cost>(costs)) {}
  CostTable(std::vector<Cost> costs);  // what is not allowed becomes kForbidden
  operator const std::vector<Cost>&() const { return held_->costs; }
  const Cost& operator[](size_t i) const { return data_[i]; }
  const Cost* data() const { return data_; }
  size_t size() const { return held_ ? held_->costs.size() : 0; }
  auto begin() const { return held_->costs.begin(); }
  auto end() const { return held_->costs.end(); }
  // The largest finite absolute value: what a solution can gain or lose by it.
  Cost reach() const { return held_->reach; }
  // The very same entries, not just equal ones.
  bool same(const CostTable& other) const { return held_ == other.held_; }

 private:
  struct Held {
    std::vector<Cost> costs;
    Cost reach = 0;
  };
  std::shared_ptr<const Held> held_;
  const Cost* data_ = nullptr;  // of held_
};

struct Factor {
  std::vector<int> scope;  // distinct variables, in any order
  CostTable table;         // one entry per combination of values; the last variable of `scope` runs fastest
};

class FactorGraph {
 public:
  // `costs` has one entry per value; at least one. Returns the variable's index.
  int addVariable(std::vector<Cost> costs);
  // Scope and table must fit (a bug of the caller otherwise). A scope of one adds to the variable's own costs. Returns
  // the factor's index, or -1 for a scope of one.
  int addFactor(std::vector<int> scope, CostTable table);

  void setUnary(int variable, std::vector<Cost> costs);
  void setFactorTable(int factor, CostTable table);

  int variableCount() const { return static_cast<int>(unary_.size()); }
  int factorCount() const { return static_cast<int>(factors_.size()); }
  int domain(int variable) const { return static_cast<int>(unary_[static_cast<size_t>(variable)].size()); }
  const std::vector<Cost>& unary(int variable) const { return unary_[static_cast<size_t>(variable)]; }
  const Factor& factor(int index) const { return factors_[static_cast<size_t>(index)]; }
  const std::vector<Factor>& factors() const { return factors_; }

  // What the finite costs add up to in absolute value; at most kForbidden, which stands for more, too.
  Cost reach() const;
  // The solvers need that.
  bool costsFit() const { return reach() <= kMaxTotalCost; }

  // Cost of a full assignment, kForbidden when a part of it is forbidden.
  Cost evaluate(std::span<const int> values) const;

 private:
  std::vector<std::vector<Cost>> unary_;
  std::vector<Factor> factors_;
};

// The index into a factor's table of the given assignment of all variables.
size_t tableIndex(const FactorGraph& model, const Factor& factor, std::span<const int> values);

// The format of weighted constraint solvers. Costs there are not negative: every table is raised by its least entry,
// the sum of which is `offset`; the optimum of the text plus the offset is the model's.
std::string writeWcsp(const FactorGraph& model, const std::string& name, Cost& offset);

// CPLEX LP format: one binary per value, one continuous product per cell of a factor.
std::string writeLp(const FactorGraph& model);

}  // namespace tessera
