#include "core/solve/spilling/spill_problem.h"

#include <algorithm>

#include "core/support/check.h"

namespace tessera {

SegmentSteps segmentSteps(const SpillValue& value, size_t index) {
  return {(index == 0 ? value.def : value.uses[index - 1]) + 1, value.uses[index]};
}

void checkProblem(const SpillProblem& problem) {
  constexpr int64_t kMostSize = int64_t{1} << 40;
  TESSERA_CHECK(static_cast<int>(problem.capacity.size()) == problem.steps, "one capacity per step");
  Cost total = 0;
  for (const SpillValue& value : problem.values) {
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

std::vector<int64_t> capacities(const SpillProblem& problem) {
  std::vector<int64_t> capacity = problem.capacity;
  for (int64_t& c : capacity) c = std::max<int64_t>(c, 0);
  return capacity;
}

bool fitsAlone(const SpillValue& value, size_t index, const std::vector<int64_t>& capacity) {
  const SegmentSteps steps = segmentSteps(value, index);
  for (int s = steps.from; s < steps.to; ++s)
    if (value.size > capacity[at(s)]) return false;
  return true;
}

KeptSegments keepAll(const SpillProblem& problem) {
  KeptSegments keep;
  for (const SpillValue& value : problem.values) keep.emplace_back(value.uses.size(), 1);
  return keep;
}

std::vector<int64_t> loads(const SpillProblem& problem, const KeptSegments& keep) {
  std::vector<int64_t> change(at(problem.steps) + 1, 0);
  for (size_t v = 0; v < problem.values.size(); ++v)
    for (size_t i = 0; i < keep[v].size(); ++i) {
      const SegmentSteps steps = segmentSteps(problem.values[v], i);
      if (!keep[v][i] || steps.from >= steps.to) continue;
      change[at(steps.from)] += problem.values[v].size;
      change[at(steps.to)] -= problem.values[v].size;
    }
  for (size_t s = 1; s < change.size(); ++s) change[s] += change[s - 1];
  change.pop_back();
  return change;
}

Cost evaluateSpill(const SpillProblem& problem, const KeptSegments& keep) {
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

KeptSegments spillByRule(const SpillProblem& problem, SpillRule rule) {
  KeptSegments keep = keepAll(problem);
  std::vector<int64_t> load = loads(problem, keep);
  std::vector<std::vector<std::pair<int, int>>> begins(at(problem.steps) + 1);
  for (size_t v = 0; v < problem.values.size(); ++v)
    for (size_t i = 0; i < keep[v].size(); ++i) {
      const SegmentSteps steps = segmentSteps(problem.values[v], i);
      if (steps.from < steps.to) begins[at(steps.from)].emplace_back(static_cast<int>(v), static_cast<int>(i));
    }
  std::vector<char> stored(problem.values.size(), 0);
  std::vector<std::pair<int, int>> active;
  const auto drop = [&](int v, int i) {
    const SegmentSteps steps = segmentSteps(problem.values[at(v)], at(i));
    if (!keep[at(v)][at(i)]) return;
    keep[at(v)][at(i)] = 0;
    stored[at(v)] = 1;
    for (int s = steps.from; s < steps.to; ++s) load[at(s)] -= problem.values[at(v)].size;
  };
  for (int s = 0; s < problem.steps; ++s) {
    active.insert(active.end(), begins[at(s)].begin(), begins[at(s)].end());
    active.erase(std::remove_if(active.begin(), active.end(),
                                [&](const auto& a) {
                                  return !keep[at(a.first)][at(a.second)] ||
                                         problem.values[at(a.first)].uses[at(a.second)] <= s;
                                }),
                 active.end());
    while (load[at(s)] > std::max<int64_t>(problem.capacity[at(s)], 0)) {
      int bestValue = -1, bestIndex = -1;
      double bestScore = -1;
      for (const auto& [v, i] : active) {
        const SpillValue& value = problem.values[at(v)];
        if (!keep[at(v)][at(i)] || value.size == 0) continue;
        const double cost = static_cast<double>(value.reloadCosts[at(i)] + (stored[at(v)] ? 0 : value.storeCost));
        const double score = rule == SpillRule::FarthestLastUse ? value.uses.back()
                             : rule == SpillRule::FarthestNextUse
                                 ? value.uses[at(i)]
                                 : static_cast<double>(value.size) * (value.uses[at(i)] - s) / (cost + 1);
        if (score > bestScore) bestScore = score, bestValue = v, bestIndex = i;
      }
      TESSERA_CHECK(bestValue >= 0, "an overloaded step has something to evict");
      // Spilled for good: the rule of a pass that never brings a value back.
      const int until =
          rule == SpillRule::FarthestLastUse ? static_cast<int>(keep[at(bestValue)].size()) : bestIndex + 1;
      for (int i = bestIndex; i < until; ++i) drop(bestValue, i);
    }
  }
  return keep;
}

}  // namespace tessera
