#include "core/solve/spilling/state_sweep.h"

#include <algorithm>

#include "core/support/stable_sort.h"

namespace tessera {

namespace {

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
  Sweep(const SpillCore& core, const CoverPrices& prices, const std::vector<signed char>& forced, Cost upper,
        size_t stateLimit, SpillOptions& options)
      : core_(core), prices_(prices), forced_(forced), upper_(upper), limit_(stateLimit), options_(options) {
    assignSlots();
  }

  SweepResult run() {
    State start;
    start.bits.assign(words_, 0);
    start.bound = prices_.bound;
    states_.push_back(std::move(start));
    size_t next = 0;
    for (size_t c = 0; c < core_.capacity.size() && !states_.empty(); ++c) {
      retire(c);
      for (; next < core_.segments.size() && core_.segments[next].first == c; ++next) {
        branch(static_cast<int>(next), c);
        limitStates();
      }
      settle(c);
      merge();
    }
    const auto best = std::min_element(states_.begin(), states_.end(),
                                       [](const State& a, const State& b) { return a.cost < b.cost; });
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
    for (const SpillCore::Segment& segment : core_.segments) slot_.push_back(take(segment.first, segment.last));
    std::vector<size_t> first(core_.stores.size(), SIZE_MAX), last(core_.stores.size(), 0),
        count(core_.stores.size(), 0);
    for (const SpillCore::Segment& segment : core_.segments) {
      if (segment.store < 0) continue;
      first[at(segment.store)] = std::min(first[at(segment.store)], segment.first);
      last[at(segment.store)] =
          std::max(last[at(segment.store)], segment.first + 1);  // read at the start of segments only
      ++count[at(segment.store)];
    }
    for (size_t s = 0; s < first.size(); ++s) {
      storeSlot_.push_back(count[s] > 1 ? take(first[s], last[s]) : SIZE_MAX);
      storeFirst_.push_back(first[s]);
      storeLast_.push_back(last[s]);
    }
    words_ = (freeFrom.size() + 63) / 64;
  }

  // Forgets the segments and stores that no later constraint crosses.
  void retire(size_t c) {
    now_ = c;
    std::vector<uint64_t> mask(words_, ~uint64_t{0});
    std::vector<int> ended;
    for (int j : active_) {
      if (core_.segments[at(j)].last > c) continue;
      ended.push_back(j);
      mask[slot_[at(j)] / 64] &= ~(uint64_t{1} << (slot_[at(j)] % 64));
    }
    active_.erase(
        std::remove_if(active_.begin(), active_.end(), [&](int j) { return core_.segments[at(j)].last <= c; }),
        active_.end());
    for (State& state : states_)
      for (int j : ended)
        if (test(state, slot_[at(j)])) state.used -= core_.segments[at(j)].size;
    for (size_t s = 0; s < storeSlot_.size(); ++s)
      if (storeSlot_[s] != SIZE_MAX && storeLast_[s] <= c)
        mask[storeSlot_[s] / 64] &= ~(uint64_t{1} << (storeSlot_[s] % 64)), storeSlot_[s] = SIZE_MAX;
    for (State& state : states_)
      for (size_t w = 0; w < words_; ++w) state.bits[w] &= mask[w];
    // Kept segments may exceed a tighter constraint.
    states_.erase(
        std::remove_if(states_.begin(), states_.end(), [&](const State& s) { return s.used > core_.capacity[c]; }),
        states_.end());
  }

  // True when keeping b while dropping a is never needed: b holds at least as much for at least as long and costs no
  // more to drop.
  bool precedes(int b, int a) const {
    const SpillCore::Segment& big = core_.segments[at(b)];
    const SpillCore::Segment& small = core_.segments[at(a)];
    const Cost dropBig = big.reload + (big.store >= 0 ? core_.stores[at(big.store)] : 0);
    if (big.first > small.first || big.last < small.last || big.size < small.size || dropBig > small.reload)
      return false;
    const bool same =
        big.first == small.first && big.last == small.last && big.size == small.size && dropBig == small.reload;
    return !same || b < a;
  }

  void branch(int j, size_t c) {
    const SpillCore::Segment& segment = core_.segments[at(j)];
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
      bool mayDrop = forced_[at(j)] != 1,
           mayKeep = forced_[at(j)] != 0 && state.used + segment.size <= core_.capacity[c];
      for (size_t s : noDropIfKept) mayDrop = mayDrop && !test(state, s);
      for (size_t s : noKeepIfDropped) mayKeep = mayKeep && test(state, s);
      if (mayDrop) drop(state, j, next);
      if (!mayKeep) continue;
      keep(state, j);
      if (!pruned(state)) next.push_back(std::move(state));
    }
    active_.push_back(j);
    states_.swap(next);
    total_ += static_cast<int64_t>(states_.size());
    options_.budget.spend(static_cast<int64_t>(states_.size()) * static_cast<int64_t>(words_ + 1));
  }

  // What the bound counts for an undecided segment: the cheaper of keeping and dropping.
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
    const SpillCore::Segment& segment = core_.segments[at(j)];
    State state = from;
    Cost cost = segment.reload;
    if (segment.store >= 0) {
      const size_t slot = storeSlot_[at(segment.store)];
      if (slot == SIZE_MAX || !test(state, slot)) cost += core_.stores[at(segment.store)];
      if (slot != SIZE_MAX) set(state, slot);
    }
    state.cost += cost;
    state.bound += cost * (Cost{1} << prices_.shift) - prices_.cover[at(j)] - free(j);
    if (pruned(state)) return;
    drops_.push_back({state.trace, static_cast<int32_t>(j)});
    state.trace = static_cast<int32_t>(drops_.size() - 1);
    next.push_back(std::move(state));
  }

  bool pruned(const State& state) const {
    return state.cost >= upper_ || (options_.useBound && ceilShift(state.bound, prices_.shift) >= upper_);
  }

  // The constraint is decided: its part of the bound is replaced by what its dropped segments cover, never less.
  void settle(size_t c) {
    for (State& state : states_) {
      int64_t covered = 0;
      for (int j : active_)
        if (!test(state, slot_[at(j)])) covered += std::min(core_.segments[at(j)].size, prices_.excess[c]);
      state.bound += prices_.price[c] * (covered - prices_.excess[c]);
    }
    if (options_.useBound)
      states_.erase(std::remove_if(states_.begin(), states_.end(), [&](const State& s) { return pruned(s); }),
                    states_.end());
  }

  // Of states with the same bits the cheapest stays. A state that keeps no more and has stored no less dominates a
  // dearer one.
  void merge() {
    stableSort(states_,
               [](const State& a, const State& b) { return a.bits != b.bits ? a.bits < b.bits : a.cost < b.cost; });
    states_.erase(
        std::unique(states_.begin(), states_.end(), [](const State& a, const State& b) { return a.bits == b.bits; }),
        states_.end());
    if (!options_.useDominance) return;
    stableSort(states_, [](const State& a, const State& b) { return a.cost < b.cost; });
    std::vector<uint64_t> stored(words_, 0);
    for (size_t s = 0; s < storeSlot_.size(); ++s)
      // Before a store begins, its slot still belongs to a segment.
      if (storeSlot_[s] != SIZE_MAX && storeFirst_[s] <= now_)
        stored[storeSlot_[s] / 64] |= uint64_t{1} << (storeSlot_[s] % 64);
    constexpr size_t kCompared = 200;
    std::vector<State> left;
    for (State& state : states_) {
      bool dominated = false;
      for (size_t i = 0; i < left.size() && i < kCompared && !dominated; ++i) {
        dominated = left[i].cost < state.cost;
        // Not when it keeps more or has stored less.
        for (size_t w = 0; w < words_ && dominated; ++w)
          dominated = (left[i].bits[w] & ~state.bits[w] & ~stored[w]) == 0 &&
                      (state.bits[w] & ~left[i].bits[w] & stored[w]) == 0;
      }
      if (!dominated) left.push_back(std::move(state));
    }
    states_.swap(left);
  }

  // Keeps the number of states within the limit: those with the worst bounds are pruned, and the least of these bounds
  // is remembered, so that the result's bound stays valid.
  void limitStates() {
    size_t room = std::max<size_t>(1, limit_ / (1 + words_ / 4));
    if (options_.budget.exhausted()) room = 1;  // one state is enough for a solution and a bound
    if (states_.size() > 2 * room) merge();
    if (states_.size() > room) {
      stableSort(states_, [](const State& a, const State& b) {
        return a.bound != b.bound ? a.bound < b.bound : a.cost < b.cost;
      });
      for (size_t i = room; i < states_.size(); ++i)
        result_.lost = std::min(result_.lost, ceilShift(states_[i].bound, prices_.shift));
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
    // Histories that share little take memory: fewer states from here on.
    if (drops_.size() > kMostDrops / 2) limit_ = std::max<size_t>(1, limit_ / 2);
  }
  static constexpr size_t kMostDrops = 4'000'000;

  const SpillCore& core_;
  const CoverPrices& prices_;
  const std::vector<signed char>& forced_;
  Cost upper_;
  size_t limit_;
  SpillOptions& options_;
  std::vector<size_t> slot_, storeSlot_, storeFirst_, storeLast_;
  size_t words_ = 0;
  size_t now_ = 0;  // the constraint that is being decided
  std::vector<int> active_;
  std::vector<State> states_;
  std::vector<Drop> drops_;
  SweepResult result_;
  int64_t total_ = 0;
};

}  // namespace

SweepResult sweepCore(const SpillCore& core, const CoverPrices& prices, const std::vector<signed char>& forced,
                      Cost upper, size_t stateLimit, SpillOptions& options) {
  return Sweep(core, prices, forced, upper, stateLimit, options).run();
}

}  // namespace tessera
