#include "core/solve/iopddl_search.h"

#include <algorithm>

#include "core/solve/p1_tree.h"

namespace tessera {

namespace {

size_t at(int index) { return static_cast<size_t>(index); }

}  // namespace

IopddlSearch::IopddlSearch(const IopddlProblem& problem)
    : problem_(problem), edges_(problem.nodes.size()), values_(problem.nodes.size(), 0), usage_(problem) {
  for (int f = 0; f < problem.costs.factorCount(); ++f) {
    const std::vector<int>& scope = problem.costs.factor(f).scope;
    edges_[at(scope[0])].push_back({f, scope[1], true});
    edges_[at(scope[1])].push_back({f, scope[0], false});
  }
  assign(values_);
}

void IopddlSearch::assign(const std::vector<int>& values) {
  values_ = values;
  usage_.clear();
  for (size_t v = 0; v < values.size(); ++v) usage_.add(static_cast<int>(v), problem_.nodes[v].usages[at(values[v])]);
}

void IopddlSearch::row(int node, std::vector<Cost>& out) const {
  out = problem_.costs.unary(node);
  for (const Edge& edge : edges_[at(node)]) {
    const std::vector<Cost>& table = problem_.costs.factor(edge.factor).table;
    const size_t other = at(values_[at(edge.other)]);
    const size_t columns = edge.isFirst ? at(problem_.costs.domain(edge.other)) : out.size();
    for (size_t x = 0; x < out.size(); ++x)
      out[x] = addCost(out[x], edge.isFirst ? table[x * columns + other] : table[other * columns + x]);
  }
}

bool IopddlSearch::fits(int node, int value) const {
  const std::vector<int64_t>& usages = problem_.nodes[at(node)].usages;
  const int64_t more = usages[at(value)] - usages[at(values_[at(node)])];
  return more <= 0 || usage_.most(usage_.first(node), usage_.last(node)) + more <= problem_.usageLimit;
}

void IopddlSearch::move(int node, int value) {
  const std::vector<int64_t>& usages = problem_.nodes[at(node)].usages;
  usage_.add(node, usages[at(value)] - usages[at(values_[at(node)])]);
  values_[at(node)] = value;
}

bool IopddlSearch::repair(WorkBudget& budget) {
  std::vector<Cost> costs;
  const size_t mostMoves = problem_.nodes.size() + 100;
  for (size_t moves = 0; overloaded(); ++moves) {
    if (moves == mostMoves) return false;
    const size_t step = usage_.worstStep();
    const int64_t excess = usage_.mostOverall() - problem_.usageLimit;
    int bestNode = -1, bestValue = -1;
    double bestRate = 0;
    for (int v = 0; v < static_cast<int>(values_.size()); ++v) {
      if (step < usage_.first(v) || step >= usage_.last(v)) continue;
      const std::vector<int64_t>& usages = problem_.nodes[at(v)].usages;
      const int64_t now = usages[at(values_[at(v)])];
      if (now == 0) continue;
      if (!budget.spend(static_cast<int64_t>(usages.size() * (1 + edges_[at(v)].size())))) return false;
      row(v, costs);
      const Cost base = costs[at(values_[at(v)])];
      for (size_t x = 0; x < usages.size(); ++x) {
        if (usages[x] >= now || isForbidden(costs[x])) continue;
        // Freeing more than the excess is worth no more than the excess.
        const double freed = static_cast<double>(std::min(now - usages[x], excess));
        const double rate = isForbidden(base) ? 0 : static_cast<double>(costs[x] - base) / freed;
        if (bestNode >= 0 && rate >= bestRate) continue;
        bestNode = v;
        bestValue = static_cast<int>(x);
        bestRate = rate;
      }
    }
    if (bestNode < 0) return false;
    move(bestNode, bestValue);
  }
  return true;
}

void IopddlSearch::improve(int rounds, WorkBudget& budget) {
  std::vector<Cost> costs;
  std::vector<char> waiting(values_.size(), 1);
  bool changed = true;
  for (int round = 0; changed && round < rounds; ++round) {
    changed = false;
    for (int v = 0; v < static_cast<int>(values_.size()); ++v) {
      if (!waiting[at(v)]) continue;
      waiting[at(v)] = 0;
      if (!budget.spend(static_cast<int64_t>(edges_[at(v)].size()) * problem_.costs.domain(v))) return;
      row(v, costs);
      Cost best = costs[at(values_[at(v)])];
      int choice = -1;
      for (size_t x = 0; x < costs.size(); ++x)
        if (costs[x] < best && fits(v, static_cast<int>(x))) best = costs[x], choice = static_cast<int>(x);
      if (choice < 0) continue;
      move(v, choice);
      changed = true;
      for (const Edge& edge : edges_[at(v)]) waiting[at(edge.other)] = 1;
    }
  }
}

std::vector<int> IopddlSearch::neighbourhood(int start, int count) const {
  std::vector<int> found{start};
  std::vector<char> seen(values_.size(), 0);
  seen[at(start)] = 1;
  for (size_t i = 0; i < found.size(); ++i)
    for (const Edge& edge : edges_[at(found[i])]) {
      if (seen[at(edge.other)] || static_cast<int>(found.size()) >= count) continue;
      seen[at(edge.other)] = 1;
      found.push_back(edge.other);
    }
  return found;
}

bool IopddlSearch::solvePart(const std::vector<int>& nodes, const std::vector<std::vector<Cost>>& price, std::vector<int>& out,
                             WorkBudget& budget) const {
  constexpr int64_t kCells = 400'000;
  std::vector<int> place(values_.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) place[at(nodes[i])] = static_cast<int>(i);
  FactorGraph part;
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::vector<Cost> costs = problem_.costs.unary(nodes[i]);
    for (size_t x = 0; x < costs.size(); ++x) costs[x] = addCost(costs[x], price[i][x]);
    for (const Edge& edge : edges_[at(nodes[i])]) {
      if (place[at(edge.other)] >= 0) continue;
      const std::vector<Cost>& table = problem_.costs.factor(edge.factor).table;
      const size_t other = at(values_[at(edge.other)]);
      const size_t columns = edge.isFirst ? at(problem_.costs.domain(edge.other)) : costs.size();
      for (size_t x = 0; x < costs.size(); ++x)
        costs[x] = addCost(costs[x], edge.isFirst ? table[x * columns + other] : table[other * columns + x]);
    }
    part.addVariable(std::move(costs));
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    for (const Edge& edge : edges_[at(nodes[i])])
      if (edge.isFirst && place[at(edge.other)] >= 0)
        part.addFactor({static_cast<int>(i), place[at(edge.other)]}, problem_.costs.factor(edge.factor).table);
  EliminationOrder order = eliminationOrder(part, OrderKind::MinTable, kCells);
  if (order.variables.empty() || !part.costsFit() || !budget.spend(3 * order.cells)) return false;
  P1Solution solution = P1Tree(std::move(part), std::move(order)).solve();
  if (!solution.feasible) return false;
  out = std::move(solution.values);
  return true;
}

}  // namespace tessera
