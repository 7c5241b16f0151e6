#include "core/solve/p2_spill.h"

#include <algorithm>

#include "core/solve/p2_sweep.h"
#include "core/support/check.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

size_t at(int index) { return static_cast<size_t>(index); }

// The steps strictly inside segment `index`, half-open.
struct Inside {
  int from, to;
};
Inside inside(const P2Value& value, size_t index) {
  return {(index == 0 ? value.def : value.uses[index - 1]) + 1, value.uses[index]};
}

void checkProblem(const P2Problem& problem) {
  constexpr int64_t kMostSize = int64_t{1} << 40;
  TESSERA_CHECK(static_cast<int>(problem.capacity.size()) == problem.steps, "one capacity per step");
  Cost total = 0;
  for (const P2Value& value : problem.values) {
    TESSERA_CHECK(value.size >= 0 && value.size <= kMostSize, "a size is 0 to 2^40");
    TESSERA_CHECK(value.reloadCosts.size() == value.uses.size(), "one reload cost per use");
    int last = value.def;
    TESSERA_CHECK(last >= 0, "a definition has a step");
    for (int use : value.uses) {
      TESSERA_CHECK(use >= last && use < problem.steps, "uses are ascending and inside the schedule");
      last = use;
    }
    TESSERA_CHECK(value.storeCost >= 0, "costs are not negative");
    total = addCost(total, value.storeCost);
    for (Cost cost : value.reloadCosts) {
      TESSERA_CHECK(cost >= 0, "costs are not negative");
      total = addCost(total, cost);
    }
  }
  TESSERA_CHECK(total <= kMaxTotalCost / 16, "the costs are small enough to be scaled");
}

std::vector<int64_t> capacities(const P2Problem& problem) {
  std::vector<int64_t> capacity = problem.capacity;
  for (int64_t& c : capacity) c = std::max<int64_t>(c, 0);
  return capacity;
}

P2Keep keepAll(const P2Problem& problem) {
  P2Keep keep;
  for (const P2Value& value : problem.values) keep.emplace_back(value.uses.size(), 1);
  return keep;
}

// The load of every step under a decision.
std::vector<int64_t> loads(const P2Problem& problem, const P2Keep& keep) {
  std::vector<int64_t> change(at(problem.steps) + 1, 0);
  for (size_t v = 0; v < problem.values.size(); ++v)
    for (size_t i = 0; i < keep[v].size(); ++i) {
      const Inside steps = inside(problem.values[v], i);
      if (!keep[v][i] || steps.from >= steps.to) continue;
      change[at(steps.from)] += problem.values[v].size;
      change[at(steps.to)] -= problem.values[v].size;
    }
  for (size_t s = 1; s < change.size(); ++s) change[s] += change[s - 1];
  change.pop_back();
  return change;
}

// Prepares the core: drops what can never fit, keeps what is never contested, and leaves the constraints that bind.
class Reduction {
 public:
  Reduction(const P2Problem& problem, const P2Options& options) : problem_(problem), options_(options), capacity_(capacities(problem)) {
    keep = keepAll(problem);
    dropWhatNeverFits();
    build();
  }

  P2Core core;
  P2Keep keep;             // with everything undecided kept
  Cost fixedCost = 0;      // of what had to be dropped

 private:
  struct Candidate {
    int value, index;
    Inside steps;
  };

  void dropWhatNeverFits() {
    storePaid_.assign(problem_.values.size(), 0);
    for (size_t v = 0; v < problem_.values.size(); ++v) {
      const P2Value& value = problem_.values[v];
      for (size_t i = 0; i < value.uses.size(); ++i) {
        const Inside steps = inside(value, i);
        bool fits = true;
        for (int s = steps.from; s < steps.to && fits; ++s) fits = value.size <= capacity_[at(s)];
        if (fits) continue;
        keep[v][i] = 0;
        fixedCost += value.reloadCosts[i] + (storePaid_[v] ? 0 : value.storeCost);
        storePaid_[v] = 1;
      }
    }
  }

  void build() {
    const std::vector<int64_t> load = loads(problem_, keep);
    std::vector<int> steps;  // those that can overflow
    for (int s = 0; s < problem_.steps; ++s)
      if (load[at(s)] > capacity_[at(s)] || !options_.useContested) steps.push_back(s);
    std::vector<Candidate> candidates;
    for (size_t v = 0; v < problem_.values.size(); ++v)
      for (size_t i = 0; i < keep[v].size(); ++i) {
        const Inside in = inside(problem_.values[v], i);
        const auto first = std::lower_bound(steps.begin(), steps.end(), in.from);
        if (keep[v][i] && problem_.values[v].size > 0 && first != steps.end() && *first < in.to) candidates.push_back({static_cast<int>(v), static_cast<int>(i), in});
      }
    if (options_.useMaximalSteps) steps = maximal(steps, candidates);
    for (int s : steps) core.capacity.push_back(capacity_[at(s)]);
    core.steps = steps;
    std::vector<int> storeOf(problem_.values.size(), -1), count(problem_.values.size(), 0);
    for (const Candidate& c : candidates) ++count[at(c.value)];
    for (const Candidate& c : candidates) {
      const P2Value& value = problem_.values[at(c.value)];
      P2Core::Segment segment{.value = c.value, .index = c.index, .size = value.size, .reload = value.reloadCosts[at(c.index)]};
      segment.first = static_cast<size_t>(std::lower_bound(steps.begin(), steps.end(), c.steps.from) - steps.begin());
      segment.last = static_cast<size_t>(std::lower_bound(steps.begin(), steps.end(), c.steps.to) - steps.begin());
      if (segment.first == segment.last) continue;
      if (!storePaid_[at(c.value)] && value.storeCost > 0) {
        if (count[at(c.value)] == 1) {
          segment.reload += value.storeCost;  // the only segment that could need the store
        } else {
          int& store = storeOf[at(c.value)];
          if (store < 0) store = static_cast<int>(core.stores.size()), core.stores.push_back(value.storeCost);
          segment.store = store;
        }
      }
      core.segments.push_back(segment);
    }
    stableSort(core.segments, [](const P2Core::Segment& a, const P2Core::Segment& b) {
      return a.first != b.first ? a.first < b.first : a.size > b.size;
    });
  }

  // A step whose segments all cross a neighbour of no more capacity says nothing new.
  std::vector<int> maximal(const std::vector<int>& steps, const std::vector<Candidate>& candidates) const {
    std::vector<int64_t> begins(at(problem_.steps) + 1, 0), ends(at(problem_.steps) + 1, 0);
    for (const Candidate& c : candidates) ++begins[at(c.steps.from)], ++ends[at(c.steps.to)];
    // begun[s]: segments that began at or before s; ended[s]: that are over at s.
    for (size_t s = 1; s < begins.size(); ++s) begins[s] += begins[s - 1], ends[s] += ends[s - 1];
    std::vector<int> left;
    for (int s : steps) {
      // Between the last step and s nothing began: s is covered by it. Or nothing ended: the last one is covered by s.
      bool covered = false;
      while (!left.empty()) {
        const int before = left.back();
        covered = begins[at(before)] == begins[at(s)] && capacity_[at(before)] <= capacity_[at(s)];
        const bool covers = ends[at(before)] == ends[at(s)] && capacity_[at(s)] <= capacity_[at(before)];
        if (covered || !covers) break;
        left.pop_back();
      }
      if (!covered) left.push_back(s);
    }
    return left;
  }

  const P2Problem& problem_;
  const P2Options& options_;
  std::vector<int64_t> capacity_;
  std::vector<char> storePaid_;
};

// Branches on single segments where the sweep had to throw states away.
class Brancher {
 public:
  Brancher(const P2Core& core, P2Options& options, Cost upper) : core_(core), options_(options), prices_(priceCore(core)), cost(upper) {}

  void run() {
    const Cost root = std::max<Cost>(0, (prices_.bound + (Cost{1} << prices_.shift) - 1) >> prices_.shift);
    std::vector<Node> open{{std::vector<signed char>(core_.segments.size(), -1), root}};
    size_t limit = std::min<size_t>(500, options_.stateLimit);
    for (int round = 0; !open.empty() && open.back().bound < cost; ++round) {
      if (options_.budget.exhausted()) break;
      Node node = std::move(open.back());
      open.pop_back();
      const P2SweepResult result = sweepCore(core_, prices_, node.forced, cost, limit, options_);
      states += result.states;
      if (result.feasible && result.cost < cost) cost = result.cost, keep = result.keep;
      node.bound = std::max(node.bound, std::min(result.lost, cost));
      if (result.lost >= cost) continue;  // nothing that was thrown away could be better
      if (limit < options_.stateLimit) {  // try once with room before branching
        limit = options_.stateLimit;
        open.push_back(std::move(node));
        continue;
      }
      branch(node, open);
    }
    lowerBound = cost;
    for (const Node& node : open) lowerBound = std::min(lowerBound, node.bound);
    lowerBound = std::max(lowerBound, std::min(root, cost));
  }

  const P2Prices& prices() const { return prices_; }

 private:
  struct Node {
    std::vector<signed char> forced;
    Cost bound;
  };

  // On the largest segment over the most constraints. The one with the better bound is looked at first (the last of `open`).
  void branch(const Node& node, std::vector<Node>& open) {
    int chosen = -1;
    double most = -1;
    for (size_t j = 0; j < core_.segments.size(); ++j) {
      const P2Core::Segment& segment = core_.segments[j];
      const double weight = static_cast<double>(segment.size) * static_cast<double>(segment.last - segment.first);
      if (node.forced[j] < 0 && weight > most) most = weight, chosen = static_cast<int>(j);
    }
    if (chosen < 0) return;
    for (signed char value : {1, 0}) {
      open.push_back(node);
      open.back().forced[at(chosen)] = value;
    }
    // The least bound last; equal ones in the order they came.
    stableSort(open, [](const Node& a, const Node& b) { return a.bound > b.bound; });
    constexpr size_t kMostOpen = 2'000;
    if (open.size() > kMostOpen) options_.budget = WorkBudget(-1);
  }

  const P2Core& core_;
  P2Options& options_;
  P2Prices prices_;

 public:
  Cost cost;
  Cost lowerBound = 0;
  std::vector<char> keep;
  int64_t states = 0;
};

}  // namespace

Cost evaluateSpill(const P2Problem& problem, const P2Keep& keep) {
  const std::vector<int64_t> load = loads(problem, keep);
  for (size_t s = 0; s < load.size(); ++s)
    if (load[s] > std::max<int64_t>(problem.capacity[s], 0)) return kForbidden;
  Cost cost = 0;
  for (size_t v = 0; v < problem.values.size(); ++v) {
    bool stored = false;
    for (size_t i = 0; i < keep[v].size(); ++i) {
      if (keep[v][i]) continue;
      cost += problem.values[v].reloadCosts[i];
      stored = true;
    }
    if (stored) cost += problem.values[v].storeCost;
  }
  return cost;
}

P2Keep spillByRule(const P2Problem& problem, SpillRule rule) {
  P2Keep keep = keepAll(problem);
  std::vector<int64_t> load = loads(problem, keep);
  std::vector<std::vector<std::pair<int, int>>> begins(at(problem.steps) + 1);
  for (size_t v = 0; v < problem.values.size(); ++v)
    for (size_t i = 0; i < keep[v].size(); ++i) {
      const Inside steps = inside(problem.values[v], i);
      if (steps.from < steps.to) begins[at(steps.from)].emplace_back(static_cast<int>(v), static_cast<int>(i));
    }
  std::vector<char> stored(problem.values.size(), 0);
  std::vector<std::pair<int, int>> active;
  const auto drop = [&](int v, int i) {
    const Inside steps = inside(problem.values[at(v)], at(i));
    if (!keep[at(v)][at(i)]) return;
    keep[at(v)][at(i)] = 0;
    stored[at(v)] = 1;
    for (int s = steps.from; s < steps.to; ++s) load[at(s)] -= problem.values[at(v)].size;
  };
  for (int s = 0; s < problem.steps; ++s) {
    active.insert(active.end(), begins[at(s)].begin(), begins[at(s)].end());
    active.erase(std::remove_if(active.begin(), active.end(), [&](const auto& a) {
      return !keep[at(a.first)][at(a.second)] || problem.values[at(a.first)].uses[at(a.second)] <= s; }), active.end());
    while (load[at(s)] > std::max<int64_t>(problem.capacity[at(s)], 0)) {
      int bestValue = -1, bestIndex = -1;
      double bestScore = -1;
      for (const auto& [v, i] : active) {
        const P2Value& value = problem.values[at(v)];
        if (!keep[at(v)][at(i)] || value.size == 0) continue;
        const double cost = static_cast<double>(value.reloadCosts[at(i)] + (stored[at(v)] ? 0 : value.storeCost));
        const double score = rule == SpillRule::FarthestLastUse   ? value.uses.back()
                             : rule == SpillRule::FarthestNextUse ? value.uses[at(i)]
                                                                  : static_cast<double>(value.size) * (value.uses[at(i)] - s) / (cost + 1);
        if (score > bestScore) bestScore = score, bestValue = v, bestIndex = i;
      }
      TESSERA_CHECK(bestValue >= 0, "an overloaded step has something to evict");
      // Spilled for good: the rule of a pass that never brings a value back.
      const int until = rule == SpillRule::FarthestLastUse ? static_cast<int>(keep[at(bestValue)].size()) : bestIndex + 1;
      for (int i = bestIndex; i < until; ++i) drop(bestValue, i);
    }
  }
  return keep;
}

P2Result solveSpill(const P2Problem& problem, P2Options options) {
  checkProblem(problem);
  P2Result result;
  result.cost = kForbidden;
  constexpr std::pair<SpillRule, std::string_view> kRules[] = {{SpillRule::CostAware, "cost-aware rule"},
                                                               {SpillRule::FarthestNextUse, "farthest next use"},
                                                               {SpillRule::FarthestLastUse, "farthest last use"}};
  for (const auto& [rule, name] : kRules) {
    P2Keep keep = spillByRule(problem, rule);
    const Cost cost = evaluateSpill(problem, keep);
    if (cost >= result.cost) continue;
    result.cost = cost;
    result.keep = std::move(keep);
    result.method = name;
  }
  const Reduction reduction(problem, options);
  result.contested = reduction.core.segments.size();
  Brancher brancher(reduction.core, options, result.cost - reduction.fixedCost);
  brancher.run();
  result.states = brancher.states;
  result.priceShift = brancher.prices().shift;
  for (size_t c = 0; c < reduction.core.steps.size(); ++c)
    if (brancher.prices().price[c] > 0) result.prices.emplace_back(reduction.core.steps[c], brancher.prices().price[c]);
  result.lowerBound = brancher.lowerBound + reduction.fixedCost;
  if (!brancher.keep.empty() || (reduction.core.segments.empty() && reduction.fixedCost < result.cost)) {
    result.keep = reduction.keep;
    for (size_t j = 0; j < brancher.keep.size(); ++j)
      result.keep[at(reduction.core.segments[j].value)][at(reduction.core.segments[j].index)] = brancher.keep[j];
    result.cost = evaluateSpill(problem, result.keep);
    result.method = "sweep";
  }
  TESSERA_CHECK(result.cost == evaluateSpill(problem, result.keep) && !isForbidden(result.cost), "a spill decision fits");
  result.proven = result.cost == result.lowerBound;
  return result;
}

std::string writeLp(const P2Problem& problem) {
  std::string goal, steps, stores, bounds = "Binaries\n";
  std::vector<std::string> sums(at(problem.steps));
  for (size_t v = 0; v < problem.values.size(); ++v) {
    const P2Value& value = problem.values[v];
    const std::string name = std::to_string(v);
    goal += " + " + std::to_string(value.storeCost) + " w" + name + '\n';
    bounds += " w" + name + '\n';
    for (size_t i = 0; i < value.uses.size(); ++i) {
      const std::string drop = "z" + name + "_" + std::to_string(i);
      goal += " + " + std::to_string(value.reloadCosts[i]) + ' ' + drop + '\n';
      bounds += ' ' + drop + '\n';
      stores += " w" + name + " - " + drop + " >= 0\n";
      const Inside in = inside(value, i);
      for (int s = in.from; s < in.to; ++s) sums[at(s)] += " + " + std::to_string(value.size) + ' ' + drop + '\n';
    }
  }
  const std::vector<int64_t> load = loads(problem, keepAll(problem)), capacity = capacities(problem);
  for (size_t s = 0; s < sums.size(); ++s)
    if (load[s] > capacity[s]) steps += sums[s] + " >= " + std::to_string(load[s] - capacity[s]) + '\n';
  return "Minimize\n obj: 0 none\n" + goal + "Subject To\n none = 0\n" + stores + steps + bounds + "End\n";
}

}  // namespace tessera
