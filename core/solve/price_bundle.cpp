#include "core/solve/price_bundle.h"

#include <algorithm>
#include <cmath>

namespace tessera {

namespace {

constexpr size_t kMostCuts = 48;
constexpr size_t kShiftWork = 4'000'000;  // excesses read to find the next prices
constexpr double kTolerance = 0.02;       // of what is promised
constexpr double kMostPrice = 1e12;

}  // namespace

double PriceBundle::valueAt(const Cut& cut, const std::vector<int64_t>& prices) const {
  double value = cut.atZero;
  for (size_t r : short_) value += static_cast<double>(cut.excess[r]) * static_cast<double>(prices[r]);
  return value;
}

void PriceBundle::add(const std::vector<int64_t>& prices, double bound, std::vector<int64_t> excess) {
  std::vector<bool> known(best_.size(), false);
  for (size_t r : short_) known[r] = true;
  for (size_t r = 0; r < excess.size(); ++r) {
    if (excess[r] > 0 && !known[r]) short_.push_back(r);
  }
  Cut cut{.excess = std::move(excess)};
  cut.atZero = bound - valueAt(cut, prices);
  const double gained = bound - bound_, promised = promised_ - bound_;
  if (cuts_.empty() || gained > 0) {
    if (cuts_.empty()) cut.weight = 1;
    else if (gained >= 0.5 * promised) reach_ *= 2;
    best_ = prices;
    excessAtBest_ = cut.excess;
    bound_ = bound;
  } else if (valueAt(cut, best_) - bound_ > promised) {
    reach_ *= 0.5;  // the cut tells little of where the best bound is: the prices went too far
  }
  if (cuts_.size() >= kMostCuts) dropOne();
  cuts_.push_back(std::move(cut));
}

void PriceBundle::dropOne() {
  const auto least = std::min_element(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.value > b.value;
  });
  const double rest = 1 - least->weight;
  cuts_.erase(least);
  for (Cut& cut : cuts_) cut.weight /= rest;
}

// The prices that the weights lead to, and the cuts there.
void PriceBundle::setPrices() {
  for (size_t i = 0; i < short_.size(); ++i) {
    const double price = static_cast<double>(best_[short_[i]]) + reach_ * pull_[i];
    price_[i] = std::min(kMostPrice, std::max(0.0, price));
  }
  for (Cut& cut : cuts_) {
    cut.value = cut.atZero;
    for (size_t i = 0; i < short_.size(); ++i) cut.value += static_cast<double>(cut.excess[short_[i]]) * price_[i];
  }
}

double PriceBundle::lowest() const {
  double value = cuts_[0].value;
  for (const Cut& cut : cuts_) value = std::min(value, cut.value);
  return value;
}

// Moves weight from the highest cut that has some to the lowest cut, until their values are equal or all of it is
// moved. False: they differ by `tolerance` at most already.
bool PriceBundle::shiftWeight(double tolerance) {
  Cut *low = &cuts_[0], *high = nullptr;
  for (Cut& cut : cuts_) {
    if (cut.value < low->value) low = &cut;
    if (cut.weight > 0 && (!high || cut.value > high->value)) high = &cut;
  }
  const double apart = high->value - low->value;
  if (apart <= tolerance) return false;
  const auto turn = [&](size_t i) { return static_cast<double>(low->excess[short_[i]] - high->excess[short_[i]]); };
  double nearer = 0;  // by how much the two values approach per weight moved; less where a price is held at 0
  for (size_t i = 0; i < short_.size(); ++i) {
    if (price_[i] > 0 || turn(i) > 0) nearer += reach_ * turn(i) * turn(i);
  }
  const double moved = apart < nearer * high->weight ? apart / nearer : high->weight;
  for (size_t i = 0; i < short_.size(); ++i) pull_[i] += moved * turn(i);
  high->weight = moved < high->weight ? high->weight - moved : 0;
  low->weight += moved;
  setPrices();
  return true;
}

// Sets the prices at which the least of the cuts, less the squared distance from the best prices over twice the reach,
// is largest, and returns the least of the cuts there.
double PriceBundle::promise(double least) {
  price_.assign(short_.size(), 0);
  pull_.assign(short_.size(), 0);
  for (const Cut& cut : cuts_) {
    for (size_t i = 0; i < short_.size(); ++i) pull_[i] += cut.weight * static_cast<double>(cut.excess[short_[i]]);
  }
  setPrices();
  for (size_t shifts = 8 + kShiftWork / (cuts_.size() * short_.size()); shifts > 0; --shifts) {
    if (!shiftWeight(kTolerance * std::max(lowest() - bound_, least))) break;
  }
  return lowest();
}

std::vector<int64_t> PriceBundle::next(double enough, double least) {
  if (short_.empty()) return {};
  if (reach_ <= 0) {  // so far that the first cut promises `enough` (Polyak)
    double square = 0;
    for (size_t r : short_) {
      const auto excess = static_cast<double>(cuts_[0].excess[r]);
      square += excess * excess;
    }
    reach_ = std::max(enough - bound_, least) / square;
  }
  promised_ = promise(least);
  for (int shorter = 0; shorter < 8 && promised_ > enough; ++shorter) {
    reach_ *= 0.5;
    promised_ = promise(least);
  }
  std::vector<int64_t> prices(best_.size(), 0);
  for (size_t i = 0; i < short_.size(); ++i) prices[short_[i]] = static_cast<int64_t>(std::floor(price_[i] + 0.5));
  for (const Cut& cut : cuts_) promised_ = std::min(promised_, valueAt(cut, prices));  // whole prices promise less
  if (promised_ < bound_ + least) prices.clear();
  return prices;
}

}  // namespace tessera
