#include "core/policy/exact/joint.h"

#include <algorithm>
#include <cmath>

#include "core/solve/p1_tree.h"

namespace tessera {

namespace {

constexpr int kPriceShift = 16;       // prices in 1/65536 ns per byte
// A plan is made of every assignment in the first rounds and for short programs, then now and then: it costs more than the bound.
constexpr int32_t kAlwaysRealize = 6;
constexpr int32_t kRealizeEvery = 3;
constexpr size_t kShort = 100;        // ops
constexpr double kSlowestPace = 1.0 / 256;
constexpr int32_t kPatience = 6;      // rounds without a better bound before steps get shorter

class Joint {
 public:
  Joint(LayoutModel& model, const EliminationOrder& order, Cost lower, Cost upper, JointOptions& options)
      : model_(model), order_(order), options_(options), steps_(static_cast<size_t>(model.problem().schedule.steps())), price_(steps_, 0), momentum_(steps_, 0) {
    out_.lower = lower;
    out_.upper = upper;
  }

  JointResult run() {
    note(0);
    for (int32_t round = 0; round < options_.rounds && out_.lower < out_.upper; ++round) {
      if (!options_.budget.spend(order_.cells + model_.ways())) break;
      out_.rounds = round + 1;
      if (!oneRound(round)) break;
    }
    if (out_.steps.back().round < out_.rounds) note(out_.rounds);
    model_.price(nullptr);
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
    model_.price(&prices_);
    if (!model_.graph().costsFit()) return false;
    if (tree_) tree_->update(model_.graph());
    else tree_.emplace(model_.graph(), order_);
    const P1Solution solution = tree_->solve();
    if (!solution.feasible || total_ >= kMaxTotalCost) return false;
    const Cost scaledBound = solution.cost - total_;
    // Costs are whole: the bound may be rounded up.
    const Cost bound = scaledBound >= 0 ? ((scaledBound + (Cost{1} << kPriceShift) - 1) >> kPriceShift) : 0;
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
    better = (tryIt && realizeBest(solution.values)) || better;
    if (better) note(round + 1);
    move(solution.values, static_cast<double>(scaledBound));
    return true;
  }

  // True when a better plan came out.
  bool realizeBest(const std::vector<int>& values) {
    bool better = false;
    for (const bool preferOtherWays : {true, false}) {
      Realized made = realize(model_, values, {.preferOtherWays = preferOtherWays, .prices = &prices_}, options_.policyName);
      const Cost time = planTime(model_.problem(), made.plan, model_.pool(), model_.moves());
      if (!made.fits || time >= out_.upper) continue;
      out_.upper = time;
      out_.plan = std::move(made.plan);
      out_.values = values;
      out_.evicted = made.evicted.size();
      out_.otherWays = made.otherWay.size();
      better = true;
    }
    return better;
  }

  // Polyak's step along the overload of every step, with momentum.
  void move(const std::vector<int>& values, double scaledBound) {
    const std::vector<int64_t> usage = model_.usage(values, &prices_);
    double norm = 0;
    std::vector<double> slope(steps_);
    for (size_t t = 0; t < steps_; ++t) {
      slope[t] = static_cast<double>(usage[t] - options_.capacity);
      if (slope[t] < 0 && price_[t] <= 0) slope[t] = 0;
      norm += slope[t] * slope[t];
    }
    if (norm <= 0) return;
    const double target = out_.upper < kForbiddenFrom ? static_cast<double>(out_.upper) * (1 << kPriceShift) : scaledBound * 1.1;
    const double length = pace_ * std::max(target - scaledBound, 1.0) / norm;
    for (size_t t = 0; t < steps_; ++t) {
      momentum_[t] = 0.5 * momentum_[t] + length * slope[t];
      price_[t] = std::max(0.0, price_[t] + momentum_[t]);
      if (price_[t] <= 0) momentum_[t] = std::max(0.0, momentum_[t]);
    }
  }

  LayoutModel& model_;
  const EliminationOrder& order_;
  std::optional<P1Tree> tree_;            // most steps have no price: from round to round a part of the tables changes
  JointOptions& options_;
  size_t steps_;
  std::vector<double> price_, momentum_;  // per step
  std::vector<int64_t> units_;            // the prices, rounded
  L1Prices prices_;
  Cost total_ = 0;          // what the whole capacity costs at these prices
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

JointResult solveJoint(LayoutModel& model, const EliminationOrder& order, Cost lower, Cost upper, JointOptions options) {
  return Joint(model, order, lower, upper, options).run();
}

}  // namespace tessera
