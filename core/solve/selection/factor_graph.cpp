#include "core/solve/selection/factor_graph.h"

#include <algorithm>

#include "core/support/check.h"

namespace tessera {

namespace {

size_t cellsOf(const FactorGraph& model, std::span<const int> scope) {
  size_t cells = 1;
  for (int v : scope) cells *= static_cast<size_t>(model.domain(v));
  return cells;
}

void normalise(std::vector<Cost>& costs) {
  for (Cost& cost : costs)
    if (isForbidden(cost)) cost = kForbidden;
}

Cost reachOf(const std::vector<Cost>& costs) {
  Cost most = 0;
  for (Cost cost : costs)
    if (!isForbidden(cost)) most = std::max(most, cost < -kMaxTotalCost ? kMaxTotalCost + 1 : std::max(cost, -cost));
  return most;
}

}  // namespace

CostTable::CostTable(std::vector<Cost> costs) {
  normalise(costs);
  const Cost most = reachOf(costs);
  held_ = std::make_shared<const Held>(Held{std::move(costs), most});
  data_ = held_->costs.data();
}

int FactorGraph::addVariable(std::vector<Cost> costs) {
  TESSERA_CHECK(!costs.empty() && costs.size() < 65536, "a domain has 1 to 65535 values");
  normalise(costs);
  unary_.push_back(std::move(costs));
  return variableCount() - 1;
}

int FactorGraph::addFactor(std::vector<int> scope, CostTable table) {
  TESSERA_CHECK(!scope.empty(), "a factor has a scope");
  for (size_t i = 0; i < scope.size(); ++i) {
    TESSERA_CHECK(scope[i] >= 0 && scope[i] < variableCount(), "the scope names a variable");
    for (size_t j = 0; j < i; ++j) TESSERA_CHECK(scope[i] != scope[j], "the variables of a scope are distinct");
  }
  TESSERA_CHECK(table.size() == cellsOf(*this, scope), "a table has one entry per combination");
  if (scope.size() == 1) {
    std::vector<Cost>& unary = unary_[static_cast<size_t>(scope[0])];
    for (size_t i = 0; i < table.size(); ++i) unary[i] = addCost(unary[i], table[i]);
    normalise(unary);
    return -1;
  }
  factors_.push_back({.scope = std::move(scope), .table = std::move(table)});
  return factorCount() - 1;
}

void FactorGraph::setUnary(int variable, std::vector<Cost> costs) {
  TESSERA_CHECK(static_cast<int>(costs.size()) == domain(variable), "one cost per value");
  normalise(costs);
  unary_[static_cast<size_t>(variable)] = std::move(costs);
}

void FactorGraph::setFactorTable(int factor, CostTable table) {
  Factor& target = factors_[static_cast<size_t>(factor)];
  TESSERA_CHECK(table.size() == target.table.size(), "the table keeps its size");
  target.table = std::move(table);
}

Cost FactorGraph::reach() const {
  Cost total = 0;
  for (const std::vector<Cost>& costs : unary_) total = addCost(total, reachOf(costs));
  for (const Factor& factor : factors_) total = addCost(total, factor.table.reach());
  return total;
}

size_t tableIndex(const FactorGraph& model, const Factor& factor, std::span<const int> values) {
  size_t index = 0;
  for (int v : factor.scope)
    index = index * static_cast<size_t>(model.domain(v)) + static_cast<size_t>(values[static_cast<size_t>(v)]);
  return index;
}

Cost FactorGraph::evaluate(std::span<const int> values) const {
  TESSERA_CHECK(static_cast<int>(values.size()) == variableCount(), "an assignment names every variable");
  Cost cost = 0;
  for (size_t v = 0; v < unary_.size(); ++v) cost = addCost(cost, unary_[v][static_cast<size_t>(values[v])]);
  for (const Factor& factor : factors_) cost = addCost(cost, factor.table[tableIndex(*this, factor, values)]);
  return isForbidden(cost) ? kForbidden : cost;
}

}  // namespace tessera
