#include "core/instances/iopddl_search.h"

#include <algorithm>

#include "core/solve/selection/elimination_tree.h"

namespace tessera {

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
  journal_.clear();
  cost_ = forbidden_ = 0;
  for (size_t v = 0; v < values.size(); ++v) {
    usage_.add(static_cast<int>(v), problem_.nodes[v].usages[at(values[v])]);
    count(problem_.costs.unary(static_cast<int>(v))[at(values[v])], 1);
    for (const Edge& edge : edges_[v])
      if (edge.isFirst) count(entry(edge, values[v], values[at(edge.other)]), 1);
  }
}

Cost IopddlSearch::entry(const Edge& edge, int value, int other) const {
  const Factor& factor = problem_.costs.factor(edge.factor);
  const size_t columns = at(problem_.costs.domain(factor.scope[1]));
  return factor.table[edge.isFirst ? at(value) * columns + at(other) : at(other) * columns + at(value)];
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
  if (values_[at(node)] == value) return;
  journal_.emplace_back(node, values_[at(node)]);
  shift(node, value);
}

void IopddlSearch::undo(size_t mark) {
  while (journal_.size() > mark) {
    const auto [node, value] = journal_.back();
    journal_.pop_back();
    shift(node, value);
  }
}

void IopddlSearch::shift(int node, int value) {
  const std::vector<int64_t>& usages = problem_.nodes[at(node)].usages;
  const int now = values_[at(node)];
  usage_.add(node, usages[at(value)] - usages[at(now)]);
  count(problem_.costs.unary(node)[at(now)], -1);
  count(problem_.costs.unary(node)[at(value)], 1);
  for (const Edge& edge : edges_[at(node)]) {
    count(entry(edge, now, values_[at(edge.other)]), -1);
    count(entry(edge, value, values_[at(edge.other)]), 1);
  }
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

bool IopddlSearch::improveNode(int node, WorkBudget& budget) {
  if (!budget.spend(static_cast<int64_t>(edges_[at(node)].size()) * problem_.costs.domain(node))) return false;
  row(node, row_);
  Cost best = row_[at(values_[at(node)])];
  int choice = -1;
  for (size_t x = 0; x < row_.size(); ++x)
    if (row_[x] < best && fits(node, static_cast<int>(x))) best = row_[x], choice = static_cast<int>(x);
  if (choice >= 0) move(node, choice);
  return choice >= 0;
}

void IopddlSearch::improve(int rounds, WorkBudget& budget) {
  std::vector<char> waiting(values_.size(), 1);
  bool changed = true;
  for (int round = 0; changed && round < rounds && !budget.exhausted(); ++round) {
    changed = false;
    for (int v = 0; v < static_cast<int>(values_.size()); ++v) {
      if (!waiting[at(v)]) continue;
      waiting[at(v)] = 0;
      if (!improveNode(v, budget)) continue;
      changed = true;
      for (const Edge& edge : edges_[at(v)]) waiting[at(edge.other)] = 1;
    }
  }
}

void IopddlSearch::improveAround(size_t mark, WorkBudget& budget) {
  // Moves lengthen the journal, so what moves here is visited too; `most` keeps two nodes from alternating for long.
  const size_t most = mark + 4 * (journal_.size() - mark) + 100;
  for (size_t i = mark; i < journal_.size() && i < most; ++i) {
    const int node = journal_[i].first;
    improveNode(node, budget);
    for (const Edge& edge : edges_[at(node)]) improveNode(edge.other, budget);
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

bool IopddlSearch::solvePart(const std::vector<int>& nodes, const std::vector<std::vector<Cost>>& price,
                             std::vector<int>& out, WorkBudget& budget) const {
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
  EliminationSolution solution = EliminationTree(std::move(part), std::move(order)).solve();
  if (!solution.feasible) return false;
  out = std::move(solution.values);
  return true;
}

}  // namespace tessera
