#include <algorithm>

#include "core/solve/spilling/spill_core.h"

namespace tessera {

namespace {

// Subgradient steps in floating point; the bound itself is computed from rounded prices, in integers.
class CoverAscent {
 public:
  CoverAscent(const SpillCore& core, const std::vector<int64_t>& excess, double totalCost)
      : core_(core),
        excess_(excess),
        total_(totalCost),
        price_(excess.size(), 0.0),
        best_(price_),
        slope_(price_),
        direction_(price_) {}

  std::vector<double> run() {
    constexpr int kRounds = 300;
    for (int round = 0; round < kRounds && !price_.empty(); ++round) {
      const double bound = evaluate();
      if (bound > bestBound_) bestBound_ = bound, best_ = price_, idle_ = 0;
      else if (++idle_ >= 10) idle_ = 0, stride_ *= 0.6;
      if (!step(bound)) break;
    }
    return best_;
  }

 private:
  // The bound at the present prices, and its slope.
  double evaluate() {
    double bound = 0;
    for (size_t c = 0; c < price_.size(); ++c) {
      bound += price_[c] * static_cast<double>(excess_[c]);
      slope_[c] = static_cast<double>(excess_[c]);
    }
    reduced_.assign(core_.segments.size(), 0.0);
    for (size_t j = 0; j < reduced_.size(); ++j) {
      const SpillCore::Segment& segment = core_.segments[j];
      reduced_[j] = static_cast<double>(segment.reload);
      for (size_t c = segment.first; c < segment.last; ++c)
        reduced_[j] -= price_[c] * static_cast<double>(std::min(segment.size, excess_[c]));
      bound += std::min(0.0, reduced_[j]);
    }
    for (size_t j = 0; j < reduced_.size(); ++j) {
      const SpillCore::Segment& segment = core_.segments[j];
      if (reduced_[j] >= 0) continue;
      for (size_t c = segment.first; c < segment.last; ++c)
        slope_[c] -= static_cast<double>(std::min(segment.size, excess_[c]));
    }
    return bound;
  }

  // Along the slope with momentum; false at a stationary point.
  bool step(double bound) {
    double square = 0;
    for (size_t c = 0; c < price_.size(); ++c) {
      direction_[c] = slope_[c] + 0.5 * direction_[c];
      square += direction_[c] * direction_[c];
    }
    if (square <= 0) return false;
    const double length =
        stride_ * (0.1 * std::max(bestBound_, bound) + 0.02 * total_ / static_cast<double>(price_.size()) + 1) / square;
    for (size_t c = 0; c < price_.size(); ++c) price_[c] = std::max(0.0, price_[c] + length * direction_[c]);
    return true;
  }

  const SpillCore& core_;
  const std::vector<int64_t>& excess_;
  double total_;
  std::vector<double> price_, best_, slope_, direction_;  // per constraint
  std::vector<double> reduced_;                           // per segment
  double bestBound_ = 0, stride_ = 1.0;
  int idle_ = 0;
};

}  // namespace

CoverPrices priceCore(const SpillCore& core) {
  CoverPrices prices;
  const size_t constraints = core.capacity.size();
  std::vector<int64_t> load(constraints, 0);
  double total = 1;
  for (const SpillCore::Segment& segment : core.segments) {
    total += static_cast<double>(segment.reload) +
             (segment.store >= 0 ? static_cast<double>(core.stores[at(segment.store)]) : 0);
    for (size_t c = segment.first; c < segment.last; ++c) load[c] += segment.size;
  }
  for (size_t c = 0; c < constraints; ++c) prices.excess.push_back(std::max<int64_t>(0, load[c] - core.capacity[c]));
  prices.shift = scaleShift(total, kMaxTotalCost / 8);
  const double scale = static_cast<double>(int64_t{1} << prices.shift);
  const std::vector<double> best = CoverAscent(core, prices.excess, total).run();
  // No sum of covers may leave 57 bits, however large the sizes are.
  double loads = 1;
  for (int64_t sum : load) loads += static_cast<double>(sum);
  for (size_t c = 0; c < constraints; ++c) {
    prices.price.push_back(static_cast<Cost>(std::min(best[c] * scale, static_cast<double>(kMaxTotalCost) / loads)));
    prices.bound += prices.price[c] * prices.excess[c];
  }
  // A store may be paid by an earlier drop, so an undecided segment's own side counts without it.
  for (const SpillCore::Segment& segment : core.segments) {
    Cost cover = 0;
    for (size_t c = segment.first; c < segment.last; ++c)
      cover += prices.price[c] * std::min(segment.size, prices.excess[c]);
    prices.cover.push_back(cover);
    prices.bound += std::min<Cost>(0, segment.reload * (Cost{1} << prices.shift) - cover);
  }
  return prices;
}

}  // namespace tessera
