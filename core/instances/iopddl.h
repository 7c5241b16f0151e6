#pragma once
// Layout selection under a memory limit, in the form of the ASPLOS 2025 contest "IOPDDL": every node picks a strategy;
// strategies cost, pairs of strategies along edges cost, and at every time the strategies of the nodes that are live
// then may use no more than a limit.
//
//   {"problem": {"name": "x",
//                "nodes": {"intervals": [[0, 5], ...], "costs": [[15, 10], ...], "usages": [[10, 12], ...]},
//                "edges": {"nodes": [[0, 1], ...], "costs": [[30, 40, 50, 60], ...]}, "usage_limit": 50}}
//
// An interval is half-open; an edge's costs are row-major over (first node, second node); 10^18 and more means
// forbidden.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/solve/selection/factor_graph.h"
#include "core/support/diagnostics.h"

namespace tessera {

struct IopddlProblem {
  std::string name;
  struct Node {
    int64_t begin = 0, end = 0;
    std::vector<int64_t> usages;  // per strategy, not negative
  };
  std::vector<Node> nodes;
  FactorGraph costs;  // one variable per node, one factor per edge
  int64_t usageLimit = 0;
};

// Reports mistakes with their place; nothing is returned then.
std::optional<IopddlProblem> readIopddl(const SourceBuffer& source, Diagnostics& diagnostics);

// The cost of an assignment; kForbidden when it is forbidden or uses more than the limit at some time.
Cost evaluateIopddl(const IopddlProblem& problem, const std::vector<int>& values);

struct IopddlOptions {
  WorkBudget budget;
  uint64_t seed = 1;
  std::function<void(Cost cost, Cost bound)> progress;  // when either got better; may be empty
};

struct IopddlResult {
  bool feasible = false;
  bool proven = false;
  std::vector<int> values;
  Cost cost = kForbidden;
  Cost lowerBound = -kMaxTotalCost;
  int64_t rounds = 0;
};

// Lagrangian relaxation of the limit, bounded by DualSolver with its messages kept from round to round; every round's
// assignment is repaired and improved under the limit, and neighbourhoods of it are solved by elimination.
IopddlResult solveIopddl(const IopddlProblem& problem, IopddlOptions options);

}  // namespace tessera
