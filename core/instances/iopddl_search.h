#pragma once
// An assignment of a contest instance that is changed step by step: costs and usage are updated incrementally, moves
// are evaluated before they are made.

#include "core/instances/iopddl_usage.h"

namespace tessera {

class IopddlSearch {
 public:
  explicit IopddlSearch(const IopddlProblem& problem);

  void assign(const std::vector<int>& values);
  const std::vector<int>& values() const { return values_; }
  const UsageProfile& usage() const { return usage_; }
  bool overloaded() const { return usage_.mostOverall() > problem_.usageLimit; }
  Cost cost() const { return forbidden_ > 0 ? kForbidden : cost_; }

  // What the costs around the node are with each of its strategies, the others as they are.
  void row(int node, std::vector<Cost>& out) const;
  bool fits(int node, int value) const;
  void move(int node, int value);
  // Every move is recorded; undo(mark) takes back the moves since mark().
  size_t mark() const { return journal_.size(); }
  void undo(size_t mark);

  // Takes single nodes live at the worst step to smaller strategies, the cheapest per byte first, until the limit
  // holds. False when it cannot be reached.
  bool repair(WorkBudget& budget);
  // Single moves that fit and gain, until there is none; `rounds` bounds the passes over all nodes.
  void improve(int rounds, WorkBudget& budget);
  // The same, starting from the nodes that moved since `mark` and their neighbours.
  void improveAround(size_t mark, WorkBudget& budget);

  // Nodes near `start`, by breadth first search over the edges, at most `count`.
  std::vector<int> neighbourhood(int start, int count) const;
  // The best strategies for `nodes`, the others as they are, `price` added to each node's strategies; -1 in `out` where
  // none. False when the tables would be too large or there is no solution.
  bool solvePart(const std::vector<int>& nodes, const std::vector<std::vector<Cost>>& price, std::vector<int>& out,
                 WorkBudget& budget) const;

 private:
  struct Edge {
    int factor;
    int other;
    bool isFirst;  // the node is the factor's first: its strategies are the rows
  };
  bool improveNode(int node, WorkBudget& budget);
  void shift(int node, int value);
  // Adds or takes away one entry of a table.
  void count(Cost entry, int sign) {
    (isForbidden(entry) ? forbidden_ : cost_) += isForbidden(entry) ? sign : sign * entry;
  }
  Cost entry(const Edge& edge, int value, int other) const;

  const IopddlProblem& problem_;
  std::vector<std::pair<int, int>> journal_;  // (node, the value it had)
  Cost cost_ = 0;                             // of what is allowed
  int64_t forbidden_ = 0;                     // how many entries are not
  std::vector<std::vector<Edge>> edges_;
  std::vector<int> values_;
  std::vector<Cost> row_;  // scratch
  UsageProfile usage_;
};

}  // namespace tessera
