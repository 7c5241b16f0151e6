#include "core/policy/exact/joint.h"

#include <algorithm>
#include <cmath>

#include "core/policy/exact/layout_tables.h"
#include "core/solve/selection/elimination_tree.h"
#include "core/support/key_index.h"

namespace tessera {

namespace {

constexpr int kPriceShift = 16;  // prices in 1/65536 ns per byte
// A plan is made of every assignment in the first rounds and for short programs, then now and then: it costs more than
// the bound.
constexpr int32_t kAlwaysRealize = 6;
constexpr int32_t kRealizeEvery = 3;
constexpr size_t kShort = 100;  // ops
constexpr double kSlowestPace = 1.0 / 256;
constexpr int32_t kPatience = 6;  // rounds without a better bound before steps get shorter

class Joint {
 public:
  Joint(const LayoutChoices& choices, ExactMemory& memory, MoveTime& moves, const EliminationOrder& order, Cost lower,
        Cost upper, JointOptions& options)
      : costs_(choices, moves, &prices_),
        graph_(memory),
        order_(order),
        options_(options),
        steps_(static_cast<size_t>(choices.problem.schedule.steps())),
        price_(steps_, 0),
        momentum_(steps_, 0) {
    out_.lower = lower;
    out_.upper = upper;
  }

  JointResult run() {
    note(0);
    for (int32_t round = 0; round < options_.rounds && out_.lower < out_.upper; ++round) {
      if (!options_.budget.spend(order_.cells + costs_.choices().candidateCount)) break;
      out_.rounds = round + 1;
      if (!oneRound(round)) break;
    }
    if (out_.steps.back().round < out_.rounds) note(out_.rounds);
    return std::move(out_);
  }

 private:
  void note(int32_t round) { out_.steps.push_back({round, out_.upper, out_.lower}); }

  void setPrices() {
    units_.clear();
    for (double price : price_) units_.push_back(static_cast<int64_t>(std::floor(std::min(price, 1e12) + 0.5)));
    prices_ = pricesOf(units_);
    total_ = mulSaturated(prices_.upTo[steps_], options_.capacity);
  }

  bool oneRound(int32_t round) {
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
      sinceBetter_ = 0;
    } else if (++sinceBetter_ >= kPatience) {
      sinceBetter_ = 0;
      pace_ *= 0.5;
      if (pace_ < kSlowestPace) return false;  // steps too short to matter
    }
    const bool tryIt = steps_ <= kShort || round < kAlwaysRealize || round % kRealizeEvery == 0;
    last_ = readAssignment(costs_, solution.values, last_ ? &*last_ : nullptr);
    better = (tryIt && realizeBest(*last_)) || better;
    if (better) note(round + 1);
    move(*last_, static_cast<double>(scaledBound));
    return true;
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

  // Polyak's step along the overload of every step, with momentum.
  void move(const LayoutAssignment& assignment, double scaledBound) {
    const std::vector<int64_t> usage = l1Usage(costs_, assignment);
    double norm = 0;
    std::vector<double> slope(steps_);
    for (size_t t = 0; t < steps_; ++t) {
      slope[t] = static_cast<double>(usage[t] - options_.capacity);
      if (slope[t] < 0 && price_[t] <= 0) slope[t] = 0;
      norm += slope[t] * slope[t];
    }
    if (norm <= 0) return;
    const double target =
        out_.upper < kForbiddenFrom ? static_cast<double>(out_.upper) * (1 << kPriceShift) : scaledBound * 1.1;
    const double length = pace_ * std::max(target - scaledBound, 1.0) / norm;
    for (size_t t = 0; t < steps_; ++t) {
      momentum_[t] = 0.5 * momentum_[t] + length * slope[t];
      price_[t] = std::max(0.0, price_[t] + momentum_[t]);
      if (price_[t] <= 0) momentum_[t] = std::max(0.0, momentum_[t]);
    }
  }

  L1Prices prices_;
  LayoutCosts costs_;  // at prices_
  RepricedGraph graph_;
  const EliminationOrder& order_;
  std::optional<EliminationTree> tree_;   // most steps have no price: from round to round a part of the tables changes
  std::optional<LayoutAssignment> last_;  // of the round before
  KeyIndex tried_;                        // assignments of which plans were made
  JointOptions& options_;
  size_t steps_;
  std::vector<double> price_, momentum_;  // per step
  std::vector<int64_t> units_;            // the prices, rounded
  Cost total_ = 0;                        // what the whole capacity costs at these prices
  double pace_ = 1.0;
  int32_t sinceBetter_ = 0;
  JointResult out_;
};

}  // namespace

L1Prices pricesOf(const std::vector<int64_t>& perStep) {
  L1Prices prices{.shift = kPriceShift, .upTo = {0}};
  for (int64_t price : perStep) prices.upTo.push_back(prices.upTo.back() + price);
  return prices;
}

JointResult solveJoint(const LayoutChoices& choices, ExactMemory& memory, MoveTime& moves,
                       const EliminationOrder& order, Cost lower, Cost upper, JointOptions options) {
  return Joint(choices, memory, moves, order, lower, upper, options).run();
}

}  // namespace tessera
