// The relaxation and the search of a contest instance; see iopddl.h.

#include <algorithm>

#include "core/instances/iopddl_search.h"
#include "core/solve/selection/dual_solver.h"

namespace tessera {

namespace {

// Prices of memory are fractions; costs are multiplied by 2^shift so that integers can carry them, prices by
// 2^kPriceBits more.
constexpr int kPriceBits = 20;

int chooseShift(const FactorGraph& model) {
  double total = 1;
  const auto count = [&](const std::vector<Cost>& costs) {
    Cost most = 0;
    for (Cost cost : costs)
      if (!isForbidden(cost)) most = std::max(most, cost < 0 ? -cost : cost);
    total += static_cast<double>(most);
  };
  for (int v = 0; v < model.variableCount(); ++v) count(model.unary(v));
  for (const Factor& factor : model.factors()) count(factor.table);
  return scaleShift(total, kMaxTotalCost / 4);
}

// What no assignment exceeds: the dearest allowed entries of all tables, each taken by itself.
Cost dearest(const FactorGraph& model) {
  Cost total = 0;
  const auto add = [&](const std::vector<Cost>& costs) {
    std::optional<Cost> most;
    for (Cost cost : costs)
      if (!isForbidden(cost)) most = std::max(most.value_or(cost), cost);
    total += most.value_or(0);
  };
  for (int v = 0; v < model.variableCount(); ++v) add(model.unary(v));
  for (const Factor& factor : model.factors()) add(factor.table);
  return total;
}

std::vector<Cost> scaled(std::vector<Cost> costs, int shift) {
  for (Cost& cost : costs) cost = isForbidden(cost) ? kForbidden : cost * (Cost{1} << shift);
  return costs;
}

FactorGraph scaledModel(const FactorGraph& model, int shift) {
  FactorGraph result;
  for (int v = 0; v < model.variableCount(); ++v) result.addVariable(scaled(model.unary(v), shift));
  for (const Factor& factor : model.factors()) result.addFactor(factor.scope, scaled(factor.table, shift));
  return result;
}

class Solver {
 public:
  Solver(const IopddlProblem& problem, IopddlOptions& options, IopddlResult& result)
      : problem_(problem),
        options_(options),
        result_(result),
        shift_(chooseShift(problem.costs)),
        dearest_(dearest(problem.costs)),
        model_(scaledModel(problem.costs, shift_)),
        dual_(model_),
        search_(problem),
        random_(options.seed) {
    prices_.assign(search_.usage().steps(), 0.0);
    direction_ = prices_;
    integerPrices_.assign(prices_.size(), 0);
  }

  void run() {
    int sweeps = kFirstSweeps;
    while (!options_.budget.exhausted() && !result_.proven) {
      ++result_.rounds;
      if (!bound(sweeps)) break;
      sweeps = kLaterSweeps;
      std::vector<int> values;
      dual_.decode(values);
      search_.assign(values);
      const std::vector<int64_t> usage = search_.usage().perStep();
      polish();
      if (result_.rounds % kPartEvery == 0 && result_.feasible) solveParts();
      step(usage);
    }
    if (!result_.feasible && isForbidden(result_.lowerBound)) result_.proven = true;
  }

 private:
  static constexpr int kFirstSweeps = 60;
  static constexpr int kLaterSweeps = 3;
  static constexpr int kPartEvery = 10;

  // The price of a node's strategies: its usage times the prices of its steps; rounded down, so that the bound stays
  // one.
  Cost price(int node, size_t value) const {
    const Cost sum = priceSums_[search_.usage().last(node)] - priceSums_[search_.usage().first(node)];
    const __int128 exact = static_cast<__int128>(sum) * problem_.nodes[at(node)].usages[value];
    const __int128 shifted = exact >> kPriceBits;
    return shifted > kMaxTotalCost ? kMaxTotalCost : static_cast<Cost>(shifted);
  }

  bool bound(int sweeps) {
    priceSums_.assign(prices_.size() + 1, 0);
    for (size_t s = 0; s < prices_.size(); ++s) {
      integerPrices_[s] = static_cast<Cost>(std::min(prices_[s], 1e9) * static_cast<double>(1 << kPriceBits));
      priceSums_[s + 1] = priceSums_[s] + integerPrices_[s];
    }
    std::vector<Cost> costs;
    for (int v = 0; v < model_.variableCount(); ++v) {
      costs = model_.unary(v);
      for (size_t x = 0; x < costs.size(); ++x)
        if (!isForbidden(costs[x])) costs[x] += price(v, x);
      dual_.setUnary(v, costs);
    }
    Cost value = 0;
    for (int i = 0; i < sweeps; ++i) {
      if (!options_.budget.spend(dual_.workPerSweep())) return false;
      value = dual_.sweep();
    }
    const __int128 limit =
        (static_cast<__int128>(priceSums_.back()) * problem_.usageLimit + (1 << kPriceBits) - 1) >> kPriceBits;
    relaxed_ = isForbidden(value) ? kForbidden : static_cast<Cost>(value - limit);
    // Costs are integers: the bound rounds up.
    Cost unscaled = isForbidden(relaxed_) ? kForbidden : ceilShift(relaxed_, shift_);
    if (unscaled > dearest_) unscaled = kForbidden;  // then nothing fits
    if (unscaled > result_.lowerBound) {
      result_.lowerBound = unscaled;
      reportProgress();
    }
    return !isForbidden(unscaled);
  }

  void reportProgress() {
    if (result_.feasible && result_.lowerBound >= result_.cost) {
      result_.lowerBound = result_.cost;
      result_.proven = true;
    }
    if (options_.progress) options_.progress(result_.cost, result_.lowerBound);
  }

  bool offer() {
    if (search_.overloaded()) return false;
    const Cost cost = search_.cost();
    if (cost >= result_.cost) return false;
    result_.cost = cost;
    result_.values = search_.values();
    result_.feasible = true;
    reportProgress();
    return true;
  }

  void polish() {
    // With prices far from their optimum a repair costs much and finds little.
    if (search_.overloaded()) {
      WorkBudget some(4 * dual_.workPerSweep());
      const bool fine = search_.repair(some);
      options_.budget.spend(4 * dual_.workPerSweep() - some.left());
      if (!fine) return;
    }
    search_.improve(20, options_.budget);
    offer();
  }

  // Solves neighbourhoods of the best assignment exactly at the current prices; takes what fits and costs less.
  void solveParts() {
    const int parts = static_cast<int>(std::min<size_t>(400, 20 + problem_.nodes.size() / 100));
    search_.assign(result_.values);
    std::vector<std::vector<Cost>> prices;
    std::vector<int> out;
    for (int part = 0; part < parts && !options_.budget.exhausted(); ++part) {
      const int size = static_cast<int>(10 + random_.below(150));
      const std::vector<int> nodes =
          search_.neighbourhood(static_cast<int>(random_.below(static_cast<int64_t>(problem_.nodes.size()))), size);
      const int64_t pressure = random_.below(3);  // memory at no price, half, or the full one
      prices.clear();
      for (int v : nodes) {
        std::vector<Cost>& row = prices.emplace_back();
        for (size_t x = 0; x < problem_.nodes[at(v)].usages.size(); ++x)
          row.push_back((price(v, x) >> shift_) * pressure / 2);
      }
      if (!search_.solvePart(nodes, prices, out, options_.budget)) continue;
      const size_t before = search_.mark();
      const Cost cost = search_.cost();
      for (size_t i = 0; i < nodes.size(); ++i) search_.move(nodes[i], out[i]);
      WorkBudget some(dual_.workPerSweep() / 8);
      const bool fine = !search_.overloaded() || search_.repair(some);
      options_.budget.spend(dual_.workPerSweep() / 8 - some.left());
      if (fine) search_.improveAround(before, options_.budget);
      if (!fine || search_.cost() > cost) search_.undo(before);
      else offer();
    }
  }

  // How far above the current bound the next step aims. At first at a target above the best bound: it moves up while
  // the bound follows; when it does not, the search goes back to the best prices with a nearer target. Once that target
  // is near, at the best known cost (Polyak's rule), with steps that get shorter. Negative: no step, the prices were
  // just put back.
  double aim() {
    const double low = static_cast<double>(relaxed_);
    const double size = low < 0 ? -low : low;
    const double scale = static_cast<double>(Cost{1} << shift_);
    const bool better = relaxed_ > bestRelaxed_;
    idle_ = better ? 0 : idle_ + 1;
    if (better) {
      bestRelaxed_ = relaxed_;
      bestPrices_ = prices_;
    }
    const double known = static_cast<double>(result_.cost) * scale;
    if (result_.feasible && reach_ < 0.003) {
      if (idle_ >= 15) {
        idle_ = 0;
        stride_ *= 0.7;
      }
      return stride_ * std::max(std::min(known, low + 0.3 * size + scale) - low, scale);
    }
    if (better) reach_ = std::min(1.3 * reach_, 0.1);
    if (idle_ >= 6) {
      idle_ = 0;
      reach_ = std::max(0.5 * reach_, 1e-7);
      prices_ = bestPrices_;
      std::fill(direction_.begin(), direction_.end(), 0.0);
      return -1;
    }
    const double target = static_cast<double>(bestRelaxed_) + std::max(reach_ * size, scale);
    return std::max((result_.feasible ? std::min(target, known) : target) - low, scale);
  }

  // A step of the prices along what is used beyond the limit, with momentum.
  void step(const std::vector<int64_t>& usage) {
    const double distance = aim();
    if (distance < 0) return;
    const double limit = static_cast<double>(std::max<int64_t>(problem_.usageLimit, 1));
    double square = 0;
    for (size_t s = 0; s < prices_.size(); ++s) {
      double excess = static_cast<double>(usage[s]) / limit - 1.0;
      if (excess < 0 && prices_[s] <= 0) excess = 0;
      direction_[s] = excess + 0.5 * direction_[s];
      square += direction_[s] * direction_[s];
    }
    if (square <= 0) return;
    for (size_t s = 0; s < prices_.size(); ++s)
      prices_[s] = std::max(0.0, prices_[s] + distance / square * direction_[s] / limit);
  }

  const IopddlProblem& problem_;
  IopddlOptions& options_;
  IopddlResult& result_;
  int shift_;
  Cost dearest_;
  FactorGraph model_;
  DualSolver dual_;
  IopddlSearch search_;
  Prng random_;
  std::vector<double> prices_, direction_;  // per step; scaled cost per byte
  std::vector<Cost> integerPrices_, priceSums_;
  Cost relaxed_ = 0;
  Cost bestRelaxed_ = -kMaxTotalCost;
  std::vector<double> bestPrices_;
  double reach_ = 0.05;  // how far above the best bound the target lies, as a part of it
  double stride_ = 1.0;
  int idle_ = 0;
};

}  // namespace

IopddlResult solveIopddl(const IopddlProblem& problem, IopddlOptions options) {
  IopddlResult result;
  Solver(problem, options, result).run();
  return result;
}

}  // namespace tessera
