#include "core/policy/exact/joint.h"

#include <algorithm>

#include "core/policy/exact/layout_tables.h"
#include "core/solve/price_bundle.h"
#include "core/solve/selection/elimination_tree.h"
#include "core/support/key_index.h"

namespace tessera {

namespace {

constexpr int kPriceShift = 16;  // prices in 1/65536 ns per byte
constexpr double kNanosecond = int64_t{1} << kPriceShift;
// Rounds behind the best bound, which look for plans.
constexpr int32_t kMostRaises = 6, kMostMixes = 6;
constexpr double kRaise = 0.01;     // worth of a raise, as a part of the distance between the bounds
constexpr double kMostRise = 1e12;  // of one price in one raise

class Joint {
 public:
  Joint(const LayoutChoices& choices, ExactMemory& memory, MoveTime& moves, const EliminationOrder& order,
        const LayoutAssignment& unpriced, Cost lower, Cost upper, JointOptions& options)
      : costs_(choices, moves, &prices_),
        graph_(memory),
        order_(order),
        options_(options),
        steps_(static_cast<size_t>(choices.problem.schedule.steps())),
        last_(unpriced),
        bundle_(steps_),
        units_(steps_, 0) {
    out_.lower = lower;
    out_.upper = upper;
    setPrices();
    tried_.numberOf(keyOf(unpriced, movesOf(costs_, unpriced)));
  }

  JointResult run() {
    note(0);
    bool more = reprice(static_cast<double>(out_.lower) * kNanosecond);
    while (more && out_.rounds < options_.rounds && out_.lower < out_.upper &&
           options_.budget.spend(order_.cells + costs_.choices().candidateCount)) {
      ++out_.rounds;
      more = oneRound();
    }
    if (out_.steps.back().round < out_.rounds) note(out_.rounds);
    return std::move(out_);
  }

 private:
  void note(int32_t round) { out_.steps.push_back({round, out_.upper, out_.lower}); }

  void setPrices() {
    prices_ = pricesOf(units_);
    total_ = mulSaturated(prices_.upTo[steps_], options_.capacity);
  }

  bool oneRound() {
    setPrices();
    const FactorGraph& graph = graph_.at(costs_);
    if (!graph.costsFit()) return false;
    if (tree_) tree_->update(graph);
    else tree_.emplace(graph, order_);
    const EliminationSolution solution = tree_->solve();
    if (!solution.feasible || total_ >= kMaxTotalCost) return false;
    const Cost scaledBound = solution.cost - total_;
    const Cost bound = std::max<Cost>(0, ceilShift(scaledBound, kPriceShift));
    bool better = bound > out_.lower;
    if (better) {
      out_.lower = std::min(bound, out_.upper);
      out_.stepPrices = units_;
    }
    last_ = readAssignment(costs_, solution.values, &last_);
    better = realizeBest(last_) || better;
    if (better) note(out_.rounds);
    return reprice(static_cast<double>(scaledBound));
  }

  // True when a better plan came out. Prices that change little give the same assignment again.
  bool realizeBest(const LayoutAssignment& assignment) {
    const std::vector<LayoutMove> moves = movesOf(costs_, assignment);
    const size_t known = tried_.size();
    if (tried_.numberOf(keyOf(assignment, moves)) < known) return false;
    ++out_.realized;
    bool better = false;
    const LayoutChoices& choices = costs_.choices();
    for (const bool prefer : {true, false}) {
      Realized made = realize(costs_, assignment, moves, {.preferOtherCandidates = prefer});
      const Cost time = planTime(choices.problem, made.plan, costs_.moves());
      const bool asPlanned = made.deviations.empty() && made.evicted.empty();
      if (made.fits && time < out_.upper) {
        out_.upper = time;
        out_.plan = std::move(made.plan);
        better = true;
      }
      if (asPlanned) break;  // nothing was tried, so there is nothing to prefer
    }
    return better;
  }

  // The prices of the next round: where a better bound is promised; then, for assignments that may become a better
  // plan, such that less L1 is taken, and such that more steps have a price. False: there are none.
  bool reprice(double scaledBound) {
    std::vector<int64_t> excess = l1Usage(costs_, last_);
    for (int64_t& bytes : excess) bytes -= options_.capacity;
    const double lower = static_cast<double>(out_.lower) * kNanosecond;
    const double enough = out_.upper < kForbiddenFrom ? static_cast<double>(out_.upper) * kNanosecond : lower * 1.1;
    if (bounding_) {
      bundle_.add(units_, scaledBound, std::move(excess));
      std::vector<int64_t> next = bundle_.next(enough, kNanosecond);
      if (!next.empty()) {
        units_ = std::move(next);
        if (first_.empty()) first_ = units_;
        return true;
      }
      bounding_ = false;
      units_ = bundle_.best();
      excess = bundle_.excessAtBest();
    }
    return (mixes_ == 0 && raise(excess, kRaise * (enough - lower))) || mix();
  }

  // Raises the prices of the steps that are over the capacity: in all by `worth` for this assignment (2^-16 ns).
  bool raise(const std::vector<int64_t>& excess, double worth) {
    double square = 0;
    for (int64_t bytes : excess) square += bytes > 0 ? static_cast<double>(bytes) * static_cast<double>(bytes) : 0;
    if (raises_ >= kMostRaises || square <= 0) return false;
    ++raises_;
    const double length = worth / square;
    for (size_t t = 0; t < steps_; ++t) {
      if (excess[t] > 0)
        units_[t] += static_cast<int64_t>(std::min(length * static_cast<double>(excess[t]), kMostRise));
    }
    return true;
  }

  // Prices between the best ones, which are 0 for most steps, and the first ones, which charged every step that was
  // short: half of the way, a quarter and so on.
  bool mix() {
    if (first_.empty() || mixes_ >= kMostMixes) return false;
    ++mixes_;
    for (size_t t = 0; t < steps_; ++t) {
      const int64_t best = bundle_.best()[t];
      units_[t] = best + ((first_[t] - best) >> mixes_);
    }
    return true;
  }

  L1Prices prices_;
  LayoutCosts costs_;  // at prices_
  RepricedGraph graph_;
  const EliminationOrder& order_;
  std::optional<EliminationTree> tree_;  // most steps have no price: from round to round a part of the tables changes
  JointOptions& options_;
  size_t steps_;
  LayoutAssignment last_;  // of the round before
  KeyIndex tried_;         // assignments of which plans were made
  PriceBundle bundle_;
  std::vector<int64_t> units_, first_;  // prices, per step: of the round, of the first one that had some
  Cost total_ = 0;                      // what the whole capacity costs at these prices
  bool bounding_ = true;
  int32_t raises_ = 0, mixes_ = 0;
  JointResult out_;
};

}  // namespace

L1Prices pricesOf(const std::vector<int64_t>& perStep) {
  L1Prices prices{.shift = kPriceShift, .upTo = {0}};
  for (int64_t price : perStep) prices.upTo.push_back(prices.upTo.back() + price);
  return prices;
}

JointResult solveJoint(const LayoutChoices& choices, ExactMemory& memory, MoveTime& moves,
                       const EliminationOrder& order, const LayoutAssignment& unpriced, Cost lower, Cost upper,
                       JointOptions options) {
  return Joint(choices, memory, moves, order, unpriced, lower, upper, options).run();
}

}  // namespace tessera
