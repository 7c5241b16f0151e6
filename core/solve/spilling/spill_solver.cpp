#include "core/solve/spilling/spill_solver.h"

#include <algorithm>

#include "core/solve/spilling/state_sweep.h"
#include "core/support/check.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

// Reduces the problem to its core: drops what can never fit, keeps what crosses no overloaded step.
class Reduction {
 public:
  Reduction(const SpillProblem& problem, const SpillOptions& options)
      : problem_(problem), options_(options), capacity_(capacities(problem)) {
    keep = keepAll(problem);
    dropOversized();
    build();
  }

  SpillCore core;
  KeptSegments keep;   // with everything undecided kept
  Cost fixedCost = 0;  // of what had to be dropped

 private:
  struct Candidate {
    int value, index;
    SegmentSteps steps;
  };

  void dropOversized() {
    storePaid_.assign(problem_.values.size(), 0);
    for (size_t v = 0; v < problem_.values.size(); ++v) {
      const SpillValue& value = problem_.values[v];
      for (size_t i = 0; i < value.uses.size(); ++i) {
        if (fitsAlone(value, i, capacity_)) continue;
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
        const SegmentSteps in = segmentSteps(problem_.values[v], i);
        const auto first = std::lower_bound(steps.begin(), steps.end(), in.from);
        if (keep[v][i] && problem_.values[v].size > 0 && first != steps.end() && *first < in.to)
          candidates.push_back({static_cast<int>(v), static_cast<int>(i), in});
      }
    if (options_.useMaximalSteps) steps = maximal(steps, candidates);
    for (int s : steps) core.capacity.push_back(capacity_[at(s)]);
    core.steps = steps;
    std::vector<int> storeOf(problem_.values.size(), -1), count(problem_.values.size(), 0);
    for (const Candidate& c : candidates) ++count[at(c.value)];
    for (const Candidate& c : candidates) {
      const SpillValue& value = problem_.values[at(c.value)];
      SpillCore::Segment segment{
          .value = c.value, .index = c.index, .size = value.size, .reload = value.reloadCosts[at(c.index)]};
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
    stableSort(core.segments, [](const SpillCore::Segment& a, const SpillCore::Segment& b) {
      return a.first != b.first ? a.first < b.first : a.size > b.size;
    });
  }

  // Leaves out a step whose segments all cross a neighbour of no more capacity: it constrains nothing more.
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

  const SpillProblem& problem_;
  const SpillOptions& options_;
  std::vector<int64_t> capacity_;
  std::vector<char> storePaid_;
};

// Branches on single segments where the sweep had to prune states for room.
class Brancher {
 public:
  Brancher(const SpillCore& core, SpillOptions& options, Cost upper)
      : core_(core), options_(options), prices_(priceCore(core)), cost(upper) {}

  void run() {
    const Cost root = std::max<Cost>(0, ceilShift(prices_.bound, prices_.shift));
    std::vector<Node> open{{std::vector<signed char>(core_.segments.size(), -1), root}};
    size_t limit = std::min<size_t>(500, options_.stateLimit);
    for (int round = 0; !open.empty() && open.back().bound < cost; ++round) {
      if (options_.budget.exhausted()) break;
      Node node = std::move(open.back());
      open.pop_back();
      const SweepResult result = sweepCore(core_, prices_, node.forced, cost, limit, options_);
      states += result.states;
      if (result.feasible && result.cost < cost) cost = result.cost, keep = result.keep;
      node.bound = std::max(node.bound, std::min(result.lost, cost));
      if (result.lost >= cost) continue;  // no pruned state could be better
      if (limit < options_.stateLimit) {  // once with more room before branching
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

  const CoverPrices& prices() const { return prices_; }

 private:
  struct Node {
    std::vector<signed char> forced;
    Cost bound;
  };

  // On the largest segment over the most constraints. The node with the least bound is next: the last of `open`.
  void branch(const Node& node, std::vector<Node>& open) {
    int chosen = -1;
    double most = -1;
    for (size_t j = 0; j < core_.segments.size(); ++j) {
      const SpillCore::Segment& segment = core_.segments[j];
      const double weight = static_cast<double>(segment.size) * static_cast<double>(segment.last - segment.first);
      if (node.forced[j] < 0 && weight > most) most = weight, chosen = static_cast<int>(j);
    }
    if (chosen < 0) return;
    for (signed char value : {1, 0}) {
      open.push_back(node);
      open.back().forced[at(chosen)] = value;
    }
    stableSort(open, [](const Node& a, const Node& b) { return a.bound > b.bound; });
    constexpr size_t kMostOpen = 2'000;
    if (open.size() > kMostOpen) options_.budget = WorkBudget(-1);
  }

  const SpillCore& core_;
  SpillOptions& options_;
  CoverPrices prices_;

 public:
  Cost cost;
  Cost lowerBound = 0;
  std::vector<char> keep;
  int64_t states = 0;
};

}  // namespace

SpillResult solveSpill(const SpillProblem& problem, SpillOptions options) {
  checkProblem(problem);
  SpillResult result;
  result.cost = kForbidden;
  constexpr std::pair<SpillRule, std::string_view> kRules[] = {{SpillRule::CostAware, "cost-aware rule"},
                                                               {SpillRule::FarthestNextUse, "farthest next use"},
                                                               {SpillRule::FarthestLastUse, "farthest last use"}};
  for (const auto& [rule, name] : kRules) {
    KeptSegments keep = spillByRule(problem, rule);
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
  TESSERA_CHECK(result.cost == evaluateSpill(problem, result.keep) && !isForbidden(result.cost),
                "a spill decision fits");
  result.proven = result.cost == result.lowerBound;
  return result;
}

}  // namespace tessera
