#include <algorithm>

#include "core/solve/price_bundle.h"
#include "core/solve/spilling/spill_core.h"

namespace tessera {

namespace {

constexpr int kRounds = 200;
constexpr int64_t kUnit = int64_t{1} << 20;  // of prices: so many are a nanosecond per byte
constexpr double kGain = 1e-3;               // of the bound: what the next round must promise

// The bound in units of a nanosecond at `prices`. `excess`: what must be dropped per constraint; becomes how much the
// bound rises per unit of each price.
double boundAt(const SpillCore& core, const std::vector<int64_t>& prices, std::vector<int64_t>& excess) {
  const std::vector<int64_t> most = excess;
  double bound = 0;
  for (size_t c = 0; c < most.size(); ++c) bound += static_cast<double>(prices[c]) * static_cast<double>(most[c]);
  for (const SpillCore::Segment& segment : core.segments) {
    double reduced = static_cast<double>(segment.reload) * static_cast<double>(kUnit);
    for (size_t c = segment.first; c < segment.last; ++c)
      reduced -= static_cast<double>(prices[c]) * static_cast<double>(std::min(segment.size, most[c]));
    if (reduced >= 0) continue;
    bound += reduced;
    for (size_t c = segment.first; c < segment.last; ++c) excess[c] -= std::min(segment.size, most[c]);
  }
  return bound;
}

// Per constraint, in units. The bound of the core is computed from rounded prices, in integers.
std::vector<int64_t> bestPrices(const SpillCore& core, const std::vector<int64_t>& excess, double totalCost) {
  PriceBundle bundle(excess.size());
  std::vector<int64_t> prices(excess.size(), 0);
  double best = 0;
  for (int round = 0; round < kRounds && !prices.empty(); ++round) {
    std::vector<int64_t> slope = excess;
    const double bound = boundAt(core, prices, slope);
    best = std::max(best, bound);
    bundle.add(prices, bound, std::move(slope));
    prices = bundle.next(totalCost * static_cast<double>(kUnit), std::max(1.0, kGain * best));
  }
  return bundle.best();
}

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
  const double scale = static_cast<double>(int64_t{1} << prices.shift) / static_cast<double>(kUnit);
  const std::vector<int64_t> best = bestPrices(core, prices.excess, total);
  // No sum of covers may leave 57 bits, however large the sizes are.
  double loads = 1;
  for (int64_t sum : load) loads += static_cast<double>(sum);
  for (size_t c = 0; c < constraints; ++c) {
    const double price = std::min(static_cast<double>(best[c]) * scale, static_cast<double>(kMaxTotalCost) / loads);
    prices.price.push_back(static_cast<Cost>(price));
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
