#pragma once
// Prices of limited resources: where a concave bound is largest over all prices >= 0, by a proximal bundle method
// (Lemaréchal; Frangioni, "Generalized bundle methods", SIAM Journal on Optimization 13, 2002). The bound is the least
// of very many linear functions of the prices, one for each way to use the resources. Working it out at some prices
// gives one that is least there, a cut; the bound is nowhere above the least of the cuts.
//
//   PriceBundle bundle(resources);
//   for (prices = 0; !prices.empty(); prices = bundle.next(enough, least))
//     bundle.add(prices, boundAt(prices), demand - capacity);

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

class PriceBundle {
 public:
  explicit PriceBundle(size_t resources) : best_(resources, 0) {}

  // `bound` at `prices`; `excess`: how much it rises there per unit of each price, demand less capacity.
  void add(const std::vector<int64_t>& prices, double bound, std::vector<int64_t> excess);

  // Prices near the best ones at which the cuts promise more than the best bound; by at least `least`, else empty.
  // `enough`: no bound is above this. Wants one cut at least.
  std::vector<int64_t> next(double enough, double least);

  const std::vector<int64_t>& best() const { return best_; }
  const std::vector<int64_t>& excessAtBest() const { return excessAtBest_; }

 private:
  struct Cut {
    double atZero = 0;  // where nothing has a price
    std::vector<int64_t> excess;
    double weight = 0;
    double value = 0;  // at price_
  };

  double valueAt(const Cut& cut, const std::vector<int64_t>& prices) const;
  double promise(double least);
  void setPrices();
  double lowest() const;
  bool shiftWeight(double tolerance);
  void dropOne();

  // The weights are >= 0, their sum is 1. The next prices are the best ones and reach_ times the weighted excesses.
  std::vector<Cut> cuts_;
  std::vector<size_t> short_;  // resources of which some cut had too little; others get no price
  std::vector<int64_t> best_, excessAtBest_;
  double bound_ = 0;                  // the best one
  double promised_ = 0;               // at the prices that were given last
  double reach_ = 0;                  // the step length of the proximal method
  std::vector<double> price_, pull_;  // by place in short_: the next prices, the weighted excesses
};

}  // namespace tessera
