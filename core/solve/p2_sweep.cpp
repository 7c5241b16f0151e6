#include "core/solve/p2_sweep.h"

#include <algorithm>

#include "core/support/stable_sort.h"

namespace tessera {

namespace {

size_t at(int index) { return static_cast<size_t>(index); }

struct State {
  std::vector<uint64_t> bits;  // kept segments by slot, then stored values by slot
  Cost cost = 0;               // of what was decided
  Cost bound = 0;              // scaled: cost plus what the rest must add at least
  int64_t used = 0;            // size of the kept segments that are active
  int32_t trace = -1;          // the last dropped segment
};

struct Drop {
  int32_t before;
  int32_t segment;
};

class Sweep {
 public:
  Sweep(const P2Core& core, const P2Prices& prices, const std::vector<signed char>& forced, Cost upper, size_t stateLimit, P2Options& options)
      : core_(core), prices_(prices), forced_(forced), upper_(upper), limit_(stateLimit), options_(options) {
    assignSlots();
  }

  P2SweepResult run() {
    State start;
    start.bits.assign(words_, 0);
    start.bound = prices_.bound;
    states_.push_back(std::move(start));
    size_t next = 0;
    for (size_t c = 0; c < core_.capacity.size() && !states_.empty(); ++c) {
      retire(c);
      for (; next < core_.segments.size() && core_.segments[next].first == c; ++next) {
        branch(static_cast<int>(next), c);
        thin();
      }
      settle(c);
      merge();
    }
    const auto best = std::min_element(states_.begin(), states_.end(), [](const State& a, const State& b) { return a.cost < b.cost; });
    result_.states = total_;
    if (best == states_.end()) return result_;
    result_.feasible = true;
    result_.cost = best->cost;
    result_.keep.assign(core_.segments.size(), 1);
    for (int32_t d = best->trace; d >= 0; d = drops_[at(d)].before) result_.keep[at(drops_[at(d)].segment)] = 0;
    return result_;
  }

 private:
  static bool test(const State& state, size_t bit) { return (state.bits[bit / 64] >> (bit % 64)) & 1; }
  static void set(State& state, size_t bit) { state.bits[bit / 64] |= uint64_t{1} << (bit % 64); }

  // Slots are used again once a segment (or the last segment of a stored value) is over.
  void assignSlots() {
    std::vector<size_t> freeFrom;  // per slot: the constraint from which it is free
    const auto take = [&](size_t first, size_t last) {
      for (size_t s = 0; s < freeFrom.size(); ++s)
        if (freeFrom[s] <= first) return freeFrom[s] = last, s;
      freeFrom.push_back(last);
      return freeFrom.size() - 1;
    };
    for (const P2Core::Segment& segment : core_.segments) slot_.push_back(take(segment.first, segment.last));
    std::vector<size_t> first(core_.stores.size(), SIZE_MAX), last(core_.stores.size(), 0), count(core_.stores.size(), 0);
    for (const P2Core::Segment& segment : core_.segments) {
      if (segment.store < 0) continue;
      first[at(segment.store)] = std::min(first[at(segment.store)], segment.first);
      last[at(segment.store)] = std::max(last[at(segment.store)], segment.first + 1);  // asked for at the start of segments only
      ++count[at(segment.store)];
    }
    for (size_t s = 0; s < first.size(); ++s) {
      storeSlot_.push_back(count[s] > 1 ? take(first[s], last[s]) : SIZE_MAX);
      storeFirst_.push_back(first[s]);
      storeLast_.push_back(last[s]);
    }
    words_ = (freeFrom.size() + 63) / 64;
  }

  // Forgets what no later constraint asks about.
  void retire(size_t c) {
    now_ = c;
    std::vector<uint64_t> mask(words_, ~uint64_t{0});
    std::vector<int> ended;
    for (int j : active_) {
      if (core_.segments[at(j)].last > c) continue;
      ended.push_back(j);
      mask[slot_[at(j)] / 64] &= ~(uint64_t{1} << (slot_[at(j)] % 64));
    }
    active_.erase(std::remove_if(active_.begin(), active_.end(), [&](int j) { return core_.segments[at(j)].last <= c; }), active_.end());
    for (State& state : states_)
      for (int j : ended)
        if (test(state, slot_[at(j)])) state.used -= core_.segments[at(j)].size;
    for (size_t s = 0; s < storeSlot_.size(); ++s)
      if (storeSlot_[s] != SIZE_MAX && storeLast_[s] <= c) mask[storeSlot_[s] / 64] &= ~(uint64_t{1} << (storeSlot_[s] % 64)), storeSlot_[s] = SIZE_MAX;
    for (State& state : states_)
      for (size_t w = 0; w < words_; ++w) state.bits[w] &= mask[w];
    // What was kept may be too much for a tighter constraint.
    states_.erase(std::remove_if(states_.begin(), states_.end(), [&](const State& s) { return s.used > core_.capacity[c]; }), states_.end());
  }

  // True when keeping b while dropping a is never needed: b holds at least as much for at least as long and costs no more to drop.
  bool precedes(int b, int a) const {
    const P2Core::Segment& big = core_.segments[at(b)];
    const P2Core::Segment& small = core_.segments[at(a)];
    const Cost dropBig = big.reload + (big.store >= 0 ? core_.stores[at(big.store)] : 0);
    if (big.first > small.first || big.last < small.last || big.size < small.size || dropBig > small.reload) return false;
    const bool same = big.first == small.first && big.last == small.last && big.size == small.size && dropBig == small.reload;
    return !same || b < a;
  }

  void branch(int j, size_t c) {
    const P2Core::Segment& segment = core_.segments[at(j)];
    std::vector<size_t> noDropIfKept, noKeepIfDropped;
    if (options_.usePrecedence)
      for (int k : active_) {
        if (forced_[at(k)] >= 0 || forced_[at(j)] >= 0) continue;
        if (precedes(k, j)) noDropIfKept.push_back(slot_[at(k)]);
        if (precedes(j, k)) noKeepIfDropped.push_back(slot_[at(k)]);
      }
    std::vector<State> next;
    next.reserve(states_.size() * 2);
    for (State& state : states_) {
      bool mayDrop = forced_[at(j)] != 1, mayKeep = forced_[at(j)] != 0 && state.used + segment.size <= core_.capacity[c];
      for (size_t s : noDropIfKept) mayDrop = mayDrop && !test(state, s);
      for (size_t s : noKeepIfDropped) mayKeep = mayKeep && test(state, s);
      if (mayDrop) drop(state, j, next);
      if (!mayKeep) continue;
      keep(state, j);
      if (!hopeless(state)) next.push_back(std::move(state));
    }
    active_.push_back(j);
    states_.swap(next);
    total_ += static_cast<int64_t>(states_.size());
    options_.budget.spend(static_cast<int64_t>(states_.size()) * static_cast<int64_t>(words_ + 1));
  }

  // The bound counted each undecided segment with the better of its two sides; a decision replaces that.
  Cost free(int j) const {
    const Cost scaled = core_.segments[at(j)].reload * (Cost{1} << prices_.shift);
    return std::min<Cost>(0, scaled - prices_.cover[at(j)]);
  }

  void keep(State& state, int j) {
    set(state, slot_[at(j)]);
    state.used += core_.segments[at(j)].size;
    state.bound -= free(j);
  }

  void drop(const State& from, int j, std::vector<State>& next) {
    const P2Core::Segment& segment = core_.segments[at(j)];
    State state = from;
    Cost cost = segment.reload;
    if (segment.store >= 0) {
      const size_t slot = storeSlot_[at(segment.store)];
      if (slot == SIZE_MAX || !test(state, slot)) cost += core_.stores[at(segment.store)];
      if (slot != SIZE_MAX) set(state, slot);
    }
    state.cost += cost;
    state.bound += cost * (Cost{1} << prices_.shift) - prices_.cover[at(j)] - free(j);
    if (hopeless(state)) return;
    drops_.push_back({state.trace, static_cast<int32_t>(j)});
    state.trace = static_cast<int32_t>(drops_.size() - 1);
    next.push_back(std::move(state));
  }

  Cost unscaled(Cost bound) const { return (bound + (Cost{1} << prices_.shift) - 1) >> prices_.shift; }
  bool hopeless(const State& state) const {
    return state.cost >= upper_ || (options_.useBound && unscaled(state.bound) >= upper_);
  }

  // A constraint is behind: what it promised is replaced by what happened, which is never less.
  void settle(size_t c) {
    for (State& state : states_) {
      int64_t covered = 0;
      for (int j : active_)
        if (!test(state, slot_[at(j)])) covered += std::min(core_.segments[at(j)].size, prices_.excess[c]);
      state.bound += prices_.price[c] * (covered - prices_.excess[c]);
    }
    if (options_.useBound) states_.erase(std::remove_if(states_.begin(), states_.end(), [&](const State& s) { return hopeless(s); }), states_.end());
  }

  // Equal futures: the cheapest stays. And a state that keeps no more and has stored no less beats a dearer one.
  void merge() {
    stableSort(states_, [](const State& a, const State& b) { return a.bits != b.bits ? a.bits < b.bits : a.cost < b.cost; });
    states_.erase(std::unique(states_.begin(), states_.end(), [](const State& a, const State& b) { return a.bits == b.bits; }), states_.end());
    if (!options_.useDominance) return;
    stableSort(states_, [](const State& a, const State& b) { return a.cost < b.cost; });
    std::vector<uint64_t> stored(words_, 0);
    for (size_t s = 0; s < storeSlot_.size(); ++s)
      // Before a store begins, its slot still belongs to a segment.
      if (storeSlot_[s] != SIZE_MAX && storeFirst_[s] <= now_) stored[storeSlot_[s] / 64] |= uint64_t{1} << (storeSlot_[s] % 64);
    constexpr size_t kCompared = 200;
    std::vector<State> left;
    for (State& state : states_) {
      bool beaten = false;
      for (size_t i = 0; i < left.size() && i < kCompared && !beaten; ++i) {
        beaten = left[i].cost < state.cost;
        // More kept, or less stored, and the other may still be better.
        for (size_t w = 0; w < words_ && beaten; ++w)
          beaten = (left[i].bits[w] & ~state.bits[w] & ~stored[w]) == 0 && (state.bits[w] & ~left[i].bits[w] & stored[w]) == 0;
      }
      if (!beaten) left.push_back(std::move(state));
    }
    states_.swap(left);
  }

  // Room for the states: the worst bounds go, and the best of them is remembered, so that the answer's bound stays honest.
  void thin() {
    size_t room = std::max<size_t>(1, limit_ / (1 + words_ / 4));
    if (options_.budget.exhausted()) room = 1;  // hurry to the end with one state: still a solution, still a bound
    if (states_.size() > 2 * room) merge();
    if (states_.size() > room) {
      stableSort(states_, [](const State& a, const State& b) { return a.bound != b.bound ? a.bound < b.bound : a.cost < b.cost; });
      for (size_t i = room; i < states_.size(); ++i) result_.lost = std::min(result_.lost, unscaled(states_[i].bound));
      states_.resize(room);
    }
    if (drops_.size() > kMostDrops) collect();
  }

  // Keeps only those drops that a state still leads to.
  void collect() {
    std::vector<int32_t> moved(drops_.size(), -1);
    for (const State& state : states_)
      for (int32_t d = state.trace; d >= 0 && moved[at(d)] < 0; d = drops_[at(d)].before) moved[at(d)] = 0;
    std::vector<Drop> kept;
    for (size_t d = 0; d < drops_.size(); ++d) {
      if (moved[d] < 0) continue;
      moved[d] = static_cast<int32_t>(kept.size());
      kept.push_back({drops_[d].before < 0 ? -1 : moved[at(drops_[d].before)], drops_[d].segment});
    }
    for (State& state : states_)
      if (state.trace >= 0) state.trace = moved[at(state.trace)];
    drops_.swap(kept);
    // Histories that share little: fewer states from here on.
    if (drops_.size() > kMostDrops / 2) limit_ = std::max<size_t>(1, limit_ / 2);
  }
  static constexpr size_t kMostDrops = 4'000'000;

  const P2Core& core_;
  const P2Prices& prices_;
  const std::vector<signed char>& forced_;
  Cost upper_;
  size_t limit_;
  P2Options& options_;
  std::vector<size_t> slot_, storeSlot_, storeFirst_, storeLast_;
  size_t words_ = 0;
  size_t now_ = 0;                 // the constraint that is being decided
  std::vector<int> active_;
  std::vector<State> states_;
  std::vector<Drop> drops_;
  P2SweepResult result_;
  int64_t total_ = 0;
};

}  // namespace

// Subgradient steps in floating point; the bound itself is then computed from rounded prices, in integers.
P2Prices priceCore(const P2Core& core) {
  P2Prices prices;
  const size_t constraints = core.capacity.size();
  std::vector<int64_t> load(constraints, 0);
  double total = 1;
  for (const P2Core::Segment& segment : core.segments) {
    total += static_cast<double>(segment.reload) + (segment.store >= 0 ? static_cast<double>(core.stores[at(segment.store)]) : 0);
    for (size_t c = segment.first; c < segment.last; ++c) load[c] += segment.size;
  }
  for (size_t c = 0; c < constraints; ++c) prices.excess.push_back(std::max<int64_t>(0, load[c] - core.capacity[c]));
  while (prices.shift < 20 && total * static_cast<double>(int64_t{2} << prices.shift) < static_cast<double>(kMaxTotalCost / 8)) ++prices.shift;
  const double scale = static_cast<double>(int64_t{1} << prices.shift);

  std::vector<double> price(constraints, 0.0), best = price, slope(constraints, 0.0), direction(constraints, 0.0);
  std::vector<double> reduced(core.segments.size());
  double bestBound = 0, stride = 1.0;
  int idle = 0;
  for (int round = 0; round < 300 && constraints > 0; ++round) {
    double bound = 0;
    for (size_t c = 0; c < constraints; ++c) bound += price[c] * static_cast<double>(prices.excess[c]), slope[c] = static_cast<double>(prices.excess[c]);
    for (size_t j = 0; j < core.segments.size(); ++j) {
      const P2Core::Segment& segment = core.segments[j];
      reduced[j] = static_cast<double>(segment.reload);
      for (size_t c = segment.first; c < segment.last; ++c) reduced[j] -= price[c] * static_cast<double>(std::min(segment.size, prices.excess[c]));
      bound += std::min(0.0, reduced[j]);
    }
    for (size_t j = 0; j < core.segments.size(); ++j) {
      const P2Core::Segment& segment = core.segments[j];
      if (reduced[j] >= 0) continue;
      for (size_t c = segment.first; c < segment.last; ++c) slope[c] -= static_cast<double>(std::min(segment.size, prices.excess[c]));
    }
    if (bound > bestBound) bestBound = bound, best = price, idle = 0;
    else if (++idle >= 10) idle = 0, stride *= 0.6;
    double square = 0;
    for (size_t c = 0; c < constraints; ++c) {
      direction[c] = slope[c] + 0.5 * direction[c];
      square += direction[c] * direction[c];
    }
    if (square <= 0) break;
    const double length = stride * (0.1 * std::max(bestBound, bound) + 0.02 * total / static_cast<double>(constraints) + 1) / square;
    for (size_t c = 0; c < constraints; ++c) price[c] = std::max(0.0, price[c] + length * direction[c]);
  }

  // No sum of covers may leave 57 bits, however large the sizes are.
  double loads = 1;
  for (int64_t sum : load) loads += static_cast<double>(sum);
  for (size_t c = 0; c < constraints; ++c) {
    prices.price.push_back(static_cast<Cost>(std::min(best[c] * scale, static_cast<double>(kMaxTotalCost) / loads)));
    prices.bound += prices.price[c] * prices.excess[c];
  }
  // A store may be paid by an earlier drop, so an undecided segment's own side counts without it.
  for (const P2Core::Segment& segment : core.segments) {
    Cost cover = 0;
    for (size_t c = segment.first; c < segment.last; ++c) cover += prices.price[c] * std::min(segment.size, prices.excess[c]);
    prices.cover.push_back(cover);
    prices.bound += std::min<Cost>(0, segment.reload * (Cost{1} << prices.shift) - cover);
  }
  return prices;
}

P2SweepResult sweepCore(const P2Core& core, const P2Prices& prices, const std::vector<signed char>& forced, Cost upper, size_t stateLimit,
                        P2Options& options) {
  return Sweep(core, prices, forced, upper, stateLimit, options).run();
}

}  // namespace tessera
