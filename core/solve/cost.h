#pragma once
// Numbers shared by the solvers: costs with a forbidden value, the budget of work, a small random generator.

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tessera {

// The solvers number with int; this is the position in a vector.
constexpr size_t at(int index) { return static_cast<size_t>(index); }

// Integer cost. Anything of at least kForbiddenFrom means "not allowed"; it is written as kForbidden.
// The finite costs of one model must not exceed kMaxTotalCost in absolute value, all of them added up: then adding
// finite parts to a forbidden one never brings it below kForbiddenFrom, and no sum of two parts overflows.
using Cost = int64_t;
inline constexpr Cost kForbidden = Cost{1} << 60;
inline constexpr Cost kForbiddenFrom = Cost{1} << 59;
inline constexpr Cost kMaxTotalCost = Cost{1} << 57;

constexpr bool isForbidden(Cost cost) { return cost >= kForbiddenFrom; }
constexpr Cost addCost(Cost a, Cost b) {
  const Cost sum = a + b;
  return sum < kForbidden ? sum : kForbidden;
}

// Costs times 2^shift carry fractional prices. Costs are whole, so a scaled bound may be rounded up.
constexpr Cost ceilShift(Cost scaled, int shift) { return (scaled + (Cost{1} << shift) - 1) >> shift; }
// The greatest shift, at most 20, that keeps `total` below `most`.
constexpr int scaleShift(double total, Cost most) {
  int shift = 0;
  while (shift < 20 && total * static_cast<double>(int64_t{2} << shift) < static_cast<double>(most)) ++shift;
  return shift;
}

// Bounds what a solver may do. Steps are counted by the solver itself (roughly one table cell each), so the same budget
// gives the same answer on every machine; `expired` is for interactive use, where the answer may differ from run to
// run.
class WorkBudget {
 public:
  WorkBudget() = default;
  explicit WorkBudget(int64_t steps, std::function<bool()> expired = {}) : left_(steps), expired_(std::move(expired)) {}

  // False when the budget is used up; stays false from then on.
  bool spend(int64_t steps) {
    left_ -= steps;
    sinceAsked_ += steps;
    if (expired_ && sinceAsked_ >= kAskEvery) {
      sinceAsked_ = 0;
      if (expired_()) left_ = -1;
    }
    return left_ >= 0;
  }
  // Half of what is left, for an attempt that must not use up everything.
  WorkBudget half() const {
    WorkBudget part = *this;
    part.left_ /= 2;
    return part;
  }
  bool exhausted() const { return left_ < 0; }
  int64_t left() const { return left_ < 0 ? 0 : left_; }

 private:
  static constexpr int64_t kAskEvery = 200'000;  // about a tenth of a millisecond of table cells
  int64_t left_ = INT64_MAX / 2;
  int64_t sinceAsked_ = 0;
  std::function<bool()> expired_;
};

// Steele, Lea and Flood's SplitMix64: the same numbers everywhere, unlike the distributions of the standard library.
class Prng {
 public:
  explicit Prng(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // 0 .. bound - 1; bound must be positive. The slight bias of the remainder does not matter here.
  int64_t below(int64_t bound) { return static_cast<int64_t>(next() % static_cast<uint64_t>(bound)); }

 private:
  uint64_t state_;
};

}  // namespace tessera
