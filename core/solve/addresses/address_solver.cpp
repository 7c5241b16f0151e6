#include "core/solve/addresses/address_solver.h"

#include <algorithm>
#include <functional>

#include "core/solve/addresses/address_search.h"
#include "core/solve/live_intervals.h"
#include "core/support/check.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

bool live(const AddressBuffer& buffer) { return buffer.begin < buffer.end && buffer.size > 0; }

// Buffers that live, in the order in which they begin.
std::vector<int> byBegin(const AddressProblem& problem) {
  std::vector<std::pair<int64_t, int64_t>> begins;
  for (size_t b = 0; b < problem.buffers.size(); ++b)
    if (live(problem.buffers[b])) begins.emplace_back(problem.buffers[b].begin, static_cast<int64_t>(b));
  std::sort(begins.begin(), begins.end());
  std::vector<int> order;
  for (const auto& [begin, b] : begins) order.push_back(static_cast<int>(b));
  return order;
}

// Assigns offsets in a given order, each buffer in the lowest gap that holds it (first fit) or in the tightest (best
// fit).
class FitPlacer {
 public:
  explicit FitPlacer(const AddressProblem& problem) : problem_(problem), near_(liveTogether(problem)) {}

  int64_t work() const { return work_; }

  int64_t place(const std::vector<int>& order, bool bestFit, std::vector<int64_t>& offsets) {
    offsets.assign(problem_.buffers.size(), -1);
    int64_t height = 0;
    for (int b : order) {
      const int64_t size = problem_.buffers[at(b)].size;
      taken_.clear();
      for (int n : near_[at(b)])
        if (offsets[at(n)] >= 0) taken_.emplace_back(offsets[at(n)], offsets[at(n)] + problem_.buffers[at(n)].size);
      std::sort(taken_.begin(), taken_.end());
      work_ += static_cast<int64_t>(near_[at(b)].size()) + 1;
      int64_t top = 0, chosen = -1, slack = INT64_MAX;
      for (const auto& [low, high] : taken_) {
        const int64_t gap = low - top;
        if (gap >= size && (chosen < 0 || (bestFit && gap - size < slack))) {
          chosen = top;
          slack = gap - size;
          if (!bestFit) break;
        }
        top = std::max(top, high);
      }
      offsets[at(b)] = chosen < 0 ? top : chosen;
      height = std::max(height, offsets[at(b)] + size);
    }
    for (int64_t& offset : offsets) offset = std::max<int64_t>(offset, 0);
    return height;
  }

 private:
  const AddressProblem& problem_;
  std::vector<std::vector<int>> near_;
  std::vector<std::pair<int64_t, int64_t>> taken_;
  int64_t work_ = 0;
};

class Portfolio {
 public:
  Portfolio(const AddressProblem& problem, AddressOptions& options, AddressResult& result)
      : problem_(problem), options_(options), result_(result), fit_(problem) {}

  bool enough() const { return result_.height <= goal_; }

  void run(int64_t goal) {
    goal_ = goal;
    result_.method = "portfolio";
    std::vector<int> order;
    for (int b = 0; b < static_cast<int>(problem_.buffers.size()); ++b)
      if (live(problem_.buffers[at(b)])) order.push_back(b);
    const auto length = [&](int b) { return problem_.buffers[at(b)].end - problem_.buffers[at(b)].begin; };
    const auto size = [&](int b) { return problem_.buffers[at(b)].size; };
    const auto area = [&](int b) { return static_cast<double>(size(b)) * static_cast<double>(length(b)); };
    attempt(order);  // in the order of the input, which is often the program's
    const std::function<bool(int, int)> orders[] = {
        [&](int a, int b) { return size(a) != size(b) ? size(a) > size(b) : length(a) > length(b); },
        [&](int a, int b) { return area(a) > area(b); },
        [&](int a, int b) { return length(a) != length(b) ? length(a) > length(b) : size(a) > size(b); },
        [&](int a, int b) { return problem_.buffers[at(a)].begin < problem_.buffers[at(b)].begin; },
    };
    for (const auto& less : orders) {
      stableSort(order, less);
      attempt(order);
    }
    if (options_.useLocalSearch && !enough()) localSearch();
  }

 private:
  void attempt(const std::vector<int>& order) {
    for (const bool bestFit : {false, true}) {
      if (enough()) return;
      const int64_t height = fit_.place(order, bestFit, offsets_);
      if (height >= result_.height && !result_.offsets.empty()) continue;
      take(height, order);
    }
  }
  void take(int64_t height, const std::vector<int>& order) {
    result_.height = height;
    result_.offsets = offsets_;
    best_ = order;
  }

  // Moves a random buffer, or one that reaches the top, to an earlier position of the order.
  void localSearch() {
    const int64_t until = fit_.work() + options_.localWork;
    Prng random(options_.seed);
    std::vector<int> now = best_, next;
    int64_t height = result_.height;
    const size_t n = now.size();
    while (n > 1 && fit_.work() < until && !enough()) {
      const int64_t before = fit_.work();
      next = now;
      size_t from = at(static_cast<int>(random.below(static_cast<int64_t>(n))));
      if (random.below(2) == 0)
        for (size_t i = 0; i < n; ++i)
          if (result_.offsets[at(next[i])] + problem_.buffers[at(next[i])].size == result_.height) from = i;
      const size_t to = at(static_cast<int>(random.below(static_cast<int64_t>(from) + 1)));
      std::rotate(next.begin() + static_cast<std::ptrdiff_t>(to), next.begin() + static_cast<std::ptrdiff_t>(from),
                  next.begin() + static_cast<std::ptrdiff_t>(from) + 1);
      const int64_t found = fit_.place(next, false, offsets_);
      if (!options_.budget.spend(fit_.work() - before)) return;
      if (found > height && random.below(100) >= 2) continue;
      height = found;
      now.swap(next);
      if (found >= result_.height) continue;
      take(found, now);
      result_.method = "local search";
    }
  }

  const AddressProblem& problem_;
  AddressOptions& options_;
  AddressResult& result_;
  FitPlacer fit_;
  int64_t goal_ = 0;
  std::vector<int64_t> offsets_;
  std::vector<int> best_;
};

}  // namespace

int64_t loadBound(const AddressProblem& problem) {
  std::vector<std::pair<int64_t, int64_t>> events;
  for (const AddressBuffer& buffer : problem.buffers) {
    if (!live(buffer)) continue;
    events.emplace_back(buffer.begin, buffer.size);
    events.emplace_back(buffer.end, -buffer.size);
  }
  return greatestLoad(std::move(events));
}

int64_t heightOf(const AddressProblem& problem, const std::vector<int64_t>& offsets) {
  if (offsets.size() != problem.buffers.size()) return -1;
  int64_t height = 0;
  const std::vector<int> order = byBegin(problem);
  for (size_t i = 0; i < order.size(); ++i) {
    const AddressBuffer& one = problem.buffers[at(order[i])];
    const int64_t low = offsets[at(order[i])];
    if (low < 0) return -1;
    height = std::max(height, low + one.size);
    for (size_t j = i + 1; j < order.size() && problem.buffers[at(order[j])].begin < one.end; ++j) {
      const int64_t other = offsets[at(order[j])];
      if (low < other + problem.buffers[at(order[j])].size && other < low + one.size) return -1;
    }
  }
  return height;
}

std::vector<std::vector<int>> liveTogether(const AddressProblem& problem) {
  std::vector<std::vector<int>> near(problem.buffers.size());
  std::vector<int> live;
  for (int b : byBegin(problem)) {
    const AddressBuffer& buffer = problem.buffers[at(b)];
    live.erase(
        std::remove_if(live.begin(), live.end(), [&](int n) { return problem.buffers[at(n)].end <= buffer.begin; }),
        live.end());
    for (int n : live) near[at(n)].push_back(b);
    near[at(b)] = live;
    live.push_back(b);
  }
  return near;
}

namespace {

// A component: buffers of a span of time that no other buffer crosses. Solved on its own.
class Part {
 public:
  Part(const AddressProblem& whole, int64_t goal, AddressOptions& options)
      : whole_(whole), goal_(goal), options_(options) {}

  void add(int buffer) {
    buffers_.push_back(buffer);
    end_ = std::max(end_, whole_.buffers[at(buffer)].end);
  }
  bool over(int64_t begin) const { return begin >= end_; }

  // Adds the component to `result` and starts an empty one. False when it is proven not to fit the goal.
  bool place(AddressResult& result) {
    if (buffers_.empty()) return true;
    std::sort(buffers_.begin(), buffers_.end());  // in the order of the input, which is often the program's
    AddressProblem part{.buffers = {}, .capacity = goal_};
    for (int b : buffers_) part.buffers.push_back(whole_.buffers[at(b)]);
    AddressResult own;
    own.height = INT64_MAX;
    Portfolio(part, options_, own).run(std::max(goal_, loadBound(part)));
    bool possible = true;
    if (own.height > goal_ && options_.useSearch) {
      AddressSearch search(part, goal_, options_);
      const SearchOutcome answer = search.run();
      result.nodes += search.nodes();
      possible = answer != SearchOutcome::Impossible;
      if (answer == SearchOutcome::Found) {
        own.offsets = search.offsets();
        own.height = heightOf(part, own.offsets);
        own.method = "search";
      }
    }
    for (size_t i = 0; i < buffers_.size(); ++i) result.offsets[at(buffers_[i])] = own.offsets[i];
    result.height = std::max(result.height, own.height);
    result.method = std::max(result.method, own.method,
                             [](std::string_view a, std::string_view b) { return effort(a) < effort(b); });
    buffers_.clear();
    return possible;
  }

 private:
  static int effort(std::string_view method) { return method == "search" ? 2 : method == "local search" ? 1 : 0; }

  const AddressProblem& whole_;
  int64_t goal_;
  AddressOptions& options_;
  std::vector<int> buffers_;
  int64_t end_ = INT64_MIN;
};

}  // namespace

AddressResult assignAddresses(const AddressProblem& problem, AddressOptions options) {
  AddressResult result;
  result.lowerBound = loadBound(problem);
  result.method = "portfolio";
  result.offsets.assign(problem.buffers.size(), 0);
  const int64_t goal = problem.capacity > 0 ? problem.capacity : result.lowerBound;
  if (goal < result.lowerBound) options.useSearch = false;
  bool possible = true;
  Part part(problem, goal, options);
  for (int b : byBegin(problem)) {
    if (part.over(problem.buffers[at(b)].begin)) possible = part.place(result) && possible;
    part.add(b);
  }
  possible = part.place(result) && possible;
  // No placement has height `goal`, so the optimum is at least one more.
  if (!possible) result.lowerBound = std::max(result.lowerBound, goal + 1);
  TESSERA_CHECK(heightOf(problem, result.offsets) == result.height, "a placement has no overlaps");
  result.fits = result.height <= goal;
  result.proven = result.height == result.lowerBound || result.lowerBound > goal;
  return result;
}

}  // namespace tessera
